//! The server from outside: who may use it, what can be read, what malformed requests do.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

use serde_json::{Value as Json, json};
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, TcpStream};
use std::time::Duration;
use tesuji_web::{WebServer, WebServerError, WebServerOptions};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A server on any free port that keeps games in a folder, or nowhere.
fn server(folder: Option<&std::path::Path>) -> WebServer {
    WebServer::start(WebServerOptions {
        port: 0,
        folder: folder.map(Into::into),
        hash: 16,
        ..WebServerOptions::default()
    })
    .unwrap()
}

fn address(server: &WebServer) -> String {
    let url = server.url().strip_prefix("http://").unwrap();
    url.split('/').next().unwrap().to_owned()
}

/// What the server answers to a request written by hand.
fn ask(server: &WebServer, request: &str) -> String {
    let mut stream = TcpStream::connect(address(server)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn fetch(server: &WebServer, path: &str, headers: &str) -> String {
    let host = address(server);
    ask(
        server,
        &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"),
    )
}

fn connect(
    server: &WebServer,
    origin: Option<&str>,
    host: &str,
) -> Result<WebSocket<TcpStream>, u16> {
    let address = address(server);
    let mut request = format!("ws://{address}/socket")
        .into_client_request()
        .unwrap();
    let headers = request.headers_mut();
    headers.insert("Host", host.parse().unwrap());
    if let Some(origin) = origin {
        headers.insert("Origin", origin.parse().unwrap());
    }
    let stream = TcpStream::connect(address).unwrap();
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
            Err(answer.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

/// A socket of a page of ours that shows the analysis tab of a session.
fn in_session(server: &WebServer, session: &str) -> WebSocket<TcpStream> {
    let host = address(server);
    let mut socket = connect(server, Some(&format!("http://{host}")), &host).unwrap();
    send(
        &mut socket,
        &json!({ "session": session, "tab": "analyse" }),
    );
    socket
}

fn send(socket: &mut WebSocket<TcpStream>, request: &Json) {
    socket.send(Message::text(request.to_string())).unwrap();
}

/// The next message of a type.
fn receive(socket: &mut WebSocket<TcpStream>, kind: &str) -> Json {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let message: Json = serde_json::from_str(&text).unwrap();
            if message["type"] == kind {
                return message;
            }
        }
    }
}

#[test]
fn no_page_of_another_site_gets_in() {
    let server = server(None);
    let host = address(&server);
    let own = format!("http://{host}");
    let mut page = in_session(&server, "mine");
    let before = receive(&mut page, "analyse");
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://localhost",
    ] {
        assert_eq!(
            connect(&server, Some(origin), &host).err(),
            Some(403),
            "{origin}"
        );
        let answer = fetch(&server, "/", &format!("Origin: {origin}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403"), "{origin}");
    }
    assert_eq!(
        connect(&server, None, &host).err(),
        Some(403),
        "a socket must say whence"
    );
    // A name of another site that leads to this machine.
    assert_eq!(
        connect(&server, Some("http://evil.example"), "evil.example").err(),
        Some(403)
    );
    assert_eq!(
        connect(&server, Some(&own), "evil.example").err(),
        Some(403)
    );
    let rebound = ask(
        &server,
        "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    assert!(rebound.starts_with("HTTP/1.1 403"));
    // Only GET is answered: no HTTP request changes anything.
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let request = format!("{method} / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert!(
            ask(&server, &request).starts_with("HTTP/1.1 405"),
            "{method}"
        );
    }
    send(&mut page, &json!({ "show": "analyse" }));
    let after = receive(&mut page, "analyse");
    assert_eq!(before["position"], after["position"]);
}

#[test]
fn nothing_on_the_disk_can_be_read() {
    let server = server(None);
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/main.js/..",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/style.css%00",
        "/page/main.js",
        "/socket/../main.js",
        "/.git/config",
    ] {
        let answer = fetch(&server, path, "");
        assert!(
            answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400"),
            "{path}: {answer}"
        );
        assert!(!answer.contains("root:"), "{path}");
    }
    let page = fetch(&server, "/", "");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("default-src 'self'"));
    assert!(page.contains("main.js") && !page.contains("https://"));
    let script = fetch(&server, "/main.js", "");
    assert!(script.contains("text/javascript"));
}

#[test]
fn another_host_needs_a_token_and_says_why() {
    let open = |host: [u8; 4], token: Option<&str>| {
        WebServer::start(WebServerOptions {
            host: IpAddr::from(host),
            port: 0,
            token: token.map(str::to_owned),
            ..WebServerOptions::default()
        })
    };
    let error = open([0, 0, 0, 0], None).err().unwrap();
    assert!(matches!(error, WebServerError::NeedsToken(_)));
    assert!(error.to_string().contains("other machines") && error.to_string().contains("--token"));
    assert!(matches!(
        open([0, 0, 0, 0], Some("short")).err(),
        Some(WebServerError::BadToken)
    ));
    let server = open([0, 0, 0, 0], Some("0123456789abcdefXY")).unwrap();
    assert!(fetch(&server, "/", "").starts_with("HTTP/1.1 403"));
    assert!(fetch(&server, "/?token=wrong", "").starts_with("HTTP/1.1 403"));
    let host = address(&server);
    assert_eq!(
        connect(&server, Some(&format!("http://{host}")), &host).err(),
        Some(403)
    );
    let answer = fetch(&server, "/?token=0123456789abcdefXY", "");
    assert!(answer.starts_with("HTTP/1.1 303") && answer.contains("HttpOnly"));
    let cookie = "Cookie: tesuji-token=0123456789abcdefXY\r\n";
    assert!(fetch(&server, "/", cookie).starts_with("HTTP/1.1 200"));
    let foreign = format!("{cookie}Origin: http://evil.example\r\n");
    assert!(fetch(&server, "/", &foreign).starts_with("HTTP/1.1 403"));
}

#[test]
fn a_malformed_request_is_answered_and_changes_nothing() {
    let server = server(None);
    let mut page = in_session(&server, "nonsense");
    receive(&mut page, "analyse");
    send(
        &mut page,
        &json!({ "analyse": { "type": "move", "move": "7g7f" } }),
    );
    receive(&mut page, "analyse");
    for request in [
        json!({}),
        json!([1, 2, 3]),
        json!("hello"),
        json!({ "type": "format-disk" }),
        json!({ "analyse": { "type": "format-disk" } }),
        json!({ "analyse": { "type": "take-back" } }),
        json!({ "analyse": {} }),
        json!({ "analyse": { "type": "load-played-game" }, "play": { "type": "hint" } }),
        json!({ "analyse": { "type": "set-position", "sfen": "startpos", "node": 1 } }),
        json!({ "session": "nonsense", "tab": "play" }),
        json!({ "show": "study" }),
        json!({ "study-game": null }),
        json!({ "load-played-game": {} }),
        json!({ "analyse": { "type": "move", "move": "7f7d" } }),
        json!({ "analyse": { "type": "move", "move": "💥" } }),
        json!({ "analyse": { "type": "go-to", "node": 4_000_000 } }),
        json!({ "analyse": { "type": "go-to", "node": -1 } }),
        json!({ "analyse": { "type": "set-position", "sfen": "999999999999999999999/9/9" } }),
        json!({ "analyse": { "type": "set-position", "sfen": "4k4/9/9/9/9/9/9/9/4K4 b 99P 1" } }),
        json!({ "analyse": { "type": "load", "record": { "text": "   1 ９九玉(11)\n" } } }),
        json!({ "analyse": { "type": "load", "record": { "file": { "name": "x.csa", "bytes": "AAAA" } } } }),
        json!({ "analyse": { "type": "load", "record": { "text": "[".repeat(100_000) } } }),
        json!({ "solve": { "type": "load", "record": { "text": "4k4/9/9/9/9/9/9/9/4K4 w - 1 x" } } }),
        json!({ "solve": { "type": "load", "record": { "text": "9/9/9/9/9/9/9/9/4K4 b - 1" } } }),
        json!({ "play": { "type": "move", "move": "2h2z" } }),
        json!({ "play": { "type": "new-game", "black": { "who": "ghost" },
                "white": { "who": "person" }, "start": { "handicap": 0 }, "pace": 0 } }),
        json!({ "play": { "type": "new-game", "black": { "who": "person" },
                "white": { "who": "person" }, "start": { "handicap": 0 }, "pace": 0,
                "clock": { "main": u64::MAX } } }),
        json!({ "learn": { "type": "lesson", "rung": "minimax", "guess": 0,
                "root": { "tree": "[".repeat(50_000) } } }),
        json!({ "save": { "tab": "analyse", "format": "exe", "encoding": "UTF-8" } }),
        json!({ "save": { "tab": "learn", "format": "kif", "encoding": "UTF-8" } }),
    ] {
        send(&mut page, &request);
        let error = receive(&mut page, "error");
        let is_said = |language: &str| !error[language].as_str().unwrap().is_empty();
        assert!(is_said("en") && is_said("ja"), "{request}");
    }
    send(&mut page, &json!({ "show": "analyse" }));
    let message = receive(&mut page, "analyse");
    assert_eq!(message["position"]["last"], "7g7f", "the game is as it was");
}

#[test]
fn too_large_a_message_and_a_rude_one_end_only_their_own_socket() {
    let server = server(None);
    let mut good = in_session(&server, "large");
    receive(&mut good, "analyse");
    send(
        &mut good,
        &json!({ "analyse": { "type": "move", "move": "7g7f" } }),
    );
    receive(&mut good, "analyse");
    let mut bad = in_session(&server, "large");
    let _ = bad.send(Message::text("x".repeat(5 << 20)));
    let mut is_closed = false;
    for _ in 0..100 {
        match bad.read() {
            Ok(Message::Close(_)) | Err(_) => {
                is_closed = true;
                break;
            }
            Ok(_) => {}
        }
    }
    assert!(is_closed);
    // A page whose first message names no session is disconnected.
    let host = address(&server);
    let own = format!("http://{host}");
    for first in ["{}", "nonsense", r#"{"session":"../../etc","tab":"play"}"#] {
        let mut rude = connect(&server, Some(&own), &host).unwrap();
        rude.send(Message::text(first)).unwrap();
        assert!(
            matches!(rude.read(), Ok(Message::Close(_)) | Err(_)),
            "{first}"
        );
    }
    send(&mut good, &json!({ "show": "analyse" }));
    assert_eq!(receive(&mut good, "analyse")["position"]["last"], "7g7f");
}

#[test]
fn a_third_endless_search_is_refused() {
    let server = server(None);
    let think = json!({ "analyse": { "type": "set-engine", "on": true, "lines": 1 } });
    let mut pages: Vec<_> = ["one", "two"]
        .iter()
        .map(|name| in_session(&server, name))
        .collect();
    for page in &mut pages {
        send(page, &think);
        // Until it says something it might still wait for a seat.
        loop {
            let live = receive(page, "live");
            if !live["lines"].as_array().unwrap().is_empty() {
                break;
            }
        }
    }
    let mut third = in_session(&server, "three");
    send(&mut third, &think);
    let error = receive(&mut third, "error");
    assert!(
        error["en"].as_str().unwrap().contains("Two searches"),
        "{error}"
    );
}

#[test]
fn games_are_kept_from_one_start_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    {
        let server = server(Some(folder.path()));
        let mut page = in_session(&server, "kept");
        receive(&mut page, "analyse");
        send(
            &mut page,
            &json!({ "analyse": { "type": "move", "move": "7g7f" } }),
        );
        send(
            &mut page,
            &json!({ "analyse": { "type": "comment", "node": 1, "text": "角道" } }),
        );
        let path = folder.path().join("kept.json");
        // Saved in the background, at once or a little later.
        while !std::fs::read_to_string(&path).is_ok_and(|text| text.contains("角道")) {
            std::thread::yield_now();
        }
    }
    let server = server(Some(folder.path()));
    let mut page = in_session(&server, "kept");
    let message = receive(&mut page, "analyse");
    assert_eq!(message["position"]["last"], "7g7f");
    assert_eq!(message["game"]["nodes"][1]["comment"], "角道");
}

/// Reads until the server closes, and fails if it does not.
fn wait_for_end(stream: &mut TcpStream) {
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer) {
        let is_waiting = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        assert!(!is_waiting, "the server still waits");
    }
}

#[test]
fn who_says_nothing_is_disconnected() {
    let server = WebServer::start(WebServerOptions {
        port: 0,
        hash: 16,
        patience: Duration::from_secs(1),
        ..WebServerOptions::default()
    })
    .unwrap();
    let host = address(&server);
    // More silent connections than there is room for: the last of them is served nevertheless.
    let mut silent: Vec<_> = (0..300)
        .map(|_| TcpStream::connect(&host).unwrap())
        .collect();
    assert!(fetch(&server, "/", "").starts_with("HTTP/1.1 200"));
    silent.iter_mut().for_each(wait_for_end);
    // Half a request, and a second one that never comes.
    for begun in [
        "GET / HTTP/1.1\r\nHost: ",
        &format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"),
    ] {
        let mut slow = TcpStream::connect(&host).unwrap();
        slow.write_all(begun.as_bytes()).unwrap();
        wait_for_end(&mut slow);
    }
    // A socket without a first message, and a page that answers no ping.
    let own = format!("http://{host}");
    wait_for_end(connect(&server, Some(&own), &host).unwrap().get_mut());
    wait_for_end(in_session(&server, "deaf").get_mut());
    // One that answers stays.
    let mut page = in_session(&server, "awake");
    receive(&mut page, "analyse");
    let mut pings = 0;
    while pings < 2 {
        pings += u32::from(page.read().unwrap().is_ping());
    }
}

#[test]
fn what_cannot_be_read_is_put_aside_and_the_page_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = b"{\"play\": \xff}";
    std::fs::write(folder.path().join("kept.json"), bytes).unwrap();
    let server = server(Some(folder.path()));
    let mut page = in_session(&server, "kept");
    let error = receive(&mut page, "error");
    assert!(
        error["en"].as_str().unwrap().contains("kept.damaged-1"),
        "{error}"
    );
    send(
        &mut page,
        &json!({ "analyse": { "type": "move", "move": "7g7f" } }),
    );
    while !folder.path().join("kept.json").exists() {
        std::thread::yield_now();
    }
    let aside = std::fs::read(folder.path().join("kept.damaged-1")).unwrap();
    assert_eq!(aside, bytes);
}

#[test]
fn only_a_page_on_this_machine_starts_programs() {
    let server = WebServer::start(WebServerOptions {
        port: 0,
        host: [0, 0, 0, 0].into(),
        token: Some("0123456789abcdef".into()),
        hash: 16,
        ..WebServerOptions::default()
    })
    .unwrap();
    let port = address(&server).split_once(':').unwrap().1.to_owned();
    // The same machine, but through a proxy, or by a name that others use too.
    for (host, extra) in [
        (
            format!("127.0.0.1:{port}"),
            Some(("X-Forwarded-For", "10.0.0.7")),
        ),
        (format!("shogi.example:{port}"), None),
    ] {
        let mut request = format!("ws://127.0.0.1:{port}/socket")
            .into_client_request()
            .unwrap();
        let headers = request.headers_mut();
        headers.insert("Host", host.parse().unwrap());
        headers.insert("Origin", format!("http://{host}").parse().unwrap());
        headers.insert("Cookie", "tesuji-token=0123456789abcdef".parse().unwrap());
        if let Some((name, value)) = extra {
            headers.insert(name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let (mut socket, _) = tungstenite::client(request, stream).unwrap();
        send(
            &mut socket,
            &json!({ "session": "remote", "tab": "engines" }),
        );
        for wanted in [
            json!({ "engines": { "type": "add", "path": "/bin/sh", "options": [] } }),
            json!({ "engines": { "type": "configure", "threads": 1, "hash": 16, "eval": "/etc/passwd", "book": "" } }),
            json!({ "engines": { "type": "compare", "engines": [0, 0], "sfen": "4k4/9/9/9/9/9/9/9/4K4 b - 1" } }),
            json!({ "engines": { "type": "start-tournament", "engines": [0, 0], "rounds": 1, "millis": 100 } }),
        ] {
            send(&mut socket, &wanted);
            let refused = receive(&mut socket, "error");
            assert!(
                refused["en"]
                    .as_str()
                    .unwrap()
                    .contains("only from the machine"),
                "{refused}"
            );
        }
        send(&mut socket, &json!({ "engines": { "type": "state" } }));
        let state = receive(&mut socket, "engines");
        assert_eq!(
            (&state["local"], &state["engines"]),
            (&json!(false), &json!([]))
        );
    }
}
