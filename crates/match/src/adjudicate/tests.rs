//! Games that are won or drawn early, and games that are not yet.

use super::*;

fn values(points: &[i32]) -> Vec<Option<Value>> {
    points
        .iter()
        .map(|&points| Some(Value::new(points)))
        .collect()
}

#[test]
fn a_game_is_won_when_both_have_said_so_long_enough() {
    let rules = Adjudication {
        resign: Some(ResignRule {
            value: 1000,
            moves: 2,
        }),
        draw: None,
    };
    let won = values(&[0, 1000, -1000, 1200, -3000]);
    assert_eq!(
        rules.adjudicate(&won, Color::Black, 5),
        Some(Adjudicated::Win(Color::White))
    );
    assert_eq!(
        rules.adjudicate(&won, Color::White, 5),
        Some(Adjudicated::Win(Color::Black))
    );
    assert_eq!(
        rules.adjudicate(&won[..4], Color::Black, 4),
        None,
        "not long enough"
    );
    assert_eq!(
        rules.adjudicate(&values(&[1000, -1000, 1200, 50]), Color::Black, 4),
        None
    );
    assert_eq!(
        rules.adjudicate(&values(&[1000, 1000, 1000, 1000]), Color::Black, 4),
        None
    );
    let mut silent = won;
    silent[2] = None;
    assert_eq!(
        rules.adjudicate(&silent, Color::Black, 5),
        None,
        "who says nothing agrees to nothing"
    );
}

#[test]
fn a_dull_game_is_drawn_but_not_too_early() {
    let rules = Adjudication {
        resign: None,
        draw: Some(DrawRule {
            value: 10,
            moves: 1,
            after: 100,
        }),
    };
    let dull = values(&[500, 10, -10]);
    assert_eq!(
        rules.adjudicate(&dull, Color::Black, 100),
        Some(Adjudicated::Draw)
    );
    assert_eq!(rules.adjudicate(&dull, Color::Black, 99), None);
    assert_eq!(
        rules.adjudicate(&values(&[10, 11]), Color::Black, 100),
        None
    );
    assert_eq!(rules.adjudicate(&[], Color::Black, 100), None);
    assert_eq!(
        Adjudication::default().adjudicate(&dull, Color::Black, 100),
        None
    );
}
