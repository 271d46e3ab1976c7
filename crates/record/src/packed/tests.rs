use super::*;
use tesuji_shogi::{Board, Handicap, Placed};

fn hex(text: &str) -> Packed {
    std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

#[test]
fn known_positions_pack_to_known_bytes() {
    for (sfen, packed_sfen, hcp) in [
        (
            "startpos",
            "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
            "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c",
        ),
        (
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "2381510a86f515e900473c3ed5010020c52758530004cb48123fc3f99024ebbc",
            "2381490986eb1565014b3cbee40200a0c417b84a0004c744113fc3f9912467bd",
        ),
        (
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "59a451220cab44fc2ca744385e89f0488457223ca744385689f858468930bc7e",
            "59a449210c9742fc1c9b42585e85f0288457213c9b42582e85f8382685303c5e",
        ),
    ] {
        let pos = Position::from_sfen(sfen).unwrap();
        for (layout, bytes) in [
            (PackedLayout::PackedSfen, packed_sfen),
            (PackedLayout::Hcp, hcp),
        ] {
            assert_eq!(layout.pack(&pos), Ok(hex(bytes)), "{layout:?} {sfen}");
            assert_eq!(
                layout.unpack(&hex(bytes)),
                Ok(pos.clone()),
                "{layout:?} {sfen}"
            );
        }
    }
}

#[test]
fn random_positions_unpack_the_same() {
    let mut number = 1u64;
    for handicap in Handicap::ALL {
        let mut pos = Position::handicap(handicap);
        for _ in 0..200 {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            pos.play(moves.get((number >> 33) as usize % moves.len()).unwrap());
            for layout in [PackedLayout::PackedSfen, PackedLayout::Hcp] {
                let bytes = layout.pack(&pos).unwrap();
                let again = layout.unpack(&bytes).unwrap();
                assert_eq!(again.to_sfen_without_ply(), pos.to_sfen_without_ply());
                assert_eq!(layout.pack(&again), Ok(bytes));
                assert_eq!(sorted(layout.pieces(&bytes).unwrap()), of_position(&pos));
            }
        }
    }
}

#[test]
fn bytes_that_are_no_position_are_refused() {
    let problem = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b R 1").unwrap();
    assert_eq!(
        PackedLayout::Hcp.pack(&problem),
        Err(PackError::NoKing(Color::Black))
    );
    for layout in [PackedLayout::PackedSfen, PackedLayout::Hcp] {
        assert!(matches!(
            layout.unpack(&[0xff; 32]),
            Err(UnpackError::King(Color::Black, 127))
        ));
        assert!(matches!(
            layout.unpack(&[0; 32]),
            Err(UnpackError::SameSquare(_))
        ));
        // All pawns in hand, and more than there are.
        let mut bytes = layout.pack(&Position::start()).unwrap();
        bytes[2..].fill(0);
        assert!(
            matches!(layout.unpack(&bytes), Err(UnpackError::Code(_))),
            "{layout:?}"
        );
    }
}

/// Turn, kings and pieces in an order.
type Listed = (
    Color,
    [Square; 2],
    Vec<(usize, Option<Square>, Option<u32>)>,
);

fn sorted(list: PieceList) -> Listed {
    let key = |placed: &Placed| {
        let Placed { piece, spot } = placed;
        (piece.index(), spot.square(), spot.nth())
    };
    let mut pieces: Vec<_> = list.placed().iter().map(key).collect();
    pieces.sort();
    (list.turn, list.kings, pieces)
}

fn of_position(pos: &Position) -> Listed {
    let mut pieces = Vec::new();
    for square in Square::all() {
        if let Some(piece) = pos.at(square) {
            pieces.push((piece.index(), Some(square), None));
        }
    }
    for color in Color::ALL {
        for (kind, count) in pos.hand(color).iter() {
            let piece = Piece::new(color, kind).index();
            pieces.extend((1..=count).map(|nth| (piece, None, Some(nth))));
        }
    }
    pieces.sort();
    let kings = Color::ALL.map(|color| pos.king(color).unwrap());
    (pos.turn(), kings, pieces)
}

#[test]
fn no_bytes_make_the_list_of_pieces_panic() {
    let mut number = 1_u64;
    let packed = PackedLayout::PackedSfen.pack(&Position::start()).unwrap();
    for round in 0..20_000 {
        let mut bytes = packed;
        for byte in bytes.iter_mut().skip(round % 30) {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            if number >> 62 == 0 {
                *byte = (number >> 40) as u8;
            }
        }
        for layout in [PackedLayout::PackedSfen, PackedLayout::Hcp] {
            if layout.unpack(&bytes).is_ok() {
                assert!(layout.pieces(&bytes).is_ok());
            } else {
                let _ = layout.pieces(&bytes);
            }
        }
    }
}

#[test]
fn the_list_refuses_what_the_position_refuses_for_its_bits() {
    let mut number = 1_u64;
    let mut seen = [0; 2];
    for layout in [PackedLayout::PackedSfen, PackedLayout::Hcp] {
        let packed = layout.pack(&Position::start()).unwrap();
        for _ in 0..20_000 {
            let mut bytes = packed;
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            bytes[(number >> 33) as usize % 32] ^= 1 << (number >> 61);
            // Whatever can be read code by code is listed, if it is no more than a set.
            let listed = layout.pieces(&bytes);
            match layout.unpack_setup(&bytes) {
                Err(error) => assert_eq!(listed.unwrap_err(), error),
                Ok(setup) => {
                    let on_board = Square::all().filter(|&square| setup.board[square].is_some());
                    let held = |color| setup.hands[color].iter().map(|(_, n)| n as usize).sum();
                    let count: usize =
                        on_board.count() + Color::ALL.map(held).iter().sum::<usize>();
                    assert_eq!(listed.is_ok(), count <= 40, "{count} pieces");
                    if let Ok(list) = listed {
                        assert_eq!(list.on_board().len() + list.in_hand().len(), count);
                        for placed in list.on_board() {
                            let square = placed.spot.square().unwrap();
                            assert_eq!(setup.board[square], Some(placed.piece));
                        }
                    }
                }
            }
            seen[usize::from(layout.pieces(&bytes).is_ok())] += 1;
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}
