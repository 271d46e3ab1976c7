//! The evaluation that a network corrects, asked about samples.

use tesuji_eval::nnue::Skip;
use tesuji_eval::{Evaluator, Material, Relation};
use tesuji_shogi::Position;

/// Evaluates what the network corrects.
pub(super) enum SkipEval {
    Nothing,
    Material,
    Relation(Relation),
}

impl SkipEval {
    pub(super) fn new(skip: Skip) -> Self {
        match skip {
            Skip::Nothing => Self::Nothing,
            Skip::PieceValues => Self::Material,
            Skip::Relation => Self::Relation(Relation::new()),
        }
    }

    pub(super) fn value(&self, pos: &Position) -> i16 {
        let value = match self {
            Self::Nothing => return 0,
            Self::Material => Material.evaluate(pos),
            Self::Relation(relation) => relation.evaluate(pos),
        };
        value.points().clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }
}
