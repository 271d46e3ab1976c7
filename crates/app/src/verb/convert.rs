//! `tesuji convert`: records and data from one format into another.

mod check;
mod error;
mod input;
mod kind;
mod output;

use crate::answer::{ExitStatus, Failure, write_json};
use clap::Args;
use error::ConvertError;
use input::Input;
use kind::FileKind;
use output::ItemOutput;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use tesuji_record::Encoding;
use tesuji_record::samples::MoveLayout;

const EXAMPLES: &str = "\
Examples:
  tesuji convert game.kif game.csa            one record
  tesuji convert games.csa games.jkf          many records: one JSON object per line
  tesuji convert games.csa games.psv          every evaluated position of games with a result
  tesuji convert games.hcpe3 games.sbinpack   data for learning
  tesuji convert --from usi --to kifu - -     from standard input to standard output
  tesuji convert --check games.csa            does every format give every game back?

Formats, which are also extensions:
  records     csa csa3 kif kifu ki2 ki2u jkf (json) usi (sfen)
              kif and ki2 are written in Shift_JIS, kifu and ki2u in UTF-8
  games       hcpe3 pack
  positions   psv hcp hcpe sbinpack (bin is not enough: say --from psv)

Encodings are told apart when reading. What is doubtful is refused, with the line or the number of
the record, and nothing is written; --skip goes on without it. A file is written under another
name and renamed when it is whole. Where there is nothing to write, an older file stays as it is.

Between records everything is kept that the new format can hold; how many games lost something is
said at the end. Positions cannot become games again: psv can become hcpe or usi, but not csa.";

/// Turns records and data into other formats
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    /// The file to read; - is standard input
    input: PathBuf,
    /// The file to write; - is standard output
    #[arg(required_unless_present = "check", conflicts_with = "check")]
    output: Option<PathBuf>,
    /// The format of the input, if its extension does not tell
    #[arg(long, value_name = "FORMAT")]
    from: Option<FileKind>,
    /// The format of the output, if its extension does not tell; with --check, the only one to try
    #[arg(long, value_name = "FORMAT")]
    to: Option<FileKind>,
    /// Write text as utf-8, shift_jis or euc-jp
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<Encoding>,
    /// Read text as this, whatever it looks like
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    input_encoding: Option<Encoding>,
    /// The moves of a data file are laid out as in psv or hcpe files, whatever its format
    #[arg(long, value_name = "psv|hcpe", value_parser = move_layout)]
    moves: Option<MoveLayout>,
    /// Leave out what cannot be read or has no result, and count it
    #[arg(long)]
    skip: bool,
    /// Write nothing: turn every record into every format and back, and compare
    #[arg(long)]
    check: bool,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| "expected utf-8, shift_jis or euc-jp".into())
}

fn move_layout(name: &str) -> Result<MoveLayout, String> {
    match name {
        "psv" => Ok(MoveLayout::Flagged),
        "hcpe" => Ok(MoveLayout::Shifted),
        _ => Err("expected psv or hcpe".into()),
    }
}

/// What was done.
#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    /// Games or positions read.
    read: u64,
    /// Games or positions written.
    written: u64,
    /// Left out because of --skip.
    skipped: u64,
    /// Games of which the new format does not hold everything.
    shortened: u64,
}

impl Convert {
    /// Converts, or checks.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let from = kind_of(&self.input, self.from, "--from")?;
        let input = Input::open(&self.input, from, self.input_encoding, self.moves)?;
        let Some(output) = &self.output else {
            return check::run(input, self);
        };
        let to = kind_of(output, self.to, "--to")?;
        let mut out = ItemOutput::create(output, to, self.encoding)?;
        let mut counts = Counts::default();
        for item in input {
            let done = match item {
                Ok(item) => {
                    counts.read += 1;
                    out.write(&item)
                        .map_err(|error| error.in_record(counts.read))
                }
                Err(error) => Err(error),
            };
            match done {
                Ok(done) => {
                    counts.written += done.written;
                    counts.shortened += u64::from(done.shortened);
                }
                Err(ConvertError::Record(what)) if self.skip => {
                    counts.skipped += 1;
                    let _ = writeln!(std::io::stderr(), "skipped: {what}");
                }
                Err(error) => return Err(error.into_failure(&self.input, output)),
            }
        }
        if counts.written == 0 {
            // Dropped, the new file disappears: what has its name already stays as it is.
            return Err(self.nothing_written(&counts));
        }
        out.finish()
            .map_err(|error| ConvertError::from(error).into_failure(&self.input, output))?;
        self.tell(&counts, output)
    }

    fn nothing_written(&self, counts: &Counts) -> Failure {
        let what = match counts.read + counts.skipped {
            0 => "there is no game or position in it, so that nothing was written".into(),
            found => format!("nothing of {found} games or positions could be written"),
        };
        Failure::File {
            path: self.input.clone(),
            what: what.into(),
        }
    }

    /// Says what was done, where the records themselves do not go.
    fn tell(&self, counts: &Counts, output: &Path) -> Result<ExitStatus, Failure> {
        let mut text = Vec::new();
        if self.json {
            write_json(&mut text, counts)?;
        } else {
            writeln!(
                text,
                "{} read, {} written, {} skipped",
                counts.read, counts.written, counts.skipped
            )?;
            if counts.shortened > 0 {
                writeln!(
                    text,
                    "{} hold more than the new format can",
                    counts.shortened
                )?;
            }
        }
        match output == Path::new("-") {
            true => std::io::stderr().write_all(&text)?,
            false => std::io::stdout().write_all(&text)?,
        }
        Ok(ExitStatus::Yes)
    }
}

/// The format of a file, as said or by its extension.
fn kind_of(path: &Path, said: Option<FileKind>, flag: &'static str) -> Result<FileKind, Failure> {
    let extension = || path.extension()?.to_str();
    said.or_else(|| extension().and_then(|extension| extension.parse().ok()))
        .ok_or_else(|| Failure::File {
            path: path.into(),
            what: format!("the extension does not tell the format: say {flag} FORMAT").into(),
        })
}
