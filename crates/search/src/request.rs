//! What a search is asked: a position, the rules of the game, and when to stop.

use crate::result::{Answer, SearchResult};
use tesuji_shogi::rules::declare;
use tesuji_shogi::{
    Board, ByColor, Declaration, DeclarationRule, Move, MoveList, Position, Value, movegen,
};

/// Everything a search needs to know before it begins.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position, with the moves that led to it: repetition looks at them.
    pub position: Position,
    /// The only root moves to consider; empty for all.
    pub search_moves: Vec<Move>,
    /// The rules beyond the board.
    pub rules: Rules,
    /// When to stop.
    pub limits: SearchLimits,
}

/// What the organiser of a game and its player decide beyond the moves of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// By which rule a side may declare.
    pub declaration: DeclarationRule,
    /// After how many moves a game is drawn.
    pub move_limit: Option<u32>,
    /// What a draw is worth to the side that is to move at the root, by its colour.
    pub draw_value: ByColor<Value>,
    /// Whether moves that are always worse than their promotion (a pawn, a bishop or a rook that
    /// stays as it is) are considered too.
    pub all_legal_moves: bool,
}

/// When to stop, beside the clock that [`SearchControl`](crate::SearchControl) keeps. What is
/// `None` does not limit.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// After so many iterations.
    pub depth: Option<u32>,
    /// After so many nodes, exactly, if one thread searches.
    pub nodes: Option<u64>,
    /// When a mate in at most so many plies is found.
    pub mate: Option<u32>,
    /// Not before it is told to stop, even if there is nothing more to find out.
    pub infinite: bool,
    /// How many best lines are wanted (MultiPV); 0 means one.
    pub multi_pv: usize,
    /// How strong to play, from 0 (a beginner) to 20 (everything one has).
    pub skill_level: Option<u32>,
}

impl SearchLimits {
    /// Stops after so many iterations.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Stops after so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }
}

impl SearchRequest {
    /// A position under the usual rules, without limits.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            search_moves: Vec::new(),
            rules: Rules::default(),
            limits: SearchLimits::default(),
        }
    }

    /// The same request with these limits.
    #[must_use]
    pub fn with_limits(mut self, limits: SearchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The answer where there is nothing to search: a declaration, or no legal move. Whoever asks
    /// for certain moves wants one of them, not a declaration.
    pub fn immediate_result(&self) -> Option<SearchResult> {
        let declaration = match self.search_moves.is_empty() {
            true => declare(&self.position, self.rules.declaration),
            false => Declaration::Draw,
        };
        let (answer, value) = match declaration {
            Declaration::Win => (Answer::Declare, Value::mate_in(1)),
            Declaration::Try(mv) => (Answer::Move(mv), Value::mate_in(1)),
            Declaration::Draw | Declaration::NotAllowed(_) => {
                if movegen::has_legal_move(&self.position) {
                    return None;
                }
                (Answer::Resign, Value::mated_in(0))
            }
        };
        Some(SearchResult {
            answer,
            ponder: None,
            value,
            depth: 0,
            nodes: 0,
            pv: answer.played().into_iter().collect(),
        })
    }

    /// The root moves to choose from: legal, and among the wanted ones if any of those is legal.
    pub fn root_moves(&self) -> Vec<Move> {
        let mut list = MoveList::new();
        let pos = &self.position;
        let _ = if self.rules.all_legal_moves || !self.search_moves.is_empty() {
            movegen::legal(pos, &mut list)
        } else {
            movegen::legal_without_worse(pos, &mut list)
        };
        if list.is_empty() {
            // A position whose only moves are the ones left out.
            list = pos.legal_moves();
        }
        let wanted = |mv: &Move| self.search_moves.is_empty() || self.search_moves.contains(mv);
        let chosen: Vec<_> = list.iter().filter(wanted).collect();
        if chosen.is_empty() {
            pos.legal_moves().iter().collect()
        } else {
            chosen
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(sfen: &str) -> SearchRequest {
        SearchRequest::new(Position::from_sfen(sfen).unwrap())
    }

    #[test]
    fn without_a_legal_move_one_resigns() {
        let mated = request("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").immediate_result();
        assert_eq!(mated.map(|result| result.answer), Some(Answer::Resign));
        let start = SearchRequest::new(Position::start());
        assert_eq!(start.immediate_result(), None);
    }

    #[test]
    fn an_entered_king_declares_unless_certain_moves_are_wanted() {
        let mut entered = request("+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1");
        let result = entered.immediate_result().unwrap();
        assert_eq!(result.answer, Answer::Declare);
        assert!(result.pv.is_empty());
        entered.search_moves = vec!["5b5c".parse().unwrap()];
        assert_eq!(entered.immediate_result(), None);
        assert_eq!(entered.root_moves(), entered.search_moves);
    }

    #[test]
    fn wanted_moves_that_are_illegal_leave_all_others() {
        let mut start = SearchRequest::new(Position::start());
        start.search_moves = vec!["5e5d".parse().unwrap()];
        assert_eq!(start.root_moves().len(), 30);
    }
}
