//! What an entry says of hands with more and with less, and what stays when the table grows.

use super::*;
use tesuji_shogi::PieceKind::{Gold, Pawn};

fn position(pawns: u32, golds: u32) -> PositionKey {
    PositionKey {
        key: 0x1234_5678_9abc_def0,
        hand: PackedHand::EMPTY.with(Pawn, pawns).with(Gold, golds),
    }
}

#[test]
fn a_mate_holds_with_more_in_hand() {
    let table = MateTable::new(64).unwrap();
    table.store_mate(position(1, 1), Length(5), 10, &mut SlotCounter::default());
    let asked = |p, g| table.look_up(position(p, g), true, 0, Length(5));
    assert!(matches!(asked(1, 1), TableProbe::Mate(_, Length(5))));
    assert!(matches!(asked(3, 1), TableProbe::Mate(_, Length(5))));
    assert!(matches!(asked(0, 4), TableProbe::Open(_)));
    assert!(matches!(
        table.look_up(position(2, 2), true, 0, Length(3)),
        TableProbe::Open(_)
    ));
}

#[test]
fn an_escape_holds_with_less_in_hand() {
    let table = MateTable::new(64).unwrap();
    table.store_escape(
        position(2, 0),
        (Length::ANY, true),
        10,
        &mut SlotCounter::default(),
    );
    let asked = |p, g| table.look_up(position(p, g), true, 0, Length::ANY);
    assert!(matches!(asked(1, 0), TableProbe::Escape(_, Length::ANY)));
    assert!(matches!(asked(2, 0), TableProbe::Escape(..)));
    assert!(matches!(asked(2, 1), TableProbe::Open(_)));
}

#[test]
fn lengths_of_both_parities_are_kept() {
    let table = MateTable::new(64).unwrap();
    table.store_escape(
        position(0, 0),
        (Length(4), true),
        1,
        &mut SlotCounter::default(),
    );
    assert_eq!(table.range(position(0, 0), true).1, Some(Length(3)));
    table.store_escape(
        position(0, 1),
        (Length(5), false),
        1,
        &mut SlotCounter::default(),
    );
    assert_eq!(table.range(position(0, 1), false).1, Some(Length(4)));
    table.store_escape(
        position(0, 2),
        (Length(0), true),
        1,
        &mut SlotCounter::default(),
    );
    assert_eq!(table.range(position(0, 2), true).1, None);
}

#[test]
fn growing_and_forgetting_keep_what_matters() {
    let table = MateTable::new(64).unwrap();
    let at = |i: u64| PositionKey {
        key: i.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        hand: PackedHand::EMPTY,
    };
    for i in 0..32 {
        table.store_open(
            at(i),
            3,
            (i + 1, 2),
            (None, 0),
            1 << i,
            &mut SlotCounter::default(),
        );
    }
    let mut grown = MateTable::new(256).unwrap();
    table.copy_part(0..64, &grown, &|| false);
    for i in 0..32 {
        let found = grown.look_up(at(i), true, 3, Length::ANY);
        assert!(matches!(found, TableProbe::Open(open) if open.pn == i + 1 && open.visited));
    }
    grown.collect(&|| false);
    let left =
        |i| matches!(grown.look_up(at(i), true, 3, Length::ANY), TableProbe::Open(o) if o.visited);
    assert!(left(31) && left(20) && !left(0) && !left(5));
}
