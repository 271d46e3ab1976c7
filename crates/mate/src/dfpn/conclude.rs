//! What the moves of a node say about it: won, lost, or open, with which hand and how soon.

use super::MateWorker;
use crate::dominance::{self, PackedHand};
use crate::node::{MateNode, NodeOutcome, ProofState};
use crate::number::INFINITE;
use crate::table::Length;

impl MateWorker {
    /// What the moves of the topmost node say about it.
    pub(crate) fn conclude(&self) -> NodeOutcome {
        let node = &self.stack[self.top];
        let summary = &node.summary;
        if summary.phi == 0 {
            self.won(node)
        } else if summary.delta == 0 {
            self.lost(node)
        } else {
            NodeOutcome {
                state: ProofState::Open,
                phi: summary.phi,
                delta: summary.delta,
                hand: node.position.hand,
                length: node.length,
            }
        }
    }

    /// The side to move has a winning move.
    fn won(&self, node: &MateNode) -> NodeOutcome {
        let best = &node.children[node.summary.best];
        let length = best.length.longer();
        let (state, hand) = if node.attacking {
            let hand = dominance::before(&self.pos, best.mv, best.hand);
            (ProofState::Mate, hand)
        } else {
            let hand = dominance::escape(&self.pos, best.mv, best.hand);
            self.closed(node, best.state, hand)
        };
        NodeOutcome {
            state,
            phi: 0,
            delta: INFINITE,
            hand,
            length,
        }
    }

    /// A loop that begins here or later ends here: what it refutes is refuted for good.
    fn closed(
        &self,
        node: &MateNode,
        state: ProofState,
        hand: PackedHand,
    ) -> (ProofState, PackedHand) {
        match state {
            ProofState::Loop(start) if start < self.top as i16 => (state, node.position.hand),
            _ => (ProofState::Escape, hand),
        }
    }

    /// Every move of the side to move loses.
    fn lost(&self, node: &MateNode) -> NodeOutcome {
        let (state, hand, length) = if node.attacking {
            let (mut hand, mut length) = (PackedHand::FULL, node.length);
            let mut state = ProofState::Escape;
            for child in &node.children {
                hand = hand.least(dominance::before(&self.pos, child.mv, child.hand));
                length = length.min(child.length.longer());
                state = match (state, child.state) {
                    (ProofState::Loop(a), ProofState::Loop(b)) => ProofState::Loop(a.min(b)),
                    (_, ProofState::Loop(b)) => ProofState::Loop(b),
                    (kept, _) => kept,
                };
            }
            if node.children.is_empty() {
                length = Length::ANY;
            }
            let hand = dominance::disproof(&self.pos, self.king_of_defender(), hand);
            let (state, hand) = self.closed(node, state, hand);
            (state, hand, length)
        } else {
            let (mut hand, mut length) = (PackedHand::EMPTY, Length(0));
            for child in &node.children {
                hand = hand.most(child.hand);
                length = length.max(child.length.longer());
            }
            (ProofState::Mate, dominance::proof(&self.pos, hand), length)
        };
        NodeOutcome {
            state,
            phi: INFINITE,
            delta: 0,
            hand,
            length,
        }
    }
}
