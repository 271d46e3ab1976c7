use super::*;

fn game(moves: &[&str]) -> Game {
    let mut game = Game::default();
    for mv in moves {
        game.push(mv.parse().unwrap()).unwrap();
    }
    game
}

#[test]
fn equal_whatever_the_order_of_writing() {
    let mut one = game(&["7g7f", "3c3d"]);
    let first = one.main_line().next().unwrap();
    one.add(first, "8c8d".parse().unwrap()).unwrap();
    let other_start = one.add(Game::ROOT, "2g2f".parse().unwrap()).unwrap();
    one.add(other_start, "8c8d".parse().unwrap()).unwrap();

    let mut two = game(&["7g7f"]);
    let other_start = two.add(Game::ROOT, "2g2f".parse().unwrap()).unwrap();
    two.add(other_start, "8c8d".parse().unwrap()).unwrap();
    let first = two.main_line().next().unwrap();
    two.add(first, "3c3d".parse().unwrap()).unwrap();
    let last = two.add(first, "8c8d".parse().unwrap()).unwrap();
    assert_eq!(one, two);
    two[last].comment = "not the same".into();
    assert_ne!(one, two);
    assert_ne!(one, game(&["7g7f", "3c3d"]));
}

#[test]
fn nothing_follows_an_ending_and_nothing_illegal_enters() {
    let mut game = game(&["7g7f"]);
    assert_eq!(
        game.push("7g7f".parse().unwrap()),
        Err(Refusal::Foul(Foul::NoPiece))
    );
    let end = game.end(Ending::Resignation);
    assert_eq!(game.push("3c3d".parse().unwrap()), Err(Refusal::Over));
    assert_eq!(game.end(Ending::Draw), end);
    assert_eq!(game.result(), Some(GameResult::Win(Color::Black)));
    assert_eq!(game.turn(end), Color::White);
    // A variation may go on where the game ended.
    let last = game[end].parent().unwrap();
    game.add(last, "3c3d".parse().unwrap()).unwrap();
    assert_eq!(game.variations(last).len(), 1);
    assert_eq!(game.ending(), Some(Ending::Resignation));
}

#[test]
fn places_are_the_same_from_everywhere() {
    let mut game = game(&["7g7f", "3c3d", "2g2f"]);
    let ids: Vec<_> = game.main_line().collect();
    let side = game.add(ids[0], "8c8d".parse().unwrap()).unwrap();
    let end = game.end_at(side, Ending::Interruption);
    let nodes = [Game::ROOT, ids[0], ids[1], ids[2], side, end];
    for from in nodes {
        for to in nodes {
            let mut place = GamePosition::start(&game);
            place.go(&game, from);
            place.go(&game, to);
            assert_eq!(place.position(), &game.position(to));
            assert_eq!(place.at(), to);
        }
    }
    assert_eq!(game.path(end), [ids[0], side, end]);
}

#[test]
fn a_deep_tree_is_no_danger() {
    let mut cursor = GameCursor::new(Game::default());
    for _ in 0..5000 {
        for mv in ["5i5h", "5a5b", "5h5i", "5b5a"] {
            cursor.play(mv.parse().unwrap()).unwrap();
        }
    }
    let game = cursor.finish();
    assert_eq!(game, game.clone());
    assert_eq!(game.moves().count(), 20_000);
}
