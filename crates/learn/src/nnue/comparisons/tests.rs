use super::super::architecture::Architecture;
use super::super::data::TrainingSet;
use super::super::initial;
use super::super::layout::ParameterLayout;
use super::super::loss::Target;
use super::super::plan::{Plan, PlanFile};
use super::super::tests::{Killed, Losses, dataset, plan, samples};
use super::super::train::train;
use super::super::weights::Weights;
use super::super::worker::{ComparisonShare, GradientWorker};
use super::*;
use crate::data::{DataWriter, RivalDraw, pack_played, write_comparisons};
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec, Evaluator, Relation};
use tesuji_record::GameResult;
use tesuji_record::packed::PackedLayout;
use tesuji_shogi::{Board, Color, Position};

fn comparison_plan() -> ComparisonPlan {
    ComparisonPlan {
        weight: 0.05,
        temperature: 150.0,
        file: PlanFile {
            path: "moves.psv".into(),
            bytes: 0,
            digest: 0,
        },
    }
}

/// Leaves of random games, half of them of the side that did not choose.
fn leaves(count: usize, seed: u64) -> Vec<TrainingSample> {
    let with_side = |(number, sample): (usize, TrainingSample)| TrainingSample {
        result: if number % 2 == 0 { 1 } else { -1 },
        skip: (number as i16 % 5 - 2) * 60,
        ..sample
    };
    let samples = samples(count, seed).into_iter().enumerate();
    samples.map(with_side).collect()
}

#[test]
fn gradients_of_comparisons_are_those_of_finite_differences() {
    for name in ["kp-256x2-32-32", "kp-256x2-32-32-material3"] {
        let architecture: Architecture = name.parse().unwrap();
        let layout = ParameterLayout::new(&architecture, false);
        let (target, plan) = (Target::default(), comparison_plan());
        let drawn: Vec<DrawnSample> = leaves(36, 3)
            .into_iter()
            .map(|leaf| (leaf, false))
            .collect();
        let mut parameters = initial::random(&layout, &architecture, 1);
        let measured = |parameters: &[f32]| {
            let mut worker = GradientWorker::new(&architecture, &layout);
            let share = ComparisonShare {
                plan: &plan,
                size: 4,
                leaves: &drawn,
                weight: 0.5,
            };
            let weights = Weights::exact(&layout, parameters);
            worker.learn(&weights, &target, &[], Some(&share));
            (worker.comparison_loss, worker.gradient)
        };
        let (_, gradient) = measured(&parameters);
        let mut steepest: Vec<usize> = (0..gradient.len()).collect();
        steepest.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
        let mut smooth = 0;
        for &at in steepest.iter().take(60) {
            let mut beside = |by: f32| {
                let kept = parameters[at];
                parameters[at] += by;
                let (loss, _) = measured(&parameters);
                parameters[at] = kept;
                loss
            };
            let step = 5e-4;
            let [below, here, above] = [-step, 0.0, step].map(&mut beside);
            let step = f64::from(step);
            let (left, right) = ((here - below) / step, (above - here) / step);
            let exact = f64::from(gradient[at]);
            let size = exact.abs().max(1e-2);
            // Where a sum crosses a kink of its activation there is no slope to compare with.
            if (left - right).abs() < 0.03 * size {
                let error = ((left + right) / 2.0 - exact).abs() / size;
                assert!(error < 0.015, "{name} {at}: {exact} but {left} {right}");
                smooth += 1;
            }
        }
        assert!(smooth >= 20, "{name}: {smooth}");
    }
}

#[test]
fn every_comparison_comes_once_in_an_epoch() {
    let all = Comparisons::of(leaves(4 * 101, 5), 4, 0.1).unwrap();
    assert_eq!(all.len(), 90);
    assert_eq!(all.tested().len(), 4 * 11);
    for epoch in 0..2 {
        let mut seen = Vec::new();
        for step in 0..7 {
            for leaves in all.batch(epoch * 7 + step, 7, 3, 2) {
                for group in leaves.chunks(4) {
                    let first = group[0].0;
                    let place = all.leaves.iter().position(|leaf| *leaf == first).unwrap();
                    seen.push(place / 4);
                }
            }
        }
        seen.sort_unstable();
        seen.dedup();
        // Random games may have the same first position twice.
        assert!(seen.len() > 80, "{}", seen.len());
    }
    assert!(Comparisons::of(leaves(7, 5), 4, 0.1).is_none());
}

fn with_comparisons() -> (TrainingSet, Plan) {
    let mut data = dataset();
    data.comparisons = Comparisons::of(leaves(4 * 300, 6), 4, 0.1).unwrap();
    let plan = Plan {
        comparisons: Some(comparison_plan()),
        ..plan(2)
    };
    (data, plan)
}

#[test]
fn a_training_with_comparisons_that_goes_on_ends_as_an_unbroken_one() {
    let (data, plan) = with_comparisons();
    let [whole, broken] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let finished = train(&plan, &data, whole.path(), None, &mut Losses::default()).unwrap();
    assert!(finished.agreement.is_some());
    let killed =
        std::panic::catch_unwind(|| train(&plan, &data, broken.path(), None, &mut Killed(17)));
    assert!(killed.is_err());
    train(&plan, &data, broken.path(), None, &mut Losses::default()).unwrap();
    let [one, other] =
        [&whole, &broken].map(|folder| std::fs::read(folder.path().join("nn.bin")).unwrap());
    assert_eq!(one, other);
    let log = std::fs::read_to_string(whole.path().join("log.jsonl")).unwrap();
    assert!(log.contains("\"kind\":\"comparisons\""), "{log}");
}

/// Random games whose moves all stand in one file.
fn played(games: u64) -> Vec<DataRecord> {
    let mut records = Vec::new();
    for game in 0..games {
        let mut rng = fastrand::Rng::with_seed(game);
        let mut pos = Position::start();
        for _ in 0..30 {
            let moves = pos.legal_moves();
            let Some(mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            records.push(pack_played(&pos, mv, 0, GameResult::Win(Color::Black)).unwrap());
            pos.play(mv);
        }
    }
    records
}

#[test]
fn comparisons_are_written_and_read_and_damaged_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moves.psv");
    let spec: EvalSpec = "relation".parse().unwrap();
    let eval = AnyEval::choose(&spec, &EvalSettings::default()).unwrap();
    let draw = RivalDraw {
        rivals: 3,
        nodes: None,
        temperature: 100.0,
        seed: 1,
        threads: 1,
    };
    let played = played(4);
    let counts = write_comparisons(&eval, &played, &draw, &path, &mut |_| ()).unwrap();
    assert_eq!(counts.written + counts.left_out, played.len() as u64);
    assert!(counts.written > 60, "{counts:?}");
    let all = Comparisons::load(&path, Skip::Relation, 0.0).unwrap();
    assert_eq!((all.len() as u64, all.size()), (counts.written, 4));
    for leaf in all.leaves.iter().take(100) {
        let pos = PackedLayout::PackedSfen.unpack(&leaf.packed).unwrap();
        assert!(!pos.in_check());
        let value = Relation::new().evaluate(&pos).points();
        assert_eq!(
            (i32::from(leaf.skip), i32::from(leaf.score)),
            (value, value)
        );
    }
    // The same draw again writes the same.
    let written = |name: &str, draw: &RivalDraw| {
        let path = folder.path().join(name);
        write_comparisons(&eval, &played, draw, &path, &mut |_| ()).unwrap();
        std::fs::read(&path).unwrap()
    };
    let first = std::fs::read(&path).unwrap();
    assert_eq!(
        first,
        written("again.psv", &RivalDraw { threads: 3, ..draw })
    );
    // A search finds other rivals and goes further, whoever searches.
    let nodes = Some(300);
    let searched = written("searched.psv", &RivalDraw { nodes, ..draw });
    let threads = 2;
    let side_by_side = RivalDraw {
        nodes,
        threads,
        ..draw
    };
    assert_eq!(searched, written("side by side.psv", &side_by_side));
    assert_ne!(first, searched);
    let searched =
        Comparisons::load(&folder.path().join("searched.psv"), Skip::Relation, 0.0).unwrap();
    assert!(searched.len() > 40, "{}", searched.len());
    // A record too few, and a file of something else.
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - DataRecord::SIZE]).unwrap();
    let error = Comparisons::load(&path, Skip::Nothing, 0.0).unwrap_err();
    assert!(error.to_string().contains("cut off"), "{error}");
    let mut writer = DataWriter::create(&path).unwrap();
    played
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap();
    let error = Comparisons::load(&path, Skip::Nothing, 0.0).unwrap_err();
    assert!(
        error.to_string().contains("no file of comparisons"),
        "{error}"
    );
}
