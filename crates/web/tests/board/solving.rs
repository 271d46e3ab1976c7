//! A mate problem solved by hand: checks only, the defender answers, right and wrong are said.

use crate::browser::Browser;
use crate::server;
use serde_json::json;

fn opened() -> (tesuji_web::WebServer, Browser) {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(&format!("{}#solve", server.url()));
    (server, page)
}

fn load(page: &mut Browser, sfen: &str) {
    page.request(&json!({ "solve": { "type": "load", "record": { "text": sfen } } }));
    page.wait(&format!(
        "tesuji.messages.solve.position.sfen === {}",
        json!(sfen)
    ));
}

#[test]
fn the_defender_answers_and_right_and_wrong_are_said() {
    let (_server, mut page) = opened();
    // Mate in three; the other checks let the king escape.
    load(
        &mut page,
        "7nl/5k3/6ppp/5S3/9/9/9/9/9 b GS2r2b3g2s3n3l15p 1",
    );
    // A move that is no check is refused with a word.
    page.click_move("S*9i");
    page.wait("document.querySelector('.toast')?.textContent.includes('no check')");
    assert_eq!(page.run("tesuji.games.solve.nodes.length"), 1);

    // Every check is looked at, and the defender answers by itself.
    let solve = "(() => { const a = tesuji.messages.solve.attempt?.verdict; return a && a !== 'checking' ? a : null; })()";
    let checks = ["G*4c", "S*4c", "G*5b", "S*5c", "G*3b", "S*3c"];
    let (mut right, mut wrong) = (None, None);
    for check in checks {
        page.request(&json!({ "solve": { "type": "go-to", "node": 0 } }));
        page.wait("tesuji.games.solve.at === 0 && tesuji.messages.solve.attempt === null");
        if page.run(&format!(
            "tesuji.messages.solve.position.moves.includes('{check}')"
        )) != true
        {
            continue;
        }
        let toasts = page.run("document.querySelectorAll('.toast').length");
        page.request(&json!({ "solve": { "type": "move", "move": check } }));
        page.wait(&format!(
            "{solve} || document.querySelectorAll('.toast').length > {toasts}"
        ));
        let verdict = page.run(solve);
        match verdict.as_str() {
            Some("right") => right = Some(check),
            Some("wrong") => wrong = Some(check),
            _ => continue,
        }
        assert_eq!(
            page.run("tesuji.messages.solve.position.turn"),
            "b",
            "the defender has answered {check}"
        );
        assert_eq!(
            page.run("tesuji.games.solve.path(tesuji.games.solve.at).length"),
            3
        );
        let said = page.run("document.querySelector('.attempt').textContent");
        let word = if verdict == "right" { "Right" } else { "Wrong" };
        assert!(
            said.as_str().is_some_and(|said| said.contains(word)),
            "{said}"
        );
    }
    assert!(right.is_some() && wrong.is_some(), "{right:?} {wrong:?}");
    page.picture("solving");
    page.finish();
}

#[test]
fn a_mate_is_praised_and_problems_of_white_are_turned() {
    let (_server, mut page) = opened();
    page.click_move("G*5b");
    page.wait("tesuji.messages.solve.attempt?.verdict === 'solved'");
    page.wait("document.querySelector('.attempt').textContent.includes('solved it')");
    // White mates: the board is seen from White's side, in the same page.
    load(&mut page, "9/9/9/9/9/9/4p4/9/4K4 w 2R2B3G3S4N4L17Pgs 1");
    page.wait("tesuji.tab.board.orientation.flipped");
    load(&mut page, "4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1");
    page.wait("!tesuji.tab.board.orientation.flipped");
    page.finish();
}
