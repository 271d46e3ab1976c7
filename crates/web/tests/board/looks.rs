//! What the board looks like, in both languages: pictures under `target/tmp/board`, and what must
//! fit on a phone and on a desktop.

use crate::browser::Browser;
use crate::server;
use crate::user::{engine, person};
use serde_json::{Value as Json, json};

const MIDDLE: &str =
    "ln1g3nl/1r1s1kg2/p1pppps1p/1p4pp1/3P1P3/2P1S1P2/PPS1P1N1P/2G2G1R1/LNB1K3L b Pb 45";
const LATE: &str = "l+R5nl/3s1kg2/p2ppps1p/1pp3pp1/3P5/2P1S1P2/PP2P1N1P/2G2G3/LN2K3L b RBGSPbnp 85";

/// Nothing is wider than the window, and the board is as large as it can be.
fn fits(page: &mut Browser, least: f64) {
    let wide = page.run("document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_i64().unwrap_or(1) <= 0, "{wide} px too wide");
    let board = page
        .run("document.querySelector('#content .board')?.getBoundingClientRect().width ?? 9999");
    assert!(
        board.as_f64().unwrap_or(0.0) >= least,
        "the board is {board} px wide"
    );
}

fn every_tab(page: &mut Browser, name: &str, least: f64) {
    page.wait("tesuji.tabName === 'play' && tesuji.messages.play");
    page.begin(
        &person(),
        &engine(6),
        MIDDLE,
        &json!({ "main": 600_000, "byoyomi": 30_000 }),
    );
    page.wait("document.querySelectorAll('.pieces .piece').length > 30");
    page.click_square("2h");
    fits(page, least);
    page.picture(&format!("play-{name}"));
    page.run("location.hash = '#learn'");
    page.wait("tesuji.tab.lesson");
    page.click("[data-rung=alpha-beta]");
    page.wait("tesuji.tab.lesson.rung === 'alpha-beta'");
    // The lesson may come twice: it was shown before, and was asked for again.
    page.wait("document.querySelector('.cutmark') || void document.querySelector('[data-text=last]').click()");
    fits(page, 0.0);
    page.picture(&format!("learn-{name}"));
    page.run("location.hash = '#solve'");
    page.wait("tesuji.tabName === 'solve' && tesuji.tab.message");
    fits(page, least);
    page.picture(&format!("solve-{name}"));
    page.run("location.hash = '#analyse'");
    page.wait("tesuji.tabName === 'analyse' && tesuji.tab.message");
    page.request(&json!({ "analyse": { "type": "set-position", "sfen": LATE } }));
    page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 3 } }));
    // Lines of an earlier search may still be shown.
    page.wait("tesuji.messages.analyse.thinking");
    page.wait("tesuji.tab.live?.lines.length === 3 && tesuji.tab.live.lines[0].depth > 5");
    fits(page, least);
    page.picture(&format!("analyse-{name}"));
    page.request(&json!({ "analyse": { "type": "set-engine", "on": false, "lines": 3 } }));
    page.run("location.hash = '#play'");
}

#[test]
fn every_tab_on_a_desktop_in_english_and_japanese() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(server.url());
    assert_eq!(page.run("document.documentElement.lang"), "en");
    assert_eq!(
        page.run("document.querySelector('.tab').textContent"),
        "Play"
    );
    every_tab(&mut page, "desktop-en", 600.0);
    // The browser's language, and dark as the system says.
    page.prefer("ja");
    page.dark(true);
    page.open(server.url());
    page.reload();
    assert_eq!(page.run("document.documentElement.lang"), "ja");
    assert_eq!(
        page.run("document.querySelector('.tab').textContent"),
        "対局"
    );
    assert_eq!(page.run("document.documentElement.dataset.look"), "dark");
    every_tab(&mut page, "desktop-ja", 600.0);
    page.finish();
}

#[test]
fn every_tab_on_a_phone() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(390, 844, true);
    page.prefer("ja");
    page.open(server.url());
    every_tab(&mut page, "phone-ja", 335.0);
    // The other language, by hand; it is remembered.
    page.click("#settings");
    page.write("#set-language", "en");
    page.wait("document.documentElement.lang === 'en'");
    page.reload();
    assert_eq!(
        page.run("document.querySelector('.tab').textContent"),
        "Play"
    );
    page.finish();
}

#[test]
fn pieces_boards_and_colours_are_remembered() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1200, 800, false);
    page.prefer("en");
    page.open(server.url());
    page.begin(&person(), &person(), LATE, &Json::Null);
    for (pieces, board, look) in [
        ("two", "wood", "light"),
        ("western", "plain", "light"),
        ("one", "plain", "dark"),
        ("two", "wood", "dark"),
        ("brush", "kaya", "light"),
        ("brush", "lacquer", "dark"),
    ] {
        for (name, value) in [("pieces", pieces), ("board", board), ("look", look)] {
            page.click("#settings");
            page.wait(&format!("document.querySelector('#set-{name}')"));
            page.write(&format!("#set-{name}"), value);
            page.wait(&format!("document.documentElement.dataset.{name} === '{value}' && !document.querySelector('dialog')"));
        }
        page.reload();
        page.wait(&format!(
            "document.documentElement.dataset.pieces === '{pieces}'"
        ));
        page.picture(&format!("pieces-{pieces}-{board}-{look}"));
    }
    page.finish();
}

#[test]
#[ignore = "makes the picture of the README: target/tmp/board/readme.jpg"]
fn the_picture_of_the_readme() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1240, 760, false);
    page.prefer("en");
    page.open(server.url());
    page.begin(
        &engine(20),
        &engine(14),
        "startpos",
        &json!({ "main": 20_000, "increment": 100 }),
    );
    page.wait("tesuji.games.play.nodes.length > 70 || tesuji.messages.play.over");
    page.request(&json!({ "play": { "type": "resign" } }));
    page.run("tesuji.analyse({ type: 'load-played-game' })");
    page.wait("tesuji.games.analyse.nodes.length > 60");
    page.request(&json!({ "analyse": { "type": "analyse-game", "millis": 300 } }));
    page.wait("tesuji.messages.analyse.gameAnalysis !== null");
    page.wait("tesuji.messages.analyse.gameAnalysis === null");
    page.request(&json!({ "analyse": { "type": "go-to", "node": 41 } }));
    page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 3 } }));
    page.wait("tesuji.tab.live?.node === 41 && tesuji.tab.live.lines[0]?.depth > 7");
    page.picture("readme");
    page.photo("readme");
}
