//! A session: the tabs of one user, whatever page shows them.
//!
//! The server holds every game and a page only draws it, as on lichess and lishogi: a reload, a
//! second browser tab or a new start of the server finds the same games.

mod analyse;
mod library;
mod play;
mod solve;

use crate::analyse::AnalyseTab;
use crate::engine::is_current;
use crate::engines::Engines;
use crate::explore::Explorer;
use crate::library::Library;
use crate::play::PlayTab;
use crate::protocol::message::{FileMessage, LinkMessage};
use crate::protocol::request::GameTab;
use crate::solve::SolveTab;
use crate::train::Trainer;
use crate::user_error::UserError;
use crate::{link, records};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tesuji_engine::PanicReport;
use tesuji_engine::pool::EnginePool;
use tesuji_record::Game;
use tesuji_search::SearchControl;
use tesuji_shogi::{Move, Position};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// What all sessions share.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) engine: Arc<EnginePool>,
    pub(crate) runtime: Handle,
    /// Leads to the thread that writes sessions to disk.
    pub(crate) saver: Sender<Arc<UserSession>>,
    /// The opening books.
    pub(crate) explorer: Arc<Explorer>,
    /// The games that are kept, and the thread that keeps them.
    pub(crate) library: Library,
    pub(crate) keeper: Sender<Arc<UserSession>>,
    /// The problems to train with.
    pub(crate) trainer: Arc<Trainer>,
    /// The engines and their setup.
    pub(crate) engines: Arc<Engines>,
    /// How many threads the mate solver has.
    pub(crate) threads: usize,
}

/// A session.
pub(crate) struct UserSession {
    pub(crate) id: String,
    services: Services,
    state: Mutex<SessionState>,
    changes: watch::Sender<u64>,
    pages: AtomicUsize,
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
        if is_current(solve.solving.as_ref(), control) {
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

    /// Tells every page that something changed, and has it saved.
    pub(crate) fn changed(self: &Arc<Self>) {
        self.notify();
        // The saver outlives every session; when the server ends there is nothing left to save.
        let _ = self.services.saver.send(self.clone());
        let _ = self.services.keeper.send(self.clone());
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
                if state.play.is_engine_match() {
                    state.play.set_pause(true);
                }
            }
        });
    }

    /// How many pages show it.
    pub(crate) fn pages(&self) -> usize {
        self.pages.load(Ordering::SeqCst)
    }
}
