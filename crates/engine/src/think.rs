//! From a `go` to its only answer.

use super::book::Proposal;
use super::output::Output;
use super::session::Session;
use super::worker::{Question, Worker};
use tesuji_search::{Answer, SearchInfo, SearchListener, SearchResult};
use tesuji_shogi::{Board, Bound, Move, Position, Value};
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
        let Question {
            request, session, ..
        } = question;
        session.set_loading(true);
        if let Some(best) = self.at_once(question) {
            return best;
        }
        let mut printer = Printer {
            out: self.out.clone(),
            session,
            shows_multipv: request.limits.multi_pv > 1,
        };
        let thinker = self.prepared(&question.equipment);
        session.set_loading(false);
        let best = thinker.think(request, &session.control, &mut printer);
        self.checked(question, &best)
    }

    /// What needs no search: no move at all, a declaration, a move of the book.
    fn at_once(&mut self, question: &Question) -> Option<BestMove> {
        if let Some(result) = question.request.immediate_result() {
            return Some(self.end(&result));
        }
        let pos = &question.request.position;
        self.open_book(&question.equipment, false);
        let (wishes, (_, book)) = (question.book.as_ref()?, self.book.as_ref()?);
        let proposal = book.propose(pos, wishes)?;
        self.show_book(&proposal);
        let (mv, ponder) = (proposal.chosen.mv, proposal.chosen.ponder);
        Some(with_ponder(pos, mv, ponder))
    }

    /// Shows and answers what was clear without a search.
    fn end(&self, result: &SearchResult) -> BestMove {
        let (best, word) = match result.answer {
            Answer::Resign => {
                self.show_end(Value::mated_in(1), "resign");
                return BestMove::Resign;
            }
            Answer::Declare => (BestMove::Win, "win".to_owned()),
            Answer::Move(mv) => (BestMove::Move { mv, ponder: None }, mv.to_string()),
        };
        self.show_end(result.value, &word);
        best
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
    fn checked(&self, question: &Question, best: &SearchResult) -> BestMove {
        let pos = &question.request.position;
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
    shows_multipv: bool,
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

impl SearchListener for Printer<'_> {
    fn info(&mut self, info: &SearchInfo) {
        if info.multipv == 1 && info.value.bound != Bound::Upper {
            self.session.keep_line(info.value.value, &info.pv);
        }
        let millis = u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX);
        let per_second = info.nodes as f64 / info.time.as_secs_f64().max(1e-6);
        self.say(tesuji_usi::Info {
            depth: Some(info.depth),
            seldepth: Some(info.seldepth),
            multipv: u32::try_from(info.multipv)
                .ok()
                .filter(|_| self.shows_multipv),
            score: Some(Score::of(info.value.value, info.value.bound)),
            nodes: Some(info.nodes),
            nps: Some(per_second as u64),
            hashfull: Some(info.hashfull),
            time: Some(millis),
            pv: info.pv.clone(),
            ..tesuji_usi::Info::default()
        });
    }

    fn currmove(&mut self, depth: u32, mv: Move, number: usize) {
        self.say(tesuji_usi::Info {
            depth: Some(depth),
            currmove: Some(mv),
            currmovenumber: u32::try_from(number).ok(),
            ..tesuji_usi::Info::default()
        });
    }
}
