//! The thinking, position by position, kept so that it can go on after an interruption.

use crate::answer::Failure;
use crate::progress::Progress;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tesuji_engine::{EngineSearch, SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_record::{Evaluation, Game, GamePosition, NodeId};
use tesuji_search::{
    NoListener, Phase, Rules, SearchControl, SearchLimits, SearchRequest, TimeBudget,
};
use tesuji_shogi::{Color, Move, Value};

/// What is to be done.
pub(super) struct AnalysisPlan {
    pub(super) eval: EvalSpec,
    pub(super) fv_scale: Option<i32>,
    pub(super) threads: usize,
    pub(super) hash: usize,
    pub(super) time: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    /// The game, as one line.
    pub(super) game: String,
}

impl AnalysisPlan {
    /// What must be the same for work to be continued.
    fn title(&self) -> String {
        format!(
            "{} {:?} {:?} {:?} {:?} {} {}",
            self.eval,
            self.fv_scale,
            self.time,
            self.nodes,
            self.depth,
            self.threads,
            self.game.trim_end()
        )
    }
}

/// What was found out about a position.
#[derive(Serialize, Deserialize)]
struct PlyFinding {
    /// How many moves were played before it.
    ply: usize,
    /// For Black.
    value: i32,
    depth: u32,
    nodes: u64,
    line: String,
}

/// Work that is being done.
pub(super) struct AnalysisWork {
    plan: AnalysisPlan,
    done: HashMap<usize, PlyFinding>,
    file: Option<(PathBuf, File)>,
}

impl AnalysisWork {
    /// Takes up what was done before, if the file at `path` belongs to the same work.
    pub(super) fn new(plan: AnalysisPlan, path: Option<PathBuf>) -> Result<Self, Failure> {
        let mut done = HashMap::new();
        let file = match path {
            None => None,
            Some(path) => {
                let title = plan.title();
                let old = std::fs::read_to_string(&path).unwrap_or_default();
                let mut lines = old.lines();
                let is_same = lines.next() == Some(title.as_str());
                if is_same {
                    // A line that was being written when the program was stopped is no JSON.
                    let findings = lines.filter_map(|line| serde_json::from_str(line).ok());
                    done = findings
                        .map(|finding: PlyFinding| (finding.ply, finding))
                        .collect();
                }
                let file = open(&path, &title, &done)?;
                Some((path, file))
            }
        };
        Ok(Self { plan, done, file })
    }

    /// Evaluates every position of the main line, the last one first.
    pub(super) fn run(mut self, game: &mut Game) -> Result<(), Failure> {
        let settings = EvalSettings {
            fv_scale: self.plan.fv_scale,
            ..EvalSettings::default()
        };
        let plan = &self.plan;
        let mut search =
            TournamentFactory.make(&plan.eval, &settings, plan.threads, plan.hash << 20)?;
        let moves = game.main_line().filter(|&id| game[id].mv().is_some());
        let nodes: Vec<NodeId> = std::iter::once(Game::ROOT).chain(moves).collect();
        let progress = Progress::new("positions", nodes.len() as u64);
        let mut place = GamePosition::start(game);
        for (ply, &id) in nodes.iter().enumerate().rev() {
            place.go(game, id);
            if !self.done.contains_key(&ply) {
                let finding = self.think(search.as_mut(), game, &place, ply);
                self.keep(&finding)?;
                self.done.insert(ply, finding);
            }
            game[id].evaluation = self.done.get(&ply).map(PlyFinding::evaluation);
            progress.tick();
        }
        Ok(())
    }

    fn think(
        &self,
        search: &mut dyn EngineSearch,
        game: &Game,
        place: &GamePosition,
        ply: usize,
    ) -> PlyFinding {
        let request = SearchRequest {
            rules: Rules {
                move_limit: game.headers.move_limit,
                ..Rules::default()
            },
            limits: SearchLimits {
                depth: self.plan.depth,
                nodes: self.plan.nodes,
                ..SearchLimits::default()
            },
            ..SearchRequest::new(place.position().clone())
        };
        let budget = self
            .plan
            .time
            .map(Duration::from_millis)
            .map(TimeBudget::exactly);
        let control = SearchControl::new(Phase::Thinking, budget);
        let best = search.think(&request, &control, &mut NoListener);
        let points = best.value.points();
        let line: Vec<_> = best.pv.iter().map(Move::to_string).collect();
        PlyFinding {
            ply,
            value: match place.position().turn() {
                Color::Black => points,
                Color::White => -points,
            },
            depth: best.depth,
            nodes: best.nodes,
            line: line.join(" "),
        }
    }

    fn keep(&mut self, finding: &PlyFinding) -> Result<(), Failure> {
        let Some((path, file)) = &mut self.file else {
            return Ok(());
        };
        let line = serde_json::to_string(finding).map_err(std::io::Error::from);
        let written = line.and_then(|line| file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|source| Failure::Write {
            path: path.clone(),
            source,
        })
    }
}

impl PlyFinding {
    fn evaluation(&self) -> Evaluation {
        Evaluation {
            value: Value::new(self.value),
            depth: Some(self.depth),
            nodes: Some(self.nodes),
            line: self
                .line
                .split(' ')
                .map_while(|word| word.parse().ok())
                .collect(),
        }
    }
}

/// Writes anew what counts, and stays open for more.
fn open(path: &Path, title: &str, done: &HashMap<usize, PlyFinding>) -> Result<File, Failure> {
    let mut text = format!("{title}\n");
    for finding in done.values() {
        text += &serde_json::to_string(finding).map_err(std::io::Error::from)?;
        text.push('\n');
    }
    let written = std::fs::write(path, text);
    let opened = written.and_then(|()| OpenOptions::new().append(true).open(path));
    opened.map_err(|source| Failure::Write {
        path: path.into(),
        source,
    })
}
