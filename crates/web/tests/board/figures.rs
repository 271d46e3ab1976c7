//! What the board costs: figures to be read, nothing to be asserted.
//!
//! ```text
//! cargo test --release -p tesuji-web --test board figures -- --ignored --nocapture
//! ```

use crate::browser::Browser;
use crate::server;
use crate::user::person;
use serde_json::{Value as Json, json};
use std::time::Instant;
use tesuji_shogi::{Board, Move, Position};

#[test]
#[ignore = "measures"]
fn the_first_page_a_click_and_frames() {
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    let began = Instant::now();
    let server = server(None);
    page.open(server.url());
    page.wait("document.querySelectorAll('.pieces .piece').length === 40");
    println!(
        "from the start of the server to a board: {:?}",
        began.elapsed()
    );

    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.run(
        "window.times = []; addEventListener('pointerdown', () => { window.pressed = performance.now(); }, true); \
         { const board = tesuji.tab.board, show = board.show.bind(board); \
           board.show = (position) => { const old = board.position?.last; show(position); \
           if (old !== position.last) requestAnimationFrame(() => times.push(performance.now() - pressed)); }; }",
    );
    let moves = "7g7f 3c3d 2g2f 4c4d 3i4h 3a4b 5g5f 5c5d 5i6h 4b4c 6h7h 8b3b 9g9f 5a6b 4i5h 6b7b 3g3f 7b8b 6i6h 7a7b";
    for (count, mv) in (2..).zip(moves.split(' ')) {
        page.click_move(mv);
        let played = json!(mv);
        page.wait(&format!(
            "times.length === {} && tesuji.tab.message.position.last === {played}",
            count - 1
        ));
    }
    let times = page.run("times.toSorted((a, b) => a - b)");
    let times: Vec<f64> = serde_json::from_value(times).expect("numbers");
    println!(
        "from the click to the frame with the move: median {:.1} ms, worst {:.1} ms of {}",
        times[times.len() / 2],
        times[times.len() - 1],
        times.len()
    );

    page.run("location.hash = '#analyse'");
    page.wait("tesuji.tabName === 'analyse' && tesuji.tab.message");
    page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 8 } }));
    page.wait("tesuji.tab.live?.lines.length === 8");
    let frames = page.run(
        "new Promise((done) => { const gaps = []; let last = performance.now(); const end = last + 5000; \
         const step = (now) => { gaps.push(now - last); last = now; \
         if (now < end) requestAnimationFrame(step); else done(gaps.toSorted((a, b) => a - b)); }; \
         requestAnimationFrame(step); })",
    );
    let gaps: Vec<f64> = serde_json::from_value(frames).expect("numbers");
    println!(
        "frames while eight lines are shown: {} in 5 s, median {:.1} ms, worst {:.1} ms",
        gaps.len(),
        gaps[gaps.len() / 2],
        gaps[gaps.len() - 1]
    );
}

#[test]
#[ignore = "measures"]
fn memory_over_a_thousand_moves_of_analysis() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    let (mut pos, mut text, mut dice) = (Position::start(), "startpos moves".to_owned(), 1u64);
    for _ in 0..1000 {
        // Not the moves that end a game.
        let goes_on = |&mv: &Move| {
            pos.clone()
                .after(mv, |pos, _| !pos.legal_moves().is_empty())
        };
        let moves: Vec<_> = pos.legal_moves().iter().filter(goes_on).collect();
        if moves.is_empty() {
            break;
        }
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mv = moves[(dice >> 33) as usize % moves.len()];
        text += &format!(" {mv}");
        pos.play(mv);
    }
    page.request(&json!({ "analyse": { "type": "load", "record": { "text": text } } }));
    page.wait("tesuji.games.analyse.nodes.length > 100");
    let length = page.moves("analyse");
    page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 3 } }));
    for step in 1..=length {
        page.request(&json!({ "analyse": { "type": "go-to", "node": step } }));
        page.wait(&format!("tesuji.games.analyse.at === {step}"));
        if step % 100 == 0 || step == 1 {
            // Once everything has been drawn and thought about.
            page.wait(&format!("tesuji.tab.live?.node === {step} || tesuji.messages.analyse.position.moves.length === 0"));
            page.ask("HeapProfiler.collectGarbage", json!({}));
            let heap = page
                .run("performance.memory?.usedJSHeapSize ?? 0")
                .as_f64()
                .unwrap_or(0.0);
            let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
            let pages: u64 = statm
                .split(' ')
                .nth(1)
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
            println!(
                "move {step:4}: page {:.1} MB, server {} MB",
                heap / 1e6,
                pages * 4096 / 1_000_000
            );
        }
    }
}
