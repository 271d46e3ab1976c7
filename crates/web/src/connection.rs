//! One WebSocket: the requests of one page in, messages to it out.

use crate::game_view::GameVersion;
use crate::play::Viewer;
use crate::protocol::message::ServerMessage;
use crate::protocol::request::{GameTab, Hello, LearnRequest, PlayRequest, Request, Tab};
use crate::session::{SessionState, UserSession};
use crate::sessions::Sessions;
use crate::user_error::UserError;
use crate::{learn, look, review};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{FutureExt, SinkExt, StreamExt, TryFutureExt};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tesuji_engine::PanicReport;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, MissedTickBehavior};

/// How often a page is sent what the engine says, at most.
const LIVE_INTERVAL: Duration = Duration::from_millis(100);

/// What one page shows and has been sent.
struct SentState {
    tab: Tab,
    viewer: Viewer,
    play: GameVersion,
    analyse: GameVersion,
    solve: GameVersion,
    live: u64,
    review: u64,
    notice: u64,
    /// Whether the page is open on the machine of the server.
    is_local: bool,
    /// Takes answers that come later.
    late: UnboundedSender<String>,
}

impl SentState {
    /// Nothing was sent yet but the notices up to `notice`.
    fn new(
        tab: Tab,
        viewer: Viewer,
        notice: u64,
        late: UnboundedSender<String>,
        is_local: bool,
    ) -> Self {
        Self {
            tab,
            viewer,
            play: GameVersion::default(),
            analyse: GameVersion::default(),
            solve: GameVersion::default(),
            live: u64::MAX,
            review: u64::MAX,
            notice,
            is_local,
            late,
        }
    }

    /// The messages about everything that changed since, for the tab that is shown.
    fn changes(&mut self, state: &SessionState) -> Vec<String> {
        let mut messages = Vec::new();
        match self.tab {
            Tab::Play => {
                let (message, version) = state.play.message(self.play, self.viewer);
                messages.push(ServerMessage::Play(message).to_json());
                self.play = version;
            }
            Tab::Analyse => {
                let (message, version) = state.analyse.message(self.analyse);
                messages.push(ServerMessage::Analyse(message).to_json());
                self.analyse = version;
                let reviewed = state.analyse.review_version();
                if std::mem::replace(&mut self.review, reviewed) != reviewed {
                    let message = review::message(&state.analyse.game);
                    messages.push(ServerMessage::Review(message).to_json());
                }
            }
            Tab::Solve => {
                let (message, version) = state.solve.message(self.solve);
                messages.push(ServerMessage::Solve(message).to_json());
                self.solve = version;
            }
            // What these show is sent as answers only.
            Tab::Learn | Tab::Library | Tab::Train | Tab::Course | Tab::Engines => {}
        }
        let (notices, last) = state.notices(self.notice);
        messages.extend(notices.into_iter().cloned().map(error_message));
        self.notice = last;
        messages
    }

    /// The message about what the engine said since, if the analysis tab is shown.
    fn live(&mut self, state: &SessionState) -> Option<String> {
        let live = state.analyse.live_version();
        if self.tab != Tab::Analyse || self.live == live {
            return None;
        }
        let (message, version) = state.analyse.live_message(self.analyse);
        let message = ServerMessage::Live(message).to_json();
        self.analyse = version;
        self.live = live;
        Some(message)
    }
}

fn error_message(error: UserError) -> String {
    ServerMessage::Error(error).to_json()
}

/// Counts a page of a session, and the tab that it shows, as long as it lives, however it ends.
struct OpenPage {
    session: Arc<UserSession>,
    tab: Option<Tab>,
    is_guest: bool,
}

impl OpenPage {
    fn new(session: Arc<UserSession>, is_guest: bool) -> Self {
        session.connect();
        if is_guest {
            session.guest_shown(true);
        }
        Self {
            session,
            tab: None,
            is_guest,
        }
    }

    /// The page shows a tab now, or none any more.
    fn show(&mut self, tab: Option<Tab>) {
        let before = std::mem::replace(&mut self.tab, tab);
        self.session.tab_shown(before, tab);
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        self.show(None);
        if self.is_guest {
            self.session.guest_shown(false);
        }
        self.session.disconnect();
    }
}

/// Serves one page from its first message to its last. A page that says nothing at first, or later
/// does not even answer a ping, is taken for gone.
pub(crate) async fn serve_connection(
    sessions: &Sessions,
    socket: WebSocket,
    patience: Duration,
    is_local: bool,
) {
    let (mut sender, mut receiver) = socket.split();
    let hello = tokio::time::timeout(patience, receiver.next()).await;
    let Some((session, tab, viewer)) = opened(sessions, hello.ok().flatten()) else {
        let reason = "the first message must name a session and a tab".into();
        let close = sender.send(Message::Close(Some(CloseFrame { code: 1008, reason })));
        let _ = tokio::time::timeout(patience, close).await;
        return;
    };
    let mut page = OpenPage::new(session, viewer != Viewer::Owner);
    page.show(Some(tab));
    let session = &page.session.clone();
    let mut changes = session.subscribe();
    changes.mark_changed();
    let (late, mut answers) = unbounded_channel();
    let notice = session.state().begin_notices();
    let mut sent = SentState::new(tab, viewer, notice, late, is_local);
    let mut live = tokio::time::interval(LIVE_INTERVAL);
    live.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pings = Pings::new(3 * patience);
    loop {
        let messages = tokio::select! {
            message = receiver.next() => {
                pings.unanswered = 0;
                match message {
                    Some(Ok(Message::Text(text))) => {
                        let answers = guarded(&text, handle(session, &mut sent, text.as_str())).await;
                        page.show(Some(sent.tab));
                        texts(answers)
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => break,
                }
            },
            Some(answer) = answers.recv() => texts([answer]),
            _ = changes.changed() => texts(sent.changes(&session.state())),
            _ = live.tick() => texts(sent.live(&session.state())),
            _ = pings.timer.tick() => match pings.next() {
                Some(ping) => vec![ping],
                None => break,
            },
        };
        // A page that takes nothing any more is gone as well.
        let sending = send(&mut sender, messages);
        if tokio::time::timeout(9 * patience, sending).await != Ok(true) {
            break;
        }
    }
}

/// Sends messages together, and says whether the page took them.
async fn send(page: &mut SplitSink<WebSocket, Message>, messages: Vec<Message>) -> bool {
    let mut is_open = true;
    for message in messages {
        is_open &= page.feed(message).await.is_ok();
    }
    is_open && page.flush().await.is_ok()
}

fn texts(messages: impl IntoIterator<Item = String>) -> Vec<Message> {
    let messages = messages.into_iter();
    messages.map(|text| Message::Text(text.into())).collect()
}

/// How many pings may go unanswered.
const MOST_UNANSWERED: u32 = 3;

/// Asks a page now and then whether it is still there.
struct Pings {
    timer: tokio::time::Interval,
    unanswered: u32,
}

impl Pings {
    fn new(every: Duration) -> Self {
        let mut timer = tokio::time::interval_at(Instant::now() + every, every);
        timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            timer,
            unanswered: 0,
        }
    }

    /// The next ping; `None` if too many had no answer.
    fn next(&mut self) -> Option<Message> {
        self.unanswered += 1;
        let is_patient = self.unanswered <= MOST_UNANSWERED;
        is_patient.then(|| Message::Ping(Default::default()))
    }
}

/// The messages that answer a request. A panic ends the request alone: the page is told, and the
/// socket goes on.
async fn guarded(request: &str, work: impl Future<Output = Vec<String>>) -> Vec<String> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.unwrap_or_else(|payload| {
        let request: String = request.chars().take(LONGEST_REPORTED).collect();
        let report = PanicReport::new(&*payload, &format!("request {request}"));
        vec![error_message(UserError::panicked(&report))]
    })
}

/// How much of a request a report shows.
const LONGEST_REPORTED: usize = 2000;

/// The session and the tab that the first message names, and who looks at it. A guest sees the game
/// and nothing else.
fn opened(
    sessions: &Sessions,
    hello: Option<Result<Message, axum::Error>>,
) -> Option<(Arc<UserSession>, Tab, Viewer)> {
    let Some(Ok(Message::Text(text))) = hello else {
        return None;
    };
    let hello: Hello = serde_json::from_str(&text).ok()?;
    match hello.guest {
        Some(code) => {
            let viewer = Viewer::Guest { shown: None };
            Some((sessions.session_of_guest(&code)?, Tab::Play, viewer))
        }
        None => Some((sessions.session(&hello.session)?, hello.tab, Viewer::Owner)),
    }
}

/// Does what the page of a guest asks for: moves, and looking at earlier positions.
fn handle_guest(
    session: &Arc<UserSession>,
    sent: &mut SentState,
    request: Request,
) -> Result<Vec<ServerMessage<'static>>, UserError> {
    match request {
        Request::Play(PlayRequest::GoTo { node }) => {
            let node = node.map(|index| session.state().play.game.node(index));
            sent.viewer = Viewer::Guest {
                shown: node.transpose()?,
            };
            session.notify();
            Ok(Vec::new())
        }
        Request::Play(request) => {
            sent.viewer = Viewer::Guest { shown: None };
            session.handle_guest(request).map(|()| Vec::new())
        }
        Request::Show(_) => Ok(Vec::new()),
        Request::Positions(GameTab::Play) => Ok(vec![ServerMessage::Positions(
            session.positions(GameTab::Play),
        )]),
        Request::Share(GameTab::Play) => {
            Ok(vec![ServerMessage::Link(session.share(GameTab::Play))])
        }
        Request::Save {
            tab: GameTab::Play,
            format,
            encoding,
        } => {
            let file = session.save(GameTab::Play, &format, &encoding)?;
            Ok(vec![ServerMessage::File(file)])
        }
        _ => Err(UserError::only_the_host()),
    }
}

/// Does what a page asks for and gives the messages for that page alone. A request that cannot be
/// read is answered with an error and changes nothing.
async fn handle(session: &Arc<UserSession>, sent: &mut SentState, text: &str) -> Vec<String> {
    let one = |message| vec![message];
    let answer = match serde_json::from_str(text) {
        Err(error) => Err(UserError::unknown_request(&error)),
        Ok(request) if sent.viewer != Viewer::Owner => handle_guest(session, sent, request),
        Ok(Request::Show(tab)) => {
            sent.tab = tab;
            sent.live = u64::MAX;
            return sent.changes(&session.state());
        }
        Ok(Request::Save {
            tab,
            format,
            encoding,
        }) => session
            .save(tab, &format, &encoding)
            .map(|file| one(ServerMessage::File(file))),
        Ok(Request::Share(tab)) => Ok(one(ServerMessage::Link(session.share(tab)))),
        Ok(Request::Invite(kind)) => {
            let invitation = session.invite(kind);
            invitation.map(|invitation| one(ServerMessage::Invitation(invitation)))
        }
        Ok(Request::Positions(tab)) => Ok(one(ServerMessage::Positions(session.positions(tab)))),
        Ok(Request::Play(request)) => session.handle_play(request).map(|()| Vec::new()),
        Ok(Request::Analyse(request)) => session.handle_analyse(request),
        Ok(Request::Solve(request)) => session.handle_solve(request),
        Ok(Request::Learn(request)) => handle_learn(request).await.map(one),
        Ok(Request::Explore(request)) => {
            let said = session.explorer().handle(&request);
            said.map(|said| one(ServerMessage::Explore(said)))
        }
        Ok(Request::Library(request)) => {
            let said = session.handle_library(request);
            said.map(|said| one(ServerMessage::Library(said)))
        }
        Ok(Request::Train(request)) => {
            let said = session.services().trainer.handle(request).await;
            said.map(|said| one(ServerMessage::Train(said)))
        }
        Ok(Request::Engines(request)) => {
            let (engines, is_local) = (session.services().engines.clone(), sent.is_local);
            let said = async move { engines.handle(request, is_local).await };
            Ok(later(sent, text, said.map_ok(ServerMessage::Engines)))
        }
        Ok(Request::Look(request)) => {
            let session = session.clone();
            let said = async move { look::look(&session, request).await };
            Ok(later(sent, text, said.map_ok(ServerMessage::Look)))
        }
    };
    match answer {
        Ok(messages) => messages.iter().map(ServerMessage::to_json).collect(),
        Err(error) => vec![error_message(error)],
    }
}

/// Answers when the answer is there: what takes seconds holds up nothing else that the page asks for.
fn later(
    sent: &SentState,
    request: &str,
    work: impl Future<Output = Result<ServerMessage<'static>, UserError>> + Send + 'static,
) -> Vec<ServerMessage<'static>> {
    let (late, request) = (sent.late.clone(), request.to_owned());
    tokio::spawn(async move {
        let answer = work.map(|said| vec![said.map_or_else(error_message, |said| said.to_json())]);
        for message in guarded(&request, answer).await {
            // A page that is gone needs no answer.
            let _ = late.send(message);
        }
    });
    Vec::new()
}

/// Does what the tab with the course asks for, on a thread that may be busy for a while.
async fn handle_learn(request: LearnRequest) -> Result<ServerMessage<'static>, UserError> {
    let LearnRequest::Lesson(request) = request;
    let lesson = tokio::task::spawn_blocking(move || learn::lesson(&request)).await;
    lesson
        .map_err(|error| UserError::no_game(&error.to_string()))
        .and_then(|lesson| lesson)
        .map(ServerMessage::Lesson)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_request_is_told_and_the_next_one_served() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(async {
            let said = guarded("{}", async { panic!("a hole") }).await;
            assert!(said[0].contains("a hole; request {}"), "{said:?}");
            assert_eq!(guarded("{}", async { vec!["x".into()] }).await, ["x"]);
        });
    }
}
