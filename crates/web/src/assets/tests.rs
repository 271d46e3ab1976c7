//! The page is whole, small, and needs nothing from elsewhere.

use super::*;

#[test]
fn the_page_and_the_records_have_the_same_winning_chances() {
    let line = format!("const WIN_SCALE = {};", tesuji_record::analysis::WIN_SCALE);
    assert!(
        include_str!("../../page/game-view.js").contains(&line),
        "{line}"
    );
}

#[test]
fn the_page_needs_nothing_from_elsewhere_and_no_file_that_is_not_there() {
    for Asset { path, content, .. } in ASSETS {
        assert!(!content.contains("https://"), "{path}");
        let namespaces = content.matches("http://www.w3.org/").count();
        assert_eq!(content.matches("http://").count(), namespaces, "{path}");
        let styles = content.split("rel=\"stylesheet\" href=\"/").skip(1);
        // What stands in a comment is a type, and loads nothing.
        let code = content.lines().filter(|line| !line.contains(" @"));
        let later = code.filter_map(|line| line.split_once("import(\"./"));
        let later = later.map(|(_, rest)| rest);
        let imports = content
            .split("from \"./")
            .skip(1)
            .chain(styles)
            .chain(later);
        for name in imports.filter_map(|rest| rest.split('"').next()) {
            assert!(asset(&format!("/{name}")).is_some(), "{path} needs {name}");
        }
    }
    assert!(asset("/../Cargo.toml").is_none() && asset("").is_none());
}

/// The files that a page loads before it can be used.
fn first_files() -> Vec<&'static Asset> {
    let mut files = vec![asset("/").unwrap(), asset("/icon.svg").unwrap()];
    let mut at = 0;
    while at < files.len() {
        let content = files[at].content;
        let styles = content.split("rel=\"stylesheet\" href=\"/").skip(1);
        let scripts = content.split("type=\"module\" src=\"/").skip(1);
        // What stands in a comment is a type, and loads nothing.
        let lines = content.lines().filter(|line| !line.starts_with(" *"));
        let imports = lines.filter_map(|line| line.split_once("from \"./"));
        let names = styles.chain(scripts).chain(imports.map(|(_, rest)| rest));
        for name in names.filter_map(|rest| rest.split('"').next()) {
            let file = asset(&format!("/{name}")).unwrap();
            if !files.iter().any(|known| known.path == file.path) {
                files.push(file);
            }
        }
        at += 1;
    }
    files
}

#[test]
fn the_first_page_is_small() {
    let compressed = CompressedAssets::new();
    let files = first_files();
    assert!(files.len() > 20 && files.len() < ASSETS.len());
    let size = |asset: &&'static Asset| compressed.bytes(asset).unwrap().len();
    let all: usize = files.iter().map(size).sum();
    assert!(all < 100_000, "{all} bytes");
    let first = asset("/main.js").unwrap();
    assert!(compressed.bytes(first).unwrap().starts_with(&[0x1f, 0x8b]));
}
