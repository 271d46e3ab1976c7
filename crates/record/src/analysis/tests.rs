use super::*;
use crate::evaluation::Evaluation;

/// Moves with values for Black; `None` was not evaluated.
fn game(moves: &[(&str, Option<i32>)]) -> Game {
    let mut game = Game::default();
    game[Game::ROOT].evaluation = Some(Evaluation {
        line: vec!["2g2f".parse().unwrap()],
        ..Evaluation::default()
    });
    for (mv, value) in moves {
        let id = game.push(mv.parse().unwrap()).unwrap();
        game[id].evaluation = value.map(|value| Evaluation::of(Value::new(value)));
    }
    game
}

#[test]
fn only_the_mover_can_slip() {
    let moves = [
        ("7g7f", Some(-200)), // Black loses eight hundredths
        ("3c3d", Some(-100)), // White loses four: nothing said
        ("8h2b+", Some(-700)),
        ("3a2b", Some(-800)), // good for White, who moved
        ("B*4e", None),
        ("6a5b", Some(900)), // nothing to compare with
        ("4e3d", Some(200)),
    ];
    let slips = slips(&game(&moves));
    let found: Vec<_> = slips
        .iter()
        .map(|slip| (slip.after.points(), slip.grade))
        .collect();
    assert_eq!(
        found,
        [
            (-200, Grade::Dubious),
            (-700, Grade::Blunder),
            (200, Grade::Blunder)
        ]
    );
    assert!(slips.iter().all(|slip| slip.loss > 0.0));
}

#[test]
fn remarks_name_the_expected_move() {
    let mut one = game(&[("7g7f", Some(-400))]);
    assert_eq!(annotate(&mut one, ReportLanguage::Japanese).len(), 1);
    let id = one.last();
    assert_eq!(one[id].comment, "悪手 0 → -400 (▲２六歩)");
    let mut two = game(&[("7g7f", Some(-400))]);
    two[id].comment = "hm".into();
    annotate(&mut two, ReportLanguage::English);
    assert_eq!(two[id].comment, "hm\nmistake 0 → -400 (P-2f)");
    // Analyzed again, it does not say it twice, in whatever language.
    annotate(&mut two, ReportLanguage::Japanese);
    assert_eq!(two[id].comment, "hm\n悪手 0 → -400 (▲２六歩)");
    // The expected move itself was played: nothing else to name.
    let mut three = game(&[("2g2f", Some(-400))]);
    annotate(&mut three, ReportLanguage::English);
    assert_eq!(three[id].comment, "mistake 0 → -400");
}

#[test]
fn a_graph_has_a_point_for_every_value_and_a_dot_for_every_slip() {
    let mut game = game(&[("7g7f", Some(-500)), ("3c3d", Some(-450)), ("2g2f", None)]);
    game.headers.players[Color::Black] = "<A & B>".into();
    let svg = graph(&game);
    let line = svg.lines().find(|line| line.contains("polyline")).unwrap();
    assert_eq!(line.matches(',').count(), 3);
    assert_eq!(svg.matches("<circle").count(), 1);
    assert!(svg.contains("▲ &lt;A &amp; B&gt; – △ "));
    assert!(!graph(&Game::default()).contains("polyline"));
    // Extreme values stay inside the picture.
    let id = game.last();
    game[id].evaluation = Some(Evaluation::of(Value::new(i32::MIN + 1)));
    assert!(!graph(&game).contains("NaN") && !graph(&game).contains("inf"));
}
