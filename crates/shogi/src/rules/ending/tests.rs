use super::*;

fn played(sfen: &str, moves: &str) -> Position {
    let mut pos = Position::from_sfen(sfen).unwrap();
    for mv in moves.split_whitespace() {
        assert!(pos.try_play(mv.parse().unwrap()).is_ok(), "{mv}");
    }
    pos
}

fn ends(pos: &Position, rules: &RuleSet) -> Option<(Option<Color>, Cause)> {
    outcome(pos, rules).map(|outcome| (outcome.winner, outcome.cause))
}

const PLAIN: RuleSet = RuleSet {
    counting: Counting::WithStart,
    declaration: DeclarationRule::Points27,
    move_limit: None,
    mate_at_limit_wins: false,
};

#[test]
fn without_a_move_the_side_to_move_loses() {
    assert_eq!(PLAIN, RuleSet::default());
    let mated = played("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "");
    assert_eq!(
        ends(&mated, &PLAIN),
        Some((Some(Color::Black), Cause::Mate))
    );
    let flipped = mated.flipped();
    assert_eq!(
        ends(&flipped, &PLAIN),
        Some((Some(Color::White), Cause::Mate))
    );
    let stuck = played("8k/6G2/7G1/9/9/9/9/9/K8 w - 1", "");
    assert_eq!(
        ends(&stuck, &PLAIN),
        Some((Some(Color::Black), Cause::NoMove))
    );
    let saved = played("8k/6G2/7G1/9/9/9/9/9/K8 w p 1", "");
    assert_eq!(ends(&saved, &PLAIN), None);
}

#[test]
fn repetition_ends_the_game_by_the_chosen_count() {
    let round = "2h3h 8b7b 3h2h 7b8b ";
    let rules = RuleSet {
        counting: Counting::MovesOnly,
        ..PLAIN
    };
    let twelve = played("startpos", &round.repeat(3));
    assert_eq!(ends(&twelve, &PLAIN), Some((None, Cause::Repetition)));
    assert_eq!(ends(&twelve, &rules), None);
    let thirteen = played("startpos", &(round.repeat(3) + "2h3h"));
    assert_eq!(ends(&thirteen, &rules), Some((None, Cause::Repetition)));
    let checks = "7b7a 9a9b 7a7b 9b9a ".repeat(3);
    let perpetual = played("k2K5/2R6/9/9/9/9/9/9/9 b - 1", &checks);
    let expected = Some((Some(Color::White), Cause::PerpetualCheck));
    assert_eq!(ends(&perpetual, &PLAIN), expected);
    // A perpetual check loses even with the last move of the limit.
    let limited = RuleSet {
        move_limit: Some(12),
        ..PLAIN
    };
    assert_eq!(ends(&perpetual, &limited), expected);
}

#[test]
fn the_limit_draws_before_the_move_beyond_it() {
    let limit = |moves, mate_at_limit_wins| RuleSet {
        move_limit: Some(moves),
        mate_at_limit_wins,
        ..PLAIN
    };
    let draw = Some((None, Cause::MoveLimit));
    for wins in [false, true] {
        let two = played("startpos", "7g7f 3c3d");
        assert_eq!(ends(&two, &limit(3, wins)), None);
        let three = played("startpos", "7g7f 3c3d 2g2f");
        assert_eq!(ends(&three, &limit(3, wins)), draw);
        // The number of the move counts, not how many were played here.
        let late = played("4k4/9/9/9/9/9/9/9/4K4 b - 320", "");
        assert_eq!(ends(&late, &limit(320, wins)), None);
        let late = played("4k4/9/9/9/9/9/9/9/4K4 b - 320", "5i5h");
        assert_eq!(ends(&late, &limit(320, wins)), draw);
    }
    let mate = played("4k4/9/4P4/9/9/9/9/9/4K4 b G 320", "G*5b");
    assert_eq!(ends(&mate, &limit(320, false)), draw);
    let won = Some((Some(Color::Black), Cause::Mate));
    assert_eq!(ends(&mate, &limit(320, true)), won);
    assert_eq!(ends(&mate, &limit(321, false)), won);
}

#[test]
fn a_declaration_wins_draws_or_loses() {
    let rules = |declaration| RuleSet {
        declaration,
        ..PLAIN
    };
    let entered = played("+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1", "");
    let declared = |pos: &Position, rule| {
        let outcome = declared(pos, &rules(rule));
        (outcome.winner, outcome.cause)
    };
    use DeclarationRule::{Points24, Points27, TryRule};
    let (black, white) = (Some(Color::Black), Some(Color::White));
    assert_eq!(declared(&entered, Points27), (black, Cause::Declaration));
    assert_eq!(declared(&entered, Points24), (None, Cause::Declaration));
    let wrong = (white, Cause::WrongDeclaration);
    assert_eq!(declared(&Position::start(), Points27), wrong);
    assert_eq!(declared(&entered, DeclarationRule::None), wrong);
    assert_eq!(declared(&entered, TryRule), wrong);
    let near = played("9/4K4/9/9/9/9/9/9/k8 b - 1", "");
    assert_eq!(declared(&near, TryRule), (black, Cause::Try));
    // The try itself ends the game on the board, under its rule alone.
    let tried = played("9/4K4/9/9/9/9/9/9/k8 b - 1", "5b5a");
    assert_eq!(ends(&tried, &rules(TryRule)), Some((black, Cause::Try)));
    assert_eq!(ends(&tried, &PLAIN), None);
    // Another piece on the square, or a king that began there, has not tried.
    let gold = played("9/4G4/9/9/9/9/9/9/k3K4 b - 1", "5b5a");
    assert_eq!(ends(&gold, &rules(TryRule)), None);
    let born = played("4K4/9/9/9/9/9/9/9/k8 w - 1", "");
    assert_eq!(ends(&born, &rules(TryRule)), None);
}
