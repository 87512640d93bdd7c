// SPDX-License-Identifier: Apache-2.0
//! How many requests an address may send: a bucket for each that fills with time. State is bounded.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

/// How many addresses are remembered.
const ADDRESSES_MAX: usize = 65_536;

/// How many seconds' worth a bucket holds.
const BURST: f64 = 4.0;

/// The decision about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Serve,
    /// Say that it is too much; this is said once a second at most.
    Say,
    Drop,
}

struct Bucket {
    room: f64,
    at: Instant,
    said: Option<Instant>,
}

impl Bucket {
    fn fill(&mut self, rate: f64, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.room = (self.room + passed * rate).min(rate * BURST);
        self.at = now;
    }
}

/// The buckets of all addresses.
pub struct Limits {
    per_second: f64,
    buckets: HashMap<IpAddr, Bucket>,
}

/// The owner of one address of an IPv6 network has all of them, but on a link all peers
/// have the same network.
pub fn owner(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_unicast_link_local() => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(network.into())
        }
        other => other,
    }
}

impl Limits {
    /// So many requests a second for each address; without a limit if none.
    pub fn new(per_second: u32) -> Self {
        Limits {
            per_second: per_second.into(),
            buckets: HashMap::new(),
        }
    }

    /// Counts a request of this peer.
    pub fn take(&mut self, peer: SocketAddr, now: Instant) -> Verdict {
        if self.per_second == 0.0 {
            return Verdict::Serve;
        }
        let (rate, whole) = (self.per_second, self.per_second * BURST);
        if self.buckets.len() >= ADDRESSES_MAX && !self.buckets.contains_key(&owner(peer.ip())) {
            self.forget(now);
        }
        let new = Bucket {
            room: whole,
            at: now,
            said: None,
        };
        let bucket = self.buckets.entry(owner(peer.ip())).or_insert(new);
        bucket.fill(rate, now);
        if bucket.room >= 1.0 {
            bucket.room -= 1.0;
            return Verdict::Serve;
        }
        let is_said = bucket.said.is_some_and(|at| (now - at).as_secs_f64() < 1.0);
        if is_said {
            return Verdict::Drop;
        }
        bucket.said = Some(now);
        Verdict::Say
    }

    /// Takes for work as much as so many requests, and says how many that were. No more is owed than a bucket
    /// holds, so no peer waits for longer than twice the time to fill it.
    pub fn charge(&mut self, peer: SocketAddr, requests: f64) -> f64 {
        let whole = self.per_second * BURST;
        let bucket = self.buckets.get_mut(&owner(peer.ip()));
        bucket.map_or(0.0, |bucket| {
            let before = bucket.room;
            bucket.room = (before - requests).max(-whole);
            before - bucket.room
        })
    }

    /// Gives back what was taken for work that is done anew.
    pub fn give_back(&mut self, peer: SocketAddr, requests: f64) {
        if let Some(bucket) = self.buckets.get_mut(&owner(peer.ip())) {
            bucket.room += requests;
        }
    }

    /// Whether this peer has a debt: messages that it sent before it was charged may be
    /// here already.
    pub fn owes(&mut self, peer: SocketAddr, now: Instant) -> bool {
        let bucket = self.buckets.get_mut(&owner(peer.ip()));
        bucket.is_some_and(|bucket| {
            bucket.fill(self.per_second, now);
            bucket.room < 0.0
        })
    }

    /// Makes room: buckets that are full by now say nothing; if there is none, all begin anew.
    fn forget(&mut self, now: Instant) {
        self.buckets
            .retain(|_, one| now.saturating_duration_since(one.at).as_secs_f64() < 2.0 * BURST);
        if self.buckets.len() >= ADDRESSES_MAX {
            self.buckets.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn verdicts(limits: &mut Limits, peer: SocketAddr, count: usize, now: Instant) -> [usize; 3] {
        let mut seen = [0; 3];
        for _ in 0..count {
            seen[limits.take(peer, now) as usize] += 1;
        }
        seen
    }

    #[test]
    fn a_flood_is_told_once_and_dropped_and_others_are_served() {
        let mut limits = Limits::new(10);
        let now = Instant::now();
        let [flood, honest] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
        assert_eq!(verdicts(&mut limits, flood, 1000, now), [40, 1, 959]);
        assert_eq!(verdicts(&mut limits, honest, 10, now), [10, 0, 0]);
        let later = now + Duration::from_secs(1);
        assert_eq!(verdicts(&mut limits, flood, 1000, later), [10, 1, 989]);
    }

    #[test]
    fn neighbours_on_a_link_are_not_one_and_addresses_of_a_network_are() {
        let same =
            |one: &str, other: &str| owner(one.parse().unwrap()) == owner(other.parse().unwrap());
        assert!(!same("fe80::1", "fe80::2"));
        assert!(same("2001:db8::1", "2001:db8::2"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
    }

    #[test]
    fn work_is_charged_and_what_is_owed_is_bounded() {
        let mut limits = Limits::new(10);
        let now = Instant::now();
        let peer = SocketAddr::from(([10, 0, 0, 1], 5));
        assert_eq!(verdicts(&mut limits, peer, 10, now), [10, 0, 0]);
        limits.charge(peer, 20.0);
        assert!(!limits.owes(peer, now));
        assert_eq!(verdicts(&mut limits, peer, 11, now), [10, 1, 0]);
        limits.charge(peer, 1e9);
        assert!(limits.owes(peer, now));
        let later = now + Duration::from_secs(4);
        assert_eq!(verdicts(&mut limits, peer, 10, later), [0, 1, 9]);
        let later = later + Duration::from_secs(1);
        assert_eq!(verdicts(&mut limits, peer, 11, later), [10, 1, 0]);
        // A peer without a request pays by waiting, too.
        limits.charge(peer, 1e9);
        assert!(limits.owes(peer, later + Duration::from_millis(3900)));
        assert!(!limits.owes(peer, later + Duration::from_secs(4)));
    }

    #[test]
    fn another_port_or_neighbour_address_is_the_same_owner() {
        let mut limits = Limits::new(1);
        let now = Instant::now();
        let peer = |last, port| SocketAddr::from(([0x2001, 0xdb8, 0, 0, 0, 0, 0, last], port));
        assert_eq!(verdicts(&mut limits, peer(1, 1), 4, now), [4, 0, 0]);
        assert_eq!(verdicts(&mut limits, peer(2, 9), 2, now), [0, 1, 1]);
    }

    #[test]
    fn many_addresses_do_not_fill_the_memory() {
        let mut limits = Limits::new(1);
        let now = Instant::now();
        for number in 0..2 * ADDRESSES_MAX as u32 {
            limits.take(SocketAddr::from((number.to_be_bytes(), 5)), now);
            assert!(limits.buckets.len() <= ADDRESSES_MAX);
        }
    }

    #[test]
    fn without_a_limit_all_is_served() {
        let peer = SocketAddr::from(([10, 0, 0, 1], 5));
        assert_eq!(
            verdicts(&mut Limits::new(0), peer, 100_000, Instant::now()),
            [100_000, 0, 0]
        );
    }
}
