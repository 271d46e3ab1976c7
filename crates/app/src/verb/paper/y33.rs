//! YaneuraOu team (2023): df-pn at the leaves of the main search, cheap enough to pay?

use super::report::{MIDDLE, Report, read};
use crate::answer::Failure;
use std::time::Instant;
use tesuji_engine::{SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::{NoListener, Phase, SearchControl, SearchLimits, SearchRequest};

/// Attacks near a king, where mates are about.
const ATTACKS: [&str; 3] = [
    "7nl/5kgs1/3+P1ppp1/8p/9/2R6/4P1PPP/5GSK1/7NL b BNr 1",
    "2s4+P1/k3+L+S1n1/2P+P2bp+P/1p3l2P/5PPN1/1gg1P2Pp/3GK1Srn/3B2G1L/+l+s1P1+p2N b R3Pp 251",
    "1+P1gk4/lP+N2ss2/n+R3g2P/NsP1p2+P1/1G2PpP2/pR1P1P1pl/P1S1KB2p/4L3+n/L4+pB2 b G2P 171",
];

pub(super) fn run(report: &mut Report) -> Result<(), Failure> {
    let depth = if report.is_quick() { 7 } else { 11 };
    for nodes in [0, 20, 100, 500] {
        let (mut searched, mut seconds) = (0, 0.0);
        for sfen in MIDDLE.iter().chain(&ATTACKS) {
            let settings = EvalSettings::default();
            let mut search = TournamentFactory.make(&EvalSpec::Builtin, &settings, 1, 16 << 20)?;
            search.tune("leaf_mate_nodes", nodes);
            let request = SearchRequest::new(read(sfen)).with_limits(SearchLimits::depth(depth));
            let control = SearchControl::new(Phase::Thinking, None);
            let start = Instant::now();
            searched += search.think(&request, &control, &mut NoListener).nodes;
            seconds += start.elapsed().as_secs_f64();
        }
        let what = format!("depth {depth}, {nodes} nodes of df-pn at every node");
        let then = match nodes {
            0 => "-",
            _ => "disappointing, given up",
        };
        report.row(
            what,
            then,
            format!("{searched:>9} nodes  {:>7.0} ms", seconds * 1e3),
        );
    }
    report.row(
        "the option",
        "-",
        "setoption name LeafMateNodes value N (0 is none)",
    );
    report.row(
        "the book that cannot lose",
        "2000 wins with under 2000 positions",
        "tesuji book make, docs/book.md",
    );
    report.differs("the evaluation, the search and the solver are ours");
    report.differs("whether it pays is decided by games: docs/papers.md has the match");
    Ok(())
}
