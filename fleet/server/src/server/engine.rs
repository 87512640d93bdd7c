// SPDX-License-Identifier: Apache-2.0
//! The batch: read, decide, commit, answer.

use std::collections::{BTreeMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, MessageType, RequestType, ResponseType};

use super::discovery::Waiting;
use super::limits::{Limits, Verdict};
use super::lookups::Results;
use super::resources::LOOKS_PER_REQUEST;
use super::volatile::Volatile;
use crate::broker::observers::Occasion;
use crate::broker::{topics, Collection, Subject};
use crate::coap::assembly::{Source, Step};
use crate::coap::dedup::{self, Answered};
use crate::coap::message::{self, Message};
use crate::coap::{block, format, Answer, Assembly, Echo, Request};
use crate::fleet::Fleet;
use crate::store::{Act, AppendError, Log, Newest, Refused, State, StoreError};
use crate::verify::{cbor, Identity, Refusal};

/// A datagram with the peer that it is from or for.
pub type Datagram = (SocketAddr, Vec<u8>);

/// How many refused objects are kept between two ticks; more are only counted.
const REFUSED_PER_TICK: usize = 64;

/// How often a batch is decided anew because another process appended to the log.
const ATTEMPTS: usize = 8;

/// The number of lookups a second for all peers together that prove no address: an attacker
/// can send in the name of many. A lookup that looks at many endpoints counts as several.
const STRANGERS_PER_SECOND: u32 = 100;
const STRANGERS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// How often what was refused is written.
const KEEP_REFUSED_EVERY: Duration = Duration::from_millis(500);

/// The time, as the batch sees it.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub instant: Instant,
    /// Milliseconds of Unix time.
    pub unix: u64,
}

/// Counts since the start.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub requests: u64,
    pub readings: u64,
    pub registrations: u64,
    /// Requests that were answered by 4.29, and datagrams that were not answered at all.
    pub limited: u64,
    pub dropped: u64,
    /// Batches that could not be made permanent.
    pub failures: u64,
    pub refused: BTreeMap<&'static str, u64>,
}

/// How much there is at the moment.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    pub observations: usize,
    pub endpoints: usize,
    /// Those that are no device's.
    pub topics: usize,
    pub devices: usize,
    pub enrolled: usize,
    pub revoked: usize,
}

/// The change of volatile state once the batch is permanent, with its answer.
pub(super) type Then = Box<dyn FnOnce(&mut Volatile) -> Answer>;

/// Begins what is answered later, or gives what to say instead.
type Begin = Box<dyn FnOnce(&mut Volatile) -> Result<(), ResponseType>>;

/// An answer. All of a batch are given only if it became permanent: also who only reads would see what is
/// taken back.
pub(super) struct Decision {
    pub answer: Answer,
    /// Whether an object was accepted.
    pub is_accepted: bool,
    /// How many readings of a bundle were.
    pub readings: u64,
    pub then: Option<Then>,
    begin: Option<Begin>,
}

impl Decision {
    /// An object was accepted.
    pub fn accepted(answer: Answer) -> Self {
        Decision {
            is_accepted: true,
            ..answer.into()
        }
    }

    /// Volatile state is changed when the batch is permanent, and only once.
    pub fn then(self, then: impl FnOnce(&mut Volatile) -> Answer + 'static) -> Self {
        Decision {
            then: Some(Box::new(then)),
            ..self
        }
    }

    /// Nothing is decided before the batch is permanent.
    pub fn later(then: impl FnOnce(&mut Volatile) -> Answer + 'static) -> Self {
        Decision::from(ResponseType::ServiceUnavailable).then(then)
    }

    /// The answer follows by itself, if this can be begun once the batch is permanent.
    pub fn promise(
        begin: impl FnOnce(&mut Volatile) -> Result<(), ResponseType> + 'static,
    ) -> Self {
        Decision {
            begin: Some(Box::new(begin)),
            ..ResponseType::ServiceUnavailable.into()
        }
    }
}

impl From<Answer> for Decision {
    fn from(answer: Answer) -> Self {
        Decision {
            answer,
            is_accepted: false,
            readings: 0,
            then: None,
            begin: None,
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
    pub(super) volatile: Volatile,
    pub(super) collection: Collection,
    answered: Answered,
    assembly: Assembly,
    pub(super) results: Results,
    pub(super) waiting: Waiting,
    pub(super) limits: Limits,
    /// The lookups of all peers together that prove no address.
    strangers: Limits,
    /// Whether endpoints without a proven address are registered.
    takes_unproven: bool,
    /// The charges of the batch's decisions, for peers and for `strangers`.
    charged: Vec<(SocketAddr, f64)>,
    charged_strangers: f64,
    refused: Vec<Refused>,
    counts: Counts,
    kept_at: Instant,
    is_well: bool,
}

impl<L: Log> Engine<L> {
    /// A server of this fleet, with so many requests a second for each address (0 for any number).
    pub fn new(fleet: Fleet<L>, per_second: u32, now: Instant) -> Result<Self, StoreError> {
        let echo = Echo::new(now)
            .map_err(|_| StoreError("the system gives no random numbers".to_string()))?;
        // Message IDs and paths of topics begin somewhere, so that a restart does not repeat the last ones.
        let [.., a, b, c, d, e] = echo.value(([0, 0, 0, 0], 0).into(), now);
        Ok(Engine {
            fleet,
            echo,
            volatile: Volatile::new([a, 0], [b, c, d, e], now),
            collection: Collection::default(),
            answered: Answered::default(),
            assembly: Assembly::default(),
            results: Results::default(),
            waiting: Waiting::default(),
            limits: Limits::new(per_second),
            strangers: Limits::new(STRANGERS_PER_SECOND),
            takes_unproven: false,
            charged: Vec::new(),
            charged_strangers: 0.0,
            refused: Vec::new(),
            counts: Counts::default(),
            kept_at: now,
            is_well: true,
        })
    }

    /// Registers endpoints that prove no address, too.
    pub fn take_unproven(&mut self) {
        self.takes_unproven = true;
    }

    /// How many devices may be entered from one address.
    pub fn allow_per_address(&mut self, most: usize) {
        self.volatile.directory.allow_per_address(most);
    }

    /// How many topics there may be beside those of devices.
    pub fn allow_topics(&mut self, most: usize) {
        self.volatile.topics.allow(most);
    }

    /// The state that results from the log.
    pub fn state(&self) -> &State {
        self.fleet.state()
    }

    /// The newest reading of a device, with its number.
    pub fn latest(&mut self, identity: &Identity) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        self.fleet.latest(identity)
    }

    /// The log, in which commands are left beside it.
    pub fn log(&mut self) -> &mut L {
        self.fleet.log()
    }

    /// Counts since the start.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How much there is.
    pub fn sizes(&self) -> Sizes {
        let state = self.fleet.state();
        Sizes {
            observations: self.volatile.observers.count(),
            endpoints: self.volatile.directory.count(),
            topics: self.volatile.topics.count(),
            devices: state.newest().map_or(0, |(count, _)| count),
            enrolled: state.enrolled(),
            revoked: state.revoked(),
        }
    }

    /// Whether the last attempt to make something permanent succeeded.
    pub fn is_well(&self) -> bool {
        self.is_well
    }

    /// The newest reading of each device.
    pub fn newest(&mut self) -> Result<Newest, StoreError> {
        self.catch_up()?;
        Ok(self.fleet.newest())
    }

    /// Counts no longer what was removed from the log.
    pub fn forget(&mut self, removed: &BTreeMap<Identity, u64>) {
        self.fleet.forget(removed);
    }

    /// Reads what other processes appended.
    pub fn catch_up(&mut self) -> Result<(), StoreError> {
        self.fleet.catch_up()
    }

    /// Reads what other processes appended, and changes the fleet by the operator's word.
    pub fn change(&mut self, make: impl FnMut(&mut Fleet<L>)) -> Result<(), AppendError> {
        self.fleet.change(ATTEMPTS, make)
    }

    /// Keeps what was refused and is not kept yet.
    pub fn keep_refused(&mut self) {
        let refused = std::mem::take(&mut self.refused);
        if refused.is_empty() {
            return;
        }
        // A full disk must not end the service: rejections without a record were counted.
        if let Err(error) = self.fleet.log().keep_refused(&refused) {
            eprintln!("corral-fleet: {error}");
        }
    }

    /// The answers to the datagrams, once their content is permanent.
    pub fn batch(&mut self, datagrams: &[Datagram], now: Clock) -> Vec<Datagram> {
        self.volatile.expire(now.instant);
        let taken = self.take_all(datagrams, now);
        for _ in 0..ATTEMPTS {
            self.charged.clear();
            self.charged_strangers = 0.0;
            let before = (self.refused.len(), self.counts.refused.clone());
            // So enrolments and revocations by other processes count from now on.
            let (decisions, landed) = match self.fleet.catch_up() {
                Ok(()) => (self.decide_all(&taken, now), Ok(self.changed_topics())),
                Err(error) => (Vec::new(), Err(AppendError::Failed(error))),
            };
            let brings_something = !self.fleet.accepted().is_empty();
            match landed.and_then(|changed| self.fleet.commit().map(|()| changed)) {
                Ok(changed) => {
                    // A batch that only read says nothing of the medium.
                    self.is_well |= brings_something;
                    let mut answers = self.finish_all(taken, decisions, now);
                    for (peer, requests) in self.volatile.charges() {
                        self.limits.charge(peer, requests);
                    }
                    self.notify(changed, Occasion::Change, now);
                    self.watch(now.instant);
                    answers.extend(self.volatile.sent(now.instant));
                    return answers;
                }
                Err(AppendError::Moved) => {
                    self.refused.truncate(before.0);
                    self.counts.refused = before.1;
                    for (peer, requests) in &self.charged {
                        self.limits.give_back(*peer, *requests);
                    }
                    self.strangers.give_back(STRANGERS, self.charged_strangers);
                }
                Err(AppendError::Failed(error)) => {
                    eprintln!("corral-fleet: {error}");
                    break;
                }
            }
        }
        self.is_well = false;
        self.counts.failures += 1;
        let unavailable = || Some(ResponseType::ServiceUnavailable.into());
        let decisions = taken.iter().map(|_| unavailable()).collect();
        self.finish_all(taken, decisions, now)
    }

    /// The work done once for each datagram, even if the batch is decided several times.
    fn take_all(&mut self, datagrams: &[Datagram], now: Clock) -> Vec<Taken> {
        let mut exchanges = HashSet::new();
        let mut taken = Vec::new();
        for (peer, datagram) in datagrams {
            let one = self.take(*peer, datagram, now);
            // A repetition is answered by the answer to the first.
            let is_new = match &one {
                Some(Taken::Request(request) | Taken::Answered(request, _)) if is_once(request) => {
                    exchanges.insert(dedup::exchange(request))
                }
                _ => true,
            };
            taken.extend(one.filter(|_| is_new));
        }
        taken
    }

    fn decide_all(&mut self, taken: &[Taken], now: Clock) -> Vec<Option<Decision>> {
        let mut decisions = Vec::with_capacity(taken.len());
        for one in taken {
            decisions.push(match one {
                Taken::Request(request) => Some(self.decide(request, now)),
                _ => None,
            });
        }
        decisions
    }

    fn finish_all(
        &mut self,
        taken: Vec<Taken>,
        decisions: Vec<Option<Decision>>,
        now: Clock,
    ) -> Vec<Datagram> {
        let mut answers = Vec::new();
        for (one, decision) in taken.into_iter().zip(decisions) {
            answers.extend(match (one, decision) {
                (Taken::Ready(peer, datagram), _) => Some((peer, datagram)),
                (Taken::Answered(request, answer), _) => self.finish(request, answer.into(), now),
                (Taken::Request(request), Some(decision)) => self.finish(request, decision, now),
                (Taken::Request(_), None) => None,
            });
        }
        answers
    }

    /// Work without a request: retransmissions, answers to clients of a group, records
    /// of rejections, and is to show that it still observes.
    pub fn tick(&mut self, now: Clock) -> Vec<Datagram> {
        if now.instant.saturating_duration_since(self.kept_at) >= KEEP_REFUSED_EVERY {
            self.kept_at = now.instant;
            self.keep_refused();
            let unconfirmed = self.volatile.observers.devices_to_check(now.instant);
            self.notify(unconfirmed, Occasion::Check, now);
        }
        self.watch(now.instant);
        let mut datagrams = self.volatile.tick(now.instant);
        datagrams.extend(self.waiting.due(now.instant));
        datagrams
    }

    fn changed_topics(&self) -> Vec<usize> {
        let read = self
            .fleet
            .accepted()
            .iter()
            .map(|one| &one.entry)
            .filter(|one| matches!(one.act, Act::Read { .. }));
        let mut topics: Vec<usize> = read
            .filter_map(|one| self.fleet.state().device(&one.identity))
            .map(|device| device.ordinal)
            .collect();
        topics.sort_unstable();
        topics.dedup();
        topics
    }

    fn notify(&mut self, devices: Vec<usize>, occasion: Occasion, now: Clock) {
        for ordinal in devices {
            let topic = Subject::Device(ordinal);
            if self.volatile.observers.of(topic) == 0 {
                continue;
            }
            let Some(identity) = self.fleet.state().identity_of(ordinal) else {
                continue;
            };
            match self.fleet.latest(&identity) {
                Ok(latest) => {
                    let content = topics::content(latest);
                    self.volatile
                        .notify_of_device(topic, &content, occasion, now.instant);
                }
                // An observer that is not notified now gets the next reading.
                Err(error) => eprintln!("corral-fleet: {error}"),
            }
        }
    }

    fn take(&mut self, peer: SocketAddr, datagram: &[u8], now: Clock) -> Option<Taken> {
        let verdict = self.limits.take(peer, now.instant);
        if verdict == Verdict::Drop {
            self.counts.dropped += 1;
            return None;
        }
        let message = message::read(datagram, peer);
        if let Message::Request(request) = message {
            return self.take_request(request, verdict == Verdict::Say, now);
        }
        if verdict == Verdict::Say {
            return None;
        }
        match message {
            Message::ToBeReset(id) => {
                Some(Taken::Ready(peer, message::empty(MessageType::Reset, id)))
            }
            Message::Reset(id) => {
                self.volatile.reset(peer, id, now.instant);
                None
            }
            Message::Acknowledged(id) => {
                self.volatile.acknowledge(peer, id);
                None
            }
            Message::Response(response) => {
                self.volatile.take_response(&response, now.instant);
                None
            }
            Message::Request(_) | Message::Nothing => None,
        }
    }

    fn take_request(&mut self, request: Request, is_too_much: bool, now: Clock) -> Option<Taken> {
        self.counts.requests += 1;
        if is_too_much {
            self.counts.limited += 1;
            return Some(Taken::Answered(request, too_many()));
        }
        let before = match is_once(&request) {
            true => self.answered.get(&dedup::exchange(&request), now.instant),
            false => None,
        };
        if let Some(before) = before {
            // Nothing if no answer was sent: the promised one comes by itself.
            let before = before.clone();
            return (!before.is_empty()).then_some(Taken::Ready(request.peer, before));
        }
        if request.bad_option().is_some() {
            let is_answered = request.is_confirmable();
            return is_answered.then_some(Taken::Request(request));
        }
        let source = self.source(&request, now);
        Some(match self.assembly.take(request, source, now.instant) {
            Step::Whole(request) => Taken::Request(request),
            Step::Say(block, answer) => Taken::Answered(block, answer),
            Step::Prove(block) => {
                let challenge = self.challenge(&block, now);
                Taken::Answered(block, challenge)
            }
        })
    }

    fn decide(&mut self, request: &Request, now: Clock) -> Decision {
        match request.bad_option() {
            None if !block::is_sound(request.number(CoapOption::Block2)) => {
                ResponseType::BadRequest.into()
            }
            None if request.method == RequestType::UnKnown => ResponseType::MethodNotAllowed.into(),
            None => self.resource(request, now),
            Some((number, code)) => {
                let problem = cbor::map([(-8, number.into())]);
                Answer::content(code, format::PROBLEM, problem).into()
            }
        }
    }

    fn finish(&mut self, request: Request, decision: Decision, now: Clock) -> Option<Datagram> {
        self.counts.readings += decision.readings;
        let answer = match (decision.begin, decision.then) {
            (Some(begin), _) => match begin(&mut self.volatile) {
                Ok(()) => return self.say(&request, received(&request), now),
                Err(code) => code.into(),
            },
            (None, Some(then)) => then(&mut self.volatile),
            (None, None) => decision.answer,
        };
        let answer = answer.accepted_by(&request).of_block(&request);
        let answer = block::cut(answer, request.number(CoapOption::Block2));
        if decision.is_accepted {
            self.count(&request, &answer);
        }
        if request.unwanted().has(answer.code) {
            return self.say(&request, received(&request), now);
        }
        let code = answer.code;
        let (kind, id) = match request.is_confirmable() {
            true => (MessageType::Acknowledgement, request.id()),
            false => (MessageType::NonConfirmable, self.volatile.next_id()),
        };
        let message = |answer: &Answer| answer.message(kind, id, request.token());
        let mut datagram = message(&answer);
        if datagram.len() > Self::room(&request) && !self.is_proven(&request, now) {
            datagram = message(&self.smaller(answer, &request, now));
        }
        // A peer that comes again after a 4.29 is to be heard.
        match code {
            ResponseType::TooManyRequests => Some((request.peer, datagram)),
            _ => self.say(&request, datagram, now),
        }
    }

    /// The answer to a peer without a proven address, in place of a larger one: a block of it, or a
    /// challenge if no block fits. A peer that showed an old proof knows how to show a new one.
    fn smaller(&self, answer: Answer, request: &Request, now: Clock) -> Answer {
        let block2 = request.number(CoapOption::Block2);
        let (kind, room) = (MessageType::Acknowledgement, Self::room(request));
        let fits = |one: &Answer| one.message(kind, 0, request.token()).len() <= room;
        let block = match request.echo() {
            None => block::shrink(&answer, block2, fits),
            Some(_) => None,
        };
        block.unwrap_or_else(|| self.challenge(request, now))
    }

    /// Says this, again if the request comes again; not a word if it is empty.
    fn say(&mut self, request: &Request, datagram: Vec<u8>, now: Clock) -> Option<Datagram> {
        if is_once(request) {
            let exchange = dedup::exchange(request);
            let is_proven = self.is_proven(request, now);
            let kept = datagram.clone();
            self.answered.keep(exchange, kept, is_proven, now.instant);
        }
        (!datagram.is_empty()).then_some((request.peer, datagram))
    }

    /// Charges a peer for the work of deciding about its request; deciding it again is free.
    pub(super) fn charge(&mut self, peer: SocketAddr, requests: f64) {
        let taken = self.limits.charge(peer, requests);
        self.charged.push((peer, taken));
    }

    /// Whether a peer may cause a lookup, or the answer that it gets instead.
    pub(super) fn check_may_look(&mut self, request: &Request, now: Clock) -> Result<(), Answer> {
        if self.limits.owes(request.peer, now.instant) {
            return Err(too_many());
        }
        if self.is_proven(request, now) {
            return Ok(());
        }
        let is_served = request.echo().is_none()
            && self.strangers.take(STRANGERS, now.instant) == Verdict::Serve;
        if !is_served {
            return Err(self.challenge(request, now));
        }
        self.charged_strangers += 1.0;
        Ok(())
    }

    /// Charges a peer for so many endpoints or topics that were looked at.
    pub(super) fn charge_looks(&mut self, request: &Request, looked_at: usize, now: Clock) {
        let requests = looked_at as f64 / LOOKS_PER_REQUEST;
        self.charge(request.peer, requests);
        if !self.is_proven(request, now) {
            self.charged_strangers += self.strangers.charge(STRANGERS, requests);
        }
    }

    /// Whether the peer proved its address for registering endpoints, or need not.
    pub(super) fn is_trusted(&self, request: &Request, now: Clock) -> bool {
        self.source(request, now) != Source::Unproven
    }

    fn source(&self, request: &Request, now: Clock) -> Source {
        let may_be_anybody = || {
            let path = request.path();
            // A signed object is of a device, which proves its address; a simple registration makes
            // this server ask the peer.
            let is_signed = request.content_format() == Some(format::COSE_SIGN1.into());
            !is_signed && path.is_some_and(|path| matches!(path.as_slice(), ["rd", ..]))
        };
        if self.is_proven(request, now) {
            Source::Proven
        } else if self.takes_unproven && may_be_anybody() {
            Source::Accepted
        } else {
            Source::Unproven
        }
    }

    /// Counts and keeps what was refused, and says so.
    pub(super) fn refuse(&mut self, refusal: Refusal, request: &Request, now: Clock) -> Decision {
        self.keep(refusal, request, request.payload(), now);
        let problem = cbor::map([(-1, refusal.name().into())]);
        let answer = Answer::content(code_of(refusal), format::PROBLEM, problem);
        match refusal {
            Refusal::Stale => {
                answer.with(message::ECHO, &self.echo.value(request.peer, now.instant))
            }
            _ => answer,
        }
        .into()
    }

    /// Counts an object that was refused, and keeps it.
    pub(super) fn keep(&mut self, refusal: Refusal, request: &Request, object: &[u8], now: Clock) {
        self.count_refused(refusal);
        if self.refused.len() < REFUSED_PER_TICK {
            self.refused.push(Refused {
                at: now.unix,
                about: request.path().unwrap_or_default().join("/"),
                peer: request.peer.to_string(),
                reason: refusal.name().to_string(),
                object: object.to_vec(),
            });
        }
    }

    pub(super) fn count_refused(&mut self, refusal: Refusal) {
        *self.counts.refused.entry(refusal.name()).or_default() += 1;
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
    pub(super) fn room(request: &Request) -> usize {
        // A socket of IPv6 shows peers of IPv4 by addresses that are mapped.
        let is_ipv4 = request.peer.ip().to_canonical().is_ipv4();
        let headers = if is_ipv4 { 42 } else { 62 };
        3 * request.size + 2 * headers
    }
}

/// A datagram that will be answered: by this, or by the decision about a request. Of
/// one that is too many, or of which this is a part, nothing is left to decide.
enum Taken {
    Ready(SocketAddr, Vec<u8>),
    Answered(Request, Answer),
    Request(Request),
}

/// An acknowledgement of the request, if it needs one; else nothing.
fn received(request: &Request) -> Vec<u8> {
    match request.is_confirmable() {
        true => message::empty(MessageType::Acknowledgement, request.id()),
        false => Vec::new(),
    }
}

/// The answer to a peer that asks for too much.
pub(super) fn too_many() -> Answer {
    Answer::from(ResponseType::TooManyRequests).with_number(CoapOption::MaxAge, 1)
}

/// Whether it must not be carried out twice. Blocks are dropped when they are complete,
/// so a repeated last one does not find them.
fn is_once(request: &Request) -> bool {
    matches!(request.method, RequestType::Post | RequestType::Delete)
        || request.number(CoapOption::Block1).is_some()
}

/// The code of the answer to a rejected request.
fn code_of(refusal: Refusal) -> ResponseType {
    match refusal {
        Refusal::Malformed => ResponseType::BadRequest,
        Refusal::NotEnrolled
        | Refusal::Revoked
        | Refusal::ForeignKey
        | Refusal::BadSignature
        | Refusal::ForeignSuccessor => ResponseType::Forbidden,
        Refusal::BadSignatureOfLowBits | Refusal::Replayed | Refusal::BeyondThreshold => {
            ResponseType::Conflict
        }
        Refusal::Stale => ResponseType::Unauthorized,
        Refusal::ContentFormat => ResponseType::UnsupportedContentFormat,
    }
}
