//! What a vector machine must be able to do: the words that the fast kernels are written in.

/// A vector instruction set. A value of the type is the proof that the machine has it.
///
/// Every method is inlined into a function that is compiled for the set.
pub(crate) trait Simd: Copy {
    /// [`Simd::WIDTH`] words of 16 bits, or twice as many bytes.
    type Vector: Copy;
    /// Sixteen sums of 32 bits.
    type Block: Copy;
    /// How many words a vector has.
    const WIDTH: usize;
    /// How many sums are kept side by side, so that none waits for the one before.
    const CHAINS: usize;

    /// Loads a vector of words.
    ///
    /// # Safety
    /// `WIDTH` words are readable, from a multiple of their size on.
    unsafe fn load(self, from: *const i16) -> Self::Vector;
    /// Stores a vector of words.
    ///
    /// # Safety
    /// `WIDTH` words are writable, from a multiple of their size on.
    unsafe fn store(self, vector: Self::Vector, to: *mut i16);
    /// Stores a vector of bytes.
    ///
    /// # Safety
    /// `2 * WIDTH` bytes are writable, from a multiple of their number on.
    unsafe fn store_bytes(self, vector: Self::Vector, to: *mut u8);
    /// Word by word, wrapping around.
    fn plus(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Word by word, wrapping around.
    fn minus(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The words of `a`, then those of `b`, cut to 0 to 127, as bytes.
    fn clip(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Word by word: both cut to 0 to 127, multiplied, divided by 128.
    fn pairwise(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Writes the number of every group of four bytes that are not all zero, counted from `first`,
    /// and says how many there are.
    ///
    /// # Safety
    /// `WIDTH / 2` words, and no fewer than 8, are writable.
    unsafe fn list_groups(self, bytes: Self::Vector, first: u16, to: *mut u16) -> usize;

    /// Loads a block.
    ///
    /// # Safety
    /// Sixteen sums are readable, from a multiple of 64 on.
    unsafe fn load_block(self, from: *const i32) -> Self::Block;
    /// Stores a block.
    ///
    /// # Safety
    /// Sixteen sums are writable, from a multiple of 64 on.
    unsafe fn store_block(self, block: Self::Block, to: *mut i32);
    /// Sixteen times zero.
    fn zero_block(self) -> Self::Block;
    /// Sum by sum.
    fn add_blocks(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Adds to each sum the four bytes of `group`, each at most 127, times its four weights.
    ///
    /// # Safety
    /// 64 weights are readable, from a multiple of 64 on.
    unsafe fn dot(self, sums: Self::Block, group: i32, weights: *const i8) -> Self::Block;
    /// Each sum divided by 64 and cut to 0 to 127.
    fn clipped_relu(self, sums: Self::Block) -> Self::Block;
    /// Stores a block of sums from 0 to 127 as bytes.
    ///
    /// # Safety
    /// Sixteen bytes are writable, from a multiple of 16 on.
    unsafe fn store_small(self, sums: Self::Block, to: *mut u8);
    /// Each sum, from 0 to 127, times its weight, from -128 to 127.
    ///
    /// # Safety
    /// Sixteen weights are readable, from a multiple of 64 on.
    unsafe fn weigh(self, sums: Self::Block, weights: *const i32) -> Self::Block;
    /// All sixteen, added.
    fn total(self, sums: Self::Block) -> i32;
}
