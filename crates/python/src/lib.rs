//! The Python package: what Python sees of the floors below.
//!
//! Classes hold the types of the other crates and translate: numbers of Python become squares and
//! moves after they were checked, errors become exceptions, long work runs while other Python
//! threads run too. What is only comfort is written in Python, in `python/tesuji`. The names follow
//! python-chess (Fiekas) and, where it has none, cshogi (Yamaoka). No `unsafe` is written by hand:
//! what the macros of pyo3 expand to is pyo3's.
#![deny(unsafe_code)]

mod batch;
mod board;
mod book;
mod compat;
mod dataset;
mod dlshogi;
mod engine;
mod errors;
mod features;
mod match_stats;
mod mate;
mod moves;
mod network;
mod numbers;
mod record;
mod record_html;
mod svg;
mod writer;

use pyo3::prelude::*;

/// The module `tesuji._tesuji`; `tesuji` shows its contents under their own names.
#[pymodule(gil_used = false)]
fn _tesuji(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::add_to(module)?;
    moves::add_to(module)?;
    batch::add_to(module)?;
    book::add_to(module)?;
    compat::add_to(module)?;
    engine::add_to(module)?;
    match_stats::add_to(module)?;
    mate::add_to(module)?;
    module.add_class::<network::Network>()?;
    module.add_class::<network::NetworkFile>()?;
    module.add_class::<record::Node>()?;
    module.add_class::<record::Record>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::LegalMoves>()?;
    module.add_class::<dataset::Dataset>()?;
    module.add_class::<writer::Writer>()?;
    module.add_class::<dataset::Batches>()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
