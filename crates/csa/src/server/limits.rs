//! How much a client may say, and how fast: token buckets for connections and for addresses.
//!
//! A bucket that is empty stops the reading of a socket; the kernel's buffers fill up and the sender
//! has to wait. Whoever goes on regardless is disconnected. Token bucket: Turner, "New directions in
//! communications", 1986.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

/// How fast, and how much at once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RateLimit {
    /// How many a second in the long run.
    pub per_second: f64,
    /// How many at once.
    pub burst: f64,
}

impl RateLimit {
    const fn new(per_second: f64, burst: f64) -> Self {
        Self { per_second, burst }
    }
}

/// What the server takes from clients before it makes them wait or sends them away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ServerLimits {
    /// How many may be connected at once.
    pub connections: usize,
    /// How many of them from one address.
    pub address_connections: usize,
    /// How many from one address may be connected without having logged in.
    pub strangers: usize,
    /// How often one address may connect.
    pub connects: RateLimit,
    /// How many bytes a connection may send before it has logged in.
    pub login_bytes: usize,
    /// How many lines of one connection are taken.
    pub lines: RateLimit,
    /// How many bytes of one connection are read.
    pub bytes: RateLimit,
    /// How many lines of all connections of one address are taken.
    pub address_lines: RateLimit,
    /// How long a connection may keep pushing against its limits.
    pub patience: Duration,
    /// How many bytes may wait to be sent to one connection.
    pub unsent: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            connections: 2000,
            address_connections: 1000,
            strangers: 250,
            connects: RateLimit::new(50.0, 1000.0),
            login_bytes: 1 << 10,
            lines: RateLimit::new(500.0, 1000.0),
            bytes: RateLimit::new(262_144.0, 262_144.0),
            address_lines: RateLimit::new(20_000.0, 20_000.0),
            patience: Duration::from_secs(3),
            unsent: 256 << 10,
        }
    }
}

/// What is left of a rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenBucket {
    rate: RateLimit,
    level: f64,
    at: Instant,
}

impl TokenBucket {
    pub(super) fn new(rate: RateLimit, at: Instant) -> Self {
        Self {
            rate,
            level: rate.burst,
            at,
        }
    }

    fn fill(&mut self, at: Instant) {
        let passed = at.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + passed * self.rate.per_second).min(self.rate.burst);
        self.at = self.at.max(at);
    }

    /// Whether nothing was taken for long.
    pub(super) fn is_full(&mut self, at: Instant) -> bool {
        self.fill(at);
        self.level >= self.rate.burst
    }

    /// Whether more than half of it was taken of late.
    fn is_low(&mut self, at: Instant) -> bool {
        self.fill(at);
        self.level < self.rate.burst / 2.0
    }

    /// Takes some if there is any left; it may take more than there is, and is in debt then.
    pub(super) fn take(&mut self, count: usize, at: Instant) -> bool {
        self.fill(at);
        let is_there = self.level >= 1.0;
        if is_there {
            self.level -= count as f64;
        }
        is_there
    }

    /// How long until there is something left again.
    pub(super) fn wait(&mut self, at: Instant) -> Duration {
        self.fill(at);
        let missing = (1.0 - self.level).max(0.0) / self.rate.per_second.max(1e-3);
        Duration::from_secs_f64(missing.min(3600.0))
    }
}

/// What is known of an address while somebody there is connected, or was a moment ago.
#[derive(Debug)]
struct AddressState {
    connections: usize,
    strangers: usize,
    connects: TokenBucket,
    lines: TokenBucket,
}

/// Everybody who is connected, by address.
#[derive(Debug)]
pub(super) struct AddressBook {
    limits: ServerLimits,
    addresses: HashMap<IpAddr, AddressState>,
    connections: usize,
}

impl AddressBook {
    pub(super) fn new(limits: ServerLimits) -> Self {
        Self {
            limits,
            addresses: HashMap::new(),
            connections: 0,
        }
    }

    /// Lets somebody in who has not logged in, or does not.
    pub(super) fn enter(&mut self, address: IpAddr, at: Instant) -> bool {
        let limits = self.limits;
        let state = self
            .addresses
            .entry(network_of(address))
            .or_insert_with(|| AddressState {
                connections: 0,
                strangers: 0,
                connects: TokenBucket::new(limits.connects, at),
                lines: TokenBucket::new(limits.address_lines, at),
            });
        let may_enter = state.connects.take(1, at)
            && self.connections < limits.connections
            && state.connections < limits.address_connections
            && state.strangers < limits.strangers;
        if may_enter {
            self.connections += 1;
            state.connections += 1;
            state.strangers += 1;
        }
        may_enter
    }

    /// Somebody has logged in.
    pub(super) fn log_in(&mut self, address: IpAddr) {
        if let Some(state) = self.addresses.get_mut(&network_of(address)) {
            state.strangers -= 1;
        }
    }

    /// Somebody has gone.
    pub(super) fn leave(&mut self, address: IpAddr, is_stranger: bool) {
        self.connections -= 1;
        if let Some(state) = self.addresses.get_mut(&network_of(address)) {
            state.connections -= 1;
            state.strangers -= usize::from(is_stranger);
        }
    }

    /// Takes a line of a connection. An address that is over its limit stops those of its
    /// connections that speak much; whoever shares the address with them is heard as before.
    pub(super) fn take_line(
        &mut self,
        address: IpAddr,
        lines: &mut TokenBucket,
        at: Instant,
    ) -> Result<(), Duration> {
        let state = self.addresses.get_mut(&network_of(address));
        if let Some(state) = state
            && !state.lines.take(1, at)
            && lines.is_low(at)
        {
            return Err(state.lines.wait(at));
        }
        match lines.take(1, at) {
            true => Ok(()),
            false => Err(lines.wait(at)),
        }
    }

    /// Forgets addresses of which nothing need be known any more.
    pub(super) fn tidy(&mut self, at: Instant) {
        self.addresses
            .retain(|_, state| state.connections > 0 || !state.connects.is_full(at));
    }
}

/// Who has an address of the newer kind has a whole network of them: it counts as one.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(long) => match long.to_ipv4_mapped() {
            Some(short) => short.into(),
            None => {
                let [a, b, c, d, ..] = long.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let start = Instant::now();
        let mut bucket = TokenBucket::new(RateLimit::new(10.0, 5.0), start);
        assert_eq!((0..9).filter(|_| bucket.take(1, start)).count(), 5);
        assert_eq!(bucket.wait(start), Duration::from_millis(100));
        let later = start + Duration::from_millis(250);
        assert_eq!((0..9).filter(|_| bucket.take(1, later)).count(), 2);
        assert!(bucket.is_full(later + Duration::from_secs(1)));
    }

    #[test]
    fn a_loud_neighbour_does_not_silence_a_quiet_one() {
        let start = Instant::now();
        let limits = ServerLimits {
            lines: RateLimit::new(1.0, 10.0),
            address_lines: RateLimit::new(1.0, 5.0),
            strangers: 2,
            ..ServerLimits::default()
        };
        let mut book = AddressBook::new(limits);
        let address: IpAddr = "2001:db8::1".parse().unwrap();
        let neighbour: IpAddr = "2001:db8::2".parse().unwrap();
        assert!(book.enter(address, start) && book.enter(neighbour, start));
        assert!(!book.enter(address, start), "two strangers are enough");
        book.log_in(address);
        assert!(book.enter(address, start));
        let (mut loud, mut quiet) = (
            TokenBucket::new(limits.lines, start),
            TokenBucket::new(limits.lines, start),
        );
        let heard = (0..20).filter(|_| book.take_line(address, &mut loud, start).is_ok());
        assert_eq!(heard.count(), 6);
        assert!(book.take_line(neighbour, &mut quiet, start).is_ok());
        for who in [address, address, neighbour] {
            book.leave(who, who == neighbour);
        }
        book.tidy(start + Duration::from_secs(3600));
        assert!(book.addresses.is_empty());
    }
}
