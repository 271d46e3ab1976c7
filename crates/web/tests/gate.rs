//! The server from outside: who gets in, what can be read, what nonsense does.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

use serde_json::{Value as Json, json};
use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream};
use tesuji_web::{Options, Server, ServerError};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A server on any free port that keeps games in a folder, or nowhere.
fn server(folder: Option<&std::path::Path>) -> Server {
    Server::start(Options {
        port: 0,
        folder: folder.map(Into::into),
        hash: 16,
        ..Options::default()
    })
    .unwrap()
}

fn address(server: &Server) -> String {
    let url = server.url().strip_prefix("http://").unwrap();
    url.split('/').next().unwrap().to_owned()
}

/// What the server answers to a request written by hand.
fn ask(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(address(server)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn fetch(server: &Server, path: &str, headers: &str) -> String {
    let host = address(server);
    ask(
        server,
        &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"),
    )
}

fn connect(server: &Server, origin: Option<&str>, host: &str) -> Result<WebSocket<TcpStream>, u16> {
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

/// A socket of a page of ours, at a desk.
fn at_desk(server: &Server, desk: &str) -> WebSocket<TcpStream> {
    let host = address(server);
    let mut socket = connect(server, Some(&format!("http://{host}")), &host).unwrap();
    say(
        &mut socket,
        &json!({ "do": "hello", "desk": desk, "corner": "study" }),
    );
    socket
}

fn say(socket: &mut WebSocket<TcpStream>, wish: &Json) {
    socket.send(Message::text(wish.to_string())).unwrap();
}

/// The next message of a kind.
fn hear(socket: &mut WebSocket<TcpStream>, is: &str) -> Json {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let news: Json = serde_json::from_str(&text).unwrap();
            if news["is"] == is {
                return news;
            }
        }
    }
}

#[test]
fn no_page_of_another_site_gets_in() {
    let server = server(None);
    let host = address(&server);
    let own = format!("http://{host}");
    let mut desk = at_desk(&server, "mine");
    let before = hear(&mut desk, "study");
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
    // A name of somebody else that leads to this machine.
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
    // Only GET, whoever asks: nothing is changed by a request.
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let request = format!("{method} / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert!(
            ask(&server, &request).starts_with("HTTP/1.1 405"),
            "{method}"
        );
    }
    say(&mut desk, &json!({ "do": "show", "corner": "study" }));
    let after = hear(&mut desk, "study");
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
        Server::start(Options {
            host: IpAddr::from(host),
            port: 0,
            token: token.map(str::to_owned),
            ..Options::default()
        })
    };
    let error = open([0, 0, 0, 0], None).err().unwrap();
    assert!(matches!(error, ServerError::NeedsToken(_)));
    assert!(error.to_string().contains("other machines") && error.to_string().contains("--token"));
    assert!(matches!(
        open([0, 0, 0, 0], Some("short")).err(),
        Some(ServerError::BadToken)
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
fn nonsense_is_answered_and_nothing_is_lost() {
    let server = server(None);
    let mut desk = at_desk(&server, "nonsense");
    hear(&mut desk, "study");
    say(&mut desk, &json!({ "do": "try", "move": "7g7f" }));
    hear(&mut desk, "study");
    for wish in [
        json!({}),
        json!([1, 2, 3]),
        json!("hello"),
        json!({ "do": "format-disk" }),
        json!({ "do": "try", "move": "7f7d" }),
        json!({ "do": "try", "move": "💥" }),
        json!({ "do": "go", "node": 4_000_000 }),
        json!({ "do": "go", "node": -1 }),
        json!({ "do": "set-up", "sfen": "999999999999999999999/9/9" }),
        json!({ "do": "set-up", "sfen": "4k4/9/9/9/9/9/9/9/4K4 b 99P 1" }),
        json!({ "do": "load", "text": "   1 ９九玉(11)\n" }),
        json!({ "do": "load", "bytes": "AAAA", "name": "x.csa" }),
        json!({ "do": "load", "text": "[".repeat(100_000) }),
        json!({ "do": "pose", "text": "4k4/9/9/9/9/9/9/9/4K4 w - 1 x" }),
        json!({ "do": "pose", "text": "9/9/9/9/9/9/9/9/4K4 b - 1" }),
        json!({ "do": "move", "move": "2h2z" }),
        json!({ "do": "begin", "black": { "who": "ghost" }, "white": { "who": "person" } }),
        json!({ "do": "begin", "black": { "who": "person" }, "white": { "who": "person" },
                "clock": { "main": u64::MAX } }),
        json!({ "do": "lesson", "rung": "minimax", "tree": "[".repeat(50_000) }),
        json!({ "do": "save", "corner": "study", "format": "exe" }),
    ] {
        say(&mut desk, &wish);
        let sorry = hear(&mut desk, "sorry");
        let said = |language: &str| !sorry[language].as_str().unwrap().is_empty();
        assert!(said("en") && said("ja"), "{wish}");
    }
    say(&mut desk, &json!({ "do": "show", "corner": "study" }));
    let news = hear(&mut desk, "study");
    assert_eq!(news["position"]["last"], "7g7f", "the study is as it was");
}

#[test]
fn too_large_a_message_and_a_rude_one_end_only_their_own_socket() {
    let server = server(None);
    let mut good = at_desk(&server, "large");
    hear(&mut good, "study");
    say(&mut good, &json!({ "do": "try", "move": "7g7f" }));
    hear(&mut good, "study");
    let mut bad = at_desk(&server, "large");
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
    // Whoever does not say hello is shown the door.
    let host = address(&server);
    let own = format!("http://{host}");
    for first in [
        "{}",
        "nonsense",
        r#"{"do":"hello","desk":"../../etc","corner":"play"}"#,
    ] {
        let mut rude = connect(&server, Some(&own), &host).unwrap();
        rude.send(Message::text(first)).unwrap();
        assert!(
            matches!(rude.read(), Ok(Message::Close(_)) | Err(_)),
            "{first}"
        );
    }
    say(&mut good, &json!({ "do": "show", "corner": "study" }));
    assert_eq!(hear(&mut good, "study")["position"]["last"], "7g7f");
}

#[test]
fn a_third_endless_search_is_refused() {
    let server = server(None);
    let think = json!({ "do": "think", "on": true, "lines": 1 });
    let mut desks: Vec<_> = ["one", "two"]
        .iter()
        .map(|name| at_desk(&server, name))
        .collect();
    for desk in &mut desks {
        say(desk, &think);
        // Until it says something it might still wait for a seat.
        loop {
            let live = hear(desk, "live");
            if !live["lines"].as_array().unwrap().is_empty() {
                break;
            }
        }
    }
    let mut third = at_desk(&server, "three");
    say(&mut third, &think);
    let sorry = hear(&mut third, "sorry");
    assert!(
        sorry["en"].as_str().unwrap().contains("Two searches"),
        "{sorry}"
    );
}

#[test]
fn games_are_kept_from_one_start_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    {
        let server = server(Some(folder.path()));
        let mut desk = at_desk(&server, "kept");
        hear(&mut desk, "study");
        say(&mut desk, &json!({ "do": "try", "move": "7g7f" }));
        say(
            &mut desk,
            &json!({ "do": "comment", "node": 1, "text": "角道" }),
        );
        let path = folder.path().join("kept.json");
        // Saved in the background, at once or a little later.
        while !std::fs::read_to_string(&path).is_ok_and(|text| text.contains("角道")) {
            std::thread::yield_now();
        }
    }
    let server = server(Some(folder.path()));
    let mut desk = at_desk(&server, "kept");
    let news = hear(&mut desk, "study");
    assert_eq!(news["position"]["last"], "7g7f");
    assert_eq!(news["sheet"]["nodes"][1]["comment"], "角道");
}
