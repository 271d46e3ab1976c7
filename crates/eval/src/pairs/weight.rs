//! The weights in the files: how many bytes they take and what they say.

use super::eval_sum::EvalSum;

/// How a weight is stored, little-endian.
pub trait WeightFormat: Copy + Send + Sync + 'static {
    /// The weight as it stands in the file.
    type Raw: Copy + Send + Sync;
    /// How many bytes it takes.
    const BYTES: usize = size_of::<Self::Raw>();
    /// The weights that lie in some bytes, without what is left over.
    fn weights(bytes: &[u8]) -> &[Self::Raw];
    /// The greatest number there is room for, for the board and for the turn.
    const GREATEST: EvalSum;
    /// What a weight says.
    fn read(raw: Self::Raw) -> EvalSum;
    /// The weight that says this; what does not fit is cut off.
    fn write(sum: EvalSum) -> Self::Raw;
    /// The nearest sum that there is room for.
    fn clip(sum: EvalSum) -> EvalSum {
        let EvalSum { board, turn } = Self::GREATEST;
        EvalSum {
            board: sum.board.clamp(-board, board),
            turn: sum.turn.clamp(-turn, turn),
        }
    }
    /// The bytes of some weights.
    fn bytes(weights: &[Self::Raw]) -> &[u8];
}

/// Board and turn, 32 bits each.
#[derive(Clone, Copy, Debug)]
pub struct Turn32;

/// Board and turn, 16 bits each.
#[derive(Clone, Copy, Debug)]
pub struct Turn16;

/// The board alone, 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Board16;

impl WeightFormat for Turn32 {
    type Raw = [u8; 8];
    const GREATEST: EvalSum = EvalSum {
        board: i32::MAX,
        turn: i32::MAX,
    };
    #[inline(always)]
    fn weights(bytes: &[u8]) -> &[[u8; 8]] {
        bytes.as_chunks().0
    }
    #[inline(always)]
    fn read([a, b, c, d, e, f, g, h]: [u8; 8]) -> EvalSum {
        EvalSum {
            board: i32::from_le_bytes([a, b, c, d]),
            turn: i32::from_le_bytes([e, f, g, h]),
        }
    }
    #[inline(always)]
    fn write(sum: EvalSum) -> [u8; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (sum.board.to_le_bytes(), sum.turn.to_le_bytes());
        [a, b, c, d, e, f, g, h]
    }
    fn bytes(weights: &[[u8; 8]]) -> &[u8] {
        weights.as_flattened()
    }
}

impl WeightFormat for Turn16 {
    type Raw = [u8; 4];
    const GREATEST: EvalSum = EvalSum {
        board: i16::MAX as i32,
        turn: i16::MAX as i32,
    };
    #[inline(always)]
    fn weights(bytes: &[u8]) -> &[[u8; 4]] {
        bytes.as_chunks().0
    }
    #[inline(always)]
    fn read([a, b, c, d]: [u8; 4]) -> EvalSum {
        EvalSum {
            board: i32::from(i16::from_le_bytes([a, b])),
            turn: i32::from(i16::from_le_bytes([c, d])),
        }
    }
    #[inline(always)]
    fn write(sum: EvalSum) -> [u8; 4] {
        let [[a, b], [c, d]] = [sum.board as i16, sum.turn as i16].map(i16::to_le_bytes);
        [a, b, c, d]
    }
    fn bytes(weights: &[[u8; 4]]) -> &[u8] {
        weights.as_flattened()
    }
}

impl WeightFormat for Board16 {
    type Raw = [u8; 2];
    const GREATEST: EvalSum = EvalSum {
        board: i16::MAX as i32,
        turn: 0,
    };
    #[inline(always)]
    fn weights(bytes: &[u8]) -> &[[u8; 2]] {
        bytes.as_chunks().0
    }
    #[inline(always)]
    fn read(raw: [u8; 2]) -> EvalSum {
        EvalSum {
            board: i32::from(i16::from_le_bytes(raw)),
            turn: 0,
        }
    }
    #[inline(always)]
    fn write(sum: EvalSum) -> [u8; 2] {
        (sum.board as i16).to_le_bytes()
    }
    fn bytes(weights: &[[u8; 2]]) -> &[u8] {
        weights.as_flattened()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let sum = |board, turn| EvalSum { board, turn };
        assert_eq!(
            Turn32::write(sum(-2, 70_000)),
            [254, 255, 255, 255, 112, 17, 1, 0]
        );
        assert_eq!(
            Turn32::read(Turn32::write(sum(-2, 70_000))),
            sum(-2, 70_000)
        );
        assert_eq!(Turn16::write(sum(-2, 259)), [254, 255, 3, 1]);
        assert_eq!(Turn16::read([254, 255, 3, 1]), sum(-2, 259));
        assert_eq!(Board16::read(Board16::write(sum(-300, 5))), sum(-300, 0));
    }
}
