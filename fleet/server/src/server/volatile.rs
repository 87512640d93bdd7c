// SPDX-License-Identifier: Apache-2.0
//! Volatile state, and its messages: a restart forgets it.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, MessageType, ResponseType};

use super::engine::Datagram;
use super::lookups::Watches;
use crate::broker::observers::{Occasion, CONFIRM_AFTER};
use crate::broker::open::Content;
use crate::broker::{Observers, Open, Subject};
use crate::coap::{message, Answer, Response};
use crate::directory::simple::{Asker, Fetched, Fetches, Step, Token};
use crate::directory::{Directory, Entry, Rank, Refused};

/// The default limit of topics beside those of devices.
const TOPICS_MAX: usize = 2000;

/// How often it is looked whether an observer is to show that it is still there.
const CHECK_EVERY: Duration = Duration::from_secs(1);

pub(super) struct Volatile {
    pub directory: Directory,
    fetches: Fetches,
    pub watches: Watches,
    pub topics: Open,
    pub observers: Observers,
    /// Topics that hold something new, for which one notification is enough.
    changed: BTreeSet<u64>,
    outbox: Vec<Datagram>,
    /// Charges of peers, in requests.
    charges: Vec<(SocketAddr, f64)>,
    last_id: u16,
    checked_at: Instant,
}

fn following(last_id: &mut u16) -> u16 {
    *last_id = last_id.wrapping_add(1);
    *last_id
}

/// The answer that has what a topic holds.
pub(super) fn content(held: &Content) -> Answer {
    let mut answer = Answer::from(ResponseType::Content);
    if let Some(format) = held.format {
        answer = answer.with_number(CoapOption::ContentFormat, format.into());
    }
    answer.payload.clone_from(&held.payload);
    answer
}

impl Volatile {
    /// With the first message ID, and the begin of paths of topics.
    pub fn new(id: [u8; 2], start: [u8; 4], now: Instant) -> Self {
        Volatile {
            directory: Directory::default(),
            fetches: Fetches::default(),
            watches: Watches::default(),
            topics: Open::new(TOPICS_MAX, u32::from_be_bytes(start)),
            observers: Observers::default(),
            changed: BTreeSet::new(),
            outbox: Vec::new(),
            charges: Vec::new(),
            last_id: u16::from_be_bytes(id),
            checked_at: now,
        }
    }

    /// A message ID that was not used lately.
    pub fn next_id(&mut self) -> u16 {
        following(&mut self.last_id)
    }

    /// Asks who registers for its links.
    pub fn fetch(&mut self, asker: Asker, token: Token, now: Instant) -> Result<(), ResponseType> {
        let id = self.next_id();
        let asked = self.fetches.begin(asker, token, id, now)?;
        self.outbox.push(asked);
        Ok(())
    }

    /// Takes an answer to a question of ours; one without a question is reset, if it needs that.
    pub fn take_response(&mut self, response: &Response, now: Instant) {
        let (peer, id) = (response.peer, response.id());
        if response.kind() == MessageType::Acknowledgement {
            self.acknowledge(peer, id);
        }
        let next = || following(&mut self.last_id);
        let step = self.fetches.take(response, now, next);
        let kind = match step {
            Step::Unknown => MessageType::Reset,
            _ => MessageType::Acknowledgement,
        };
        if response.kind() == MessageType::Confirmable {
            self.outbox.push((peer, message::empty(kind, id)));
        }
        match step {
            Step::Unknown | Step::Again => {}
            Step::Ask(datagram) => self.outbox.push(datagram),
            Step::Done(fetched) => self.enter(fetched, now),
        }
    }

    /// A peer has the message with this ID.
    pub fn acknowledge(&mut self, peer: SocketAddr, id: u16) {
        self.observers.acknowledge(peer, id);
        self.fetches.acknowledge(peer, id);
    }

    /// A peer does not want what had this ID.
    pub fn reset(&mut self, peer: SocketAddr, id: u16, now: Instant) {
        self.observers.reset(peer, id);
        if let Some(fetched) = self.fetches.reset(peer, id) {
            self.enter(fetched, now);
        }
    }

    /// Enters the result of a simple registration, and answers the registering endpoint.
    fn enter(&mut self, Fetched { asker, links }: Fetched, now: Instant) {
        let query: Vec<(&str, &str)> = asker
            .query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let entered = links.and_then(|links| {
            let entry = Entry::read(&query, links, Rank::Proven, asker.peer, now);
            let entered = entry.and_then(|entry| self.directory.enter(entry, now));
            entered.map_err(Refused::code)
        });
        let code = entered.map_or_else(|code| code, |_| ResponseType::Changed);
        let id = self.next_id();
        let answer = self.fetches.answer(&asker, &code.into(), id, now);
        self.outbox.extend(answer);
    }

    /// Charges a peer for work that it caused.
    pub fn charge(&mut self, peer: SocketAddr, requests: f64) {
        self.charges.push((peer, requests));
    }

    /// The charges since the last call.
    pub fn charges(&mut self) -> Vec<(SocketAddr, f64)> {
        std::mem::take(&mut self.charges)
    }

    /// There is something new in an open topic.
    pub fn change(&mut self, number: u64) {
        self.changed.insert(number);
    }

    /// Tells all but the first `keep` observers of a topic that they get no more, and why.
    pub fn end(&mut self, topic: Subject, keep: usize, why: ResponseType, now: Instant) {
        let mut next = || following(&mut self.last_id);
        let ended = self.observers.end(topic, keep, &why.into(), now, &mut next);
        self.outbox.extend(ended);
    }

    /// Tells those who observe a device's topic what it holds.
    pub fn notify_of_device(
        &mut self,
        topic: Subject,
        content: &Answer,
        occasion: Occasion,
        now: Instant,
    ) {
        self.notify(topic, content, (occasion, CONFIRM_AFTER), now);
    }

    /// Tells who observes a lookup what it finds.
    pub fn notify_of_lookup(&mut self, lookup: Subject, found: &Answer, now: Instant) {
        self.notify(lookup, found, (Occasion::Change, CONFIRM_AFTER), now);
    }

    fn notify(
        &mut self,
        topic: Subject,
        content: &Answer,
        occasion: (Occasion, Duration),
        now: Instant,
    ) {
        let mut next = || following(&mut self.last_id);
        let sent = self
            .observers
            .notify(topic, content, occasion, now, &mut next);
        self.outbox.extend(sent);
    }

    /// Ends the open topics whose time has come.
    pub fn expire(&mut self, now: Instant) {
        for number in self.topics.expire(now) {
            self.end(Subject::Topic(number), 0, ResponseType::NotFound, now);
        }
    }

    fn notify_of(&mut self, number: u64, occasion: Occasion, now: Instant) {
        let Some(topic) = self.topics.get(number) else {
            return;
        };
        let check = topic.observer_check();
        if let Some(content) = topic.content().map(content) {
            self.notify(Subject::Topic(number), &content, (occasion, check), now);
        }
    }

    /// The messages that answer no request.
    pub fn sent(&mut self, now: Instant) -> Vec<Datagram> {
        for number in std::mem::take(&mut self.changed) {
            self.notify_of(number, Occasion::Change, now);
        }
        for (peer, token) in self.observers.displaced() {
            let (kind, id) = (MessageType::NonConfirmable, self.next_id());
            let end = Answer::from(ResponseType::ServiceUnavailable).message(kind, id, &token);
            self.outbox.push((peer, end));
        }
        std::mem::take(&mut self.outbox)
    }

    /// The due work: the end of topics, notifications that are to be confirmed, and
    /// those that are to be repeated.
    pub fn tick(&mut self, now: Instant) -> Vec<Datagram> {
        self.expire(now);
        if now.saturating_duration_since(self.checked_at) >= CHECK_EVERY {
            self.checked_at = now;
            let all = self.topics.all();
            let all = all.map(|(number, topic)| (Subject::Topic(number), topic.observer_check()));
            for topic in self.observers.to_check(all, now) {
                if let Subject::Topic(number) = topic {
                    self.notify_of(number, Occasion::Check, now);
                }
            }
        }
        let (again, silent) = self.fetches.tick(now);
        for fetched in silent {
            self.enter(fetched, now);
        }
        let mut datagrams = self.sent(now);
        datagrams.extend(again);
        datagrams.extend(self.observers.tick(now));
        datagrams
    }
}
