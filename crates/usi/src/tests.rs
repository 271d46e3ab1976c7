//! Laws of the protocol: what is written reads back the same, and no line makes a reader panic.

use super::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use std::time::Duration;
use tesuji_shogi::{Bound, ByColor, Move, Position};

fn any_move() -> impl Strategy<Value = Move> {
    any::<u16>().prop_filter_map("no move", Move::from_bits)
}

fn millis() -> impl Strategy<Value = Duration> {
    any::<u64>().prop_map(Duration::from_millis)
}

/// A text of words that stand for nothing else in the protocol.
fn words() -> impl Strategy<Value = String> {
    vec("[A-Z][A-Za-z0-9_=/.]{0,8}", 1..4).prop_map(|words| words.join(" "))
}

fn word() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_]{0,12}"
}

fn times() -> impl Strategy<Value = Times> {
    let pair = || [of(millis()), of(millis())];
    (pair(), pair(), of(millis())).prop_map(|(left, increment, byoyomi)| Times {
        left: ByColor(left),
        increment: ByColor(increment),
        byoyomi,
    })
}

fn go() -> impl Strategy<Value = Go> {
    let mate = prop_oneof![
        Just(MateLimit::Infinite),
        millis().prop_map(MateLimit::Time)
    ];
    let flags = (any::<bool>(), any::<bool>(), times());
    let limits = (
        of(any::<u32>()),
        of(any::<u64>()),
        of(millis()),
        of(millis()),
        of(any::<u32>()),
    );
    (flags, limits, of(mate), vec(any_move(), 0..4)).prop_map(
        |((ponder, infinite, times), limits, mate, searchmoves)| Go {
            ponder,
            times,
            infinite,
            depth: limits.0,
            nodes: limits.1,
            movetime: limits.2,
            rtime: limits.3,
            perft: limits.4,
            mate,
            searchmoves,
        },
    )
}

fn start() -> impl Strategy<Value = InitialPosition> {
    let sfen = Position::start().to_sfen();
    prop_oneof![
        Just(InitialPosition::Even),
        Just(InitialPosition::Sfen(sfen)),
        words().prop_map(InitialPosition::Sfen)
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let plain = prop::sample::select(vec![
        Command::Usi,
        Command::IsReady,
        Command::NewGame,
        Command::Stop,
        Command::Quit,
        Command::Show,
        Command::Moves,
        Command::Eval,
        Command::Key,
        Command::GameOver(None),
        Command::GameOver(Some(GameOverResult::Win)),
        Command::GameOver(Some(GameOverResult::Lose)),
        Command::GameOver(Some(GameOverResult::Draw)),
    ]);
    prop_oneof![
        plain,
        (words(), of(words())).prop_map(|(name, value)| Command::SetOption { name, value }),
        (start(), vec(any_move(), 0..5))
            .prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(|go| Command::Go(Box::new(go))),
        times().prop_map(Command::PonderHit),
        of(any::<u32>()).prop_map(Command::Bench),
        of(words()).prop_map(Command::GetOption),
        words().prop_map(Command::Run),
        words().prop_map(Command::Other),
    ]
}

fn kind() -> impl Strategy<Value = OptionKind> {
    let number = || any::<i32>().prop_filter("has no opposite", |number| *number != i32::MIN);
    let text = || prop_oneof![Just(String::new()), words()];
    prop_oneof![
        any::<bool>().prop_map(OptionKind::Check),
        (number(), number(), number()).prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        (word(), vec(word(), 0..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        text().prop_map(OptionKind::Text),
        text().prop_map(OptionKind::File),
    ]
}

fn score() -> impl Strategy<Value = UsiScore> {
    let worth = prop_oneof![
        (-40_000..40_000).prop_map(ScoreValue::Points),
        (-999..999).prop_map(ScoreValue::Mate),
        Just(ScoreValue::Mating),
        Just(ScoreValue::Mated),
    ];
    let bound = prop::sample::select(vec![Bound::Lower, Bound::Upper, Bound::Exact]);
    (worth, bound).prop_map(|(worth, bound)| UsiScore { worth, bound })
}

fn info() -> impl Strategy<Value = Info> {
    let small = (of(any::<u32>()), of(any::<u32>()), of(any::<u32>()));
    let large = (of(any::<u64>()), of(any::<u64>()), of(any::<u64>()));
    let current = (of(any_move()), of(any::<u32>()), of(any::<u32>()));
    let end = of(prop::sample::select(vec!["resign", "win", "rep_draw"]));
    let tail = prop_oneof![
        (vec(any_move(), 0..5), end).prop_map(|(pv, end)| (pv, end.map(String::from), None)),
        words().prop_map(|text| (vec![], None, Some(text))),
    ];
    (small, large, current, of(score()), tail).prop_map(|(small, large, current, score, tail)| {
        Info {
            depth: small.0,
            seldepth: small.1,
            multipv: small.2,
            nodes: large.0,
            nps: large.1,
            time: large.2,
            currmove: current.0,
            currmovenumber: current.1,
            hashfull: current.2,
            score,
            pv: tail.0,
            pv_end: tail.1,
            text: tail.2,
        }
    })
}

fn reply() -> impl Strategy<Value = Reply> {
    let best = prop_oneof![
        (any_move(), of(any_move())).prop_map(|(mv, ponder)| BestMove::Move { mv, ponder }),
        Just(BestMove::Resign),
        Just(BestMove::Win),
    ];
    let checkmate = prop_oneof![
        vec(any_move(), 0..6).prop_map(Checkmate::Line),
        Just(Checkmate::NoMate),
        Just(Checkmate::Timeout),
        Just(Checkmate::NotImplemented),
    ];
    prop_oneof![
        words().prop_map(Reply::Name),
        words().prop_map(Reply::Author),
        (word(), kind()).prop_map(|(name, kind)| Reply::Option(OptionLine { name, kind })),
        Just(Reply::UsiOk),
        Just(Reply::ReadyOk),
        info().prop_map(|info| Reply::Info(Box::new(info))),
        best.prop_map(Reply::BestMove),
        checkmate.prop_map(Reply::Checkmate),
        words().prop_map(Reply::Text),
    ]
}

proptest! {
    #[test]
    fn commands_read_back(command in command()) {
        let parsed = Command::read(&command.to_string());
        prop_assert_eq!(parsed.command, Some(command));
        prop_assert_eq!(parsed.warnings, vec![]);
    }

    #[test]
    fn replies_read_back(reply in reply()) {
        prop_assert_eq!(Reply::read(&reply.to_string()), Some(reply));
    }

    #[test]
    fn any_words_can_be_read(line in vec(prop_oneof![
        "\\PC{0,6}",
        prop::sample::select(vec![
            "go", "position", "sfen", "startpos", "moves", "setoption", "name", "value", "btime",
            "nodes", "mate", "infinite", "ponderhit", "info", "score", "cp", "pv", "bestmove", "-1",
            "99999999999999999999999", "7g7f", "option", "type", "spin", "default", "\t", "\u{3000}",
        ]).prop_map(String::from),
    ], 0..12)) {
        let line = line.join(" ");
        if let Some(command) = Command::read(&line).command {
            let again = Command::read(&command.to_string());
            prop_assert_eq!(again.command, Some(command));
        }
        if let Some(reply) = Reply::read(&line) {
            let written = reply.to_string();
            let again = Reply::read(&written).map(|reply| reply.to_string());
            prop_assert_eq!(again, Some(written));
        }
    }
}

#[test]
fn what_guis_write_is_understood() {
    let go = |line: &str| match Command::read(line).command {
        Some(Command::Go(go)) => *go,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(go("go mate"), go("go mate infinite"));
    assert_eq!(go("go nodes 5 mate infinite").nodes, Some(5));
    assert_eq!(go("go btime -50").times.left.0[0], Some(Duration::ZERO));
    assert_eq!(
        go("go btime wtime 7").times.left.0,
        [None, Some(Duration::from_millis(7))]
    );
    assert!(go("go").is_endless() && go("go infinite depth 3").is_endless());
    assert!(!go("go byoyomi 10").is_endless() && !go("go mate 10").is_endless());
    let sfen = Position::start().to_sfen();
    let told = Command::read(&format!("position sfen {sfen} moves 7g7f")).command;
    assert_eq!(
        Command::read(&format!("position {sfen} moves 7g7f\r\n")).command,
        told
    );
    let spaced = Command::read("setoption name EvalFile value  my nets/nn.bin ").command;
    let (name, value) = ("EvalFile".into(), Some("my nets/nn.bin".into()));
    assert_eq!(spaced, Some(Command::SetOption { name, value }));
    assert_eq!(Command::read(" \t\r\n").command, None);
}

#[test]
fn what_cannot_be_understood_is_named() {
    let named = |line: &str| Command::read(line).warnings[0].to_string();
    assert_eq!(named("go depth"), "depth needs a number, found \"\"");
    assert_eq!(named("go fast"), "\"fast\" means nothing after go");
    assert!(named("position startpos moves 7g7f e2e4 3c3d").starts_with("\"e2e4\" is not a move"));
    assert!(named("position").starts_with("position needs"));
    assert!(named("setoption Threads 3").starts_with("setoption needs"));
    assert!(named("gameover maybe").contains("maybe"));
}

#[test]
fn scores_of_any_length_are_values() {
    let score = |text: &str| match Reply::read(&format!("info score {text} pv 7g7f")) {
        Some(Reply::Info(info)) => info.score.map(|score| score.value().points()),
        other => panic!("{other:?}"),
    };
    assert_eq!(score("cp -35 upperbound"), Some(-35));
    assert_eq!(score("mate 3"), Some(31_997));
    assert_eq!(score("mate -4"), Some(-31_996));
    assert_eq!(score("mate 0"), Some(-32_000));
    assert_eq!(score("mate +"), score("mate +0"));
    assert!(score("mate -0") < Some(-31_000) && score("mate 99999") > Some(31_000));
    assert_eq!(score("cp 99999999999"), Some(30_999));
    assert_eq!(score("nonsense"), None);
}
