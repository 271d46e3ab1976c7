//! Writes one KIF game.

use super::{clock, write_headers, write_summary};
use crate::comments;
use crate::game::{Game, GamePosition, NodeId, Step};
use crate::names::kif_move;
use std::fmt::Write;
use std::time::Duration;
use tesuji_shogi::ByColor;

/// A game with all its variations as KIF. `encoding` is only named in the first line.
pub fn write(game: &Game, encoding: &str) -> String {
    let mut text = format!("#KIF version=2.0 encoding={encoding}\n");
    write_headers(game, &mut text);
    text += "手数----指手---------消費時間--\n";
    let mut place = GamePosition::start(game);
    write_comments(game, &place, &mut text);
    for line in lines_of(game) {
        if line.is_variation {
            let _ = writeln!(text, "\n変化：{}手", game[line.nodes[0]].depth());
        }
        let mut totals = totals_before(game, line.nodes.first().copied());
        for &id in &line.nodes {
            place.go(game, game[id].parent().unwrap_or(Game::ROOT));
            write_step(game, id, &place, &mut totals, &mut text);
            place.go(game, id);
            write_comments(game, &place, &mut text);
        }
        if let Some(&last) = line.nodes.last()
            && let Some(ending) = game[last].ending()
        {
            let _ = writeln!(text, "{}", write_summary(game, last, ending));
        }
    }
    text
}

/// The main line, or a variation, as nodes.
pub(crate) struct KifLine {
    pub(crate) is_variation: bool,
    pub(crate) nodes: Vec<NodeId>,
}

/// The main line first; behind each line its variations, the last one first.
pub(crate) fn lines_of(game: &Game) -> Vec<KifLine> {
    let mut lines = Vec::new();
    let mut heads = Vec::new();
    let mut next = Some((false, game[Game::ROOT].children().first().copied()));
    while let Some((is_variation, head)) = next {
        let mut nodes: Vec<_> = head.into_iter().collect();
        nodes.extend(head.into_iter().flat_map(|head| game.line(head)));
        // The siblings of a variation's first node belong to the line it leaves.
        for &id in &nodes[usize::from(is_variation).min(nodes.len())..] {
            let parent = game[id].parent().unwrap_or(Game::ROOT);
            heads.extend(game.variations(parent).iter().rev());
        }
        lines.push(KifLine {
            is_variation,
            nodes,
        });
        next = heads.pop().map(|head| (true, Some(head)));
    }
    lines
}

/// How much time both sides had used before a node.
fn totals_before(game: &Game, id: Option<NodeId>) -> ByColor<Duration> {
    let mut totals = ByColor::default();
    let mut at = id.and_then(|id| game[id].parent());
    while let Some(id) = at.filter(|&id| id != Game::ROOT) {
        add_time(game, id, &mut totals);
        at = game[id].parent();
    }
    totals
}

/// The clock of the side that made a step.
fn add_time(game: &Game, id: NodeId, totals: &mut ByColor<Duration>) -> Duration {
    let side = match game[id].step() {
        Step::Move(_) => game.turn(id).foe(),
        _ => game.turn(id),
    };
    // The sum is that of the times as they are written.
    totals[side] += Duration::from_secs(game[id].time.unwrap_or_default().as_secs());
    totals[side]
}

fn write_step(
    game: &Game,
    id: NodeId,
    place: &GamePosition,
    totals: &mut ByColor<Duration>,
    text: &mut String,
) {
    let pos = place.position();
    let mut number = game[id].depth();
    let what = match game[id].step() {
        Step::Start => return,
        Step::Move(mv) => kif_move(pos, mv),
        Step::End(ending) => {
            if let Some(mv) = ending.made(pos) {
                let _ = writeln!(text, "{number:4} {}", kif_move(pos, mv));
                number += 1;
            }
            ending.japanese(pos.turn()).into()
        }
    };
    let _ = write!(text, "{number:4} {what}");
    if let Some(time) = game[id].time {
        let total = add_time(game, id, totals);
        // Full-width letters take two columns.
        let width: usize = what.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        let _ = write!(
            text,
            "{:1$}{2}",
            "",
            14usize.saturating_sub(width).max(1),
            clock::write(time, total)
        );
    }
    let parent = game[id].parent().unwrap_or(Game::ROOT);
    let is_branch = game[parent].children().last() != Some(&id);
    text.push_str(if is_branch { "+\n" } else { "\n" });
}

fn write_comments(game: &Game, place: &GamePosition, text: &mut String) {
    for line in comments::lines(&game[place.at()], place.position()) {
        let _ = match line.starts_with('&') {
            true => writeln!(text, "{line}"),
            false => writeln!(text, "*{line}"),
        };
    }
}
