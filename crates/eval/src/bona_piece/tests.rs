//! The numbers of the format, each of them once.

use super::*;

fn piece(color: Color, kind: PieceKind) -> Piece {
    Piece::new(color, kind)
}

#[test]
fn bases_are_those_of_the_format() {
    use PieceKind::*;
    let board = [
        (Pawn, 90, 171),
        (Lance, 252, 333),
        (Knight, 414, 495),
        (Silver, 576, 657),
        (Gold, 738, 819),
        (Bishop, 900, 981),
        (Horse, 1062, 1143),
        (Rook, 1224, 1305),
        (Dragon, 1386, 1467),
    ];
    let hand = [
        (Pawn, 0, 19),
        (Lance, 38, 43),
        (Knight, 48, 53),
        (Silver, 58, 63),
        (Gold, 68, 73),
        (Bishop, 78, 81),
        (Rook, 84, 87),
    ];
    let first: Square = "1a".parse().unwrap();
    for pov in Color::ALL {
        let square = if pov == Color::Black {
            first
        } else {
            first.rotated()
        };
        for (kind, own, foe) in board {
            assert_eq!(on_board(pov, piece(pov, kind), square), Some(own));
            assert_eq!(on_board(pov, piece(pov.foe(), kind), square), Some(foe));
        }
        for (kind, own, foe) in hand {
            assert_eq!(in_hand(pov, piece(pov, kind), 1), own + 1);
            assert_eq!(in_hand(pov, piece(pov.foe(), kind), 1), foe + 1);
        }
        for kind in [PromotedPawn, PromotedLance, PromotedKnight, PromotedSilver] {
            assert_eq!(on_board(pov, piece(pov, kind), square), Some(738));
        }
        assert_eq!(on_board(pov, piece(pov, King), square), None);
    }
    let last: Square = "9i".parse().unwrap();
    let dragon = piece(Color::White, Dragon);
    assert_eq!(
        on_board(Color::Black, dragon, last),
        Some(BONA_PIECES as u16 - 1)
    );
}

#[test]
fn no_two_pieces_share_a_number() {
    let mut numbers: Vec<_> = all().map(|(number, ..)| number).collect();
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    // All but the fourteen numbers of a 0-th piece in hand.
    assert_eq!(numbers.len(), BONA_PIECES - 14);
    assert!(
        numbers
            .iter()
            .all(|&number| usize::from(number) < BONA_PIECES)
    );
}
