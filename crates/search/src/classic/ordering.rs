//! The order of moves in Bonanza's manner (Hoki 2005): the move of the table, captures that win, two
//! killers, then the rest by history; captures that lose come last.

use crate::search_board::SearchBoard;
use tesuji_shogi::{Color, Move, Piece, PieceKind, Square, Value};

/// What earlier nodes found out about quiet moves: killers of each ply, and how often a kind of
/// piece that goes to a square cut.
pub(super) struct MoveMemory {
    killers: Vec<[Option<Move>; 2]>,
    history: Vec<i32>,
}

/// No entry of the history grows beyond this.
const MOST_HISTORY: i32 = 1 << 14;

const TABLE_MOVE: i32 = i32::MAX;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 24);

impl MoveMemory {
    pub(super) fn new(plies: usize) -> Self {
        Self {
            killers: vec![[None; 2]; plies],
            history: vec![0; 2 * 16 * Square::COUNT],
        }
    }

    /// What the next search of the same game begins with: older experience counts half.
    pub(super) fn age(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|entry| *entry /= 2);
    }

    fn place(board: &impl SearchBoard, mv: Move) -> usize {
        let moved = mv.from().and_then(|from| board.at(from));
        let kind = mv.dropped().or(moved.map(Piece::kind));
        let color = usize::from(board.turn() == Color::White);
        let kind = kind.map_or(0, PieceKind::index);
        (color * 16 + kind) * Square::COUNT + mv.to().index()
    }

    /// A quiet move cut: it is likely to do so elsewhere. Those tried in vain before it are not.
    pub(super) fn reward(
        &mut self,
        board: &impl SearchBoard,
        ply: usize,
        (best, tried): (Move, &[Move]),
        depth: i32,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            killers[1] = killers[0];
            killers[0] = Some(best);
        }
        let bonus = (depth * depth).min(400);
        self.add(Self::place(board, best), bonus);
        for &mv in tried {
            self.add(Self::place(board, mv), -bonus);
        }
    }

    fn add(&mut self, place: usize, bonus: i32) {
        let entry = &mut self.history[place];
        *entry += bonus - *entry * bonus.abs() / MOST_HISTORY;
    }

    /// What a move is worth trying; the greatest comes first.
    pub(super) fn score(
        &self,
        board: &impl SearchBoard,
        ply: usize,
        mv: Move,
        table_move: Option<Move>,
    ) -> i32 {
        if table_move == Some(mv) {
            return TABLE_MOVE;
        }
        if let Some(victim) = board.at(mv.to()) {
            let cheap = mv.from().and_then(|from| board.at(from));
            let cheap = cheap.map_or(0, |piece| piece.kind().worth().points());
            let order = victim.kind().worth().points() * 8 - cheap / 8;
            return match board.exchange_is_at_least(mv, Value::ZERO) {
                true => GOOD_CAPTURE + order,
                false => BAD_CAPTURE + order,
            };
        }
        if self.killers[ply].contains(&Some(mv)) {
            return KILLER;
        }
        self.history[Self::place(board, mv)] + if mv.is_promotion() { MOST_HISTORY } else { 0 }
    }
}
