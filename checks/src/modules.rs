//! The modules of a crate, and which of them names which.
//!
//! Names are followed as far as text allows: `crate::Position` belongs to the module that declares
//! `Position`, not to the root that shows it. A method call names no module.

use crate::graph::Graph;
use crate::source::code;
use crate::tree::{read, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The path of a module below the root of its crate; the root itself is empty.
type Names = Vec<String>;

/// The modules of one crate that are part of the program.
#[derive(Debug, Default)]
pub struct Modules(BTreeMap<Names, Module>);

#[derive(Debug, Default)]
struct Module {
    /// What it declares.
    items: BTreeSet<String>,
    /// Names that stand for paths from the root.
    imports: BTreeMap<String, Names>,
    /// Paths whose names are all imported.
    globs: Vec<Names>,
    /// Paths that it names, with the line.
    paths: Vec<(Names, usize)>,
}

impl Modules {
    /// The modules below the folder `src` of a crate. Files that are only declared for tests are
    /// left out.
    pub fn read(src: &Path) -> Self {
        let files = rust_files(src).into_iter();
        Self::of(files.map(|path| (names(src, &path), read(&path))).collect())
    }

    fn of(mut files: Vec<(Names, String)>) -> Self {
        // A parent stands before its children: whoever it does not declare is no module.
        files.sort();
        let mut modules = Self::default();
        for (names, text) in files {
            let parent = names
                .split_last()
                .map(|(name, parent)| (name, modules.0.get(parent)));
            let declared = match parent {
                None => true,
                Some((name, parent)) => parent.is_some_and(|parent| parent.items.contains(name)),
            };
            if declared {
                let module = Scanner::scan(&names, &code(&text));
                modules.0.insert(names, module);
            }
        }
        modules
    }

    /// Which module names which. Modules are joined to their parents as far as needed to compare
    /// them: when `a::b` names `c::d`, then `a` depends on `c`; when it names `a::e`, then `a::b`
    /// depends on `a::e`; when it names `a`, or something in it, that is between parent and child.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        for (from, module) in &self.0 {
            for (path, line) in &module.paths {
                let to = self.owner(path);
                let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                if shared < from.len() && shared < to.len() {
                    let why = format!("{}:{line}: {}", from.join("::"), path.join("::"));
                    graph.add(from[..=shared].join("::"), to[..=shared].join("::"), why);
                }
            }
        }
        graph
    }

    /// The module that declares what a path names.
    fn owner(&self, path: &[String]) -> Names {
        self.resolve(path, 8).unwrap_or_else(|| {
            // Nothing of that name is known, such as what a macro declares: the nearest module.
            let known = (0..=path.len())
                .rev()
                .find(|&end| self.0.contains_key(&path[..end]));
            path[..known.expect("the root is a module")].to_vec()
        })
    }

    /// Follows imports, at most as many as there is `fuel` for.
    fn resolve(&self, path: &[String], fuel: usize) -> Option<Names> {
        let fuel = fuel.checked_sub(1)?;
        let mut end = 0;
        while end < path.len() {
            let module = &self.0[&path[..end]];
            let (name, rest) = (&path[end], &path[end + 1..]);
            let is_module = self.0.contains_key(&path[..=end]);
            if is_module && !(rest.is_empty() && module.imports.contains_key(name)) {
                end += 1;
                continue;
            }
            if module.items.contains(name) {
                return Some(path[..end].to_vec());
            }
            let through = |target: &Names| self.resolve(&[target, rest].concat(), fuel);
            if let Some(found) = module.imports.get(name).and_then(through) {
                return Some(found);
            }
            let glob = |target: &Names| self.resolve(&[target, &path[end..]].concat(), fuel);
            return module.globs.iter().find_map(glob);
        }
        Some(path.to_vec())
    }
}

/// The module that a file holds.
fn names(src: &Path, file: &Path) -> Names {
    let inside: PathBuf = file
        .strip_prefix(src)
        .expect("a file below src")
        .with_extension("");
    let mut names: Names = inside
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if names
        .last()
        .is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str()))
    {
        names.pop();
    }
    names
}

/// Reads the tokens of one file.
struct Scanner<'a> {
    tokens: Vec<(&'a str, usize)>,
    at: usize,
    /// The module that is being read; modules written inside the file included.
    scope: Names,
    /// How deep the braces are, and where modules inside the file began.
    depth: usize,
    inner: Vec<usize>,
    module: Module,
}

impl<'a> Scanner<'a> {
    fn scan(names: &[String], code: &'a str) -> Module {
        let mut scanner = Self {
            tokens: tokens(code),
            at: 0,
            scope: names.to_vec(),
            depth: 0,
            inner: Vec::new(),
            module: Module::default(),
        };
        while scanner.at < scanner.tokens.len() {
            scanner.step();
        }
        scanner.module
    }

    fn token(&self, ahead: usize) -> &'a str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |&(token, _)| token)
    }

    fn step(&mut self) {
        let token = self.token(0);
        self.at += 1;
        match token {
            "{" => self.depth += 1,
            "}" => {
                self.depth = self.depth.saturating_sub(1);
                if self.inner.last() == Some(&self.depth) {
                    self.inner.pop();
                    self.scope.pop();
                }
            }
            "use" => self.tree(Vec::new()),
            "mod" if self.token(1) == "{" => {
                self.inner.push(self.depth);
                self.scope.push(self.token(0).to_owned());
            }
            "mod" | "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static"
            | "macro_rules" => self.declare(),
            "crate" | "super" | "self" if self.token(0) == "::" => {
                self.at -= 1;
                self.tree(Vec::new());
            }
            _ => {}
        }
    }

    /// Notes the name that follows, past `!` and `mut`.
    fn declare(&mut self) {
        while ["!", "mut", "unsafe", "extern"].contains(&self.token(0)) {
            self.at += 1;
        }
        if self.inner.is_empty() && is_name(self.token(0)) {
            self.module.items.insert(self.token(0).to_owned());
        }
    }

    /// Reads a path, or a tree of paths that all begin with `start`.
    fn tree(&mut self, start: Names) {
        let mut path = start;
        loop {
            let (token, line) = self.tokens.get(self.at).copied().unwrap_or(("", 0));
            match token {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while !["}", ""].contains(&self.token(0)) {
                        self.tree(path.clone());
                        self.at += usize::from(self.token(0) == ",");
                    }
                    self.at += 1;
                    return;
                }
                "*" => {
                    self.at += 1;
                    return self.note(path, line, None);
                }
                _ if is_name(token) => {
                    self.at += 1;
                    path.push(token.to_owned());
                    if self.token(0) != "::" {
                        let name = if self.token(0) == "as" {
                            self.token(1)
                        } else {
                            token
                        };
                        self.at += 2 * usize::from(self.token(0) == "as");
                        return self.note(path, line, Some(name));
                    }
                }
                // A path such as `crate::f::<T>()` ends here.
                _ => return self.note(path, line, Some("")),
            }
        }
    }

    /// Keeps a path, and what it is called from now on; everything in it without a name.
    fn note(&mut self, path: Names, line: usize, name: Option<&str>) {
        let Some(path) = self.absolute(path) else {
            return;
        };
        if self.inner.is_empty() {
            match name {
                None => self.module.globs.push(path.clone()),
                Some("self") => {
                    let name = path.last().cloned().unwrap_or_default();
                    self.module.imports.insert(name, path.clone());
                }
                Some(name) => {
                    self.module
                        .imports
                        .entry(name.to_owned())
                        .or_insert_with(|| path.clone());
                }
            }
        }
        self.module.paths.push((path, line));
    }

    /// A path from the root of the crate, unless it leads out of the crate.
    fn absolute(&self, mut path: Names) -> Option<Names> {
        if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
            path.pop();
        }
        let first = path.first()?.clone();
        let mut base = self.scope.clone();
        match first.as_str() {
            "crate" => base.clear(),
            "self" | "super" => {}
            child if self.module.items.contains(child) => base.push(first.clone()),
            _ => return None,
        }
        let supers = path.iter().take_while(|name| *name == "super").count();
        base.truncate(base.len().saturating_sub(supers));
        base.extend(path.into_iter().skip(supers.max(1)));
        Some(base)
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, `::` and single signs, each with its line.
fn tokens(code: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for (line, text) in code.lines().enumerate() {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            let len = match word {
                0 if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                _ => word,
            };
            found.push((&rest[..len], line + 1));
            rest = rest[len..].trim_start();
        }
    }
    found
}

#[cfg(test)]
mod tests;
