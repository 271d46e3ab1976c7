//! Times the peers side by side: the medians of several interleaved rounds.
//!
//! `peers [--rounds N] [--deep] [--mates FILE]...`: `--deep` adds perft 6 and festival perft 4; the files hold one
//! SFEN a line for the mate-in-one figures. Counts that every library must agree on are checked
//! at each timing.

use std::env;
use std::fs;
use std::time::Instant;

use peers::Peer;
use peers::haitaka::Haitaka;
use peers::rsshogi::Rsshogi;
use peers::tesuji::Tesuji;

/// Name, SFEN, number of legal moves.
const POSITIONS: [(&str, &str, u64); 3] = [
    (
        "start",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        30,
    ),
    (
        "festival",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        207,
    ),
    (
        "593 moves",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        593,
    ),
];

/// Index into `POSITIONS`, depth, leaves.
const PERFTS: [(usize, u32, u64); 4] =
    [(0, 5, 19_861_490), (0, 6, 547_581_517), (1, 3, 4_809_015), (1, 4, 516_925_165)];

/// Moves written, counted or played in one timing of a position.
const MOVES_PER_TIMING: u64 = 20_000_000;

/// One cell of the table: what it is called, its unit, and how to time it once.
struct Cell {
    name: String,
    unit: &'static str,
    time: Box<dyn FnMut() -> f64>,
}

fn main() -> Result<(), String> {
    let options = Options::from_args()?;
    let mut columns = [
        (Tesuji::NAME, cells::<Tesuji>(&options)?),
        (Rsshogi::NAME, cells::<Rsshogi>(&options)?),
        (Haitaka::NAME, cells::<Haitaka>(&options)?),
    ];
    print_table(&mut columns, options.rounds);
    Ok(())
}

/// What the command line asks for.
struct Options {
    rounds: usize,
    deep: bool,
    mate_files: Vec<(String, Vec<String>)>,
}

impl Options {
    fn from_args() -> Result<Self, String> {
        let mut options = Self {
            rounds: 7,
            deep: false,
            mate_files: Vec::new(),
        };
        let mut args = env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--rounds" => {
                    options.rounds = value()?.parse().map_err(|e| format!("--rounds: {e}"))?;
                }
                "--deep" => options.deep = true,
                "--mates" => {
                    let path = value()?;
                    let text = fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
                    let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
                    options
                        .mate_files
                        .push((name, text.lines().map(str::to_owned).collect()));
                }
                _ => return Err(format!("unknown argument {arg}")),
            }
        }
        if options.rounds == 0 {
            return Err("--rounds must be at least 1".to_owned());
        }
        Ok(options)
    }
}

/// Every timing of one peer, in the order of the table.
fn cells<P: Peer + 'static>(options: &Options) -> Result<Vec<Cell>, String> {
    type Perft<P> = fn(&mut <P as Peer>::Position, u32) -> u64;
    let mut cells = Vec::new();

    for (how, perft) in [
        ("counted", P::perft as Perft<P>),
        ("listed", P::perft_listed),
        ("played", P::perft_played),
    ] {
        for (index, depth, leaves) in PERFTS {
            if leaves > 100_000_000 && (!options.deep || how == "played") {
                continue;
            }
            let (name, sfen, _) = POSITIONS[index];
            let mut position = P::parse(sfen)?;
            cells.push(Cell {
                name: format!("perft {depth} {name}, {how}"),
                unit: "ms",
                time: Box::new(move || 1e3 * seconds_for(leaves, || perft(&mut position, depth))),
            });
        }
    }

    type Generate<P> = fn(&<P as Peer>::Position, u32) -> u64;
    for (how, generate) in [("list", P::list as Generate<P>), ("count", P::count)] {
        for (name, sfen, legal) in POSITIONS {
            let position = P::parse(sfen)?;
            let n = repeats(legal);
            cells.push(Cell {
                name: format!("{how} {name}"),
                unit: "M/s",
                time: Box::new(move || {
                    let expected = u64::from(n) * legal;
                    f64::from(n) / 1e6 / seconds_for(expected, || generate(&position, n))
                }),
            });
        }
    }

    for (name, sfen, legal) in POSITIONS {
        let mut position = P::parse(sfen)?;
        let rounds = repeats(legal);
        cells.push(Cell {
            name: format!("play+undo {name}"),
            unit: "ns",
            time: Box::new(move || {
                let moves = u64::from(rounds) * legal;
                1e9 * seconds_for(moves, || P::play_undo(&mut position, rounds)) / moves as f64
            }),
        });
    }

    for (name, sfens) in &options.mate_files {
        let positions: Result<Vec<_>, _> = sfens.iter().map(|sfen| P::parse(sfen)).collect();
        let mut positions = positions?;
        let found = P::mates_in_one(&mut positions);
        let figure = found.map_or(f64::NAN, |found| found as f64);
        cells.push(Cell {
            name: format!("mates in one found, {name} ({})", positions.len()),
            unit: "",
            time: Box::new(move || figure),
        });
        cells.push(Cell {
            name: format!("mate in one, {name}"),
            unit: "M/s",
            time: Box::new(move || {
                found.map_or(f64::NAN, |found| {
                    mates_per_microsecond::<P>(&mut positions, found)
                })
            }),
        });
    }
    Ok(cells)
}

/// How often a position with this many moves is generated in one timing.
fn repeats(legal: u64) -> u32 {
    u32::try_from(MOVES_PER_TIMING / legal).expect("MOVES_PER_TIMING fits into 32 bits")
}

fn mates_per_microsecond<P: Peer>(positions: &mut [P::Position], found: u64) -> f64 {
    const PASSES: u64 = 100;
    let seconds = seconds_for(PASSES * found, || {
        (0..PASSES).filter_map(|_| P::mates_in_one(positions)).sum()
    });
    PASSES as f64 * positions.len() as f64 / 1e6 / seconds
}

/// Runs once, insists on the expected count, returns the time it took.
fn seconds_for(expected: u64, run: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let count = run();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(count, expected, "a peer counts otherwise than expected");
    seconds
}

/// Times all cells round by round, the peers taking turns, and prints the medians.
fn print_table(columns: &mut [(&str, Vec<Cell>)], rounds: usize) {
    let rows = columns
        .iter()
        .map(|(_, cells)| cells.len())
        .min()
        .unwrap_or(0);
    let mut figures = vec![vec![Vec::with_capacity(rounds); columns.len()]; rows];
    for _ in 0..rounds {
        for (row, figures) in figures.iter_mut().enumerate() {
            for ((_, cells), figures) in columns.iter_mut().zip(figures) {
                figures.push((cells[row].time)());
            }
        }
    }

    let name_of = |row: usize| &columns[0].1[row].name;
    let width = (0..rows).map(|row| name_of(row).len()).max().unwrap_or(0);
    print!("{:width$}     ", "");
    for (name, _) in columns.iter() {
        print!(" {name:>10}");
    }
    println!();
    for (row, figures) in figures.iter_mut().enumerate() {
        print!("{:width$}  {:>3}", name_of(row), columns[0].1[row].unit);
        for figures in figures {
            match median(figures) {
                figure if figure.is_nan() => print!(" {:>10}", "–"),
                figure if columns[0].1[row].unit.is_empty() => print!(" {figure:>10}"),
                figure => print!(" {figure:>10.2}"),
            }
        }
        println!();
    }
    println!("median of {rounds} rounds, the libraries taking turns");
}

fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
