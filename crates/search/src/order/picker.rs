//! The next move worth trying.
//!
//! Moves come in stages, and a stage is generated only when it is reached: the move of the table,
//! captures and promotions that lose nothing, quiet moves with a good past, captures that lose, the
//! rest. A scored move is one number, the score above and the move below, so that the best of many
//! is found by comparing numbers.

use super::history::{Histories, Row, Trail, landing};
use std::ops::ControlFlow;
use tesuji_shogi::movegen::{self, Sink};
use tesuji_shogi::tactics::{CheckSquares, see};
use tesuji_shogi::{Move, MoveList, PieceKind, Position, Value};

/// Scored moves of all nodes on the way, one node behind the other.
pub(crate) type Arena = Vec<i32>;

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
    /// Captures and promotions.
    Noisy,
    /// Captures and promotions, then checks that lose nothing.
    NoisyAndChecks,
    /// Captures and promotions that win at least so much.
    Winning(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeNoisy,
    Noisy,
    MakeQuiet,
    GoodQuiet,
    BadNoisy,
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
    /// The moves of the node in the arena: losing captures, then what is being handed out.
    start: usize,
    losing: usize,
    next: usize,
    end: usize,
    quiet_start: usize,
}

/// Below this the past of a quiet move is bad, and losing captures are tried first.
const GOOD_QUIET: i32 = -14_000;
/// How many bits of a score are given up so that it fits above a move.
const SHRINK: i32 = 3;
/// How many scores are compared at once.
const COMPARED: usize = 16;

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
            start,
            losing: start,
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
            Stage::MakeNoisy
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
                Stage::MakeNoisy => self.make_noisy(sources, arena),
                Stage::Noisy => match self.pick(arena) {
                    Some((mv, score)) if self.is_good(mv, score, sources) => return Some(mv),
                    Some((mv, _)) => self.put_aside(mv, arena),
                    None => self.stage = self.after_noisy(),
                },
                Stage::MakeQuiet => self.make_quiet(sources, arena),
                Stage::GoodQuiet => match self.pick(arena) {
                    _ if self.skips_quiet => self.begin_losing(),
                    Some((mv, score)) if score << SHRINK > GOOD_QUIET => return Some(mv),
                    Some(_) => {
                        // Picked too early: it is the best of the bad ones.
                        self.next -= 1;
                        self.begin_losing();
                    }
                    None => self.begin_losing(),
                },
                Stage::BadNoisy => {
                    if self.next < self.losing {
                        self.next += 1;
                        return Some(move_of(arena[self.next - 1]));
                    }
                    (self.next, self.end) = (self.quiet_start, arena.len());
                    self.stage = Stage::BadQuiet;
                }
                Stage::BadQuiet if self.skips_quiet => self.stage = Stage::Done,
                Stage::MakeEvasions => self.make_evasions(sources, arena),
                Stage::MakeChecks => self.make_checks(sources, arena),
                Stage::BadQuiet | Stage::Evasions => match self.pick(arena) {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Checks => match self.pick(arena) {
                    Some((mv, _)) if see::is_at_least(sources.pos, mv, Value::ZERO) => {
                        return Some(mv);
                    }
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn after_noisy(&self) -> Stage {
        match self.want {
            Want::All => Stage::MakeQuiet,
            Want::NoisyAndChecks => Stage::MakeChecks,
            Want::Noisy | Want::Winning(_) => Stage::Done,
        }
    }

    /// Whether a capture or promotion is worth trying before the quiet moves.
    #[inline]
    fn is_good(&self, mv: Move, score: i32, sources: &Sources<'_>) -> bool {
        match self.want {
            Want::All => {
                let margin = Value::new(-(score << SHRINK) / 18);
                see::is_at_least(sources.pos, mv, margin)
            }
            Want::Winning(gain) => see::is_at_least(sources.pos, mv, gain),
            Want::Noisy | Want::NoisyAndChecks => true,
        }
    }

    /// A move that loses something waits in front of the moves still to be handed out.
    #[inline]
    fn put_aside(&mut self, mv: Move, arena: &mut Arena) {
        if self.want == Want::All {
            arena[self.losing] = i32::from(mv.bits());
            self.losing += 1;
        }
    }

    fn begin_losing(&mut self) {
        self.quiet_start = self.next;
        self.next = self.start;
        self.stage = Stage::BadNoisy;
    }

    /// Takes the best of the moves still to be handed out, and its score.
    #[inline]
    fn pick(&mut self, arena: &mut Arena) -> Option<(Move, i32)> {
        let rest = &mut arena[self.next..self.end];
        let best = rest.iter().fold(i32::MIN, |best, &scored| best.max(scored));
        let place = place_of(rest, best)?;
        rest.swap(0, place);
        self.next += 1;
        Some((move_of(best), best >> 16))
    }

    fn make_noisy(&mut self, sources: &Sources<'_>, arena: &mut Arena) {
        let pos = sources.pos;
        let mut list = MoveList::new();
        let _ = if self.all_moves {
            movegen::captures(pos, &mut list)
        } else {
            movegen::captures_without_worse(pos, &mut list)
        };
        let _ = movegen::promotions(pos, &mut list);
        self.append(&list, arena, |mv| noisy_score(sources, mv));
        self.stage = Stage::Noisy;
    }

    fn make_quiet(&mut self, sources: &Sources<'_>, arena: &mut Arena) {
        self.next = arena.len();
        self.end = arena.len();
        self.quiet_start = arena.len();
        if !self.skips_quiet {
            let mut list = MoveList::new();
            let _ = if self.all_moves {
                movegen::quiet(sources.pos, &mut list)
            } else {
                movegen::quiet_without_worse(sources.pos, &mut list)
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
        (self.next, self.end) = (arena.len(), arena.len());
        let judge = QuietJudge::new(sources);
        self.append(&checks.0, arena, |mv| judge.score(mv));
        self.stage = Stage::Checks;
    }

    #[inline]
    fn append(&mut self, list: &MoveList, arena: &mut Arena, score: impl Fn(Move) -> i32) {
        let start = arena.len();
        arena.extend(list.iter().map(|mv| {
            let score = score(mv) >> SHRINK;
            debug_assert!(i16::try_from(score).is_ok(), "fits above a move");
            score << 16 | i32::from(mv.bits())
        }));
        // The move of the table was handed out before.
        if let Some(table) = self.table {
            let place = arena[start..]
                .iter()
                .position(|&s| s as u16 == table.bits());
            place.map(|place| arena.swap_remove(start + place));
        }
        self.end = arena.len();
    }
}

/// Where a score stands; in steps that the compiler makes vectors of.
#[inline(always)]
fn place_of(scores: &[i32], wanted: i32) -> Option<usize> {
    let (blocks, rest) = scores.as_chunks::<COMPARED>();
    let is_in = |block: &[i32; COMPARED]| {
        let hits = block.iter().map(|&score| u32::from(score == wanted));
        hits.sum::<u32>() != 0
    };
    let is_it = |&score: &i32| score == wanted;
    match blocks.iter().position(is_in) {
        Some(block) => {
            let inside = blocks[block].iter().position(is_it);
            inside.map(|place| block * COMPARED + place)
        }
        None => {
            let behind = rest.iter().position(is_it);
            behind.map(|place| blocks.len() * COMPARED + place)
        }
    }
}

#[inline(always)]
fn move_of(scored: i32) -> Move {
    Move::from_bits(scored as u16).expect("only moves are scored")
}

#[inline(always)]
fn noisy_score(sources: &Sources<'_>, mv: Move) -> i32 {
    let taken = sources.pos.at(mv.to()).map(|piece| piece.kind());
    let arriving = sources.pos.arriving(mv);
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
        let taker = pos.arriving(mv).kind().base();
        return 180_000 + 8 * taken.kind().worth().points() - taker.worth().points() / 4;
    }
    let landing = landing(pos.arriving(mv), mv.to());
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
        let place = landing(pos.arriving(mv), mv.to());
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

/// Keeps the checks that neither take nor promote.
struct QuietChecks<'a>(MoveList, &'a Position);

impl Sink for QuietChecks<'_> {
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        if !mv.is_promotion() && !self.1.is_capture(mv) {
            self.0.push(mv);
        }
        ControlFlow::Continue(())
    }
}
