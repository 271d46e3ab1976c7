//! The server: files of the page, and one socket for each page that is open.

use crate::complaint::Complaint;
use crate::desk::{Desk, State, Tools};
use crate::engine::{Engine, Equipment};
use crate::gate::{COOKIE_NAME, Gate, is_good_token};
use crate::hall::{Hall, start_saver};
use crate::play::Beginning;
use crate::sheet::Seen;
use crate::wish::{Corner, Wish};
use crate::{Options, lesson, link, pages, reading};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request, State as Shared};
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use axum::response::IntoResponse;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value as Json, json};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tesuji_shogi::{ByColor, Position};
use tokio::time::MissedTickBehavior;

/// The largest message that a page may send.
const LARGEST_MESSAGE: usize = 2 << 20;

/// How many pages may be open at the same time.
const MOST_SOCKETS: usize = 64;

/// How often a page is told what the engine thinks, at most.
const BEAT: Duration = Duration::from_millis(100);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Others could reach the engine.
    #[error(
        "--host {0} lets other machines reach this engine and your games, so it needs a word that \
         only you know: add --token with at least 16 letters and digits, or leave --host away"
    )]
    NeedsToken(IpAddr),
    /// The token would be guessed or cannot stand in an address.
    #[error("a token has at least 16 letters, digits, - or _, so that nobody guesses it")]
    BadToken,
    /// The port is taken or not allowed.
    #[error("cannot listen on {address}: {source} (another board may be open: try --port 0)")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// The system has no threads for it.
    #[error("cannot start the server: {0}")]
    Threads(std::io::Error),
}

/// A server that runs until it is dropped.
pub struct Server {
    url: String,
    engine: Arc<Engine>,
    runtime: Option<tokio::runtime::Runtime>,
}

struct House {
    gate: Gate,
    hall: Hall,
    sockets: AtomicUsize,
}

impl Server {
    /// Starts listening; the engine gets ready when it is first asked.
    ///
    /// # Errors
    /// If the address cannot be used, or could be used by strangers.
    pub fn start(options: Options) -> Result<Self, ServerError> {
        match &options.token {
            Some(token) if !is_good_token(token) => return Err(ServerError::BadToken),
            None if !options.host.is_loopback() => {
                return Err(ServerError::NeedsToken(options.host));
            }
            _ => {}
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(ServerError::Threads)?;
        let address = SocketAddr::new(options.host, options.port);
        let listen = |source| ServerError::Listen { address, source };
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind(address))
            .map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let equipment = Equipment {
            eval: options.eval,
            settings: options.settings,
            threads: options.threads.max(1),
            table_bytes: options.hash.max(1) << 20,
        };
        let engine = Arc::new(Engine::new(&equipment).map_err(ServerError::Threads)?);
        let tools = Tools {
            engine: engine.clone(),
            runtime: runtime.handle().clone(),
            saver: start_saver(options.folder.clone()).map_err(ServerError::Threads)?,
            threads: options.threads.max(1),
        };
        let url = url(address, options.token.as_deref());
        let house = Arc::new(House {
            gate: Gate {
                host: options.host,
                port: address.port(),
                token: options.token,
            },
            hall: Hall::new(tools, options.folder),
            sockets: AtomicUsize::new(0),
        });
        let router = Router::new().fallback(answer).with_state(house);
        runtime.spawn(async move { axum::serve(listener, router).await });
        Ok(Self {
            url,
            engine,
            runtime: Some(runtime),
        })
    }

    /// The address to open, with the token if there is one.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves until the process ends.
    pub fn wait(&self) {
        loop {
            std::thread::park();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.engine.close();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(2));
        }
    }
}

fn url(address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        // Nobody can open "all addresses": this machine is one of them.
        ip if ip.is_unspecified() => SocketAddr::new([127, 0, 0, 1].into(), address.port()),
        _ => address,
    };
    match token {
        Some(token) => format!("http://{host}/?token={token}"),
        None => format!("http://{host}/"),
    }
}

/// Every request comes through here.
async fn answer(Shared(house): Shared<Arc<House>>, request: Request) -> Response<Body> {
    let is_socket = request.uri().path() == "/socket";
    if let Err(stranger) = house
        .gate
        .check(request.headers(), request.uri(), is_socket)
    {
        return plain(StatusCode::FORBIDDEN, &format!("{stranger}\n"));
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET\n");
    }
    if is_socket {
        return open_socket(house, request).await;
    }
    let token = house.gate.token.as_deref();
    if let Some(token) = token.filter(|_| house.gate.in_address(request.uri()).is_some()) {
        return remembered(token);
    }
    match pages::page(request.uri().path()) {
        Some(page) => with_headers(Response::new(Body::from(page.content)), page.kind),
        None => plain(StatusCode::NOT_FOUND, "there is no such page\n"),
    }
}

/// The token goes into a cookie and out of the address.
fn remembered(token: &str) -> Response<Body> {
    let mut response = plain(StatusCode::SEE_OTHER, "");
    let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        let headers = response.headers_mut();
        headers.insert(header::SET_COOKIE, cookie);
        headers.insert(header::LOCATION, HeaderValue::from_static("/"));
    }
    response
}

fn plain(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(text.to_owned()));
    *response.status_mut() = status;
    with_headers(response, "text/plain; charset=utf-8")
}

/// What every answer says: its type, and that nothing of elsewhere belongs to it.
fn with_headers(mut response: Response<Body>, kind: &'static str) -> Response<Body> {
    const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; \
                          base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn open_socket(house: Arc<House>, request: Request) -> Response<Body> {
    let (mut parts, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &house).await {
        Ok(upgrade) => upgrade,
        Err(error) => return error.into_response(),
    };
    if house.sockets.fetch_add(1, Ordering::SeqCst) >= MOST_SOCKETS {
        house.sockets.fetch_sub(1, Ordering::SeqCst);
        return plain(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n");
    }
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(async move |socket| {
            talk(&house, socket).await;
            house.sockets.fetch_sub(1, Ordering::SeqCst);
        })
}

/// What one page has been told.
struct Eyes {
    corner: Corner,
    play: Seen,
    study: Seen,
    problem: Seen,
    live: u64,
    notice: u64,
}

impl Eyes {
    /// What changed since, for the corner that is shown.
    fn news(&mut self, state: &State) -> Vec<Json> {
        let mut all = Vec::new();
        let news = match self.corner {
            Corner::Play => Some(fresh(&mut self.play, |seen| state.play.news(seen))),
            Corner::Study => Some(fresh(&mut self.study, |seen| state.study.news(seen))),
            Corner::Problem => Some(fresh(&mut self.problem, |seen| state.puzzle.news(seen))),
            Corner::Learn => None,
        };
        all.extend(news);
        let (notices, last) = state.notices(self.notice);
        all.extend(notices.into_iter().map(sorry));
        self.notice = last;
        all
    }

    /// What the engine said since, if the study is shown.
    fn live(&mut self, state: &State) -> Option<Json> {
        let version = state.study.live_version();
        if self.corner != Corner::Study || self.live == version {
            return None;
        }
        self.live = version;
        Some(fresh(&mut self.study, |seen| state.study.live_news(seen)))
    }
}

/// Tells what is new and remembers that it was told.
fn fresh(seen: &mut Seen, news: impl FnOnce(Seen) -> (Json, Seen)) -> Json {
    let (news, now) = news(*seen);
    *seen = now;
    news
}

fn sorry(complaint: &Complaint) -> Json {
    json!({ "is": "sorry", "en": complaint.en, "ja": complaint.ja })
}

/// One page, from its first word to its last.
async fn talk(house: &House, socket: WebSocket) {
    let (mut out, mut words) = socket.split();
    let hello = words.next().await;
    let Some((desk, corner)) = greeted(house, hello) else {
        let reason = "say hello with the name of a desk first".into();
        let _ = out
            .send(Message::Close(Some(CloseFrame { code: 1008, reason })))
            .await;
        return;
    };
    desk.enter();
    let mut changes = desk.listen();
    changes.mark_changed();
    let mut eyes = Eyes {
        corner,
        play: Seen::default(),
        study: Seen::default(),
        problem: Seen::default(),
        live: u64::MAX,
        notice: desk.state().last_notice(),
    };
    let mut beat = tokio::time::interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let news = tokio::select! {
            word = words.next() => match word {
                Some(Ok(Message::Text(text))) => hear(&desk, &mut eyes, text.as_str()).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => break,
            },
            _ = changes.changed() => eyes.news(&desk.state()),
            _ = beat.tick() => eyes.live(&desk.state()).into_iter().collect(),
        };
        let mut is_lost = false;
        for one in news {
            is_lost |= out
                .feed(Message::Text(one.to_string().into()))
                .await
                .is_err();
        }
        if is_lost || out.flush().await.is_err() {
            break;
        }
    }
    desk.leave();
}

fn greeted(
    house: &House,
    hello: Option<Result<Message, axum::Error>>,
) -> Option<(Arc<Desk>, Corner)> {
    let Some(Ok(Message::Text(text))) = hello else {
        return None;
    };
    match serde_json::from_str(&text).ok()? {
        Wish::Hello { desk, corner } => Some((house.hall.desk(&desk)?, corner)),
        _ => None,
    }
}

/// Does what a page asks for; what only it is told is the answer.
async fn hear(desk: &Arc<Desk>, eyes: &mut Eyes, text: &str) -> Vec<Json> {
    let wish = match serde_json::from_str::<Wish>(text) {
        Ok(wish) => wish,
        Err(error) => {
            return vec![sorry(&Complaint::new(
                format!("The page asked for something unknown: {error}. Reload it."),
                format!("ページからの要求を理解できません({error})。再読み込みしてください。"),
            ))];
        }
    };
    let answer = match wish {
        Wish::Show { corner } => {
            eyes.corner = corner;
            eyes.live = u64::MAX;
            return eyes.news(&desk.state());
        }
        Wish::Lesson { .. } => {
            let lesson = tokio::task::spawn_blocking(move || lesson::lesson(&wish)).await;
            lesson
                .map_err(|error| Complaint::no_game(&error.to_string()))
                .and_then(|lesson| lesson)
                .map(Some)
        }
        wish => desk.obey(wish),
    };
    match answer {
        Ok(answer) => answer.into_iter().collect(),
        Err(complaint) => vec![sorry(&complaint)],
    }
}

impl Desk {
    /// Does what somebody wishes; the answer is for the page that asked, everything else is told to
    /// all pages.
    fn obey(self: &Arc<Self>, wish: Wish) -> Result<Option<Json>, Complaint> {
        let mut state = self.state();
        let answer = match wish {
            Wish::Save {
                corner,
                format,
                encoding,
            } => return reading::file(state.game(corner), &format, encoding.as_deref()).map(Some),
            Wish::Link { corner } => {
                let text = link::write(state.game(corner));
                return Ok(Some(json!({ "is": "link", "game": text })));
            }
            Wish::Hello { .. } | Wish::Show { .. } | Wish::Lesson { .. } => return Ok(None),
            wish @ (Wish::Begin { .. }
            | Wish::Move { .. }
            | Wish::TakeBack
            | Wish::Hint
            | Wish::Resign
            | Wish::Declare
            | Wish::Pause { .. }
            | Wish::Look { .. }) => self.in_play(&mut state, wish),
            wish @ (Wish::Pose { .. }
            | Wish::Solve
            | Wish::StopSolving
            | Wish::Defences
            | Wish::Step { .. }
            | Wish::Answer { .. }) => self.in_problem(&mut state, wish),
            wish => self.in_study(&mut state, wish),
        };
        drop(state);
        // Even what went wrong may have changed something: a flag that fell, for example.
        self.changed();
        answer.map(|()| None)
    }

    fn in_play(self: &Arc<Self>, state: &mut State, wish: Wish) -> Result<(), Complaint> {
        let play = &mut state.play;
        match wish {
            Wish::Begin {
                black,
                white,
                handicap,
                sfen,
                clock,
                pace,
            } => play.begin(Beginning {
                seats: ByColor([black, white]),
                handicap,
                sfen,
                clock,
                pace,
            })?,
            Wish::Move { mv } => play.play(&mv)?,
            Wish::TakeBack => play.take_back()?,
            Wish::Resign => play.resign()?,
            Wish::Declare => play.declare()?,
            Wish::Pause { on } => play.set_pause(on),
            Wish::Look { node } => return play.look(node),
            _ => return self.look_for_hint(state),
        }
        self.go_on(state);
        Ok(())
    }

    fn in_study(self: &Arc<Self>, state: &mut State, wish: Wish) -> Result<(), Complaint> {
        let study = &mut state.study;
        match wish {
            Wish::Go { node } => {
                let id = study.sheet.node(node)?;
                study.sheet.go(id);
                self.follow(state)
            }
            Wish::Try { mv } => {
                study.play(&mv)?;
                self.follow(state)
            }
            Wish::Comment { node, text } => {
                let id = study.sheet.node(node)?;
                study
                    .sheet
                    .set_comment(id, text.chars().take(4000).collect());
                Ok(())
            }
            Wish::Think { on, lines } => self.think(state, on, lines),
            Wish::Judge { millis } => self.judge_game(state, millis),
            Wish::StopJudging => {
                study.stop_judging();
                Ok(())
            }
            Wish::Remove { node } => {
                let id = study.sheet.node(node)?;
                if id != tesuji_record::Game::ROOT {
                    study.sheet.remove(id);
                }
                self.follow_anew(state)
            }
            Wish::Promote { node } => {
                let id = study.sheet.node(node)?;
                study.sheet.promote(id);
                self.follow_anew(state)
            }
            Wish::Load { text, bytes, name } => {
                let game = reading::game(text.as_deref(), bytes.as_deref(), name.as_deref())?;
                study.replace(game);
                self.follow_anew(state)
            }
            Wish::SetUp { sfen } => {
                let start = Position::from_sfen(&sfen).map_err(|error| Complaint::sfen(&error))?;
                study.replace(tesuji_record::Game::new(start));
                self.follow_anew(state)
            }
            _ => {
                // The game moves over; the study that was there is replaced, as loading does.
                study.replace(state.play.sheet.game().clone());
                self.follow_anew(state)
            }
        }
    }

    fn in_problem(self: &Arc<Self>, state: &mut State, wish: Wish) -> Result<(), Complaint> {
        let puzzle = &mut state.puzzle;
        match wish {
            Wish::Pose { text, bytes, name } => {
                let game = reading::game(text.as_deref(), bytes.as_deref(), name.as_deref())?;
                puzzle.pose(game.start())
            }
            Wish::StopSolving => {
                puzzle.stop();
                Ok(())
            }
            Wish::Step { node } => {
                let id = puzzle.sheet.node(node)?;
                puzzle.sheet.go(id);
                Ok(())
            }
            Wish::Answer { mv } => puzzle.play(&mv),
            Wish::Defences => self.defences(state),
            _ => self.solve(state),
        }
    }
}

impl State {
    /// The game of a corner.
    fn game(&self, corner: Corner) -> &tesuji_record::Game {
        match corner {
            Corner::Play => self.play.sheet.game(),
            Corner::Problem => self.puzzle.sheet.game(),
            Corner::Study | Corner::Learn => self.study.sheet.game(),
        }
    }
}
