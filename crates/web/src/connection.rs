//! One WebSocket: the requests of one page in, messages to it out.

use crate::game_view::GameVersion;
use crate::protocol::message::ServerMessage;
use crate::protocol::request::{Hello, LearnRequest, Request, Tab};
use crate::session::{SessionState, UserSession};
use crate::sessions::Sessions;
use crate::user_error::UserError;
use crate::{learn, look};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::{FutureExt, SinkExt, StreamExt};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tesuji_engine::PanicReport;
use tokio::time::{Instant, MissedTickBehavior};

/// How often a page is sent what the engine says, at most.
const LIVE_INTERVAL: Duration = Duration::from_millis(100);

/// What one page shows and has been sent.
struct SentState {
    tab: Tab,
    play: GameVersion,
    analyse: GameVersion,
    solve: GameVersion,
    live: u64,
    notice: u64,
    /// Whether the page is open on the machine of the server.
    is_local: bool,
}

impl SentState {
    /// The messages about everything that changed since, for the tab that is shown.
    fn changes(&mut self, state: &SessionState) -> Vec<String> {
        let mut messages = Vec::new();
        match self.tab {
            Tab::Play => {
                let (message, version) = state.play.message(self.play);
                messages.push(ServerMessage::Play(message).to_json());
                self.play = version;
            }
            Tab::Analyse => {
                let (message, version) = state.analyse.message(self.analyse);
                messages.push(ServerMessage::Analyse(message).to_json());
                self.analyse = version;
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

/// Counts a page of a session as long as it lives, however it ends.
struct OpenPage(Arc<UserSession>);

impl OpenPage {
    fn new(session: Arc<UserSession>) -> Self {
        session.connect();
        Self(session)
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        self.0.disconnect();
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
    let Some((session, tab)) = opened(sessions, hello.ok().flatten()) else {
        let reason = "the first message must name a session and a tab".into();
        let close = sender.send(Message::Close(Some(CloseFrame { code: 1008, reason })));
        let _ = tokio::time::timeout(patience, close).await;
        return;
    };
    let page = OpenPage::new(session);
    let session = &page.0;
    let mut changes = session.subscribe();
    changes.mark_changed();
    let mut sent = SentState {
        tab,
        play: GameVersion::default(),
        analyse: GameVersion::default(),
        solve: GameVersion::default(),
        live: u64::MAX,
        notice: session.state().begin_notices(),
        is_local,
    };
    let mut live = tokio::time::interval(LIVE_INTERVAL);
    live.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pings = Pings::new(3 * patience);
    loop {
        let messages = tokio::select! {
            message = receiver.next() => {
                pings.unanswered = 0;
                match message {
                    Some(Ok(Message::Text(text))) => {
                        texts(guarded(&text, handle(session, &mut sent, text.as_str())).await)
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => break,
                }
            },
            _ = changes.changed() => texts(sent.changes(&session.state())),
            _ = live.tick() => texts(sent.live(&session.state())),
            _ = pings.timer.tick() => match pings.next() {
                Some(ping) => vec![ping],
                None => break,
            },
        };
        let sending = async {
            let mut is_lost = false;
            for message in messages {
                is_lost |= sender.feed(message).await.is_err();
            }
            is_lost || sender.flush().await.is_err()
        };
        // A page that takes nothing any more is gone as well.
        if tokio::time::timeout(9 * patience, sending).await != Ok(false) {
            break;
        }
    }
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

/// The session and the tab that the first message names.
fn opened(
    sessions: &Sessions,
    hello: Option<Result<Message, axum::Error>>,
) -> Option<(Arc<UserSession>, Tab)> {
    let Some(Ok(Message::Text(text))) = hello else {
        return None;
    };
    let hello: Hello = serde_json::from_str(&text).ok()?;
    Some((sessions.session(&hello.session)?, hello.tab))
}

/// Does what a page asks for and gives the messages for that page alone. A request that cannot be
/// read is answered with an error and changes nothing.
async fn handle(session: &Arc<UserSession>, sent: &mut SentState, text: &str) -> Vec<String> {
    let answer = match serde_json::from_str(text) {
        Err(error) => Err(UserError::unknown_request(&error)),
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
            .map(|file| Some(ServerMessage::File(file))),
        Ok(Request::Share(tab)) => Ok(Some(ServerMessage::Link(session.share(tab)))),
        Ok(Request::Play(request)) => session.handle_play(request).map(|()| None),
        Ok(Request::Analyse(request)) => session.handle_analyse(request).map(|()| None),
        Ok(Request::Solve(request)) => session.handle_solve(request).map(|()| None),
        Ok(Request::Learn(request)) => handle_learn(request).await.map(Some),
        Ok(Request::Explore(request)) => {
            let said = session.explorer().handle(&request);
            said.map(|said| Some(ServerMessage::Explore(said)))
        }
        Ok(Request::Library(request)) => {
            let said = session.handle_library(request).await;
            said.map(|said| Some(ServerMessage::Library(said)))
        }
        Ok(Request::Train(request)) => {
            let said = session.services().trainer.handle(request).await;
            said.map(|said| Some(ServerMessage::Train(said)))
        }
        Ok(Request::Engines(request)) => {
            let engines = &session.services().engines;
            let said = engines.handle(request, sent.is_local).await;
            said.map(|said| Some(ServerMessage::Engines(said)))
        }
        Ok(Request::Look(request)) => {
            let said = look::look(session, request).await;
            said.map(|said| Some(ServerMessage::Look(said)))
        }
    };
    match answer {
        Ok(message) => message.iter().map(ServerMessage::to_json).collect(),
        Err(error) => vec![error_message(error)],
    }
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
