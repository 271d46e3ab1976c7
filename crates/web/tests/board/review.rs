//! The review of a game: its slips are shown with what was better, and can be tried again.

use crate::browser::Browser;
use crate::server;
use serde_json::json;

/// White leaves the bishop's diagonal and loses the bishop for nothing at move 4.
const GAME: &str = "手合割：平手
先手：先手の人
後手：後手の人
   1 ７六歩(77)   ( 0:03/00:00:03)
   2 ３四歩(33)   ( 0:09/00:00:09)
   3 ２六歩(27)   ( 0:02/00:00:05)
   4 ９四歩(93)   ( 0:30/00:00:39)
   5 ２五歩(26)   ( 0:02/00:00:07)
   6 ５五角(22)   ( 0:01/00:00:40)
   7 同　角(88)   ( 0:02/00:00:09)
   8 ９五歩(94)   ( 0:04/00:00:44)
   9 ２二角成(55) ( 0:02/00:00:11)
";

fn reviewed() -> (tesuji_web::WebServer, Browser) {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    page.run(&format!("tesuji.loadStudy({{ text: {} }})", json!(GAME)));
    page.wait("tesuji.games.analyse.nodes.length === 10");
    page.write("#each", "100");
    page.click("#analyse-game");
    page.wait("tesuji.messages.analyse.gameAnalysis");
    page.wait(
        "tesuji.messages.analyse.gameAnalysis === null && tesuji.messages.review?.slips.length > 0",
    );
    (server, page)
}

#[test]
fn slips_are_shown_with_the_better_line_and_can_be_tried_again() {
    let (_server, mut page) = reviewed();
    // The bishop was given away at move 6; moves of the opening are no slips.
    let slips = page.run("tesuji.messages.review.slips.map(({ node }) => node)");
    let slips: Vec<u64> = serde_json::from_value(slips).expect("numbers");
    assert!(slips.contains(&6), "{slips:?}");
    assert!(
        !slips.contains(&1) && !slips.contains(&2) && !slips.contains(&3),
        "{slips:?}"
    );
    let accuracy = page.run("tesuji.messages.review.accuracy");
    let of = |place: usize| accuracy[place].as_f64().unwrap_or(f64::NAN);
    assert!(of(0) > of(1), "Black played better: {accuracy}");
    assert_eq!(page.run("document.querySelectorAll('.badge').length"), 2);
    assert_eq!(
        page.run("document.querySelector('.badge .who').textContent"),
        "☗ 先手の人"
    );

    // By a key to the slip: what was better, as a line and as arrows.
    page.key("Home");
    page.wait("tesuji.games.analyse.at === 0");
    while page.run("tesuji.games.analyse.at") != 6 {
        let before = page.run("tesuji.games.analyse.at");
        page.click("#next-slip");
        page.wait(&format!("tesuji.games.analyse.at !== {before}"));
    }
    page.wait("document.querySelectorAll('.slipcard .better .pvmove').length >= 1");
    page.wait("document.querySelector('.arrows .better')");
    page.picture("review");

    // Once more: the slip is no answer, the best move is.
    page.click("#try-again");
    page.wait("tesuji.games.analyse.at === 5 && tesuji.tab.review.trying");
    page.click_move("2b5e");
    page.wait("tesuji.messages.analyse.trial?.verdict === 'bad'");
    let best = page.run("tesuji.messages.review.slips.find(({ node }) => node === 6).line[0].move");
    page.click_move(best.as_str().unwrap_or_default());
    page.wait("tesuji.messages.analyse.trial?.verdict === 'best'");
    page.wait("document.querySelector('.trial.best')");
    assert_eq!(
        page.run("tesuji.games.analyse.nodes.length"),
        10,
        "trying leaves no trace"
    );
    page.click("#show-answer");
    page.wait("tesuji.games.analyse.at === 6");
    page.click("#add-better");
    page.wait("tesuji.games.analyse.nodes.length > 10");

    // All of it survives a reload.
    page.reload();
    page.wait("tesuji.messages.review?.slips.some(({ node }) => node === 6)");
    page.finish();
}

#[test]
fn the_graph_has_axes_names_and_times_and_the_report_is_a_page_a_print_and_a_picture() {
    let (_server, mut page) = reviewed();
    let texts = page.run(
        "[...document.querySelectorAll('.graph text')].map((text) => text.textContent).join('|')",
    );
    let texts = texts.as_str().unwrap_or_default().to_owned();
    for word in ["0%", "50%", "100%", "☗ 先手の人", "☖ 後手の人"] {
        assert!(texts.contains(word), "{word} in {texts}");
    }
    assert_eq!(
        page.run("document.querySelectorAll('.graph .spent').length"),
        9
    );
    // A print that the test can look at.
    page.run(
        "window.print = () => { window.sheet = document.querySelector('.printed').outerHTML; }",
    );
    page.click("#report summary");
    page.click("#print-report");
    page.wait("window.sheet?.includes('先手の人') && window.sheet.includes('<svg')");
    let pdf = page.ask("Page.printToPDF", json!({ "printBackground": true }));
    assert!(pdf["data"].as_str().is_some_and(|data| data.len() > 10_000));
    page.run("document.querySelector('.printed')?.remove()");
    page.click("#report summary");
    page.click("#save-report");
    page.wait("document.body.dataset.saved?.startsWith('tesuji-report.html')");
    page.click("#report summary");
    page.click("#save-report-picture");
    page.wait("document.body.dataset.saved?.startsWith('tesuji-report.png')");
    let size = page.run("Number(document.body.dataset.saved.split(' ')[1])");
    assert!(size.as_u64().is_some_and(|size| size > 20_000), "{size}");
    page.finish();
}

#[test]
fn engines_that_are_watched_get_no_marks() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(server.url());
    page.begin(
        &crate::user::engine(0),
        &crate::user::engine(0),
        "startpos",
        &json!(null),
    );
    page.wait("tesuji.games.play.nodes.length > 12 || tesuji.messages.play.over");
    assert_eq!(page.run("tesuji.games.play.slips.size"), 0);
    assert_eq!(
        page.run("document.querySelectorAll('.move.slip').length"),
        0
    );
    page.request(&json!({ "play": { "type": "resign" } }));
    page.finish();
}
