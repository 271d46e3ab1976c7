//! Laws of the plain array and of the patterns: three boards, two exchange values and two mates in
//! one agree with each other and with brute force, in every position of random games.

#[allow(dead_code, reason = "the laws of the boards use the rest")]
mod common;

use common::chance::Chance;
use common::games::{Game, Taste};
use common::setups::{CROWDED, ENTERED_KINGS, FEW_PIECES, FULL_HANDS, NO_KINGS, PROBLEM, Sort};
use std::fs;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::movegen::{self, perft};
use tesuji_shogi::tactics::{mate_in_one, mate_in_three, mate1_scan, see, see_scan};
use tesuji_shogi::{Board, Color, Count, Move, PieceKind, Position, Square, Value};

fn fixture(path: &str) -> String {
    let path = format!("{}/../../fixtures/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Calls `law` with every position of random games of a sort, `count` positions in all.
fn in_games(sort: Option<&Sort>, seed: u64, count: usize, mut law: impl FnMut(&mut Position)) {
    let mut chance = Chance::new(seed);
    let openings = fixture("openings/suite_1500.sfen");
    let openings: Vec<&str> = openings.lines().collect();
    let mut seen = 0;
    while seen < count {
        let start = match sort {
            Some(sort) => sort.position(&mut chance),
            None => Position::from_sfen(chance.one_of(&openings)).expect("a sound opening"),
        };
        let taste = chance.one_of(&Taste::ALL);
        let mut game = Game::new(start, taste);
        for _ in 0..60 {
            law(&mut game.pos);
            seen += 1;
            let legal = game.pos.legal_moves().sorted();
            if legal.is_empty() {
                break;
            }
            let mv = game.choose(&legal, &mut chance);
            game.play(mv);
        }
    }
}

fn everywhere(count: usize, mut law: impl FnMut(&mut Position)) {
    let sorts = [
        &FULL_HANDS,
        &ENTERED_KINGS,
        &FEW_PIECES,
        &CROWDED,
        &PROBLEM,
        &NO_KINGS,
    ];
    in_games(None, 1, count, &mut law);
    for (seed, sort) in (2..).zip(sorts) {
        in_games(Some(sort), seed, count, &mut law);
    }
}

#[test]
fn the_plain_array_gives_the_same_moves() {
    everywhere(20_000, |pos| {
        let mut board = ScanBoard::from(&*pos);
        let legal = pos.legal_moves().sorted();
        assert_eq!(board.legal_moves().sorted(), legal, "{pos:?}");
        let mut count = Count::default();
        let _ = board.legal(&mut count);
        assert_eq!(count.0, legal.len(), "{pos:?}");
        assert_eq!(board.key(), pos.key(), "{pos:?}");
        if let Some(&mv) = legal.get(pos.played() % legal.len().max(1)) {
            let before = board.clone();
            let (ours, theirs) = (board.play(mv), pos.change(mv));
            assert_eq!(ours, theirs, "{mv} in {pos:?}");
            board.undo();
            assert_eq!(board, before, "{mv} in {pos:?}");
        }
    });
}

#[test]
fn the_plain_array_counts_perft_lines() {
    let mut lines = 0;
    for line in fixture("perft/perft.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let nodes: u64 = fields[2].parse().unwrap();
        if nodes < 3_000_000 {
            let pos = Position::from_sfen(fields[0]).unwrap();
            let depth = fields[1].parse().unwrap();
            assert_eq!(
                perft::count(&mut ScanBoard::from(&pos), depth),
                nodes,
                "{line}"
            );
            lines += 1;
        }
    }
    assert!(lines > 80, "only {lines} lines were counted");
}

/// Whether some legal move mates, by trying all.
fn brute_mate(pos: &mut Position) -> bool {
    let moves = pos.legal_moves();
    moves.iter().any(|mv| is_mate(pos, mv))
}

fn is_mate(pos: &mut Position, mv: Move) -> bool {
    pos.is_legal(mv) && pos.after(mv, |pos, _| pos.in_check() && !movegen::has_legal_move(pos))
}

#[test]
fn mates_in_one_are_found_and_never_made_up() {
    let mut mates = 0;
    everywhere(12_000, |pos| {
        let expected = brute_mate(pos);
        mates += u32::from(expected);
        let before = pos.clone();
        let by_sets = mate_in_one(pos);
        assert_eq!(*pos, before, "the position is left as it was");
        let by_array = mate1_scan::mate_in_one(&ScanBoard::from(&*pos));
        for (name, found) in [("sets", by_sets), ("array", by_array)] {
            assert_eq!(found.is_some(), expected, "by {name}: {found:?} in {pos:?}");
            assert!(
                found.is_none_or(|mv| is_mate(pos, mv)),
                "by {name}: {found:?} in {pos:?}"
            );
        }
    });
    assert!(mates > 1_000, "only {mates} positions had a mate");
}

#[test]
fn mates_in_one_of_the_lists_are_found() {
    let lists = [
        ("legal/test_mate-1-ply.txt", true),
        ("legal/test_no-mate-1-ply.txt", false),
    ];
    for (path, expected) in lists {
        let text = fixture(path);
        let sfens: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        assert!(sfens.len() >= 1_567, "{path}");
        for sfen in sfens {
            let mut pos = Position::from_sfen(sfen).unwrap();
            assert_eq!(mate_in_one(&mut pos).is_some(), expected, "{sfen}");
            let by_array = mate1_scan::mate_in_one(&ScanBoard::from(&pos));
            assert_eq!(by_array.is_some(), expected, "{sfen}");
        }
    }
}

#[test]
fn mates_in_one_at_the_edge_of_the_rules_of_thumb() {
    let cases = [
        // The piece that leaves lets a slider defend another piece next to the king.
        (
            "2s+Bp2Gl/3s4+P/8P/3p1+P2L/1rk6/1nn3+n2/1lK1g3S/lPP+p2SPR/B4Pg2 w GN6P2p 1",
            true,
        ),
        (
            "2s+Bp2Gl/1r1s4+P/8P/3p1+P2L/2k6/1nn3+nG1/1lK1g3S/lPP+p2SPR/B4Pg2 w N6P2p 1",
            true,
        ),
        // A dragon on a diagonal does not see past what stands next to it.
        (
            "4R1p2/1sk3S2/2n5+P/3+P+R2pn/1gl1ppP1n/2pN1P2P/2+pG2GPL/3PBKLBG/+l+ps6 b s4p 1",
            false,
        ),
    ];
    for (sfen, expected) in cases {
        let mut pos = Position::from_sfen(sfen).unwrap();
        assert_eq!(brute_mate(&mut pos), expected, "{sfen}");
        assert_eq!(mate_in_one(&mut pos).is_some(), expected, "{sfen}");
    }
}

/// Whether the side to move mates in three at most, by trying every move.
fn brute_mate_in_three(pos: &mut Position) -> bool {
    if brute_mate(pos) {
        return true;
    }
    let moves = pos.legal_moves();
    moves.iter().any(|mv| {
        pos.after(mv, |pos, _| {
            let answers = pos.legal_moves();
            pos.in_check()
                && answers
                    .iter()
                    .all(|mv| pos.after(mv, |pos, _| brute_mate(pos)))
        })
    })
}

#[test]
fn mates_in_three_equal_brute_force() {
    let mut mates = 0;
    for (seed, sort) in (20..).zip([&CROWDED, &FEW_PIECES, &PROBLEM]) {
        in_games(Some(sort), seed, 1_200, |pos| {
            let expected = brute_mate_in_three(pos);
            mates += u32::from(expected);
            assert_eq!(mate_in_three(pos).is_some(), expected, "{pos:?}");
        });
    }
    assert!(mates > 50, "only {mates} positions had a mate");
}

/// What the side to move gains at most by taking on a square, all captures tried in order of worth;
/// the same rules as the fast ones, told once more from the plain array of pieces.
fn plain_gain(board: &mut [Option<(Color, PieceKind)>; 81], turn: Color, square: Square) -> i32 {
    let attackers = |board: &[Option<(Color, PieceKind)>; 81], color: Color| {
        let mut found: Vec<Square> = Square::all()
            .filter(|&from| {
                board[from.index()].is_some_and(|(owner, kind)| {
                    owner == color && from != square && reaches(board, kind, color, from, square)
                })
            })
            .collect();
        found.sort_by_key(|from| board[from.index()].map(|(_, kind)| kind.worth()));
        found
    };
    let Some(&from) = attackers(board, turn).first() else {
        return 0;
    };
    let (_, kind) = board[from.index()].expect("an attacker");
    let (_, prize) = board[square.index()].expect("a prize");
    let saved = (board[from.index()], board[square.index()]);
    board[square.index()] = board[from.index()].take();
    let defended = !attackers(board, !turn).is_empty();
    let gain = if kind == PieceKind::King && defended {
        0
    } else {
        (prize.worth().points() - plain_gain(board, !turn, square)).max(0)
    };
    (board[from.index()], board[square.index()]) = saved;
    gain
}

fn reaches(
    board: &[Option<(Color, PieceKind)>; 81],
    kind: PieceKind,
    color: Color,
    from: Square,
    to: Square,
) -> bool {
    let occupied = Square::all()
        .filter(|square| board[square.index()].is_some())
        .collect();
    tesuji_shogi::attacks::of(kind, color, from, occupied).has(to)
}

fn plain_exchange(pos: &Position, mv: Move) -> Value {
    let mut board: [Option<(Color, PieceKind)>; 81] = std::array::from_fn(|i| {
        let piece = Square::new(i).and_then(|square| pos.at(square));
        piece.map(|piece| (piece.color(), piece.kind()))
    });
    let (to, turn) = (mv.to(), pos.turn());
    let moved = match mv.dropped() {
        Some(kind) => kind,
        None => {
            board[mv.from().expect("a move on the board").index()]
                .take()
                .expect("a piece")
                .1
        }
    };
    let placed = if mv.is_promotion() {
        moved.promoted().expect("a piece that promotes")
    } else {
        moved
    };
    let taken = board[to.index()].map_or(Value::ZERO, |(_, kind)| kind.worth());
    board[to.index()] = Some((turn, placed));
    taken + placed.worth() - moved.worth() - Value::new(plain_gain(&mut board, !turn, to))
}

#[test]
fn exchanges_equal_a_plain_search_of_the_captures() {
    let mut exchanged = 0;
    everywhere(1_200, |pos| {
        let moves = pos.legal_moves();
        // Drops are many and alike: a few of them are enough.
        for mv in moves
            .iter()
            .filter(|mv| !mv.is_drop() || mv.to().index() % 7 == 0)
        {
            let expected = plain_exchange(pos, mv);
            exchanged += u32::from(expected != Value::ZERO);
            assert_eq!(see::exchange(pos, mv), expected, "{mv} in {pos:?}");
            assert_eq!(see_scan::exchange(pos, mv), expected, "{mv} in {pos:?}");
            for margin in [-300, -1, 0, 1, 300] {
                let threshold = expected + Value::new(margin);
                let is = see::is_at_least(pos, mv, threshold);
                assert_eq!(is, margin <= 0, "{mv} at least {threshold:?} in {pos:?}");
            }
        }
    });
    assert!(exchanged > 10_000, "only {exchanged} exchanges mattered");
}
