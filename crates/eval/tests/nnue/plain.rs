//! The formulas of the file format, one after the other and in wide numbers: slow, and nothing in
//! common with the network but the file.

use tesuji_eval::nnue::{Activation, BucketKind, NetworkFile};
use tesuji_shogi::{Color, Piece, PieceKind, Position, Square};

/// The output of a network for the side to move.
pub(super) fn output(file: &NetworkFile, pos: &Position) -> i64 {
    let sides = [pos.turn(), pos.turn().foe()];
    let sums = sides.map(|pov| first_layer(file, pos, pov));
    let stack = &file.stacks[stack_number(file, pos)];
    let apply = |layer: usize, inputs: &[i64]| -> Vec<i64> {
        let layer = &stack.layers[layer];
        let row = inputs.len().div_ceil(32) * 32;
        let outputs = layer.biases.iter().enumerate();
        let outputs = outputs.map(|(o, &bias)| {
            let weights = &layer.weights[o * row..];
            let products = inputs.iter().zip(weights).map(|(x, &w)| x * i64::from(w));
            i64::from(bias) + products.sum::<i64>()
        });
        outputs.collect()
    };
    let cut = |sums: &[i64]| -> Vec<i64> { sums.iter().map(|s| (s >> 6).clamp(0, 127)).collect() };
    match file.shape.activation {
        Activation::ClippedRelu => {
            let inputs: Vec<i64> = sums.concat().iter().map(|&s| s.clamp(0, 127)).collect();
            let hidden = cut(&apply(1, &cut(&apply(0, &inputs))));
            apply(2, &hidden)[0]
        }
        Activation::SquaredClippedRelu => {
            let clipped = sums.concat().into_iter().map(|s| s.clamp(0, 127));
            let inputs: Vec<i64> = clipped.map(|s| s * s / 128).collect();
            let hidden = cut(&apply(1, &cut(&apply(0, &inputs))));
            apply(2, &hidden)[0]
        }
        Activation::Pairwise => {
            let half = file.shape.width / 2;
            let pairs = sums.iter().flat_map(|sum| {
                (0..half).map(|i| sum[i].clamp(0, 127) * sum[half + i].clamp(0, 127) / 128)
            });
            let first = apply(0, &pairs.collect::<Vec<i64>>());
            let hidden = file.shape.second - usize::from(file.shape.has_shortcut);
            let squares = first[..hidden].iter().map(|z| ((z * z) >> 19).min(127));
            let inputs: Vec<i64> = squares.chain(cut(&first[..hidden])).collect();
            let shortcut = if file.shape.has_shortcut {
                first[hidden]
            } else {
                0
            };
            apply(2, &cut(&apply(1, &inputs)))[0] + shortcut
        }
    }
}

fn first_layer(file: &NetworkFile, pos: &Position, pov: Color) -> Vec<i64> {
    let mut sums: Vec<i64> = file.biases.iter().map(|&bias| bias.into()).collect();
    for feature in features(file, pos, pov) {
        let row = &file.weights[feature * file.shape.width..][..file.shape.width];
        sums.iter_mut()
            .zip(row)
            .for_each(|(sum, &weight)| *sum += i64::from(weight));
    }
    sums
}

/// The active features, by the rules of each set, told apart by their number.
fn features(file: &NetworkFile, pos: &Position, pov: Color) -> Vec<usize> {
    let turned = |square: Square| match pov {
        Color::Black => square.index(),
        Color::White => 80 - square.index(),
    };
    let mirror = |square: usize| (8 - square / 9) * 9 + square % 9;
    let king = pos.king(pov).map(turned).expect("a king");
    let (sections_mirrored, stride, kings) = match file.shape.features.count() {
        1710 => (false, 0, Some([1548, 1629])),
        125_388 => (false, 1548, None),
        69_660 => (true, 1548, None),
        138_510 => (false, 1710, Some([1548, 1629])),
        76_950 => (true, 1710, Some([1548, 1629])),
        131_949 => (false, 1629, Some([1548, 1548])),
        73_305 => (true, 1629, Some([1548, 1548])),
        8_550 | 15_390 => (true, 1710, Some([1548, 1629])),
        count => panic!("no set has {count} features"),
    };
    let is_mirrored = sections_mirrored && king >= 45;
    let folded = if is_mirrored { mirror(king) } else { king };
    let section = match file.shape.features.count() {
        8_550 => zone(folded, ["01122", "01133", "33333"], 4),
        15_390 => zone(folded, ["01233", "45677", "77777"], 8),
        _ => folded,
    };
    let section = section * stride;
    let mut places = Vec::new();
    for (square, piece) in Square::all().filter_map(|s| Some((s, pos.at(s)?))) {
        let seen = if is_mirrored {
            mirror(turned(square))
        } else {
            turned(square)
        };
        match (piece.kind(), kings) {
            (PieceKind::King, None) => {}
            (PieceKind::King, Some([own, foe])) => {
                places.push(if piece.color() == pov { own } else { foe } + seen);
            }
            _ => places.push(on_board(piece, pov) + seen),
        }
    }
    for color in Color::ALL {
        for (kind, count) in pos.hand(color).iter() {
            places.extend((0..count as usize).map(|i| in_hand(kind, color == pov) + i));
        }
    }
    let full = if kings.is_some() { 40 } else { 38 };
    places.resize(full, 0);
    places.into_iter().map(|place| section + place).collect()
}

fn on_board(piece: Piece, pov: Color) -> usize {
    let order = match piece.kind() {
        PieceKind::Pawn => 0,
        PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        PieceKind::Silver => 3,
        PieceKind::Bishop => 5,
        PieceKind::Horse => 6,
        PieceKind::Rook => 7,
        PieceKind::Dragon => 8,
        _ => 4,
    };
    90 + 162 * order + if piece.color() == pov { 0 } else { 81 }
}

fn in_hand(kind: PieceKind, is_own: bool) -> usize {
    let (own, foe) = match kind {
        PieceKind::Pawn => (1, 20),
        PieceKind::Lance => (39, 44),
        PieceKind::Knight => (49, 54),
        PieceKind::Silver => (59, 64),
        PieceKind::Gold => (69, 74),
        PieceKind::Bishop => (79, 82),
        _ => (85, 88),
    };
    if is_own { own } else { foe }
}

fn stack_number(file: &NetworkFile, pos: &Position) -> usize {
    if file.stacks.len() == 1 {
        return 0;
    }
    if let Some(buckets) = file.extension.buckets {
        let count = |color| {
            pos.hand(color)
                .iter()
                .map(|(_, n)| n as usize)
                .sum::<usize>()
        };
        let held = count(Color::Black) + count(Color::White);
        let in_camp = |square: &Square| match pos.at(*square).map(Piece::color) {
            Some(Color::Black) => square.index() % 9 < 3,
            Some(Color::White) => square.index() % 9 > 5,
            None => false,
        };
        let (measure, full) = match buckets.kind() {
            BucketKind::Material => (held, 16),
            BucketKind::Progress => (held + Square::all().filter(in_camp).count(), 20),
        };
        return (measure * buckets.count() / full).min(buckets.count() - 1);
    }
    let rank = |color: Color| pos.king(color).expect("a king").index() % 9;
    let (own, foe) = (rank(pos.turn()), rank(pos.turn().foe()));
    match pos.turn() {
        Color::Black => own / 3 * 3 + (8 - foe) / 3,
        Color::White => (8 - own) / 3 * 3 + foe / 3,
    }
}

/// The zone of a king on the right, by its rank from the last one and its file from the edge.
fn zone(king: usize, ranks: [&str; 3], beyond: usize) -> usize {
    let rank = ranks.get(8 - king % 9);
    rank.map_or(beyond, |files| {
        usize::from(files.as_bytes()[king / 9] - b'0')
    })
}
