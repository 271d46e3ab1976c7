//! What goes in comes out: nothing lost, nothing twice, games never torn apart.

use super::*;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use tesuji_record::GameResult;
use tesuji_record::samples::Sample;
use tesuji_shogi::{Board, Color, Position, Value};

/// Random games of a few plies, ply by ply; the value is the ply.
fn records(games: u64) -> Vec<DataRecord> {
    let mut records = Vec::new();
    for game in 0..games {
        let mut rng = fastrand::Rng::with_seed(game);
        let mut pos = Position::start();
        for ply in 0..20 {
            let moves = pos.legal_moves();
            let Some(mv) = moves.iter().nth(rng.usize(..moves.len())) else {
                break;
            };
            let winner = if game % 2 == 0 {
                Color::Black
            } else {
                Color::White
            };
            let sample = Sample {
                position: pos.setup().build().unwrap(),
                value: Value::new(ply),
                mv: Some(mv),
                result: Some(GameResult::Win(winner)),
                flags: 0,
            };
            records.push(DataRecord::pack(&sample).unwrap());
            pos.play(mv);
        }
    }
    records
}

fn write(path: &Path, records: &[DataRecord]) {
    let mut writer = DataWriter::create(path).unwrap();
    for record in records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap();
}

fn read(path: &Path) -> Vec<DataRecord> {
    DataReader::open(path)
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

fn counts(records: &[DataRecord]) -> HashMap<DataRecord, usize> {
    let mut counts = HashMap::new();
    for &record in records {
        *counts.entry(record).or_default() += 1;
    }
    counts
}

#[test]
fn every_format_gives_the_records_back() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(5);
    for name in ["a.psv", "a.sbinpack"] {
        let path = folder.path().join(name);
        write(&path, &records);
        assert_eq!(read(&path), records, "{name}");
    }
    // HCPE knows no plies.
    let path = folder.path().join("a.hcpe");
    write(&path, &records);
    let scores = |records: &[DataRecord]| records.iter().map(DataRecord::score).collect::<Vec<_>>();
    assert_eq!(scores(&read(&path)), scores(&records));
}

#[test]
fn a_shuffle_through_many_piles_keeps_every_record_and_moves_most() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.psv"), folder.path().join("out.psv"));
    let records = records(30);
    write(&input, &records);
    let plan = Shuffle {
        inputs: vec![input],
        seed: 3,
        memory: 100,
    };
    shuffle(&plan, &output, &mut |_| {}).unwrap();
    let shuffled = read(&output);
    assert_eq!(counts(&shuffled), counts(&records));
    let unmoved = shuffled.iter().zip(&records).filter(|(a, b)| a == b);
    assert!(unmoved.count() < records.len() / 5);
}

#[test]
fn a_split_tears_no_game_apart() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["in.psv", "train.psv", "valid.psv"].map(|name| folder.path().join(name));
    let all = records(40);
    write(&paths[0], &all);
    let plan = Split {
        inputs: vec![paths[0].clone()],
        per_mille: 250,
        seed: 1,
    };
    let (train, valid) = split(&plan, &paths[1], &paths[2]).unwrap();
    assert_eq!((train + valid) as usize, all.len());
    assert!(valid > 0 && valid < train);
    for path in &paths[1..] {
        let records = read(path);
        assert_eq!(records.len() % 20, 0, "games of twenty plies");
        assert!(records.chunks(20).all(|game| game[0].ply() == 1));
    }
}

#[test]
fn a_filter_says_why_it_leaves_something_out() {
    let filter = Filter {
        tactical: true,
        in_check: true,
        decided: Some(15),
        before_ply: 3,
        repeated: true,
    };
    let mut seen = HashSet::new();
    let mut kept: HashMap<Kept, usize> = HashMap::new();
    let records = records(50);
    for record in records.iter().chain(&records[5..6]) {
        *kept
            .entry(filter.look(record, &mut seen).unwrap())
            .or_default() += 1;
    }
    assert_eq!(kept[&Kept::Early], 100);
    assert_eq!(kept[&Kept::Decided], 250);
    assert!(kept[&Kept::Repeated] >= 1);
    assert!(kept[&Kept::Tactical] > 5);
}

#[test]
fn a_rescore_that_was_cut_off_goes_on_to_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.psv");
    write(&input, &records(3));
    let eval = tesuji_eval::AnyEval::new(tesuji_eval::Material);
    let plan = Rescore {
        eval: &eval,
        settings: "material 50".to_owned(),
        nodes: 50,
        threads: 1,
        table_bytes: 1 << 16,
    };
    let whole = folder.path().join("whole.psv");
    assert_eq!(rescore(&plan, &input, &whole, &mut |_| {}).unwrap(), 60);
    let found = read(&whole);
    assert_eq!(found.len(), 60);
    assert!(found.iter().all(|record| record.unpack().is_ok()));
    // A part with other settings is not mixed in.
    let cut = folder.path().join("cut.psv");
    let bytes = fs::read(&whole).unwrap();
    fs::write(folder.path().join("cut.psv.part"), &bytes[..40 * 20 + 7]).unwrap();
    fs::write(folder.path().join("cut.psv.settings"), "relation 50").unwrap();
    let refused = rescore(&plan, &input, &cut, &mut |_| {}).unwrap_err();
    assert!(refused.to_string().contains("relation 50"), "{refused}");
    fs::write(folder.path().join("cut.psv.settings"), "material 50").unwrap();
    rescore(&plan, &input, &cut, &mut |_| {}).unwrap();
    assert_eq!(read(&cut), found);
    assert!(!folder.path().join("cut.psv.part").exists());
}

#[test]
fn the_fit_finds_the_scale_that_made_the_results() {
    let mut record = records(1)[0];
    let (mut stats, mut rng) = (DataStats::default(), fastrand::Rng::with_seed(5));
    for _ in 0..200_000 {
        let value = rng.i32(-1500..1500);
        let chance = 1.0 / (1.0 + (-f64::from(value) / 400.0).exp());
        record.set_score(value as i16);
        record.0[38] = if rng.f64() < chance { 1 } else { -1i8 as u8 };
        stats.add(&record);
    }
    let fit = stats.fit().expect("there are values");
    assert!((fit.scale - 400.0).abs() < 15.0, "{fit:?}");
}

#[test]
fn games_of_others_are_brought_to_one_scale() {
    let scales = scales("#games\tplayer\tK\n10\tA\t300\n10\tB\t600\n9\tC\t-0\n").unwrap();
    let row = "1\tsource\tevent\t2016\tA\tB\t3000\t3000\tb\t%TORYO\t3\tstartpos moves 7g7f 3c3d 2g2f\t150 -60 -";
    let records = import_games(row, &scales, 600.0).unwrap();
    let values: Vec<_> = records
        .iter()
        .map(|r| (r.ply(), r.score(), r.result()))
        .collect();
    assert_eq!(values, [(1, 300, 1), (2, 60, -1)]);
    let wrong = super::scales("#games\tplayer\tK\n10\tA\tNaN\n").unwrap_err();
    assert_eq!(wrong.line, 2);
    assert!(import_games("1\t2", &scales, 600.0).is_err());
    let unfinished = row.replace("\tb\t", "\t-\t");
    assert_eq!(import_games(&unfinished, &scales, 600.0), Ok(Vec::new()));
    let illegal = row.replace("3c3d", "3c3e");
    assert!(
        import_games(&illegal, &scales, 600.0)
            .unwrap_err()
            .contains("illegal")
    );
}

#[test]
fn bad_files_are_refused_with_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.psv");
    let bytes: Vec<u8> = records(1).iter().flat_map(|record| record.0).collect();
    fs::write(&path, &bytes[..100]).unwrap();
    let error = DataReader::open(&path)
        .unwrap()
        .find_map(Result::err)
        .unwrap();
    assert!(
        error.to_string().contains("record 3: 20 bytes are left"),
        "{error}"
    );
    assert!(DataReader::open(&folder.path().join("x.bin")).is_err());
    assert!(DataReader::open(Path::new("/dev/null.psv")).is_err());
    assert!(DataRecord([255; 40]).unpack().is_err());
    let refused = DataWriter::create(&folder.path().join("x.pack")).err();
    let refused = refused.unwrap().to_string();
    assert!(refused.contains("psv, hcpe or sbinpack"), "{refused}");
}

#[test]
fn every_record_is_checked_and_those_before_a_bad_one_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.bin");
    // More than one block.
    let all: Vec<_> = records(20).into_iter().cycle().take(40_000).collect();
    let bytes: Vec<u8> = all.iter().flat_map(|record| record.0).collect();
    fs::write(&path, &bytes).unwrap();
    assert_eq!(read(&path), all);
    // No position, another result, another move: each is seen, with its number.
    let damages: [(usize, std::ops::Range<usize>, u8); 3] = [
        (0, 0..32, 0xff),
        (20_000, 38..39, 127),
        (39_999, 34..36, 0x7f),
    ];
    for (place, range, byte) in damages {
        let mut bytes = bytes.clone();
        bytes[40 * place..40 * place + 40][range].fill(byte);
        fs::write(&path, &bytes).unwrap();
        let mut reader = DataReader::open(&path).unwrap();
        assert_eq!(reader.by_ref().take_while(Result::is_ok).count(), place);
        let error = DataReader::open(&path).unwrap().find_map(Result::err);
        let error = error.unwrap().to_string();
        assert!(
            error.contains(&format!("record {}: ", place + 1)),
            "{error}"
        );
    }
}

#[test]
fn a_merge_copies_whole_files_and_draws_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other, out] = ["a.psv", "b.psv", "out.psv"].map(|name| folder.path().join(name));
    let (first, second) = (records(30), records(40).split_off(600));
    write(&one, &first);
    write(&other, &second);
    let part = |path: &Path, share| MergePart {
        path: path.into(),
        share,
    };
    let merged = |parts: &[MergePart]| {
        let written = merge(parts, 7, &out).unwrap();
        let found = read(&out);
        assert_eq!(written as usize, found.len());
        found
    };
    let twice = merged(&[part(&one, 2.0), part(&other, 1.0)]);
    assert_eq!(
        twice,
        [first.clone(), first.clone(), second.clone()].concat()
    );
    let some = merged(&[part(&other, 0.0), part(&one, 1.5)]);
    assert_eq!(some[..600], first);
    assert!((250..350).contains(&(some.len() - 600)), "{}", some.len());
    // In their order, so that games can still be told apart.
    assert!(some[600..].windows(2).all(|pair| pair[0] != pair[1]));
    for wrong in ["a.psv:-1", "a.psv:nan", "a.psv:inf", "a.psv:-0.5"] {
        assert!(wrong.parse::<MergePart>().is_err(), "{wrong}");
    }
    let named: MergePart = "C:a.psv".parse().unwrap();
    assert_eq!((named.path, named.share), ("C:a.psv".into(), 1.0));
}

#[test]
fn a_split_into_one_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["a.psv", "s.psv"].map(|name| folder.path().join(name));
    write(&input, &records(2));
    let plan = Split {
        inputs: vec![input],
        per_mille: 500,
        seed: 1,
    };
    let same = folder.path().join(".").join("s.psv");
    let refused = split(&plan, &output, &same).unwrap_err().to_string();
    assert!(refused.contains("cannot have this name"), "{refused}");
    assert!(!output.exists());
}

#[test]
fn a_rescore_that_cannot_begin_leaves_nothing_and_binds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [missing, input, output] =
        ["missing.psv", "in.psv", "out.psv"].map(|name| folder.path().join(name));
    let eval = tesuji_eval::AnyEval::new(tesuji_eval::Material);
    let plan = |settings: &str, threads| Rescore {
        eval: &eval,
        settings: settings.to_owned(),
        nodes: 30,
        threads,
        table_bytes: 1 << 16,
    };
    assert!(rescore(&plan("wrong", 1), &missing, &output, &mut |_| {}).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // What began and has found nothing yet gives way, too.
    write(&input, &records(2));
    fs::write(folder.path().join("out.psv.settings"), "wrong").unwrap();
    fs::write(folder.path().join("out.psv.part"), [1; 39]).unwrap();
    rescore(&plan("right", 1), &input, &output, &mut |_| {}).unwrap();
    let found = read(&output);
    assert_eq!(found.len(), 40);
    // Every position is searched by itself: threads change nothing.
    rescore(&plan("right", 3), &input, &output, &mut |_| {}).unwrap();
    assert_eq!(read(&output), found);
}

#[test]
fn leaves_are_quiet_and_keep_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in.psv", "out.psv"].map(|name| folder.path().join(name));
    // A rook that can be had for nothing; and a position in which nothing happens.
    let hanging = "4k4/9/4r4/9/9/4L4/9/9/4K4 b - 1";
    let quiet = "4k4/9/9/9/9/9/9/9/4K4 b P 1";
    let records: Vec<_> = [hanging, quiet]
        .map(|sfen| {
            let sample = Sample {
                position: Position::from_sfen(sfen).unwrap(),
                value: Value::new(700),
                mv: None,
                result: Some(GameResult::Win(Color::Black)),
                flags: 0,
            };
            DataRecord::pack(&sample).unwrap()
        })
        .into();
    write(&input, &records);
    let spec = "material".parse().unwrap();
    let eval = tesuji_eval::AnyEval::choose(&spec, &Default::default()).unwrap();
    let counts = replace_by_leaves(&eval, &input, &output, &mut |_| {}).unwrap();
    assert_eq!(
        (counts.unchanged, counts.replaced, counts.left_out),
        (1, 1, 0)
    );
    let leaves = read(&output);
    let leaf = leaves[0].unpack().unwrap();
    assert_eq!(leaf.position.turn(), Color::White);
    assert_eq!((leaves[0].score(), leaves[0].result()), (-700, -1));
    assert_eq!(leaves[0].ply(), records[0].ply());
    assert_eq!(leaves[1], records[1]);
}

#[test]
fn positions_are_drawn_from_the_trees_of_searches() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let games = records(2);
    write(&path("in.psv"), &games);
    let eval = tesuji_eval::AnyEval::new(tesuji_eval::Material);
    let draw = |name: &str, threads, seed| {
        let plan = VisitedDraw {
            eval: &eval,
            nodes: 200,
            samples: 3,
            seed,
            threads,
            table_bytes: 1 << 16,
        };
        let mut told = 0;
        let count = write_visited(&plan, &path("in.psv"), &path(name), &mut |done| told = done);
        assert_eq!((count.unwrap(), told), (120, 40));
        read(&path(name))
    };
    let drawn = draw("one.psv", 1, 1);
    assert_eq!(drawn, draw("two.psv", 2, 1), "threads change nothing");
    assert_ne!(drawn, draw("other.psv", 1, 2));
    // Most of what a search visits stands in no game; what is drawn keeps the ply of its game.
    let known: HashSet<_> = games.iter().map(DataRecord::key).collect();
    let new = drawn.iter().filter(|record| !known.contains(&record.key()));
    assert!(new.count() > 100);
    for (record, root) in drawn.chunks(3).zip(&games) {
        assert!(record.iter().all(|drawn| drawn.unpack().is_ok()));
        assert!(record.iter().all(|drawn| drawn.ply() == root.ply()));
    }
    // A record that is no position stops it, with its number, and nothing is written.
    let mut damaged = games.clone();
    damaged[30].0[..32].fill(0xff);
    let bytes: Vec<u8> = damaged.iter().flat_map(|record| record.0).collect();
    fs::write(path("damaged.psv"), bytes).unwrap();
    let plan = VisitedDraw {
        eval: &eval,
        nodes: 10,
        samples: 1,
        seed: 1,
        threads: 1,
        table_bytes: 1 << 16,
    };
    let refused = write_visited(&plan, &path("damaged.psv"), &path("no.psv"), &mut |_| {});
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("31"), "{refused}");
    assert!(!path("no.psv").exists());
}
