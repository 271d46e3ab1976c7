//! The referee against the rules it goes by.

use super::*;
use proptest::prelude::*;
use tesuji_shogi::{Board, ByColor};

fn unlimited() -> GameClock {
    GameClock::new(ByColor::default())
}

fn referee(sfen: &str, clock: &str) -> Referee {
    let clock = match clock {
        "" => unlimited(),
        text => GameClock::new(ByColor([text.parse().unwrap(); 2])),
    };
    let pos = Position::from_sfen(sfen).unwrap();
    Referee::new(pos, RuleSet::default(), clock)
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

const MATE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

#[test]
fn the_clock_comes_before_the_rules() {
    let late = GameOver::lost(Color::Black, Termination::Time);
    for act in [
        |game: &mut Referee| game.play(mv("G*5b"), secs(10)),
        |game: &mut Referee| game.play(mv("G*5a"), secs(10)),
        |game: &mut Referee| Some(game.resign(secs(10))),
        |game: &mut Referee| Some(game.declare(secs(10))),
        |game: &mut Referee| game.wait(secs(10)),
    ] {
        let mut game = referee(MATE, "10");
        assert_eq!(act(&mut game), Some(late));
        assert_eq!(game.verdict(), Some(late));
        assert_eq!(game.position().played(), 0);
    }
    let mut game = referee(MATE, "10");
    assert_eq!(game.wait(secs(9)), None);
    let foul = Termination::IllegalMove(Some(Foul::Occupied));
    let over = GameOver::lost(Color::Black, foul);
    assert_eq!(game.play(mv("G*5a"), secs(9)), Some(over));
    let nonsense = GameOver::lost(Color::Black, Termination::IllegalMove(None));
    assert_eq!(referee(MATE, "10").refuse(secs(9)), nonsense);
    assert_eq!(referee(MATE, "10").refuse(secs(10)), late);
}

#[test]
fn what_is_over_stays_over() {
    let mut game = referee(MATE, "10");
    let over = game.play(mv("G*5b"), secs(1)).unwrap();
    assert_eq!(over.termination, Termination::Rules(Cause::Mate));
    assert_eq!(game.last_cost(), secs(1));
    let again = [
        game.play(mv("5a5b"), secs(60)),
        Some(game.resign(secs(60))),
        Some(game.declare(secs(60))),
        Some(game.end(GameOver::lost(Color::Black, Termination::IllegalAction))),
        game.verdict(),
    ];
    assert_eq!(again, [Some(over); 5]);
    assert_eq!(game.wait(secs(60)), None);
}

#[test]
fn servers_leave_mate_to_the_players() {
    let mut game = referee(MATE, "").without_calling_mate();
    assert_eq!(game.play(mv("G*5b"), secs(1)), None);
    let over = game.resign(secs(1));
    assert_eq!(over, GameOver::lost(Color::White, Termination::Resignation));

    let rules = RuleSet {
        declaration: DeclarationRule::TryRule,
        move_limit: Some(2),
        ..RuleSet::default()
    };
    let pos = Position::from_sfen("9/4K4/9/9/9/9/9/9/k8 b - 1").unwrap();
    let mut server = Referee::new(pos.clone(), rules, unlimited()).without_calling_mate();
    assert_eq!(server.play(mv("5b5a"), secs(0)), None);
    let over = server.play(mv("9i9h"), secs(0));
    assert_eq!(
        over.map(|it| it.termination),
        Some(Termination::Rules(Cause::MoveLimit))
    );
    let mut other = Referee::new(pos, rules, unlimited());
    let over = other.play(mv("5b5a"), secs(0));
    assert_eq!(
        over.map(|it| it.termination),
        Some(Termination::Rules(Cause::Try))
    );
}

#[test]
fn declarations_win_or_lose() {
    let entered = "+P+P+P+PK+P+P+P+P/+P+P+R+B5/9/9/9/9/9/9/4k4 b RB 1";
    let over = referee(entered, "").declare(secs(0));
    let won = (Some(Color::Black), Termination::Rules(Cause::Declaration));
    assert_eq!((over.winner, over.termination), won);
    let over = referee("startpos", "").declare(secs(0));
    let wrong = Termination::Rules(Cause::WrongDeclaration);
    assert_eq!(over, GameOver::lost(Color::Black, wrong));
}

#[test]
fn a_game_refereed_elsewhere_is_followed() {
    let mut game = referee("startpos", "10");
    game.follow(mv("7g7f"), secs(20)).unwrap();
    assert_eq!(game.clock().left(Color::Black), Duration::ZERO);
    assert_eq!(game.follow(mv("7g7f"), secs(1)), Err(Foul::NoPiece));
    assert_eq!(game.turn(), Color::White);
    assert_eq!(game.clock().left(Color::White), secs(10));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Random games, with few pieces so that they repeat and end.
    #[test]
    fn verdicts_are_those_of_the_rules(
        choices in proptest::collection::vec(any::<u16>(), 200),
        few: bool,
        limit in 1..250u32,
        mate_wins: bool,
        times in proptest::collection::vec(0..3u64, 200),
    ) {
        let sfen = if few { "4k4/9/9/9/9/9/9/9/4K4 b R 1" } else { "startpos" };
        let pos = Position::from_sfen(sfen).unwrap();
        let rules = RuleSet {
            move_limit: Some(limit),
            mate_at_limit_wins: mate_wins,
            ..RuleSet::default()
        };
        let clock = GameClock::new(ByColor(["60b2".parse().unwrap(); 2]));
        let mut game = Referee::new(pos.clone(), rules, clock);
        let (mut board, mut used) = (pos, ByColor([0; 2]));
        for (choice, time) in choices.into_iter().zip(times) {
            let legal = board.legal_moves();
            // A king that shuffles now and then makes positions come again.
            let nth = usize::from(if few { choice % 3 } else { choice }) % legal.iter().count();
            let mv = legal.iter().nth(nth).unwrap();
            let turn = board.turn();
            let is_late = time >= 60_u64.saturating_sub(used[turn]) + 2;
            used[turn] += time;
            let over = game.play(mv, secs(time));
            if is_late {
                prop_assert_eq!(over, Some(GameOver::lost(turn, Termination::Time)));
                break;
            }
            board.play(mv);
            let expected = outcome(&board, &rules).map(GameOver::from);
            prop_assert_eq!(over, expected);
            prop_assert_eq!(game.position().to_sfen(), board.to_sfen());
            if over.is_some() {
                break;
            }
        }
    }
}
