use super::*;

#[test]
fn bad_lines_are_named() {
    let cases = [
        (
            "",
            1,
            "the record breaks off: neither a move nor a start position",
        ),
        ("1 ７六歩(77)\n3 ２六歩(27)\n", 2, "move 3 follows move 1"),
        (
            "1 ７五歩(77)\n",
            1,
            "\"７五歩(77)\" is illegal: the piece cannot move there",
        ),
        (
            "1 ７六歩(77)\n2 投了\n3 ３四歩(33)\n",
            3,
            "\"３四歩(33)\" stands behind the end of the game",
        ),
        (
            "1 ７六歩(77)\n\n変化：5手\n",
            3,
            "a variation of move 5, but no line has that many moves",
        ),
        ("1 ７六歩(77) (0:x/)\n", 1, "\"(0:x/)\" is not a time"),
        (
            "手合割：謎\n",
            1,
            "\"謎\" in the start position: expected a handicap such as 平手 or 香落ち",
        ),
        (
            "手合割：詰将棋\n1 ７六歩(77)\n",
            2,
            "the record breaks off: the board is not drawn",
        ),
        (
            "先手の持駒：玉\n",
            1,
            "\"玉\" in the start position: expected pieces and numbers such as 飛　歩十五, or なし",
        ),
        (
            "▲７六歩 ▲２六歩\n",
            1,
            "\"▲２六歩\" is a move of the other side",
        ),
        (
            "hello\n",
            1,
            "\"hello\" is none of the lines a record of this kind has",
        ),
    ];
    for (text, line, problem) in cases {
        let error = read(text).unwrap_err();
        assert_eq!(
            (error.line, error.problem.to_string().as_str()),
            (line, problem),
            "{text:?}"
        );
    }
}

#[test]
fn moves_may_be_counted_from_anywhere() {
    let game = read("手合割：平手\n  21 ７六歩(77)\n  22 ３四歩(33)\n変化：22手\n22 ８四歩(83)\n")
        .unwrap();
    assert_eq!(game.moves().count(), 2);
    assert!(game.has_variations());
}
