//! One game, from the server's START to its result.

use super::brain::{Brain, Conditions, Question, Reflection};
use super::settings::Settings;
use super::{News, Watch};
use crate::archive::{Archive, stamp};
use crate::line::{ClientLine, ServerLine, Special};
use crate::remark::Remark;
use crate::result::{Reason, Share, ending};
use crate::summary::Summary;
use crate::times::Clocks;
use crate::wire::{Heard, Wire};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};
use tesuji_record::csa::{read_move, write_move};
use tesuji_record::{Evaluation, Pen};
use tesuji_shogi::rules::{Declaration, declare};
use tesuji_shogi::{Color, Move, Value};
use tesuji_usi::BestMove;
use tesuji_usi::player::PlayerError;

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Its name on the server.
    pub id: String,
    /// Which side was ours.
    pub side: Color,
    /// The other player.
    pub foe: String,
    /// Why it ended; `None` if the connection did.
    pub reason: Option<Reason>,
    /// What we got; `None` if nobody said.
    pub share: Option<Share>,
    /// After how many moves.
    pub plies: usize,
    /// Where its record is.
    pub record: PathBuf,
    /// Whether the connection is of no use any more.
    pub is_cut: bool,
}

/// How long the engine is waited for before the server is listened to.
const SLICE: Duration = Duration::from_millis(20);
/// How long the client may sleep.
const NAP: Duration = Duration::from_secs(1);
/// How long before the flag falls the engine is told to answer, at most.
const RESERVE: Duration = Duration::from_secs(1);
/// How much time must be left to start an engine anew.
const REVIVAL: Duration = Duration::from_secs(3);
/// How long the second line of the result may take.
const VERDICT_PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Doing {
    /// It is our turn and nothing was done about it.
    Nothing,
    /// The engine thinks; perhaps it was told to hurry.
    Thinking { hurried: bool },
    /// The server has our answer.
    Sent,
    /// It is the other's turn.
    Watching,
}

pub(super) struct Table<'a> {
    pub(super) wire: &'a mut Wire,
    pub(super) brain: &'a mut dyn Brain,
    pub(super) watch: Watch<'a>,
    settings: &'a Settings,
    archive: &'a Archive,
    summary: Summary,
    conditions: Conditions,
    path: PathBuf,
    pen: Pen,
    clocks: Clocks,
    doing: Doing,
    /// When the side to move began to think.
    since: Instant,
    /// Since when nobody has said anything.
    quiet: Instant,
    guess: Option<Move>,
    is_pondering: bool,
    evaluation: Option<Evaluation>,
    /// How many moves in a row the engine has seen too little for itself.
    bad: u32,
    is_revived: bool,
    /// The engine cannot be asked any more.
    is_lost: bool,
    is_dirty: bool,
    reason: Option<(Reason, Instant)>,
    special: Option<Special>,
}

/// Who takes part in a game, besides the game itself.
pub(super) struct Company<'a> {
    pub(super) wire: &'a mut Wire,
    pub(super) brain: &'a mut dyn Brain,
    pub(super) watch: Watch<'a>,
    pub(super) settings: &'a Settings,
    pub(super) archive: &'a Archive,
}

impl<'a> Table<'a> {
    /// The clock of the side to move runs from now on.
    pub(super) fn new(company: Company<'a>, summary: Summary, conditions: Conditions) -> Self {
        let mut clocks = Clocks::new(summary.times);
        let mut pen = Pen::new(summary.game.clone());
        let played: Vec<_> = summary.game.main_line().collect();
        for id in played {
            let time = summary.game[id].time.unwrap_or_default();
            // The server decides whose flag falls.
            let _ = clocks.spend(pen.position().turn(), time);
            pen.go(id);
        }
        let headers = &mut pen.game_mut().headers;
        headers.players = summary.players.clone();
        headers.event.clone_from(&summary.id);
        headers.start_time = stamp(SystemTime::now());
        headers.clocks.0 = summary.times.0.map(|times| Some(times.to_record()));
        headers.move_limit = summary.move_limit;
        let path = company.archive.place(&summary.id);
        let now = Instant::now();
        let doing = match pen.position().turn() == summary.side {
            true => Doing::Nothing,
            false => Doing::Watching,
        };
        Self {
            wire: company.wire,
            brain: company.brain,
            watch: company.watch,
            settings: company.settings,
            archive: company.archive,
            summary,
            conditions,
            path,
            pen,
            clocks,
            doing,
            since: now,
            quiet: now,
            guess: None,
            is_pondering: false,
            evaluation: None,
            bad: 0,
            is_revived: false,
            is_lost: false,
            is_dirty: true,
            reason: None,
            special: None,
        }
    }

    /// Plays until the server says that the game is over, or nothing any more.
    pub(super) fn play(mut self) -> Played {
        (self.watch)(News::Begins(&self.summary, &self.path));
        loop {
            match self.doing {
                Doing::Nothing => self.begin_turn(),
                Doing::Thinking { hurried } => self.think(hurried),
                Doing::Sent | Doing::Watching => {}
            }
            // What is written down takes time: the engine thinks meanwhile.
            self.keep();
            let wait = match self.doing {
                Doing::Thinking { .. } => Duration::ZERO,
                _ => NAP,
            };
            match self.wire.hear(Instant::now() + wait) {
                Heard::Line(line) => {
                    self.quiet = Instant::now();
                    if let Some(share) = self.take(&line) {
                        return self.finish(share, false);
                    }
                }
                Heard::Silence => {
                    if let Some((Reason::Abort, _)) = self.reason {
                        return self.finish(None, false);
                    }
                    if self.is_forsaken() {
                        self.trouble("the server says nothing any more");
                        return self.finish(None, true);
                    }
                }
                Heard::Closed(why) => {
                    if self.reason.is_none() {
                        self.trouble(&format!("the connection was lost in a game: {why}"));
                    }
                    return self.finish(None, true);
                }
            }
        }
    }

    /// Whether the server has been silent longer than the clock of the other side can explain.
    fn is_forsaken(&self) -> bool {
        let patience = self.settings.server.patience();
        let patience = match (self.reason, self.doing) {
            (Some((_, at)), _) => return at.elapsed() > VERDICT_PATIENCE,
            (_, Doing::Watching) => self.clocks.flag(self.summary.side.foe()) + patience,
            (_, Doing::Sent) => patience,
            (_, Doing::Nothing | Doing::Thinking { .. }) => return false,
        };
        self.quiet.elapsed() > patience
    }

    fn trouble(&mut self, text: &str) {
        (self.watch)(News::Trouble(text));
    }

    fn send(&mut self, line: &ClientLine) {
        (self.watch)(News::Sent(&line.to_string()));
        self.doing = Doing::Sent;
        self.quiet = Instant::now();
        // If the connection is gone, listening will tell.
        let _ = self.wire.say(&line.to_wire());
    }

    fn resign(&mut self) {
        self.send(&ClientLine::Special(Special::Resign));
    }

    fn may_declare(&self) -> bool {
        declare(self.pen.position(), self.summary.declaration) == Declaration::Win
    }

    fn moves(&self) -> Vec<Move> {
        self.pen.game().moves().collect()
    }

    /// Our turn has come.
    fn begin_turn(&mut self) {
        let pos = self.pen.position();
        let is_over = !tesuji_shogi::movegen::has_legal_move(pos);
        if self.settings.play.declare && self.may_declare() {
            return self.send(&ClientLine::Special(Special::Declare));
        }
        if self.is_lost || is_over {
            return self.resign();
        }
        let last = pos.last_move();
        self.doing = Doing::Thinking { hurried: false };
        let was_pondering = std::mem::take(&mut self.is_pondering);
        let asked = match was_pondering && last == self.guess {
            true => self.brain.hit(),
            false => self.ask(),
        };
        if let Err(error) = asked {
            self.revive(&error);
        }
    }

    fn ask(&mut self) -> Result<(), PlayerError> {
        let moves = self.moves();
        self.brain.ask(&Question {
            start: self.pen.game().start(),
            moves: &moves,
            times: self.times(),
        })
    }

    fn times(&self) -> tesuji_usi::Times {
        let margin = Duration::from_millis(self.settings.engine.margin);
        self.clocks.times(self.summary.side, margin)
    }

    /// Waits a moment for the engine, and sees that it does not wait too long.
    fn think(&mut self, hurried: bool) {
        match self.brain.poll(Instant::now() + SLICE) {
            Ok(Some(reflection)) => return self.act(&reflection),
            Ok(None) => {}
            Err(error) => return self.revive(&error),
        }
        let flag = self.clocks.flag(self.summary.side);
        // The server's clock is ahead of ours by the way between us.
        let way = self.conditions.delay[0].min(flag / 4);
        let (flag, reserve) = (flag - way, RESERVE.min(flag / 10));
        let elapsed = self.since.elapsed();
        if elapsed + reserve / 2 >= flag {
            let favourite = self.brain.favourite();
            let favourite = favourite.filter(|&mv| self.pen.position().is_legal(mv));
            self.trouble("the engine does not answer; it is started anew");
            match favourite {
                Some(mv) => {
                    self.send_move(mv, None);
                    self.begin_anew();
                }
                None => self.resign(),
            }
        } else if elapsed + reserve >= flag && !hurried {
            self.doing = Doing::Thinking { hurried: true };
            if let Err(error) = self.brain.hurry() {
                self.revive(&error);
            }
        }
    }

    /// Starts an engine that cannot be trusted anew, once, and asks it again. What cannot be helped
    /// is resigned.
    fn revive(&mut self, error: &PlayerError) {
        let text = format!("the engine: {error}");
        self.trouble(&text);
        let left = self.clocks.flag(self.summary.side);
        let left = left.saturating_sub(self.since.elapsed());
        if self.is_revived || left < REVIVAL {
            self.is_lost = true;
            return self.resign();
        }
        self.begin_anew();
        if self.is_lost || self.ask().is_err() {
            self.is_lost = true;
            return self.resign();
        }
        self.doing = Doing::Thinking { hurried: false };
    }

    fn begin_anew(&mut self) {
        self.is_revived = true;
        self.brain.abandon();
        if let Err(error) = self.brain.begin(&self.conditions) {
            self.trouble(&format!("the engine: {error}"));
            self.is_lost = true;
        }
    }

    /// Does what the engine wants, unless the rules or the user are against it.
    fn act(&mut self, reflection: &Reflection) {
        let value = reflection.info.score.map(|score| score.value());
        let play = &self.settings.play;
        let is_bad = value.is_some_and(|value| value.points() <= -play.resign_value);
        self.bad = match play.resign_value > 0 && is_bad {
            true => self.bad + 1,
            false => 0,
        };
        if self.bad > 0 && self.bad >= play.resign_moves {
            return self.resign();
        }
        match reflection.best {
            BestMove::Move { mv, ponder } if self.pen.position().is_legal(mv) => {
                self.guess = ponder;
                self.send_move(mv, Some(reflection));
            }
            BestMove::Move { mv, .. } => {
                let why = tesuji_shogi::rules::foul(self.pen.position(), mv);
                let why = why.map_or(String::new(), |why| format!(": {why}"));
                self.revive(&PlayerError::Nonsense(format!("{mv}{why}")));
            }
            BestMove::Win if self.may_declare() => {
                self.send(&ClientLine::Special(Special::Declare));
            }
            // A wrong declaration would lose as well.
            BestMove::Win => self.revive(&PlayerError::Nonsense("win".into())),
            BestMove::Resign => self.resign(),
        }
    }

    fn send_move(&mut self, mv: Move, reflection: Option<&Reflection>) {
        let text = write_move(self.pen.position(), mv);
        self.evaluation = reflection.and_then(|reflection| self.evaluate(mv, reflection));
        let comment = self
            .evaluation
            .as_ref()
            .filter(|_| self.settings.play.comments);
        let comment = comment.map(|evaluation| {
            let mut after = self.pen.position().clone();
            after.play(mv);
            let remark = Remark {
                points: evaluation.value.points(),
                line: evaluation.line.clone(),
            };
            remark.write(&after)
        });
        self.send(&ClientLine::Move { mv: text, comment });
    }

    /// What the engine thinks of its move, for Black and behind the move.
    fn evaluate(&self, mv: Move, reflection: &Reflection) -> Option<Evaluation> {
        let info = &reflection.info;
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

    /// Takes a line of the server; what we got if the game is over.
    fn take(&mut self, line: &str) -> Option<Option<Share>> {
        (self.watch)(News::Heard(line));
        match ServerLine::read(line) {
            ServerLine::Move { mv, time } => self.moved(&mv, time.unwrap_or_default()),
            ServerLine::Special { what, .. } => self.special = Some(what),
            ServerLine::Reason(reason) => self.reason = Some((reason, Instant::now())),
            ServerLine::Share(share) => return Some(Some(share)),
            _ => {}
        }
        None
    }

    /// A move was made: ours, or the other's.
    fn moved(&mut self, text: &str, cost: Duration) {
        let turn = self.pen.position().turn();
        let mv = read_move(self.pen.position(), text).ok();
        if mv.is_none_or(|mv| self.pen.play(mv).is_err()) {
            self.trouble(&format!(
                "the server plays {text:.20}, which cannot be played"
            ));
            self.is_lost = true;
            if self.doing == Doing::Watching {
                self.doing = Doing::Nothing;
            }
            return;
        }
        let is_ours = turn == self.summary.side;
        let _ = self.clocks.spend(turn, cost);
        self.since = Instant::now();
        self.is_dirty = true;
        let evaluation = self.evaluation.take().filter(|_| is_ours);
        let node = self.pen.node();
        node.time = Some(cost);
        node.evaluation = evaluation;
        if is_ours {
            self.doing = Doing::Watching;
            self.ponder();
        } else {
            self.doing = Doing::Nothing;
        }
    }

    /// Thinks about the answer to the reply that is expected.
    fn ponder(&mut self) {
        let guess = self.guess.filter(|&mv| self.pen.position().is_legal(mv));
        let Some(guess) = guess.filter(|_| self.settings.engine.ponder && !self.is_lost) else {
            return;
        };
        let mut moves = self.moves();
        moves.push(guess);
        let asked = self.brain.ponder(&Question {
            start: self.pen.game().start(),
            moves: &moves,
            times: self.times(),
        });
        // One that is gone is noticed on our turn.
        self.is_pondering = asked.is_ok();
    }

    /// Writes the record if there is something new: a crash now would lose nothing.
    fn keep(&mut self) {
        if !std::mem::take(&mut self.is_dirty) {
            return;
        }
        if let Err(error) = self.archive.save(&self.path, self.pen.game()) {
            let text = format!("{}: cannot write it: {error}", self.path.display());
            self.trouble(&text);
        }
    }

    fn finish(mut self, share: Option<Share>, is_cut: bool) -> Played {
        let side = self.summary.side;
        let won = share.and_then(Share::won);
        let winner = won.map(|won| if won { side } else { side.foe() });
        let reason = self.reason.map(|(reason, _)| reason);
        let plies = self.pen.position().played();
        let known = reason.filter(|&reason| share.is_some() || reason == Reason::Abort);
        let ending = ending(known, winner, self.special, self.pen.position());
        self.pen.end(ending);
        self.pen.game_mut().headers.end_time = stamp(SystemTime::now());
        self.is_dirty = true;
        self.keep();
        self.brain.end(won);
        Played {
            id: self.summary.id.clone(),
            side,
            foe: self.summary.players[side.foe()].clone(),
            reason,
            share,
            plies,
            record: self.path.clone(),
            is_cut,
        }
    }
}
