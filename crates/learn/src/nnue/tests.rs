use super::architecture::Architecture;
use super::data::TrainingSet;
use super::dataset_error::FilterCounts;
use super::integer;
use super::layout::ParameterLayout;
use super::loss::{Loss, Target};
use super::plan::Plan;
use super::quantize::{Scales, to_file};
use super::sample::TrainingSample;
use super::schedule::Schedule;
use super::train::{Observer, TrainProgress, compare_with_engine, require_start, train};
use super::weights::Weights;
use super::worker::GradientWorker;
use super::{Comparisons, TrainingSource, initial};
use crate::data::Filter;
use tesuji_eval::nnue::{NetworkFile, Skip};
use tesuji_eval::{Evaluator, Relation};
use tesuji_record::GameResult;
use tesuji_record::packed::PackedLayout;
use tesuji_record::samples::{Sample, SampleFormat, write_all};
use tesuji_shogi::{Board, Color, Handicap, Position, Value};

/// Positions of random games, with any handicap.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let handicap = Handicap::ALL[rng.usize(..Handicap::ALL.len())];
        let mut pos = Position::handicap(handicap);
        for _ in 0..rng.usize(1..160) {
            let moves = pos.legal_moves();
            let Some(mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            pos.play(mv);
        }
        found.push(pos);
    }
    found
}

pub(super) fn samples(count: usize, seed: u64) -> Vec<TrainingSample> {
    let relation = Relation::new();
    let mut rng = fastrand::Rng::with_seed(seed);
    let sample = |pos: Position| {
        let value = relation.evaluate(&pos).points().clamp(-2000, 2000);
        TrainingSample {
            packed: PackedLayout::PackedSfen.pack(&pos).unwrap(),
            score: value as i16,
            skip: 0,
            result: rng.i8(-1..=1),
        }
    };
    positions(count, seed).into_iter().map(sample).collect()
}

/// The loss of a network on samples.
fn loss(
    layout: &ParameterLayout,
    architecture: &Architecture,
    parameters: &[f32],
    target: &Target,
    samples: &[(TrainingSample, bool)],
) -> (f64, Vec<f32>) {
    let mut worker = GradientWorker::new(architecture, layout);
    worker.learn(&Weights::exact(layout, parameters), target, samples, None);
    (worker.loss, worker.gradient)
}

/// How far parameters are moved to see what the loss does.
const STEP: f32 = 5e-4;

#[test]
fn gradients_are_those_of_finite_differences() {
    for (name, kind, has_factorizer) in [
        ("kp-256x2-32-32", Loss::SquaredError, false),
        ("halfkpvm-256x2-8-16", Loss::CrossEntropy, false),
        ("zones5-256x2-32-16-screlu", Loss::SquaredError, true),
        ("kp-256x2-32-32-material3", Loss::SquaredError, false),
    ] {
        let architecture: Architecture = name.parse().unwrap();
        let layout = ParameterLayout::new(&architecture, has_factorizer);
        let target = Target {
            loss: kind,
            ..Target::default()
        };
        let mut rng = fastrand::Rng::with_seed(5);
        let samples: Vec<_> = samples(37, 3)
            .into_iter()
            .map(|s| (s, rng.bool()))
            .collect();
        let mut parameters = initial::random(&layout, &architecture, 1);
        for stack in &layout.stacks {
            for weight in &mut parameters[stack.last_weights.clone()] {
                *weight *= 10.0;
            }
        }
        let (_, gradient) = loss(&layout, &architecture, &parameters, &target, &samples);
        let mut ranges = vec![
            layout.first_weights.clone(),
            layout.common_weights.clone(),
            layout.first_biases.clone(),
        ];
        for stack in &layout.stacks {
            for layer in [&stack.second, &stack.third] {
                ranges.extend([layer.weights.clone(), layer.biases.clone()]);
            }
            ranges.push(stack.last_weights.clone());
            ranges.push(stack.last_bias..stack.last_bias + 1);
        }
        for range in ranges {
            // The steepest parameters of each layer: small slopes drown in rounding.
            let mut steepest: Vec<usize> = range.collect();
            steepest.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
            let mut smooth = 0;
            for &at in steepest.iter().take(12) {
                let mut beside = |by: f32| {
                    let kept = parameters[at];
                    parameters[at] += by;
                    let (loss, _) = loss(&layout, &architecture, &parameters, &target, &samples);
                    parameters[at] = kept;
                    loss
                };
                let [below, here, above] = [-STEP, 0.0, STEP].map(&mut beside);
                let step = f64::from(STEP);
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
            assert!(smooth >= 6.min(steepest.len() / 2), "{name}: {smooth}");
        }
    }
}

#[test]
fn mirrored_samples_have_mirrored_features() {
    let architecture = Architecture::default();
    for pos in positions(50, 9) {
        let mut mirrored = pos.setup();
        for square in tesuji_shogi::Square::all() {
            mirrored.board[square] = pos.at(square.mirrored());
        }
        let rows = |pos: &Position, is_mirrored| {
            let sample = TrainingSample {
                packed: PackedLayout::PackedSfen.pack(pos).unwrap(),
                score: 0,
                skip: 0,
                result: 0,
            };
            let mut rows = vec![0; 80];
            sample.rows(&architecture.features, is_mirrored, &mut rows);
            rows[..40].sort_unstable();
            rows[40..].sort_unstable();
            rows
        };
        let mirrored = mirrored.build().unwrap();
        assert_eq!(rows(&pos, true), rows(&mirrored, false));
    }
}

/// The parameters of a network whose layers are all alive.
fn lively(layout: &ParameterLayout, architecture: &Architecture, scales: &Scales) -> Vec<f32> {
    let mut parameters = initial::random(layout, architecture, 2);
    for stack in &layout.stacks {
        for weight in &mut parameters[stack.last_weights.clone()] {
            *weight = (*weight * 20.0).clamp(-scales.last_limit(), scales.last_limit());
        }
    }
    parameters
}

#[test]
fn the_engine_computes_what_the_trainer_computes() {
    let samples = samples(10_000, 7);
    for (name, count, has_factorizer) in [
        ("kp-256x2-32-32", 10_000, false),
        ("kp-512x2-16-32", 500, false),
        ("halfkp-256x2-32-32", 500, false),
        ("halfkahm2-256x2-8-64", 500, true),
        ("zones5-256x2-32-32-progress5", 500, true),
        ("zones9-256x2-32-32-screlu-material8", 500, false),
    ] {
        let architecture: Architecture = name.parse().unwrap();
        let (layout, scales) = (
            ParameterLayout::new(&architecture, has_factorizer),
            Scales::new(600.0),
        );
        let parameters = lively(&layout, &architecture, &scales);
        let file = to_file(&layout, &architecture, &scales, Skip::Nothing, &parameters);
        assert_eq!(NetworkFile::read(&file.write()).as_ref(), Ok(&file));
        compare_with_engine(&file, &architecture, &samples[..count]).unwrap();
        // With the rounding that the tail of a training feels, both are the same but for the last
        // bits of floating point.
        let weights = Weights::rounded(&layout, &parameters, &scales);
        let mut worst = 0.0_f32;
        let mut worker = GradientWorker::new(&architecture, &layout);
        worker.evaluate(&weights, &samples[..500], |sample, output| {
            let integer = integer::output(&file, &architecture, sample) as f32;
            worst = worst.max((integer / scales.output() - output).abs() * 600.0);
        });
        assert!(worst < 8.0, "{name}: {worst}");
        // And what is read back begins a training with the same network.
        let again = initial::from_file(&layout, &scales, &file);
        let twice = to_file(&layout, &architecture, &scales, Skip::Nothing, &again);
        assert_eq!(twice, file);
    }
}

#[derive(Default)]
pub(super) struct Losses(Vec<f64>);

impl Observer for Losses {
    fn step(&mut self, progress: &TrainProgress) {
        self.0.push(progress.loss);
    }
}

pub(super) fn dataset() -> TrainingSet {
    TrainingSet {
        training: samples(1500, 1).into(),
        validation: samples(200, 2),
        comparisons: Comparisons::default(),
        counts: FilterCounts::default(),
        is_shuffled: false,
    }
}

pub(super) fn plan(threads: usize) -> Plan {
    Plan {
        batch: 128,
        epochs: 4,
        threads,
        average: 2,
        checkpoint_every: 7,
        schedule: Schedule {
            warmup: 5,
            ..Schedule::default()
        },
        ..Plan::default()
    }
}

#[test]
fn training_lowers_the_loss_and_writes_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let (data, mut losses) = (dataset(), Losses::default());
    let finished = train(&plan(2), &data, folder.path(), None, &mut losses).unwrap();
    assert!(
        losses.0.last().unwrap() < &(losses.0[1] * 0.8),
        "{:?}",
        losses.0
    );
    assert!(finished.mean_error < 2.0, "{finished:?}");
    assert_eq!(finished.compared, 200);
    let file = NetworkFile::read(&std::fs::read(finished.network).unwrap()).unwrap();
    assert_eq!(file.shape, plan(2).architecture.shape());
    for name in ["log.jsonl", "loss.svg", "index.html", "training.json"] {
        assert!(
            folder.path().join(name).metadata().unwrap().len() > 100,
            "{name}"
        );
    }
}

/// Stops a training in the middle of a step, as a kill does.
pub(super) struct Killed(pub(super) u64);

impl Observer for Killed {
    fn step(&mut self, progress: &TrainProgress) {
        assert!(progress.step < self.0, "killed on purpose");
    }
}

#[test]
fn a_training_that_goes_on_ends_as_an_unbroken_one() {
    let data = dataset();
    let [whole, broken] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let plan = plan(2);
    train(&plan, &data, whole.path(), None, &mut Losses::default()).unwrap();
    for step in [10, 23] {
        let killed = std::panic::catch_unwind(|| {
            train(&plan, &data, broken.path(), None, &mut Killed(step))
        });
        assert!(killed.is_err());
    }
    train(&plan, &data, broken.path(), None, &mut Losses::default()).unwrap();
    for name in ["nn.bin", "loss.svg"] {
        let [one, other] =
            [&whole, &broken].map(|folder| std::fs::read(folder.path().join(name)).unwrap());
        assert_eq!(one, other, "{name}");
    }
    // Another plan must not go on from there.
    let other = Plan {
        batch: 64,
        ..plan.clone()
    };
    let error = train(&other, &data, broken.path(), None, &mut Losses::default()).unwrap_err();
    assert!(error.to_string().contains("batch 128, not 64"), "{error}");
    // Nor a damaged checkpoint.
    let path = broken.path().join("checkpoint.bin");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let error = train(&plan, &data, broken.path(), None, &mut Losses::default()).unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
}

#[test]
fn a_loss_that_is_no_number_stops_the_training() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan {
        schedule: Schedule {
            peak: f32::INFINITY,
            ..Schedule::default()
        },
        ..plan(1)
    };
    let error = train(
        &plan,
        &dataset(),
        folder.path(),
        None,
        &mut Losses::default(),
    )
    .unwrap_err();
    assert!(error.to_string().contains("no number"), "{error}");
}

/// Games of random moves as records.
fn write_games(path: &std::path::Path) -> usize {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut records = Vec::new();
    for _ in 0..40 {
        let mut pos = Position::start();
        for _ in 0..60 {
            let moves = pos.legal_moves();
            let Some(mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            records.push(Sample {
                position: pos.setup().build().unwrap(),
                value: Value::new(rng.i32(-3500..3500)),
                mv: Some(mv),
                result: Some(GameResult::Win(Color::Black)),
                flags: 0,
            });
            pos.play(mv);
        }
    }
    let mut bytes = Vec::new();
    write_all(&mut bytes, SampleFormat::Psv, &records).unwrap();
    std::fs::write(path, bytes).unwrap();
    records.len()
}

#[test]
fn files_are_filtered_and_split_by_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.psv");
    let count = write_games(&path);
    let source = TrainingSource {
        training: vec![path.clone()],
        validation: Vec::new(),
        validation_share: 0.2,
        filter: Filter::for_training(),
        skip: Skip::Relation,
        seed: 1,
        memory: 1 << 30,
        temporary: folder.path().into(),
    };
    let data = TrainingSet::load(&source, |_| ()).unwrap();
    let counts = data.counts;
    assert_eq!(counts.read, count as u64);
    assert_eq!(
        counts.kept as usize,
        data.training.len() + data.validation.len()
    );
    assert!(
        counts.decided > 0 && counts.in_check > 0 && counts.tactical > 0,
        "{counts:?}"
    );
    assert!(!data.validation.is_empty() && !data.is_shuffled);
    for sample in data.training.some().unwrap().iter().take(50) {
        let pos = PackedLayout::PackedSfen.unpack(&sample.packed).unwrap();
        assert_eq!(
            i32::from(sample.skip),
            Relation::new().evaluate(&pos).points()
        );
    }
    // The same in several files, in another order.
    let sorted = |data: &TrainingSet| {
        let mut all = Vec::new();
        for shard in 0..data.training.count() {
            let read = |path: std::path::PathBuf| super::shards::read(&path).unwrap();
            match data.training.path(shard) {
                Some(path) => all.extend(read(path)),
                None => all.extend(data.training.some().unwrap().iter().copied()),
            }
        }
        all.sort_by_key(|sample| (sample.packed, sample.score));
        all
    };
    let spilled = TrainingSource {
        memory: 12_000,
        ..source.clone()
    };
    let spilled = TrainingSet::load(&spilled, |_| ()).unwrap();
    assert!(spilled.training.count() > 5);
    assert_eq!(sorted(&spilled), sorted(&data));
    assert_eq!(spilled.validation, data.validation);
    let plan = Plan {
        epochs: 2,
        batch: 64,
        shards: spilled.training.count(),
        ..Plan::default()
    };
    let out = tempfile::tempdir().unwrap();
    train(&plan, &spilled, out.path(), None, &mut Losses::default()).unwrap();
    drop(spilled);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    // Half a record at the end, and a record that is none.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 7);
    std::fs::write(&path, &bytes).unwrap();
    let error = TrainingSet::load(&source, |_| ()).unwrap_err();
    assert!(error.to_string().contains("33 bytes are left"), "{error}");
    bytes.truncate(bytes.len() - 33);
    bytes[40 * 7..][..32].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let error = TrainingSet::load(&source, |_| ()).unwrap_err();
    assert!(error.to_string().contains("record 8:"), "{error}");
}

#[test]
fn more_parameters_than_memory_holds_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan {
        threads: 1 << 44,
        ..plan(1)
    };
    let error = require_start(&plan, None).unwrap_err();
    assert!(error.to_string().contains("no room in memory"), "{error}");
    let data = dataset();
    assert!(train(&plan, &data, folder.path(), None, &mut Losses::default()).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn samples_of_every_format_are_learnt_from_alike() {
    let folder = tempfile::tempdir().unwrap();
    let [records, positions] =
        [("a.bin", SampleFormat::Psv), ("a.hcpe", SampleFormat::Hcpe)].map(|(name, format)| {
            let mut bytes = Vec::new();
            let samples: Vec<_> = positions_with_values(300);
            write_all(&mut bytes, format, &samples).unwrap();
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        });
    let load = |path: &std::path::PathBuf| {
        let source = TrainingSource {
            training: vec![path.clone()],
            validation: Vec::new(),
            validation_share: 0.0,
            filter: Filter::for_training(),
            skip: Skip::Nothing,
            seed: 1,
            memory: 1 << 30,
            temporary: folder.path().into(),
        };
        TrainingSet::load(&source, |_| {})
    };
    let [one, other] = [&records, &positions].map(|path| load(path).unwrap());
    assert_eq!(one.counts, other.counts);
    assert_eq!(one.training.some().unwrap(), other.training.some().unwrap());
    // Moves in the layout of the other format are told, with the record.
    let mut bytes = std::fs::read(&records).unwrap();
    let moves = SampleFormat::Hcpe.moves();
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap();
    let mv = "P*5e".parse().unwrap();
    let sample = Sample {
        position,
        value: Value::ZERO,
        mv: Some(mv),
        result: Some(GameResult::Draw),
        flags: 0,
    };
    let mut record = SampleFormat::Psv.write(&sample).unwrap();
    record[34..36].copy_from_slice(&moves.write(mv).to_le_bytes());
    bytes.extend(record);
    std::fs::write(&records, &bytes).unwrap();
    let error = load(&records).unwrap_err().to_string();
    assert!(error.contains("record 301: "), "{error}");
    assert!(error.contains("--moves"), "{error}");
    // A file of the other format under a wrong name is no file of this one.
    std::fs::copy(&positions, &records).unwrap();
    assert!(load(&records).is_err());
}

/// Positions, some with moves, none with more than a game knows of them.
fn positions_with_values(count: usize) -> Vec<Sample> {
    let sample = |pos: Position| {
        let mv = pos.legal_moves().get(0);
        Sample {
            position: Position::from_sfen(&pos.to_sfen_without_ply()).unwrap(),
            value: Value::new(17),
            mv,
            result: Some(GameResult::Draw),
            flags: 0,
        }
    };
    positions(count, 5).into_iter().map(sample).collect()
}
