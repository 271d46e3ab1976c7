//! What every training needs, whatever is trained: checkpoints, a log, curves, and files.

pub(crate) mod checkpoint;
pub(crate) mod curves;
pub(crate) mod log;
pub(crate) mod output;
