//! `tesuji usi`, and `tesuji` alone: the engine that a GUI starts.

use crate::answer::{ExitStatus, Failure};
use clap::Args;
use std::io::{IsTerminal, Write};
use tesuji_engine::{Engine, EngineParts, TournamentFactory};

const EXAMPLES: &str = "\
Examples:
  tesuji                                        what a GUI starts
  tesuji usi --option EvalFile=nn.bin --option Threads=4
  printf 'isready\\nposition startpos\\ngo depth 10\\n' | tesuji usi

Beside the commands of the protocol it understands d, moves, eval, key, bench [DEPTH], go perft N,
getoption [NAME], an option and its value (threads 4), and f FILE, which runs the lines of a file.
Options may also stand in engine_options.txt in the working directory. At the end of the input a
search that has a limit finishes; quit ends at once.";

/// Plays: speaks USI on standard input and output
#[derive(Args, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Usi {
    /// Set an option before the first command
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
}

impl Usi {
    /// Speaks until it is told to quit.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let parts = EngineParts {
            out: Box::new(std::io::stdout()),
            factory: Box::new(TournamentFactory),
            folder: ".".into(),
        };
        let mut engine = Engine::new(parts).map_err(Failure::Engine)?;
        for option in &self.option {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let _ = engine.handle(&format!("setoption name {name} value {value}"));
        }
        if std::io::stdin().is_terminal() {
            let hint = "This is a USI engine for a GUI: type usi, d, go, quit … \
                        `tesuji --help` shows what else it can do.";
            let _ = writeln!(std::io::stderr(), "{hint}");
        }
        engine
            .run(std::io::stdin().lock())
            .map_err(Failure::Engine)?;
        Ok(ExitStatus::Yes)
    }
}
