//! Access control: only pages of this server may use it, and from other machines only with the token.
//!
//! A page of another site runs in the same browser and can reach this machine. Its requests carry
//! its own `Origin`; a name that it points at this machine (DNS rebinding) shows in `Host`. Both are
//! refused.

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};
use std::net::IpAddr;

/// What a request must satisfy before anything else happens.
#[derive(Clone, Debug)]
pub(crate) struct AccessPolicy {
    pub(crate) host: IpAddr,
    pub(crate) port: u16,
    pub(crate) token: Option<String>,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum AccessDenied {
    /// The request was sent to a name that is not ours.
    #[error("this server does not answer to that name")]
    Host,
    /// The request comes from a page of another site.
    #[error("pages of other sites may not use this server")]
    Origin,
    /// The token is missing or wrong.
    #[error("the token is missing: open the address that the server printed")]
    Token,
}

/// The cookie that remembers the token.
pub(crate) const COOKIE_NAME: &str = "tesuji-token";

impl AccessPolicy {
    /// Checks a request. A socket must have an `Origin`; a plain request need not, but one that it
    /// has must be ours. Behind a proxy that adds TLS the origin is `https`.
    pub(crate) fn check(
        &self,
        headers: &HeaderMap,
        uri: &Uri,
        is_socket: bool,
    ) -> Result<(), AccessDenied> {
        let host = one(headers, &HOST).ok_or(AccessDenied::Host)?;
        if !self.is_ours(host) {
            return Err(AccessDenied::Host);
        }
        match one(headers, &ORIGIN) {
            Some(origin) if is_origin(origin, host) => {}
            None if !is_socket && !headers.contains_key(ORIGIN) => {}
            _ => return Err(AccessDenied::Origin),
        }
        match &self.token {
            Some(token) if !self.knows(token, headers, uri) => Err(AccessDenied::Token),
            _ => Ok(()),
        }
    }

    /// Whether a name with its port is one of ours. A server that listens on every address has many
    /// names; there the token decides.
    fn is_ours(&self, host: &str) -> bool {
        let Some(name) = host.strip_suffix(&format!(":{}", self.port)) else {
            return self.port == 80 && self.is_name(host);
        };
        self.is_name(name)
    }

    fn is_name(&self, name: &str) -> bool {
        let own = match self.host {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let is_local = ["127.0.0.1", "localhost", "[::1]"].contains(&name);
        is_local || name == own || (self.token.is_some() && self.host.is_unspecified())
    }

    fn knows(&self, token: &str, headers: &HeaderMap, uri: &Uri) -> bool {
        let by_cookie = one(headers, &COOKIE).is_some_and(|cookies| {
            let mut pairs = cookies
                .split(';')
                .filter_map(|pair| pair.trim().split_once('='));
            pairs.any(|(name, value)| name == COOKIE_NAME && same(value, token))
        });
        by_cookie || self.in_address(uri).is_some_and(|word| same(word, token))
    }

    /// The token in an address, if there is one.
    pub(crate) fn in_address<'u>(&self, uri: &'u Uri) -> Option<&'u str> {
        let mut words = uri.query()?.split('&');
        words.find_map(|word| word.strip_prefix("token="))
    }
}

/// Whether a request comes from this machine itself: from its own address, to its own name, and through
/// no proxy, which would come from there as well.
pub(crate) fn is_local(peer: IpAddr, headers: &HeaderMap) -> bool {
    let host = one(headers, &HOST).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is_own_name = ["127.0.0.1", "localhost", "[::1]"].contains(&name);
    let is_forwarded = [
        "forwarded",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-real-ip",
    ]
    .iter()
    .any(|name| headers.contains_key(*name));
    peer.to_canonical().is_loopback() && is_own_name && !is_forwarded
}

/// Whether an origin is the page of a host, with or without TLS.
fn is_origin(origin: &str, host: &str) -> bool {
    let name = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    name == Some(host)
}

/// The only value of a header; `None` if there are two.
fn one<'h>(headers: &'h HeaderMap, name: &axum::http::HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Compares in a time that does not tell how much of a guess is right.
fn same(guess: &str, token: &str) -> bool {
    let pairs = guess.bytes().zip(token.bytes());
    let difference = pairs.fold(0, |sum, (a, b)| sum | (a ^ b));
    guess.len() == token.len() && difference == 0
}

/// Whether a token can be written into an address and is long enough not to be guessed.
pub(crate) fn is_good_token(token: &str) -> bool {
    token.len() >= 16
        && token
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests;
