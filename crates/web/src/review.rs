//! The review of a game: what each move cost, how well both sides played, where the game turned.
//!
//! Two searches of neighbouring positions differ by more than many mistakes cost, so a move is never
//! judged by that difference alone. Where it is large, the move that was played and the best one are
//! compared in one search of the position before, at the same depth; what counts is the winning
//! chance that was lost, as lichess does it.

use crate::game_view::{GameView, MoveReview, slip_grade};
use crate::protocol::message::{ReviewMessage, SlipView};
use crate::protocol::position::line_view;
use tesuji_record::analysis::{Grade, accuracy, chance};
use tesuji_record::{GamePosition, NodeId};
use tesuji_search::{SearchInfo, SearchListener};
use tesuji_shogi::{Bound, Color, Move, Value};

/// A move whose neighbours' values differ by so much of the winning chance is looked at again.
pub(crate) const SUSPICION: f64 = 0.04;

/// How many moves of a better line are shown.
const LONGEST_LINE: usize = 14;

/// What a value for Black is worth to a side: its winning chance.
pub(crate) fn chance_of(color: Color, value: Value) -> f64 {
    match color {
        Color::Black => chance(value),
        Color::White => 1.0 - chance(value),
    }
}

/// Hears a search of several moves, to compare them at the same depth.
#[derive(Default)]
pub(crate) struct MoveComparison {
    lines: Vec<ComparedLine>,
}

/// What a search said about a move at a depth.
#[derive(Clone, Debug)]
pub(crate) struct ComparedLine {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// For the side to move.
    pub(crate) value: Value,
    pub(crate) line: Vec<Move>,
}

impl SearchListener for MoveComparison {
    fn info(&mut self, info: &SearchInfo) {
        if info.value.bound == Bound::Exact && !info.pv.is_empty() {
            self.lines.push(ComparedLine {
                depth: info.depth,
                nodes: info.nodes,
                value: info.value.value,
                line: info.pv.clone(),
            });
        }
    }
}

impl MoveComparison {
    /// Both moves at the greatest depth that both were searched to.
    pub(crate) fn result(&self, first: Move, second: Move) -> Option<[&ComparedLine; 2]> {
        let of = |mv: Move| self.lines.iter().rev().filter(move |l| l.line[0] == mv);
        let mut pairs = of(first).filter_map(|one| {
            let other = of(second).find(|other| other.depth == one.depth)?;
            Some([one, other])
        });
        pairs.next()
    }
}

/// What a review found, for a page.
pub(crate) fn message(view: &GameView) -> ReviewMessage {
    let game = view.record();
    let mut losses: [Vec<f64>; 2] = Default::default();
    let mut slips = Vec::new();
    let mut place = GamePosition::start(game);
    for (&node, review) in view.reviews() {
        let color = game.turn(node).foe();
        losses[color.index()].push(review.loss);
        let Some(grade) = review.grade() else {
            continue;
        };
        place.go(game, game[node].parent().unwrap_or(node));
        slips.push(SlipView {
            node: node.index(),
            color: color.into(),
            grade: slip_grade(grade),
            loss: review.loss,
            best: review.best.points(),
            best_mate: review.best.mate_distance(),
            played: review.played.points(),
            played_mate: review.played.mate_distance(),
            line: line_view(place.position(), &review.line, LONGEST_LINE),
            is_turning_point: turns(color, review),
        });
    }
    slips.sort_by_key(|slip| game.node(slip.node).map(|id| game[id].depth()));
    mark_worst(&mut slips);
    ReviewMessage {
        accuracy: losses.map(|losses| mean(losses.into_iter().map(accuracy))),
        slips,
    }
}

/// Whether the side that was not behind was behind after a move, by a mistake at least.
fn turns(color: Color, review: &MoveReview) -> bool {
    let [before, after] = [review.best, review.played].map(|value| chance_of(color, value));
    review.grade() >= Some(Grade::Mistake) && before >= 0.5 && after < 0.5
}

/// A game that never turned has its worst slip as the turning point.
fn mark_worst(slips: &mut [SlipView]) {
    if slips.iter().any(|slip| slip.is_turning_point) {
        return;
    }
    let worst = slips.iter_mut().max_by(|a, b| a.loss.total_cmp(&b.loss));
    worst
        .into_iter()
        .for_each(|slip| slip.is_turning_point = true);
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Whether the values of two neighbours make the move between them suspect. Both are for Black.
pub(crate) fn is_suspect(color: Color, before: Value, after: Value) -> bool {
    chance_of(color, before) - chance_of(color, after) >= SUSPICION
}

/// The review of a move that nothing speaks against.
pub(crate) const fn good_move(value: Value) -> MoveReview {
    MoveReview {
        loss: 0.0,
        best: value,
        played: value,
        line: Vec::new(),
    }
}

/// The review of a move that was compared with the best one; values for Black.
pub(crate) fn compared_move(
    color: Color,
    best: Value,
    played: Value,
    line: Vec<Move>,
) -> MoveReview {
    let loss = chance_of(color, best) - chance_of(color, played);
    MoveReview {
        loss: loss.max(0.0),
        best,
        played,
        line: if Grade::of_loss(loss).is_some() {
            line
        } else {
            Vec::new()
        },
    }
}

/// The node before which a slip happened, and its review.
pub(crate) fn slip(view: &GameView, node: NodeId) -> Option<(NodeId, &MoveReview)> {
    let review = view.reviews().get(&node)?;
    let parent = view.record()[node].parent()?;
    (!review.line.is_empty()).then_some((parent, review))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tesuji_search::Bounded;

    fn info(depth: u32, value: i32, pv: &str) -> SearchInfo {
        SearchInfo {
            depth,
            seldepth: depth,
            multipv: 1,
            value: Bounded {
                value: Value::new(value),
                bound: Bound::Exact,
            },
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: pv.split(' ').map(|mv| mv.parse().unwrap()).collect(),
        }
    }

    #[test]
    fn moves_are_compared_at_the_same_depth_only() {
        let mut comparison = MoveComparison::default();
        let [a, b] = ["7g7f", "9g9f"].map(|mv| mv.parse().unwrap());
        assert!(comparison.result(a, b).is_none());
        for (depth, value, pv) in [(5, 60, "7g7f 3c3d"), (5, 10, "9g9f"), (6, 900, "7g7f")] {
            comparison.info(&info(depth, value, pv));
        }
        let [best, played] = comparison.result(a, b).unwrap();
        assert_eq!((best.value.points(), played.value.points()), (60, 10));
        assert_eq!(best.line.len(), 2);
    }

    #[test]
    fn a_slip_is_what_costs_its_own_side() {
        let value = Value::new;
        assert!(is_suspect(Color::Black, value(300), value(0)));
        assert!(!is_suspect(Color::White, value(300), value(0)));
        let line = || vec!["7g7f".parse().unwrap()];
        let slip = compared_move(Color::Black, value(200), value(-200), line());
        assert_eq!(slip.grade(), Some(Grade::Mistake));
        assert!(turns(Color::Black, &slip) && !slip.line.is_empty());
        let fine = compared_move(Color::White, value(200), value(190), line());
        assert!(fine.loss == 0.0 && fine.line.is_empty());
        // Far ahead, the same points are nothing.
        let late = compared_move(Color::Black, value(4000), value(3000), line());
        assert_eq!(late.grade(), None);
    }
}
