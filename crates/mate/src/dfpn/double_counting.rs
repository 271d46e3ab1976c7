//! Double counting: positions that a node would count twice, because two of its moves lead there
//! (SNDA, Kishimoto 2010, who finds the node where two paths part by parents kept in the table).

use super::MateWorker;
use crate::memory::SearchMemory;
use crate::node::ProofState;
use crate::number::{INFINITE, ProofNumber, plus};
use crate::table::PositionKey;

/// How far the numbers of a position may exceed those of the next before its other moves matter
/// more than the one that is counted twice.
const TRIBUTARY: ProofNumber = 8;

impl MateWorker {
    /// Finds out whether the best move of the topmost node leads where another move of the path
    /// leads as well; if so, the two are counted once.
    pub(crate) fn detect_double_counting(&mut self, memory: &SearchMemory) {
        let Some((branch, position, attacking)) = self.known_ancestor(memory) else {
            return;
        };
        for depth in (0..self.top).rev() {
            let node = &mut self.stack[depth];
            if depth == usize::from(branch) {
                let chosen = node.chosen;
                node.children[chosen].shared = true;
                let other = node
                    .children
                    .iter_mut()
                    .find(|child| child.position == position);
                if let Some(other) = other {
                    other.shared = true;
                }
                return;
            }
            let rest = node.summary.delta
                - node.children[node.summary.best]
                    .delta
                    .min(node.summary.delta);
            if node.attacking == attacking && rest > TRIBUTARY {
                return;
            }
        }
    }

    /// Follows the parents kept in the table from the best move up to a position of the path: its
    /// depth, the move below it, and who is to move there.
    fn known_ancestor(&self, memory: &SearchMemory) -> Option<(u16, PositionKey, bool)> {
        let node = &self.stack[self.top];
        let best = node.children.get(node.summary.best)?;
        if best.state != ProofState::Open {
            return None;
        }
        let mut slot = memory.table.slot_of(best.position)?;
        let (mut attacking, mut last) = (node.attacking, (INFINITE, INFINITE));
        let (mut proofs, mut disproofs) = (true, true);
        for step in 0..self.top {
            let (position, entry) = memory.table.at_slot(slot)?;
            slot = (entry.parent as usize).checked_sub(1)?;
            let (parent, _) = memory.table.at_slot(slot)?;
            if step == 0 && parent == node.position {
                return None;
            }
            proofs &= entry.pn <= plus(last.0, TRIBUTARY);
            disproofs &= entry.dn <= plus(last.1, TRIBUTARY);
            if let Some(depth) = self.path.depth_of(parent) {
                let twice = if attacking { disproofs } else { proofs };
                return twice.then_some((depth, position, attacking));
            }
            if !proofs && !disproofs {
                return None;
            }
            last = (entry.pn, entry.dn);
            attacking = !attacking;
        }
        None
    }
}
