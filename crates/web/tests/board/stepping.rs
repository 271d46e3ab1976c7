//! Through a game with keys and the wheel, while the engine thinks.

use crate::browser::Browser;
use crate::server;
use serde_json::json;

const MOVES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 3d3f 3a2b P*8g 8f8e 3f2f 2b2c 8i7g 8e8b";

fn opened() -> (tesuji_web::WebServer, Browser) {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    page.run(&format!("tesuji.loadStudy({{ text: {} }})", json!(MOVES)));
    page.wait("tesuji.games.analyse.nodes.length === 25");
    (server, page)
}

#[test]
fn a_key_that_is_held_loses_no_step_while_the_engine_runs() {
    let (_server, mut page) = opened();
    page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 3 } }));
    page.wait("tesuji.tab.live?.lines.length === 3");
    // Twenty repeats of a held key, faster than any answer.
    page.run(
        "for (let n = 0; n < 20; n++) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '.', bubbles: true, repeat: n > 0 }))",
    );
    page.wait("tesuji.games.analyse.at === 20 && tesuji.tab.live?.node === 20");
    page.run(
        "for (let n = 0; n < 7; n++) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))",
    );
    page.wait("tesuji.games.analyse.at === 13");
    page.request(&json!({ "analyse": { "type": "set-engine", "on": false, "lines": 3 } }));
    page.finish();
}

#[test]
fn home_end_arrows_and_the_wheel_step() {
    let (_server, mut page) = opened();
    page.key("End");
    page.wait("tesuji.games.analyse.at === 24");
    page.key("ArrowUp");
    page.wait("tesuji.games.analyse.at === 23");
    page.key("Home");
    page.wait("tesuji.games.analyse.at === 0");
    page.key("ArrowDown");
    page.wait("tesuji.games.analyse.at === 1");
    let (x, y) = page.middle("#content .board");
    page.ask(
        "Input.dispatchMouseEvent",
        json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 100 }),
    );
    page.wait("tesuji.games.analyse.at === 2");
    page.finish();
}

#[test]
fn lines_are_of_one_iteration_and_the_engine_rests_while_one_plays() {
    let (_server, mut page) = opened();
    page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 5 } }));
    page.wait("tesuji.tab.live?.lines.length === 5");
    page.run(
        "window.mixed = []; { const receive = tesuji.tab.receiveLive.bind(tesuji.tab); \
         tesuji.tab.receiveLive = (live, changed) => { const lines = live.lines; \
         if (new Set(lines.map((line) => line.depth)).size > 1 || new Set(lines.map((line) => line.moves[0].move)).size < lines.length) mixed.push(lines); \
         window.heard = (window.heard ?? 0) + 1; receive(live, changed); }; }",
    );
    page.wait("window.heard > 12");
    assert_eq!(page.run("mixed.length"), 0, "depths or moves were mixed");
    // On the play tab it stops, and goes on when the analysis is shown again.
    page.run("location.hash = '#play'");
    page.wait("tesuji.tabName === 'play' && tesuji.messages.play");
    let nodes = page.run("tesuji.messages.live.lines[0].nodes");
    page.run("new Promise((done) => setTimeout(done, 700))");
    page.run("location.hash = '#analyse'");
    page.wait("tesuji.tabName === 'analyse' && tesuji.messages.analyse.thinking");
    // It begins anew: had it gone on, it would know more than before.
    page.wait("tesuji.tab.live?.lines.length > 0");
    assert!(nodes.as_u64().is_some());
    page.request(&json!({ "analyse": { "type": "set-engine", "on": false, "lines": 5 } }));
    page.wait("tesuji.messages.analyse.thinking === false");
    page.finish();
}
