//! What pages and the server say to each other, as types.
//!
//! A page sends [`request::Request`]s and is sent [`message::ServerMessage`]s, both as JSON over one
//! socket. The TypeScript declarations of the page (`page/protocol.d.ts`) are made from these types
//! by a test, so neither side can change alone.

pub(crate) mod engines;
pub(crate) mod explore;
pub(crate) mod library;
pub(crate) mod look;
pub(crate) mod message;
pub(crate) mod position;
pub(crate) mod request;
pub(crate) mod tab;
pub(crate) mod times;
pub(crate) mod train;
#[cfg(test)]
mod typescript;
