//! Where a farm is, as verbs are told.

use crate::answer::Failure;
use clap::Args;
use std::error::Error;
use std::path::PathBuf;
use tesuji_jobs::address::{AddressSource, STORE_VARIABLE, StoreAddress};
use tesuji_jobs::files::FileStore;

// Where a farm is. A plain comment: clap would take another one for the help of the verb.
#[derive(Args)]
pub(crate) struct StorePlace {
    /// The farm: a file, or postgres://USER@HOST/DATABASE [default: the variable TESUJI_STORE]
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// A file with the password, readable by its owner alone
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The folder of files that all machines share [default: STORE.files beside a file, else farm-files]
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
}

impl StorePlace {
    /// The address of the store.
    pub(crate) fn address(&self) -> Result<StoreAddress, Failure> {
        let (text, source) = match &self.store {
            Some(text) => (text.clone(), AddressSource::CommandLine),
            None => match std::env::var(STORE_VARIABLE) {
                Ok(text) => (text, AddressSource::Environment),
                Err(_) => {
                    return Err(Failure::Usage(format!(
                        "which farm? Give --store, or set {STORE_VARIABLE}"
                    )));
                }
            },
        };
        StoreAddress::read(&text, source, self.password_file.as_deref()).map_err(failed)
    }

    /// The files beside it.
    pub(crate) fn files(&self) -> Result<FileStore, Failure> {
        if let Some(folder) = &self.files {
            return Ok(FileStore::new(folder));
        }
        Ok(match self.address()? {
            StoreAddress::File(path) => {
                let mut name = path.into_os_string();
                name.push(".files");
                FileStore::new(&PathBuf::from(name))
            }
            StoreAddress::Postgres { .. } => FileStore::new("farm-files".as_ref()),
        })
    }
}

/// What went wrong with a farm, as verbs say it.
pub(crate) fn failed(error: impl Error + Send + Sync + 'static) -> Failure {
    Failure::Farm(Box::new(error))
}

/// Waits for a farm.
pub(crate) fn wait<T, E: Into<Failure>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Failure> {
    let done = tesuji_jobs::block_on(work).map_err(Failure::Engine)?;
    done.map_err(Into::into)
}

impl From<tesuji_jobs::store::StoreError> for Failure {
    fn from(error: tesuji_jobs::store::StoreError) -> Self {
        failed(error)
    }
}
