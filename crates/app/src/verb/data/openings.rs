//! `tesuji data openings`: how games begin, counted.

use crate::answer::{Failure, write_json};
use clap::Args;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use tesuji_kernels::open_input;
use tesuji_match::games::GameLine;
use tesuji_record::openings::{Castle, RookFile};
use tesuji_record::{Games, TextFormat};
use tesuji_shogi::{Color, Move, Position};

#[derive(Args)]
pub(super) struct OpeningsArgs {
    /// Records (csa, kif, ki2, jkf, usi) and files of `match --games` (jsonl)
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// How many plies of each game are looked at
    #[arg(long, value_name = "N", default_value_t = 40)]
    plies: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was counted.
#[derive(Default, Serialize)]
struct OpeningCounts {
    games: u64,
    /// The first move of each side.
    first_moves: [BTreeMap<String, u64>; 2],
    /// Where the rook stood at the end of the plies, for both sides together.
    rooks: BTreeMap<&'static str, u64>,
    /// Castles that stood at some time, for both sides together.
    castles: BTreeMap<String, u64>,
    /// Sides whose king never left its first square.
    sitting_kings: u64,
}

impl OpeningCounts {
    fn add(&mut self, start: &Position, moves: &[Move]) {
        self.games += 1;
        let mut pos = start.clone();
        let mut castles: [BTreeSet<&str>; 2] = Default::default();
        let king = |pos: &Position, side| pos.king(side);
        let home = Color::ALL.map(|side| king(start, side));
        for (ply, &mv) in moves.iter().enumerate() {
            if let Some(firsts) = self.first_moves.get_mut(ply) {
                *firsts.entry(mv.to_string()).or_default() += 1;
            }
            if pos.try_play(mv).is_err() {
                break;
            }
            for side in Color::ALL {
                castles[side.index()].extend(Castle::of(&pos, side).map(|castle| castle.english));
            }
        }
        for side in Color::ALL {
            *self
                .rooks
                .entry(RookFile::of(&pos, side).english())
                .or_default() += 1;
            self.sitting_kings += u64::from(king(&pos, side) == home[side.index()]);
        }
        for name in castles.iter().flatten() {
            *self.castles.entry((*name).to_owned()).or_default() += 1;
        }
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "{} games", self.games)?;
        let [black, white] = &self.first_moves;
        list(out, "first moves of Black", black)?;
        list(out, "first moves of White", white)?;
        list(out, "rooks", &self.rooks)?;
        list(out, "castles", &self.castles)?;
        writeln!(out, "kings that never moved: {}", self.sitting_kings)
    }
}

/// The most frequent first.
fn list<K: AsRef<str>>(
    out: &mut impl Write,
    title: &str,
    counts: &BTreeMap<K, u64>,
) -> std::io::Result<()> {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
    let words = counts
        .iter()
        .map(|(name, count)| format!("{} {count}", name.as_ref()));
    writeln!(out, "{title}: {}", words.collect::<Vec<_>>().join(", "))
}

impl OpeningsArgs {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut counts = OpeningCounts::default();
        for path in &self.inputs {
            let file = open_input(path, u64::MAX).map_err(|source| Failure::Read {
                path: path.clone(),
                source,
            })?;
            let file = BufReader::new(file);
            match path.extension().is_some_and(|name| name == "jsonl") {
                true => self.add_match(path, file, &mut counts)?,
                false => self.add_records(path, file, &mut counts)?,
            }
        }
        let mut out = std::io::stdout().lock();
        match self.json {
            true => write_json(&mut out, &counts)?,
            false => counts.print(&mut out)?,
        }
        Ok(())
    }

    fn add_records(
        &self,
        path: &Path,
        file: impl BufRead,
        counts: &mut OpeningCounts,
    ) -> Result<(), Failure> {
        let wrong = |what: Box<dyn std::error::Error>| Failure::File {
            path: path.into(),
            what,
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let (format, _) = extension
            .and_then(TextFormat::from_name)
            .ok_or_else(|| wrong("expected a csa, kif, ki2, jkf, usi or jsonl file".into()))?;
        for game in Games::new(file, format) {
            let game = game.map_err(|error| wrong(error.into()))?;
            let moves: Vec<Move> = game.moves().take(self.plies).collect();
            counts.add(game.start(), &moves);
        }
        Ok(())
    }

    /// The first line of such a file is its header.
    fn add_match(
        &self,
        path: &Path,
        file: impl BufRead,
        counts: &mut OpeningCounts,
    ) -> Result<(), Failure> {
        for (line, text) in (1..).zip(file.lines()).skip(1) {
            let wrong = |what: Box<dyn std::error::Error>| Failure::Line {
                path: path.into(),
                line,
                what,
            };
            let text = text.map_err(|error| wrong(error.into()))?;
            let game: GameLine =
                serde_json::from_str(&text).map_err(|error| wrong(error.into()))?;
            let start = Position::from_sfen(&game.start).map_err(|error| wrong(error.into()))?;
            let moves = game.moves.split_whitespace().take(self.plies);
            let moves: Result<Vec<Move>, _> = moves.map(str::parse).collect();
            counts.add(&start, &moves.map_err(|error| wrong(error.into()))?);
        }
        Ok(())
    }
}
