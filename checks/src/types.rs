//! The types that a crate declares, by name.

use crate::source::code;
use crate::tree::{Package, read, root, rust_files};
use std::collections::BTreeMap;

/// Every type of every crate outside of tests: its name, and where it is declared (crate, file, line).
pub fn declared_types() -> BTreeMap<String, Vec<(String, String)>> {
    let mut types: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for package in Package::all() {
        for path in rust_files(&package.folder.join("src")) {
            if path
                .iter()
                .any(|part| part == "tests.rs" || part == "tests")
            {
                continue;
            }
            let shown = path.strip_prefix(root()).unwrap_or(&path).display();
            for (number, line) in code(&read(&path)).lines().enumerate() {
                if let Some(name) = declared(line) {
                    let place = format!("{shown}:{}", number + 1);
                    let places = types.entry(name.to_owned()).or_default();
                    places.push((package.name.clone(), place));
                }
            }
        }
    }
    types
}

/// The type that a line declares. A `type` inside of braces belongs to a trait or to one function.
fn declared(line: &str) -> Option<&str> {
    let is_inside = line.starts_with(' ');
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| word.starts_with("pub"));
    let keyword = words.next()?;
    let is_type = matches!(keyword, "struct" | "enum" | "trait" | "union");
    if !is_type && (keyword != "type" || is_inside) {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &name[..end.unwrap_or(name.len())];
    name.starts_with(char::is_uppercase).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn a_line_declares_a_type() {
        assert_eq!(declared("pub(crate) struct Node<'a> {"), Some("Node"));
        assert_eq!(declared("type Row = (u32, u32);"), Some("Row"));
        assert_eq!(declared("    enum Inner {"), Some("Inner"));
        assert_eq!(declared("    type Foe = White;"), None);
        assert_eq!(declared("impl Node {"), None);
    }
}
