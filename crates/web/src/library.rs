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
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
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
    Database(#[from] rusqlite::Error),
    /// The file cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// There is no game with that number.
    #[error("there is no such game in the library")]
    NoSuchGame,
    /// What was done there is not known, so that it cannot be taken back.
    #[error("this change of the library cannot be taken back")]
    UnknownAct,
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
            LibraryError::UnknownAct => Self::new(
                "This change of the library cannot be taken back.",
                "ライブラリのこの変更は取り消せません。",
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
    fastrand::u64(1 << 10..1 << 53)
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

/// The games of a server. One connection: nobody waits long for it, and what is in memory is not there
/// twice.
#[derive(Clone)]
pub(crate) struct GameLibrary {
    connection: Arc<Mutex<Connection>>,
}

/// How long another program may keep the file to itself.
const PATIENCE: Duration = Duration::from_secs(10);

impl GameLibrary {
    /// Opens the library in a folder, or one that lasts as long as the server.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, LibraryError> {
        let connection = match folder {
            Some(folder) => Connection::open(private_file(folder)?)?,
            None => Connection::open_in_memory()?,
        };
        connection.busy_timeout(PATIENCE)?;
        if folder.is_some() {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
        }
        connection.execute_batch(SCHEMA)?;
        Ok(Self {
            connection: Arc::new(Mutex::new(connection)),
        })
    }

    /// Looks something up, or changes something by one statement. Whoever serves pages meanwhile moves
    /// to another thread.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&Connection) -> T) -> T {
        tokio::task::block_in_place(|| {
            let connection = self.connection.lock();
            work(&connection.unwrap_or_else(PoisonError::into_inner))
        })
    }

    /// Changes something, as a whole or not at all.
    fn change<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, LibraryError>,
    ) -> Result<T, LibraryError> {
        self.with(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
    }

    /// Something small that is kept under a name.
    pub(crate) fn setting(&self, name: &str) -> Result<Option<String>, LibraryError> {
        let sql = "SELECT value FROM settings WHERE name = ?";
        Ok(self.with(|db| db.query_row(sql, [name], text).optional())?)
    }

    /// Keeps something small under a name.
    pub(crate) fn set_setting(&self, name: &str, value: &str) -> Result<(), LibraryError> {
        let sql = "INSERT OR REPLACE INTO settings VALUES (?, ?)";
        self.with(|db| db.execute(sql, params![name, value]))?;
        Ok(())
    }

    /// Keeps a game, as a new one or in the place of its earlier state. A new game that is there
    /// already under another number is not kept twice.
    pub(crate) fn put(
        &self,
        id: u64,
        source: GameSource,
        game: &Game,
    ) -> Result<bool, LibraryError> {
        let facts = GameFacts::of(game)?;
        self.change(|db| acts::put(db, id as i64, source, &facts))
    }

    /// A game.
    pub(crate) fn game(&self, id: u64) -> Result<Game, LibraryError> {
        self.record("SELECT kif FROM records WHERE id = ?", id)
    }

    /// An earlier state of a game.
    pub(crate) fn version(&self, version: u64) -> Result<Game, LibraryError> {
        self.record("SELECT kif FROM versions WHERE version = ?", version)
    }

    fn record(&self, sql: &str, number: u64) -> Result<Game, LibraryError> {
        let found = self.with(|db| db.query_row(sql, [number as i64], text).optional())?;
        read(&found.ok_or(LibraryError::NoSuchGame)?)
    }
}

/// The first column as a text.
fn text(row: &Row<'_>) -> rusqlite::Result<String> {
    row.get(0)
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
