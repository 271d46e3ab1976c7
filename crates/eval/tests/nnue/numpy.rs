//! The random numbers of NumPy's `default_rng`, bit for bit: a seed sequence and the generator
//! PCG64 (O'Neill 2014) with normally distributed numbers by the ziggurat method (Marsaglia and
//! Tsang 2000). The networks of the reference were made with them, and are made again from their
//! seeds.

/// A generator as `numpy.random.default_rng` makes it.
pub(crate) struct Rng {
    state: u128,
    increment: u128,
    ziggurat: Ziggurat,
}

impl Rng {
    pub(crate) fn new(seed: u32) -> Self {
        let [state, sequence] = seed_sequence(seed);
        let mut rng = Self {
            state: 0,
            increment: sequence << 1 | 1,
            ziggurat: Ziggurat::new(),
        };
        rng.step();
        rng.state = rng.state.wrapping_add(state);
        rng.step();
        rng
    }

    /// Normally distributed numbers, rounded and clipped, as the scripts of the networks ask for.
    pub(crate) fn integer(&mut self, mean: f64, deviation: f64, limit: f64) -> i32 {
        let number = mean + deviation * self.standard_normal();
        number.round_ties_even().clamp(-limit, limit) as i32
    }

    fn step(&mut self) {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.state = self.state.wrapping_mul(MULTIPLIER);
        self.state = self.state.wrapping_add(self.increment);
    }

    fn next(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// A number from zero to less than one.
    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn standard_normal(&mut self) -> f64 {
        loop {
            let bits = self.next();
            let (layer, is_negative) = (bits as usize & 0xff, bits >> 8 & 1 == 1);
            let magnitude = bits >> 9 & (ONE - 1);
            let x = magnitude as f64 * self.ziggurat.width[layer];
            let x = if is_negative { -x } else { x };
            if magnitude < self.ziggurat.inside[layer] {
                return x;
            }
            if layer == 0 {
                let beyond = self.tail();
                return if magnitude >> 8 & 1 == 1 {
                    -beyond
                } else {
                    beyond
                };
            }
            let [above, below] = [layer - 1, layer].map(|layer| self.ziggurat.density[layer]);
            if (above - below) * self.uniform() + below < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    /// A number beyond the last layer.
    fn tail(&mut self) -> f64 {
        loop {
            let x = -(-self.uniform()).ln_1p() / TAIL;
            let y = -(-self.uniform()).ln_1p();
            if y + y > x * x {
                return TAIL + x;
            }
        }
    }
}

/// Where the tail begins, and the area of each layer.
const TAIL: f64 = 3.654_152_885_361_009;
const AREA: f64 = 0.004_928_673_233_992_336;
/// What the numbers of a layer are fractions of.
const ONE: u64 = 1 << 52;

/// The layers of the normal distribution: below which fraction a number lies inside the curve, how
/// wide the layer is, and the density at its edge.
struct Ziggurat {
    inside: [u64; 256],
    width: [f64; 256],
    density: [f64; 256],
}

impl Ziggurat {
    fn new() -> Self {
        let one = ONE as f64;
        let density = |x: f64| (-0.5 * x * x).exp();
        let mut layers = Self {
            inside: [0; 256],
            width: [0.0; 256],
            density: [0.0; 256],
        };
        let base = AREA / density(TAIL);
        layers.inside[0] = (TAIL / base * one) as u64;
        layers.width[0] = base / one;
        layers.density[0] = 1.0;
        let mut edge = TAIL;
        for layer in (1..256).rev() {
            layers.width[layer] = edge / one;
            layers.density[layer] = density(edge);
            if layer > 1 {
                let next = (-2.0 * (AREA / edge + density(edge)).ln()).sqrt();
                layers.inside[layer] = (next / edge * one) as u64;
                edge = next;
            }
        }
        layers
    }
}

/// Spreads a seed over the state and the sequence of a generator.
fn seed_sequence(seed: u32) -> [u128; 2] {
    let mut constant = 0x43b0_d7e5_u32;
    let mut hash = |mut word: u32| {
        word ^= constant;
        constant = constant.wrapping_mul(0x931e_8875);
        word = word.wrapping_mul(constant);
        word ^ word >> 16
    };
    let mut pool = [seed, 0, 0, 0].map(&mut hash);
    for from in 0..4 {
        for to in (0..4).filter(|&to| to != from) {
            let left = pool[to].wrapping_mul(0xca01_f9dd);
            let right = hash(pool[from]).wrapping_mul(0x4973_f715);
            let mixed = left.wrapping_sub(right);
            pool[to] = mixed ^ mixed >> 16;
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let words: [u128; 8] = std::array::from_fn(|i| {
        let mut word = pool[i % 4] ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        word = word.wrapping_mul(constant);
        u128::from(word ^ word >> 16)
    });
    let number = |[a, b, c, d]: [u128; 4]| b << 96 | a << 64 | d << 32 | c;
    let [a, b, c, d, e, f, g, h] = words;
    [number([a, b, c, d]), number([e, f, g, h])]
}
