//! Checks that the tree of sources is what the documents say: floors, modules, names, rooms,
//! quotations, origins.
//!
//! The crate is never part of the program. It reads Cargo files, sources and documents as text; the
//! rules themselves are the tests in `tests/`. Nothing is compiled for them, so
//! `cargo test -p tesuji-checks` takes a second.

mod floors;
mod graph;
mod includes;
mod modules;
mod origins;
mod quotes;
mod rooms;
mod source;
mod tables;
mod tree;
mod types;

pub use floors::{Floor, floors, picture};
pub use graph::{Cycle, Graph};
pub use includes::includes;
pub use modules::Modules;
pub use origins::{Origin, origins};
pub use quotes::{Quote, quotes};
pub use rooms::rooms;
pub use source::code;
pub use tables::{Table, code_spans, tables};
pub use tree::{Package, read, root, rust_files};
pub use types::declared_types;
