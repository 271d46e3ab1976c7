//! What others wrote and we depend on: licences, sources, duplicates, and whether it is used at all.
//!
//! The rules stand in deny.toml, where `cargo deny` finds them too. It takes longer to compile than
//! the whole workspace, so that what needs no network is checked here.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tesuji_checks::{Package, read, root, rust_files};
use toml::{Table, Value};

fn table(path: &Path) -> Table {
    let text = read(path);
    text.parse()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A list of deny.toml.
fn rules(section: &str, name: &str) -> Vec<Value> {
    let deny = table(&root().join("deny.toml"));
    let list = deny[section][name].as_array();
    list.unwrap_or_else(|| panic!("deny.toml: {section}.{name} is no list"))
        .clone()
}

/// What a program prints.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {said}");
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

/// Everything that is compiled on this system, as cargo knows it.
fn compiled_packages() -> Vec<Json> {
    let version = output("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.expect("rustc names its host");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let text = output(
        &cargo,
        &[
            "metadata",
            "--format-version=1",
            "--locked",
            "--offline",
            "--filter-platform",
            host,
        ],
    );
    let mut metadata: Json = serde_json::from_str(&text).expect("cargo prints JSON");
    match metadata["packages"].take() {
        Json::Array(packages) => packages,
        other => panic!("no packages: {other}"),
    }
}

/// Whether a licence expression can be satisfied with the licences that are allowed.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut words = &words[..];
    any_of(&mut words, allowed) && words.is_empty()
}

fn any_of(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut is_allowed = all_of(words, allowed);
    while let ["OR", rest @ ..] = words {
        *words = rest;
        is_allowed |= all_of(words, allowed);
    }
    is_allowed
}

fn all_of(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut is_allowed = one_of(words, allowed);
    while let ["AND", rest @ ..] = words {
        *words = rest;
        is_allowed &= one_of(words, allowed);
    }
    is_allowed
}

fn one_of(words: &mut &[&str], allowed: &[String]) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let inner = any_of(words, allowed);
            *words = words.strip_prefix(&[")"]).unwrap_or(&[]);
            inner
        }
        [licence, "WITH", exception, rest @ ..] => {
            *words = rest;
            allowed.contains(&format!("{licence} WITH {exception}"))
        }
        [licence, rest @ ..] => {
            *words = rest;
            allowed.iter().any(|name| name == licence)
        }
        [] => false,
    }
}

#[test]
fn licence_expressions_are_understood() {
    let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(String::from);
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "(MIT OR GPL-3.0) AND Zlib",
        "MIT AND (Zlib)",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
    ] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT OR GPL-3.0) AND GPL-3.0",
        "Apache-2.0",
        "GPL-3.0 WITH LLVM-exception",
    ] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

#[test]
fn every_licence_is_allowed() {
    let text = |value: Value| value.as_str().map(str::to_owned);
    let allowed: Vec<String> = rules("licenses", "allow")
        .into_iter()
        .filter_map(text)
        .collect();
    let wrong: Vec<String> = compiled_packages()
        .iter()
        .filter(|package| !is_allowed(package["license"].as_str().unwrap_or(""), &allowed))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(
        wrong.is_empty(),
        "deny.toml does not allow\n{}",
        wrong.join("\n")
    );
}

/// The packages of Cargo.lock.
fn locked() -> Vec<Table> {
    let lock = table(&root().join("Cargo.lock"));
    let packages = lock["package"].as_array().expect("a list of packages");
    packages
        .iter()
        .filter_map(Value::as_table)
        .cloned()
        .collect()
}

#[test]
fn everything_comes_from_the_one_registry() {
    let registries = rules("sources", "allow-registry");
    for package in locked() {
        // What has no source is a folder of ours.
        let Some(source) = package.get("source").and_then(Value::as_str) else {
            continue;
        };
        let registry = source.strip_prefix("registry+");
        let is_known = registry.is_some_and(|found| {
            let mut known = registries.iter().filter_map(Value::as_str);
            known.any(|known| known == found)
        });
        assert!(is_known, "{} comes from {source}", package["name"]);
    }
}

#[test]
fn nothing_is_there_twice_unless_it_must() {
    let skipped: Vec<String> = rules("bans", "skip")
        .iter()
        .filter_map(|rule| Some(rule.get("crate")?.as_str()?.to_owned()))
        .collect();
    let is_skipped = |name: &str, version: &str| {
        let same = |rule: &&String| {
            rule.split_once('@').is_some_and(|(other, old)| {
                other == name && (version == old || version.starts_with(&format!("{old}.")))
            })
        };
        skipped.iter().find(same).cloned()
    };
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut used = Vec::new();
    for package in locked() {
        let [name, version] = ["name", "version"].map(|key| package[key].as_str().unwrap_or(""));
        match is_skipped(name, version) {
            Some(rule) => used.push(rule),
            None => versions
                .entry(name.into())
                .or_default()
                .push(version.into()),
        }
    }
    let twice: Vec<_> = versions.iter().filter(|(_, all)| all.len() > 1).collect();
    assert!(
        twice.is_empty(),
        "two versions of {twice:?}: agree on one, or say why in deny.toml"
    );
    // A rule that nothing needs any more hides what comes later.
    let idle: Vec<_> = skipped.iter().filter(|rule| !used.contains(rule)).collect();
    assert!(
        idle.is_empty(),
        "deny.toml skips {idle:?}, which nothing needs"
    );
}

/// The names in tables of dependencies of one kind, those for single systems included.
fn dependencies(manifest: &Table, kind: &str) -> Vec<String> {
    let systems = manifest.get("target").and_then(Value::as_table);
    let systems = systems.into_iter().flat_map(|targets| targets.values());
    let tables = std::iter::once(manifest.get(kind)).chain(systems.map(|system| system.get(kind)));
    let names = tables.flatten().filter_map(Value::as_table);
    names.flat_map(|table| table.keys().cloned()).collect()
}

/// Whether a word stands in a text by itself, outside of comments.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .any(|line| line.split(|c| !is_part(c)).any(|part| part == word))
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for package in Package::all() {
        let manifest = table(&package.folder.join("Cargo.toml"));
        for (kind, folders) in [
            ("dependencies", &["src"][..]),
            ("dev-dependencies", &["src", "tests", "examples", "benches"]),
        ] {
            let files = folders
                .iter()
                .flat_map(|name| rust_files(&package.folder.join(name)));
            let code: String = files.map(|file| read(&file)).collect();
            for name in dependencies(&manifest, kind) {
                if !has_word(&code, &name.replace('-', "_")) {
                    unused.push(format!("crates/{} does not use {name}", package.name));
                }
            }
        }
    }
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}
