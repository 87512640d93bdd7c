// SPDX-License-Identifier: Apache-2.0
//! The resource of each path, and its reaction to a request.

use coap_lite::{CoapOption, RequestType, ResponseType};

use super::engine::{Clock, Decision, Engine};
use super::lookups::Kind;
use super::topics;
use crate::broker::topics::segment;
use crate::coap::{format, message, Answer, Request};
use crate::store::Log;
use crate::verify::{cbor, Challenge, Identity, Refusal, Sign1, Statement};

const WELL_KNOWN: &[(&str, &str, &str)] = &[
    ("/reg", "corral.reg", "18"),
    ("/cmd", "corral.cmd", "18"),
    ("/bundle", "corral.bundle", "63"),
    ("/ps", "core.ps core.ps.coll", "40"),
    ("/rd", "core.rd", "40 18"),
    ("/rd-lookup/ep", "core.rd-lookup-ep", "40"),
    ("/rd-lookup/res", "core.rd-lookup-res", "40"),
];

/// How many endpoints a lookup looks at for the price of one request.
pub(super) const LOOKS_PER_REQUEST: f64 = 2048.0;

impl<L: Log> Engine<L> {
    pub(super) fn resource(&mut self, request: &Request, now: Clock) -> Decision {
        let (Some(path), Some(query)) = (request.path(), request.query()) else {
            return ResponseType::BadRequest.into();
        };
        match (path.as_slice(), request.method) {
            ([".well-known", "core"], RequestType::Get) if !topics::are_asked_for(&query) => {
                well_known(&query).into()
            }
            (["reg"], RequestType::Post) => self.registration(request, now),
            (["bundle"], RequestType::Post) => self.bundle(request, now),
            (["ps"] | [".well-known", "core"], RequestType::Get) => {
                self.collection(&query, request, now)
            }
            (["ps"], _) => self.all_topics(request, now),
            (["ps", segment], _) => self.topic(segment, request, now),
            (["d", segment], _) => self.topic_data(segment, request, now),
            (["cmd", name], RequestType::Post | RequestType::Put) => {
                self.command(name, request, now)
            }
            ([".well-known", "rd"], RequestType::Post) => self.enter_simply(&query, request, now),
            (["rd"], RequestType::Post) => self.enter(&query, request, now),
            (["rd", location], RequestType::Post | RequestType::Delete) => {
                self.change_entry(location, &query, request, now)
            }
            (["rd-lookup", "ep"], RequestType::Get) => {
                self.look_up(Kind::Endpoints, &query, request, now)
            }
            (["rd-lookup", "res"], RequestType::Get) => {
                self.look_up(Kind::Resources, &query, request, now)
            }
            (
                [".well-known", "core" | "rd"]
                | ["reg" | "rd" | "bundle"]
                | ["rd" | "cmd", _]
                | ["rd-lookup", "ep" | "res"],
                _,
            ) => ResponseType::MethodNotAllowed.into(),
            _ => ResponseType::NotFound.into(),
        }
    }

    /// A challenge for this peer.
    pub(super) fn challenge(&self, request: &Request, now: Clock) -> Answer {
        let value = self.echo.value(request.peer, now.instant);
        Answer::from(ResponseType::Unauthorized).with(message::ECHO, &value)
    }

    /// Whether the peer showed that it receives at its address.
    pub(super) fn is_proven(&self, request: &Request, now: Clock) -> bool {
        request
            .echo()
            .is_some_and(|value| self.echo.is_fresh(value, request.peer, now.instant))
    }

    /// The challenge that a registration answers, or what to say to one that answers none.
    pub(super) fn nonce(&mut self, request: &Request, now: Clock) -> Result<Vec<u8>, Decision> {
        match request.echo() {
            Some(_) if !self.is_proven(request, now) => {
                Err(self.refuse(Refusal::Stale, request, now))
            }
            Some(nonce) if !request.payload().is_empty() => Ok(nonce.to_vec()),
            _ => Err(self.challenge(request, now).into()),
        }
    }

    fn registration(&mut self, request: &Request, now: Clock) -> Decision {
        let nonce = match self.nonce(request, now) {
            Ok(nonce) => nonce,
            Err(decision) => return decision,
        };
        if request.content_format() != Some(format::COSE_SIGN1.into()) {
            return self.refuse(Refusal::ContentFormat, request, now);
        }
        match handed_over_by(request.payload()) {
            Ok(Some(old)) => self.hand_over(&old, request, now),
            Ok(None) => self.register(&nonce, request, now),
            Err(refusal) => self.refuse(refusal, request, now),
        }
    }

    fn register(&mut self, nonce: &[u8], request: &Request, now: Clock) -> Decision {
        let challenge = Challenge::of_broker(nonce);
        match self.fleet.register(request.payload(), challenge, now.unix) {
            Ok(registered) => {
                let code = if registered.is_new {
                    ResponseType::Created
                } else {
                    ResponseType::Changed
                };
                let answer = Answer::from(code)
                    .at(&["d", &segment(registered.ordinal, &registered.identity)])
                    .with(message::ECHO, &self.echo.value(request.peer, now.instant));
                Decision::accepted(with_time(answer, request, now))
            }
            Err(refusal) => self.refuse(refusal, request, now),
        }
    }

    fn hand_over(&mut self, old: &Identity, request: &Request, now: Clock) -> Decision {
        match self.fleet.hand_over(old, request.payload(), now.unix) {
            Ok(_) => Decision::accepted(ResponseType::Changed.into()),
            Err(refusal) => self.refuse(refusal, request, now),
        }
    }
}

/// With the time, if the request asks for it: a number in CBOR. Nothing proves it.
fn with_time(mut answer: Answer, request: &Request, now: Clock) -> Answer {
    if request.number(CoapOption::Accept) == Some(format::CBOR.into()) {
        answer = answer.with_number(CoapOption::ContentFormat, format::CBOR.into());
        answer.payload = cbor::encode(&(now.unix / 1000).into());
    }
    answer
}

/// The signer of a hand-over, a statement that another identity signed, by name.
fn handed_over_by(payload: &[u8]) -> Result<Option<Identity>, Refusal> {
    let object = Sign1::parse(payload)?;
    let stated = Statement::parse(object.payload())?.identity();
    Ok(object.signer.filter(|signer| *signer != stated))
}

pub(super) fn well_known(query: &[(&str, &str)]) -> Answer {
    let wanted = query
        .iter()
        .find(|(name, _)| *name == "rt")
        .map(|(_, value)| *value);
    let matches = |rts: &str| match wanted {
        None => true,
        Some(pattern) => rts.split(' ').any(|rt| match pattern.strip_suffix('*') {
            Some(prefix) => rt.starts_with(prefix),
            None => rt == pattern,
        }),
    };
    let links: Vec<String> = WELL_KNOWN
        .iter()
        .filter(|(_, rt, _)| matches(rt))
        .map(|(path, rt, ct)| match ct.contains(' ') {
            true => format!("<{path}>;rt=\"{rt}\";ct=\"{ct}\""),
            false => format!("<{path}>;rt=\"{rt}\";ct={ct}"),
        })
        .collect();
    Answer::content(
        ResponseType::Content,
        format::LINKS,
        links.join(",").into_bytes(),
    )
}
