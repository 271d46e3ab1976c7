//! What stands above the moves: names, places, dates, clocks.

use tesuji_game::TimeControl;
use tesuji_shogi::{ByColor, Color};

/// What is known about a game besides its moves. An empty text means "not known".
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Headers {
    /// Who played.
    pub players: ByColor<String>,
    /// 棋戦: the tournament.
    pub event: String,
    /// 場所: where it was played.
    pub site: String,
    /// 開始日時: when it began, best as `2026/11/15 10:00:00`.
    pub start_time: String,
    /// 終了日時: when it ended.
    pub end_time: String,
    /// 戦型: what the opening is called.
    pub opening: String,
    /// 備考: anything else worth saying, in lines.
    pub note: String,
    /// 持ち時間: how much time each side had.
    pub clocks: ByColor<Option<TimeControl>>,
    /// 最大手数: after how many moves the game was to be drawn.
    pub move_limit: Option<u32>,
    /// How many points a declaration needed at least: 24 or 27.
    pub declaration_points: Option<u8>,
    /// Whatever else a record had, in its order.
    pub others: Vec<(String, String)>,
}

impl Headers {
    /// The value of a header that has no field of its own.
    pub fn other(&self, key: &str) -> Option<&str> {
        let mut others = self.others.iter();
        others
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// Gives both sides the same clock.
    pub fn set_clock(&mut self, clock: TimeControl) {
        self.clocks = ByColor([Some(clock); 2]);
    }

    /// The clock of both sides, if it is the same.
    pub fn common_clock(&self) -> Option<TimeControl> {
        self.clocks[Color::Black].filter(|_| self.clocks[Color::Black] == self.clocks[Color::White])
    }
}

/// A note of several lines as one.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

/// `\n` and `\\` of a note.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain += &rest[..at];
        let (c, used) = match rest.as_bytes().get(at + 1) {
            Some(b'n') => ('\n', 2),
            Some(b'\\') => ('\\', 2),
            _ => ('\\', 1),
        };
        plain.push(c);
        rest = &rest[at + used..];
    }
    plain + rest
}
