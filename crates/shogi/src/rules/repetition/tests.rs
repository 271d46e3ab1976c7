use super::*;
use crate::bitboard::Bitboard;
use crate::rng::SplitMix64;
use crate::types::hand::Hand;
use crate::types::moves::Move;

fn pos(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

fn play(pos: &mut Position, moves: &str) {
    for mv in moves.split_whitespace() {
        let mv = mv.parse().unwrap();
        assert!(pos.try_play(mv).is_ok(), "{mv} in {}", pos.to_sfen());
    }
}

fn ruling(pos: &Position) -> Option<Ruling> {
    pos.repetition(Counting::WithStart).ruling
}

fn state(pos: &Position) -> Option<RepetitionState> {
    pos.find_repetition(usize::MAX).map(|hit| hit.state)
}

/// The same position and moves with colours exchanged.
fn turned(pos: &Position, moves: &str) -> (Position, String) {
    let moves = moves.split_whitespace();
    let moves = moves.map(|mv| mv.parse::<Move>().unwrap().rotated().to_string());
    (pos.flipped(), moves.collect::<Vec<_>>().join(" "))
}

const SHUFFLE: &str = "2h3h 8b7b 3h2h 7b8b";

#[test]
fn a_shuffle_draws_at_the_fourth_occurrence() {
    let mut game = Position::start();
    for round in 1..=3 {
        assert_eq!(ruling(&game), None);
        assert_eq!(game.repetition(Counting::WithStart).times, round);
        assert_eq!(game.repetition(Counting::MovesOnly).times, round - 1);
        play(&mut game, SHUFFLE);
    }
    assert_eq!(ruling(&game), Some(Ruling::Draw));
    assert_eq!(game.repetition(Counting::MovesOnly).ruling, None);
    play(&mut game, "2h3h");
    assert_eq!(
        game.repetition(Counting::MovesOnly).ruling,
        Some(Ruling::Draw)
    );
    game.undo();
    game.undo();
    assert_eq!(ruling(&game), None);
}

#[test]
fn setup_moves_count_like_any_other() {
    // The start position has occurred twice after the moves of a time bid.
    let mut game = Position::start();
    play(&mut game, "5i5h 5a5b 5h5i 5b5a");
    assert_eq!(game.repetition(Counting::WithStart).times, 2);
    assert_eq!(game.repetition(Counting::MovesOnly).times, 1);
}

#[test]
fn hands_and_turn_belong_to_the_position() {
    // The king takes a pawn and walks home: the board is the same, the hands are not.
    let mut game = pos("4k4/9/9/9/9/9/9/9/4K3R b 3P 1");
    for _ in 0..3 {
        play(&mut game, "P*5b 5a5b 1i1h 5b4a 1h1i 4a5a");
        assert_eq!(game.repetition(Counting::WithStart).times, 1);
    }
    // One side loses a move: the same board with the other side to move.
    let mut game = pos("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    play(&mut game, "5i5h 5a5b 5h4h 5b5a 4h5i");
    assert_eq!(game.repetition(Counting::WithStart).times, 1);
}

#[test]
fn perpetual_check_loses() {
    let start = pos("k2K5/2R6/9/9/9/9/9/9/9 b - 1");
    let round = "7b7a 9a9b 7a7b 9b9a";
    let (flipped, turned_round) = turned(&start, round);
    let sides = [
        (start, round.to_owned(), Color::Black),
        (flipped, turned_round, Color::White),
    ];
    for (mut game, round, checker) in sides {
        for _ in 0..3 {
            assert_eq!(ruling(&game), None);
            play(&mut game, &round);
        }
        // Seen after an answer to a check, and after a check.
        assert_eq!(ruling(&game), Some(Ruling::PerpetualCheck(checker)));
        assert_eq!(state(&game), Some(RepetitionState::Loss));
        play(&mut game, &round[..4]);
        assert_eq!(ruling(&game), Some(Ruling::PerpetualCheck(checker)));
        assert_eq!(
            game.repetition(Counting::MovesOnly).ruling,
            Some(Ruling::PerpetualCheck(checker))
        );
        assert_eq!(state(&game), Some(RepetitionState::Win));
    }
}

#[test]
fn one_quiet_move_makes_it_a_draw() {
    let mut game = pos("k2K5/9/2R6/9/9/9/9/9/9 b - 1");
    for _ in 0..3 {
        play(&mut game, "7c7a 9a9b 7a7c 9b9a");
    }
    assert_eq!(ruling(&game), Some(Ruling::Draw));
    assert_eq!(state(&game), Some(RepetitionState::Draw));
}

#[test]
fn checks_that_begin_after_the_first_occurrence_draw() {
    let mut game = pos("k2K5/2R6/9/9/9/9/9/9/9 b - 1");
    play(&mut game, "7b6b 9a8a 6b7b 8a9a");
    for _ in 0..2 {
        play(&mut game, "7b7a 9a9b 7a7b 9b9a");
    }
    assert_eq!(ruling(&game), Some(Ruling::Draw));
    // The search sees the nearest repetition, and that was all checks.
    assert_eq!(state(&game), Some(RepetitionState::Loss));
    // Played on, the last four occurrences decide.
    play(&mut game, "7b7a 9a9b 7a7b 9b9a");
    assert_eq!(
        game.repetition(Counting::WithStart),
        Repetition {
            times: 5,
            ruling: Some(Ruling::PerpetualCheck(Color::Black))
        }
    );
}

#[test]
fn a_start_in_check_may_be_the_first_occurrence() {
    let mut game = pos("k1RK5/9/9/9/9/9/9/9/9 w - 1");
    for _ in 0..3 {
        play(&mut game, "9a9b 7a7b 9b9a 7b7a");
    }
    assert_eq!(ruling(&game), Some(Ruling::PerpetualCheck(Color::Black)));
}

#[test]
fn giving_a_piece_away_is_inferior_and_winning_one_superior() {
    // Black drops a pawn, the king takes it on its way round.
    let start = pos("4k4/9/9/9/9/9/9/9/4K3R b P 1");
    let mut game = start.clone();
    play(&mut game, "P*5b 5a5b 1i1h 5b4a 1h1i 4a5a");
    let hit = RepetitionHit {
        plies: 6,
        state: RepetitionState::Inferior,
    };
    assert_eq!(game.find_repetition(6), Some(hit));
    assert_eq!(game.find_repetition(5), None);
    let (mut game, moves) = turned(&start, "P*5b 5a5b 1i1h 5b4a 1h1i 4a5a");
    play(&mut game, &moves);
    assert_eq!(state(&game), Some(RepetitionState::Inferior));

    // The same with the side that takes to move.
    let mut game = pos("4k4/9/9/9/9/9/9/9/4K3R w P 1");
    play(&mut game, "5a4a P*4b 4a4b 1i1h 4b5a 1h1i");
    assert_eq!(state(&game), Some(RepetitionState::Superior));
}

#[test]
fn an_exchange_of_different_pieces_is_no_repetition() {
    // Black wins a pawn and loses a lance: neither hand covers the other.
    let mut game = pos("4k4/9/9/9/9/9/9/9/K7R b Lp 1");
    play(&mut game, "L*5b 5a5b 1i1h P*1g 1h1g 5b4a 1g1i 4a5a");
    assert_eq!(
        game.hand(Color::Black),
        Hand::EMPTY.with(crate::PieceKind::Pawn, 1)
    );
    assert_eq!(game.find_repetition(usize::MAX), None);
}

#[test]
fn a_pass_cuts_the_past() {
    let mut game = Position::start();
    play(&mut game, SHUFFLE);
    assert_eq!(game.repetition(Counting::WithStart).times, 2);
    game.pass();
    game.pass();
    // The same board and turn as before, but nothing is remembered.
    assert_eq!(game.find_repetition(usize::MAX), None);
    assert_eq!(game.repetition(Counting::WithStart).times, 1);
    assert_eq!(game.repetition(Counting::MovesOnly).times, 0);
    play(&mut game, "2h3h 8b7b 3h2h");
    assert_eq!(game.find_repetition(usize::MAX), None);
    play(&mut game, "7b8b");
    assert_eq!(state(&game), Some(RepetitionState::Draw));
    assert_eq!(game.repetition(Counting::WithStart).times, 2);
    assert_eq!(game.repetition(Counting::MovesOnly).times, 1);
}

/// What the reference remembers of a position.
struct Seen {
    /// Board, turn and hands.
    sfen: String,
    hand: Hand,
    /// Whether the move that led here gave check.
    by_check: bool,
}

fn seen(pos: &Position) -> Seen {
    Seen {
        sfen: pos.to_sfen_without_ply(),
        hand: pos.hand(pos.turn()),
        by_check: pos.in_check(),
    }
}

/// Board and turn.
fn placement(sfen: &str) -> &str {
    &sfen[..sfen.rfind(' ').unwrap()]
}

/// The side to blame for the way from one place of the list to its end, `turn` being to move.
fn blamed(list: &[Seen], from: usize, turn: Color) -> Option<Color> {
    let way = &list[from + 1..];
    // The last move was one of the foe of the side to move.
    let only_checks = |skip| way.iter().rev().skip(skip).step_by(2).all(|s| s.by_check);
    match (only_checks(0), only_checks(1)) {
        (true, false) => Some(turn.foe()),
        (false, true) => Some(turn),
        _ => None,
    }
}

/// The rule read off a list of texts.
fn plain_repetition(list: &[Seen], turn: Color, counting: Counting) -> Repetition {
    let now = list.last().unwrap();
    let skip = usize::from(counting == Counting::MovesOnly);
    let same: Vec<_> = (skip..list.len())
        .filter(|&i| list[i].sfen == now.sfen)
        .collect();
    let first = same.iter().rev().nth(3);
    Repetition {
        times: same.len() as u32,
        ruling: first
            .map(|&first| blamed(list, first, turn).map_or(Ruling::Draw, Ruling::PerpetualCheck)),
    }
}

fn plain_hit(list: &[Seen], turn: Color, reach: usize) -> Option<RepetitionHit> {
    let now = list.last().unwrap();
    let oldest = (list.len() - 1).saturating_sub(reach);
    (oldest..list.len() - 1).rev().find_map(|i| {
        let then = &list[i];
        let is_more = |a: Hand, b: Hand| {
            crate::PieceKind::HAND
                .iter()
                .all(|&kind| a.count(kind) >= b.count(kind))
        };
        let state = if placement(&then.sfen) != placement(&now.sfen) {
            return None;
        } else if then.sfen == now.sfen {
            match blamed(list, i, turn) {
                None => RepetitionState::Draw,
                Some(color) if color == turn => RepetitionState::Loss,
                Some(_) => RepetitionState::Win,
            }
        } else if is_more(now.hand, then.hand) {
            RepetitionState::Superior
        } else if is_more(then.hand, now.hand) {
            RepetitionState::Inferior
        } else {
            return None;
        };
        Some(RepetitionHit {
            plies: list.len() - 1 - i,
            state,
        })
    })
}

/// A legal move that tends to go back where the side came from, to keep to a corner of the board
/// and to give check.
fn shuffling_move(game: &Position, rng: &mut SplitMix64) -> Option<Move> {
    let corner = Bitboard::file(9) | Bitboard::file(8) | Bitboard::file(7);
    let last = game.moves().rev().nth(1).flatten();
    let back = last.and_then(|mv| Some(Move::board(mv.to(), mv.from()?)));
    if let Some(mv) = back.filter(|&mv| rng.roll(3) > 0 && game.is_legal(mv)) {
        return Some(mv);
    }
    let checks = rng.roll(2) == 0;
    let mut choice = rng.legal_move(game);
    for _ in 0..40 {
        let mv = choice?;
        let mut after = game.clone();
        after.play(mv);
        if corner.has(mv.to()) && after.in_check() == checks && rng.roll(8) > 0 {
            break;
        }
        choice = rng.legal_move(game);
    }
    choice
}

#[test]
fn agrees_with_a_list_of_texts() {
    let starts = [
        "k2K5/2R6/9/9/9/9/9/9/9 b - 1",
        "k8/9/1R7/9/9/9/7r1/9/8K b - 1",
        "k8/1p7/9/9/9/9/9/9/K1R6 b 2Pp 1",
        "kg7/9/9/9/9/9/9/9/KG7 w R2Pr2p 1",
    ];
    let (mut rulings, mut standings) = (Vec::new(), Vec::new());
    let mut rng = SplitMix64::new(3);
    for start in starts.into_iter().cycle().take(400) {
        let mut game = pos(start);
        let mut list = vec![seen(&game)];
        for _ in 0..80 {
            if rng.roll(60) == 0 && !game.in_check() {
                game.pass();
                list.clear();
            } else if let Some(mv) = shuffling_move(&game, &mut rng) {
                game.play(mv);
            } else {
                break;
            }
            list.push(seen(&game));
            for counting in [Counting::WithStart, Counting::MovesOnly] {
                let found = game.repetition(counting);
                assert_eq!(found, plain_repetition(&list, game.turn(), counting));
                rulings.extend(found.ruling);
            }
            for reach in [4, 9, 16, usize::MAX] {
                let found = game.find_repetition(reach);
                assert_eq!(found, plain_hit(&list, game.turn(), reach));
                standings.extend(found.map(|hit| hit.state));
            }
        }
    }
    // The games were wild enough to meet every answer many times.
    let count = |state| standings.iter().filter(|&&s| s == state).count();
    use RepetitionState::*;
    let counts = [Draw, Win, Loss, Superior, Inferior].map(count);
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    let checkers = Color::ALL.map(Ruling::PerpetualCheck);
    assert!(checkers.iter().all(|ruling| rulings.contains(ruling)));
    assert!(rulings.contains(&Ruling::Draw));
}
