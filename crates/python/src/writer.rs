//! Training data written: positions one by one, batches or whole games.
//!
//! Encoding and writing happen while other Python threads run, one writer at a time.

use crate::batch::Batch;
use crate::board::Board;
use crate::dataset::DatasetFormat;
use crate::errors;
use crate::moves::of_number;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tesuji_record::GameResult;
use tesuji_record::file::NewFile;
use tesuji_record::samples::{Sample, SampleProblem};
use tesuji_record::sbinpack::ChainWriter;
use tesuji_record::trace::{GameTrace, TracePly};
use tesuji_shogi::rules::foul;
use tesuji_shogi::{Position, Value};

/// Writes training data; the file takes its name when it is closed.
#[pyclass(frozen, module = "tesuji.data")]
pub(crate) struct Writer {
    path: PathBuf,
    format: DatasetFormat,
    open: Mutex<OpenFile>,
}

/// The file as far as it is written.
struct OpenFile {
    /// `None` once it is closed.
    out: Option<WriterOutput>,
    written: usize,
}

enum WriterOutput {
    Plain(NewFile),
    Chains(Box<ChainWriter<NewFile>>),
}

/// Why something was not written.
enum WriteProblem {
    Closed,
    /// The format has whole games.
    GamesOnly,
    /// What is wrong, and with which record, from 1.
    Record(usize, SampleProblem),
    File(std::io::Error),
}

impl From<std::io::Error> for WriteProblem {
    fn from(error: std::io::Error) -> Self {
        Self::File(error)
    }
}

impl OpenFile {
    fn put(&mut self, format: DatasetFormat, sample: &Sample) -> Result<(), WriteProblem> {
        let number = self.written + 1;
        match (&mut self.out, format) {
            (None, _) => return Err(WriteProblem::Closed),
            (Some(WriterOutput::Plain(file)), DatasetFormat::Records(format)) => {
                let bytes = format.write(sample);
                file.write_all(&bytes.map_err(|problem| WriteProblem::Record(number, problem))?)?;
            }
            (Some(WriterOutput::Chains(chains)), _) => chains
                .write(sample)
                .map_err(|error| WriteProblem::Record(number, error.problem))?,
            _ => return Err(WriteProblem::GamesOnly),
        }
        self.written = number;
        Ok(())
    }

    fn put_batch(&mut self, format: DatasetFormat, batch: &Batch) -> Result<(), WriteProblem> {
        if let (Some(WriterOutput::Plain(file)), true) = (
            &mut self.out,
            format == DatasetFormat::Records(batch.format),
        ) {
            file.write_all(&batch.bytes)?;
            self.written += batch.count();
            return Ok(());
        }
        let records = batch.bytes.chunks_exact(batch.format.size());
        for (place, record) in records.enumerate() {
            let sample = batch.format.read(record, batch.format.moves());
            let sample = sample.map_err(|problem| WriteProblem::Record(place + 1, problem))?;
            self.put(format, &sample)?;
        }
        Ok(())
    }

    fn put_game(&mut self, format: DatasetFormat, game: &GameTrace) -> Result<(), WriteProblem> {
        let number = self.written + 1;
        match (&mut self.out, format) {
            (None, _) => Err(WriteProblem::Closed),
            (Some(WriterOutput::Plain(file)), DatasetFormat::Games(format)) => {
                let bytes = format.write(game);
                file.write_all(&bytes.map_err(|problem| WriteProblem::Record(number, problem))?)?;
                self.written = number;
                Ok(())
            }
            _ => (game.samples().iter()).try_for_each(|sample| self.put(format, sample)),
        }
    }

    fn close(&mut self) -> Result<(), WriteProblem> {
        match self.out.take() {
            None => {}
            Some(WriterOutput::Plain(file)) => file.keep()?,
            Some(WriterOutput::Chains(chains)) => chains.finish().and_then(NewFile::keep)?,
        }
        Ok(())
    }
}

impl Writer {
    /// Does something with the file while other Python threads run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut OpenFile) -> Result<T, WriteProblem> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut open)
        });
        done.map_err(|problem| match problem {
            WriteProblem::Closed => PyValueError::new_err("the file is closed"),
            WriteProblem::GamesOnly => PyTypeError::new_err(format!(
                "{} has whole games: use write_game",
                self.format.name()
            )),
            WriteProblem::Record(number, problem) => errors::data(py, Some(number), &problem),
            WriteProblem::File(error) => errors::file(&self.path, error),
        })
    }
}

#[pymethods]
impl Writer {
    #[new]
    #[pyo3(signature = (path, format=None))]
    fn new(py: Python<'_>, path: PathBuf, format: Option<&str>) -> PyResult<Self> {
        let format = DatasetFormat::of(&path, format)?;
        let file = py.detach(|| NewFile::create(&path));
        let file = file.map_err(|error| errors::file(&path, error))?;
        let out = Some(match format {
            DatasetFormat::Sbinpack => WriterOutput::Chains(Box::new(ChainWriter::new(file))),
            _ => WriterOutput::Plain(file),
        });
        let open = Mutex::new(OpenFile { out, written: 0 });
        Ok(Self { path, format, open })
    }

    /// How many records or games were written.
    #[getter]
    fn written(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |open| Ok(open.written))
    }

    /// Writes a position; `result` is 1, 0 or -1 for the side to move.
    #[pyo3(signature = (board, score=0, mv=0, result=0))]
    fn write(
        &self,
        py: Python<'_>,
        board: &Board,
        score: i16,
        mv: u16,
        result: i8,
    ) -> PyResult<()> {
        let turn = board.pos.turn();
        let result = match result {
            0 => GameResult::Draw,
            1 => GameResult::Win(turn),
            -1 => GameResult::Win(turn.foe()),
            _ => return Err(PyValueError::new_err("result: expected 1, 0 or -1")),
        };
        let mv = match mv {
            0 => None,
            bits => Some(of_number(bits)?),
        };
        if let Some((mv, foul)) = mv.and_then(|mv| Some((mv, foul(&board.pos, mv)?))) {
            return Err(errors::foul(mv, foul));
        }
        let sample = Sample {
            position: board.pos.clone(),
            value: Value::new(score.into()),
            mv,
            result: Some(result),
            flags: 0,
        };
        self.with(py, |open| open.put(self.format, &sample))
    }

    /// Writes the records of a batch, whatever its format.
    fn write_batch(&self, py: Python<'_>, batch: &Batch) -> PyResult<()> {
        self.with(py, |open| open.put_batch(self.format, batch))
    }

    /// Writes a whole game: its moves, and what the side to move thought of each position; `winner`
    /// is 0, 1 or `None`. Formats of positions get one for each move.
    #[pyo3(signature = (start, moves, scores=None, winner=None))]
    fn write_game(
        &self,
        py: Python<'_>,
        start: &Board,
        moves: Vec<u16>,
        scores: Option<Vec<i16>>,
        winner: Option<u8>,
    ) -> PyResult<()> {
        let scores = scores.unwrap_or_else(|| vec![0; moves.len()]);
        if scores.len() != moves.len() {
            return Err(PyValueError::new_err(format!(
                "{} moves, but {} scores",
                moves.len(),
                scores.len()
            )));
        }
        let result = match winner {
            None => GameResult::Draw,
            Some(color) => GameResult::Win(crate::numbers::color(color)?),
        };
        let start = &start.pos;
        let game = py.detach(|| trace_of(start, &moves, &scores, result))?;
        self.with(py, |open| open.put_game(self.format, &game))
    }

    /// Gives the file its name.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, OpenFile::close)
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// A file that could not be finished is thrown away.
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        match kind.is_none() {
            true => self.close(py),
            false => self.with(py, |open| {
                open.out = None;
                Ok(())
            }),
        }
    }
}

fn trace_of(
    start: &Position,
    moves: &[u16],
    scores: &[i16],
    result: GameResult,
) -> PyResult<GameTrace> {
    let mut pos = start.setup().build().unwrap_or_else(|_| start.clone());
    let mut plies = Vec::new();
    let begin = pos.clone();
    for (&bits, &score) in moves.iter().zip(scores) {
        let mv = of_number(bits)?;
        pos.try_play(mv).map_err(|foul| errors::foul(mv, foul))?;
        plies.push(TracePly {
            mv,
            value: Value::new(score.into()),
            visits: Vec::new(),
        });
    }
    Ok(GameTrace {
        start: begin,
        plies,
        result,
        reason: 0,
        opponent: 0,
    })
}
