//! Every castle and opening where it is built, on both sides, and the games that they name.

use super::*;

#[test]
fn every_castle_is_found_where_it_is_built_and_on_both_sides() {
    for castle in &CASTLES {
        for side in Color::ALL {
            let mut setup = Position::start().setup();
            for square in Square::all() {
                setup.board[square] = None;
            }
            for part in castle.pieces.split(' ') {
                let (kind, square) = part.split_at(1);
                let piece = Piece::new(side, letter(kind).unwrap());
                setup.board[seen_by(side, square)] = Some(piece);
            }
            let foe = seen_by(side.foe(), "59");
            setup.board[foe] = Some(Piece::new(side.foe(), PieceKind::King));
            if !castle.pieces.contains('K') {
                setup.board[seen_by(side, "59")] = Some(Piece::new(side, PieceKind::King));
            }
            let pos = setup.build().unwrap();
            let found = Castle::of(&pos, side).unwrap();
            assert_eq!(found.english, castle.english, "{}", pos.to_sfen());
            assert_eq!(Castle::of(&pos, side.foe()), None);
        }
    }
}

#[test]
fn the_file_of_the_rook_names_the_opening() {
    let mut pos = Position::start();
    assert_eq!(RookFile::of(&pos, Color::White), RookFile::Static);
    for (mv, side, file) in [
        ("2h6h", Color::Black, RookFile::Fourth),
        ("8b5b", Color::White, RookFile::Central),
        ("6h7h", Color::Black, RookFile::Third),
    ] {
        pos.play(mv.parse().unwrap());
        assert_eq!(RookFile::of(&pos, side), file);
    }
}

#[test]
fn games_have_the_names_that_players_give_them() {
    for (moves, name) in [
        (
            "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c",
            "Double Wing Attack",
        ),
        (
            "7g7f 8c8d 2g2f 4a3b 7i6h 3c3d 6h7g 2b7g+ 8h7g",
            "Double Static Rook",
        ),
        (
            "7g7f 8c8d 2g2f 4a3b 8h7g 3c3d 7i8h 2b7g+ 8h7g 3a4b",
            "Bishop Exchange",
        ),
        ("7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 6h7g 6a5b", "Fortress"),
        (
            "7g7f 3c3d 2g2f 5c5d 2f2e 8b5b 4i5h 5a6b",
            "Gokigen Central Rook",
        ),
        ("7g7f 3c3d 7f7e 8c8d 2h7h 8d8e 5i4h 7a6b", "Ishida"),
        (
            "7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b",
            "Fourth File Rook",
        ),
        (
            "7g7f 3c3d 6g6f 4c4d 2h6h 8b4b 5i4h 5a6b",
            "Double Ranging Rook",
        ),
        (
            "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d",
            "Side Pawn",
        ),
    ] {
        let line = moves.split(' ').map(|text| text.parse().unwrap());
        let found = Opening::of_game(&Position::start(), line).unwrap();
        assert_eq!(found.english, name, "{moves}");
    }
    let short = ["7g7f".parse().unwrap()].into_iter();
    assert_eq!(Opening::of_game(&Position::start(), short), None);
}
