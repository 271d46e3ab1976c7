//! Two engines side by side on one position.

use super::{Engines, locked, players};
use crate::protocol::engines::SideView;
use crate::protocol::position::LineView;
use crate::user_error::UserError;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use tesuji_engine::pool::PoolJob;
use tesuji_kernels::StopSignal;
use tesuji_search::{
    Bounded, Phase, SearchControl, SearchInfo, SearchLimits, SearchListener, SearchRequest,
};
use tesuji_shogi::Position;
use tesuji_usi::process::{EngineLaunch, EngineProcess, position};
use tesuji_usi::{Command, Go, Info, Reply};

/// How many lines each engine is asked for.
const LINES: usize = 3;

/// How long two engines think if nobody stops them.
const LONGEST: Duration = Duration::from_secs(300);

/// What an engine says.
struct ComparedEngine {
    name: String,
    infos: Vec<Option<SearchInfo>>,
    error: Option<String>,
}

impl ComparedEngine {
    fn take(&mut self, info: &SearchInfo) {
        let place = info.multipv.saturating_sub(1);
        if place < LINES {
            if self.infos.len() <= place {
                self.infos.resize(place + 1, None);
            }
            self.infos[place] = Some(info.clone());
        }
    }
}

/// Two engines that think; they stop when it is dropped.
pub(super) struct EngineComparison {
    pos: Position,
    sides: Vec<Arc<Mutex<ComparedEngine>>>,
    stop: Arc<StopSignal>,
    controls: Vec<Arc<SearchControl>>,
}

impl Drop for EngineComparison {
    fn drop(&mut self) {
        self.stop.stop();
        self.controls.iter().for_each(|control| control.stop());
    }
}

impl EngineComparison {
    pub(super) fn views(&self) -> Vec<SideView> {
        let view = |side: &Arc<Mutex<ComparedEngine>>| {
            let side = locked(side);
            let infos = side.infos.iter().flatten();
            SideView {
                name: side.name.clone(),
                lines: infos.map(|info| LineView::new(&self.pos, info)).collect(),
                error: side.error.clone(),
            }
        };
        self.sides.iter().map(view).collect()
    }
}

/// Hands what a search of this program says to its side.
struct SideListener(Arc<Mutex<ComparedEngine>>);

impl SearchListener for SideListener {
    fn info(&mut self, info: &SearchInfo) {
        locked(&self.0).take(info);
    }
}

impl Engines {
    /// Lets two engines think about a position; those that thought before stop.
    pub(super) fn compare(&self, engines: [u64; 2], sfen: &str) -> Result<(), UserError> {
        let pos = Position::from_sfen(sfen).map_err(|error| UserError::position(&error))?;
        *locked(&self.comparison) = None;
        let mut comparison = EngineComparison {
            pos: pos.clone(),
            sides: Vec::new(),
            stop: Arc::default(),
            controls: Vec::new(),
        };
        for id in engines {
            let other = match (id, players::past_player(id)) {
                (0, _) => None,
                (_, Some(player)) => Some(self.own_launch(Some(player))?),
                _ => {
                    let engine = self.registry.engine(id)?;
                    Some((engine.name.clone(), engine.launch()))
                }
            };
            let side = Arc::new(Mutex::new(ComparedEngine {
                name: other
                    .as_ref()
                    .map_or_else(|| "Tesuji".into(), |(name, _)| name.clone()),
                infos: Vec::new(),
                error: None,
            }));
            comparison.sides.push(side.clone());
            match other {
                Some((_, launch)) => start_process(launch, &pos, side, comparison.stop.clone())?,
                None => comparison.controls.push(self.start_builtin(&pos, side)?),
            }
        }
        *locked(&self.comparison) = Some(comparison);
        Ok(())
    }

    fn start_builtin(
        &self,
        pos: &Position,
        side: Arc<Mutex<ComparedEngine>>,
    ) -> Result<Arc<SearchControl>, UserError> {
        let control = Arc::new(SearchControl::new(Phase::Thinking, None));
        let (own, asked, failed) = (control.clone(), pos.clone(), side.clone());
        let job = PoolJob {
            about: format!("position sfen {}", pos.to_sfen()),
            failed: Box::new(move |report| locked(&failed).error = Some(report.summary())),
            control: control.clone(),
            is_endless: true,
            work: Box::new(move |search| match search {
                Err(why) => locked(&side).error = Some(why.to_string()),
                Ok(search) => {
                    let limits = SearchLimits {
                        infinite: true,
                        multi_pv: LINES,
                        ..SearchLimits::default()
                    };
                    let request = SearchRequest::new(asked).with_limits(limits);
                    search.think(&request, &own, &mut SideListener(side));
                }
            }),
        };
        self.pool.submit(job).map_err(|_| UserError::busy())?;
        Ok(control)
    }
}

/// Lets an engine in a process think until it is told to stop.
fn start_process(
    mut launch: EngineLaunch,
    pos: &Position,
    side: Arc<Mutex<ComparedEngine>>,
    stop: Arc<StopSignal>,
) -> Result<(), UserError> {
    launch
        .suggestions
        .push(("MultiPV".into(), LINES.to_string()));
    let pos = pos.clone();
    let work = move || {
        let mut process = EngineProcess::new(launch);
        if let Err(error) = listen(&mut process, &pos, &side, &stop) {
            locked(&side).error = Some(error.to_string());
        }
    };
    let builder = std::thread::Builder::new().name("compared engine".into());
    let started = builder.spawn(work);
    started
        .map(|_| ())
        .map_err(|error| UserError::engine(&error.to_string()))
}

fn listen(
    process: &mut EngineProcess,
    pos: &Position,
    side: &Mutex<ComparedEngine>,
    stop: &StopSignal,
) -> Result<(), tesuji_usi::process::ProcessError> {
    process.new_game()?;
    let go = Go {
        infinite: true,
        ..Go::default()
    };
    process.say(&[position(pos, &[]), Command::Go(Box::new(go))])?;
    // Woken by a line as well as by the end: one ring is enough for everything that has happened.
    let (ring, bell) = mpsc::sync_channel(1);
    let wake = move || {
        let _ = ring.try_send(());
    };
    process.wake_with(wake.clone());
    let _stop_wake = stop.wake_with(wake);
    let until = Instant::now() + LONGEST;
    while !stop.is_stopped() && Instant::now() < until {
        match process.hear(Instant::now())? {
            Some(Reply::Info(info)) => locked(side).infos_of(&info),
            Some(Reply::BestMove(_)) => return Ok(()),
            Some(_) => {}
            None => {
                let _ = bell.recv_timeout(until.saturating_duration_since(Instant::now()));
            }
        }
    }
    process.say(&[Command::Stop])
}

impl ComparedEngine {
    /// Takes over a line of USI, if it tells a principal variation.
    fn infos_of(&mut self, info: &Info) {
        let Some(score) = info.score.filter(|_| !info.pv.is_empty()) else {
            return;
        };
        self.take(&SearchInfo {
            depth: info.depth.unwrap_or(0),
            seldepth: info.seldepth.unwrap_or(0),
            multipv: info.multipv.unwrap_or(1) as usize,
            value: Bounded {
                value: score.value(),
                bound: score.bound,
            },
            nodes: info.nodes.unwrap_or(0),
            time: Duration::from_millis(info.time.unwrap_or(0)),
            hashfull: info.hashfull.unwrap_or(0),
            pv: info.pv.clone(),
        });
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Says one line about `go`, then nothing until `stop`.
    const SILENT: &str = "while read line; do case $line in \
        usi) echo usiok ;; isready) echo readyok ;; quit) exit ;; \
        go*) echo info depth 7 score cp 12 pv 7g7f ;; \
        esac; done";

    #[test]
    fn a_silent_engine_is_heard_once_and_ended_at_once() {
        let mut process = EngineProcess::new(EngineLaunch {
            command: ["sh", "-c", SILENT].map(String::from).into(),
            folder: None,
            options: Vec::new(),
            suggestions: Vec::new(),
            patience: Duration::from_secs(60),
        });
        let side = Mutex::new(ComparedEngine {
            name: "silent".into(),
            infos: Vec::new(),
            error: None,
        });
        let (pos, stop, began) = (Position::start(), StopSignal::default(), Instant::now());
        std::thread::scope(|scope| {
            let listener = scope.spawn(|| listen(&mut process, &pos, &side, &stop));
            while locked(&side).infos.is_empty() && !listener.is_finished() {
                std::thread::sleep(Duration::from_millis(1));
            }
            stop.stop();
            assert_eq!(listener.join().unwrap(), Ok(()));
        });
        assert!(began.elapsed() < LONGEST);
        let depths = locked(&side)
            .infos
            .iter()
            .flatten()
            .map(|info| info.depth)
            .collect::<Vec<_>>();
        assert_eq!(depths, [7]);
    }
}
