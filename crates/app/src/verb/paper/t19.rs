//! Tenuki (2019): what a table of best moves is worth, alone and shared by threads; and whether a turn
//! term in the evaluation makes quiescence unnecessary.

use super::report::{MIDDLE, Report, read};
use crate::answer::Failure;
use std::time::{Duration, Instant};
use tesuji_engine::{SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::players::{PastPlayer, PlayerParts, TableName};
use tesuji_search::{NoListener, Phase, SearchControl, SearchLimits, SearchRequest};
use tesuji_shogi::Value;

const TABLE: usize = 16 << 20;

pub(super) fn run(report: &mut Report) -> Result<(), Failure> {
    let depth = if report.is_quick() { 4 } else { 6 };
    let eval = EvalSpec::Relation;
    for threads in [1, 2] {
        for &table in TableName::ALL {
            let parts = PlayerParts {
                table: Some(table),
                ..PastPlayer::Tenuki2019.parts()
            };
            let (nodes, time) = search_all(&parts, &eval, depth, threads)?;
            let what = format!("depth {depth}, {threads} thread(s), table {table}: nodes and time");
            let then = match (table, threads) {
                (TableName::BestMove, 1) => "used",
                (TableName::BestMove, _) => "the open question",
                _ => "-",
            };
            let now = format!("{nodes:>9} nodes  {:>7.0} ms", time.as_secs_f64() * 1e3);
            report.row(what, then, now);
        }
    }
    quiescence(report, &eval)?;
    report.differs("positions: four of the middle game; the evaluation is relation, since KPPT files are not ours to ship (eval=kppt:FOLDER plays with them)");
    report.differs("with two threads nodes count both; the time is what Lazy SMP is for");
    report.differs("what quiescence is worth in games: tesuji match 'tenuki2019 quiescence=on' 'tenuki2019 quiescence=off', docs/papers.md");
    Ok(())
}

/// All positions to a depth: nodes and time.
fn search_all(
    parts: &PlayerParts,
    eval: &EvalSpec,
    depth: u32,
    threads: usize,
) -> Result<(u64, Duration), Failure> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for sfen in MIDDLE {
        let settings = EvalSettings::default();
        let mut search = TournamentFactory.make_player(parts, (eval, &settings), threads, TABLE)?;
        let request = SearchRequest::new(read(sfen)).with_limits(SearchLimits::depth(depth));
        let control = SearchControl::new(Phase::Thinking, None);
        let start = Instant::now();
        nodes += search.think(&request, &control, &mut NoListener).nodes;
        time += start.elapsed();
    }
    Ok((nodes, time))
}

/// How far a shallow search without quiescence is from a deep one with it, compared with one that has
/// quiescence: a turn term is in the evaluation either way.
fn quiescence(report: &mut Report, eval: &EvalSpec) -> Result<(), Failure> {
    let value = |quiescence: bool, depth: u32, sfen: &str| -> Result<Value, Failure> {
        let parts = PlayerParts {
            quiescence: Some(quiescence),
            ..PastPlayer::Tenuki2019.parts()
        };
        let settings = EvalSettings::default();
        let mut search = TournamentFactory.make_player(&parts, (eval, &settings), 1, TABLE)?;
        let request = SearchRequest::new(read(sfen)).with_limits(SearchLimits::depth(depth));
        let control = SearchControl::new(Phase::Thinking, None);
        Ok(search.think(&request, &control, &mut NoListener).value)
    };
    let deep = if report.is_quick() { 4 } else { 6 };
    let mut off = [0, 0];
    for sfen in MIDDLE {
        let truth = value(true, deep, sfen)?.points();
        for (sum, with) in off.iter_mut().zip([true, false]) {
            *sum += (value(with, 2, sfen)?.points() - truth).abs();
        }
    }
    let mean = |sum: i32| format!("{} points", sum / MIDDLE.len() as i32);
    let what = "two moves deep, off from the deep value";
    report.row(format!("{what}, with quiescence"), "-", mean(off[0]));
    report.row(
        format!("{what}, without"),
        "guessed to be as good",
        mean(off[1]),
    );
    Ok(())
}
