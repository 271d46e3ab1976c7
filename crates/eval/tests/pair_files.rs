//! Pair tables with a few numbers set by hand, and files that are no tables.
//!
//! The files are of full size but hollow: where nothing is written, a file system keeps nothing.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use tesuji_eval::Evaluator;
use tesuji_eval::pairs::{AnyKppt, FvBin, Kp, KpptFormat, PairError, PairTables, Pp, open_kppt};
use tesuji_shogi::{Handicap, Position, Value};

/// A file of zeros but for some bytes.
fn hollow(path: &Path, size: u64, set: &[(usize, &[u8])]) {
    let write = || {
        let mut file = File::create(path)?;
        file.set_len(size)?;
        for &(at, bytes) in set {
            file.seek(SeekFrom::Start(at as u64))?;
            file.write_all(bytes)?;
        }
        Ok::<(), std::io::Error>(())
    };
    write().expect("room for a hollow file");
}

/// A position after some moves from the start; `pass` passes.
fn after(moves: &str) -> Position {
    let mut pos = Position::start();
    for mv in moves.split_whitespace() {
        if mv == "pass" {
            pos.pass();
            continue;
        }
        let mv = mv.parse().expect("a move");
        pos.try_play(mv).expect("a legal move");
    }
    pos
}

fn value<T: PairTables>(tables: &T, pos: &Position) -> i32 {
    tables.evaluate(pos).points()
}

const KK: u64 = 52_488;
const KKP: u64 = 81_251_424;
const KPP: u64 = 776_402_496;

fn two(board: i32, turn: i32) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&board.to_le_bytes());
    bytes[4..].copy_from_slice(&turn.to_le_bytes());
    bytes
}

fn two_short(board: i16, turn: i16) -> [u8; 4] {
    let mut bytes = [0; 4];
    bytes[..2].copy_from_slice(&board.to_le_bytes());
    bytes[2..].copy_from_slice(&turn.to_le_bytes());
    bytes
}

#[test]
fn kppt_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    // Kings on 5i (44) and 5a (36).
    let kings = (44 * 81 + 36) * 8;
    hollow(&file("KK_synthesized.bin"), KK, &[(kings, &two(320, 64))]);
    // … with Black's pawn on 7f (90 + 59).
    let pawn = ((44 * 81 + 36) * 1548 + 149) * 8;
    hollow(&file("KKP_synthesized.bin"), KKP, &[(pawn, &two(-96, 10))]);
    // A king on 5i, as it sees itself, with own pawns on 7f (149) and 2g (90 + 15), either way.
    let pair = |p: usize, q: usize| ((44 * 1548 + p) * 1548 + q) * 4;
    let cell = two_short(650, 32);
    let set: [(usize, &[u8]); 2] = [(pair(149, 105), &cell), (pair(105, 149), &cell)];
    hollow(&file("KPP_synthesized.bin"), KPP, &set);
    let AnyKppt::Kppt(tables) = open_kppt(folder.path()).unwrap() else {
        panic!("the sizes say KPPT");
    };
    // Only the kings: (320 + 64) / 32, and (64 - 320) / 32 for White.
    assert_eq!(value(&tables, &after("")), 12);
    assert_eq!(value(&tables, &after("pass")), -8);
    // Board 320 - 96 + 650 = 874, turn 64 + 10 + 32 = 106: (106 - 874) / 32, (106 + 874) / 32.
    assert_eq!(value(&tables, &after("7g7f")), -24);
    assert_eq!(value(&tables, &after("7g7f pass")), 30);
    // White has the same pair, seen from its side: board 320 - 96, turn 64 + 10 + 32 + 32.
    assert_eq!(value(&tables, &after("7g7f 3c3d")), (320 - 96 + 138) / 32);
    // Values are cut off towards zero: (320 - 650 + 64 + 32) / 32 = -7.3.
    assert_eq!(value(&tables, &after("pass 3c3d")), -7);
    // The rook is worth 990, and the numbers of pairs with it were zero.
    let handicap = Position::handicap(Handicap::Rook);
    assert_eq!(value(&tables, &handicap), (-990 * 32 - 320 + 64) / 32);
}

#[test]
fn fv_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fv.bin");
    // Kings on 5i (8 * 9 + 4 = 76) and 5a (4). Black's pawn on 7f is on (6 - 1) * 9 + 2 = 47.
    let number = |n: i16| n.to_le_bytes();
    let pair = |i: usize, j: usize| (76 * 1_090_026 + i * (i + 1) / 2 + j) * 2;
    let with_itself = (pair(128, 128), number(64));
    // No pawn in Black's hand, and the pawn on 7f.
    let with_hand = (pair(128, 0), number(-32));
    let both_kings = (
        176_584_212 + ((76 * 81 + 4) * 738 + 36 + 47) * 2,
        number(1000),
    );
    let set = [&with_itself, &with_hand, &both_kings].map(|(at, bytes)| (*at, &bytes[..]));
    hollow(&path, FvBin::SIZE, &set);
    let table = FvBin::open(&path).unwrap();
    assert_eq!(value(&table, &after("")), 0);
    // (64 - 32 + 1000) / 32 = 32.25 for Black; the same for White with its pawn on 3d.
    assert_eq!(value(&table, &after("7g7f")), -32);
    assert_eq!(value(&table, &after("7g7f pass")), 32);
    assert_eq!(value(&table, &after("7g7f 3c3d")), 0);
    assert_eq!(value(&table, &after("pass 3c3d pass")), 32);
    // Without the rook, worth 642.
    assert_eq!(value(&table, &Position::handicap(Handicap::Rook)), -642);
}

#[test]
fn sizes_tell_the_sets_apart() {
    let sets: [(KpptFormat, [(&str, u64); 3]); 3] = [
        (
            KpptFormat::Kppt16,
            [
                ("KK_synthesized.bin", 26_244),
                ("KKP_synthesized.bin", 40_625_712),
                ("KPP_synthesized.bin", KPP),
            ],
        ),
        (
            KpptFormat::KppKkpt,
            [
                ("KK_synthesized.bin", KK),
                ("KKP_synthesized.bin", KKP),
                ("KPP_synthesized.bin", 388_201_248),
            ],
        ),
        (
            KpptFormat::TwoFiles,
            [("KKP.bin", 40_625_712), ("KPP.bin", KPP), ("other.bin", 1)],
        ),
    ];
    for (format, files) in sets {
        let folder = tempfile::tempdir().unwrap();
        for (name, size) in files {
            hollow(&folder.path().join(name), size, &[]);
        }
        let tables = open_kppt(folder.path()).unwrap();
        assert_eq!(tables.format(), format);
        let start = Position::start();
        let zero = match &tables {
            AnyKppt::Kppt(tables) => tables.evaluate(&start),
            AnyKppt::Kppt16(tables) => tables.evaluate(&start),
            AnyKppt::KppKkpt(tables) => tables.evaluate(&start),
        };
        assert_eq!(zero, Value::ZERO);
    }
}

fn says(error: PairError, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{text:?} says {part:?}");
    }
}

#[test]
fn bad_folders_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    says(
        open_kppt(folder.path()).unwrap_err(),
        &["KPP_synthesized.bin", "No such file"],
    );
    says(
        open_kppt(&file("none")).unwrap_err(),
        &["KPP_synthesized.bin", "No such file"],
    );
    hollow(&file("KPP_synthesized.bin"), KPP - 1, &[]);
    says(
        open_kppt(folder.path()).unwrap_err(),
        &[
            "KPP_synthesized.bin has 776402495 bytes",
            "776402496 or 388201248",
        ],
    );
    hollow(&file("KPP_synthesized.bin"), KPP, &[]);
    hollow(&file("KKP_synthesized.bin"), 0, &[]);
    says(
        open_kppt(folder.path()).unwrap_err(),
        &["KKP_synthesized.bin has 0 bytes", "81251424 or 40625712"],
    );
    hollow(&file("KKP_synthesized.bin"), KKP, &[]);
    says(
        open_kppt(folder.path()).unwrap_err(),
        &["KK_synthesized.bin", "No such file"],
    );
    hollow(&file("KK_synthesized.bin"), 26_244, &[]);
    says(
        open_kppt(folder.path()).unwrap_err(),
        &["KK_synthesized.bin has 26244", "52488"],
    );
    fs::remove_file(file("KK_synthesized.bin")).unwrap();
    fs::create_dir(file("KK_synthesized.bin")).unwrap();
    says(
        open_kppt(folder.path()).unwrap_err(),
        &["KK_synthesized.bin", "not a regular file"],
    );
}

#[test]
fn bad_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.bin");
    says(
        FvBin::open(&path).unwrap_err(),
        &["some.bin", "No such file"],
    );
    says(
        FvBin::open(folder.path()).unwrap_err(),
        &["not a regular file"],
    );
    hollow(&path, 186_268_249, &[]);
    says(
        FvBin::open(&path).unwrap_err(),
        &["some.bin has 186268249 bytes, expected 186268248"],
    );
    says(Kp::open(&path).unwrap_err(), &["expected 501568"]);
    hollow(&path, Kp::SIZE, &[]);
    says(
        Kp::open(&path).unwrap_err(),
        &["some.bin begins with [0, 0,"],
    );
    says(Pp::open(&path).unwrap_err(), &["expected 9585232"]);
    let table = Kp::from_fn(|_, _| [0, 0]);
    assert!(table.write(&folder.path().join("none/kp.bin")).is_err());
    assert!(table.write(folder.path()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1); // nothing half-written
}

#[test]
fn small_tables_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let [path, copy] = ["first.bin", "second.bin"].map(|name| folder.path().join(name));
    let pos = after("7g7f");
    // Only Black's pawn on 7f, seen from a king on 5i: -64 for White, and 3 of 32 for the turn.
    let kp = Kp::from_fn(|king, piece| {
        if (king, piece) == (44, 149) {
            [64, 96]
        } else {
            [0, 0]
        }
    });
    kp.write(&path).unwrap();
    let read = Kp::open(&path).unwrap();
    assert_eq!(value(&read, &pos), 1);
    read.write(&copy).unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(&copy).unwrap());
    // The same pawn alone, and with the pawn on 2g.
    let pp = Pp::from_fn(|p, q| match (p, q) {
        (149, 149) => [32, 0],
        (149, 105) => [-320, 0],
        _ => [0, 0],
    });
    pp.write(&path).unwrap();
    let read = Pp::open(&path).unwrap();
    assert_eq!(value(&read, &pos), 9);
    read.write(&copy).unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(&copy).unwrap());
}
