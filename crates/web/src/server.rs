//! The HTTP server: the files of the page, and one WebSocket for each page that is open.

use crate::access::{AccessPolicy, COOKIE_NAME, is_good_token, is_local};
use crate::assets::{self, CompressedAssets};
use crate::connection::serve_connection;
use crate::engines::{Engines, EnginesParts};
use crate::explore::Explorer;
use crate::invitation::{Reach, terminal_code};
use crate::keeper::start_keeper;
use crate::library::GameLibrary;
use crate::protocol::engines::BuiltinSettings;
use crate::session::Services;
use crate::sessions::Sessions;
use crate::solvers::Solvers;
use crate::train::Trainer;
use crate::{WebServerOptions, storage};
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tesuji_engine::pool::EnginePool;
use tesuji_engine::{EngineConfig, TournamentFactory};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

/// The largest message that a page may send.
const LARGEST_MESSAGE: usize = 2 << 20;

/// How many pages may be open at the same time.
const MOST_SOCKETS: usize = 64;

/// How many connections may ask for something at the same time; more of them wait to be accepted.
const MOST_CONNECTIONS: usize = 128;

/// What the mate solver has at least; with a larger table it has half as much as that.
const LEAST_SOLVER_MEGABYTES: usize = 48;

/// How long one connection may go on asking: browsers make another one without a word.
const LONGEST_CONNECTION: Duration = Duration::from_secs(300);

/// How long to wait when the system has no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum WebServerError {
    /// Others could reach the engine.
    #[error(
        "--host {0} lets other machines reach this engine and your games, so it needs a secret that \
         only you know: add --token with at least 16 letters and digits, or leave --host away"
    )]
    NeedsToken(IpAddr),
    /// The token is too short or has characters that cannot stand in an address.
    #[error("a token has at least 16 letters, digits, - or _, so that it cannot be guessed")]
    BadToken,
    /// The port is taken or not allowed.
    #[error("cannot listen on {address}: {source} (another board may be open: try --port 0)")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// A book cannot be read.
    #[error("{}: {source}", path.display())]
    Book {
        /// Which one.
        path: std::path::PathBuf,
        /// Why not.
        source: tesuji_book::BookError,
    },
    /// The library of games cannot be opened.
    #[error("the library of games in {folder}: {what}")]
    Library {
        /// Where it is.
        folder: String,
        /// Why not.
        what: String,
    },
    /// The system has no threads for it.
    #[error("cannot start the server: {0}")]
    Threads(std::io::Error),
}

/// A server that runs until it is dropped.
pub struct WebServer {
    url: String,
    reach: Arc<Reach>,
    engine: Arc<EnginePool>,
    runtime: Option<tokio::runtime::Runtime>,
}

/// What every HTTP request can use.
struct AppState {
    access: AccessPolicy,
    sessions: Sessions,
    sockets: Arc<AtomicUsize>,
    patience: Duration,
    compressed: CompressedAssets,
}

/// Where a connection comes from.
#[derive(Clone, Copy)]
struct PeerAddress(SocketAddr);

/// The place of one page among those that are open.
struct SocketPlace(Arc<AtomicUsize>);

impl SocketPlace {
    /// `None` if too many pages are open.
    fn take(sockets: &Arc<AtomicUsize>) -> Option<Self> {
        // Dropped, it gives the place back, even if there was none.
        let place = Self(sockets.clone());
        (sockets.fetch_add(1, Ordering::SeqCst) < MOST_SOCKETS).then_some(place)
    }
}

impl Drop for SocketPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl WebServer {
    /// Starts listening; the engine loads its evaluation with the first search.
    ///
    /// # Errors
    /// If the address cannot be used, or could be used by other machines without a token.
    pub fn start(options: WebServerOptions) -> Result<Self, WebServerError> {
        match &options.token {
            Some(token) if !is_good_token(token) => return Err(WebServerError::BadToken),
            None if !options.host.is_loopback() => {
                return Err(WebServerError::NeedsToken(options.host));
            }
            _ => {}
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(WebServerError::Threads)?;
        let address = SocketAddr::new(options.host, options.port);
        let listen = |source| WebServerError::Listen { address, source };
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let reach = Arc::new(Reach::find(address, options.token.clone()));
        let services = services(&options, runtime.handle(), reach.clone())?;
        let engine = services.engine.clone();
        let url = url(address, options.token.as_deref());
        let state = Arc::new(AppState {
            access: AccessPolicy {
                host: options.host,
                port: address.port(),
                token: options.token,
            },
            sessions: Sessions::new(services, options.folder),
            sockets: Arc::default(),
            patience: options.patience,
            compressed: CompressedAssets::new(),
        });
        let router = Router::new().fallback(answer).with_state(state);
        runtime.spawn(accept(listener, router, options.patience));
        Ok(Self {
            url,
            reach,
            engine,
            runtime: Some(runtime),
        })
    }

    /// The address to open, with the token if there is one.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The addresses that other machines can open, the likeliest first; none if they cannot.
    pub fn urls_for_others(&self) -> Vec<String> {
        self.reach.urls()
    }

    /// The first address for other machines as a code for the camera of a phone, to be printed.
    pub fn code_for_phones(&self) -> Option<String> {
        self.reach.urls().first().and_then(|url| terminal_code(url))
    }

    /// Serves until the process ends.
    pub fn wait(&self) {
        loop {
            std::thread::park();
        }
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.engine.close();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(2));
        }
    }
}

/// What all sessions share: the engine, the books, the library and what is made of it.
fn services(
    options: &WebServerOptions,
    runtime: &Handle,
    reach: Arc<Reach>,
) -> Result<Services, WebServerError> {
    let (threads, hash) = (options.threads.max(1), options.hash.max(1));
    let config = EngineConfig {
        parts: options.parts,
        fv_scale: options.settings.fv_scale,
        ..EngineConfig::new(options.eval.clone(), threads, hash << 20)
    };
    let engine = EnginePool::new(&config, TournamentFactory).map_err(WebServerError::Threads)?;
    let engine = Arc::new(engine);
    let folder = options.folder.as_deref();
    let explorer = Explorer::open(folder, options.book.as_deref())
        .map_err(|(path, source)| WebServerError::Book { path, source })?;
    let explorer = Arc::new(explorer);
    let library = GameLibrary::open(folder).map_err(|error| WebServerError::Library {
        folder: folder.map_or_else(String::new, |at| at.display().to_string()),
        what: error.to_string(),
    })?;
    let book = options.book.as_ref();
    let engines = Engines::open(EnginesParts {
        pool: engine.clone(),
        explorer: explorer.clone(),
        library: library.clone(),
        settings: BuiltinSettings {
            threads,
            hash,
            eval: options.eval.to_string(),
            book: book.map_or_else(String::new, |path| path.display().to_string()),
            parts: options.parts.to_string(),
        },
        fv_scale: options.settings.fv_scale,
        folder: options.folder.clone(),
    });
    if !options.is_configured {
        engines.restore();
    }
    let solvers = Arc::new(Solvers::new());
    Ok(Services {
        engines: Arc::new(engines),
        keeper: start_keeper(library.clone()).map_err(WebServerError::Threads)?,
        trainer: Arc::new(Trainer::new(library.clone(), solvers.clone())),
        solvers,
        library,
        engine,
        explorer,
        runtime: runtime.clone(),
        saver: storage::saver(options.folder.clone()),
        threads,
        solver_bytes: options.hash.max(LEAST_SOLVER_MEGABYTES * 2) << 19,
        reach,
    })
}

/// Accepts connections until the runtime ends.
async fn accept(listener: TcpListener, router: Router, patience: Duration) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while let Ok(place) = places.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let router = router.clone().layer(Extension(PeerAddress(peer)));
                tokio::spawn(async move {
                    serve_http(stream, router, patience).await;
                    drop(place);
                });
            }
            // The client has gone again, or the system has no room: both pass.
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Serves the requests of one connection, until it becomes the socket of a page or says nothing for
/// too long.
async fn serve_http(stream: TcpStream, router: Router, patience: Duration) {
    // Messages are small and should come at once; without it they only come later.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // Whoever breaks off, or is too slow, has ended only this connection.
    let _ = tokio::time::timeout(LONGEST_CONNECTION, connection).await;
}

fn url(address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        // A browser cannot open "all addresses": this machine is one of them.
        ip if ip.is_unspecified() => SocketAddr::new([127, 0, 0, 1].into(), address.port()),
        _ => address,
    };
    match token {
        Some(token) => format!("http://{host}/?token={token}"),
        None => format!("http://{host}/"),
    }
}

/// Answers every HTTP request.
async fn answer(State(state): State<Arc<AppState>>, request: Request) -> Response<Body> {
    let is_socket = request.uri().path() == "/socket";
    if let Err(denied) = state
        .access
        .check(request.headers(), request.uri(), is_socket)
    {
        return plain(StatusCode::FORBIDDEN, &format!("{denied}\n"));
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET\n");
    }
    if is_socket {
        return open_socket(state, request).await;
    }
    let token = state.access.token.as_deref();
    if let Some(token) = token.filter(|_| state.access.in_address(request.uri()).is_some()) {
        return with_cookie(token);
    }
    match assets::asset(request.uri().path()) {
        Some(page) => match state.compressed.bytes(page) {
            Some(bytes) if takes_gzip(request.headers()) => compressed(bytes, page.kind),
            _ => with_headers(Response::new(Body::from(page.content)), page.kind),
        },
        None => plain(StatusCode::NOT_FOUND, "there is no such page\n"),
    }
}

/// Whether a browser takes compressed files.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    accepted.split([',', ';']).any(|word| word.trim() == "gzip")
}

fn compressed(bytes: &[u8], kind: &'static str) -> Response<Body> {
    let mut response = with_headers(Response::new(Body::from(bytes.to_vec())), kind);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    response
}

/// Moves the token from the address into a cookie.
fn with_cookie(token: &str) -> Response<Body> {
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

/// Adds the headers of every response: its type, and that it loads nothing from elsewhere.
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

async fn open_socket(state: Arc<AppState>, request: Request) -> Response<Body> {
    let (mut parts, _) = request.into_parts();
    let peer = parts
        .extensions
        .get::<PeerAddress>()
        .map(|peer| peer.0.ip());
    let is_local = peer.is_some_and(|peer| is_local(peer, &parts.headers));
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &state).await {
        Ok(upgrade) => upgrade,
        Err(error) => return error.into_response(),
    };
    let Some(place) = SocketPlace::take(&state.sockets) else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n");
    };
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(async move |socket| {
            serve_connection(&state.sessions, socket, state.patience, is_local).await;
            drop(place);
        })
}
