//! `tesuji data problems`: mate problems made out of games, each solved and checked for one solution.

use crate::answer::{ExitStatus, Failure, save};
use crate::interrupt::interrupt_flag;
use crate::progress::Progress;
use clap::Args;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_mate::{Distilled, DistilledGame, MateLimits, Solutions, Solver};
use tesuji_record::problems::{Problem, ProblemKind};
use tesuji_record::{Games, TextFormat};
use tesuji_shogi::{Move, Position};

const HELP: &str = "\
Examples:
  tesuji data problems games.usi problems.txt
  tesuji data problems games.csa more.kif problems.txt --mates 1:50,3:100,5:100 --brinkmates 20

Of every game the last moves of the winner are looked at. Where there is a mate, the pieces that take
no part are taken away as long as the mate stays the same. A problem is kept if no other first move
mates, and marked with * if a later move could be another. Nothing depends on the clock or on the
number of threads: the same games give the same file.

Each line is one problem: `m3 7nl/5k3/6ppp/5S3/9/9/9/9/9 GS` is a mate in three with gold and silver in
hand; White holds the rest. `b` stands for a brinkmate, where both hands are written. Easy ones come
first: by length, then by how much the solver had to look at.";

/// How many games are looked at together.
const CHUNK: usize = 64;

/// The memory of one solver.
const BYTES: usize = 64 << 20;

#[derive(Args)]
#[command(after_help = HELP)]
pub(super) struct ProblemsArgs {
    /// Records of games: csa, kif, ki2, jkf or usi; the last path is the file to write
    #[arg(required = true, num_args = 2..)]
    paths: Vec<PathBuf>,
    /// How many mates of each length
    #[arg(
        long,
        value_name = "PLIES:N,…",
        default_value = "1:700,3:900,5:700,7:500,9:350,11:200,13:150,15:100"
    )]
    mates: Quotas,
    /// How many brinkmates
    #[arg(long, value_name = "N", default_value_t = 300)]
    brinkmates: usize,
    /// How many positions the solver may look at for one question
    #[arg(long, value_name = "N", default_value_t = 12_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// How many problems of each length are wanted.
#[derive(Clone, Debug)]
struct Quotas(BTreeMap<u16, usize>);

impl std::str::FromStr for Quotas {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let quota = |part: &str| {
            let (plies, count) = part.split_once(':')?;
            let plies: u16 = plies.parse().ok()?;
            (plies % 2 == 1).then_some((plies, count.parse().ok()?))
        };
        let parts = text.split(',').map(quota).collect::<Option<_>>();
        parts
            .map(Self)
            .ok_or_else(|| "expected odd lengths with counts, as in 1:300,3:700".into())
    }
}

/// What was made so far.
struct Collection {
    left: BTreeMap<u16, usize>,
    brinkmates_left: usize,
    seen: HashSet<String>,
    /// How hard each is, and the problem.
    problems: Vec<(u64, Problem)>,
}

impl Collection {
    fn is_full(&self) -> bool {
        self.brinkmates_left == 0 && self.left.values().all(|&left| left == 0)
    }

    fn wants(&self, plies: usize) -> bool {
        let left = u16::try_from(plies)
            .ok()
            .and_then(|plies| self.left.get(&plies));
        left.is_some_and(|&left| left > 0)
    }

    fn add(&mut self, found: DistilledGame) {
        for mate in found.mates {
            let plies = mate.line.len() as u16;
            if let Some(left) = self.left.get_mut(&plies).filter(|left| **left > 0)
                && self.seen.insert(mate.pos.to_sfen())
            {
                *left -= 1;
                self.keep(ProblemKind::Mate, plies, mate);
            }
        }
        if let Some(brink) = found.brinkmate.filter(|_| self.brinkmates_left > 0)
            && self.seen.insert(brink.pos.to_sfen())
        {
            self.brinkmates_left -= 1;
            let plies = brink.line.len() as u16;
            self.keep(ProblemKind::Brinkmate, plies, brink);
        }
    }

    fn keep(&mut self, kind: ProblemKind, plies: u16, made: Distilled) {
        let problem = Problem {
            kind,
            plies,
            is_unique: made.solutions == Solutions::One,
            pos: made.pos,
        };
        self.problems.push((made.nodes, problem));
    }

    /// The lines of the file, easy ones first.
    fn text(mut self) -> String {
        self.problems
            .sort_by_key(|(nodes, problem)| (problem.kind, problem.plies, *nodes));
        let lines = self
            .problems
            .iter()
            .map(|(_, problem)| format!("{problem}\n"));
        lines.collect()
    }
}

impl ProblemsArgs {
    /// Makes the file.
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let (output, inputs) = self.paths.split_last().expect("clap wants two paths");
        let mut collection = Collection {
            left: self.mates.0.clone(),
            brinkmates_left: self.brinkmates,
            seen: HashSet::new(),
            problems: Vec::new(),
        };
        let total = self.mates.0.values().sum::<usize>() + self.brinkmates;
        let progress = Progress::new("problems", total as u64);
        let stop = interrupt_flag()?;
        let limits = MateLimits {
            nodes: Some(self.nodes),
            ..MateLimits::NONE
        };
        for path in inputs {
            let mut games = games(path)?;
            loop {
                let chunk = games.by_ref().take(CHUNK).collect::<Result<Vec<_>, _>>()?;
                if chunk.is_empty() || collection.is_full() || stop.load(Relaxed) {
                    break;
                }
                let found: Vec<_> = chunk
                    .par_iter()
                    .map_init(
                        || Solver::new(BYTES),
                        |solver, (start, moves)| {
                            let wants = |plies: usize| collection.wants(plies);
                            let brinkmate = collection.brinkmates_left > 0;
                            solver.distill_game((start, moves), &limits, &wants, brinkmate)
                        },
                    )
                    .collect();
                found.into_iter().for_each(|found| collection.add(found));
                progress.at(collection.problems.len() as u64);
            }
        }
        drop(progress);
        if stop.load(Relaxed) {
            return Ok(ExitStatus::Interrupted);
        }
        self.tell(&collection)?;
        save(output, &collection.text())?;
        Ok(ExitStatus::Yes)
    }

    fn tell(&self, collection: &Collection) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        for (plies, wanted) in &self.mates.0 {
            let made = wanted - collection.left.get(plies).copied().unwrap_or(0);
            writeln!(out, "mates in {plies}: {made}")?;
        }
        writeln!(
            out,
            "brinkmates: {}",
            self.brinkmates - collection.brinkmates_left
        )?;
        Ok(())
    }
}

/// The games of a file that somebody won, as moves.
fn games(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(Position, Vec<Move>), Failure>> + use<>, Failure> {
    let file = File::open(path).map_err(|source| Failure::Read {
        path: path.into(),
        source,
    })?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    let wrong = {
        let path = path.to_owned();
        move |what: Box<dyn std::error::Error>| Failure::File {
            path: path.clone(),
            what,
        }
    };
    let (format, _) = extension
        .and_then(TextFormat::from_name)
        .ok_or_else(|| wrong("expected a csa, kif, ki2, jkf or usi file".into()))?;
    Ok(Games::new(BufReader::new(file), format).map(move |game| {
        let game = game.map_err(|error| wrong(error.into()))?;
        Ok((game.start().clone(), game.moves().collect()))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_are_read() {
        let quotas: Quotas = "1:30,15:2".parse().unwrap();
        assert_eq!(quotas.0, BTreeMap::from([(1, 30), (15, 2)]));
        assert!("2:30".parse::<Quotas>().is_err() && "x".parse::<Quotas>().is_err());
    }
}
