//! CSA, the format of computer shogi tournaments: versions 2.2 and 3.0, older ones read as well.
//!
//! Definition: Computer Shogi Association,
//! <http://www2.computer-shogi.org/protocol/record_v3.html>.

mod board;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use crate::times::{
    from_csa as read_time_control, parse_seconds as read_seconds, seconds as write_seconds,
    to_csa as write_time_control,
};
pub use board::{kind_of, write_move, write_position};
pub use read::{read, read_move};
pub use write::write;

pub(crate) use board::letters;
pub(crate) use read::keeps_header;

/// Which version is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Version {
    /// 2.2: what every program reads. Times in whole seconds.
    V2,
    /// 3.0: names its encoding, times to the millisecond, clocks with an increment.
    V3,
}
