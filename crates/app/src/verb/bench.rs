//! `tesuji bench`: tables of what each component costs.

mod eval;
mod movegen;
mod positions;
mod rounds;

use crate::answer::{Answer, Failure};
use clap::{Args, Subcommand};

/// Times the components of one kind side by side
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    table: Table,
}

#[derive(Subcommand)]
enum Table {
    Movegen(movegen::Movegen),
    Eval(eval::Evals),
}

impl Bench {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<Answer, Failure> {
        match &self.table {
            Table::Movegen(movegen) => movegen.run(),
            Table::Eval(evals) => evals.run(),
        }
    }
}
