//! Where games begin: given positions or places in given games, then a few random moves.

use fastrand::Rng;
use std::ops::RangeInclusive;
use tesuji_shogi::{Board, Move, Position, movegen};

/// Why a text is no list of openings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct OpeningsError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// No place to begin was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "no opening with a legal move was found in {TRIES} tries: fewer random plies, or other openings"
)]
pub struct NoOpening;

/// How often a beginning is drawn before it is given up: where one of a hundred is good, not one of a
/// thousand million million runs gives up.
const TRIES: usize = 4096;

/// Positions and games that new games branch off from.
///
/// ```
/// use tesuji_learn::selfplay::Openings;
/// let openings = Openings::parse("startpos moves 7g7f 3c3d\n", 0..=4).unwrap();
/// let mut rng = fastrand::Rng::with_seed(1);
/// assert!(openings.draw(&mut rng).unwrap().ply() <= 7);
/// assert!(Openings::parse("startpos moves 7g7e", 0..=4).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Openings {
    lines: Vec<(Position, Vec<Move>)>,
    random_plies: RangeInclusive<u32>,
}

impl Openings {
    /// The start position, then so many random plies.
    pub fn start(random_plies: RangeInclusive<u32>) -> Self {
        Self {
            lines: vec![(Position::start(), Vec::new())],
            random_plies,
        }
    }

    /// One position a line, as SFEN or as the USI `position` command writes it; a line with moves
    /// stands for every position of that game. Empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// If a line is no position or has no legal move, or a move in it is illegal, or there is no line at
    /// all.
    pub fn parse(text: &str, random_plies: RangeInclusive<u32>) -> Result<Self, OpeningsError> {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim().trim_start_matches("position ");
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let parsed = parse_line(line).map_err(|what| OpeningsError { line: number, what })?;
            lines.push(parsed);
        }
        if lines.is_empty() {
            let what = "there is no position: give one SFEN a line".to_owned();
            return Err(OpeningsError { line: 1, what });
        }
        Ok(Self {
            lines,
            random_plies,
        })
    }

    /// How many lines there are to begin from.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// A number that other openings are not likely to have.
    pub(super) fn fingerprint(&self) -> u64 {
        // Fowler, Noll and Vo: the same number whatever compiled the program.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |text: &str| {
            for byte in text.bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        add(&format!("{:?}", self.random_plies));
        for (start, moves) in &self.lines {
            add(&start.to_sfen());
            moves.iter().for_each(|mv| add(&mv.to_string()));
        }
        hash
    }

    /// Whether there are none; there always are.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A beginning with a move to play. Its past is forgotten: a game begins here.
    ///
    /// # Errors
    /// If random moves hardly ever lead to one.
    pub fn draw(&self, rng: &mut Rng) -> Result<Position, NoOpening> {
        for _ in 0..TRIES {
            let (start, moves) = &self.lines[rng.usize(..self.lines.len())];
            let mut pos = start.clone();
            for &mv in &moves[..rng.usize(..=moves.len())] {
                pos.play(mv);
            }
            let plies = rng.u32(self.random_plies.clone());
            let whole = (0..plies).all(|_| play_random(&mut pos, rng).is_some());
            if whole && movegen::has_legal_move(&pos) {
                return Ok(pos.setup().build().unwrap_or(pos));
            }
        }
        Err(NoOpening)
    }
}

/// Plays a random legal move; `None` if there is none.
pub(super) fn play_random(pos: &mut Position, rng: &mut Rng) -> Option<Move> {
    let moves = pos.legal_moves();
    let nth = (!moves.is_empty()).then(|| rng.usize(..moves.len()))?;
    let mv = moves.iter().nth(nth)?;
    pos.play(mv);
    Some(mv)
}

fn parse_line(line: &str) -> Result<(Position, Vec<Move>), String> {
    let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
    let start = start.trim().trim_start_matches("sfen ").trim();
    let pos = Position::from_sfen(start).map_err(|error| error.to_string())?;
    if !movegen::has_legal_move(&pos) {
        return Err(format!("there is no legal move in {}", pos.to_sfen()));
    }
    let (mut end, mut played) = (pos.clone(), Vec::new());
    for word in moves.split_whitespace() {
        let mv: Move = word
            .parse()
            .map_err(|error| format!("{word:?} is no move: {error}"))?;
        if !end.is_legal(mv) {
            return Err(format!("{mv} is illegal in {}", end.to_sfen()));
        }
        end.play(mv);
        played.push(mv);
    }
    Ok((pos, played))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_that_is_not_there_is_not_looked_for_forever() {
        let mated = "k8/1G7/1P7/9/9/9/9/9/8K w - 1";
        let openings = Openings {
            lines: vec![(Position::from_sfen(mated).unwrap(), Vec::new())],
            random_plies: 0..=0,
        };
        assert_eq!(openings.draw(&mut Rng::with_seed(1)), Err(NoOpening));
    }
}
