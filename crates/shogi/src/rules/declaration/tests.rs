use super::*;

/// Ten pieces, 18 points on the board.
const ENTERED: &str = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b";

fn entered(hands: &str) -> Position {
    Position::from_sfen(&format!("{ENTERED} {hands} 1")).unwrap()
}

fn too_few(points: u32, needed: u32) -> Declaration {
    Declaration::NotAllowed(Obstacle::TooFewPoints { points, needed })
}

use DeclarationRule::*;

#[test]
fn names_are_read_and_written() {
    for rule in DeclarationRule::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    assert_eq!("csarule24h".parse(), Ok(Points24Handicap));
    assert!("CSARule".parse::<DeclarationRule>().is_err());
    assert_eq!(DeclarationRule::default(), Points27);
}

#[test]
fn black_needs_28_points_and_white_27() {
    let (enough, short) = (entered("RB"), entered("R4Pb"));
    assert_eq!(DeclarationCount::of(&enough, Color::Black).points, 28);
    assert_eq!(DeclarationCount::of(&short, Color::Black).points, 27);
    assert_eq!(declare(&enough, Points27), Declaration::Win);
    assert_eq!(declare(&short, Points27), too_few(27, 28));
    assert_eq!(declare(&short.flipped(), Points27), Declaration::Win);
    let short = entered("R3Pb").flipped();
    assert_eq!(declare(&short, Points27), too_few(26, 27));
}

#[test]
fn with_24_points_it_is_a_draw_and_with_31_a_win() {
    let cases = [
        ("R", too_few(23, 24)),
        ("RP", Declaration::Draw),
        ("RB2P", Declaration::Draw),
        ("RB3P", Declaration::Win),
    ];
    for (hands, expected) in cases {
        assert_eq!(declare(&entered(hands), Points24), expected, "{hands}");
        let flipped = entered(hands).flipped();
        assert_eq!(declare(&flipped, Points24), expected, "{hands} for White");
    }
}

#[test]
fn majors_count_five_promoted_or_not() {
    let points =
        |sfen: &str| DeclarationCount::of(&Position::from_sfen(sfen).unwrap(), Color::Black);
    let board = points("+R+BRB4K/9/9/9/9/9/9/9/5k3 b - 1");
    assert_eq!((board.pieces, board.points), (4, 20));
    let hand = points("8K/9/9/9/9/9/9/9/k8 b 2R2B2P 1");
    assert_eq!((hand.pieces, hand.points), (0, 22));
    // Only the zone counts, and only the own pieces in it.
    let mixed = points("g7K/9/P8/R8/9/9/9/9/1k7 b - 1");
    assert_eq!((mixed.pieces, mixed.points), (1, 1));
    assert!(mixed.king_entered);
}

#[test]
fn every_other_condition_is_named() {
    let refused = |sfen: &str| match declare(&Position::from_sfen(sfen).unwrap(), Points27) {
        Declaration::NotAllowed(obstacle) => obstacle,
        allowed => panic!("{allowed:?}"),
    };
    let outside = "+P+P+P+P+P+P+P+P1/3+R1+B3/9/4K4/9/9/9/9/k8 b RB 1";
    assert_eq!(refused(outside), Obstacle::NotInZone);
    let no_king = "+P+P+P+P+P+P+P+P1/3+R1+B3/9/9/9/9/9/9/k8 b RB 1";
    assert_eq!(refused(no_king), Obstacle::NoKing);
    let checked = "+P+P+P+P+P+P+P+P1/3+RK+B3/3s5/9/9/9/9/9/k8 b RB 1";
    assert_eq!(refused(checked), Obstacle::InCheck);
    let nine = "+P+P+P+P+P+P+P2/3+RK+B3/9/9/9/9/9/9/k8 b RB5P 1";
    assert_eq!(refused(nine), Obstacle::TooFewPieces(9));
    assert_eq!(
        declare(&entered("RB"), None),
        Declaration::NotAllowed(Obstacle::NoRule)
    );
}

#[test]
fn whoever_gives_a_handicap_needs_less() {
    use crate::position::setup::Handicap;
    let demand = |rule: DeclarationRule, handicap, color| {
        rule.demand(&Position::handicap(handicap), color).unwrap()
    };
    for rule in [Points24, Points27, Points24Handicap, Points27Handicap] {
        for color in Color::ALL {
            let even = rule.demand(&Position::start(), color);
            let is_less = rule != Points24 && rule != Points27 && color == Color::White;
            let given = demand(rule, Handicap::TwoPiece, color);
            assert_eq!(Some(given) != even, is_less, "{rule} {color:?}");
        }
    }
    let white = |rule, handicap| demand(rule, handicap, Color::White);
    let two = white(Points24Handicap, Handicap::TwoPiece);
    assert_eq!(two, RequiredPoints { draw: 14, win: 21 });
    assert_eq!(white(Points27Handicap, Handicap::SixPiece).win, 13);
    assert_eq!(white(Points27Handicap, Handicap::TenPiece).win, 9);
    // White has 18 points on the board; without the majors, 44 points are in play.
    let full = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b 4g4s4n4l10p 1";
    let given = Position::from_sfen(full).unwrap().flipped();
    assert_eq!(declare(&given, Points27Handicap), Declaration::Win);
    assert_eq!(declare(&given, Points27), too_few(18, 27));
    assert_eq!(declare(&given, Points24Handicap), Declaration::Draw);
}

#[test]
fn a_king_that_can_reach_the_foes_start_square_wins() {
    let tried = |sfen: &str| declare(&Position::from_sfen(sfen).unwrap(), TryRule);
    let no_try = |square: &str| Declaration::NotAllowed(Obstacle::NoTry(square.parse().unwrap()));
    let won = |mv: &str| Declaration::Try(mv.parse().unwrap());
    assert_eq!(tried("9/4K4/9/9/9/9/9/9/k8 b - 1"), won("5b5a"));
    assert_eq!(tried("9/K8/9/9/9/9/9/3k5/9 w - 1"), won("6h5i"));
    // From a check into the goal, and by taking what stands there.
    assert_eq!(tried("4g4/3K5/4b4/9/9/9/9/9/k8 b - 1"), won("6b5a"));
    assert_eq!(tried("9/3K5/9/9/9/9/9/9/k8 w - 1"), no_try("5i"));
    // Attacked, blocked by an own piece, too far away, already there.
    assert_eq!(tried("r8/4K4/9/9/9/9/9/9/k8 b - 1"), no_try("5a"));
    assert_eq!(tried("4G4/4K4/9/9/9/9/9/9/k8 b - 1"), no_try("5a"));
    assert_eq!(tried("9/9/4K4/9/9/9/9/9/k8 b - 1"), no_try("5a"));
    assert_eq!(tried("4K4/9/9/9/9/9/9/9/k8 b - 1"), no_try("5a"));
    let no_king = tried("9/9/9/9/9/9/9/9/k8 b - 1");
    assert_eq!(no_king, Declaration::NotAllowed(Obstacle::NoKing));
}
