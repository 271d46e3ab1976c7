//! A player inside this process: the tournament search itself, asked without a protocol between.
//!
//! Thousands of short games need no process each: the search is asked directly, for nodes or on the
//! clock, with whatever parameters are to be tried.

use crate::player::Player;
use std::io;
use std::time::Instant;
use tesuji_eval::AnyEval;
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{
    NoListener, Params, Phase, Rules, Search, SearchControl, SearchLimits, SearchRequest,
    TimeBudget, TimeSettings,
};
use tesuji_shogi::{Position, RuleSet};
use tesuji_usi::Go;
use tesuji_usi::process::{MoveReply, MoveRequest, ProcessError};

/// A search of this program on one thread, as a player.
pub struct SearchPlayer {
    search: AnyTournament,
    rules: RuleSet,
}

impl SearchPlayer {
    /// An evaluation with a transposition table of so many bytes, by the rules of the match.
    ///
    /// # Errors
    /// If the system has no room for the tables.
    pub fn new(eval: AnyEval, table_bytes: usize, rules: RuleSet) -> io::Result<Self> {
        Ok(Self {
            search: AnyTournament::new(eval, 1, table_bytes)?,
            rules,
        })
    }

    /// The numbers it searches with.
    pub fn params(&mut self) -> &mut Params {
        self.search.params()
    }

    fn request(&self, position: Position, go: &Go) -> SearchRequest {
        SearchRequest {
            rules: Rules {
                declaration: self.rules.declaration,
                move_limit: self.rules.move_limit,
                ..Rules::default()
            },
            limits: SearchLimits {
                depth: go.depth,
                nodes: go.nodes,
                ..SearchLimits::default()
            },
            ..SearchRequest::new(position)
        }
    }

    /// What the clock allows, if there is one.
    fn budget(&mut self, position: &Position, go: &Go) -> Option<TimeBudget> {
        if let Some(time) = go.movetime {
            return Some(TimeBudget::exactly(time));
        }
        let rest = go.times.control(position.turn())?;
        let settings = TimeSettings {
            params: self.search.params().time(),
            ..TimeSettings::default()
        };
        Some(settings.budget(&rest, position.ply(), self.rules.move_limit))
    }
}

impl Player for SearchPlayer {
    fn new_game(&mut self) -> Result<(), ProcessError> {
        self.search.new_game();
        Ok(())
    }

    fn think(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, ProcessError> {
        let began = Instant::now();
        let mut position = request.start.clone();
        for &mv in request.moves {
            position.play(mv);
        }
        let budget = self.budget(&position, request.go);
        let control = SearchControl::new(Phase::Thinking, budget);
        let wanted = self.request(position, request.go);
        let result = self.search.think(&wanted, &control, &mut NoListener);
        Ok(MoveReply {
            answer: result.answer,
            ponder: result.ponder,
            time: began.elapsed(),
            value: Some(result.value),
            depth: Some(result.depth),
            nodes: Some(result.nodes),
        })
    }

    fn game_over(&mut self, _won: Option<bool>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjudicate::Adjudication;
    use crate::game::{GameEnd, GameSettings, play};
    use crate::limit::ThinkingLimit;
    use std::time::Duration;
    use tesuji_eval::Material;
    use tesuji_shogi::ByColor;

    fn player() -> SearchPlayer {
        let rules = RuleSet {
            move_limit: Some(60),
            ..RuleSet::default()
        };
        SearchPlayer::new(AnyEval::new(Material), 1 << 20, rules).unwrap()
    }

    fn settings(limit: &str) -> GameSettings {
        GameSettings {
            rules: RuleSet {
                move_limit: Some(60),
                ..RuleSet::default()
            },
            limits: ByColor([limit.parse::<ThinkingLimit>().unwrap(); 2]),
            margin: Duration::from_secs(60),
            adjudication: Adjudication::default(),
            ponder: false,
        }
    }

    #[test]
    fn the_same_nodes_give_the_same_game() {
        let moves = |_| {
            let (mut black, mut white) = (player(), player());
            let players: [&mut dyn Player; 2] = [&mut black, &mut white];
            let game = play(ByColor(players), &Position::start(), &settings("nodes=60"));
            let game = game.unwrap();
            let moves = game.moves.iter().map(|played| played.mv.to_string());
            (moves.collect::<Vec<_>>(), game.winner, game.end)
        };
        let [first, second] = [0, 1].map(moves);
        assert!(first.0.len() > 10);
        assert_eq!(first, second);
    }

    #[test]
    fn a_clock_is_kept() {
        let (mut black, mut white) = (player(), player());
        let players: [&mut dyn Player; 2] = [&mut black, &mut white];
        let game = play(ByColor(players), &Position::start(), &settings("0+0.005"));
        assert_ne!(game.unwrap().end, GameEnd::Time);
    }
}
