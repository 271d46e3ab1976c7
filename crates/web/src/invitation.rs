//! How others reach the board: the addresses of this machine, and a code that phones read.

use crate::protocol::message::InvitationMessage;
use crate::user_error::UserError;
use qrcode::{Color as Dot, EcLevel, QrCode};
use std::net::{IpAddr, SocketAddr};

/// Where a server can be reached.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// Addresses that other machines can open, the likeliest first; none if only this machine can.
    origins: Vec<String>,
    token: Option<String>,
}

impl Reach {
    /// Finds out where a server is reached that listens on an address.
    pub(crate) fn find(listening: SocketAddr, token: Option<String>) -> Self {
        let hosts = match listening.ip() {
            ip if ip.is_loopback() => Vec::new(),
            ip if ip.is_unspecified() => interfaces(ip),
            ip => vec![ip],
        };
        let origin = |ip| format!("http://{}", SocketAddr::new(ip, listening.port()));
        Self {
            origins: hosts.into_iter().map(origin).collect(),
            token,
        }
    }

    /// The addresses without a path, for links.
    pub(crate) fn origins(&self) -> &[String] {
        &self.origins
    }

    /// The addresses to open, with the token.
    pub(crate) fn urls(&self) -> Vec<String> {
        let origins = self.origins.iter();
        origins.map(|origin| self.url(origin, "")).collect()
    }

    fn url(&self, origin: &str, fragment: &str) -> String {
        let token = self.token.as_deref();
        let query = token.map_or(String::new(), |token| format!("?token={token}"));
        format!("{origin}/{query}{fragment}")
    }

    /// An invitation to what an address shows behind its `#`.
    pub(crate) fn invitation(&self, fragment: &str) -> Result<InvitationMessage, UserError> {
        let origin = self.origins.first().ok_or_else(UserError::not_reachable)?;
        let url = self.url(origin, fragment);
        let (size, code) = dots(&url).ok_or_else(UserError::not_reachable)?;
        Ok(InvitationMessage { url, size, code })
    }
}

/// The addresses of this machine that others can open: those of IPv4 first, which phones find.
fn interfaces(listening: IpAddr) -> Vec<IpAddr> {
    let found = if_addrs::get_if_addrs().unwrap_or_default();
    let mut hosts: Vec<IpAddr> = found
        .into_iter()
        .map(|interface| interface.ip())
        .filter(|ip| !ip.is_loopback())
        .filter(|ip| match ip {
            IpAddr::V4(ip) => !ip.is_link_local(),
            IpAddr::V6(ip) => listening.is_ipv6() && !ip.is_unicast_link_local(),
        })
        .collect();
    hosts.sort_by_key(IpAddr::is_ipv6);
    hosts.dedup();
    hosts
}

/// The dots of a code row by row, `1` for dark, and how many stand in a row.
fn dots(text: &str) -> Option<(usize, String)> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let letter = |dot: &Dot| match dot {
        Dot::Dark => '1',
        Dot::Light => '0',
    };
    Some((code.width(), code.to_colors().iter().map(letter).collect()))
}

/// A code for a terminal: two rows of dots to a line, light on dark as terminals are.
pub(crate) fn terminal_code(text: &str) -> Option<String> {
    let (size, code) = dots(text)?;
    let code = code.as_bytes();
    let is_light = |x: isize, y: isize| {
        let inside = |n: isize| (0..size as isize).contains(&n);
        !(inside(x) && inside(y)) || code[y as usize * size + x as usize] == b'0'
    };
    let edge = 2;
    let last = size as isize + edge;
    let mut lines = String::new();
    for y in (-edge..last).step_by(2) {
        for x in -edge..last {
            lines.push(match (is_light(x, y), is_light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push('\n');
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_others_can_open_are_told() {
        let local = Reach::find(([127, 0, 0, 1], 8765).into(), None);
        assert!(local.origins().is_empty() && local.invitation("").is_err());
        let token = Some("0123456789abcdef".to_owned());
        let here = Reach::find(([192, 168, 0, 7], 8765).into(), token.clone());
        assert_eq!(here.origins(), ["http://192.168.0.7:8765"]);
        let invitation = here.invitation("#session=abc").unwrap();
        assert_eq!(
            invitation.url,
            "http://192.168.0.7:8765/?token=0123456789abcdef#session=abc"
        );
        assert_eq!(invitation.code.len(), invitation.size * invitation.size);
        let everywhere = Reach::find(([0, 0, 0, 0], 8765).into(), token);
        let told = everywhere.origins().join(" ");
        assert!(
            !told.contains("127.0.0.1") && !told.contains("0.0.0.0"),
            "{told}"
        );
    }

    #[test]
    fn a_terminal_shows_the_corners_of_a_code() {
        let code = terminal_code("http://192.168.0.7:8765/").unwrap();
        let lines: Vec<_> = code.lines().collect();
        // The edge, then the upper side of the first corner: dark, so empty.
        assert!(lines[0].chars().all(|dot| dot == '█'), "{code}");
        assert!(lines[1].starts_with("██ ▄▄▄▄▄ "), "{code}");
    }
}
