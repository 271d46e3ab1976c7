//! What must always hold of boards and generators, in more than a million positions.
//!
//! Every position of every game is checked for what is cheap: both boards agree, the kept state is
//! the one begun anew, what is written reads back. Every few positions the plain board plays each
//! legal move, and each special generator must give exactly the moves of its kind.

mod common;

use common::chance::Chance;
use common::games::{Game, Taste};
use common::oracle::{self, Attacks, MoveEffects, has, set_of};
use common::scribe::Scribe;
use common::setups::{self, Sort};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;
use tesuji_shogi::Mailbox;
use tesuji_shogi::board::fresh_key;
use tesuji_shogi::rules::foul;
use tesuji_shogi::tactics::CheckSquares;
use tesuji_shogi::{
    Any, Bitboard, Board, Color, Count, Move, MoveList, PieceKind, Position, Square, Tracked,
    movegen,
};

/// How many positions each source of games is asked for.
const OPENINGS: usize = 300_000;
const START: usize = 200_000;
const FULL_HANDS: usize = 100_000;
const ENTERED_KINGS: usize = 120_000;
const FEW_PIECES: usize = 140_000;
const CROWDED: usize = 100_000;
const PROBLEMS: usize = 100_000;
const NO_KINGS: usize = 20_000;
const _: () = assert!(
    OPENINGS + START + FULL_HANDS + ENTERED_KINGS + FEW_PIECES + CROWDED + PROBLEMS + NO_KINGS
        >= 1_000_000
);

/// One position in so many has each of its moves checked.
const JUDGED: usize = 8;
/// One position in so many is asked about every pattern of 16 bits.
const ASKED: usize = 64;

#[test]
fn laws_hold_from_the_openings() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/openings/suite_1500.sfen"
    );
    let text = std::fs::read_to_string(path).expect("the openings are among the fixtures");
    let openings: Vec<_> = text.lines().collect();
    assert_eq!(openings.len(), 1_500);
    let mut next = (0..).map(|game| openings[game % openings.len()]);
    check_games(1, OPENINGS, 200, |_| {
        let sfen = next.next().expect("the openings never end");
        Position::from_sfen(sfen).expect("an opening is a position")
    });
}

#[test]
fn laws_hold_from_the_start() {
    check_games(2, START, 400, |_| Position::start());
}

#[test]
fn laws_hold_with_full_hands() {
    check_sort(3, FULL_HANDS, &setups::FULL_HANDS);
}

#[test]
fn laws_hold_with_entered_kings() {
    check_sort(4, ENTERED_KINGS, &setups::ENTERED_KINGS);
}

#[test]
fn laws_hold_with_few_pieces() {
    check_sort(5, FEW_PIECES, &setups::FEW_PIECES);
}

#[test]
fn laws_hold_on_a_crowded_board() {
    check_sort(6, CROWDED, &setups::CROWDED);
}

#[test]
fn laws_hold_without_the_king_of_the_attacker() {
    check_sort(7, PROBLEMS, &setups::PROBLEM);
}

#[test]
fn laws_hold_without_kings() {
    check_sort(8, NO_KINGS, &setups::NO_KINGS);
}

fn check_sort(seed: u64, positions: usize, sort: &Sort) {
    check_games(seed, positions, 40, |chance| sort.position(chance));
}

/// Plays random games and checks the laws in so many positions.
fn check_games(
    seed: u64,
    positions: usize,
    longest: usize,
    mut start: impl FnMut(&mut Chance) -> Position,
) {
    let mut chance = Chance::new(seed);
    let mut seen = 0;
    while seen < positions {
        let taste = chance.one_of(&Taste::ALL);
        let mut game = Game::new(start(&mut chance), taste);
        for _ in 0..longest {
            let legal = boards_agree(&game);
            check_every_position(&mut game, &legal, &mut chance);
            if seen % JUDGED == 0 {
                check_every_move(&mut game, &legal);
            }
            if seen % ASKED == 0 {
                only_generated_moves_are_legal(&game.pos, &legal);
            }
            seen += 1;
            if legal.is_empty() {
                break;
            }
            let mv = game.choose(&legal, &mut chance);
            game.play(mv);
        }
        game.unwind();
    }
}

/// Both boards give the same moves; they are returned, sorted.
fn boards_agree(game: &Game) -> Vec<Move> {
    let (pos, board) = (&game.pos, &game.board);
    let legal = board.legal_moves().sorted();
    assert_eq!(pos.legal_moves().sorted(), legal, "{pos:?}");
    assert_eq!(pos.key(), fresh_key(pos), "{pos:?}");
    assert_eq!(pos.key(), board.key(), "{pos:?}");
    assert_eq!(pos.in_check(), board.in_check(), "{pos:?}");
    legal
}

fn check_every_position(game: &mut Game, legal: &[Move], chance: &mut Chance) {
    every_sink_agrees(&game.pos, legal);
    written_reads_back(&game.pos);
    turned_around_is_the_same(&game.pos, legal);
    passing_can_be_taken_back(&mut game.pos);
    is_legal_agrees_on_nearby_moves(&game.pos, legal, chance);
}

fn every_sink_agrees(pos: &Position, legal: &[Move]) {
    let (mut count, mut any) = (Count::default(), Any::default());
    assert!(movegen::legal(pos, &mut count).is_continue());
    assert_eq!(count.0, legal.len(), "{pos:?}");
    assert_eq!(
        movegen::legal(pos, &mut any).is_break(),
        !legal.is_empty(),
        "{pos:?}"
    );
    assert_eq!(any.0.is_some(), !legal.is_empty(), "{pos:?}");
    assert!(
        any.0.is_none_or(|mv| legal.binary_search(&mv).is_ok()),
        "{pos:?}"
    );
    assert_eq!(movegen::has_legal_move(pos), !legal.is_empty(), "{pos:?}");
}

/// What is written as SFEN reads back the same, and what was kept move by move equals what is
/// built from it.
fn written_reads_back(pos: &Position) {
    let sfen = pos.to_sfen();
    let read = Position::from_sfen(&sfen).expect("what was written can be read");
    assert_eq!(read.to_sfen(), sfen);
    assert_eq!(read.setup(), pos.setup(), "{pos:?}");
    assert!(pos.setup().build() == Ok(read.clone()), "{pos:?}");
    same_danger_and_key(pos, &read);
}

fn same_danger_and_key(pos: &Position, fresh: &Position) {
    assert_eq!(pos.checkers(), fresh.checkers(), "{pos:?}");
    assert_eq!(pos.pinned(), fresh.pinned(), "{pos:?}");
    assert_eq!(pos.key(), fresh.key(), "{pos:?}");
    assert_eq!(pos.identity(), fresh.identity(), "{pos:?}");
}

fn turned_around_is_the_same(pos: &Position, legal: &[Move]) {
    let turned = pos.flipped();
    let rotated: MoveList = legal.iter().map(|mv| mv.rotated()).collect();
    assert_eq!(turned.legal_moves().sorted(), rotated.sorted(), "{pos:?}");
    assert_eq!(turned.checkers(), pos.checkers().rotated(), "{pos:?}");
    assert_eq!(turned.pinned(), pos.pinned().rotated(), "{pos:?}");
    assert!(turned.flipped().setup() == pos.setup(), "{pos:?}");
}

fn passing_can_be_taken_back(pos: &mut Position) {
    if pos.in_check() {
        return;
    }
    let before = pos.clone();
    pos.pass();
    assert_eq!(pos.turn(), !before.turn());
    assert_eq!(pos.checks_in_a_row(before.turn()), 0, "{pos:?}");
    assert_eq!(pos.key(), fresh_key(pos), "{pos:?}");
    let read = Position::from_sfen(&pos.to_sfen()).expect("nobody in check, nobody can take");
    same_danger_and_key(pos, &read);
    pos.undo();
    assert!(*pos == before, "a pass is not taken back in {before:?}");
}

/// Legal moves are legal; patterns of any bits, and legal moves with one bit changed, are legal if
/// they are generated.
fn is_legal_agrees_on_nearby_moves(pos: &Position, legal: &[Move], chance: &mut Chance) {
    for &mv in legal {
        assert!(pos.is_legal(mv), "{mv} in {pos:?}");
    }
    for _ in 0..16 {
        asked_about(pos, legal, chance.number() as u16);
        if let Some(last) = legal.len().checked_sub(1) {
            let bits = legal[chance.below(last + 1)].bits();
            asked_about(pos, legal, bits ^ 1 << chance.below(16));
        }
    }
}

fn only_generated_moves_are_legal(pos: &Position, legal: &[Move]) {
    (0..=u16::MAX).for_each(|bits| asked_about(pos, legal, bits));
}

fn asked_about(pos: &Position, legal: &[Move], bits: u16) {
    if let Some(mv) = Move::from_bits(bits) {
        let expected = legal.binary_search(&mv).is_ok();
        assert_eq!(pos.is_legal(mv), expected, "{mv} in {pos:?}");
    }
}

fn check_every_move(game: &mut Game, legal: &[Move]) {
    let before = Attacks::of(&game.board);
    let effects = oracle::effects(&mut game.board, &before, legal);
    sets_match_the_squares(&game.pos, &game.board, &before);
    whole_board_generators_agree(&game.pos, &effects);
    square_generators_agree(&game.pos, &game.board, &before, &effects);
    every_move_can_be_taken_back(game, &effects);
    moves_after_a_pass_agree(&mut game.pos);
}

/// Every set of squares that the position answers with is the one the plain board has.
fn sets_match_the_squares(pos: &Position, board: &Mailbox, attacks: &Attacks) {
    let set = |bitboard: Bitboard| set_of(bitboard.iter());
    for kind in PieceKind::ALL {
        let is_kind = |&s: &Square| board.at(s).is_some_and(|piece| piece.kind() == kind);
        let squares = set_of(Square::all().filter(is_kind));
        assert_eq!(set(pos.of_kind(kind)), squares, "{kind:?} in {pos:?}");
    }
    for color in Color::ALL {
        let is_own = |&s: &Square| board.at(s).is_some_and(|piece| piece.color() == color);
        let squares = set_of(Square::all().filter(is_own));
        assert_eq!(set(pos.pieces(color)), squares, "{color:?} in {pos:?}");
        assert_eq!(pos.king(color), oracle::king_of(board, color), "{pos:?}");
        for target in Square::all() {
            let attackers = attacks.onto(board, color, target);
            let found = pos.attackers(color, target, pos.occupied());
            assert_eq!(set(found), attackers, "{target} in {pos:?}");
            assert_eq!(
                pos.is_attacked(color, target),
                attackers != 0,
                "{target} in {pos:?}"
            );
        }
    }
    for square in Square::all() {
        assert_eq!(
            set(pos.attacks_from(square)),
            attacks.from(square),
            "{square} in {pos:?}"
        );
    }
    let king = oracle::king_of(board, pos.turn());
    let checkers = king.map_or(0, |king| attacks.onto(board, !pos.turn(), king));
    assert_eq!(set(pos.checkers()), checkers, "{pos:?}");
    assert_eq!(set(pos.pinned()), oracle::pinned(board), "{pos:?}");
}

/// Runs a generator with every sink: the list must hold the expected moves, each once.
macro_rules! agree {
    ($pos:expr, $effects:expr, $generator:ident($($square:expr)?), $is_its_kind:expr) => {{
        let generate = |list: &mut MoveList, count: &mut Count, any: &mut Any| {
            (
                movegen::$generator($pos, $($square,)? list),
                movegen::$generator($pos, $($square,)? count),
                movegen::$generator($pos, $($square,)? any),
            )
        };
        let expected = $effects.iter().filter($is_its_kind).map(|effects: &MoveEffects| effects.mv);
        let square: Option<Square> = None $(.or(Some($square)))?;
        let what = (stringify!($generator), square);
        compare($pos, what, generate, expected);
    }};
}

type Answers = (ControlFlow<()>, ControlFlow<()>, ControlFlow<()>);

fn compare(
    pos: &Position,
    what: (&str, Option<Square>),
    generate: impl Fn(&mut MoveList, &mut Count, &mut Any) -> Answers,
    expected: impl Iterator<Item = Move>,
) {
    let (mut list, mut count, mut any) = (MoveList::new(), Count::default(), Any::default());
    let answers = generate(&mut list, &mut count, &mut any);
    assert!(
        list.sorted().into_iter().eq(expected),
        "{what:?} gives {list:?} in {pos:?}"
    );
    assert_eq!(count.0, list.len(), "{what:?} in {pos:?}");
    assert!(
        answers.0.is_continue() && answers.1.is_continue(),
        "{what:?} in {pos:?}"
    );
    assert_eq!(
        answers.2.is_break(),
        !list.is_empty(),
        "{what:?} in {pos:?}"
    );
    assert_eq!(any.0.is_some(), !list.is_empty(), "{what:?} in {pos:?}");
    assert!(
        any.0.is_none_or(|mv| list.contains(mv)),
        "{what:?} in {pos:?}"
    );
}

fn whole_board_generators_agree(pos: &Position, effects: &[MoveEffects]) {
    agree!(pos, effects, legal(), |_| true);
    agree!(pos, effects, legal_without_worse(), |j| !j.worse);
    agree!(pos, effects, captures(), |j| j.takes);
    agree!(pos, effects, promotions(), |j| !j.takes
        && j.mv.is_promotion());
    agree!(pos, effects, non_captures(), |j| !j.takes);
    agree!(pos, effects, non_captures_without_worse(), |j| !j.worse
        && !j.takes);
    agree!(pos, effects, quiet(), |j| !j.takes && !j.mv.is_promotion());
    agree!(pos, effects, captures_without_worse(), |j| j.takes
        && !j.worse);
    agree!(pos, effects, quiet_without_worse(), |j| !j.takes
        && !j.worse
        && !j.mv.is_promotion());
    agree!(pos, effects, evasions(), |_| pos.in_check());
    agree!(pos, effects, checks(), |j| j.checks);
    agree!(pos, effects, drops(), |j| j.mv.is_drop());
}

fn square_generators_agree(
    pos: &Position,
    board: &Mailbox,
    before: &Attacks,
    effects: &[MoveEffects],
) {
    let (own, foe) = (board.turn(), !board.turn());
    for square in Square::all() {
        agree!(pos, effects, to(square), |j| j.mv.to() == square);
        agree!(pos, effects, attacking(square), |j| has(j.onto, square));
        let is_in_danger = board.at(square).is_some_and(|piece| piece.color() == own)
            && before.onto(board, foe, square) != 0;
        agree!(pos, effects, escapes(square), |j| {
            let stands = if j.mv.from() == Some(square) {
                j.mv.to()
            } else {
                square
            };
            is_in_danger && !has(j.attacked, stands)
        });
    }
}

fn every_move_can_be_taken_back(game: &mut Game, effects: &[MoveEffects]) {
    let before = game.pos.clone();
    let squares = CheckSquares::of(&before);
    for &MoveEffects { mv, checks, .. } in effects {
        assert_eq!(squares.is_check(&before, mv), checks, "{mv} in {before:?}");
        let arriving = before.moved_piece_after(mv);
        let told = game.board.after(mv, |_, change| change);
        game.pos.after(mv, |next, change| {
            assert_eq!(change, told, "{mv} in {before:?}");
            assert_eq!(next.last_change(), told, "{mv} in {before:?}");
            assert_eq!(next.in_check(), checks, "{mv} in {before:?}");
            assert_eq!(next.at(mv.to()), Some(arriving), "{mv} in {before:?}");
            assert_eq!(next.last_taken(), before.at(mv.to()), "{mv} in {before:?}");
        });
        let mut early = None;
        game.pos.play_with_prefetch(mv, |key| early = Some(key));
        assert_eq!(early, Some(game.pos.key()), "{mv} in {before:?}");
        game.pos.undo();
        assert!(game.pos == before, "{mv} is not taken back in {before:?}");
    }
}

fn moves_after_a_pass_agree(pos: &mut Position) {
    if !pos.in_check() {
        pos.pass();
        let expected = Mailbox::from(&*pos).legal_moves().sorted();
        assert_eq!(pos.legal_moves().sorted(), expected, "{pos:?}");
        pos.undo();
    }
}

/// Somebody who only hears the changes knows the board, forwards and backwards.
#[test]
fn changes_tell_everything() {
    let mut chance = Chance::new(9);
    for game in 0..1_000 {
        let sort = [&setups::ENTERED_KINGS, &setups::CROWDED, &setups::PROBLEM][game % 3];
        let start = sort.position(&mut chance);
        let scribe = Scribe::of(&start);
        let mut board = Tracked::new(start, scribe.clone());
        let mut played = 0;
        while played < 60 && movegen::has_legal_move(board.board()) {
            let legal = board.legal_moves().sorted();
            board.play(chance.one_of(&legal));
            played += 1;
            assert_eq!(
                *board.follower(),
                Scribe::of(board.board()),
                "{:?}",
                board.board()
            );
        }
        for _ in 0..played {
            board.undo();
            assert_eq!(
                *board.follower(),
                Scribe::of(board.board()),
                "{:?}",
                board.board()
            );
        }
        assert_eq!(*board.follower(), scribe);
    }
}

/// Positions that differ have different keys, equal ones the same, however they were reached.
#[test]
fn keys_tell_positions_apart() {
    let mut chance = Chance::new(11);
    let (mut keys, mut texts) = (HashMap::new(), HashMap::new());
    for _ in 0..1_000 {
        let mut pos = Position::start();
        while pos.played() < 200 && movegen::has_legal_move(&pos) {
            pos.play(chance.one_of(&pos.legal_moves().sorted()));
            let text = pos.to_sfen_without_ply();
            let number = (pos.key(), pos.identity());
            assert_eq!(pos.identity() as u64, pos.key().0, "{pos:?}");
            assert_eq!(
                *texts.entry(text.clone()).or_insert(number),
                number,
                "{pos:?}"
            );
            assert_eq!(
                *keys.entry(pos.key()).or_insert(text.clone()),
                text,
                "{pos:?}"
            );
        }
    }
}

/// A move written as text or as a number reads back the same.
#[test]
fn every_move_reads_back() {
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        assert_eq!(mv.to_string().parse(), Ok(mv));
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        assert_eq!(mv.rotated().rotated(), mv);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// No text makes a reader panic.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,99}") {
        let _ = text.parse::<Move>();
        let _ = text.parse::<Square>();
        let _ = Position::from_sfen(&text);
    }

    /// Nor does a position with some of its letters changed; if it reads, it reads back.
    #[test]
    fn broken_positions_are_read_or_refused(
        seed in any::<u64>(),
        edits in vec((0..80usize, "[-+ /0-9bwPLNSGBRKplnsgbrkxé]"), 1..4),
    ) {
        let mut letters: Vec<_> = setups::FEW_PIECES
            .position(&mut Chance::new(seed))
            .to_sfen()
            .chars()
            .collect();
        for (place, with) in edits {
            let place = place % letters.len();
            letters.splice(place..place + 1, with.chars());
        }
        let text: String = letters.into_iter().collect();
        if let Ok(pos) = Position::from_sfen(&text) {
            written_reads_back(&pos);
            prop_assert_eq!(Mailbox::from(&pos).legal_moves().sorted(), pos.legal_moves().sorted());
        }
    }
}

/// Nothing but a legal move is played when asked politely.
#[test]
fn try_play_refuses_what_is_illegal() {
    let mut chance = Chance::new(10);
    for _ in 0..1_000 {
        let mut pos = setups::CROWDED.position(&mut chance);
        let before = pos.clone();
        let legal = pos.legal_moves();
        for mv in (0..1_000).filter_map(|_| Move::from_bits(chance.number() as u16)) {
            match pos.try_play(mv) {
                Ok(change) => {
                    assert!(legal.contains(mv), "{mv} in {before:?}");
                    assert_eq!(change, before.change(mv), "{mv} in {before:?}");
                    pos.undo();
                }
                Err(reason) => {
                    assert!(!legal.contains(mv), "{mv} in {before:?}");
                    assert_eq!(foul(&before, mv), Some(reason), "{mv} in {before:?}");
                }
            }
            assert!(pos == before, "{mv} in {before:?}");
        }
    }
}
