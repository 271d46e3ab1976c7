//! A pair of games between two players: the same games as the runner of one machine plays.

use super::{FinishedWork, WorkContext, WorkError};
use crate::digest::sha256_hex;
use crate::spec::{MatchSpec, PairJob, SharedEval, json};
use crate::store::JobReport;
use tesuji_match::games::{GameLine, Winner};
use tesuji_match::runner::PlayerProcesses;
use tesuji_shogi::{Move, Position};

pub(super) fn play(
    context: &WorkContext,
    spec: &MatchSpec,
    job: &PairJob,
) -> Result<FinishedWork, WorkError> {
    // Whoever writes the specification must not be able to start programs here.
    if let Some(problem) = spec.problem() {
        return Err(WorkError::Failed(problem));
    }
    let mut plan = spec.plan.clone();
    for player in &mut plan.players {
        let name = player
            .name
            .clone()
            .or_else(|| player.command.first().cloned());
        for word in &mut player.command {
            let shared = SharedEval::try_from(word.clone()).map_err(WorkError::because)?;
            *word = shared
                .local(&context.files)
                .map_err(WorkError::Failed)?
                .to_string();
        }
        // A network lies elsewhere on every machine, but its player has one name.
        player.name = name;
    }
    let runner = plan.runner(&context.program, 1);
    if 2 * job.pair + 1 >= runner.schedule.len() {
        return Err(WorkError::because("there are not so many pairs"));
    }
    let mut processes = PlayerProcesses::default();
    let games = runner
        .play_pair(job.pair, &mut processes)
        .map_err(WorkError::because)?;
    let nodes: u64 = games
        .iter()
        .flat_map(|game| game.nodes.iter().flatten())
        .sum();
    Ok(FinishedWork {
        report: JobReport {
            digest: fingerprint(&games),
            payload: json(&games).into_bytes(),
            games: 2,
            positions: games.iter().map(|game| game.values.len() as i64).sum(),
            nodes: nodes as i64,
            points: Some(pair_points(&games)),
            ..JobReport::default()
        },
        file: None,
    })
}

/// The points of the first player in both games, doubled.
pub fn pair_points(games: &[GameLine; 2]) -> i64 {
    let [first, second] = games
        .each_ref()
        .map(|game| i64::from(game.half_points_of_black()));
    first + 2 - second
}

/// The games of a result.
///
/// # Errors
/// If it has none: a message for people.
pub fn games_of(payload: &[u8]) -> Result<[GameLine; 2], String> {
    serde_json::from_slice(payload).map_err(|error| format!("the result: {error}"))
}

/// What is the same whoever plays the games: not how long it took.
fn fingerprint(games: &[GameLine; 2]) -> String {
    let told = games.each_ref().map(|game| {
        let winner = match game.winner {
            Some(Winner::Black) => "black",
            Some(Winner::White) => "white",
            None => "nobody",
        };
        format!("{} {:?} {winner} {}\n", game.id, game.end, game.moves)
    });
    sha256_hex(told.concat().as_bytes())
}

pub(super) fn check(spec: &MatchSpec, job: &PairJob, report: &JobReport) -> Result<String, String> {
    let games = games_of(&report.payload)?;
    let runner = spec.plan.runner(std::path::Path::new("tesuji"), 1);
    for (id, game) in (2 * job.pair..).zip(&games) {
        if id >= runner.schedule.len() || game.id != id {
            return Err("it has other games than were asked for".into());
        }
        let pairing = runner.schedule.pairing(id);
        let mut pos = runner.openings[pairing.opening].clone();
        if game.start != pos.to_sfen() {
            return Err("a game begins elsewhere".into());
        }
        play_through(&mut pos, &game.moves)?;
    }
    if report.points != Some(pair_points(&games)) || report.games != 2 {
        return Err("the points are not those of the games".into());
    }
    Ok(fingerprint(&games))
}

/// Plays moves, which must be legal.
fn play_through(pos: &mut Position, moves: &str) -> Result<(), String> {
    for word in moves.split_whitespace() {
        let mv: Move = word.parse().map_err(|_| format!("{word:?} is no move"))?;
        pos.try_play(mv)
            .map_err(|_| format!("{mv} is illegal in {}", pos.to_sfen()))?;
    }
    Ok(())
}
