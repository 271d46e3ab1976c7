//! Things that go wrong while a page is open: bad records, a server that ends, an engine that
//! cannot start.

use crate::browser::Browser;
use crate::user::{engine, person};
use serde_json::{Value as Json, json};
use tesuji_web::{WebServer, WebServerOptions};

fn toast(page: &mut Browser, words: &str) {
    page.wait(&format!(
        "[...document.querySelectorAll('.toast')].some((toast) => toast.textContent.includes({}))",
        json!(words)
    ));
}

#[test]
fn bad_records_are_told_and_nothing_is_lost() {
    let server = crate::server(None);
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    page.click_move("7g7f");
    page.wait("tesuji.games.analyse.nodes.length === 2");
    for (text, words) in [
        ("", "nothing to read"),
        ("   1 ９九玉(11)\n", "Line 1"),
        ("lnsgkgsnl/9/9 b - 1", "ranks"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 40P 1", "40"),
        ("I played a nice game.", "neither a record nor a position"),
        ("https://example.org/game/17", "address"),
    ] {
        page.click("#open");
        page.write("#record", text);
        page.click("#read");
        toast(&mut page, words);
    }
    // Pasted onto the page, and larger than the server takes: the page says so itself.
    page.run(
        "tesuji.request({ analyse: { type: 'load', record: { text: 'x'.repeat(3_000_000) } } })",
    );
    toast(&mut page, "too large");
    page.run("for (const toast of document.querySelectorAll('.toast')) toast.remove()");
    // Japanese takes more bytes than letters.
    page.run("tesuji.loadStudy({ text: '将棋'.repeat(400_000) })");
    toast(&mut page, "too large");
    assert_eq!(page.run("tesuji.games.analyse.nodes.length"), 2);
    page.request(&json!({ "analyse": { "type": "move", "move": "3c3d" } }));
    page.wait("tesuji.games.analyse.nodes.length === 3");
    // In Japanese too.
    page.run("localStorage.setItem('settings', '{\"language\":\"ja\"}')");
    page.reload();
    page.request(
        &json!({ "analyse": { "type": "load", "record": { "text": "   1 ５五角(88)\n" } } }),
    );
    toast(&mut page, "1 行目が読めません");
    page.finish();
}

#[test]
fn broken_records_and_many_games_are_read_as_far_as_they_go() {
    let server = crate::server(None);
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    let load = |page: &mut Browser, text: &str| {
        page.run(&format!("tesuji.loadStudy({{ text: {} }})", json!(text)));
    };
    // Up to the fault, with its text as it stands there.
    load(
        &mut page,
        "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 同　謎(88)\n   4 投了\n",
    );
    page.wait("tesuji.games.analyse.nodes.length === 3");
    toast(&mut page, "同　謎");
    toast(&mut page, "The 2 moves before it are shown");
    // A line of a list of problems.
    load(&mut page, "4k4/9/4P4/9/9/9/9/9/9 b G 1\tid=7\texpect=mate");
    page.wait("tesuji.messages.analyse.position.sfen.startsWith('4k4/9/4P4')");
    // Two games: both can be chosen.
    load(
        &mut page,
        "N+A\nN-B\nPI\n+\n+7776FU\n/\nN+C\nN-D\nPI\n+\n+2726FU\n-8384FU\n",
    );
    page.wait("document.querySelectorAll('.several li').length === 2");
    page.picture("several");
    page.click(".several [data-game='1']");
    page.wait("tesuji.games.analyse.nodes.length === 3 && tesuji.games.analyse.players[0] === 'C'");
    page.finish();
}

#[test]
fn a_server_that_ends_is_told_and_its_games_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = |port| {
        WebServer::start(WebServerOptions {
            port,
            folder: Some(folder.path().into()),
            hash: 16,
            ..WebServerOptions::default()
        })
    };
    let server = start(0).expect("a free port");
    let port: u16 = server
        .url()
        .trim_end_matches('/')
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok())
        .expect("a port");
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(server.url());
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.click_move("7g7f");
    page.wait("tesuji.games.play.nodes.length === 2");
    let kept = || {
        let files = std::fs::read_dir(folder.path())
            .into_iter()
            .flatten()
            .flatten();
        files
            .filter_map(|file| std::fs::read_to_string(file.path()).ok())
            .any(|text| text.contains("7g7f"))
    };
    while !kept() {
        std::thread::yield_now();
    }
    drop(server);
    page.wait("!document.querySelector('.banner').hidden");
    page.picture("lost");
    // The same port again: the page finds it by itself, and a move made meanwhile is not lost.
    page.click_move("3c3d");
    let _server = start(port).expect("the same port");
    page.wait("document.querySelector('.banner').hidden && tesuji.games.play.nodes.length === 3");
    let last = page.run("tesuji.messages.play.position.last");
    assert_eq!(last, "3c3d");
}

#[test]
fn an_engine_that_cannot_start_says_why_and_the_board_works() {
    let server = WebServer::start(WebServerOptions {
        port: 0,
        eval: "nnue:/nowhere/nn.bin".parse().expect("a name"),
        ..WebServerOptions::default()
    })
    .expect("a free port");
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(server.url());
    page.begin(&person(), &engine(0), "startpos", &Json::Null);
    page.click_move("7g7f");
    toast(&mut page, "engine cannot start");
    page.wait("tesuji.messages.play.paused");
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.click_move("7g7f");
    page.wait("tesuji.games.play.nodes.length === 2");
    page.finish();
}

#[test]
fn a_page_of_another_site_in_the_same_browser_gets_nothing() {
    let server = crate::server(None);
    let host = server
        .url()
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .to_owned();
    let mut page = Browser::start();
    page.prefer("en");
    page.open(server.url());
    let session = page.run("localStorage.getItem('session')");
    page.begin(&person(), &person(), "startpos", &Json::Null);
    // Another page in the same browser, which even knows the name of the session.
    let own = page.session();
    page.attach();
    let tried = page.run(&format!(
        "new Promise((done) => {{ const socket = new WebSocket('ws://{host}/socket'); \
         socket.onopen = () => {{ socket.send(JSON.stringify({{ session: {session}, tab: 'play' }})); \
         socket.send(JSON.stringify({{ play: {{ type: 'move', move: '7g7f' }} }})); done('open'); }}; \
         socket.onerror = () => done('refused'); }})"
    ));
    assert_eq!(tried, "refused");
    let read = page.run(&format!(
        "fetch('http://{host}/', {{ mode: 'cors' }}).then(() => 'read', () => 'refused')"
    ));
    assert_eq!(read, "refused");
    page.turn_to(&own);
    assert_eq!(page.run("tesuji.games.play.nodes.length"), 1);
    page.click_move("7g7f");
    page.wait("tesuji.games.play.nodes.length === 2");
}
