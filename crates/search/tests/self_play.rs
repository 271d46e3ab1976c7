//! Whole games against itself: every answer legal, every line told legal to its end.
//!
//! A few games in every run; a thousand with `cargo test -p tesuji-search --test self_play --
//! --ignored`.

use tesuji_eval::Relation;
use tesuji_search::tournament::Tournament;
use tesuji_search::{
    Answer, Phase, Search, SearchControl, SearchInfo, SearchLimits, SearchListener, SearchRequest,
};
use tesuji_shogi::{Board, Position};

/// Plays every line that is told on a board.
struct CheckedLines<'a> {
    pos: &'a Position,
    lines: usize,
}

impl SearchListener for CheckedLines<'_> {
    fn info(&mut self, info: &SearchInfo) {
        let mut pos = self.pos.clone();
        for &mv in &info.pv {
            let legal = pos.try_play(mv).is_ok();
            assert!(legal, "{mv} of {:?} in {}", info.pv, self.pos.to_sfen());
        }
        assert!(!info.pv.is_empty(), "a line has a move");
        self.lines += 1;
    }
}

/// Plays games from openings of a few random moves, two threads in every third, three lines in
/// every fourth; counts moves and lines.
fn play(games: std::ops::Range<u64>) -> (usize, usize) {
    let (mut moves, mut lines) = (0, 0);
    for game in games {
        let threads = if game % 3 == 0 { 2 } else { 1 };
        let mut search = Tournament::new(Relation::new(), threads, 1 << 20).expect("room");
        let mut pos = opening(game);
        let limits = SearchLimits {
            nodes: Some(100 + game * 37 % 500),
            multi_pv: if game % 4 == 0 { 3 } else { 1 },
            ..SearchLimits::default()
        };
        for _ in 0..300 {
            let request = SearchRequest::new(pos.clone()).with_limits(limits.clone());
            let control = SearchControl::new(Phase::Thinking, None);
            let mut checked = CheckedLines {
                pos: &pos,
                lines: 0,
            };
            let best = search.think(&request, &control, &mut checked);
            lines += checked.lines;
            let Answer::Move(mv) = best.answer else { break };
            assert_eq!(best.pv.first(), Some(&mv));
            let legal = pos.try_play(mv).is_ok();
            assert!(legal, "{mv} in game {game}: {}", pos.to_sfen());
            let reply = best.ponder;
            assert!(reply.is_none_or(|reply| pos.is_legal(reply)), "{reply:?}");
            moves += 1;
        }
    }
    (moves, lines)
}

/// Eight moves of Knuth's numbers.
fn opening(seed: u64) -> Position {
    let (mut pos, mut number) = (Position::start(), seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..8 {
        number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let moves = pos.legal_moves();
        let mv = moves.get((number >> 33) as usize % moves.len());
        pos.play(mv.expect("the first moves of a game leave moves"));
    }
    pos
}

#[test]
fn every_answer_and_every_line_is_legal() {
    let (moves, lines) = play(0..8);
    assert!(moves > 300 && lines > moves, "{moves} moves, {lines} lines");
}

#[test]
#[ignore = "a thousand games take some minutes"]
fn every_answer_and_every_line_of_a_thousand_games_is_legal() {
    let (moves, lines) = play(1000..2000);
    println!("{moves} moves and {lines} lines in 1,000 games");
    assert!(moves > 50_000 && lines > moves);
}
