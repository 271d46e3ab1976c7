//! A USI engine asked for a mate.

use super::{EngineLaunch, EngineProcess, ProcessError, RunningEngine, position};
use crate::{Checkmate, Command, Go, MateLimit, Reply};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use tesuji_shogi::Position;

/// What an engine found when it was asked for a mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateAnswer {
    /// What it said.
    pub found: Checkmate,
    /// How long it took, seen from outside.
    pub time: Duration,
    /// At how many positions it looked, if it told.
    pub nodes: Option<u64>,
}

/// How often whoever asks is asked whether to go on. It may go by how long the engine's processor has
/// worked, and no system wakes anybody when that is long enough.
const PULSE: Duration = Duration::from_millis(5);

impl EngineProcess {
    /// Looks for a mate by the side to move until it is found, refuted, or `enough` says so.
    ///
    /// # Errors
    /// If the engine ends, or does not answer when it is told to stop.
    pub fn mate(
        &mut self,
        pos: &Position,
        enough: impl FnMut() -> bool,
    ) -> Result<MateAnswer, ProcessError> {
        self.with(|running, launch| running.mate(pos, launch, enough))
    }

    /// The number the system knows it by, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.child.id())
    }
}

impl RunningEngine {
    fn mate(
        &mut self,
        pos: &Position,
        launch: &EngineLaunch,
        mut enough: impl FnMut() -> bool,
    ) -> Result<MateAnswer, ProcessError> {
        let go = Go {
            mate: Some(MateLimit::Infinite),
            ..Go::default()
        };
        while self.lines.try_recv().is_ok() {}
        self.say(&[position(pos, &[]), Command::Go(Box::new(go))])?;
        let (asked, mut nodes, mut stopped) = (Instant::now(), None, None);
        loop {
            match self.hear(Instant::now() + PULSE) {
                Ok((at, Reply::Checkmate(found))) => {
                    return Ok(MateAnswer {
                        found,
                        time: at.saturating_duration_since(asked),
                        nodes,
                    });
                }
                Ok((_, Reply::Info(info))) => nodes = info.nodes.or(nodes),
                Ok((_, Reply::Text(text))) if text.starts_with("checkmate") => {
                    return Err(ProcessError::Nonsense(text.chars().take(80).collect()));
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(ProcessError::Crash),
                Err(RecvTimeoutError::Timeout) => match stopped {
                    None if enough() => {
                        self.say(&[Command::Stop])?;
                        stopped = Some(Instant::now());
                    }
                    Some(since) if Instant::now() > since + launch.patience => {
                        let when = "when it was told to stop".into();
                        return Err(ProcessError::Silent(launch.patience, when));
                    }
                    _ => {}
                },
            }
        }
    }
}
