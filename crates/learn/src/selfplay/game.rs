//! One game of the engine against itself.

use super::openings::play_random;
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use tesuji_record::GameResult;
use tesuji_record::samples::Sample;
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{
    Answer, NoListener, Phase, Rules, Search, SearchControl, SearchLimits, SearchRequest,
};
use tesuji_shogi::rules::{Cause, Outcome, RuleSet, outcome};
use tesuji_shogi::{Color, Position};

/// How games are played and when they end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRules {
    /// How many nodes a move is searched with.
    pub nodes: u64,
    /// How often, of a hundred moves, a random one is played in place of the best.
    pub stray_percent: u32,
    /// After how many plies from its beginning a game is drawn.
    pub move_limit: u32,
    /// A game is won when both sides have seen at least this much for `resign_plies`.
    pub resign_value: i32,
    /// In how many plies in a row.
    pub resign_plies: u32,
    /// An opening that the search values beyond this is not played.
    pub opening_limit: Option<i32>,
}

impl Default for GameRules {
    fn default() -> Self {
        Self {
            nodes: 1000,
            stray_percent: 0,
            move_limit: 320,
            resign_value: 3000,
            resign_plies: 6,
            opening_limit: None,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelfplayEnding {
    /// A mate on the board or one that the search has found, or no legal move.
    Mate,
    /// The entering king.
    Declaration,
    /// Fourfold repetition.
    Repetition,
    /// Repetition by one side's checks, which loses.
    PerpetualCheck,
    /// Too many moves.
    MoveLimit,
    /// Both sides agreed for some plies on who wins.
    Resign,
    /// The opening was too lopsided to be played.
    Refused,
}

/// A game with what the search said of each of its positions.
#[derive(Clone, Debug)]
pub struct Played {
    /// The positions that were searched.
    pub samples: Vec<Sample>,
    /// Who has won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub ending: SelfplayEnding,
    /// How many nodes were searched.
    pub nodes: u64,
}

/// Plays a game from a position.
pub(super) fn play(
    search: &mut AnyTournament,
    mut pos: Position,
    rules: &GameRules,
    rng: &mut Rng,
) -> Played {
    let limit = pos.ply() + rules.move_limit;
    let (mut game, mut agreed) = (GameSamples::default(), 0i32);
    loop {
        if let Some(over) = outcome(&pos, &rule_set(limit)) {
            return game.end(over.winner, ending(over));
        }
        let request = SearchRequest {
            rules: search_rules(limit),
            limits: SearchLimits::nodes(rules.nodes),
            ..SearchRequest::new(pos.clone())
        };
        let control = SearchControl::new(Phase::Thinking, None);
        let best = search.think(&request, &control, &mut NoListener);
        game.nodes += best.nodes;
        let mv = match best.answer {
            Answer::Move(mv) => mv,
            Answer::Declare => return game.end(Some(pos.turn()), SelfplayEnding::Declaration),
            Answer::Resign => return game.end(Some(pos.turn().foe()), SelfplayEnding::Mate),
        };
        let value = best.value.points();
        let is_first = game.samples.is_empty();
        if is_first && rules.opening_limit.is_some_and(|most| value.abs() > most) {
            return game.end(None, SelfplayEnding::Refused);
        }
        let leader = if value >= 0 {
            pos.turn()
        } else {
            pos.turn().foe()
        };
        if best.value.mate_distance().is_some() {
            return game.end(Some(leader), SelfplayEnding::Mate);
        }
        game.samples.push(Sample {
            position: pos.setup().build().unwrap_or_else(|_| pos.clone()),
            value: best.value,
            mv: Some(mv),
            result: None,
            flags: 0,
        });
        agreed = agreement(agreed, value, leader, rules);
        if agreed.unsigned_abs() >= rules.resign_plies {
            return game.end(Some(leader), SelfplayEnding::Resign);
        }
        if rng.u32(..100) < rules.stray_percent {
            let _ = play_random(&mut pos, rng);
        } else {
            pos.play(mv);
        }
    }
}

/// For how many plies in a row both sides have seen a side winning: positive for Black.
fn agreement(before: i32, value: i32, leader: Color, rules: &GameRules) -> i32 {
    let sign = match leader {
        Color::Black => 1,
        Color::White => -1,
    };
    match value.abs() >= rules.resign_value {
        false => 0,
        true if before.signum() == sign => before + sign,
        true => sign,
    }
}

fn rule_set(limit: u32) -> RuleSet {
    RuleSet {
        move_limit: Some(limit),
        ..RuleSet::default()
    }
}

fn search_rules(limit: u32) -> Rules {
    Rules {
        move_limit: Some(limit),
        ..Rules::default()
    }
}

fn ending(outcome: Outcome) -> SelfplayEnding {
    match outcome.cause {
        Cause::Mate | Cause::NoMove => SelfplayEnding::Mate,
        Cause::Repetition => SelfplayEnding::Repetition,
        Cause::PerpetualCheck => SelfplayEnding::PerpetualCheck,
        Cause::MoveLimit => SelfplayEnding::MoveLimit,
        Cause::Declaration | Cause::WrongDeclaration | Cause::Try => SelfplayEnding::Declaration,
    }
}

#[derive(Default)]
struct GameSamples {
    samples: Vec<Sample>,
    nodes: u64,
}

impl GameSamples {
    fn end(mut self, winner: Option<Color>, ending: SelfplayEnding) -> Played {
        let result = winner.map_or(GameResult::Draw, GameResult::Win);
        for sample in &mut self.samples {
            sample.result = Some(result);
        }
        Played {
            samples: self.samples,
            winner,
            ending,
            nodes: self.nodes,
        }
    }
}
