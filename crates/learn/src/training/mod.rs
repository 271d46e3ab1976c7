//! What every training needs, whatever is trained: checkpoints, a log, and curves.

pub(crate) mod checkpoint;
pub(crate) mod curves;
pub(crate) mod log;
