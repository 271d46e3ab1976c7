//! Training in a real browser: problems checked move by move, hints, streaks, sets of one's own, proofs.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

use crate::browser::Browser;
use crate::server;

fn opened(url: &str) -> Browser {
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{url}#train"));
    page.wait("tesuji.tab.problem && document.querySelectorAll('.set').length >= 9");
    page
}

/// Opens a set and waits for its problem.
fn choose(page: &mut Browser, set: &str) {
    page.click(&format!("[data-set='{set}']"));
    page.wait(&format!("tesuji.tab.problem.set === '{set}'"));
}

/// Plays the solution of the problem that is shown, by clicks.
fn solve(page: &mut Browser) {
    while page.run("tesuji.tab.isOver") != true {
        let before = page
            .run("tesuji.tab.line.length")
            .as_u64()
            .expect("a number");
        page.run("tesuji.request({ train: { type: 'hint', ...tesuji.tab.place() } }); tesuji.tab.showHint = (_, mv) => { window.answer = mv.move; }");
        page.wait("window.answer");
        let mv = page
            .run("window.answer")
            .as_str()
            .expect("a move")
            .to_owned();
        page.run("window.answer = null");
        page.click_move(&mv);
        page.wait(&format!(
            "tesuji.tab.isOver || tesuji.tab.line.length > {before}"
        ));
    }
}

#[test]
fn a_problem_is_solved_move_by_move_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(Some(folder.path()));
    let mut page = opened(server.url());
    choose(&mut page, "m3");
    page.picture("train");
    let first = page.run("tesuji.tab.problem.number");
    solve(&mut page);
    page.wait("document.querySelector('.result').classList.contains('good')");
    page.picture("train-solved");
    page.wait("tesuji.tab.sets.querySelector('[data-set=m3] .note').textContent.startsWith('1 /')");
    assert_eq!(
        page.run("document.querySelector('dl.progress dd').textContent"),
        "1"
    );
    // The next one that is not solved, by key; and what was solved survives a new server.
    page.key("n");
    page.wait(&format!("tesuji.tab.problem.number > {first}"));
    choose(&mut page, "m1");
    solve(&mut page);
    page.wait("document.querySelector('dl.progress dd').textContent === '2'");
    page.ask("Page.navigate", serde_json::json!({ "url": "about:blank" }));
    drop(server);
    let server = crate::server(Some(folder.path()));
    page.open(&format!("{}#train", server.url()));
    page.wait("document.querySelector('dl.progress dd')?.textContent === '2'");
    page.finish();
}

#[test]
fn wrong_moves_are_told_hints_help_and_a_brinkmate_is_found() {
    let server = server(None);
    let mut page = opened(server.url());
    // A problem of one's own, pasted: gold before the king.
    page.click("#add-set");
    page.wait("document.querySelector('#set-text')");
    page.write("#set-name", "Mine");
    page.write("#set-text", "4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1\tlen=1\n7nl/5k3/6ppp/5S3/9/9/9/9/9 b GS2r2b3g2s3n3l15p 1\n");
    page.click("#set-add");
    page.wait("tesuji.tab.problem.set === 'u:Mine' && tesuji.tab.problem.total === 2");
    page.click_move("S*6b");
    page.wait("document.querySelector('.result').textContent.includes('escapes')");
    page.click_move("G*5i");
    page.wait("document.querySelector('.result').textContent.includes('no check')");
    page.click("#train-hint");
    page.wait("tesuji.tab.board.selected === 'G*'");
    page.key("h");
    page.wait("document.querySelector('.result').textContent.includes('G*5b') && document.querySelector('circle.hint')");
    page.click_move("G*5b");
    page.wait("document.querySelector('.result').textContent.includes('Solved')");
    assert_eq!(
        page.run("document.querySelector('dl.progress dd').textContent"),
        "0",
        "no streak with a hint"
    );

    // The proof: every defence of the mate in three can be opened.
    page.key("n");
    page.wait("tesuji.tab.problem.number === 1");
    page.click("#train-explore");
    page.wait("document.querySelector('.proof details')");
    page.click(".proof summary");
    page.wait("document.querySelectorAll('.proof .behind > *').length >= 2");
    page.picture("proof");
    page.click("#train-solution");
    page.wait("tesuji.tab.line.length === 3");

    // The set goes and comes back.
    page.click("#remove-set");
    page.wait("!document.querySelector('[data-set=\"u:Mine\"]')");
    page.click("#undo");
    page.wait("document.querySelector('[data-set=\"u:Mine\"]')");

    choose(&mut page, "b");
    page.wait("tesuji.tab.problem.kind === 'brinkmate'");
    solve(&mut page);
    page.wait("document.querySelector('.result').textContent.includes('mate follows')");
    page.finish();
}

#[test]
fn training_on_a_phone_in_japanese() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(390, 844, true);
    page.prefer("ja");
    page.open(&format!("{}#train", server.url()));
    page.wait("tesuji.tab.problem");
    assert_eq!(
        page.run("document.documentElement.scrollWidth <= innerWidth"),
        true
    );
    page.picture("train-phone");
    page.finish();
}
