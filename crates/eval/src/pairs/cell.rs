//! The numbers in the files: how long they are and what they say.

use super::sums::Sum;

/// A kind of entry of a table, little-endian.
pub trait Cell: Copy + Send + Sync + 'static {
    /// The entry as it stands in the file.
    type Raw: Copy + Send + Sync;
    /// How many bytes it takes.
    const BYTES: usize = size_of::<Self::Raw>();
    /// The entries that lie in some bytes, without what is left over.
    fn cells(bytes: &[u8]) -> &[Self::Raw];
    /// What an entry says.
    fn read(raw: Self::Raw) -> Sum;
    /// The entry that says this; what does not fit is cut off.
    fn write(sum: Sum) -> Self::Raw;
    /// The bytes of some entries.
    fn bytes(cells: &[Self::Raw]) -> &[u8];
}

/// Board and turn, 32 bits each.
#[derive(Clone, Copy, Debug)]
pub struct Wide;

/// Board and turn, 16 bits each.
#[derive(Clone, Copy, Debug)]
pub struct Turned;

/// The board alone, 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Cell for Wide {
    type Raw = [u8; 8];
    #[inline(always)]
    fn cells(bytes: &[u8]) -> &[[u8; 8]] {
        bytes.as_chunks().0
    }
    #[inline(always)]
    fn read([a, b, c, d, e, f, g, h]: [u8; 8]) -> Sum {
        Sum {
            board: i32::from_le_bytes([a, b, c, d]),
            turn: i32::from_le_bytes([e, f, g, h]),
        }
    }
    #[inline(always)]
    fn write(sum: Sum) -> [u8; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (sum.board.to_le_bytes(), sum.turn.to_le_bytes());
        [a, b, c, d, e, f, g, h]
    }
    fn bytes(cells: &[[u8; 8]]) -> &[u8] {
        cells.as_flattened()
    }
}

impl Cell for Turned {
    type Raw = [u8; 4];
    #[inline(always)]
    fn cells(bytes: &[u8]) -> &[[u8; 4]] {
        bytes.as_chunks().0
    }
    #[inline(always)]
    fn read([a, b, c, d]: [u8; 4]) -> Sum {
        Sum {
            board: i32::from(i16::from_le_bytes([a, b])),
            turn: i32::from(i16::from_le_bytes([c, d])),
        }
    }
    #[inline(always)]
    fn write(sum: Sum) -> [u8; 4] {
        let [[a, b], [c, d]] = [sum.board as i16, sum.turn as i16].map(i16::to_le_bytes);
        [a, b, c, d]
    }
    fn bytes(cells: &[[u8; 4]]) -> &[u8] {
        cells.as_flattened()
    }
}

impl Cell for Plain {
    type Raw = [u8; 2];
    #[inline(always)]
    fn cells(bytes: &[u8]) -> &[[u8; 2]] {
        bytes.as_chunks().0
    }
    #[inline(always)]
    fn read(raw: [u8; 2]) -> Sum {
        Sum {
            board: i32::from(i16::from_le_bytes(raw)),
            turn: 0,
        }
    }
    #[inline(always)]
    fn write(sum: Sum) -> [u8; 2] {
        (sum.board as i16).to_le_bytes()
    }
    fn bytes(cells: &[[u8; 2]]) -> &[u8] {
        cells.as_flattened()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let sum = |board, turn| Sum { board, turn };
        assert_eq!(
            Wide::write(sum(-2, 70_000)),
            [254, 255, 255, 255, 112, 17, 1, 0]
        );
        assert_eq!(Wide::read(Wide::write(sum(-2, 70_000))), sum(-2, 70_000));
        assert_eq!(Turned::write(sum(-2, 259)), [254, 255, 3, 1]);
        assert_eq!(Turned::read([254, 255, 3, 1]), sum(-2, 259));
        assert_eq!(Plain::read(Plain::write(sum(-300, 5))), sum(-300, 0));
    }
}
