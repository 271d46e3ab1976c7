//! What can be said about a position at once: where a line leads, what a move did, names, threats.

use crate::protocol::look::{
    BrinkmateFound, BrinkmateView, LookMessage, LookRequest, MoveFacts, ThreatView,
};
use crate::protocol::position::{MoveNames, PositionView, for_black, line_view};
use crate::session::{Services, UserSession};
use crate::user_error::UserError;
use std::sync::Arc;
use std::time::Duration;
use tesuji_engine::pool::PoolJob;
use tesuji_mate::{BrinkmateVerdict, MateLimits, MateVerdict, Solver};
use tesuji_record::openings::{Castle, Opening};
use tesuji_search::{NoListener, Phase, SearchControl, SearchRequest, SearchResult, TimeBudget};
use tesuji_shogi::{Board, Color, Move, Position};
use tokio::sync::oneshot;

/// How long the engine thinks about a threat.
const THREAT_THINKING: Duration = Duration::from_millis(600);

/// How long the solver looks for a mate that is threatened, and for a brinkmate.
const SOLVING: Duration = Duration::from_secs(5);

/// The longest line that is followed.
const LONGEST_LINE: usize = 2000;

/// Answers what is asked about a position.
pub(crate) async fn look(
    session: &UserSession,
    request: LookRequest,
) -> Result<LookMessage, UserError> {
    match request {
        LookRequest::Start { sfen } => Ok(LookMessage::Line {
            position: PositionView::new(&position(&sfen)?, true),
        }),
        LookRequest::Line { sfen, line } => {
            let pos = behind(&sfen, &line)?;
            Ok(LookMessage::Line {
                position: PositionView::new(&pos, false),
            })
        }
        LookRequest::Move { sfen, mv, solo } => moved(&sfen, &mv, solo),
        LookRequest::Threat { sfen } => threat(session.services(), &position(&sfen)?).await,
        LookRequest::Brinkmate { sfen } => brinkmate(session.services(), position(&sfen)?).await,
        LookRequest::Names { tab } => {
            let (start, pos, moves) = session.state().line(tab);
            let opening = Opening::of_game(&start, moves.into_iter());
            Ok(LookMessage::Names {
                opening: opening.map(|name| names(name.english, name.japanese)),
                castles: Color::ALL.map(|side| castle(&pos, side)),
            })
        }
    }
}

fn position(sfen: &str) -> Result<Position, UserError> {
    Position::from_sfen(sfen).map_err(|error| UserError::position(&error))
}

/// The position behind a line.
fn behind(sfen: &str, line: &[String]) -> Result<Position, UserError> {
    let mut pos = position(sfen)?;
    for text in line.iter().take(LONGEST_LINE) {
        let mv: Move = text.parse().map_err(|_| UserError::not_a_move(text))?;
        pos.try_play(mv).map_err(|_| UserError::not_a_move(text))?;
    }
    Ok(pos)
}

fn names(en: &str, ja: &str) -> MoveNames {
    MoveNames {
        ja: ja.to_owned(),
        en: en.to_owned(),
    }
}

fn castle(pos: &Position, side: Color) -> Option<MoveNames> {
    Castle::of(pos, side).map(|castle| names(castle.english, castle.japanese))
}

/// What a move does; with `is_solo` the same side moves again if nobody is in check.
fn moved(sfen: &str, text: &str, is_solo: bool) -> Result<LookMessage, UserError> {
    let mut pos = position(sfen)?;
    let side = pos.turn();
    let mv: Move = text.parse().map_err(|_| UserError::not_a_move(text))?;
    let took = pos.at(mv.to()).is_some();
    pos.try_play(mv).map_err(|_| UserError::not_a_move(text))?;
    let facts = MoveFacts {
        took,
        check: pos.in_check(),
        mate: pos.in_check() && pos.legal_moves().is_empty(),
        castle: castle(&pos, side),
    };
    if is_solo && !pos.in_check() {
        let mut setup = pos.setup();
        setup.turn = side;
        // A position in which nobody is in check is sound whoever moves.
        pos = setup.build().unwrap_or(pos);
    }
    Ok(LookMessage::Move {
        position: PositionView::new(&pos, true),
        facts,
    })
}

/// What the opponent would play if it were his move.
async fn threat(services: &Services, pos: &Position) -> Result<LookMessage, UserError> {
    if pos.in_check() {
        return Err(UserError::new(
            "In check there is nothing to wait for: the check is the threat.",
            "王手がかかっています。王手が一番の狙いです。",
        ));
    }
    let sfen = pos.to_sfen();
    let mut passed = pos.clone();
    passed.pass();
    let mate = solved(
        services,
        passed.clone(),
        |solver, pos, limits| match solver.solve(pos, pos.turn(), limits, &mut ()) {
            Ok(MateVerdict::Mate(line) | MateVerdict::Shortest(line)) => Some(line),
            _ => None,
        },
    )
    .await?;
    let (moves, value) = match &mate {
        Some(line) => {
            let value = tesuji_shogi::Value::mate_in(line.len() as i32);
            (line.clone(), value)
        }
        None => {
            let best = think(services, &passed).await?;
            (best.pv, best.value)
        }
    };
    Ok(LookMessage::Threat(ThreatView {
        sfen,
        moves: line_view(&passed, &moves, 9),
        value: for_black(value, passed.turn()).points(),
        mate: mate.map(|line| line.len()),
    }))
}

/// The best move of a position, by the engine.
async fn think(services: &Services, pos: &Position) -> Result<SearchResult, UserError> {
    let budget = TimeBudget::exactly(THREAT_THINKING);
    let control = Arc::new(SearchControl::new(Phase::Thinking, Some(budget)));
    let (told, heard) = oneshot::channel();
    let (own, asked) = (control.clone(), pos.clone());
    let job = PoolJob {
        about: format!("position sfen {}", pos.to_sfen()),
        // Nobody is told: the answer never comes, and that is an error of its own.
        failed: Box::new(|_| {}),
        control,
        is_endless: false,
        work: Box::new(move |search| {
            let found = search.map(|search| {
                own.start_clock();
                search.think(&SearchRequest::new(asked), &own, &mut NoListener)
            });
            let _ = told.send(found.map_err(|error| error.to_string()));
        }),
    };
    services.engine.submit(job).map_err(|_| UserError::busy())?;
    let found = heard.await.map_err(|_| UserError::busy())?;
    found.map_err(|why| UserError::engine(&why))
}

/// Whether one move makes mate unavoidable.
async fn brinkmate(services: &Services, pos: Position) -> Result<LookMessage, UserError> {
    let asked = pos.clone();
    let (found, moves) = solved(services, asked, |solver, pos, limits| {
        match solver.brinkmate(pos, limits, &mut ()) {
            Ok(BrinkmateVerdict::Mate(line)) => (BrinkmateFound::Mate, line),
            Ok(BrinkmateVerdict::Brinkmate(mv, rest)) => {
                let line = std::iter::once(mv).chain(rest).collect();
                (BrinkmateFound::Brinkmate, line)
            }
            Ok(BrinkmateVerdict::None) | Err(_) => (BrinkmateFound::None, Vec::new()),
            Ok(BrinkmateVerdict::Unknown(_)) => (BrinkmateFound::Unknown, Vec::new()),
        }
    })
    .await?;
    Ok(LookMessage::Brinkmate(BrinkmateView {
        sfen: pos.to_sfen(),
        found,
        moves: line_view(&pos, &moves, 15),
    }))
}

/// Asks the mate solver, on a thread that may be busy for a while.
async fn solved<T: Send + 'static>(
    services: &Services,
    pos: Position,
    ask: impl FnOnce(&mut Solver, &Position, &MateLimits<'_>) -> T + Send + 'static,
) -> Result<T, UserError> {
    let limits = MateLimits {
        time: Some(SOLVING),
        ..MateLimits::NONE
    };
    let work = move |mut solver: Solver| ask(&mut solver, &pos, &limits);
    services.solvers.ask(work).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_moves_alone_moves_again() {
        let said = moved("9/9/9/9/4P4/9/9/9/9 b - 1", "5e5d", true).unwrap();
        let LookMessage::Move { position, facts } = said else {
            panic!("no move");
        };
        let json = serde_json::to_value(&position).unwrap();
        assert_eq!(json["turn"], "b");
        assert_eq!(json["moves"], serde_json::json!(["5d5c", "5d5c+"]));
        assert!(!facts.took && !facts.check && !facts.mate);
        assert!(moved("9/9/9/9/4P4/9/9/9/9 b - 1", "5e5c", true).is_err());
    }

    #[test]
    fn a_mate_and_a_castle_are_told() {
        let said = moved("4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b", true).unwrap();
        let LookMessage::Move { facts, .. } = said else {
            panic!("no move");
        };
        assert!(facts.check && facts.mate);
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1BR2G1K1/LNS2GSNL b - 1";
        let said = moved(sfen, "3i3h", true).unwrap();
        let LookMessage::Move { facts, .. } = said else {
            panic!("no move");
        };
        assert_eq!(facts.castle.unwrap().en, "Half Mino");
    }
}
