//! Positions with a value, a move and a result, as streams: PSV (PackedSfenValue, YaneuraOu), HCP
//! and HCPE (HuffmanCodedPos, HuffmanCodedPosAndEval, Apery; dlshogi).
//!
//! A reader holds one record at a time and refuses what cannot be: bytes that are no position, a
//! move that is illegal there, a result that does not exist, half a record at the end.

#[cfg(test)]
mod tests;

pub use crate::move16::MoveLayout;

use crate::ending::GameResult;
use crate::game::{Game, GamePosition};
use crate::packed::{PackError, Packed, PackedLayout, UnpackError};
use std::io::{self, Read, Write};
use tesuji_shogi::{Color, Move, Position, Value};

/// A position to learn from. All but the result is seen from the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position; its ply is that of the game, or 1 where the format does not know it.
    pub position: Position,
    /// What it is worth to the side to move.
    pub value: Value,
    /// The move that was played or found best.
    pub mv: Option<Move>,
    /// How the game ended; PSV and HCPE always know.
    pub result: Option<GameResult>,
    /// The last byte of a PSV or HCPE record, which some programs use for flags.
    pub flags: u8,
}

/// A binary format for samples.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SampleFormat {
    /// PackedSfenValue, 40 bytes.
    Psv,
    /// HuffmanCodedPos, 32 bytes: positions alone.
    Hcp,
    /// HuffmanCodedPosAndEval, 38 bytes.
    Hcpe,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum SampleProblem {
    /// The bytes cannot be had or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends inside a record.
    #[error(
        "{found} bytes are left, but a record has {size}: the file is cut off or of another format"
    )]
    CutOff {
        /// How many bytes are left.
        found: usize,
        /// How many a record has.
        size: usize,
    },
    /// The bytes are no position.
    #[error(transparent)]
    Position(#[from] UnpackError),
    /// The position does not fit.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The move is illegal in the layout of the format, and in the other one too.
    #[error("{bits:#06x} is no legal move in {sfen}")]
    Move {
        /// The number.
        bits: u16,
        /// Where.
        sfen: String,
    },
    /// The move is legal only in the other layout.
    #[error(
        "{0:#06x} is a legal move only in the layout of {1} files: `tesuji convert --moves` reads a file \
         that has it"
    )]
    OtherLayout(u16, &'static str),
    /// The result does not exist.
    #[error("{0} is no result")]
    Result(i8),
    /// The sample has no result, which the format needs.
    #[error("the position has no result")]
    NoResult,
    /// A number does not fit its field.
    #[error("{0} does not fit into 16 bits")]
    TooLarge(i64),
}

/// What is wrong with a record, and with which.
#[derive(Debug, thiserror::Error)]
#[error("record {record}: {problem}")]
pub struct SampleError {
    /// Which one, from 1.
    pub record: u64,
    /// What.
    pub problem: SampleProblem,
}

impl SampleFormat {
    /// How many bytes a record has.
    pub const fn size(self) -> usize {
        match self {
            Self::Psv => 40,
            Self::Hcp => 32,
            Self::Hcpe => 38,
        }
    }

    /// A short name, which is also the usual extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Psv => "psv",
            Self::Hcp => "hcp",
            Self::Hcpe => "hcpe",
        }
    }

    /// The layout of its moves.
    pub const fn moves(self) -> MoveLayout {
        match self {
            Self::Psv => MoveLayout::Flagged,
            Self::Hcp | Self::Hcpe => MoveLayout::Shifted,
        }
    }

    /// Reads a record of exactly [`SampleFormat::size`] bytes.
    pub fn read(self, bytes: &[u8], moves: MoveLayout) -> Result<Sample, SampleProblem> {
        let cut_off = || SampleProblem::CutOff {
            found: bytes.len(),
            size: self.size(),
        };
        let (packed, rest) = bytes.split_first_chunk::<32>().ok_or_else(cut_off)?;
        match (self, rest) {
            (Self::Hcp, []) => Ok(Sample {
                position: PackedLayout::Hcp.unpack(packed)?,
                value: Value::ZERO,
                mv: None,
                result: None,
                flags: 0,
            }),
            (Self::Psv, &[v0, v1, m0, m1, p0, p1, result, flags]) => {
                let mut setup = PackedLayout::PackedSfen.unpack_setup(packed)?;
                setup.ply = u16::from_le_bytes([p0, p1]).clamp(1, 32_767);
                let position = setup.build().map_err(UnpackError::from)?;
                let result = relative(result as i8, position.turn())?;
                Ok(Sample {
                    value: Value::new(i16::from_le_bytes([v0, v1]).into()),
                    mv: read_move(&position, u16::from_le_bytes([m0, m1]), moves)?,
                    result: Some(result),
                    flags,
                    position,
                })
            }
            (Self::Hcpe, &[v0, v1, m0, m1, result, flags]) => {
                let position = PackedLayout::Hcp.unpack(packed)?;
                Ok(Sample {
                    value: Value::new(i16::from_le_bytes([v0, v1]).into()),
                    mv: read_move(&position, u16::from_le_bytes([m0, m1]), moves)?,
                    result: Some(absolute(result)?),
                    flags,
                    position,
                })
            }
            _ => Err(cut_off()),
        }
    }

    /// The bytes of a record.
    pub fn write(self, sample: &Sample) -> Result<Vec<u8>, SampleProblem> {
        let layout = match self {
            Self::Psv => PackedLayout::PackedSfen,
            Self::Hcp | Self::Hcpe => PackedLayout::Hcp,
        };
        let packed: Packed = layout.pack(&sample.position)?;
        let mut bytes = packed.to_vec();
        if self == Self::Hcp {
            return Ok(bytes);
        }
        let result = sample.result.ok_or(SampleProblem::NoResult)?;
        bytes.extend(narrow(sample.value)?.to_le_bytes());
        let bits = sample.mv.map_or(0, |mv| self.moves().write(mv));
        bytes.extend(bits.to_le_bytes());
        if self == Self::Psv {
            let ply = sample.position.ply();
            let ply = u16::try_from(ply).map_err(|_| SampleProblem::TooLarge(ply.into()))?;
            bytes.extend(ply.to_le_bytes());
            bytes.push(result.for_side(sample.position.turn()) as u8);
        } else {
            bytes.push(absolute_code(result));
        }
        bytes.push(sample.flags);
        Ok(bytes)
    }

    /// The samples of a stream.
    pub const fn samples<R: Read>(self, reader: R) -> Samples<R> {
        Samples {
            reader,
            format: self,
            moves: self.moves(),
            record: 0,
            is_done: false,
        }
    }
}

/// A value in 16 bits. Values beyond, such as those engines use for mate, are cut to the edge.
pub(crate) fn narrow(value: Value) -> Result<i16, SampleProblem> {
    let points = value.points().clamp(-32_768, 32_767);
    i16::try_from(points).map_err(|_| SampleProblem::TooLarge(points.into()))
}

fn relative(result: i8, turn: Color) -> Result<GameResult, SampleProblem> {
    match result {
        1 => Ok(GameResult::Win(turn)),
        0 => Ok(GameResult::Draw),
        -1 => Ok(GameResult::Win(turn.foe())),
        _ => Err(SampleProblem::Result(result)),
    }
}

/// 0 draw, 1 Black, 2 White.
pub(crate) fn absolute(result: u8) -> Result<GameResult, SampleProblem> {
    match result {
        0 => Ok(GameResult::Draw),
        1 => Ok(GameResult::Win(Color::Black)),
        2 => Ok(GameResult::Win(Color::White)),
        _ => Err(SampleProblem::Result(result as i8)),
    }
}

/// 0 draw, 1 Black, 2 White.
pub(crate) const fn absolute_code(result: GameResult) -> u8 {
    match result {
        GameResult::Draw => 0,
        GameResult::Win(Color::Black) => 1,
        GameResult::Win(Color::White) => 2,
    }
}

/// The legal move for a number; 0 stands for none.
pub(crate) fn read_move(
    pos: &Position,
    bits: u16,
    layout: MoveLayout,
) -> Result<Option<Move>, SampleProblem> {
    if bits == 0 {
        return Ok(None);
    }
    if let Some(mv) = layout.read(bits).filter(|&mv| pos.is_legal(mv)) {
        return Ok(Some(mv));
    }
    let sfen = pos.to_sfen();
    Err(match MoveLayout::told_by(bits, pos) {
        Some(MoveLayout::Flagged) => SampleProblem::OtherLayout(bits, "PSV"),
        Some(MoveLayout::Shifted) => SampleProblem::OtherLayout(bits, "HCPE"),
        None => SampleProblem::Move { bits, sfen },
    })
}

/// The samples of a stream, one after the other. After a bad record nothing follows.
#[derive(Debug)]
pub struct Samples<R> {
    reader: R,
    format: SampleFormat,
    moves: MoveLayout,
    record: u64,
    is_done: bool,
}

impl<R: Read> Samples<R> {
    /// The same, with the moves in another layout than the format should have.
    pub const fn with_moves(mut self, moves: MoveLayout) -> Self {
        self.moves = moves;
        self
    }

    fn next_sample(&mut self) -> Result<Option<Sample>, SampleProblem> {
        let size = self.format.size();
        let mut bytes = [0; 40];
        let found = fill(&mut self.reader, &mut bytes[..size])?;
        match found {
            0 => Ok(None),
            _ if found < size => Err(SampleProblem::CutOff { found, size }),
            _ => Ok(Some(self.format.read(&bytes[..size], self.moves)?)),
        }
    }
}

/// Reads until the bytes are full or there are no more; how many there were.
pub(crate) fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut found = 0;
    while found < bytes.len() {
        match reader.read(&mut bytes[found..]) {
            Ok(0) => break,
            Ok(count) => found += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

impl<R: Read> Iterator for Samples<R> {
    type Item = Result<Sample, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        self.record += 1;
        let record = self.record;
        let next = self.next_sample();
        self.is_done = !matches!(next, Ok(Some(_)));
        next.map_err(|problem| SampleError { record, problem })
            .transpose()
    }
}

/// Writes samples to a stream.
pub fn write_all(
    out: &mut impl Write,
    format: SampleFormat,
    samples: &[Sample],
) -> Result<(), SampleError> {
    for (record, sample) in (1..).zip(samples) {
        let mut write =
            || -> Result<(), SampleProblem> { Ok(out.write_all(&format.write(sample)?)?) };
        write().map_err(|problem| SampleError { record, problem })?;
    }
    Ok(())
}

/// The positions of a game's main line that were evaluated, each with the move played in it.
///
/// An evaluation is attached to the move it led to; the sample is the position before that move.
pub fn of_game(game: &Game) -> Vec<Sample> {
    let result = game.result();
    let mut place = GamePosition::start(game);
    let mut samples = Vec::new();
    for id in game.main_line() {
        let position = place.position();
        if let (Some(mv), Some(evaluation)) = (game[id].mv(), &game[id].evaluation) {
            let for_black = evaluation.value;
            samples.push(Sample {
                value: match position.turn() {
                    Color::Black => for_black,
                    Color::White => Value::new(for_black.points().saturating_neg()),
                },
                mv: Some(mv),
                result,
                flags: 0,
                position: without_past(position),
            });
        }
        place.go(game, id);
    }
    samples
}

fn without_past(pos: &Position) -> Position {
    pos.setup().build().unwrap_or_else(|_| pos.clone())
}
