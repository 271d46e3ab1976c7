//! The course of a game as a picture: winning chances over the moves, slips marked.

use super::{Grade, Slip, chance, slips};
use crate::game::{Game, NodeId};
use std::fmt::Write;
use tesuji_shogi::{Color, Value};

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 32.0;
const BOTTOM: f64 = 32.0;

/// An SVG of the main line: Black's winning chance after every evaluated move, up is good for
/// Black. Slips are dots; resting on one shows its values.
///
/// ```
/// use tesuji_record::{Evaluation, Game, analysis::graph};
/// use tesuji_shogi::Value;
/// let mut game = Game::default();
/// for (mv, value) in [("7g7f", 30), ("3c3d", 10)] {
///     let id = game.push(mv.parse().unwrap()).unwrap();
///     game[id].evaluation = Some(Evaluation::of(Value::new(value)));
/// }
/// assert!(graph(&game).starts_with("<svg "));
/// ```
pub fn graph(game: &Game) -> String {
    let plies = game.moves().count().max(1);
    let points = points(game);
    let mut svg = head(game);
    grid(plies, &mut svg);
    if let (Some(first), Some(last)) = (points.first(), points.last()) {
        let line: Vec<_> = points
            .iter()
            .map(|point| format!("{:.1},{:.1}", x(point.0, plies), y(point.1)))
            .collect();
        let line = line.join(" ");
        let (start, end, middle) = (x(first.0, plies), x(last.0, plies), y(Value::ZERO));
        let _ = writeln!(
            svg,
            r#"<polygon class="area" points="{start:.1},{middle:.1} {line} {end:.1},{middle:.1}"/>"#
        );
        let _ = writeln!(svg, r#"<polyline class="line" points="{line}"/>"#);
    }
    for slip in slips(game) {
        dot(game, &slip, plies, &mut svg);
    }
    svg + "</svg>\n"
}

/// The number of each evaluated move and its value for Black.
fn points(game: &Game) -> Vec<(usize, Value)> {
    let value = |id: NodeId| Some((game[id].depth(), game[id].evaluation.as_ref()?.value));
    let moves = game.main_line().filter(|&id| game[id].mv().is_some());
    std::iter::once(Game::ROOT)
        .chain(moves)
        .filter_map(value)
        .collect()
}

fn x(ply: usize, plies: usize) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / plies as f64
}

fn y(value: Value) -> f64 {
    TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - chance(value))
}

fn head(game: &Game) -> String {
    let name = |color: Color| escape(&game.headers.players[color]);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">
<style>.area{{fill:#3b6ea5;opacity:.25}}.line{{fill:none;stroke:#3b6ea5;stroke-width:2}}.grid{{stroke:#999;stroke-width:.5}}text{{fill:#555}}.dubious{{fill:#d9a400}}.mistake{{fill:#e06c00}}.blunder{{fill:#c00020}}</style>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
"##
    );
    let _ = writeln!(
        svg,
        r#"<text x="{LEFT}" y="20">▲ {} – △ {}</text>"#,
        name(Color::Black),
        name(Color::White)
    );
    svg
}

fn grid(plies: usize, svg: &mut String) {
    for points in [-2000, -1000, -500, 0, 500, 1000, 2000] {
        let y = y(Value::new(points));
        let end = WIDTH - RIGHT;
        let _ = writeln!(
            svg,
            r#"<path class="grid" d="M{LEFT} {y:.1}H{end}"/><text x="{:.0}" y="{:.1}" text-anchor="end">{points}</text>"#,
            LEFT - 6.0,
            y + 4.0
        );
    }
    // At most about twelve numbers below.
    let step = [10, 20, 50, 100, 200, 500, 1000]
        .into_iter()
        .find(|step| plies / step <= 12);
    for ply in (0..=plies).step_by(step.unwrap_or(5000)) {
        let (x, bottom) = (x(ply, plies), HEIGHT - BOTTOM);
        let _ = writeln!(
            svg,
            r#"<path class="grid" d="M{x:.1} {TOP}V{bottom}"/><text x="{x:.1}" y="{:.1}" text-anchor="middle">{ply}</text>"#,
            bottom + 16.0
        );
    }
}

fn dot(game: &Game, slip: &Slip, plies: usize, svg: &mut String) {
    let class = match slip.grade {
        Grade::Dubious => "dubious",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    };
    let ply = game[slip.node].depth();
    let mv = game[slip.node]
        .mv()
        .map(|mv| mv.to_string())
        .unwrap_or_default();
    let _ = writeln!(
        svg,
        r#"<circle class="{class}" cx="{:.1}" cy="{:.1}" r="4"><title>{ply} {mv}: {} → {}</title></circle>"#,
        x(ply, plies),
        y(slip.after),
        slip.before.points(),
        slip.after.points()
    );
}

fn escape(text: &str) -> String {
    let clean = text.chars().filter(|c| !c.is_control());
    clean.fold(String::new(), |mut safe, c| {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            _ => safe.push(c),
        }
        safe
    })
}
