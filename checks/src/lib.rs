//! Checks that the tree of sources is what the documents say: floors, modules, names,
//! rooms, quotations.
//!
//! The crate is never part of the program. It reads Cargo files, sources and documents as text; the
//! rules themselves are the tests in `tests/`. Nothing is compiled for them, so
//! `cargo test -p tesuji-checks` takes a second.

mod floors;
mod graph;
mod modules;
mod quotes;
mod rooms;
mod source;
mod tree;
mod types;

pub use floors::{Floor, floors};
pub use graph::{Cycle, Graph};
pub use modules::Modules;
pub use quotes::{Quote, quotes};
pub use rooms::rooms;
pub use source::code;
pub use tree::{Package, read, root, rust_files};
pub use types::declared_types;
