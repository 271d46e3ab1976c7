//! The best lines of a search that runs, as a page is shown them: always those of one iteration, and
//! no move twice.

use tesuji_search::SearchInfo;
use tesuji_shogi::Bound;

/// The lines of the last iteration that is whole, and those of the one that runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveLines {
    /// How many lines an iteration has.
    expected: usize,
    shown: Vec<SearchInfo>,
    next: Vec<SearchInfo>,
}

impl LiveLines {
    /// No lines yet, of so many.
    pub(crate) fn new(expected: usize) -> Self {
        Self {
            expected: expected.max(1),
            ..Self::default()
        }
    }

    /// The lines to show, the best first.
    pub(crate) fn shown(&self) -> &[SearchInfo] {
        &self.shown
    }

    /// Takes what the search says; gives whether there is something new to show.
    pub(crate) fn add(&mut self, info: &SearchInfo) -> bool {
        if info.pv.is_empty() || info.multipv > self.expected {
            return false;
        }
        // A bound of the first line is news, but no line of the iteration yet.
        if info.value.bound != Bound::Exact {
            return false;
        }
        if self
            .next
            .first()
            .is_some_and(|line| line.depth != info.depth)
        {
            self.next.clear();
        }
        self.next
            .retain(|line| line.multipv != info.multipv && line.pv[0] != info.pv[0]);
        self.next.push(info.clone());
        if self.next.len() < self.expected && !self.shown.is_empty() {
            return false;
        }
        self.next.sort_by_key(|line| line.multipv);
        self.shown.clone_from(&self.next);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tesuji_search::Bounded;
    use tesuji_shogi::Value;

    fn info(depth: u32, multipv: usize, mv: &str, bound: Bound) -> SearchInfo {
        SearchInfo {
            depth,
            seldepth: depth,
            multipv,
            value: Bounded {
                value: Value::ZERO,
                bound,
            },
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![mv.parse().unwrap()],
        }
    }

    #[test]
    fn iterations_are_never_mixed_and_no_move_stands_twice() {
        let mut lines = LiveLines::new(2);
        let exact = Bound::Exact;
        assert!(lines.add(&info(1, 1, "7g7f", exact)), "something at once");
        assert!(lines.add(&info(1, 2, "2g2f", exact)));
        // The next iteration finds the second move to be the best.
        assert!(!lines.add(&info(2, 1, "2g2f", Bound::Lower)));
        assert!(!lines.add(&info(2, 1, "2g2f", exact)));
        let shown = |lines: &LiveLines| -> Vec<_> {
            let lines = lines.shown().iter();
            lines
                .map(|line| (line.depth, line.pv[0].to_string()))
                .collect()
        };
        assert_eq!(shown(&lines), [(1, "7g7f".into()), (1, "2g2f".into())]);
        assert!(lines.add(&info(2, 2, "7g7f", exact)));
        assert_eq!(shown(&lines), [(2, "2g2f".into()), (2, "7g7f".into())]);
        assert!(!lines.add(&info(2, 3, "5g5f", exact)), "not asked for");
    }
}
