//! Shogi libraries behind one small trait, ours among them, to be timed side by side.

pub mod haitaka;
pub mod rsshogi;
pub mod tesuji;

/// A shogi library under test.
///
/// Every method works on a position parsed beforehand, so that reading SFEN is never timed.
pub trait Peer {
    /// The name in the table.
    const NAME: &'static str;

    /// The library's position.
    type Position;

    /// Reads a position; the error says which SFEN was refused and why.
    fn parse(sfen: &str) -> Result<Self::Position, String>;

    /// Counts the leaves at `depth` the fastest way the library has; the last ply is only counted.
    fn perft(position: &mut Self::Position, depth: u32) -> u64;

    /// The same, but the last ply is written out as a list of legal moves.
    fn perft_listed(position: &mut Self::Position, depth: u32) -> u64;

    /// The same, but every leaf is played.
    fn perft_played(position: &mut Self::Position, depth: u32) -> u64;

    /// Writes the list of legal moves `n` times; returns how many moves that were in all.
    fn list(position: &Self::Position, n: u32) -> u64;

    /// Counts the legal moves `n` times without writing them; returns the sum.
    fn count(position: &Self::Position, n: u32) -> u64;

    /// Plays and takes back every legal move, `rounds` times; returns how many were played.
    fn play_undo(position: &mut Self::Position, rounds: u32) -> u64;

    /// In how many of the positions a mate in one was found; `None` if the library has no such call.
    fn mates_in_one(_positions: &mut [Self::Position]) -> Option<u64> {
        None
    }
}
