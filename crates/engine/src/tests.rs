//! The engine, spoken to without a process.

mod fake_search;
mod late;
mod loading;
mod sessions;
mod storm;
