//! The engine, spoken to without a process.

mod late;
mod stand_in;
mod storm;
mod talks;
