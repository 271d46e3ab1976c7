//! The text formats by name, and what each of them can keep of a game.

use crate::comments::{tidy, tidy_line};
use crate::encoding::Encoding;
use crate::ending::Ending;
use crate::error::{ReadError, WriteError};
use crate::evaluation::Evaluation;
use crate::game::{Game, GameCursor, NodeId, Step};
use crate::headers::Headers;
use crate::{csa, jkf, ki2, kif, usi};
use std::time::Duration;
use tesuji_game::TimeControl;
use tesuji_shogi::{ByColor, Position};

/// How many lines before a fault are left out at most.
const MOST_CUTS: usize = 3;

/// A text format for games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextFormat {
    /// CSA 2.2.
    Csa,
    /// CSA 3.0.
    Csa3,
    /// KIF.
    Kif,
    /// KI2.
    Ki2,
    /// JKF.
    Jkf,
    /// One line per game, as in USI.
    Usi,
}

impl TextFormat {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Csa,
        Self::Csa3,
        Self::Kif,
        Self::Ki2,
        Self::Jkf,
        Self::Usi,
    ];

    /// A short name, which is also the usual extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csa => "csa",
            Self::Csa3 => "csa3",
            Self::Kif => "kif",
            Self::Ki2 => "ki2",
            Self::Jkf => "jkf",
            Self::Usi => "usi",
        }
    }

    /// The format that a name or an extension stands for, and the encoding that is usual there.
    pub fn from_name(name: &str) -> Option<(Self, Encoding)> {
        Some(match name.to_ascii_lowercase().as_str() {
            "csa" => (Self::Csa, Encoding::Utf8),
            "csa3" => (Self::Csa3, Encoding::Utf8),
            "kif" => (Self::Kif, Encoding::ShiftJis),
            "kifu" => (Self::Kif, Encoding::Utf8),
            "ki2" => (Self::Ki2, Encoding::ShiftJis),
            "ki2u" => (Self::Ki2, Encoding::Utf8),
            "jkf" | "json" | "jsonl" => (Self::Jkf, Encoding::Utf8),
            "usi" | "sfen" | "sfens" => (Self::Usi, Encoding::Utf8),
            _ => return None,
        })
    }

    /// Reads one game.
    pub fn read(self, text: &str) -> Result<Game, ReadError> {
        match self {
            Self::Csa | Self::Csa3 => csa::read(text),
            Self::Kif | Self::Ki2 => kif::read(text),
            Self::Jkf => jkf::read(text),
            Self::Usi => usi::read(text),
        }
    }

    /// Reads one game as far as it can be read: what stands before the first fault, and the fault.
    ///
    /// ```
    /// use tesuji_record::TextFormat;
    /// let text = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ９九玉(11)\n   4 投了\n";
    /// let (game, fault) = TextFormat::Kif.read_so_far(text).unwrap();
    /// assert_eq!(game.moves().count(), 2);
    /// assert_eq!(fault.unwrap().line, 3);
    /// ```
    ///
    /// # Errors
    /// If not even one move or a position can be read.
    pub fn read_so_far(self, text: &str) -> Result<(Game, Option<ReadError>), ReadError> {
        let fault = match self.read(text) {
            Ok(game) => return Ok((game, None)),
            Err(fault) => fault,
        };
        if self == Self::Jkf {
            return Err(fault);
        }
        let lines: Vec<&str> = text.lines().collect();
        let mut before = fault.line.saturating_sub(1).min(lines.len());
        let mut found = None;
        // That a move is illegal may be told only by the line behind it: then one more is left out.
        for _ in 0..MOST_CUTS {
            let faulty = lines.get(before).copied().unwrap_or_default();
            found = self.read_with_words(&lines[..before], faulty);
            if found.is_some() || before == 0 {
                break;
            }
            before -= 1;
        }
        match found {
            Some(game) => Ok((game, Some(fault))),
            None => Err(fault),
        }
    }

    /// Reads lines, and as many words of the line behind them as can be read; `None` if that holds
    /// no move.
    fn read_with_words(self, lines: &[&str], faulty: &str) -> Option<Game> {
        let ends = faulty.char_indices().filter(|(_, c)| c.is_whitespace());
        let ends: Vec<usize> = std::iter::once(0).chain(ends.map(|(at, _)| at)).collect();
        let mut kept = lines.join("\n");
        kept.push('\n');
        let size = kept.len();
        let mut read = |words: usize| {
            kept.truncate(size);
            kept.push_str(&faulty[..ends[words]]);
            self.read(&kept).ok()
        };
        // Whether a beginning can be read is told by its last word: all shorter ones can be.
        let (mut good, mut bad) = (0, ends.len());
        let mut best = read(0);
        while bad - good > 1 {
            let middle = usize::midpoint(good, bad);
            match read(middle) {
                Some(game) => (good, best) = (middle, Some(game)),
                None => bad = middle,
            }
        }
        best.filter(|game| game.size() > 1)
    }

    /// Writes one game, in UTF-8.
    pub fn write(self, game: &Game) -> Result<String, WriteError> {
        self.write_as(game, Encoding::Utf8)
    }

    /// Writes one game; the encoding is named where the format does that.
    fn write_as(self, game: &Game, encoding: Encoding) -> Result<String, WriteError> {
        // What is written must read back, so nobody's line breaks may come between.
        let game = &self.keeps(game);
        Ok(match self {
            Self::Csa => csa::write(game, csa::Version::V2),
            Self::Csa3 => csa::write(game, csa::Version::V3),
            Self::Kif => kif::write(game, encoding.name()),
            Self::Ki2 => ki2::write(game, encoding.name()),
            Self::Jkf => return jkf::write(game),
            Self::Usi => usi::write(game),
        })
    }

    /// Writes one game as bytes.
    pub fn write_bytes(self, game: &Game, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
        let text = self.write_as(game, encoding)?;
        let text = match (self, encoding) {
            (Self::Csa3, Encoding::ShiftJis) => text.replacen("UTF-8", "SHIFT_JIS", 1),
            _ => text,
        };
        crate::encoding::encode(&text, encoding)
    }

    /// What the format keeps of a game: exactly this is read back after writing.
    ///
    /// ```
    /// use tesuji_record::{Game, TextFormat};
    /// let mut game = Game::default();
    /// game.push("7g7f".parse().unwrap()).unwrap();
    /// game[Game::ROOT].comment = "A game without an end.".into();
    /// assert_eq!(TextFormat::Kif.keeps(&game), game);
    /// assert_ne!(TextFormat::Usi.keeps(&game), game);
    /// ```
    pub fn keeps(self, game: &Game) -> Game {
        let start = match self {
            Self::Usi => game.start().clone(),
            // Only SFEN has a number for the first move.
            _ => without_ply(game.start()),
        };
        let mut kept = Game::new(start);
        kept.headers = self.sayable(&game.headers);
        let mut cursor = GameCursor::new(kept);
        self.keep_remarks(game, Game::ROOT, &mut cursor);
        // What is still to be copied: a node, and where its parent went.
        let mut open: Vec<(NodeId, NodeId)> = Vec::new();
        self.open_children(game, Game::ROOT, Game::ROOT, &mut open);
        while let Some((id, parent)) = open.pop() {
            cursor.go(parent);
            match game[id].step() {
                Step::Move(mv) if cursor.play(mv).is_ok() => {}
                Step::End(ending) => {
                    let ending = self.keep_ending(ending, cursor.position());
                    cursor.end(ending);
                }
                _ => continue,
            }
            let copy = cursor.at();
            self.keep_remarks(game, id, &mut cursor);
            self.open_children(game, id, copy, &mut open);
        }
        cursor.finish()
    }

    fn open_children(
        self,
        game: &Game,
        id: NodeId,
        copy: NodeId,
        open: &mut Vec<(NodeId, NodeId)>,
    ) {
        let children = game[id].children().iter();
        let most = match self {
            Self::Csa | Self::Csa3 | Self::Usi => 1,
            _ => usize::MAX,
        };
        let keeps_end = self != Self::Usi;
        let kept: Vec<_> = children
            .take(most)
            .filter(|&&child| keeps_end || game[child].ending().is_none())
            .collect();
        open.extend(kept.into_iter().rev().map(|&child| (child, copy)));
    }

    fn keep_ending(self, ending: Ending, pos: &Position) -> Ending {
        match (self, ending) {
            (Self::Ki2, Ending::Foul { by, .. }) => Ending::Foul { by, made: None },
            (_, Ending::Foul { by, made }) => Ending::Foul {
                by,
                made: made.and_then(|_| ending.made(pos)),
            },
            (
                Self::Csa | Self::Csa3,
                Ending::Sealed | Ending::WonByDefault | Ending::LostByDefault,
            ) => Ending::Interruption,
            _ => ending,
        }
    }

    fn keep_remarks(self, game: &Game, id: NodeId, cursor: &mut GameCursor) {
        if self == Self::Usi {
            return;
        }
        let node = &game[id];
        let time = node.time.filter(|_| id != Game::ROOT && self != Self::Ki2);
        let time = time.map(|time| match self {
            Self::Csa3 => Duration::from_millis(time.as_millis() as u64),
            _ => Duration::from_secs(time.as_secs()),
        });
        let evaluation = node.evaluation.as_ref().map(|evaluation| Evaluation {
            line: playable(cursor.position(), &evaluation.line),
            ..evaluation.clone()
        });
        let copy = cursor.node();
        copy.time = time;
        copy.comment = tidy(&node.comment);
        copy.evaluation = evaluation;
    }

    /// The headers without anything that would be read back as something else.
    fn sayable(self, headers: &Headers) -> Headers {
        if self == Self::Usi {
            return Headers::default();
        }
        let is_kept = |key: &str, value: &str| match self {
            Self::Csa | Self::Csa3 => csa::keeps_header(key, value),
            _ => kif::keeps_header(key, value),
        };
        let others = headers.others.iter();
        let others = others.map(|(key, value)| (tidy_line(key), tidy_line(value)));
        Headers {
            players: ByColor([0, 1].map(|side| tidy_line(&headers.players.0[side]))),
            event: tidy_line(&headers.event),
            site: tidy_line(&headers.site),
            start_time: tidy_line(&headers.start_time),
            end_time: tidy_line(&headers.end_time),
            opening: tidy_line(&headers.opening),
            note: tidy(&headers.note),
            clocks: ByColor(headers.clocks.0.map(|clock| clock.map(to_millis))),
            move_limit: headers.move_limit,
            declaration_points: headers.declaration_points,
            others: others.filter(|(key, value)| is_kept(key, value)).collect(),
        }
    }
}

fn to_millis(clock: TimeControl) -> TimeControl {
    // Longer than a century is not a clock but a mistake.
    let cut =
        |time: Duration| Duration::from_millis(time.as_millis().min(3_000_000_000_000) as u64);
    TimeControl {
        main: cut(clock.main),
        byoyomi: cut(clock.byoyomi),
        increment: cut(clock.increment),
        ..TimeControl::default()
    }
}

fn without_ply(start: &Position) -> Position {
    let mut setup = start.setup();
    setup.ply = 1;
    setup.build().unwrap_or_else(|_| start.clone())
}

/// A line as far as it can be played.
fn playable(pos: &Position, line: &[tesuji_shogi::Move]) -> Vec<tesuji_shogi::Move> {
    let mut pos = pos.clone();
    line.iter()
        .copied()
        .take_while(|&mv| pos.try_play(mv).is_ok())
        .collect()
}
