//! The staged move picker: the next move worth trying.
//!
//! Moves come in stages, and a stage is generated only when it is reached: the move of the
//! transposition table, captures that lose nothing, quiet moves with a good history, captures that
//! lose, the rest. The stages and what scores a move follow Stockfish. How moves are kept is ours: a
//! scored move is one number, the score above and the move below, and numbers stand in blocks: the
//! best of many is found, and crossed out, by comparing whole blocks.

use super::history::Histories;
use super::history_tables::{LOW_PLIES, PieceToHistory};
use super::keys::{Continuations, PieceTo};
use crate::params::Params;
use std::ops::ControlFlow;
use tesuji_kernels::{ScoreBlock, prefetch};
use tesuji_shogi::movegen::{self, Sink};
use tesuji_shogi::tactics::{CheckSquares, see};
use tesuji_shogi::{Move, MoveList, PieceKind, Position, Value};

/// Scored moves of all nodes on the way, one node behind the other.
pub(crate) type MoveArena = Vec<ScoreBlock>;

/// What a picker scores moves with.
pub(crate) struct PickerContext<'a> {
    pub(crate) pos: &'a Position,
    pub(crate) params: &'a Params,
    pub(crate) histories: &'a Histories,
    pub(crate) checks: Option<&'a CheckSquares>,
    pub(crate) continuations: &'a Continuations,
    pub(crate) pawn_key: u64,
    pub(crate) ply: usize,
}

/// What kind of node wants moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PickerMode {
    /// Every move.
    All,
    /// Captures.
    Captures,
    /// Captures, then checks that lose nothing.
    CapturesAndChecks,
    /// Captures that win at least so much by static exchange evaluation.
    ProbCut(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PickerStage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    GenerateQuietChecks,
    QuietChecks,
    Done,
}

/// Hands out the moves of one node, best first, each exactly once.
pub(crate) struct MovePicker {
    stage: PickerStage,
    mode: PickerMode,
    tt_move: Option<Move>,
    all_moves: bool,
    skips_quiets: bool,
    /// How many captures wait because they lose something by static exchange evaluation.
    bad_captures: i32,
    /// The blocks in the arena: of the node, and of the moves that are being handed out.
    start: usize,
    next: usize,
    end: usize,
    /// Where the captures end and the quiet moves begin.
    quiet_start: usize,
}

/// How many bits of a score are given up so that it fits above a move.
const SCORE_SHIFT: i32 = 3;
/// The score of the first bad capture; those after it come lower. No other move is as low.
const BAD_CAPTURE: i32 = -32_000;
/// How many moves a block has.
const BLOCK: usize = ScoreBlock::EMPTY.0.len();

impl MovePicker {
    /// `tt_move` must be legal in the position.
    pub(crate) fn new(
        mode: PickerMode,
        tt_move: Option<Move>,
        in_check: bool,
        all_moves: bool,
        arena: &MoveArena,
    ) -> Self {
        let start = arena.len();
        let mut picker = Self {
            stage: PickerStage::TtMove,
            mode,
            tt_move,
            all_moves,
            skips_quiets: false,
            bad_captures: 0,
            start,
            next: start,
            end: start,
            quiet_start: start,
        };
        if tt_move.is_none() {
            picker.stage = picker.after_tt_move(in_check);
        }
        picker
    }

    /// No quiet move is wanted any more.
    pub(crate) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// Gives the room in the arena back.
    pub(crate) fn close(&self, arena: &mut MoveArena) {
        arena.truncate(self.start);
    }

    fn after_tt_move(&self, in_check: bool) -> PickerStage {
        if in_check {
            PickerStage::GenerateEvasions
        } else {
            PickerStage::GenerateCaptures
        }
    }

    /// The next move, if there is one.
    #[inline]
    pub(crate) fn next(
        &mut self,
        context: &PickerContext<'_>,
        arena: &mut MoveArena,
    ) -> Option<Move> {
        loop {
            match self.stage {
                PickerStage::TtMove => {
                    self.stage = self.after_tt_move(context.pos.in_check());
                    return self.tt_move;
                }
                PickerStage::GenerateCaptures => self.generate_captures(context, arena),
                PickerStage::GoodCaptures => {
                    let best = self.best(arena);
                    if score_of(best) <= BAD_CAPTURE {
                        self.stage = self.after_captures();
                    } else if self.is_good_capture(best, context) {
                        return self.hand_out(best, arena);
                    } else {
                        self.defer(best, arena);
                    }
                }
                PickerStage::GenerateQuiets => self.generate_quiets(context, arena),
                PickerStage::GoodQuiets => {
                    let best = self.best(arena);
                    let least = context.params.good_quiet_threshold;
                    if !self.skips_quiets && score_of(best) << SCORE_SHIFT > least {
                        return self.hand_out(best, arena);
                    }
                    (self.next, self.end) = (self.start, self.quiet_start);
                    self.stage = PickerStage::BadCaptures;
                }
                PickerStage::BadCaptures => match self.take(arena) {
                    Some(mv) => return Some(mv),
                    None => {
                        (self.next, self.end) = (self.quiet_start, arena.len());
                        self.stage = PickerStage::BadQuiets;
                    }
                },
                PickerStage::BadQuiets if self.skips_quiets => self.stage = PickerStage::Done,
                PickerStage::GenerateEvasions => self.generate_evasions(context, arena),
                PickerStage::GenerateQuietChecks => self.generate_quiet_checks(context, arena),
                PickerStage::BadQuiets | PickerStage::Evasions => match self.take(arena) {
                    Some(mv) => return Some(mv),
                    None => self.stage = PickerStage::Done,
                },
                PickerStage::QuietChecks => match self.take(arena) {
                    Some(mv) if see::is_at_least(context.pos, mv, Value::ZERO) => return Some(mv),
                    Some(_) => {}
                    None => self.stage = PickerStage::Done,
                },
                PickerStage::Done => return None,
            }
        }
    }

    fn after_captures(&self) -> PickerStage {
        match self.mode {
            PickerMode::All => PickerStage::GenerateQuiets,
            PickerMode::CapturesAndChecks => PickerStage::GenerateQuietChecks,
            PickerMode::Captures | PickerMode::ProbCut(_) => PickerStage::Done,
        }
    }

    /// Whether a capture is worth trying before the quiet moves.
    #[inline]
    fn is_good_capture(&self, scored: i32, context: &PickerContext<'_>) -> bool {
        let mv = move_of(scored);
        match self.mode {
            PickerMode::All => {
                let margin = Value::new(
                    -(score_of(scored) << SCORE_SHIFT) / context.params.good_capture_divisor,
                );
                see::is_at_least(context.pos, mv, margin)
            }
            PickerMode::ProbCut(gain) => see::is_at_least(context.pos, mv, gain),
            PickerMode::Captures | PickerMode::CapturesAndChecks => true,
        }
    }

    /// The best of the moves still to be handed out.
    #[inline(always)]
    fn best(&self, arena: &MoveArena) -> i32 {
        ScoreBlock::largest(&arena[self.next..self.end])
    }

    /// Writes another number in the place of a scored move; no two are alike.
    #[inline(always)]
    fn replace(&self, old: i32, new: i32, arena: &mut MoveArena) {
        ScoreBlock::replace(&mut arena[self.next..self.end], old, new);
    }

    #[inline]
    fn hand_out(&self, scored: i32, arena: &mut MoveArena) -> Option<Move> {
        self.replace(scored, ScoreBlock::NONE, arena);
        Some(move_of(scored))
    }

    /// Hands out the best move that is left.
    #[inline]
    fn take(&self, arena: &mut MoveArena) -> Option<Move> {
        let best = self.best(arena);
        if best == ScoreBlock::NONE {
            return None;
        }
        self.hand_out(best, arena)
    }

    /// A bad capture waits until the good quiet moves were tried.
    fn defer(&mut self, scored: i32, arena: &mut MoveArena) {
        let later = if self.mode == PickerMode::All {
            self.bad_captures += 1;
            scored_move(move_of(scored), BAD_CAPTURE - self.bad_captures)
        } else {
            ScoreBlock::NONE
        };
        self.replace(scored, later, arena);
    }

    fn generate_captures(&mut self, context: &PickerContext<'_>, arena: &mut MoveArena) {
        let mut list = MoveList::new();
        let _ = if self.all_moves {
            movegen::captures(context.pos, &mut list)
        } else {
            movegen::captures_without_worse(context.pos, &mut list)
        };
        self.append(&list, arena, |mv| capture_score(context, mv));
        self.stage = PickerStage::GoodCaptures;
    }

    fn generate_quiets(&mut self, context: &PickerContext<'_>, arena: &mut MoveArena) {
        (self.next, self.end) = (arena.len(), arena.len());
        self.quiet_start = arena.len();
        if !self.skips_quiets {
            let mut list = MoveList::new();
            let _ = if self.all_moves {
                movegen::non_captures(context.pos, &mut list)
            } else {
                movegen::non_captures_without_worse(context.pos, &mut list)
            };
            self.append_quiets(&list, arena, &QuietScorer::new(context));
        }
        self.stage = PickerStage::GoodQuiets;
    }

    fn generate_evasions(&mut self, context: &PickerContext<'_>, arena: &mut MoveArena) {
        let mut list = MoveList::new();
        let _ = if self.all_moves {
            movegen::legal(context.pos, &mut list)
        } else {
            movegen::legal_without_worse(context.pos, &mut list)
        };
        self.append(&list, arena, |mv| evasion_score(context, mv));
        self.stage = PickerStage::Evasions;
    }

    fn generate_quiet_checks(&mut self, context: &PickerContext<'_>, arena: &mut MoveArena) {
        let mut checks = QuietCheckSink(MoveList::new(), context.pos);
        let _ = movegen::checks(context.pos, &mut checks);
        self.append_quiets(&checks.0, arena, &QuietScorer::new(context));
        self.stage = PickerStage::QuietChecks;
    }

    /// Scores moves and makes them the ones to be handed out. The TT move was handed out already.
    #[inline]
    fn append(&mut self, list: &MoveList, arena: &mut MoveArena, score: impl Fn(Move) -> i32) {
        let blocks = self.make_room(list.len(), arena);
        for (block, moves) in blocks.iter_mut().zip(list.chunks(BLOCK)) {
            for (place, &mv) in block.0.iter_mut().zip(moves) {
                if self.tt_move != Some(mv) {
                    *place = shortened(mv, score(mv));
                }
            }
        }
    }

    /// As `append`, in two passes: histories are spread over memory, so that all that will be read is
    /// asked for before the first of it is read.
    #[inline]
    fn append_quiets(&mut self, list: &MoveList, arena: &mut MoveArena, scorer: &QuietScorer<'_>) {
        let blocks = self.make_room(list.len(), arena);
        for (block, moves) in blocks.iter_mut().zip(list.chunks(BLOCK)) {
            for (place, &mv) in block.0.iter_mut().zip(moves) {
                *place = scorer.prepared(mv);
            }
        }
        for (block, moves) in blocks.iter_mut().zip(list.chunks(BLOCK)) {
            for (place, &mv) in block.0.iter_mut().zip(moves) {
                *place = if self.tt_move == Some(mv) {
                    ScoreBlock::NONE
                } else {
                    shortened(mv, scorer.score(mv, *place))
                };
            }
        }
    }

    /// Room for so many moves, written where it stays: a block that is made elsewhere and copied is
    /// waited for.
    #[inline(always)]
    fn make_room<'a>(&mut self, moves: usize, arena: &'a mut MoveArena) -> &'a mut [ScoreBlock] {
        self.next = arena.len();
        self.end = self.next + moves.div_ceil(BLOCK);
        arena.resize(self.end, ScoreBlock::EMPTY);
        &mut arena[self.next..]
    }
}

/// A scored move with as much of its score as there is room for. With numbers that a tuner tries that
/// may be less than all.
#[inline(always)]
fn shortened(mv: Move, score: i32) -> i32 {
    let score = score >> SCORE_SHIFT;
    scored_move(mv, score.clamp(1 + BAD_CAPTURE, i16::MAX.into()))
}

#[inline(always)]
fn scored_move(mv: Move, score: i32) -> i32 {
    debug_assert!(i16::try_from(score).is_ok(), "fits above a move");
    score << 16 | i32::from(mv.bits())
}

#[inline(always)]
fn score_of(scored: i32) -> i32 {
    scored >> 16
}

#[inline(always)]
fn move_of(scored: i32) -> Move {
    Move::from_bits(scored as u16).expect("only moves are scored")
}

#[inline(always)]
fn capture_score(context: &PickerContext<'_>, mv: Move) -> i32 {
    let captured = context.pos.at(mv.to()).map(|piece| piece.kind());
    let arriving = context.pos.moved_piece_after(mv);
    let history = context
        .histories
        .capture(PieceTo::new(arriving, mv.to()), captured);
    let worth = captured.map_or(0, |kind| kind.worth().points());
    let promoted = if mv.is_promotion() {
        promotion_gain(arriving.kind())
    } else {
        0
    };
    history + context.params.capture_score_worth * (worth + promoted)
}

/// What a piece is worth more than before its promotion.
#[inline(always)]
pub(crate) fn promotion_gain(promoted: PieceKind) -> i32 {
    promoted.worth().points() - promoted.base().worth().points()
}

#[inline(always)]
fn evasion_score(context: &PickerContext<'_>, mv: Move) -> i32 {
    let (pos, params) = (context.pos, context.params);
    if let Some(captured) = pos.at(mv.to()) {
        let taker = pos.moved_piece_after(mv).kind().base();
        return params.evasion_capture_base
            + params.evasion_capture_worth * captured.kind().worth().points()
            - taker.worth().points() / params.evasion_taker_divisor;
    }
    let piece_to = PieceTo::new(pos.moved_piece_after(mv), mv.to());
    context.histories.main(pos.turn(), mv)
        + i32::from(context.histories.continuation(context.continuations[0])[piece_to.index()])
}

/// The histories that score the quiet moves of one node.
struct QuietScorer<'a> {
    context: &'a PickerContext<'a>,
    main: &'a [i16; 1 << 16],
    continuations: [&'a PieceToHistory; 5],
    pawn: &'a PieceToHistory,
}

impl<'a> QuietScorer<'a> {
    fn new(context: &'a PickerContext<'a>) -> Self {
        let histories = context.histories;
        Self {
            context,
            main: histories.main_of(context.pos.turn()),
            continuations: [0, 1, 2, 3, 5]
                .map(|back| histories.continuation(context.continuations[back])),
            pawn: histories.pawn(context.pawn_key),
        }
    }

    /// What [`QuietScorer::score`] has to know about a move: where the tables have it, and whether it
    /// gives check. Those tables that few moves before looked at are prefetched.
    #[inline(always)]
    fn prepared(&self, mv: Move) -> i32 {
        let PickerContext { pos, checks, .. } = *self.context;
        let (piece, to) = (pos.moved_piece_after(mv), mv.to());
        let piece_to = PieceTo::new(piece, to).index();
        prefetch(&self.continuations[0][piece_to]);
        prefetch(&self.continuations[1][piece_to]);
        prefetch(&self.pawn[piece_to]);
        let is_check = checks.is_some_and(|checks| checks.is_attack(piece, to));
        piece_to as i32 | i32::from(is_check) << CHECK_BIT
    }

    #[inline(always)]
    fn score(&self, mv: Move, prepared: i32) -> i32 {
        let PickerContext {
            pos,
            params,
            histories,
            ply,
            ..
        } = *self.context;
        let piece_to = prepared as usize % (1 << CHECK_BIT);
        let pawn = i32::from(self.pawn[piece_to]);
        let main = i32::from(self.main[usize::from(mv.bits())]);
        let mut score = params.quiet_score_main * main + params.quiet_score_pawn * pawn;
        for continuation in self.continuations {
            score += i32::from(continuation[piece_to]);
        }
        if ply < LOW_PLIES {
            score += params.quiet_score_low_ply * histories.low_ply(ply, mv) / (1 + ply as i32);
        }
        if prepared >> CHECK_BIT != 0
            && see::is_at_least(pos, mv, Value::new(-params.quiet_check_see))
        {
            score += params.quiet_score_check;
        }
        score
    }
}

/// Above the number of a piece and its square.
const CHECK_BIT: u32 = PieceTo::COUNT.next_power_of_two().ilog2();

/// Keeps the checks that capture nothing.
struct QuietCheckSink<'a>(MoveList, &'a Position);

impl Sink for QuietCheckSink<'_> {
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        if !self.1.is_capture(mv) {
            self.0.push(mv);
        }
        ControlFlow::Continue(())
    }
}
