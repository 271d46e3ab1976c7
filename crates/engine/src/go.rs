//! `go`: from the request to its only answer.

use crate::answer::AnswerGate;
use crate::output::UsiOutput;
use crate::running_go::{RunningGo, with_ponder};
use crate::worker::EngineWorker;
use tesuji_book::probe::{BookNote, Proposal};
use tesuji_search::{Answer, SearchInfo, SearchListener, SearchResult};
use tesuji_shogi::{Board, Bound, Move, Value};
use tesuji_usi::{BestMove, Reply, UsiScore};

impl EngineWorker {
    /// Thinks, waits until the answer may be given, and gives it.
    pub(crate) fn answer(&mut self, go: &RunningGo) {
        let reply = if go.for_mate {
            Reply::Checkmate(self.mate(go))
        } else {
            Reply::BestMove(self.best_move(go))
        };
        if go.answer.answer(|| self.out.send(&reply)) {
            self.latency.note(&go.answer.control);
        }
    }

    fn best_move(&mut self, go: &RunningGo) -> BestMove {
        go.answer.set_loading(true);
        if let Some(best) = self.without_search(go) {
            return best;
        }
        let mut printer = InfoPrinter {
            out: self.out.clone(),
            answer: &go.answer,
            shows_multipv: go.request.limits.multi_pv > 1,
        };
        let search = self.search(&go.config);
        go.answer.set_loading(false);
        let best = search.think(&go.request, &go.answer.control, &mut printer);
        self.checked(go, &best)
    }

    /// The answer where no search is needed: no legal move, a declaration, a book move.
    fn without_search(&mut self, go: &RunningGo) -> Option<BestMove> {
        if let Some(result) = go.request.immediate_result() {
            return Some(self.end(go, &result));
        }
        let pos = go.position();
        self.open_book(&go.config, false);
        let (selection, (path, library)) = (go.book.as_ref()?, self.book.as_mut()?);
        let proposed = library.propose(pos, selection, &mut self.dice);
        for note in library.take_notes() {
            self.out.info_string(match note {
                BookNote::TooShallow(depth) => format!(
                    "the book has this position, but searched it only to depth {depth}: BookDepthLimit \
                     {} passes over it, 0 would not",
                    selection.depth_limit
                ),
                BookNote::Illegal(moves) => {
                    let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
                    let (moves, sfen) = (moves.join(" "), pos.to_sfen());
                    format!("moves of the book that cannot be played: {moves} in {sfen}")
                }
            });
        }
        let proposal = match proposed {
            Ok(proposal) => proposal?,
            Err(error) => {
                let path = path.display();
                self.out.error(format!("{path}: {error}"));
                return None;
            }
        };
        self.show_book(go, &proposal);
        Some(with_ponder(pos, proposal.mv, proposal.ponder))
    }

    /// Shows and answers what was clear without a search.
    fn end(&self, go: &RunningGo, result: &SearchResult) -> BestMove {
        let (best, word) = match result.answer {
            Answer::Resign => {
                self.show_end(go, Value::mated_in(1), "resign");
                return BestMove::Resign;
            }
            Answer::Declare => (BestMove::Win, "win".to_owned()),
            Answer::Move(mv) => (BestMove::Move { mv, ponder: None }, mv.to_string()),
        };
        self.show_end(go, result.value, &word);
        best
    }

    fn show_end(&self, go: &RunningGo, value: Value, word: &str) {
        let info = tesuji_usi::Info {
            depth: Some(0),
            score: Some(UsiScore::of(value, Bound::Exact)),
            pv_end: Some(word.into()),
            ..tesuji_usi::Info::default()
        };
        let info = Reply::Info(Box::new(info));
        go.answer.say_before(|| self.out.send(&info));
    }

    fn show_book(&self, go: &RunningGo, proposal: &Proposal) {
        let (value, bound) = (Value::new(proposal.chosen.value), Bound::Exact);
        let info = tesuji_usi::Info {
            depth: u32::try_from(proposal.chosen.depth).ok(),
            score: Some(UsiScore::of(value, bound)),
            pv: proposal.line.clone(),
            ..tesuji_usi::Info::default()
        };
        let info = Reply::Info(Box::new(info));
        go.answer.say_before(|| {
            self.out.info_string("a move of the book");
            self.out.send(&info);
        });
    }

    /// What the search answered, if it is legal: nothing illegal leaves the engine.
    fn checked(&self, go: &RunningGo, best: &SearchResult) -> BestMove {
        let pos = go.position();
        match best.answer {
            Answer::Declare => BestMove::Win,
            Answer::Resign => BestMove::Resign,
            Answer::Move(_) if go.resigns(best.value) => BestMove::Resign,
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
