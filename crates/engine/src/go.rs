//! `go`: from the request to its only answer.

use crate::answer::AnswerGate;
use crate::output::UsiOutput;
use crate::task::{GoTask, with_ponder};
use crate::worker::EngineWorker;
use tesuji_book::probe::Proposal;
use tesuji_search::{Answer, SearchInfo, SearchListener, SearchResult};
use tesuji_shogi::{Board, Bound, Move, Value};
use tesuji_usi::{BestMove, Reply, UsiScore};

impl EngineWorker {
    /// Thinks, waits until the answer may be given, and gives it.
    pub(crate) fn answer(&mut self, task: &GoTask) {
        let reply = if task.for_mate {
            Reply::Checkmate(self.mate(task))
        } else {
            Reply::BestMove(self.best_move(task))
        };
        if task.answer.answer(|| self.out.send(&reply)) {
            self.latency.note(&task.answer.control);
        }
    }

    fn best_move(&mut self, task: &GoTask) -> BestMove {
        task.answer.set_loading(true);
        if let Some(best) = self.without_search(task) {
            return best;
        }
        let mut printer = InfoPrinter {
            out: self.out.clone(),
            answer: &task.answer,
            shows_multipv: task.request.limits.multi_pv > 1,
        };
        let search = self.search(&task.config);
        task.answer.set_loading(false);
        let best = search.think(&task.request, &task.answer.control, &mut printer);
        self.checked(task, &best)
    }

    /// The answer where no search is needed: no legal move, a declaration, a book move.
    fn without_search(&mut self, task: &GoTask) -> Option<BestMove> {
        if let Some(result) = task.request.immediate_result() {
            return Some(self.end(task, &result));
        }
        let pos = task.position();
        self.open_book(&task.config, false);
        let (selection, (path, library)) = (task.book.as_ref()?, self.book.as_mut()?);
        let proposal = match library.propose(pos, selection, &mut self.dice) {
            Ok(proposal) => proposal?,
            Err(error) => {
                let path = path.display();
                self.out.error(format!("{path}: {error}"));
                return None;
            }
        };
        self.show_book(task, &proposal);
        Some(with_ponder(pos, proposal.mv, proposal.ponder))
    }

    /// Shows and answers what was clear without a search.
    fn end(&self, task: &GoTask, result: &SearchResult) -> BestMove {
        let (best, word) = match result.answer {
            Answer::Resign => {
                self.show_end(task, Value::mated_in(1), "resign");
                return BestMove::Resign;
            }
            Answer::Declare => (BestMove::Win, "win".to_owned()),
            Answer::Move(mv) => (BestMove::Move { mv, ponder: None }, mv.to_string()),
        };
        self.show_end(task, result.value, &word);
        best
    }

    fn show_end(&self, task: &GoTask, value: Value, word: &str) {
        let info = tesuji_usi::Info {
            depth: Some(0),
            score: Some(UsiScore::of(value, Bound::Exact)),
            pv_end: Some(word.into()),
            ..tesuji_usi::Info::default()
        };
        let info = Reply::Info(Box::new(info));
        task.answer.say_before(|| self.out.send(&info));
    }

    fn show_book(&self, task: &GoTask, proposal: &Proposal) {
        let (value, bound) = (Value::new(proposal.chosen.value), Bound::Exact);
        let info = tesuji_usi::Info {
            depth: u32::try_from(proposal.chosen.depth).ok(),
            score: Some(UsiScore::of(value, bound)),
            pv: proposal.line.clone(),
            ..tesuji_usi::Info::default()
        };
        let info = Reply::Info(Box::new(info));
        task.answer.say_before(|| {
            self.out.info_string("a move of the book");
            self.out.send(&info);
        });
    }

    /// What the search answered, if it is legal: nothing illegal leaves the engine.
    fn checked(&self, task: &GoTask, best: &SearchResult) -> BestMove {
        let pos = task.position();
        match best.answer {
            Answer::Declare => BestMove::Win,
            Answer::Resign => BestMove::Resign,
            Answer::Move(_) if task.resigns(best.value) => BestMove::Resign,
            Answer::Move(mv) if pos.is_legal(mv) => with_ponder(pos, mv, best.ponder),
            Answer::Move(mv) => {
                let what = format!("the search answered {mv}, which is illegal");
                self.out.error(what);
                pos.legal_moves()
                    .iter()
                    .next()
                    .map_or(BestMove::Resign, |mv| BestMove::Move { mv, ponder: None })
            }
        }
    }
}

/// Sends what the search reports as `info` lines.
struct InfoPrinter<'a> {
    out: UsiOutput,
    answer: &'a AnswerGate,
    shows_multipv: bool,
}

impl InfoPrinter<'_> {
    fn send(&self, info: tesuji_usi::Info) {
        let info = Reply::Info(Box::new(info));
        self.answer.say_before(|| self.out.send(&info));
        if self.out.is_broken() {
            // The GUI is gone.
            self.answer.control.stop();
        }
    }
}

impl SearchListener for InfoPrinter<'_> {
    fn info(&mut self, info: &SearchInfo) {
        if info.multipv == 1 && info.value.bound != Bound::Upper {
            self.answer.set_best_line(info.value.value, &info.pv);
        }
        let millis = u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX);
        let per_second = info.nodes as f64 / info.time.as_secs_f64().max(1e-6);
        self.send(tesuji_usi::Info {
            depth: Some(info.depth),
            seldepth: Some(info.seldepth),
            multipv: u32::try_from(info.multipv)
                .ok()
                .filter(|_| self.shows_multipv),
            score: Some(UsiScore::of(info.value.value, info.value.bound)),
            nodes: Some(info.nodes),
            nps: Some(per_second as u64),
            hashfull: Some(info.hashfull),
            time: Some(millis),
            pv: info.pv.clone(),
            ..tesuji_usi::Info::default()
        });
    }

    fn currmove(&mut self, depth: u32, mv: Move, number: usize) {
        self.send(tesuji_usi::Info {
            depth: Some(depth),
            currmove: Some(mv),
            currmovenumber: u32::try_from(number).ok(),
            ..tesuji_usi::Info::default()
        });
    }
}
