//! `tesuji farm bench`: what a store can carry, measured with made-up clients.

use super::place::{StorePlace, wait};
use crate::answer::{ExitStatus, Failure, write_json};
use clap::Args;
use std::io::Write;
use std::time::Duration;
use tesuji_jobs::load::{Load, LoadRow};
use tesuji_jobs::store::{Store, StoreError};

/// The longest name of what is measured.
const WIDTH: usize = 44;

#[derive(Args)]
pub(super) struct FarmBench {
    #[command(flatten)]
    place: StorePlace,
    /// How many clients claim and complete at a time
    #[arg(
        long,
        default_value = "1,8,64",
        value_delimiter = ',',
        value_name = "N,N,…"
    )]
    clients: Vec<usize>,
    /// How many jobs wait in the queue
    #[arg(
        long,
        default_value = "10000,100000,1000000",
        value_delimiter = ',',
        value_name = "N,N,…"
    )]
    queue: Vec<i64>,
    /// How many workers say that they live
    #[arg(long, default_value_t = 1000, value_name = "N")]
    workers: usize,
    /// How long each measurement takes, in seconds
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    seconds: u64,
    /// How many connections there are at most
    #[arg(long, default_value_t = 64, value_name = "N")]
    connections: u32,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
}

impl FarmBench {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let address = self.place.address()?;
        if !self.json {
            writeln!(
                std::io::stdout(),
                "{:<WIDTH$} {:>7} {:>8} {:>9} {:>9} {:>9} {:>9} {:>10}",
                "what",
                "clients",
                "calls",
                "calls/s",
                "median ms",
                "99 % ms",
                "most ms",
                "server ms"
            )?;
        }
        wait(async {
            let store = Store::open(&address, self.connections).await?;
            self.measure(&store).await
        })?;
        Ok(ExitStatus::Yes)
    }

    async fn measure(&self, store: &Store) -> Result<(), StoreError> {
        let time = Duration::from_secs(self.seconds);
        let stamp = store.now().await?;
        for &clients in &self.clients {
            for batch in [1, 10] {
                let name = format!("bench {stamp} {clients} by {batch}");
                let load = Load::begin(store.clone(), &name, clients, 50_000).await?;
                self.print(&load.cycles(time, batch).await?);
                load.end().await?;
            }
        }
        for &jobs in &self.queue {
            let name = format!("bench {stamp} queue of {jobs}");
            let load = Load::begin(store.clone(), &name, 8, jobs).await?;
            let mut row = load.cycles(time, 1).await?;
            row.what = format!("claim 1, complete, {jobs} in the queue");
            self.print(&row);
            load.end().await?;
        }
        let name = format!("bench {stamp} beats");
        let jobs = self.workers as i64;
        let load = Load::begin(store.clone(), &name, self.workers, jobs).await?;
        self.print(&load.heartbeats(time, 2).await?);
        load.end().await
    }

    fn print(&self, row: &LoadRow) {
        let mut out = std::io::stdout().lock();
        // Whoever does not listen gets no rows; the measurement goes on.
        let _ = match self.json {
            true => write_json(&mut out, row),
            false => writeln!(
                out,
                "{:<WIDTH$} {:>7} {:>8} {:>9.1} {:>9.2} {:>9.2} {:>9.2} {:>10}",
                row.what,
                row.clients,
                row.calls,
                row.per_second,
                row.median_ms,
                row.p99_ms,
                row.most_ms,
                row.server_ms.map_or("–".into(), |ms| format!("{ms:.3}"))
            ),
        };
    }
}
