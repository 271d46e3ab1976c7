//! The problems that come with the solver.

use tesuji_mate::PROBLEM_SETS;
use tesuji_shogi::Position;

/// A problem and its answer.
pub(crate) struct Problem {
    /// The set it is from.
    pub(crate) set: &'static str,
    pub(crate) pos: Position,
    pub(crate) id: String,
    pub(crate) mate: bool,
    /// Plies of the shortest mate, if known.
    pub(crate) length: Option<usize>,
}

/// Every problem of every set.
pub(crate) fn all() -> impl Iterator<Item = Problem> {
    let lines =
        |(set, text): (&'static str, &'static str)| text.lines().map(move |line| (set, line));
    let lines = PROBLEM_SETS.into_iter().flat_map(lines);
    let lines = lines.filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(set, line)| {
        let mut fields = line.split('\t');
        let sfen = fields.next().expect("a line has a position");
        let fields: Vec<_> = fields.filter_map(|field| field.split_once('=')).collect();
        let named = |name| {
            fields
                .iter()
                .find(|field| field.0 == name)
                .map(|field| field.1)
        };
        Problem {
            set,
            pos: Position::from_sfen(sfen).expect("a sound position"),
            id: named("id").expect("a name").into(),
            mate: named("expect") == Some("mate"),
            length: named("len").map(|length| length.parse().expect("a number")),
        }
    })
}
