//! Desks on disk: one file each, written whole.

use crate::clock::{Clock, Control};
use crate::desk::State;
use crate::play::Play;
use crate::problem::{Finding, Puzzle};
use crate::sheet::Sheet;
use crate::study::Study;
use crate::wish::Seat;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tesuji_record::{Ending, Evaluation, Game, Pen, Step, file};
use tesuji_shogi::{ByColor, Color, Move, Position, Value};

/// How many desks are kept; the oldest go first.
const MOST_FILES: usize = 200;

/// No file of ours is larger.
const LARGEST: u64 = 64 << 20;

/// A desk, as it is written.
#[derive(Serialize, Deserialize)]
struct Saved {
    play: SavedPlay,
    study: SavedGame,
    lines: usize,
    problem: SavedGame,
    verdict: Option<Finding>,
}

#[derive(Serialize, Deserialize)]
struct SavedPlay {
    game: SavedGame,
    seats: [Seat; 2],
    clock: Option<Control>,
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
    value: Option<SavedValue>,
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
    value: Option<SavedValue>,
}

#[derive(Serialize, Deserialize)]
struct SavedValue {
    points: i32,
    depth: Option<u32>,
    nodes: Option<u64>,
    line: Vec<String>,
}

impl SavedValue {
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
    fn of(sheet: &Sheet) -> Self {
        let game = sheet.game();
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
                value: node.evaluation.as_ref().map(SavedValue::of),
            })
        });
        Self {
            start: game.start().to_sfen(),
            players: game.headers.players.0.clone(),
            nodes: nodes.collect(),
            comment: game[Game::ROOT].comment.clone(),
            value: game[Game::ROOT].evaluation.as_ref().map(SavedValue::of),
            at: sheet.at().index(),
        }
    }

    /// The sheet; `None` if a node makes no sense.
    fn read(&self) -> Option<Sheet> {
        let mut game = Game::new(Position::from_sfen(&self.start).ok()?);
        game.headers.players = ByColor(self.players.clone());
        let mut pen = Pen::new(game);
        pen.node().comment.clone_from(&self.comment);
        pen.node().evaluation = self.value.as_ref().map(SavedValue::read);
        for node in &self.nodes {
            let parent = pen.game().node(node.parent)?;
            pen.go(parent);
            match (&node.mv, &node.end) {
                (Some(mv), _) => {
                    let mv: Move = mv.parse().ok()?;
                    pen.play(mv).ok()?;
                }
                (None, Some(end)) => {
                    let ending = read_end(end, pen.position().turn())?;
                    pen.end(ending);
                }
                (None, None) => return None,
            }
            let written = pen.node();
            written.comment.clone_from(&node.comment);
            written.time = node.millis.map(Duration::from_millis);
            written.evaluation = node.value.as_ref().map(SavedValue::read);
        }
        let mut sheet = Sheet::new(pen.finish());
        let at = sheet.game().node(self.at)?;
        sheet.go(at);
        Some(sheet)
    }
}

/// The word of KIF; for a foul, whose it was.
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

/// A desk as text.
pub(crate) fn written(state: &State) -> serde_json::Result<String> {
    let play = &state.play;
    let left = |color| {
        play.clock
            .as_ref()
            .map_or(0, |clock: &Clock| clock.left(color).0)
    };
    serde_json::to_string(&Saved {
        play: SavedPlay {
            game: SavedGame::of(&play.sheet),
            seats: play.seats.0,
            clock: play.clock.as_ref().map(|clock| clock.control),
            left: Color::ALL.map(left),
            pace: play.pace.as_millis() as u64,
            paused: play.is_paused,
        },
        study: SavedGame::of(&state.study.sheet),
        lines: state.study.lines,
        problem: SavedGame::of(&state.puzzle.sheet),
        verdict: state.puzzle.verdict.clone(),
    })
}

/// A desk from text; `None` if it is none.
pub(crate) fn read(text: &str) -> Option<State> {
    let saved: Saved = serde_json::from_str(text).ok()?;
    let play = saved.play;
    let clock = play.clock.filter(Control::is_sound).map(|control| {
        let left = play
            .left
            .map(|millis| Duration::from_millis(millis.min(48 * 3600 * 1000)));
        Clock::with(control, ByColor(left))
    });
    let play = Play::restored(
        play.game.read()?.game().clone(),
        ByColor(play.seats),
        clock,
        Duration::from_millis(play.pace.min(60_000)),
        play.paused,
    );
    let study = Study::restored(saved.study.read()?, saved.lines);
    let puzzle = Puzzle::restored(saved.problem.read()?, saved.verdict);
    Some(State::of(play, study, puzzle))
}

fn path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Writes a desk; what was there before stays until the new file is whole.
pub(crate) fn save(folder: &Path, id: &str, text: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    file::save(&path(folder, id), text.as_bytes())
}

/// The desk that was kept under a name.
pub(crate) fn load(folder: &Path, id: &str) -> Option<State> {
    let path = path(folder, id);
    let size = std::fs::metadata(&path).ok()?.len();
    if size > LARGEST {
        return None;
    }
    let state = read(&std::fs::read_to_string(&path).ok()?);
    if state.is_none() {
        // Not ours, or damaged: it is put aside, never overwritten.
        let _ = std::fs::rename(&path, path.with_extension("damaged"));
    }
    state
}

/// Removes the oldest desks if there are too many.
pub(crate) fn tidy(folder: &Path) {
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
mod tests {
    use super::*;

    fn state() -> State {
        let text = "startpos moves 7g7f 3c3d 2g2f 4c4d";
        let mut game = tesuji_record::usi::read(text).unwrap();
        let first = game.node(1).unwrap();
        game[first].comment = "角道".into();
        game[first].time = Some(Duration::from_millis(1234));
        game[first].evaluation = Some(Evaluation {
            value: Value::mate_in(3),
            depth: Some(7),
            nodes: Some(99),
            line: vec!["3c3d".parse().unwrap()],
        });
        game.add(first, "8c8d".parse().unwrap()).unwrap();
        game.end(Ending::Foul {
            by: Color::White,
            made: None,
        });
        let mut sheet = Sheet::new(game.clone());
        sheet.go(first);
        let control = Control {
            main: 60_000,
            byoyomi: 5000,
            increment: 0,
        };
        let seats = ByColor([Seat::Engine { strength: 7 }, Seat::Person]);
        let clock = Some(Clock::new(control));
        let play = Play::restored(game, seats, clock, Duration::from_millis(300), true);
        State::of(play, Study::restored(sheet, 5), Puzzle::default())
    }

    #[test]
    fn a_desk_reads_back() {
        let text = written(&state()).unwrap();
        let read = read(&text).unwrap();
        assert_eq!(written(&read).unwrap(), text);
        assert_eq!(read.study.sheet.game(), state().study.sheet.game());
        assert_eq!(read.study.sheet.at().index(), 1);
        assert!(read.play.is_over());
    }

    #[test]
    fn what_is_damaged_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let text = written(&state()).unwrap();
        save(folder.path(), "good", &text).unwrap();
        assert!(load(folder.path(), "good").is_some());
        for bad in [
            "",
            "{}",
            &text.replace("7g7f", "7g7e"),
            &text[..text.len() / 2],
        ] {
            save(folder.path(), "bad", bad).unwrap();
            assert!(load(folder.path(), "bad").is_none());
            assert!(folder.path().join("bad.damaged").exists());
        }
        tidy(folder.path());
        assert!(load(folder.path(), "good").is_some());
    }
}
