//! Who needs whom, in small sources.

use super::{Modules, Names};

/// The dependencies in a crate of these files, each as `from to`.
fn edges(files: &[(&str, &str)]) -> Vec<String> {
    let names = |path: &str| -> Names {
        path.split("::")
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let files = files
        .iter()
        .map(|(path, text)| (names(path), (*text).to_owned()));
    Modules::of(files.collect()).graph().edges()
}

#[test]
fn trees_of_paths_are_read() {
    let root = ("", "mod a; mod b; mod c; mod d;");
    let a = ("a", "use crate::{b::B as X, c::{self, f}, d::*};");
    let others = [
        ("b", "pub struct B;"),
        ("c", "pub fn f() {}"),
        ("d", "pub enum D {}"),
    ];
    assert_eq!(
        edges(&[&[root, a], &others[..]].concat()),
        ["a b", "a c", "a d"]
    );
}

#[test]
fn a_name_belongs_to_the_module_that_declares_it() {
    let root = ("", "mod a; mod b; pub mod c; pub use b::B; pub use c::*;");
    let others = [("b", "pub struct B;"), ("c", "pub const C: u8 = 0;")];
    let a = ("a", "fn f(b: &crate::B) -> u8 { crate::C }");
    assert_eq!(edges(&[&[root, a], &others[..]].concat()), ["a b", "a c"]);
}

#[test]
fn modules_are_compared_below_what_they_share() {
    let files = [
        ("", "mod a; mod b;"),
        ("a", "mod c; mod d; use self::c::C;"),
        ("a::c", "use super::d::D; pub struct C;"),
        (
            "a::d",
            "use super::f; pub struct D; fn g() { crate::b::x::g() }",
        ),
        ("b", "pub mod x;"),
        ("b::x", "pub fn g() {}"),
    ];
    assert_eq!(edges(&files), ["a b", "a::c a::d"]);
}

#[test]
fn super_counts_modules_inside_a_file() {
    let a = (
        "a",
        "mod fast { use super::T; use super::super::b::B; } struct T;",
    );
    assert_eq!(
        edges(&[("", "mod a; mod b;"), a, ("b", "pub struct B;")]),
        ["a b"]
    );
}

#[test]
fn tests_comments_and_other_crates_do_not_count() {
    let a = (
        "a",
        "use std::fmt; // crate::b\n#[cfg(test)] mod tests { use crate::b::B; }",
    );
    let tests = ("a::tests", "use crate::b::B;");
    assert_eq!(
        edges(&[("", "mod a; mod b;"), a, tests, ("b", "")]),
        [""; 0]
    );
}
