//! The store of a farm: campaigns, jobs, workers, results, and a log of everything that happened.
//!
//! The statements are the same on SQLite and PostgreSQL, but for what workers call: functions with the
//! rights of their owner there (`worker_calls`), the same steps in one transaction here.

mod admin;
mod audit;
mod error;
mod keeper_calls;
mod load_calls;
mod migrate;
mod protocol;
mod roles;
mod sqlite;
mod status_calls;
mod worker_calls;

pub use admin::{CampaignRow, CampaignState, NewCampaign, QueueCounts, WorkerRow};
pub use audit::{AuditEvent, Dispute, ExclusionReport};
pub use error::StoreError;
pub use keeper_calls::{InboxResult, KeeperLock, Taken};
pub use protocol::{Claimed, Completion, Enrollment, JobReport, LARGEST_PAYLOAD};
pub use roles::{RoleKind, WorkerRole};
pub use status_calls::{DecisionLine, FailureLine, ResultSums, WorkerStatus};

use crate::address::StoreAddress;
use sqlx::AssertSqlSafe;
use sqlx::any::AnyPoolOptions;
use sqlx::{Any, AnyConnection, AnyPool, Executor, Transaction};
use std::path::PathBuf;
use std::time::Duration;

type Tx = Transaction<'static, Any>;

/// Which database speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// A file.
    Sqlite,
    /// A server.
    Postgres,
}

impl Dialect {
    /// The time now, in milliseconds since 1970, by the clock of the database.
    const fn now(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            Self::Postgres => "tesuji.now_ms()",
        }
    }
}

/// An open store.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    dialect: Dialect,
    /// The file, where there is one.
    file: Option<PathBuf>,
}

/// How long a connection may take, and how long one may be waited for.
const PATIENCE: Duration = Duration::from_secs(15);

impl Store {
    /// Opens a store that exists.
    ///
    /// # Errors
    /// If it cannot be reached, or was made by another version of this program.
    pub async fn open(address: &StoreAddress, connections: u32) -> Result<Self, StoreError> {
        let store = Self::connect(address, connections, false).await?;
        store.check_version().await?;
        Ok(store)
    }

    /// Opens a store, or makes one, and brings it to the version of this program.
    ///
    /// # Errors
    /// If it cannot be reached or changed.
    pub async fn init(address: &StoreAddress) -> Result<Self, StoreError> {
        let store = Self::connect(address, 1, true).await?;
        store.migrate().await?;
        Ok(store)
    }

    async fn connect(
        address: &StoreAddress,
        connections: u32,
        create: bool,
    ) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let (url, dialect, file) = match address {
            StoreAddress::File(path) => {
                if !create && !path.exists() {
                    return Err(StoreError::Missing(path.clone()));
                }
                let mode = if create { "rwc" } else { "rw" };
                let url = format!("sqlite://{}?mode={mode}", escaped(&path.to_string_lossy()));
                (url, Dialect::Sqlite, Some(path.clone()))
            }
            StoreAddress::Postgres { url, .. } => (url.clone(), Dialect::Postgres, None),
        };
        let options = AnyPoolOptions::new()
            .max_connections(connections.max(1))
            .acquire_timeout(PATIENCE)
            .idle_timeout(Duration::from_secs(600))
            .after_connect(move |connection, _| Box::pin(prepare(connection, dialect)));
        let pool = options.connect(&url).await?;
        Ok(Self {
            pool,
            dialect,
            file,
        })
    }

    /// Which database it is.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Ends all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// A statement in the words of this database: `{now}` is its time.
    fn sql(&self, text: &str) -> AssertSqlSafe<String> {
        // Safe: every text is written in this crate, and values are bound.
        AssertSqlSafe(text.replace("{now}", self.dialect.now()))
    }

    /// Begins a transaction that may write.
    async fn begin(&self) -> Result<sqlx::Transaction<'static, sqlx::Any>, StoreError> {
        Ok(match self.dialect {
            // Otherwise two readers that both want to write would stop each other.
            Dialect::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await?,
            Dialect::Postgres => self.pool.begin().await?,
        })
    }
}

/// What every connection is told first.
async fn prepare(connection: &mut AnyConnection, dialect: Dialect) -> Result<(), sqlx::Error> {
    let text = match dialect {
        // A result that was acknowledged is on disk.
        Dialect::Sqlite => {
            "PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON;"
        }
        Dialect::Postgres => "SET search_path = tesuji, pg_temp",
    };
    connection.execute(sqlx::raw_sql(text)).await?;
    Ok(())
}

/// A path inside an address: what would end it there is written as a number.
fn escaped(path: &str) -> String {
    path.replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23")
}
