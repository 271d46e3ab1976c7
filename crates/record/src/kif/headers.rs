//! `キー：値` lines.

use crate::comments::tidy_line;
use crate::game::Game;
use crate::headers::{Headers, escape, unescape};
use crate::times;
use std::fmt::Write;
use tesuji_shogi::{Color, Handicap};

/// The handicap that the game starts with; `None` if it starts from some other position.
pub(crate) fn handicap_of(game: &Game) -> Option<Handicap> {
    let start = game.start().to_sfen_without_ply();
    Handicap::ALL
        .into_iter()
        .find(|&handicap| tesuji_shogi::Position::handicap(handicap).to_sfen_without_ply() == start)
}

/// How the sides are called: 下手 and 上手 if White gives a handicap.
pub(super) fn side_name(game: &Game, color: Color) -> &'static str {
    let even = matches!(handicap_of(game), None | Some(Handicap::Even));
    match (even, color) {
        (true, Color::Black) => "先手",
        (true, Color::White) => "後手",
        (false, Color::Black) => "下手",
        (false, Color::White) => "上手",
    }
}

/// Every header that is known, in the order records have them.
pub(crate) fn key_of(game: &Game) -> Vec<(String, String)> {
    let headers = &game.headers;
    let mut list: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, value: &str| {
        if !value.is_empty() {
            list.push((key.into(), value.into()));
        }
    };
    add("開始日時", &headers.start_time);
    add("終了日時", &headers.end_time);
    add("棋戦", &headers.event);
    add("場所", &headers.site);
    match headers.common_clock() {
        Some(clock) => add("持ち時間", &times::to_japanese(&clock)),
        None => {
            for (color, key) in [
                (Color::Black, "先手の持ち時間"),
                (Color::White, "後手の持ち時間"),
            ] {
                add(
                    key,
                    &headers.clocks[color]
                        .map_or(String::new(), |clock| times::to_japanese(&clock)),
                );
            }
        }
    }
    add("戦型", &headers.opening);
    add(
        "最大手数",
        &headers
            .move_limit
            .map_or(String::new(), |limit| limit.to_string()),
    );
    add(
        "宣言点数",
        &headers
            .declaration_points
            .map_or(String::new(), |p| p.to_string()),
    );
    add("備考", &escape(&headers.note));
    list.extend(headers.others.iter().cloned());
    for color in Color::ALL {
        if !headers.players[color].is_empty() {
            list.push((
                side_name(game, color).into(),
                headers.players[color].clone(),
            ));
        }
    }
    list
}

/// Writes them, and where the game starts.
pub(crate) fn write_headers(game: &Game, text: &mut String) {
    let handicap = handicap_of(game);
    for (key, value) in key_of(game) {
        let _ = writeln!(text, "{key}：{value}");
    }
    let _ = match handicap {
        Some(handicap) => writeln!(text, "手合割：{}", handicap.japanese()),
        None => write!(
            text,
            "手合割：その他\n{}",
            super::diagram::write(game.start())
        ),
    };
}

/// Takes a header that is not about the start position.
pub(crate) fn set_header(headers: &mut Headers, key: &str, value: &str) {
    let value = tidy_line(value);
    let clock = || times::from_japanese(&value);
    let mut set = |field: fn(&mut Headers) -> &mut String| {
        value.clone_into(field(headers));
        Some(())
    };
    let known = match key {
        "先手" | "下手" => set(|headers| &mut headers.players[Color::Black]),
        "後手" | "上手" => set(|headers| &mut headers.players[Color::White]),
        "棋戦" => set(|headers| &mut headers.event),
        "場所" => set(|headers| &mut headers.site),
        "開始日時" => set(|headers| &mut headers.start_time),
        "終了日時" => set(|headers| &mut headers.end_time),
        "戦型" => set(|headers| &mut headers.opening),
        "備考" => {
            headers.note = unescape(&value);
            Some(())
        }
        "持ち時間" => clock().map(|clock| headers.set_clock(clock)),
        "先手の持ち時間" => clock().map(|clock| headers.clocks[Color::Black] = Some(clock)),
        "後手の持ち時間" => clock().map(|clock| headers.clocks[Color::White] = Some(clock)),
        "最大手数" => value
            .parse()
            .ok()
            .map(|limit| headers.move_limit = Some(limit)),
        "宣言点数" => value
            .parse()
            .ok()
            .map(|points| headers.declaration_points = Some(points)),
        _ => None,
    };
    if known.is_none() {
        headers.others.push((tidy_line(key), value));
    }
}
