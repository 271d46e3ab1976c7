//! `tesuji farm`: campaigns for many machines, added, watched, checked and collected.

mod add;
mod bench;
mod look;
pub(crate) mod place;

use crate::answer::{ExitStatus, Failure};
use crate::interrupt::interrupt_signal;
use clap::{Args, Subcommand};
use place::{StorePlace, failed, wait};
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tesuji_jobs::collect::collect;
use tesuji_jobs::keeper::Keeper;
use tesuji_jobs::store::{CampaignState, RoleKind, Store};
use tesuji_jobs::terms::Terms;

const EXAMPLES: &str = "\
Examples:
  tesuji farm init --store farm.db                          a farm in one file
  tesuji farm add selfplay --store farm.db --name gen1 --games 100000 --nodes 5000
  tesuji work --store farm.db --threads 4                   on every machine that sees the file
  tesuji farm list --store farm.db
  tesuji farm collect --store farm.db gen1 data/gen1        as `tesuji selfplay` writes it

  export TESUJI_STORE=postgres://admin@localhost/tesuji     a farm on PostgreSQL
  tesuji farm init
  tesuji farm role anna --password-out anna.secret          a worker's role: it may call functions only
  tesuji farm keep                                          looks at results, decides, opens new jobs
  tesuji farm add match --name new --sprt 0,5 --tc nodes=20000 --rounds 2000 nnue:new.bin builtin
  tesuji farm serve-status --listen 127.0.0.1:8767          the page
  tesuji farm audit --exclude anna-pc --why 'overclocked'   its results count no more; all stays on record

A store is a file, or postgres://USER@HOST/DATABASE. A password stands in a file (--password-file), in
~/.pgpass or in TESUJI_STORE, never on the command line. docs/farm.md tells more.";

/// Shares work between many machines
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Farm {
    #[command(subcommand)]
    action: FarmAction,
}

#[derive(Subcommand)]
enum FarmAction {
    /// Makes a farm, or brings an old one up to date
    Init(Init),
    /// Makes a role that may work, or only look, on PostgreSQL
    Role(Role),
    /// Begins a campaign
    Add(Box<add::Add>),
    /// Shows campaigns and workers
    List(look::List),
    /// Hands out no more jobs of a campaign
    Pause(Named),
    /// Hands out jobs of a campaign again
    Resume(Named),
    /// Opens jobs again that failed too often
    Retry(Named),
    /// Shows who did what, and excludes workers
    Audit(look::Audit),
    /// Looks at results, decides, opens new jobs; one must be running (a file's workers do it themselves)
    Keep(Keep),
    /// Writes what a campaign has brought: a folder of samples, a file of games, a book
    Collect(Collect),
    /// Serves a page that shows how the farm stands
    ServeStatus(ServeStatus),
    /// Measures what a store can carry
    Bench(bench::FarmBench),
}

impl Farm {
    /// Does what is asked.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.action {
            FarmAction::Init(init) => init.run(),
            FarmAction::Role(role) => role.run(),
            FarmAction::Add(add) => add.run(),
            FarmAction::List(list) => list.run(),
            FarmAction::Pause(named) => named.set_state(CampaignState::Paused),
            FarmAction::Resume(named) => named.set_state(CampaignState::Running),
            FarmAction::Retry(named) => named.retry(),
            FarmAction::Audit(audit) => audit.run(),
            FarmAction::Keep(keep) => keep.run(),
            FarmAction::Collect(collect) => collect.run(),
            FarmAction::ServeStatus(serve) => serve.run(),
            FarmAction::Bench(bench) => bench.run(),
        }
    }
}

#[derive(Args)]
struct Init {
    #[command(flatten)]
    place: StorePlace,
    /// How deep workers search the positions of the signature
    #[arg(long, default_value_t = 9, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    bench_depth: u32,
}

impl Init {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let address = self.place.address()?;
        let terms = Terms::new(self.bench_depth);
        let bench = terms.bench().map_err(failed)?;
        let canary = terms.canary().map_err(failed)?;
        wait(async {
            let store = Store::init(&address).await?;
            terms.keep(&store, bench, &canary).await
        })?;
        writeln!(
            std::io::stdout(),
            "{address}: ready; workers show signature {bench} at depth {}",
            self.bench_depth
        )?;
        Ok(ExitStatus::Yes)
    }
}

#[derive(Args)]
struct Role {
    #[command(flatten)]
    place: StorePlace,
    /// What it is called
    name: String,
    /// It may only look, as the status page does
    #[arg(long)]
    reader: bool,
    /// Where its password goes; nobody else can read the file
    #[arg(long, value_name = "FILE")]
    password_out: PathBuf,
}

impl Role {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let kind = match self.reader {
            true => RoleKind::Reader,
            false => RoleKind::Worker,
        };
        let address = self.place.address()?;
        let role = wait(async {
            let store = Store::open(&address, 1).await?;
            store.add_role(&self.name, kind).await
        })?;
        let text = format!("{}\n", role.password);
        tesuji_record::file::save_private(&self.password_out, text.as_bytes()).map_err(
            |source| Failure::Write {
                path: self.password_out.clone(),
                source,
            },
        )?;
        writeln!(
            std::io::stdout(),
            "{}: its password is in {}",
            role.name,
            self.password_out.display()
        )?;
        Ok(ExitStatus::Yes)
    }
}

#[derive(Args)]
struct Named {
    #[command(flatten)]
    place: StorePlace,
    /// Which campaign
    name: String,
}

impl Named {
    fn set_state(&self, state: CampaignState) -> Result<ExitStatus, Failure> {
        let address = self.place.address()?;
        wait(async {
            let store = Store::open(&address, 1).await?;
            let campaign = store.campaign(&self.name).await?;
            store.set_campaign_state(campaign.id, state).await
        })?;
        writeln!(std::io::stdout(), "{}: {}", self.name, state.name())?;
        Ok(ExitStatus::Yes)
    }

    fn retry(&self) -> Result<ExitStatus, Failure> {
        let address = self.place.address()?;
        let count = wait(async {
            let store = Store::open(&address, 1).await?;
            let campaign = store.campaign(&self.name).await?;
            store.retry(campaign.id).await
        })?;
        writeln!(
            std::io::stdout(),
            "{}: {count} jobs are open again",
            self.name
        )?;
        Ok(ExitStatus::Yes)
    }
}

#[derive(Args)]
struct Keep {
    #[command(flatten)]
    place: StorePlace,
    /// Do what can be done now, and end
    #[arg(long)]
    once: bool,
}

impl Keep {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let (address, files) = (self.place.address()?, self.place.files()?);
        let stop = interrupt_signal(|| ()).map_err(Failure::Engine)?;
        wait(async {
            let store = Store::open(&address, 4).await.map_err(failed)?;
            let mut keeper = Keeper::new(store.clone(), files);
            if !self.once {
                let pause = Duration::from_millis(500);
                return keeper.run(&stop, pause, &|_| ()).await.map_err(failed);
            }
            let lock = store.lock_keeper().await.map_err(failed)?;
            if lock.is_none() {
                return Err(Failure::Usage("another keeper is at work".into()));
            }
            loop {
                let tally = keeper.round().await.map_err(failed)?;
                if tally.accepted + tally.refused == 0 {
                    return Ok(());
                }
            }
        })?;
        Ok(ExitStatus::Yes)
    }
}

#[derive(Args)]
struct Collect {
    #[command(flatten)]
    place: StorePlace,
    /// Which campaign
    name: String,
    /// Where it goes: a folder for self-play, a file otherwise
    output: PathBuf,
}

impl Collect {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let (address, files) = (self.place.address()?, self.place.files()?);
        let own = std::env::current_exe().map_err(Failure::Engine)?;
        let collected = wait(async {
            let store = Store::open(&address, 1).await.map_err(failed)?;
            let campaign = store.campaign(&self.name).await.map_err(failed)?;
            collect(&store, &files, &campaign, &self.output, &own)
                .await
                .map_err(failed)
        })?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{} results of {}", collected.results, self.name)?;
        for file in &collected.files {
            writeln!(out, "{}", file.display())?;
        }
        Ok(ExitStatus::Yes)
    }
}

#[derive(Args)]
struct ServeStatus {
    #[command(flatten)]
    place: StorePlace,
    /// Where browsers find it; anybody who can reach it may look
    #[arg(long, default_value = "127.0.0.1:8767", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
}

impl ServeStatus {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let address = self.place.address()?;
        let stop = interrupt_signal(|| ()).map_err(Failure::Engine)?;
        wait(async {
            let store = Store::open(&address, 2).await.map_err(failed)?;
            let tell = |place| {
                let _ = writeln!(std::io::stderr(), "the farm stands at http://{place}/");
            };
            tesuji_jobs::page::serve(store, self.listen, &stop, tell)
                .await
                .map_err(|error| Failure::Usage(format!("{}: {error}", self.listen)))
        })?;
        Ok(ExitStatus::Yes)
    }
}
