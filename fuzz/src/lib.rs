//! What must hold in every position, whoever put it there.
#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::io::Error;
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tesuji_eval::{AccumulatorStack, Evaluator};
use tesuji_shogi::Mailbox;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::board::fresh_key;
use tesuji_shogi::{Board, Count, Move, MoveList, Position, Square, movegen};

/// The bytes of the fuzzer, handed out one by one; zeros once they are used up.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.some().unwrap_or(0)
    }

    /// The next byte, if there is one.
    pub fn some(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }
}

/// The moves of a generator, sorted.
fn sorted(generate: impl FnOnce(&mut MoveList) -> ControlFlow<()>) -> Vec<Move> {
    let mut list = MoveList::new();
    let _ = generate(&mut list);
    list.sorted()
}

/// Whether the piece of the side to move on a square is attacked, and after a move no more.
fn saves(pos: &Position, square: Square, mv: Move) -> bool {
    let (own, foe) = (pos.turn(), pos.turn().foe());
    let stands = if mv.from() == Some(square) {
        mv.to()
    } else {
        square
    };
    pos.pieces(own).has(square)
        && pos.is_attacked(foe, square)
        && pos
            .clone()
            .after(mv, |pos, _| !pos.is_attacked(foe, stands))
}

/// Every generator agrees with the list of legal moves, and the list with the plain board and with
/// `is_legal`.
pub fn generators_agree(pos: &Position) {
    let legal = sorted(|list| movegen::legal(pos, list));
    assert!(
        legal.windows(2).all(|pair| pair[0] < pair[1]),
        "a move comes twice"
    );

    assert_eq!(Mailbox::from(pos).legal_moves().sorted(), legal);
    assert_eq!(ScanBoard::from(pos).legal_moves().sorted(), legal);

    let mut count = Count::default();
    let _ = movegen::legal(pos, &mut count);
    assert_eq!(count.0, legal.len());
    assert_eq!(movegen::has_legal_move(pos), !legal.is_empty());

    let parts = sorted(|list| {
        movegen::captures(pos, list)?;
        movegen::promotions(pos, list)?;
        movegen::quiet(pos, list)
    });
    assert_eq!(
        parts, legal,
        "captures, promotions and quiet moves share the legal ones"
    );

    let only = |wanted: &dyn Fn(Move) -> bool| -> Vec<Move> {
        legal.iter().copied().filter(|&mv| wanted(mv)).collect()
    };
    let drops = only(&|mv| mv.is_drop());
    assert_eq!(sorted(|list| movegen::drops(pos, list)), drops);

    let checks = only(&|mv| pos.clone().after(mv, |pos, _| pos.in_check()));
    assert_eq!(sorted(|list| movegen::checks(pos, list)), checks);

    let better = sorted(|list| movegen::legal_without_worse(pos, list));
    assert!(better.iter().all(|mv| legal.contains(mv)));
    for mv in only(&|mv| !better.contains(&mv)) {
        let twin = mv.from().map(|from| Move::promotion(from, mv.to()));
        assert!(
            twin.is_some_and(|twin| pos.is_legal(twin)),
            "{mv} is not worse than anything"
        );
    }

    // One square, and one of seven shares of all forms of moves: which ones, the position says.
    let share = pos.key().0;
    if let Some(square) = Square::new((share % 81) as usize) {
        let landing = only(&|mv| mv.to() == square);
        assert_eq!(sorted(|list| movegen::to(pos, square, list)), landing);
        let saving = only(&|mv| saves(pos, square, mv));
        assert_eq!(sorted(|list| movegen::escapes(pos, square, list)), saving);
    }
    for bits in ((share % 7) as u16..=u16::MAX).step_by(7) {
        if let Some(mv) = Move::from_bits(bits) {
            assert_eq!(pos.is_legal(mv), legal.binary_search(&mv).is_ok(), "{mv}");
        }
    }
    assert!(legal.iter().all(|&mv| pos.is_legal(mv)));

    let turned = pos.flipped();
    let mut mirrored = sorted(|list| movegen::legal(&turned, list));
    mirrored.iter_mut().for_each(|mv| *mv = mv.rotated());
    mirrored.sort_unstable();
    assert_eq!(mirrored, legal, "the board turned round has the same moves");
}

/// What is kept move by move equals what is found anew.
pub fn kept_equals_fresh(pos: &Position) {
    assert_eq!(pos.key(), fresh_key(pos));
    let sfen = pos.to_sfen_without_ply();
    let anew = Position::from_sfen(&sfen).expect("what was written can be read");
    assert_eq!(anew.to_sfen_without_ply(), sfen);
    assert_eq!(anew.identity(), pos.identity());
    assert_eq!(anew.checkers(), pos.checkers());
    assert_eq!(anew.pinned(), pos.pinned());
    assert_eq!(anew.setup().board, pos.setup().board);
}

/// Playing and taking back restores everything.
pub fn every_move_comes_back(pos: &Position) {
    let mut copy = pos.clone();
    for mv in pos.legal_moves().iter() {
        let change = copy.play(mv);
        assert_eq!(change, pos.change(mv));
        assert_eq!(copy.key(), fresh_key(&copy));
        copy.undo();
        assert_eq!(copy.key(), pos.key());
    }
    assert_eq!(&copy, pos);
}

/// A folder for the files of one input; gone with it.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tesuji-{name}-{}", std::process::id()));
        // Left over by an input that failed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file of so many zeros, but for one part that a pattern fills over and over.
    pub fn hollow(&self, name: &str, size: u64, part: std::ops::Range<u64>, pattern: &[u8]) {
        let write = || {
            let file = File::create(self.0.join(name))?;
            file.set_len(size)?;
            let length = part.end.min(size).saturating_sub(part.start) as usize;
            let mut filling = pattern.repeat(length.div_ceil(pattern.len()));
            filling.truncate(length);
            file.write_all_at(&filling, part.start)?;
            Ok::<(), Error>(())
        };
        write().expect("room for a hollow file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is wrong with a file is said in a few words.
pub fn complains(error: &impl std::error::Error) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() < 4000, "{message}");
}

/// An evaluator gives the positions of a game the same values move by move as from nothing.
pub fn judges_alike<E: Evaluator>(eval: &E, bytes: &mut Bytes<'_>) {
    let (mut pos, mut stack) = (Position::start(), AccumulatorStack::<E>::new());
    loop {
        assert_eq!(stack.value(eval, &pos), eval.evaluate(&pos));
        let moves = pos.legal_moves();
        let Some(choice) = bytes.some().filter(|_| !moves.is_empty()) else {
            return;
        };
        let mv = moves.get(usize::from(choice) % moves.len());
        stack.push(pos.play(mv.expect("within the list")));
    }
}
