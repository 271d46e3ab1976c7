//! Reports of panics: what a user can send when a search or a connection ended by a mistake of ours.
//!
//! A panic ends the search or the connection it happened in and nothing else. Where it happened is
//! known only to the hook that the runtime calls before it unwinds; the hook leaves it with the
//! thread, which puts it into the report.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::fmt;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;

/// A panic that was caught.
#[derive(Debug)]
pub struct PanicReport {
    message: String,
    /// The file and line, and how the program came there.
    place: Option<PanicPlace>,
    /// What was being done.
    about: String,
}

#[derive(Debug)]
struct PanicPlace {
    line: String,
    thread: String,
    backtrace: String,
}

thread_local! {
    /// Where this thread panicked last: the hook has no other way to hand it on.
    static LAST_PLACE: RefCell<Option<PanicPlace>> = const { RefCell::new(None) };
}

/// Lets every report from now on tell where the panic happened. The hook before is called as well.
pub fn install_panic_hook() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let place = PanicPlace {
            line: info
                .location()
                .map_or("unknown".into(), ToString::to_string),
            thread: std::thread::current().name().unwrap_or("unnamed").into(),
            backtrace: Backtrace::force_capture().to_string(),
        };
        LAST_PLACE.with(|last| last.replace(Some(place)));
        before(info);
    }));
}

/// Does some work; a panic in it ends here, with a report. `about` says what was being done.
///
/// # Errors
/// If the work panics.
pub fn catch_panic<T>(about: &str, work: impl FnOnce() -> T) -> Result<T, PanicReport> {
    // Whoever catches a panic throws away what the work was about to change.
    panic::catch_unwind(AssertUnwindSafe(work))
        .map_err(|payload| PanicReport::new(&*payload, about))
}

impl PanicReport {
    /// The report of a panic that this thread has just caught.
    pub fn new(payload: &(dyn Any + Send), about: &str) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self {
            message: text.unwrap_or_else(|| "no message".into()),
            place: LAST_PLACE.with(RefCell::take),
            about: about.into(),
        }
    }

    /// In one line: the version, the message, the place, and what was being done.
    pub fn summary(&self) -> String {
        let place = self.place.as_ref().map_or("unknown", |place| &place.line);
        let (version, message) = (env!("CARGO_PKG_VERSION"), &self.message);
        let text = format!(
            "Tesuji {version} panicked at {place}: {message}; {}",
            self.about
        );
        text.replace(['\n', '\r'], " ")
    }

    /// Writes the report into a new file among the temporary ones of the system, and says where.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> io::Result<PathBuf> {
        let mut builder = tempfile::Builder::new();
        let mut file = builder.prefix("tesuji-report-").suffix(".txt").tempfile()?;
        write!(file, "{self}")?;
        let (_, path) = file.keep().map_err(|error| error.error)?;
        Ok(path)
    }

    /// The summary, and where the whole report lies.
    pub fn told(&self) -> String {
        match self.save() {
            Ok(path) => format!("{}; please send {}", self.summary(), path.display()),
            Err(error) => format!("{}; the report cannot be written: {error}", self.summary()),
        }
    }
}

impl fmt::Display for PanicReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary())?;
        writeln!(
            f,
            "system: {} {}",
            std::env::consts::OS,
            std::env::consts::ARCH
        )?;
        let Some(place) = &self.place else {
            return Ok(());
        };
        writeln!(f, "thread: {}\n\n{}", place.thread, place.backtrace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_the_version_the_place_and_the_position() {
        install_panic_hook();
        assert_eq!(catch_panic("adding", || 1 + 1).unwrap(), 2);
        let failed = catch_panic::<()>("position startpos", || panic!("a {}\nhole", "large"));
        let report: PanicReport = failed.unwrap_err();
        let summary = report.summary();
        assert!(summary.starts_with(&format!(
            "Tesuji {} panicked at ",
            env!("CARGO_PKG_VERSION")
        )));
        assert!(summary.contains("panic_report.rs:"), "{summary}");
        assert!(
            summary.ends_with(": a large hole; position startpos"),
            "{summary}"
        );
        let path = report.save().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with(&summary) && text.contains("a_report_tells"),
            "{text}"
        );
        assert!(report.told().contains("please send "));
        std::fs::remove_file(path).unwrap();
    }
}
