use super::*;
use crate::rng::SplitMix64;

fn named(sfen: &str, mv: &str) -> Option<Foul> {
    foul(&Position::from_sfen(sfen).unwrap(), mv.parse().unwrap())
}

#[test]
fn each_foul_has_its_name() {
    let start = "startpos";
    assert_eq!(named(start, "5e5d"), Some(Foul::NoPiece));
    assert_eq!(named(start, "3c3d"), Some(Foul::NotYours));
    assert_eq!(named(start, "7g7e"), Some(Foul::CannotReach));
    assert_eq!(named(start, "2h2f"), Some(Foul::CannotReach));
    assert_eq!(named(start, "2h2g"), Some(Foul::Occupied));
    assert_eq!(named(start, "7g7f+"), Some(Foul::CannotPromote));
    assert_eq!(named(start, "P*5e"), Some(Foul::NotInHand));
    let open = "4k4/8P/N8/9/9/9/P8/9/4K4 b PLN 1";
    assert_eq!(named(open, "P*1b"), Some(Foul::Occupied));
    assert_eq!(named(open, "P*9e"), Some(Foul::TwoPawns));
    assert_eq!(named(open, "P*2a"), Some(Foul::DeadEnd));
    assert_eq!(named(open, "L*2a"), Some(Foul::DeadEnd));
    assert_eq!(named(open, "N*2b"), Some(Foul::DeadEnd));
    assert_eq!(named(open, "1b1a"), Some(Foul::DeadEnd));
    assert_eq!(named(open, "9c8a"), Some(Foul::DeadEnd));
    assert_eq!(named(open, "5i5h+"), Some(Foul::CannotPromote));
    for mv in ["1b1a+", "9c8a+", "P*2b", "L*2b", "N*2c", "9g9f", "5i5h"] {
        assert_eq!(named(open, mv), None, "{mv}");
    }
    // White's last ranks are the other ones.
    let open = "4k4/9/9/9/9/9/9/8p/4K4 w pln 1";
    assert_eq!(named(open, "P*2i"), Some(Foul::DeadEnd));
    assert_eq!(named(open, "N*2h"), Some(Foul::DeadEnd));
    assert_eq!(named(open, "P*1c"), Some(Foul::TwoPawns));
    assert_eq!(named(open, "N*2a"), None);
}

#[test]
fn the_own_king_must_be_safe() {
    let pinned = "4r3k/9/9/9/9/9/9/4S4/4K4 b G 1";
    assert_eq!(named(pinned, "5h4g"), Some(Foul::IgnoredCheck));
    assert_eq!(named(pinned, "5h5g"), None);
    let checked = "4r3k/9/9/9/9/9/9/9/4K4 b G 1";
    assert_eq!(named(checked, "G*1b"), Some(Foul::IgnoredCheck));
    assert_eq!(named(checked, "5i5h"), Some(Foul::IgnoredCheck));
    assert_eq!(named(checked, "5i4i"), None);
    assert_eq!(named(checked, "G*5e"), None);
    // Taking the checker answers, unless another piece supports it.
    assert_eq!(named("8k/9/9/9/9/9/9/4r4/4K4 b - 1", "5i5h"), None);
    let supported = "8k/9/9/9/9/9/4p4/4r4/4K4 b - 1";
    assert_eq!(named(supported, "5i5h"), Some(Foul::IgnoredCheck));
}

#[test]
fn a_dropped_pawn_may_not_mate() {
    let mate = "8k/6G2/7G1/9/9/9/9/9/K8 b P 1";
    assert_eq!(named(mate, "P*1b"), Some(Foul::PawnDropMate));
    // With an escape, or with a defender, it is only a check.
    assert_eq!(named("8k/9/7G1/9/9/9/9/9/K8 b P 1", "P*1b"), None);
    assert_eq!(named("8k/6Gr1/7G1/9/9/9/9/9/K8 b P 1", "P*1b"), None);
    // A pawn that steps forward may mate.
    assert_eq!(named("8k/6G2/7GP/9/9/9/9/9/K8 b - 1", "1c1b"), None);
    // A pawn that would mate and leaves the own king in check is a foul for the latter.
    let both = "8k/6G2/7G1/9/9/9/9/9/r3K4 b P 1";
    assert_eq!(named(both, "P*1b"), Some(Foul::IgnoredCheck));
}

/// No foul, no illegal move: for everything that has the form of a move.
fn check_all_moves(pos: &Position) {
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        let found = foul(pos, mv);
        assert_eq!(
            found.is_none(),
            pos.is_legal(mv),
            "{mv} {found:?} {}",
            pos.to_sfen()
        );
    }
}

#[test]
fn a_move_without_foul_is_a_legal_move() {
    let starts = [
        "startpos",
        "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
        "8k/6G2/7G1/9/4r4/9/9/4S4/4K4 b 2Pr 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    ];
    let mut rng = SplitMix64::new(4);
    for start in starts {
        let mut pos = Position::from_sfen(start).unwrap();
        for ply in 0..160 {
            if ply % 2 == 0 || pos.in_check() {
                check_all_moves(&pos);
            }
            let Some(mv) = rng.legal_move(&pos) else {
                break;
            };
            pos.play(mv);
        }
    }
}
