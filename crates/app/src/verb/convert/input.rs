//! What is converted, one game or position at a time.

use super::error::ConvertError;
use super::kind::FileKind;
use crate::answer::Failure;
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use tesuji_kernels::open_input;
use tesuji_record::samples::{MoveLayout, Sample};
use tesuji_record::sbinpack::Chains;
use tesuji_record::trace::GameTrace;
use tesuji_record::{Encoding, Game, Games};

/// A game or a position.
pub(super) enum Item {
    Game(Box<Game>),
    Trace(Box<GameTrace>),
    Sample(Box<Sample>),
}

/// The items of a file.
pub(super) struct Input(Box<dyn Iterator<Item = Result<Item, ConvertError>>>);

impl Input {
    /// Opens a file; `-` is standard input.
    pub(super) fn open(
        path: &Path,
        kind: FileKind,
        encoding: Option<Encoding>,
        moves: Option<MoveLayout>,
    ) -> Result<Self, Failure> {
        let counted: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            let fail = |source| Failure::Read {
                path: path.into(),
                source,
            };
            let file = open_input(path, u64::MAX).map_err(fail)?;
            let size = file.metadata().map_err(fail)?.len();
            Box::new(WatchedFile::new(file, size))
        };
        let reader = BufReader::with_capacity(1 << 16, counted);
        let sample = |sample| Item::Sample(Box::new(sample));
        Ok(Self(match kind {
            FileKind::Text(format, _) => {
                let games = Games::new(reader, format).with_encoding(encoding);
                Box::new(games.map(|game| Ok(Item::Game(Box::new(game?)))))
            }
            FileKind::Trace(format) => Box::new(
                format
                    .traces(reader)
                    .map(|trace| Ok(Item::Trace(Box::new(trace?)))),
            ),
            FileKind::Sample(format) => {
                let samples = format.samples(reader);
                let samples = samples.with_moves(moves.unwrap_or(format.moves()));
                Box::new(samples.map(move |next| Ok(sample(next?))))
            }
            FileKind::Chains => Box::new(Chains::new(reader).map(move |next| Ok(sample(next?)))),
        }))
    }
}

impl Iterator for Input {
    type Item = Result<Item, ConvertError>;
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

const MEBIBYTE: u64 = 1 << 20;

/// A file that tells how far it has been read.
struct WatchedFile {
    file: File,
    read: u64,
    progress: Progress,
}

impl WatchedFile {
    fn new(file: File, size: u64) -> Self {
        Self {
            file,
            read: 0,
            progress: Progress::new("MiB", size.div_ceil(MEBIBYTE)),
        }
    }
}

impl Read for WatchedFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(bytes)?;
        let before = self.read / MEBIBYTE;
        self.read += count as u64;
        for _ in before..self.read / MEBIBYTE {
            self.progress.tick();
        }
        Ok(count)
    }
}
