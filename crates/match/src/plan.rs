//! A match as it is asked for: what can be written down, sent and played anywhere.

use crate::adjudicate::Adjudication;
use crate::game::GameSettings;
use crate::games::{GamesHeader, PlayerLine};
use crate::limit::ThinkingLimit;
use crate::player_spec::{PlayerSpec, fingerprint};
use crate::runner::{Entrant, MatchRunner};
use crate::schedule::{MatchFormat, MatchSchedule};
use crate::sprt::Sprt;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use tesuji_shogi::{ByColor, DeclarationRule, Position, RuleSet};
use tesuji_usi::process::EngineLaunch;

/// A match as it is asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchPlan {
    /// Who plays.
    pub players: Vec<PlayerSpec>,
    /// What is set for all players.
    pub options: Vec<(String, String)>,
    /// How long everybody may think who has no limit of its own.
    pub limit: ThinkingLimit,
    /// Where games begin.
    #[serde(with = "sfen_list")]
    pub openings: Vec<Position>,
    /// Shuffles the openings.
    pub seed: Option<u64>,
    /// How many openings everybody plays against everybody, two games each.
    pub rounds: usize,
    /// Whether only the first player meets the others.
    pub gauntlet: bool,
    /// Whether players think on each other's time.
    pub ponder: bool,
    /// How many milliseconds an answer may come too late.
    pub margin: u64,
    /// How many seconds a player may say nothing when no clock runs.
    pub patience: u64,
    /// After how many moves a game is drawn; 0 for never.
    pub max_moves: u32,
    /// By which rule a king enters.
    #[serde(with = "rule_name")]
    pub declaration: DeclarationRule,
    /// When a game ends early.
    pub adjudication: Adjudication,
    /// When the match has shown enough.
    pub sprt: Option<Sprt>,
}

impl MatchPlan {
    /// The match, with everything decided. `own` is this program, which plays evaluations by name.
    pub fn runner(&self, own: &Path, concurrency: usize) -> MatchRunner {
        let format = if self.gauntlet {
            MatchFormat::Gauntlet
        } else {
            MatchFormat::RoundRobin
        };
        let (players, openings) = (self.players.len(), self.openings.len());
        MatchRunner {
            entrants: self.entrants(own),
            schedule: MatchSchedule::new(format, players, openings, self.rounds, self.seed),
            openings: self.openings.clone(),
            settings: self.settings(),
            concurrency,
        }
    }

    fn settings(&self) -> GameSettings {
        GameSettings {
            rules: RuleSet {
                declaration: self.declaration,
                move_limit: Some(self.max_moves).filter(|&limit| limit > 0),
                ..RuleSet::default()
            },
            limits: ByColor([self.limit; 2]),
            margin: Duration::from_millis(self.margin),
            ponder: self.ponder,
            adjudication: self.adjudication,
        }
    }

    fn entrants(&self, own: &Path) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for spec in &self.players {
            let mut spec = spec.clone();
            spec.options = self.options.iter().cloned().chain(spec.options).collect();
            let patience = Duration::from_secs(self.patience.max(1));
            let (mut name, launch) = spec.launch(own, patience);
            while entrants.iter().any(|other| other.name == name) {
                name.push('\'');
            }
            entrants.push(Entrant {
                name,
                launch: EngineLaunch {
                    suggestions: self.suggestions(),
                    ..launch
                },
                limit: spec.limit.unwrap_or(self.limit),
            });
        }
        entrants
    }

    /// What engines should know about the rules, if they can.
    fn suggestions(&self) -> Vec<(String, String)> {
        vec![
            ("MaxMovesToDraw".into(), self.max_moves.to_string()),
            ("EnteringKingRule".into(), self.declaration.to_string()),
            ("USI_Ponder".into(), self.ponder.to_string()),
        ]
    }

    /// What the file of games says about the match.
    pub fn header(&self, runner: &MatchRunner) -> GamesHeader {
        let player = |entrant: &Entrant| PlayerLine {
            name: entrant.name.clone(),
            command: entrant.launch.command.clone(),
            options: entrant.launch.options.clone(),
            control: entrant.limit.to_string(),
        };
        let settings = &runner.settings;
        let pondering = if self.ponder { " ponder" } else { "" };
        GamesHeader {
            players: runner.entrants.iter().map(player).collect(),
            openings: fingerprint(&runner.openings),
            schedule: format!("gauntlet {} seed {:?}", self.gauntlet, self.seed),
            rules: format!(
                "{:?} {:?}{pondering}",
                settings.rules, settings.adjudication
            ),
        }
    }
}

/// Positions as SFEN.
mod sfen_list {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use tesuji_shogi::Position;

    pub(super) fn serialize<S: Serializer>(list: &[Position], out: S) -> Result<S::Ok, S::Error> {
        let sfens: Vec<String> = list.iter().map(Position::to_sfen).collect();
        sfens.serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Vec<Position>, D::Error> {
        let sfens = Vec::<String>::deserialize(input)?;
        let position = |sfen: &String| Position::from_sfen(sfen).map_err(D::Error::custom);
        sfens.iter().map(position).collect()
    }
}

/// The rule by its name.
mod rule_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tesuji_shogi::DeclarationRule;

    pub(super) fn serialize<S: Serializer>(
        rule: &DeclarationRule,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        out.collect_str(rule)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<DeclarationRule, D::Error> {
        let name = String::deserialize(input)?;
        name.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_back_and_means_the_same_match() {
        let plan = MatchPlan {
            players: vec![
                "builtin name=new".parse().unwrap(),
                "material".parse().unwrap(),
            ],
            options: vec![("Threads".into(), "1".into())],
            limit: "nodes=100".parse().unwrap(),
            openings: vec![Position::start()],
            seed: Some(3),
            rounds: 4,
            gauntlet: false,
            ponder: false,
            margin: 100,
            patience: 60,
            max_moves: 256,
            declaration: DeclarationRule::Points27,
            adjudication: Adjudication::default(),
            sprt: None,
        };
        let text = serde_json::to_string(&plan).unwrap();
        let back: MatchPlan = serde_json::from_str(&text).unwrap();
        assert_eq!(back, plan);
        let header = |plan: &MatchPlan| plan.header(&plan.runner(Path::new("tesuji"), 1));
        assert_eq!(header(&back), header(&plan));
        assert_eq!(plan.runner(Path::new("tesuji"), 1).schedule.len(), 8);
    }
}
