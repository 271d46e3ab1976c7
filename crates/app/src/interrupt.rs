//! Ctrl-C: the first one asks a verb to end with what it has, the second one ends the program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use tesuji_kernels::StopSignal;

/// A flag that Ctrl-C, or a request to end, sets from now on: for work that looks at it now and then.
pub(crate) fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Asked first, it ends the program only if the flag was set by an earlier signal.
        register_conditional_shutdown(signal, 128 + signal, flag.clone())?;
        register(signal, flag.clone())?;
    }
    Ok(flag)
}

/// A signal that Ctrl-C, or a request to end, gives from now on: for those who sleep. `tell` is called
/// before.
pub(crate) fn interrupt_signal(
    tell: impl FnOnce() + Send + 'static,
) -> io::Result<Arc<StopSignal>> {
    let stop = Arc::new(StopSignal::default());
    let given = Arc::clone(&stop);
    on_interrupt(move || {
        tell();
        given.stop();
    })?;
    Ok(stop)
}

/// Calls `act` in a thread of its own at the first Ctrl-C, or request to end, from now on.
#[cfg(unix)]
fn on_interrupt(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::low_level::pipe;
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    interrupt_flag()?;
    let (mut reader, writer) = UnixStream::pair()?;
    for signal in [SIGINT, SIGTERM] {
        pipe::register(signal, writer.try_clone()?)?;
    }
    let thread = std::thread::Builder::new().name("interrupt".into());
    thread.spawn(move || {
        if reader.read_exact(&mut [0]).is_ok() {
            act();
        }
    })?;
    Ok(())
}

/// Calls `act` in a thread of its own after the first Ctrl-C, or request to end, from now on.
#[cfg(not(unix))]
fn on_interrupt(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::Duration;

    let flag = interrupt_flag()?;
    let thread = std::thread::Builder::new().name("interrupt".into());
    thread.spawn(move || {
        // Without pipes nothing that a handler may do wakes a thread.
        while !flag.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
        }
        act();
    })?;
    Ok(())
}
