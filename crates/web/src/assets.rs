//! The files of the page, inside the binary. The server never sends any other file.

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
    style!("narrow.css"),
    Asset {
        path: "/more.css",
        kind: "text/css; charset=utf-8",
        content: include_str!("../page/more.css"),
    },
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
    script!("texts-engines.js"),
    script!("lookout.js"),
];

/// The file at a path.
pub(crate) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nothing_from_elsewhere_and_no_file_that_is_not_there() {
        for Asset { path, content, .. } in ASSETS {
            assert!(!content.contains("https://"), "{path}");
            let namespaces = content.matches("http://www.w3.org/").count();
            assert_eq!(content.matches("http://").count(), namespaces, "{path}");
            let styles = content.split("rel=\"stylesheet\" href=\"/").skip(1);
            let imports = content.split("from \"./").skip(1).chain(styles);
            for name in imports.filter_map(|rest| rest.split('"').next()) {
                assert!(asset(&format!("/{name}")).is_some(), "{path} needs {name}");
            }
        }
        assert!(asset("/../Cargo.toml").is_none() && asset("").is_none());
    }
}
