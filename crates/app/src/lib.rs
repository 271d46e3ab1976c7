//! The program as a library, so that it is compiled while the floors below still are: reads the verb.
#![forbid(unsafe_code)]

mod answer;
mod arguments;
#[cfg(test)]
mod documented;
mod interrupt;
mod progress;
mod verb;

use answer::{ExitStatus, Failure};
use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  tesuji play                     the board in the browser: play, analyse, solve, learn
  tesuji                          the engine, as a GUI starts it
  tesuji bench                    the signature of the search, and its speed
  tesuji perft --depth 5          count the positions five moves from the start
  tesuji bench movegen            time every move generator side by side
  tesuji match relation material  let players play each other
  tesuji eval --eval material     evaluate a position
  tesuji teach --html course.html
                                  a course in game-tree search, with pictures
  tesuji lab --depth 4            every search side by side
  tesuji paper k13                a paper's experiments, then beside now
  tesuji convert game.kif game.csa
                                  a record in another format
  tesuji csa floodgate.toml       play on a server; tesuji csa serve is one
  tesuji analyze game.kif out.kif
                                  what every move was worth
  tesuji book probe user.db       opening books: ask, make, merge, convert
  tesuji mate --sfen '...'        find a mate, or show that there is none
  tesuji selfplay data/games      games against itself, to learn from
  tesuji data stats games.psv     what training data looks like; filter, shuffle, split it
  tesuji train nnue games --out net
                                  a network from such games
  tesuji tune --params 'razor_*' --openings suite.sfen
                                  numbers of the search, moved by games
  tesuji farm init --store farm.db
                                  work for many machines; tesuji work does it
  tesuji soak --minutes 5         attack engine, matches and server; check that nothing breaks
  tesuji perft --help             what a verb can do, with more examples

Results go to standard output, progress and messages to standard error. With --json a result
is one JSON object on a line of its own.

Exit codes: 0 done, 1 the answer is no (a count differs), 2 wrong usage or bad input,
130 interrupted.";

/// Shogi: an engine, and the rules, searches, evaluations and solvers it is made of.
#[derive(Parser)]
#[command(name = "tesuji", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    Perft(Box<verb::perft::Perft>),
    Bench(verb::bench::Bench),
    Eval(Box<verb::eval::EvalVerb>),
    Lab(Box<verb::lab::Lab>),
    Teach(Box<verb::teach::Teach>),
    Usi(verb::usi::Usi),
    Match(Box<verb::r#match::Match>),
    Convert(verb::convert::Convert),
    Mate(Box<verb::mate::Mate>),
    Csa(Box<verb::csa::Csa>),
    Analyze(Box<verb::analyze::Analyze>),
    Play(Box<verb::play::Play>),
    Book(Box<verb::book::Book>),
    Selfplay(Box<verb::selfplay::Selfplay>),
    Data(Box<verb::data::Data>),
    Train(verb::train::Train),
    Tune(Box<verb::tune::Tune>),
    Paper(verb::paper::PaperVerb),
    Soak(verb::soak::Soak),
    #[cfg(feature = "farm")]
    Farm(Box<verb::farm::Farm>),
    #[cfg(feature = "farm")]
    Work(Box<verb::work::Work>),
    #[cfg(not(feature = "farm"))]
    Farm(verb::farm_absent::FarmAbsent),
    #[cfg(not(feature = "farm"))]
    Work(verb::farm_absent::FarmAbsent),
}

/// Reads the verb and its arguments from the command line, and does what they say.
pub fn run() -> ExitCode {
    tesuji_engine::install_panic_hook();
    let verb = Cli::parse().verb;
    let outcome = match verb.unwrap_or_else(|| Verb::Usi(verb::usi::Usi::default())) {
        Verb::Perft(perft) => perft.run(),
        Verb::Bench(bench) => bench.run(),
        Verb::Eval(eval) => eval.run(),
        Verb::Lab(lab) => lab.run(),
        Verb::Teach(teach) => teach.run(),
        Verb::Usi(usi) => usi.run(),
        Verb::Match(r#match) => r#match.run(),
        Verb::Convert(convert) => convert.run(),
        Verb::Mate(mate) => mate.run(),
        Verb::Csa(csa) => csa.run(),
        Verb::Analyze(analyze) => analyze.run(),
        Verb::Play(play) => play.run(),
        Verb::Book(book) => book.run(),
        Verb::Selfplay(selfplay) => selfplay.run(),
        Verb::Data(data) => data.run(),
        Verb::Train(train) => train.run(),
        Verb::Tune(tune) => tune.run(),
        Verb::Paper(paper) => paper.run(),
        Verb::Soak(soak) => soak.run(),
        Verb::Farm(farm) => farm.run(),
        Verb::Work(work) => work.run(),
    };
    match outcome {
        Ok(ExitStatus::Yes) => ExitCode::SUCCESS,
        Ok(ExitStatus::No) => ExitCode::from(1),
        // As shells say it of a program that Ctrl-C has ended.
        Ok(ExitStatus::Interrupted) => ExitCode::from(130),
        // Whoever reads has read enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "tesuji: {failure}");
            ExitCode::from(2)
        }
    }
}
