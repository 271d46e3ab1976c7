//! The same game on two devices, and two people at one board.

use crate::browser::Browser;
use crate::user::person;
use serde_json::{Value as Json, json};
use tesuji_web::{WebServer, WebServerOptions};

const TOKEN: &str = "0123456789abcdef0123";

/// A server that the network can reach; this machine's own address stands for another device.
fn server() -> WebServer {
    WebServer::start(WebServerOptions {
        host: [0, 0, 0, 0].into(),
        port: 0,
        token: Some(TOKEN.into()),
        hash: 16,
        ..WebServerOptions::default()
    })
    .expect("a free port")
}

/// The address of an invitation, as this machine reaches it.
fn here(server: &WebServer, url: &str) -> String {
    let fragment = url.split_once('#').map_or("", |(_, fragment)| fragment);
    format!("{}#{fragment}", server.url())
}

fn another(page: &mut Browser) {
    let context = page.ask_browser("Target.createBrowserContext", json!({}));
    page.attach_in(Some(&context["browserContextId"]));
    page.size(390, 844, true);
    page.prefer("en");
}

#[test]
fn a_phone_shows_the_same_games_and_a_guest_plays_one_side_only() {
    let server = server();
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(server.url());
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.click_move("7g7f");
    page.wait("tesuji.games.play.nodes.length === 2");
    let session = page.session();
    if server.urls_for_others().is_empty() {
        // A machine without a network has nobody to invite, and says so.
        page.request(&json!({ "invite": "session" }));
        page.wait("document.querySelector('.toast')");
        return;
    }

    // The phone of the same user: the same session, both ways.
    page.click("[data-text=share]");
    page.wait("document.querySelector('#on-phone')");
    page.click("#on-phone");
    page.wait("document.querySelector('#invitation') && document.querySelector('.qr path')");
    page.picture("qr");
    let url = page.run("document.querySelector('#invitation').value");
    page.click("dialog header button");
    another(&mut page);
    page.open(&here(&server, url.as_str().unwrap_or_default()));
    page.wait("tesuji.games.play.nodes.length === 2");
    page.click_move("3c3d");
    let phone = page.session();
    page.turn_to(&session);
    page.wait("tesuji.games.play.nodes.length === 3");

    // Another person gets White, and nothing else.
    page.click("[data-text=share]");
    page.wait("document.querySelector('#with-guest')");
    page.click("#with-guest");
    page.wait("document.querySelector('#invitation')?.value.includes('#guest=')");
    let url = page.run("document.querySelector('#invitation').value");
    page.click("dialog header button");
    another(&mut page);
    page.open(&here(&server, url.as_str().unwrap_or_default()));
    page.wait("tesuji.messages.play?.isGuest && tesuji.games.play.nodes.length === 3");
    page.wait("tesuji.tab.board.orientation.flipped");
    assert_eq!(
        page.run("tesuji.messages.play.canMove"),
        false,
        "it is Black's turn"
    );
    page.request(&json!({ "analyse": { "type": "go-to", "node": 0 } }));
    page.wait("document.querySelector('.toast')");
    page.picture("guest");
    let guest = page.session();
    page.turn_to(&session);
    page.wait("tesuji.messages.play.hasGuest === true");
    page.click_move("2g2f");
    page.turn_to(&guest);
    page.wait("tesuji.messages.play.canMove && tesuji.games.play.nodes.length === 4");
    page.click_move("8c8d");
    page.turn_to(&session);
    page.wait("tesuji.games.play.nodes.length === 5 && tesuji.messages.play.canMove");
    page.click_move("2f2e");
    // The guest gives up: Black has won, on every device.
    page.turn_to(&guest);
    page.wait("tesuji.messages.play.canMove");
    page.click("[data-text=resign]");
    page.click("#confirm");
    page.wait("tesuji.messages.play.over?.winner === 'b'");
    page.turn_to(&phone);
    page.wait("tesuji.messages.play.over?.winner === 'b'");
}
