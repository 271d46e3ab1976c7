//! Who may come in: only pages that this server gave out, and from elsewhere only with the token.
//!
//! A page of another site runs in the same browser and can reach this machine. Its requests carry
//! its own `Origin`; a name that it points at this machine shows in `Host`. Both are refused.

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};
use std::net::IpAddr;

/// What is checked before anything else is looked at.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) host: IpAddr,
    pub(crate) port: u16,
    pub(crate) token: Option<String>,
}

/// Why somebody stays outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Stranger {
    /// A name that is not ours leads here.
    #[error("this server does not answer to that name")]
    Host,
    /// A page of another site asks.
    #[error("pages of other sites may not use this server")]
    Origin,
    /// The word is missing or wrong.
    #[error("the token is missing: open the address that the server printed")]
    Token,
}

/// The cookie that remembers the token.
pub(crate) const COOKIE_NAME: &str = "tesuji-token";

impl Gate {
    /// Looks at a request. A socket must say where it comes from; a plain request need not, but
    /// what it says must be right.
    pub(crate) fn check(
        &self,
        headers: &HeaderMap,
        uri: &Uri,
        is_socket: bool,
    ) -> Result<(), Stranger> {
        let host = one(headers, &HOST).ok_or(Stranger::Host)?;
        if !self.is_ours(host) {
            return Err(Stranger::Host);
        }
        match one(headers, &ORIGIN) {
            Some(origin) if origin == format!("http://{host}") => {}
            None if !is_socket && !headers.contains_key(ORIGIN) => {}
            _ => return Err(Stranger::Origin),
        }
        match &self.token {
            Some(token) if !self.knows(token, headers, uri) => Err(Stranger::Token),
            _ => Ok(()),
        }
    }

    /// Whether a name with its port is one of ours. Whoever listens to all the network has many
    /// names, and there the token decides.
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

/// The only value of a header; two are as bad as none.
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
mod tests {
    use super::*;

    fn check(gate: &Gate, lines: &[(&'static str, &str)], path: &str) -> Result<(), Stranger> {
        let mut headers = HeaderMap::new();
        for &(name, value) in lines {
            headers.append(name, value.parse().unwrap());
        }
        gate.check(&headers, &path.parse().unwrap(), path == "/socket")
    }

    #[test]
    fn only_our_own_names_and_pages_come_in() {
        let gate = Gate {
            host: [127, 0, 0, 1].into(),
            port: 8765,
            token: None,
        };
        let own = ("host", "127.0.0.1:8765");
        assert_eq!(check(&gate, &[own], "/"), Ok(()));
        assert_eq!(check(&gate, &[("host", "localhost:8765")], "/"), Ok(()));
        let page = ("origin", "http://127.0.0.1:8765");
        assert_eq!(check(&gate, &[own, page], "/socket"), Ok(()));
        for host in ["evil.example:8765", "127.0.0.1:80", "127.0.0.1", ""] {
            assert_eq!(check(&gate, &[("host", host)], "/"), Err(Stranger::Host));
        }
        for origin in ["http://evil.example", "null", "http://localhost:8765", ""] {
            let found = check(&gate, &[own, ("origin", origin)], "/");
            assert_eq!(found, Err(Stranger::Origin), "{origin}");
        }
        assert_eq!(check(&gate, &[own], "/socket"), Err(Stranger::Origin));
        assert_eq!(check(&gate, &[own, own], "/"), Err(Stranger::Host));
        assert_eq!(check(&gate, &[own, page, page], "/"), Err(Stranger::Origin));
    }

    #[test]
    fn from_elsewhere_the_token_opens() {
        let gate = Gate {
            host: [0, 0, 0, 0].into(),
            port: 80,
            token: Some("0123456789abcdef".into()),
        };
        let own = ("host", "192.168.0.7");
        assert_eq!(check(&gate, &[own], "/"), Err(Stranger::Token));
        assert_eq!(check(&gate, &[own], "/?token=0123456789abcdef"), Ok(()));
        assert_eq!(check(&gate, &[own], "/?token=0123"), Err(Stranger::Token));
        let cookie = ("cookie", "a=b; tesuji-token=0123456789abcdef");
        assert_eq!(check(&gate, &[own, cookie], "/"), Ok(()));
        assert!(is_good_token("0123456789abcdef"));
        assert!(!is_good_token("short") && !is_good_token("0123456789 abcdef"));
    }
}
