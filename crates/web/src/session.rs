//! A session: the tabs of one user, whatever page shows them.
//!
//! The server holds every game and a page only draws it, as on lichess and lishogi: a reload, a
//! second browser tab or a new start of the server finds the same games.

mod analyse;
mod library;
mod play;
mod review;
mod solve;

use crate::analyse::AnalyseTab;
use crate::engine::is_current;
use crate::engines::Engines;
use crate::explore::Explorer;
use crate::invitation::Reach;
use crate::library::GameLibrary;
use crate::play::PlayTab;
use crate::protocol::message::{FileMessage, InvitationMessage, LinkMessage, PositionsMessage};
use crate::protocol::position::PositionView;
use crate::protocol::request::{GameTab, InvitationKind, Tab};
use crate::solve::SolveTab;
use crate::solvers::Solvers;
use crate::train::Trainer;
use crate::user_error::UserError;
use crate::{link, records};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tesuji_engine::PanicReport;
use tesuji_engine::pool::EnginePool;
use tesuji_record::{Game, GamePosition, NodeId};
use tesuji_search::SearchControl;
use tesuji_shogi::{Move, Position};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// Writes a session to disk, by its name; the state is locked only while it becomes text.
pub(crate) type Saver =
    Arc<dyn Fn(&str, MutexGuard<'_, SessionState>) -> Result<(), UserError> + Send + Sync>;

/// What all sessions share.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) engine: Arc<EnginePool>,
    pub(crate) runtime: Handle,
    /// Writes sessions to disk.
    pub(crate) saver: Saver,
    /// The opening books.
    pub(crate) explorer: Arc<Explorer>,
    /// The games that are kept, and the thread that keeps them.
    pub(crate) library: GameLibrary,
    pub(crate) keeper: Sender<Arc<UserSession>>,
    /// Solvers for what pages ask.
    pub(crate) solvers: Arc<Solvers>,
    /// The problems to train with.
    pub(crate) trainer: Arc<Trainer>,
    /// The engines and their setup.
    pub(crate) engines: Arc<Engines>,
    /// How many threads the mate solver has.
    pub(crate) threads: usize,
    /// How much memory it may use.
    pub(crate) solver_bytes: usize,
    /// Where others reach the server.
    pub(crate) reach: Arc<Reach>,
}

/// A session.
pub(crate) struct UserSession {
    pub(crate) id: String,
    services: Services,
    state: Mutex<SessionState>,
    changes: watch::Sender<u64>,
    pages: AtomicUsize,
    /// How many pages show the analysis.
    analysing: AtomicUsize,
    /// Held while the session is written, so that an older state never follows a newer one.
    saving: Mutex<()>,
    /// Whether something changed that need not be on disk at once.
    is_unsaved: AtomicBool,
}

/// The tabs of a session.
#[derive(Default)]
pub(crate) struct SessionState {
    pub(crate) play: PlayTab,
    pub(crate) analyse: AnalyseTab,
    pub(crate) solve: SolveTab,
    /// The last errors that happened while no request waited for an answer, with their numbers.
    notices: VecDeque<(u64, UserError)>,
    last_notice: u64,
    /// The number of the last notice before those that no page has heard.
    unheard: Option<u64>,
}

/// What the report of a panic says about a search.
fn about(pos: &Position) -> String {
    format!("position sfen {}", pos.to_sfen())
}

impl SessionState {
    /// The state with these tabs.
    pub(crate) fn of(play: PlayTab, analyse: AnalyseTab, solve: SolveTab) -> Self {
        Self {
            play,
            analyse,
            solve,
            ..Self::default()
        }
    }

    /// The errors after the one with the number `seen`, and the number of the last.
    pub(crate) fn notices(&self, seen: u64) -> (Vec<&UserError>, u64) {
        let new = self.notices.iter().filter(|(number, _)| *number > seen);
        (new.map(|(_, notice)| notice).collect(), self.last_notice)
    }

    /// Counts a page that begins to listen: the number of the last notice that it need not hear.
    /// What happened before any page was there the first one hears.
    pub(crate) fn begin_notices(&mut self) -> u64 {
        self.unheard.take().unwrap_or(self.last_notice)
    }

    /// Adds an error from before the first page came.
    pub(crate) fn notice_for_first_page(&mut self, error: UserError) {
        self.unheard.get_or_insert(self.last_notice);
        self.notice(error);
    }

    /// Adds an error that every page is told.
    pub(crate) fn notice(&mut self, error: UserError) {
        self.last_notice += 1;
        self.notices.push_back((self.last_notice, error));
        if self.notices.len() > 8 {
            self.notices.pop_front();
        }
    }

    /// Waits no more for the search that a control leads.
    fn give_up(&mut self, control: &Arc<SearchControl>) {
        let Self {
            play,
            analyse,
            solve,
            ..
        } = self;
        if is_current(play.thinking.as_ref(), control) {
            play.thinking = None;
            play.set_pause(true);
        }
        if is_current(play.hinting.as_ref(), control) {
            play.hinting = None;
        }
        if is_current(analyse.thinking.as_ref(), control) {
            analyse.stop_thinking();
        }
        let running = analyse.game_analysis.as_ref();
        if is_current(running.map(|running| &running.control), control) {
            analyse.stop_analysing_game();
        }
        if is_current(solve.solving.as_ref(), control)
            || is_current(solve.checking.as_ref(), control)
        {
            solve.stop();
        }
    }

    /// The start of the game of a tab, the position at its current node, and the moves between them.
    pub(crate) fn line(&self, tab: GameTab) -> (Position, Position, Vec<Move>) {
        let view = match tab {
            GameTab::Play => &self.play.game,
            GameTab::Analyse => &self.analyse.game,
            GameTab::Solve => &self.solve.game,
        };
        let game = view.record();
        let path = game.path(view.at());
        let moves = path.iter().filter_map(|&id| game[id].mv());
        (
            game.start().clone(),
            view.position().clone(),
            moves.collect(),
        )
    }

    /// The game of a tab.
    fn game(&self, tab: GameTab) -> &Game {
        match tab {
            GameTab::Play => self.play.game.record(),
            GameTab::Analyse => self.analyse.game.record(),
            GameTab::Solve => self.solve.game.record(),
        }
    }
}

/// How long changes of what is shown are collected before they are written.
const SAVE_DELAY: Duration = Duration::from_millis(300);

/// How long the engine goes on thinking for a session that no page shows.
const PATIENCE: Duration = Duration::from_secs(15);

impl UserSession {
    pub(crate) fn new(id: String, services: Services, state: SessionState) -> Arc<Self> {
        Arc::new(Self {
            id,
            services,
            state: Mutex::new(state),
            changes: watch::Sender::new(0),
            pages: AtomicUsize::new(0),
            analysing: AtomicUsize::new(0),
            saving: Mutex::default(),
            is_unsaved: AtomicBool::new(false),
        })
    }

    /// What all sessions share.
    pub(crate) fn services(&self) -> &Services {
        &self.services
    }

    /// The opening books.
    pub(crate) fn explorer(&self) -> &Explorer {
        &self.services.explorer
    }

    /// The state, locked.
    pub(crate) fn state(&self) -> MutexGuard<'_, SessionState> {
        // A change that panicked half way leaves a game that is still a game.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and tells every page.
    fn change(
        self: &Arc<Self>,
        work: impl FnOnce(&mut SessionState) -> Result<(), UserError>,
    ) -> Result<(), UserError> {
        let result = work(&mut self.state());
        // Even a request that failed may have changed something: a flag that fell, for example.
        self.changed();
        result
    }

    /// Changes what is shown, but nothing that would be missed: it is written to disk later.
    fn change_view(
        self: &Arc<Self>,
        work: impl FnOnce(&mut SessionState) -> Result<(), UserError>,
    ) -> Result<(), UserError> {
        let result = work(&mut self.state());
        self.notify();
        if !self.is_unsaved.swap(true, Ordering::SeqCst) {
            let session = self.clone();
            self.services.runtime.spawn(async move {
                tokio::time::sleep(SAVE_DELAY).await;
                if session.is_unsaved.load(Ordering::SeqCst) {
                    session.save_to_disk();
                }
            });
        }
        result
    }

    /// The game of a tab as a file.
    pub(crate) fn save(
        &self,
        tab: GameTab,
        format: &str,
        encoding: &str,
    ) -> Result<FileMessage, UserError> {
        records::write(self.state().game(tab), format, encoding)
    }

    /// The game of a tab as a link.
    pub(crate) fn share(&self, tab: GameTab) -> LinkMessage {
        LinkMessage {
            game: link::write(self.state().game(tab)),
            addresses: self.services.reach.origins().to_vec(),
        }
    }

    /// An address for another device of the user, or for a guest.
    pub(crate) fn invite(
        self: &Arc<Self>,
        kind: InvitationKind,
    ) -> Result<InvitationMessage, UserError> {
        let reach = &self.services.reach;
        let color = match kind {
            InvitationKind::Session => return reach.invitation(&format!("#session={}", self.id)),
            InvitationKind::Guest { color } => color,
        };
        let known = self.state().play.guest.clone();
        let code = known.map_or_else(
            || format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..)),
            |guest| guest.code,
        );
        let invitation = reach.invitation(&format!("#guest={code}"))?;
        self.change(|state| state.play.invite(code, color.into()))?;
        Ok(invitation)
    }

    /// Whether a code is the one of this session's guest.
    pub(crate) fn has_guest(&self, code: &str) -> bool {
        let state = self.state();
        state
            .play
            .guest
            .as_ref()
            .is_some_and(|guest| guest.code == code)
    }

    /// Counts a page of the guest that comes or goes.
    pub(crate) fn guest_shown(&self, is_there: bool) {
        let mut state = self.state();
        if let Some(guest) = &mut state.play.guest {
            guest.pages = match is_there {
                true => guest.pages + 1,
                false => guest.pages.saturating_sub(1),
            };
        }
        drop(state);
        self.notify();
    }

    /// Every position of the main line of a tab.
    pub(crate) fn positions(&self, tab: GameTab) -> PositionsMessage {
        let state = self.state();
        let game = state.game(tab);
        let mut place = GamePosition::start(game);
        let moves = game.main_line().filter(|&id| game[id].mv().is_some());
        let nodes: Vec<NodeId> = std::iter::once(Game::ROOT).chain(moves).collect();
        let positions = nodes.iter().map(|&id| {
            place.go(game, id);
            PositionView::new(place.position(), false)
        });
        PositionsMessage {
            positions: positions.collect(),
            nodes: nodes.iter().map(|id| id.index()).collect(),
        }
    }

    /// What is done when a search panics: whatever waited for it waits no more, and every page is
    /// told.
    fn when_panicked(
        self: &Arc<Self>,
        control: &Arc<SearchControl>,
    ) -> Box<dyn FnOnce(&PanicReport) + Send> {
        let (session, control) = (self.clone(), control.clone());
        Box::new(move |report| {
            let mut state = session.state();
            state.give_up(&control);
            state.notice(UserError::panicked(report));
            drop(state);
            session.changed();
        })
    }

    /// Has a change saved, and tells every page: what a page has been shown, not even a crash of the
    /// server takes back.
    pub(crate) fn changed(self: &Arc<Self>) {
        self.save_to_disk();
        self.notify();
        // The keeper outlives every session; when the server ends there is nothing left to keep.
        let _ = self.services.keeper.send(self.clone());
    }

    /// Writes the session to disk; that it cannot be done is told once.
    fn save_to_disk(&self) {
        let saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_unsaved.store(false, Ordering::SeqCst);
        let saved = (self.services.saver)(&self.id, self.state());
        drop(saving);
        if let Err(error) = saved {
            self.state().notice(error);
        }
    }

    /// Tells every page that something changed that need not be saved.
    pub(crate) fn notify(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// A receiver of every change from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Counts a page that shows the session: a game that waited for one goes on.
    pub(crate) fn connect(self: &Arc<Self>) {
        self.pages.fetch_add(1, Ordering::SeqCst);
        let mut state = self.state();
        self.go_on(&mut state);
    }

    /// Counts a page as gone; if none comes back soon, the engine stops.
    pub(crate) fn disconnect(self: &Arc<Self>) {
        self.pages.fetch_sub(1, Ordering::SeqCst);
        let session = self.clone();
        self.services.runtime.spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            if session.pages() == 0 {
                let mut state = session.state();
                state.analyse.stop_thinking();
                state.analyse.is_waiting = false;
                if state.play.is_engine_match() {
                    state.play.set_pause(true);
                }
            }
        });
    }

    /// Counts a page that shows another tab than before; `None` is a page that comes or goes. An
    /// engine that was left on in the analysis rests while no page shows it.
    pub(crate) fn tab_shown(self: &Arc<Self>, before: Option<Tab>, now: Option<Tab>) {
        let is_analysis = |tab| tab == Some(Tab::Analyse);
        match (is_analysis(before), is_analysis(now)) {
            (false, true) if self.analysing.fetch_add(1, Ordering::SeqCst) == 0 => {
                self.analysis_shown(true);
            }
            (true, false) if self.analysing.fetch_sub(1, Ordering::SeqCst) == 1 => {
                self.analysis_shown(false);
            }
            _ => {}
        }
    }

    /// Whether a page shows the analysis.
    fn is_analysis_shown(&self) -> bool {
        self.analysing.load(Ordering::SeqCst) > 0
    }

    /// How many pages show it.
    pub(crate) fn pages(&self) -> usize {
        self.pages.load(Ordering::SeqCst)
    }
}
