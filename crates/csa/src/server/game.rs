//! One game on the server: both players' lines in, lines to both out.

use super::ConnectionId;
use crate::comment::EvalComment;
use crate::end::{ClientResult, CsaEndReason};
use crate::ending::ending;
use crate::game_summary::GameSummary;
use crate::line::{ClientLine, ServerLine, SpecialMove};
use crate::times::FOREVER;
use std::time::{Duration, Instant};
use tesuji_game::{GameClock, GameOver, Referee, Termination};
use tesuji_record::csa::{read_move, write_move};
use tesuji_record::{Evaluation, Game, GameCursor, GamePosition};
use tesuji_shogi::{ByColor, Color, RuleSet, Value};

/// One side of a game on the server.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerPlayer {
    pub(super) connection: ConnectionId,
    pub(super) agreed: bool,
    /// Resigns on its next turn: it has said so early, or its connection is lost.
    resigns: bool,
    /// Until when it may come back.
    pub(super) away: Option<Instant>,
    /// It has come back and was shown so many moves, but has not agreed to go on yet.
    pub(super) shown: Option<usize>,
}

impl ServerPlayer {
    pub(super) const fn new(connection: ConnectionId) -> Self {
        Self {
            connection,
            agreed: false,
            resigns: false,
            away: None,
            shown: None,
        }
    }
}

/// A game, from the offer to its end.
#[derive(Debug)]
pub(super) struct ServerGame {
    pub(super) players: ByColor<ServerPlayer>,
    /// What was offered.
    pub(super) summary: GameSummary,
    cursor: GameCursor,
    referee: Referee,
    /// Since when the side to move thinks, or the offer stands.
    since: Instant,
    /// Whether the line that the side to move answers is still on its way.
    is_on_its_way: bool,
    /// Whether the record is newer than the one that was saved.
    is_dirty: bool,
    pub(super) started: bool,
    last: ByColor<Option<String>>,
    /// Lines that wait to be sent, in order.
    pub(super) said: Vec<(Color, String)>,
}

impl ServerGame {
    /// Offers a game to two players.
    pub(super) fn new(
        summary: GameSummary,
        players: ByColor<ServerPlayer>,
        rules: RuleSet,
        at: Instant,
    ) -> Self {
        let start = summary.game.start().clone();
        let rules = RuleSet {
            // A summary has no move numbers: its first move is the first one.
            move_limit: rules.move_limit.map(|limit| limit + start.ply() - 1),
            ..rules
        };
        let clock = GameClock::new(summary.times);
        let mut referee = Referee::new(start, rules, clock).without_calling_mate();
        let mut cursor = GameCursor::new(summary.game.clone());
        let played: Vec<_> = summary.game.main_line().collect();
        for id in played {
            let time = summary.game[id].time.unwrap_or(Duration::ZERO);
            if let Some(mv) = summary.game[id].mv() {
                // The moves of an opening are legal, its times within its clock.
                let _ = referee.follow(mv, time);
            }
            cursor.go(id);
        }
        Self {
            players,
            summary,
            cursor,
            referee,
            since: at,
            is_on_its_way: false,
            is_dirty: false,
            started: false,
            last: ByColor::default(),
            said: Vec::new(),
        }
    }

    pub(super) fn record(&self) -> &Game {
        self.cursor.game()
    }

    pub(super) fn record_mut(&mut self) -> &mut Game {
        self.is_dirty = true;
        self.cursor.game_mut()
    }

    /// The record if it has changed since the last time.
    pub(super) fn changed_record(&mut self) -> Option<Box<Game>> {
        std::mem::take(&mut self.is_dirty).then(|| Box::new(self.record().clone()))
    }

    /// Its name.
    pub(super) fn id(&self) -> &str {
        &self.summary.id
    }

    /// Which side a player has.
    pub(super) fn side_of(&self, name: &str) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.summary.players[color] == name)
    }

    /// How many moves were played, those before the start included.
    pub(super) fn plies(&self) -> usize {
        self.referee.position().played()
    }

    /// When the flag falls, the offer expires or a player who is away has had its time.
    pub(super) fn deadline(&self, agreement: Duration) -> Instant {
        let flag = match self.started {
            true => {
                let flag = self.referee.clock().flag(self.referee.turn());
                self.since + flag.unwrap_or(FOREVER)
            }
            false => self.since + agreement,
        };
        let away = self.players.0.iter().filter_map(|player| player.away);
        away.fold(flag, Instant::min)
    }

    /// The line that the side to move answers is with its system: its clock runs from now on.
    pub(super) fn delivered(&mut self, color: Color, at: Instant) {
        if color == self.referee.turn() && std::mem::take(&mut self.is_on_its_way) {
            self.since = self.since.max(at);
        }
    }

    /// A player agrees; the game begins if the other has agreed already.
    pub(super) fn agree(&mut self, color: Color, at: Instant) -> bool {
        self.players[color].agreed = true;
        self.started = self.players[color.foe()].agreed;
        if self.started {
            self.since = at;
            (self.is_on_its_way, self.is_dirty) = (true, true);
            self.tell(&ServerLine::Start(self.summary.id.clone()));
        }
        self.started
    }

    /// Takes a player's line; returns how the game ended if it did.
    pub(super) fn take(
        &mut self,
        color: Color,
        line: &ClientLine,
        at: Instant,
    ) -> Option<GameOver> {
        let turn = self.referee.turn();
        let foul = GameOver::lost(color, Termination::IllegalAction);
        #[cfg(test)]
        assert_ne!(*line, ClientLine::Other("PANIC".into()), "asked for");
        match line {
            ClientLine::SpecialMove(SpecialMove::Resign) if color != turn => {
                self.players[color].resigns = true;
                None
            }
            ClientLine::Move { .. } if color != turn => {
                // A move that is sent twice is the same move.
                let text = Some(line.to_string());
                (self.last[color] != text).then(|| self.referee.end(foul))
            }
            ClientLine::SpecialMove(SpecialMove::Abort) => Some(self.referee.end(foul)),
            ClientLine::SpecialMove(special) if color == turn => Some(self.special(*special, at)),
            ClientLine::Move { mv, comment } => {
                self.last[color] = Some(line.to_string());
                self.mv(mv, comment.as_deref(), at)
            }
            _ => None,
        }
    }

    /// A player has left: it resigns on its turn.
    pub(super) fn leave(&mut self, color: Color) -> Option<GameOver> {
        self.players[color].resigns = true;
        self.resignation()
    }

    /// The connection of a player is lost; it may come back until then.
    pub(super) fn lose(&mut self, color: Color, until: Instant) {
        self.players[color].away = Some(until);
        self.players[color].shown = None;
    }

    /// A player is back on another connection; returns what it is shown: the game so far, as if it
    /// had begun with these moves. Its clock has not stopped.
    pub(super) fn show(&mut self, color: Color, connection: ConnectionId, at: Instant) -> String {
        let player = &mut self.players[color];
        player.connection = connection;
        player.shown = Some(self.cursor.game().main_line().count());
        let mut summary = GameSummary {
            side: color,
            game: self.record().clone(),
            ..self.summary.clone()
        };
        if self.referee.turn() == color {
            let main = &mut summary.times[color].main;
            *main = main.saturating_sub(self.elapsed(at));
        }
        summary.write()
    }

    /// A player who is back goes on: it is told that the game runs, and what happened since it was
    /// shown.
    pub(super) fn resume(&mut self, color: Color) {
        let player = &mut self.players[color];
        player.away = None;
        let Some(shown) = player.shown.take() else {
            return;
        };
        let start = ServerLine::Start(self.summary.id.clone()).to_string();
        let mut lines = vec![start];
        let game = self.cursor.game();
        let mut place = GamePosition::start(game);
        for (number, id) in game.main_line().enumerate() {
            if let Some(mv) = game[id].mv().filter(|_| number >= shown) {
                let line = ServerLine::Move {
                    mv: write_move(place.position(), mv),
                    time: game[id].time,
                };
                lines.push(line.to_string());
            }
            place.go(game, id);
        }
        self.said
            .extend(lines.into_iter().map(|line| (color, line)));
    }

    /// Returns how the game ended if the flag has fallen by `at`, or if somebody has not come back.
    pub(super) fn tick(&mut self, at: Instant) -> Option<GameOver> {
        if let Some(over) = self.referee.wait(self.elapsed(at)) {
            return Some(over);
        }
        for color in Color::ALL {
            let away = &mut self.players[color].away;
            if away.take_if(|until| *until <= at).is_some() {
                let over = self.leave(color);
                if over.is_some() {
                    return over;
                }
            }
        }
        None
    }

    /// How long the side to move has thought.
    fn elapsed(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.since)
    }

    fn resignation(&mut self) -> Option<GameOver> {
        let turn = self.referee.turn();
        self.players[turn].resigns.then(|| {
            self.tell(&ServerLine::SpecialMove {
                what: SpecialMove::Resign,
                time: None,
            });
            let lost = GameOver::lost(turn, Termination::Resignation);
            self.referee.end(lost)
        })
    }

    fn special(&mut self, special: SpecialMove, at: Instant) -> GameOver {
        let elapsed = self.elapsed(at);
        let over = match special {
            SpecialMove::Declare => self.referee.declare(elapsed),
            _ => self.referee.resign(elapsed),
        };
        if over.termination != Termination::Time {
            self.tell(&ServerLine::SpecialMove {
                what: special,
                time: Some(self.referee.last_cost()),
            });
        }
        over
    }

    fn mv(&mut self, text: &str, comment: Option<&str>, at: Instant) -> Option<GameOver> {
        let elapsed = self.elapsed(at);
        let Ok(mv) = read_move(self.referee.position(), text) else {
            return Some(self.referee.refuse(elapsed));
        };
        let over = self.referee.play(mv, elapsed);
        if over.is_some_and(|over| !over.move_stands()) || self.cursor.play(mv).is_err() {
            return over;
        }
        let cost = self.referee.last_cost();
        self.since = at;
        (self.is_on_its_way, self.is_dirty) = (true, true);
        self.cursor.node().time = Some(cost);
        let remark = comment.and_then(|text| EvalComment::read(text, self.cursor.position()));
        self.cursor.node().evaluation = remark.map(|remark| Evaluation {
            line: remark.line,
            ..Evaluation::of(Value::new(remark.points))
        });
        self.tell(&ServerLine::Move {
            mv: text.into(),
            time: Some(cost),
        });
        over.or_else(|| self.resignation())
    }

    /// Tells both players and the record how the game ended.
    pub(super) fn close(&mut self, over: GameOver) {
        let reason = CsaEndReason::from(over.termination);
        self.tell(&ServerLine::EndReason(reason));
        for color in Color::ALL {
            let share = match over.winner {
                Some(winner) if winner == color => ClientResult::Win,
                Some(_) => ClientResult::Lose,
                None if reason == CsaEndReason::MoveLimit => ClientResult::Censored,
                None => ClientResult::Draw,
            };
            self.said
                .push((color, ServerLine::ClientResult(share).to_string()));
        }
        let ending = ending(Some(reason), over.winner, None, self.cursor.position());
        self.cursor.end(ending);
        self.is_dirty = true;
    }

    /// Ends the record of a game that nobody finished.
    pub(super) fn abort(&mut self, end_time: &str) {
        let reason = Some(CsaEndReason::Abort);
        let ending = ending(reason, None, None, self.cursor.position());
        self.cursor.end(ending);
        self.record_mut().headers.end_time = end_time.into();
    }

    pub(super) fn tell(&mut self, line: &ServerLine) {
        for color in Color::ALL {
            self.said.push((color, line.to_string()));
        }
    }
}
