//! The lines of a search: what it holds for best, and what it makes of a move that it does not.
//!
//! To compare leaves at the end of such lines is minimax tree optimization (Hoki and Kaneko 2014).

use tesuji_eval::AnyEval;
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{
    Phase, Search, SearchControl, SearchInfo, SearchLimits, SearchListener, SearchRequest,
};
use tesuji_shogi::{Bound, Move, Position};

/// As much as a search of some thousand nodes fills.
const TABLE_BYTES: usize = 1 << 20;

/// A tournament search that is asked for several lines.
pub(super) struct LineSearch {
    search: AnyTournament,
    nodes: u64,
}

impl LineSearch {
    pub(super) fn new(eval: &AnyEval, nodes: u64) -> std::io::Result<Self> {
        Ok(Self {
            search: AnyTournament::new(eval.clone(), 1, TABLE_BYTES)?,
            nodes,
        })
    }

    /// The line behind `played`, and those behind the best `rivals` of the other moves, each from the
    /// position itself. `None` if the search says nothing of `played`.
    pub(super) fn lines(
        &mut self,
        pos: &Position,
        played: Move,
        rivals: usize,
    ) -> Option<(Vec<Move>, Vec<Vec<Move>>)> {
        self.search.new_game(); // What is found depends on this position alone.
        let wanted = rivals + 1;
        let mut best = self.search(pos, Vec::new(), wanted, self.nodes);
        let known = best.iter().position(|line| line[0] == played);
        let chosen = match known {
            Some(place) => best.remove(place),
            // As many nodes as each of the others had.
            None => self
                .search(pos, vec![played], 1, self.nodes / wanted as u64)
                .pop()?,
        };
        best.truncate(rivals);
        Some((chosen, best))
    }

    fn search(
        &mut self,
        pos: &Position,
        search_moves: Vec<Move>,
        lines: usize,
        nodes: u64,
    ) -> Vec<Vec<Move>> {
        let mut request = SearchRequest::new(pos.clone()).with_limits(SearchLimits {
            multi_pv: lines,
            ..SearchLimits::nodes(nodes.max(1))
        });
        request.search_moves = search_moves;
        let mut best = BestLines::default();
        let control = SearchControl::new(Phase::Thinking, None);
        self.search.think(&request, &control, &mut best);
        best.0
    }
}

/// Keeps the newest line behind every best move, in the order of the last report.
#[derive(Default)]
struct BestLines(Vec<Vec<Move>>);

impl SearchListener for BestLines {
    fn info(&mut self, info: &SearchInfo) {
        let place = info.multipv - 1;
        if info.value.bound != Bound::Exact || info.pv.is_empty() || place > self.0.len() {
            return;
        }
        // A move that rose in the order leaves the place where it was.
        let before = self
            .0
            .iter()
            .skip(place)
            .position(|line| line[0] == info.pv[0]);
        if let Some(before) = before {
            self.0.remove(place + before);
        }
        self.0.insert(place, info.pv.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tesuji_shogi::Board;

    #[test]
    fn the_played_move_stands_beside_the_best_others() {
        let eval = AnyEval::new(tesuji_eval::Material);
        let mut search = LineSearch::new(&eval, 2000).unwrap();
        let pos = Position::from_sfen(
            "l6nl/2kg1rg2/1pnsp1bpp/p1ppspp2/7P1/P1PSSPP1P/1P1PP1N2/1BK1GR3/LN1G4L b - 37",
        )
        .unwrap();
        let moves = pos.legal_moves();
        for played in moves.iter().step_by(17) {
            let (chosen, rivals) = search.lines(&pos, played, 3).unwrap();
            assert_eq!(chosen[0], played);
            let first: HashSet<Move> = rivals.iter().map(|line| line[0]).collect();
            assert_eq!(first.len(), 3);
            assert!(!first.contains(&played));
            for line in rivals.iter().chain([&chosen]) {
                let mut end = pos.clone();
                line.iter()
                    .for_each(|&mv| end.try_play(mv).map(drop).unwrap());
            }
        }
    }
}
