//! OpenShogiLib (2003): generators that call back, do and undo as one call, realization probability
//! under alpha-beta and MTD(f), categories that classify and categories that generate.

use super::report::{FESTIVAL, MIDDLE, Report, read};
use crate::answer::Failure;
use std::time::Instant;
use tesuji_engine::{SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::players::{BoardName, PlayerParts, SearchName};
use tesuji_search::realization::{Category, Generated, MoveContext, StandardCategories};
use tesuji_search::{NoListener, Phase, SearchControl, SearchLimits, SearchRequest};
use tesuji_shogi::{Board, Count, Generators, Move, Position};

pub(super) fn run(report: &mut Report) -> Result<(), Failure> {
    generators(report);
    do_and_undo(report);
    categories(report);
    searches(report)?;
    report
        .differs("the machine: then about 1 GHz, now several; figures are nanoseconds, not cycles");
    report.differs("the two positions of the paper are lost; the festival position and four of the middle game stand in");
    Ok(())
}

fn generators(report: &mut Report) {
    let pos = read(FESTIVAL);
    let mut count = Count::default();
    let _ = Board::legal(&pos, &mut count);
    let each = report.nanos(|| {
        let mut count = Count::default();
        let _ = Board::legal(&pos, &mut count);
        count.0
    }) / count.0 as f64;
    report.row(
        "one generated move (a sink that counts)",
        "10.8 cycles",
        format!("{each:.2} ns"),
    );
    let listed = report.nanos(|| pos.legal_moves().len()) / count.0 as f64;
    report.row(
        "one generated move (a list)",
        "-",
        format!("{listed:.2} ns"),
    );
    let checks = report.nanos(|| {
        let mut count = Count::default();
        let _ = Generators::checks(&pos, &mut count);
        count.0
    });
    report.row("all checks", "-", format!("{checks:.0} ns"));
}

fn do_and_undo(report: &mut Report) {
    let mut pos = read(MIDDLE[0]);
    let moves: Vec<Move> = pos.legal_moves().iter().collect();
    let count = moves.len() as f64;
    let apart = report.nanos(|| {
        for &mv in &moves {
            pos.play(mv);
            std::hint::black_box(&mut pos);
            pos.undo();
        }
    });
    let together = report.nanos(|| {
        for &mv in &moves {
            pos.after(mv, |pos, _| {
                std::hint::black_box(pos);
            });
        }
    });
    report.row("play, then undo", "-", format!("{:.1} ns", apart / count));
    report.row(
        "do, something, undo as one call (after)",
        "65 cycles",
        format!("{:.1} ns", together / count),
    );
}

fn categories(report: &mut Report) {
    let positions: Vec<Position> = MIDDLE.iter().map(|sfen| read(sfen)).collect();
    let (classified, generated) = (
        StandardCategories::default(),
        Generated(StandardCategories::default()),
    );
    let all = |category: &dyn Fn(&MoveContext<'_>) -> usize| -> usize {
        positions
            .iter()
            .map(|pos| category(&MoveContext::of(pos)))
            .sum()
    };
    let one = report.nanos(|| all(&|context| classified.moves(context).len()));
    let other = report.nanos(|| all(&|context| generated.moves(context).len()));
    let each = positions.len() as f64;
    report.row(
        "moves with probabilities, classified",
        "both kinds",
        format!("{:.1} µs a position", one / each / 1e3),
    );
    report.row(
        "moves with probabilities, generated",
        "both kinds",
        format!("{:.1} µs a position", other / each / 1e3),
    );
}

fn searches(report: &mut Report) -> Result<(), Failure> {
    let halvings = if report.is_quick() { 10 } else { 16 };
    for search in [
        SearchName::Realization,
        SearchName::RealizationMtdf,
        SearchName::RealizationForcing,
    ] {
        for &board in BoardName::ALL
            .iter()
            .filter(|board| **board != BoardName::Mailbox)
        {
            let parts = PlayerParts {
                board,
                ..PlayerParts::of(search)
            };
            let (mut nodes, mut seconds) = (0, 0.0);
            for sfen in MIDDLE {
                let settings = EvalSettings::default();
                let eval = (&EvalSpec::Relation, &settings);
                let mut search = TournamentFactory.make_player(&parts, eval, 1, 16 << 20)?;
                let request =
                    SearchRequest::new(read(sfen)).with_limits(SearchLimits::depth(halvings));
                let control = SearchControl::new(Phase::Thinking, None);
                let start = Instant::now();
                nodes += search.think(&request, &control, &mut NoListener).nodes;
                seconds += start.elapsed().as_secs_f64();
            }
            let what = format!("{search} on {board}, {halvings} halvings");
            report.row(
                what,
                "-",
                format!("{nodes:>9} nodes  {:>7.0} ms", seconds * 1e3),
            );
        }
    }
    Ok(())
}
