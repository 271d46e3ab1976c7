//! What the library knows about a game without reading its record.

use super::LibraryError;
use tesuji_record::openings::Opening;
use tesuji_record::{Game, GameCursor, GameResult, TextFormat};
use tesuji_shogi::{Color, Position};

/// How many positions of one game can be found.
const MOST_POSITIONS: usize = 4000;

/// The longest name that is kept.
const LONGEST_NAME: usize = 200;

/// What is written down about a game.
pub(super) struct GameFacts {
    pub(super) black: String,
    pub(super) white: String,
    pub(super) event: String,
    /// As 2026-11-15; empty if the record does not say.
    pub(super) date: String,
    pub(super) opening: Option<Opening>,
    /// "b", "w", "d" or nothing.
    pub(super) result: &'static str,
    pub(super) plies: i64,
    /// How many nodes the tree has.
    pub(super) nodes: i64,
    pub(super) kif: String,
    pub(super) digest: i64,
    /// The numbers of all positions, each once.
    pub(super) keys: Vec<i64>,
}

impl GameFacts {
    pub(super) fn of(game: &Game) -> Result<Self, LibraryError> {
        let kif = TextFormat::Kif
            .write(game)
            .map_err(|error| LibraryError::Record(error.to_string()))?;
        let name = |text: &str| text.chars().take(LONGEST_NAME).collect();
        let result = match game.result() {
            Some(GameResult::Win(Color::Black)) => "b",
            Some(GameResult::Win(Color::White)) => "w",
            Some(GameResult::Draw) => "d",
            _ => "",
        };
        Ok(Self {
            black: name(&game.headers.players[Color::Black]),
            white: name(&game.headers.players[Color::White]),
            event: name(&game.headers.event),
            date: date_of(&game.headers.start_time),
            opening: Opening::of_game(game.start(), game.moves()),
            result,
            plies: game.moves().count() as i64,
            nodes: game.size() as i64,
            digest: digest(&kif),
            keys: keys(game),
            kif,
        })
    }
}

/// The day at the beginning of a date as records write it: `2026/11/15 10:00`, `2026-11-15`.
fn date_of(text: &str) -> String {
    let mut parts = text.trim().splitn(3, ['/', '-', '年', '月', '.']);
    let mut number = |most: u32| {
        let digits: String = parts
            .next()?
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse::<u32>().ok().filter(|number| *number <= most)
    };
    match (number(9999), number(12), number(31)) {
        (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
        _ => String::new(),
    }
}

/// A day as 2026-11-15, from seconds since 1970 (Hinnant's days from civil, 2013, backwards).
pub(super) fn day(seconds: i64) -> String {
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// A number for a text (FNV-1a: Fowler, Noll and Vo 1991).
pub(super) fn digest(text: &str) -> i64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step) as i64
}

/// The number of a position: of its SFEN without the number of the move.
pub(super) fn key(pos: &Position) -> i64 {
    let sfen = pos.to_sfen();
    digest(
        sfen.rsplit_once(' ')
            .map_or(&*sfen, |(position, _)| position),
    )
}

fn keys(game: &Game) -> Vec<i64> {
    let mut cursor = GameCursor::new(game.clone());
    let nodes = (0..game.size().min(MOST_POSITIONS)).filter_map(|index| game.node(index));
    let mut keys: Vec<i64> = nodes
        .map(|id| {
            cursor.go(id);
            key(cursor.position())
        })
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_written() {
        assert_eq!(date_of("2026/11/15 10:00:00"), "2026-11-15");
        assert_eq!(date_of("2026-1-5"), "2026-01-05");
        assert_eq!(date_of("2026年1月5日(月)"), "2026-01-05");
        assert_eq!(date_of("yesterday"), "");
        assert_eq!(date_of("2026/13/01"), "");
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(1_794_700_800), "2026-11-15");
    }

    #[test]
    fn a_position_is_the_same_whenever_it_comes() {
        let early = Position::start();
        let late = Position::from_sfen(&early.to_sfen().replace(" 1", " 77")).unwrap();
        assert_eq!(key(&early), key(&late));
    }
}
