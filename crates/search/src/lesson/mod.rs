//! The course in words: what a trace tells, and what is said about every rung, in two languages.

mod findings;
mod story;
pub mod words;

pub use findings::{Finding, findings};
pub use story::{Cutoff, Naming, Story, number_text};
