//! What a thread keeps from one search to the next.

use crate::ordering::correction::CorrectionHistories;
use crate::ordering::history::Histories;
use std::io;
use tesuji_mate::LeafSolver;

/// The histories of one thread, and its solver of mates at the leaves.
pub(super) struct ThreadData {
    pub(super) histories: Histories,
    pub(super) corrections: CorrectionHistories,
    /// Made when it is first needed.
    pub(super) leaf_solver: Option<LeafSolver>,
}

impl ThreadData {
    /// # Errors
    /// If the system has no room for it.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            histories: Histories::new()?,
            corrections: CorrectionHistories::new(),
            leaf_solver: None,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.corrections = CorrectionHistories::new();
        self.leaf_solver = None;
    }
}
