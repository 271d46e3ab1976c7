//! The status page: read from the store with the rights of a reader, served to browsers.

use crate::pause::stopped;
use crate::status::FarmStatus;
use crate::store::{Store, StoreError};
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_kernels::StopSignal;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

/// The page; it asks for the numbers itself.
const PAGE: &str = include_str!("page/status.html");

/// However many look, the store is not asked more often.
const FRESH: Duration = Duration::from_secs(2);

/// How long a reading may take.
const PATIENCE: Duration = Duration::from_secs(10);

struct PageState {
    store: Store,
    last: Mutex<Option<(Instant, String)>>,
}

/// Serves the page until somebody says stop; `tell` hears where.
///
/// # Errors
/// If the address cannot be used.
pub async fn serve(
    store: Store,
    address: SocketAddr,
    stop: &StopSignal,
    tell: impl FnOnce(SocketAddr),
) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    tell(listener.local_addr()?);
    let state = Arc::new(PageState {
        store,
        last: Mutex::new(None),
    });
    let app = Router::new()
        .route("/", get(page))
        .route("/status.json", get(status))
        .with_state(state);
    tokio::select! {
        end = async { axum::serve(listener, app).await } => end,
        () = stopped(stop) => Ok(()),
    }
}

async fn page() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
             connect-src 'self'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, PAGE).into_response()
}

async fn status(State(state): State<Arc<PageState>>) -> Response {
    // Held while reading: whoever comes meanwhile gets the same answer.
    let mut last = state.last.lock().await;
    let is_fresh = last.as_ref().is_some_and(|(at, _)| at.elapsed() < FRESH);
    if !is_fresh {
        let read = tokio::time::timeout(PATIENCE, FarmStatus::read(&state.store)).await;
        let read = read.unwrap_or(Err(StoreError::Silent(PATIENCE.as_secs())));
        match read {
            Ok(status) => *last = Some((Instant::now(), crate::spec::json(&status))),
            Err(error) => {
                return (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response();
            }
        }
    }
    let text = last
        .as_ref()
        .map_or(String::new(), |(_, text)| text.clone());
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
