//! A network as it lies on disk: reading and writing, byte for byte.
//!
//! The header tells the shape: the description if it has one that can be read, the hashes
//! otherwise. Hashes that contradict are kept and not complained about; existing files have them.
//!
//! A network that needs more than others know of it, such as an evaluation to be added, has a
//! version of its own, so that they refuse it instead of misreading it: [`Extension`].

use super::error::NnueError;
use super::extension::Extension;
use super::features::FeatureSet;
use super::leb128;
use super::shape::{Activation, NetworkShape, padded};

/// The version that every file begins with.
const VERSION: u32 = 0x7af3_2f16;
/// The version of a file with an [`Extension`].
const EXTENDED: u32 = 0x7af3_2fe5;
/// What a compressed block begins with.
const COMPRESSED: &[u8; 17] = b"COMPRESSED_LEB128";
/// What announces a part that tells how far a game has progressed.
const PROGRESS: u32 = 0x6f50_524f;

/// A layer above the first, as it lies on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AffineLayer {
    /// One for each output.
    pub biases: Vec<i32>,
    /// A row for each output, filled up to a multiple of 32 with bytes that mean nothing.
    pub weights: Vec<i8>,
}

/// The layers above the first, as they lie on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerStack {
    /// The hash in front of them.
    pub hash: u32,
    /// The layers.
    pub layers: [AffineLayer; 3],
}

/// A network as it lies on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkFile {
    /// Its architecture.
    pub shape: NetworkShape,
    /// What it needs beyond the layers, as its description says.
    pub extension: Extension,
    /// The hash of everything.
    pub hash: u32,
    /// What it says about itself.
    pub description: Vec<u8>,
    /// The hash of the feature transformer.
    pub transformer_hash: u32,
    /// The biases of the feature transformer.
    pub biases: Vec<i16>,
    /// The weights of the feature transformer: a row of the layer's width for each feature.
    pub weights: Vec<i16>,
    /// The layers above.
    pub stacks: Vec<LayerStack>,
}

impl NetworkFile {
    /// A network of nothing but zeros.
    pub fn blank(shape: NetworkShape) -> Self {
        let layer = |(inputs, outputs): (usize, usize)| AffineLayer {
            biases: vec![0; outputs],
            weights: vec![0; outputs * padded(inputs)],
        };
        let stack = LayerStack {
            hash: shape.stack_hash(),
            layers: shape.layers().map(layer),
        };
        Self {
            hash: shape.file_hash(),
            description: shape.description().into_bytes(),
            transformer_hash: shape.transformer_hash(),
            biases: vec![0; shape.width],
            weights: vec![0; shape.width * shape.features.count()],
            stacks: vec![stack; shape.stacks],
            extension: Extension::default(),
            shape,
        }
    }

    /// The same network with an extension, which its description then tells. Its shape is one that
    /// the [extension asks for](Extension::of).
    pub fn extended(mut self, extension: Extension) -> Self {
        self.description = self.shape.description().into_bytes();
        self.description.extend(extension.to_string().bytes());
        Self { extension, ..self }
    }

    /// Reads a network.
    pub fn read(bytes: &[u8]) -> Result<Self, NnueError> {
        let mut rest = ByteReader(bytes);
        let version = rest.word("the version")?;
        if version != VERSION && version != EXTENDED {
            return Err(NnueError::Version(version));
        }
        let hash = rest.word("the hash")?;
        let length = rest.word("the length of the description")? as usize;
        let description = rest.take(length, "the description")?.to_vec();
        let transformer_hash = rest.word("the hash of the feature transformer")?;
        let text = String::from_utf8_lossy(&description).into_owned();
        let extension = match version {
            EXTENDED => Extension::described(&text)?,
            _ => Extension::default(),
        };
        let (shape, biases, weights) = if rest.0.starts_with(COMPRESSED) {
            compressed(&mut rest, &text)?
        } else {
            plain(&mut rest, (&text, extension), transformer_hash, bytes.len())?
        };
        let stacks = (0..shape.stacks)
            .map(|_| stack(&mut rest, &shape))
            .collect::<Result<_, _>>()?;
        debug_assert!(rest.0.is_empty(), "the shape fills the file");
        Ok(Self {
            shape,
            extension,
            hash,
            description,
            transformer_hash,
            biases,
            weights,
            stacks,
        })
    }

    /// The bytes of the network: those that it was read from.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.description.len() + 2 * self.weights.len() + 65_536);
        let version = if self.extension == Extension::default() {
            VERSION
        } else {
            EXTENDED
        };
        out.extend(version.to_le_bytes());
        out.extend(self.hash.to_le_bytes());
        out.extend((self.description.len() as u32).to_le_bytes());
        out.extend(&self.description);
        out.extend(self.transformer_hash.to_le_bytes());
        for numbers in [&self.biases, &self.weights] {
            match self.shape.activation {
                Activation::ClippedRelu | Activation::SquaredClippedRelu => {
                    out.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
                }
                Activation::Pairwise => {
                    out.extend(COMPRESSED);
                    out.extend((leb128::encoded_len(numbers) as u32).to_le_bytes());
                    leb128::encode(numbers, &mut out);
                }
            }
        }
        for stack in &self.stacks {
            out.extend(stack.hash.to_le_bytes());
            for layer in &stack.layers {
                out.extend(layer.biases.iter().flat_map(|n| n.to_le_bytes()));
                out.extend(layer.weights.iter().map(|&n| n as u8));
            }
        }
        out
    }
}

/// NetworkShape, biases and weights of the feature transformer.
type Transformer = (NetworkShape, Vec<i16>, Vec<i16>);

/// A first layer whose numbers lie there as they are. Nothing is read before the size of the whole
/// file is the one that the shape asks for.
fn plain(
    rest: &mut ByteReader,
    (text, extension): (&str, Extension),
    hash: u32,
    found: usize,
) -> Result<Transformer, NnueError> {
    let shape = NetworkShape::described(text)
        .or_else(|| hashed(rest, hash))
        .ok_or_else(|| NnueError::Unknown(text.chars().take(300).collect()))?;
    let shape = extension.of(shape);
    let numbers = shape.width as u64 * (shape.features.count() as u64 + 1);
    let layers = shape.layers().map(|(inputs, outputs)| {
        (outputs as u64).saturating_mul(4 + inputs.next_multiple_of(32) as u64)
    });
    let stack = layers.into_iter().fold(4, u64::saturating_add);
    let expected = (2 * numbers)
        .saturating_add(stack.saturating_mul(shape.stacks as u64))
        .saturating_add((found - rest.0.len()) as u64);
    if expected != found as u64 {
        return Err(NnueError::Size {
            shape: format!(
                "{}[{}->{}x2]-{}-{}",
                shape.features.name,
                shape.features.count(),
                shape.width,
                shape.second,
                shape.third
            ),
            expected,
            found: found as u64,
        });
    }
    let biases = rest.numbers(shape.width, "the biases of the feature transformer")?;
    let count = shape.width * shape.features.count();
    let weights = rest.numbers(count, "the weights of the feature transformer")?;
    Ok((shape, biases, weights))
}

/// The shape that the hashes of the feature transformer and of the layers above tell.
fn hashed(rest: &ByteReader, hash: u32) -> Option<NetworkShape> {
    const SIZES: [usize; 4] = [8, 16, 32, 64];
    FeatureSet::ALL.into_iter().find_map(|features| {
        let width = (hash ^ features.hash) as usize / 2;
        let above = 2 * width.checked_mul(features.count() + 1)?;
        let above = u32::from_le_bytes(*rest.0.get(above..)?.first_chunk()?);
        let candidates = SIZES.into_iter().flat_map(|second| {
            SIZES.map(|third| NetworkShape::clipped_relu(features, [width, second, third]))
        });
        let mut fitting = candidates.filter(|shape| shape.stack_hash() == above);
        fitting.find(|shape| shape.transformer_hash() == hash)
    })
}

/// A compressed feature transformer: how many numbers there are tells the shape.
fn compressed(rest: &mut ByteReader, text: &str) -> Result<Transformer, NnueError> {
    let biases = leb128::decode(rest.block("the biases of the feature transformer")?)?;
    let weights = leb128::decode(rest.block("the weights of the feature transformer")?)?;
    let width = biases.len();
    let features = weights
        .len()
        .checked_div(width)
        .filter(|count| count * width == weights.len())
        .and_then(FeatureSet::with_count)
        .ok_or(NnueError::FeatureSet {
            weights: weights.len(),
            width,
        })?;
    if rest.0.starts_with(&PROGRESS.to_le_bytes()) {
        return Err(NnueError::Progress);
    }
    let left = rest.0.len();
    let shape = stacked(features, width, left, NetworkShape::described_hidden(text));
    Ok((shape.ok_or(NnueError::Stacks { left })?, biases, weights))
}

/// The shape whose stacks fill the rest of the file.
fn stacked(
    features: FeatureSet,
    width: usize,
    left: usize,
    described: Option<[usize; 2]>,
) -> Option<NetworkShape> {
    const USUAL: [[usize; 2]; 7] = [
        [15, 32],
        [7, 32],
        [31, 32],
        [15, 64],
        [7, 64],
        [7, 16],
        [15, 16],
    ];
    let hidden = described.into_iter().chain(USUAL);
    let hidden =
        hidden.filter(|&[second, third]| (1..=32).contains(&second) && (1..=64).contains(&third));
    let candidates = hidden.flat_map(|[second, third]| {
        [9, 1].map(|stacks| NetworkShape {
            // A number that fills whole rows leaves no room for a shortcut.
            second: second + usize::from(!second.is_multiple_of(8)),
            has_shortcut: !second.is_multiple_of(8),
            ..NetworkShape::pairwise(features, [width, second, third], stacks)
        })
    });
    let mut fitting = candidates.filter(|shape| shape.stack_bytes() * shape.stacks == left);
    fitting.next()
}

fn stack(rest: &mut ByteReader, shape: &NetworkShape) -> Result<LayerStack, NnueError> {
    let hash = rest.word("the hash of the layers")?;
    let mut layer = |(inputs, outputs): (usize, usize)| {
        let biases = rest.take(4 * outputs, "the biases of a layer")?;
        let weights = rest.take(outputs * padded(inputs), "the weights of a layer")?;
        let (biases, _) = biases.as_chunks();
        Ok(AffineLayer {
            biases: biases
                .iter()
                .map(|&word| i32::from_le_bytes(word))
                .collect(),
            weights: weights.iter().map(|&byte| byte as i8).collect(),
        })
    };
    let [first, second, third] = shape.layers();
    Ok(LayerStack {
        hash,
        layers: [layer(first)?, layer(second)?, layer(third)?],
    })
}

/// The bytes that are still to be read.
struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn take(&mut self, needed: usize, what: &'static str) -> Result<&'a [u8], NnueError> {
        let left = self.0.len();
        let short = NnueError::Short { what, needed, left };
        let (taken, rest) = self.0.split_at_checked(needed).ok_or(short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn word(&mut self, what: &'static str) -> Result<u32, NnueError> {
        let bytes = self.take(4, what)?;
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    fn numbers(&mut self, count: usize, what: &'static str) -> Result<Vec<i16>, NnueError> {
        let (numbers, _) = self.take(2 * count, what)?.as_chunks();
        Ok(numbers
            .iter()
            .map(|&bytes| i16::from_le_bytes(bytes))
            .collect())
    }

    /// The contents of a compressed block.
    fn block(&mut self, what: &'static str) -> Result<&'a [u8], NnueError> {
        self.take(COMPRESSED.len(), what)?;
        let length = self.word(what)? as usize;
        self.take(length, what)
    }
}
