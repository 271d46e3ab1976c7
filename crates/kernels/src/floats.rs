//! Loops over floating-point numbers for training networks: rows added up, small matrices
//! multiplied.
//!
//! They are written so that the compiler keeps a whole tile of sums in vector registers; nothing in
//! them is unsafe, and the instruction set is the one the build was made for.

/// How many numbers of a row are added up at a time: eight registers of sixteen.
const ROW_TILE: usize = 128;
/// What every row and every matrix is a multiple of.
pub const LANES: usize = 16;
/// A tile of a product: so many rows and so many columns.
pub const TILE: [usize; 2] = [8, 32];

/// `a · b + c`, rounded once where the machine can do that.
#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

/// Adds rows of a table to a sum as wide as they are.
///
/// ```
/// let table: Vec<f32> = (0..64).map(|n| n as f32).collect();
/// let mut sum = vec![1.0; 16];
/// tesuji_kernels::add_rows(&table, &[0, 2, 2], &mut sum);
/// assert_eq!(sum[3], 1.0 + 3.0 + 35.0 + 35.0);
/// ```
///
/// # Panics
/// If the sum is no multiple of [`LANES`] wide, or a row is not in the table.
pub fn add_rows(table: &[f32], rows: &[u32], sum: &mut [f32]) {
    let width = sum.len();
    assert!(width.is_multiple_of(LANES), "rows are made of lanes");
    let mut at = 0;
    while width - at >= ROW_TILE {
        add_columns::<ROW_TILE>(table, rows, at, sum);
        at += ROW_TILE;
    }
    while at < width {
        add_columns::<LANES>(table, rows, at, sum);
        at += LANES;
    }
}

/// Adds `T` columns of the rows, beginning with column `at`.
#[inline(always)]
fn add_columns<const T: usize>(table: &[f32], rows: &[u32], at: usize, sum: &mut [f32]) {
    let width = sum.len();
    let Some(sum) = sum[at..].first_chunk_mut::<T>() else {
        return;
    };
    let mut columns = *sum;
    for &row in rows {
        let start = row as usize * width + at;
        let row = table[start..].first_chunk::<T>().expect("a whole row");
        for (column, number) in columns.iter_mut().zip(row) {
            *column += number;
        }
    }
    *sum = columns;
}

/// A matrix of which only the element in row `i` and column `k` is asked for: `numbers[i · row + k ·
/// column]`, so that it may as well be a transposed one.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    /// The numbers.
    pub numbers: &'a [f32],
    /// How far apart rows are.
    pub row: usize,
    /// How far apart columns are.
    pub column: usize,
}

/// Adds to `product` (`rows` by `columns`) the product of `left` (`rows` by `inner`) and `right`
/// (`inner` by `columns`). `sizes` are `rows`, `inner` and `columns`.
///
/// # Panics
/// If rows and columns are not multiples of a [`TILE`], or the matrices are smaller than the sizes.
pub fn multiply(sizes: [usize; 3], left: Strided, right: &[f32], product: &mut [f32]) {
    let [rows, inner, columns] = sizes;
    assert!(rows.is_multiple_of(TILE[0]) && columns.is_multiple_of(TILE[1]));
    for row in (0..rows).step_by(TILE[0]) {
        for column in (0..columns).step_by(TILE[1]) {
            multiply_tile([row, column], [inner, columns], left, right, product);
        }
    }
}

#[inline(always)]
fn lanes(numbers: &[f32], at: usize) -> [f32; LANES] {
    *numbers[at..].first_chunk().expect("whole lanes")
}

#[inline(always)]
fn multiply_add(factor: f32, numbers: &[f32; LANES], mut sums: [f32; LANES]) -> [f32; LANES] {
    for i in 0..LANES {
        sums[i] = fused(factor, numbers[i], sums[i]);
    }
    sums
}

#[inline(never)]
fn multiply_tile(
    [row, column]: [usize; 2],
    [inner, columns]: [usize; 2],
    left: Strided,
    right: &[f32],
    product: &mut [f32],
) {
    let mut sums = [[[0.0_f32; LANES]; 2]; TILE[0]];
    let numbers = &left.numbers[row * left.row..];
    for k in 0..inner {
        let low = lanes(right, k * columns + column);
        let high = lanes(right, k * columns + column + LANES);
        for (i, sums) in sums.iter_mut().enumerate() {
            let factor = numbers[i * left.row + k * left.column];
            sums[0] = multiply_add(factor, &low, sums[0]);
            sums[1] = multiply_add(factor, &high, sums[1]);
        }
    }
    for (i, sums) in sums.iter().enumerate() {
        let start = (row + i) * columns + column;
        let places = product[start..start + TILE[1]].iter_mut();
        for (place, sum) in places.zip(sums.as_flattened()) {
            *place += sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knuth's numbers, between -0.5 and 0.5.
    fn numbers(count: usize, mut seed: u64) -> Vec<f32> {
        let next = || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (seed >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn rows_add_up_as_in_plain_loops() {
        for width in [16, 128, 144, 256] {
            let table = numbers(width * 9, 1);
            let rows = [3, 0, 8, 3];
            let mut sum = numbers(width, 2);
            let plain: Vec<f32> = (0..width)
                .map(|i| {
                    rows.iter()
                        .fold(sum[i], |sum, &row| sum + table[row as usize * width + i])
                })
                .collect();
            add_rows(&table, &rows, &mut sum);
            assert_eq!(sum, plain);
        }
    }

    #[test]
    fn products_are_those_of_plain_loops() {
        let [rows, inner, columns] = [24, 37, 64];
        let (left, right) = (numbers(rows * inner, 3), numbers(inner * columns, 4));
        for is_transposed in [false, true] {
            let left = Strided {
                numbers: &left,
                row: if is_transposed { 1 } else { inner },
                column: if is_transposed { rows } else { 1 },
            };
            let mut product = numbers(rows * columns, 5);
            let before = product.clone();
            multiply([rows, inner, columns], left, &right, &mut product);
            for i in 0..rows {
                for j in 0..columns {
                    let element = |k| left.numbers[i * left.row + k * left.column];
                    let plain: f32 = (0..inner)
                        .map(|k| element(k) * right[k * columns + j])
                        .sum();
                    let found = product[i * columns + j] - before[i * columns + j];
                    assert!((plain - found).abs() < 1e-5, "{plain} {found}");
                }
            }
        }
    }
}
