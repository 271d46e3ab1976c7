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
mod tests;
