//! Sessions on disk: one JSON file each, written to a temporary name and renamed.

use crate::analyse::AnalyseTab;
use crate::game_view::{GameView, MoveReview};
use crate::play::PlayTab;
use crate::protocol::message::SolveResult;
use crate::protocol::request::PlayerKind;
use crate::protocol::times::GameTimes;
use crate::session::{Saver, SessionState};
use crate::solve::SolveTab;
use crate::user_error::UserError;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use tesuji_game::{GameClock, TimeControl};
use tesuji_kernels::read_input;
use tesuji_record::{Ending, Evaluation, Game, GameCursor, Step, file};
use tesuji_shogi::{ByColor, Color, Move, Position, Value};

/// How many sessions are stored; the oldest are removed first.
const MOST_FILES: usize = 200;

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// A session as it is written.
#[derive(Serialize, Deserialize)]
struct SavedSession {
    play: SavedPlay,
    analyse: SavedGame,
    lines: usize,
    /// Whether the analysis holds work that is nowhere else.
    #[serde(default)]
    edited: bool,
    solve: SavedGame,
    result: Option<SolveResult>,
    /// The numbers of the played and the analysed game in the library.
    #[serde(default)]
    library: Option<[u64; 2]>,
}

#[derive(Serialize, Deserialize)]
struct SavedPlay {
    game: SavedGame,
    players: [PlayerKind; 2],
    clock: Option<GameTimes>,
    left: [u64; 2],
    pace: u64,
    paused: bool,
}

#[derive(Serialize, Deserialize)]
struct SavedGame {
    start: String,
    players: [String; 2],
    /// Every node but the first, a parent before its children.
    nodes: Vec<SavedNode>,
    comment: String,
    value: Option<SavedEvaluation>,
    at: usize,
}

#[derive(Serialize, Deserialize)]
struct SavedNode {
    parent: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    /// The ending as KIF says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    millis: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<SavedEvaluation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<SavedReview>,
}

/// What a review says about a move.
#[derive(Serialize, Deserialize)]
struct SavedReview {
    loss: f64,
    best: i32,
    played: i32,
    line: Vec<String>,
}

impl SavedReview {
    fn of(review: &MoveReview) -> Self {
        Self {
            loss: review.loss,
            best: review.best.points(),
            played: review.played.points(),
            line: review.line.iter().map(ToString::to_string).collect(),
        }
    }

    fn read(&self) -> MoveReview {
        let value = |points: i32| Value::new(points.clamp(-32_000, 32_000));
        MoveReview {
            loss: self.loss.clamp(0.0, 1.0),
            best: value(self.best),
            played: value(self.played),
            line: self.line.iter().map_while(|mv| mv.parse().ok()).collect(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct SavedEvaluation {
    points: i32,
    depth: Option<u32>,
    nodes: Option<u64>,
    line: Vec<String>,
}

impl SavedEvaluation {
    fn of(evaluation: &Evaluation) -> Self {
        Self {
            points: evaluation.value.points(),
            depth: evaluation.depth,
            nodes: evaluation.nodes,
            line: evaluation.line.iter().map(ToString::to_string).collect(),
        }
    }

    fn read(&self) -> Evaluation {
        Evaluation {
            value: Value::new(self.points.clamp(-32_000, 32_000)),
            depth: self.depth,
            nodes: self.nodes,
            line: self.line.iter().map_while(|mv| mv.parse().ok()).collect(),
        }
    }
}

impl SavedGame {
    fn of(view: &GameView) -> Self {
        let game = view.record();
        let nodes = (1..game.size()).filter_map(|index| {
            let id = game.node(index)?;
            let node = &game[id];
            let (mv, end) = match node.step() {
                Step::Move(mv) => (Some(mv.to_string()), None),
                Step::End(ending) => (None, Some(end_name(ending, game.turn(id)))),
                Step::Start => (None, None),
            };
            Some(SavedNode {
                parent: node.parent()?.index(),
                mv,
                end,
                comment: node.comment.clone(),
                millis: node.time.map(|time| time.as_millis() as u64),
                value: node.evaluation.as_ref().map(SavedEvaluation::of),
                review: view.reviews().get(&id).map(SavedReview::of),
            })
        });
        Self {
            start: game.start().to_sfen(),
            players: game.headers.players.0.clone(),
            nodes: nodes.collect(),
            comment: game[Game::ROOT].comment.clone(),
            value: game[Game::ROOT]
                .evaluation
                .as_ref()
                .map(SavedEvaluation::of),
            at: view.at().index(),
        }
    }

    /// The game with its current node; `None` if a node makes no sense.
    fn read(&self) -> Option<GameView> {
        let mut game = Game::new(Position::from_sfen(&self.start).ok()?);
        game.headers.players = ByColor(self.players.clone());
        let mut cursor = GameCursor::new(game);
        cursor.node().comment.clone_from(&self.comment);
        cursor.node().evaluation = self.value.as_ref().map(SavedEvaluation::read);
        for node in &self.nodes {
            let parent = cursor.game().node(node.parent)?;
            cursor.go(parent);
            match (&node.mv, &node.end) {
                (Some(mv), _) => {
                    let mv: Move = mv.parse().ok()?;
                    cursor.play(mv).ok()?;
                }
                (None, Some(end)) => {
                    let ending = read_end(end, cursor.position().turn())?;
                    cursor.end(ending);
                }
                (None, None) => return None,
            }
            let written = cursor.node();
            written.comment.clone_from(&node.comment);
            written.time = node.millis.map(Duration::from_millis);
            written.evaluation = node.value.as_ref().map(SavedEvaluation::read);
        }
        let mut view = GameView::new(cursor.finish());
        for (index, node) in (1..).zip(&self.nodes) {
            if let (Some(id), Some(review)) = (view.record().node(index), &node.review) {
                view.set_review(id, review.read());
            }
        }
        let at = view.record().node(self.at)?;
        view.go(at);
        Some(view)
    }
}

/// The ending as KIF calls it, and for a foul the side that made it.
fn end_name(ending: Ending, turn: Color) -> String {
    match ending {
        Ending::Foul { by, .. } => format!("反則 {}", by.letter()),
        ending => ending.japanese(turn).to_owned(),
    }
}

fn read_end(word: &str, turn: Color) -> Option<Ending> {
    let foul = |by| Some(Ending::Foul { by, made: None });
    match word {
        "反則 b" => foul(Color::Black),
        "反則 w" => foul(Color::White),
        word => Ending::from_japanese(word, turn),
    }
}

/// A session as JSON.
pub(crate) fn to_json(state: &SessionState) -> serde_json::Result<String> {
    let play = &state.play;
    let left = |color| play.times().map_or(0, |_| play.time_left(color).main);
    serde_json::to_string(&SavedSession {
        play: SavedPlay {
            game: SavedGame::of(&play.game),
            players: play.players.0,
            clock: play.times(),
            left: Color::ALL.map(left),
            pace: play.pace.as_millis() as u64,
            paused: play.is_paused,
        },
        analyse: SavedGame::of(&state.analyse.game),
        lines: state.analyse.lines,
        edited: state.analyse.is_edited,
        solve: SavedGame::of(&state.solve.game),
        result: state.solve.result.clone(),
        library: Some([state.play.library_id, state.analyse.library_id]),
    })
}

/// A session from JSON; `None` if it is damaged.
pub(crate) fn read(text: &str) -> Option<SessionState> {
    let saved: SavedSession = serde_json::from_str(text).ok()?;
    let play = saved.play;
    let times = play.clock.filter(GameTimes::is_sound);
    let control = times.map(TimeControl::from).unwrap_or_default();
    let left = play
        .left
        .map(|millis| Duration::from_millis(millis.min(48 * 3600 * 1000)));
    let clock = GameClock::resumed(ByColor([control; 2]), ByColor(left));
    let mut play = PlayTab::restored(
        play.game.read()?.record().clone(),
        ByColor(play.players),
        clock,
        Duration::from_millis(play.pace.min(60_000)),
        play.paused,
    );
    let mut analyse = AnalyseTab::restored(saved.analyse.read()?, saved.lines, saved.edited);
    if let Some([played, analysed]) = saved.library {
        play.library_id = played;
        analyse.library_id = analysed;
    }
    let solve = SolveTab::restored(saved.solve.read()?, saved.result);
    Some(SessionState::of(play, analyse, solve))
}

fn path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Writes a session; what was there before stays until the new file is whole.
pub(crate) fn save(folder: &Path, id: &str, text: &str) -> std::io::Result<()> {
    file::create_private_folder(folder)?;
    file::save_private(&path(folder, id), text.as_bytes())
}

/// Writes sessions into a folder, or nowhere. The first time that it cannot be done is an error.
pub(crate) fn saver(folder: Option<PathBuf>) -> Saver {
    let has_failed = AtomicBool::new(false);
    Arc::new(move |id: &str, state: MutexGuard<'_, SessionState>| {
        let Some(folder) = &folder else {
            return Ok(());
        };
        let text = to_json(&state);
        drop(state);
        let saved = text
            .map_err(std::io::Error::from)
            .and_then(|text| save(folder, id, &text));
        match saved {
            Err(error) if !has_failed.swap(true, Ordering::SeqCst) => {
                let folder = folder.display();
                Err(UserError::new(
                    format!("Games cannot be kept in {folder}: {error}."),
                    format!("{folder} に棋譜を保存できません({error})。"),
                ))
            }
            _ => Ok(()),
        }
    })
}

/// What is stored under a name.
pub(crate) enum StoredSession {
    /// Nothing yet.
    None,
    /// A session.
    Whole(Box<SessionState>),
    /// Something that cannot be read; it lies aside now.
    PutAside(UserError),
    /// Something that can neither be read nor put aside: nothing may be stored in its place.
    InTheWay(UserError),
}

/// The session that was stored under a name. What cannot be read is put aside, never overwritten.
pub(crate) fn load(folder: &Path, id: &str) -> StoredSession {
    let path = path(folder, id);
    let bytes = match read_input(&path, LARGEST) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => return StoredSession::None,
        Err(error) => Err(error.to_string()),
    };
    let state = bytes.and_then(|bytes| {
        let text = std::str::from_utf8(&bytes).map_err(|error| error.to_string())?;
        read(text).ok_or_else(|| "it is damaged".to_owned())
    });
    match state {
        Ok(state) => StoredSession::Whole(Box::new(state)),
        Err(why) => match put_aside(&path) {
            Ok(aside) => StoredSession::PutAside(UserError::put_aside(&why, &aside)),
            Err(error) => {
                let why = format!("{why}; {error}");
                StoredSession::InTheWay(UserError::not_kept(&why, &path))
            }
        },
    }
}

/// Gives a file a name that nothing has yet.
fn put_aside(path: &Path) -> std::io::Result<PathBuf> {
    let names = (1..1000).map(|number| path.with_extension(format!("damaged-{number}")));
    let mut free = names.filter(|name| name.symlink_metadata().is_err());
    let aside = free.next().ok_or(ErrorKind::AlreadyExists)?;
    std::fs::rename(path, &aside)?;
    Ok(aside)
}

/// Removes the oldest sessions if there are too many.
pub(crate) fn remove_oldest(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "json"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    let surplus = files.len().saturating_sub(MOST_FILES);
    for (_, path) in files.into_iter().take(surplus) {
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests;
