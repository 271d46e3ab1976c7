//! Nothing is lost by a click, a reload or a crash.

use crate::browser::Browser;
use crate::server;
use crate::user::{engine, person};
use serde_json::{Value as Json, json};

fn opened(url: &str, tab: &str) -> Browser {
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(&format!("{url}#{tab}"));
    page
}

#[test]
fn a_running_game_and_a_study_are_given_up_only_after_a_question() {
    let server = server(None);
    let mut page = opened(server.url(), "play");
    page.begin(&person(), &engine(0), "startpos", &Json::Null);
    page.click_move("7g7f");
    page.wait("tesuji.games.play.nodes.length >= 3");
    page.click("#new");
    page.click("#begin");
    page.wait("document.querySelector('dialog')?.textContent.includes('A game is running')");
    page.picture("question");
    page.click("#keep");
    page.wait("!document.querySelector('dialog')");
    assert!(page.run("tesuji.games.play.nodes.length").as_u64() >= Some(3));
    page.click("#new");
    page.click("#begin");
    page.click("#confirm");
    page.wait("tesuji.games.play.nodes.length === 1");

    // A study that was changed: opened, pasted, set up or analysed over it.
    page.run("location.hash = '#analyse'");
    page.wait("tesuji.tabName === 'analyse' && tesuji.tab.message");
    page.click_move("2g2f");
    page.wait("tesuji.messages.analyse.isEdited");
    page.click("#open");
    page.write("#record", "startpos moves 7g7f 3c3d");
    page.click("#read");
    page.wait("document.querySelector('#confirm')");
    page.click("#keep");
    page.wait("!document.querySelector('dialog')");
    assert_eq!(page.run("tesuji.games.analyse.nodes[1].move"), "2g2f");
    page.run("document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: (() => { const d = new DataTransfer(); d.setData('text', 'startpos moves 7g7f 3c3d'); return d; })() }))");
    page.wait("document.querySelector('#confirm')");
    page.click("#confirm");
    page.wait("tesuji.games.analyse.nodes.length === 3 && !tesuji.messages.analyse.isEdited");
    // Nothing was changed since: no question.
    page.click("#open");
    page.write("#record", "startpos moves 5g5f");
    page.click("#read");
    page.wait("tesuji.games.analyse.nodes.length === 2");

    // Deleting asks, and says how much.
    page.key(".");
    page.wait("tesuji.games.analyse.at === 1");
    page.click("[data-text=removeLine]");
    page.click("#keep");
    page.wait("!document.querySelector('dialog')");
    assert_eq!(page.run("tesuji.games.analyse.nodes.length"), 2);
    page.finish();
}

#[test]
fn a_comment_survives_a_reload_while_it_is_being_written() {
    let server = server(None);
    let mut page = opened(server.url(), "analyse");
    page.click_move("7g7f");
    page.wait("tesuji.games.analyse.at === 1");
    page.click(".comment");
    page.type_text("角道を開ける");
    page.reload();
    page.wait("tesuji.games.analyse.nodes[1]?.comment === '角道を開ける'");
    page.wait("document.querySelector('.comment').value === '角道を開ける'");
    page.finish();
}

#[test]
fn what_a_page_has_shown_is_on_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(Some(folder.path()));
    let mut page = opened(server.url(), "analyse");
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
    for (count, mv) in (1..).zip(moves.split(' ')) {
        page.click_move(mv);
        page.wait(&format!("tesuji.games.analyse.at === {count}"));
        // At this moment a crash would leave what is on the disk now.
        let files = std::fs::read_dir(folder.path()).into_iter().flatten();
        let texts = files
            .flatten()
            .filter_map(|file| std::fs::read_to_string(file.path()).ok());
        assert!(
            texts.into_iter().any(|text| text.contains(mv)),
            "{mv} is not on disk"
        );
    }
    page.finish();
}

#[test]
fn back_closes_a_dialog_and_boards_without_kings_start_no_games() {
    let server = server(None);
    let mut page = opened(server.url(), "play");
    page.run("location.hash = '#analyse'");
    page.wait("tesuji.tabName === 'analyse' && tesuji.tab.message");
    page.click("#open");
    page.wait("document.querySelector('dialog[open]')");
    page.run("history.back()");
    page.wait("!document.querySelector('dialog')");
    assert_eq!(page.run("tesuji.tabName"), "analyse");
    page.wait("location.hash === '#analyse'");

    page.run("location.hash = '#play'");
    page.wait("tesuji.tabName === 'play'");
    // A clock without time is told in the dialog, which stays.
    page.click("#new");
    page.write("#mode", "people");
    page.write("#clock", "sudden");
    page.write("#minutes", "0");
    page.click("#begin");
    page.wait(
        "document.querySelector('dialog .problem').textContent.includes('at least a second')",
    );
    page.click("dialog header button");
    page.request(
        &json!({ "play": { "type": "new-game", "black": person(), "white": person(),
        "start": { "sfen": "4k4/9/4P4/9/9/9/9/9/9 b G 1" }, "clock": null, "pace": 0 } }),
    );
    page.wait("document.querySelector('.toast')?.textContent.includes('both kings')");
    page.finish();
}
