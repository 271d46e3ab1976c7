//! Analysis, mate problems and the course in a real browser, with reloads in the middle of each.

use crate::browser::Browser;
use crate::server;
use serde_json::json;

const KIF: &str = "手合割：平手
先手：先手の人
後手：後手の人
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:01/00:00:01)
*角道を開ける
   3 ２六歩(27)   ( 0:01/00:00:02)
   4 ８八角成(22) ( 0:01/00:00:02)
   5 同　銀(79)   ( 0:01/00:00:03)
   6 ４二銀(31)   ( 0:01/00:00:03)
   7 ９六歩(97)   ( 0:01/00:00:04)
   8 ８四歩(83)   ( 0:01/00:00:04)
   9 投了
変化：3手
   3 ６六歩(67)
   4 ８四歩(83)
";

fn opened(url: &str, tab: &str) -> Browser {
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{url}#{tab}"));
    page
}

/// Reads a record with the dialog, as people do it.
fn paste(page: &mut Browser, button: &str, text: &str) {
    page.click(button);
    page.write("#record", text);
    page.click("#read");
}

#[test]
fn a_pasted_record_is_analysed_with_a_graph_of_its_length() {
    let server = server(None);
    let mut page = opened(server.url(), "analyse");
    paste(&mut page, "#open", KIF);
    page.wait("tesuji.games.analyse.nodes.length === 12");
    assert_eq!(page.moves("analyse"), 8);
    page.wait("document.querySelectorAll('.variation .move').length === 2");

    // The whole game is analysed; a reload in the middle changes nothing.
    page.write("#each", "100");
    page.click("#analyse-game");
    page.wait("tesuji.messages.analyse.gameAnalysis?.done > 1");
    page.reload();
    page.wait("tesuji.messages.analyse?.gameAnalysis === null && Number(document.querySelector('.graph').dataset.points) === 9");
    page.picture("analysed");

    // A click on the graph goes there.
    page.run("document.querySelector('.graph').scrollIntoView({ block: 'nearest' })");
    let (x, y) = page.middle(".graph");
    page.click_at(x, y);
    // The scale takes some room at the left.
    page.wait("tesuji.games.analyse.at >= 3 && tesuji.games.analyse.at <= 5");
    page.key(",");
    page.key(",");
    page.wait("tesuji.games.analyse.at <= 3");
    page.click("[data-text=last]");
    page.wait("tesuji.games.analyse.nodes[tesuji.games.analyse.at].end");
    page.click("[data-text=first]");
    page.wait("tesuji.games.analyse.at === 0");

    // Moves on the board grow the tree; a variation can be promoted and removed.
    page.click_move("5g5f");
    page.wait("tesuji.games.analyse.nodes.length === 13");
    page.click("[data-text=promoteLine]");
    page.wait("tesuji.games.analyse.mainLine().length === 2");
    page.click("[data-text=removeLine]");
    page.click("#confirm");
    page.wait("tesuji.games.analyse.nodes.length === 12 && tesuji.games.analyse.at === 0");

    // Saved in every format, what was read comes out again.
    for (format, word) in [
        ("kif", "７六歩(77)"),
        ("ki2", "▲７六歩"),
        ("csa", "+7776FU"),
        ("csa3", "+7776FU"),
        ("jkf", "\"moves\""),
        ("usi", "7g7f"),
    ] {
        page.click("[data-text=save]");
        page.write("#format", format);
        page.wait(&format!(
            "document.querySelector('#written').value.includes({})",
            json!(word)
        ));
        page.click("dialog header button");
        page.wait("!document.querySelector('dialog')");
    }

    // The link holds the game, and opens in a page that knows nothing else.
    page.click("[data-text=share]");
    page.wait("document.querySelector('#link')");
    let link = page.run("document.querySelector('#link').value");
    let link = link.as_str().unwrap().to_owned();
    page.run("localStorage.clear()");
    page.ask("Page.navigate", json!({ "url": "about:blank" }));
    page.open(&link);
    page.wait("tesuji.games.analyse.nodes.length === 11"); // the ending stays at home
    assert_eq!(
        page.run("tesuji.games.analyse.nodes.filter((node) => node.comment).length"),
        1
    );
    page.finish();
}

#[test]
fn the_engine_shows_lines_and_arrows_and_follows() {
    let server = server(None);
    let mut page = opened(server.url(), "analyse");
    page.write("#lines", "2");
    page.click("#engine");
    page.wait("tesuji.tab.live?.lines.length === 2 && document.querySelectorAll('.lines li').length === 2");
    page.wait("document.querySelectorAll('.arrows .arrow').length >= 1");
    page.click_move("7g7f");
    page.wait("tesuji.tab.live?.node === 1 && tesuji.tab.live.lines.length === 2");
    page.reload();
    page.wait("tesuji.tab.live?.node === 1 && tesuji.messages.analyse.thinking");
    // A move of a line is clicked: the tree follows it.
    page.wait("document.querySelector('.lines li .pvmove')");
    page.click(".lines li .pvmove");
    page.wait("tesuji.games.analyse.at === 2 && tesuji.tab.live?.node === 2");
    // A second tab of the browser shows the same session.
    let first = page.session();
    page.attach();
    page.open(&format!("{}#analyse", server.url()));
    page.wait("tesuji.games.analyse.at === 2");
    page.request(&json!({ "analyse": { "type": "go-to", "node": 0 } }));
    let second = page.session();
    page.turn_to(&first);
    page.wait("tesuji.games.analyse.at === 0");
    page.turn_to(&second);
    page.request(&json!({ "analyse": { "type": "set-engine", "on": false, "lines": 2 } }));
    page.wait("tesuji.messages.analyse.thinking === false");
    page.finish();
}

#[test]
fn the_editor_makes_positions_and_the_server_checks_them() {
    let server = server(None);
    let mut page = opened(server.url(), "analyse");
    page.click("[data-text=edit]");
    page.wait("document.querySelector('.palette')");
    page.picture("editor");
    // A text that is no position stays as it is, for the server to say why.
    page.write("#sfen", "nonsense");
    assert_eq!(
        page.run("document.querySelector('#sfen').value"),
        "nonsense"
    );
    page.write("#sfen", "4k4/9/9/9/9/9/9/9/4K4 b RP 1");
    page.click("#use");
    page.wait("tesuji.messages.analyse.position.sfen.startsWith('4k4/9/9')");
    page.request(
        &json!({ "analyse": { "type": "set-position", "sfen": "4k4/4P4/9/9/9/9/9/9/4K4 b - 1" } }),
    );
    page.wait("document.querySelector('.toast')?.textContent.includes('could take the king')");
    assert!(page.sfen().starts_with("4k4/9/9"), "what was there stays");
    // Play from here.
    page.click(".toolbar .menu summary");
    page.click("[data-text=playFromHere]");
    page.write("#mode", "people");
    page.click("#begin");
    page.wait(
        "tesuji.tabName === 'play' && tesuji.messages.play.position.sfen.startsWith('4k4/9/9')",
    );
    page.finish();
}

#[test]
fn a_problem_is_solved_and_every_defence_shown() {
    let server = server(None);
    let mut page = opened(server.url(), "solve");
    // Mate in three, with two defences to the first check.
    let problem = "7nl/5k3/6ppp/5S3/9/9/9/9/9 b GS2r2b3g2s3n3l15p 1";
    paste(&mut page, "#load-problem", problem);
    page.wait("tesuji.messages.solve.position.sfen.startsWith('7nl')");
    page.reload();
    page.click("#solve");
    page.wait("tesuji.messages.solve?.result && !tesuji.messages.solve.solving");
    let result = page.run("tesuji.messages.solve.result");
    assert_eq!(result["found"], "mate");
    assert_eq!(
        (&result["plies"], &result["shortest"]),
        (&json!(3), &json!(true))
    );

    // Through the line, and at the defender's turn every defence with its mate.
    page.click("[data-text=next]");
    page.wait("tesuji.games.solve.at === 1");
    assert_eq!(page.run("tesuji.games.solve.nodes[1].children.length"), 1);
    page.click("#defences");
    page.wait("tesuji.games.solve.nodes[1].children.length > 1 && !tesuji.messages.solve.solving");
    let legal = page.run("tesuji.messages.solve.position.moves.length");
    assert_eq!(
        page.run("tesuji.games.solve.nodes[1].children.length"),
        legal
    );
    let mates =
        "tesuji.games.solve.nodes[1].children.every((id) => tesuji.games.solve.nodes[id].mate > 0)";
    assert_eq!(page.run(mates), true, "there is a mate after each");
    page.picture("defences");
    page.click("[data-text=last]");
    page.wait("tesuji.messages.solve.position.moves.length === 0");
    page.reload();
    assert_eq!(page.run("tesuji.messages.solve.position.moves.length"), 0);

    let easy = "4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1";
    paste(&mut page, "#load-problem", easy);
    page.wait("tesuji.messages.solve.position.sfen.startsWith('4k4/9/4P4')");
    page.click("#solve");
    page.wait("tesuji.messages.solve.result?.found === 'mate'");
    assert_eq!(page.run("tesuji.messages.solve.result.plies"), 1);
    page.wait("document.querySelector('.result').textContent.includes('Mate in 1')");

    // No mate is an answer too.
    paste(
        &mut page,
        "#load-problem",
        "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
    );
    page.wait("tesuji.messages.solve.position.sfen.startsWith('4k4/9/9/9')");
    page.click("#solve");
    page.wait("tesuji.messages.solve.result?.found === 'no-mate'");
    page.finish();
}

#[test]
fn the_course_unfolds_and_explains_its_cuts() {
    let server = server(None);
    let mut page = opened(server.url(), "learn");
    // It opens at the first step: the root alone.
    page.wait("document.querySelectorAll('.node').length === 1 && tesuji.tab.step === 1");
    page.click("[data-text=last]");
    page.wait("document.querySelectorAll('.nodes > .node').length === 29");
    page.click("[data-rung=alpha-beta]");
    page.wait("tesuji.tab.lesson.rung === 'alpha-beta' && tesuji.tab.step === 1");
    page.reload();
    page.wait("tesuji.tab.lesson?.rung === 'alpha-beta'");
    page.click("[data-text=last]");
    page.wait("document.querySelector('.cutmark')");
    let windows = page.run("document.querySelectorAll('.node .window').length");
    assert!(
        windows.as_u64().unwrap() >= 8,
        "alpha and beta stand at every inner node"
    );
    // Step by step: the tree begins with the root alone.
    page.click("[data-text=first]");
    page.wait("document.querySelectorAll('.node').length <= 1");
    for count in 1..4 {
        page.click("[data-text=forward]");
        page.wait(&format!("tesuji.tab.step === {count}"));
    }
    let cut = page.run("tesuji.tab.events.findIndex((event) => event.kind === 'cut') + 1");
    page.run(&format!("tesuji.tab.to({cut})"));
    page.wait("document.querySelector('.stage .explanation').textContent.includes('≤')");
    page.picture("cut");
    // A tree of one's own, and one that is none.
    page.write("#tree", "[[3 12 8] [2 4 6] [14 5 2]]");
    page.wait("tesuji.tab.lesson.value === '3'");
    page.write("#tree", "[[3");
    page.wait("document.querySelector('.toast')?.textContent.includes('bracket')");
    page.write("#kind", "real");
    page.wait("tesuji.tab.lesson.sfen");
    page.click("[data-text=last]");
    page.wait("document.querySelectorAll('.node').length > 1");
    page.picture("real");
    page.finish();
}
