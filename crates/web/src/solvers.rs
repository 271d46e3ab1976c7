//! Mate solvers for what pages ask: few at the same time and each with little memory, so that the server
//! stays small however many questions come.

use crate::user_error::UserError;
use tesuji_mate::Solver;
use tokio::sync::Semaphore;

/// How many questions are answered at the same time.
const MOST_SOLVERS: usize = 2;

/// What one solver may use.
pub(crate) const SOLVER_BYTES: usize = 24 << 20;

/// The solvers of a server.
pub(crate) struct Solvers(Semaphore);

impl Solvers {
    pub(crate) fn new() -> Self {
        Self(Semaphore::new(MOST_SOLVERS))
    }

    /// Does something with a solver, on a thread that may be busy for a while.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(Solver) -> T + Send + 'static,
    ) -> Result<T, UserError> {
        let _permit = self.0.acquire().await;
        let done = tokio::task::spawn_blocking(move || work(Solver::new(SOLVER_BYTES))).await;
        done.map_err(|error| UserError::engine(&error.to_string()))
    }
}
