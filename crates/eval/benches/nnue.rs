//! Nanoseconds per evaluation of networks, on every instruction set of this machine.
//!
//! `cargo bench -p tesuji-eval --bench nnue -- --games GAMES NETWORK…`, where each line of GAMES is
//! `startpos moves …`; without it the games are random. Four columns: a position on its own, each
//! position of a game after the one before, every move of a position after that position (as in a
//! search), and the layers above the first alone.

use std::hint::black_box;
use std::time::SystemTime;
use tesuji_eval::nnue::{File, Network, NetworkVisitor, enter};
use tesuji_eval::{Evaluator, Line};
use tesuji_kernels::{Isa, IsaVisitor, Level};
use tesuji_shogi::{Board, Move, Position};

type Game = Vec<Move>;

fn main() {
    let mut arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let games = match arguments.iter().position(|a| a == "--games") {
        Some(at) => read_games(&arguments.drain(at..at + 2).nth(1).expect("a file of games")),
        None => (1..=50).map(random_game).collect(),
    };
    println!("network\tset\tfresh\tgame\tmoves\tlayers\t(ns per evaluation)");
    for path in &arguments {
        let bytes = std::fs::read(path).expect("a readable file");
        let file = File::read(&bytes).expect("a network");
        for level in Level::ALL {
            let shown = level.enter(Load {
                file: &file,
                games: &games,
            });
            if let Ok((name, row)) = shown {
                let cells = row.map(|ns| format!("{ns:.1}")).join("\t");
                println!(
                    "{}-{}\t{name}\t{cells}",
                    file.shape.features.name, file.shape.width
                );
            }
        }
    }
}

fn read_games(path: &str) -> Vec<Game> {
    let text = std::fs::read_to_string(path).expect("a readable file of games");
    let games = text.lines().filter_map(|line| line.split_once("moves "));
    let read = |mv: &str| mv.parse().expect("a move");
    games
        .map(|(_, moves)| moves.split(' ').map(read).collect())
        .take(200)
        .collect()
}

fn random_game(seed: u64) -> Game {
    let (mut pos, mut state, mut game) = (Position::start(), seed, Vec::new());
    while let Some(count @ 1..) = Some(pos.legal_moves().len()).filter(|_| game.len() < 150) {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let mv = pos
            .legal_moves()
            .get((state >> 33) as usize % count)
            .expect("a move");
        pos.play(mv);
        game.push(mv);
    }
    game
}

struct Load<'a> {
    file: &'a File,
    games: &'a [Game],
}

impl IsaVisitor for Load<'_> {
    type Out = (&'static str, [f64; 4]);
    fn visit<I: Isa>(self, isa: I) -> Self::Out {
        let row = enter(self.file.clone(), isa, Measure(self.games));
        (I::NAME, row.expect("a supported width"))
    }
}

struct Measure<'a>(&'a [Game]);

impl NetworkVisitor for Measure<'_> {
    type Out = [f64; 4];
    fn visit<const N: usize, I: Isa>(self, eval: Network<N, I>) -> [f64; 4] {
        let games = self.0;
        let best = |f: &dyn Fn() -> f64| (0..5).map(|_| f()).fold(f64::MAX, f64::min);
        [
            best(&|| along(games, |pos| eval.fresh(pos).points()) - along(games, |_| 0)),
            best(&|| along_line(&eval, games) - along(games, |_| 0)),
            best(&|| siblings(games, Some(&eval)) - siblings::<Network<N, I>>(games, None)),
            best(&|| layers(&eval, games)),
        ]
    }
}

/// How long this thread has run, in nanoseconds, where the system tells; otherwise what the clock
/// says. Other programs on the machine then disturb less.
fn now() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = told.and_then(|text| text.split(' ').next()?.parse().ok());
    ran.unwrap_or_else(|| {
        let epoch = SystemTime::UNIX_EPOCH.elapsed();
        epoch.expect("a clock after 1970").as_nanos() as f64
    })
}

/// Time per position of games in which each position is looked at.
fn along(games: &[Game], mut look: impl FnMut(&Position) -> i32) -> f64 {
    let (begin, mut count, mut sum) = (now(), 0, 0);
    for game in games {
        let mut pos = Position::start();
        for &mv in game {
            black_box(pos.play(mv));
            sum += look(&pos);
            count += 1;
        }
    }
    black_box(sum);
    (now() - begin) / f64::from(count)
}

fn along_line<E: Evaluator>(eval: &E, games: &[Game]) -> f64 {
    let mut line = Line::<E>::new();
    let (begin, mut count, mut sum) = (now(), 0, 0);
    for game in games {
        let mut pos = Position::start();
        line.restart();
        for &mv in game {
            line.push(pos.play(mv));
            sum += line.value(eval, &pos).points();
            count += 1;
        }
    }
    black_box(sum);
    (now() - begin) / f64::from(count)
}

/// Time per legal move of the positions of some games, evaluated or only played.
fn siblings<E: Evaluator>(games: &[Game], eval: Option<&E>) -> f64 {
    let mut line = Line::<E>::new();
    let (begin, mut count, mut sum) = (now(), 0, 0);
    for game in games.iter().take(20) {
        let mut pos = Position::start();
        line.restart();
        for &mv in game {
            line.push(pos.play(mv));
            eval.inspect(|eval| sum += line.value(eval, &pos).points());
            let moves = pos.legal_moves();
            for mv in moves.iter() {
                line.push(pos.play(mv));
                eval.inspect(|eval| sum += line.value(eval, &pos).points());
                line.pop();
                pos.undo();
            }
            count += moves.len();
        }
    }
    black_box(sum);
    (now() - begin) / count as f64
}

/// Time of the layers above the first, on sums that are known.
fn layers<E: Evaluator>(eval: &E, games: &[Game]) -> f64 {
    let mut known = Vec::new();
    for game in games.iter().take(20) {
        let mut pos = Position::start();
        for &mv in game {
            pos.play(mv);
            if pos.ply().is_multiple_of(16) {
                known.push((pos.clone(), eval.halves(&pos)));
            }
        }
    }
    let (begin, rounds) = (now(), 50);
    for _ in 0..rounds {
        for (pos, halves) in &known {
            black_box(eval.read(pos, black_box(halves)));
        }
    }
    (now() - begin) / (rounds * known.len()) as f64
}
