//! Work shared by many machines: one queue and one truth, in a file of SQLite or on PostgreSQL.
//!
//! A campaign ([`spec`]) is split into jobs; a job is a pure function from its specification to its
//! result ([`work`]), so that any machine may do it, twice if there is doubt. Workers ([`worker`]) take
//! jobs on a lease and hand results in; the [`keeper`] checks them, takes them in and decides. The
//! [`store`] is the same code on both databases; on PostgreSQL workers may call a dozen functions and
//! nothing else. The protocol follows what fishtest, OpenBench and the servers of lc0 and chessdb do:
//! leases with heartbeats, results that are counted once, a signature before any work.
#![forbid(unsafe_code)]

pub mod address;
pub mod collect;
mod digest;
pub mod files;
pub mod keeper;
pub mod load;
pub mod page;
mod pause;
pub mod spec;
pub mod status;
pub mod store;
pub mod terms;
pub mod work;
pub mod worker;

pub use digest::sha256_hex;

/// Waits for something that a store does.
///
/// # Errors
/// If the system has no threads.
pub fn block_on<F: Future>(future: F) -> std::io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    Ok(runtime.block_on(future))
}
