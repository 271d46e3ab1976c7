//! A board: a position with the moves that led to it.

mod legal_moves;

pub(crate) use legal_moves::LegalMoves;

use crate::errors;
use crate::numbers;
use crate::svg::{self, Drawing};
use crate::{moves, moves::of_number};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};
use tesuji_record::names;
use tesuji_record::packed::PackedLayout;
use tesuji_shogi::movegen::{self, perft};
use tesuji_shogi::rules::{self, Counting, DeclarationRule, RepetitionState, RuleSet, Ruling};
use tesuji_shogi::tactics::{CheckSquares, mate_in_five, mate_in_one, mate_in_three, see};
use tesuji_shogi::{Handicap, Move, Position, Setup, Square};

/// How far back a repetition is looked for.
const WHOLE_GAME: usize = usize::MAX;

/// How many moves perft counts at most.
const DEEPEST_PERFT: u32 = 30;

/// A board: a position with the moves that led to it.
#[pyclass(module = "tesuji", subclass, weakref)]
pub(crate) struct Board {
    pub(crate) pos: Position,
}

/// How a board is pickled: its class, where the game began, and the moves.
type Reduced<'py> = (Bound<'py, PyType>, (String, Vec<u16>));

fn read_sfen(py: Python<'_>, text: &str) -> PyResult<Position> {
    Position::from_sfen(text).map_err(|error| errors::sfen(py, &error))
}

fn read_packed(py: Python<'_>, layout: PackedLayout, bytes: &[u8]) -> PyResult<Position> {
    let packed = bytes.try_into().map_err(|_| {
        errors::position(
            py,
            &format!("{} bytes: a packed position has 32", bytes.len()),
        )
    })?;
    let pos = layout.unpack(packed);
    pos.map_err(|error| errors::position(py, &error))
}

fn pack<'py>(
    py: Python<'py>,
    pos: &Position,
    layout: PackedLayout,
) -> PyResult<Bound<'py, PyBytes>> {
    let packed = layout.pack(pos);
    let packed = packed.map_err(|error| errors::position(py, &error))?;
    Ok(PyBytes::new(py, &packed))
}

/// The position where the game began.
fn start_of(pos: &Position) -> Position {
    let mut start = pos.clone();
    while start.played() > 0 {
        start.undo();
    }
    start
}

impl Board {
    pub(crate) fn of(pos: Position) -> Self {
        Self { pos }
    }

    fn play(&mut self, mv: Move) -> PyResult<()> {
        match self.pos.try_play(mv) {
            Ok(_) => Ok(()),
            Err(foul) => Err(errors::foul(mv, foul)),
        }
    }

    fn play_any(&mut self, bits: u16) -> PyResult<()> {
        match bits {
            0 => self.push_pass(),
            _ => self.play(of_number(bits)?),
        }
    }
}

#[pymethods]
impl Board {
    /// A board from an SFEN (the start position if there is none) and moves played from there.
    #[new]
    #[pyo3(signature = (sfen=None, moves=None))]
    fn new(py: Python<'_>, sfen: Option<&str>, moves: Option<Vec<u16>>) -> PyResult<Self> {
        let pos = match sfen {
            Some(text) => read_sfen(py, text)?,
            None => Position::start(),
        };
        let mut board = Self { pos };
        if let Some(moves) = moves {
            py.detach(|| moves.into_iter().try_for_each(|bits| board.play_any(bits)))?;
        }
        Ok(board)
    }

    /// The start position of a handicap game, by its Japanese name.
    #[classmethod]
    fn handicap(_class: &Bound<'_, PyType>, name: &str) -> PyResult<Self> {
        let found = Handicap::ALL
            .into_iter()
            .find(|known| known.japanese() == name);
        found.map(Position::handicap).map(Self::of).ok_or_else(|| {
            let known: Vec<_> = Handicap::ALL.iter().map(|known| known.japanese()).collect();
            PyValueError::new_err(format!("{name:?}: expected one of {}", known.join(" ")))
        })
    }

    /// A board from `pieces` (81 numbers) and `hands` (twice seven counts).
    #[classmethod]
    #[pyo3(signature = (pieces, hands, turn=0, ply=1))]
    fn from_pieces(
        class: &Bound<'_, PyType>,
        pieces: [u8; 81],
        hands: [[u8; 7]; 2],
        turn: u8,
        ply: u16,
    ) -> PyResult<Self> {
        let mut setup = Setup {
            turn: numbers::color(turn)?,
            ply,
            ..Setup::default()
        };
        for (square, number) in Square::all().zip(pieces) {
            setup.board[square] = numbers::piece(number)?;
        }
        for (hand, counts) in setup.hands.0.iter_mut().zip(&hands) {
            *hand = numbers::hand(counts)?;
        }
        let pos = setup.build();
        pos.map(Self::of)
            .map_err(|error| errors::position(class.py(), &error))
    }

    /// A board from the 32 bytes of a HuffmanCodedPos.
    #[classmethod]
    fn from_hcp(class: &Bound<'_, PyType>, bytes: &[u8]) -> PyResult<Self> {
        read_packed(class.py(), PackedLayout::Hcp, bytes).map(Self::of)
    }

    /// A board from the 32 bytes of a PackedSfen.
    #[classmethod]
    fn from_psfen(class: &Bound<'_, PyType>, bytes: &[u8]) -> PyResult<Self> {
        read_packed(class.py(), PackedLayout::PackedSfen, bytes).map(Self::of)
    }

    /// The start position again.
    fn reset(&mut self) {
        self.pos = Position::start();
    }

    /// Another position, without a past.
    fn set_sfen(&mut self, py: Python<'_>, sfen: &str) -> PyResult<()> {
        self.pos = read_sfen(py, sfen)?;
        Ok(())
    }

    /// The position of a USI line: `startpos moves 7g7f` or `sfen … moves …`.
    fn set_usi_position(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        let text = text.trim().strip_prefix("position").unwrap_or(text);
        let (start, played) = text.split_once("moves").unwrap_or((text, ""));
        let mut board = Self::of(read_sfen(py, start)?);
        py.detach(|| (played.split_whitespace()).try_for_each(|mv| board.push_usi(mv)))?;
        self.pos = board.pos;
        Ok(())
    }

    /// Another position, from 32 bytes.
    fn set_hcp(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        self.pos = read_packed(py, PackedLayout::Hcp, bytes)?;
        Ok(())
    }

    /// Another position, from 32 bytes.
    fn set_psfen(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        self.pos = read_packed(py, PackedLayout::PackedSfen, bytes)?;
        Ok(())
    }

    /// The position as SFEN.
    fn sfen(&self) -> String {
        self.pos.to_sfen()
    }

    /// Where the game began, as SFEN.
    #[getter]
    fn start_sfen(&self, py: Python<'_>) -> String {
        let pos = &self.pos;
        py.detach(|| start_of(pos).to_sfen())
    }

    /// The game so far as USI writes it behind `position`.
    fn usi_position(&self, py: Python<'_>) -> String {
        let pos = &self.pos;
        py.detach(|| {
            let sfen = start_of(pos).to_sfen();
            let start = match sfen == Position::start().to_sfen() {
                true => "startpos".to_owned(),
                false => format!("sfen {sfen}"),
            };
            let played: Vec<_> = pos.moves().flatten().map(|mv| mv.to_string()).collect();
            match played.is_empty() {
                true => start,
                false => format!("{start} moves {}", played.join(" ")),
            }
        })
    }

    /// The position as 32 bytes, a HuffmanCodedPos.
    fn hcp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        pack(py, &self.pos, PackedLayout::Hcp)
    }

    /// The position as 32 bytes, a PackedSfen.
    fn psfen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        pack(py, &self.pos, PackedLayout::PackedSfen)
    }

    /// Whose move it is: 0 Black, 1 White.
    #[getter]
    fn turn(&self) -> u8 {
        self.pos.turn() as u8
    }

    /// The number of the next move, from 1.
    #[getter]
    fn ply(&self) -> u32 {
        self.pos.ply()
    }

    /// A number of 64 bits for board, hands and turn.
    #[getter]
    fn key(&self) -> u64 {
        self.pos.key().0
    }

    /// The moves played, a pass as 0.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let objects: PyResult<Vec<_>> = self.pos.moves().map(|mv| moves::object(py, mv)).collect();
        PyList::new(py, objects?)
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(slf: Bound<'_, Self>) -> LegalMoves {
        LegalMoves::of(slf.unbind())
    }

    /// Some of the legal moves: `captures`, `promotions`, `quiet`, `drops`, `checks` or `evasions`.
    fn generate<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyList>> {
        let mut list = tesuji_shogi::MoveList::new();
        let _ = match kind {
            "captures" => movegen::captures(&self.pos, &mut list),
            "promotions" => movegen::promotions(&self.pos, &mut list),
            "quiet" => movegen::quiet(&self.pos, &mut list),
            "drops" => movegen::drops(&self.pos, &mut list),
            "checks" => movegen::checks(&self.pos, &mut list),
            "evasions" if self.pos.in_check() => movegen::evasions(&self.pos, &mut list),
            "evasions" => std::ops::ControlFlow::Continue(()),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "{kind:?}: expected captures, promotions, quiet, drops, checks or evasions"
                )));
            }
        };
        moves::list(py, list.into_iter())
    }

    /// Plays a legal move.
    #[pyo3(name = "push")]
    fn push(&mut self, mv: u16) -> PyResult<()> {
        self.play(of_number(mv)?)
    }

    /// Plays a legal move given in USI.
    fn push_usi(&mut self, usi: &str) -> PyResult<()> {
        self.play(moves::of_usi(usi)?)
    }

    /// Lets the other side move instead.
    fn push_pass(&mut self) -> PyResult<()> {
        if self.pos.in_check() {
            return Err(errors::IllegalMoveError::new_err(
                "a side in check cannot pass",
            ));
        }
        self.pos.pass();
        Ok(())
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let last = self.peek(py)?;
        self.pos.undo();
        Ok(last)
    }

    /// The last move.
    fn peek(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.pos.played() == 0 {
            return Err(PyIndexError::new_err("no move was played"));
        }
        moves::object(py, self.pos.last_move())
    }

    /// Whether a move is legal.
    fn is_legal(&self, mv: u16) -> bool {
        Move::from_bits(mv).is_some_and(|mv| self.pos.is_legal(mv))
    }

    /// Why a move is illegal; `None` if it is legal.
    fn why_illegal(&self, mv: u16) -> PyResult<Option<String>> {
        Ok(rules::foul(&self.pos, of_number(mv)?).map(|foul| foul.to_string()))
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.pos.in_check()
    }

    /// Whether the side to move is in check and has no move.
    fn is_checkmate(&self) -> bool {
        self.pos.in_check() && !movegen::has_legal_move(&self.pos)
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<usize> {
        self.pos.checkers().iter().map(Square::index).collect()
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: u16) -> PyResult<bool> {
        let mv = of_number(mv)?;
        match rules::foul(&self.pos, mv) {
            Some(foul) => Err(errors::foul(mv, foul)),
            None => Ok(CheckSquares::of(&self.pos).is_check(&self.pos, mv)),
        }
    }

    /// Whether a move takes a piece.
    fn is_capture(&self, mv: u16) -> PyResult<bool> {
        Ok(self.pos.is_capture(of_number(mv)?))
    }

    /// What the exchange on the square of a legal move is worth, in points of a pawn's hundred.
    fn see(&self, mv: u16) -> PyResult<i32> {
        let mv = of_number(mv)?;
        match rules::foul(&self.pos, mv) {
            Some(foul) => Err(errors::foul(mv, foul)),
            None => Ok(see::exchange(&self.pos, mv).points()),
        }
    }

    /// The squares of one side's pieces that attack a square.
    fn attackers(&self, color: u8, square: usize) -> PyResult<Vec<usize>> {
        let (color, square) = (numbers::color(color)?, numbers::square(square)?);
        let found = self.pos.attackers(color, square, self.pos.occupied());
        Ok(found.iter().map(Square::index).collect())
    }

    /// The piece on a square, 0 if it is empty.
    fn piece(&self, square: usize) -> PyResult<u8> {
        Ok(numbers::piece_number(self.pos.at(numbers::square(square)?)))
    }

    /// The pieces on all squares.
    #[getter]
    fn pieces(&self) -> Vec<u16> {
        // Numbers of eight bits would become bytes in Python, not a list.
        let number = |square| u16::from(numbers::piece_number(self.pos.at(square)));
        Square::all().map(number).collect()
    }

    /// How many pawns, lances, knights, silvers, golds, bishops and rooks a side holds.
    fn hand(&self, color: u8) -> PyResult<(u8, u8, u8, u8, u8, u8, u8)> {
        let [a, b, c, d, e, f, g] = numbers::hand_counts(self.pos.hand(numbers::color(color)?));
        Ok((a, b, c, d, e, f, g))
    }

    /// Where a side's king stands; `None` if it has none.
    fn king(&self, color: u8) -> PyResult<Option<usize>> {
        Ok(self.pos.king(numbers::color(color)?).map(Square::index))
    }

    /// The pieces on all squares as an array.
    fn board_array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let pieces: Vec<i8> = self
            .pieces()
            .into_iter()
            .map(|number| number as i8)
            .collect();
        pieces.into_pyarray(py)
    }

    /// What both sides hold as an array of two rows.
    fn hands_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let hands =
            tesuji_shogi::Color::ALL.map(|color| numbers::hand_counts(self.pos.hand(color)));
        hands.concat().into_pyarray(py).reshape([2, 7])
    }

    /// How often the position has occurred, and what follows: `"draw"`, or who checked in every
    /// move and loses: `"black"` or `"white"`.
    #[pyo3(signature = (count_start=true))]
    fn repetition(&self, count_start: bool) -> (u32, Option<String>) {
        let counting = match count_start {
            true => Counting::WithStart,
            false => Counting::MovesOnly,
        };
        let found = self.pos.repetition(counting);
        let ruling = found.ruling.map(|ruling| match ruling {
            Ruling::Draw => "draw".to_owned(),
            Ruling::PerpetualCheck(color) => color.to_string(),
        });
        (found.times, ruling)
    }

    /// What an earlier position with the same board means for the side to move: `"draw"`, `"win"`,
    /// `"loss"`, `"superior"`, `"inferior"`; `None` if there is none. One repetition is enough.
    fn repetition_state(&self) -> Option<&'static str> {
        let hit = self.pos.find_repetition(WHOLE_GAME)?;
        Some(match hit.state {
            RepetitionState::Draw => "draw",
            RepetitionState::Win => "win",
            RepetitionState::Loss => "loss",
            RepetitionState::Superior => "superior",
            RepetitionState::Inferior => "inferior",
        })
    }

    /// What comes of a declaration of the side to move: `"win"`, `"draw"`, the move of a try, or
    /// `None` and what is missing for it.
    #[pyo3(signature = (rule="CSARule27"))]
    fn declaration(&self, rule: &str) -> PyResult<(Option<String>, Option<String>)> {
        let rule = rule_of(rule)?;
        Ok(match rules::declare(&self.pos, rule) {
            rules::Declaration::Win => (Some("win".into()), None),
            rules::Declaration::Draw => (Some("draw".into()), None),
            rules::Declaration::Try(mv) => (Some(mv.to_string()), None),
            rules::Declaration::NotAllowed(obstacle) => (None, Some(obstacle.to_string())),
        })
    }

    /// How many pieces besides the king a side has in its zone, and how many points it counts.
    fn declaration_count(&self, color: u8) -> PyResult<(bool, u32, u32)> {
        let count = rules::DeclarationCount::of(&self.pos, numbers::color(color)?);
        Ok((count.king_entered, count.pieces, count.points))
    }

    /// Who has won (`None`: a draw) and why; `None` alone if the game goes on.
    #[pyo3(signature = (rule="CSARule27", move_limit=None))]
    fn outcome(
        &self,
        rule: &str,
        move_limit: Option<u32>,
    ) -> PyResult<Option<(Option<u8>, &'static str)>> {
        let rules = RuleSet {
            declaration: rule_of(rule)?,
            move_limit,
            ..RuleSet::default()
        };
        let outcome = rules::outcome(&self.pos, &rules);
        Ok(outcome.map(|end| (end.winner.map(|color| color as u8), cause_name(end.cause))))
    }

    /// A move that mates at once.
    fn mate_in_one(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let found = mate_in_one(&mut self.pos);
        found.map(|mv| moves::object(py, Some(mv))).transpose()
    }

    /// The first move of a mate in at most three.
    fn mate_in_three(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let pos = &mut self.pos;
        let found = py.detach(|| mate_in_three(pos));
        found.map(|mv| moves::object(py, Some(mv))).transpose()
    }

    /// The first move of a mate in at most five.
    fn mate_in_five(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let pos = &mut self.pos;
        let found = py.detach(|| mate_in_five(pos));
        found.map(|mv| moves::object(py, Some(mv))).transpose()
    }

    /// A legal move as people write it: `ja` (▲７六歩), `western` (P-7f) or `kif` (７六歩(77)).
    #[pyo3(signature = (mv, style="ja"))]
    pub(crate) fn san(&self, py: Python<'_>, mv: u16, style: &str) -> PyResult<String> {
        let mv = of_number(mv)?;
        let pos = &self.pos;
        if let Some(foul) = rules::foul(pos, mv) {
            return Err(errors::foul(mv, foul));
        }
        match style {
            "ja" => Ok(py.detach(|| names::japanese(pos, mv))),
            "western" => Ok(py.detach(|| names::western(pos, mv))),
            "kif" => Ok(py.detach(|| names::kif_move(pos, mv))),
            _ => Err(PyValueError::new_err(format!(
                "{style:?}: expected ja, western or kif"
            ))),
        }
    }

    /// The legal move that people mean by a text, in Japanese or Western notation or in USI.
    fn parse_san(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        let pos = &self.pos;
        let name = text.trim_start_matches(['▲', '△', '☗', '☖']);
        let mv = match text.parse::<Move>() {
            Ok(mv) => match rules::foul(&self.pos, mv) {
                Some(foul) => return Err(errors::foul(mv, foul)),
                None => Ok(mv),
            },
            Err(_) if text.is_ascii() => py.detach(|| names::read_western(pos, text)),
            Err(_) => py.detach(|| names::read_japanese(pos, name).map(|(mv, _)| mv)),
        };
        let mv = mv.map_err(|error| errors::IllegalMoveError::new_err(error.to_string()))?;
        moves::object(py, Some(mv))
    }

    /// How many games of `depth` moves there are.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        // It would not end in a lifetime, and use up the stack before.
        if depth > DEEPEST_PERFT {
            return Err(PyValueError::new_err(format!(
                "depth: 0 to {DEEPEST_PERFT}, not {depth}"
            )));
        }
        let mut pos = self.pos.clone();
        Ok(py.detach(|| perft::count(&mut pos, depth)))
    }

    /// The board turned by half a turn, with colours exchanged and without a past.
    fn flipped(&self) -> Self {
        Self::of(self.pos.flipped())
    }

    /// The board drawn as SVG.
    #[pyo3(signature = (*, size=360, lastmove=None, western=false, flipped=false))]
    fn svg(
        &self,
        py: Python<'_>,
        size: u32,
        lastmove: Option<u16>,
        western: bool,
        flipped: bool,
    ) -> PyResult<String> {
        let last = match lastmove {
            Some(bits) => Some(of_number(bits)?),
            None => self.pos.last_move(),
        };
        let drawing = Drawing {
            size,
            last,
            western,
            flipped,
        };
        let pos = &self.pos;
        Ok(py.detach(|| svg::draw(pos, &drawing)))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, 360, None, false, false)
    }

    /// The board in letters, for readers without Japanese.
    fn letters(&self) -> String {
        self.pos.to_letters()
    }

    /// A board of its own with the same past.
    fn copy(&self, py: Python<'_>) -> Self {
        let pos = &self.pos;
        Self::of(py.detach(|| pos.clone()))
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> Self {
        self.copy(memo.py())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let board = slf.try_borrow()?;
        let played = board
            .pos
            .moves()
            .map(|mv| mv.map_or(0, Move::bits))
            .collect();
        Ok((slf.get_type(), (board.start_sfen(slf.py()), played)))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented());
        };
        let same = match other.try_borrow() {
            Ok(other) => is_same(&self.pos, &other.pos),
            // Only the board itself can be borrowed here already.
            Err(_) => true,
        };
        match op {
            CompareOp::Eq => Ok(same.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!same).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.pos.identity(), self.pos.ply()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.pos.to_sfen())
    }

    fn __str__(&self) -> String {
        self.pos.to_string()
    }
}

/// Board, hands, turn and ply: what an SFEN says.
fn is_same(one: &Position, other: &Position) -> bool {
    one.identity() == other.identity() && one.ply() == other.ply()
}

fn rule_of(name: &str) -> PyResult<DeclarationRule> {
    name.parse()
        .map_err(|error: rules::DeclarationRuleError| PyValueError::new_err(error.to_string()))
}

const fn cause_name(cause: rules::Cause) -> &'static str {
    use rules::Cause::*;
    match cause {
        Mate => "mate",
        NoMove => "no move",
        Repetition => "repetition",
        PerpetualCheck => "perpetual check",
        MoveLimit => "move limit",
        Declaration => "declaration",
        WrongDeclaration => "wrong declaration",
        Try => "try",
    }
}
