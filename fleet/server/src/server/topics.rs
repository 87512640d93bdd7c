// SPDX-License-Identifier: Apache-2.0
//! Requests to topics: the collection, configurations, and contents. A device's topic takes what
//! the device signed, and cannot be changed. An open topic (`Open`) is changed by the address
//! that created it, and takes publications of any peer with a proven address; it is volatile,
//! so all of it is done once the batch is permanent, in the order in which it came.

use std::net::SocketAddr;

use coap_lite::{CoapOption, RequestType, ResponseType};

use super::commands::unavailable;
use super::engine::{self, Clock, Decision, Engine};
use super::volatile::{self, Volatile};
use crate::broker::collection::{self, Target, CONFIGURATION};
use crate::broker::open::{Content, Published, Refused};
use crate::broker::properties::{self, Properties};
use crate::broker::topics;
use crate::broker::{Open, Subject};
use crate::coap::{block, format, message, Answer, Request};
use crate::fleet::{Accepted, NotRead};
use crate::store::Log;
use crate::verify::pubsub::{CONTENT_MAX, DATA};
use crate::verify::{signed, Identity, Refusal};

pub(super) const OBSERVE: u32 = 0;
pub(super) const IGNORE: u32 = 1;

/// How many notifications cost their publisher as much as another request.
const NOTIFICATIONS_PER_REQUEST: f64 = 16.0;

type Query<'a> = [(&'a str, &'a str)];

fn resource_type<'a>(query: &Query<'a>) -> Option<&'a str> {
    let mut types = query.iter().filter(|(name, _)| *name == "rt");
    types.next().map(|(_, value)| *value)
}

/// True if the query asks for topics.
pub(super) fn are_asked_for(query: &Query<'_>) -> bool {
    matches!(resource_type(query), Some(CONFIGURATION | DATA))
}

fn refused(why: &Refused) -> Answer {
    let code = match why {
        Refused::Malformed => ResponseType::BadRequest,
        Refused::Forbidden => ResponseType::Forbidden,
        Refused::Unknown => ResponseType::NotFound,
        Refused::Format => ResponseType::UnsupportedContentFormat,
        Refused::Full => ResponseType::ServiceUnavailable,
    };
    code.into()
}

/// Something about the open topic whose path ends in this segment.
fn of_open(
    segment: &str,
    ask: impl FnOnce(&mut Volatile, u64) -> Result<Answer, Refused> + 'static,
) -> Decision {
    let segment = segment.to_string();
    Decision::later(move |volatile| {
        let number = volatile.topics.find(&segment);
        let answer = number.and_then(|number| ask(volatile, number));
        answer.unwrap_or_else(|why| refused(&why))
    })
}

/// A configuration, or what is asked for of it.
fn configuration(of: &Properties, named: Option<&[u8]>) -> Answer {
    Answer::content(ResponseType::Content, format::PUBSUB, of.encode(named))
}

/// The keys that a FETCH of a configuration names.
fn named(request: &Request) -> Result<Vec<u8>, ResponseType> {
    if request.content_format() != Some(format::CBOR.into()) {
        return Err(ResponseType::UnsupportedContentFormat);
    }
    properties::keys(request.payload()).map_err(|_| ResponseType::BadRequest)
}

/// The properties in a request that can be answered by properties.
fn given(request: &Request, answer: u16) -> Result<Properties, ResponseType> {
    if request.content_format() != Some(format::PUBSUB.into()) {
        return Err(ResponseType::UnsupportedContentFormat);
    }
    if !request.accepts(Some(answer)) {
        return Err(ResponseType::NotAcceptable);
    }
    Properties::parse(request.payload()).map_err(|_| ResponseType::BadRequest)
}

impl<L: Log> Engine<L> {
    /// GET of the collection: links to configurations, or to data of the type that is asked for.
    pub(super) fn collection(
        &mut self,
        query: &Query<'_>,
        request: &Request,
        now: Clock,
    ) -> Decision {
        if let Some(answer) = self.later_block(request, now) {
            return answer.into();
        }
        let target = match resource_type(query) {
            None | Some(CONFIGURATION) => Target::Configurations,
            Some(DATA) => Target::Data,
            Some(other) => return self.data_of_type(other, request, now),
        };
        let open = &self.volatile.topics;
        let (links, tag) = self.collection.links(self.fleet.state(), open, target);
        let block2 = request.number(CoapOption::Block2);
        block::content(format::LINKS, &links.map(str::as_bytes), tag, block2).into()
    }

    fn data_of_type(&mut self, wanted: &str, request: &Request, now: Clock) -> Decision {
        if let Err(answer) = self.check_may_look(request, now) {
            return answer.into();
        }
        let (links, looked_at) = collection::data_of_type(&self.volatile.topics, wanted);
        let links = links.into_bytes();
        self.charge_looks(request, looked_at, now);
        self.keep_result(request, links, now).into()
    }

    /// Other requests to the collection, by a peer with a proven address if they cost something.
    pub(super) fn all_topics(&mut self, request: &Request, now: Clock) -> Decision {
        match request.method {
            RequestType::Fetch => self.find_topics(request, now),
            RequestType::Post if !self.is_proven(request, now) => {
                self.challenge(request, now).into()
            }
            RequestType::Post => create(request, now),
            _ => ResponseType::MethodNotAllowed.into(),
        }
    }

    fn find_topics(&mut self, request: &Request, now: Clock) -> Decision {
        if let Some(answer) = self.later_block(request, now) {
            return answer.into();
        }
        if let Err(answer) = self.check_may_look(request, now) {
            return answer.into();
        }
        let wanted = match given(request, format::LINKS) {
            Ok(wanted) => wanted,
            Err(code) => return code.into(),
        };
        let open = &self.volatile.topics;
        let (links, looked_at) = collection::matching(self.fleet.state(), open, &wanted);
        self.charge_looks(request, looked_at, now);
        let links = links.into_bytes();
        self.keep_result(request, links, now).into()
    }

    /// A configuration.
    pub(super) fn topic(&mut self, segment: &str, request: &Request, now: Clock) -> Decision {
        if Open::is_segment(segment) {
            return self.open_topic(segment, request, now);
        }
        if !matches!(request.method, RequestType::Get | RequestType::Fetch) {
            return ResponseType::MethodNotAllowed.into();
        }
        let state = self.fleet.state();
        let found = topics::find(state, segment)
            .and_then(|identity| Some(topics::configuration(&identity, state.device(&identity)?)));
        let Some(found) = found else {
            return ResponseType::NotFound.into();
        };
        match request.method {
            RequestType::Get => configuration(&found, None).into(),
            _ => named(request).map_or_else(Decision::from, |keys| {
                configuration(&found, Some(&keys)).into()
            }),
        }
    }

    fn open_topic(&mut self, segment: &str, request: &Request, now: Clock) -> Decision {
        let peer = request.peer;
        let is_replaced = request.method == RequestType::Post;
        match request.method {
            RequestType::Get => of_open(segment, |volatile, number| show(volatile, number, None)),
            RequestType::Fetch => named(request).map_or_else(Decision::from, |keys| {
                of_open(segment, move |volatile, number| {
                    show(volatile, number, Some(&keys))
                })
            }),
            RequestType::Post | RequestType::IPatch | RequestType::Delete
                if !self.is_proven(request, now) =>
            {
                self.challenge(request, now).into()
            }
            RequestType::Post | RequestType::IPatch => match given(request, format::PUBSUB) {
                Err(code) => code.into(),
                Ok(given) => of_open(segment, move |volatile, number| {
                    change(volatile, number, &given, is_replaced, peer, now)
                }),
            },
            RequestType::Delete => of_open(segment, move |volatile, number| {
                volatile.topics.delete(number, peer.ip())?;
                volatile.end(
                    Subject::Topic(number),
                    0,
                    ResponseType::NotFound,
                    now.instant,
                );
                Ok(ResponseType::Deleted.into())
            }),
            _ => ResponseType::MethodNotAllowed.into(),
        }
    }

    /// The content of a topic.
    pub(super) fn topic_data(&mut self, segment: &str, request: &Request, now: Clock) -> Decision {
        let is_open = Open::is_segment(segment);
        match request.method {
            RequestType::Get if is_open => self.subscribe_open(segment, request, now),
            RequestType::Get => self.subscribe(segment, request, now),
            RequestType::Put if is_open => self.publish_open(segment, request, now),
            RequestType::Put => self.publish(segment, request, now),
            RequestType::Delete if is_open && !self.is_proven(request, now) => {
                self.challenge(request, now).into()
            }
            RequestType::Delete if is_open => {
                let peer = request.peer;
                of_open(segment, move |volatile, number| {
                    volatile.topics.clear(number, peer.ip())?;
                    volatile.end(
                        Subject::Topic(number),
                        0,
                        ResponseType::NotFound,
                        now.instant,
                    );
                    Ok(ResponseType::Deleted.into())
                })
            }
            _ => ResponseType::MethodNotAllowed.into(),
        }
    }

    fn publish(&mut self, segment: &str, request: &Request, now: Clock) -> Decision {
        let Some(identity) = topics::find(self.fleet.state(), segment) else {
            return ResponseType::NotFound.into();
        };
        let form = signed::content_format(request.payload());
        if request.content_format() != Some(form.into()) {
            let is_other = [format::COSE_SIGN1, format::JWS]
                .map(|one| Some(one.into()))
                .contains(&request.content_format());
            let why = match is_other {
                true => Refusal::Malformed,
                false => Refusal::ContentFormat,
            };
            return self.refuse(why, request, now);
        }
        match self.take_reading(&identity, request.payload(), now) {
            Ok((Accepted::First, _)) => Decision::accepted(ResponseType::Created.into()),
            Ok((Accepted::Another, None)) => Decision::accepted(ResponseType::Changed.into()),
            Ok((Accepted::Another, Some(ordinal))) => {
                Decision::accepted(ResponseType::Changed.into()).then(move |volatile| {
                    end_format(ordinal, volatile, now);
                    ResponseType::Changed.into()
                })
            }
            Ok((Accepted::Repeated, _)) => ResponseType::Changed.into(),
            Err(NotRead::Refused(refusal)) => self.refuse(refusal, request, now),
            Err(NotRead::Unavailable(error)) => unavailable(&error).into(),
        }
    }

    /// The result for a reading of this device, and the device whose topic changes its
    /// format by it.
    pub(super) fn take_reading(
        &mut self,
        identity: &Identity,
        object: &[u8],
        now: Clock,
    ) -> Result<(Accepted, Option<usize>), NotRead> {
        let device = self.fleet.state().device(identity);
        let before = device.map(|device| (device.ordinal, device.format));
        let accepted = self.fleet.read(identity, object, now.unix)?;
        let form = signed::content_format(object);
        let other = before.filter(|(_, before)| accepted == Accepted::Another && *before != form);
        Ok((accepted, other.map(|(ordinal, _)| ordinal)))
    }

    fn subscribe(&mut self, segment: &str, request: &Request, now: Clock) -> Decision {
        let state = self.fleet.state();
        let device = topics::find(state, segment).and_then(|identity| state.device(&identity));
        let Some((identity, ordinal)) = device.map(|device| (device.identity, device.ordinal))
        else {
            return ResponseType::NotFound.into();
        };
        let topic = Subject::Device(ordinal);
        let content = match self.fleet.latest(&identity) {
            Ok(latest) => topics::content(latest).accepted_by(request),
            Err(error) => unavailable(&error),
        };
        let (peer, token) = (request.peer, request.token().to_vec());
        match observe_option(request) {
            Some(OBSERVE) if content.code == ResponseType::Content => {
                // Notifications are answers, too: an address that is not proven gets none.
                if !self.is_proven(request, now) {
                    return self.challenge(request, now).into();
                }
                Decision::later(move |volatile| {
                    observe(volatile, topic, usize::MAX, peer, &token, content, now)
                })
            }
            Some(IGNORE) => Decision::later(move |volatile| {
                volatile.observers.remove(topic, peer, &token);
                content
            }),
            _ => content.into(),
        }
    }

    fn publish_open(&mut self, segment: &str, request: &Request, now: Clock) -> Decision {
        // Each publication is sent to all observers, so the publisher's address has to be proven.
        if !self.is_proven(request, now) {
            return self.challenge(request, now).into();
        }
        if self.limits.owes(request.peer, now.instant) {
            return engine::too_many().into();
        }
        if request.payload().len() > CONTENT_MAX {
            return ResponseType::RequestEntityTooLarge.into();
        }
        let format = match request.content_format().map(u16::try_from) {
            Some(Ok(format)) => Some(format),
            Some(Err(_)) => return ResponseType::BadRequest.into(),
            None => None,
        };
        let (peer, payload) = (request.peer, request.payload().to_vec());
        let echo = self.echo.value(request.peer, now.instant);
        of_open(segment, move |volatile, number| {
            let published =
                volatile
                    .topics
                    .publish(number, Content { format, payload }, now.instant)?;
            // A rejected publication is sent to no observer, and costs nothing.
            let observers = volatile.observers.of(Subject::Topic(number));
            volatile.charge(peer, observers as f64 / NOTIFICATIONS_PER_REQUEST);
            match published {
                // An observation has one format for as long as it lasts (RFC 7641, section 4.2).
                Published::AnotherFormat => {
                    volatile.end(
                        Subject::Topic(number),
                        0,
                        ResponseType::NotAcceptable,
                        now.instant,
                    );
                }
                _ => volatile.change(number),
            }
            let code = match published {
                Published::First => ResponseType::Created,
                _ => ResponseType::Changed,
            };
            Ok(Answer::from(code).with(message::ECHO, &echo))
        })
    }

    fn subscribe_open(&mut self, segment: &str, request: &Request, now: Clock) -> Decision {
        let observe_option = observe_option(request);
        if observe_option == Some(OBSERVE) && !self.is_proven(request, now) {
            return self.challenge(request, now).into();
        }
        let request = request.clone();
        of_open(segment, move |volatile, number| {
            let subject = Subject::Topic(number);
            let topic = volatile.topics.get(number).ok_or(Refused::Unknown)?;
            let most = topic.subscribers_max();
            let content = volatile::content(topic.content().ok_or(Refused::Unknown)?);
            let content = content.accepted_by(&request);
            let (peer, token) = (request.peer, request.token());
            Ok(match observe_option {
                Some(OBSERVE) if content.code == ResponseType::Content => {
                    observe(volatile, subject, most, peer, token, content, now)
                }
                Some(IGNORE) => {
                    volatile.observers.remove(subject, peer, token);
                    content
                }
                _ => content,
            })
        })
    }
}

/// The value of Observe; one that asks for a block behind the first begins nothing.
pub(super) fn observe_option(request: &Request) -> Option<u32> {
    let is_later = block::is_later(request.number(CoapOption::Block2));
    let value = request.number(CoapOption::Observe);
    value.filter(|value| *value != OBSERVE || !is_later)
}

/// Begins an observation, if there is room for one; the answer says whether.
fn observe(
    volatile: &mut Volatile,
    subject: Subject,
    most: usize,
    peer: SocketAddr,
    token: &[u8],
    content: Answer,
    now: Clock,
) -> Answer {
    let observers = &mut volatile.observers;
    if !observers.add(subject, most, peer, token, now.instant) {
        return content;
    }
    let number = observers.next_number();
    content.with_number(CoapOption::Observe, number)
}

fn create(request: &Request, now: Clock) -> Decision {
    let given = match given(request, format::PUBSUB) {
        Ok(given) => given,
        Err(code) => return code.into(),
    };
    let address = request.peer.ip();
    Decision::later(move |volatile| {
        let made = volatile.topics.create(given, address, now);
        for number in volatile.topics.made_room() {
            volatile.end(
                Subject::Topic(number),
                0,
                ResponseType::NotFound,
                now.instant,
            );
        }
        made.and_then(|number| created(&volatile.topics, number))
            .unwrap_or_else(|why| refused(&why))
    })
}

fn created(topics: &Open, number: u64) -> Result<Answer, Refused> {
    let topic = topics.get(number).ok_or(Refused::Unknown)?;
    let named = [
        properties::TOPIC_NAME,
        properties::TOPIC_DATA,
        properties::RESOURCE_TYPE,
    ];
    let made = topic.properties.encode(Some(&named));
    let answer = Answer::content(ResponseType::Created, format::PUBSUB, made);
    Ok(answer.at(&["ps", &topics.segment(number)]))
}

fn show(volatile: &mut Volatile, number: u64, named: Option<&[u8]>) -> Result<Answer, Refused> {
    let topic = volatile.topics.get(number).ok_or(Refused::Unknown)?;
    Ok(configuration(&topic.properties, named))
}

fn change(
    volatile: &mut Volatile,
    number: u64,
    given: &Properties,
    is_replaced: bool,
    peer: SocketAddr,
    now: Clock,
) -> Result<Answer, Refused> {
    let topics = &mut volatile.topics;
    let is_gone = topics.change(number, given, is_replaced, peer.ip(), now)?;
    let topic = topics.get(number).ok_or(Refused::Unknown)?;
    let keep = if is_gone { 0 } else { topic.subscribers_max() };
    let changed = topic.properties.encode(None);
    volatile.end(
        Subject::Topic(number),
        keep,
        ResponseType::NotFound,
        now.instant,
    );
    let answer = Answer::content(ResponseType::Changed, format::PUBSUB, changed);
    Ok(answer)
}

/// An observation has one format for as long as it lasts (RFC 7641, section 4.2).
pub(super) fn end_format(ordinal: usize, volatile: &mut Volatile, now: Clock) {
    let topic = Subject::Device(ordinal);
    volatile.end(topic, 0, ResponseType::NotAcceptable, now.instant);
}
