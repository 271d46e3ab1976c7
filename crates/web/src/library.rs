//! The library: every game that was played, analysed or imported, in one SQLite file.
//!
//! Nothing is taken out by a click: deleted games lie in a bin, what replaced or renamed them is
//! written down as an act and can be taken back, and a game that lost moves leaves its earlier state
//! behind. Positions are found by a number made of their SFEN, which no change of this program moves.

mod acts;
mod facts;
mod find;
mod import;
#[cfg(test)]
mod tests;

use crate::protocol::library::GameSource;
use crate::user_error::UserError;
use facts::GameFacts;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tesuji_record::{Game, TextFormat};

/// The name of the file in the folder of games.
const FILE: &str = "library.db";

/// How many earlier states of one game are kept.
const MOST_VERSIONS: i64 = 20;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    black TEXT NOT NULL, white TEXT NOT NULL, event TEXT NOT NULL, date TEXT NOT NULL,
    opening_en TEXT NOT NULL, opening_ja TEXT NOT NULL,
    result TEXT NOT NULL, plies INTEGER NOT NULL, source TEXT NOT NULL,
    digest INTEGER NOT NULL, nodes INTEGER NOT NULL,
    added INTEGER NOT NULL, changed INTEGER NOT NULL, deleted INTEGER
);
CREATE INDEX IF NOT EXISTS games_changed ON games (changed);
CREATE INDEX IF NOT EXISTS games_digest ON games (digest);
CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, kif TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS positions (
    key INTEGER NOT NULL, game INTEGER NOT NULL, PRIMARY KEY (key, game)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS positions_game ON positions (game);
CREATE TABLE IF NOT EXISTS versions (
    version INTEGER PRIMARY KEY, game INTEGER NOT NULL, at INTEGER NOT NULL,
    plies INTEGER NOT NULL, kif TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS versions_game ON versions (game);
CREATE TABLE IF NOT EXISTS acts (
    act INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS progress (
    problem TEXT PRIMARY KEY, tries INTEGER NOT NULL, solved INTEGER NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS sets (
    name TEXT PRIMARY KEY, problems TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
";

/// A game of a session that is to be kept.
pub(crate) struct KeptGame {
    pub(crate) id: u64,
    pub(crate) source: GameSource,
    pub(crate) game: Game,
}

/// Why the library cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LibraryError {
    /// The file cannot be used.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The file cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// There is no game with that number.
    #[error("there is no such game in the library")]
    NoSuchGame,
    /// A game cannot be written or read.
    #[error("{0}")]
    Record(String),
}

impl From<LibraryError> for UserError {
    fn from(error: LibraryError) -> Self {
        match error {
            LibraryError::NoSuchGame => Self::new(
                "There is no such game in the library.",
                "その棋譜はライブラリにありません。",
            ),
            error => Self::new(
                format!("The library of games cannot be used: {error}."),
                format!("棋譜ライブラリを使えません({error})。"),
            ),
        }
    }
}

/// A number for a game that is to be kept. Every browser can count so far.
pub(crate) fn fresh_id() -> u64 {
    fastrand::u64(1..1 << 53)
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

/// Milliseconds since 1970: two changes of one second have an order.
fn now_millis() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// The games of a server.
#[derive(Clone)]
pub(crate) struct Library {
    pool: SqlitePool,
}

impl Library {
    /// Opens the library in a folder, or one that lasts as long as the server.
    pub(crate) async fn open(folder: Option<&Path>) -> Result<Self, LibraryError> {
        let options = SqliteConnectOptions::new()
            .create_if_missing(true)
            .busy_timeout(Duration::from_secs(10));
        let options = match folder {
            Some(folder) => options
                .filename(private_file(folder)?)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Normal),
            None => options.in_memory(true),
        };
        // One connection: nobody waits long for it, and what is in memory is not there twice.
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .min_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(options)
            .await?;
        sqlx::raw_sql(SCHEMA).execute(&pool).await?;
        Ok(Self { pool })
    }

    /// The connection, for other things that are kept in the same file.
    pub(crate) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    /// Something small that is kept under a name.
    pub(crate) async fn setting(&self, name: &str) -> Result<Option<String>, LibraryError> {
        let found: Option<(String,)> = sqlx::query_as("SELECT value FROM settings WHERE name = ?")
            .bind(name)
            .fetch_optional(&self.pool)
            .await?;
        Ok(found.map(|(value,)| value))
    }

    /// Keeps something small under a name.
    pub(crate) async fn set_setting(&self, name: &str, value: &str) -> Result<(), LibraryError> {
        sqlx::query("INSERT OR REPLACE INTO settings VALUES (?, ?)")
            .bind(name)
            .bind(value)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Keeps a game, as a new one or in the place of its earlier state. A new game that is there
    /// already under another number is not kept twice.
    pub(crate) async fn put(
        &self,
        id: u64,
        source: GameSource,
        game: &Game,
    ) -> Result<bool, LibraryError> {
        let facts = GameFacts::of(game)?;
        let mut work = self.pool.begin().await?;
        let is_new = acts::put(&mut work, id as i64, source, &facts).await?;
        work.commit().await?;
        Ok(is_new)
    }

    /// A game.
    pub(crate) async fn game(&self, id: u64) -> Result<Game, LibraryError> {
        let found: Option<(String,)> = sqlx::query_as("SELECT kif FROM records WHERE id = ?")
            .bind(id as i64)
            .fetch_optional(&self.pool)
            .await?;
        let (kif,) = found.ok_or(LibraryError::NoSuchGame)?;
        read(&kif)
    }

    /// An earlier state of a game.
    pub(crate) async fn version(&self, version: u64) -> Result<Game, LibraryError> {
        let found: Option<(String,)> = sqlx::query_as("SELECT kif FROM versions WHERE version = ?")
            .bind(version as i64)
            .fetch_optional(&self.pool)
            .await?;
        let (kif,) = found.ok_or(LibraryError::NoSuchGame)?;
        read(&kif)
    }
}

fn read(kif: &str) -> Result<Game, LibraryError> {
    let game = TextFormat::Kif.read(kif);
    game.map_err(|error| LibraryError::Record(error.to_string()))
}

/// The file of the library, made for the user alone if it is not there yet.
fn private_file(folder: &Path) -> std::io::Result<PathBuf> {
    tesuji_record::file::create_private_folder(folder)?;
    let path = folder.join(FILE);
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(&path)?;
    Ok(path)
}
