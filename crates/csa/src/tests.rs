//! What is read is what was written, and nothing makes the readers panic.

use super::times::{NO_TIME, engine_times};
use super::*;
use proptest::prelude::*;
use std::io::Read;
use std::time::{Duration, Instant};
use tesuji_game::{GameClock, TimeControl};
use tesuji_kernels::StopSignal;
use tesuji_record::Game;
use tesuji_shogi::{ByColor, Color, DeclarationRule, Position};

fn read_summary(text: &str) -> Result<GameSummary, GameSummaryError> {
    let mut reader = GameSummaryReader::default();
    for line in text.lines().skip(1) {
        if let Some(summary) = reader.take(line)? {
            return Ok(summary);
        }
    }
    Err(GameSummaryError::Missing("END Game_Summary"))
}

const EVENT: &str = "BEGIN Game_Summary
Protocol_Version:1.2
Format:Shogi 1.0
Declaration:Jishogi 1.1
Game_ID:event+600-2F+a+b+1
Name+:a
Name-:b
Your_Turn:-
Unknown_Key:whatever
To_Move:+
Max_Moves:320
BEGIN Time
Total_Time:600
Increment:2
Time_Unit:1sec
END Time
BEGIN Strange_Block
Game_ID:nothing
END Strange_Block
BEGIN Position
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *
P5 *  *  *  *  *  *  *  *  *
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
P+
P-
+
+5958OU,T302
-5152OU,T2
+5859OU,T2
-5251OU,T2
END Position
END Game_Summary
";

#[test]
fn setup_moves_come_with_their_clocks() {
    let summary = read_summary(EVENT).unwrap();
    assert_eq!(summary.side, Color::White);
    assert_eq!(summary.move_limit, Some(320));
    assert_eq!(summary.declaration, DeclarationRule::Points27);
    assert_eq!(summary.game.moves().count(), 4);
    let mut clocks = GameClock::new(summary.times);
    for id in summary.game.main_line() {
        let turn = summary.game.turn(id).foe();
        assert!(clocks.spend(turn, summary.game[id].time.unwrap()).is_some());
    }
    assert_eq!(clocks.left(Color::Black), Duration::from_secs(300));
    assert_eq!(clocks.left(Color::White), Duration::from_secs(600));
    let last = summary.game.position(summary.game.last());
    assert_eq!(last.repetition(Default::default()).times, 2);
}

#[test]
fn summaries_read_back_the_same() {
    let mut summary = read_summary(EVENT).unwrap();
    assert_eq!(read_summary(&summary.write()).as_ref(), Ok(&summary));
    summary.times = ByColor([
        TimeControl {
            unit: Duration::from_millis(1),
            main: Duration::from_millis(1500),
            delay: Duration::from_millis(7),
            ..NO_TIME
        },
        TimeControl {
            unit: Duration::from_secs(60),
            byoyomi: Duration::from_secs(60),
            least: Duration::from_secs(60),
            round_up: true,
            ..NO_TIME
        },
    ]);
    summary.declaration = DeclarationRule::Points24;
    summary.game = Game::new(Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w 2R9p 1").unwrap());
    summary.move_limit = None;
    summary.side = Color::Black;
    assert_eq!(read_summary(&summary.write()), Ok(summary));
}

#[test]
fn a_stop_watch_counts_seconds_whatever_the_summary_says() {
    let time = "Total_Time:600\nIncrement:2\nTime_Unit:1sec\n";
    let strange = EVENT.replace("600-2F", "x-600-060");
    let strange = strange.replace(time, "Time_Unit:1min\nTotal_Time:600\nByoyomi:60\n");
    let summary = read_summary(&strange).unwrap();
    let times = summary.times[Color::Black];
    let minute = Duration::from_secs(60);
    assert_eq!(
        (times.unit, times.main, times.byoyomi),
        (minute, 10 * minute, Duration::ZERO)
    );
    // What the protocol says is believed otherwise, and is what we write.
    assert_eq!(read_summary(&summary.write()).unwrap().times, summary.times);
    let plain = strange.replace("x-600-060", "x-600-61");
    assert_eq!(
        read_summary(&plain).unwrap().times[Color::Black].main,
        600 * minute
    );
}

#[test]
fn a_wrong_summary_says_what_is_wrong() {
    for (from, to, what) in [
        (
            "+5958OU",
            "+5957OU",
            "in the position of the summary, line 14: ",
        ),
        (
            "Your_Turn:-",
            "Your_Turn:x",
            "the summary has no line Your_Turn",
        ),
        (
            "Game_ID:event",
            "Game:event",
            "the summary has no line Game_ID",
        ),
        ("Shogi 1.0", "Chess", "the summary is about \"Chess\""),
        ("-5251OU,T2", "%TORYO", "the game of the summary is over"),
    ] {
        let error = read_summary(&EVENT.replace(from, to)).unwrap_err();
        assert!(error.to_string().starts_with(what), "{error}");
    }
}

#[test]
fn clocks_count_as_servers_do() {
    let control = |text: &str| GameName::read(text).unwrap().control();
    let second = Duration::from_secs(1);
    let mut clocks = GameClock::new(ByColor([control("x-0-2"), control("x-60-060")]));
    assert_eq!(clocks.flag(Color::Black), Some(2 * second));
    let begun = Duration::from_millis(1999);
    assert_eq!(clocks.clone().spend(Color::Black, begun), Some(second));
    assert_eq!(clocks.clone().spend(Color::Black, 2 * second), None);
    assert_eq!(clocks.spend(Color::Black, second), Some(second));
    let stop_watch = clocks.control(Color::White);
    assert_eq!(stop_watch.cost(59 * second), Duration::ZERO);
    assert_eq!(stop_watch.cost(119 * second), 60 * second);
    assert_eq!(clocks.flag(Color::White), Some(60 * second));
    let strict = TimeControl {
        round_up: true,
        ..control("x-10-0")
    };
    assert_eq!(strict.cost(Duration::from_millis(1)), second);
    let strict = GameClock::new(ByColor([strict; 2]));
    assert_eq!(strict.flag(Color::Black), Some(9 * second));
    // An engine is told what is left without the increment, less the margin.
    let mut fischer = GameClock::new(ByColor([control("x-10-5F"); 2]));
    assert!(fischer.spend(Color::Black, 12 * second).is_some());
    let times = engine_times(&fischer, Color::Black, 4 * second);
    assert_eq!(times.left.0, [Some(Duration::ZERO), Some(10 * second)]);
    assert_eq!(times.increment.0, [Some(4 * second), Some(5 * second)]);
    assert_eq!(times.byoyomi, None);
    let times = engine_times(&clocks, Color::Black, second / 2);
    assert_eq!(times.byoyomi, Some(second * 3 / 2));
    // Where nothing was said about time no flag falls, and nobody waits for ever.
    let mut endless = GameClock::new(ByColor([control("x-0-0"); 2]));
    assert!(endless.spend(Color::Black, 1000 * second).is_some());
    assert_eq!(endless.flag(Color::Black), None);
    let times = engine_times(&endless, Color::Black, second);
    assert_eq!(times.byoyomi, Some(10 * second));
}

#[test]
fn passwords_are_not_printed() {
    let line = ClientLine::read("LOGIN ann x-1-1F,secret");
    assert_eq!(line.to_wire(), "LOGIN ann x-1-1F,secret");
    assert!(!format!("{line} {line:?}").contains("secret"));
    let error = GameName::of_password("secret").unwrap_err();
    assert!(!error.to_string().contains("secret"));
}

#[test]
fn records_stay_in_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(&folder.path().join("new"), "csa")
        .unwrap()
        .unwrap();
    let path = archive.place("../../etc/x y+1");
    assert_eq!(path, folder.path().join("new/______etc_x_y+1.csa"));
    archive.save(&path, &Game::default()).unwrap();
    assert!(
        archive
            .place("../../etc/x y+1")
            .ends_with("______etc_x_y+1-2.csa")
    );
    assert_eq!(Archive::open(folder.path(), "doc").unwrap(), None);
}

/// Gives its bytes in pieces of the sizes told.
struct Pieces<'a>(&'a [u8], Vec<usize>);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self
            .1
            .pop()
            .unwrap_or(1)
            .clamp(1, buffer.len())
            .min(self.0.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

fn lines_of(stream: impl Read) -> Vec<String> {
    let mut lines = Vec::new();
    read_lines(stream, |line, _| {
        lines.push(line);
        true
    });
    lines
}

#[test]
fn an_endless_line_ends_the_connection() {
    let why = read_lines(std::io::repeat(b'x'), |_, _| true);
    assert_eq!(why, "a line is too long");
    assert_eq!(
        read_lines(&b"abc"[..], |_, _| true),
        "the connection ended inside a line"
    );
}

proptest! {
    #[test]
    fn packets_may_be_cut_anywhere(sizes in proptest::collection::vec(1usize..9, 0..200)) {
        let text = EVENT.replace('\n', "\r\n");
        let whole: Vec<_> = EVENT.lines().map(str::to_owned).collect();
        prop_assert_eq!(lines_of(Pieces(text.as_bytes(), sizes)), whole);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut reader = GameSummaryReader::default();
        for line in lines_of(&bytes[..]) {
            let said = ServerLine::read(&line);
            prop_assert_eq!(ServerLine::read(&said.to_string()).to_string(), said.to_string());
            let said = ClientLine::read(&line);
            prop_assert_eq!(ClientLine::read(&said.to_wire()).to_wire(), said.to_wire());
            let _ = reader.take(&line);
            let _ = GameName::of_password(&line);
            let _ = EvalComment::read(&line, &Position::start());
        }
    }

    #[test]
    fn no_damage_to_a_summary_makes_the_reader_panic(
        at in 0..EVENT.len(),
        text in "[+\\-P%#T0-9A-Z:, \n]{0,12}",
        cut in 0usize..40,
    ) {
        let rest = &EVENT[(at + cut).min(EVENT.len())..];
        let _ = read_summary(&format!("{}{text}{rest}", &EVENT[..at]));
    }
}

#[test]
fn lines_read_back_the_same() {
    for line in [
        "LOGIN:ann OK",
        "LOGIN:incorrect",
        "LOGOUT:completed",
        "BEGIN Game_Summary",
        "START:a+b",
        "REJECT:a+b by ann",
        "+7776FU,T12",
        "-0055KA,T0.25",
        "%TORYO,T0",
        "%KACHI",
        "#RESIGN",
        "#OUTE_SENNICHITE",
        "#CENSORED",
        "#CHUDAN",
        "##[LOGIN] +OK x1",
        ",T5",
        "",
    ] {
        assert_eq!(ServerLine::read(line).to_string(), line);
        assert!(line.is_empty() || ServerLine::read(line) != ServerLine::Blank);
    }
    assert_eq!(
        ServerLine::read("#NEW_WORD"),
        ServerLine::Other("#NEW_WORD".into())
    );
    for line in [
        "LOGOUT",
        "AGREE",
        "AGREE a b",
        "REJECT",
        "+7776FU,'* 3 -3334FU",
        "%CHUDAN",
        "",
    ] {
        assert_eq!(ClientLine::read(line).to_string(), line);
    }
    let remark = EvalComment {
        points: 99_999,
        line: vec!["7g7f".parse().unwrap(), "7g7f".parse().unwrap()],
    };
    assert_eq!(remark.write(&Position::start()), "* 30000 +7776FU");
}

#[test]
fn a_line_is_one_write_and_silence_is_broken() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut peer, _) = listener.accept().unwrap();
    let mut wire = CsaConnection::new(
        stream,
        Some(Duration::from_millis(5)),
        &StopSignal::default(),
    )
    .unwrap();
    wire.say("+7776FU").unwrap();
    let mut bytes = [0; 100];
    // What was written at once arrives at once.
    let length = peer.read(&mut bytes).unwrap();
    assert_eq!(&bytes[..length], b"+7776FU\n");
    let heard = wire.hear(std::time::Instant::now() + Duration::from_millis(40));
    assert_eq!(heard, Received::Silence);
    let length = peer.read(&mut bytes).unwrap();
    assert!(length > 0 && bytes[..length].iter().all(|&byte| byte == b'\n'));
    drop(peer);
    let heard = wire.hear(std::time::Instant::now() + Duration::from_secs(20));
    assert!(matches!(heard, Received::Closed(_)), "{heard:?}");
}

#[test]
fn bytes_that_a_terminal_obeys_do_not_come_through() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    let mut connection = CsaConnection::new(stream, None, &StopSignal::default()).unwrap();
    let evil = "LOGIN:\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}ann\tOK\u{0}\r\n";
    std::io::Write::write_all(&mut server, evil.as_bytes()).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let Received::Line(line) = connection.hear(until) else {
        panic!("a line comes");
    };
    assert_eq!(
        line,
        "LOGIN:\u{fffd}]0;owned\u{fffd}\u{fffd}2J\u{fffd}ann\tOK\u{fffd}"
    );
}
