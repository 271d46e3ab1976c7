use super::*;
use crate::game::{Game, GameCursor};

#[test]
fn bad_records_are_refused() {
    let cases = [
        ("", "not a JKF record: EOF while parsing a value"),
        (
            r#"{"moves":[{},{"special":"NANI"}]}"#,
            "not a JKF record: move 1: \"NANI\" is none",
        ),
        (
            r#"{"moves":[{},{"move":{"piece":"FU"}}]}"#,
            "not a JKF record: move 1: \"FU\" is not a move",
        ),
        (
            r#"{"moves":[{},{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}}]}"#,
            "not a JKF record: move 1: \"FU\" is not a move",
        ),
        (
            r#"{"initial":{"preset":"WHAT"},"moves":[]}"#,
            "\"WHAT\" in the start position",
        ),
        (
            r#"{"initial":{"preset":"OTHER","data":{"color":0,"board":[],"hands":[]}},"moves":[]}"#,
            "\"data\" in the start position",
        ),
    ];
    for (text, problem) in cases {
        let error = read(text).unwrap_err().problem.to_string();
        assert!(error.starts_with(problem), "{text}: {error}");
    }
}

#[test]
fn the_deepest_nest_reads_back_and_a_deeper_one_is_refused() {
    let nest = |levels: usize| -> Game {
        let mut cursor = GameCursor::new(Game::default());
        for level in 0..=levels {
            let parent = cursor.at();
            let moves = match level % 4 {
                0 => ["5i5h", "4i5h"],
                1 => ["5a5b", "4a5b"],
                2 => ["5h5i", "4i4h"],
                _ => ["5b5a", "4a4b"],
            };
            for mv in moves.iter().rev() {
                cursor.go(parent);
                cursor.play(mv.parse().unwrap()).unwrap();
            }
        }
        cursor.finish()
    };
    let game = nest(35);
    assert_eq!(read(&write(&game).unwrap()).unwrap(), game);
    assert!(write(&nest(36)).is_err());
}
