// SPDX-License-Identifier: Apache-2.0
//! Answers to requests that must not be carried out twice, kept for when they come again (RFC 7252,
//! section 4.5). Only POST and DELETE need this: the others may be repeated.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::Request;

/// EXCHANGE_LIFETIME.
const LIFETIME: Duration = Duration::from_secs(247);

/// How many are kept; the oldest make room.
const KEPT: usize = 4096;

/// The common part of a message and its repetitions only: a peer that restarted may
/// come to the same number with another token.
pub type Exchange = (SocketAddr, u16, Vec<u8>);

/// The exchange of a request.
pub fn exchange(request: &Request) -> Exchange {
    (request.peer, request.id(), request.token().to_vec())
}

/// The answers that were given lately.
#[derive(Default)]
pub struct Answered {
    by_exchange: HashMap<Exchange, (Instant, Vec<u8>)>,
    by_age: VecDeque<(Instant, Exchange)>,
}

impl Answered {
    /// The answer in this exchange.
    pub fn get(&self, exchange: &Exchange, now: Instant) -> Option<&Vec<u8>> {
        let (at, answer) = self.by_exchange.get(exchange)?;
        (now.saturating_duration_since(*at) <= LIFETIME).then_some(answer)
    }

    /// Keeps an answer.
    pub fn keep(&mut self, exchange: Exchange, answer: Vec<u8>, now: Instant) {
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
        let mut answered = Answered::default();
        let of = |port| (SocketAddr::from(([10, 0, 0, 1], port)), 7, b"t".to_vec());
        for port in 0..=KEPT as u16 {
            answered.keep(of(port), vec![1], start);
        }
        assert_eq!(answered.by_exchange.len(), KEPT);
        assert!(answered.get(&of(0), start).is_none());
        assert!(answered.get(&of(1), start + LIFETIME).is_some());
        assert!(answered.get(&of(1), start + 2 * LIFETIME).is_none());
        let other = (of(1).0, 7, b"u".to_vec());
        assert!(answered.get(&other, start).is_none());
        let later = start + LIFETIME + Duration::from_secs(1);
        answered.keep(other, vec![2], later);
        assert_eq!((answered.by_exchange.len(), answered.by_age.len()), (1, 1));
    }
}
