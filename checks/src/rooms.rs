//! The list of all source files, made from the sentence that each of them begins with.

use crate::tree::{Package, read, rust_files};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
# Rooms

Every source file with the first sentence of its `//!`, floor by floor. The list is made from the files:
`UPDATE=1 cargo test -p tesuji-checks` writes it, and the same test without `UPDATE` fails if it is not
what the files say. [house.md](house.md) tells which room a line belongs to.
";

/// The text of docs/rooms.md as it should be: one part for each package, in the order given.
pub fn rooms(packages: &[Package]) -> String {
    let mut text = HEAD.to_owned();
    for package in packages {
        let _ = write!(
            text,
            "\n## {}\n\n| file | what it is for |\n|---|---|\n",
            package.name
        );
        let src = package.folder.join("src");
        for file in rust_files(&src).iter().filter(|file| !is_test(file)) {
            let path = file
                .strip_prefix(&src)
                .expect("a file below src")
                .to_string_lossy();
            let _ = writeln!(text, "| `{path}` | {} |", purpose(&read(file)));
        }
    }
    text
}

/// Whether a file holds tests only.
fn is_test(file: &Path) -> bool {
    file.iter()
        .any(|part| part == "tests.rs" || part == "tests")
}

/// The first sentence of the text that a file begins with.
fn purpose(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let first: Vec<&str> = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    let text = first.join(" ");
    let end = text.find(". ").unwrap_or(text.len());
    text[..end]
        .trim_end_matches('.')
        .replace('|', "\\|")
        .replace("[`", "`")
        .replace("`]", "`")
}

#[cfg(test)]
mod tests {
    use super::purpose;

    #[test]
    fn the_first_sentence_is_taken() {
        assert_eq!(
            purpose("//! A set of\n//! squares. Fast.\n\nuse x;"),
            "A set of squares"
        );
        assert_eq!(
            purpose("//! `Position` as a [`Board`]: yes.\n//!\n//! More.\n"),
            "`Position` as a `Board`: yes"
        );
        assert_eq!(purpose("use x;"), "");
    }
}
