//! A sample in forty bytes, as PSV files hold it.

use tesuji_record::samples::{Sample, SampleFormat, SampleProblem};
use tesuji_shogi::Position;

/// A position with the value, move, ply and result that belong to it, all packed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DataRecord(pub [u8; DataRecord::SIZE]);

impl DataRecord {
    /// How many bytes a record has.
    pub const SIZE: usize = 40;

    /// Packs a sample.
    ///
    /// # Errors
    /// If the sample has no result, or a number that does not fit.
    pub fn pack(sample: &Sample) -> Result<Self, SampleProblem> {
        let bytes = SampleFormat::Psv.write(sample)?;
        Ok(Self(
            bytes.try_into().expect("a PSV record has forty bytes"),
        ))
    }

    /// Unpacks and checks everything.
    ///
    /// # Errors
    /// If the bytes are no position, or the move is illegal in it, or the result does not exist.
    pub fn unpack(&self) -> Result<Sample, SampleProblem> {
        SampleFormat::Psv.read(&self.0, SampleFormat::Psv.moves())
    }

    /// The packed position alone: equal for equal positions, whatever their ply.
    pub fn position_bytes(&self) -> &[u8; 32] {
        self.0.first_chunk().expect("a record begins with 32 bytes")
    }

    /// What the position is worth to the side to move.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[32], self.0[33]])
    }

    /// Puts another value in.
    pub fn set_score(&mut self, score: i16) {
        [self.0[32], self.0[33]] = score.to_le_bytes();
    }

    /// Puts another move in, as the bits of [`tesuji_shogi::Move`].
    pub fn set_move_bits(&mut self, bits: u16) {
        [self.0[34], self.0[35]] = bits.to_le_bytes();
    }

    /// The move as its bits.
    pub fn move_bits(&self) -> u16 {
        u16::from_le_bytes([self.0[34], self.0[35]])
    }

    /// The number of the move in its game.
    pub fn ply(&self) -> u16 {
        u16::from_le_bytes([self.0[36], self.0[37]])
    }

    /// Puts another number of the move in.
    pub(super) fn set_ply(&mut self, ply: u16) {
        [self.0[36], self.0[37]] = ply.to_le_bytes();
    }

    /// 1 if the side to move won, 0 for a draw, -1 if it lost.
    pub fn result(&self) -> i8 {
        self.0[38] as i8
    }

    /// A key of the position for telling repetitions: 64 bits of a hash of its bytes.
    pub fn key(&self) -> u64 {
        let words = self.position_bytes().chunks_exact(8);
        words.fold(0x243f_6a88_85a3_08d3, |hash: u64, word| {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        })
    }

    /// The position.
    ///
    /// # Errors
    /// As [`DataRecord::unpack`].
    pub fn position(&self) -> Result<Position, SampleProblem> {
        Ok(self.unpack()?.position)
    }
}
