//! `tesuji csa`: plays on a CSA server, or is one.

mod crash;
mod reporter;
mod serve;

use crate::answer::{ExitStatus, Failure};
use crate::interrupt::interrupt_signal;
use clap::{Args, Subcommand};
use reporter::ClientReporter;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tesuji_csa::client::{Client, ClientSettings, EngineSettings, UsiClientEngine};
use tesuji_kernels::StopSignal;
use tesuji_match::player_spec::{PlayerSpec, PlayerSpecError};
use tesuji_usi::process::{EngineLaunch, EngineProcess};

const EXAMPLES: &str = "\
Examples:
  tesuji csa example > floodgate.toml     settings to begin with: put in name and password
  tesuji csa floodgate.toml               play as many games as they say
  tesuji csa floodgate.toml --games 0     game after game, until it is stopped
  tesuji csa serve                        a server for local leagues, on 127.0.0.1

The record of a game is written at every move: whatever happens, nothing is lost. Connections that
break while no game is played are made again, with longer and longer pauses. An engine that
fails is restarted once; then the game is resigned rather than left to the clock. Passwords are
neither printed nor logged. Ctrl-C ends it after the present game, a second one at once.

Exit code 1 means that a game was lost by time or by a foul, or with the connection.";

/// What a file of settings looks like.
const EXAMPLE: &str = include_str!("csa/example.toml");

/// Plays on a CSA server such as floodgate; `serve` is one
#[derive(Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
#[command(subcommand_negates_reqs = true)]
pub(crate) struct Csa {
    #[command(subcommand)]
    what: Option<CsaCommand>,
    /// The file that says where, who and how
    #[arg(required = true)]
    settings: Option<PathBuf>,
    /// How many games, instead of what the settings say; 0 for game after game
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Show every line that is said
    #[arg(long)]
    verbose: bool,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum CsaCommand {
    Serve(Box<serve::Serve>),
    /// Prints settings to begin with
    Example,
}

/// What cannot be used in a file of settings.
#[derive(Debug, thiserror::Error)]
enum PlayerProblem {
    /// The player.
    #[error("engine.player: {0}")]
    Player(#[from] PlayerSpecError),
    /// An option.
    #[error("engine.options.{0}: a text, a number, true or false is needed")]
    Option(String),
}

impl Csa {
    /// Plays, serves, or shows how.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match (&self.what, &self.settings) {
            (Some(CsaCommand::Serve(serve)), _) => serve.run(),
            (None, Some(path)) => self.play(path),
            (Some(CsaCommand::Example), _) | (None, None) => {
                std::io::stdout().write_all(EXAMPLE.as_bytes())?;
                Ok(ExitStatus::Yes)
            }
        }
    }

    fn play(&self, path: &Path) -> Result<ExitStatus, Failure> {
        let text = tesuji_kernels::read_input_text(path).map_err(|source| Failure::Read {
            path: path.into(),
            source,
        })?;
        let wrong = |what: Box<dyn std::error::Error>| Failure::File {
            path: path.into(),
            what,
        };
        let mut settings = ClientSettings::read(&text).map_err(|error| wrong(error.into()))?;
        settings.play.games = self.games.unwrap_or(settings.play.games);
        let own = std::env::current_exe().map_err(Failure::Engine)?;
        let launch = launch(&settings.engine, &own).map_err(|error| wrong(error.into()))?;
        let mut engine = UsiClientEngine::new(EngineProcess::new(launch));
        // An engine that cannot play at all should not be noticed in the first game.
        engine.start().map_err(|error| wrong(error.into()))?;
        let mut reporter = ClientReporter::new(&settings, self.json, self.verbose)?;
        let stop = stop_signal("after this game")?;
        let mut client = Client::new(&settings, &mut engine, &stop)?;
        client.run(&mut |event| reporter.tell(&event))?;
        Ok(reporter.answer())
    }
}

/// A signal that Ctrl-C gives, and when that has an effect is told.
fn stop_signal(when: &'static str) -> Result<Arc<StopSignal>, Failure> {
    let stop = interrupt_signal(move || {
        let _ = writeln!(std::io::stderr(), "ending {when}; once more to end at once");
    });
    stop.map_err(Failure::Engine)
}

/// How to start the engine that the settings name.
fn launch(engine: &EngineSettings, own: &Path) -> Result<EngineLaunch, PlayerProblem> {
    let mut spec: PlayerSpec = engine.player.parse()?;
    for (name, value) in &engine.options {
        let value = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(truth) => truth.to_string(),
            _ => return Err(PlayerProblem::Option(name.clone())),
        };
        spec.options.push((name.clone(), value));
    }
    let patience = Duration::from_secs(engine.patience.max(1));
    Ok(spec.launch(own, patience).1)
}
