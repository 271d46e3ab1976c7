//! One game, from the server's START to its result.

use super::engine::{ClientEngine, EngineAnswer, GameConditions};
use super::settings::ClientSettings;
use super::{ClientEvent, ClientObserver};
use crate::archive::{Archive, timestamp};
use crate::comment::EvalComment;
use crate::connection::{CsaConnection, Received};
use crate::end::{ClientResult, CsaEndReason};
use crate::ending::ending;
use crate::game_summary::GameSummary;
use crate::line::{ClientLine, ServerLine, SpecialMove};
use crate::times::{FOREVER, engine_times};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};
use tesuji_game::{GameClock, Referee, Termination};
use tesuji_record::csa::{read_move, write_move};
use tesuji_record::{Evaluation, GameCursor};
use tesuji_shogi::{Cause, Color, Move, Position, RuleSet, Value};
use tesuji_usi::process::{MoveRequest, ProcessError};
use tesuji_usi::{BestMove, Go};

/// A finished game, as the client saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CsaGameReport {
    /// Its name on the server.
    pub id: String,
    /// Which side was ours.
    pub side: Color,
    /// The other player.
    pub foe: String,
    /// Why it ended; `None` if the connection did.
    pub reason: Option<CsaEndReason>,
    /// Our result; `None` if the server did not say.
    pub result: Option<ClientResult>,
    /// After how many moves.
    pub plies: usize,
    /// Where its record is.
    pub record: PathBuf,
    /// Whether the connection is of no use any more.
    pub is_disconnected: bool,
}

/// How often the client looks whether the server has gone silent.
const NAP: Duration = Duration::from_secs(1);
/// How long before the flag falls the engine is told to answer, at most.
const RESERVE: Duration = Duration::from_secs(1);
/// How much time must be left to start an engine anew.
const RESTART_TIME: Duration = Duration::from_secs(3);
/// How long the second line of the result may take.
const RESULT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TurnState {
    /// It is our turn and nothing was done about it.
    ToMove,
    /// The engine thinks; perhaps it was told to move now.
    Thinking { stopped: bool },
    /// The server has our answer.
    Sent,
    /// It is the other's turn.
    OpponentToMove,
}

pub(super) struct ClientGame<'a> {
    pub(super) connection: &'a mut CsaConnection,
    pub(super) engine: &'a mut dyn ClientEngine,
    pub(super) observer: ClientObserver<'a>,
    settings: &'a ClientSettings,
    archive: &'a Archive,
    summary: GameSummary,
    conditions: GameConditions,
    path: PathBuf,
    cursor: GameCursor,
    /// Follows the server, which decides.
    referee: Referee,
    state: TurnState,
    /// When the side to move began to think.
    since: Instant,
    /// When a line was last sent or received.
    quiet: Instant,
    guess: Option<Move>,
    is_pondering: bool,
    evaluation: Option<Evaluation>,
    /// How many moves in a row the engine has seen too little for itself.
    bad: u32,
    was_restarted: bool,
    /// The engine cannot be asked any more.
    is_lost: bool,
    is_dirty: bool,
    /// The engine was asked something, and may have answered already.
    was_asked: bool,
    reason: Option<(CsaEndReason, Instant)>,
    special: Option<SpecialMove>,
}

/// What a game needs of its client.
pub(super) struct ClientContext<'a> {
    pub(super) connection: &'a mut CsaConnection,
    pub(super) engine: &'a mut dyn ClientEngine,
    pub(super) observer: ClientObserver<'a>,
    pub(super) settings: &'a ClientSettings,
    pub(super) archive: &'a Archive,
}

impl<'a> ClientGame<'a> {
    /// The clock of the side to move runs from now on. `path` is the record of a game that goes on.
    pub(super) fn new(
        context: ClientContext<'a>,
        summary: GameSummary,
        conditions: GameConditions,
        path: Option<PathBuf>,
    ) -> Self {
        let rules = RuleSet {
            declaration: summary.declaration,
            move_limit: summary.move_limit,
            ..RuleSet::default()
        };
        let clock = GameClock::new(summary.times);
        let mut referee = Referee::new(summary.game.start().clone(), rules, clock);
        let mut cursor = GameCursor::new(summary.game.clone());
        let played: Vec<_> = summary.game.main_line().collect();
        for id in played {
            let time = summary.game[id].time.unwrap_or_default();
            if let Some(mv) = summary.game[id].mv() {
                // The moves of a summary are legal.
                let _ = referee.follow(mv, time);
            }
            cursor.go(id);
        }
        let headers = &mut cursor.game_mut().headers;
        headers.players = summary.players.clone();
        headers.event.clone_from(&summary.id);
        headers.start_time = timestamp(SystemTime::now());
        headers.clocks.0 = summary.times.0.map(Some);
        headers.move_limit = summary.move_limit;
        let path = path.unwrap_or_else(|| context.archive.place(&summary.id));
        let now = Instant::now();
        let state = match referee.turn() == summary.side {
            true => TurnState::ToMove,
            false => TurnState::OpponentToMove,
        };
        Self {
            connection: context.connection,
            engine: context.engine,
            observer: context.observer,
            settings: context.settings,
            archive: context.archive,
            summary,
            conditions,
            path,
            cursor,
            referee,
            state,
            since: now,
            quiet: now,
            guess: None,
            is_pondering: false,
            evaluation: None,
            bad: 0,
            was_restarted: false,
            is_lost: false,
            is_dirty: true,
            was_asked: false,
            reason: None,
            special: None,
        }
    }

    /// Plays until the server says that the game is over, or nothing any more.
    pub(super) fn play(mut self) -> CsaGameReport {
        (self.observer)(ClientEvent::GameStarted(&self.summary, &self.path));
        self.engine.wake_with(Box::new(self.connection.waker()));
        loop {
            match self.state {
                TurnState::ToMove => self.begin_turn(),
                TurnState::Thinking { stopped } => self.think(stopped),
                TurnState::Sent | TurnState::OpponentToMove => {}
            }
            // Writing the record takes time: the engine thinks meanwhile.
            self.keep();
            let wait = match self.state {
                _ if std::mem::take(&mut self.was_asked) => Duration::ZERO,
                TurnState::Thinking { stopped } => self.patience(stopped).min(NAP),
                _ => NAP,
            };
            match self.connection.hear(Instant::now() + wait) {
                Received::Line(line) => {
                    self.quiet = Instant::now();
                    if let Some(result) = self.take(&line) {
                        return self.finish(result, false);
                    }
                }
                Received::Silence => {
                    if let Some((CsaEndReason::Abort, _)) = self.reason {
                        return self.finish(None, false);
                    }
                    if self.is_server_silent() {
                        self.warn("the server says nothing any more");
                        return self.finish(None, true);
                    }
                }
                Received::Closed(why) => {
                    if self.reason.is_none() {
                        self.warn(&format!("the connection was lost in a game: {why}"));
                    }
                    return self.finish(None, true);
                }
            }
        }
    }

    /// Whether the server has been silent longer than the clock of the other side can explain.
    fn is_server_silent(&self) -> bool {
        let patience = self.settings.server.patience();
        let patience = match (self.reason, self.state) {
            (Some((_, at)), _) => return at.elapsed() > RESULT_TIMEOUT,
            (_, TurnState::OpponentToMove) => self.flag(self.summary.side.foe()) + patience,
            (_, TurnState::Sent) => patience,
            (_, TurnState::ToMove | TurnState::Thinking { .. }) => return false,
        };
        self.quiet.elapsed() > patience
    }

    fn warn(&mut self, text: &str) {
        (self.observer)(ClientEvent::Warning(text));
    }

    fn send(&mut self, line: &ClientLine) {
        (self.observer)(ClientEvent::Sent(&line.to_string()));
        self.state = TurnState::Sent;
        self.quiet = Instant::now();
        // If the connection is gone, listening will tell.
        let _ = self.connection.say(&line.to_wire());
    }

    fn resign(&mut self) {
        self.send(&ClientLine::SpecialMove(SpecialMove::Resign));
    }

    fn may_declare(&self) -> bool {
        let won = Termination::Rules(Cause::Declaration);
        let declared = self.referee.declared();
        (declared.winner, declared.termination) == (Some(self.summary.side), won)
    }

    fn position(&self) -> &Position {
        self.referee.position()
    }

    /// After how long a side's flag falls.
    fn flag(&self, color: Color) -> Duration {
        self.referee.clock().flag(color).unwrap_or(FOREVER)
    }

    /// Plays a move of the server on the board and in the record; `None` if it cannot be played.
    fn follow(&mut self, mv: Move, cost: Duration) -> Option<()> {
        self.referee.follow(mv, cost).ok()?;
        self.cursor.play(mv).ok()?;
        Some(())
    }

    fn moves(&self) -> Vec<Move> {
        self.cursor.game().moves().collect()
    }

    /// Declares, resigns, or lets the engine think, as our turn begins.
    fn begin_turn(&mut self) {
        let pos = self.position();
        let is_over = !tesuji_shogi::movegen::has_legal_move(pos);
        if self.settings.play.declare && self.may_declare() {
            return self.send(&ClientLine::SpecialMove(SpecialMove::Declare));
        }
        if self.is_lost || is_over {
            return self.resign();
        }
        let last = pos.last_move();
        self.state = TurnState::Thinking { stopped: false };
        let was_pondering = std::mem::take(&mut self.is_pondering);
        self.was_asked = true;
        let asked = match was_pondering && last == self.guess {
            true => self.engine.ponderhit(),
            false => self.go(),
        };
        if let Err(error) = asked {
            self.restart_engine(&error);
        }
    }

    fn go(&mut self) -> Result<(), ProcessError> {
        self.was_asked = true;
        let (moves, go) = (self.moves(), self.go_command(false));
        self.engine.go(&MoveRequest {
            start: self.cursor.game().start(),
            moves: &moves,
            go: &go,
            deadline: None,
        })
    }

    /// What the engine is told about the clocks.
    fn go_command(&self, ponder: bool) -> Go {
        let margin = Duration::from_millis(self.settings.engine.margin);
        Go {
            ponder,
            times: engine_times(self.referee.clock(), self.summary.side, margin),
            ..Go::default()
        }
    }

    /// After how long the engine is told to answer, and after how long it is given up, counted from
    /// the beginning of the turn.
    fn limits(&self) -> [Duration; 2] {
        let flag = self.flag(self.summary.side);
        // The server's clock is ahead of ours by the time a line takes.
        let way = self.conditions.delay[0].min(flag / 4);
        let reserve = RESERVE.min(flag / 10);
        [reserve, reserve / 2].map(|reserve| (flag - way).saturating_sub(reserve))
    }

    /// How long the engine may think before the clock asks for something.
    fn patience(&self, stopped: bool) -> Duration {
        let [stop, give_up] = self.limits();
        let next = if stopped { give_up } else { stop };
        next.saturating_sub(self.since.elapsed())
    }

    /// Does what the engine answers if it has, stops it before the flag falls, and gives it up if it
    /// still does not answer.
    fn think(&mut self, stopped: bool) {
        match self.engine.poll() {
            Ok(Some(answer)) => return self.act(&answer),
            Ok(None) => {}
            Err(error) => return self.restart_engine(&error),
        }
        let [stop, give_up] = self.limits();
        let elapsed = self.since.elapsed();
        if elapsed >= give_up {
            let best = self.engine.best_so_far();
            let best = best.filter(|&mv| self.position().is_legal(mv));
            self.warn("the engine does not answer; it is started anew");
            match best {
                Some(mv) => {
                    self.send_move(mv, None);
                    self.restart();
                }
                None => self.resign(),
            }
        } else if elapsed >= stop && !stopped {
            self.state = TurnState::Thinking { stopped: true };
            if let Err(error) = self.engine.stop() {
                self.restart_engine(&error);
            }
        }
    }

    /// Restarts an engine that failed, once, and asks it again. Resigns if that does not help.
    fn restart_engine(&mut self, error: &ProcessError) {
        let text = format!("the engine: {error}");
        self.warn(&text);
        let left = self.flag(self.summary.side);
        let left = left.saturating_sub(self.since.elapsed());
        if self.was_restarted || left < RESTART_TIME {
            self.is_lost = true;
            return self.resign();
        }
        self.restart();
        if self.is_lost || self.go().is_err() {
            self.is_lost = true;
            return self.resign();
        }
        self.state = TurnState::Thinking { stopped: false };
    }

    fn restart(&mut self) {
        self.was_restarted = true;
        self.engine.abandon();
        if let Err(error) = self.engine.new_game(&self.conditions) {
            self.warn(&format!("the engine: {error}"));
            self.is_lost = true;
        }
    }

    /// Does what the engine wants, unless the rules or the user are against it.
    fn act(&mut self, answer: &EngineAnswer) {
        let value = answer.info.score.map(|score| score.value());
        let play = &self.settings.play;
        let is_bad = value.is_some_and(|value| value.points() <= -play.resign_value);
        self.bad = match play.resign_value > 0 && is_bad {
            true => self.bad + 1,
            false => 0,
        };
        if self.bad > 0 && self.bad >= play.resign_moves {
            return self.resign();
        }
        match answer.best {
            BestMove::Move { mv, ponder } if self.position().is_legal(mv) => {
                self.guess = ponder;
                self.send_move(mv, Some(answer));
            }
            BestMove::Move { mv, .. } => {
                let why = tesuji_shogi::rules::foul(self.position(), mv);
                let why = why.map_or(String::new(), |why| format!(": {why}"));
                self.restart_engine(&ProcessError::Nonsense(format!("{mv}{why}")));
            }
            BestMove::Win if self.may_declare() => {
                self.send(&ClientLine::SpecialMove(SpecialMove::Declare));
            }
            // A wrong declaration would lose as well.
            BestMove::Win => self.restart_engine(&ProcessError::Nonsense("win".into())),
            BestMove::Resign => self.resign(),
        }
    }

    fn send_move(&mut self, mv: Move, answer: Option<&EngineAnswer>) {
        let text = write_move(self.position(), mv);
        self.evaluation = answer.and_then(|answer| self.evaluate(mv, answer));
        let comment = self
            .evaluation
            .as_ref()
            .filter(|_| self.settings.play.comments);
        let comment = comment.map(|evaluation| {
            let mut after = self.position().clone();
            after.play(mv);
            let remark = EvalComment {
                points: evaluation.value.points(),
                line: evaluation.line.clone(),
            };
            remark.write(&after)
        });
        self.send(&ClientLine::Move { mv: text, comment });
    }

    /// The engine's evaluation of its move, for Black and after the move.
    fn evaluate(&self, mv: Move, answer: &EngineAnswer) -> Option<Evaluation> {
        let info = &answer.info;
        let points = info.score?.value().points();
        let points = match self.summary.side {
            Color::Black => points,
            Color::White => -points,
        };
        let is_own = info.pv.first() == Some(&mv);
        Some(Evaluation {
            value: Value::new(points),
            depth: info.depth,
            nodes: info.nodes,
            line: match is_own {
                true => info.pv[1..].to_vec(),
                false => Vec::new(),
            },
        })
    }

    /// Takes a line of the server; returns our result if the game is over.
    fn take(&mut self, line: &str) -> Option<Option<ClientResult>> {
        (self.observer)(ClientEvent::Received(line));
        match ServerLine::read(line) {
            ServerLine::Move { mv, time } => self.moved(&mv, time.unwrap_or_default()),
            ServerLine::SpecialMove { what, .. } => self.special = Some(what),
            ServerLine::EndReason(reason) => self.reason = Some((reason, Instant::now())),
            ServerLine::ClientResult(result) => return Some(Some(result)),
            _ => {}
        }
        None
    }

    /// A move was made: ours, or the other's.
    fn moved(&mut self, text: &str, cost: Duration) {
        let turn = self.referee.turn();
        let mv = read_move(self.position(), text).ok();
        if mv.is_none_or(|mv| self.follow(mv, cost).is_none()) {
            self.warn(&format!(
                "the server plays {text:.20}, which cannot be played"
            ));
            self.is_lost = true;
            if self.state == TurnState::OpponentToMove {
                self.state = TurnState::ToMove;
            }
            return;
        }
        let is_ours = turn == self.summary.side;
        self.since = Instant::now();
        self.is_dirty = true;
        let evaluation = self.evaluation.take().filter(|_| is_ours);
        let node = self.cursor.node();
        node.time = Some(cost);
        node.evaluation = evaluation;
        if is_ours {
            self.state = TurnState::OpponentToMove;
            self.ponder();
        } else {
            self.state = TurnState::ToMove;
        }
    }

    /// Lets the engine ponder the reply it expects.
    fn ponder(&mut self) {
        let guess = self.guess.filter(|&mv| self.position().is_legal(mv));
        let Some(guess) = guess.filter(|_| self.settings.engine.ponder && !self.is_lost) else {
            return;
        };
        let (mut moves, go) = (self.moves(), self.go_command(true));
        moves.push(guess);
        let asked = self.engine.ponder(&MoveRequest {
            start: self.cursor.game().start(),
            moves: &moves,
            go: &go,
            deadline: None,
        });
        // A lost engine is noticed on our turn.
        self.is_pondering = asked.is_ok();
    }

    /// Writes the record if there is something new: a crash now would lose nothing.
    fn keep(&mut self) {
        if !std::mem::take(&mut self.is_dirty) {
            return;
        }
        if let Err(error) = self.archive.save(&self.path, self.cursor.game()) {
            let text = format!("{}: cannot write it: {error}", self.path.display());
            self.warn(&text);
        }
    }

    fn finish(mut self, result: Option<ClientResult>, is_disconnected: bool) -> CsaGameReport {
        let side = self.summary.side;
        let won = result.and_then(ClientResult::won);
        let winner = won.map(|won| if won { side } else { side.foe() });
        let reason = self.reason.map(|(reason, _)| reason);
        let plies = self.position().played();
        let known = reason.filter(|&reason| result.is_some() || reason == CsaEndReason::Abort);
        let ending = ending(known, winner, self.special, self.position());
        self.cursor.end(ending);
        self.cursor.game_mut().headers.end_time = timestamp(SystemTime::now());
        self.is_dirty = true;
        self.keep();
        self.engine.game_over(won);
        CsaGameReport {
            id: self.summary.id.clone(),
            side,
            foe: self.summary.players[side.foe()].clone(),
            reason,
            result,
            plies,
            record: self.path.clone(),
            is_disconnected,
        }
    }
}
