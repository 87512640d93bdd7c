// SPDX-License-Identifier: Apache-2.0
//! Answers to requests that must not be carried out twice, kept for when they come again (RFC 7252,
//! section 4.5). Only POST and DELETE need this: the others may be repeated.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::Request;

/// EXCHANGE_LIFETIME.
const LIFETIME: Duration = Duration::from_secs(247);

/// How many are kept of peers that prove their address, and of all others; the oldest make room.
const KEPT: usize = 4096;
const KEPT_UNPROVEN: usize = KEPT / 4;

/// The common part of a message and its repetitions only: a peer that restarted may
/// come to the same number with another token.
pub type Exchange = (SocketAddr, u16, Vec<u8>);

/// The exchange of a request.
pub fn exchange(request: &Request) -> Exchange {
    (request.peer, request.id(), request.token().to_vec())
}

/// The answers that were given lately. A forged request removes none of a peer that proves its address.
#[derive(Default)]
pub struct Answered {
    proven: Store,
    strangers: Store,
}

#[derive(Default)]
struct Store {
    by_exchange: HashMap<Exchange, (Instant, Vec<u8>)>,
    by_age: VecDeque<(Instant, Exchange)>,
}

impl Answered {
    /// The answer in this exchange.
    pub fn get(&self, exchange: &Exchange, now: Instant) -> Option<&Vec<u8>> {
        let proven = self.proven.get(exchange, now);
        proven.or_else(|| self.strangers.get(exchange, now))
    }

    /// Keeps an answer.
    pub fn keep(&mut self, exchange: Exchange, answer: Vec<u8>, is_proven: bool, now: Instant) {
        match is_proven {
            true => self.proven.keep(exchange, answer, KEPT, now),
            false => self.strangers.keep(exchange, answer, KEPT_UNPROVEN, now),
        }
    }
}

impl Store {
    fn get(&self, exchange: &Exchange, now: Instant) -> Option<&Vec<u8>> {
        let (at, answer) = self.by_exchange.get(exchange)?;
        (now.saturating_duration_since(*at) <= LIFETIME).then_some(answer)
    }

    fn keep(&mut self, exchange: Exchange, answer: Vec<u8>, most: usize, now: Instant) {
        while self
            .by_age
            .front()
            .is_some_and(|(at, _)| now.saturating_duration_since(*at) > LIFETIME)
            || self.by_age.len() >= most
        {
            if let Some((_, exchange)) = self.by_age.pop_front() {
                self.by_exchange.remove(&exchange);
            }
        }
        let before = self.by_exchange.insert(exchange.clone(), (now, answer));
        if before.is_none() {
            self.by_age.push_back((now, exchange));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_and_ends() {
        let start = Instant::now();
        for (is_proven, most) in [(true, KEPT), (false, KEPT_UNPROVEN)] {
            let mut answered = Answered::default();
            let of = |port| (SocketAddr::from(([10, 0, 0, 1], port)), 7, b"t".to_vec());
            for port in 0..=most as u16 {
                answered.keep(of(port), vec![1], is_proven, start);
            }
            assert!(answered.get(&of(0), start).is_none());
            assert!(answered.get(&of(1), start + LIFETIME).is_some());
            assert!(answered.get(&of(1), start + 2 * LIFETIME).is_none());
            let other = (of(1).0, 7, b"u".to_vec());
            assert!(answered.get(&other, start).is_none());
            let later = start + LIFETIME + Duration::from_secs(1);
            answered.keep(other, vec![2], is_proven, later);
            let store = match is_proven {
                true => answered.proven,
                false => answered.strangers,
            };
            assert_eq!((store.by_exchange.len(), store.by_age.len()), (1, 1));
        }
    }
}
