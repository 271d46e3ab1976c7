//! The engine, spoken to without a process.

mod fake_search;
mod late;
mod storm;
mod talks;
