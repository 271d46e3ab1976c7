//! Why a store cannot do what it is asked.

use std::path::PathBuf;

/// Why a store cannot do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no, or nothing.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The database did not answer in time.
    #[error("the database did not answer for {0} seconds")]
    Silent(u64),
    /// There is no farm.
    #[error("{}: there is no farm here: tesuji farm init makes one", .0.display())]
    Missing(PathBuf),
    /// Another version of the program made it.
    #[error("the farm has version {found}, this program {wanted}: {}", if found < wanted {
        "tesuji farm init brings it up to date"
    } else {
        "take a newer program"
    })]
    Version {
        /// Of the farm.
        found: i64,
        /// Of the program.
        wanted: i64,
    },
    /// There is nothing of that name.
    #[error("there is no {what} {name}")]
    Unknown {
        /// What is looked for.
        what: &'static str,
        /// How it is called.
        name: String,
    },
    /// It cannot be done as things are.
    #[error("{0}")]
    Refused(String),
}

impl StoreError {
    /// Whether somebody else wrote the same meanwhile: a keeper that was killed just after its last word.
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Database(sqlx::Error::Database(error)) => error.is_unique_violation(),
            _ => false,
        }
    }

    /// Whether it may help to ask again later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Silent(_) => true,
            Self::Database(sqlx::Error::Database(error)) => {
                let code = error.code().unwrap_or_default();
                // Connections, resources, operator intervention, rollbacks; SQLite: busy, locked, full, I/O.
                ["08", "53", "55P03", "57", "40"]
                    .iter()
                    .any(|class| code.starts_with(class))
                    || matches!(
                        code.as_ref(),
                        "5" | "6" | "10" | "13" | "261" | "517" | "522"
                    )
            }
            Self::Database(
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::Protocol(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed,
            ) => true,
            _ => false,
        }
    }
}
