//! What a thread keeps from one search to the next.

use crate::ordering::correction::CorrectionHistories;
use crate::ordering::history::Histories;
use crate::params::Params;
use std::io;
use tesuji_kernels::AtomicWords;
use tesuji_mate::LeafSolver;

/// The histories of one thread, and its solver of mates at the leaves.
pub(super) struct ThreadData {
    pub(super) histories: Histories,
    pub(super) corrections: CorrectionHistories,
    /// Made when it is first needed.
    pub(super) leaf_solver: Option<LeafSolver>,
}

/// More than the small tables of a thread have, and what else it allocates to begin with.
const RESERVE: usize = 32 << 20;

impl ThreadData {
    /// How many bytes it has.
    pub(super) const BYTES: usize = Histories::BYTES + CorrectionHistories::BYTES;

    /// # Errors
    /// If the system has no room for it.
    pub(super) fn new() -> io::Result<Self> {
        // Small tables come from the allocator, which ends the program if there is no room: whoever
        // gets this much has room for them once it is given back.
        let reserve = AtomicWords::new(RESERVE / size_of::<u64>())?;
        let params = Params::default();
        let large = Histories::large(&params)?;
        drop(reserve);
        Ok(Self {
            histories: Histories::new(large, &params),
            corrections: CorrectionHistories::new(),
            leaf_solver: None,
        })
    }

    /// Forgets everything; what is not known yet is what these numbers say.
    pub(super) fn clear(&mut self, params: &Params) {
        self.histories.clear(params);
        self.corrections = CorrectionHistories::new();
        self.leaf_solver = None;
    }
}
