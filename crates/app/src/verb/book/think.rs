//! Whoever thinks for a book: a search of this program, or an engine in a process of its own.

use crate::answer::Failure;
use std::time::Duration;
use tesuji_book::make::{Challenger, ChallengerReply};
use tesuji_engine::challenger::{book_answer, book_points, internal_challenger, with_mate_solver};
use tesuji_match::player_spec::PlayerSpec;
use tesuji_shogi::{Move, Position};
use tesuji_usi::Go;
use tesuji_usi::process::{EngineProcess, MoveRequest};

/// How long an engine may say nothing.
const PATIENCE: Duration = Duration::from_secs(600);

/// Sets up whoever an entry names, an evaluation of this program or a command, with a mate solver
/// that looks first, over so many positions; 0 for none.
pub(super) fn challenger(
    entry: &PlayerSpec,
    hash: usize,
    mate_nodes: u64,
) -> Result<Box<dyn Challenger>, Failure> {
    Ok(with_mate_solver(plain_challenger(entry, hash)?, mate_nodes))
}

fn plain_challenger(entry: &PlayerSpec, hash: usize) -> Result<Box<dyn Challenger>, Failure> {
    let Some(spec) = entry.plain_eval() else {
        let own = std::env::current_exe().map_err(Failure::Engine)?;
        let (name, launch) = entry.launch(&own, PATIENCE);
        let mut process = EngineProcess::new(launch);
        // Started at once: whoever names an engine that is not there hears it before anything is made.
        process.new_game().map_err(|error| Failure::File {
            path: name.clone().into(),
            what: error.into(),
        })?;
        return Ok(Box::new(ExternalChallenger { name, process }));
    };
    let name = entry.name.clone().unwrap_or_else(|| spec.to_string());
    Ok(internal_challenger(name, &spec, hash << 20)?)
}

/// An engine in a process of its own.
struct ExternalChallenger {
    name: String,
    process: EngineProcess,
}

impl Challenger for ExternalChallenger {
    fn think(
        &mut self,
        pos: &Position,
        nodes: u64,
        only: &[Move],
    ) -> Result<ChallengerReply, String> {
        let go = Go {
            nodes: Some(nodes),
            searchmoves: only.to_vec(),
            ..Go::default()
        };
        let start = pos.setup().build().expect("a sound position");
        let request = MoveRequest {
            start: &start,
            moves: &[],
            go: &go,
            deadline: None,
        };
        // A new game for every position: what one budget found must not help another.
        self.process.new_game().map_err(|error| error.to_string())?;
        let thought = self.process.think(&request);
        let thought = thought.map_err(|error| error.to_string())?;
        Ok(ChallengerReply {
            answer: book_answer(thought.answer),
            value: thought.value.map_or(0, book_points),
            depth: thought.depth.unwrap_or(1),
            nodes: thought.nodes.unwrap_or(nodes),
            is_proven_win: false,
        })
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
