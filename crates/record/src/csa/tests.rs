use super::*;
use crate::error::ReadProblem;

/// Records, the line that is wrong, and what is said about it.
const BAD: [(&str, usize, &str); 12] = [
    (
        "",
        1,
        "the record breaks off: no start position and no move",
    ),
    (
        "PI\n+\n+7776FU\n+2726FU\n",
        4,
        "\"+2726FU\" is a move of the other side",
    ),
    (
        "PI\n+\n+7775FU\n",
        3,
        "\"+7775FU\" is illegal: the piece cannot move there",
    ),
    (
        "PI\n+\n+7775FU\n-3334FU\n",
        4,
        "\"+7775FU\" is illegal: the piece cannot move there",
    ),
    (
        "PI\n+\n+7776XX\n",
        3,
        "\"+7776XX\" is not a move: expected something like +7776FU",
    ),
    (
        "PI\n+\n%TORYO\n+7776FU\n",
        4,
        "\"+7776FU\" stands behind the end of the game",
    ),
    (
        "PI\n+\n%NANI\n",
        3,
        "\"%NANI\" is none of the lines a record of this kind has",
    ),
    ("PI\n+\n+7776FU\nTx\n", 4, "\"Tx\" is not a time"),
    (
        "PI55FU\n+\n",
        1,
        "\"PI55FU\" in the start position: expected pieces that stand there, such as 82HI",
    ),
    (
        "P+00FU00OU\n+\n",
        1,
        "\"P+00FU00OU\" in the start position: expected pieces such as 77FU, 00FU or 00AL",
    ),
    (
        "P+77FU76FU\n+\n",
        2,
        "the start position cannot be: Black has two pawns on file 7",
    ),
    (
        "hello\n",
        1,
        "\"hello\" is none of the lines a record of this kind has",
    ),
];

#[test]
fn bad_lines_are_named() {
    for (text, line, problem) in BAD {
        let error = read(text).unwrap_err();
        assert_eq!(
            (error.line, error.problem.to_string().as_str()),
            (line, problem),
            "{text:?}"
        );
    }
}

#[test]
fn moves_of_the_protocol() {
    let pos = tesuji_shogi::Position::start();
    let mv = read_move(&pos, "+8822UM").unwrap();
    assert_eq!(mv.to_string(), "8h2b+");
    assert_eq!(write_move(&pos, mv), "+8822UM");
    assert_eq!(
        read_move(&pos, "-3334FU"),
        Err(ReadProblem::Turn("-3334FU".into()))
    );
    assert!(read_move(&pos, "+3334FU").is_err());
    assert!(read_move(&pos, "+７六歩").is_err());
}
