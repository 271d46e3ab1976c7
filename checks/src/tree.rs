//! The files of the workspace: where they are, and what a package depends on.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("this crate is a folder of the workspace")
        .to_owned()
}

/// The text of a file.
///
/// # Panics
/// If it cannot be read.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every Rust file below a folder, in order of path. None if there is no such folder.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    files(folder, "rs")
}

/// Every JavaScript file below a folder, likewise.
pub(crate) fn scripts(folder: &Path) -> Vec<PathBuf> {
    files(folder, "js")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|ext| ext == extension) {
            found.push(path);
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
}

/// A package of the workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// The name of its folder in `crates`, such as `shogi`.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The packages of the workspace that it needs, tests and examples aside, by folder.
    pub uses: Vec<String>,
}

impl Package {
    /// All packages in `crates`.
    pub fn all() -> Vec<Self> {
        let folders = entries(&root().join("crates"));
        let manifest = |folder: &PathBuf| folder.join("Cargo.toml");
        folders
            .into_iter()
            .filter(|folder| manifest(folder).exists())
            .map(Self::at)
            .collect()
    }

    fn at(folder: PathBuf) -> Self {
        let name = folder
            .file_name()
            .expect("a folder has a name")
            .to_string_lossy()
            .into_owned();
        let uses = dependencies(&read(&folder.join("Cargo.toml")));
        Self { name, folder, uses }
    }
}

/// The packages of the workspace that a manifest names, except for development.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut uses = Vec::new();
    let mut listed = false;
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            listed = section
                .trim_end()
                .trim_end_matches(']')
                .ends_with("dependencies")
                && !section.contains("dev-dependencies");
        }
        if listed && let Some(rest) = line.strip_prefix("tesuji-") {
            let name = rest
                .split(['.', ' ', '='])
                .next()
                .expect("split gives one part");
            uses.push(name.to_owned());
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::dependencies;

    #[test]
    fn dependencies_for_development_do_not_count() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nclap = \"4\"\ntesuji-a.workspace = true\n\
            [target.'cfg(unix)'.dependencies]\ntesuji-b = { path = \"../b\" }\n\
            [dev-dependencies]\ntesuji-c.workspace = true\n";
        assert_eq!(dependencies(manifest), ["a", "b"]);
    }
}
