//! The components of the table, each with the work it is measured at.

use crate::verb::bench::positions;
use crate::verb::bench::rounds::{Passes, WorkCount};
use std::hint::black_box;
use std::ops::ControlFlow;
use tesuji_shogi::Mailbox;
use tesuji_shogi::board::fresh_key;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::movegen::{self, perft};
use tesuji_shogi::tactics;
use tesuji_shogi::{Board, Count, Generators, Move, MoveList, Position, Square, Value};

/// A component, and how to set it to work on some positions; `None` if there is nothing to do.
pub(super) struct ComponentRow {
    /// As the table calls it.
    pub(super) name: String,
    /// Boards are set up here, outside the time that counts.
    pub(super) prepare: Prepare,
}

/// From positions to work on them.
type Prepare = Box<dyn Fn(&[Position]) -> Option<Passes>>;

/// Every component of the table. A new one needs a line here and nothing else.
pub(super) fn rows() -> Vec<ComponentRow> {
    let mut rows = board_rows("position", Position::clone);
    rows.extend(board_rows("mailbox", |pos| Mailbox::from(pos)));
    rows.extend(board_rows("scan", |pos| ScanBoard::from(pos)));
    rows.extend([
        generator("legal without worse", movegen::legal_without_worse),
        generator("captures", movegen::captures),
        generator("promotions", movegen::promotions),
        generator("quiet", movegen::quiet),
        generator("drops", movegen::drops),
        generator("checks", movegen::checks),
        evasions(),
        on_each("to each square", every_square, |pos, &square| {
            listed(|list| movegen::to(pos, square, list))
        }),
        on_each("onto each square", every_square, |pos, &square| {
            listed(|list| movegen::attacking(pos, square, list))
        }),
        on_each("escapes, each piece", attacked_pieces, |pos, &square| {
            listed(|list| movegen::escapes(pos, square, list))
        }),
        once("has legal move", |pos| asked(movegen::has_legal_move(pos))),
        on_each("is legal, legal moves", legal_moves, |pos, &mv| {
            asked(pos.is_legal(mv))
        }),
        on_each("is legal, any moves", any_moves, |pos, &mv| {
            asked(pos.is_legal(mv))
        }),
        once("mate in one", |pos| asked(tactics::mate_in_one(pos))),
        scan_mate(),
        once("mate in three", |pos| asked(tactics::mate_in_three(pos))),
        on_each("exchange", legal_moves, |pos, &mv| {
            asked(tactics::see::exchange(pos, mv))
        }),
        on_each("exchange is at least 0", legal_moves, |pos, &mv| {
            asked(tactics::see::is_at_least(pos, mv, Value::ZERO))
        }),
        on_scan("scan: captures", |board| {
            listed(|list| board.captures(list))
        }),
        on_scan("scan: checks", |board| listed(|list| board.checks(list))),
        on_scan("scan: to each square", |board| {
            Square::all()
                .map(|square| listed(|list| board.to(square, list)))
                .sum()
        }),
        on_scan("scan: onto each square", |board| {
            Square::all()
                .map(|square| listed(|list| board.attacking(square, list)))
                .sum()
        }),
        on_each("scan: exchange", legal_moves, |pos, &mv| {
            asked(tactics::see_scan::exchange(pos, mv))
        }),
        once("key", |pos| asked(pos.key())),
        once("key, from nothing", |pos| asked(fresh_key(pos))),
        once("write SFEN", |pos| asked(pos.to_sfen())),
        on_each("read SFEN", sfen, |_, sfen| {
            asked(Position::from_sfen(sfen))
        }),
    ]);
    rows
}

/// Whole trees. A new one needs a line here and nothing else.
pub(super) fn trees() -> Vec<ComponentRow> {
    let (start, festival) = (Position::start, positions::festival);
    vec![
        tree("start, perft 5", start(), |pos| perft::count(pos, 5)),
        tree("start, perft 5, played", start(), |pos| {
            perft::count_played(pos, 5)
        }),
        tree("festival, perft 3", festival(), |pos| perft::count(pos, 3)),
        tree("scan: start, perft 4", ScanBoard::from(&start()), |board| {
            perft::count(board, 4)
        }),
        tree(
            "mailbox: start, perft 3",
            Mailbox::from(&start()),
            |board| perft::count(board, 3),
        ),
    ]
}

/// A tree grown from a board: one call, with as many moves as it has leaves.
fn tree<B: Board + 'static>(name: &str, board: B, grow: fn(&mut B) -> u64) -> ComponentRow {
    ComponentRow {
        name: name.into(),
        prepare: Box::new(move |_| over(vec![board.clone()], move |board| grow(board) as usize)),
    }
}

/// What every board can do, measured alike on each.
fn board_rows<B: Board + 'static>(
    board: &str,
    from: impl Fn(&Position) -> B + Copy + 'static,
) -> Vec<ComponentRow> {
    let row = |name: &str, prepare: Prepare| ComponentRow {
        name: format!("{board}: {name}"),
        prepare,
    };
    vec![
        row(
            "legal list",
            Box::new(move |positions| {
                let boards = positions.iter().map(from).collect();
                over(boards, |board: &mut B| listed(|list| board.legal(list)))
            }),
        ),
        row(
            "legal count",
            Box::new(move |positions| {
                let boards = positions.iter().map(from).collect();
                over(boards, |board: &mut B| {
                    let mut count = Count::default();
                    let _ = board.legal(&mut count);
                    count.0
                })
            }),
        ),
        row(
            "play and undo",
            Box::new(move |positions| {
                let plays = positions.iter().map(|pos| (from(pos), legal_moves(pos)));
                over_each(plays.collect(), |board: &mut B, &mv| {
                    board.play(mv);
                    black_box(&mut *board);
                    board.undo();
                    0
                })
            }),
        ),
        row(
            "after",
            Box::new(move |positions| {
                let plays = positions.iter().map(|pos| (from(pos), legal_moves(pos)));
                over_each(plays.collect(), |board: &mut B, &mv| {
                    board.after(mv, |board, _| {
                        black_box(board);
                        0
                    })
                })
            }),
        ),
    ]
}

/// A special generator of the plain array.
fn on_scan(name: &str, generate: impl Fn(&ScanBoard) -> usize + Copy + 'static) -> ComponentRow {
    ComponentRow {
        name: name.into(),
        prepare: Box::new(move |positions| {
            let boards = positions.iter().map(ScanBoard::from).collect();
            over(boards, move |board: &mut ScanBoard| generate(board))
        }),
    }
}

/// A generator that fills a list.
fn generator(
    name: &str,
    generate: impl Fn(&Position, &mut MoveList) -> ControlFlow<()> + Copy + 'static,
) -> ComponentRow {
    once(name, move |pos| listed(|list| generate(pos, list)))
}

/// Evasions exist only in check.
fn evasions() -> ComponentRow {
    ComponentRow {
        name: "evasions".into(),
        prepare: Box::new(|positions| {
            let checked = positions.iter().filter(|pos| pos.in_check());
            over(checked.cloned().collect(), |pos| {
                listed(|list| movegen::evasions(pos, list))
            })
        }),
    }
}

/// Mate in one on the plain array.
fn scan_mate() -> ComponentRow {
    ComponentRow {
        name: "scan: mate in one".into(),
        prepare: Box::new(|positions| {
            let boards = positions.iter().map(ScanBoard::from).collect();
            over(boards, |board| {
                asked(tactics::mate1_scan::mate_in_one(board))
            })
        }),
    }
}

/// A question asked once per position.
fn once(name: &str, ask: impl Fn(&mut Position) -> usize + Copy + 'static) -> ComponentRow {
    ComponentRow {
        name: name.into(),
        prepare: Box::new(move |positions| over(positions.to_vec(), ask)),
    }
}

/// A question asked once per item of a position.
fn on_each<T: 'static>(
    name: &str,
    items: impl Fn(&Position) -> Vec<T> + 'static,
    ask: impl Fn(&mut Position, &T) -> usize + Copy + 'static,
) -> ComponentRow {
    ComponentRow {
        name: name.into(),
        prepare: Box::new(move |positions| {
            let asked = positions.iter().map(|pos| (pos.clone(), items(pos)));
            over_each(asked.collect(), ask)
        }),
    }
}

/// Passes over boards. The answers must be looked at, or the compiler would not ask.
fn over<B: 'static>(mut boards: Vec<B>, ask: impl Fn(&mut B) -> usize + 'static) -> Option<Passes> {
    if boards.is_empty() {
        return None;
    }
    Some(Box::new(move |repeat| {
        let mut moves = 0;
        for _ in 0..repeat {
            for board in &mut boards {
                moves += black_box(ask(black_box(board)));
            }
        }
        WorkCount {
            calls: repeat * boards.len() as u64,
            moves: moves as u64,
        }
    }))
}

/// Passes over the items of boards.
fn over_each<B: 'static, T: 'static>(
    mut boards: Vec<(B, Vec<T>)>,
    ask: impl Fn(&mut B, &T) -> usize + 'static,
) -> Option<Passes> {
    let items: usize = boards.iter().map(|(_, items)| items.len()).sum();
    if items == 0 {
        return None;
    }
    Some(Box::new(move |repeat| {
        let mut moves = 0;
        for _ in 0..repeat {
            for (board, items) in &mut boards {
                for item in items.iter() {
                    moves += ask(black_box(board), item);
                }
            }
        }
        WorkCount {
            calls: repeat * items as u64,
            moves: moves as u64,
        }
    }))
}

/// How many moves a generator puts into a list.
#[inline(always)]
fn listed(generate: impl FnOnce(&mut MoveList) -> ControlFlow<()>) -> usize {
    let mut list = MoveList::new();
    let _ = generate(&mut list);
    black_box(&list).len()
}

/// Looks at an answer that is no list of moves.
#[inline(always)]
fn asked<T>(answer: T) -> usize {
    black_box(answer);
    0
}

fn every_square(_: &Position) -> Vec<Square> {
    Square::all().collect()
}

fn sfen(pos: &Position) -> Vec<String> {
    vec![pos.to_sfen()]
}

fn legal_moves(pos: &Position) -> Vec<Move> {
    pos.legal_moves().iter().collect()
}

/// Moves from everywhere, most of them illegal in any one position.
fn any_moves(_: &Position) -> Vec<Move> {
    let festival = positions::festival();
    let others = [Position::start(), festival.flipped(), festival];
    others.iter().flat_map(legal_moves).collect()
}

fn attacked_pieces(pos: &Position) -> Vec<Square> {
    let own = pos.pieces(pos.turn()).iter();
    own.filter(|&square| pos.is_attacked(pos.turn().foe(), square))
        .collect()
}
