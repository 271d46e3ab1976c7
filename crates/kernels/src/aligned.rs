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

/// Something that begins on a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);
