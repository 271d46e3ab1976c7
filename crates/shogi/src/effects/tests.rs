use super::*;
use crate::board::Tracked;
use crate::position::Position;
use crate::rng::SplitMix64;

/// The counts as the position sees them: from the square back to the attackers.
fn plain(pos: &Position) -> ByColor<BySquare<u8>> {
    ByColor(Color::ALL.map(|color| {
        let mut counts = BySquare([0; 81]);
        for square in Square::all() {
            counts[square] = pos.attackers(color, square, pos.occupied()).len() as u8;
        }
        counts
    }))
}

fn check(tracked: &Tracked<Position, AttackCounts>) {
    assert_eq!(
        tracked.follower().counts,
        plain(tracked.board()),
        "{}",
        tracked.board().to_sfen()
    );
    assert_eq!(tracked.follower(), &AttackCounts::of(tracked.board()));
}

/// Plays forth and back at random, mostly forth, and looks after every step.
fn wander(start: Position, rng: &mut SplitMix64, steps: usize) {
    let mut tracked = Tracked::new(start, AttackCounts::default());
    check(&tracked);
    for _ in 0..steps {
        match rng.legal_move(&tracked) {
            Some(mv) if rng.roll(4) > 0 => {
                tracked.play(mv);
            }
            _ if tracked.board().played() > 0 => tracked.undo(),
            _ => {}
        }
        check(&tracked);
    }
    while tracked.board().played() > 0 {
        tracked.undo();
        check(&tracked);
    }
}

#[test]
fn follows_random_games_forth_and_back() {
    let mut rng = SplitMix64::new(1);
    for _ in 0..40 {
        wander(Position::start(), &mut rng, 400);
    }
}

#[test]
fn follows_sliders_in_the_open() {
    let sfens = [
        "4k4/9/9/2+R3+b2/9/9/3L1l3/9/4K4 b RB2L2P 1",
        "l3k3l/1r5b1/9/9/9/9/9/1B5R1/L3K3L b 2p 1",
        "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    ];
    let mut rng = SplitMix64::new(2);
    for sfen in sfens {
        for _ in 0..20 {
            wander(Position::from_sfen(sfen).unwrap(), &mut rng, 200);
        }
    }
}

#[test]
fn a_pass_changes_nothing() {
    let pos = Position::start();
    let mut counts = AttackCounts::of(&pos);
    counts.follow(&pos, &Change::default());
    counts.retrace(&pos, &Change::default());
    assert_eq!(counts, AttackCounts::of(&pos));
}
