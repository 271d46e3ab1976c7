//! Every command that the documents and the help texts show is one that this program understands.

use crate::Cli;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory};
use std::path::{Path, PathBuf};

/// A command that somebody may copy.
struct Shown {
    place: String,
    text: String,
    /// Whether it is only mentioned in a sentence, where arguments may be left out.
    is_mention: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What follows `tesuji`, or `cargo run … --`, if a line begins so.
fn own_arguments(line: &str) -> Option<&str> {
    let line = line.trim_start_matches("$ ").trim();
    let cargo = line.strip_prefix("cargo run ");
    let cargo = cargo.filter(|rest| !rest.contains(" --example ") && !rest.contains("--manifest"));
    let own = line.strip_prefix("tesuji ");
    own.or_else(|| Some(cargo?.split_once("-- ")?.1))
}

/// The words of a command as a shell would part them, up to a pipe, a redirection or a comment.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '|' | '>' | '<' | ';' | '&') => break,
            (None, '#') if word.is_none() => break,
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The commands of a document: lines of code, and pieces of code in sentences.
fn in_document(path: &Path, found: &mut Vec<Shown>) {
    let text = std::fs::read_to_string(path).unwrap().replace("\\\n", " ");
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        let place = || format!("{}:{number}", path.display());
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            found.extend(own_arguments(line).map(|arguments| Shown {
                place: place(),
                text: arguments.into(),
                is_mention: false,
            }));
        } else {
            let pieces = line.split('`').skip(1).step_by(2);
            found.extend(pieces.filter_map(own_arguments).map(|arguments| Shown {
                place: place(),
                text: arguments.into(),
                is_mention: true,
            }));
        }
    }
}

/// The examples of a verb and of everything below it. What an example does stands two spaces behind
/// it.
fn in_help(command: &Command, found: &mut Vec<Shown>) {
    let help = command.get_after_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    // A line that goes on is one line.
    let help: String = help.split("\\\n").map(str::trim_start).collect();
    for line in help.lines() {
        let example = line.trim_start();
        if !line.starts_with("  ") || !example.starts_with("tesuji ") {
            continue;
        }
        let example = example.split("  ").next().unwrap_or_default();
        found.extend(own_arguments(example).map(|arguments| Shown {
            place: format!("tesuji {} --help", command.get_name()),
            text: arguments.into(),
            is_mention: false,
        }));
    }
    command
        .get_subcommands()
        .for_each(|below| in_help(below, found));
}

/// What is wrong with a command.
fn fault(shown: &Shown) -> Option<String> {
    let words = words(&shown.text);
    // What is shortened can be neither copied nor read.
    if words.iter().any(|word| word.contains('…') || word == "...") {
        return None;
    }
    let words = ["tesuji".to_owned()].into_iter().chain(words);
    let error = Cli::command().try_get_matches_from(words).err()?;
    let is_fine = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => false,
        _ => shown.is_mention,
    };
    let first = || {
        error
            .to_string()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    (!is_fine).then(|| format!("{}: tesuji {}\n    {}", shown.place, shown.text, first()))
}

#[test]
fn every_command_that_is_shown_can_be_given() {
    let mut found = Vec::new();
    let docs = std::fs::read_dir(root().join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    let others = [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "fixtures/README.md",
    ];
    for path in docs.chain(others.map(|name| root().join(name))) {
        if path.extension().is_some_and(|extension| extension == "md") {
            in_document(&path, &mut found);
        }
    }
    let in_documents = found.len();
    in_help(&Cli::command(), &mut found);
    assert!(
        in_documents > 50 && found.len() > in_documents + 50,
        "too few are found"
    );
    let faults: Vec<_> = found.iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn words_are_parted_as_by_a_shell() {
    assert_eq!(
        words("a 'b c' --d='e' \"\" f#g # h"),
        ["a", "b c", "--d=e", "", "f#g"]
    );
    assert_eq!(words("a b > c"), ["a", "b"]);
    assert_eq!(own_arguments("cargo run --release -- play"), Some("play"));
    assert_eq!(own_arguments("cargo run --example x -- play"), None);
}
