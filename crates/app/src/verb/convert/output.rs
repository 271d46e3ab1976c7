//! Where converted games and positions go.

use super::error::ConvertError;
use super::input::Item;
use super::kind::FileKind;
use crate::answer::Failure;
use std::io::{self, Write};
use std::path::Path;
use tesuji_record::file::NewFile;
use tesuji_record::samples::{Sample, SampleFormat, of_game};
use tesuji_record::sbinpack::ChainWriter;
use tesuji_record::trace::{GameTrace, TraceFormat};
use tesuji_record::{Encoding, Game, TextFormat, WriteError};

/// What became of a game or position.
pub(super) struct Done {
    /// How many games or positions were written.
    pub(super) written: u64,
    /// Whether the format could not hold all of it.
    pub(super) shortened: bool,
}

/// A file that is being written.
pub(super) struct ItemOutput {
    sink: ItemWriter,
    kind: FileKind,
    encoding: Encoding,
    is_first: bool,
}

/// Chains need to see what came before; everything else is bytes.
enum ItemWriter {
    Bytes(FileOrStdout),
    Chains(Box<ChainWriter<FileOrStdout>>),
}

/// A new file, or standard output.
enum FileOrStdout {
    File(NewFile),
    Standard(io::BufWriter<io::Stdout>),
}

impl Write for FileOrStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Standard(out) => out.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Standard(out) => out.flush(),
        }
    }
}

impl ItemOutput {
    /// Begins a file; `-` is standard output.
    pub(super) fn create(
        path: &Path,
        kind: FileKind,
        encoding: Option<Encoding>,
    ) -> Result<Self, Failure> {
        let target = if path == Path::new("-") {
            FileOrStdout::Standard(io::BufWriter::new(io::stdout()))
        } else {
            FileOrStdout::File(NewFile::create(path).map_err(|error| Failure::File {
                path: path.into(),
                what: error.into(),
            })?)
        };
        let usual = match kind {
            FileKind::Text(_, usual) => usual,
            _ => Encoding::Utf8,
        };
        Ok(Self {
            sink: match kind {
                FileKind::Chains => ItemWriter::Chains(Box::new(ChainWriter::new(target))),
                _ => ItemWriter::Bytes(target),
            },
            kind,
            encoding: encoding.unwrap_or(usual),
            is_first: true,
        })
    }

    /// Writes a game or a position.
    pub(super) fn write(&mut self, item: &Item) -> Result<Done, ConvertError> {
        let done = match (self.kind, item) {
            (FileKind::Text(format, _), Item::Game(game)) => self.game(format, game),
            (FileKind::Text(format, _), Item::Trace(trace)) => {
                let game = trace
                    .to_game()
                    .map_err(|refusal| ConvertError::Record(refusal.to_string()))?;
                self.game(format, &game)
            }
            (FileKind::Text(TextFormat::Usi, _), Item::Sample(sample)) => {
                let game = Game::new(sample.position.clone());
                let mut done = self.game(TextFormat::Usi, &game)?;
                done.shortened = sample.mv.is_some() || sample.result.is_some();
                Ok(done)
            }
            (FileKind::Trace(format), Item::Game(game)) => {
                let trace = GameTrace::of_game(game).ok_or(WriteError::NoResult)?;
                let mut done = self.trace(format, &trace)?;
                done.shortened |= game.has_variations();
                Ok(done)
            }
            (FileKind::Trace(format), Item::Trace(trace)) => self.trace(format, trace),
            (FileKind::Sample(_) | FileKind::Chains, Item::Game(game)) => {
                if game.result().is_none() && self.kind != FileKind::Sample(SampleFormat::Hcp) {
                    return Err(WriteError::NoResult.into());
                }
                self.samples(&of_game(game))
            }
            (FileKind::Sample(_) | FileKind::Chains, Item::Trace(trace)) => {
                self.samples(&trace.samples())
            }
            (FileKind::Sample(_) | FileKind::Chains, Item::Sample(sample)) => {
                self.samples(std::slice::from_ref(sample))
            }
            (kind, Item::Sample(_)) => Err(ConvertError::Input(
                format!(
                    "positions cannot become games: {} is not possible",
                    kind.name()
                )
                .into(),
            )),
        }?;
        self.is_first = false;
        Ok(done)
    }

    fn game(&mut self, format: TextFormat, game: &Game) -> Result<Done, ConvertError> {
        let bytes = format.write_bytes(game, self.encoding)?;
        if !self.is_first && matches!(format, TextFormat::Csa | TextFormat::Csa3) {
            self.bytes(b"/\n")?;
        }
        self.bytes(&bytes)?;
        Ok(Done {
            written: 1,
            shortened: format.keeps(game) != *game,
        })
    }

    fn trace(&mut self, format: TraceFormat, trace: &GameTrace) -> Result<Done, ConvertError> {
        let bytes = format.write(trace)?;
        self.bytes(&bytes)?;
        Ok(Done {
            written: 1,
            shortened: format.keeps(trace) != *trace,
        })
    }

    fn samples(&mut self, samples: &[Sample]) -> Result<Done, ConvertError> {
        let mut shortened = false;
        for sample in samples {
            match (&mut self.sink, self.kind) {
                (ItemWriter::Chains(writer), _) => {
                    writer.write(sample).map_err(|error| error.problem)?
                }
                (ItemWriter::Bytes(target), FileKind::Sample(format)) => {
                    target.write_all(&format.write(sample)?)?;
                    shortened |= format == SampleFormat::Hcp && sample.mv.is_some();
                }
                _ => {}
            }
        }
        Ok(Done {
            written: samples.len() as u64,
            shortened,
        })
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.sink {
            ItemWriter::Bytes(target) => target.write_all(bytes),
            ItemWriter::Chains(_) => Ok(()),
        }
    }

    /// Ends the file and gives it its name.
    pub(super) fn finish(self) -> io::Result<()> {
        let target = match self.sink {
            ItemWriter::Bytes(target) => target,
            ItemWriter::Chains(writer) => writer.finish()?,
        };
        match target {
            FileOrStdout::File(file) => file.keep(),
            FileOrStdout::Standard(mut out) => out.flush(),
        }
    }
}
