//! The list of all source files, made from the sentence that each of them begins with.

use crate::tree::{Package, read, rust_files, scripts};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Rooms

Every source file with the first sentence of its `//!`, floor by floor, and every module of the page with
that of its first comment. The list is made from the files: `UPDATE=1 cargo test -p tesuji-checks` writes
it, and the same test without `UPDATE` fails if it is not what the files say. [house.md](house.md) tells
which room a line belongs to.
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
        let files = rust_files(&src);
        let files = files.iter().filter(|file| !is_test(file));
        list(&mut text, &src, files, "//!");
        let page = scripts(&package.folder.join("page"));
        list(&mut text, &package.folder, page.iter(), "//");
    }
    text
}

/// A row for each file, named by its path below a folder.
fn list<'a>(
    text: &mut String,
    folder: &Path,
    files: impl Iterator<Item = &'a PathBuf>,
    mark: &str,
) {
    for file in files {
        let path = file.strip_prefix(folder).expect("a file below the folder");
        let (path, purpose) = (path.display(), purpose(&read(file), mark));
        let _ = writeln!(text, "| `{path}` | {purpose} |");
    }
}

/// Whether a file holds tests only.
fn is_test(file: &Path) -> bool {
    file.iter()
        .any(|part| part == "tests.rs" || part == "tests")
}

/// The first sentence of the comment that a file begins with.
fn purpose(source: &str, mark: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix(mark));
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
            purpose("//! A set of\n//! squares. Fast.\n\nuse x;", "//!"),
            "A set of squares"
        );
        assert_eq!(
            purpose(
                "//! `Position` as a [`Board`]: yes.\n//!\n//! More.\n",
                "//!"
            ),
            "`Position` as a `Board`: yes"
        );
        assert_eq!(
            purpose("// The board: clicks.\nimport x;", "//"),
            "The board: clicks"
        );
        assert_eq!(purpose("use x;", "//!"), "");
    }
}
