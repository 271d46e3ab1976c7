use super::*;
use tesuji_shogi::{Bound, Move, Value};

fn entry(depth: i32, value: i32) -> TtEntry {
    TtEntry {
        mv: Some("7g7f".parse().unwrap()),
        value: Some((Value::new(value), Bound::Lower)),
        eval: Some(Value::new(-value)),
        depth,
        is_pv: depth % 2 == 0,
    }
}

/// Numbers without a pattern that are always the same.
fn scattered(n: u64) -> u64 {
    let x = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 31
}

#[test]
fn what_is_packed_is_unpacked() {
    let moves = [
        None,
        Some("8h2b+".parse().unwrap()),
        Some("P*5e".parse().unwrap()),
    ];
    let bounds = [Bound::Lower, Bound::Upper, Bound::Exact];
    for (n, mv) in moves.into_iter().cycle().take(3000).enumerate() {
        let random = scattered(n as u64);
        let points = (random % 64_003) as i32 - 32_001;
        let entry = TtEntry {
            mv,
            value: (random >> 20 & 1 == 1).then(|| (Value::new(points), bounds[n % 3])),
            eval: (random >> 21 & 1 == 1).then(|| Value::new(-points)),
            depth: (random >> 32) as i32 % 240 - 6,
            is_pv: random >> 22 & 1 == 1,
        };
        let entry = TtEntry {
            depth: entry.depth.max(-7),
            ..entry
        };
        let word = entry.pack((n % 32) as u8);
        assert_eq!(TtEntry::unpack(word), Some(entry));
        assert_eq!(entry::generation_of(word), (n % 32) as u8);
    }
    assert_eq!(TtEntry::unpack(0), None);
}

#[test]
fn finds_what_was_stored_and_nothing_else() {
    let table = TranspositionTable::new(1 << 20).unwrap();
    for n in 0..2000 {
        table.store(Key(scattered(n)), entry((n % 30) as i32, n as i32));
    }
    for n in 0..2000 {
        let follow_pv = entry((n % 30) as i32, n as i32);
        assert_eq!(table.probe(Key(scattered(n))), Some(follow_pv), "{n}");
        assert_eq!(table.probe(Key(scattered(n + 5000))), None, "{n}");
    }
    table.clear(2);
    assert_eq!(table.probe(Key(scattered(3))), None);
}

#[test]
fn a_full_bucket_loses_the_shallowest_and_the_oldest_first() {
    let table = TranspositionTable::new(64).unwrap();
    let key = |n: u64| Key(n);
    for n in 0..6 {
        table.store(key(n + 1), entry(10 + n as i32, 1));
    }
    table.store(key(100), entry(5, 1));
    assert_eq!(table.probe(key(1)), None, "the shallowest makes room");
    assert!(table.probe(key(2)).is_some());
    table.new_search();
    table.store(key(6), entry(15, 2));
    table.store(key(200), entry(1, 1));
    assert!(table.probe(key(200)).is_some());
    assert!(table.probe(key(6)).is_some());
}

#[test]
fn the_same_position_keeps_its_move_and_its_deeper_search() {
    let table = TranspositionTable::new(1 << 10).unwrap();
    let key = Key(0x1234_5678_9abc_def0);
    table.store(key, entry(20, 100));
    table.store(
        key,
        TtEntry {
            mv: None,
            ..entry(3, 7)
        },
    );
    assert_eq!(table.probe(key), Some(entry(20, 100)));
    table.store(
        key,
        TtEntry {
            mv: None,
            ..entry(18, 7)
        },
    );
    assert_eq!(table.probe(key), Some(entry(18, 7)), "the move is kept");
    table.new_search();
    table.store(key, entry(1, 9));
    assert_eq!(table.probe(key), Some(entry(1, 9)));
}

/// Two threads hammer the same few buckets; whatever is found must have been stored for that key.
#[test]
fn torn_entries_are_never_found() {
    let table = TranspositionTable::new(4 * 64).unwrap();
    let rounds = if cfg!(miri) { 300 } else { 200_000 };
    let sound = |n: u64| {
        let keys = scattered(n % 64);
        (Key(keys), entry((keys % 20) as i32, (keys % 1000) as i32))
    };
    std::thread::scope(|scope| {
        for thread in 0..2u64 {
            let table = &table;
            scope.spawn(move || {
                for round in 0..rounds {
                    let (key, entry) = sound(scattered(round * 2 + thread));
                    table.store(key, entry);
                    let (key, entry) = sound(scattered(round * 3 + thread));
                    if let Some(found) = table.probe(key) {
                        assert_eq!(found, entry);
                    }
                }
            });
        }
    });
    let _: Option<Move> = table.probe(Key(1)).and_then(|entry| entry.mv);
}

/// How many bytes of the process are in memory; counted by the kernel.
#[cfg(target_os = "linux")]
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: usize = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes << 10
}

#[cfg(target_os = "linux")]
#[test]
fn who_touches_a_table_has_all_of_its_pages() {
    let bytes = 256 << 20;
    let table = TranspositionTable::new(bytes).unwrap();
    let before = resident_bytes();
    table.touch(1, &|| false);
    let gained = resident_bytes().saturating_sub(before);
    assert!(gained > bytes / 4 * 3, "{gained} of {bytes} bytes");
}
