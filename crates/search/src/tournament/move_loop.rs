//! The move loop: each move of a node is pruned, extended, reduced, searched.
//!
//! The order of the steps follows Stockfish.

use super::node_state::{NodeState, NodeType};
use super::scores::{is_decided, is_loss};
use super::worker::SearchWorker;
use crate::ordering::PieceTo;
use crate::ordering::move_picker::{MovePicker, PickerContext, PickerMode};
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::tactics::CheckSquares;
use tesuji_shogi::{Move, PieceKind, Value};

/// The moves that were searched before the best one, for the histories.
#[derive(Default)]
pub(super) struct SearchedMoves {
    pub(super) move_count: i32,
    pub(super) quiets: ShortMoveList,
    pub(super) captures: ShortMoveList,
}

/// Up to 32 moves, as their bits; more are not kept.
#[derive(Default)]
pub(super) struct ShortMoveList {
    moves: [u16; 32],
    len: usize,
}

impl ShortMoveList {
    fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv.bits();
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        let moves = self.moves[..self.len].iter();
        moves.filter_map(|&bits| Move::from_bits(bits))
    }
}

/// The move that is being searched.
pub(super) struct CurrentMove {
    pub(super) mv: Move,
    /// Its number among the moves of the node, from 1.
    pub(super) number: i32,
    pub(super) piece_to: PieceTo,
    pub(super) captured: Option<PieceKind>,
    pub(super) gives_check: bool,
    /// How deep the node behind it is searched if nothing is reduced.
    pub(super) depth: i32,
    /// By how much it is reduced, in 1024ths of a ply.
    pub(super) reduction: i32,
}

impl<E: Eval> SearchWorker<'_, E> {
    /// Searches every move that is worth it; breaks if the search is stopped or enough is known.
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        node: &mut NodeState,
        searched: &mut SearchedMoves,
    ) -> ControlFlow<Value> {
        let checks = CheckSquares::of(&self.pos);
        let mut picker = self.move_picker(PickerMode::All, node.tt_move, node.in_check);
        let flow = self.search_each_move::<N>(node, &checks, &mut picker, searched);
        picker.close(&mut self.move_arena);
        flow
    }

    fn search_each_move<N: NodeType>(
        &mut self,
        node: &mut NodeState,
        checks: &CheckSquares,
        picker: &mut MovePicker,
        searched: &mut SearchedMoves,
    ) -> ControlFlow<Value> {
        while let Some(mv) = self.next_move(node, Some(checks), picker) {
            if node.excluded_move == Some(mv) || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            searched.move_count += 1;
            if N::ROOT {
                self.pending_currmove = Some((mv, self.pv_index + searched.move_count as usize));
            }
            self.frame(node.ply).move_count = searched.move_count;
            let mut current = self.current_move(node, checks, mv, searched.move_count);
            if !N::ROOT && !is_loss(node.best_value) && self.is_pruned(node, &current, picker) {
                continue;
            }
            let extension = self.singular_extension::<N>(node, &current)?;
            let nodes = self.nodes;
            self.do_move(mv, node.ply);
            current.depth += extension;
            let value = self.search_child::<N>(node, &mut current);
            self.undo_move();
            if self.stopped {
                return Break(Value::ZERO);
            }
            if N::ROOT {
                self.update_root_move(node, mv, searched.move_count, value, self.nodes - nodes);
            }
            if self.update_best::<N>(node, mv, value, extension) {
                return Continue(());
            }
            if node.best_move != Some(mv) {
                let list = if current.captured.is_some() {
                    &mut searched.captures
                } else {
                    &mut searched.quiets
                };
                list.push(mv);
            }
        }
        Continue(())
    }

    /// A picker for the moves of the position on the board.
    #[inline]
    pub(super) fn move_picker(
        &self,
        mode: PickerMode,
        tt_move: Option<Move>,
        in_check: bool,
    ) -> MovePicker {
        let all_legal_moves = self.shared.request.rules.all_legal_moves;
        MovePicker::new(mode, tt_move, in_check, all_legal_moves, &self.move_arena)
    }

    #[inline]
    pub(super) fn next_move(
        &mut self,
        node: &NodeState,
        checks: Option<&CheckSquares>,
        picker: &mut MovePicker,
    ) -> Option<Move> {
        let context = PickerContext {
            pos: &self.pos,
            params: self.params(),
            histories: &self.thread.histories,
            checks,
            continuations: &node.continuations,
            pawn_key: node.pawn_key,
            ply: node.ply,
        };
        picker.next(&context, &mut self.move_arena)
    }

    #[inline]
    fn current_move(
        &self,
        node: &NodeState,
        checks: &CheckSquares,
        mv: Move,
        number: i32,
    ) -> CurrentMove {
        let captured = self.pos.at(mv.to()).map(|piece| piece.kind());
        let mut reduction = self.base_reduction(node, number);
        if node.tt_pv {
            reduction += self.params().lmr_tt_pv;
        }
        CurrentMove {
            mv,
            number,
            piece_to: PieceTo::new(self.pos.moved_piece_after(mv), mv.to()),
            captured,
            gives_check: checks.is_check(&self.pos, mv),
            depth: node.depth - 1,
            reduction,
        }
    }

    /// Takes note of a value; whether it fails high, so that no other move is needed.
    fn update_best<N: NodeType>(
        &mut self,
        node: &mut NodeState,
        mv: Move,
        value: Value,
        extension: i32,
    ) -> bool {
        if value <= node.best_value {
            return false;
        }
        node.best_value = value;
        if value <= node.alpha {
            return false;
        }
        node.best_move = Some(mv);
        if N::PV && !N::ROOT {
            self.update_pv(node.ply, mv);
        }
        if value >= node.beta {
            self.frame(node.ply).cutoff_count += i32::from(extension < 2 || N::PV);
            return true;
        }
        let params = self.params();
        let depths = params.alpha_raise_least_depth..=params.alpha_raise_most_depth;
        if depths.contains(&node.depth) && !is_decided(value) {
            // At a node of depth 1 there is nothing to be saved.
            node.depth = (node.depth - params.alpha_raise_reduction).max(1);
        }
        node.alpha = value;
        false
    }
}
