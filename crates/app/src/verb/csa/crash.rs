//! What goes wrong in a server, told on standard error, and a report of every panic that can be sent.

use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tesuji_csa::server::{CrashReport, ServerEvent};
use tesuji_csa::timestamp;

/// Tells standard error what happened, and writes crash reports into a folder.
pub(super) struct ServerReporter {
    folder: PathBuf,
    /// Where the last panic happened.
    place: Arc<Mutex<String>>,
}

impl ServerReporter {
    /// From now on the place of a panic goes into the report instead of onto the terminal.
    pub(super) fn new(folder: PathBuf) -> Self {
        let place = Arc::new(Mutex::new(String::new()));
        let noted = Arc::clone(&place);
        std::panic::set_hook(Box::new(move |info| {
            let text = format!("{info}\n{}", Backtrace::force_capture());
            *noted.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }));
        Self { folder, place }
    }

    /// Tells the host.
    pub(super) fn tell(&self, event: &ServerEvent) {
        let line = match event {
            ServerEvent::Unwritten(what) => {
                format!("cannot write {what}; the games go on, and it is tried again")
            }
            ServerEvent::WrittenAfterAll => "everything is written now".into(),
            ServerEvent::Flood(address) => {
                format!("{address} sent more than the limits allow and was disconnected")
            }
            ServerEvent::Crash(crash) => self.crash(crash),
        };
        let _ = writeln!(std::io::stderr(), "{line}");
    }

    /// Writes a report; returns what to say about it.
    fn crash(&self, crash: &CrashReport) -> String {
        let now = timestamp(SystemTime::now());
        let place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let text = report(crash, &now, &place);
        let digits: String = now.chars().filter(char::is_ascii_digit).collect();
        let path = self.folder.join(format!("crash-{digits}.txt"));
        match tesuji_record::file::save(&path, text.as_bytes()) {
            Ok(()) => format!(
                "this program has made a mistake and gave up one game; the others go on. \
                 Please send {} to its authors",
                path.display()
            ),
            Err(_) => format!("this program has made a mistake; please send this:\n{text}"),
        }
    }
}

fn report(crash: &CrashReport, now: &str, place: &str) -> String {
    let mut text = format!(
        "tesuji {} csa serve, {}-{}, {now} UTC\n{}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        crash.what
    );
    if let Some(game) = &crash.game {
        let _ = writeln!(text, "game: {game}");
    }
    if !crash.lines.is_empty() {
        text += "last lines of the connection:\n";
    }
    for line in &crash.lines {
        let _ = writeln!(text, "  {}", line.escape_debug());
    }
    text + place + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_version_place_and_lines() {
        let crash = CrashReport {
            what: "one king per side".into(),
            game: Some("a+b".into()),
            address: None,
            lines: vec!["LOGIN ann ***".into(), "+7776FU\u{1b}[2J".into()],
        };
        let text = report(&crash, "2026/01/01 00:00:00", "panicked at x.rs:1:2");
        assert!(text.contains(env!("CARGO_PKG_VERSION")) && text.contains("x.rs:1:2"));
        assert!(text.contains("game: a+b\n") && text.contains("one king per side\n"));
        assert!(text.contains("  LOGIN ann ***\n") && !text.contains('\u{1b}'));
    }
}
