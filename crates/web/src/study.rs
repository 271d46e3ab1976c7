//! A study: a tree of moves, the engine's lines at the place one looks at, every move judged.

use crate::complaint::Complaint;
use crate::desk::{Desk, State};
use crate::engine::Job;
use crate::opponent::is_same;
use crate::sheet::{Seen, Sheet};
use crate::view::{LineView, PositionView, for_black};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::{Budget, Control, Info, Limits, Phase, Quiet, Report, Root, Search};
use tesuji_shogi::{Bound, Move, Position};

/// The most lines that are shown at once.
const MOST_LINES: usize = 10;

/// A study.
pub(crate) struct Study {
    pub(crate) sheet: Sheet,
    pub(crate) lines: usize,
    /// Whoever thinks about the position; `None` if nobody is to.
    thinking: Option<Arc<Control>>,
    live: Live,
    judging: Option<Judging>,
}

/// What the engine says about a position at this moment.
struct Live {
    pos: Position,
    node: NodeId,
    infos: Vec<Option<Info>>,
    /// Counts what was said, so that a page knows whether it has heard it.
    version: u64,
}

/// How far the judging of a whole game is.
struct Judging {
    /// Says which judging it is.
    control: Arc<Control>,
    /// Ends the search for the position that is being judged.
    search: Arc<Control>,
    done: usize,
    total: usize,
}

impl Default for Study {
    fn default() -> Self {
        Self::restored(Sheet::new(Game::default()), 3)
    }
}

impl Study {
    /// A study that was kept on disk.
    pub(crate) fn restored(sheet: Sheet, lines: usize) -> Self {
        Self {
            live: Live {
                pos: sheet.position().clone(),
                node: sheet.at(),
                infos: Vec::new(),
                version: 0,
            },
            sheet,
            lines: lines.clamp(1, MOST_LINES),
            thinking: None,
            judging: None,
        }
    }

    /// Another game.
    pub(crate) fn replace(&mut self, game: Game) {
        self.stop_judging();
        self.sheet.replace(game);
    }

    /// Ends the judging of the game.
    pub(crate) fn stop_judging(&mut self) {
        if let Some(judging) = self.judging.take() {
            judging.control.stop();
            judging.search.stop();
        }
    }

    /// Ends the thinking about the position.
    pub(crate) fn stop_thinking(&mut self) {
        if let Some(control) = self.thinking.take() {
            control.stop();
        }
    }

    /// Plays a move, or follows it if it is there.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), Complaint> {
        let mv: Move = text.parse().map_err(|_| Complaint::not_a_move(text))?;
        self.sheet.play(mv).map(|_| ())
    }

    /// Counts what the engine said.
    pub(crate) fn live_version(&self) -> u64 {
        self.live.version
    }

    /// What the engine says, and what that changed in the tree, for a page.
    pub(crate) fn live_news(&self, seen: Seen) -> (Json, Seen) {
        let (sheet, seen) = self.sheet.news(seen);
        let infos = self.live.infos.iter().flatten();
        let lines: Vec<_> = infos
            .map(|info| LineView::new(&self.live.pos, info))
            .collect();
        let news = json!({
            "is": "live",
            "node": self.live.node.index(),
            "turn": self.live.pos.turn().letter(),
            "lines": lines,
            "sheet": sheet,
        });
        (news, seen)
    }

    /// What a page is told.
    pub(crate) fn news(&self, seen: Seen) -> (Json, Seen) {
        let (sheet, seen) = self.sheet.news(seen);
        let is_end = self.sheet.game()[self.sheet.at()].ending().is_some();
        let judging = self.judging.as_ref();
        let news = json!({
            "is": "study",
            "position": PositionView::new(self.sheet.position(), !is_end),
            "sheet": sheet,
            "thinking": self.thinking.is_some(),
            "lines": self.lines,
            "judging": judging.map(|judging| [judging.done, judging.total]),
        });
        (news, seen)
    }

    /// Notes what the engine says, here and in the tree.
    fn hear(&mut self, control: &Arc<Control>, info: &Info) {
        if !is_same(self.thinking.as_ref(), control) {
            return;
        }
        let live = &mut self.live;
        let place = info.rank.saturating_sub(1);
        if place >= MOST_LINES {
            return;
        }
        if live.infos.len() <= place {
            live.infos.resize(place + 1, None);
        }
        live.infos[place] = Some(info.clone());
        live.version += 1;
        if place == 0 && info.value.bound == Bound::Exact {
            let (node, turn) = (live.node, live.pos.turn());
            let known = self.sheet.game()[node].evaluation.as_ref();
            if known.and_then(|known| known.depth) <= Some(info.depth) {
                let evaluation = Evaluation {
                    value: for_black(info.value.value, turn),
                    depth: Some(info.depth),
                    nodes: Some(info.nodes),
                    line: info.line.clone(),
                };
                self.sheet.set_evaluation(node, evaluation);
            }
        }
    }
}

/// Tells a desk what a search sees.
struct Listener {
    desk: Arc<Desk>,
    control: Arc<Control>,
}

impl Report for Listener {
    fn info(&mut self, info: &Info) {
        self.desk.state().study.hear(&self.control, info);
    }
}

impl Desk {
    /// Lets the engine think about the position one looks at, or stops it.
    pub(crate) fn think(
        self: &Arc<Self>,
        state: &mut State,
        on: bool,
        lines: usize,
    ) -> Result<(), Complaint> {
        state.study.lines = lines.clamp(1, MOST_LINES);
        state.study.stop_thinking();
        match on {
            true => self.think_here(state),
            false => Ok(()),
        }
    }

    /// One looks at another position: whoever was thinking thinks about that one.
    pub(crate) fn follow(self: &Arc<Self>, state: &mut State) -> Result<(), Complaint> {
        let study = &mut state.study;
        if study.thinking.is_none() || study.live.node == study.sheet.at() {
            return Ok(());
        }
        study.stop_thinking();
        self.think_here(state)
    }

    /// The tree was written anew: nodes have other numbers now.
    pub(crate) fn follow_anew(self: &Arc<Self>, state: &mut State) -> Result<(), Complaint> {
        let study = &mut state.study;
        study.stop_judging();
        study.live.infos.clear();
        study.live.node = study.sheet.at();
        study.live.version += 1;
        if study.thinking.is_none() {
            return Ok(());
        }
        study.stop_thinking();
        self.think_here(state)
    }

    fn think_here(self: &Arc<Self>, state: &mut State) -> Result<(), Complaint> {
        let study = &mut state.study;
        let control = Arc::new(Control::new(Phase::Thinking, None));
        let pos = study.sheet.position().clone();
        study.live = Live {
            pos: pos.clone(),
            node: study.sheet.at(),
            infos: Vec::new(),
            version: study.live.version + 1,
        };
        study.thinking = Some(control.clone());
        let limits = Limits {
            infinite: true,
            lines: study.lines,
            ..Limits::default()
        };
        let (desk, own) = (self.clone(), control.clone());
        let job = Job {
            control,
            is_endless: true,
            work: Box::new(move |thinker| {
                let why = match thinker {
                    Err(why) => Complaint::engine(why),
                    Ok(thinker) => {
                        let mut listener = Listener {
                            desk: desk.clone(),
                            control: own.clone(),
                        };
                        thinker.think(&Root::new(pos), &limits, &own, &mut listener);
                        Complaint::new(
                            "The analysis stopped: the engine was needed elsewhere.",
                            "解析を止めました。エンジンがほかで必要になりました。",
                        )
                    }
                };
                desk.tools.engine.done(&own);
                let mut state = desk.state();
                if is_same(state.study.thinking.as_ref(), &own) {
                    // Nobody here stopped it.
                    state.study.thinking = None;
                    state.notice(why);
                }
                drop(state);
                desk.changed();
            }),
        };
        self.tools.engine.ask(job).map_err(|_| {
            study.thinking = None;
            Complaint::busy()
        })
    }

    /// Judges every position of the main line, so long each.
    pub(crate) fn judge_game(
        self: &Arc<Self>,
        state: &mut State,
        millis: u64,
    ) -> Result<(), Complaint> {
        let study = &mut state.study;
        study.stop_judging();
        let game = study.sheet.game();
        let moves = game.main_line().filter(|&id| game[id].mv().is_some());
        let nodes: Vec<NodeId> = std::iter::once(Game::ROOT).chain(moves).collect();
        let control = Arc::new(Control::new(Phase::Thinking, None));
        study.judging = Some(Judging {
            control: control.clone(),
            search: control.clone(),
            done: 0,
            total: nodes.len(),
        });
        let budget = Budget::exactly(Duration::from_millis(millis.clamp(10, 600_000)));
        let (desk, own) = (self.clone(), control.clone());
        let job = Job {
            control,
            is_endless: false,
            work: Box::new(move |thinker| {
                let complaint = match thinker {
                    Err(why) => Some(Complaint::engine(why)),
                    Ok(thinker) => {
                        for node in nodes {
                            if !desk.judge_node(thinker, &own, budget, node) {
                                break;
                            }
                        }
                        None
                    }
                };
                desk.tools.engine.done(&own);
                let mut state = desk.state();
                let judging = state.study.judging.as_ref();
                if is_same(judging.map(|judging| &judging.control), &own) {
                    state.study.judging = None;
                    complaint.into_iter().for_each(|c| state.notice(c));
                }
                drop(state);
                desk.changed();
            }),
        };
        self.tools.engine.ask(job).map_err(|_| {
            study.judging = None;
            Complaint::busy()
        })
    }

    /// Judges one position; `false` if nobody wants it any more.
    fn judge_node(
        self: &Arc<Self>,
        thinker: &mut impl Search,
        control: &Arc<Control>,
        budget: Budget,
        node: NodeId,
    ) -> bool {
        // A search that its clock has ended cannot be asked again: every position has its own.
        let search = Arc::new(Control::new(Phase::Thinking, Some(budget)));
        let pos = {
            let mut state = self.state();
            let study = &mut state.study;
            match &mut study.judging {
                Some(judging) if Arc::ptr_eq(&judging.control, control) => {
                    judging.search = search.clone();
                }
                _ => return false,
            }
            study.sheet.game().position(node)
        };
        let root = Root::new(pos.clone());
        let best = thinker.think(&root, &Limits::default(), &search, &mut Quiet);
        let mut state = self.state();
        let study = &mut state.study;
        match &mut study.judging {
            Some(judging) if Arc::ptr_eq(&judging.control, control) => judging.done += 1,
            _ => return false,
        }
        let evaluation = Evaluation {
            value: for_black(best.value, pos.turn()),
            depth: Some(best.depth),
            nodes: Some(best.nodes),
            line: best.line,
        };
        study.sheet.set_evaluation(node, evaluation);
        drop(state);
        self.shown();
        true
    }
}
