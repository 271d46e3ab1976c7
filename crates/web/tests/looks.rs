//! What the board looks like: pictures under `target/tmp/board`, to be looked at.

mod common;

use common::browser::Browser;
use common::server;
use common::table::{engine, person};
use serde_json::{Value as Json, json};

const MIDDLE: &str = "ln1g3nl/1r1s1kg2/p1pppps1p/1p4pp1/3P1P3/2P1S1P2/PPS1P1N1P/2G2G1R1/LNB1K3L b Pb 45";

#[test]
fn every_corner_on_a_desk_and_on_a_phone() {
    let server = server(None);
    let mut page = Browser::start();
    page.prefer("en");
    for (name, width, height, is_phone) in [("desk", 1440, 900, false), ("phone", 390, 844, true)] {
        page.size(width, height, is_phone);
        for dark in [false, true] {
            page.dark(dark);
            let shade = if dark { "dark" } else { "light" };
            page.open(server.url());
            page.begin(&person(), &engine(0), MIDDLE, &Json::Null);
            page.wait("document.querySelectorAll('.pieces .piece').length > 30");
            page.click_square("2h");
            page.picture(&format!("play-{name}-{shade}"));
            page.run("location.hash = '#learn'");
            page.wait("document.querySelectorAll('.node').length > 10");
            page.picture(&format!("learn-{name}-{shade}"));
            page.run("location.hash = '#solve'");
            page.wait("tesuji.name === 'solve' && tesuji.corner.last");
            page.picture(&format!("solve-{name}-{shade}"));
            page.run("location.hash = '#analyse'");
            page.wait("tesuji.name === 'analyse' && tesuji.corner.last");
            page.wish(&json!({ "do": "set-up", "sfen": MIDDLE }));
            page.wish(&json!({ "do": "think", "on": true, "lines": 3 }));
            page.wait("tesuji.corner.live?.lines.length === 3 && tesuji.corner.live.lines[0].depth > 6");
            page.picture(&format!("analyse-{name}-{shade}"));
            page.wish(&json!({ "do": "think", "on": false, "lines": 3 }));
        }
    }
    page.finish();
}
