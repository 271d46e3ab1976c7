//! What a campaign has brought, as the files that one machine would have written: samples, games, books.

use crate::files::{FileStore, FileStoreError};
use crate::spec::{BookSpec, JobKind, MatchSpec, SelfplaySpec, TuneSpec};
use crate::store::{CampaignRow, Store, StoreError};
use crate::work::{BookGame, SelfplayPayload, TuneReplica, games_of, outcome_of};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tesuji_match::games::GamesFile;
use tesuji_match::journal::Journal;
use tesuji_match::tune::IterationLine;
use tesuji_record::file::NewFile;

/// Why nothing can be collected.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file is missing or corrupt.
    #[error(transparent)]
    File(#[from] FileStoreError),
    /// A file cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A result or a specification makes no sense: a message for people.
    #[error("{0}")]
    Content(String),
}

/// What was collected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collected {
    /// How many results.
    pub results: u64,
    /// Which files were written.
    pub files: Vec<PathBuf>,
}

/// Writes what a campaign has brought so far: samples and their journal into a folder, games, records,
/// the journal of a tuning or a book into a file. `program` is what the games file of a match names as its player.
///
/// # Errors
/// If something is missing, or cannot be written. Files are whole or not there.
pub async fn collect(
    store: &Store,
    files: &FileStore,
    campaign: &CampaignRow,
    output: &Path,
    program: &Path,
) -> Result<Collected, CollectError> {
    match campaign.kind {
        JobKind::Selfplay => selfplay(store, files, campaign, output).await,
        JobKind::Match => games(store, campaign, output, program).await,
        JobKind::Book => book(store, campaign, output).await,
        JobKind::Rescore => records(store, files, campaign, output).await,
        JobKind::Tune => tuning(store, campaign, output).await,
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> CollectError + '_ {
    |source| CollectError::Write {
        path: path.into(),
        source,
    }
}

fn content(error: impl ToString) -> CollectError {
    CollectError::Content(error.to_string())
}

async fn selfplay(
    store: &Store,
    files: &FileStore,
    campaign: &CampaignRow,
    folder: &Path,
) -> Result<Collected, CollectError> {
    let spec: SelfplaySpec = serde_json::from_str(&campaign.spec).map_err(content)?;
    std::fs::create_dir_all(folder).map_err(at(folder))?;
    let data_path = folder.join(format!("games-0.{}", spec.format.extension()));
    let journal_path = folder.join("games-0.jsonl");
    let mut data = NewFile::create(&data_path).map_err(at(&data_path))?;
    let mut journal = NewFile::create(&journal_path).map_err(at(&journal_path))?;
    let (mut bytes, mut last, mut collected) = (0, -1, Collected::default());
    loop {
        let results = store.counted(campaign.id, last).await?;
        if results.is_empty() {
            break;
        }
        for (unit, payload, _) in results {
            let payload: SelfplayPayload = serde_json::from_slice(&payload).map_err(content)?;
            let samples = files.get(&payload.samples)?;
            data.write_all(&samples).map_err(at(&data_path))?;
            for mut entry in payload.entries {
                entry.bytes += bytes;
                let line = crate::spec::json(&entry);
                writeln!(journal, "{line}").map_err(at(&journal_path))?;
            }
            bytes += samples.len() as u64;
            last = unit;
            collected.results += 1;
        }
    }
    data.keep().map_err(at(&data_path))?;
    journal.keep().map_err(at(&journal_path))?;
    collected.files = vec![data_path, journal_path];
    Ok(collected)
}

async fn games(
    store: &Store,
    campaign: &CampaignRow,
    path: &Path,
    program: &Path,
) -> Result<Collected, CollectError> {
    let spec: MatchSpec = serde_json::from_str(&campaign.spec).map_err(content)?;
    let runner = spec.plan.runner(program, 1);
    let (mut file, played) = GamesFile::open(path, &spec.plan.header(&runner)).map_err(content)?;
    let (mut last, mut collected) = (-1, Collected::default());
    loop {
        let results = store.counted(campaign.id, last).await?;
        if results.is_empty() {
            break;
        }
        for (unit, payload, _) in results {
            for game in games_of(&payload).map_err(content)? {
                if !played.iter().any(|other| other.id == game.id) {
                    file.add(&game).map_err(content)?;
                }
            }
            last = unit;
            collected.results += 1;
        }
    }
    collected.files = vec![path.into()];
    Ok(collected)
}

async fn records(
    store: &Store,
    files: &FileStore,
    campaign: &CampaignRow,
    path: &Path,
) -> Result<Collected, CollectError> {
    let mut data = NewFile::create(path).map_err(at(path))?;
    let (mut last, mut collected) = (-1, Collected::default());
    loop {
        let results = store.counted(campaign.id, last).await?;
        if results.is_empty() {
            break;
        }
        for (unit, _, file) in results {
            // A gap would shift every later position against its origin.
            if unit != last + 1 {
                return Err(content(format!("part {} is not done yet", last + 1)));
            }
            let bytes = files.get(file.as_deref().unwrap_or_default())?;
            data.write_all(&bytes).map_err(at(path))?;
            last = unit;
            collected.results += 1;
        }
    }
    if last + 1 < campaign.units {
        return Err(content(format!(
            "{} of {} parts are done",
            last + 1,
            campaign.units
        )));
    }
    data.keep().map_err(at(path))?;
    collected.files = vec![path.into()];
    Ok(collected)
}

async fn tuning(
    store: &Store,
    campaign: &CampaignRow,
    path: &Path,
) -> Result<Collected, CollectError> {
    let spec: TuneSpec = serde_json::from_str(&campaign.spec).map_err(content)?;
    let (mut journal, lines) =
        Journal::open::<_, IterationLine>(path, &spec.header).map_err(content)?;
    let mut replica = TuneReplica::new(spec.header);
    let mut collected = Collected::default();
    while replica.open().is_some() {
        let facts = store.facts_kept(campaign.id, replica.trials()).await?;
        if facts.is_empty() {
            break;
        }
        for (_, payload, _) in facts {
            collected.results += 1;
            let heard = replica.hear(outcome_of(&payload).map_err(content)?);
            let Some(line) = heard else {
                continue;
            };
            match lines.get(line.iteration.number as usize) {
                None => journal.add(&line).map_err(content)?,
                Some(there) if *there == line => {}
                Some(_) => return Err(content(format!("{}: other games", path.display()))),
            }
        }
    }
    collected.files = vec![path.into()];
    Ok(collected)
}

async fn book(
    store: &Store,
    campaign: &CampaignRow,
    path: &Path,
) -> Result<Collected, CollectError> {
    let _: BookSpec = serde_json::from_str(&campaign.spec).map_err(content)?;
    let games_path = path.with_extension("games.jsonl");
    let mut data = NewFile::create(path).map_err(at(path))?;
    let mut lines = NewFile::create(&games_path).map_err(at(&games_path))?;
    let mut writer = tesuji_book::store::StoreWriter::new(&mut data).map_err(at(path))?;
    let (mut last, mut collected) = (0, Collected::default());
    loop {
        let facts = store.facts_kept(campaign.id, last).await?;
        if facts.is_empty() {
            break;
        }
        for (seq, payload, counts) in facts {
            last = seq;
            if !counts {
                continue;
            }
            for entry in &BookGame::read(&payload).map_err(content)?.entries {
                writer.write(entry).map_err(content)?;
            }
            let line = payload
                .split(|&byte| byte == b'\n')
                .next()
                .unwrap_or_default();
            lines.write_all(line).map_err(at(&games_path))?;
            lines.write_all(b"\n").map_err(at(&games_path))?;
            collected.results += 1;
        }
    }
    data.keep().map_err(at(path))?;
    lines.keep().map_err(at(&games_path))?;
    collected.files = vec![path.into(), games_path];
    Ok(collected)
}
