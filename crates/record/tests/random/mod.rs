//! Random games with everything a record can say, the same for the same seed.

use std::time::Duration;
use tesuji_record::{Ending, Evaluation, Game, GameCursor, NodeId, TimeControl};
use tesuji_shogi::{Board, Color, Handicap, Move, Position, Value};

/// A stream of numbers (Steele, Lea and Flood 2014).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % sides as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.roll(list.len())]
    }

    pub(crate) fn legal_move(&mut self, pos: &Position) -> Option<Move> {
        let moves = pos.legal_moves();
        moves.get(self.roll(moves.len().max(1)))
    }

    fn text(&mut self) -> String {
        const WORDS: [&str; 16] = [
            "good",
            "*",
            "**",
            "評価値=5",
            "定跡",
            "&しおり",
            "'",
            "+7776FU",
            "手",
            "depth=3",
            "\\n",
            "＊",
            "まで",
            "変化：3手",
            "#",
            "1 ７六歩(77)",
        ];
        let count = 1 + self.roll(4);
        let words: Vec<_> = (0..count).map(|_| self.pick(&WORDS)).collect();
        words.join([" ", "", "　", "\n"][self.roll(4)])
    }
}

/// A start position: mostly the usual one, sometimes a handicap, sometimes after random moves.
pub(crate) fn start(dice: &mut Dice) -> Position {
    let mut pos = match dice.roll(4) {
        0 | 1 => return Position::start(),
        2 => return Position::handicap(Handicap::ALL[dice.roll(16)]),
        _ => Position::start(),
    };
    for _ in 0..dice.roll(120) {
        match dice.legal_move(&pos) {
            Some(mv) => drop(pos.play(mv)),
            None => break,
        }
    }
    pos.setup()
        .build()
        .expect("a position reached by play is sound")
}

/// A game with variations, comments, times, evaluations and an ending.
pub(crate) fn game(seed: u64) -> Game {
    let dice = &mut Dice(seed);
    let mut cursor = GameCursor::new(Game::new(start(dice)));
    headers(dice, &mut cursor);
    remarks(dice, &mut cursor);
    let length = [5, 40, 200][dice.roll(3)];
    line(dice, &mut cursor, length);
    let mut nodes = vec![Game::ROOT];
    nodes.extend(cursor.game().main_line());
    for _ in 0..dice.roll(8) {
        let at = nodes[dice.roll(nodes.len())];
        if cursor.game()[at].ending().is_some() {
            continue;
        }
        cursor.go(at);
        let length = dice.roll(12);
        nodes.extend(line(dice, &mut cursor, length));
    }
    cursor.finish()
}

fn headers(dice: &mut Dice, cursor: &mut GameCursor) {
    let headers = &mut cursor.game_mut().headers;
    if dice.roll(2) == 0 {
        headers.players.0 = ["羽生 善治".into(), "AI, v2".into()];
    }
    if dice.roll(3) == 0 {
        headers.event = "第1回 電竜戦".into();
        headers.site = "Tokyo: 将棋会館".into();
        headers.start_time = "2026/11/15 10:00:00".into();
        headers.end_time = "2026/11/15".into();
        headers.opening = "YAGURA".into();
        headers.note = "two\nlines \\ and a backslash".into();
        headers.others.push(("備考2".into(), "何か".into()));
        headers.others.push(("rating".into(), "2500:2600".into()));
        headers.move_limit = Some(320);
        headers.declaration_points = Some(27);
    }
    let control = TimeControl {
        main: Duration::from_secs(dice.roll(10_000) as u64),
        byoyomi: Duration::from_millis(dice.roll(70_000) as u64),
        increment: Duration::from_secs(dice.roll(11) as u64),
        ..TimeControl::default()
    };
    match dice.roll(4) {
        0 => headers.set_clock(control),
        1 => headers.clocks[Color::White] = Some(control),
        _ => {}
    }
}

fn remarks(dice: &mut Dice, cursor: &mut GameCursor) {
    if dice.roll(8) == 0 {
        cursor.node().comment = dice.text();
    }
    if dice.roll(3) == 0 {
        cursor.node().time = Some(Duration::from_millis(dice.roll(5_000_000) as u64));
    }
    if dice.roll(6) == 0 {
        let mut pos = cursor.position().clone();
        let mut line = Vec::new();
        for _ in 0..dice.roll(6) {
            if let Some(mv) = dice.legal_move(&pos) {
                pos.play(mv);
                line.push(mv);
            }
        }
        cursor.node().evaluation = Some(Evaluation {
            value: Value::new(dice.roll(70_000) as i32 - 35_000),
            depth: (dice.roll(2) == 0).then(|| dice.roll(60) as u32),
            nodes: (dice.roll(2) == 0).then(|| dice.roll(1 << 40) as u64),
            line,
        });
    }
}

/// Plays on; gives the nodes that were added.
fn line(dice: &mut Dice, cursor: &mut GameCursor, length: usize) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for _ in 0..length {
        let Some(mv) = dice.legal_move(cursor.position()) else {
            break;
        };
        nodes.push(cursor.play(mv).expect("the move is legal"));
        remarks(dice, cursor);
    }
    if dice.roll(3) > 0 {
        let ending = ending(dice, cursor.position());
        nodes.push(cursor.end(ending));
        remarks(dice, cursor);
    }
    nodes
}

fn ending(dice: &mut Dice, pos: &Position) -> Ending {
    let by = Color::ALL[dice.roll(2)];
    let illegal = [0; 20].iter().find_map(|_| {
        let from = pos.pieces(pos.turn()).iter().nth(dice.roll(20))?;
        let to = tesuji_shogi::Square::new(dice.roll(81)).filter(|&to| to != from)?;
        let mv = Move::board(from, to);
        (!pos.is_legal(mv)).then_some(mv)
    });
    let made = Ending::Foul {
        by: pos.turn(),
        made: illegal,
    };
    dice.pick(&[
        Ending::Resignation,
        Ending::Interruption,
        Ending::Sealed,
        Ending::Repetition,
        Ending::Impasse,
        Ending::Draw,
        Ending::MoveLimit,
        Ending::Time,
        Ending::Foul { by, made: None },
        made,
        Ending::Declaration,
        Ending::Mate,
        Ending::NoMate,
        Ending::WonByDefault,
        Ending::LostByDefault,
        Ending::Error,
    ])
}
