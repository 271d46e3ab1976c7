//! Trains a small network on positions of random games, labelled by a hand-made evaluation, and says
//! how fast that was:
//!
//! ```text
//! cargo run --release -p tesuji-learn --example 01_train -- 200000 1 kp-256x2-32-32
//! ```
//!
//! The arguments are the number of positions, of threads, and the architecture.

use std::time::Instant;
use tesuji_eval::{Evaluator, Relation};
use tesuji_learn::nnue::{Observer, Plan, TrainProgress, TrainingSample, TrainingSet, train};
use tesuji_record::packed::PackedLayout;
use tesuji_shogi::{Board, Position};

struct Quiet;

impl Observer for Quiet {
    fn step(&mut self, progress: &TrainProgress) {
        if progress.step.is_multiple_of(16) {
            println!("step {} loss {:.5}", progress.step, progress.loss);
        }
    }
}

/// Positions of random games; moves that win something are preferred, so that games end.
fn samples(count: usize) -> Vec<TrainingSample> {
    let relation = Relation::new();
    let mut rng = fastrand::Rng::with_seed(1);
    let mut samples = Vec::new();
    while samples.len() < count {
        let mut pos = Position::start();
        for _ in 0..120 {
            let moves = pos.legal_moves();
            let Some(mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            pos.play(mv);
            let Ok(packed) = PackedLayout::PackedSfen.pack(&pos) else {
                break;
            };
            let score = relation.evaluate(&pos).points().clamp(-2999, 2999);
            samples.push(TrainingSample {
                packed,
                score: score as i16,
                skip: 0,
                result: score.signum() as i8,
            });
        }
    }
    samples
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let threads = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let architecture = arguments
        .next()
        .map_or(Ok(Default::default()), |text| text.parse())?;
    let mut training = samples(count);
    let validation = training.split_off(count * 49 / 50);
    let data = TrainingSet {
        training: training.into(),
        validation,
        ..TrainingSet::default()
    };
    let plan = Plan {
        architecture,
        threads,
        epochs: 2,
        ..Plan::default()
    };
    let folder = std::env::temp_dir().join("tesuji-train-example");
    std::fs::create_dir_all(&folder)?;
    let _ = std::fs::remove_file(folder.join("checkpoint.bin"));
    let begun = Instant::now();
    let finished = train(&plan, &data, &folder, None, &mut Quiet)?;
    let seen = 2 * data.training.len();
    println!("{finished:#?}");
    println!(
        "{:.0} positions/s in the steps, {:.0} with tests and files",
        seen as f64 / finished.seconds,
        seen as f64 / begun.elapsed().as_secs_f64()
    );
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
