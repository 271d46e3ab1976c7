//! Lines out, one at a time, from any thread.

use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_usi::{Info, Reply};

/// Where the engine speaks. Every line is written whole and sent at once.
#[derive(Clone)]
pub(crate) struct UsiOutput(Arc<OutputStream>);

struct OutputStream {
    out: Mutex<Box<dyn Write + Send>>,
    broken: AtomicBool,
}

impl UsiOutput {
    pub(crate) fn new(out: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(OutputStream {
            out: Mutex::new(out),
            broken: AtomicBool::new(false),
        }))
    }

    /// Sends a line; if the other end is gone, [`UsiOutput::is_broken`] will tell.
    pub(crate) fn send(&self, reply: &Reply) {
        self.line(reply);
    }

    /// Sends a message for people as `info string`.
    pub(crate) fn info_string(&self, text: impl Into<String>) {
        // A message is one line, whatever an error wrote into it.
        let text = text.into().replace(['\n', '\r'], " ");
        self.send(&Reply::Info(Box::new(Info::text(text))));
    }

    /// Sends what went wrong as `info string error: …`.
    pub(crate) fn error(&self, text: impl fmt::Display) {
        self.info_string(format!("error: {text}"));
    }

    /// Sends a blank line: the engine is alive.
    pub(crate) fn keep_alive(&self) {
        self.line(&"");
    }

    /// Whether the other end is gone, or nobody has anything to say to it.
    pub(crate) fn is_broken(&self) -> bool {
        self.0.broken.load(Ordering::Relaxed)
    }

    /// Says nothing more from now on.
    pub(crate) fn close(&self) {
        let _out = self.0.out.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.broken.store(true, Ordering::Relaxed);
    }

    fn line(&self, line: &dyn fmt::Display) {
        let text = format!("{line}\n");
        let mut out = self.0.out.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_broken() {
            return;
        }
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        if written.is_err() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }
}

/// A stream that others can look into, for tests and for players inside the program.
#[derive(Clone, Default)]
pub struct MemoryWriter(Arc<Mutex<Vec<u8>>>);

impl MemoryWriter {
    /// What was written so far.
    pub fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for MemoryWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
