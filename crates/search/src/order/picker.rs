//! The next move worth trying.
//!
//! Moves come in stages, and a stage is generated only when it is reached: the move of the table,
//! captures that lose nothing, quiet moves with a good past, captures that lose, the
//! rest. A scored move is one number, the score above and the move below, and numbers stand in
//! blocks: the best of many is found, and crossed out, by comparing whole blocks.

use super::history::{Histories, Row, Trail, landing};
use std::ops::ControlFlow;
use tesuji_kernels::ScoreBlock;
use tesuji_shogi::movegen::{self, Sink};
use tesuji_shogi::tactics::{CheckSquares, see};
use tesuji_shogi::{Move, MoveList, PieceKind, Position, Value};

/// Scored moves of all nodes on the way, one node behind the other.
pub(crate) type Arena = Vec<ScoreBlock>;

/// Where a picker finds what it needs.
pub(crate) struct Sources<'a> {
    pub(crate) pos: &'a Position,
    pub(crate) histories: &'a Histories,
    pub(crate) checks: Option<&'a CheckSquares>,
    pub(crate) trail: &'a Trail,
    pub(crate) pawn_structure: u64,
    pub(crate) ply: usize,
}

/// What kind of node wants moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// Every move.
    All,
    /// Captures.
    Captures,
    /// Captures, then checks that lose nothing.
    CapturesAndChecks,
    /// Captures that win at least so much.
    Winning(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    Captures,
    MakeQuiet,
    GoodQuiet,
    BadCaptures,
    BadQuiet,
    MakeEvasions,
    Evasions,
    MakeChecks,
    Checks,
    Done,
}

/// Hands out the moves of one node, best first, each exactly once.
pub(crate) struct Picker {
    stage: Stage,
    want: Want,
    table: Option<Move>,
    all_moves: bool,
    skips_quiet: bool,
    /// How many captures wait because they lose something.
    losing: i32,
    /// The blocks in the arena: of the node, and of the moves that are being handed out.
    start: usize,
    next: usize,
    end: usize,
    /// Where the captures end and the quiet moves begin.
    quiet_start: usize,
}

/// Below this the past of a quiet move is bad, and losing captures are tried first.
const GOOD_QUIET: i32 = -14_000;
/// How many bits of a score are given up so that it fits above a move.
const SHRINK: i32 = 3;
/// The score of the first capture that waits; those after it come lower. No other move is as low.
const LOSING: i32 = -32_000;

impl Picker {
    /// `table` must be legal in the position.
    pub(crate) fn new(
        want: Want,
        table: Option<Move>,
        in_check: bool,
        all_moves: bool,
        arena: &Arena,
    ) -> Self {
        let start = arena.len();
        let mut picker = Self {
            stage: Stage::Table,
            want,
            table,
            all_moves,
            skips_quiet: false,
            losing: 0,
            start,
            next: start,
            end: start,
            quiet_start: start,
        };
        if table.is_none() {
            picker.stage = picker.after_table(in_check);
        }
        picker
    }

    /// No quiet move is wanted any more.
    pub(crate) fn skip_quiet(&mut self) {
        self.skips_quiet = true;
    }

    /// Gives the room in the arena back.
    pub(crate) fn close(&self, arena: &mut Arena) {
        arena.truncate(self.start);
    }

    fn after_table(&self, in_check: bool) -> Stage {
        if in_check {
            Stage::MakeEvasions
        } else {
            Stage::MakeCaptures
        }
    }

    /// The next move, if there is one.
    #[inline]
    pub(crate) fn next(&mut self, sources: &Sources<'_>, arena: &mut Arena) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = self.after_table(sources.pos.in_check());
                    return self.table;
                }
                Stage::MakeCaptures => self.make_captures(sources, arena),
                Stage::Captures => {
                    let best = self.best(arena);
                    if score_of(best) <= LOSING {
                        self.stage = self.after_captures();
                    } else if self.is_good(best, sources) {
                        return self.hand_out(best, arena);
                    } else {
                        self.put_aside(best, arena);
                    }
                }
                Stage::MakeQuiet => self.make_quiet(sources, arena),
                Stage::GoodQuiet => {
                    let best = self.best(arena);
                    if !self.skips_quiet && score_of(best) << SHRINK > GOOD_QUIET {
                        return self.hand_out(best, arena);
                    }
                    (self.next, self.end) = (self.start, self.quiet_start);
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => match self.take(arena) {
                    Some(mv) => return Some(mv),
                    None => {
                        (self.next, self.end) = (self.quiet_start, arena.len());
                        self.stage = Stage::BadQuiet;
                    }
                },
                Stage::BadQuiet if self.skips_quiet => self.stage = Stage::Done,
                Stage::MakeEvasions => self.make_evasions(sources, arena),
                Stage::MakeChecks => self.make_checks(sources, arena),
                Stage::BadQuiet | Stage::Evasions => match self.take(arena) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Checks => match self.take(arena) {
                    Some(mv) if see::is_at_least(sources.pos, mv, Value::ZERO) => return Some(mv),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn after_captures(&self) -> Stage {
        match self.want {
            Want::All => Stage::MakeQuiet,
            Want::CapturesAndChecks => Stage::MakeChecks,
            Want::Captures | Want::Winning(_) => Stage::Done,
        }
    }

    /// Whether a capture is worth trying before the quiet moves.
    #[inline]
    fn is_good(&self, scored: i32, sources: &Sources<'_>) -> bool {
        let mv = move_of(scored);
        match self.want {
            Want::All => {
                let margin = Value::new(-(score_of(scored) << SHRINK) / 18);
                see::is_at_least(sources.pos, mv, margin)
            }
            Want::Winning(gain) => see::is_at_least(sources.pos, mv, gain),
            Want::Captures | Want::CapturesAndChecks => true,
        }
    }

    /// The best of the moves still to be handed out.
    #[inline(always)]
    fn best(&self, arena: &Arena) -> i32 {
        ScoreBlock::largest(&arena[self.next..self.end])
    }

    /// Writes another number in the place of a scored move; no two are alike.
    #[inline(always)]
    fn replace(&self, old: i32, new: i32, arena: &mut Arena) {
        ScoreBlock::replace(&mut arena[self.next..self.end], old, new);
    }

    #[inline]
    fn hand_out(&self, scored: i32, arena: &mut Arena) -> Option<Move> {
        self.replace(scored, ScoreBlock::NONE, arena);
        Some(move_of(scored))
    }

    /// Hands out the best move that is left.
    #[inline]
    fn take(&self, arena: &mut Arena) -> Option<Move> {
        let best = self.best(arena);
        if best == ScoreBlock::NONE {
            return None;
        }
        self.hand_out(best, arena)
    }

    /// A capture that loses something waits until the good quiet moves were tried.
    fn put_aside(&mut self, scored: i32, arena: &mut Arena) {
        let later = if self.want == Want::All {
            self.losing += 1;
            scored_move(move_of(scored), LOSING - self.losing)
        } else {
            ScoreBlock::NONE
        };
        self.replace(scored, later, arena);
    }

    fn make_captures(&mut self, sources: &Sources<'_>, arena: &mut Arena) {
        let mut list = MoveList::new();
        let _ = if self.all_moves {
            movegen::captures(sources.pos, &mut list)
        } else {
            movegen::captures_without_worse(sources.pos, &mut list)
        };
        self.append(&list, arena, |mv| capture_score(sources, mv));
        self.stage = Stage::Captures;
    }

    fn make_quiet(&mut self, sources: &Sources<'_>, arena: &mut Arena) {
        (self.next, self.end) = (arena.len(), arena.len());
        self.quiet_start = arena.len();
        if !self.skips_quiet {
            let mut list = MoveList::new();
            let _ = if self.all_moves {
                movegen::non_captures(sources.pos, &mut list)
            } else {
                movegen::non_captures_without_worse(sources.pos, &mut list)
            };
            let judge = QuietJudge::new(sources);
            self.append(&list, arena, |mv| judge.score(mv));
        }
        self.stage = Stage::GoodQuiet;
    }

    fn make_evasions(&mut self, sources: &Sources<'_>, arena: &mut Arena) {
        let mut list = MoveList::new();
        let _ = if self.all_moves {
            movegen::legal(sources.pos, &mut list)
        } else {
            movegen::legal_without_worse(sources.pos, &mut list)
        };
        self.append(&list, arena, |mv| evasion_score(sources, mv));
        self.stage = Stage::Evasions;
    }

    fn make_checks(&mut self, sources: &Sources<'_>, arena: &mut Arena) {
        let mut checks = QuietChecks(MoveList::new(), sources.pos);
        let _ = movegen::checks(sources.pos, &mut checks);
        let judge = QuietJudge::new(sources);
        self.append(&checks.0, arena, |mv| judge.score(mv));
        self.stage = Stage::Checks;
    }

    /// Scores moves and makes them the ones to be handed out. The move of the table was already.
    #[inline]
    fn append(&mut self, list: &MoveList, arena: &mut Arena, score: impl Fn(Move) -> i32) {
        self.next = arena.len();
        let mut moves = list.iter();
        while moves.len() > 0 {
            let mut block = ScoreBlock::EMPTY;
            for (place, mv) in block.0.iter_mut().zip(&mut moves) {
                if self.table != Some(mv) {
                    *place = scored_move(mv, score(mv) >> SHRINK);
                }
            }
            arena.push(block);
        }
        self.end = arena.len();
    }
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
fn capture_score(sources: &Sources<'_>, mv: Move) -> i32 {
    let taken = sources.pos.at(mv.to()).map(|piece| piece.kind());
    let arriving = sources.pos.moved_piece_after(mv);
    let history = sources.histories.capture(landing(arriving, mv.to()), taken);
    let worth = taken.map_or(0, |kind| kind.worth().points());
    let promoted = if mv.is_promotion() {
        promotion_gain(arriving.kind())
    } else {
        0
    };
    history + 7 * (worth + promoted)
}

/// What a piece is worth more than before its promotion.
#[inline(always)]
fn promotion_gain(promoted: PieceKind) -> i32 {
    promoted.worth().points() - promoted.base().worth().points()
}

#[inline(always)]
fn evasion_score(sources: &Sources<'_>, mv: Move) -> i32 {
    let pos = sources.pos;
    if let Some(taken) = pos.at(mv.to()) {
        let taker = pos.moved_piece_after(mv).kind().base();
        return 180_000 + 8 * taken.kind().worth().points() - taker.worth().points() / 4;
    }
    let landing = landing(pos.moved_piece_after(mv), mv.to());
    sources.histories.quiet(pos.turn(), mv)
        + i32::from(sources.histories.follow(sources.trail[0])[landing])
}

/// The rows of the tables that judge the quiet moves of one node.
struct QuietJudge<'a> {
    sources: &'a Sources<'a>,
    rows: [&'a Row; 5],
    pawns: &'a Row,
}

impl<'a> QuietJudge<'a> {
    fn new(sources: &'a Sources<'a>) -> Self {
        let histories = sources.histories;
        Self {
            sources,
            rows: [0, 1, 2, 3, 5].map(|back| histories.follow(sources.trail[back])),
            pawns: histories.pawns(sources.pawn_structure),
        }
    }

    #[inline(always)]
    fn score(&self, mv: Move) -> i32 {
        let (pos, histories) = (self.sources.pos, self.sources.histories);
        let place = landing(pos.moved_piece_after(mv), mv.to());
        let mut score = 2 * (histories.quiet(pos.turn(), mv) + i32::from(self.pawns[place]));
        for row in self.rows {
            score += i32::from(row[place]);
        }
        let ply = self.sources.ply;
        if ply < super::history::SHALLOW {
            score += 8 * histories.shallow(ply, mv) / (1 + ply as i32);
        }
        if let Some(checks) = self.sources.checks
            && checks.is_direct(pos, mv)
            && see::is_at_least(pos, mv, Value::new(-75))
        {
            score += 16_000;
        }
        score
    }
}

/// Keeps the checks that take nothing.
struct QuietChecks<'a>(MoveList, &'a Position);

impl Sink for QuietChecks<'_> {
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        if !self.1.is_capture(mv) {
            self.0.push(mv);
        }
        ControlFlow::Continue(())
    }
}
