//! What makes a game a game: sounds, the card at its end, names and clocks, a welcome.

use crate::browser::Browser;
use crate::server;
use crate::user::{engine, person};
use serde_json::{Value as Json, json};

fn opened(url: &str) -> Browser {
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(url);
    page
}

#[test]
fn pieces_and_seconds_sound_and_one_key_makes_them_silent() {
    let server = server(None);
    let mut page = opened(server.url());
    // The sounds are heard by a context that only counts: each has something in it, and ends.
    for name in ["piece", "check", "second", "last", "end"] {
        let energy = page.run(&format!(
            "import('/sound.js').then(async ({{ render }}) => {{ const context = new OfflineAudioContext(1, 44100, 44100); \
             render(context, '{name}'); const samples = (await context.startRendering()).getChannelData(0); \
             return [Math.max(...samples.map(Math.abs)), Math.max(...samples.slice(-2000).map(Math.abs))]; }})"
        ));
        let (loudest, rest) = (energy[0].as_f64(), energy[1].as_f64());
        assert!(
            loudest > Some(0.05) && rest < Some(0.01),
            "{name}: {energy}"
        );
    }
    let heard = "import('/sound.js').then(({ sound }) => sound.played)";
    page.begin(
        &person(),
        &person(),
        "startpos",
        &json!({ "main": 0, "byoyomi": 4000 }),
    );
    page.click_move("7g7f");
    page.wait("tesuji.messages.play.clock?.running === 'w'");
    page.wait("tesuji.messages.play.over?.why === 'time'");
    let played = page.run(heard);
    for name in ["piece", "second", "last", "end"] {
        let has = played
            .as_array()
            .is_some_and(|played| played.contains(&json!(name)));
        assert!(has, "{name} in {played}");
    }
    page.key("m");
    page.wait("document.querySelector('#sound').getAttribute('aria-pressed') === 'false'");
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.click_move("2g2f");
    page.wait("tesuji.games.play.nodes.length === 2");
    assert_eq!(page.run(heard), played, "nothing more was heard");
    page.reload();
    page.wait("document.querySelector('#sound').getAttribute('aria-pressed') === 'false'");
    page.finish();
}

#[test]
fn the_end_of_a_game_has_a_card_and_the_first_visit_a_welcome() {
    let server = server(None);
    let mut page = opened(server.url());
    page.wait("document.querySelector('.welcome')");
    page.picture("welcome");
    page.click("#got-it");
    page.reload();
    page.wait("!document.querySelector('.welcome')");

    let clock = json!({ "main": 600_000, "byoyomi": 30_000 });
    page.begin(
        &person(),
        &engine(6),
        "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1",
        &clock,
    );
    // Names and clocks are on the stands.
    page.wait("document.querySelector('.stand[data-color=w] .who').textContent.includes('Engine')");
    page.wait("document.querySelector('.stand[data-color=b] .clock').textContent.includes(':')");
    page.click_move("G*5b");
    page.wait("!document.querySelector('.resultcard').hidden");
    page.wait(
        "document.querySelector('.resultcard h2').textContent.includes('Black wins by mate')",
    );
    page.picture("card");
    // Its review is that of this game.
    page.click("#review-game");
    page.wait("tesuji.tabName === 'analyse' && tesuji.games.analyse.nodes[1]?.move === 'G*5b'");
    page.wait("tesuji.messages.review?.accuracy[0] !== null");
    page.run("location.hash = '#play'");
    page.wait("tesuji.tabName === 'play'");
    page.finish();
}

#[test]
fn handicap_games_have_other_names_for_their_sides() {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("ja");
    page.open(server.url());
    page.request(
        &json!({ "play": { "type": "new-game", "black": person(), "white": person(),
        "start": { "handicap": 6 }, "clock": null, "pace": 0 } }),
    );
    page.wait("document.querySelector('.stand[data-color=w] .side')?.textContent === '☖ 上手'");
    page.wait("document.querySelector('.stand[data-color=b] .side')?.textContent === '☗ 下手'");
    page.begin(&person(), &person(), "startpos", &Json::Null);
    page.wait("document.querySelector('.stand[data-color=w] .side')?.textContent === '☖ 後手'");
    page.run("location.hash = '#analyse'");
    page.wait("tesuji.tabName === 'analyse'");
    assert_eq!(
        page.run("document.querySelector('#each option[selected]').textContent"),
        "一手 0.3 秒"
    );
    page.finish();
}
