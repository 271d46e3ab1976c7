//! The quick way against the plain one, entry by entry.

use super::*;
use crate::entry::BookEntry;
use crate::format::{self, BookFormat, db::DbReader};
use std::fmt::Write;
use std::path::PathBuf;
use tesuji_shogi::Board;

/// What the plain way writes.
fn plainly(text: &str, plan: MinimaxPlan, path: &Path) -> String {
    let fold = |pos: &Position| match (plan.folds, pos.turn()) {
        (true, Color::White) => pos.flipped(),
        _ => pos.clone(),
    };
    let mut graph = Graph::default();
    let mut order = Vec::new();
    for entry in DbReader::new(text.as_bytes()) {
        let entry = entry.unwrap();
        let is_turned = plan.folds && entry.pos.turn() == Color::White;
        let entry = if is_turned { entry.rotated() } else { entry };
        let node = graph.add_folded(&entry, fold).unwrap();
        if graph.is_expanded(node) && !order.contains(&node) {
            order.push(node);
        }
    }
    if plan.connects {
        graph.connect(plan.folds, || ());
    }
    let mut solver = GraphSolver::new(Evaluations);
    solver.solve(&graph);
    let draws = solver.draw_distances(&graph);
    let entries = order.iter().map(|&node| {
        let mut entry: BookEntry = solver.entry(&graph, node, &draws).unwrap();
        if plan.shrinks {
            let best = entry.moves[0].value;
            entry.moves.retain(|mv| mv.value == best);
        }
        Ok(entry)
    });
    format::write(path, BookFormat::Db, entries).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// A book of short games that often meet: few pieces, few squares to go to, now and then a check.
fn random_book(dice: &mut fastrand::Rng) -> String {
    let starts = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/4p4/9/9/9/4P4/9/4K4 b Rr 1",
        "4k4/9/9/9/9/4R4/9/9/4K4 w GSNLPgsnlp 8",
    ];
    let start = Position::from_sfen(starts[dice.usize(..starts.len())]).unwrap();
    let mut text = String::new();
    for _ in 0..dice.usize(1..60) {
        let mut pos = start.clone();
        for _ in 0..dice.usize(1..9) {
            let legal = pos.legal_moves();
            if legal.is_empty() {
                break;
            }
            let _ = writeln!(text, "sfen {}", pos.to_sfen());
            for _ in 0..dice.usize(1..4) {
                let mv = legal.get(dice.usize(..legal.len().min(6))).unwrap();
                let (value, depth) = (dice.i32(-4..5) * 20, dice.u32(0..3));
                let _ = writeln!(text, "{mv} none {value} {depth} {}", dice.u32(0..9));
            }
            if dice.u32(..20) == 0 {
                let _ = writeln!(text, "resign none 0 0");
            }
            pos.play(legal.get(dice.usize(..legal.len().min(6))).unwrap());
        }
    }
    text
}

fn quickly(inputs: &[PathBuf], plan: MinimaxPlan, output: &Path) -> Option<String> {
    let written = text_books(inputs, output, plan, &|_| ()).unwrap();
    written.map(|_| std::fs::read_to_string(output).unwrap())
}

fn plans() -> impl Iterator<Item = MinimaxPlan> {
    (0..8).map(|bits| MinimaxPlan {
        connects: bits & 1 == 0,
        folds: bits & 2 != 0,
        shrinks: bits & 4 != 0,
    })
}

#[test]
fn both_ways_write_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut dice = fastrand::Rng::with_seed(7);
    for round in 0..40 {
        let text = random_book(&mut dice);
        std::fs::write(path("in.db"), &text).unwrap();
        for plan in plans() {
            let quick = quickly(&[path("in.db")], plan, &path("quick.db"));
            let quick = quick.expect("everything in it is plain");
            let plain = plainly(&text, plan, &path("plain.db"));
            assert!(quick == plain, "round {round}, {plan:?}");
        }
    }
}

#[test]
fn a_book_in_several_files_and_blocks_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut dice = fastrand::Rng::with_seed(8);
    let mut all = String::new();
    let mut paths = Vec::new();
    for number in 0..3 {
        let mut text = String::from("#YANEURAOU-DB2016 1.00\r\n# NOE:3\n\n");
        while text.len() < 1_500_000 {
            text += &random_book(&mut dice).replace('\n', "\r\n");
        }
        paths.push(path(&format!("{number}.db")));
        std::fs::write(&paths[number], &text).unwrap();
        all += &text;
    }
    std::fs::write(path("all.db"), &all).unwrap();
    let plan = MinimaxPlan {
        connects: true,
        ..MinimaxPlan::default()
    };
    let together = quickly(&[path("all.db")], plan, &path("one.db")).unwrap();
    let apart = quickly(&paths, plan, &path("three.db")).unwrap();
    assert!(together == apart);
}

#[test]
fn what_is_not_plain_is_left_to_the_other_way() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.db"), folder.path().join("out.db"));
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for text in [
        "7g7f none 0 0 1\n".to_owned(),
        format!("{start}\n"),
        format!("{start}\n7g7e none 0 0 1\n"),
        format!("{start}\n7g7f none 10 1 1 # a comment\n"),
        format!("{start}\n7g7f none x\n"),
        format!("{start}\n7g7f 20 1 1\n"),
        format!(" {start}\n7g7f none 0 0 1\n"),
        format!("{start} moves 7g7f\n7g7f none 0 0 1\n"),
        format!("{start}\n7g7f none 0 0 1 \n"),
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b 19P 1\n5i5h none 0 0 1\n".into(),
        "sfen 4k4/9/9/9/9/9/9/9/3KK4 b - 1\n5i5h none 0 0 1\n".into(),
        "sfen 4k4/9/9/9/9/9/9/9/4K3 b - 1\n5i5h none 0 0 1\n".into(),
        "sfen 4k4/9/9/9/9/9/9/4K4 b - 1\n5h5g none 0 0 1\n".into(),
        "sfen 4k4/9/9/9/9/9/9/9/4+K4 b - 1\n5i5h none 0 0 1\n".into(),
    ] {
        std::fs::write(&input, &text).unwrap();
        assert_eq!(
            quickly(
                std::slice::from_ref(&input),
                MinimaxPlan::default(),
                &output
            ),
            None,
            "{text}"
        );
        assert!(!output.exists());
    }
    let missing = folder.path().join("none.db");
    assert!(text_books(&[missing], &output, MinimaxPlan::default(), &|_| ()).is_err());
}

/// A rook that checks for ever loses: where it can leave, that move comes first, however late the loss
/// would come otherwise; a check that goes round has a mark instead of a distance.
#[test]
fn a_check_that_goes_round_comes_after_the_way_out() {
    let text = "sfen 4k4/9/9/9/K8/9/9/9/5R3 b - 1\n4i5i none 0 9\n4i4h none -50 9\n\
                sfen 4k4/9/9/9/K8/9/9/9/4R4 w - 2\n5a4a none 0 9\n\
                sfen 5k3/9/9/9/K8/9/9/9/4R4 b - 3\n5i4i none 0 9\n5i5h none -70 9\n\
                sfen 5k3/9/9/9/K8/9/9/9/5R3 w - 4\n4a5a none 0 9\n";
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.db"), folder.path().join("out.db"));
    std::fs::write(&input, text).unwrap();
    let expected = "#YANEURAOU-DB2016 1.00\n\
                    sfen 4k4/9/9/9/K8/9/9/9/4R4 w - 2\n5a4a none 50 3 1\n\
                    sfen 4k4/9/9/9/K8/9/9/9/5R3 b - 1\n4i4h none -50 0 1\n4i5i none -51 9997 1\n\
                    sfen 5k3/9/9/9/K8/9/9/9/4R4 b - 3\n5i4i none -50 9997 1\n5i5h none -70 0 1\n\
                    sfen 5k3/9/9/9/K8/9/9/9/5R3 w - 4\n4a5a none 50 1 1\n";
    for folds in [false, true] {
        let plan = MinimaxPlan {
            folds,
            connects: true,
            ..MinimaxPlan::default()
        };
        let quick = quickly(std::slice::from_ref(&input), plan, &output);
        assert_eq!(
            quick.as_deref(),
            Some(plainly(text, plan, &output).as_str())
        );
        if !folds {
            assert_eq!(quick.as_deref(), Some(expected));
        }
    }
}

/// Folded, a position that is there either way round has the moves of both, whichever comes last.
#[test]
fn both_ways_round_a_position_has_all_its_moves() {
    let start =
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f none 0 9\n";
    let here = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n3c3d none -100 9\n";
    let turned =
        "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2\n2g2f none 40 9\n";
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.db"), folder.path().join("out.db"));
    let plan = MinimaxPlan {
        folds: true,
        connects: true,
        ..MinimaxPlan::default()
    };
    for text in [[here, turned], [turned, here]].map(|both| both.concat() + start) {
        std::fs::write(&input, &text).unwrap();
        let quick = quickly(std::slice::from_ref(&input), plan, &output).unwrap();
        assert_eq!(quick, plainly(&text, plan, &output));
        assert!(
            quick.contains("\n2g2f none 40 0 1\n7g7f none -100 0 1\n"),
            "{quick}"
        );
        assert!(quick.contains("\n7g7f none -40 1 1\n"), "{quick}");
    }
}
