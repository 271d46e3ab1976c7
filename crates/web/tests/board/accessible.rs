//! Without a mouse and without eyes: the keyboard alone, the tree that screen readers see, and the
//! rules of axe-core.

use crate::browser::Browser;
use crate::server;
use crate::user::person;
use serde_json::{Value as Json, json};

fn opened(url: &str) -> Browser {
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(url);
    page
}

/// The names and roles that a screen reader finds.
fn tree(page: &mut Browser) -> Vec<(String, String)> {
    page.ask("Accessibility.enable", json!({}));
    let found = page.ask("Accessibility.getFullAXTree", json!({}));
    let nodes = found["nodes"].as_array().cloned().unwrap_or_default();
    let text = |value: &Json| value["value"].as_str().unwrap_or_default().to_owned();
    nodes
        .iter()
        .filter(|node| node["ignored"] != true)
        .map(|node| (text(&node["role"]), text(&node["name"])))
        .collect()
}

#[test]
fn screen_readers_find_headings_lists_and_buttons() {
    let server = server(None);
    let mut page = opened(server.url());
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.click_move("7g7f");
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    let tree = tree(&mut page);
    let has = |role: &str, name: &str| tree.iter().any(|(r, n)| r == role && n.contains(name));
    for (role, name) in [
        ("heading", "Play"),
        ("heading", "Moves"),
        ("list", "Moves"),
        ("button", "P-7f"),
        ("button", "New game"),
        ("button", "7f Black pawn"),
        ("group", "Board"),
    ] {
        assert!(has(role, name), "{role} {name:?}");
    }
    // A move is a button inside an item of a list, not a button that says it is an item.
    assert!(
        !tree
            .iter()
            .any(|(role, name)| role == "listitem" && name.contains("P-7f"))
    );
    page.finish();
}

#[test]
fn a_game_is_played_with_the_keyboard_alone() {
    let server = server(None);
    let mut page = opened(server.url());
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.run("document.body.focus()");
    // Tab leads to the board; one of its squares takes the focus.
    for _ in 0..40 {
        page.key("Tab");
        if page.run("document.activeElement.classList.contains('cell')") == true {
            break;
        }
    }
    assert_eq!(page.run("document.activeElement.dataset.index"), "76", "5i");
    for key in ["ArrowUp", "ArrowUp", "Enter", "ArrowUp", "Enter"] {
        page.key(key);
    }
    page.wait("tesuji.games.play.nodes[1]?.move === '5g5f'");
    // The dialog takes the focus, and Escape closes it.
    page.run("document.querySelector('#new').focus()");
    page.key("Enter");
    page.wait("document.querySelector('dialog[open]')?.contains(document.activeElement)");
    page.key("Escape");
    page.wait("!document.querySelector('dialog')");
    page.finish();
}

#[test]
fn axe_finds_nothing_serious() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/page-tools/node_modules/axe-core/axe.min.js"
    );
    let axe = std::fs::read_to_string(path)
        .expect("axe-core is missing: run `npm ci` in crates/web/page-tools, as ./test does");
    let server = server(None);
    let mut page = opened(server.url());
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.click_move("7g7f");
    page.ask("Page.setBypassCSP", json!({ "enabled": true }));
    for look in ["light", "dark"] {
        page.run(&format!(
            "localStorage.setItem('settings', JSON.stringify({{ look: '{look}' }}))"
        ));
        page.reload();
        page.run(&axe);
        for tab in [
            "play", "analyse", "solve", "learn", "library", "train", "course", "engines",
        ] {
            page.run(&format!("location.hash = '#{tab}'"));
            page.wait(&format!(
                "tesuji.tabName === '{tab}' && document.querySelector('#content .{tab} h1')"
            ));
            check(&mut page, &format!("{tab}, {look}"));
        }
        page.click("#settings");
        check(&mut page, &format!("settings, {look}"));
        page.key("Escape");
        page.wait("!document.querySelector('dialog')");
    }
    page.finish();
}

fn check(page: &mut Browser, name: &str) {
    page.run("new Promise((done) => setTimeout(done, 300))");
    let found = page.run(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations \
         .filter(({ impact }) => impact === 'serious' || impact === 'critical') \
         .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => `${node.target} ${node.failureSummary}`).join(' | ')}`))",
    );
    assert_eq!(found, json!([]), "{name}");
}
