//! Ctrl-C: the first one asks a verb to end with what it has, the second one ends the program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

/// A flag that Ctrl-C, or a request to end, sets from now on.
pub(crate) fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Asked first, it ends the program only if the flag was set by an earlier signal.
        register_conditional_shutdown(signal, 128 + signal, flag.clone())?;
        register(signal, flag.clone())?;
    }
    Ok(flag)
}
