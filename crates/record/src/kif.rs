//! KIF and KIFU, the format of Japanese boards and viewers, from Kakinoki's Kakinoki Shogi; its
//! reader reads KI2 as well.
//!
//! `.kif` is Shift_JIS, `.kifu` is UTF-8; the text is the same. Variations stand behind the main
//! line, the last one first: `変化：N手` replaces move N of the latest line that has one.

mod clock;
mod diagram;
mod headers;
mod read;
mod summary;
#[cfg(test)]
mod tests;
mod write;

pub use read::read;
pub use write::write;

pub(crate) use headers::{key_of, set_header, write_headers};
pub(crate) use read::keeps_header;
pub(crate) use summary::write_summary;
pub(crate) use write::lines_of;
