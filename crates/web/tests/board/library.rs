//! The library of games in a real browser: kept by itself, found, renamed, deleted and taken back,
//! brought in and out.

use crate::browser::Browser;
use crate::server;
use crate::user::person;
use serde_json::{Value as Json, json};

fn opened(url: &str, tab: &str) -> Browser {
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{url}#{tab}"));
    page
}

/// Shows the library, once it lists as many games.
fn library(page: &mut Browser, games: usize) {
    page.run("location.hash = '#library'");
    page.wait(&format!(
        "tesuji.tabName === 'library' && tesuji.tab.games?.length === {games} && \
         document.querySelectorAll('.games tbody tr').length === {games}"
    ));
}

#[test]
fn every_game_is_kept_and_no_click_loses_one() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(Some(folder.path()));
    let mut page = opened(server.url(), "play");
    // A game is begun in the middle of another: the other one is in the library at once.
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.click_move("7g7f");
    page.wait("tesuji.games.play.mainLine().length === 2");
    page.begin(&person(), &person(), "startpos", &Json::Null);
    for (mv, length) in [("2g2f", 2), ("8c8d", 3)] {
        page.click_move(mv);
        page.wait(&format!("tesuji.games.play.mainLine().length === {length}"));
    }
    // A study is replaced by another one.
    for text in [
        "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b",
        "startpos moves 5g5f",
    ] {
        page.request(&json!({ "analyse": { "type": "load", "record": { "text": text } } }));
    }
    library(&mut page, 4);
    page.picture("library");

    // By words, by opening, by position.
    page.write("#find", "fourth");
    page.wait("tesuji.tab.total === 1");
    page.write("#find", "");
    page.wait("tesuji.tab.total === 4");
    page.write("#opening", "Fourth File Rook");
    page.wait("tesuji.tab.total === 1");
    page.click("[data-open]");
    page.wait("tesuji.tabName === 'analyse' && tesuji.games.analyse.mainLine().length === 7");
    page.request(&json!({ "analyse": { "type": "go-to", "node": 1 } }));
    page.wait("tesuji.games.analyse.at === 1");
    library(&mut page, 4);
    page.click("#position");
    page.wait("tesuji.tab.total === 2"); // 7g7f was played twice
    page.click("#position");
    page.wait("tesuji.tab.total === 4");

    // What is written in a game of the library stays there, and a move deleted leaves a version.
    page.request(&json!({ "analyse": { "type": "comment", "node": 2, "text": "a comment" } }));
    page.request(&json!({ "analyse": { "type": "remove", "node": 4 } }));
    library(&mut page, 4);
    page.run("tesuji.tab.find()");
    page.wait("tesuji.tab.games[0].versions > 0 && tesuji.tab.games[0].plies === 3");
    page.click(".tools button");
    page.wait("document.querySelector('dialog .column button')");
    page.click("dialog .column button");
    page.wait("tesuji.tabName === 'analyse' && tesuji.games.analyse.mainLine().length === 7");

    // The server is started anew: everything is there.
    page.ask("Page.navigate", serde_json::json!({ "url": "about:blank" }));
    drop(server);
    let server = crate::server(Some(folder.path()));
    page.open(&format!("{}#library", server.url()));
    page.wait("tesuji.tab.total >= 4");
    page.finish();
}

#[test]
fn deleting_renaming_and_importing_can_be_taken_back() {
    let server = server(None);
    let mut page = opened(server.url(), "library");
    page.wait(
        "document.querySelector('.library .found')?.textContent.includes('kept here by itself')",
    );
    // A folder of records, as the browser hands it over; one of them is broken.
    page.run(
        "tesuji.tab.importFiles([new File(['V2.2\\nN+Habu\\nN-Kato\\n$START_TIME:2020/03/04\\nPI\\n+\\n+7776FU\\n-3334FU\\n%TORYO\\n/\\nV2.2\\nN+Oyama\\nPI\\n+\\n+2726FU\\n%TORYO\\n'], 'games.csa'), \
         new File(['startpos moves 5g5f 3c3d\\n'], 'one.usi'), new File(['   1 ９九歩(77)\\n'], 'bad.kif')])",
    );
    page.wait("tesuji.tab.total === 3");
    page.wait("document.querySelector('.library details')?.textContent.includes('bad.kif')");
    page.write("#from", "2020-03-01");
    page.wait(
        "tesuji.tab.total === 1 && document.querySelector('.games .white').textContent !== ''",
    );
    page.write("#from", "");
    page.wait("tesuji.tab.total === 3");

    // Renamed with the keyboard, and back again.
    page.run("document.querySelector('[data-rename]').focus()");
    page.key("Enter");
    page.wait("document.activeElement?.id === 'name-black'");
    page.write("#name-black", "Someone");
    page.key("Enter");
    page.wait("[...document.querySelectorAll('[data-open]')].some((link) => link.textContent.includes('Someone'))");
    page.click("#undo");
    page.wait("![...document.querySelectorAll('[data-open]')].some((link) => link.textContent.includes('Someone'))");

    // All are deleted, looked at in the bin, and brought back.
    page.click("thead input");
    page.click("#delete");
    page.wait("tesuji.tab.total === 0");
    page.click("#bin");
    page.wait("tesuji.tab.isBin && tesuji.tab.total === 3");
    page.picture("library-bin");
    page.click("#bin");
    page.wait("!tesuji.tab.isBin && tesuji.tab.total === 0");
    page.click("#undo");
    page.wait("tesuji.tab.total === 3");

    // Everything goes out as one archive.
    page.run(
        "window.saved = null; URL.createObjectURL = (blob) => { window.saved = blob; return '#'; }",
    );
    page.click("#export");
    page.wait("document.querySelector('#export-now')");
    page.click("#export-now");
    page.wait("window.saved");
    let text = page.run("window.saved.text()");
    let text = text.as_str().unwrap();
    assert!(text.starts_with("PK") && text.contains("Habu") && text.contains("Oyama"));
    page.finish();
}

#[test]
fn the_library_on_a_phone_in_japanese() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(390, 844, true);
    page.prefer("ja");
    page.open(&format!("{}#analyse", server.url()));
    page.request(&json!({ "analyse": { "type": "load", "record": { "text": "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b" } } }));
    page.wait("tesuji.games.analyse.nodes.length === 7");
    library(&mut page, 1);
    assert_eq!(
        page.run("document.documentElement.scrollWidth <= innerWidth"),
        true
    );
    page.picture("library-phone");
    page.finish();
}
