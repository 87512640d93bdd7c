// SPDX-License-Identifier: Apache-2.0
//! Observers of topics (RFC 7641). Only the newest state is sent; the observed subject,
//! and the part not yet acknowledged, is bounded.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, MessageType};

use crate::coap::{Answer, Unacknowledged};
use crate::server::limits::owner;

/// How many observations there are at most.
const OBSERVERS_MAX: usize = 20_000;
/// How many one owner of addresses may have.
const PER_OWNER_MAX: usize = 500;
/// How many of these of one topic.
const PER_OWNER_AND_TOPIC_MAX: usize = 8;
/// One notification of that many is confirmable.
const CONFIRM_EVERY: u32 = 32;
/// At the latest after that time one is, by default.
pub const CONFIRM_AFTER: Duration = Duration::from_secs(86_400);
/// How many, about, are asked at a time to confirm although nothing new came: those who came together are due together.
const CHECKED_AT_ONCE: usize = 200;
/// How many sent notifications are remembered, to know a reset of them.
const SENT_MAX: usize = 8192;

/// The observed subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The topic of a device, by its ordinal.
    Device(usize),
    /// A topic of a client, by its number.
    Topic(u64),
    /// A lookup, by the number that it got when its first observation began.
    Lookup(u64),
}

/// Why observers are notified.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// There is something new for all of them.
    Change,
    /// Some are to show that they are still there.
    Check,
}

struct Observer {
    /// Tells it from an earlier or later one of the same peer with the same token.
    serial: u64,
    peer: SocketAddr,
    token: Vec<u8>,
    notified: u32,
    confirmed_at: Instant,
    /// The newest confirmable notification.
    confirmable: Option<u16>,
}

impl Observer {
    fn is_overdue(&self, check: Duration, now: Instant) -> bool {
        now.saturating_duration_since(self.confirmed_at) > check
    }

    fn is_waited_for<T>(&self, unacknowledged: &Unacknowledged<T>) -> bool {
        let is_waiting = |id| unacknowledged.contains(self.peer, id);
        self.confirmable.is_some_and(is_waiting)
    }
}

/// All observations.
#[derive(Default)]
pub struct Observers {
    by_topic: HashMap<Subject, Vec<Observer>>,
    by_token: HashMap<(SocketAddr, Vec<u8>), Subject>,
    per_owner: HashMap<IpAddr, usize>,
    displaced: Vec<(SocketAddr, Vec<u8>)>,
    total: usize,
    last_serial: u64,
    number: u32,
    /// With each, the observer that is removed if it stays silent; none if it was the
    /// last message to it.
    unacknowledged: Unacknowledged<Option<(Subject, u64)>>,
    sent: HashMap<(SocketAddr, u16), (Subject, u64)>,
    sent_by_age: VecDeque<(SocketAddr, u16)>,
}

impl Observers {
    /// How many observations there are.
    pub fn count(&self) -> usize {
        self.total
    }

    /// How many observe this topic.
    pub fn of(&self, topic: Subject) -> usize {
        self.by_topic.get(&topic).map_or(0, Vec::len)
    }

    /// The next value of Observe.
    pub fn next_number(&mut self) -> u32 {
        self.number = (self.number + 1) & 0xff_ffff;
        self.number
    }

    /// The subject that a peer observes by this token.
    pub fn subject_of(&self, peer: SocketAddr, token: &[u8]) -> Option<Subject> {
        self.by_token.get(&(peer, token.to_vec())).copied()
    }

    /// Begins an observation, or renews it; not if there are `most` of this topic, or too many of this owner of addresses.
    /// If there are too many in all, the owner that has the most gives up one for an owner with fewer. A token is that of
    /// one observation: the peer's former one by that token ends (RFC 7641, section 4.1).
    pub fn add(
        &mut self,
        topic: Subject,
        most: usize,
        peer: SocketAddr,
        token: &[u8],
        now: Instant,
    ) -> bool {
        match self.subject_of(peer, token) {
            Some(before) if before == topic => {
                self.renew(topic, peer, token, now);
                return true;
            }
            Some(before) => self.remove(before, peer, token),
            None => {}
        }
        let others = self.by_topic.get(&topic).map_or(&[][..], Vec::as_slice);
        let owner_of = |peer: SocketAddr| owner(peer.ip());
        let is_own = |one: &&Observer| owner_of(one.peer) == owner_of(peer);
        let of_owner = self.per_owner.get(&owner_of(peer)).copied().unwrap_or(0);
        if others.len() >= most
            || of_owner >= PER_OWNER_MAX
            || others.iter().filter(is_own).count() >= PER_OWNER_AND_TOPIC_MAX
            || (self.total >= OBSERVERS_MAX && !self.displace(of_owner))
        {
            return false;
        }
        *self.per_owner.entry(owner_of(peer)).or_default() += 1;
        self.total += 1;
        self.last_serial += 1;
        let observers = self.by_topic.entry(topic).or_default();
        let token = token.to_vec();
        self.by_token.insert((peer, token.clone()), topic);
        observers.push(Observer {
            serial: self.last_serial,
            peer,
            token,
            notified: 0,
            confirmed_at: now,
            confirmable: None,
        });
        true
    }

    /// Ends the newest observation of the owner of addresses that has the most, for one that has so many. false: it has
    /// no more than that one would have.
    fn displace(&mut self, of_owner: usize) -> bool {
        let most = self.per_owner.iter().max_by_key(|(_, count)| **count);
        let Some((largest, _)) = most.filter(|(_, count)| **count > of_owner + 1) else {
            return false;
        };
        let observers = self.by_topic.iter();
        let all = observers.flat_map(|(topic, of_topic)| of_topic.iter().map(|one| (*topic, one)));
        let own = all.filter(|(_, one)| owner(one.peer.ip()) == *largest);
        let newest = own.max_by_key(|(_, one)| one.serial);
        let Some((topic, peer, token)) =
            newest.map(|(topic, one)| (topic, one.peer, one.token.clone()))
        else {
            return false;
        };
        self.remove(topic, peer, &token);
        self.displaced.push((peer, token));
        true
    }

    /// Ends all observations of a topic because others had fewer.
    pub fn displace_all(&mut self, topic: Subject) {
        let ended = self.by_topic.get(&topic).into_iter().flatten();
        let ended: Vec<_> = ended.map(|one| (one.peer, one.token.clone())).collect();
        for (peer, token) in ended {
            self.remove(topic, peer, &token);
            self.displaced.push((peer, token));
        }
    }

    /// Peers and tokens of the observations that ended since this was asked because others had fewer.
    pub fn displaced(&mut self) -> Vec<(SocketAddr, Vec<u8>)> {
        std::mem::take(&mut self.displaced)
    }

    /// A peer that asks once more is alive: a pending check of it is dropped.
    fn renew(&mut self, topic: Subject, peer: SocketAddr, token: &[u8], now: Instant) {
        let mut observers = self.by_topic.get_mut(&topic).into_iter().flatten();
        let renewed = observers.find(|one| one.peer == peer && one.token == token);
        if let Some(one) = renewed {
            one.confirmed_at = now;
            if let Some(id) = one.confirmable.take() {
                self.unacknowledged.remove(peer, id);
            }
        }
    }

    /// Ends an observation.
    pub fn remove(&mut self, topic: Subject, peer: SocketAddr, token: &[u8]) {
        self.take_out(topic, |one| one.peer == peer && one.token == token);
    }

    fn take_out(&mut self, topic: Subject, is_one: impl Fn(&Observer) -> bool) {
        let Some(observers) = self.by_topic.get_mut(&topic) else {
            return;
        };
        let Some(at) = observers.iter().position(is_one) else {
            return;
        };
        let removed = observers.remove(at);
        if observers.is_empty() {
            self.by_topic.remove(&topic);
        }
        self.forget(&removed);
    }

    /// Counts an observer no longer who was removed, and waits for nothing from it.
    fn forget(&mut self, removed: &Observer) {
        let peer = removed.peer;
        self.total -= 1;
        self.by_token.remove(&(peer, removed.token.clone()));
        if let Some(id) = removed.confirmable {
            self.unacknowledged.remove(peer, id);
        }
        let of_owner = self.per_owner.entry(owner(peer.ip())).or_default();
        *of_owner = of_owner.saturating_sub(1);
        if *of_owner == 0 {
            self.per_owner.remove(&owner(peer.ip()));
        }
    }

    /// The peer did not want the notification with this ID: it gets no more.
    pub fn reset(&mut self, peer: SocketAddr, id: u16) {
        self.unacknowledged.remove(peer, id);
        if let Some((topic, serial)) = self.sent.remove(&(peer, id)) {
            self.take_out(topic, |one| one.serial == serial);
        }
    }

    /// The peer has the notification with this ID.
    pub fn acknowledge(&mut self, peer: SocketAddr, id: u16) {
        self.unacknowledged.remove(peer, id);
    }

    /// The messages for the observers of the topic, on this occasion. An observer that
    /// confirmed nothing for as long as `check` is asked to; where that is the
    /// occasion, as many as are asked at once, those who are due the longest.
    pub fn notify(
        &mut self,
        topic: Subject,
        answer: &Answer,
        (occasion, check): (Occasion, Duration),
        now: Instant,
        next_id: &mut impl FnMut() -> u16,
    ) -> Vec<(SocketAddr, Vec<u8>)> {
        let number = self.next_number();
        let answer = answer.clone().with_number(CoapOption::Observe, number);
        let mut datagrams = Vec::new();
        let newest = match occasion {
            Occasion::Change => None,
            Occasion::Check => self.newest_to_ask(topic, check, now),
        };
        for observer in self.by_topic.get_mut(&topic).into_iter().flatten() {
            let is_asked = Some(observer.confirmed_at) <= newest
                && datagrams.len() < CHECKED_AT_ONCE
                && !observer.is_waited_for(&self.unacknowledged);
            if occasion == Occasion::Check && !is_asked {
                continue;
            }
            let id = next_id();
            observer.notified += 1;
            let is_due = observer.notified % CONFIRM_EVERY == 0 || observer.is_overdue(check, now);
            // One at a time (RFC 7641, section 4.5.1): a silent peer gets no pile of copies.
            let confirm = is_due && !observer.is_waited_for(&self.unacknowledged);
            let kind = if confirm {
                MessageType::Confirmable
            } else {
                MessageType::NonConfirmable
            };
            let datagram = answer.message(kind, id, &observer.token);
            if confirm {
                observer.confirmed_at = now;
                observer.confirmable = Some(id);
                let about = Some((topic, observer.serial));
                self.unacknowledged
                    .add((observer.peer, id), about, &datagram, now);
            }
            if self.sent_by_age.len() >= SENT_MAX {
                let oldest = self.sent_by_age.pop_front();
                oldest.map(|oldest| self.sent.remove(&oldest));
            }
            self.sent_by_age.push_back((observer.peer, id));
            self.sent
                .insert((observer.peer, id), (topic, observer.serial));
            datagrams.push((observer.peer, datagram));
        }
        datagrams
    }

    /// When each was there the last time who observes the topic and is to show that it still is.
    fn due(
        &self,
        topic: Subject,
        check: Duration,
        now: Instant,
    ) -> impl Iterator<Item = Instant> + '_ {
        let observers = self.by_topic.get(&topic).into_iter().flatten();
        let free = observers.filter(|one| !one.is_waited_for(&self.unacknowledged));
        let due = free.filter(move |one| one.is_overdue(check, now));
        due.map(|one| one.confirmed_at)
    }

    /// Up to when those were there the last time who are asked now.
    fn newest_to_ask(&self, topic: Subject, check: Duration, now: Instant) -> Option<Instant> {
        let mut due: Vec<Instant> = self.due(topic, check, now).collect();
        due.sort_unstable();
        due.get(CHECKED_AT_ONCE - 1).or(due.last()).copied()
    }

    /// Whether an observer of the topic has to show that it is still there.
    pub fn is_check_due(&self, topic: Subject, check: Duration, now: Instant) -> bool {
        self.due(topic, check, now).next().is_some()
    }

    /// Of these topics, each with its time, those with an observer that has to show
    /// that it is still there, although nothing new came: no more than have as many
    /// observers who are due as are asked at once, the longest due first.
    pub fn to_check(
        &self,
        topics: impl Iterator<Item = (Subject, Duration)>,
        now: Instant,
    ) -> Vec<Subject> {
        let mut found: Vec<(Instant, usize, Subject)> = topics
            .filter_map(|(topic, check)| {
                let due: Vec<Instant> = self.due(topic, check, now).collect();
                Some((*due.iter().min()?, due.len(), topic))
            })
            .collect();
        found.sort_unstable_by_key(|(since, ..)| *since);
        let mut asked = 0;
        let fits = found.into_iter().take_while(|(_, due, _)| {
            let is_room = asked < CHECKED_AT_ONCE;
            asked += due;
            is_room
        });
        fits.map(|(.., topic)| topic).collect()
    }

    /// Those of devices' topics.
    pub fn devices_to_check(&self, now: Instant) -> Vec<usize> {
        let all = self.by_topic.keys();
        let devices = all.filter(|topic| matches!(topic, Subject::Device(_)));
        let due = self.to_check(devices.map(|topic| (*topic, CONFIRM_AFTER)), now);
        due.into_iter()
            .filter_map(|topic| match topic {
                Subject::Device(ordinal) => Some(ordinal),
                _ => None,
            })
            .collect()
    }

    /// Ends the observations of a topic but for the first `keep`, and says so by this answer. It is the last that
    /// they get, and they are to confirm it, unless too much waits to be confirmed.
    pub fn end(
        &mut self,
        topic: Subject,
        keep: usize,
        answer: &Answer,
        now: Instant,
        next_id: &mut impl FnMut() -> u16,
    ) -> Vec<(SocketAddr, Vec<u8>)> {
        let Some(observers) = self.by_topic.get_mut(&topic) else {
            return Vec::new();
        };
        let ended = observers.split_off(keep.min(observers.len()));
        if observers.is_empty() {
            self.by_topic.remove(&topic);
        }
        let mut datagrams = Vec::new();
        for one in ended {
            self.forget(&one);
            let Observer { peer, token, .. } = one;
            let id = next_id();
            let confirm = self.unacknowledged.len() < OBSERVERS_MAX;
            let kind = if confirm {
                MessageType::Confirmable
            } else {
                MessageType::NonConfirmable
            };
            let datagram = answer.message(kind, id, &token);
            if confirm {
                self.unacknowledged.add((peer, id), None, &datagram, now);
            }
            datagrams.push((peer, datagram));
        }
        datagrams
    }

    /// The messages to be sent again; a silent peer is removed from the observers.
    pub fn tick(&mut self, now: Instant) -> Vec<(SocketAddr, Vec<u8>)> {
        let (datagrams, silent) = self.unacknowledged.tick(now);
        for (topic, serial) in silent.into_iter().flatten() {
            self.take_out(topic, |one| one.serial == serial);
        }
        datagrams
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coap::repeat::ACK_TIMEOUT;
    use coap_lite::ResponseType;

    const TOPIC: Subject = Subject::Topic(5);

    fn of(ordinal: usize) -> Subject {
        Subject::Device(ordinal)
    }

    fn peer(port: u16) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, 1], port))
    }

    fn notify(observers: &mut Observers, id: &mut u16, now: Instant) -> usize {
        let mut next = || {
            *id += 1;
            *id
        };
        observers
            .notify(
                TOPIC,
                &ResponseType::Content.into(),
                (Occasion::Change, CONFIRM_AFTER),
                now,
                &mut next,
            )
            .len()
    }

    /// One who observes and is to confirm the last notification, whose ID that is.
    fn asked_to_confirm(now: Instant) -> (Observers, u16) {
        let (mut observers, mut id) = (Observers::default(), 0);
        observers.add(TOPIC, usize::MAX, peer(1), b"t", now);
        for _ in 0..CONFIRM_EVERY {
            notify(&mut observers, &mut id, now);
        }
        (observers, id)
    }

    #[test]
    fn a_repeated_registration_is_the_same_one() {
        let now = Instant::now();
        let mut observers = Observers::default();
        assert!(
            observers.add(TOPIC, usize::MAX, peer(1), b"t", now)
                && observers.add(TOPIC, usize::MAX, peer(1), b"t", now)
        );
        assert_eq!(
            (observers.count(), notify(&mut observers, &mut 0, now)),
            (1, 1)
        );
        observers.remove(TOPIC, peer(1), b"t");
        assert!(observers.by_topic.is_empty() && observers.per_owner.is_empty());
        assert!(observers.by_token.is_empty());
    }

    #[test]
    fn a_token_is_that_of_one_observation() {
        let now = Instant::now();
        let mut observers = Observers::default();
        for topic in [of(1), TOPIC, of(2)] {
            assert!(observers.add(topic, usize::MAX, peer(1), b"t", now));
            assert_eq!(observers.subject_of(peer(1), b"t"), Some(topic));
            assert_eq!((observers.count(), observers.of(topic)), (1, 1));
        }
        assert!(observers.add(of(1), usize::MAX, peer(1), b"u", now));
        assert!(observers.add(of(1), usize::MAX, peer(2), b"t", now));
        assert_eq!(observers.count(), 3);
    }

    #[test]
    fn what_ends_an_observation_says_nothing_of_the_next_by_the_same_token() {
        let (mut now, mut id) = (Instant::now(), 0);
        let mut observers = Observers::default();
        observers.add(TOPIC, usize::MAX, peer(1), b"t", now);
        notify(&mut observers, &mut id, now);
        let mut next = || 7;
        let gone = ResponseType::NotFound.into();
        assert_eq!(observers.end(TOPIC, 0, &gone, now, &mut next).len(), 1);
        observers.add(TOPIC, usize::MAX, peer(1), b"t", now);
        // A reset of the first one's notification, and the silence after its end.
        observers.reset(peer(1), id);
        let mut again = 0;
        for _ in 0..70 {
            now += Duration::from_secs(1);
            again += observers.tick(now).len();
        }
        assert_eq!((again, observers.count()), (4, 1));
    }

    #[test]
    fn who_asks_once_more_need_not_confirm_what_came_before() {
        let mut now = Instant::now();
        let (mut observers, _) = asked_to_confirm(now);
        observers.add(TOPIC, usize::MAX, peer(1), b"t", now);
        for _ in 0..70 {
            now += Duration::from_secs(1);
            assert!(observers.tick(now).is_empty());
        }
        assert_eq!(observers.count(), 1);
    }

    #[test]
    fn a_reset_ends_the_observation() {
        let (now, mut id) = (Instant::now(), 0);
        let mut observers = Observers::default();
        observers.add(TOPIC, usize::MAX, peer(1), b"t", now);
        notify(&mut observers, &mut id, now);
        observers.reset(peer(2), id);
        assert_eq!(observers.count(), 1);
        observers.reset(peer(1), id);
        assert_eq!(observers.count(), 0);
    }

    #[test]
    fn who_does_not_acknowledge_is_forgotten() {
        let mut now = Instant::now();
        let (mut observers, _) = asked_to_confirm(now);
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
        let now = Instant::now();
        let (mut observers, id) = asked_to_confirm(now);
        observers.acknowledge(peer(1), id);
        assert!(observers.tick(now + 8 * ACK_TIMEOUT).is_empty());
        assert_eq!(observers.count(), 1);
    }

    #[test]
    fn who_is_silent_gets_no_pile_of_copies() {
        let (now, mut id) = (Instant::now(), 0);
        let mut observers = Observers::default();
        observers.add(TOPIC, usize::MAX, peer(1), b"t", now);
        for _ in 0..10 * CONFIRM_EVERY {
            notify(&mut observers, &mut id, now);
        }
        assert_eq!(observers.unacknowledged.len(), 1);
        observers.acknowledge(peer(1), CONFIRM_EVERY as u16);
        for _ in 0..CONFIRM_EVERY {
            notify(&mut observers, &mut id, now);
        }
        assert_eq!(observers.unacknowledged.len(), 1);
        observers.remove(TOPIC, peer(1), b"t");
        assert!(observers.unacknowledged.is_empty());
        assert!(observers.sent.len() <= SENT_MAX);
    }

    #[test]
    fn observations_are_shared_between_owners() {
        let now = Instant::now();
        let mut observers = Observers::default();
        let peer = |owner: usize, port: usize| {
            SocketAddr::from(([10, 0, (owner >> 8) as u8, owner as u8], port as u16))
        };
        let takers = OBSERVERS_MAX / PER_OWNER_MAX;
        for taker in 0..takers {
            for port in 0..PER_OWNER_MAX {
                assert!(observers.add(of(port), usize::MAX, peer(taker, port), b"t", now));
            }
        }
        assert!(observers.displaced().is_empty());
        // One that comes late gets as many as the others have then, and no more.
        let taken = (0..PER_OWNER_MAX)
            .take_while(|port| observers.add(of(*port), usize::MAX, peer(999, *port), b"t", now));
        assert_eq!(taken.count(), OBSERVERS_MAX / (takers + 1));
        assert_eq!(observers.count(), OBSERVERS_MAX);
        let displaced = observers.displaced();
        assert_eq!(displaced.len(), OBSERVERS_MAX / (takers + 1));
        assert!(displaced
            .iter()
            .all(|(peer, token)| observers.subject_of(*peer, token).is_none()));
        let (least, most) = (
            observers.per_owner.values().min(),
            observers.per_owner.values().max(),
        );
        assert!(most.unwrap() - least.unwrap() <= 2);
    }

    #[test]
    fn one_owner_cannot_observe_everything_and_leaves_nothing() {
        let now = Instant::now();
        let mut observers = Observers::default();
        // Another socket is no other owner.
        let mut taken = 0;
        for topic in 0..PER_OWNER_MAX + 5 {
            taken +=
                usize::from(observers.add(of(topic), usize::MAX, peer(topic as u16), b"", now));
        }
        assert_eq!(taken, PER_OWNER_MAX);
        assert_eq!(observers.by_topic.len(), PER_OWNER_MAX);
        let other = |last, port| SocketAddr::from(([10, 0, 0, last], port));
        let of_topic =
            (0..20).filter(|port| observers.add(of(0), usize::MAX, other(2, *port), b"", now));
        assert_eq!(of_topic.count(), PER_OWNER_AND_TOPIC_MAX);
        for third in 1..=(OBSERVERS_MAX / PER_OWNER_MAX) as u8 {
            for topic in 0..PER_OWNER_MAX {
                let peer = SocketAddr::from(([10, 0, third, 1], topic as u16));
                observers.add(of(topic), usize::MAX, peer, b"", now);
            }
        }
        assert_eq!(observers.count(), OBSERVERS_MAX);
        // An owner that has none gets one of those that have the most.
        let _ = observers.displaced();
        assert!(observers.add(of(0), usize::MAX, other(9, 1), b"", now));
        assert_eq!(observers.count(), OBSERVERS_MAX);
        assert_eq!(observers.displaced().len(), 1);
    }

    #[test]
    fn a_topic_has_as_many_observers_as_it_may_and_the_last_end_first() {
        let (now, mut id) = (Instant::now(), 0);
        let mut observers = Observers::default();
        let added = [1, 2, 3].map(|port| observers.add(TOPIC, 2, peer(port), b"t", now));
        assert_eq!(added, [true, true, false]);
        assert!(observers.add(TOPIC, 2, peer(1), b"t", now), "renewed");
        let mut next = || {
            id += 1;
            id
        };
        let gone = ResponseType::NotFound.into();
        let ended = observers.end(TOPIC, 1, &gone, now, &mut next);
        assert_eq!(ended.len(), 1);
        assert_eq!((ended[0].0, &ended[0].1[..2]), (peer(2), &b"\x41\x84"[..]));
        assert_eq!(observers.of(TOPIC), 1);
        // An observer that does not confirm the end is notified again for a while.
        assert_eq!(observers.tick(now + ACK_TIMEOUT), ended);
        observers.acknowledge(peer(2), 1);
        assert!(observers.tick(now + 8 * ACK_TIMEOUT).is_empty());
        assert_eq!(observers.end(TOPIC, 0, &gone, now, &mut next).len(), 1);
        assert!(observers.by_topic.is_empty() && observers.per_owner.is_empty());
    }

    #[test]
    fn who_confirmed_nothing_for_too_long_is_asked_to_once() {
        let (now, mut id) = (Instant::now(), 0);
        let check = Duration::from_secs(10);
        let later = now + check + Duration::from_millis(1);
        let mut observers = Observers::default();
        observers.add(TOPIC, usize::MAX, peer(1), b"t", now);
        assert!(!observers.is_check_due(TOPIC, check, now + check));
        assert!(observers.is_check_due(TOPIC, check, later));
        let mut next = || {
            id += 1;
            id
        };
        let content = ResponseType::Content.into();
        observers.add(TOPIC, usize::MAX, peer(2), b"t", later);
        let occasion = (Occasion::Check, check);
        let sent = observers.notify(TOPIC, &content, occasion, later, &mut next);
        assert_eq!((sent.len(), sent[0].0), (1, peer(1)));
        assert_eq!(sent[0].1[0] & 0x30, 0, "confirmable");
        assert!(!observers.is_check_due(TOPIC, check, later));
        observers.acknowledge(peer(1), 1);
        observers.remove(TOPIC, peer(2), b"t");
        assert!(!observers.is_check_due(TOPIC, check, later + check));
        assert!(observers.is_check_due(TOPIC, check, later + check * 2));
    }

    /// How many are asked in each of these turns, at once a day after all of them came.
    fn asked_in_turns(observers: &mut Observers, turns: usize, since: Instant) -> Vec<usize> {
        let now = since + CONFIRM_AFTER + Duration::from_secs(1);
        let mut id = 0;
        let mut next = || {
            id += 1;
            id
        };
        let content = ResponseType::Content.into();
        let occasion = (Occasion::Check, CONFIRM_AFTER);
        let turns = (0..turns).map(|_| {
            let due = observers.devices_to_check(now);
            let topics = due.into_iter().map(of);
            let sent =
                topics.map(|topic| observers.notify(topic, &content, occasion, now, &mut next));
            sent.map(|sent| sent.len()).sum()
        });
        turns.collect()
    }

    #[test]
    fn who_came_together_is_asked_in_turns() {
        let now = Instant::now();
        let more = CHECKED_AT_ONCE / 2;
        for topics in [1, 2, 2 * CHECKED_AT_ONCE + more] {
            let mut observers = Observers::default();
            for each in 0..2 * CHECKED_AT_ONCE + more {
                let [high, low] = (each as u16).to_be_bytes();
                let peer = SocketAddr::from(([10, 0, high, low], 1));
                assert!(observers.add(of(each % topics), usize::MAX, peer, b"t", now));
            }
            let asked = asked_in_turns(&mut observers, 4, now);
            // A topic too many may come with those who are due of the last one that fits.
            assert!(asked.iter().all(|one| *one < 2 * CHECKED_AT_ONCE));
            assert_eq!(asked.iter().sum::<usize>(), observers.count());
            assert!(asked[1] > 0 && asked[3] == 0, "{topics}");
        }
    }

    #[test]
    fn who_is_due_the_longest_is_asked_first() {
        let now = Instant::now();
        let mut observers = Observers::default();
        for (topic, since) in [(1, 10), (2, 0)] {
            for each in 0..CHECKED_AT_ONCE as u8 {
                let peer = SocketAddr::from(([10, 0, topic, each], 1));
                let since = now + Duration::from_secs(since);
                assert!(observers.add(of(topic.into()), usize::MAX, peer, b"t", since));
            }
        }
        let later = now + CONFIRM_AFTER + Duration::from_secs(60);
        assert_eq!(observers.devices_to_check(later), [2]);
        // So also within a topic.
        let mut observers = Observers::default();
        for each in 0..=CHECKED_AT_ONCE as u8 {
            let peer = SocketAddr::from(([10, 0, 0, each], 1));
            let since = now + Duration::from_secs(u64::from(each == 0));
            assert!(observers.add(TOPIC, usize::MAX, peer, b"t", since));
        }
        let occasion = (Occasion::Check, CONFIRM_AFTER);
        let content = ResponseType::Content.into();
        let sent = observers.notify(TOPIC, &content, occasion, later, &mut || 1);
        assert_eq!(sent.len(), CHECKED_AT_ONCE);
        let first = SocketAddr::from(([10, 0, 0, 0], 1));
        assert!(sent.iter().all(|(peer, _)| *peer != first));
    }
}
