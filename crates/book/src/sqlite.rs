//! The store in SQLite: every position once, a game or an answer in one transaction.
//!
//! The tables (`sql/book.sql`) and all statements are such that PostgreSQL takes them as well. What is
//! added is merged with what is there, as everywhere else. A file is known by the number of the
//! program in its header, before SQLite opens it: nothing is done to files of others. Readers may look
//! while somebody writes; two writers would not know of each other's moves, so there is only one.

mod rows;

use crate::codec::pack;
use crate::entry::BookEntry;
use crate::error::{BookError, BookPlace, BookProblem};
use crate::graph::BookSource;
use crate::store::FactStore;
use futures_executor::block_on;
use rows::{MoveRow, PositionRow, SourceRow};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, QueryBuilder, Sqlite};
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;
use tesuji_kernels::open_input;
use tesuji_record::file::NewNamedFile;
use tesuji_record::packed::Packed;
use tesuji_shogi::Position;

const SCHEMA: &str = include_str!("../sql/book.sql");
/// Whose file it is: bytes 68 to 71 of the header.
const APPLICATION: u32 = u32::from_be_bytes(*b"Tbok");
/// Which tables it has: bytes 60 to 63.
const VERSION: u32 = 1;
/// How many positions are read or written at a time.
const BATCH: usize = 400;
/// How long a reader waits for a writer.
const PATIENCE: Duration = Duration::from_secs(20);

impl From<sqlx::Error> for BookError {
    fn from(error: sqlx::Error) -> Self {
        let what = match error {
            sqlx::Error::Database(error) => error.message().to_owned(),
            error => error.to_string(),
        };
        BookProblem::Database(what).at(BookPlace::File)
    }
}

/// Looks at the header. `false` if the file is empty, as an empty store may be.
fn is_store(path: &Path) -> Result<bool, BookError> {
    let mut header = Vec::new();
    open_input(path, u64::MAX)?
        .take(100)
        .read_to_end(&mut header)?;
    let foreign =
        |what: &str| Err(BookProblem::Kind("book in SQLite", what.to_owned()).at(BookPlace::File));
    let number = |at: usize| {
        header[at..at + 4]
            .iter()
            .fold(0, |sum, &byte| sum << 8 | u32::from(byte))
    };
    match header.len() {
        0 => Ok(false),
        100 if header.starts_with(b"SQLite format 3\0") => match (number(68), number(60)) {
            (APPLICATION, VERSION) => Ok(true),
            (APPLICATION, _) => foreign("another version of this program made it"),
            _ => foreign("it is a database of another program"),
        },
        _ => foreign("it does not begin with SQLite format 3"),
    }
}

async fn connect(path: &Path, is_new: bool) -> Result<SqliteConnection, BookError> {
    let mut options = SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(PATIENCE);
    if is_new {
        // Until it has its name nobody misses it.
        options = options
            .journal_mode(SqliteJournalMode::Off)
            .synchronous(SqliteSynchronous::Off)
            .foreign_keys(false);
    }
    Ok(options.connect().await?)
}

/// Makes sure that the tables are as they were made, before anybody uses what they say about
/// themselves: sqlx takes that for text without looking.
async fn check_tables(connection: &mut SqliteConnection) -> Result<(), BookError> {
    let found: Vec<(Vec<u8>,)> =
        sqlx::query_as("SELECT CAST(sql AS BLOB) FROM sqlite_master WHERE type = 'table'")
            .fetch_all(connection)
            .await?;
    let statements = SCHEMA
        .split(';')
        .filter_map(|text| text.find("CREATE").map(|at| &text[at..]));
    for statement in statements {
        if !found.iter().any(|(sql,)| sql == statement.as_bytes()) {
            let what = "its tables are damaged, or those of another program".to_owned();
            return Err(BookProblem::Kind("book in SQLite", what).at(BookPlace::File));
        }
    }
    Ok(())
}

/// A book in SQLite that is read; it stays on disk.
#[derive(Debug)]
pub struct SqliteBook {
    /// `None` for an empty file.
    connection: Option<SqliteConnection>,
    is_empty: bool,
}

impl SqliteBook {
    /// Opens a file. An empty one is an empty book.
    ///
    /// # Errors
    /// If it cannot be opened or is another kind of file.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        if !is_store(path)? {
            return Ok(Self {
                connection: None,
                is_empty: true,
            });
        }
        block_on(async {
            let mut connection = connect(path, false).await?;
            check_tables(&mut connection).await?;
            let first = sqlx::query_as::<_, (i64,)>("SELECT id FROM book_position LIMIT 1")
                .fetch_optional(&mut connection)
                .await?;
            Ok(Self {
                connection: Some(connection),
                is_empty: first.is_none(),
            })
        })
    }

    /// Whether it has no positions.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// What it knows of a position.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(&mut self, pos: &Position) -> Result<Option<BookEntry>, BookError> {
        let (Some(connection), Ok(key)) = (&mut self.connection, pack(pos)) else {
            return Ok(None);
        };
        let found = block_on(find(connection, &key))?;
        Ok(found.map(|(_, entry)| entry))
    }

    /// Everything, in the order it came, a few hundred positions in memory at a time.
    pub fn entries(self) -> SqliteEntries {
        SqliteEntries {
            connection: self.connection,
            last: i64::MIN,
            ready: VecDeque::new(),
        }
    }
}

/// A position with its number.
async fn find(
    connection: &mut SqliteConnection,
    key: &Packed,
) -> Result<Option<(i64, BookEntry)>, BookError> {
    let position: Option<PositionRow> = sqlx::query_as(rows::POSITION)
        .bind(&key[..])
        .fetch_optional(&mut *connection)
        .await?;
    let Some(position) = position else {
        return Ok(None);
    };
    let id = position.0;
    let moves: Vec<MoveRow> = sqlx::query_as(rows::MOVES)
        .bind(id)
        .bind(id)
        .fetch_all(connection)
        .await?;
    let mut entry = rows::position(&position)?;
    for row in moves {
        entry.moves.push(rows::book_move(row)?);
    }
    Ok(Some((id, entry)))
}

/// The entries of a book in SQLite.
#[derive(Debug)]
pub struct SqliteEntries {
    connection: Option<SqliteConnection>,
    last: i64,
    ready: VecDeque<Result<BookEntry, BookError>>,
}

impl SqliteEntries {
    /// The next few hundred; none at the end.
    async fn batch(&mut self) -> Result<(), BookError> {
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        let positions: Vec<PositionRow> = sqlx::query_as(rows::NEXT_POSITIONS)
            .bind(self.last)
            .bind(BATCH as i64)
            .fetch_all(&mut *connection)
            .await?;
        let (Some(first), Some(last)) = (positions.first(), positions.last()) else {
            return Ok(());
        };
        let moves: Vec<MoveRow> = sqlx::query_as(rows::MOVES)
            .bind(first.0)
            .bind(last.0)
            .fetch_all(connection)
            .await?;
        self.last = last.0;
        let mut moves = moves.into_iter().peekable();
        for position in &positions {
            let mut entry = rows::position(position);
            while let Some(row) = moves.next_if(|row| row.0 <= position.0) {
                let book_move = rows::book_move(row);
                match (&mut entry, book_move) {
                    (Ok(entry), Ok(book_move)) => entry.moves.push(book_move),
                    (Ok(_), Err(error)) => entry = Err(error),
                    (Err(_), _) => {}
                }
            }
            self.ready.push_back(entry);
        }
        Ok(())
    }
}

impl Iterator for SqliteEntries {
    type Item = Result<BookEntry, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && let Err(error) = block_on(self.batch())
        {
            // Whatever follows cannot be trusted.
            self.connection = None;
            return Some(Err(error));
        }
        self.ready.pop_front()
    }
}

/// The numbers that rows are given.
#[derive(Clone, Debug, Default)]
struct Numbers {
    position: i64,
    sources: HashMap<BookSource, i64>,
}

impl Numbers {
    async fn read(connection: &mut SqliteConnection) -> Result<Self, BookError> {
        let (last,): (Option<i64>,) = sqlx::query_as("SELECT MAX(id) FROM book_position")
            .fetch_one(&mut *connection)
            .await?;
        let sources: Vec<SourceRow> =
            sqlx::query_as("SELECT id, kind, engine, nodes FROM book_source")
                .fetch_all(connection)
                .await?;
        let mut numbers = Self {
            position: last.unwrap_or(0),
            ..Self::default()
        };
        for (id, kind, engine, nodes) in sources {
            numbers
                .sources
                .insert(rows::source(&kind, engine, nodes)?, id);
        }
        Ok(numbers)
    }

    fn next_position(&mut self) -> i64 {
        self.position += 1;
        self.position
    }

    /// The number of a source, which is added if it is new.
    async fn source(
        &mut self,
        connection: &mut SqliteConnection,
        source: &BookSource,
    ) -> Result<i64, BookError> {
        if let Some(&id) = self.sources.get(source) {
            return Ok(id);
        }
        let id = self.sources.values().max().map_or(0, |last| last + 1);
        let (kind, engine, nodes) = rows::source_row(source);
        sqlx::query("INSERT INTO book_source (id, kind, engine, nodes) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(kind)
            .bind(engine)
            .bind(nodes)
            .execute(connection)
            .await?;
        self.sources.insert(source.clone(), id);
        Ok(id)
    }

    /// Writes entries under their numbers, in the place of what was there.
    async fn put(
        &mut self,
        connection: &mut SqliteConnection,
        entries: &[(i64, BookEntry)],
    ) -> Result<(), BookError> {
        for entries in entries.chunks(BATCH) {
            let mut positions = Vec::with_capacity(entries.len());
            let mut moves = Vec::new();
            for (id, entry) in entries {
                let key = pack(&entry.pos).map_err(|problem| problem.at(BookPlace::File))?;
                positions.push((*id, key, entry));
                for (place, book_move) in entry.moves.iter().enumerate() {
                    let source = self.source(connection, &book_move.source).await?;
                    moves.push((*id, place, book_move, source));
                }
            }
            let mut query = QueryBuilder::<Sqlite>::new(rows::PUT_POSITIONS);
            query.push_values(positions, rows::bind_position);
            query.push(rows::OR_REPLACE_POSITIONS);
            query
                .build()
                .persistent(false)
                .execute(&mut *connection)
                .await?;
            for moves in moves.chunks(BATCH) {
                let mut query = QueryBuilder::<Sqlite>::new(rows::PUT_MOVES);
                query.push_values(moves, rows::bind_move);
                query.push(rows::OR_REPLACE_MOVES);
                query
                    .build()
                    .persistent(false)
                    .execute(&mut *connection)
                    .await?;
            }
        }
        Ok(())
    }
}

/// Writes a book from the beginning, each of its positions once. It takes its name when it is complete.
///
/// # Errors
/// If an entry cannot be had, or the file cannot be written.
pub fn write(
    path: &Path,
    entries: impl Iterator<Item = Result<BookEntry, BookError>>,
) -> Result<(), BookError> {
    let file = NewNamedFile::create(path)?;
    let mut entries = entries.peekable();
    block_on(async {
        let mut connection = connect(file.path(), true).await?;
        let mut numbers = Numbers::default();
        let marks =
            format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
        let mut work = connection.begin().await?;
        sqlx::raw_sql(sqlx::AssertSqlSafe(marks))
            .execute(&mut *work)
            .await?;
        sqlx::raw_sql(SCHEMA).execute(&mut *work).await?;
        while entries.peek().is_some() {
            let mut batch = Vec::with_capacity(BATCH);
            for entry in entries.by_ref().take(BATCH) {
                batch.push((numbers.next_position(), entry?));
            }
            numbers.put(&mut work, &batch).await?;
        }
        work.commit().await?;
        connection.close().await?;
        Ok::<_, BookError>(())
    })?;
    Ok(file.keep()?)
}

/// A book in SQLite that grows.
#[derive(Debug)]
pub struct SqliteStore {
    connection: SqliteConnection,
    numbers: Numbers,
    waiting: Vec<BookEntry>,
    /// Held as long as the connection, which is above: closing any other handle of a file gives up
    /// the locks that SQLite has on it.
    _only_writer: File,
}

impl SqliteStore {
    /// Opens a store, or makes one, and hands everything it holds to `see`.
    ///
    /// # Errors
    /// If the file cannot be opened or is another one, or somebody else writes to it.
    pub fn open(path: &Path, mut see: impl FnMut(BookEntry)) -> Result<Self, BookError> {
        let is_there = match is_store(path) {
            Ok(is_store) => is_store,
            Err(error) if error.is_missing() => false,
            Err(error) => return Err(error),
        };
        if !is_there {
            write(path, std::iter::empty())?;
        }
        let only_writer = only_writer(path)?;
        let mut entries = SqliteBook::open(path)?.entries();
        for entry in entries.by_ref() {
            see(entry?);
        }
        let connection = entries.connection.take();
        let mut connection =
            connection.ok_or_else(|| io::Error::other("it was emptied meanwhile"))?;
        let numbers = block_on(Numbers::read(&mut connection))?;
        Ok(Self {
            connection,
            numbers,
            waiting: Vec::new(),
            _only_writer: only_writer,
        })
    }

    /// Merges what waits with what is there, all or nothing.
    async fn commit(&mut self, waiting: &[BookEntry]) -> Result<(), BookError> {
        let mut work = self.connection.begin().await?;
        let mut changed: Vec<(i64, BookEntry)> = Vec::new();
        let mut places: HashMap<Packed, usize> = HashMap::new();
        for entry in waiting {
            let key = pack(&entry.pos).map_err(|problem| problem.at(BookPlace::File))?;
            if let Some(&place) = places.get(&key) {
                changed[place].1.merge(entry);
                continue;
            }
            places.insert(key, changed.len());
            changed.push(match find(&mut work, &key).await? {
                Some((id, mut known)) => {
                    known.merge(entry);
                    (id, known)
                }
                None => {
                    // What is said twice of one move counts twice, as everywhere.
                    let mut new = BookEntry::new(entry.pos.clone(), Vec::new());
                    new.merge(entry);
                    (self.numbers.next_position(), new)
                }
            });
        }
        self.numbers.put(&mut work, &changed).await?;
        Ok(work.commit().await?)
    }
}

impl FactStore for SqliteStore {
    fn append(&mut self, entry: &BookEntry) -> Result<(), BookError> {
        self.waiting.push(entry.clone());
        Ok(())
    }

    fn sync(&mut self) -> Result<(), BookError> {
        let waiting = std::mem::take(&mut self.waiting);
        let before = self.numbers.clone();
        block_on(self.commit(&waiting)).inspect_err(|_| {
            // It may be tried again: the disk may have room then.
            self.numbers = before;
            self.waiting = waiting;
        })
    }
}

/// Makes sure that nobody else writes to a store, for as long as the handle lives.
fn only_writer(path: &Path) -> Result<File, BookError> {
    let file = File::open(path)?;
    // Elsewhere this lock and those of SQLite would shut each other out.
    #[cfg(target_os = "linux")]
    file.try_lock().map_err(|_| crate::store::busy())?;
    Ok(file)
}

#[cfg(test)]
mod tests;
