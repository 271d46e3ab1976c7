//! The server: files of the page, and one socket for each page that is open.

use crate::desk::Tools;
use crate::engine::{Engine, Equipment};
use crate::gate::{COOKIE_NAME, Gate, is_good_token};
use crate::hall::{Hall, start_saver};
use crate::talk::talk;
use crate::{Options, pages};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State as Shared};
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use axum::response::IntoResponse;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The largest message that a page may send.
const LARGEST_MESSAGE: usize = 2 << 20;

/// How many pages may be open at the same time.
const MOST_SOCKETS: usize = 64;

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
            talk(&house.hall, socket).await;
            house.sockets.fetch_sub(1, Ordering::SeqCst);
        })
}
