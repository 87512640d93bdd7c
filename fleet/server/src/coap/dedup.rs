// SPDX-License-Identifier: Apache-2.0
//! Answers to requests that must not be carried out twice, kept for when they come again (RFC 7252,
//! section 4.5). Only POST and DELETE need this: the others may be repeated.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// EXCHANGE_LIFETIME.
const LIFETIME: Duration = Duration::from_secs(247);

/// How many are kept; the oldest make room.
const KEPT: usize = 4096;

type Exchange = (SocketAddr, u16);

/// The answers that were given lately.
#[derive(Default)]
pub struct Answered {
    by_exchange: HashMap<Exchange, (Instant, Vec<u8>)>,
    by_age: VecDeque<(Instant, Exchange)>,
}

impl Answered {
    /// What was answered to this message of this peer.
    pub fn get(&self, peer: SocketAddr, id: u16, now: Instant) -> Option<&Vec<u8>> {
        let (at, answer) = self.by_exchange.get(&(peer, id))?;
        (now.saturating_duration_since(*at) <= LIFETIME).then_some(answer)
    }

    /// Keeps an answer.
    pub fn keep(&mut self, peer: SocketAddr, id: u16, answer: Vec<u8>, now: Instant) {
        while self
            .by_age
            .front()
            .is_some_and(|(at, _)| now.saturating_duration_since(*at) > LIFETIME)
            || self.by_age.len() >= KEPT
        {
            if let Some((_, exchange)) = self.by_age.pop_front() {
                self.by_exchange.remove(&exchange);
            }
        }
        if self.by_exchange.insert((peer, id), (now, answer)).is_none() {
            self.by_age.push_back((now, (peer, id)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_and_ends() {
        let start = Instant::now();
        let mut answered = Answered::default();
        let peer = |port| SocketAddr::from(([10, 0, 0, 1], port));
        for port in 0..=KEPT as u16 {
            answered.keep(peer(port), 7, vec![1], start);
        }
        assert_eq!(answered.by_exchange.len(), KEPT);
        assert!(answered.get(peer(0), 7, start).is_none());
        assert!(answered.get(peer(1), 7, start + LIFETIME).is_some());
        assert!(answered.get(peer(1), 7, start + 2 * LIFETIME).is_none());
        answered.keep(
            peer(0),
            8,
            vec![2],
            start + LIFETIME + Duration::from_secs(1),
        );
        assert_eq!((answered.by_exchange.len(), answered.by_age.len()), (1, 1));
    }
}
