//! What a page is sent of a game that grows, turns and is replaced.

use super::*;

fn view(moves: &str) -> GameView {
    let game = tesuji_record::usi::read(&format!("startpos moves {moves}")).unwrap();
    GameView::new(game)
}

#[test]
fn a_page_is_sent_only_what_is_new() {
    let mut view = view("7g7f 3c3d");
    let (update, seen) = view.update(GameVersion::default());
    assert!(update.is_new && update.nodes.len() == 3);
    assert_eq!(update.nodes[1].ja, "▲７六歩");
    assert!(view.update(seen).0.nodes.is_empty());
    let id = view.play("2g2f".parse().unwrap()).unwrap();
    view.set_comment(id, "another opening".into());
    let (update, seen) = view.update(seen);
    assert!(!update.is_new && update.nodes.len() == 1 && update.nodes[0].parent == Some(0));
    view.remove(id);
    let (update, _) = view.update(seen);
    assert!(update.is_new && update.nodes.len() == 3 && update.at == 0);
}

#[test]
fn a_promoted_line_comes_first_and_nothing_is_lost() {
    let mut view = view("7g7f 3c3d 2g2f");
    view.go(view.record().node(1).unwrap());
    view.play("8c8d".parse().unwrap()).unwrap();
    let last = view.play("7f7e".parse().unwrap()).unwrap();
    view.promote(last);
    let moves: Vec<_> = view.record().moves().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, ["7g7f", "8c8d", "7f7e"]);
    assert_eq!(view.record().size(), 6);
    assert_eq!(view.position().ply(), 4);
}

#[test]
fn reviews_follow_their_moves_and_go_with_the_game() {
    let mut view = view("7g7f 3c3d 2g2f");
    let last = view.record().node(3).unwrap();
    let review = MoveReview {
        loss: 0.15,
        best: Value::ZERO,
        played: Value::new(-300),
        line: vec!["6g6f".parse().unwrap()],
    };
    view.set_review(last, review);
    assert_eq!(
        view.update(GameVersion::default()).0.slips,
        [(3, SlipGrade::Mistake)]
    );
    view.go(Game::ROOT);
    let other = view.play("5g5f".parse().unwrap()).unwrap();
    view.promote(other);
    let moved = view.update(GameVersion::default()).0.slips;
    assert_eq!(moved, [(4, SlipGrade::Mistake)], "behind the new main line");
    view.replace(Game::default());
    assert!(view.reviews().is_empty());
}

#[test]
fn handicap_games_are_known_by_their_start() {
    let handicap = GameView::new(Game::new(Position::handicap(Handicap::ALL[6])));
    assert!(handicap.update(GameVersion::default()).0.is_handicap);
    assert!(!view("7g7f").update(GameVersion::default()).0.is_handicap);
}
