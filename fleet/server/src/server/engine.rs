// SPDX-License-Identifier: Apache-2.0
//! The batch: read, decide, commit, answer.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, MessageType, RequestType, ResponseType};

use super::limits::{Limits, Verdict};
use crate::broker::{topics, Observers};
use crate::coap::dedup::Answered;
use crate::coap::message::{self, Message};
use crate::coap::{block, format, Answer, Echo, Request};
use crate::directory::Directory;
use crate::fleet::Fleet;
use crate::store::{Act, AppendError, Log, Refused, State, StoreError};
use crate::verify::cbor::Writer;
use crate::verify::Refusal;

/// A datagram with the peer that it is from or for.
pub type Datagram = (SocketAddr, Vec<u8>);

/// How many refused objects are kept between two ticks; more are only counted.
const REFUSED_PER_TICK: usize = 64;

/// How often a batch is decided anew because somebody else appended to the log.
const ATTEMPTS: usize = 8;

/// How often what was refused is written.
const KEEP_REFUSED_EVERY: Duration = Duration::from_millis(500);

/// The time, as the batch sees it.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub instant: Instant,
    /// Milliseconds of Unix time.
    pub unix: u64,
}

/// What happened since the start.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub requests: u64,
    pub readings: u64,
    pub registrations: u64,
    pub observations: usize,
    pub endpoints: usize,
    pub refused: BTreeMap<&'static str, u64>,
}

/// An answer, and whether it may only be given if the batch became permanent.
pub(super) struct Decision {
    pub answer: Answer,
    pub needs_commit: bool,
}

impl From<Answer> for Decision {
    fn from(answer: Answer) -> Self {
        Decision {
            answer,
            needs_commit: false,
        }
    }
}

impl From<ResponseType> for Decision {
    fn from(code: ResponseType) -> Self {
        Answer::from(code).into()
    }
}

/// The server without its socket.
pub struct Engine<L: Log> {
    pub(super) fleet: Fleet<L>,
    pub(super) echo: Echo,
    pub(super) observers: Observers,
    pub(super) directory: Directory,
    answered: Answered,
    limits: Limits,
    refused: Vec<Refused>,
    counts: Counts,
    next_id: u16,
    kept_at: Instant,
}

impl<L: Log> Engine<L> {
    /// A server of this fleet, with so many requests a second for each address (0 for any number).
    pub fn new(fleet: Fleet<L>, per_second: u32, now: Instant) -> Result<Self, StoreError> {
        let echo = Echo::new(now)
            .map_err(|_| StoreError("the system gives no random numbers".to_string()))?;
        Ok(Engine {
            fleet,
            // Message IDs begin somewhere, so that a restart does not repeat the last ones.
            next_id: u16::from_be_bytes([echo.value(([0, 0, 0, 0], 0).into(), now)[4], 0]),
            echo,
            observers: Observers::default(),
            directory: Directory::default(),
            answered: Answered::default(),
            limits: Limits::new(per_second),
            refused: Vec::new(),
            counts: Counts::default(),
            kept_at: now,
        })
    }

    /// What the log adds up to.
    pub fn state(&self) -> &State {
        self.fleet.state()
    }

    /// What happened since the start.
    pub fn counts(&self) -> Counts {
        Counts {
            observations: self.observers.count(),
            ..self.counts.clone()
        }
    }

    /// What the datagrams are answered by, once what they brought is permanent.
    pub fn batch(
        &mut self,
        datagrams: &[Datagram],
        now: Clock,
    ) -> Result<Vec<Datagram>, StoreError> {
        for _ in 0..ATTEMPTS {
            // So that who was enrolled or revoked by another process is so from now on.
            self.fleet.catch_up()?;
            let decided: Vec<_> = datagrams
                .iter()
                .map(|(peer, datagram)| self.decide(*peer, datagram, now))
                .collect();
            let changed = self.changed_topics();
            let is_permanent = match self.fleet.commit() {
                Ok(()) => true,
                Err(AppendError::Moved) => continue,
                Err(AppendError::Failed(error)) => {
                    eprintln!("corral-fleet: {error}");
                    false
                }
            };
            let answers: Vec<_> = decided
                .into_iter()
                .flatten()
                .filter_map(|one| one.finish(self, is_permanent, now))
                .collect();
            let notifications = if is_permanent {
                self.notify(changed, now)
            } else {
                Vec::new()
            };
            return Ok(answers.into_iter().chain(notifications).collect());
        }
        Err(StoreError(
            "others append to the log without end".to_string(),
        ))
    }

    /// What is due without a request: retransmissions, and keeping what was refused.
    pub fn tick(&mut self, now: Clock) -> Result<Vec<Datagram>, StoreError> {
        if now.instant.saturating_duration_since(self.kept_at) >= KEEP_REFUSED_EVERY {
            self.kept_at = now.instant;
            if !self.refused.is_empty() {
                let refused = std::mem::take(&mut self.refused);
                // A full disk must not end the service: what cannot be kept was counted.
                if let Err(error) = self.fleet.log().keep_refused(&refused) {
                    eprintln!("corral-fleet: {error}");
                }
            }
        }
        Ok(self.observers.tick(now.instant))
    }

    fn changed_topics(&self) -> Vec<usize> {
        let read = self
            .fleet
            .accepted()
            .iter()
            .filter(|one| matches!(one.act, Act::Read { .. }));
        let mut topics: Vec<usize> = read
            .filter_map(|one| self.fleet.state().device(&one.identity))
            .map(|device| device.ordinal)
            .collect();
        topics.sort_unstable();
        topics.dedup();
        topics
    }

    fn notify(&mut self, changed: Vec<usize>, now: Clock) -> Vec<Datagram> {
        let mut datagrams = Vec::new();
        for topic in changed {
            let state = self.fleet.state();
            let Some(identity) = state.identity_of(topic) else {
                continue;
            };
            let Some(device) = state.device(&identity) else {
                continue;
            };
            let content = topics::content(device);
            let next_id = &mut self.next_id;
            let mut next = || {
                *next_id = next_id.wrapping_add(1);
                *next_id
            };
            datagrams.extend(
                self.observers
                    .notify(topic, &content, now.instant, &mut next),
            );
        }
        datagrams
    }

    fn decide(&mut self, peer: SocketAddr, datagram: &[u8], now: Clock) -> Option<Decided> {
        match message::read(datagram, peer) {
            Message::Nothing => None,
            Message::ToBeReset(id) => {
                Some(Decided::Ready(peer, message::empty(MessageType::Reset, id)))
            }
            Message::Reset(id) => {
                self.observers.reset(peer, id);
                None
            }
            Message::Acknowledged(id) => {
                self.observers.acknowledge(peer, id);
                None
            }
            Message::Request(request) => self.decide_request(request, now),
        }
    }

    fn decide_request(&mut self, request: Request, now: Clock) -> Option<Decided> {
        self.counts.requests += 1;
        match self.limits.take(request.peer, now.instant) {
            Verdict::Serve => {}
            Verdict::Say => {
                let answer = Answer::from(ResponseType::TooManyRequests);
                let decision = answer.with_number(CoapOption::MaxAge, 1).into();
                return Some(Decided::Request(request, decision));
            }
            Verdict::Drop => return None,
        }
        if let Some(before) = self.answered.get(request.peer, request.id(), now.instant) {
            return Some(Decided::Ready(request.peer, before.clone()));
        }
        let decision = match request.bad_option() {
            None if block::is_part(request.number(CoapOption::Block1)) => {
                ResponseType::RequestEntityTooLarge.into()
            }
            None => self.resource(&request, now),
            Some(_) if !request.is_confirmable() => return None,
            Some((number, code)) => {
                let mut problem = Writer::new();
                problem.map(1).int(-8).uint(number.into());
                Answer::content(code, format::PROBLEM, problem.done()).into()
            }
        };
        Some(Decided::Request(request, decision))
    }

    /// Counts and keeps what was refused, and says so.
    pub(super) fn refuse(&mut self, refusal: Refusal, request: &Request, now: Clock) -> Decision {
        *self.counts.refused.entry(refusal.name()).or_default() += 1;
        if self.refused.len() < REFUSED_PER_TICK {
            self.refused.push(Refused {
                at: now.unix,
                about: request.path().unwrap_or_default().join("/"),
                peer: request.peer.to_string(),
                reason: refusal.name().to_string(),
                object: request.payload().to_vec(),
            });
        }
        let mut problem = Writer::new();
        problem.map(1).int(-1).text(refusal.name());
        let answer = Answer::content(refusal.code(), format::PROBLEM, problem.done());
        match refusal {
            Refusal::Stale => {
                answer.with(message::ECHO, &self.echo.value(request.peer, now.instant))
            }
            _ => answer,
        }
        .into()
    }

    fn count(&mut self, request: &Request, answer: &Answer) {
        if !matches!(answer.code, ResponseType::Created | ResponseType::Changed) {
            return;
        }
        match request.method {
            RequestType::Put => self.counts.readings += 1,
            _ => self.counts.registrations += 1,
        }
    }

    /// The largest answer to a peer that did not prove its address: three times what it sent, counted
    /// with the headers of Ethernet, IP and UDP, which is how RFC 9175 comes to its 136 bytes.
    fn room(request: &Request) -> usize {
        let headers = if request.peer.is_ipv4() { 42 } else { 62 };
        3 * request.size + 2 * headers
    }
}

/// A datagram that will be answered.
enum Decided {
    Ready(SocketAddr, Vec<u8>),
    Request(Request, Decision),
}

impl Decided {
    fn finish<L: Log>(
        self,
        engine: &mut Engine<L>,
        is_permanent: bool,
        now: Clock,
    ) -> Option<Datagram> {
        let (request, decision) = match self {
            Decided::Ready(peer, datagram) => return Some((peer, datagram)),
            Decided::Request(request, decision) => (request, decision),
        };
        let mut answer = block::cut(decision.answer, request.number(CoapOption::Block2));
        if decision.needs_commit && !is_permanent {
            answer = Answer::from(ResponseType::ServiceUnavailable);
        } else if decision.needs_commit {
            engine.count(&request, &answer);
        }
        let (kind, id) = if request.is_confirmable() {
            (MessageType::Acknowledgement, request.id())
        } else if request.suppresses(answer.code) {
            return None;
        } else {
            engine.next_id = engine.next_id.wrapping_add(1);
            (MessageType::NonConfirmable, engine.next_id)
        };
        let mut datagram = if request.suppresses(answer.code) {
            message::empty(kind, id)
        } else {
            answer.message(kind, id, request.token())
        };
        if datagram.len() > Engine::<L>::room(&request) && !engine.is_proven(&request, now) {
            datagram = engine
                .challenge(&request, now)
                .message(kind, id, request.token());
        }
        // Who comes again after a 4.29 is to be heard.
        let is_heard = answer.code != ResponseType::TooManyRequests;
        if is_heard && matches!(request.method, RequestType::Post | RequestType::Delete) {
            engine
                .answered
                .keep(request.peer, request.id(), datagram.clone(), now.instant);
        }
        Some((request.peer, datagram))
    }
}
