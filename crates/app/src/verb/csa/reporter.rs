//! What a client does, for people and for scripts.

use crate::answer::{ExitStatus, Failure, write_json};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::time::SystemTime;
use tesuji_csa::client::{ClientEvent, ClientSettings, CsaGameReport};
use tesuji_csa::{ClientResult, CsaEndReason, timestamp};
use tesuji_shogi::Color;

/// A game, for scripts.
#[derive(Serialize)]
struct CsaGameRow<'a> {
    id: &'a str,
    side: &'static str,
    foe: &'a str,
    result: &'static str,
    reason: &'static str,
    plies: usize,
    record: String,
}

/// Tells people on standard error, scripts on standard output, and the log everything.
pub(super) struct ClientReporter {
    log: Option<File>,
    json: bool,
    verbose: bool,
    is_sound: bool,
}

impl ClientReporter {
    pub(super) fn new(
        settings: &ClientSettings,
        json: bool,
        verbose: bool,
    ) -> Result<Self, Failure> {
        let open = |path: &std::path::PathBuf| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map_err(|source| Failure::Write {
                path: path.clone(),
                source,
            })
        };
        Ok(Self {
            log: settings.records.log.as_ref().map(open).transpose()?,
            json,
            verbose,
            is_sound: true,
        })
    }

    /// Yes, unless something went wrong that should not have.
    pub(super) fn answer(&self) -> ExitStatus {
        match self.is_sound {
            true => ExitStatus::Yes,
            false => ExitStatus::No,
        }
    }

    pub(super) fn tell(&mut self, event: &ClientEvent<'_>) {
        let (line, is_loud) = match event {
            ClientEvent::Sent(line) => (format!("> {line}"), self.verbose),
            ClientEvent::Received(line) => (format!("< {line}"), self.verbose),
            ClientEvent::LoggedIn(name) => {
                (format!("logged in as {name}; waiting for a game"), true)
            }
            ClientEvent::GameStarted(summary, path) => {
                let [black, white] = &summary.players.0;
                let path = path.display();
                (format!("{}: {black} - {white}, {path}", summary.id), true)
            }
            ClientEvent::GameOver(played) => {
                self.over(played);
                (text(played), self.json)
            }
            ClientEvent::ConnectionLost(why, pause) => {
                let pause = pause.as_secs_f64();
                (format!("{why}; trying again in {pause:.1} s"), true)
            }
            ClientEvent::Warning(what) => (format!("warning: {what}"), true),
        };
        if is_loud {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        if let Some(log) = &mut self.log {
            let _ = writeln!(log, "{} {line}", timestamp(SystemTime::now()));
        }
    }

    fn over(&mut self, played: &CsaGameReport) {
        let is_foul = matches!(
            played.reason,
            Some(
                CsaEndReason::TimeUp
                    | CsaEndReason::IllegalMove
                    | CsaEndReason::IllegalAction
                    | CsaEndReason::PerpetualCheck
            )
        );
        let is_foul = is_foul && played.result == Some(ClientResult::Lose);
        self.is_sound &= !is_foul && played.reason.is_some();
        let mut out = std::io::stdout();
        let written = match self.json {
            true => write_json(&mut out, &row(played)),
            false => writeln!(out, "{}", text(played)),
        };
        // Who does not want to know the result does not stop the games.
        let _ = written.and_then(|()| out.flush());
    }
}

fn row(played: &CsaGameReport) -> CsaGameRow<'_> {
    CsaGameRow {
        id: &played.id,
        side: match played.side {
            Color::Black => "black",
            Color::White => "white",
        },
        foe: &played.foe,
        result: match played.result {
            Some(ClientResult::Win) => "win",
            Some(ClientResult::Lose) => "loss",
            Some(ClientResult::Draw | ClientResult::Censored) => "draw",
            None => "none",
        },
        reason: played.reason.map_or("connection lost", |reason| {
            reason.word().trim_start_matches('#')
        }),
        plies: played.plies,
        record: played.record.display().to_string(),
    }
}

fn text(played: &CsaGameReport) -> String {
    let row = row(played);
    let (result, foe, side) = (row.result, row.foe, row.side);
    let (plies, reason) = (row.plies, row.reason);
    format!(
        "{result:<5} as {side} against {foe}, {plies} moves, {reason}  {}",
        row.record
    )
}
