//! What evaluations say about a game: where it turned, and a picture of it.

mod graph;
#[cfg(test)]
mod tests;

pub use graph::graph;

use crate::comments::add_line;
use crate::game::{Game, GamePosition, NodeId};
use crate::names::{japanese, western};
use tesuji_shogi::{Color, Value};

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// 疑問手: it cost a twentieth of the game.
    Dubious,
    /// 悪手: a tenth.
    Mistake,
    /// 大悪手: a fifth.
    Blunder,
}

impl Grade {
    /// The grade for a loss of winning chance.
    pub fn of_loss(loss: f64) -> Option<Self> {
        match loss {
            _ if loss >= 0.2 => Some(Self::Blunder),
            _ if loss >= 0.1 => Some(Self::Mistake),
            _ if loss >= 0.05 => Some(Self::Dubious),
            _ => None,
        }
    }

    /// Its name.
    pub const fn name(self, language: ReportLanguage) -> &'static str {
        match (self, language) {
            (Self::Dubious, ReportLanguage::English) => "dubious",
            (Self::Mistake, ReportLanguage::English) => "mistake",
            (Self::Blunder, ReportLanguage::English) => "blunder",
            (Self::Dubious, ReportLanguage::Japanese) => "疑問手",
            (Self::Mistake, ReportLanguage::Japanese) => "悪手",
            (Self::Blunder, ReportLanguage::Japanese) => "大悪手",
        }
    }
}

/// In which language remarks are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReportLanguage {
    /// With moves such as P-7f.
    English,
    /// With moves such as ▲７六歩.
    Japanese,
}

/// A move that cost something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slip {
    /// The node of the move.
    pub node: NodeId,
    /// What the position before was worth, for Black.
    pub before: Value,
    /// What the position after is worth, for Black.
    pub after: Value,
    /// How much of the winning chance it cost its player, 0 to 1.
    pub loss: f64,
    /// How bad that is.
    pub grade: Grade,
}

/// By how many points a side must be ahead to win e times as often as it loses: what fits half a
/// million positions of games that the evaluation inside the program played against itself at 1,500
/// nodes a move (docs/network.md). The page of the board has the same figure.
pub const WIN_SCALE: f64 = 540.0;

/// The chance of winning that a value stands for, 0 to 1.
///
/// ```
/// use tesuji_record::analysis::chance;
/// use tesuji_shogi::Value;
/// assert_eq!(chance(Value::ZERO), 0.5);
/// assert!(chance(Value::new(540)) > 0.73 && chance(Value::mate_in(5)) > 0.999);
/// ```
pub fn chance(value: Value) -> f64 {
    1.0 / (1.0 + (-f64::from(value.points()) / WIN_SCALE).exp())
}

/// How well a move was played that cost so much of the winning chance, 0 to 100: the curve that
/// lichess fitted to its games (2022), 100 without a loss and about a half after a fifth.
///
/// ```
/// use tesuji_record::analysis::accuracy;
/// assert!(accuracy(0.0) > 99.9 && accuracy(1.0) < 0.1);
/// assert!((40.0..50.0).contains(&accuracy(0.18)));
/// ```
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss.clamp(0.0, 1.0)).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The moves of the main line that cost their player at least a twentieth of the game. A move is
/// judged if both it and the one before it were evaluated.
pub fn slips(game: &Game) -> Vec<Slip> {
    game.main_line().filter_map(|id| slip(game, id)).collect()
}

fn slip(game: &Game, node: NodeId) -> Option<Slip> {
    game[node].mv()?;
    let value = |id: NodeId| {
        game[id]
            .evaluation
            .as_ref()
            .map(|evaluation| evaluation.value)
    };
    let (before, after) = (value(game[node].parent()?)?, value(node)?);
    let gain = chance(after) - chance(before);
    let loss = match game.turn(node).foe() {
        Color::Black => -gain,
        Color::White => gain,
    };
    Some(Slip {
        node,
        before,
        after,
        loss,
        grade: Grade::of_loss(loss)?,
    })
}

/// Writes a line about every slip into the comment of its move, with the move that was expected
/// instead: `悪手 34 → -512 (△８四歩)`. What an earlier analysis wrote that way is taken out.
/// Gives the slips.
pub fn annotate(game: &mut Game, language: ReportLanguage) -> Vec<Slip> {
    let line: Vec<_> = game.main_line().collect();
    for id in line {
        let comment = &mut game[id].comment;
        if comment.lines().any(is_remark) {
            let kept: Vec<_> = comment.lines().filter(|line| !is_remark(line)).collect();
            *comment = kept.join("\n");
        }
    }
    let slips = slips(game);
    let mut place = GamePosition::start(game);
    for slip in &slips {
        let Some(parent) = game[slip.node].parent() else {
            continue;
        };
        place.go(game, parent);
        let expected = game[parent]
            .evaluation
            .as_ref()
            .and_then(|e| e.line.first().copied());
        let expected = expected.filter(|&mv| game[slip.node].mv() != Some(mv));
        let expected = expected.map(|mv| match language {
            ReportLanguage::English => format!(" ({})", western(place.position(), mv)),
            ReportLanguage::Japanese => format!(" ({})", japanese(place.position(), mv)),
        });
        let line = format!(
            "{} {} → {}{}",
            slip.grade.name(language),
            slip.before.points(),
            slip.after.points(),
            expected.unwrap_or_default()
        );
        add_line(&mut game[slip.node].comment, &line);
    }
    slips
}

/// Whether a line is one that [`annotate`] writes.
fn is_remark(line: &str) -> bool {
    let mut words = line.split(' ');
    let grade = words.next().unwrap_or_default();
    let is_number = |word: Option<&str>| word.is_some_and(|word| word.parse::<i32>().is_ok());
    let names = [Grade::Dubious, Grade::Mistake, Grade::Blunder].map(|grade| {
        [ReportLanguage::English, ReportLanguage::Japanese].map(|language| grade.name(language))
    });
    names.as_flattened().contains(&grade)
        && is_number(words.next())
        && words.next() == Some("→")
        && is_number(words.next())
}
