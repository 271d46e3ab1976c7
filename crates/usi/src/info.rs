//! The `info` lines: what an engine sees while it thinks.

use super::tokens::{Tokens, number, signed};
use std::fmt;
use tesuji_shogi::{Bound, Move, Value};

/// What an engine sees; what it does not tell is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// The iteration.
    pub depth: Option<u32>,
    /// The longest line looked at.
    pub seldepth: Option<u32>,
    /// Since the question was asked, in milliseconds.
    pub time: Option<u64>,
    /// How many positions were visited.
    pub nodes: Option<u64>,
    /// How many of them in a second.
    pub nps: Option<u64>,
    /// How many thousandths of the table are in use.
    pub hashfull: Option<u32>,
    /// Which of several best lines it is, from 1.
    pub multipv: Option<u32>,
    /// What the position is worth.
    pub score: Option<UsiScore>,
    /// The move that is being searched.
    pub currmove: Option<Move>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// The best line.
    pub pv: Vec<Move>,
    /// A word after the line that is no move: `resign`, `win`, `rep_draw` and the like.
    pub pv_end: Option<String>,
    /// A message for people.
    pub text: Option<String>,
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsiScore {
    /// How much.
    pub worth: ScoreValue,
    /// Whether that is the value or a bound of it.
    pub bound: Bound,
}

/// How much a position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreValue {
    /// In hundredths of a pawn.
    Points(i32),
    /// A mate in so many plies; the side to move is mated if it is negative or 0.
    Mate(i32),
    /// The side to move mates; nobody knows when.
    Mating,
    /// The side to move is mated; nobody knows when.
    Mated,
}

impl UsiScore {
    /// What a search says, for a GUI.
    pub fn of(value: Value, bound: Bound) -> Self {
        let worth = match value.mate_distance() {
            Some(plies) => ScoreValue::Mate(plies),
            None => ScoreValue::Points(value.points()),
        };
        Self { worth, bound }
    }

    /// What it says as one number: a mate is worth about [`Value::MATE`].
    pub fn value(self) -> Value {
        // A mate of unknown length counts as a long one.
        const LONG: i32 = 500;
        let limit = Value::MATE_FLOOR.points() - 1;
        match self.worth {
            ScoreValue::Points(points) => Value::new(points.clamp(-limit, limit)),
            ScoreValue::Mate(plies) if plies > 0 => Value::mate_in(plies.min(LONG)),
            ScoreValue::Mate(plies) => Value::mated_in(plies.max(-LONG).abs()),
            ScoreValue::Mating => Value::mate_in(LONG),
            ScoreValue::Mated => Value::mated_in(LONG),
        }
    }

    fn read(tokens: &mut Tokens<'_>) -> Option<Self> {
        let worth = match tokens.next()? {
            "cp" => ScoreValue::Points(signed(tokens.next()?)?),
            "mate" => match tokens.next()? {
                "+" | "+0" => ScoreValue::Mating,
                "-" | "-0" => ScoreValue::Mated,
                plies => ScoreValue::Mate(signed(plies)?),
            },
            _ => return None,
        };
        let bound = match tokens.peek() {
            Some("lowerbound") => Bound::Lower,
            Some("upperbound") => Bound::Upper,
            _ => Bound::Exact,
        };
        if bound != Bound::Exact {
            tokens.next();
        }
        Some(Self { worth, bound })
    }
}

impl fmt::Display for UsiScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.worth {
            ScoreValue::Points(points) => write!(f, "score cp {points}")?,
            ScoreValue::Mate(plies) => write!(f, "score mate {plies}")?,
            ScoreValue::Mating => write!(f, "score mate +")?,
            ScoreValue::Mated => write!(f, "score mate -")?,
        }
        match self.bound {
            Bound::Exact => Ok(()),
            Bound::Lower => write!(f, " lowerbound"),
            Bound::Upper => write!(f, " upperbound"),
        }
    }
}

impl Info {
    /// A message for people.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// Reads what follows the word `info`; tokens it does not know are passed over.
    pub(super) fn read(tokens: &mut Tokens<'_>) -> Self {
        let mut info = Self::default();
        while let Some(word) = tokens.next() {
            match word {
                "depth" => info.depth = small(tokens),
                "seldepth" => info.seldepth = small(tokens),
                "time" => info.time = tokens.next().and_then(number),
                "nodes" => info.nodes = tokens.next().and_then(number),
                "nps" => info.nps = tokens.next().and_then(number),
                "hashfull" => info.hashfull = small(tokens),
                "multipv" => info.multipv = small(tokens),
                "currmovenumber" => info.currmovenumber = small(tokens),
                "score" => info.score = UsiScore::read(tokens),
                "currmove" => info.currmove = tokens.next().and_then(|word| word.parse().ok()),
                "pv" => info.read_line(tokens),
                "string" => {
                    info.text = Some(tokens.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }

    fn read_line(&mut self, tokens: &mut Tokens<'_>) {
        for word in tokens.by_ref() {
            match word.parse() {
                Ok(mv) => self.pv.push(mv),
                Err(_) => {
                    self.pv_end = Some(word.to_owned());
                    break;
                }
            }
        }
        // Nothing may follow the line.
        *tokens = Tokens::new("");
    }
}

fn small(tokens: &mut Tokens<'_>) -> Option<u32> {
    let number = tokens.next().and_then(number)?;
    Some(u32::try_from(number).unwrap_or(u32::MAX))
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info")?;
        let numbers = [
            ("depth", self.depth.map(u64::from)),
            ("seldepth", self.seldepth.map(u64::from)),
            ("multipv", self.multipv.map(u64::from)),
        ];
        let more = [
            ("nodes", self.nodes),
            ("nps", self.nps),
            ("hashfull", self.hashfull.map(u64::from)),
            ("time", self.time),
        ];
        let write = |f: &mut fmt::Formatter<'_>, told: &[(&str, Option<u64>)]| {
            told.iter().try_for_each(|(word, number)| match number {
                Some(number) => write!(f, " {word} {number}"),
                None => Ok(()),
            })
        };
        write(f, &numbers)?;
        if let Some(score) = self.score {
            write!(f, " {score}")?;
        }
        write(f, &more)?;
        if let Some(mv) = self.currmove {
            write!(f, " currmove {mv}")?;
        }
        write(f, &[("currmovenumber", self.currmovenumber.map(u64::from))])?;
        if let Some(text) = &self.text {
            return write!(f, " string {text}");
        }
        if !self.pv.is_empty() || self.pv_end.is_some() {
            write!(f, " pv")?;
        }
        self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        self.pv_end.iter().try_for_each(|word| write!(f, " {word}"))
    }
}
