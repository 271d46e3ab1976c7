//! Windows of every size: nothing lies over anything, nothing has to be scrolled sideways, and the
//! board is large.

use crate::browser::Browser;
use crate::server;
use crate::user::{engine, person};
use serde_json::{Value as Json, json};

const LATE: &str = "l+R5nl/3s1kg2/p2ppps1p/1pp3pp1/3P5/2P1S1P2/PP2P1N1P/2G2G3/LN2K3L b RBGSPbnp 85";

/// Sizes of windows; the last ones are those of 1366 × 768, 1440 × 900 and 1280 × 720 at 200 %.
const SIZES: [(u32, u32, bool); 14] = [
    (1366, 768, false),
    (1440, 900, false),
    (1920, 950, false),
    (1920, 1080, false),
    (2560, 1440, false),
    (3840, 2160, false),
    (844, 390, true),
    (390, 844, true),
    (360, 640, true),
    (320, 568, true),
    (1024, 768, false),
    (683, 384, false),
    (720, 450, false),
    (640, 360, false),
];

/// What lies where: the sides of every part that must not lie over another.
const MEASURE: &str = "(() => { \
    const box = (e) => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }; \
    const parts = [...document.querySelectorAll('#content .board, #content .stand, #content .bar, #content .panel, header.top')].map((e) => [e.getAttribute('class'), box(e)]); \
    const board = document.querySelector('#content .board').getBoundingClientRect(); \
    return { parts, wide: document.documentElement.scrollWidth - innerWidth, board: Math.min(board.width, board.height), least: Math.min(innerWidth, innerHeight), bottom: board.bottom - innerHeight }; })()";

fn measure(page: &mut Browser, name: &str) {
    let found = page.run(MEASURE);
    let number = |value: &Json| value.as_f64().unwrap_or(f64::NAN);
    assert!(
        number(&found["wide"]) <= 0.0,
        "{name}: {} px too wide",
        found["wide"]
    );
    let (board, least) = (number(&found["board"]), number(&found["least"]));
    assert!(
        board >= 0.6 * least,
        "{name}: the board has {board} of {least} px"
    );
    let parts = found["parts"].as_array().cloned().unwrap_or_default();
    assert!(parts.len() >= 5, "{name}: {found}");
    for (place, one) in parts.iter().enumerate() {
        for other in &parts[place + 1..] {
            let side = |part: &Json, n: usize| number(&part[1][n]);
            let across = side(one, 2).min(side(other, 2)) - side(one, 0).max(side(other, 0));
            let along = side(one, 3).min(side(other, 3)) - side(one, 1).max(side(other, 1));
            assert!(
                across <= 1.0 || along <= 1.0,
                "{name}: {} lies over {} by {across} × {along} px",
                one[0],
                other[0]
            );
        }
    }
}

#[test]
fn no_window_is_too_wide_or_too_small() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(server.url());
    page.begin(
        &person(),
        &engine(20),
        LATE,
        &json!({ "main": 5_400_000, "byoyomi": 60_000 }),
    );
    page.run(
        "document.querySelector('.welcome')?.remove(); localStorage.setItem('welcomed', 'yes')",
    );
    for tab in ["play", "analyse", "solve", "train", "course"] {
        page.run(&format!("location.hash = '#{tab}'"));
        page.wait(&format!(
            "tesuji.tabName === '{tab}' && tesuji.tab.board?.position"
        ));
        if tab == "analyse" {
            page.request(&json!({ "analyse": { "type": "set-position", "sfen": LATE } }));
            page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 3 } }));
            page.wait("document.querySelectorAll('ol.lines li').length === 3");
            page.request(&json!({ "analyse": { "type": "set-engine", "on": false, "lines": 3 } }));
        }
        for (width, height, is_phone) in SIZES {
            page.size(width, height, is_phone);
            page.run("scrollTo(0, 0); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
            let name = format!("{tab}-{width}x{height}");
            measure(&mut page, &name);
            page.picture(&name);
        }
    }
    // Those without a board.
    for tab in ["library", "engines", "learn"] {
        page.run(&format!("location.hash = '#{tab}'"));
        page.wait(&format!(
            "tesuji.tabName === '{tab}' && document.querySelector('#content .{tab} :is(.panel, article)')"
        ));
        for (width, height, is_phone) in SIZES {
            page.size(width, height, is_phone);
            page.run("scrollTo(0, 0); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
            let wide = page.run("document.documentElement.scrollWidth - innerWidth");
            assert!(
                wide.as_i64().unwrap_or(1) <= 0,
                "{tab} at {width} × {height}: {wide} px too wide"
            );
            page.picture(&format!("{tab}-{width}x{height}"));
        }
    }
    page.finish();
}

#[test]
fn on_a_notebook_everything_of_the_analysis_is_in_sight() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1366, 768, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    page.request(&json!({ "analyse": { "type": "set-engine", "on": true, "lines": 3 } }));
    page.wait("document.querySelectorAll('ol.lines li').length === 3");
    for selector in [
        ".comment",
        ".stepper",
        "[data-text=removeLine]",
        "#analyse-game",
        ".moves",
    ] {
        let bottom = page.run(&format!(
            "document.querySelector('#content {selector}').getBoundingClientRect().bottom - innerHeight"
        ));
        let bottom = bottom.as_f64().unwrap_or(f64::NAN);
        assert!(
            bottom <= 0.0,
            "{selector} ends {bottom} px below the window"
        );
    }
    page.finish();
}
