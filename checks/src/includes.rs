//! Files that sources take in while they are compiled.

use crate::source::code;
use crate::tree::{read, rust_files};
use std::path::{Component, Path, PathBuf};

const MACROS: [&str; 2] = ["include_str!", "include_bytes!"];

/// Every file, or folder if the name is put together, that the sources of a folder take in outside of
/// tests: the source, its line and what is taken in.
pub fn includes(src: &Path) -> Vec<(PathBuf, usize, PathBuf)> {
    let mut found = Vec::new();
    for source in rust_files(src) {
        if source
            .iter()
            .any(|part| part == "tests.rs" || part == "tests")
        {
            continue;
        }
        let folder = source.parent().expect("a file in a folder").to_owned();
        for (line, name) in names(&read(&source)) {
            found.push((source.clone(), line, plain(&folder.join(name))));
        }
    }
    found
}

/// The first string behind each macro, with the line of the macro.
fn names(text: &str) -> Vec<(usize, String)> {
    let chars: Vec<char> = text.chars().collect();
    // Of the same length, character by character.
    let code: Vec<char> = code(text).chars().collect();
    let is_at =
        |at: usize, name: &str| name.chars().eq(code[at..].iter().copied().take(name.len()));
    let mut found = Vec::new();
    let mut line = 1;
    for at in 0..code.len() {
        line += usize::from(code[at] == '\n');
        if MACROS.iter().any(|name| is_at(at, name)) {
            let rest: String = chars[at..].iter().collect();
            let name = rest.split('"').nth(1).unwrap_or_default();
            found.push((line, name.to_owned()));
        }
    }
    found
}

/// A path without steps back.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{names, plain};
    use std::path::Path;

    #[test]
    fn macros_outside_of_tests_are_found() {
        let text = "// include_str!(\"no\")\nconst Ä: &str = \"ä\";\nlet a = include_str!(\n    \"../x\");\n\
            m!(include_bytes!(concat!(\"y/\", $name)));\n\
            #[cfg(test)]\nmod tests { const T: &str = include_str!(\"no\"); }\n";
        assert_eq!(names(text), [(3, "../x".to_owned()), (5, "y/".to_owned())]);
    }

    #[test]
    fn steps_back_are_taken() {
        assert_eq!(plain(Path::new("/a/b/../c/../../d")), Path::new("/d"));
    }
}
