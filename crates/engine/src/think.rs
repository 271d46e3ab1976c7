//! From a `go` to its only answer.

use super::book::Proposal;
use super::output::Output;
use super::session::Session;
use super::worker::{Question, Worker};
use tesuji_search::{Answer, Best, Info, Report};
use tesuji_shogi::rules::declare;
use tesuji_shogi::{Board, Bound, Declaration, Move, Position, Value};
use tesuji_usi::{BestMove, Reply, Score};

impl Worker {
    /// Thinks, waits until the answer may be given, and gives it.
    pub(super) fn answer(&mut self, question: &Question) {
        let reply = if question.for_mate {
            Reply::Checkmate(self.mate(question))
        } else {
            Reply::BestMove(self.best_move(question))
        };
        if question.session.answer(|| self.out.say(&reply)) {
            self.lag.note(&question.session.control);
        }
    }

    fn best_move(&mut self, question: &Question) -> BestMove {
        let Question { root, session, .. } = question;
        session.set_loading(true);
        if let Some(best) = self.at_once(question) {
            return best;
        }
        let mut printer = Printer {
            out: self.out.clone(),
            session,
            shows_rank: question.limits.lines > 1,
        };
        let limits = &question.limits;
        let thinker = self.prepared(&question.equipment);
        session.set_loading(false);
        let best = thinker.think(root, limits, &session.control, &mut printer);
        self.checked(question, &best)
    }

    /// What needs no search: no move at all, a declaration, a move of the book.
    fn at_once(&mut self, question: &Question) -> Option<BestMove> {
        let pos = &question.root.position;
        if pos.legal_moves().is_empty() {
            self.show_end(Value::mated_in(1), "resign");
            return Some(BestMove::Resign);
        }
        if question.root.moves.is_empty() {
            match declare(pos, question.root.rules.declaration) {
                Declaration::Win => {
                    self.show_end(Value::mate_in(1), "win");
                    return Some(BestMove::Win);
                }
                Declaration::Try(mv) => {
                    self.show_end(Value::mate_in(1), &mv.to_string());
                    return Some(BestMove::Move { mv, ponder: None });
                }
                Declaration::Draw | Declaration::NotAllowed(_) => {}
            }
        }
        self.open_book(&question.equipment, false);
        let (wishes, (_, book)) = (question.book.as_ref()?, self.book.as_ref()?);
        let proposal = book.propose(pos, wishes)?;
        self.show_book(&proposal);
        let (mv, ponder) = (proposal.chosen.mv, proposal.chosen.ponder);
        Some(with_ponder(pos, mv, ponder))
    }

    fn show_end(&self, value: Value, word: &str) {
        self.out.say(&Reply::Info(Box::new(tesuji_usi::Info {
            depth: Some(0),
            score: Some(Score::of(value, Bound::Exact)),
            pv_end: Some(word.into()),
            ..tesuji_usi::Info::default()
        })));
    }

    fn show_book(&self, proposal: &Proposal) {
        self.out.tell("a move of the book");
        self.out.say(&Reply::Info(Box::new(tesuji_usi::Info {
            depth: u32::try_from(proposal.chosen.depth).ok(),
            score: Some(Score::of(Value::new(proposal.chosen.value), Bound::Exact)),
            pv: proposal.line.clone(),
            ..tesuji_usi::Info::default()
        })));
    }

    /// What the search answered, if it can stand: nothing illegal leaves the engine.
    fn checked(&self, question: &Question, best: &Best) -> BestMove {
        let pos = &question.root.position;
        match best.answer {
            Answer::Declare => BestMove::Win,
            Answer::Resign => BestMove::Resign,
            Answer::Move(_) if question.resign.is_some_and(|worst| best.value <= worst) => {
                BestMove::Resign
            }
            Answer::Move(mv) if pos.is_legal(mv) => with_ponder(pos, mv, best.ponder),
            Answer::Move(mv) => {
                self.out
                    .tell(format!("error: the search answered {mv}, which is illegal"));
                pos.legal_moves()
                    .iter()
                    .next()
                    .map_or(BestMove::Resign, |mv| BestMove::Move { mv, ponder: None })
            }
        }
    }
}

/// A move, and the reply that is expected if it is a legal one.
pub(super) fn with_ponder(pos: &Position, mv: Move, ponder: Option<Move>) -> BestMove {
    let after = || {
        let mut pos = pos.clone();
        pos.play(mv);
        pos
    };
    let ponder = ponder.filter(|&reply| after().is_legal(reply));
    BestMove::Move { mv, ponder }
}

/// Tells the GUI what the search sees.
struct Printer<'a> {
    out: Output,
    session: &'a Session,
    shows_rank: bool,
}

impl Printer<'_> {
    fn say(&self, info: tesuji_usi::Info) {
        let info = Reply::Info(Box::new(info));
        self.session.speak(|| self.out.say(&info));
        if self.out.is_broken() {
            // Nobody listens any more: the GUI is gone.
            self.session.control.stop();
        }
    }
}

impl Report for Printer<'_> {
    fn info(&mut self, info: &Info) {
        if info.rank == 1 && info.value.bound != Bound::Upper {
            self.session.keep_line(info.value.value, &info.line);
        }
        let millis = u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX);
        let per_second = info.nodes as f64 / info.time.as_secs_f64().max(1e-6);
        self.say(tesuji_usi::Info {
            depth: Some(info.depth),
            seldepth: Some(info.reach),
            multipv: u32::try_from(info.rank).ok().filter(|_| self.shows_rank),
            score: Some(Score::of(info.value.value, info.value.bound)),
            nodes: Some(info.nodes),
            nps: Some(per_second as u64),
            hashfull: Some(info.fill),
            time: Some(millis),
            pv: info.line.clone(),
            ..tesuji_usi::Info::default()
        });
    }

    fn trying(&mut self, depth: u32, mv: Move, number: usize) {
        self.say(tesuji_usi::Info {
            depth: Some(depth),
            currmove: Some(mv),
            currmovenumber: u32::try_from(number).ok(),
            ..tesuji_usi::Info::default()
        });
    }
}
