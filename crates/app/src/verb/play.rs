//! `tesuji play`: the board in the browser.

use crate::answer::{ExitStatus, Failure};
use clap::Args;
use std::ffi::OsString;
use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::players::{PastPlayer, PlayerParts};
use tesuji_web::{WebServer, WebServerOptions};

const EXAMPLES: &str = "\
Examples:
  tesuji play                                   opens http://127.0.0.1:8765 in the browser
  tesuji play --no-open --port 0                any free port; open the address that is printed
  tesuji play --eval nn.bin --threads 4 --hash 1024
  tesuji play --player kuma2013   against Kuma Shogi as its paper tells it
  tesuji play --player 'search=pvs board=scan quiescence=on' --eval relation
  tesuji play --host 0.0.0.0 --token 0f3c9a...  for a phone in the same network

Everything is inside the program: no download, no network. Only pages that this server gave out can
use it, and only on this machine. With another --host every machine that can reach the address
could, so a token is needed there: a word of 16 letters or more that only you know. The connection
is not encrypted; use it in a network that you trust. Every address of this machine is printed then,
and a code that the camera of a phone reads; “Share” on the page invites another device or a person.

Games are kept from one start to the next in the data folder of the user (--data tells another one);
--no-keep forgets them at the end. Ctrl-C ends the server.";

/// Opens the board in the browser: play, analyse, solve, learn
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Play {
    /// Listen on this port; 0 takes any that is free
    #[arg(long, default_value_t = 8765, value_name = "N")]
    port: u16,
    /// Print the address, but do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Listen on this address instead of 127.0.0.1; needs --token if others can reach it
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,
    /// The word that opens the board from other machines
    #[arg(long, value_name = "WORD")]
    token: Option<String>,
    /// The evaluation: builtin, material, relation, nnue:FILE, kppt:DIR or a path; builtin unless
    /// the player has another
    #[arg(long, value_name = "EVAL")]
    eval: Option<EvalSpec>,
    /// Who plays: kuma2013, tenuki2019, osl2003, or the parts of a player as for `tesuji match`
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: Option<(PlayerParts, EvalSpec)>,
    /// Search with so many threads; all of the machine without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Use so many megabytes for the search, and half as much again for the mate solver; 96 without it
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    hash: Option<u32>,
    /// A book of yours, of any format, for the opening explorer
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Keep games in this folder
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Keep no games
    #[arg(long, conflicts_with = "data")]
    no_keep: bool,
}

/// A player of the past, or parts, with the evaluation that belongs to it.
fn player(text: &str) -> Result<(PlayerParts, EvalSpec), String> {
    let (parts, eval) = match text.parse::<PastPlayer>() {
        Ok(player) => (player.parts(), player.usual_eval().parse()),
        Err(_) => {
            let parts: Result<PlayerParts, _> = text.parse();
            (
                parts.map_err(|error| error.to_string())?,
                Ok(EvalSpec::Builtin),
            )
        }
    };
    parts.check().map_err(|error| error.to_string())?;
    Ok((parts, eval.map_err(|error| error.to_string())?))
}

impl Play {
    /// Whether the engine is set up here; if not, it is as the page set it last.
    fn is_configured(&self) -> bool {
        self.player.is_some()
            || self.eval.is_some()
            || self.threads.is_some()
            || self.hash.is_some()
            || self.book.is_some()
    }

    /// Serves until the process is ended.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let threads = self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        );
        let folder = match self.no_keep {
            true => None,
            false => self.data.clone().or_else(private_data_folder),
        };
        let usual = || (PlayerParts::default(), EvalSpec::Builtin);
        let (parts, eval) = self.player.clone().unwrap_or_else(usual);
        let server = WebServer::start(WebServerOptions {
            host: self.host,
            port: self.port,
            token: self.token.clone(),
            folder,
            book: self.book.clone(),
            parts,
            eval: self.eval.clone().unwrap_or(eval),
            settings: EvalSettings::default(),
            threads,
            hash: self.hash.unwrap_or(96) as usize,
            is_configured: self.is_configured(),
            ..WebServerOptions::default()
        })?;
        let mut out = std::io::stdout();
        writeln!(out, "{}", server.url())?;
        for url in server.urls_for_others() {
            if url != server.url() {
                writeln!(out, "{url}")?;
            }
        }
        out.flush()?;
        if let Some(code) = server.code_for_phones() {
            let _ = writeln!(std::io::stderr(), "\nFor the camera of a phone:\n{code}");
        }
        if !self.host.is_loopback() {
            let warning = "Whoever has this address with its token can play and read your games; \
                           the connection is not encrypted.";
            let _ = writeln!(std::io::stderr(), "{warning}");
        }
        if !self.no_open && !open(server.url()) {
            let hint = "No browser could be opened: open the address above.";
            let _ = writeln!(std::io::stderr(), "{hint}");
        }
        server.wait();
        Ok(ExitStatus::Yes)
    }
}

/// The folder of the user's data, which nobody else may look into, whoever made it.
fn private_data_folder() -> Option<PathBuf> {
    let folder = data_folder()?;
    #[cfg(unix)]
    if folder.is_dir() {
        use std::os::unix::fs::PermissionsExt;
        // Only what is our own: a folder told by --data stays as its owner wants it.
        let _ = std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700));
    }
    Some(folder)
}

/// Where a user's programs keep what they need.
fn data_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    let base = if cfg!(windows) {
        PathBuf::from(set("APPDATA")?)
    } else if cfg!(target_os = "macos") {
        PathBuf::from(set("HOME")?).join("Library/Application Support")
    } else {
        match set("XDG_DATA_HOME") {
            Some(folder) => folder.into(),
            None => PathBuf::from(set("HOME")?).join(".local/share"),
        }
    };
    Some(base.join("tesuji").join("desks"))
}

/// Asks the system to show an address; `false` if it cannot.
fn open(url: &str) -> bool {
    let commands: &[&[&str]] = if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else if cfg!(target_os = "macos") {
        &[&["open"]]
    } else {
        &[
            &["xdg-open"],
            &["wslview"],
            &["gio", "open"],
            &["sensible-browser"],
        ]
    };
    commands.iter().any(|command| {
        let (program, arguments) = (command[0], &command[1..]);
        let child = Command::new(program)
            .args(arguments)
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        child.is_ok()
    })
}
