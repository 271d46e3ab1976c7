//! One game on the server: both players' lines in, lines to both out.

use super::ConnectionId;
use crate::comment::EvalComment;
use crate::end::{ClientResult, EndReason};
use crate::ending::ending;
use crate::game_summary::GameSummary;
use crate::line::{ClientLine, ServerLine, SpecialMove};
use crate::times::Clocks;
use std::time::{Duration, Instant};
use tesuji_record::csa::read_move;
use tesuji_record::{Evaluation, Game, GameCursor};
use tesuji_shogi::rules::{Cause, Ruling, declared};
use tesuji_shogi::{ByColor, Color, RuleSet, Value};

/// One side of a game on the server.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerPlayer {
    pub(super) connection: ConnectionId,
    pub(super) agreed: bool,
    /// Resigns on its next turn: it has said so early, or its connection is lost.
    resigns: bool,
}

impl ServerPlayer {
    pub(super) const fn new(connection: ConnectionId) -> Self {
        Self {
            connection,
            agreed: false,
            resigns: false,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GameOver {
    pub(super) reason: EndReason,
    pub(super) winner: Option<Color>,
}

/// A game, from the offer to its end.
#[derive(Debug)]
pub(super) struct ServerGame {
    pub(super) id: String,
    pub(super) players: ByColor<ServerPlayer>,
    pen: GameCursor,
    clocks: Clocks,
    rules: RuleSet,
    /// Since when the side to move thinks, or the offer stands.
    since: Instant,
    pub(super) started: bool,
    last: ByColor<Option<String>>,
    /// Lines that wait to be sent, in order.
    pub(super) said: Vec<(Color, String)>,
}

impl ServerGame {
    /// Offers a game to two players.
    pub(super) fn new(
        summary: &GameSummary,
        players: ByColor<ServerPlayer>,
        rules: RuleSet,
        at: Instant,
    ) -> Self {
        let mut clocks = Clocks::new(summary.times);
        let mut pen = GameCursor::new(summary.game.clone());
        let played: Vec<_> = summary.game.main_line().collect();
        for id in played {
            let time = summary.game[id].time.unwrap_or(Duration::ZERO);
            // The times of an opening are within its clock.
            let _ = clocks.spend(pen.position().turn(), time);
            pen.go(id);
        }
        Self {
            id: summary.id.clone(),
            players,
            pen,
            clocks,
            rules,
            since: at,
            started: false,
            last: ByColor::default(),
            said: Vec::new(),
        }
    }

    pub(super) fn record(&self) -> &Game {
        self.pen.game()
    }

    pub(super) fn record_mut(&mut self) -> &mut Game {
        self.pen.game_mut()
    }

    /// How many moves were played, those before the start included.
    pub(super) fn plies(&self) -> usize {
        self.pen.position().played()
    }

    /// When the flag falls or the offer expires.
    pub(super) fn deadline(&self, agreement: Duration) -> Instant {
        match self.started {
            true => self.since + self.clocks.flag(self.pen.position().turn()),
            false => self.since + agreement,
        }
    }

    /// A player agrees; the game begins if the other has agreed already.
    pub(super) fn agree(&mut self, color: Color, at: Instant) -> bool {
        self.players[color].agreed = true;
        self.started = self.players[color.foe()].agreed;
        if self.started {
            self.since = at;
            self.tell(&ServerLine::Start(self.id.clone()));
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
        let turn = self.pen.position().turn();
        match line {
            ClientLine::SpecialMove(SpecialMove::Resign) if color != turn => {
                self.players[color].resigns = true;
                None
            }
            ClientLine::Move { .. } if color != turn => {
                // A move that is sent twice is the same move.
                let text = Some(line.to_string());
                (self.last[color] != text).then(|| lost(color, EndReason::IllegalAction))
            }
            ClientLine::SpecialMove(SpecialMove::Abort) => {
                Some(lost(color, EndReason::IllegalAction))
            }
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

    /// Returns how the game ended if the flag has fallen by `at`.
    pub(super) fn tick(&mut self, at: Instant) -> Option<GameOver> {
        let turn = self.pen.position().turn();
        let elapsed = at.saturating_duration_since(self.since);
        (elapsed >= self.clocks.flag(turn)).then(|| lost(turn, EndReason::TimeUp))
    }

    fn resignation(&mut self) -> Option<GameOver> {
        let turn = self.pen.position().turn();
        self.players[turn].resigns.then(|| {
            self.tell(&ServerLine::SpecialMove {
                what: SpecialMove::Resign,
                time: None,
            });
            lost(turn, EndReason::Resign)
        })
    }

    /// Charges the time since the last move; `None` if it is too much.
    fn charge(&mut self, at: Instant) -> Option<Duration> {
        let turn = self.pen.position().turn();
        let elapsed = at.saturating_duration_since(self.since);
        let cost = self.clocks.rules(turn).cost(elapsed);
        let in_time = elapsed < self.clocks.flag(turn);
        (self.clocks.spend(turn, cost) && in_time).then_some(cost)
    }

    fn special(&mut self, special: SpecialMove, at: Instant) -> GameOver {
        let turn = self.pen.position().turn();
        let Some(cost) = self.charge(at) else {
            return lost(turn, EndReason::TimeUp);
        };
        self.tell(&ServerLine::SpecialMove {
            what: special,
            time: Some(cost),
        });
        if special == SpecialMove::Resign {
            return lost(turn, EndReason::Resign);
        }
        let outcome = declared(self.pen.position(), &self.rules);
        let reason = match outcome.cause {
            Cause::WrongDeclaration => EndReason::IllegalMove,
            _ => EndReason::Declaration,
        };
        GameOver {
            reason,
            winner: outcome.winner,
        }
    }

    fn mv(&mut self, text: &str, comment: Option<&str>, at: Instant) -> Option<GameOver> {
        let turn = self.pen.position().turn();
        let Some(cost) = self.charge(at) else {
            return Some(lost(turn, EndReason::TimeUp));
        };
        let mv = read_move(self.pen.position(), text).ok();
        if mv.is_none_or(|mv| self.pen.play(mv).is_err()) {
            return Some(lost(turn, EndReason::IllegalMove));
        }
        self.since = at;
        self.pen.node().time = Some(cost);
        let remark = comment.and_then(|text| EvalComment::read(text, self.pen.position()));
        self.pen.node().evaluation = remark.map(|remark| Evaluation {
            line: remark.line,
            ..Evaluation::of(Value::new(remark.points))
        });
        self.tell(&ServerLine::Move {
            mv: text.into(),
            time: Some(cost),
        });
        self.judge().or_else(|| self.resignation())
    }

    /// Whether the move just made ends the game by itself. A mate does not: the loser resigns.
    fn judge(&self) -> Option<GameOver> {
        let pos = self.pen.position();
        match pos.repetition(self.rules.counting).ruling {
            Some(Ruling::Draw) => Some(GameOver {
                reason: EndReason::Repetition,
                winner: None,
            }),
            Some(Ruling::PerpetualCheck(color)) => Some(lost(color, EndReason::PerpetualCheck)),
            None => {
                let limit = self.rules.move_limit?;
                (self.plies() >= limit as usize).then_some(GameOver {
                    reason: EndReason::MoveLimit,
                    winner: None,
                })
            }
        }
    }

    /// Tells both players and the record how the game ended.
    pub(super) fn close(&mut self, over: GameOver) {
        self.tell(&ServerLine::EndReason(over.reason));
        for color in Color::ALL {
            let share = match over.winner {
                Some(winner) if winner == color => ClientResult::Win,
                Some(_) => ClientResult::Lose,
                None if over.reason == EndReason::MoveLimit => ClientResult::Censored,
                None => ClientResult::Draw,
            };
            self.said
                .push((color, ServerLine::ClientResult(share).to_string()));
        }
        let ending = ending(Some(over.reason), over.winner, None, self.pen.position());
        self.pen.end(ending);
    }

    pub(super) fn tell(&mut self, line: &ServerLine) {
        for color in Color::ALL {
            self.said.push((color, line.to_string()));
        }
    }
}

fn lost(loser: Color, reason: EndReason) -> GameOver {
    GameOver {
        reason,
        winner: Some(loser.foe()),
    }
}
