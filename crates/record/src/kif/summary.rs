//! `まで123手で先手の勝ち`: the last line of a game, and the only word of KI2 about its end.

use super::headers::side_name;
use crate::ending::{Ending, GameResult};
use crate::game::{Game, NodeId};
use tesuji_shogi::Color;

/// The summary of a line that ends at a node.
pub(crate) fn write_summary(game: &Game, id: NodeId, ending: Ending) -> String {
    let turn = game.turn(id);
    let moves = game[id].depth() - 1;
    let name = |color| side_name(game, color);
    let winner = match ending.result(turn) {
        Some(GameResult::Win(winner)) => name(winner),
        _ => "",
    };
    let what = match ending {
        Ending::Resignation => format!("{winner}の勝ち"),
        Ending::Time => format!("時間切れにより{winner}の勝ち"),
        Ending::Foul { by, .. } if by == turn => format!("{}の反則負け", name(by)),
        Ending::Foul { by, .. } => format!("{}の反則勝ち", name(by.foe())),
        Ending::Declaration => format!("{winner}の入玉勝ち"),
        _ => ending.japanese(turn).into(),
    };
    format!("まで{moves}手で{what}")
}

/// The ending that a summary tells, given who is to move.
pub(super) fn read(line: &str, turn: Color) -> Option<Ending> {
    let what = line.strip_prefix("まで")?.split_once("手で")?.1.trim();
    if let Some(ending) = Ending::from_japanese(what, turn) {
        return Some(ending);
    }
    let (by_time, what) = match what.strip_prefix("時間切れにより") {
        Some(rest) => (true, rest),
        None => (false, what),
    };
    let (side, word) = what.split_once('の')?;
    let side = match side {
        "先手" | "下手" => Color::Black,
        "後手" | "上手" => Color::White,
        _ => return None,
    };
    let foul = |by| Some(Ending::Foul { by, made: None });
    match word {
        "反則負け" => foul(side),
        "反則勝ち" => foul(side.foe()),
        "入玉勝ち" if side == turn => Some(Ending::Declaration),
        "勝ち" if by_time && side != turn => Some(Ending::Time),
        "勝ち" if side != turn => Some(Ending::Resignation),
        _ => None,
    }
}
