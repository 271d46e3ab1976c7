//! A game for others: pictures, animations, paper, links.

use crate::browser::Browser;
use crate::server;
use serde_json::{Value as Json, json};

fn opened() -> (tesuji_web::WebServer, Browser) {
    let server = server(None);
    let mut page = Browser::start();
    page.size(1280, 860, false);
    page.prefer("en");
    page.open(&format!("{}#analyse", server.url()));
    page.run("tesuji.loadStudy({ text: 'startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e' })");
    page.wait("tesuji.games.analyse.nodes.length === 6");
    page.key("End");
    page.wait("tesuji.games.analyse.at === 5");
    (server, page)
}

/// Keeps the next file that the page offers, and gives its bytes as a picture: its size, and how many
/// colours a row through its middle has.
const LOOK: &str = "(async () => { const image = await createImageBitmap(window.kept); \
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d'); \
    context.drawImage(image, 0, 0); \
    const row = new Uint32Array(context.getImageData(0, image.height / 2 | 0, image.width, 1).data.buffer); \
    return [image.width, image.height, new Set(row).size]; })()";

fn keep_files(page: &mut Browser) {
    page.run(
        "{ const make = URL.createObjectURL; URL.createObjectURL = (blob) => { if (blob.type !== 'image/svg+xml') window.kept = blob; return make(blob); }; }",
    );
}

#[test]
fn the_board_is_saved_as_a_picture_and_the_game_as_an_animation() {
    let (_server, mut page) = opened();
    keep_files(&mut page);
    page.click("[data-text=share]");
    page.wait("document.querySelector('#board-picture')");
    page.picture("share");
    // A link to this computer is called what it is.
    page.wait("document.querySelector('#local-link')");
    page.click("#board-picture");
    page.wait("document.body.dataset.saved?.startsWith('tesuji-board.png')");
    let picture = page.run(LOOK);
    assert_eq!(picture[0], 1200);
    assert!(
        picture[2].as_u64().is_some_and(|colours| colours > 20),
        "{picture}"
    );
    save_kept(&mut page, "shared-board.png");

    page.click("#animation");
    page.wait("document.body.dataset.saved?.startsWith('tesuji-game.png')");
    let picture = page.run(LOOK);
    assert_eq!(picture[0], 560);
    // The browser that shows it counts its pictures: the start and five moves.
    let frames = page.run(
        "(async () => { const decoder = new ImageDecoder({ type: 'image/png', data: await window.kept.arrayBuffer() }); \
         await decoder.tracks.ready; return decoder.tracks.selectedTrack.frameCount; })()",
    );
    assert_eq!(frames, 6);
    let last = page.run(
        "(async () => { const data = await window.kept.arrayBuffer(); const decoder = new ImageDecoder({ type: 'image/png', data }); \
         const look = async (n) => { const { image } = await decoder.decode({ frameIndex: n }); const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight); \
         const context = canvas.getContext('2d'); context.drawImage(image, 0, 0); return [...context.getImageData(0, 0, canvas.width, canvas.height).data]; }; \
         const [a, b] = [await look(0), await look(5)]; return a.filter((value, place) => value !== b[place]).length; })()",
    );
    assert!(
        last.as_u64().is_some_and(|changed| changed > 1000),
        "{last} bytes differ"
    );
    save_kept(&mut page, "shared-game.png");

    // On paper: the position alone.
    page.run(
        "window.print = () => { window.sheet = document.querySelector('.printed').textContent; }",
    );
    page.click("#print-diagram");
    page.wait("window.sheet?.includes('5 B*5e') || window.sheet?.includes('5 B')");
    page.finish();
}

/// Puts what the page offered beside the other pictures.
fn save_kept(page: &mut Browser, name: &str) {
    use base64::Engine as _;
    let bytes = page.run(
        "(async () => { const bytes = new Uint8Array(await window.kept.arrayBuffer()); let text = ''; for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text); })()",
    );
    let Json::String(text) = bytes else { return };
    let bytes = base64::engine::general_purpose::STANDARD.decode(text);
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("board");
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    std::fs::write(folder.join(name), bytes.expect("base 64")).expect("a picture");
}

#[test]
fn whoever_cannot_be_reached_says_how_to_be() {
    let (_server, mut page) = opened();
    page.request(&json!({ "invite": "session" }));
    page.wait("document.querySelector('.toast')?.textContent.includes('--host')");
    page.finish();
}
