//! Playing below one's strength, like a person rather than like a die.
//!
//! A weak player sees less far and is content with a move that looks about as good as the best.
//! Levels from 0 to 20 and the choice among four lines are Stockfish's; how it chooses is ours.

use super::root_move::RootMove;

/// The highest level: everything one has.
const FULL: u32 = 20;

/// How a limited skill level searches and chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Skill {
    level: u32,
}

impl Skill {
    /// `None` at full strength.
    pub(super) fn new(level: Option<u32>) -> Option<Self> {
        let level = level?;
        (level < FULL).then_some(Self { level })
    }

    /// How many nodes it may look at: from a glance to a good look. Among the weakest the choice of
    /// the move hides half of what more nodes are worth, so they need to differ by more.
    pub(super) fn nodes(self) -> u64 {
        let level = self.level as i32;
        let (low, high) = (level.min(4), (level - 4).max(0));
        (150.0 * 1.6f64.powi(low) * 1.4f64.powi(high)) as u64
    }

    /// How many points worse a move may be and still be chosen about a third as often as the best.
    fn slack(self) -> f64 {
        f64::from(12 * (FULL - self.level))
    }

    /// How many lines it compares.
    pub(super) const LINES: usize = 4;

    /// Chooses among the lines found: the worse a move, the less likely it is, by how strong the
    /// player is. The same seed gives the same choice.
    pub(super) fn choose(self, moves: &[RootMove], seed: u64) -> Option<&RootMove> {
        let lines = &moves[..moves.len().min(Self::LINES)];
        let best = lines.first()?;
        let slack = self.slack();
        let weight = |m: &RootMove| {
            let behind = f64::from(
                (best.last_value() - m.last_value())
                    .points()
                    .clamp(0, 30_000),
            );
            (-behind / slack).exp()
        };
        let total: f64 = lines.iter().map(weight).sum();
        let mut left = (scattered(seed) >> 11) as f64 / (1u64 << 53) as f64 * total;
        for line in lines {
            left -= weight(line);
            if left <= 0.0 {
                return Some(line);
            }
        }
        Some(best)
    }
}

fn scattered(n: u64) -> u64 {
    let x = n
        .wrapping_add(0x9e37_79b9_7f4a_7c15)
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ x >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) ^ x >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_shogi::Value;

    fn moves() -> Vec<RootMove> {
        let mut list: Vec<_> = ["7g7f", "2g2f", "9g9f"]
            .map(|m| RootMove::new(m.parse().unwrap()))
            .into();
        for (root_move, points) in list.iter_mut().zip([50, 20, -900]) {
            root_move.value = Value::new(points);
        }
        list
    }

    #[test]
    fn the_best_is_played_most_and_blunders_seldom() {
        let list = moves();
        for (level, least) in [(0, 450), (10, 500), (19, 750)] {
            let skill = Skill::new(Some(level)).unwrap();
            let mut counts = [0; 3];
            for n in 0..1000 {
                let mv = skill.choose(&list, n).unwrap().mv();
                counts[list.iter().position(|m| m.mv() == mv).unwrap()] += 1;
            }
            assert!(
                counts[0] >= least && counts[0] > counts[1],
                "{level}: {counts:?}"
            );
            assert!(counts[2] < 100, "{level}: {counts:?}");
        }
        assert_eq!(Skill::new(Some(20)), None);
        assert_eq!(Skill::new(None), None);
    }

    #[test]
    fn more_skill_looks_at_more() {
        let nodes = |level| Skill::new(Some(level)).unwrap().nodes();
        assert!((0..19).all(|level| nodes(level) < nodes(level + 1)));
    }
}
