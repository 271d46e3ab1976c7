//! The floors of docs/house.md, packages that are whole, no cycles of modules, and one type for each
//! name.

use tesuji_checks::{Floor, Modules, Package, declared_types, floors, includes, root};

fn floor<'a>(floors: &'a [Floor], name: &str) -> &'a Floor {
    let found = floors.iter().find(|floor| floor.name == name);
    found.unwrap_or_else(|| panic!("crates/{name} has no line in the table of docs/house.md"))
}

#[test]
fn crates_use_only_what_is_below() {
    let floors = floors();
    let mut wrong = Vec::new();
    for package in Package::all() {
        let own = floor(&floors, &package.name);
        for used in &package.uses {
            let other = floor(&floors, used);
            if other.height >= own.height {
                wrong.push(format!("{} uses {used}, which is not below it", own.name));
            }
            if own
                .uses
                .as_ref()
                .is_some_and(|listed| !listed.contains(used))
            {
                wrong.push(format!(
                    "{} uses {used}, which its line does not say",
                    own.name
                ));
            }
        }
        for listed in own.uses.iter().flatten() {
            if !package.uses.contains(listed) {
                wrong.push(format!(
                    "{} does not use {listed}, as its line says",
                    own.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_crate_of_the_table_exists() {
    let packages = Package::all();
    for Floor { name, .. } in floors() {
        let exists = packages.iter().any(|package| package.name == name);
        assert!(
            exists,
            "docs/house.md has a line for crates/{name}, which does not exist"
        );
    }
}

/// A package is compiled where there is nothing but its own folder.
#[test]
fn packages_take_in_only_files_of_their_own() {
    let mut wrong = Vec::new();
    for package in Package::all() {
        for (source, line, taken) in includes(&package.folder.join("src")) {
            if !taken.starts_with(&package.folder) {
                let [source, taken] = [source, taken].map(|path| {
                    let inside = path.strip_prefix(root()).unwrap_or(&path);
                    inside.display().to_string()
                });
                wrong.push(format!("{source}:{line} takes in {taken}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_need_each_other_in_one_direction() {
    let mut wrong = Vec::new();
    for package in Package::all() {
        let cycles = Modules::read(&package.folder.join("src")).graph().cycles();
        wrong.extend(
            cycles
                .iter()
                .map(|cycle| format!("crates/{}: {cycle}", package.name)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Classes of Python that stand for the type of the same name, as Python users know it.
const PYTHON_CLASSES: [&str; 4] = ["Board", "Network", "NetworkFile", "Search"];

#[test]
fn a_name_means_one_type() {
    let mut wrong = Vec::new();
    for (name, mut places) in declared_types() {
        if PYTHON_CLASSES.contains(&name.as_str()) {
            places.retain(|(package, _)| package != "python");
        }
        if places.len() > 1 {
            let places: Vec<_> = places.into_iter().map(|(_, place)| place).collect();
            wrong.push(format!("{name}: {}", places.join(", ")));
        }
    }
    assert!(
        wrong.is_empty(),
        "types share a name:\n{}",
        wrong.join("\n")
    );
}
