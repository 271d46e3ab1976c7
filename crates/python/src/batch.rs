//! Many records of training data at once, decoded into arrays.
//!
//! A batch holds the bytes of its records; what is asked for is decoded straight into the array
//! that Python gets, by one thread or several, while other Python threads go on.

use crate::board::Board;
use crate::dlshogi;
use crate::errors;
use crate::features;
use crate::moves::of_number;
use crate::numbers;
use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1,
    PyReadwriteArray2, PyReadwriteArray3, PyUntypedArrayMethods,
};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::Arc;
use tesuji_eval::nnue::FeatureSet;
use tesuji_record::packed::{Packed, PackedLayout, PieceList, UnpackError};
use tesuji_record::samples::{MoveLayout, SampleFormat, SampleProblem};
use tesuji_shogi::{Board as _, Color, Move, Placed, Position, Setup};

/// How many records a thread takes at a time.
const BLOCK: usize = 256;

/// More threads than this are never of use.
const MOST_THREADS: usize = 1024;

/// What is wrong with a record, and with which, from 1.
pub(crate) type BadRecord = (usize, SampleProblem);

/// Records of one format, 32 to 40 bytes each.
#[pyclass(frozen, module = "tesuji.data")]
pub(crate) struct Batch {
    pub(crate) format: SampleFormat,
    pub(crate) bytes: Vec<u8>,
    pub(crate) pool: Option<Arc<ThreadPool>>,
}

pub(crate) fn format_of(name: &str) -> PyResult<SampleFormat> {
    match name {
        "psv" => Ok(SampleFormat::Psv),
        "hcpe" => Ok(SampleFormat::Hcpe),
        "hcp" => Ok(SampleFormat::Hcp),
        _ => Err(PyValueError::new_err(format!(
            "{name:?}: expected psv, hcpe or hcp"
        ))),
    }
}

/// The bytes of an object. Bytes and arrays are copied while other Python threads run; of anything
/// else nobody knows whether it changes meanwhile.
fn copied(py: Python<'_>, bytes: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = bytes.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        return Ok(py.detach(|| bytes.to_vec()));
    }
    if let Ok(array) = bytes.extract::<PyReadonlyArray1<'_, u8>>() {
        let array = array.as_array();
        return Ok(py.detach(|| array.iter().copied().collect()));
    }
    PyBuffer::<u8>::get(bytes)?.to_vec(py)
}

/// Threads that decode; none for one.
pub(crate) fn pool_of(py: Python<'_>, threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
    if threads < 2 {
        return Ok(None);
    }
    let pool = py.detach(|| {
        let builder = rayon::ThreadPoolBuilder::new();
        builder.num_threads(threads.min(MOST_THREADS)).build()
    });
    pool.map(|pool| Some(Arc::new(pool)))
        .map_err(|error| errors::EngineError::new_err(error.to_string()))
}

pub(crate) fn layout_of(format: SampleFormat) -> PackedLayout {
    match format {
        SampleFormat::Psv => PackedLayout::PackedSfen,
        SampleFormat::Hcp | SampleFormat::Hcpe => PackedLayout::Hcp,
    }
}

fn packed(record: &[u8]) -> &Packed {
    record.first_chunk().expect("a record begins with 32 bytes")
}

fn word(record: &[u8], at: usize) -> u16 {
    match record.get(at..at + 2) {
        Some(&[low, high]) => u16::from_le_bytes([low, high]),
        _ => 0,
    }
}

/// The position of a record, with its ply where the format knows it.
pub(crate) fn position(format: SampleFormat, record: &[u8]) -> Result<Position, SampleProblem> {
    let list = layout_of(format).pieces(packed(record))?;
    let mut setup = Setup {
        turn: list.turn,
        ..Setup::default()
    };
    for &Placed { piece, spot } in list.placed() {
        match (spot.square(), spot.nth()) {
            (Some(square), _) => setup.board[square] = Some(piece),
            (None, nth) => {
                let hand = &mut setup.hands[piece.color()];
                *hand = hand.with(piece.kind(), nth.unwrap_or(1));
            }
        }
    }
    if format == SampleFormat::Psv {
        setup.ply = word(record, 36).clamp(1, 32_767);
    }
    Ok(setup.build().map_err(UnpackError::from)?)
}

/// The move of a record as ours, not looked at for legality.
fn move_of(format: SampleFormat, record: &[u8]) -> Option<Move> {
    match format {
        SampleFormat::Hcp => None,
        _ => format.moves().read(word(record, 34)),
    }
}

/// 1 if the side to move has won, 0 for a draw, -1 if it has lost.
fn result_of(format: SampleFormat, record: &[u8]) -> Result<i8, SampleProblem> {
    match format {
        SampleFormat::Psv if matches!(record[38] as i8, -1..=1) => Ok(record[38] as i8),
        SampleFormat::Psv => Err(SampleProblem::Result(record[38] as i8)),
        SampleFormat::Hcp => Ok(0),
        SampleFormat::Hcpe => match record[36] & 3 {
            0 => Ok(0),
            3 => Err(SampleProblem::Result(3)),
            winner => Ok(if winner - 1 == record[0] & 1 { 1 } else { -1 }),
        },
    }
}

/// Puts the pieces on a board of zeros.
fn put_board(list: &PieceList, board: &mut [i8]) {
    for placed in list.on_board() {
        if let Some(square) = placed.spot.square() {
            board[square.index()] = placed.piece.index() as i8;
        }
    }
}

/// Counts the pieces in hand, from zeros.
fn put_hands(list: &PieceList, hands: &mut [u8]) {
    /// Where each piece is counted: the kinds of hands, Black's and then White's.
    const PLACE: [u8; 32] = {
        let mut place = [0; 32];
        let mut nth = 0;
        while nth < 7 {
            place[numbers::HAND_ORDER[nth].index()] = nth as u8;
            place[numbers::HAND_ORDER[nth].index() + 16] = nth as u8 + 7;
            nth += 1;
        }
        place
    };
    for placed in list.in_hand() {
        hands[usize::from(PLACE[placed.piece.index()])] += 1;
    }
}

/// What one pass over the records gives: boards, hands and features.
struct DecodedArrays<'a> {
    boards: &'a mut [i8],
    hands: &'a mut [u8],
    rows: &'a mut [i32],
}

impl Batch {
    pub(crate) fn count(&self) -> usize {
        self.bytes.len() / self.format.size()
    }

    fn list(&self, record: &[u8]) -> Result<PieceList, SampleProblem> {
        Ok(layout_of(self.format).pieces(packed(record))?)
    }

    /// Calls a function with every record and its part of the output.
    pub(crate) fn fill<T: Send>(
        &self,
        out: &mut [T],
        width: usize,
        one: impl Fn(&[u8], &mut [T]) -> Result<(), SampleProblem> + Sync,
    ) -> Result<(), BadRecord> {
        let size = self.format.size();
        let block = |nth: usize, records: &[u8], out: &mut [T]| {
            let pairs = records.chunks_exact(size).zip(out.chunks_exact_mut(width));
            for (place, (record, out)) in pairs.enumerate() {
                one(record, out).map_err(|problem| (nth * BLOCK + place + 1, problem))?;
            }
            Ok(())
        };
        match &self.pool {
            None => block(0, &self.bytes, out),
            Some(pool) => pool.install(|| {
                let records = self.bytes.par_chunks(size * BLOCK);
                let blocks = records.zip(out.par_chunks_mut(width * BLOCK)).enumerate();
                blocks.try_for_each(|(nth, (records, out))| block(nth, records, out))
            }),
        }
    }

    /// An array of the given shape behind the number of records, filled record by record; the
    /// caller's if there is one and it fits.
    pub(crate) fn array<'py, T: Element + Copy + Default + Send + Sync>(
        &self,
        py: Python<'py>,
        shape: &[usize],
        out: Option<&Bound<'py, PyAny>>,
        one: impl Fn(&[u8], &mut [T]) -> Result<(), SampleProblem> + Sync + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let width = shape.iter().product();
        let whole: Vec<usize> = [&[self.count()], shape].concat();
        let bad = |(record, problem): BadRecord| errors::data(py, Some(record), &problem);
        let Some(out) = out else {
            let filled = py.detach(|| {
                let mut values = vec![T::default(); self.count() * width];
                self.fill(&mut values, width, one).map(|()| values)
            });
            let array = filled.map_err(bad)?.into_pyarray(py);
            return Ok(array.reshape(whole)?.into_any());
        };
        let wrong = |what: &str| {
            let name = T::get_dtype(py);
            PyTypeError::new_err(format!(
                "out: {what}; expected a writable C-contiguous array of {name} of shape {whole:?}"
            ))
        };
        let array = out
            .cast::<PyArrayDyn<T>>()
            .map_err(|_| wrong("another type"))?;
        if array.shape() != whole {
            return Err(wrong(&format!("shape {:?}", array.shape())));
        }
        let mut values = array
            .try_readwrite()
            .map_err(|error| wrong(&error.to_string()))?;
        let values = values.as_slice_mut().map_err(|_| wrong("not contiguous"))?;
        let filled = py.detach(|| {
            values.fill(T::default());
            self.fill(values, width, one)
        });
        filled.map_err(bad)?;
        Ok(out.clone())
    }

    /// Boards, hands and features of every record, block by block.
    fn decode_into(&self, set: &FeatureSet, out: DecodedArrays<'_>) -> Result<(), BadRecord> {
        let (size, width) = (self.format.size(), 2 * features::active(set));
        let boards = out.boards.par_chunks_mut(81 * BLOCK);
        let hands = out.hands.par_chunks_mut(14 * BLOCK);
        let rows = out.rows.par_chunks_mut(width * BLOCK);
        let records = self.bytes.par_chunks(size * BLOCK);
        let blocks = records.zip(boards).zip(hands).zip(rows).enumerate();
        let decode = |(nth, (((records, boards), hands), rows)): (usize, (((_, _), _), _))| {
            self.decode_block(
                set,
                records,
                DecodedArrays {
                    boards,
                    hands,
                    rows,
                },
            )
            .map_err(|(place, problem)| (nth * BLOCK + place, problem))
        };
        match &self.pool {
            None => self.decode_block(set, &self.bytes, out),
            Some(pool) => pool.install(|| blocks.try_for_each(decode)),
        }
    }

    fn decode_block(
        &self,
        set: &FeatureSet,
        records: &[u8],
        out: DecodedArrays<'_>,
    ) -> Result<(), BadRecord> {
        let (boards, _) = out.boards.as_chunks_mut::<81>();
        let (hands, _) = out.hands.as_chunks_mut::<14>();
        let rows = out.rows.chunks_exact_mut(2 * features::active(set));
        let records = records.chunks_exact(self.format.size());
        let parts = records.zip(boards).zip(hands).zip(rows).enumerate();
        for (place, (((record, board), hands), rows)) in parts {
            let list = self.list(record).map_err(|problem| (place + 1, problem))?;
            (*board, *hands) = ([0; 81], [0; 14]);
            put_board(&list, board);
            put_hands(&list, hands);
            features::fill(set, &list, rows);
        }
        Ok(())
    }

    /// One value for each record.
    fn column<'py, T: Element + Copy + Default + Send + Sync>(
        &self,
        py: Python<'py>,
        one: impl Fn(&[u8]) -> Result<T, SampleProblem> + Sync + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, &[], None, |record, out: &mut [T]| {
            out[0] = one(record)?;
            Ok(())
        })
    }
}

#[pymethods]
impl Batch {
    /// Records from bytes.
    #[new]
    #[pyo3(signature = (bytes, format, threads=1))]
    fn new(
        py: Python<'_>,
        bytes: &Bound<'_, PyAny>,
        format: &str,
        threads: usize,
    ) -> PyResult<Self> {
        let format = format_of(format)?;
        let bytes = copied(py, bytes)?;
        let (found, size) = (bytes.len() % format.size(), format.size());
        if found != 0 {
            return Err(errors::data(
                py,
                None,
                &SampleProblem::CutOff { found, size },
            ));
        }
        Ok(Self {
            format,
            bytes,
            pool: pool_of(py, threads)?,
        })
    }

    /// `psv`, `hcpe` or `hcp`.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    fn __len__(&self) -> usize {
        self.count()
    }

    /// The records as they are.
    fn tobytes(&self) -> &[u8] {
        &self.bytes
    }

    /// (n, 81) int8: the pieces.
    #[pyo3(signature = (out=None))]
    fn boards<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, &[81], out, |record, out: &mut [i8]| {
            put_board(&self.list(record)?, out);
            Ok(())
        })
    }

    /// (n, 81) int8: the pieces.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.boards(py, None)
    }

    /// (n, 2, 7) uint8: the hands, Black's first.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.hand_counts(py, None)
    }

    /// (n, 2, 7) uint8: the hands, Black's first.
    #[pyo3(signature = (out=None))]
    fn hand_counts<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, &[2, 7], out, |record, out: &mut [u8]| {
            put_hands(&self.list(record)?, out);
            Ok(())
        })
    }

    /// (n,) uint8: whose move it is.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |record| Ok(record[0] & 1))
    }

    /// (n,) int16: what the position is worth to the side to move.
    #[getter]
    fn score<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |record| Ok(word(record, 32) as i16))
    }

    /// (n,) uint16: the moves, as `Move` numbers them; 0 where there is none.
    #[getter]
    #[pyo3(name = "move")]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |record| {
            Ok(move_of(self.format, record).map_or(0, Move::bits))
        })
    }

    /// (n,) uint16: the number of the next move; 0 where the format does not know it.
    #[getter]
    fn ply<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |record| {
            Ok(match self.format {
                SampleFormat::Psv => word(record, 36),
                _ => 0,
            })
        })
    }

    /// (n,) int8: 1 if the side to move has won, 0 for a draw, -1 if it has lost.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |record| result_of(self.format, record))
    }

    /// The active features of a network, of the side to move and then of the other: `padded`
    /// gives (n, 2, k) int32, `csr` the same as one row for each side: indices and offsets.
    #[pyo3(signature = (set, layout="padded", out=None))]
    fn features<'py>(
        &self,
        py: Python<'py>,
        set: &str,
        layout: &str,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let set = features::set_of(set)?;
        let active = features::active(&set);
        let fill = |record: &[u8], out: &mut [i32]| {
            features::fill(&set, &self.list(record)?, out);
            Ok(())
        };
        match (layout, out) {
            ("padded", _) => self.array(py, &[2, active], out, fill),
            ("csr", None) => {
                let indices = self.array(py, &[2 * active], None, fill)?;
                let indices = indices.call_method1("reshape", (-1,))?;
                let rows = 0..=2 * self.count();
                let offsets: Vec<i64> =
                    py.detach(|| rows.map(|row| (row * active) as i64).collect());
                let offsets = offsets.into_pyarray(py);
                Ok((indices, offsets).into_pyobject(py)?.into_any())
            }
            ("csr", Some(_)) => Err(PyValueError::new_err("out: only for the layout padded")),
            _ => Err(PyValueError::new_err(format!(
                "{layout:?}: expected padded or csr"
            ))),
        }
    }

    /// Boards, hands and padded features in one go: a record is decoded once for all three.
    #[pyo3(signature = (set, out=None))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        set: &str,
        out: Option<(
            PyReadwriteArray2<'py, i8>,
            PyReadwriteArray3<'py, u8>,
            PyReadwriteArray3<'py, i32>,
        )>,
    ) -> PyResult<Py<PyAny>> {
        let set = features::set_of(set)?;
        let (count, active) = (self.count(), features::active(&set));
        let bad = |(record, problem): BadRecord| errors::data(py, Some(record), &problem);
        let Some((mut boards, mut hands, mut rows)) = out else {
            let decoded = py.detach(|| {
                let mut boards = vec![0; 81 * count];
                let mut hands = vec![0; 14 * count];
                let mut rows = vec![0; 2 * active * count];
                let out = DecodedArrays {
                    boards: &mut boards,
                    hands: &mut hands,
                    rows: &mut rows,
                };
                self.decode_into(&set, out).map(|()| (boards, hands, rows))
            });
            let (boards, hands, rows) = decoded.map_err(bad)?;
            let boards = boards.into_pyarray(py).reshape([count, 81])?;
            let hands = hands.into_pyarray(py).reshape([count, 2, 7])?;
            let rows = rows.into_pyarray(py).reshape([count, 2, active])?;
            return Ok((boards, hands, rows).into_pyobject(py)?.into_any().unbind());
        };
        let expected = ([count, 81], [count, 2, 7], [count, 2, active]);
        let fits = boards.shape() == expected.0
            && hands.shape() == expected.1
            && rows.shape() == expected.2;
        let slices = (
            boards.as_slice_mut(),
            hands.as_slice_mut(),
            rows.as_slice_mut(),
        );
        let (Ok(boards), Ok(hands), Ok(rows), true) = (slices.0, slices.1, slices.2, fits) else {
            return Err(PyTypeError::new_err(format!(
                "out: expected C-contiguous arrays of int8, uint8 and int32 of shapes {expected:?}"
            )));
        };
        let out = DecodedArrays {
            boards,
            hands,
            rows,
        };
        py.detach(|| self.decode_into(&set, out)).map_err(bad)?;
        Ok(py.None())
    }

    /// Planes of float32: `pieces` (n, 28, 9, 9), or `dlshogi`: a pair of (n, 62, 9, 9) and
    /// (n, 57, 9, 9). For the pair `out` is a pair too.
    #[pyo3(signature = (kind, out=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match kind {
            "pieces" => self.array(py, &[28, 9, 9], out.as_ref(), |record, out: &mut [f32]| {
                for placed in self.list(record)?.placed() {
                    let (piece, square) = (placed.piece, placed.spot.square());
                    let plane = 14 * piece.color().index() + piece.kind().index() - 1;
                    if let Some(square) = square {
                        out[81 * plane + square.index()] = 1.0;
                    }
                }
                Ok(())
            }),
            "dlshogi" => {
                let outs: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)> =
                    out.map(|out| out.extract()).transpose()?;
                let (first, second) = outs.unzip();
                let shape = [dlshogi::FEATURES1, 9, 9];
                let first = self.array(py, &shape, first.as_ref(), |record, out: &mut [f32]| {
                    dlshogi::features1(&position(self.format, record)?, out);
                    Ok(())
                })?;
                let shape = [dlshogi::FEATURES2, 9, 9];
                let second =
                    self.array(py, &shape, second.as_ref(), |record, out: &mut [f32]| {
                        dlshogi::features2(&position(self.format, record)?, out);
                        Ok(())
                    })?;
                Ok((first, second).into_pyobject(py)?.into_any())
            }
            _ => Err(PyValueError::new_err(format!(
                "{kind:?}: expected pieces or dlshogi"
            ))),
        }
    }

    /// (n, 2187) bool: which labels of dlshogi belong to legal moves.
    #[pyo3(signature = (kind="dlshogi2187", out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        known_labels(kind)?;
        self.array(py, &[dlshogi::LABELS], out, |record, out: &mut [bool]| {
            let pos = position(self.format, record)?;
            for mv in pos.legal_moves() {
                out[dlshogi::label(mv, pos.turn())] = true;
            }
            Ok(())
        })
    }

    /// (n,) int64: the labels of dlshogi for the moves; -1 where there is none.
    #[pyo3(signature = (kind="dlshogi2187"))]
    fn labels<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
        known_labels(kind)?;
        self.column(py, |record| {
            let turn = Color::ALL[usize::from(record[0] & 1)];
            let mv = move_of(self.format, record);
            Ok(mv.map_or(-1, |mv| dlshogi::label(mv, turn) as i64))
        })
    }

    /// The positions as SFEN.
    fn sfens(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let texts = py.detach(|| {
            let mut texts = vec![String::new(); self.count()];
            let one = |record: &[u8], out: &mut [String]| {
                out[0] = position(self.format, record)?.to_sfen();
                Ok(())
            };
            self.fill(&mut texts, 1, one).map(|()| texts)
        });
        texts.map_err(|(record, problem)| errors::data(py, Some(record), &problem))
    }

    /// The position of one record.
    fn position(&self, py: Python<'_>, index: usize) -> PyResult<Board> {
        let size = self.format.size();
        let record = self.bytes.chunks_exact(size).nth(index);
        let record = record.ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!("record {index} of {}", self.count()))
        })?;
        let pos = position(self.format, record);
        pos.map(Board::of)
            .map_err(|problem| errors::data(py, Some(index + 1), &problem))
    }

    /// The same records with every position and move checked; raises at the first that is wrong.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = py.detach(|| {
            self.fill(&mut vec![(); self.count()], 1, |record, _: &mut [()]| {
                self.format.read(record, self.format.moves()).map(|_| ())
            })
        });
        checked.map_err(|(record, problem)| errors::data(py, Some(record), &problem))
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} {} records>", self.count(), self.format.name())
    }
}

fn known_labels(kind: &str) -> PyResult<()> {
    match kind {
        "dlshogi2187" => Ok(()),
        _ => Err(PyValueError::new_err(format!(
            "{kind:?}: expected dlshogi2187"
        ))),
    }
}

/// Moves in the numbers of one format as those of another: `psv` (that of `Move`) and `hcpe`.
#[pyfunction]
fn convert_moves<'py>(
    py: Python<'py>,
    moves: PyReadonlyArray1<'py, u16>,
    from_format: &str,
    to_format: &str,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let layout = |name: &str| format_of(name).map(SampleFormat::moves);
    let (from, to): (MoveLayout, MoveLayout) = (layout(from_format)?, layout(to_format)?);
    let convert = |&bits: &u16| from.read(bits).map_or(0, |mv| to.write(mv));
    let moves = moves.as_array();
    let converted: Vec<u16> = py.detach(|| moves.iter().map(convert).collect());
    Ok(converted.into_pyarray(py))
}

/// The label of a move in dlshogi, for the side that makes it.
#[pyfunction]
fn dlshogi_label(mv: u16, turn: u8) -> PyResult<usize> {
    Ok(dlshogi::label(of_number(mv)?, numbers::color(turn)?))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Batch>()?;
    module.add_function(wrap_pyfunction!(convert_moves, module)?)?;
    module.add_function(wrap_pyfunction!(dlshogi_label, module)?)
}
