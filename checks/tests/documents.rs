//! What the documents say about files and code is true.

use std::env;
use std::fs;
use std::path::PathBuf;
use tesuji_checks::{
    Package, code_spans, floors, origins, picture, quotes, read, rooms, root, tables,
};

/// The documents people read: the readme files of the whole and of each crate, how to contribute, and
/// all of docs.
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
    let packages = Package::all().into_iter();
    documents.extend(
        packages
            .map(|package| package.folder.join("README.md"))
            .filter(|path| path.exists()),
    );
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
    let made = made();
    let mut missing = Vec::new();
    for document in documents() {
        let text = read(&document);
        let folder = document.parent().expect("a file in a folder");
        let is_missing = |span: &&str| {
            let exists = [&root(), folder]
                .iter()
                .any(|from| from.join(span).exists());
            !exists && !made.iter().any(|path| path == span)
        };
        let spans = paths(&text).filter(is_missing);
        let links = links(&text).filter(|link| !folder.join(link).exists());
        missing.extend(
            spans
                .chain(links)
                .map(|name| format!("{}: {name}", document.display())),
        );
    }
    assert!(missing.is_empty(), "no such file:\n{}", missing.join("\n"));
}

/// In a column that says where something is, every code span is a path from the root.
#[test]
fn tables_say_where_things_are() {
    let mut missing = Vec::new();
    for document in documents() {
        let text = read(&document);
        for table in tables(&text) {
            for (line, cell) in table.column("where it is") {
                let spans = code_spans(cell).filter(|span| !root().join(span).exists());
                missing.extend(spans.map(|span| format!("{}:{line}: {span}", document.display())));
            }
        }
    }
    assert!(missing.is_empty(), "no such file:\n{}", missing.join("\n"));
}

/// Whoever reads a file learns there whom its idea is from.
#[test]
fn files_name_their_origins() {
    let silent: Vec<String> = origins()
        .into_iter()
        .filter(|origin| !origin.names.is_empty() && !origin.is_told())
        .map(|origin| {
            let (files, names) = (origin.files.join(", "), origin.names.join(", "));
            format!("docs/origins.md:{}: {files}: none of {names}", origin.line)
        })
        .collect();
    assert!(
        silent.is_empty(),
        "the `//!` of no file names its origin:\n{}",
        silent.join("\n")
    );
}

/// Code spans that are a path from the root, such as `crates/shogi/src/board.rs`.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    const ROOTS: [&str; 8] = [
        "crates/",
        "checks/",
        "docs/",
        "fixtures/",
        "fuzz/",
        "peers/",
        "examples/",
        ".github/",
    ];
    let is_plain = |span: &&str| !span.contains([' ', '{', '*', '<', '…', '$', '\n']);
    let spans = code_spans(text).filter(is_plain);
    spans.filter(|span| ROOTS.iter().any(|root| span.starts_with(root)))
}

/// Paths from the root that are there only when something has been run, as `.gitignore` lists them.
fn made() -> Vec<String> {
    let ignored = read(&root().join(".gitignore"));
    let paths = ignored.lines().filter_map(|line| line.strip_prefix('/'));
    paths.map(str::to_owned).collect()
}

/// Links to files, without the place inside them.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

/// Every crate has a line in the table of the readme, higher floors first.
#[test]
fn the_readme_names_every_crate() {
    let readme = read(&root().join("README.md"));
    let tables = tables(&readme);
    let rows = tables.iter().flat_map(|table| table.column("crate"));
    let named: Vec<&str> = rows
        .filter_map(|(_, cell)| code_spans(cell).next()?.strip_prefix("crates/"))
        .collect();
    let floors = floors();
    let height = |name: &str| {
        let floor = floors.iter().find(|floor| floor.name == name);
        floor.map_or(0, |floor| floor.height)
    };
    let missing: Vec<String> = Package::all()
        .into_iter()
        .map(|package| package.name)
        .filter(|name| !named.contains(&name.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "README.md does not tell what these crates are: {missing:?}"
    );
    assert!(
        named.is_sorted_by(|a, b| height(a) >= height(b)),
        "README.md lists a crate before one of a higher floor: {named:?}"
    );
}

/// The pictures of the floors show what the table says.
#[test]
fn pictures_show_the_floors() {
    let mut expected: Vec<(String, Vec<String>)> = Vec::new();
    for floor in floors() {
        match expected.last_mut() {
            Some((label, names)) if *label == floor.label => names.push(floor.name),
            _ => expected.push((floor.label, vec![floor.name])),
        }
    }
    let sorted = |mut rows: Vec<(String, Vec<String>)>| {
        rows.iter_mut().for_each(|(_, names)| names.sort());
        rows
    };
    let expected = sorted(expected);
    for document in ["docs/house.md", "README.md"] {
        let found = sorted(picture(&read(&root().join(document))));
        assert_eq!(found, expected, "the picture in {document}");
    }
}
