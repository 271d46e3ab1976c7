//! How a verb ends: with an answer, or with what was wrong with its input.

use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a verb that could do its work has to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExitStatus {
    /// Done, and everything is as it should be.
    Yes,
    /// Done, and something is not as it should be.
    No,
    /// Not done to the end, because Ctrl-C was pressed; what was found out is printed.
    Interrupted,
}

/// Why a verb could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Options that do not go together.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("{}: cannot write it: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A line of a file is not what it should be.
    #[error("{}:{line}: {what}", path.display())]
    Line {
        /// In which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        what: Box<dyn Error>,
    },
    /// A file cannot be used.
    #[error("{}: {what}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        what: Box<dyn Error>,
    },
    /// An evaluator cannot be had.
    #[error(transparent)]
    Evaluator(#[from] tesuji_eval::ChooseError),
    /// There is nothing to mate.
    #[error(transparent)]
    Problem(#[from] tesuji_mate::ProblemError),
    /// A proof has a hole.
    #[error("the proof has a hole: {0}")]
    Proof(#[from] tesuji_mate::Flaw),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A search cannot be set up.
    #[error(transparent)]
    Search(#[from] tesuji_engine::MakeSearchError),
    /// The engine cannot start or cannot be heard.
    #[error("the engine cannot go on: {0}")]
    Engine(#[source] io::Error),
    /// Another program does not do what it should.
    #[error("{0}: {1}")]
    Peer(String, #[source] tesuji_usi::process::ProcessError),
    /// A match cannot go on.
    #[error(transparent)]
    Match(#[from] tesuji_match::runner::MatchError),
    /// What a match or a tuning has played cannot be kept.
    #[error(transparent)]
    Games(#[from] tesuji_match::journal::JournalError),
    /// The games of a tuning cannot be played.
    #[error(transparent)]
    Tuning(#[from] tesuji_match::tune::TuningGamesError),
    /// A game cannot be played on a server.
    #[error(transparent)]
    Client(#[from] tesuji_csa::client::ClientError),
    /// The board in the browser cannot be served.
    #[error(transparent)]
    Board(#[from] tesuji_web::WebServerError),
    /// Self-play cannot go on.
    #[error(transparent)]
    Selfplay(#[from] tesuji_learn::selfplay::SelfplayError),
    /// Training data cannot be read or written.
    #[error(transparent)]
    Data(#[from] tesuji_learn::data::DataError),
    /// Samples to learn from cannot be had.
    #[error(transparent)]
    Samples(#[from] tesuji_learn::nnue::DatasetError),
    /// A training cannot go on.
    #[error(transparent)]
    Training(#[from] tesuji_learn::nnue::TrainError),
    /// Games cannot be learnt from.
    #[error(transparent)]
    Examples(#[from] tesuji_learn::online::ExampleError),
    /// The learning of tables cannot go on.
    #[error(transparent)]
    Learning(#[from] tesuji_learn::online::OnlineError),
    /// A farm cannot do what it is asked.
    #[cfg(feature = "farm")]
    #[error("{0}")]
    Farm(Box<dyn Error + Send + Sync>),
    /// The results cannot be written.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

/// Writes a result as one line of JSON.
pub(crate) fn write_json(out: &mut impl Write, result: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, result)?;
    writeln!(out)
}

/// Reads a text file and makes something of it, or says which line is wrong and why.
pub(crate) fn read_file<T, E: Into<Box<dyn Error>>>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, (usize, E)>,
) -> Result<T, Failure> {
    let text = tesuji_kernels::read_input_text(path).map_err(|source| Failure::Read {
        path: path.into(),
        source,
    })?;
    // Some editors begin a file with a mark that says it is UTF-8.
    parse(text.strip_prefix('\u{feff}').unwrap_or(&text)).map_err(|(line, what)| Failure::Line {
        path: path.into(),
        line,
        what: what.into(),
    })
}

/// Writes a file whole or not at all.
pub(crate) fn save(path: &Path, text: &str) -> Result<(), Failure> {
    tesuji_record::file::save(path, text.as_bytes()).map_err(|source| Failure::Write {
        path: path.into(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_before_the_text_is_no_part_of_it() {
        let path = std::env::temp_dir().join(format!("tesuji-mark-{}", std::process::id()));
        std::fs::write(&path, "\u{feff}text").unwrap();
        let read = read_file(&path, |text| Ok::<_, (usize, String)>(text.to_owned()));
        assert_eq!(read.unwrap(), "text");
        let refused = read_file(&path, |_| Err::<(), _>((7, "nonsense".to_owned())));
        assert!(refused.unwrap_err().to_string().ends_with(":7: nonsense"));
        std::fs::remove_file(&path).unwrap();
    }
}
