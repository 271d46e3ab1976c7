//! Pieces put anywhere are refused or make a position in which every law holds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::{Bytes, every_move_comes_back, generators_agree, kept_equals_fresh};
use tesuji_shogi::{Color, Hand, Piece, PieceKind, Setup, Square};

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let setup = filled(&mut bytes);
    let Ok(pos) = setup.build() else {
        return;
    };
    assert_eq!(pos.setup().board, setup.board);
    assert_eq!(pos.setup().hands, setup.hands);
    generators_agree(&pos);
    kept_equals_fresh(&pos);
    every_move_comes_back(&pos);
});

/// A head byte, seven bytes of hands, then pairs of square and piece.
fn filled(bytes: &mut Bytes<'_>) -> Setup {
    let mut setup = Setup::default();
    let head = bytes.byte();
    if head & 1 != 0 {
        setup.turn = Color::White;
    }
    if head & 2 != 0 {
        setup.ply = u16::from(head) << 8 | 7;
    }
    // Mostly no more pieces than a set has, so that more positions are sound.
    let fair = head & 12 != 0;
    let mut left = [2; 16];
    for kind in PieceKind::HAND {
        left[kind.index()] = kind.full_count();
    }
    for kind in PieceKind::HAND {
        let counts = bytes.byte();
        for (color, count) in Color::ALL.into_iter().zip([counts & 15, counts >> 4]) {
            let mut count = u32::from(count);
            if fair {
                count = count.min(left[kind.index()]);
                left[kind.index()] -= count;
            }
            let hand: Hand = setup.hands[color];
            setup.hands[color] = hand.with(kind, count);
        }
    }
    while let (Some(square), Some(piece)) = (bytes.some(), bytes.some()) {
        let square = Square::new(usize::from(square) % Square::COUNT);
        let kind = PieceKind::from_index(usize::from(piece & 15));
        let (Some(square), Some(kind)) = (square, kind) else {
            continue;
        };
        let color = Color::ALL[usize::from(piece >> 4 & 1)];
        let of_kind = &mut left[kind.base().index()];
        if fair && (*of_kind == 0 || setup.board[square].is_some()) {
            continue;
        }
        *of_kind = of_kind.saturating_sub(1);
        setup.board[square] = Some(Piece::new(color, kind));
    }
    setup
}
