//! The generators against positions and counts that other programs have confirmed.

use std::fs;
use tesuji_shogi::Mailbox;
use tesuji_shogi::movegen::{self, perft};
use tesuji_shogi::{Board, Move, MoveList, PieceKind, Position};

fn fixture(path: &str) -> String {
    let path = format!("{}/../../fixtures/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// A line of the perft table.
struct Line {
    pos: Position,
    depth: u32,
    nodes: u64,
}

fn perft_lines() -> Vec<Line> {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let line = |text: &str| match text.split('\t').collect::<Vec<_>>()[..] {
        [sfen, depth, nodes] => Line {
            pos: position(sfen),
            depth: number(depth) as u32,
            nodes: number(nodes),
        },
        _ => panic!("{text:?} is not `sfen depth nodes`"),
    };
    let lines: Vec<_> = fixture("perft/perft.tsv").lines().map(line).collect();
    assert_eq!(lines.len(), 100);
    lines
}

#[test]
fn position_counts_every_perft_line() {
    for mut line in perft_lines() {
        let found = perft::count(&mut line.pos, line.depth);
        assert_eq!(found, line.nodes, "depth {} of {:?}", line.depth, line.pos);
    }
}

#[test]
fn position_counts_the_same_when_leaves_are_played() {
    for mut line in perft_lines() {
        if line.nodes < 3_000_000 {
            let found = perft::count_played(&mut line.pos, line.depth);
            assert_eq!(found, line.nodes, "depth {} of {:?}", line.depth, line.pos);
        }
    }
}

#[test]
fn mailbox_counts_the_short_perft_lines() {
    for line in perft_lines() {
        if line.nodes < 200_000 {
            let found = perft::count(&mut Mailbox::from(&line.pos), line.depth);
            assert_eq!(found, line.nodes, "depth {} of {:?}", line.depth, line.pos);
        }
    }
}

#[test]
fn the_parts_of_a_perft_add_up() {
    for mut line in perft_lines() {
        if line.nodes < 200_000 && line.depth > 0 {
            let parts = perft::divide(&mut line.pos, line.depth);
            let sum: u64 = parts.iter().map(|&(_, nodes)| nodes).sum();
            assert_eq!(sum, line.nodes, "{:?}", line.pos);
        }
    }
}

/// The positions of a file, each with the moves that the line behind it names.
fn examples(path: &str) -> Vec<(Position, Vec<Move>)> {
    let text = fixture(path);
    let lines: Vec<_> = text.lines().collect();
    let read = |pair: &[&str]| {
        let mut words = pair[1].split_whitespace();
        let count: usize = words.next().and_then(|w| w.parse().ok()).expect("a count");
        let mut moves: Vec<Move> = words.map(|word| word.parse().expect("a move")).collect();
        assert_eq!(moves.len(), count, "{}", pair[0]);
        moves.sort_unstable();
        (position(pair[0]), moves)
    };
    lines.chunks_exact(2).map(read).collect()
}

/// Whether a move is the drop of a pawn that mates, by playing it on the plain board.
fn is_pawn_drop_mate(board: &mut Mailbox, mv: Move) -> bool {
    mv.dropped() == Some(PieceKind::Pawn)
        && board.after(mv, |next, _| {
            next.in_check() && next.legal_moves().is_empty()
        })
}

/// Compares with the moves of a file. Both files leave out the non-promotions that are never
/// better, as [`movegen::legal_without_worse`] does, but they keep pawn-drop mates. Returns how many
/// of these they hold: every other move must agree.
fn pawn_drop_mates_in(path: &str, moves: impl Fn(&Position) -> MoveList) -> usize {
    let examples = examples(path);
    assert_eq!(examples.len(), 5_000);
    let mut mates = 0;
    for (pos, mut listed) in examples {
        let mut board = Mailbox::from(&pos);
        assert_eq!(board.legal_moves().sorted(), pos.legal_moves().sorted());
        let before = listed.len();
        listed.retain(|&mv| !is_pawn_drop_mate(&mut board, mv));
        mates += before - listed.len();
        assert_eq!(moves(&pos).sorted(), listed, "{pos:?}");
    }
    mates
}

fn without_worse(pos: &Position) -> MoveList {
    let mut list = MoveList::new();
    assert!(movegen::legal_without_worse(pos, &mut list).is_continue());
    list
}

fn checks(pos: &Position) -> MoveList {
    let mut list = MoveList::new();
    assert!(movegen::checks(pos, &mut list).is_continue());
    list
}

#[test]
fn legal_moves_agree_with_the_listed_ones() {
    let mates = pawn_drop_mates_in("legal/test_legal-move-examples.txt", without_worse);
    assert_eq!(mates, 30);
}

#[test]
fn checks_agree_with_the_listed_ones() {
    let useful_checks = |pos: &Position| {
        let useful = without_worse(pos);
        checks(pos)
            .iter()
            .filter(|&mv| useful.contains(mv))
            .collect()
    };
    let mates = pawn_drop_mates_in("legal/test_legal-check-examples.txt", useful_checks);
    assert_eq!(mates, 42);
}

/// Whether some check leaves the foe without an answer.
fn has_mate_in_one(pos: &mut Position) -> bool {
    let checks = checks(pos);
    let mut is_mate = |mv| pos.after(mv, |next, _| !movegen::has_legal_move(next));
    checks.iter().any(&mut is_mate)
}

#[test]
fn mates_in_one_are_where_they_should_be() {
    for (path, count, expected) in [
        ("legal/test_mate-1-ply.txt", 1_568, true),
        ("legal/test_no-mate-1-ply.txt", 1_574, false),
    ] {
        let text = fixture(path);
        assert_eq!(text.lines().count(), count);
        for sfen in text.lines() {
            assert_eq!(has_mate_in_one(&mut position(sfen)), expected, "{sfen}");
        }
    }
}

/// One pawn drop mates in each: in the first three the only piece that could take the pawn is
/// pinned, in the last there is none. Programs are known that miscount them.
#[test]
fn pawn_drop_mate_is_excluded_and_nothing_else() {
    for (sfen, count) in [
        ("R6sk/9/7G1/9/9/9/9/9/4K4 b P 1", 110),
        ("4k4/9/9/9/9/9/1g7/9/KS6r w p 1", 110),
        ("4kg2R/9/2NG5/6N2/9/9/9/9/4K4 b P 1", 103),
        ("k8/9/9/9/3B5/9/9/9/1R6K b P 1", 108),
    ] {
        let pos = position(sfen);
        assert_eq!(pos.legal_moves().len(), count, "{sfen}");
        assert_eq!(Mailbox::from(&pos).legal_moves().len(), count, "{sfen}");
    }
}

/// The largest positions that are known: 207 and 593 legal moves, 198 and 562 worth a look.
#[test]
fn the_largest_lists_have_their_known_size() {
    for (sfen, all, useful) in [
        (
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            207,
            198,
        ),
        (
            "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
            593,
            562,
        ),
    ] {
        let pos = position(sfen);
        assert_eq!(pos.legal_moves().len(), all, "{sfen}");
        assert_eq!(without_worse(&pos).len(), useful, "{sfen}");
        assert_eq!(Mailbox::from(&pos).legal_moves().len(), all, "{sfen}");
    }
}
