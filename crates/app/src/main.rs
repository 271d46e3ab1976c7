//! Starts the program.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tesuji::run()
}
