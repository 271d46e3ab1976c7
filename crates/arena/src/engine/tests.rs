//! The engine, spoken to without a process.

mod stand_in;
mod storm;
mod talks;
