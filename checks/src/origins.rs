//! The tables of docs/origins.md: which files a technique is in, and whom it is from.

use crate::tables::{code_spans, tables};
use crate::tree::{read, root};
use std::path::{Path, PathBuf};

/// Programs that write themselves with a small letter.
const SMALL_NAMES: [&str; 12] = [
    "bullet",
    "cozy-chess",
    "cutechess",
    "dlshogi",
    "elmo",
    "fishtest",
    "floodgate",
    "json-kifu-format",
    "nnue-pytorch",
    "python-shogi",
    "shogi-server",
    "tanuki-",
];

/// One row of the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Its line in the document.
    pub line: usize,
    /// The files and folders it lists, from the root.
    pub files: Vec<String>,
    /// The people and programs it comes from; none if it is ours, or known to everybody.
    pub names: Vec<String>,
}

/// Every row of docs/origins.md.
pub fn origins() -> Vec<Origin> {
    parse(&read(&root().join("docs/origins.md")))
}

fn parse(document: &str) -> Vec<Origin> {
    let tables = tables(document);
    let rows = tables.iter().flat_map(|table| {
        let sources = table.column("where it comes from");
        table.column("where it is").zip(sources)
    });
    let origin = |((line, files), (_, source)): ((usize, &str), (usize, &str))| Origin {
        line,
        files: code_spans(files).map(str::to_owned).collect(),
        names: names(source),
    };
    rows.map(origin).collect()
}

/// The names in a cell. Titles and code are none, and a part of it that says "ours" tells what we
/// have done with the rest.
fn names(source: &str) -> Vec<String> {
    let outside = |text: &str, mark: char| -> String {
        let parts: Vec<&str> = text.split(mark).step_by(2).collect();
        parts.join(" ")
    };
    let plain = outside(&outside(&outside(source, '`'), '"'), '*');
    let foreign = plain
        .split(';')
        .filter(|part| !words(part).any(|word| word == "ours"));
    let is_name = |word: &&str| {
        let is_long = word.chars().nth(1).is_some();
        is_long && word.starts_with(char::is_uppercase) || SMALL_NAMES.contains(word)
    };
    foreign
        .flat_map(words)
        .filter(is_name)
        .map(str::to_owned)
        .collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
}

impl Origin {
    /// Whether a listed file names one of the people and programs in the comment it begins with.
    pub fn is_told(&self) -> bool {
        let paths = self.files.iter().map(|file| first_file(&root().join(file)));
        let mut heads = paths
            .filter(|path| path.exists())
            .map(|path| head(&read(&path)));
        heads.any(|head| words(&head).any(|word| self.names.iter().any(|name| name == word)))
    }
}

/// The file itself, or the one in which the module or the crate of a folder begins.
fn first_file(path: &Path) -> PathBuf {
    let inside = ["src/lib.rs", "mod.rs"].map(|name| path.join(name));
    let mut candidates = inside.into_iter().chain([path.with_extension("rs")]);
    if path.is_dir()
        && let Some(found) = candidates.find(|path| path.exists())
    {
        return found;
    }
    path.to_owned()
}

/// The comment that a file of Rust or SQL begins with.
fn head(source: &str) -> String {
    let lines = source
        .lines()
        .map_while(|line| line.strip_prefix("//!").or_else(|| line.strip_prefix("--")));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{head, names, parse};

    #[test]
    fn names_of_people_and_programs_are_found() {
        assert_eq!(
            names("Stockfish's `StateInfo`; that it lasts is ours"),
            ["Stockfish"]
        );
        assert_eq!(names("Elo, \"The Rating\", *Of Players*, 1978"), ["Elo"]);
        assert_eq!(names("He and others 2015; fishtest"), ["He", "fishtest"]);
        assert!(names("common to chess programs").is_empty());
        assert!(names("ours; Crafty does as ours does").is_empty());
    }

    #[test]
    fn rows_are_read() {
        let text = "# T\n\n| technique | where it is | where it comes from |\n|---|---|---|\n\
            | x | `a.rs`, `b/` | Hoki 2006 |\n";
        let found = parse(text);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].line, &found[0].files[..]),
            (5, &["a.rs", "b/"].map(String::from)[..])
        );
        assert_eq!(found[0].names, ["Hoki"]);
    }

    #[test]
    fn the_first_comment_is_the_head() {
        assert_eq!(head("//! A.\n//!\n//! B.\n\nuse x;\n//! C."), " A.\n\n B.");
        assert_eq!(head("-- A.\ncreate"), " A.");
    }
}
