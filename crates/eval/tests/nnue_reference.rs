//! Networks against the outputs of a reference engine, on every instruction set of this machine.
//!
//! The positions, a real network and two scripts that write networks lie outside the project, in
//! `../shared/data`; the networks written by the scripts in `../nets`. Where they are missing, the
//! tests say so and check nothing.

use std::path::{Path, PathBuf};
use tesuji_eval::Evaluator;
use tesuji_eval::nnue::{File, Network, NetworkVisitor, enter};
use tesuji_kernels::InstructionSet;
use tesuji_shogi::Position;

fn outside(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .join(path)
}

/// Positions and the outputs they must give.
fn table(name: &str) -> Option<Vec<(Position, i32)>> {
    let text = std::fs::read_to_string(outside("shared/data/eval").join(name)).ok()?;
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            (
                Position::from_sfen(cells[1]).expect("a position"),
                cells[4].parse().expect("a number"),
            )
        });
    Some(rows.collect())
}

/// Counts the positions whose output is another one.
struct Count<'a>(&'a [(Position, i32)]);

impl NetworkVisitor for Count<'_> {
    type Out = usize;
    fn visit<const N: usize>(self, network: Network<N>) -> usize {
        let wrong = |(pos, output): &&(Position, i32)| network.evaluate_raw(pos) != *output;
        self.0.iter().filter(wrong).count()
    }
}

fn check(net: &str, positions: &str) {
    let (Ok(bytes), Some(rows)) = (std::fs::read(outside(net)), table(positions)) else {
        println!("skipped: {net} or {positions} is not there");
        return;
    };
    assert_eq!(rows.len(), 662);
    let file = File::read(&bytes).expect("a network");
    assert!(file.write() == bytes, "{net} is written as it was read");
    for level in InstructionSet::ALL {
        let Some(kernels) = level.kernels() else {
            println!("skipped: this machine has no {level:?}");
            continue;
        };
        let wrong = enter(file.clone(), kernels, Count(&rows)).expect("a supported width");
        assert_eq!(wrong, 0, "{net} on {level:?}");
    }
    println!(
        "{net}: {} positions on {} instruction sets",
        rows.len(),
        InstructionSet::ALL.len()
    );
}

#[test]
fn shared_data_a_real_kp_network_gives_the_reference_outputs() {
    check(
        "shared/data/nets/suisho_petite/nn.bin",
        "kp256_suisho_petite.tsv",
    );
}

#[test]
fn shared_data_a_half_kp_network_gives_the_reference_outputs() {
    check("nets/halfkp.bin", "halfkp256_random.tsv");
}

#[test]
fn shared_data_a_stacked_network_gives_the_reference_outputs() {
    check("nets/sfnn.bin", "sfnn1536_random.tsv");
}
