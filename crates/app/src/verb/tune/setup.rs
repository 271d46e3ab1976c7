//! What is tuned, how, and by which games: the options that one machine and many have in common.

use crate::answer::{Failure, read_file};
use crate::verb::r#match::read_openings;
use clap::Args;
use std::path::PathBuf;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_match::adjudicate::{Adjudication, ResignRule};
use tesuji_match::limit::ThinkingLimit;
use tesuji_match::player_spec::fingerprint;
use tesuji_match::tune::{
    TuneHeader, TuneSchedule, TunedParameter, TuningGames, TuningMethod, parse_parameters,
    select_parameters,
};
use tesuji_shogi::{Position, RuleSet};

// A plain comment: clap would take another one for the help of the verb.
#[derive(Args)]
pub(crate) struct TuneSetup {
    /// Which parameters: names, `*` for any letters, separated by commas
    #[arg(long, value_name = "PATTERNS", conflicts_with = "file")]
    params: Option<String>,
    /// A file with a name, its start, least and most value and its step on each line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// How values are chosen: spsa, local or clop
    #[arg(long, default_value_t = TuningMethod::Spsa, value_name = "METHOD")]
    pub(super) method: TuningMethod,
    /// Which evaluation plays
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    pub(crate) eval: EvalSpec,
    /// Another evaluation for the other player; both sides of a trial play with both
    #[arg(long, value_name = "SPEC")]
    against: Option<EvalSpec>,
    /// How long everybody may think: nodes=N, move=SECONDS, 10+0.1, ...
    #[arg(long, default_value = "nodes=2000", value_name = "CONTROL")]
    pub(crate) tc: ThinkingLimit,
    /// A file of openings, each played from both sides; games cannot do without
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How many games in all, those of earlier runs included
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub(crate) games: u64,
    /// How many pairs of games make an iteration; twice as many as are played at a time if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    batch: Option<u64>,
    /// By which share of a step a pair that is won moves a parameter at the end (spsa)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    rate: Option<f64>,
    /// How many Elo a step must promise to be taken (local)
    #[arg(long, default_value_t = 10.0, value_name = "ELO")]
    elo: f64,
    /// Decides about chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(super) seed: u64,
    /// The transposition table of each player, in megabytes
    #[arg(long, default_value_t = 8, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// After how many moves a game is drawn; 0 for never
    #[arg(long, default_value_t = 320, value_name = "N")]
    pub(crate) max_moves: u32,
    /// End games that both players see as won by so much; 0 for never
    #[arg(long, default_value_t = 3000, value_name = "VALUE")]
    resign_value: i32,
    /// In how many moves of each player in a row
    #[arg(long, default_value_t = 4, value_name = "N")]
    resign_moves: usize,
}

fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    let share = share.filter(|share| (1e-6..=1.0).contains(share));
    share.ok_or_else(|| "expected a share of a step, as 0.01".into())
}

impl TuneSetup {
    /// What is tuned.
    pub(crate) fn parameters(&self) -> Result<Vec<TunedParameter>, Failure> {
        let parameters = match (&self.params, &self.file) {
            (Some(patterns), _) => {
                select_parameters(patterns).map_err(|error| Failure::Usage(error.to_string()))?
            }
            (None, Some(path)) => read_file(path, parse_parameters)?,
            (None, None) => {
                return Err(Failure::Usage(
                    "say what is to be tuned, with --params 'razor_*' or --file group.tsv".into(),
                ));
            }
        };
        if let Some(most) = self.method.most_parameters()
            && parameters.len() > most
        {
            let (method, found) = (self.method, parameters.len());
            return Err(Failure::Usage(format!(
                "{method} is for up to {most} parameters, and these are {found}: use --method spsa"
            )));
        }
        Ok(parameters)
    }

    /// How long it is, when so many pairs are played at a time.
    pub(super) fn schedule(&self, concurrency: usize) -> TuneSchedule {
        let batch = self.batch.map_or(2 * concurrency, |batch| batch as usize);
        let mut schedule = TuneSchedule::new(self.games.div_ceil(2), batch);
        schedule.rate = self.rate.unwrap_or(schedule.rate);
        schedule.elo = self.elo.max(0.1);
        schedule
    }

    /// Where games begin.
    pub(crate) fn openings(&self) -> Result<Vec<Position>, Failure> {
        match &self.openings {
            Some(path) => read_openings(path),
            None => Err(Failure::Usage(
                "games need openings: --openings FILE, one SFEN or `startpos moves …` a line"
                    .into(),
            )),
        }
    }

    /// The evaluation of the other player.
    pub(crate) fn against(&self) -> &EvalSpec {
        self.against.as_ref().unwrap_or(&self.eval)
    }

    /// How large the table of each player is.
    pub(crate) fn table_bytes(&self) -> usize {
        (self.hash as usize) << 20
    }

    /// When games end early.
    pub(crate) fn adjudication(&self) -> Adjudication {
        Adjudication {
            resign: (self.resign_value > 0).then_some(ResignRule {
                value: self.resign_value,
                moves: self.resign_moves,
            }),
            draw: None,
        }
    }

    fn rules(&self) -> RuleSet {
        RuleSet {
            move_limit: Some(self.max_moves).filter(|&limit| limit > 0),
            ..RuleSet::default()
        }
    }

    /// The games, on this machine.
    pub(super) fn tuning_games(
        &self,
        parameters: &[TunedParameter],
        openings: Vec<Position>,
    ) -> Result<TuningGames, Failure> {
        let settings = EvalSettings::default();
        let eval = AnyEval::choose(&self.eval, &settings)?;
        let against = match &self.against {
            Some(spec) => AnyEval::choose(spec, &settings)?,
            None => eval.clone(),
        };
        let mut games = TuningGames::new(parameters, [eval, against], self.tc, openings);
        games.table_bytes = self.table_bytes();
        games.rules = self.rules();
        games.adjudication = self.adjudication();
        Ok(games)
    }

    /// What tells one tuning from another.
    pub(crate) fn header(
        &self,
        parameters: Vec<TunedParameter>,
        openings: &[Position],
        concurrency: usize,
    ) -> TuneHeader {
        let (rules, adjudication) = (self.rules(), self.adjudication());
        let (eval, against, hash) = (&self.eval, self.against(), self.hash);
        TuneHeader {
            method: self.method,
            parameters,
            schedule: self.schedule(concurrency),
            seed: self.seed,
            players: format!(
                "{eval} – {against}, {}, {hash} MB, {rules:?}, {adjudication:?}",
                self.tc
            ),
            openings: fingerprint(openings),
        }
    }
}
