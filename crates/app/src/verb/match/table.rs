//! The results of a match, for people and for scripts.

use super::reporter::{llr, summed};
use crate::answer::write_json;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use tesuji_match::crosstable::Crosstable;
use tesuji_match::game::GameEnd;
use tesuji_match::games::GameLine;
use tesuji_match::runner::MatchRunner;
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
    los: Option<f64>,
    rating: f64,
    pairs: [u64; 5],
}

/// What is known of the match.
#[derive(Serialize)]
struct MatchRow {
    games: usize,
    plies: usize,
    ends: BTreeMap<GameEnd, usize>,
    llr: Option<f64>,
    overhead_micros_per_move: Option<f64>,
}

/// Prints everything.
pub(super) fn print(
    runner: &MatchRunner,
    crosstable: &Crosstable,
    games: &[GameLine],
    sprt: Option<Sprt>,
    json: bool,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let rows = rows(runner, crosstable);
    let sprt = sprt.filter(|_| rows.len() == 2);
    let whole = whole(crosstable, games, sprt);
    if json {
        for row in &rows {
            write_json(&mut out, row)?;
        }
        return write_json(&mut out, &whole);
    }
    print_players(&mut out, &rows)?;
    if rows.len() > 2 {
        for (one, other, stats) in crosstable.all() {
            let names = [one, other].map(|player| runner.entrants[player].name.as_str());
            writeln!(out, "{}: {}", names.join(" – "), summed(&stats))?;
        }
    } else if let Some(first) = rows.first() {
        print_pairs(&mut out, first)?;
    }
    if let Some(sprt) = sprt {
        writeln!(out, "{}", llr(&sprt, &crosstable.between(0, 1)))?;
    }
    print_whole(&mut out, &whole)
}

fn print_players(out: &mut impl Write, rows: &[PlayerRow]) -> io::Result<()> {
    writeln!(
        out,
        "{:<24} {:>6} {:>6} {:>6} {:>6} {:>7} {:>8} {:>8} {:>8}",
        "player", "games", "won", "drawn", "lost", "score", "Elo", "± 95 %", "rating"
    )?;
    for row in rows {
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
            one_sided(row).unwrap_or_else(|| shown(row.elo)),
            shown(row.elo_error.filter(|error| error.is_finite())),
            row.rating
        )?;
    }
    Ok(())
}

/// What a match of two says of the first of them.
fn print_pairs(out: &mut impl Write, first: &PlayerRow) -> io::Result<()> {
    writeln!(out, "pairs by points (0 ½ 1 1½ 2): {:?}", first.pairs)?;
    if let Some(los) = first.los {
        let (player, percent) = (&first.player, 100.0 * los);
        writeln!(out, "{player} is stronger with {percent:.1} % probability")?;
    }
    Ok(())
}

fn print_whole(out: &mut impl Write, whole: &MatchRow) -> io::Result<()> {
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

/// What is known of a player that won or lost everything: only the end of the interval.
fn one_sided(row: &PlayerRow) -> Option<String> {
    match (row.elo?, row.elo_low?, row.elo_high?) {
        (value, _, high) if value == f64::NEG_INFINITY => Some(format!("< {high:.0}")),
        (value, low, _) if value == f64::INFINITY => Some(format!("> {low:.0}")),
        _ => None,
    }
}

fn rows(runner: &MatchRunner, crosstable: &Crosstable) -> Vec<PlayerRow> {
    let count = runner.entrants.len();
    let ratings = ratings(count, &crosstable.all());
    let players = runner.entrants.iter().zip(ratings).enumerate();
    let row = |(player, (entrant, rating)): (usize, (&tesuji_match::runner::Entrant, f64))| {
        let stats = crosstable.of(player, count);
        let elo = stats.elo();
        PlayerRow {
            player: entrant.name.clone(),
            games: stats.games(),
            wins: stats.wins,
            draws: stats.draws,
            losses: stats.losses,
            score: stats.score(),
            elo: elo.map(|elo| elo.value),
            elo_low: elo.map(|elo| elo.low),
            elo_high: elo.map(|elo| elo.high),
            elo_error: elo.map(|elo| elo.error),
            los: stats.los(),
            rating,
            pairs: stats.pairs,
        }
    };
    players.map(row).collect()
}

fn whole(crosstable: &Crosstable, games: &[GameLine], sprt: Option<Sprt>) -> MatchRow {
    let mut ends = BTreeMap::new();
    for game in games {
        *ends.entry(game.end).or_default() += 1;
    }
    // A last answer that was no move took its time too, but is not among the moves.
    let whole = games.iter().filter(|game| {
        matches!(
            game.end,
            GameEnd::Mate | GameEnd::Repetition | GameEnd::MoveLimit | GameEnd::PerpetualCheck
        )
    });
    let (mut spent, mut moves) = (0i128, 0usize);
    for game in whole {
        let thought: u64 = game.micros.iter().sum();
        spent += i128::from(game.wall_micros) - i128::from(thought);
        moves += game.micros.len();
    }
    MatchRow {
        games: crosstable.games(),
        plies: games.iter().map(|game| game.micros.len()).sum(),
        ends,
        llr: sprt.map(|sprt| sprt.llr(&crosstable.between(0, 1).pairs)),
        overhead_micros_per_move: (moves > 0).then(|| spent as f64 / moves as f64),
    }
}
