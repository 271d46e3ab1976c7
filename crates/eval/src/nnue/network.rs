//! One network for all architectures: the feature transformer, the layers above it, and the value
//! they give.
//!
//! Only the width of the feature transformer is a type. Which features it looks at and how large
//! the other layers are is decided by a branch that never changes its mind, and the instruction set
//! by whose kernels are called, so that a search is compiled for each width and not for each
//! network.

use super::buckets::Buckets;
use super::error::NnueError;
use super::feature_transformer::{FeatureTransformer, RefreshCache};
use super::file::NetworkFile;
use super::layers::laid_out;
use super::neuron_order;
use super::shape::Activation;
use crate::evaluator::Evaluator;
use tesuji_kernels::{Column, HugePageArray, Kernels, Layers};
use tesuji_shogi::{ByColor, Change, Color, Position, Value};

/// The divisor of a network that names none.
const FV_SCALE: i32 = 16;
/// Values end below the mates.
const LIMIT: i32 = Value::MATE_FLOOR.points() - 1;

/// A network whose feature transformer is `N` wide.
#[derive(Debug)]
pub struct Network<const N: usize> {
    transformer: FeatureTransformer<N>,
    activation: Activation,
    stacks: Vec<Layers>,
    buckets: Option<Buckets>,
    fv_scale: i32,
}

/// Who wants a network of whatever width.
pub trait NetworkVisitor {
    /// What comes out.
    type Out;
    /// Takes the network.
    fn visit<const N: usize>(self, network: Network<N>) -> Self::Out;
}

impl<const N: usize> Network<N> {
    /// Lays a network out and gives it the kernels of an instruction set.
    pub fn new(file: &NetworkFile, kernels: Kernels) -> Result<Self, NnueError> {
        if file.shape.width != N {
            return Err(NnueError::Width(file.shape.width));
        }
        let mut biases = Column::default();
        biases.0.copy_from_slice(&file.biases);
        let table = HugePageArray::copied(&file.weights);
        let mut transformer = FeatureTransformer {
            kernels,
            features: file.shape.features,
            biases,
            table: table.map_err(|_| NnueError::Memory(2 * file.weights.len()))?,
        };
        let order = neuron_order::by_activity(&transformer, &file.shape);
        let columns = transformer.table.columns_mut().iter_mut();
        for column in columns.chain([&mut transformer.biases]) {
            neuron_order::rearrange(column, &order);
        }
        let stacks = file.stacks.iter();
        Ok(Self {
            transformer,
            activation: file.shape.activation,
            stacks: stacks
                .map(|stack| laid_out(stack, &file.shape, &order))
                .collect(),
            buckets: file.extension.buckets,
            fv_scale: FV_SCALE,
        })
    }

    /// The same network with another divisor for its output; less than one counts as one.
    pub fn with_fv_scale(self, fv_scale: i32) -> Self {
        Self {
            fv_scale: fv_scale.max(1),
            ..self
        }
    }

    /// Which stack of layers evaluates a position: by the bucket it is in, or else by how far each king
    /// has come, in thirds.
    #[inline]
    fn stack(&self, pos: &Position) -> &Layers {
        if self.stacks.len() == 1 {
            return &self.stacks[0];
        }
        if let Some(buckets) = &self.buckets {
            return &self.stacks[buckets.of_position(pos)];
        }
        let turn = pos.turn();
        // Both kings count the ranks from the side that moves them forward.
        let third = |color: Color| {
            pos.king(color)
                .map_or(0, |king| usize::from(king.rank_for(color) - 1) / 3)
        };
        &self.stacks[third(turn) * 3 + third(turn.foe())]
    }
}

/// Lays a network of any supported width out and hands it to the visitor.
pub fn enter<V: NetworkVisitor>(
    file: NetworkFile,
    kernels: Kernels,
    visitor: V,
) -> Result<V::Out, NnueError> {
    Ok(match file.shape.width {
        256 => visitor.visit(open::<256>(file, kernels)?),
        512 => visitor.visit(open::<512>(file, kernels)?),
        768 => visitor.visit(open::<768>(file, kernels)?),
        1024 => visitor.visit(open::<1024>(file, kernels)?),
        1536 => visitor.visit(open::<1536>(file, kernels)?),
        width => return Err(NnueError::Width(width)),
    })
}

/// Lays a network out and gives the memory of its file back.
fn open<const N: usize>(file: NetworkFile, kernels: Kernels) -> Result<Network<N>, NnueError> {
    Network::new(&file, kernels)
}

impl<const N: usize> Evaluator for Network<N> {
    type Accumulator = Column<N>;
    type RefreshCache = RefreshCache<N>;
    // Every step carried is there for all lines that branch off it.
    const MAX_UPDATES: usize = usize::MAX;

    #[inline]
    fn refresh(
        &self,
        pos: &Position,
        pov: Color,
        accumulator: &mut Column<N>,
        cache: &mut RefreshCache<N>,
    ) {
        self.transformer.refresh(pos, pov, accumulator, cache);
    }

    #[inline]
    fn needs_refresh(&self, pov: Color, change: &Change) -> bool {
        self.transformer.needs_refresh(pov, change)
    }

    #[inline]
    fn update(
        &self,
        pos: &Position,
        pov: Color,
        change: &Change,
        old: &Column<N>,
        new: &mut Column<N>,
    ) {
        self.transformer.update(pos, pov, change, old, new);
    }

    #[inline]
    fn output(&self, pos: &Position, accumulators: ByColor<&Column<N>>) -> Value {
        Value::new((self.raw_output(pos, accumulators) / self.fv_scale).clamp(-LIMIT, LIMIT))
    }

    #[inline]
    fn raw_output(&self, pos: &Position, accumulators: ByColor<&Column<N>>) -> i32 {
        let turn = pos.turn();
        let accumulators = [accumulators[turn], accumulators[turn.foe()]];
        let layers = self.stack(pos);
        match self.activation {
            Activation::ClippedRelu => self
                .transformer
                .kernels
                .forward_clipped(accumulators, layers),
            Activation::SquaredClippedRelu => self
                .transformer
                .kernels
                .forward_squared(accumulators, layers),
            Activation::Pairwise => self
                .transformer
                .kernels
                .forward_pairwise(accumulators, layers),
        }
    }
}
