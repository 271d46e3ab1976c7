//! A record for notebooks: the last position beside the moves.

use crate::svg::{self, Drawing};
use std::fmt::Write;
use tesuji_record::{Game, GamePosition, names};

/// The main line with comments, and the position at its end.
pub(crate) fn draw(game: &Game) -> String {
    let mut out = String::from("<div style=\"display:flex;gap:1em\"><div>");
    let last = game.position(game.last());
    let drawing = Drawing {
        size: 320,
        last: last.last_move(),
        western: false,
        flipped: false,
    };
    out.push_str(&svg::draw(&last, &drawing));
    let [black, white] = game.headers.players.0.each_ref().map(|name| escaped(name));
    let _ = write!(
        out,
        "</div><div style=\"max-height:320px;overflow:auto\"><b>☗{black} ☖{white}</b><ol>"
    );
    let mut here = GamePosition::start(game);
    for id in game.main_line() {
        let node = &game[id];
        let name = match (node.mv(), node.ending()) {
            (Some(mv), _) => names::japanese(here.position(), mv),
            (None, Some(ending)) => ending.japanese(here.position().turn()).to_owned(),
            (None, None) => String::new(),
        };
        let _ = write!(out, "<li>{}", escaped(&name));
        if !node.comment.is_empty() {
            let _ = write!(out, "<br><small>{}</small>", escaped(&node.comment));
        }
        out.push_str("</li>");
        here.go(game, id);
    }
    out.push_str("</ol></div></div>");
    out
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
