//! The problems: those of the user's files, or a few that come with the program.

use crate::answer::Failure;
use crate::verb::mate::source::{self, MateProblem};
use std::path::{Path, PathBuf};
use tesuji_mate::PROBLEM_SETS;

/// Problems that belong together.
pub(super) struct MateProblemSet {
    pub(super) name: String,
    pub(super) problems: Vec<MateProblem>,
}

/// The sets of some files and of a directory; without either, those of the program.
pub(super) fn collect(
    files: &[PathBuf],
    folder: Option<&Path>,
    most: Option<usize>,
) -> Result<Vec<MateProblemSet>, Failure> {
    let mut paths = files.to_vec();
    if let Some(folder) = folder {
        paths.extend(list(folder)?);
    }
    let mut sets = if files.is_empty() && folder.is_none() {
        built_in()?
    } else {
        paths
            .iter()
            .map(|path| read(path))
            .collect::<Result<_, _>>()?
    };
    for set in &mut sets {
        set.problems.truncate(most.unwrap_or(usize::MAX));
    }
    Ok(sets)
}

fn read(path: &Path) -> Result<MateProblemSet, Failure> {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    Ok(MateProblemSet {
        name: name.to_string_lossy().into_owned(),
        problems: source::read(path)?,
    })
}

fn built_in() -> Result<Vec<MateProblemSet>, Failure> {
    PROBLEM_SETS
        .iter()
        .map(|&(name, text)| {
            let problems = source::parse(text).map_err(|(line, what)| Failure::Line {
                path: name.into(),
                line,
                what: what.into(),
            })?;
            Ok(MateProblemSet {
                name: name.into(),
                problems,
            })
        })
        .collect()
}

/// The files of problems in a directory, by name.
fn list(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |source| Failure::Read {
        path: folder.into(),
        source,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_file() && matches!(extension, Some("sfen" | "txt")) {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Failure::File {
            path: folder.into(),
            what: "there is no .sfen or .txt file in it".into(),
        });
    }
    paths.sort();
    Ok(paths)
}
