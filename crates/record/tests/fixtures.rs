//! Records that are hard to read, one difficulty each: what every reader must make of them.

use std::path::Path;
use std::time::Duration;
use tesuji_record::csa;
use tesuji_record::{Ending, Game, GameResult, Games, TextFormat};
use tesuji_shogi::{Color, Value};

fn all(name: &str) -> Vec<Game> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/records");
    let bytes = std::fs::read(folder.join(name)).expect("the fixture is there");
    let extension = name.rsplit('.').next().unwrap_or_default();
    let (format, _) = TextFormat::from_name(extension).expect("the extension is known");
    let games: Result<Vec<_>, _> = Games::new(&bytes[..], format).collect();
    games.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn one(name: &str) -> Game {
    let mut games = all(name);
    assert_eq!(games.len(), 1, "{name}");
    games.remove(0)
}

fn moves(game: &Game) -> String {
    let moves: Vec<_> = game.moves().map(|mv| mv.to_string()).collect();
    moves.join(" ")
}

fn seconds(game: &Game) -> Vec<Option<u64>> {
    game.main_line()
        .map(|id| game[id].time.map(|time| time.as_secs()))
        .collect()
}

#[test]
fn every_fixture_reads_back_in_every_format() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/records");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the fixtures are there") {
        let name = entry.expect("the folder can be listed").file_name();
        let name = name.to_str().expect("names are plain");
        if name == "README.md" {
            continue;
        }
        for game in all(name) {
            for format in TextFormat::ALL {
                let text = format.write(&game).expect("the game can be written");
                assert_eq!(
                    format.read(&text).as_ref(),
                    Ok(&format.keeps(&game)),
                    "{name} {format:?}"
                );
            }
            count += 1;
        }
    }
    assert_eq!(count, 21);
}

#[test]
fn csa_of_every_age() {
    let game = one("v22.csa");
    assert_eq!(moves(&game), "2g2f 3c3d");
    assert_eq!(game.headers.players.0, ["NAKAHARA", "YONENAGA"]);
    assert_eq!(
        game.headers.common_clock().map(|clock| clock.main),
        Some(Duration::from_secs(1500))
    );
    assert_eq!(seconds(&game), [Some(12), Some(6), None]);
    assert_eq!(game.ending(), Some(Ending::Interruption));

    let game = one("time_first.csa");
    assert_eq!(seconds(&game), [Some(3), Some(0), None]);
    assert_eq!(game.result(), Some(GameResult::Win(Color::White)));

    let game = one("no_turn.csa");
    assert_eq!((moves(&game).as_str(), game.ending()), ("7g7f 3c3d", None));

    let games = all("two_games.csa");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].ending(), Some(Ending::Repetition));
}

#[test]
fn csa_version_three() {
    let game = one("v3.csa");
    let headers = &game.headers;
    assert_eq!(headers.players[Color::Black], "テスト 先手");
    assert_eq!(
        headers
            .clocks
            .0
            .map(|clock| clock.map(|clock| csa::write_time_control(&clock))),
        [Some("600+10+0".into()), Some("900+0+5".into())]
    );
    assert_eq!(
        (headers.move_limit, headers.declaration_points),
        (Some(320), Some(27))
    );
    assert_eq!(headers.note, "first\nsecond \\ third");
    assert_eq!(game[Game::ROOT].comment, "before the first move");
    let ids: Vec<_> = game.main_line().collect();
    assert_eq!(game[ids[0]].time, Some(Duration::from_millis(6123)));
    assert_eq!(game[ids[0]].comment, "a remark");
    let evaluation = game[ids[0]].evaluation.as_ref().expect("there is one");
    assert_eq!(
        (evaluation.value, evaluation.nodes),
        (Value::new(34), Some(12_345))
    );
    assert_eq!(evaluation.line.len(), 2);
    assert_eq!(game[ids[2]].time, Some(Duration::from_millis(1500)));
}

#[test]
fn csa_start_positions() {
    let game = one("removed.csa");
    assert_eq!(
        game.start().to_sfen(),
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    );
    assert_eq!(game.result(), Some(GameResult::Win(Color::Black)));
    let game = one("lists.csa");
    assert_eq!(
        game.start().to_sfen(),
        "8k/7p1/6S1P/9/9/9/9/9/9 b 2R2B4G3S4N4L16P 1"
    );
    assert_eq!(game.result(), Some(GameResult::Win(Color::Black)));
}

#[test]
fn csa_of_servers() {
    let game = one("server_euc.csa");
    assert!(game[Game::ROOT].comment.ends_with("開始"));
    let ids: Vec<_> = game.main_line().collect();
    let lines: Vec<_> = ids
        .iter()
        .filter_map(|&id| game[id].evaluation.as_ref())
        .collect();
    // The second one repeats the move just played, which is not part of the line.
    assert_eq!(
        lines.iter().map(|e| e.line.len()).collect::<Vec<_>>(),
        [2, 2]
    );
    assert_eq!(lines[1].line[0].to_string(), "2g2f");
    assert!(game[ids[2]].comment.starts_with("summary:toryo:"));

    let game = one("glued.csa");
    assert_eq!(moves(&game), "7g7f 3c3d 2g2f");
    let first = game.main_line().next().expect("there is a move");
    assert_eq!(game[first].comment, "a comment that lost its line break");

    let game = one("illegal_last.csa");
    let made = Some("B*3d".parse().unwrap());
    assert_eq!(
        game.ending(),
        Some(Ending::Foul {
            by: Color::Black,
            made
        })
    );
    assert_eq!(game.result(), Some(GameResult::Win(Color::White)));
}

#[test]
fn kif_with_variations() {
    let game = one("plain.kif");
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    assert_eq!(seconds(&game), [16, 0, 65, 10, 1, 2].map(Some));
    assert_eq!(game[Game::ROOT].comment, "始まり");
    let ids: Vec<_> = game.main_line().collect();
    assert_eq!(game[ids[0]].comment, "最初の手\n&しおり");
    let same = game.variations(ids[2]);
    assert_eq!(
        same.iter().map(|&id| game[id].mv()).collect::<Vec<_>>(),
        [Some("8b2b".parse().unwrap())]
    );
    let other = game.variations(ids[0])[0];
    assert_eq!(game[other].comment, "変化の手");
    assert_eq!(game.line(other).count(), 1);

    let game = one("nested.kifu");
    let ids: Vec<_> = game.main_line().collect();
    let fourth = game.variations(ids[2])[0];
    let fifth = game.line(fourth).next().expect("the variation goes on");
    assert_eq!(game.variations(fifth).len(), 1); // 4二飛 instead of 3二銀
    assert_eq!(game.variations(fourth).len(), 1); // 2五歩 instead of 4八銀
    assert_eq!(game.variations(ids[1]).len(), 1);
    assert_eq!(game.size(), 14);
}

#[test]
fn kif_of_many_hands() {
    let game = one("widths.kifu");
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b");
    assert_eq!(game.headers.players.0, ["half", "full"]);
    assert_eq!(seconds(&game), [None, None, Some(5), None, None]);

    let game = one("tsume.kif");
    assert_eq!(
        game.start().to_sfen(),
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
    );
    assert_eq!(
        (moves(&game).as_str(), game.ending()),
        ("G*5b", Some(Ending::Mate))
    );

    let game = one("handicap.kifu");
    assert_eq!(game.headers.players.0, ["弟子", "師匠"]);
    assert_eq!(
        game.ending(),
        Some(Ending::Foul {
            by: Color::White,
            made: None
        })
    );

    let game = one("two_pawns.kifu");
    let made = Some("P*2f".parse().unwrap());
    assert_eq!(
        game.ending(),
        Some(Ending::Foul {
            by: Color::Black,
            made
        })
    );
}

#[test]
fn engines_speak_in_kif() {
    let game = one("analysis.kifu");
    let ids: Vec<_> = game.main_line().collect();
    let evaluation = |place: usize| game[ids[place]].evaluation.clone().expect("there is one");
    let first = evaluation(0);
    assert_eq!(
        (first.value, first.depth, first.nodes),
        (Value::new(34), Some(10), Some(49_691))
    );
    assert_eq!(first.line.len(), 3);
    assert!(game[ids[0]].comment.starts_with("*対局 候補2"));
    assert_eq!(evaluation(1).value, Value::new(-34));
    assert_eq!(evaluation(2).value.mate_distance(), Some(-6));
    assert_eq!(evaluation(2).line.len(), 2);
}

#[test]
fn ki2_and_jkf() {
    let game = one("suffixes.ki2");
    assert_eq!(moves(&game), "G*7h 5a4a 3g3h 4a5a 9e8d 5a4a 7g8g 4a5a");
    let game = one("game.ki2");
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 4e3d 4a3b");
    assert_eq!(game.headers.players[Color::Black], "▲子");
    assert_eq!(game.ending(), Some(Ending::Resignation));
    let third = game.main_line().nth(2).expect("there are three moves");
    assert_eq!(game.variations(third).len(), 1);

    let game = one("game.jkf");
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    assert_eq!(game.headers.players.0, ["na2hiro", "うひょ"]);
    assert_eq!(seconds(&game)[0], Some(16));
    let second = game.main_line().nth(1).expect("there are two moves");
    let fork = game.variations(second)[0];
    assert_eq!(
        game.line(fork).next().and_then(|id| game[id].ending()),
        Some(Ending::Interruption)
    );
}
