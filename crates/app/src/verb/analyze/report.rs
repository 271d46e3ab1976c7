//! What came of an analysis: a row for every move.

use crate::answer::{Failure, write_json};
use serde::Serialize;
use std::io::{BufWriter, Write};
use tesuji_record::analysis::{Grade, ReportLanguage, Slip};
use tesuji_record::names::{japanese, western};
use tesuji_record::{Game, GamePosition, NodeId};
use tesuji_shogi::{Color, Move, Position};

/// A move, for scripts. Values are for Black.
#[derive(Serialize)]
struct AnalysisRow {
    ply: usize,
    #[serde(rename = "move")]
    usi: String,
    value: Option<i32>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// What should have been played, if something else was expected.
    better: Option<String>,
    line: Vec<String>,
    loss: f64,
    grade: Option<&'static str>,
}

/// Prints every move of the main line, and at the end how often each side slipped.
pub(super) fn print(
    game: &Game,
    slips: &[Slip],
    language: ReportLanguage,
    json: bool,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut place = GamePosition::start(game);
    for id in game.main_line() {
        let Some(mv) = game[id].mv() else {
            break;
        };
        let before = place.position().clone();
        place.go(game, id);
        let slip = slips.iter().find(|slip| slip.node == id);
        match json {
            true => write_json(&mut out, &row(game, id, mv, slip))?,
            false => writeln!(out, "{}", text(game, id, &before, slip, language))?,
        }
    }
    if !json {
        for color in Color::ALL {
            writeln!(out, "{}", sum(game, slips, color, language))?;
        }
    }
    out.flush()?;
    Ok(())
}

/// What was expected before a move, if it was another one.
fn better(game: &Game, id: NodeId) -> Option<Move> {
    let parent = &game[game[id].parent()?];
    let expected = *parent.evaluation.as_ref()?.line.first()?;
    (game[id].mv() != Some(expected)).then_some(expected)
}

fn row(game: &Game, id: NodeId, mv: Move, slip: Option<&Slip>) -> AnalysisRow {
    let evaluation = game[id].evaluation.as_ref();
    let line = evaluation.map_or(&[][..], |evaluation| &evaluation.line);
    AnalysisRow {
        ply: game[id].depth(),
        usi: mv.to_string(),
        value: evaluation.map(|evaluation| evaluation.value.points()),
        depth: evaluation.and_then(|evaluation| evaluation.depth),
        nodes: evaluation.and_then(|evaluation| evaluation.nodes),
        better: better(game, id).map(|mv| mv.to_string()),
        line: line.iter().map(Move::to_string).collect(),
        loss: slip.map_or(0.0, |slip| (slip.loss * 1000.0).round() / 1000.0),
        grade: slip.map(|slip| slip.grade.name(ReportLanguage::English)),
    }
}

fn name(pos: &Position, mv: Move, language: ReportLanguage) -> String {
    match language {
        ReportLanguage::English => western(pos, mv),
        ReportLanguage::Japanese => japanese(pos, mv),
    }
}

fn text(
    game: &Game,
    id: NodeId,
    before: &Position,
    slip: Option<&Slip>,
    language: ReportLanguage,
) -> String {
    let node = &game[id];
    let mv = node
        .mv()
        .map_or(String::new(), |mv| name(before, mv, language));
    // Full-width letters take two columns.
    let wide = mv.chars().filter(|c| !c.is_ascii()).count();
    let pad = 12_usize.saturating_sub(mv.chars().count() + wide);
    let value = node
        .evaluation
        .as_ref()
        .map_or(0, |evaluation| evaluation.value.points());
    let depth = node
        .evaluation
        .as_ref()
        .and_then(|evaluation| evaluation.depth);
    let mut text = format!(
        "{:>4} {mv}{:pad$} {value:>+7} {:>3}",
        node.depth(),
        "",
        depth.unwrap_or(0)
    );
    if let Some(slip) = slip {
        let better = better(game, id).map(|mv| format!(" ({})", name(before, mv, language)));
        let (grade, better) = (slip.grade.name(language), better.unwrap_or_default());
        text += &format!("  {grade} -{:.0} %{better}", slip.loss * 100.0);
    }
    text
}

/// `Black Habu: 1 blunder, 0 mistakes, 2 dubious`.
fn sum(game: &Game, slips: &[Slip], color: Color, language: ReportLanguage) -> String {
    let grades = [Grade::Blunder, Grade::Mistake, Grade::Dubious];
    let counts = grades.map(|grade| {
        let own = |slip: &&Slip| game.turn(slip.node) == color.foe() && slip.grade == grade;
        format!(
            "{} {}",
            grade.name(language),
            slips.iter().filter(own).count()
        )
    });
    let side = match (color, language) {
        (Color::Black, ReportLanguage::English) => "Black",
        (Color::White, ReportLanguage::English) => "White",
        (Color::Black, ReportLanguage::Japanese) => "先手",
        (Color::White, ReportLanguage::Japanese) => "後手",
    };
    let player = &game.headers.players[color];
    format!("{side} {player}: {}", counts.join(", "))
}
