//! Writes one CSA game.

use super::Version;
use super::board::{write_move, write_position};
use crate::comments;
use crate::evaluation::Evaluation;
use crate::game::{Game, GamePosition, NodeId, Step};
use crate::headers::{Headers, escape};
use crate::times::{seconds, to_csa, to_limit};
use std::fmt::Write;
use std::time::Duration;
use tesuji_shogi::{Color, Handicap, Position};

/// The main line of a game as CSA. Variations are left out: the format has none.
pub fn write(game: &Game, version: Version) -> String {
    let mut text = String::new();
    text += match version {
        Version::V2 => "V2.2\n",
        Version::V3 => "'CSA encoding=UTF-8\nV3.0\n",
    };
    write_headers(&game.headers, version, &mut text);
    if game.start().to_sfen_without_ply()
        == Position::handicap(Handicap::Even).to_sfen_without_ply()
    {
        text += "PI\n+\n";
    } else {
        text += &write_position(game.start());
    }
    let mut place = GamePosition::start(game);
    write_remarks(game, &place, &mut text);
    for id in game.main_line() {
        write_step(game, id, &mut place, version, &mut text);
    }
    text
}

fn write_headers(headers: &Headers, version: Version, text: &mut String) {
    for (color, sign) in [(Color::Black, '+'), (Color::White, '-')] {
        if !headers.players[color].is_empty() {
            let _ = writeln!(text, "N{sign}{}", headers.players[color]);
        }
    }
    let note = escape(&headers.note);
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "${key}:{value}");
        }
    };
    line("EVENT", &headers.event);
    line("SITE", &headers.site);
    line("START_TIME", &headers.start_time);
    line("END_TIME", &headers.end_time);
    let limit = headers.common_clock().and_then(|clock| to_limit(&clock));
    match (limit, headers.common_clock(), version) {
        (Some(limit), _, Version::V2) => line("TIME_LIMIT", &limit),
        (_, Some(clock), _) => line("TIME", &to_csa(&clock)),
        _ => {
            for (color, key) in [(Color::Black, "TIME+"), (Color::White, "TIME-")] {
                line(
                    key,
                    &headers.clocks[color].map_or(String::new(), |clock| to_csa(&clock)),
                );
            }
        }
    }
    line("OPENING", &headers.opening);
    line(
        "MAX_MOVES",
        &headers
            .move_limit
            .map_or(String::new(), |limit| limit.to_string()),
    );
    line(
        "JISHOGI",
        &headers
            .declaration_points
            .map_or(String::new(), |points| points.to_string()),
    );
    line("NOTE", &note);
    for (key, value) in &headers.others {
        let _ = writeln!(text, "${key}:{value}");
    }
}

fn write_step(
    game: &Game,
    id: NodeId,
    place: &mut GamePosition,
    version: Version,
    text: &mut String,
) {
    let pos = place.position();
    match game[id].step() {
        Step::Start => {}
        Step::Move(mv) => {
            let _ = writeln!(text, "{}", write_move(pos, mv));
        }
        Step::End(ending) => {
            if let Some(mv) = ending.made(pos) {
                let _ = writeln!(text, "{}", write_move(pos, mv));
            }
            let _ = writeln!(text, "%{}", ending.csa(pos.turn()));
        }
    }
    if let Some(time) = game[id].time {
        let whole = Duration::from_secs(time.as_secs());
        let time = if version == Version::V2 { whole } else { time };
        let _ = writeln!(text, "T{}", seconds(time));
    }
    place.go(game, id);
    write_remarks(game, place, text);
}

fn write_remarks(game: &Game, place: &GamePosition, text: &mut String) {
    let node = &game[place.at()];
    if let Some(evaluation) = &node.evaluation {
        let _ = writeln!(text, "'**{}", speak(evaluation, place.position()));
        // The standard has a place for nodes, but none for the depth.
        if let Some(depth) = evaluation.depth {
            let _ = writeln!(text, "'*depth={depth}");
        }
    }
    if !node.comment.is_empty() {
        for line in node.comment.split('\n') {
            let _ = writeln!(text, "'*{}", comments::escape(line));
        }
    }
}

/// ` 30 -3334FU +2726FU #1234`.
fn speak(evaluation: &Evaluation, pos: &Position) -> String {
    let mut text = format!(" {}", evaluation.value.points());
    let mut pos = pos.clone();
    for &mv in &evaluation.line {
        if !pos.is_legal(mv) {
            break;
        }
        let _ = write!(text, " {}", write_move(&pos, mv));
        pos.play(mv);
    }
    if let Some(nodes) = evaluation.nodes {
        let _ = write!(text, " #{nodes}");
    }
    text
}
