//! KI2, the format of books and newspapers: moves by name, many to a line. It comes from Kakinoki
//! Shogi, as KIF does; [`crate::kif::read`] reads it.

use crate::comments;
use crate::game::{Game, GamePosition, Step};
use crate::kif::{lines_of, write_headers, write_summary};
use crate::names::japanese;
use std::fmt::Write;

/// How many moves stand in a line.
const PER_LINE: usize = 6;

/// A game with all its variations as KI2. It has no place for times.
pub fn write(game: &Game, encoding: &str) -> String {
    let mut text = format!("#KI2 version=2.0 encoding={encoding}\n");
    write_headers(game, &mut text);
    let mut place = GamePosition::start(game);
    text.push('\n');
    write_comments(game, &place, &mut text);
    for line in lines_of(game) {
        if line.is_variation {
            let _ = writeln!(text, "\n変化：{}手", game[line.nodes[0]].depth());
        }
        let mut in_line = 0;
        for &id in &line.nodes {
            place.go(game, game[id].parent().unwrap_or(Game::ROOT));
            let end_line = |text: &mut String| {
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            };
            match game[id].step() {
                Step::Start => {}
                Step::Move(mv) => {
                    if in_line > 0 {
                        text.push_str("    ");
                    }
                    text += &japanese(place.position(), mv);
                    in_line += 1;
                }
                Step::End(ending) => {
                    end_line(&mut text);
                    let _ = writeln!(text, "{}", write_summary(game, id, ending));
                }
            }
            place.go(game, id);
            let node = &game[id];
            let speaks = !node.comment.is_empty() || node.evaluation.is_some();
            if in_line == PER_LINE || speaks {
                end_line(&mut text);
                in_line = 0;
            }
            write_comments(game, &place, &mut text);
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

fn write_comments(game: &Game, place: &GamePosition, text: &mut String) {
    for line in comments::lines(&game[place.at()], place.position()) {
        let _ = match line.starts_with('&') {
            true => writeln!(text, "{line}"),
            false => writeln!(text, "*{line}"),
        };
    }
}
