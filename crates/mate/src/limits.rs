//! What a search may cost, how far it is, and the watch over both.

use crate::memory::SearchMemory;
use crate::table_growth::MemoryLimit;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How much a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct MateLimits<'a> {
    /// At most so many positions.
    pub nodes: Option<u64>,
    /// At most so long.
    pub time: Option<Duration>,
    /// Set by anybody who wants the search to end at once.
    pub stop: Option<&'a AtomicBool>,
    /// Whether to go on until the mate found is the shortest.
    pub shortest: bool,
}

impl MateLimits<'_> {
    /// No limits at all.
    pub const NONE: MateLimits<'static> = MateLimits {
        nodes: None,
        time: None,
        stop: None,
        shortest: false,
    };

    /// Whether the time is over or somebody asked to stop.
    pub(crate) fn is_over(&self, started: Instant) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || self.time.is_some_and(|most| started.elapsed() >= most)
    }
}

/// Why a search ended before it knew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StopReason {
    /// All nodes were used.
    #[error("the nodes are used up")]
    Nodes,
    /// The time is over.
    #[error("the time is over")]
    Time,
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
    /// Paths became longer than the solver can follow.
    #[error("the lines are too long")]
    Depth,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct MateReport {
    /// Positions looked at.
    pub nodes: u64,
    /// How long it has been running.
    pub time: Duration,
    /// How long the longest line was.
    pub depth: u32,
    /// How much of the memory that may be used is, in thousandths.
    pub fullness: u32,
}

/// Receives reports of how far a search is, about once a second.
pub trait MateProgress {
    /// Takes a report.
    fn report(&mut self, report: &MateReport);
}

/// Ignores progress.
impl MateProgress for () {
    fn report(&mut self, _: &MateReport) {}
}

/// Nodes between two looks at the clock.
const SLICE: u64 = 1024;

/// How often progress is told.
const INTERVAL: Duration = Duration::from_millis(1000);

/// Keeps an eye on the limits.
pub(crate) struct LimitWatch<'a> {
    limits: &'a MateLimits<'a>,
    progress: &'a mut dyn MateProgress,
    room: MemoryLimit,
    started: Instant,
    told: Instant,
}

impl<'a> LimitWatch<'a> {
    pub(crate) fn new(
        limits: &'a MateLimits<'a>,
        progress: &'a mut dyn MateProgress,
        room: MemoryLimit,
    ) -> Self {
        let started = Instant::now();
        Self {
            limits,
            progress,
            room,
            started,
            told: started,
        }
    }

    /// How many nodes may pass until the next look.
    pub(crate) fn slice(&self, nodes: u64) -> u64 {
        let left = self
            .limits
            .nodes
            .map_or(SLICE, |most| most.saturating_sub(nodes));
        left.clamp(1, SLICE)
    }

    /// Whether somebody wants an answer now.
    pub(crate) fn is_over(&self) -> bool {
        self.limits.is_over(self.started)
    }

    /// The limits, and when they began to hold.
    pub(crate) fn deadline(&self) -> (&'a MateLimits<'a>, Instant) {
        (self.limits, self.started)
    }

    /// Looks at the clock and at everything else that may end a search.
    pub(crate) fn look(
        &mut self,
        nodes: u64,
        depth: u16,
        memory: &SearchMemory,
    ) -> Result<(), StopReason> {
        if self.limits.stop.is_some_and(|stop| stop.load(Relaxed)) {
            return Err(StopReason::Stopped);
        }
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            return Err(StopReason::Nodes);
        }
        let now = Instant::now();
        if self
            .limits
            .time
            .is_some_and(|most| now - self.started >= most)
        {
            return Err(StopReason::Time);
        }
        if now - self.told >= INTERVAL {
            self.told = now;
            self.progress.report(&MateReport {
                nodes,
                time: now - self.started,
                depth: u32::from(depth),
                fullness: self.room.fullness(memory),
            });
        }
        Ok(())
    }
}
