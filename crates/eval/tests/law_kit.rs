//! The law kit passes on our evaluators, and finds what is wrong with others.

use tesuji_eval::{Combined, Evaluator, Material, Relation, laws};
use tesuji_shogi::{ByColor, Change, Color, Position, Value};

#[test]
fn our_evaluators_pass() {
    for report in [
        laws::evaluator(&Material),
        laws::evaluator(&Relation::new()),
        laws::evaluator(&Combined(Material, Relation::new())),
        laws::fairness(&Material),
    ] {
        assert!(report.unwrap().positions > 1_000);
    }
}

/// Piece values that forget what was taken, and love Black.
struct Forgetful;

impl Evaluator for Forgetful {
    type Accumulator = i32;
    type RefreshCache = ();
    const MAX_UPDATES: usize = 8;

    fn refresh(&self, pos: &Position, pov: Color, accumulator: &mut i32, cache: &mut ()) {
        Material.refresh(pos, pov, accumulator, cache);
    }
    fn needs_refresh(&self, _: Color, _: &Change) -> bool {
        false
    }
    fn update(&self, pos: &Position, pov: Color, change: &Change, old: &i32, new: &mut i32) {
        let forgotten = Change {
            taken: None,
            ..*change
        };
        Material.update(pos, pov, &forgotten, old, new);
    }
    fn output(&self, pos: &Position, accumulators: ByColor<&i32>) -> Value {
        let love = match pos.turn() {
            Color::Black => 10,
            Color::White => -10,
        };
        Material.output(pos, accumulators) + Value::new(love)
    }
}

#[test]
fn mistakes_are_found_and_told() {
    let broken = laws::evaluator(&Forgetful).unwrap_err();
    assert!(broken.to_string().contains("expected"), "{broken}");
    let unfair = laws::fairness(&Forgetful).unwrap_err();
    assert_eq!(unfair.law, "both colours are worth the same");
}
