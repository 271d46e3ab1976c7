//! The problems that come with the solver: what its tests solve, and what `tesuji bench mate` times.

/// Sets of problems, each with its name and its text: on every line a position in SFEN and, behind
/// tabs, `id=` with its name, `expect=mate` or `expect=nomate`, and `len=` with the plies of the shortest
/// mate if it is known. Lines that begin with `#` say where the set comes from.
///
/// ```
/// let names = tesuji_mate::PROBLEM_SETS.map(|(name, _)| name);
/// assert_eq!(names, ["games", "special", "classics"]);
/// ```
pub const PROBLEM_SETS: [(&str, &str); 3] = [
    ("games", include_str!("../problems/games.sfen")),
    ("special", include_str!("../problems/special.sfen")),
    ("classics", include_str!("../problems/classics.sfen")),
];
