//! The files of the page, inside the binary. The server never sends any other file.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// A file: its path, its type, its content.
pub(crate) struct Asset {
    pub(crate) path: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) content: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! script {
    ($name:literal) => {
        Asset {
            path: concat!("/", $name),
            kind: SCRIPT,
            content: include_str!(concat!("../page/", $name)),
        }
    };
}

macro_rules! style {
    ($name:literal) => {
        Asset {
            path: concat!("/", $name),
            kind: "text/css; charset=utf-8",
            content: include_str!(concat!("../page/", $name)),
        }
    };
}

/// Every file.
pub(crate) const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        content: include_str!("../page/index.html"),
    },
    style!("style.css"),
    style!("board.css"),
    style!("play.css"),
    style!("analyse.css"),
    style!("learn.css"),
    style!("review.css"),
    style!("narrow.css"),
    style!("print.css"),
    style!("more.css"),
    Asset {
        path: "/icon.svg",
        kind: "image/svg+xml",
        content: include_str!("../page/icon.svg"),
    },
    script!("main.js"),
    script!("connection.js"),
    script!("texts.js"),
    script!("texts-page.js"),
    script!("texts-board.js"),
    script!("texts-play.js"),
    script!("texts-analyse.js"),
    script!("texts-solve.js"),
    script!("texts-learn.js"),
    script!("dom.js"),
    script!("kanji.js"),
    script!("pieces.js"),
    script!("orientation.js"),
    script!("board.js"),
    script!("game-view.js"),
    script!("graph.js"),
    script!("editor.js"),
    script!("files.js"),
    script!("play.js"),
    script!("analyse.js"),
    script!("explorer.js"),
    script!("solve.js"),
    script!("learn.js"),
    script!("settings.js"),
    script!("confirm.js"),
    script!("stepping.js"),
    script!("new-game.js"),
    script!("result-card.js"),
    script!("share.js"),
    script!("sound.js"),
    script!("brush.js"),
    script!("picture.js"),
    script!("bytes.js"),
    script!("apng.js"),
    script!("report.js"),
    script!("print.js"),
    script!("review.js"),
    script!("welcome.js"),
    script!("lazy.js"),
    script!("library.js"),
    script!("texts-library.js"),
    script!("zip.js"),
    script!("train.js"),
    script!("texts-train.js"),
    script!("proof.js"),
    script!("course.js"),
    script!("course-lessons.js"),
    script!("texts-course.js"),
    script!("engines.js"),
    script!("player-form.js"),
    script!("texts-engines.js"),
    script!("position-facts.js"),
];

/// Every file compressed, as browsers take it.
pub(crate) struct CompressedAssets(Vec<Vec<u8>>);

impl CompressedAssets {
    /// Compresses every file.
    pub(crate) fn new() -> Self {
        let compress = |asset: &Asset| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Nothing can fail: it is written to memory.
            let _ = encoder.write_all(asset.content.as_bytes());
            encoder.finish().unwrap_or_default()
        };
        Self(ASSETS.iter().map(compress).collect())
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, asset: &'static Asset) -> Option<&[u8]> {
        let place = ASSETS.iter().position(|other| other.path == asset.path)?;
        self.0.get(place).map(Vec::as_slice)
    }
}

/// The file at a path.
pub(crate) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_the_records_have_the_same_winning_chances() {
        let line = format!("const WIN_SCALE = {};", tesuji_record::analysis::WIN_SCALE);
        assert!(
            include_str!("../page/game-view.js").contains(&line),
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
}
