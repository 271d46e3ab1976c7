//! One worker's search on a memory that grows as needed.

use crate::dfpn::{MateWorker, Pause};
use crate::limits::{LimitWatch, StopReason};
use crate::memory::SearchMemory;
use crate::node::NodeOutcome;
use crate::table::FIRST_SLOTS;
use crate::table_growth::MemoryLimit;

/// A memory and how large it may become.
pub(crate) struct ProofSearch {
    pub(crate) memory: SearchMemory,
    pub(crate) limit: MemoryLimit,
}

impl ProofSearch {
    /// An empty memory, small to begin with.
    pub(crate) fn new(limit: MemoryLimit) -> Self {
        Self {
            memory: SearchMemory::new(FIRST_SLOTS),
            limit,
        }
    }

    /// Empties the memory and makes it small again.
    pub(crate) fn forget(&mut self) {
        if self.memory.table.len() == FIRST_SLOTS {
            self.memory.table.clear();
            self.memory.loops.clear();
        } else {
            self.memory = SearchMemory::new(FIRST_SLOTS);
        }
    }

    /// Runs a worker until its root is decided or a limit is reached.
    pub(crate) fn run(
        &mut self,
        worker: &mut MateWorker,
        watch: &mut LimitWatch<'_>,
    ) -> Result<NodeOutcome, StopReason> {
        loop {
            if let Some(outcome) = self.slice(worker, watch)? {
                return Ok(outcome);
            }
        }
    }

    /// Runs a worker until the limits have to be looked at.
    pub(crate) fn slice(
        &mut self,
        worker: &mut MateWorker,
        watch: &mut LimitWatch<'_>,
    ) -> Result<Option<NodeOutcome>, StopReason> {
        match worker.run(&self.memory, watch.slice(worker.nodes)) {
            Pause::Decided(outcome) => return Ok(Some(outcome)),
            Pause::Crowded => {
                self.limit.make_room(&mut self.memory, &|| watch.is_over());
                worker.relocate(&self.memory);
                watch.look(worker.nodes, worker.deepest, &self.memory)?;
            }
            Pause::Due => watch.look(worker.nodes, worker.deepest, &self.memory)?,
        }
        Ok(None)
    }
}
