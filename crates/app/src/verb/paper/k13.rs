//! Kuma Shogi (2013): generators, exchanges and mates in one without bitboards.

use super::report::{FESTIVAL, Report, read};
use tesuji_shogi::movegen::perft;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::tactics::{mate_in_one, mate1_scan, see, see_scan};
use tesuji_shogi::{Board, Mailbox, Move, MoveList, Position};

/// Million per second.
fn millions(nanos: f64) -> String {
    format!("{:.2} M/s", 1e3 / nanos)
}

pub(super) fn run(report: &mut Report) {
    let pos = read(FESTIVAL);
    let scan = ScanBoard::from(&pos);
    time_generators(report, &pos, &scan);
    time_exchanges(report, &pos, &scan);
    time_mates(report, &pos, &scan);
    count_moves(report, &pos, &scan);
    report.row(
        "lines of the generator",
        "7 million for evasions alone, generated",
        "about 1200, generic over side and square",
    );
    report.differs("the machine: 2013 against today; one core each");
    report.differs("strength (R2600 on floodgate with fv.bin) needs games: tesuji match kuma2013 …, docs/papers.md");
    report.differs("the learner is `tesuji train online`");
}

fn time_generators(report: &mut Report, pos: &Position, scan: &ScanBoard) {
    let mailbox = Mailbox::from(pos);
    let generations = "full generations, festival position";
    for (board, then, nanos) in [
        (
            "array, unrolled (scan)",
            "3.0 M/s",
            report.nanos(|| list(scan)),
        ),
        (
            "bitboards (position)",
            "as fast (magic)",
            report.nanos(|| list(pos)),
        ),
        (
            "plain array (mailbox)",
            "-",
            report.nanos(|| list(&mailbox)),
        ),
    ] {
        report.row(format!("{generations}: {board}"), then, millions(nanos));
    }
}

fn time_exchanges(report: &mut Report, pos: &Position, scan: &ScanBoard) {
    let captures: Vec<Move> = pos
        .legal_moves()
        .iter()
        .filter(|mv| pos.is_capture(*mv))
        .collect();
    let each = captures.len().max(1) as f64;
    let listed = report.nanos(|| {
        captures
            .iter()
            .map(|&mv| see_scan::exchange(scan, mv).points())
            .sum::<i32>()
    });
    let by_sets = report.nanos(|| {
        captures
            .iter()
            .map(|&mv| see::exchange(pos, mv).points())
            .sum::<i32>()
    });
    report.row(
        "exchange values from lists (scan)",
        "-",
        millions(listed / each),
    );
    report.row(
        "exchange values by sets (position)",
        "-",
        millions(by_sets / each),
    );
}

fn time_mates(report: &mut Report, pos: &Position, scan: &ScanBoard) {
    report.row(
        "mate in one from the 3×3 squares (scan)",
        "0.7 M/s",
        millions(report.nanos(|| mate1_scan::mate_in_one(scan))),
    );
    let mut board = pos.clone();
    report.row(
        "mate in one by sets (position)",
        "-",
        millions(report.nanos(|| mate_in_one(&mut board))),
    );
}

fn count_moves(report: &mut Report, pos: &Position, scan: &ScanBoard) {
    let depth = if report.is_quick() { 2 } else { 3 };
    let same = perft::count(&mut scan.clone(), depth) == perft::count(&mut pos.clone(), depth);
    report.row(
        format!("array and bitboards count the same, {depth} moves deep"),
        "-",
        if same { "yes" } else { "NO" },
    );
    let check = pos.legal_moves().len();
    report.row(
        "legal moves of the festival position",
        "-",
        check.to_string(),
    );
}

fn list(board: &impl Board) -> usize {
    let mut moves = MoveList::new();
    let _ = board.legal(&mut moves);
    moves.len()
}
