//! The verbs, one file each.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod convert;
pub(crate) mod csa;
pub(crate) mod data;
pub(crate) mod eval;
#[cfg(feature = "farm")]
pub(crate) mod farm;
#[cfg(not(feature = "farm"))]
pub(crate) mod farm_absent;
pub(crate) mod lab;
pub(crate) mod r#match;
pub(crate) mod mate;
pub(crate) mod paper;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod selfplay;
pub(crate) mod soak;
pub(crate) mod teach;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod usi;
#[cfg(feature = "farm")]
pub(crate) mod work;
