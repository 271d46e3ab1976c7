//! sbinpack, version 2: chains of samples, three bytes each instead of forty. The shogi kin of the
//! binpack of Stockfish's trainer (Sobczyk 2020).
//!
//! A file is a row of chunks, `SBN2` and a length each. A chunk is a row of chains. A chain is a
//! stem (a packed position, its value, its move, its result and number), a note of up to 127 bytes
//! that is skipped, a count, and for every further position the number of its move in a fixed
//! order of the legal moves and by how much its value differs from the one before.
//!
//! The layout follows a description, not a program or a file of others: within a rank the order of
//! files from the centre (5 4 6 3 7 2 8 1 9, as the side to move sees them) and the codes of the
//! result (0 draw, 1 won, 2 lost, for the side to move at the stem) are this library's reading of
//! it.

mod order;
#[cfg(test)]
mod tests;

use crate::ending::GameResult;
use crate::packed::{Packed, PackedLayout};
use crate::samples::{MoveLayout, Sample, SampleError, SampleProblem, fill, narrow, read_move};
use std::io::{self, Read, Write};
use tesuji_shogi::{Color, Position, Value};

const MAGIC: &[u8; 4] = b"SBN2";
/// A chunk is written once it has so many bytes.
const CHUNK: usize = 1 << 20;
/// The number of a move has ten bits.
const LAST_PLY: u32 = 1023;

/// Why a stream is not sbinpack; the samples' own problems are those of [`SampleProblem`].
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// A chunk does not begin with `SBN2`.
    #[error("sample {0}: the chunk does not begin with SBN2")]
    Magic(u64),
    /// The chunk ends inside a chain.
    #[error("sample {0}: the chunk ends inside a chain")]
    Short(u64),
    /// A number of a move, a value or a length that cannot be.
    #[error("sample {0}: {1} {2} cannot be")]
    Number(u64, &'static str, u64),
    /// A sample that cannot be.
    #[error(transparent)]
    Sample(#[from] SampleError),
}

/// The samples of a stream, one after the other. After trouble nothing follows.
#[derive(Debug)]
pub struct Chains<R> {
    reader: R,
    /// How many bytes of the chunk are left.
    left: u64,
    chain: Option<Chain>,
    sample: u64,
    is_done: bool,
}

/// A chain that has begun.
#[derive(Debug)]
struct Chain {
    pos: Position,
    stem: Color,
    /// The last value, as the side of the stem sees it.
    value: i32,
    result: GameResult,
    left: u16,
}

impl<R: Read> Chains<R> {
    /// The samples of a stream.
    pub const fn new(reader: R) -> Self {
        Self {
            reader,
            left: 0,
            chain: None,
            sample: 0,
            is_done: false,
        }
    }

    fn next_sample(&mut self) -> Result<Option<Sample>, ChainError> {
        if let Some(mut chain) = self.chain.take_if(|chain| chain.left > 0) {
            let sample = self.next_in(&mut chain)?;
            self.chain = Some(chain);
            return Ok(Some(sample));
        }
        while self.left == 0 {
            if !self.open_chunk()? {
                return Ok(None);
            }
        }
        self.stem().map(Some)
    }

    fn open_chunk(&mut self) -> Result<bool, ChainError> {
        let mut head = [0; 8];
        match fill(&mut self.reader, &mut head).map_err(|error| self.io(error))? {
            0 => Ok(false),
            8 if &head[..4] == MAGIC => {
                self.left = u32::from_le_bytes([head[4], head[5], head[6], head[7]]).into();
                Ok(true)
            }
            8 => Err(ChainError::Magic(self.sample)),
            _ => Err(ChainError::Short(self.sample)),
        }
    }

    fn io(&self, error: io::Error) -> ChainError {
        self.problem(error.into())
    }

    fn problem(&self, problem: SampleProblem) -> ChainError {
        let record = self.sample;
        SampleError { record, problem }.into()
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], ChainError> {
        let mut bytes = [0; N];
        if self.left < N as u64 {
            return Err(ChainError::Short(self.sample));
        }
        let found = fill(&mut self.reader, &mut bytes).map_err(|error| self.io(error))?;
        if found < N {
            return Err(ChainError::Short(self.sample));
        }
        self.left -= N as u64;
        Ok(bytes)
    }

    /// A number of seven bits per byte, the lowest first.
    fn number(&mut self) -> Result<u64, ChainError> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let [byte] = self.take()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(ChainError::Number(self.sample, "number", number))
    }

    fn stem(&mut self) -> Result<Sample, ChainError> {
        let packed: Packed = self.take()?;
        let [v0, v1, m0, m1, r0, r1, note] = self.take()?;
        let number = self.sample;
        let mut setup = PackedLayout::PackedSfen
            .unpack_setup(&packed)
            .map_err(|error| self.problem(error.into()))?;
        let result_and_ply = u16::from_le_bytes([r0, r1]);
        setup.ply = (result_and_ply & 1023).max(1);
        let built = setup.build().map_err(crate::packed::UnpackError::from);
        let pos = built.map_err(|error| self.problem(error.into()))?;
        let result = match result_and_ply >> 10 {
            0 => GameResult::Draw,
            1 => GameResult::Win(pos.turn()),
            2 => GameResult::Win(pos.turn().foe()),
            code => return Err(ChainError::Number(number, "result", code.into())),
        };
        let bits = u16::from_le_bytes([m0, m1]);
        let mv = read_move(&pos, bits, MoveLayout::Flagged).map_err(|error| self.problem(error))?;
        if note > 127 {
            return Err(ChainError::Number(number, "length of a note", note.into()));
        }
        for _ in 0..note {
            self.take::<1>()?;
        }
        let left = u16::from_le_bytes(self.take()?);
        let value = i16::from_le_bytes([v0, v1]);
        let sample = Sample {
            position: pos.clone(),
            value: Value::new(value.into()),
            mv,
            result: Some(result),
            flags: 0,
        };
        match mv {
            None if left > 0 => {
                return Err(ChainError::Number(number, "length of a chain", left.into()));
            }
            None => self.chain = None,
            Some(mv) => {
                let mut chain = Chain {
                    stem: pos.turn(),
                    pos,
                    value: value.into(),
                    result,
                    left,
                };
                chain.pos.play(mv);
                self.chain = Some(chain);
            }
        }
        Ok(sample)
    }

    fn next_in(&mut self, chain: &mut Chain) -> Result<Sample, ChainError> {
        let (index, delta) = (self.number()?, self.number()?);
        let moves = order::sorted(&chain.pos);
        let mv = usize::try_from(index)
            .ok()
            .and_then(|index| moves.get(index).copied());
        let mv = mv.ok_or(ChainError::Number(
            self.sample,
            "the number of a move",
            index,
        ))?;
        let delta = (delta >> 1) as i64 ^ -((delta & 1) as i64);
        let value = i64::from(chain.value) + delta;
        chain.value = i16::try_from(value)
            .map_err(|_| ChainError::Number(self.sample, "a change of", value.unsigned_abs()))?
            .into();
        let sign = if chain.pos.turn() == chain.stem {
            1
        } else {
            -1
        };
        let sample = Sample {
            position: chain
                .pos
                .setup()
                .build()
                .unwrap_or_else(|_| chain.pos.clone()),
            value: Value::new(sign * chain.value),
            mv: Some(mv),
            result: Some(chain.result),
            flags: 0,
        };
        chain.pos.play(mv);
        chain.left -= 1;
        Ok(sample)
    }
}

impl<R: Read> Iterator for Chains<R> {
    type Item = Result<Sample, ChainError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        self.sample += 1;
        let next = self.next_sample();
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

/// Writes samples as chains: those that follow each other in a game cost three bytes.
pub struct ChainWriter<W> {
    out: W,
    chunk: Vec<u8>,
    stem: Vec<u8>,
    rest: Vec<u8>,
    chain: Option<Chain>,
    sample: u64,
}

impl<W: Write> ChainWriter<W> {
    /// A writer; [`ChainWriter::finish`] writes what is left.
    pub const fn new(out: W) -> Self {
        Self {
            out,
            chunk: Vec::new(),
            stem: Vec::new(),
            rest: Vec::new(),
            chain: None,
            sample: 0,
        }
    }

    /// Writes a sample.
    pub fn write(&mut self, sample: &Sample) -> Result<(), SampleError> {
        self.sample += 1;
        let record = self.sample;
        self.put(sample)
            .map_err(|problem| SampleError { record, problem })
    }

    /// Writes what is left and gives the stream back.
    pub fn finish(mut self) -> io::Result<W> {
        self.close_chain();
        self.flush_chunk()?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, sample: &Sample) -> Result<(), SampleProblem> {
        let value = i32::from(narrow(sample.value)?);
        if self.extend(sample, value) {
            return Ok(());
        }
        self.close_chain();
        if self.chunk.len() >= CHUNK {
            self.flush_chunk()?;
        }
        self.begin(sample, value)
    }

    /// Adds to the chain, if the sample is the next position of it.
    fn extend(&mut self, sample: &Sample, value: i32) -> bool {
        let Some(chain) = &mut self.chain else {
            return false;
        };
        let Some(mv) = sample.mv else {
            return false;
        };
        // Between two values of 16 bits from opposite sides there is one that cannot be turned.
        let sign = if chain.pos.turn() == chain.stem {
            1
        } else {
            -1
        };
        let seen = sign * value;
        let follows = chain.left < u16::MAX
            && chain.pos.ply() == sample.position.ply()
            && chain.pos.to_sfen_without_ply() == sample.position.to_sfen_without_ply()
            && sample.result == Some(chain.result)
            && i16::try_from(seen).is_ok();
        let moves = order::sorted(&chain.pos);
        let index = moves.iter().position(|&legal| legal == mv);
        let (true, Some(index)) = (follows, index) else {
            return false;
        };
        let delta = i64::from(seen - chain.value);
        push_number(&mut self.rest, index as u64);
        push_number(&mut self.rest, (delta << 1 ^ delta >> 63) as u64);
        chain.value = seen;
        chain.pos.play(mv);
        chain.left += 1;
        true
    }

    fn begin(&mut self, sample: &Sample, value: i32) -> Result<(), SampleProblem> {
        let pos = &sample.position;
        let result = sample.result.ok_or(SampleProblem::NoResult)?;
        if pos.ply() > LAST_PLY {
            return Err(SampleProblem::TooLarge(pos.ply().into()));
        }
        let code = match result {
            GameResult::Draw => 0u16,
            GameResult::Win(winner) if winner == pos.turn() => 1,
            GameResult::Win(_) => 2,
        };
        self.stem.extend(PackedLayout::PackedSfen.pack(pos)?);
        self.stem.extend(narrow(sample.value)?.to_le_bytes());
        self.stem
            .extend(sample.mv.map_or(0, |mv| mv.bits()).to_le_bytes());
        self.stem
            .extend((code << 10 | pos.ply() as u16).to_le_bytes());
        self.stem.push(0);
        let mut after = pos.clone();
        match sample.mv {
            Some(mv) if after.try_play(mv).is_ok() => {}
            Some(mv) => {
                self.stem.clear();
                let sfen = pos.to_sfen();
                return Err(SampleProblem::Move {
                    bits: mv.bits(),
                    sfen,
                });
            }
            None => return Ok(()),
        }
        self.chain = Some(Chain {
            stem: pos.turn(),
            pos: after,
            value,
            result,
            left: 0,
        });
        Ok(())
    }

    fn close_chain(&mut self) {
        if self.stem.is_empty() {
            return;
        }
        let count = self.chain.take().map_or(0, |chain| chain.left);
        self.chunk.append(&mut self.stem);
        self.chunk.extend(count.to_le_bytes());
        self.chunk.append(&mut self.rest);
    }

    fn flush_chunk(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.out.write_all(MAGIC)?;
        self.out
            .write_all(&(self.chunk.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.chunk)?;
        self.chunk.clear();
        Ok(())
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}
