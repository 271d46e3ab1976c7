//! Large tables at full size: what is written is read, what is read is written, and the sums kept
//! move by move are those of the formula.
//!
//! The formula is written here a second time, plainly and from the description of the format alone.

mod common;

use common::{is_fair, is_kept, wander};
use std::fs;
use std::path::{Path, PathBuf};
use tesuji_eval::Evaluator;
use tesuji_eval::pairs::{AnyKppt, FvBin, KpptFormat, PairTables, open_kppt, synthetic};
use tesuji_kernels::MappedFile;
use tesuji_shogi::{Color, PieceKind, Position, Square};

/// A file as a table of numbers.
struct Plain {
    map: MappedFile,
    width: usize,
}

impl Plain {
    fn open(path: PathBuf, width: usize) -> Self {
        let map = MappedFile::open(&path).expect("a file that was just written");
        Self { map, width }
    }

    fn number(&self, at: usize) -> i64 {
        let bytes = &self.map.bytes()[at * self.width..(at + 1) * self.width];
        match *bytes {
            [a, b] => i16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]).into(),
            _ => unreachable!(),
        }
    }
}

/// Every piece with its owner; a number in hand instead of a square.
type Pieces = Vec<(Color, PieceKind, Result<Square, u32>)>;

fn pieces(pos: &Position) -> Pieces {
    let mut all = Vec::new();
    for square in Square::all() {
        if let Some(piece) = pos.at(square) {
            all.push((piece.color(), piece.kind(), Ok(square)));
        }
    }
    for color in Color::ALL {
        for (kind, count) in pos.hand(color).iter() {
            all.extend((1..=count).map(|nth| (color, kind, Err(nth))));
        }
    }
    all.retain(|&(_, kind, _)| kind != PieceKind::King);
    all
}

fn letter(kind: PieceKind) -> char {
    use PieceKind::*;
    match kind {
        PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver => 'G',
        Horse => 'H',
        Dragon => 'D',
        kind => kind.letter(),
    }
}

fn base(letters: &str, bases: &[[usize; 2]], kind: PieceKind, is_foe: bool) -> usize {
    bases[letters.find(letter(kind)).expect("a kind with a base")][usize::from(is_foe)]
}

const HANDS: [[usize; 2]; 7] = [
    [0, 19],
    [38, 43],
    [48, 53],
    [58, 63],
    [68, 73],
    [78, 81],
    [84, 87],
];

fn bona_pieces(pos: &Position, pov: Color) -> Vec<usize> {
    let squares = [
        [90, 171],
        [252, 333],
        [414, 495],
        [576, 657],
        [738, 819],
        [900, 981],
        [1062, 1143],
        [1224, 1305],
        [1386, 1467],
    ];
    let number = |&(color, kind, spot): &(Color, PieceKind, Result<Square, u32>)| match spot {
        Ok(square) if pov == Color::Black => {
            base("PLNSGBHRD", &squares, kind, color != pov) + square.index()
        }
        Ok(square) => base("PLNSGBHRD", &squares, kind, color != pov) + 80 - square.index(),
        Err(nth) => base("PLNSGBR", &HANDS, kind, color != pov) + nth as usize,
    };
    pieces(pos).iter().map(number).collect()
}

fn material(pos: &Position, worth: impl Fn(PieceKind) -> i64) -> i64 {
    let signed = |&(color, kind, _): &(Color, PieceKind, _)| match color {
        Color::Black => worth(kind),
        Color::White => -worth(kind),
    };
    pieces(pos).iter().map(signed).sum()
}

/// KPPT by its formula.
fn kppt(folder: &Path, format: KpptFormat) -> impl Fn(&Position) -> i64 {
    let ending = if format == KpptFormat::TwoFiles {
        ".bin"
    } else {
        "_synthesized.bin"
    };
    let named = |stem: &str| folder.join(format!("{stem}{ending}"));
    let width = if matches!(format, KpptFormat::Kppt | KpptFormat::KppKkpt) {
        4
    } else {
        2
    };
    let kk = (format != KpptFormat::TwoFiles).then(|| Plain::open(named("KK"), width));
    let kkp = Plain::open(named("KKP"), width);
    let kpp = Plain::open(named("KPP"), 2);
    move |pos| {
        let (mut board, mut turn) = (0, 0);
        let kings = Color::ALL.map(|color| pos.king(color));
        for (pov, sign) in [(Color::Black, 1), (Color::White, -1)] {
            let Some(king) = pos.king(pov) else { continue };
            let king = if sign == 1 {
                king.index()
            } else {
                80 - king.index()
            };
            let numbers = bona_pieces(pos, pov);
            for (i, p) in numbers.iter().enumerate() {
                for q in &numbers[..i] {
                    let at = (king * 1548 + p) * 1548 + q;
                    if format == KpptFormat::KppKkpt {
                        board += sign * kpp.number(at);
                    } else {
                        board += sign * kpp.number(2 * at);
                        turn += kpp.number(2 * at + 1);
                    }
                }
            }
        }
        if let [Some(black), Some(white)] = kings {
            let both = black.index() * 81 + white.index();
            if let Some(kk) = &kk {
                board += kk.number(2 * both);
                turn += kk.number(2 * both + 1);
            }
            for p in bona_pieces(pos, Color::Black) {
                board += kkp.number(2 * (both * 1548 + p));
                turn += kkp.number(2 * (both * 1548 + p) + 1);
            }
        }
        board += 32 * material(pos, kppt_worth);
        let mine = if pos.turn() == Color::Black {
            board
        } else {
            -board
        };
        (mine + turn) / 32
    }
}

fn kppt_worth(kind: PieceKind) -> i64 {
    match (kind.is_promoted(), letter(kind)) {
        (false, 'P') => 90,
        (false, 'L') => 315,
        (false, 'N') => 405,
        (false, 'S') => 495,
        (_, 'G') => 540,
        (_, 'B') => 855,
        (_, 'H') => 945,
        (_, 'R') => 990,
        _ => 1395,
    }
}

/// The table `fv.bin` by its formula.
fn fv(path: &Path) -> impl Fn(&Position) -> i64 {
    let file = Plain::open(path.to_path_buf(), 2);
    move |pos| {
        let mut sum = 32 * material(pos, fv_worth);
        for (pov, sign) in [(Color::Black, 1), (Color::White, -1)] {
            let seen = |square: Square| {
                let across = (usize::from(square.rank()) - 1) * 9 + 9 - usize::from(square.file());
                if sign == 1 { across } else { 80 - across }
            };
            let (numbers, related) = fv_pieces(pos, pov, seen);
            let Some(own) = pos.king(pov) else { continue };
            for i in &numbers {
                for j in numbers.iter().filter(|&j| j <= i) {
                    sum += sign * file.number(seen(own) * 1_090_026 + i * (i + 1) / 2 + j);
                }
            }
            let Some(foe) = pos.king(pov.foe()) else {
                continue;
            };
            for r in related {
                let at = (seen(own) * 81 + seen(foe)) * 738 + r;
                sum += sign * file.number(176_584_212 / 2 + at);
            }
        }
        (if pos.turn() == Color::Black {
            sum
        } else {
            -sum
        }) / 32
    }
}

fn fv_worth(kind: PieceKind) -> i64 {
    use PieceKind::*;
    match kind {
        Pawn => 87,
        Lance => 232,
        Knight => 257,
        Silver => 369,
        Gold => 444,
        Bishop => 569,
        Rook => 642,
        PromotedPawn => 534,
        PromotedLance => 489,
        PromotedKnight => 510,
        PromotedSilver => 495,
        Horse => 827,
        Dragon => 945,
        King => 0,
    }
}

/// The numbers of all pieces, and those of the own ones in relation to both kings.
fn fv_pieces(
    pos: &Position,
    pov: Color,
    seen: impl Fn(Square) -> usize,
) -> (Vec<usize>, Vec<usize>) {
    let squares = [
        [81, 162],
        [225, 306],
        [360, 441],
        [504, 585],
        [666, 747],
        [828, 909],
        [990, 1071],
        [1152, 1233],
        [1314, 1395],
    ];
    let related_squares = [36, 108, 171, 252, 333, 414, 495, 576, 657].map(|n| [n, n]);
    let related_hands = [0, 19, 24, 29, 34, 39, 42];
    let (mut numbers, mut related) = (Vec::new(), Vec::new());
    for (color, kind, spot) in pieces(pos) {
        if let Ok(square) = spot {
            numbers.push(base("PLNSGBHRD", &squares, kind, color != pov) + seen(square));
            if color == pov {
                related.push(base("PLNSGBHRD", &related_squares, kind, false) + seen(square));
            }
        }
    }
    for (i, letter) in "PLNSGBR".chars().enumerate() {
        let kind = PieceKind::from_letter(letter).expect("a kind that can be held");
        for color in Color::ALL {
            let count = pos.hand(color).count(kind) as usize;
            numbers.push(HANDS[i][usize::from(color != pov)] + count);
            if color == pov {
                related.push(related_hands[i] + count);
            }
        }
    }
    (numbers, related)
}

/// The formula, the sums begun anew and the sums kept move by move are one.
fn proves<T: PairTables>(tables: &T, formula: impl Fn(&Position) -> i64) {
    for (seed, start) in common::STARTS.iter().enumerate() {
        wander(start, 120, seed as u64 + 31, |pos, _| {
            let value = i64::from(tables.evaluate(pos).points());
            assert_eq!(value, formula(pos), "{}", pos.to_sfen());
        });
    }
    is_kept(tables, 300);
    is_fair(tables, 60);
}

/// The first and the second file have the same bytes.
fn same(first: &Path, second: &Path) {
    let [first, second] = [first, second].map(|path| MappedFile::open(path).expect("a file"));
    assert!(first.bytes() == second.bytes());
}

fn proves_format(format: KpptFormat, seed: u64) {
    let folder = tempfile::tempdir().expect("room for files");
    let folder = folder.path();
    synthetic::write_kppt(folder, format, seed).expect("room for files");
    let tables = open_kppt(folder).expect("files that were just written");
    assert_eq!(tables.format(), format);
    let formula = kppt(folder, format);
    match &tables {
        AnyKppt::Kppt(tables) => proves(tables, formula),
        AnyKppt::Kppt16(tables) => proves(tables, formula),
        AnyKppt::KppKkpt(tables) => proves(tables, formula),
    }
    let copies = folder.join("copies");
    fs::create_dir(&copies).expect("room for files");
    tables.write(&copies).expect("room for files");
    let mut files = 0;
    for entry in fs::read_dir(&copies).expect("a folder") {
        let copy = entry.expect("a file");
        same(&folder.join(copy.file_name()), &copy.path());
        files += 1;
    }
    assert_eq!(files, if format == KpptFormat::TwoFiles { 2 } else { 3 });
}

// One after the other: together the files of all formats would take 4 GB.
#[test]
fn every_format_of_kppt() {
    for (seed, &each) in KpptFormat::ALL.iter().enumerate() {
        proves_format(each, seed as u64);
    }
}

#[test]
fn fv_bin() {
    let folder = tempfile::tempdir().unwrap();
    let [path, copy] = ["fv.bin", "copy.bin"].map(|name| folder.path().join(name));
    synthetic::write_fv(&path, 5).unwrap();
    let table = FvBin::open(&path).unwrap();
    proves(&table, fv(&path));
    table.write(&copy).unwrap();
    same(&path, &copy);
    // Writing a table over its own file leaves it as it was.
    let before = table.evaluate(&Position::start());
    table.write(&path).unwrap();
    assert_eq!(table.evaluate(&Position::start()), before);
    same(&path, &copy);
}
