// SPDX-License-Identifier: Apache-2.0
//! What is in memory alone, and what it has to say: a restart forgets it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, ResponseType};

use super::engine::Datagram;
use crate::broker::observers::{Occasion, CONFIRM_AFTER};
use crate::broker::open::Content;
use crate::broker::{Observers, Open, Subject};
use crate::coap::Answer;
use crate::directory::Directory;

/// How many topics there may be beside those of devices, if nobody said otherwise.
const TOPICS_MAX: usize = 2000;

/// How often it is looked whether an observer is to show that it is still there.
const CHECK_EVERY: Duration = Duration::from_secs(1);

pub(super) struct Volatile {
    pub directory: Directory,
    pub topics: Open,
    pub observers: Observers,
    /// Topics that hold something new, for which one notification is enough.
    changed: BTreeSet<u64>,
    outbox: Vec<Datagram>,
    last_id: u16,
    checked_at: Instant,
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
    /// With the first message ID, and what paths of topics begin with.
    pub fn new(id: [u8; 2], start: [u8; 4], now: Instant) -> Self {
        Volatile {
            directory: Directory::default(),
            topics: Open::new(TOPICS_MAX, u32::from_be_bytes(start)),
            observers: Observers::default(),
            changed: BTreeSet::new(),
            outbox: Vec::new(),
            last_id: u16::from_be_bytes(id),
            checked_at: now,
        }
    }

    /// A message ID that was not used lately.
    pub fn next_id(&mut self) -> u16 {
        self.last_id = self.last_id.wrapping_add(1);
        self.last_id
    }

    /// There is something new in an open topic.
    pub fn change(&mut self, number: u64) {
        self.changed.insert(number);
    }

    /// Tells all but the first `keep` observers of an open topic that they get no more, and why.
    pub fn end(&mut self, number: u64, keep: usize, why: ResponseType, now: Instant) {
        let last_id = &mut self.last_id;
        let mut next = || {
            *last_id = last_id.wrapping_add(1);
            *last_id
        };
        let topic = Subject::Topic(number);
        let ended = self.observers.end(topic, keep, &why.into(), now, &mut next);
        self.outbox.extend(ended);
    }

    /// Tells those who observe a device's topic what it holds.
    pub fn notify_of_device(&mut self, topic: Subject, content: &Answer, now: Instant) {
        self.notify(topic, content, (Occasion::Change, CONFIRM_AFTER), now);
    }

    fn notify(
        &mut self,
        topic: Subject,
        content: &Answer,
        occasion: (Occasion, Duration),
        now: Instant,
    ) {
        let last_id = &mut self.last_id;
        let mut next = || {
            *last_id = last_id.wrapping_add(1);
            *last_id
        };
        let sent = self
            .observers
            .notify(topic, content, occasion, now, &mut next);
        self.outbox.extend(sent);
    }

    /// Ends the open topics whose time has come.
    pub fn expire(&mut self, now: Instant) {
        for number in self.topics.expire(now) {
            self.end(number, 0, ResponseType::NotFound, now);
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

    /// What there is to say without being asked.
    pub fn sent(&mut self, now: Instant) -> Vec<Datagram> {
        for number in std::mem::take(&mut self.changed) {
            self.notify_of(number, Occasion::Change, now);
        }
        std::mem::take(&mut self.outbox)
    }

    /// What is due: the end of topics, notifications that are to be confirmed, and those that are to be repeated.
    pub fn tick(&mut self, now: Instant) -> Vec<Datagram> {
        self.expire(now);
        if now.saturating_duration_since(self.checked_at) >= CHECK_EVERY {
            self.checked_at = now;
            let observers = &self.observers;
            let due = self.topics.all().filter(|(number, topic)| {
                observers.is_check_due(Subject::Topic(*number), topic.observer_check(), now)
            });
            let due: Vec<u64> = due.map(|(number, _)| number).collect();
            for number in due {
                self.notify_of(number, Occasion::Check, now);
            }
        }
        let mut datagrams = self.sent(now);
        datagrams.extend(self.observers.tick(now));
        datagrams
    }
}
