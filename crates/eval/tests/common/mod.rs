//! Random games, the same in every run, and the law that every evaluator keeps.

mod dice;

use dice::Dice;
use tesuji_eval::{AccumulatorStack, Evaluator};
use tesuji_shogi::{Board, Change, Position};

/// Where random games begin: the usual start, a handicap, full hands, a problem without a king,
/// kings that have entered.
pub(crate) const STARTS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "7nl/6gk1/6p1p/9/9/9/9/9/9 b RB2G2S 1",
    "+P1K4g1/1+S+R6/2+N6/9/9/9/6n2/6+r1+p/1g4k2 w 2B2G3S2N4L16P 1",
];

/// Plays, passes and takes back at random, and lets `look` see some of the positions on the way,
/// so that the one who looks has to catch up.
pub(crate) fn wander(start: &str, steps: usize, seed: u64, mut look: impl FnMut(&Position, Step)) {
    let mut pos = Position::from_sfen(start).expect("a sound position");
    let mut dice = Dice(seed);
    // Of ten steps, how many go back: few, or for a while most.
    let mut backward = 2;
    for _ in 0..steps {
        let moves = pos.legal_moves();
        if dice.roll(25) == 0 {
            backward = [2, 7][dice.roll(2)];
        }
        let choice = dice.roll(10);
        if (choice < backward || moves.is_empty()) && pos.played() > 0 {
            pos.undo();
            look(&pos, Step::Back);
        } else if choice == 9 && !pos.in_check() {
            pos.pass();
            look(&pos, Step::On(Change::default()));
        } else if let Some(mv) = moves.get(dice.roll(moves.len().max(1))) {
            let change = pos.play(mv);
            look(&pos, Step::On(change));
        }
    }
}

/// A step of a random game.
pub(crate) enum Step {
    On(Change),
    Back,
}

/// What is kept move by move equals what is begun anew, in every position, however far behind.
pub(crate) fn is_kept<E: Evaluator>(eval: &E, steps: usize) {
    for (seed, start) in STARTS.iter().enumerate() {
        let mut stack = AccumulatorStack::<E>::new();
        let mut dice = Dice(seed as u64 + 99);
        // Long stretches without a look alternate with a look at every step.
        let mut patience = 1;
        wander(start, steps, seed as u64, |pos, step| {
            match step {
                Step::On(change) => stack.push(change),
                Step::Back => stack.pop(),
            }
            if dice.roll(20) == 0 {
                patience = [1, 1, 3, 9][dice.roll(4)];
            }
            if dice.roll(patience) == 0 {
                let value = stack.value(eval, pos);
                assert_eq!(value, eval.evaluate(pos), "{}", pos.to_sfen());
            }
        });
    }
}

/// The value for the side to move is the same once board and colours are turned.
pub(crate) fn is_fair<E: Evaluator>(eval: &E, steps: usize) {
    for (seed, start) in STARTS.iter().enumerate() {
        wander(start, steps, seed as u64 + 7, |pos, _| {
            let flipped = eval.evaluate(&pos.flipped());
            assert_eq!(eval.evaluate(pos), flipped, "{}", pos.to_sfen());
        });
    }
}
