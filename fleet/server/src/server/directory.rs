// SPDX-License-Identifier: Apache-2.0
//! Registrations at the directory: signed ones by devices, and plain ones by everybody else.

use std::time::Duration;

use coap_lite::{RequestType, ResponseType};
use ring::rand::{SecureRandom, SystemRandom};

use super::engine::{Clock, Decision, Engine};
use crate::broker::topics::{self, is_of_device};
use crate::coap::{format, message, Answer, Request};
use crate::directory::links::{self, Link};
use crate::directory::simple::{Asker, Token};
use crate::directory::{self, Entry, Proven, Rank, Refused, Update};
use crate::fleet::{Listed, Registered};
use crate::store::{Log, StoreError};
use crate::verify::{
    base64url, cbor, pubsub, Challenge, Identity, PublicKey, Refusal, Sign1, Statement,
};

type Query<'a> = [(&'a str, &'a str)];

impl<L: Log> Engine<L> {
    /// POST to the directory.
    pub(super) fn enter(&mut self, query: &Query<'_>, request: &Request, now: Clock) -> Decision {
        let name = name_in(query);
        let format = request.content_format();
        if format == Some(format::COSE_SIGN1.into()) {
            return self.enter_device(name, query, request, now);
        }
        if is_of_device(name) {
            // Only the owner of the key may have such a name.
            return match request.payload().is_empty() {
                true => self.challenge(request, now).into(),
                false => self.refuse(Refusal::BadSignature, request, now),
            };
        }
        if !self.is_trusted(request, now) {
            return self.challenge(request, now).into();
        }
        if format.is_some_and(|number| number != u32::from(format::LINKS)) {
            return ResponseType::UnsupportedContentFormat.into();
        }
        let text = std::str::from_utf8(request.payload()).ok();
        let Some(links) = text.and_then(|text| links::parse(text).ok()) else {
            return ResponseType::BadRequest.into();
        };
        let rank = match self.is_proven(request, now) {
            true => Rank::Proven,
            false => Rank::Unproven,
        };
        let challenge = self.challenge(request, now);
        match Entry::read(query, links, rank, request.peer, now.instant) {
            Ok(entry) => done(ResponseType::Created).then(move |volatile| {
                let entered = volatile.directory.enter(entry, now.instant);
                entered.map_or_else(|why| refused_or(challenge, why), created)
            }),
            Err(why) => refused(why).into(),
        }
    }

    /// POST to `/.well-known/rd`: the directory asks for the links, and answers when it has them.
    /// It is for a peer with no signature, as a plain registration is.
    pub(super) fn enter_simply(
        &mut self,
        query: &Query<'_>,
        request: &Request,
        now: Clock,
    ) -> Decision {
        if !self.is_trusted(request, now) {
            return self.challenge(request, now).into();
        }
        let is_named = |wanted: &str| query.iter().any(|(name, _)| *name == wanted);
        if !request.payload().is_empty() || is_named("base") {
            return ResponseType::BadRequest.into();
        }
        if is_of_device(name_in(query)) {
            return ResponseType::Forbidden.into();
        }
        // So no peer is asked for links of a registration that would be rejected in any case.
        if let Err(why) = Entry::read(query, Vec::new(), Rank::Proven, request.peer, now.instant) {
            return refused(why).into();
        }
        let mut token = Token::default();
        if SystemRandom::new().fill(&mut token).is_err() {
            return ResponseType::InternalServerError.into();
        }
        let pairs = query.iter();
        let asker = Asker {
            peer: request.peer,
            token: request.token().to_vec(),
            is_confirmable: request.is_confirmable(),
            unwanted: request.unwanted(),
            query: pairs
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
        };
        Decision::promise(move |volatile| volatile.fetch(asker, token, now.instant))
    }

    fn enter_device(
        &mut self,
        name: &str,
        query: &Query<'_>,
        request: &Request,
        now: Clock,
    ) -> Decision {
        let nonce = match self.nonce(request, now) {
            Ok(nonce) => nonce,
            Err(decision) => return decision,
        };
        let links = match stated_links(request.payload()) {
            Ok(links) => links,
            Err(refusal) => return self.refuse(refusal, request, now),
        };
        let entry = match Entry::read(query, links, Rank::Signed, request.peer, now.instant) {
            Ok(entry) => entry,
            Err(why) => return refused(why).into(),
        };
        let asked = request.arguments().unwrap_or_default();
        let challenge = Challenge::of_directory(&nonce, &asked);
        let registered = match self.fleet.register_as(
            name,
            request.payload(),
            (challenge, request.peer),
            now.unix,
        ) {
            Ok(registered) => registered,
            Err(refusal) => return self.refuse(refusal, request, now),
        };
        let Registered {
            identity,
            statement,
            ordinal,
            ..
        } = registered;
        let entry = entry.prove(proven(&identity, ordinal, &statement));
        let echo = self.echo.value(request.peer, now.instant);
        Decision::accepted(ResponseType::Created.into()).then(move |volatile| {
            match volatile.directory.enter(entry, now.instant) {
                Ok(location) => created(location).with(message::ECHO, &echo),
                Err(why) => refused(why),
            }
        })
    }

    /// Enters the devices whose registrations the log has, for the rest of their time.
    pub fn restore_directory(&mut self, now: Clock) -> Result<(), StoreError> {
        for (identity, listed) in self.fleet.take_listed()? {
            let entry = self.listed(&identity, &listed, now);
            // An endpoint above the limit registers again, like one that expired.
            let _ = entry.map(|entry| self.volatile.directory.enter(entry, now.instant));
        }
        Ok(())
    }

    fn listed(&self, identity: &Identity, listed: &Listed, now: Clock) -> Option<Entry> {
        let ordinal = self.fleet.state().device(identity)?.ordinal;
        let object = Sign1::parse(&listed.object).ok()?;
        let statement = Statement::parse(object.payload()).ok()?;
        let links = links::parse(&statement.links).ok()?;
        let arguments = listed.query.iter();
        let query: Vec<(&str, &str)> = arguments
            .map(|one| one.split_once('=').unwrap_or((one, "")))
            .collect();
        let entry = Entry::read(&query, links, Rank::Signed, listed.address, now.instant).ok()?;
        // A clock that was set back gives no endpoint more time than it asked for.
        let age = Duration::from_millis(now.unix.saturating_sub(listed.at));
        let entry = entry.prove(proven(identity, ordinal, &statement));
        entry.older(age, now.instant)
    }

    /// POST to and DELETE of a registration, by a peer that can be reached at its address.
    pub(super) fn change_entry(
        &mut self,
        location: &str,
        query: &Query<'_>,
        request: &Request,
        now: Clock,
    ) -> Decision {
        let Some(location) = directory::find(location) else {
            return ResponseType::NotFound.into();
        };
        if !self.is_trusted(request, now) {
            return self.challenge(request, now).into();
        }
        if !request.payload().is_empty() {
            return ResponseType::BadRequest.into();
        }
        let peer = (request.peer, self.is_proven(request, now));
        let challenge = self.challenge(request, now);
        if request.method == RequestType::Delete {
            return done(ResponseType::Deleted).then(move |volatile| {
                let removed = volatile.directory.remove(location, peer);
                removed.map_or_else(
                    |why| refused_or(challenge, why),
                    |()| ResponseType::Deleted.into(),
                )
            });
        }
        let update = match Update::read(query) {
            Ok(update) => update,
            Err(why) => return refused(why).into(),
        };
        done(ResponseType::Changed).then(move |volatile| {
            let updated = volatile
                .directory
                .update(location, update, peer, now.instant);
            updated.map_or_else(
                |why| refused_or(challenge, why),
                |()| ResponseType::Changed.into(),
            )
        })
    }
}

/// The endpoint that is named.
fn name_in<'a>(query: &Query<'a>) -> &'a str {
    let named = query.iter().find(|(name, _)| *name == "ep");
    named.map_or("", |(_, value)| value)
}

/// The answer, if nothing else happens before.
fn done(code: ResponseType) -> Decision {
    code.into()
}

/// Looked at before the registration is accepted, so that it uses up no number if they are wrong.
fn stated_links(payload: &[u8]) -> Result<Vec<Link>, Refusal> {
    let statement = Statement::parse(Sign1::parse(payload)?.payload())?;
    links::parse(&statement.links).map_err(|_| Refusal::Malformed)
}

fn created(location: u64) -> Answer {
    Answer::from(ResponseType::Created).at(&["rd", &directory::segment(location)])
}

fn refused(why: Refused) -> Answer {
    why.code().into()
}

/// The challenge if a proof of the address is all that is missing.
fn refused_or(challenge: Answer, why: Refused) -> Answer {
    match why {
        Refused::Unproven => challenge,
        _ => refused(why),
    }
}

fn proven(identity: &Identity, ordinal: usize, statement: &Statement) -> Proven {
    Proven {
        identity: *identity,
        ordinal,
        attributes: attributes(statement),
        topic: topic(ordinal, identity),
    }
}

/// The values from which an application computes the identity again.
fn attributes(statement: &Statement) -> Vec<(String, String)> {
    let mut attributes = vec![
        (
            "pk".to_string(),
            base64url::encode(&cbor::encode(&statement.signing.to_value())),
        ),
        ("kd".to_string(), statement.kind.clone()),
    ];
    let agreement = statement.agreement.as_ref().map(PublicKey::to_value);
    attributes
        .extend(agreement.map(|key| ("ak".to_string(), base64url::encode(&cbor::encode(&key)))));
    attributes
}

fn topic(ordinal: usize, identity: &Identity) -> Link {
    Link {
        target: format!("/d/{}", topics::segment(ordinal, identity)),
        attributes: vec![
            ("rt".to_string(), Some(pubsub::DATA.to_string())),
            ("ct".to_string(), Some(format::COSE_SIGN1.to_string())),
        ],
    }
}
