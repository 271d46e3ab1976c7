//! `tesuji bench`: the signature of the search, and tables of what each component costs.

mod agreement;
mod eval;
mod mate;
mod movegen;
mod positions;
mod rounds;
mod search;
mod signature;

use crate::answer::{ExitStatus, Failure};
use clap::{Args, Subcommand};

/// Searches fixed positions to a fixed depth, or times the components of one kind side by side
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Bench {
    #[command(flatten)]
    signature: signature::Signature,
    #[command(subcommand)]
    table: Option<Table>,
}

#[derive(Subcommand)]
enum Table {
    Movegen(movegen::Movegen),
    Eval(eval::Evals),
    Search(search::Searches),
    Mate(mate::Mates),
    Agreement(agreement::MoveAgreement),
}

impl Bench {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.table {
            None => self.signature.run(),
            Some(Table::Movegen(movegen)) => movegen.run(),
            Some(Table::Eval(evals)) => evals.run(),
            Some(Table::Search(searches)) => searches.run(),
            Some(Table::Mate(mates)) => mates.run(),
            Some(Table::Agreement(agreement)) => agreement.run(),
        }
    }
}
