use super::*;
use tesuji_shogi::{Move, Position};

/// Every move to a square by its name, sorted.
fn names(sfen: &str, to: &str) -> Vec<String> {
    use tesuji_shogi::Board;
    let pos = Position::from_sfen(sfen).unwrap();
    let to: Square = to.parse().unwrap();
    let moves = pos.legal_moves();
    let mut list: Vec<_> = moves.iter().filter(|mv| mv.to() == to).collect();
    list.sort_by_key(|mv| mv.from().map(Square::index));
    list.iter().map(|&mv| japanese(&pos, mv)).collect()
}

#[test]
fn golds_are_told_apart_as_the_association_does() {
    // One moves up, one sideways.
    assert_eq!(
        names("4k4/9/9/9/9/9/5G3/6G2/4K4 b - 1", "3g"),
        ["▲３七金上", "▲３七金寄"]
    );
    // Both move up: the sides decide.
    assert_eq!(
        names("4k4/9/9/9/9/9/9/3G1G3/K8 b - 1", "5g"),
        ["▲５七金右", "▲５七金左"]
    );
    // Straight from behind.
    assert_eq!(
        names("4k4/9/9/9/9/9/9/4GG3/K8 b - 1", "5g"),
        ["▲５七金右", "▲５七金直"]
    );
    // White looks from the other side.
    assert_eq!(
        names("k8/3g1g3/9/9/9/9/9/9/4K4 w - 1", "5c"),
        ["△５三金左", "△５三金右"]
    );
}

#[test]
fn five_pieces_at_once() {
    // Tokins around 5f on all six squares a gold moves from.
    let sfen = "k8/9/9/9/4+P4/3+P1+P3/3+P+P+P3/9/K8 b - 1";
    assert_eq!(
        names(sfen, "5f"),
        [
            "▲５六と右寄",
            "▲５六と右上",
            "▲５六と引",
            "▲５六と直",
            "▲５六と左寄",
            "▲５六と左上"
        ]
    );
    // Silvers on the four corners and behind.
    let sfen = "k8/9/9/9/3S1S3/9/3S1S3/9/K8 b - 1";
    assert_eq!(
        names(sfen, "5f"),
        ["▲５六銀右引", "▲５六銀右上", "▲５六銀左引", "▲５六銀左上"]
    );
}

#[test]
fn dragons_and_horses_have_no_straight() {
    assert_eq!(
        names("7k1/9/9/9/9/9/9/9/+R3+R3K b - 1", "7i"),
        ["▲７九龍右", "▲７九龍左"]
    );
    assert_eq!(names("k8/9/9/9/9/4+R4/5+R3/9/8K b - 1", "5e"), ["▲５五龍"]);
    assert_eq!(
        names("k8/9/9/9/9/5+R3/4+R4/9/8K b - 1", "5f"),
        ["▲５六龍寄", "▲５六龍上"]
    );
    assert_eq!(
        names("9/k8/9/9/9/9/9/5+B3/4+B3K b - 1", "5h"),
        ["▲５八馬寄", "▲５八馬上"]
    );
    // Straight from behind, yet the left one of the two.
    assert_eq!(
        names("8k/9/9/9/9/4+B+B3/9/9/K8 b - 1", "5e"),
        ["▲５五馬右", "▲５五馬左"]
    );
}

#[test]
fn promotion_and_drops_are_said_where_needed() {
    // A silver does not go straight back: nothing to tell apart.
    assert_eq!(names("k8/9/2S6/9/9/9/9/9/4K4 b S 1", "7d"), ["▲７四銀"]);
    let list = names("k8/9/2S6/9/9/9/9/9/4K4 b S 1", "6d");
    assert_eq!(list, ["▲６四銀打", "▲６四銀不成", "▲６四銀成"]);
    assert_eq!(names("k8/9/9/9/9/9/9/9/4K4 b S 1", "6d"), ["▲６四銀"]);
    assert_eq!(names("k8/9/9/9/9/9/2S6/9/4K4 b - 1", "6f"), ["▲６六銀"]);
}

#[test]
fn same_square() {
    let mut pos = Position::start();
    for mv in ["7g7f", "3c3d", "8h2b+"] {
        pos.play(mv.parse().unwrap());
    }
    let mv: Move = "3a2b".parse().unwrap();
    assert_eq!(japanese(&pos, mv), "△同　銀");
    assert_eq!(kif_move(&pos, mv), "同　銀(31)");
    for text in [
        "△同　銀",
        "同銀",
        "☖同銀",
        "２二銀",
        "22銀(31)",
        "同　銀(31)",
        "△２二同銀",
    ] {
        assert_eq!(
            read_japanese(&pos, text).map(|(mv, _)| mv),
            Ok(mv),
            "{text}"
        );
    }
    assert_eq!(
        read_japanese(&Position::start(), "同歩"),
        Err(NameError::NoSame)
    );
    let mut pos = Position::from_sfen("4k4/9/9/9/4g4/3+S5/9/9/K8 w P 1").unwrap();
    pos.play("5e5f".parse().unwrap());
    let mv = "6f5f".parse().unwrap();
    assert_eq!(kif_move(&pos, mv), "同　成銀(66)");
    assert_eq!(read_japanese(&pos, "同成銀"), Ok((mv, "")));
}

#[test]
fn wrong_names_are_refused() {
    let pos = Position::from_sfen("4k4/9/9/9/9/9/9/3G1G3/4K4 b - 1").unwrap();
    assert!(matches!(
        read_japanese(&pos, "▲５七金"),
        Err(NameError::Several(..))
    ));
    assert!(matches!(
        read_japanese(&pos, "▲５七銀右"),
        Err(NameError::Nobody(_))
    ));
    assert!(matches!(
        read_japanese(&pos, "▲５七銀(68)"),
        Err(NameError::OtherPiece(_))
    ));
    assert!(matches!(
        read_japanese(&pos, "▲５金"),
        Err(NameError::Form(_))
    ));
    assert!(matches!(
        read_japanese(&pos, "▲５七金成不成"),
        Err(NameError::Form(_))
    ));
    assert!(matches!(
        read_western(&pos, "G-5g"),
        Err(NameError::Several(..))
    ));
    assert!(matches!(read_western(&pos, "G-5"), Err(NameError::Form(_))));
    assert!(matches!(
        read_western(&pos, "+K-5h"),
        Err(NameError::Form(_))
    ));
}

#[test]
fn western_names() {
    let pos = Position::start();
    for (text, mv) in [
        ("P-7f", "7g7f"),
        ("P-76", "7g7f"),
        ("P7g-7f", "7g7f"),
        ("G4i-5h", "4i5h"),
    ] {
        assert_eq!(read_western(&pos, text), Ok(mv.parse().unwrap()), "{text}");
    }
    let mut pos = pos;
    pos.play("7g7f".parse().unwrap());
    pos.play("3c3d".parse().unwrap());
    assert_eq!(western(&pos, "8h2b+".parse().unwrap()), "Bx2b+");
    assert_eq!(western(&pos, "8h2b".parse().unwrap()), "Bx2b=");
    pos.play("8h2b+".parse().unwrap());
    pos.play("3a2b".parse().unwrap());
    assert_eq!(western(&pos, "B*4e".parse().unwrap()), "B*4e");
}
