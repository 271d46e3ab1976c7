//! Fingers: what a tap hits, and what it must not hit.

use crate::browser::Browser;
use crate::server;
use crate::user::person;
use serde_json::Value as Json;

fn phone(url: &str) -> Browser {
    let mut page = Browser::start();
    page.size(390, 844, true);
    page.use_touch();
    page.prefer("en");
    page.run("0");
    page.open(url);
    page.run(
        "localStorage.setItem('welcomed', 'yes'); document.querySelector('.welcome')?.remove()",
    );
    page
}

/// Touches a square, so far from its middle as a part of its size.
fn tap_square(page: &mut Browser, square: &str, (dx, dy): (f64, f64)) {
    let (x, y) = page.square(square);
    let wide = page.run("document.querySelector('#content .cell').getBoundingClientRect().width");
    let wide = wide.as_f64().unwrap_or(0.0);
    page.tap(x + dx * wide, y + dy * wide);
}

#[test]
fn the_question_for_a_promotion_does_not_answer_itself() {
    let server = server(None);
    let mut page = phone(server.url());
    let offsets = [
        (0.0, 0.0),
        (-0.4, -0.4),
        (0.4, 0.4),
        (-0.4, 0.4),
        (0.4, -0.4),
    ];
    for is_flipped in [false, true] {
        for file in 1..=9 {
            // A silver of the side at the bottom steps into the zone.
            let (sfen, from, to) = match is_flipped {
                false => (
                    silver(file, 4, 'S', 'b'),
                    format!("{file}d"),
                    format!("{file}c"),
                ),
                true => (
                    silver(file, 6, 's', 'w'),
                    format!("{file}f"),
                    format!("{file}g"),
                ),
            };
            page.begin(&person(), &person(), &sfen, &Json::Null);
            if page.run("tesuji.tab.board.orientation.flipped") != Json::Bool(is_flipped) {
                page.run("tesuji.tab.flip()");
            }
            let offset = offsets[file % offsets.len()];
            tap_square(&mut page, &from, (0.0, 0.0));
            page.wait("document.querySelectorAll('.targets .target').length > 0");
            tap_square(&mut page, &to, offset);
            page.wait("!document.querySelector('#content .chooser').hidden");
            // Long enough for the click of the tap, wherever it goes.
            page.run("new Promise((done) => setTimeout(done, 400))");
            assert_eq!(
                page.run("[tesuji.games.play.nodes.length, document.querySelector('#content .chooser').hidden]"),
                serde_json::json!([1, false]),
                "file {file}, flipped {is_flipped}: nobody has answered yet"
            );
            let inside = page.run(
                "(() => { const c = document.querySelector('#content .chooser').getBoundingClientRect(); \
                 return c.left >= 0 && c.right <= innerWidth; })()",
            );
            assert_eq!(inside, true, "the question is inside the window");
            let promotes = file % 2 == 0;
            let answer = format!("{from}{to}{}", if promotes { "+" } else { "" });
            let (x, y) = page.middle(&format!(".chooser [data-move='{answer}']"));
            page.tap(x, y);
            page.wait(&format!("tesuji.games.play.nodes[1]?.move === '{answer}'"));
        }
    }
    page.picture("touch");
    page.finish();
}

/// A position with two kings and one silver.
fn silver(file: usize, rank: usize, letter: char, turn: char) -> String {
    let kings = if file == 5 { 1 } else { 5 };
    let row = |letter: char, file: usize| {
        let (before, behind) = (9 - file, file - 1);
        let count = |n: usize| if n > 0 { n.to_string() } else { String::new() };
        format!("{}{letter}{}", count(before), count(behind))
    };
    let mut rows = vec!["9".to_owned(); 9];
    rows[0] = row('k', kings);
    rows[8] = row('K', kings);
    rows[rank - 1] = row(letter, file);
    format!("{} {turn} - 1", rows.join("/"))
}
