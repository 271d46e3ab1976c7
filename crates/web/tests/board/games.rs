//! Whole games in a real browser: clicks, drags, keys, clocks, reloads.

use crate::browser::Browser;
use crate::server;
use crate::user::{Mentor, engine, person};
use serde_json::{Value as Json, json};

fn opened(url: &str) -> Browser {
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(url);
    page
}

/// Plays the game that is on the board to its end, by clicks; gives the moves clicked.
fn play_out(page: &mut Browser, mentor: &mut Mentor, reload_after: usize) -> Vec<String> {
    let mut clicked = Vec::new();
    loop {
        page.wait("tesuji.messages.play.canMove || tesuji.messages.play.over");
        if page.run("tesuji.messages.play.over !== null") == true {
            return clicked;
        }
        if clicked.len() == reload_after {
            let before = page.sfen();
            page.reload();
            assert_eq!(page.sfen(), before, "a reload shows the same position");
        }
        let before = page.sfen();
        let mv = mentor.advise(&before).to_string();
        page.click_move(&mv);
        page.wait_for_change(&before);
        clicked.push(mv);
        assert!(clicked.len() < 200, "no mate after 200 moves");
    }
}

#[test]
fn a_whole_game_against_the_engine_to_mate() {
    let server = server(None);
    let mut page = opened(server.url());
    // The game is begun as people do it: with the dialog.
    page.click("#new");
    page.write("#level", "0");
    page.picture("dialog");
    page.click("#begin");
    page.wait("tesuji.messages.play.players[1].strength === 0");
    let clicked = play_out(&mut page, &mut Mentor::new(), 9);
    let over = page.run("tesuji.messages.play.over");
    assert_eq!(over, json!({ "why": "mate", "winner": "b" }));
    assert!(
        clicked.iter().any(|mv| mv.ends_with('+')),
        "a piece was promoted"
    );
    assert!(
        clicked.iter().any(|mv| mv.contains('*')),
        "a piece was dropped"
    );
    page.wait("document.querySelector('.status').textContent.includes('Black wins by mate')");
    let moves = page.moves("play");
    page.picture("mated");
    page.reload();
    assert_eq!(
        page.moves("play"),
        moves,
        "the end of the game survives a reload"
    );
    page.finish();
}

#[test]
fn taking_back_promoting_dropping_dragging_and_keys() {
    let server = server(None);
    let mut page = opened(server.url());
    let sfen = "lnsgkgsnl/7b1/pppp1pppp/9/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL b Prp 1";
    page.begin(&person(), &engine(0), sfen, &Json::Null);

    // A drop: the pawn from the stand.
    page.click(".stand[data-color=b] [data-kind=P]");
    page.wait("document.querySelectorAll('.targets .target').length > 0");
    page.picture("targets");
    page.click_square("5e");
    page.wait("tesuji.games.play.mainLine().length === 3 && tesuji.messages.play.canMove");
    assert_eq!(page.run("tesuji.games.play.nodes[1].move"), "P*5e");

    // Back to where it was, with the pawn in hand again.
    page.click("[data-text=takeBack]");
    page.wait("tesuji.games.play.mainLine().length === 1");
    assert_eq!(page.sfen(), sfen);

    // A promotion is asked for; both answers are possible, and Escape lets go.
    let start = "4k4/9/9/4S4/9/9/9/9/4K4 b R 1";
    page.begin(&person(), &person(), start, &Json::Null);
    page.click_square("5d");
    page.click_square("5c");
    page.wait("!document.querySelector('.chooser').hidden");
    page.picture("promotion");
    page.key("Escape");
    page.wait("document.querySelector('.chooser').hidden");
    assert_eq!(page.sfen(), start);
    page.click_move("5d5c+");
    page.wait("tesuji.games.play.nodes[1]?.move === '5d5c+'");
    page.click("[data-text=takeBack]");
    page.wait("tesuji.games.play.mainLine().length === 1");
    page.click_move("5d5c");
    page.wait("tesuji.games.play.nodes[1]?.move === '5d5c'");

    // White's move is dragged, Black's is made with the keys alone.
    page.drag("5a", "6a");
    page.wait("tesuji.games.play.nodes[2]?.move === '5a6a'");
    page.run("tesuji.tab.board.focus(40)"); // 5e
    for key in [
        "ArrowDown",
        "ArrowDown",
        "ArrowDown",
        "ArrowDown",
        "Enter",
        "ArrowUp",
        "Enter",
    ] {
        page.key(key);
    }
    page.wait("tesuji.games.play.nodes[3]?.move === '5i5h'");
    let said = page.run("document.querySelector('#announce').textContent");
    assert!(said.as_str().unwrap().contains("K-5h"), "{said}");
    let label = page.run("tesuji.tab.board.cells[67].getAttribute('aria-label')");
    assert_eq!(label, "5h Black king");
    page.finish();
}

#[test]
fn clocks_run_out_and_go_on_over_a_reload() {
    let server = server(None);
    let mut page = opened(server.url());
    // The server counts; the page only shows. A byoyomi of 1.5 seconds runs out as no move is made.
    let clock = json!({ "main": 0, "byoyomi": 1500, "increment": 0 });
    page.begin(&person(), &person(), "startpos", &clock);
    assert_eq!(page.run("tesuji.messages.play.clock.running"), Json::Null);
    page.click_move("7g7f");
    page.wait("tesuji.messages.play.clock?.running === 'w'");
    page.reload();
    page.wait("tesuji.messages.play.over?.why === 'time'");
    assert_eq!(page.run("tesuji.messages.play.over.winner"), "b");
    page.wait("document.querySelector('.status').textContent.includes('Black wins on time')");
    // Sudden death and Fischer, with the engine on the clock.
    let clock = json!({ "main": 60_000, "byoyomi": 0, "increment": 2000 });
    page.begin(&engine(2), &person(), "startpos", &clock);
    page.wait("tesuji.messages.play.canMove");
    let left = page
        .run("tesuji.messages.play.clock.left[0].main")
        .as_u64()
        .unwrap();
    assert!((50_000..=64_000).contains(&left), "{left}");
    page.picture("clocks");
    page.click("[data-text=pause]");
    page.wait("tesuji.messages.play.paused && tesuji.messages.play.clock.running === null");
    page.click("[data-text=pause]");
    page.wait("tesuji.messages.play.clock.running === 'w'");
    page.finish();
}

#[test]
fn hints_resignation_declaration_handicaps_and_watching() {
    let server = server(None);
    let mut page = opened(server.url());
    page.begin(&person(), &engine(0), "startpos", &Json::Null);
    page.click("[data-text=hint]");
    page.wait("tesuji.messages.play.hint && document.querySelector('.arrows').children.length > 0");
    page.picture("hint");
    page.click("[data-text=declare]");
    page.wait("document.querySelector('.toast')?.textContent.includes('three ranks')");
    // One click does not resign: the question can be answered with no.
    page.click("[data-text=resign]");
    page.click("#keep");
    page.wait("!document.querySelector('dialog')");
    assert_eq!(page.run("tesuji.messages.play.over"), Json::Null);
    page.click("[data-text=resign]");
    page.click("#confirm");
    page.wait("tesuji.messages.play.over?.why === 'resignation'");
    assert_eq!(page.run("tesuji.messages.play.over.winner"), "w");

    let entered = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1";
    page.begin(&person(), &engine(0), entered, &Json::Null);
    page.click("[data-text=declare]");
    page.wait("tesuji.messages.play.over?.why === 'declaration'");

    // The dialog: a handicap, the other side, a clock.
    page.click("#new");
    page.write("#side", "b");
    page.write("#handicap", "11");
    page.write("#clock", "byoyomi");
    page.write("#minutes", "5");
    page.click("#begin");
    page.wait(
        "tesuji.messages.play.clock?.control.byoyomi === 30000 && tesuji.messages.play.canMove",
    );
    let given = page.run(
        "tesuji.messages.play.position.board.filter((code) => /[a-z]/.test(code ?? '')).length",
    );
    assert_eq!(given, 14, "White has given six pieces of its twenty");

    // Two engines play to the end of a won game; no request is needed.
    let won = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1";
    page.begin(&engine(20), &engine(0), won, &Json::Null);
    page.wait("tesuji.messages.play.over?.why === 'mate'");
    assert_eq!(page.run("tesuji.messages.play.over.winner"), "b");

    // A person who plays White sees the board from White's side.
    page.begin(&engine(0), &person(), "startpos", &Json::Null);
    page.wait("tesuji.messages.play.canMove && tesuji.tab.board.orientation.flipped");
    page.finish();
}
