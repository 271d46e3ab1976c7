//! Records of games as trees, in the idiom of `chess.pgn`.

use crate::board::Board;
use crate::errors;
use crate::moves::{self, of_number};
use crate::record_html;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tesuji_kernels::{LARGEST_TEXT, open_input, read_input};
use tesuji_record::encoding::decode;
use tesuji_record::{
    Encoding, Ending, Evaluation, Game, GameResult, Games, NodeId, ReadError, StreamError,
    TextFormat, file,
};
use tesuji_shogi::{Color, Move, Position, Value};

/// A game: headers, a start position and a tree of moves.
#[pyclass(module = "tesuji")]
pub(crate) struct Record {
    pub(crate) game: Game,
}

/// A place in the tree of a record. It stays valid: nothing is ever taken out of a tree.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Node {
    record: Py<Record>,
    id: NodeId,
}

/// The format that a name or the extension of a path means, and the encoding that is usual there.
fn format_of(name: Option<&str>, path: Option<&Path>) -> PyResult<(TextFormat, Encoding)> {
    let extension = path.and_then(|path| path.extension()?.to_str());
    let name = name.or(extension).unwrap_or_default();
    TextFormat::from_name(name).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{name:?} is no format of records: expected csa, csa3, kif, kifu, ki2, ki2u, jkf or usi"
        ))
    })
}

fn read_bytes(format: TextFormat, bytes: &[u8]) -> Result<Game, ReadError> {
    let text = decode(bytes).map_err(|problem| ReadError { line: 1, problem })?;
    format.read(&text)
}

/// What a text means as an ending, for the side to move.
fn ending_of(name: &str, turn: Color) -> PyResult<Ending> {
    let found = ENDINGS.iter().find(|(known, _)| *known == name);
    match found {
        Some(&(_, ending)) => Ok(ending),
        None if name.starts_with("foul") => {
            let by = match name {
                "foul by black" => Color::Black,
                "foul by white" => Color::White,
                _ => turn.foe(),
            };
            Ok(Ending::Foul { by, made: None })
        }
        None => {
            let known: Vec<_> = ENDINGS.iter().map(|(name, _)| *name).collect();
            Err(PyValueError::new_err(format!(
                "{name:?} is no ending: expected foul by black, foul by white, {}",
                known.join(", ")
            )))
        }
    }
}

const ENDINGS: [(&str, Ending); 14] = [
    ("resignation", Ending::Resignation),
    ("interruption", Ending::Interruption),
    ("sealed", Ending::Sealed),
    ("repetition", Ending::Repetition),
    ("impasse", Ending::Impasse),
    ("draw", Ending::Draw),
    ("move limit", Ending::MoveLimit),
    ("time", Ending::Time),
    ("declaration", Ending::Declaration),
    ("mate", Ending::Mate),
    ("no mate", Ending::NoMate),
    ("won by default", Ending::WonByDefault),
    ("lost by default", Ending::LostByDefault),
    ("error", Ending::Error),
];

fn ending_name(ending: Ending) -> &'static str {
    let found = ENDINGS.iter().find(|(_, known)| *known == ending);
    found.map_or("foul", |(name, _)| name)
}

impl Record {
    fn node(slf: &Bound<'_, Self>, id: NodeId) -> Node {
        Node {
            record: slf.clone().unbind(),
            id,
        }
    }

    fn header_field(&mut self, key: &str) -> Option<&mut String> {
        let headers = &mut self.game.headers;
        Some(match key {
            "black" => &mut headers.players[Color::Black],
            "white" => &mut headers.players[Color::White],
            "event" => &mut headers.event,
            "site" => &mut headers.site,
            "start_time" => &mut headers.start_time,
            "end_time" => &mut headers.end_time,
            "opening" => &mut headers.opening,
            "note" => &mut headers.note,
            _ => return None,
        })
    }
}

#[pymethods]
impl Record {
    /// A game without moves from a position; with its moves, if the board has some.
    #[new]
    #[pyo3(signature = (board=None))]
    fn new(py: Python<'_>, board: Option<&Board>) -> PyResult<Self> {
        let game = match board.map(|board| &board.pos) {
            None => Game::default(),
            Some(pos) => py
                .detach(|| Game::of_position(pos))
                .ok_or_else(|| errors::RecordError::new_err("a pass cannot be recorded"))?,
        };
        Ok(Self { game })
    }

    /// Reads a record from a text, or from bytes in whatever encoding they are.
    #[classmethod]
    fn parse(class: &Bound<'_, PyType>, text: &Bound<'_, PyAny>, format: &str) -> PyResult<Self> {
        let py = class.py();
        let (format, _) = format_of(Some(format), None)?;
        let game = if let Ok(text) = text.cast::<PyString>() {
            let text = text.to_str()?;
            py.detach(|| format.read(text))
        } else {
            let bytes = text.cast::<PyBytes>()?.as_bytes();
            py.detach(|| read_bytes(format, bytes))
        };
        let game = game.map_err(|error| errors::record(py, &error))?;
        Ok(Self { game })
    }

    /// Reads the first record of a file; the extension tells the format unless it is given.
    #[classmethod]
    #[pyo3(signature = (path, format=None))]
    fn open(class: &Bound<'_, PyType>, path: PathBuf, format: Option<&str>) -> PyResult<Self> {
        let py = class.py();
        let (format, _) = format_of(format, Some(&path))?;
        let read = py.detach(|| read_input(&path, LARGEST_TEXT));
        let bytes = read.map_err(|error| errors::file(&path, error))?;
        let game = py.detach(|| read_bytes(format, &bytes));
        let game = game.map_err(|error| errors::record(py, &error))?;
        Ok(Self { game })
    }

    /// Reads all records of a file.
    #[classmethod]
    #[pyo3(signature = (path, format=None))]
    fn open_all(
        class: &Bound<'_, PyType>,
        path: PathBuf,
        format: Option<&str>,
    ) -> PyResult<Vec<Self>> {
        let py = class.py();
        let (format, _) = format_of(format, Some(&path))?;
        let opened = open_input(&path, u64::MAX).map_err(|error| errors::file(&path, error))?;
        let games: Result<Vec<Game>, StreamError> =
            py.detach(|| Games::new(BufReader::new(opened), format).collect());
        match games {
            Ok(games) => Ok(games.into_iter().map(|game| Self { game }).collect()),
            Err(StreamError::Game(error)) => Err(errors::record(py, &error)),
            Err(StreamError::Io(error)) => Err(errors::file(&path, error)),
            Err(error) => Err(errors::RecordError::new_err(error.to_string())),
        }
    }

    /// The record as a text.
    fn dumps(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let (format, _) = format_of(Some(format), None)?;
        let text = py.detach(|| format.write(&self.game));
        text.map_err(|error| errors::RecordError::new_err(error.to_string()))
    }

    /// Writes a file, whole or not at all; the extension tells the format and its usual encoding.
    #[pyo3(signature = (path, format=None, encoding=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        encoding: Option<&str>,
    ) -> PyResult<()> {
        let (format, usual) = format_of(format, Some(&path))?;
        let encoding = match encoding {
            None => usual,
            Some(name) => Encoding::from_name(name).ok_or_else(|| {
                PyValueError::new_err(format!("{name:?}: expected utf-8, shift_jis or euc-jp"))
            })?,
        };
        let bytes = py.detach(|| format.write_bytes(&self.game, encoding));
        let bytes = bytes.map_err(|error| errors::RecordError::new_err(error.to_string()))?;
        let saved = py.detach(|| file::save(&path, &bytes));
        saved.map_err(|error| errors::file(&path, error))
    }

    /// What stands above the moves: `black`, `white`, `event`, `site`, `start_time`, `end_time`,
    /// `opening`, `note`, and whatever else the record had. Empty ones are left out.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = &self.game.headers;
        let [black, white] = &headers.players.0;
        let known = [
            ("black", black),
            ("white", white),
            ("event", &headers.event),
            ("site", &headers.site),
            ("start_time", &headers.start_time),
            ("end_time", &headers.end_time),
            ("opening", &headers.opening),
            ("note", &headers.note),
        ];
        let known = known.into_iter().filter(|(_, value)| !value.is_empty());
        let known = known.map(|(key, value)| (key.to_owned(), value.clone()));
        let dict = PyDict::new(py);
        for (key, value) in known.chain(headers.others.iter().cloned()) {
            dict.set_item(key, value)?;
        }
        Ok(dict)
    }

    /// Sets a header; an empty text takes it away.
    fn set_header(&mut self, key: &str, value: String) {
        if let Some(field) = self.header_field(key) {
            *field = value;
            return;
        }
        let others = &mut self.game.headers.others;
        others.retain(|(known, _)| known != key);
        if !value.is_empty() {
            others.push((key.to_owned(), value));
        }
    }

    /// The node of the start position.
    #[getter]
    fn root(slf: &Bound<'_, Self>) -> Node {
        Self::node(slf, Game::ROOT)
    }

    /// The nodes of the main line behind the start; the last one may be an ending.
    fn mainline(slf: &Bound<'_, Self>) -> Vec<Node> {
        let ids: Vec<_> = slf.borrow().game.main_line().collect();
        ids.into_iter().map(|id| Self::node(slf, id)).collect()
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let moves = self.game.moves();
        moves.map(|mv| moves::object(py, Some(mv))).collect()
    }

    /// The scores of the main line as they were recorded, for Black; `None` where there is none.
    #[getter]
    fn scores(&self) -> Vec<Option<i32>> {
        let nodes = self
            .game
            .main_line()
            .filter(|&id| self.game[id].mv().is_some());
        let score = |id| Some(self.game[id].evaluation.as_ref()?.value.points());
        nodes.map(score).collect()
    }

    /// The times of the main line in seconds; `None` where there is none.
    #[getter]
    fn times(&self) -> Vec<Option<f64>> {
        let nodes = self
            .game
            .main_line()
            .filter(|&id| self.game[id].mv().is_some());
        nodes
            .map(|id| self.game[id].time.map(|time| time.as_secs_f64()))
            .collect()
    }

    /// The start position.
    #[getter]
    fn start(&self) -> Board {
        Board::of(self.game.start().clone())
    }

    /// The board at the end of the main line, with its past.
    fn board(&self, py: Python<'_>) -> Board {
        Board::of(py.detach(|| self.game.position(self.game.last())))
    }

    /// How the main line ended.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.game.ending().map(ending_name)
    }

    /// `1-0` if Black has won, `0-1` if White has, `1/2-1/2`, or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        match self.game.result() {
            Some(GameResult::Win(Color::Black)) => "1-0",
            Some(GameResult::Win(Color::White)) => "0-1",
            Some(GameResult::Draw) => "1/2-1/2",
            None => "*",
        }
    }

    /// Whether any node has more than one continuation.
    #[getter]
    fn has_variations(&self) -> bool {
        self.game.has_variations()
    }

    /// How many nodes the tree has, the start included.
    fn __len__(&self) -> usize {
        self.game.size()
    }

    /// Plays on at the end of the main line.
    fn push(slf: &Bound<'_, Self>, mv: u16) -> PyResult<Node> {
        let mv = of_number(mv)?;
        let pushed = slf.borrow_mut().game.push(mv);
        let id =
            pushed.map_err(|error| errors::IllegalMoveError::new_err(format!("{mv}: {error}")))?;
        Ok(Self::node(slf, id))
    }

    /// Ends the main line.
    fn end(slf: &Bound<'_, Self>, ending: &str) -> PyResult<Node> {
        let mut record = slf.borrow_mut();
        let turn = record.game.turn(record.game.last());
        let id = record.game.end(ending_of(ending, turn)?);
        Ok(Self::node(slf, id))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        py.detach(|| self.game == other.game)
    }

    fn __repr__(&self) -> String {
        let [black, white] = &self.game.headers.players.0;
        let moves = self.game.moves().count();
        format!(
            "<Record {black:?} - {white:?}, {moves} moves, {}>",
            self.result()
        )
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| record_html::draw(&self.game))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, &'static str))> {
        let parse = slf.get_type().getattr("parse")?;
        Ok((parse, (slf.borrow().dumps(slf.py(), "jkf")?, "jkf")))
    }
}

impl Node {
    fn with<T>(&self, py: Python<'_>, f: impl FnOnce(&Game) -> T) -> PyResult<T> {
        Ok(f(&self.record.try_borrow(py)?.game))
    }

    /// The position of a node; the moves that lead to it are played while other threads run.
    fn position(&self, py: Python<'_>, id: NodeId) -> PyResult<Position> {
        self.with(py, |game| py.detach(|| game.position(id)))
    }

    fn sibling(&self, py: Python<'_>, id: NodeId) -> Self {
        Self {
            record: self.record.clone_ref(py),
            id,
        }
    }
}

#[pymethods]
impl Node {
    /// The record it belongs to.
    #[getter]
    fn record(&self, py: Python<'_>) -> Py<Record> {
        self.record.clone_ref(py)
    }

    /// The move that leads here; `None` at the start and at an ending.
    #[getter]
    #[pyo3(name = "move")]
    fn mv(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mv = self.with(py, |game| game[self.id].mv())?;
        mv.map(|mv| moves::object(py, Some(mv))).transpose()
    }

    /// The move as people write it; at an ending its name.
    #[pyo3(signature = (style="ja"))]
    fn san(&self, py: Python<'_>, style: &str) -> PyResult<Option<String>> {
        let step = self.with(py, |game| (game[self.id].mv(), game[self.id].parent()))?;
        match step {
            (Some(mv), Some(parent)) => {
                let before = Board::of(self.position(py, parent)?);
                before.san(py, mv.bits(), style).map(Some)
            }
            _ => Ok(self.ending(py)?.map(str::to_owned)),
        }
    }

    /// How the line ended, if this is its end.
    #[getter]
    fn ending(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.with(py, |game| game[self.id].ending().map(ending_name))
    }

    /// How many moves lie between the start and here.
    #[getter]
    fn depth(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |game| game[self.id].depth())
    }

    /// The node before; `None` at the start.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let parent = self.with(py, |game| game[self.id].parent())?;
        Ok(parent.map(|id| self.sibling(py, id)))
    }

    /// What may follow: first the line that is played on, then its alternatives.
    #[getter]
    fn variations(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let ids = self.with(py, |game| game[self.id].children().to_vec())?;
        Ok(ids.into_iter().map(|id| self.sibling(py, id)).collect())
    }

    /// The next node of the line; `None` at its end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let next = self.with(py, |game| game[self.id].children().first().copied())?;
        Ok(next.map(|id| self.sibling(py, id)))
    }

    /// The board here, with its past.
    fn board(&self, py: Python<'_>) -> PyResult<Board> {
        self.position(py, self.id).map(Board::of)
    }

    /// What somebody wrote here.
    #[getter]
    fn comment(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |game| game[self.id].comment.clone())
    }

    #[setter]
    fn set_comment(&self, py: Python<'_>, comment: String) -> PyResult<()> {
        self.record.try_borrow_mut(py)?.game[self.id].comment = comment;
        Ok(())
    }

    /// How long the player thought, in seconds.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.with(py, |game| game[self.id].time.map(|time| time.as_secs_f64()))
    }

    #[setter]
    fn set_time(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<()> {
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.record.try_borrow_mut(py)?.game[self.id].time = time;
        Ok(())
    }

    /// What the position is worth to Black.
    #[getter]
    fn score(&self, py: Python<'_>) -> PyResult<Option<i32>> {
        self.with(py, |game| {
            Some(game[self.id].evaluation.as_ref()?.value.points())
        })
    }

    /// The line that was expected to follow.
    #[getter]
    fn pv(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let line = self.with(py, |game| {
            let evaluation = game[self.id].evaluation.as_ref();
            evaluation
                .map(|found| found.line.clone())
                .unwrap_or_default()
        })?;
        line.into_iter()
            .map(|mv| moves::object(py, Some(mv)))
            .collect()
    }

    /// Notes what an engine thinks of the position, for Black.
    #[pyo3(signature = (score, depth=None, nodes=None, pv=None))]
    fn set_evaluation(
        &self,
        py: Python<'_>,
        score: i32,
        depth: Option<u32>,
        nodes: Option<u64>,
        pv: Option<Vec<u16>>,
    ) -> PyResult<()> {
        let line: PyResult<Vec<Move>> = pv.unwrap_or_default().into_iter().map(of_number).collect();
        let evaluation = Evaluation {
            value: Value::new(score),
            depth,
            nodes,
            line: line?,
        };
        self.record.try_borrow_mut(py)?.game[self.id].evaluation = Some(evaluation);
        Ok(())
    }

    /// Adds a move here: the continuation if there is none yet, otherwise an alternative.
    fn add_variation(&self, py: Python<'_>, mv: u16) -> PyResult<Self> {
        let mv = of_number(mv)?;
        let added = self.record.try_borrow_mut(py)?.game.add(self.id, mv);
        let id =
            added.map_err(|error| errors::IllegalMoveError::new_err(format!("{mv}: {error}")))?;
        Ok(self.sibling(py, id))
    }

    /// Ends the line here.
    fn end(&self, py: Python<'_>, ending: &str) -> PyResult<Self> {
        let mut record = self.record.try_borrow_mut(py)?;
        let ending = ending_of(ending, record.game.turn(self.id))?;
        let id = record.game.end_at(self.id, ending);
        Ok(self.sibling(py, id))
    }

    fn __getitem__(&self, py: Python<'_>, index: usize) -> PyResult<Self> {
        let child = self.with(py, |game| game[self.id].children().get(index).copied())?;
        let missing = || PyIndexError::new_err(format!("there is no variation {index}"));
        child.map(|id| self.sibling(py, id)).ok_or_else(missing)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.record.is(&other.record) && self.id == other.id
    }

    fn __hash__(&self) -> u64 {
        self.id.index() as u64
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.san(py, "ja")?.unwrap_or_else(|| "start".into());
        Ok(format!("<Node {} {name}>", self.depth(py)?))
    }
}
