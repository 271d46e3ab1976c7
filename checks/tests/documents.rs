//! What the documents say about files and code is true.

use std::env;
use std::fs;
use std::path::PathBuf;
use tesuji_checks::{Package, floors, quotes, read, rooms, root};

/// The documents people read: the readme files, how to contribute, and all of docs.
fn documents() -> Vec<PathBuf> {
    let folder = root().join("docs");
    let docs = fs::read_dir(&folder)
        .expect("docs is a folder")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            path.extension()
                .is_some_and(|ext| ext == "md")
                .then_some(path)
        });
    let mut documents: Vec<PathBuf> = docs.collect();
    documents
        .extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    documents.sort();
    documents
}

/// `docs/rooms.md` lists every source file with its first sentence; `UPDATE=1` writes it.
#[test]
fn rooms_are_listed() {
    let mut packages = Package::all();
    let order: Vec<String> = floors().into_iter().map(|floor| floor.name).collect();
    packages.sort_by_key(|package| order.iter().rev().position(|name| *name == package.name));
    let (path, expected) = (root().join("docs/rooms.md"), rooms(&packages));
    if env::var_os("UPDATE").is_some() {
        let new = path.with_extension("new");
        fs::write(&new, &expected)
            .and_then(|()| fs::rename(&new, &path))
            .expect("docs can be written");
    }
    let found = read(&path);
    let wrong = expected
        .lines()
        .zip(found.lines())
        .find(|(expected, found)| expected != found);
    assert!(
        expected == found,
        "docs/rooms.md is out of date ({wrong:?}): run UPDATE=1 cargo test -p tesuji-checks"
    );
}

#[test]
fn every_room_says_what_it_is_for() {
    let listed = rooms(&Package::all());
    let silent: Vec<&str> = listed
        .lines()
        .filter(|line| line.ends_with("` |  |"))
        .collect();
    assert!(
        silent.is_empty(),
        "files without a sentence of //!: {silent:?}"
    );
}

/// Code in the documents is quoted from files that are compiled and tested.
#[test]
fn quotations_stand_in_their_files() {
    let mut wrong = Vec::new();
    for document in ["docs/house.md", "README.md", "CONTRIBUTING.md"].map(|name| root().join(name))
    {
        let text = read(&document);
        for quote in quotes(&text) {
            let place = format!("{}:{}", document.display(), quote.line);
            let Some(file) = quote.file else {
                wrong.push(format!(
                    "{place}: the block names no file: ```rust crates/…"
                ));
                continue;
            };
            if let Some(line) = quote.first_wrong_line(&read(&root().join(file))) {
                wrong.push(format!("{place}: not in {file}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that documents name in code spans or links exist.
#[test]
fn files_that_are_named_exist() {
    let mut missing = Vec::new();
    for document in documents() {
        let text = read(&document);
        let folder = document.parent().expect("a file in a folder");
        let spans = spans(&text).filter(|span| !root().join(span).exists());
        let links = links(&text).filter(|link| !folder.join(link).exists());
        missing.extend(
            spans
                .chain(links)
                .map(|name| format!("{}: {name}", document.display())),
        );
    }
    assert!(missing.is_empty(), "no such file:\n{}", missing.join("\n"));
}

/// Code spans that are a path from the root, such as `crates/shogi/src/board.rs`.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    const ROOTS: [&str; 4] = ["crates/", "checks/", "docs/", "fixtures/"];
    let is_plain = |span: &&str| !span.contains([' ', '{', '*', '<', '…', '$', '\n']);
    let spans = text.split('`').skip(1).step_by(2).filter(is_plain);
    spans.filter(|span| ROOTS.iter().any(|root| span.starts_with(root)))
}

/// Links to files, without the place inside them.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

/// Every crate has a line in the table of the readme.
#[test]
fn the_readme_names_every_crate() {
    let readme = read(&root().join("README.md"));
    let is_missing = |package: &Package| !readme.contains(&format!("](crates/{})", package.name));
    let missing: Vec<String> = Package::all()
        .into_iter()
        .filter(is_missing)
        .map(|package| package.name)
        .collect();
    assert!(
        missing.is_empty(),
        "README.md does not tell what these crates are: {missing:?}"
    );
}
