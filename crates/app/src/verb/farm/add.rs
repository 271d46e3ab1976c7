//! `tesuji farm add`: campaigns, with the options of the verbs of one machine.

use super::place::{StorePlace, failed, wait};
use crate::answer::{ExitStatus, Failure};
use crate::verb::book::make::{BookSetup, OrderChoice, RepetitionChoice};
use crate::verb::r#match::MatchSetup;
use crate::verb::selfplay::SelfplaySetup;
use crate::verb::tune::TuneSetup;
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::PathBuf;
use tesuji_eval::EvalSpec;
use tesuji_jobs::files::FileStore;
use tesuji_jobs::spec::{
    BookSpec, JobKind, MatchSpec, RescoreSpec, SelfplaySpec, SharedEval, TuneSpec,
};
use tesuji_jobs::store::{NewCampaign, Store};
use tesuji_learn::data::DataReader;
use tesuji_match::player_spec::PlayerSpec;
use tesuji_shogi::Color;

#[derive(Args)]
pub(super) struct Add {
    #[command(subcommand)]
    what: AddWhat,
}

// What every campaign has. A plain comment: clap would take another one for the help of the verb.
#[derive(Args)]
struct CampaignSetup {
    #[command(flatten)]
    place: StorePlace,
    /// What the campaign is called
    #[arg(long, value_name = "NAME")]
    name: String,
    /// Campaigns of a higher priority come first
    #[arg(
        long,
        default_value_t = 0,
        value_name = "N",
        allow_hyphen_values = true
    )]
    prio: i64,
    /// After how many silent seconds a job is given to another worker
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=86_400))]
    lease: i64,
    /// Which share of the jobs is done twice, by different workers, and compared
    #[arg(long, default_value_t = 0.02, value_name = "0..1")]
    check: f64,
}

#[derive(Subcommand)]
enum AddWhat {
    /// Games of the engine against itself, as training data
    Selfplay(AddSelfplay),
    /// Players against each other
    Match(AddMatch),
    /// A book whose lines win
    Book(Box<AddBook>),
    /// Numbers of the search, moved by games
    Tune(AddTune),
    /// Old positions, searched anew with another evaluation
    Rescore(AddRescore),
}

impl Add {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.what {
            AddWhat::Selfplay(add) => add.run(),
            AddWhat::Match(add) => add.run(),
            AddWhat::Book(add) => add.run(),
            AddWhat::Tune(add) => add.run(),
            AddWhat::Rescore(add) => add.run(),
        }
    }
}

impl CampaignSetup {
    fn begin(
        &self,
        kind: JobKind,
        spec: String,
        check_share: f64,
        units: i64,
        jobs: Vec<(i64, String)>,
    ) -> Result<ExitStatus, Failure> {
        let new = NewCampaign {
            name: self.name.clone(),
            kind,
            spec,
            prio: self.prio,
            lease_seconds: self.lease,
            check_share,
            units,
            jobs,
        };
        let address = self.place.address()?;
        wait(async {
            let store = Store::open(&address, 1).await?;
            store.add_campaign(&new).await
        })?;
        writeln!(std::io::stdout(), "{}: {} jobs", self.name, new.jobs.len())?;
        Ok(ExitStatus::Yes)
    }
}

fn text(spec: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(spec).map_err(failed)
}

fn shared(eval: &EvalSpec, files: &FileStore) -> Result<SharedEval, Failure> {
    SharedEval::share(eval, files).map_err(Failure::Usage)
}

#[derive(Args)]
struct AddSelfplay {
    #[command(flatten)]
    campaign: CampaignSetup,
    #[command(flatten)]
    setup: SelfplaySetup,
    /// How many games a job has; a minute's worth is right
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games_per_job: u64,
}

impl AddSelfplay {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let files = self.campaign.place.files()?;
        let setup = &self.setup;
        let openings = setup.openings_text()?.map(|(_, text)| text);
        let spec = SelfplaySpec {
            eval: shared(&setup.eval, &files)?,
            seed: setup.seed,
            games: setup.games,
            games_per_job: self.games_per_job,
            table_bytes: setup.table_bytes(),
            openings,
            random_plies: (*setup.random_plies.start(), *setup.random_plies.end()),
            rules: setup.rules(),
            format: setup.format(),
        };
        spec.openings().map_err(|error| Failure::Line {
            path: setup.openings.clone().unwrap_or_default(),
            line: error.line,
            what: error.what.into(),
        })?;
        let jobs = spec.jobs();
        let (kind, units) = (JobKind::Selfplay, jobs.len() as i64);
        self.campaign
            .begin(kind, text(&spec)?, self.campaign.check, units, jobs)
    }
}

#[derive(Args)]
struct AddMatch {
    #[command(flatten)]
    campaign: CampaignSetup,
    #[command(flatten)]
    setup: MatchSetup,
}

impl AddMatch {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let files = self.campaign.place.files()?;
        let mut plan = self.setup.plan()?;
        for player in &mut plan.players {
            share_player(player, &files)?;
        }
        let spec = MatchSpec { plan };
        if let Some(problem) = spec.problem() {
            return Err(Failure::Usage(problem));
        }
        // Games on the clock never come twice.
        let check = match spec.is_deterministic() {
            true => self.campaign.check,
            false => 0.0,
        };
        let jobs = spec.jobs();
        let (kind, units) = (JobKind::Match, jobs.len() as i64);
        self.campaign.begin(kind, text(&spec)?, check, units, jobs)
    }
}

/// Gives a player's network the name that every machine knows; its own name stays.
fn share_player(player: &mut PlayerSpec, files: &FileStore) -> Result<(), Failure> {
    if let Some(EvalSpec::Nnue(path)) = player.eval() {
        let shared = String::from(shared(&EvalSpec::Nnue(path), files)?);
        player.name = player
            .name
            .take()
            .or_else(|| player.command.first().cloned());
        player.command = vec![shared];
    }
    Ok(())
}

#[derive(Args)]
struct AddBook {
    #[command(flatten)]
    campaign: CampaignSetup,
    #[command(flatten)]
    setup: BookSetup,
    /// How many challenges are open at a time [default: as many as workers have threads]
    #[arg(long, value_name = "N")]
    parallel: Option<usize>,
}

impl AddBook {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let files = self.campaign.place.files()?;
        let setup = &self.setup;
        let plan = setup.plan()?;
        let challenger = |player: &PlayerSpec| match player.plain_eval() {
            Some(eval) => shared(&eval, &files),
            None => Err(Failure::Usage(
                "challengers on many machines are evaluations of this program, never commands"
                    .into(),
            )),
        };
        let spec = BookSpec {
            starts: plan.starts.iter().map(|start| start.to_sfen()).collect(),
            budget: setup.budget,
            challengers: [challenger(&setup.black)?, challenger(&setup.white)?],
            follows: Color::ALL.map(|color| setup.follow.includes(color)),
            repetition: match setup.repetition {
                RepetitionChoice::Black => Some('b'),
                RepetitionChoice::White => Some('w'),
                RepetitionChoice::Draw => None,
            },
            exclude: setup.exclude,
            order: match setup.order {
                OrderChoice::InTurn => "in-turn".into(),
                OrderChoice::FewestWins => "fewest-wins".into(),
                OrderChoice::FewestChallenges => "fewest-challenges".into(),
            },
            wins: setup.wins,
            games: setup.games,
            max_moves: setup.max_moves,
            resign_value: setup.resign_value,
            table_bytes: setup.hash << 20,
            mate_nodes: setup.mate_nodes,
            seed: setup.seed,
            parallel: self.parallel,
            check_share: self.campaign.check,
        };
        let units = setup.games.map_or(0, |games| games as i64);
        self.campaign
            .begin(JobKind::Book, text(&spec)?, 0.0, units, Vec::new())
    }
}

/// How many pairs of a tuning are thought to be played at a time, if nothing is said.
const TUNING_PAIRS: usize = 16;

#[derive(Args)]
struct AddTune {
    #[command(flatten)]
    campaign: CampaignSetup,
    #[command(flatten)]
    setup: TuneSetup,
}

impl AddTune {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let files = self.campaign.place.files()?;
        let setup = &self.setup;
        let (parameters, openings) = (setup.parameters()?, setup.openings()?);
        let mut spec = TuneSpec {
            header: setup.header(parameters, &openings, TUNING_PAIRS),
            evals: [
                shared(&setup.eval, &files)?,
                shared(setup.against(), &files)?,
            ],
            limit: setup.tc,
            openings: openings.iter().map(|start| start.to_sfen()).collect(),
            table_bytes: setup.table_bytes(),
            max_moves: setup.max_moves,
            adjudication: setup.adjudication(),
            check_share: self.campaign.check,
        };
        // Games on the clock never come twice.
        if !spec.is_deterministic() {
            spec.check_share = 0.0;
        }
        let units = setup.games.div_ceil(2) as i64;
        self.campaign
            .begin(JobKind::Tune, text(&spec)?, 0.0, units, Vec::new())
    }
}

#[derive(Args)]
struct AddRescore {
    #[command(flatten)]
    campaign: CampaignSetup,
    /// The positions: psv, hcpe, sbinpack, hcpe3 or pack
    input: PathBuf,
    /// Which evaluation searches: builtin, material, relation, nnue:FILE
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    /// How many nodes each position is searched with
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The transposition table, in megabytes
    #[arg(long, default_value_t = 8, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// How many positions a job has
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    records_per_job: u64,
}

impl AddRescore {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let files = self.campaign.place.files()?;
        let mut bytes = Vec::new();
        for record in DataReader::open(&self.input)? {
            bytes.extend_from_slice(&record?.0);
        }
        let records = bytes.len() as u64 / 40;
        let spec = RescoreSpec {
            input: files.put(&bytes).map_err(failed)?,
            records,
            records_per_job: self.records_per_job,
            eval: shared(&self.eval, &files)?,
            nodes: self.nodes,
            table_bytes: (self.hash as usize) << 20,
        };
        let jobs = spec.jobs();
        let (kind, units) = (JobKind::Rescore, jobs.len() as i64);
        self.campaign
            .begin(kind, text(&spec)?, self.campaign.check, units, jobs)
    }
}
