//! A very short soak: every attack begins, ends and is counted.
#![cfg(unix)]

use std::process::Command;

#[test]
fn a_short_soak_breaks_nothing_and_counts_what_it_did() {
    let soak = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.arg("soak").args(arguments).output().unwrap()
    };
    let output = soak(&["--minutes", "0.01", "--seed", "1", "--json"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    for seed in ["Usi seed 1\n", "Match seed 1\n", "Csa seed 1\n"] {
        assert!(said.contains(seed), "{said}");
    }
    let counts = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(counts.contains("\"broken\":0"), "{counts}");
    assert!(counts.contains("\"csa hostile connections\":"), "{counts}");
    assert_eq!(soak(&[]).status.code(), Some(2), "it must be told how long");
}
