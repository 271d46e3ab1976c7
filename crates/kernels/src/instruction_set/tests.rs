use super::*;
use crate::aligned::Column;
use crate::layers::{Affine, Layers};
use proptest::prelude::*;

/// Numbers from a seed (Steele, Lea and Flood 2014): large tables are not worth shrinking.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Words of any size, or mostly small and often negative ones, as in a trained network.
    fn column<const N: usize>(&mut self, wild: bool) -> Column<N> {
        Column(std::array::from_fn(|_| {
            let roll = self.next();
            let small = (roll >> 16) as i16 % 300 - 150;
            match (wild, roll % 8) {
                (true, 0) => i16::MAX,
                (true, 1) => i16::MIN,
                (true, 2) => 127,
                (true, 3..=5) => (roll >> 32) as i16,
                _ => small,
            }
        }))
    }

    fn affine(&mut self, inputs: usize, outputs: usize, wild: bool) -> Affine {
        let biases: Vec<i32> = (0..outputs)
            .map(|_| self.next() as i32 / if wild { 1 } else { 1 << 17 })
            .collect();
        let weights: Vec<i8> = (0..inputs * outputs)
            .map(|_| match (wild, self.next() % 4) {
                (true, 0) => -128,
                (true, 1) => 127,
                _ => self.next() as i8 / if wild { 1 } else { 8 },
            })
            .collect();
        Affine::new(inputs, &biases, |output, input| {
            weights[output * inputs + input]
        })
    }

    fn layers(
        &mut self,
        inputs: usize,
        [hidden, second_in, second]: [usize; 3],
        wild: bool,
    ) -> Layers {
        let has_skip = second_in > hidden;
        let first = self.affine(inputs, hidden + usize::from(has_skip), wild);
        let above = self.affine(second_in, second, wild);
        let last: Vec<i8> = (0..second).map(|_| self.next() as i8).collect();
        Layers::new(
            first,
            above,
            (self.next() as i32 >> 12, &last),
            hidden,
            has_skip,
        )
    }
}

/// Everything that the kernels say about one seed.
fn answers<const N: usize>(kernels: Kernels, seed: u64, wild: bool) -> (Vec<[i16; N]>, Vec<i32>) {
    let mut random = SplitMix64(seed);
    let table: Vec<Column<N>> = (0..20).map(|_| random.column(wild)).collect();
    let mut sums = vec![random.column::<N>(wild), random.column(wild)];
    for (plus, minus) in [(0, 0), (1, 1), (2, 2), (1, 0), (0, 2), (20, 3), (38, 0)] {
        let mut rows =
            |count| -> Vec<u32> { (0..count).map(|_| (random.next() % 20) as u32).collect() };
        let (plus, minus) = (rows(plus), rows(minus));
        let mut to = Column::default();
        kernels.update_accumulator(&table, (&plus, &minus), &sums[sums.len() - 1], &mut to);
        sums.push(to);
    }
    let mut values = Vec::new();
    for sizes in [
        [32, 32, 32],
        [16, 16, 32],
        [8, 8, 32],
        [16, 16, 64],
        [64, 64, 64],
        [5, 5, 7],
    ] {
        let layers = random.layers(2 * N, sizes, wild);
        values.extend(
            sums.windows(2)
                .map(|two| kernels.forward_clipped([&two[0], &two[1]], &layers)),
        );
        values.extend(
            sums.windows(2)
                .map(|two| kernels.forward_squared([&two[0], &two[1]], &layers)),
        );
    }
    for sizes in [[15, 30, 32], [7, 14, 64], [31, 62, 32], [15, 30, 16]] {
        let layers = random.layers(N, sizes, wild);
        values.extend(
            sums.windows(2)
                .map(|two| kernels.forward_pairwise([&two[0], &two[1]], &layers)),
        );
    }
    (sums.into_iter().map(|sum| sum.0).collect(), values)
}

fn agree<const N: usize>(seed: u64, wild: bool) {
    let plain = answers::<N>(Kernels::SCALAR, seed, wild);
    for level in InstructionSet::ALL {
        match level.kernels() {
            Some(kernels) => assert!(
                answers(kernels, seed, wild) == plain,
                "{level:?} disagrees, {N} words, seed {seed}"
            ),
            None => println!("skipped: this machine has no {level:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_instruction_set_gives_the_same_numbers(seed: u64, wild: bool) {
        agree::<128>(seed, wild);
        agree::<256>(seed, wild);
        agree::<1536>(seed, wild);
    }
}

#[test]
fn odd_columns_are_carried_too() {
    let mut random = SplitMix64(1);
    let table: [Column<96>; 3] = std::array::from_fn(|_| random.column(true));
    let carried = |kernels: Kernels| {
        let mut to = Column::default();
        kernels.update_accumulator(&table, (&[0, 2], &[1]), &table[1], &mut to);
        to
    };
    for level in InstructionSet::ALL {
        if let Some(kernels) = level.kernels() {
            assert_eq!(carried(kernels), carried(Kernels::SCALAR), "{level:?}");
        }
    }
}

#[test]
#[should_panic(expected = "out of range")]
fn a_row_that_is_not_in_the_table_is_refused() {
    let table = [Column::<64>::default(); 2];
    Kernels::best().update_accumulator(&table, (&[2], &[]), &table[0], &mut Column::default());
}
