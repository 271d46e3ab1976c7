//! Engines in a real browser: the setup of our own, engines added by path with their options, two of
//! them side by side, a tournament.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

use crate::browser::Browser;
use crate::server;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// An engine as a script: it has an option of each kind, thinks of 7g7f and resigns.
const SCRIPT: &str = r#"#!/bin/sh
while read line; do
  case "$line" in
    usi)
      echo "id name Script"
      echo "option name Skill type spin default 5 min 0 max 20"
      echo "option name Style type combo default calm var calm var wild"
      echo "option name Fast type check default true"
      echo "option name Note type string default <empty>"
      echo usiok ;;
    setoption*) echo "$line" >> "$0.log" ;;
    isready) echo readyok ;;
    go*infinite*) echo "info depth 3 score cp 50 nodes 10 time 5 pv 7g7f 3c3d" ;;
    go*) sleep 1; echo "info depth 3 score cp -900 nodes 10 time 5 pv 7g7f"; echo "bestmove resign" ;;
    stop) echo "bestmove 7g7f" ;;
    quit) exit 0 ;;
  esac
done
"#;

fn script(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, SCRIPT).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).expect("a program");
    path
}

fn add(page: &mut Browser, path: &Path, count: usize) {
    page.write("#engine-path", path.to_str().expect("a plain path"));
    page.click("#add-engine");
    page.wait(&format!("tesuji.tab.engines.length === {count}"));
}

#[test]
fn engines_are_added_set_compared_and_play_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(Some(folder.path()));
    let mut page = Browser::start();
    page.size(1440, 900, false);
    page.prefer("en");
    page.open(&format!("{}#engines", server.url()));
    page.wait("document.querySelector('#threads')");
    // A file that is not there is refused, with a word.
    page.write("#engine-path", "/nowhere/engine");
    page.click("#add-engine");
    page.wait("document.querySelector('.toast')?.textContent.includes('/nowhere/engine')");
    let first = script(folder.path(), "first");
    add(&mut page, &first, 1);
    add(&mut page, &script(folder.path(), "second"), 2);

    // Every option has the control that suits it.
    page.click("[data-options]");
    page.wait("document.querySelector('[data-option=Skill]')");
    let kinds = page.run("['Skill', 'Style', 'Fast', 'Note'].map((name) => { const field = document.querySelector(`[data-option=${name}]`); return field.tagName + ' ' + field.type; })");
    assert_eq!(
        kinds,
        serde_json::json!([
            "INPUT number",
            "SELECT select-one",
            "INPUT checkbox",
            "INPUT text"
        ])
    );
    page.picture("engine-options");
    page.write("[data-option=Skill]", "12");
    page.write("[data-option=Style]", "wild");
    page.click("#save-options");
    page.wait("tesuji.tab.engines[0].options.find(({ name }) => name === 'Skill').value === '12'");

    // Our own engine beside the script.
    let id = page
        .run("String(tesuji.tab.engines[0].id)")
        .as_str()
        .unwrap()
        .to_owned();
    page.write("#right", &id);
    page.click("#compare");
    page.wait("document.querySelectorAll('.side').length === 2 && [...document.querySelectorAll('.side')].every((side) => side.querySelector('li'))");
    page.picture("engines");
    let said = std::fs::read_to_string(first.with_extension("log")).unwrap_or_default();
    assert!(
        said.contains("Skill value 12") && said.contains("Style value wild"),
        "{said}"
    );
    page.click("#compare");
    page.wait("document.querySelectorAll('.side').length === 0");

    // A tournament of the two scripts: its table grows, its games are in the library.
    page.run("document.querySelector('#players input').click()"); // without our own
    page.run(
        "window.watched = new Set(); { const tab = tesuji.tab, show = tab.showStandings.bind(tab); \
         tab.showStandings = (message) => { show(message); if (message.live) watched.add(tab.liveNames.textContent); }; }",
    );
    page.click("#tournament");
    page.wait(
        "document.querySelectorAll('.tournament-games li').length === 2 && !tesuji.tab.isPlaying",
    );
    page.picture("tournament");
    // The games were seen on the page while they were played.
    page.wait("[...watched].some((text) => text.startsWith('☗ Script'))");
    page.click(".tournament-games button");
    page.wait("tesuji.tabName === 'analyse' && tesuji.messages.analyse");

    // The setup of our own, and an engine that goes and comes back.
    page.run("location.hash = '#engines'");
    page.wait("tesuji.tab.engines?.length === 2");
    page.write("#threads", "1");
    page.write("#hash", "32");
    page.click("#configure");
    page.wait("document.querySelector('#hash').value === '32'");
    page.write("#eval", "/nowhere/nn.bin");
    page.click("#configure");
    page.wait("[...document.querySelectorAll('.toast')].some((toast) => toast.textContent.includes('nn.bin'))");
    page.click("[data-remove]");
    page.wait("tesuji.tab.engines.length === 1");
    page.click("#undo");
    page.wait("tesuji.tab.engines.length === 2 && tesuji.tab.engines[1].options.find(({ name }) => name === 'Skill').value === '12'");

    // A player from parts: what does not go together is refused with the reason, a player of the past
    // fills the form, and what plays is what was set.
    page.write("#eval", "builtin");
    page.write("#part-board", "scan");
    page.click("#configure");
    page.wait("[...document.querySelectorAll('.toast')].some((toast) => toast.textContent.includes('one with its board'))");
    page.write("#part-search", "pvs");
    page.write("#part-table", "bounds");
    page.click("#configure");
    page.wait("[...document.querySelectorAll('.toast')].some((toast) => toast.textContent.includes('no use for a table'))");
    assert_eq!(
        page.run("document.querySelector('#preset').value"),
        "",
        "parts of one's own"
    );
    let names = page.run("[...document.querySelectorAll('#preset option')].map((option) => option.textContent).slice(0, 4)");
    assert_eq!(
        names,
        serde_json::json!(["Tesuji", "kuma2013", "tenuki2019", "osl2003"])
    );
    page.write("#preset", "search=classic board=scan");
    assert_eq!(page.run("document.querySelector('#part-search').value + ' ' + document.querySelector('#eval').value"), "classic relation");
    page.picture("player-from-parts");
    page.click("#configure");
    page.wait("document.querySelector('#engine-list') && tesuji.tab.form.words() === 'search=classic board=scan'");
    page.run("location.hash = '#analyse'");
    page.wait("tesuji.tabName === 'analyse' && tesuji.tab.message");
    page.request(
        &serde_json::json!({ "analyse": { "type": "set-engine", "on": true, "lines": 1 } }),
    );
    page.wait("tesuji.tab.live?.lines.length === 1");
    page.request(
        &serde_json::json!({ "analyse": { "type": "set-engine", "on": false, "lines": 1 } }),
    );
    page.run("location.hash = '#engines'");
    page.wait("tesuji.tab.engines?.length === 2");

    // All of it is there after a new start.
    page.ask("Page.navigate", serde_json::json!({ "url": "about:blank" }));
    drop(server);
    let server = crate::server(Some(folder.path()));
    page.open(&format!("{}#engines", server.url()));
    page.wait("tesuji.tab.engines?.length === 2 && document.querySelector('#hash').value === '32'");
    page.wait("document.querySelector('#preset').value === 'search=classic board=scan'");
    page.finish();
}
