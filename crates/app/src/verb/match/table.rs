//! The results of a match, for people and for scripts.

use super::news::{ratio, summed};
use crate::answer::write_json;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use tesuji_match::contest::{Contest, Standings};
use tesuji_match::games::GameLine;
use tesuji_match::referee::End;
use tesuji_match::score::ratings;
use tesuji_match::sprt::Sprt;

/// What is known of one player.
#[derive(Serialize)]
struct PlayerRow {
    player: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    elo_error: Option<f64>,
    superiority: Option<f64>,
    rating: f64,
    pairs: [u64; 5],
}

/// What is known of the match.
#[derive(Serialize)]
struct MatchRow {
    games: usize,
    plies: usize,
    ends: BTreeMap<End, usize>,
    llr: Option<f64>,
    overhead_micros_per_move: Option<f64>,
}

/// Prints everything.
pub(super) fn print(
    contest: &Contest,
    standings: &Standings,
    games: &[GameLine],
    sprt: Option<Sprt>,
    json: bool,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let rows = rows(contest, standings);
    let sprt = sprt.filter(|_| rows.len() == 2);
    let whole = whole(standings, games, sprt);
    if json {
        for row in &rows {
            write_json(&mut out, row)?;
        }
        return write_json(&mut out, &whole);
    }
    writeln!(
        out,
        "{:<24} {:>6} {:>6} {:>6} {:>6} {:>7} {:>8} {:>8} {:>8}",
        "player", "games", "won", "drawn", "lost", "score", "Elo", "± 95 %", "rating"
    )?;
    for row in &rows {
        let shown = |number: Option<f64>| number.map_or("–".into(), |n| format!("{n:.1}"));
        writeln!(
            out,
            "{:<24} {:>6} {:>6} {:>6} {:>6} {:>6.1}% {:>8} {:>8} {:>8.1}",
            row.player,
            row.games,
            row.wins,
            row.draws,
            row.losses,
            100.0 * row.score,
            shown(row.elo),
            shown(row.elo_error),
            row.rating
        )?;
    }
    if rows.len() > 2 {
        for (one, other, tally) in standings.all() {
            let names = [one, other].map(|player| contest.entrants[player].name.as_str());
            writeln!(out, "{}: {}", names.join(" – "), summed(&tally))?;
        }
    } else if let Some(first) = rows.first() {
        writeln!(out, "pairs by points (0 ½ 1 1½ 2): {:?}", first.pairs)?;
        if let Some(superiority) = first.superiority {
            let percent = 100.0 * superiority;
            writeln!(
                out,
                "{} is stronger with {percent:.1} % probability",
                first.player
            )?;
        }
    }
    if let Some(sprt) = sprt {
        writeln!(out, "{}", ratio(&sprt, &standings.between(0, 1)))?;
    }
    let ends: Vec<_> = whole
        .ends
        .iter()
        .map(|(end, count)| format!("{end:?} {count}"))
        .collect();
    writeln!(out, "ends: {}", ends.join(", "))?;
    if let Some(micros) = whole.overhead_micros_per_move {
        writeln!(out, "time of the referee: {micros:.0} µs per move")?;
    }
    Ok(())
}

fn rows(contest: &Contest, standings: &Standings) -> Vec<PlayerRow> {
    let count = contest.entrants.len();
    let ratings = ratings(count, &standings.all());
    let players = contest.entrants.iter().zip(ratings).enumerate();
    let row = |(player, (entrant, rating)): (usize, (&tesuji_match::contest::Entrant, f64))| {
        let tally = standings.of(player, count);
        let elo = tally.elo();
        PlayerRow {
            player: entrant.name.clone(),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.score(),
            elo: elo.map(|elo| elo.value),
            elo_low: elo.map(|elo| elo.low),
            elo_high: elo.map(|elo| elo.high),
            elo_error: elo.map(|elo| elo.error),
            superiority: tally.superiority(),
            rating,
            pairs: tally.pairs,
        }
    };
    players.map(row).collect()
}

fn whole(standings: &Standings, games: &[GameLine], sprt: Option<Sprt>) -> MatchRow {
    let mut ends = BTreeMap::new();
    for game in games {
        *ends.entry(game.end).or_default() += 1;
    }
    // A last answer that was no move took its time too, but is not among the moves.
    let whole = games.iter().filter(|game| {
        matches!(
            game.end,
            End::Mate | End::Repetition | End::MoveLimit | End::PerpetualCheck
        )
    });
    let (mut spent, mut moves) = (0i128, 0usize);
    for game in whole {
        let thought: u64 = game.micros.iter().sum();
        spent += i128::from(game.wall_micros) - i128::from(thought);
        moves += game.micros.len();
    }
    MatchRow {
        games: standings.games(),
        plies: games.iter().map(|game| game.micros.len()).sum(),
        ends,
        llr: sprt.map(|sprt| sprt.ratio(&standings.between(0, 1).pairs)),
        overhead_micros_per_move: (moves > 0).then(|| spent as f64 / moves as f64),
    }
}
