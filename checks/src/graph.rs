//! A graph of names, and the cycles in it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

/// Who depends on whom, and one reason for each.
#[derive(Debug, Default)]
pub struct Graph(BTreeMap<String, BTreeMap<String, String>>);

/// A shortest way from one name back to itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Each name with the reason why it depends on the next.
    pub steps: Vec<(String, String)>,
    /// All names that depend on each other, directly or not.
    pub knot: Vec<String>,
}

impl Graph {
    /// Says that `from` depends on `to`. The first reason is kept.
    pub fn add(&mut self, from: String, to: String, why: String) {
        self.0.entry(from).or_default().entry(to).or_insert(why);
    }

    /// Every dependency as `from to`.
    #[cfg(test)]
    pub(crate) fn edges(&self) -> Vec<String> {
        let edge = |(from, tos): (&String, &BTreeMap<String, String>)| {
            tos.keys()
                .map(|to| format!("{from} {to}"))
                .collect::<Vec<_>>()
        };
        self.0.iter().flat_map(edge).collect()
    }

    /// One cycle for every knot of names that depend on each other.
    pub fn cycles(&self) -> Vec<Cycle> {
        let reached: BTreeMap<&str, _> = self.0.keys().map(|n| (&**n, self.reached(n))).collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut cycles = Vec::new();
        for (&name, others) in &reached {
            if !others.contains(name) || seen.contains(name) {
                continue;
            }
            let back = |other: &&str| reached.get(other).is_some_and(|there| there.contains(name));
            let knot: Vec<&str> = others.iter().copied().filter(back).collect();
            seen.extend(&knot);
            let ways = knot.iter().map(|name| self.way_back(name));
            let steps = ways.min_by_key(Vec::len).expect("a knot is not empty");
            cycles.push(Cycle {
                steps,
                knot: knot.into_iter().map(str::to_owned).collect(),
            });
        }
        cycles
    }

    fn next(&self, name: &str) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .get(name)
            .into_iter()
            .flatten()
            .map(|(to, why)| (&**to, &**why))
    }

    /// All names that `start` depends on, directly or not.
    fn reached(&self, start: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = self.next(start).map(|(to, _)| to).collect();
        while let Some(name) = open.pop() {
            if found.insert(name) {
                open.extend(self.next(name).map(|(to, _)| to));
            }
        }
        found
    }

    /// A shortest way from a name that is on a cycle back to itself.
    fn way_back(&self, start: &str) -> Vec<(String, String)> {
        let mut before: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(name) = open.pop_front()
            && !before.contains_key(start)
        {
            for (to, why) in self.next(name) {
                before.entry(to).or_insert_with(|| {
                    open.push_back(to);
                    (name, why)
                });
            }
        }
        let mut steps = Vec::new();
        let mut at = start;
        while steps.is_empty() || at != start {
            let (from, why) = before[at];
            steps.push((from.to_owned(), why.to_owned()));
            at = from;
        }
        steps.reverse();
        steps
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "modules that need each other: {}", self.knot.join(", "))?;
        for (at, (from, why)) in self.steps.iter().enumerate() {
            let (to, _) = &self.steps[(at + 1) % self.steps.len()];
            writeln!(f, "  {from} needs {to}: {why}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn graph(edges: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (from, to) in edges {
            graph.add(
                (*from).to_owned(),
                (*to).to_owned(),
                format!("{from} uses {to}"),
            );
        }
        graph
    }

    #[test]
    fn a_tree_has_no_cycle() {
        assert!(
            graph(&[("a", "b"), ("a", "c"), ("b", "c")])
                .cycles()
                .is_empty()
        );
    }

    #[test]
    fn every_knot_is_told_once_by_its_shortest_cycle() {
        let edges = [
            ("a", "b"),
            ("b", "c"),
            ("c", "a"),
            ("b", "a"),
            ("x", "a"),
            ("d", "e"),
            ("e", "d"),
        ];
        let cycles = graph(&edges).cycles();
        assert_eq!(cycles.len(), 2);
        assert_eq!(cycles[0].knot, ["a", "b", "c"]);
        assert_eq!(cycles[0].steps.len(), 2);
        assert_eq!(cycles[1].knot, ["d", "e"]);
        let text = cycles[1].to_string();
        assert!(text.contains("d needs e: d uses e"), "{text}");
        assert!(text.contains("e needs d: e uses d"), "{text}");
    }
}
