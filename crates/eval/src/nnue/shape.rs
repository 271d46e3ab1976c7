//! The architecture of a network: its feature set, its layers, and what tells them.
//!
//! Two families: HalfKP-256x2-32-32 and its kin with clipped sums (Nasu 2018), and SFNN with
//! pairwise products and layer stacks, after the networks of Stockfish.

use super::features::FeatureSet;
use tesuji_kernels::MAX_OUTPUTS;

/// What stands between the layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// ClippedReLU: sums are cut to 0 to 127. Nothing is compressed.
    ClippedRelu,
    /// The same, but the accumulators are squared as well (SCReLU).
    SquaredClippedRelu,
    /// The two halves of an accumulator are multiplied pair by pair; sums go on squared and
    /// clipped. Several layer stacks, chosen by where the kings stand; the feature transformer is
    /// compressed.
    Pairwise,
}

/// The architecture of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkShape {
    /// What the feature transformer looks at.
    pub features: FeatureSet,
    /// What stands between the layers.
    pub activation: Activation,
    /// How wide the feature transformer is, for each point of view.
    pub width: usize,
    /// How many outputs the second layer has, the shortcut included.
    pub second: usize,
    /// How many outputs the third layer has.
    pub third: usize,
    /// Whether the last output of the second layer goes straight to the result.
    pub has_shortcut: bool,
    /// How many stacks of layers there are.
    pub stacks: usize,
}

impl NetworkShape {
    /// A network of the first kind.
    pub const fn clipped_relu(features: FeatureSet, [width, second, third]: [usize; 3]) -> Self {
        Self {
            features,
            activation: Activation::ClippedRelu,
            width,
            second,
            third,
            has_shortcut: false,
            stacks: 1,
        }
    }

    /// A network of the second kind, with a shortcut.
    pub const fn pairwise(
        features: FeatureSet,
        [width, second, third]: [usize; 3],
        stacks: usize,
    ) -> Self {
        Self {
            features,
            activation: Activation::Pairwise,
            width,
            second,
            third,
            has_shortcut: true,
            stacks,
        }
    }

    /// Inputs and outputs of the layers above the first.
    pub const fn layers(&self) -> [(usize, usize); 3] {
        let (first, second) = match self.activation {
            Activation::ClippedRelu | Activation::SquaredClippedRelu => {
                (2 * self.width, self.second)
            }
            Activation::Pairwise => (self.width, 2 * (self.second - self.has_shortcut as usize)),
        };
        [(first, self.second), (second, self.third), (self.third, 1)]
    }

    /// How many bytes one stack has in a file, its hash included.
    pub fn stack_bytes(&self) -> usize {
        let layers = self.layers();
        4 + layers
            .iter()
            .map(|&(inputs, outputs)| outputs * (4 + padded(inputs)))
            .sum::<usize>()
    }

    /// The hash of the feature transformer.
    pub const fn transformer_hash(&self) -> u32 {
        match self.activation {
            Activation::ClippedRelu | Activation::SquaredClippedRelu => {
                self.features.hash ^ (2 * self.width as u32)
            }
            Activation::Pairwise => 0x5f13_4ab8,
        }
    }

    /// The hash of each stack.
    pub const fn stack_hash(&self) -> u32 {
        if matches!(self.activation, Activation::Pairwise) {
            return 0x6333_718a;
        }
        let input = 0xec42_e90d ^ (2 * self.width as u32);
        let second = clipped_hash(affine_hash(input, self.second));
        let third = clipped_hash(affine_hash(second, self.third));
        affine_hash(third, 1)
    }

    /// The hash of the whole file.
    pub const fn file_hash(&self) -> u32 {
        self.transformer_hash() ^ self.stack_hash()
    }

    /// The description that goes into the file.
    pub fn description(&self) -> String {
        let Self {
            features,
            width,
            second,
            third,
            stacks,
            ..
        } = *self;
        let (name, count) = (features.name, features.count());
        match self.activation {
            Activation::ClippedRelu | Activation::SquaredClippedRelu => format!(
                "Features={name}[{count}->{width}x2],Network=AffineTransform[1<-{third}](ClippedReLU\
                 [{third}](AffineTransform[{third}<-{second}](ClippedReLU[{second}](AffineTransform\
                 [{second}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))",
                inputs = 2 * width,
            ),
            Activation::Pairwise => format!(
                "ModelType=SFNNWithoutPsqt;Features={name}[{count}->{width}x2],Network=SFNN-{width}\
                 {{LayerStack={stacks}}}"
            ),
        }
    }

    /// The shape that a description tells, if it is one of the first kind.
    pub(super) fn described(text: &str) -> Option<Self> {
        let (count, width) = arrows(text, "->", "x2]").next()?;
        let features = FeatureSet::with_count(count)?;
        let mut layers = arrows(text, "<-", "]");
        let [last, upper, lower] = [layers.next()?, layers.next()?, layers.next()?];
        let is_chain = last == (1, upper.0) && upper.1 == lower.0 && lower.1 == 2 * width;
        let fits = |outputs| (1..=MAX_OUTPUTS).contains(&outputs);
        (is_chain && fits(upper.0) && fits(upper.1))
            .then(|| Self::clipped_relu(features, [width, upper.1, upper.0]))
    }

    /// The hidden sizes that a description of the second kind tells, as in `SFNN_…_1536_15_32`.
    pub(super) fn described_hidden(text: &str) -> Option<[usize; 2]> {
        let (_, name) = text.split_once("SFNN_")?;
        let mut numbers = name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .skip_while(|part| part.parse::<u16>().is_err())
            .map_while(|part| part.parse::<u16>().ok())
            .skip(1);
        Some([numbers.next()?.into(), numbers.next()?.into()])
    }
}

/// Every `[a->b…]` of a text, as numbers.
fn arrows<'a>(
    text: &'a str,
    arrow: &'a str,
    end: &'a str,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let number = |digits: &str| digits.parse::<u32>().ok().map(|n| n as usize);
    text.split('[').skip(1).filter_map(move |part| {
        let (left, rest) = part.split_once(arrow)?;
        Some((number(left)?, number(rest.split_once(end)?.0)?))
    })
}

/// The inputs of a layer fill whole rows of 32 bytes in a file.
pub(super) const fn padded(inputs: usize) -> usize {
    inputs.next_multiple_of(32)
}

const fn affine_hash(below: u32, outputs: usize) -> u32 {
    0xcc03_dae4_u32.wrapping_add(outputs as u32) ^ below.rotate_right(1)
}

const fn clipped_hash(below: u32) -> u32 {
    0x538d_24c7_u32.wrapping_add(below)
}
