// SPDX-License-Identifier: Apache-2.0
//! Who observes which topic (RFC 7641). Only the newest state is sent; what is observed, and what is not yet
//! acknowledged, is bounded.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, MessageType};

use crate::coap::Answer;

/// How many observations there are at most.
const OBSERVERS_MAX: usize = 20_000;
/// How many one address and port may have.
const PER_PEER_MAX: usize = 2_000;
/// One notification of that many is confirmable.
const CONFIRM_EVERY: u32 = 32;
/// At the latest after that time one is.
const CONFIRM_AFTER: Duration = Duration::from_secs(86_400);
/// How many sent notifications are remembered, to know a reset of them.
const SENT_MAX: usize = 8192;

const ACK_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_RETRANSMIT: u32 = 4;

struct Observer {
    peer: SocketAddr,
    token: Vec<u8>,
    notified: u32,
    confirmed_at: Instant,
}

struct Unacknowledged {
    observer: (usize, Vec<u8>),
    datagram: Vec<u8>,
    again_at: Instant,
    tries: u32,
}

/// All observations.
#[derive(Default)]
pub struct Observers {
    by_topic: HashMap<usize, Vec<Observer>>,
    per_peer: HashMap<SocketAddr, usize>,
    total: usize,
    number: u32,
    unacknowledged: HashMap<(SocketAddr, u16), Unacknowledged>,
    sent: VecDeque<(SocketAddr, u16, usize, Vec<u8>)>,
}

impl Observers {
    /// How many observations there are.
    pub fn count(&self) -> usize {
        self.total
    }

    /// The next value of Observe.
    pub fn next_number(&mut self) -> u32 {
        self.number = (self.number + 1) & 0xff_ffff;
        self.number
    }

    /// Begins an observation, or renews it; not if there are too many.
    pub fn add(&mut self, topic: usize, peer: SocketAddr, token: &[u8], now: Instant) -> bool {
        let observers = self.by_topic.entry(topic).or_default();
        if observers
            .iter()
            .any(|one| one.peer == peer && one.token == token)
        {
            return true;
        }
        let of_peer = self.per_peer.entry(peer).or_default();
        if self.total >= OBSERVERS_MAX || *of_peer >= PER_PEER_MAX {
            return false;
        }
        *of_peer += 1;
        self.total += 1;
        let token = token.to_vec();
        observers.push(Observer {
            peer,
            token,
            notified: 0,
            confirmed_at: now,
        });
        true
    }

    /// Ends an observation.
    pub fn remove(&mut self, topic: usize, peer: SocketAddr, token: &[u8]) {
        let Some(observers) = self.by_topic.get_mut(&topic) else {
            return;
        };
        let before = observers.len();
        observers.retain(|one| one.peer != peer || one.token != token);
        let removed = before - observers.len();
        if observers.is_empty() {
            self.by_topic.remove(&topic);
        }
        self.total -= removed;
        if let Some(of_peer) = self.per_peer.get_mut(&peer) {
            *of_peer -= removed.min(*of_peer);
            if *of_peer == 0 {
                self.per_peer.remove(&peer);
            }
        }
    }

    /// The peer did not want the notification with this ID: it gets no more.
    pub fn reset(&mut self, peer: SocketAddr, id: u16) {
        self.unacknowledged.remove(&(peer, id));
        let sent = self
            .sent
            .iter()
            .rev()
            .find(|one| one.0 == peer && one.1 == id);
        if let Some((_, _, topic, token)) = sent.cloned() {
            self.remove(topic, peer, &token);
        }
    }

    /// The peer has the notification with this ID.
    pub fn acknowledge(&mut self, peer: SocketAddr, id: u16) {
        self.unacknowledged.remove(&(peer, id));
    }

    /// What to send to those who observe the topic.
    pub fn notify(
        &mut self,
        topic: usize,
        answer: &Answer,
        now: Instant,
        next_id: &mut impl FnMut() -> u16,
    ) -> Vec<(SocketAddr, Vec<u8>)> {
        let number = self.next_number();
        let answer = answer.clone().with_number(CoapOption::Observe, number);
        let mut datagrams = Vec::new();
        for observer in self.by_topic.get_mut(&topic).into_iter().flatten() {
            let id = next_id();
            observer.notified += 1;
            let confirm = observer.notified % CONFIRM_EVERY == 0
                || now.saturating_duration_since(observer.confirmed_at) > CONFIRM_AFTER;
            let kind = if confirm {
                MessageType::Confirmable
            } else {
                MessageType::NonConfirmable
            };
            let datagram = answer.message(kind, id, &observer.token);
            if confirm {
                observer.confirmed_at = now;
                let waiting = Unacknowledged {
                    observer: (topic, observer.token.clone()),
                    datagram: datagram.clone(),
                    again_at: now + ACK_TIMEOUT,
                    tries: 0,
                };
                self.unacknowledged.insert((observer.peer, id), waiting);
            }
            if self.sent.len() >= SENT_MAX {
                self.sent.pop_front();
            }
            self.sent
                .push_back((observer.peer, id, topic, observer.token.clone()));
            datagrams.push((observer.peer, datagram));
        }
        datagrams
    }

    /// What has to be sent again; who stays silent is no observer any more.
    pub fn tick(&mut self, now: Instant) -> Vec<(SocketAddr, Vec<u8>)> {
        let mut datagrams = Vec::new();
        let mut silent = Vec::new();
        for ((peer, id), waiting) in &mut self.unacknowledged {
            if waiting.again_at > now {
                continue;
            }
            if waiting.tries == MAX_RETRANSMIT {
                silent.push((*peer, *id, waiting.observer.clone()));
                continue;
            }
            waiting.tries += 1;
            waiting.again_at = now + ACK_TIMEOUT * (1 << waiting.tries);
            datagrams.push((*peer, waiting.datagram.clone()));
        }
        for (peer, id, (topic, token)) in silent {
            self.unacknowledged.remove(&(peer, id));
            self.remove(topic, peer, &token);
        }
        datagrams
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coap_lite::ResponseType;

    fn peer(port: u16) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, 1], port))
    }

    fn notify(observers: &mut Observers, id: &mut u16, now: Instant) -> usize {
        let mut next = || {
            *id += 1;
            *id
        };
        observers
            .notify(5, &ResponseType::Content.into(), now, &mut next)
            .len()
    }

    #[test]
    fn a_repeated_registration_is_the_same_one() {
        let now = Instant::now();
        let mut observers = Observers::default();
        assert!(observers.add(5, peer(1), b"t", now) && observers.add(5, peer(1), b"t", now));
        assert_eq!(
            (observers.count(), notify(&mut observers, &mut 0, now)),
            (1, 1)
        );
        observers.remove(5, peer(1), b"t");
        assert!(observers.by_topic.is_empty() && observers.per_peer.is_empty());
    }

    #[test]
    fn a_reset_ends_the_observation() {
        let (now, mut id) = (Instant::now(), 0);
        let mut observers = Observers::default();
        observers.add(5, peer(1), b"t", now);
        notify(&mut observers, &mut id, now);
        observers.reset(peer(2), id);
        assert_eq!(observers.count(), 1);
        observers.reset(peer(1), id);
        assert_eq!(observers.count(), 0);
    }

    #[test]
    fn who_does_not_acknowledge_is_forgotten() {
        let (mut now, mut id) = (Instant::now(), 0);
        let mut observers = Observers::default();
        observers.add(5, peer(1), b"t", now);
        for _ in 0..CONFIRM_EVERY {
            notify(&mut observers, &mut id, now);
        }
        let mut again = 0;
        for _ in 0..70 {
            now += Duration::from_secs(1);
            again += observers.tick(now).len();
        }
        assert_eq!((again, observers.count()), (4, 0));
        assert!(observers.unacknowledged.is_empty());
    }

    #[test]
    fn what_was_acknowledged_is_not_sent_again() {
        let (now, mut id) = (Instant::now(), 0);
        let mut observers = Observers::default();
        observers.add(5, peer(1), b"t", now);
        for _ in 0..CONFIRM_EVERY {
            notify(&mut observers, &mut id, now);
        }
        observers.acknowledge(peer(1), id);
        assert!(observers.tick(now + 8 * ACK_TIMEOUT).is_empty());
        assert_eq!(observers.count(), 1);
    }

    #[test]
    fn one_peer_cannot_observe_everything() {
        let now = Instant::now();
        let mut observers = Observers::default();
        let taken = (0..PER_PEER_MAX + 5).filter(|topic| observers.add(*topic, peer(1), b"", now));
        assert_eq!(taken.count(), PER_PEER_MAX);
        assert!(observers.add(0, peer(2), b"", now));
    }
}
