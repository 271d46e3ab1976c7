use super::agreement::PlayedPosition;
use super::examples::{ExampleSource, Examples};
use super::gradient::{Gradient, PulledLeaf};
use super::layout::{Layout, Tables, WeightKind};
use super::leaf::Leaf;
use super::loss::RivalLoss;
use super::numbering::{Apery, Bonanza, Numbering};
use super::plan::{LearningMethod, OnlinePlan};
use super::tables::LearntTables;
use super::train::{Learnt, OnlineInput, OnlineObserver, OnlineProgress, learn};
use super::update::{Rates, Updater};
use super::write;
use crate::data::{DataRecord, pack_played};
use crate::leaf_search::{DECIDED, INFINITE, LeafDepth, LeafSearch};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tesuji_eval::pairs::{AnyKppt, FvBin, KpPp, open_kppt};
use tesuji_eval::{AccumulatorStack, Evaluator, Relation};
use tesuji_record::GameResult;
use tesuji_shogi::{Board, Color, Move, Position, Square};

/// Positions of random games, each with the move that came next.
fn played(count: usize, seed: u64) -> Vec<PlayedPosition> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut pos = Position::start();
        for _ in 0..rng.usize(4..120) {
            let moves = pos.legal_moves();
            let Some(mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            pos.play(mv);
        }
        let moves = pos.legal_moves();
        if moves.len() > 1 {
            let mv = moves.get(rng.usize(..moves.len())).expect("a legal move");
            found.push((pos.setup().build().expect("a position of a game"), mv));
        }
    }
    found
}

/// Positions with the move that another evaluator likes best at one ply: something to be learnt.
fn taught(count: usize, seed: u64) -> Vec<DataRecord> {
    let relation = Relation::new();
    let depth = LeafDepth {
        full: 0,
        quiescence: 0,
        evasions: 0,
    };
    let mut search = LeafSearch::new(&relation, depth);
    let best = |(pos, _): PlayedPosition| {
        search.begin(pos.clone());
        let value = |mv: &Move| search.value_of(*mv, -INFINITE, INFINITE);
        let best = pos
            .legal_moves()
            .iter()
            .max_by_key(value)
            .expect("a legal move");
        pack_played(&pos, best, 0, GameResult::Draw).expect("a sound record")
    };
    played(count, seed).into_iter().map(best).collect()
}

fn mirrored(pos: &Position) -> Position {
    let mut setup = pos.setup();
    for square in Square::all() {
        setup.board[square] = pos.at(square.mirrored());
    }
    setup.build().expect("a mirrored position is one")
}

/// Fills all cells with numbers that look random.
fn fill<N: Numbering>(tables: &LearntTables<N>, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for part in WeightKind::ALL {
        // Large parts need not be filled to the last cell.
        for cell in tables
            .layout
            .range(part)
            .step_by(1 + tables.layout.cells() / 2_000_000)
        {
            let turn = if N::HAS_TURN && part != WeightKind::PieceValue {
                rng.f32() * 40.0 - 20.0
            } else {
                0.0
            };
            tables.set_weight(cell, [rng.f32() * 200.0 - 100.0, turn]);
        }
    }
}

/// Every cell that a leaf looks at, one by one, with how Black's value depends on it.
fn features(layout: &Layout, leaf: &Leaf) -> Vec<(u32, [f64; 2])> {
    let mut found = Vec::new();
    let to_move = if leaf.turn == Color::Black { 1.0 } else { -1.0 };
    for pov in Color::ALL {
        let side = if pov == Color::Black { 1.0 } else { -1.0 };
        let (view, has) = (&leaf.views[pov], |part| layout.has(part));
        let mut put = |cell, count: f64| found.push((cell, [side * count, to_move * count]));
        let own = layout.own_king(view.kings).expect("a king");
        let both = layout.both_kings(view.kings).expect("two kings");
        if has(WeightKind::Kk) {
            put(both.kk(), 1.0);
        }
        for (nth, &one) in view.numbers.iter().enumerate() {
            let meaning = layout.numbers.of(one);
            if has(WeightKind::Kp) {
                put(own.kp(one), 1.0);
            }
            if meaning.is_own {
                if has(WeightKind::Kkp) {
                    put(both.kkp(one), 1.0);
                }
                put(layout.piece_value(meaning), f64::from(meaning.own_pieces));
            }
            for &other in &view.numbers[..nth] {
                if has(WeightKind::Kpp) {
                    put(own.kpp(one, other), 1.0);
                }
                if has(WeightKind::Pp) {
                    put(layout.pp(one, other), 1.0);
                }
            }
        }
    }
    found
}

const EVERY: [Tables; 5] = [
    Tables::Kp,
    Tables::Pp,
    Tables::KpPp,
    Tables::Kpp,
    Tables::Kppt,
];

fn with_each_numbering(check: impl Fn(Tables) + Copy) {
    EVERY.into_iter().for_each(check);
}

fn is_fair<N: Numbering>(kind: Tables) {
    let tables = LearntTables::<N>::new(kind).unwrap();
    fill(&tables, 3);
    for (pos, _) in played(20, 9) {
        let value = tables.evaluate(&pos);
        assert_eq!(tables.evaluate(&mirrored(&pos)), value, "{}", pos.to_sfen());
        assert_eq!(tables.evaluate(&pos.flipped()), value, "{}", pos.to_sfen());
    }
}

#[test]
fn mirrored_and_turned_positions_are_worth_the_same() {
    with_each_numbering(|kind| match kind {
        Tables::Kpp => is_fair::<Bonanza>(kind),
        _ => is_fair::<Apery>(kind),
    });
}

fn value_is_the_sum<N: Numbering>(kind: Tables) {
    let tables = LearntTables::<N>::new(kind).unwrap();
    fill(&tables, 4);
    for (pos, _) in played(10, 5) {
        let leaf = Leaf::of::<N>(&pos);
        let mut sum = 0;
        for (cell, [board, turn]) in features(&tables.layout, &leaf) {
            let weight = tables.rounded(cell);
            sum += board as i32 * weight.board + turn as i32 * weight.turn;
        }
        let material = |color| {
            let pieces = Square::all().filter_map(|square| pos.at(square));
            let own = pieces.filter(|piece| piece.color() == color && !piece.is_king());
            let held = pos.hand(color).iter();
            own.map(|piece| N::BASE.of(piece.kind())).sum::<i32>()
                + held
                    .map(|(kind, n)| n as i32 * N::BASE.of(kind))
                    .sum::<i32>()
        };
        sum += 32 * (material(Color::Black) - material(Color::White));
        let mine = if pos.turn() == Color::Black {
            sum
        } else {
            -sum
        };
        assert_eq!(tables.evaluate(&pos).points(), mine / 32);
    }
}

#[test]
fn the_value_is_the_sum_over_the_features() {
    with_each_numbering(|kind| match kind {
        Tables::Kpp => value_is_the_sum::<Bonanza>(kind),
        _ => value_is_the_sum::<Apery>(kind),
    });
}

/// The leaves of a comparison with all rivals, and how the loss sees them.
fn compared<N: Numbering>(
    tables: &LearntTables<N>,
    (pos, mv): &PlayedPosition,
) -> Option<(Leaf, Vec<Leaf>)> {
    let mut search = LeafSearch::new(tables, LeafDepth::default());
    search.begin(pos.clone());
    let mut leaf = |mv: Move| {
        let value = search.value_of(mv, -INFINITE, INFINITE);
        (value.abs() < DECIDED).then(|| search.at_leaf(Some(mv), Leaf::of::<N>))
    };
    let best = leaf(*mv)?;
    let moves = pos.legal_moves();
    let rivals = moves.iter().filter(|other| other != mv);
    Some((best, rivals.filter_map(leaf).take(12).collect()))
}

/// The loss of a comparison as a function of the weights, with frozen leaves and real numbers.
fn loss_of(features: &[Vec<(u32, [f64; 2])>], weights: &HashMap<u32, [f64; 2]>, side: f64) -> f64 {
    let value = |leaf: &Vec<(u32, [f64; 2])>| {
        let term = |(cell, count): &(u32, [f64; 2])| {
            let weight = weights[cell];
            count[0] * weight[0] + count[1] * weight[1]
        };
        leaf.iter().map(term).sum::<f64>() / 32.0
    };
    let slope = f64::from(RivalLoss::default().slope);
    let best = value(&features[0]);
    let loss = |leaf| 1.0 / (1.0 + (slope * side * (best - value(leaf))).exp());
    features[1..].iter().map(loss).sum()
}

/// Compares the collected gradient of a comparison with differences of the loss.
fn gradient_is_right<N: Numbering>(kind: Tables) {
    let tables = LearntTables::<N>::new(kind).unwrap();
    let mut rng = fastrand::Rng::with_seed(17);
    for example in played(5, 31) {
        let Some((best, rivals)) = compared(&tables, &example) else {
            continue;
        };
        let side = if example.0.turn() == Color::Black {
            1.0
        } else {
            -1.0
        };
        let leaves: Vec<Leaf> = std::iter::once(best).chain(rivals).collect();
        let all: Vec<_> = leaves
            .iter()
            .map(|leaf| features(&tables.layout, leaf))
            .collect();
        // Small weights, so that the sigmoid is neither flat nor a step.
        let mut weights = HashMap::new();
        for &(cell, _) in all.iter().flatten() {
            weights
                .entry(cell)
                .or_insert_with(|| [rng.f64() - 0.5, rng.f64() - 0.5]);
        }
        let slope = f64::from(RivalLoss::default().slope);
        // What the learner does: how hard each rival pulls, and the played move by all of them.
        let pull = |rival: usize| {
            let pair = [all[0].clone(), all[rival].clone()];
            let loss = loss_of(&pair, &weights, side);
            loss * (1.0 - loss) * slope / 32.0
        };
        let pulls: Vec<f64> = (1..all.len()).map(pull).collect();
        let mut pulled: Vec<PulledLeaf> = vec![(leaves[0].clone(), 0.0)];
        for (leaf, pull) in leaves[1..].iter().zip(&pulls) {
            // A scale that keeps the sums of the learner away from what it takes for cancelled.
            let scaled = (1e4 * side * pull) as f32;
            pulled.push((leaf.clone(), -scaled));
            pulled[0].1 += scaled;
        }
        let mut gradient = Gradient::default();
        gradient.collect(&tables.layout, &pulled, N::COUNT);
        let mut found: HashMap<u32, [f64; 2]> = HashMap::new();
        for (cell, slope) in WeightKind::ALL
            .into_iter()
            .flat_map(|part| gradient.of(part))
        {
            let sum = found.entry(*cell).or_default();
            sum[0] += f64::from(slope[0]) / 1e4;
            sum[1] += f64::from(slope[1]) / 1e4;
        }
        let mut cells: Vec<u32> = weights.keys().copied().collect();
        cells.sort_unstable();
        rng.shuffle(&mut cells);
        let is_value = |cell: &u32| {
            tables
                .layout
                .range(WeightKind::PieceValue)
                .contains(&(*cell as usize))
        };
        let step = 1e-3;
        for &cell in cells
            .iter()
            .take(60)
            .chain(cells.iter().filter(|cell| is_value(cell)))
        {
            for place in 0..2 {
                // Piece values have no turn.
                if place == 1 && is_value(&cell) {
                    continue;
                }
                let mut at = |by: f64| {
                    weights.get_mut(&cell).expect("a cell that occurs")[place] += by;
                    let loss = loss_of(&all, &weights, side);
                    weights.get_mut(&cell).expect("a cell that occurs")[place] -= by;
                    loss
                };
                let numeric = (at(-step) - at(step)) / (2.0 * step);
                let collected = found.get(&cell).map_or(0.0, |slope| slope[place]);
                let error = (numeric - collected).abs();
                assert!(
                    error < 1e-7 + 1e-3 * numeric.abs(),
                    "{cell}: {numeric} {collected}"
                );
            }
        }
    }
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    with_each_numbering(|kind| match kind {
        Tables::Kpp => gradient_is_right::<Bonanza>(kind),
        _ => gradient_is_right::<Apery>(kind),
    });
}

#[test]
fn the_leaf_has_the_value_that_was_found() {
    let tables = LearntTables::<Apery>::new(Tables::KpPp).unwrap();
    fill(&tables, 6);
    for full in 0..2 {
        let depth = LeafDepth {
            full,
            ..LeafDepth::default()
        };
        let mut search = LeafSearch::new(&tables, depth);
        for (pos, mv) in played(30, 12) {
            let turn = pos.turn();
            search.begin(pos.clone());
            let value = search.value_of(mv, -INFINITE, INFINITE);
            if value.abs() >= DECIDED {
                continue;
            }
            let leaf = |leaf: &Position| {
                let value = tables.evaluate(leaf).points();
                if leaf.turn() == turn { value } else { -value }
            };
            assert_eq!(
                search.at_leaf(Some(mv), leaf),
                value,
                "{} {mv}",
                pos.to_sfen()
            );
            assert_eq!(search.pos.key(), pos.key());
            // A window may hide captures that could not reach it; what is found inside it is still
            // the value of the leaf.
            let found = search.value_of(mv, value - 150, value + 150);
            if (found - value).abs() < 150 {
                assert_eq!(search.at_leaf(Some(mv), leaf), found, "{}", pos.to_sfen());
            }
        }
    }
}

#[test]
fn shrinking_later_is_shrinking_always() {
    let tables = LearntTables::<Apery>::new(Tables::Kp).unwrap();
    let rates = Rates {
        l1: 0.001,
        ..Rates::default()
    };
    let updater = Updater {
        tables: &tables,
        rates,
    };
    let cell = tables.layout.range(WeightKind::Kp).start + 100;
    let mut gradient = Gradient::default();
    // The same weight by hand, shrunk at every visit.
    let (mut weight, mut squares) = (0.0f32, 0.0f32);
    let first = 32.0 * rates.single;
    let pulls = [(3u32, 0.8f32), (40, -0.5), (41, 1.0), (700, 0.4)];
    let mut visit = 0;
    for (now, pull) in pulls {
        while visit < now {
            visit += 1;
            weight = weight.signum() * (weight.abs() - first * rates.l1).max(0.0);
        }
        squares += pull * pull / 2.0;
        weight += first / (1.0 + squares).sqrt() * pull;
        gradient.set_for_test(WeightKind::Kp, vec![(cell as u32, [pull, 0.0])]);
        updater.apply(&gradient, now);
        let found = tables.weight(cell)[0];
        assert!(
            (found - weight).abs() < 0.02,
            "visit {now}: {found} {weight}"
        );
    }
    updater.settle(900);
    let left = (weight - 200.0 * first * rates.l1).max(0.0);
    assert!((tables.weight(cell)[0] - left).abs() < 0.02);
    updater.settle(1_000_000);
    assert_eq!(tables.weight(cell)[0], 0.0);
}

/// Does not watch.
struct Blind;
impl OnlineObserver for Blind {
    fn step(&mut self, _: &OnlineProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Panics behind a step, as if the process had been killed there.
struct Killed(u64);
impl OnlineObserver for Killed {
    fn step(&mut self, progress: &OnlineProgress) -> ControlFlow<()> {
        assert!(progress.step < self.0, "killed");
        ControlFlow::Continue(())
    }
}

fn examples(count: usize) -> Examples {
    let training = taught(count, 77);
    let unpacked = taught(40, 78);
    let test = unpacked.iter().map(|record| {
        let sample = record.unpack().unwrap();
        (sample.position, sample.mv.unwrap())
    });
    Examples {
        held_out: test.collect(),
        training,
        games: 1,
        ..Examples::default()
    }
}

fn small_plan(tables: Tables) -> OnlinePlan {
    OnlinePlan {
        tables,
        visits: 500,
        step: 64,
        checkpoint_every: 2,
        test_every: 4,
        ..OnlinePlan::default()
    }
}

fn run(
    plan: &OnlinePlan,
    examples: &Examples,
    threads: usize,
    folder: &Path,
    observer: &mut impl OnlineObserver,
) -> Learnt {
    let input = OnlineInput {
        examples,
        others: &examples.held_out,
        threads,
    };
    learn(plan, &input, folder, observer).unwrap()
}

#[test]
fn a_killed_training_ends_with_the_same_tables() {
    let examples = examples(200);
    for method in [
        LearningMethod::Online,
        LearningMethod::Batch,
        LearningMethod::Regression,
    ] {
        let mut plan = OnlinePlan {
            method,
            ..small_plan(Tables::KpPp)
        };
        if method == LearningMethod::Batch {
            (plan.step, plan.visits) = (200, 1600);
        }
        let [unbroken, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let whole = run(&plan, &examples, 1, unbroken.path(), &mut Blind);
        for step in [3, 4, 7] {
            let attempt = || run(&plan, &examples, 1, killed.path(), &mut Killed(step));
            assert!(catch_unwind(AssertUnwindSafe(attempt)).is_err());
        }
        let again = run(&plan, &examples, 1, killed.path(), &mut Blind);
        let bytes = |folder: &Path| std::fs::read(folder.join("kppp.bin")).unwrap();
        assert!(bytes(unbroken.path()) == bytes(killed.path()), "{method:?}");
        assert_eq!(again.held_out, whole.held_out);
        assert_eq!(again.visits, plan.visits);
        assert!(whole.weights.iter().any(|part| part.non_zero > 100));
    }
}

#[test]
fn an_ended_training_can_go_on() {
    struct Ended;
    impl OnlineObserver for Ended {
        fn step(&mut self, progress: &OnlineProgress) -> ControlFlow<()> {
            match progress.step {
                3 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let (examples, plan) = (examples(200), small_plan(Tables::Kp));
    let [unbroken, ended] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    run(&plan, &examples, 1, unbroken.path(), &mut Blind);
    let early = run(&plan, &examples, 1, ended.path(), &mut Ended);
    assert_eq!(early.visits, 192);
    assert!(ended.path().join("kp.bin").exists());
    run(&plan, &examples, 1, ended.path(), &mut Blind);
    let bytes = |folder: &Path| std::fs::read(folder.join("kp.bin")).unwrap();
    assert!(bytes(unbroken.path()) == bytes(ended.path()));
}

#[test]
fn other_settings_do_not_go_on() {
    let (examples, plan) = (examples(60), small_plan(Tables::Kp));
    let folder = tempfile::tempdir().unwrap();
    run(&plan, &examples, 1, folder.path(), &mut Blind);
    let other = OnlinePlan {
        check_weight: 3.0,
        ..plan
    };
    let input = OnlineInput {
        examples: &examples,
        others: &[],
        threads: 1,
    };
    let error = learn(&other, &input, folder.path(), &mut Blind).unwrap_err();
    assert!(error.to_string().contains("check_weight"), "{error}");
}

#[test]
fn many_threads_learn_what_one_learns() {
    let examples = examples(300);
    let plan = OnlinePlan {
        visits: 3000,
        step: 500,
        ..small_plan(Tables::KpPp)
    };
    let folder = tempfile::tempdir().unwrap();
    let learnt = run(&plan, &examples, 3, folder.path(), &mut Blind);
    assert_eq!(learnt.visits, 3000);
    assert!(learnt.compared > 0);
    // Ten passes learn most of what they have seen.
    let played = |record: &DataRecord| {
        let sample = record.unpack().unwrap();
        (sample.position, sample.mv.unwrap())
    };
    let seen: Vec<PlayedPosition> = examples.training.iter().map(played).collect();
    let spec = write::spec(Tables::KpPp, folder.path()).0;
    let found = super::agreement_of(&spec, plan.depth, &seen, 2).unwrap();
    assert!(found.share() > 0.5, "{found:?}");
}

/// What the engine keeps along the moves of random games is what the learner computes.
fn engine_agrees<N: Numbering, E: Evaluator>(tables: &LearntTables<N>, engine: &E) {
    let mut rng = fastrand::Rng::with_seed(8);
    for _ in 0..5 {
        let mut pos = Position::start();
        let mut stack = AccumulatorStack::new();
        for _ in 0..150 {
            let moves = pos.legal_moves();
            let Some(mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            stack.push(pos.play(mv));
            assert_eq!(
                stack.value(engine, &pos),
                tables.evaluate(&pos),
                "{}",
                pos.to_sfen()
            );
        }
    }
}

#[test]
fn the_engine_computes_what_was_learnt_from_small_files() {
    let folder = tempfile::tempdir().unwrap();
    let tables = LearntTables::<Apery>::new(Tables::KpPp).unwrap();
    fill(&tables, 21);
    let files = write::write(&tables, Tables::KpPp, folder.path()).unwrap();
    assert_eq!(files[0].clipped, 0);
    engine_agrees(&tables, &KpPp::open(&files[0].path).unwrap());
}

#[test]
fn the_engine_computes_what_was_learnt_from_fv_bin() {
    let folder = tempfile::tempdir().unwrap();
    let tables = LearntTables::<Bonanza>::new(Tables::Kpp).unwrap();
    fill(&tables, 22);
    let files = write::write(&tables, Tables::Kpp, folder.path()).unwrap();
    assert_eq!((files[0].clipped, files[0].bytes), (0, FvBin::SIZE));
    engine_agrees(&tables, &FvBin::open(&files[0].path).unwrap());
}

#[test]
fn the_engine_computes_what_was_learnt_from_kppt_files() {
    let folder = tempfile::tempdir().unwrap();
    let tables = LearntTables::<Apery>::new(Tables::Kppt).unwrap();
    fill(&tables, 23);
    let files = write::write(&tables, Tables::Kppt, folder.path()).unwrap();
    let sizes: Vec<u64> = files.iter().map(|file| file.bytes).collect();
    assert_eq!(sizes, [52_488, 81_251_424, 776_402_496]);
    match open_kppt(folder.path()).unwrap() {
        AnyKppt::Kppt(engine) => engine_agrees(&tables, &engine),
        other => panic!("{:?}", other.format()),
    }
}

#[test]
fn what_has_no_room_is_clipped_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let tables = LearntTables::<Apery>::new(Tables::Kp).unwrap();
    let cell = tables.layout.range(WeightKind::Kp).start + 200;
    tables.set_weight(cell, [40_000.0, -50_000.0]);
    let files = write::write(&tables, Tables::Kp, folder.path()).unwrap();
    // The king on file 1 and its mirror image on file 9.
    assert_eq!((files[0].clipped, files[0].non_zero), (2, 2));
    let compared =
        write::compare_with_engine(&tables, (Tables::Kp, folder.path()), &files, &taught(5, 1));
    assert_eq!(compared.unwrap(), 0);
}

#[test]
fn games_are_read_from_tables_records_and_samples() {
    let folder = tempfile::tempdir().unwrap();
    let source = |name: &str, min_rating| ExampleSource {
        files: vec![folder.path().join(name)],
        min_rating,
        scales: None,
        held_out_share: 0.0,
        held_out_limit: 10,
        seed: 1,
    };
    let row = |result: &str, end: &str, moves: &str| {
        format!(
            "1\tx\ty\t2016\ta\tb\t3000\t2500\t{result}\t{end}\t3\tstartpos moves {moves}\t- - -\n"
        )
    };
    let table = [
        "#id\n".to_owned(),
        row("b", "%TORYO", "7g7f 3c3d 2g2f"),
        row("w", "abnormal", "7g7f"),
    ];
    std::fs::write(folder.path().join("games.tsv"), table.concat()).unwrap();
    let read = Examples::load(&source("games.tsv", 0)).unwrap();
    assert_eq!(
        (read.training.len(), read.games, read.games_left_out),
        (3, 1, 1)
    );
    let read = Examples::load(&source("games.tsv", 2800)).unwrap();
    assert_eq!(read.training.len(), 2);
    let wrong = row("b", "%TORYO", "7g7f 7g7f");
    std::fs::write(folder.path().join("wrong.tsv"), wrong).unwrap();
    let error = Examples::load(&source("wrong.tsv", 0))
        .unwrap_err()
        .to_string();
    assert!(error.contains("wrong.tsv:1: 7g7f is illegal"), "{error}");
    std::fs::write(
        folder.path().join("games.usi"),
        "startpos moves 7g7f 3c3d\n",
    )
    .unwrap();
    let read = Examples::load(&source("games.usi", 0)).unwrap();
    assert_eq!(read.training.len(), 2);
    let records = taught(3, 4);
    let bytes: Vec<u8> = records.iter().flat_map(|record| record.0).collect();
    std::fs::write(folder.path().join("games.psv"), bytes).unwrap();
    let apart = ExampleSource {
        held_out_share: 1.0,
        ..source("games.psv", 0)
    };
    let read = Examples::load(&apart).unwrap();
    assert_eq!((read.training.len(), read.held_out.len()), (0, 3));
    assert!(Examples::load(&source("games.xyz", 0)).is_err());
}
