//! `tesuji work`: a worker of a farm.

use crate::answer::{ExitStatus, Failure};
use crate::interrupt::interrupt_signal;
use crate::verb::farm::place::{StorePlace, failed};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tesuji_jobs::address::StoreAddress;
use tesuji_jobs::files::FileStore;
use tesuji_jobs::keeper::Keeper;
use tesuji_jobs::spec::JobKind;
use tesuji_jobs::store::Store;
use tesuji_jobs::worker::{WorkerConfig, WorkerEvent, work};
use tesuji_kernels::StopSignal;

const EXAMPLES: &str = "\
Examples:
  tesuji work --store farm.db --threads 4
  tesuji work --store postgres://anna@farm.example/tesuji --password-file anna.secret --kinds selfplay,match

The worker shows the signature of its search and plays a game whose result is known; then it takes jobs.
A result is on disk before it is told: after a kill or a lost connection the same command (with the same
--name) tells it. Ctrl-C or SIGTERM gives unfinished jobs back; --finish finishes them first.
Where the farm is a file, the workers keep it themselves; on PostgreSQL `tesuji farm keep` must run.";

/// Works for a farm
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Work {
    #[command(flatten)]
    place: StorePlace,
    /// How many jobs are done at a time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Which kinds of jobs are taken
    #[arg(
        long,
        default_value = "selfplay,match,book,tune,rescore",
        value_delimiter = ',',
        value_name = "KIND,…"
    )]
    kinds: Vec<JobKind>,
    /// What this worker calls itself; two on one machine need two names
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where results wait until the farm has them
    #[arg(long, default_value = "farm-spool", value_name = "FOLDER")]
    spool: PathBuf,
    /// How many jobs each thread takes at once
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    batch: u16,
    /// Finish what was begun when asked to stop, instead of giving it back
    #[arg(long)]
    finish: bool,
    /// End after so many seconds without work
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,
    /// Say nothing about single jobs
    #[arg(long)]
    quiet: bool,
}

impl Work {
    /// Works until it is asked to stop.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let (address, files) = (self.place.address()?, self.place.files()?);
        let config = WorkerConfig {
            address: address.clone(),
            name: self.name.clone().unwrap_or_else(machine_name),
            cpu: processor(),
            threads: self.threads.into(),
            kinds: self.kinds.clone(),
            batch: self.batch.into(),
            spool: self.spool.clone(),
            files: files.clone(),
            program: std::env::current_exe().map_err(Failure::Engine)?,
            finishes: self.finish,
            idle: self.idle.map(Duration::from_secs),
        };
        let stop = interrupt_signal(|| ()).map_err(Failure::Engine)?;
        let is_over = StopSignal::default();
        let tally = std::thread::scope(|scope| {
            if matches!(address, StoreAddress::File(_)) {
                scope.spawn(|| keep(&address, files, &is_over));
            }
            let tally = work(&config, &stop, &|event| self.tell(&config.name, &event));
            is_over.stop();
            tally
        });
        let tally = tally.map_err(failed)?;
        let busy = (tally.work_millis + tally.store_millis).max(1);
        writeln!(
            std::io::stderr(),
            "{}: {} jobs done, {} failed, {} given back; {:.2} % of the time went to the farm",
            config.name,
            tally.done,
            tally.failed,
            tally.given_back,
            100.0 * tally.store_millis as f64 / busy as f64
        )?;
        Ok(match stop.is_stopped() {
            true => ExitStatus::Interrupted,
            false => ExitStatus::Yes,
        })
    }

    fn tell(&self, name: &str, event: &WorkerEvent) {
        let line = match event {
            WorkerEvent::Enrolled(id) => format!("working as worker {id}"),
            WorkerEvent::Done { .. } if self.quiet => return,
            WorkerEvent::Done { job, kind, time } => {
                format!("job {job} ({kind}) done in {:.1} s", time.as_secs_f64())
            }
            WorkerEvent::NotTaken(job) => format!("job {job}: the result was not needed any more"),
            WorkerEvent::Refused(job) => format!("job {job}: the result was refused as corrupt"),
            WorkerEvent::Failed(job, why) => format!("job {job} failed: {why}"),
            WorkerEvent::Waiting(why, pause) => {
                format!("{why}; next try in {:.0} s", pause.as_secs_f64())
            }
        };
        let _ = writeln!(std::io::stderr(), "{name}: {line}");
    }
}

/// Keeps a farm that is a file, unless another worker does.
fn keep(address: &StoreAddress, files: FileStore, stop: &StopSignal) {
    let kept = tesuji_jobs::block_on(async {
        let store = Store::open(address, 2).await.map_err(failed)?;
        let mut keeper = Keeper::new(store, files);
        let pause = Duration::from_millis(500);
        keeper.run(stop, pause, &|_| ()).await.map_err(failed)
    });
    let error = match kept {
        Ok(Ok(())) => return,
        Ok(Err(failure)) => failure.to_string(),
        Err(error) => error.to_string(),
    };
    let _ = writeln!(std::io::stderr(), "tesuji: the farm is not kept: {error}");
}

/// What this machine is called.
fn machine_name() -> String {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let name = name.trim();
    match name.is_empty() {
        true => "worker".into(),
        false => name.chars().take(60).collect(),
    }
}

/// Which processor this machine has.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let name = line
        .and_then(|line| line.split_once(':'))
        .map(|(_, name)| name.trim());
    let name: String = name
        .unwrap_or(std::env::consts::ARCH)
        .chars()
        .take(100)
        .collect();
    name
}
