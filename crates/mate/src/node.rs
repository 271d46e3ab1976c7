//! One position of the search with all its moves: their numbers, and what follows from them.
//!
//! Both sides are treated alike: `phi` is what the side to move still has to show to reach its
//! goal, `delta` what the other side has to show. A move with `phi` 0 wins, one with `delta` 0
//! loses; the position has the least `phi` of its moves, and the greatest `delta` plus a share of
//! the others.
//!
//! The greatest number instead of the sum: weak proof numbers, Ueda and others (2008). Thresholds a
//! little beyond the rival (1 + ε): Pawlewicz and Lew (2007).

use crate::dominance::PackedHand;
use crate::heuristic_init::HeuristicInit;
use crate::number::{INFINITE, ProofNumber, plus};
use crate::path_registry::seen_by_next;
use crate::table::{Length, MASK_BITS, PositionKey};
use tesuji_shogi::Move;

/// What is known of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProofState {
    /// Never searched.
    Fresh,
    /// Searched, undecided.
    Open,
    /// The attacker mates.
    Mate,
    /// The defender escapes.
    Escape,
    /// The defender escapes on this path, by a loop that begins at this depth; −1 if the depth of
    /// the search was at its end.
    Loop(i16),
}

/// "No next move" in a chain.
pub(crate) const NONE: u16 = u16::MAX;

/// One move of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) mv: Move,
    /// Which of two equal moves comes first: the smaller.
    pub(crate) rank: i16,
    pub(crate) state: ProofState,
    /// Whether it takes part; otherwise it waits for another move of its chain to be decided.
    pub(crate) active: bool,
    /// Whether it waits for another move to begin with.
    pub(crate) is_delayed: bool,
    /// Whether its delta is compared with others instead of summed.
    pub(crate) shared: bool,
    /// The move that waits for this one.
    pub(crate) next: u16,
    pub(crate) position: PositionKey,
    pub(crate) phi: ProofNumber,
    pub(crate) delta: ProofNumber,
    /// What decides it: the hand of the proof or of the refutation.
    pub(crate) hand: PackedHand,
    pub(crate) length: Length,
    /// What its own entry says about its moves.
    pub(crate) mask: u32,
}

impl Child {
    /// What it adds to the greatest delta of its node: about half as much as its own has binary
    /// digits. Its whole delta would be exact in trees, but in long problems the same positions
    /// would be counted many times; one (weak proof numbers, Ueda 2008) is blind in short ones.
    #[inline(always)]
    fn share(&self) -> ProofNumber {
        if self.shared {
            0
        } else {
            ProofNumber::from((65 - self.delta.leading_zeros()) / 2)
        }
    }

    #[inline(always)]
    pub(crate) fn is_decided(&self) -> bool {
        !matches!(self.state, ProofState::Fresh | ProofState::Open)
    }
}

/// What all moves of a node amount to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChildSummary {
    pub(crate) phi: ProofNumber,
    pub(crate) delta: ProofNumber,
    pub(crate) best: usize,
    pub(crate) second_phi: ProofNumber,
    /// The delta of everything but the best move.
    pub(crate) others: ProofNumber,
}

/// How the search of a node ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeOutcome {
    pub(crate) state: ProofState,
    pub(crate) phi: ProofNumber,
    pub(crate) delta: ProofNumber,
    pub(crate) hand: PackedHand,
    pub(crate) length: Length,
}

/// A position on the path of the search.
pub(crate) struct MateNode {
    pub(crate) attacking: bool,
    pub(crate) position: PositionKey,
    /// The number of the path that led here.
    pub(crate) sum: u64,
    /// How many plies the mate may take from here.
    pub(crate) length: Length,
    pub(crate) children: Vec<Child>,
    /// What its moves are worth before they are searched.
    pub(crate) init: HeuristicInit,
    /// Whether a number of a child came from a shallower depth.
    pub(crate) has_old_child: bool,
    /// The thresholds given, and those in force.
    pub(crate) thresholds: Thresholds,
    pub(crate) extended: Thresholds,
    /// The TCA extensions when the node was entered.
    pub(crate) tca_extensions: u32,
    /// The move being searched.
    pub(crate) chosen: usize,
    pub(crate) summary: ChildSummary,
    /// Where the table keeps it.
    pub(crate) slot: usize,
    /// Whether to leave at once: an old child was searched as far as it should be.
    pub(crate) done: bool,
    /// The count of nodes when the node was entered.
    pub(crate) started: u64,
}

/// The node is left when one of its numbers reaches its threshold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    pub(crate) phi: ProofNumber,
    pub(crate) delta: ProofNumber,
}

impl MateNode {
    pub(crate) fn empty() -> Self {
        let never = Thresholds {
            phi: INFINITE,
            delta: INFINITE,
        };
        Self {
            attacking: true,
            position: PositionKey::default(),
            sum: 0,
            length: Length::ANY,
            children: Vec::new(),
            init: HeuristicInit::NONE,
            has_old_child: false,
            thresholds: never,
            extended: never,
            tca_extensions: 0,
            chosen: 0,
            summary: ChildSummary {
                phi: INFINITE,
                delta: 0,
                best: 0,
                second_phi: INFINITE,
                others: 0,
            },
            slot: 0,
            done: false,
            started: 0,
        }
    }

    /// Whether it was left a moment ago and is entered again by the same path: everything in it is
    /// as it was.
    #[inline(always)]
    pub(crate) fn is_at(&self, position: PositionKey, sum: u64, length: Length) -> bool {
        self.position == position && self.sum == sum && self.length == length
    }

    /// Adds up the moves.
    pub(crate) fn sum_up(&mut self) {
        let mut best = usize::MAX;
        let (mut best_phi, mut second_phi) = (INFINITE, INFINITE);
        let (mut top, mut top_share, mut sum, mut waiting) = (0, 0, 0, 0);
        for (i, child) in self.children.iter().enumerate() {
            if !child.active {
                waiting = 1;
                continue;
            }
            let share = child.share();
            sum += share;
            if child.delta > top {
                (top, top_share) = (child.delta, share);
            }
            if child.phi <= best_phi {
                let wins = best == usize::MAX
                    || child.phi < best_phi
                    || self.prefers(child, &self.children[best]);
                if wins {
                    (second_phi, best_phi, best) = (best_phi, child.phi, i);
                    continue;
                }
            }
            second_phi = second_phi.min(child.phi);
        }
        // Moves that wait are not for nothing, or interposing would look ever weaker.
        sum += waiting;
        let best = if best == usize::MAX { 0 } else { best };
        let own_share = self.children.get(best).map_or(0, |child| child.share());
        self.summary = ChildSummary {
            phi: best_phi,
            delta: plus(top, sum - top_share),
            best,
            second_phi,
            others: sum - own_share,
        };
    }

    /// Which of two moves with the same phi to look at first.
    #[inline(always)]
    fn prefers(&self, one: &Child, other: &Child) -> bool {
        if one.phi == 0 {
            // An escape that holds everywhere is worth more than one on this path.
            return match (one.state, other.state) {
                (ProofState::Loop(a), ProofState::Loop(b)) => a > b,
                (ProofState::Escape, ProofState::Loop(_)) => true,
                (ProofState::Mate, ProofState::Mate) => one.length < other.length,
                _ => false,
            };
        }
        (one.delta, one.rank) < (other.delta, other.rank)
    }

    /// Chooses the move to search and says with which thresholds: the best, unless others are
    /// there and a move nearly as good is left.
    #[inline(always)]
    pub(crate) fn choose(&mut self, others_at: impl Fn(PositionKey) -> u8) -> Thresholds {
        let ChildSummary {
            best, second_phi, ..
        } = self.summary;
        self.chosen = best;
        if others_at(self.children[best].position) == 0 {
            return self.thresholds_of(best, second_phi);
        }
        let (chosen, rival) = self.least_crowded(others_at);
        if self.children[chosen].phi >= self.extended.phi {
            return self.thresholds_of(best, second_phi);
        }
        self.chosen = chosen;
        self.thresholds_of(chosen, rival)
    }

    /// The move with the least phi as it looks to the next thread, and the phi of the one after it.
    fn least_crowded(&self, others_at: impl Fn(PositionKey) -> u8) -> (usize, ProofNumber) {
        let (mut least, mut rival, mut chosen) = (INFINITE, INFINITE, self.summary.best);
        for (i, child) in self.children.iter().enumerate() {
            if !child.active || child.is_decided() {
                continue;
            }
            let phi = seen_by_next(child.phi, others_at(child.position));
            let wins = phi < least
                || phi == least && least < INFINITE && self.prefers(child, &self.children[chosen]);
            if wins {
                (rival, least, chosen) = (least, phi, i);
            } else {
                rival = rival.min(phi);
            }
        }
        (chosen, rival)
    }

    /// The thresholds for a move with a rival of this phi.
    #[inline(always)]
    fn thresholds_of(&self, index: usize, rival: ProofNumber) -> Thresholds {
        let child = &self.children[index];
        let left = self.extended.delta.saturating_sub(self.summary.others);
        // A little beyond the rival, or two moves of equal worth would be taken up in turn (1 + ε,
        // Pawlewicz and Lew 2007).
        let beyond = plus(rival, rival / 8 + 1);
        // What the child calls phi is delta here. It is always given something to do.
        Thresholds {
            phi: left.max(plus(child.delta, 1)),
            delta: self.extended.phi.min(beyond).max(plus(child.phi, 1)),
        }
    }

    /// Extends the thresholds so that at least one more position is looked at.
    #[inline(always)]
    pub(crate) fn extend_thresholds(&mut self) {
        self.extended.phi = self.thresholds.phi.max(plus(self.summary.phi, 1));
        self.extended.delta = self.thresholds.delta.max(plus(self.summary.delta, 1));
    }

    #[inline(always)]
    pub(crate) fn is_within(&self) -> bool {
        self.summary.phi < self.extended.phi && self.summary.delta < self.extended.delta
    }

    /// Which of the first moves share their delta, as bits.
    pub(crate) fn mask(&self) -> u32 {
        let first = self.children.iter().take(MASK_BITS as usize);
        first
            .enumerate()
            .fold(0, |mask, (i, child)| mask | u32::from(child.shared) << i)
    }
}
