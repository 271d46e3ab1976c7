//! The course in shogi in a real browser: every task can be done, in both languages; and what is said
//! about a position on demand.

use crate::browser::Browser;
use crate::server;
use serde_json::json;

/// What solves the tasks that no star shows the way of.
const ANSWERS: [(&str, &[&str]); 8] = [
    ("take", &["5h5d", "5e6d"]),
    ("promotion", &["5d5c+", "2h2b+", "8h2b+"]),
    ("drops", &["G*5e", "R*5h", "N*5e"]),
    ("fouls", &["P*8e", "G*1b"]),
    ("check", &["5i4i", "5i4h"]),
    ("mate", &["G*5b", "N*2c", "N*2c", "R*5b"]),
    (
        "castles",
        &["5i4h 4h3h 3h2h 3i3h 6i5h", "5i6i 6i7i 7i8h 4i5h 5h6g"],
    ),
    ("", &[]),
];

fn do_task(page: &mut Browser, answer: Option<&str>) {
    match answer {
        Some(moves) => {
            for mv in moves.split(' ') {
                page.wait("tesuji.tab.board.position?.moves.length > 0");
                let before = page.run("tesuji.tab.board.position.sfen");
                page.click_move(mv);
                page.wait(&format!(
                    "tesuji.tab.isOver || tesuji.tab.board.position.sfen !== {before}"
                ));
            }
        }
        None => loop {
            // From star to star, in the order in which they are named.
            let star = page.run("[...tesuji.tab.stars][0] ?? null");
            let Some(star) = star.as_str() else {
                break;
            };
            let mv = page.run(&format!("tesuji.tab.board.position.moves.find((mv) => mv.slice(2, 4) === '{star}' && !mv.endsWith('+'))"));
            let mv = mv
                .as_str()
                .unwrap_or_else(|| panic!("no way to {star}"))
                .to_owned();
            page.click_move(&mv);
            page.wait(&format!("!tesuji.tab.stars.has('{star}')"));
        },
    }
    page.wait("tesuji.tab.isOver");
}

#[test]
fn every_task_of_the_course_can_be_done() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{}#learn", server.url()));
    page.click("a[href='#course']");
    page.wait("tesuji.tabName === 'course' && tesuji.tab.board?.position");
    page.picture("course");
    let lessons = page
        .run("document.querySelectorAll('[data-lesson]').length")
        .as_u64()
        .unwrap();
    for number in 0..lessons {
        let name = page.run(&format!(
            "document.querySelectorAll('[data-lesson]')[{number}].dataset.lesson"
        ));
        let name = name.as_str().unwrap().to_owned();
        page.click(&format!("[data-lesson={name}]"));
        let answers = ANSWERS
            .iter()
            .find(|(lesson, _)| *lesson == name)
            .map(|(_, answers)| *answers);
        let mut task = 0;
        loop {
            page.wait(&format!("tesuji.tab.task === {task} && !tesuji.tab.isOver && tesuji.tab.board.position?.sfen.split(' ')[0] === tesuji.tab.current().sfen.split(' ')[0]"));
            do_task(&mut page, answers.map(|answers| answers[task]));
            if page.run("tesuji.tab.status.textContent.includes('complete')") == true {
                break;
            }
            task += 1;
            page.key("n");
        }
    }
    page.wait("document.querySelector('.course .panel a[href=\"#play\"]')");
    page.picture("course-done");
    assert_eq!(page.run("tesuji.tab.done.size"), lessons);
    // A wrong move is told, and the task begins again.
    page.click("[data-lesson=mate]");
    page.wait("tesuji.tab.board.position.sfen.startsWith('4k4/9/4P4')");
    page.click_move("G*6b");
    page.wait("document.querySelector('.result').textContent.includes('no mate')");
    page.wait("tesuji.tab.board.position.sfen.includes(' b G ')");
    page.finish();
}

#[test]
fn the_course_in_japanese_on_a_phone() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(390, 844, true);
    page.prefer("ja");
    page.open(&format!("{}#course", server.url()));
    page.wait("tesuji.tab.board?.position && document.querySelector('.course h1').textContent.includes('玉')");
    assert_eq!(
        page.run("document.documentElement.scrollWidth <= innerWidth"),
        true
    );
    page.picture("course-phone");
    page.finish();
}

#[test]
fn openings_castles_threats_and_brinkmates_are_told() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    let game =
        "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b 4h3h 4b3b 3h2h 6a5b 3i3h 1c1d 6i5h";
    page.request(&json!({ "analyse": { "type": "load", "record": { "text": game } } }));
    page.wait("tesuji.games.analyse.nodes.length === 16");
    page.click("[data-text=last]");
    page.wait(
        "document.querySelector('.position-facts .names')?.textContent === 'Fourth File Rook · ☗ Mino · ☖ Boat'",
    );
    page.click("#threat");
    page.wait(
        "document.querySelector('.position-facts .said').textContent.startsWith('Black threatens')",
    );
    page.picture("threat");
    // White is to move and Black threatens mate.
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 w G2r2b3g4s4n4l17p 1";
    page.request(&json!({ "analyse": { "type": "set-position", "sfen": sfen } }));
    page.wait("tesuji.messages.analyse.position.sfen.startsWith('4k4/9/4P4')");
    page.click("#threat");
    page.wait("document.querySelector('.position-facts .said').textContent.includes('mate in 1')");
    page.click("#brinkmate");
    page.wait("!document.querySelector('.position-facts .said').textContent.includes('Looking')");
    page.finish();
}
