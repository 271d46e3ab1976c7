//! One game on the server: both players' lines in, lines to both out.

use super::hall::GuestId;
use crate::line::{ClientLine, ServerLine, Special};
use crate::remark::Remark;
use crate::result::{Reason, Share, ending};
use crate::summary::Summary;
use crate::times::Clocks;
use std::time::{Duration, Instant};
use tesuji_record::csa::read_move;
use tesuji_record::{Evaluation, Game, Pen};
use tesuji_shogi::rules::{Cause, Ruling, declared};
use tesuji_shogi::{ByColor, Color, RuleSet, Value};

/// Who sits where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) guest: GuestId,
    pub(super) agreed: bool,
    /// It is gone, or has resigned before its turn.
    resigns: bool,
}

impl Seat {
    pub(super) const fn new(guest: GuestId) -> Self {
        Self {
            guest,
            agreed: false,
            resigns: false,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Over {
    pub(super) reason: Reason,
    pub(super) winner: Option<Color>,
}

/// A game, from the offer to its end.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: String,
    pub(super) seats: ByColor<Seat>,
    pen: Pen,
    clocks: Clocks,
    rules: RuleSet,
    /// Since when the side to move thinks, or the offer stands.
    since: Instant,
    pub(super) started: bool,
    last: ByColor<Option<String>>,
    /// What is to be said, in order.
    pub(super) said: Vec<(Color, String)>,
}

impl Table {
    /// An offer to two guests.
    pub(super) fn new(
        summary: &Summary,
        seats: ByColor<Seat>,
        rules: RuleSet,
        at: Instant,
    ) -> Self {
        let mut clocks = Clocks::new(summary.times);
        let mut pen = Pen::new(summary.game.clone());
        let played: Vec<_> = summary.game.main_line().collect();
        for id in played {
            let time = summary.game[id].time.unwrap_or(Duration::ZERO);
            // Whoever set the game up has seen to it that no flag fell.
            let _ = clocks.spend(pen.position().turn(), time);
            pen.go(id);
        }
        Self {
            id: summary.id.clone(),
            seats,
            pen,
            clocks,
            rules,
            since: at,
            started: false,
            last: ByColor::default(),
            said: Vec::new(),
        }
    }

    pub(super) fn game(&self) -> &Game {
        self.pen.game()
    }

    pub(super) fn game_mut(&mut self) -> &mut Game {
        self.pen.game_mut()
    }

    /// How many moves were played, those before the start included.
    pub(super) fn plies(&self) -> usize {
        self.pen.position().played()
    }

    /// When something happens by itself: a flag falls, or the offer ends.
    pub(super) fn deadline(&self, agreement: Duration) -> Instant {
        match self.started {
            true => self.since + self.clocks.flag(self.pen.position().turn()),
            false => self.since + agreement,
        }
    }

    /// A player agrees; the game begins if the other has agreed already.
    pub(super) fn agree(&mut self, color: Color, at: Instant) -> bool {
        self.seats[color].agreed = true;
        self.started = self.seats[color.foe()].agreed;
        if self.started {
            self.since = at;
            self.tell(&ServerLine::Start(self.id.clone()));
        }
        self.started
    }

    /// A line of a player in the game; how the game ended if it did.
    pub(super) fn take(&mut self, color: Color, line: &ClientLine, at: Instant) -> Option<Over> {
        let turn = self.pen.position().turn();
        match line {
            ClientLine::Special(Special::Resign) if color != turn => {
                self.seats[color].resigns = true;
                None
            }
            ClientLine::Move { .. } if color != turn => {
                // A move that is said twice is the same move.
                let text = Some(line.to_string());
                (self.last[color] != text).then(|| lost(color, Reason::IllegalAction))
            }
            ClientLine::Special(Special::Abort) => Some(lost(color, Reason::IllegalAction)),
            ClientLine::Special(special) if color == turn => Some(self.special(*special, at)),
            ClientLine::Move { mv, comment } => {
                self.last[color] = Some(line.to_string());
                self.mv(mv, comment.as_deref(), at)
            }
            _ => None,
        }
    }

    /// A player is gone: it resigns when it is its turn.
    pub(super) fn leave(&mut self, color: Color) -> Option<Over> {
        self.seats[color].resigns = true;
        self.resignation()
    }

    /// The time is now; how the game ended if a flag fell.
    pub(super) fn tick(&mut self, at: Instant) -> Option<Over> {
        let turn = self.pen.position().turn();
        let elapsed = at.saturating_duration_since(self.since);
        (elapsed >= self.clocks.flag(turn)).then(|| lost(turn, Reason::TimeUp))
    }

    fn resignation(&mut self) -> Option<Over> {
        let turn = self.pen.position().turn();
        self.seats[turn].resigns.then(|| {
            self.tell(&ServerLine::Special {
                what: Special::Resign,
                time: None,
            });
            lost(turn, Reason::Resign)
        })
    }

    /// What the time since the last move costs; `None` if it is too much.
    fn charge(&mut self, at: Instant) -> Option<Duration> {
        let turn = self.pen.position().turn();
        let elapsed = at.saturating_duration_since(self.since);
        let cost = self.clocks.rules(turn).cost(elapsed);
        let in_time = elapsed < self.clocks.flag(turn);
        (self.clocks.spend(turn, cost) && in_time).then_some(cost)
    }

    fn special(&mut self, special: Special, at: Instant) -> Over {
        let turn = self.pen.position().turn();
        let Some(cost) = self.charge(at) else {
            return lost(turn, Reason::TimeUp);
        };
        self.tell(&ServerLine::Special {
            what: special,
            time: Some(cost),
        });
        if special == Special::Resign {
            return lost(turn, Reason::Resign);
        }
        let outcome = declared(self.pen.position(), &self.rules);
        let reason = match outcome.cause {
            Cause::WrongDeclaration => Reason::IllegalMove,
            _ => Reason::Declaration,
        };
        Over {
            reason,
            winner: outcome.winner,
        }
    }

    fn mv(&mut self, text: &str, comment: Option<&str>, at: Instant) -> Option<Over> {
        let turn = self.pen.position().turn();
        let Some(cost) = self.charge(at) else {
            return Some(lost(turn, Reason::TimeUp));
        };
        let mv = read_move(self.pen.position(), text).ok();
        if mv.is_none_or(|mv| self.pen.play(mv).is_err()) {
            return Some(lost(turn, Reason::IllegalMove));
        }
        self.since = at;
        self.pen.node().time = Some(cost);
        let remark = comment.and_then(|text| Remark::read(text, self.pen.position()));
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
    fn judge(&self) -> Option<Over> {
        let pos = self.pen.position();
        match pos.repetition(self.rules.counting).ruling {
            Some(Ruling::Draw) => Some(Over {
                reason: Reason::Repetition,
                winner: None,
            }),
            Some(Ruling::PerpetualCheck(color)) => Some(lost(color, Reason::PerpetualCheck)),
            None => {
                let limit = self.rules.move_limit?;
                (self.plies() >= limit as usize).then_some(Over {
                    reason: Reason::MoveLimit,
                    winner: None,
                })
            }
        }
    }

    /// Says how the game ended, to both and in the record.
    pub(super) fn close(&mut self, over: Over) {
        self.tell(&ServerLine::Reason(over.reason));
        for color in Color::ALL {
            let share = match over.winner {
                Some(winner) if winner == color => Share::Win,
                Some(_) => Share::Lose,
                None if over.reason == Reason::MoveLimit => Share::Censored,
                None => Share::Draw,
            };
            self.said
                .push((color, ServerLine::Share(share).to_string()));
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

fn lost(loser: Color, reason: Reason) -> Over {
    Over {
        reason,
        winner: Some(loser.foe()),
    }
}
