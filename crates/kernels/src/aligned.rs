//! Arrays that begin on a cache line, so that no vector is split between two.

/// `N` words of 16 bits: the weights of one input of a first layer, or their sum.
///
/// ```
/// use tesuji_kernels::Column;
/// assert_eq!(Column::<32>::default().0, [0; 32]);
/// assert_eq!(std::mem::align_of::<Column<32>>(), 64);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Column<const N: usize>(pub [i16; N]);

impl<const N: usize> Default for Column<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

/// What columns of any width are made of: a cache line of words.
pub(crate) type Chunk = Column<CHUNK>;
/// How many words a chunk has.
pub(crate) const CHUNK: usize = 32;

/// Columns as the chunks they are made of, so that a kernel is compiled once for all widths.
#[inline(always)]
pub(crate) fn chunks<const N: usize>(columns: &[Column<N>]) -> &[Chunk] {
    const { assert!(N.is_multiple_of(CHUNK), "columns are made of chunks") };
    // SAFETY: both types are arrays of words that begin on a cache line, and a column has no room
    // left behind its `N / CHUNK` chunks.
    unsafe { std::slice::from_raw_parts(columns.as_ptr().cast(), columns.len() * (N / CHUNK)) }
}

/// A column as its chunks, to be written.
#[inline(always)]
pub(crate) fn chunks_mut<const N: usize>(column: &mut Column<N>) -> &mut [Chunk] {
    const { assert!(N.is_multiple_of(CHUNK), "columns are made of chunks") };
    // SAFETY: as in `chunks`.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::from_mut(column).cast(), N / CHUNK) }
}

/// Something that begins on a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);
