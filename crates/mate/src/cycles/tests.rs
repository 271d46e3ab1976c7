//! What a path knows of the positions on it, and what others see of it.

use super::*;
use tesuji_shogi::PieceKind::Pawn;

#[test]
fn a_path_knows_equal_and_worse_positions() {
    let mut path = Path::new();
    let position = |key, pawns| PositionKey {
        key,
        hand: PackedHand::EMPTY.with(Pawn, pawns),
    };
    path.enter(position(7, 2), 0);
    path.enter(position(8, 2), 1);
    path.enter(position(7 + HEADS as u64, 2), 2);
    assert_eq!(path.at_least(position(7, 1)), Some(0));
    assert_eq!(path.at_least(position(7, 3)), None);
    assert_eq!(path.depth_of(position(7, 1)), None);
    assert_eq!(path.depth_of(position(8, 2)), Some(1));
    path.clear();
    assert_eq!(path.at_least(position(7, 1)), None);
}

#[test]
fn others_see_a_path_until_it_is_left() {
    let registry = Arc::new(PathRegistry::new());
    let (mut one, mut other) = (Path::new(), Path::new());
    let position = |key: u64| PositionKey {
        key: key << 40,
        hand: PackedHand::EMPTY,
    };
    one.enter(position(1), 0);
    one.publish(&registry);
    other.publish(&registry);
    one.enter(position(2), 0);
    assert_eq!([1, 2].map(|key| other.others_at(position(key))), [1, 0]);
    one.tell();
    assert_eq!(
        [1, 2, 3].map(|key| other.others_at(position(key))),
        [1, 1, 0]
    );
    one.clear();
    assert_eq!(
        [1, 2, 3].map(|key| other.others_at(position(key))),
        [0, 0, 0]
    );
}

#[test]
fn a_failure_is_found_until_others_push_it_out() {
    let loops = LoopTable::new(4);
    for sum in 1..=4u64 {
        loops.store(sum, sum as i16, Length(7));
    }
    assert_eq!(loops.look_up(1, Length(5)), Some((1, Length(7))));
    assert_eq!(loops.look_up(1, Length(9)), None);
    loops.store(5, -1, Length(7));
    assert_eq!(loops.look_up(1, Length(5)), None);
    assert_eq!(loops.look_up(5, Length(7)), Some((-1, Length(7))));
    assert_eq!(
        loops.grown(64, &|| false).look_up(4, Length(1)),
        Some((4, Length(7)))
    );
}
