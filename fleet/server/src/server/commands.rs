// SPDX-License-Identifier: Apache-2.0
//! `/cmd/IDENTITY`: where a device asks for commands and tells what became of them. The server passes on; it
//! accepts a challenge or a result only from the device, so no other peer can spoil a command.

use coap_lite::{RequestType, ResponseType};

use super::engine::{Clock, Decision, Engine};
use crate::coap::{format, Answer, Request};
use crate::store::mailbox::{Asked, Letter};
use crate::store::{Log, StoreError};
use crate::verify::{commands, Identity, PublicKey, Refusal, Sign1};

impl<L: Log> Engine<L> {
    pub(super) fn command(&mut self, name: &str, request: &Request, now: Clock) -> Decision {
        let identity = name.parse::<Identity>().ok();
        // Only one form, as for topics.
        let identity = identity.filter(|identity| identity.to_string() == name);
        let known = identity.and_then(|identity| {
            let device = self.fleet.state().device(&identity)?;
            Some((identity, device.signing.clone()))
        });
        let Some((identity, key)) = known else {
            return ResponseType::NotFound.into();
        };
        if !self.fleet.state().lets_in(&identity) {
            return self.refuse(Refusal::Revoked, request, now);
        }
        let letter = match self.fleet.log().letter(&identity, now.unix) {
            Ok(letter) => letter.filter(|letter| letter.result.is_none() || is_put(request)),
            Err(error) => return unavailable(&error).into(),
        };
        let Some(letter) = letter else {
            let code = match is_put(request) {
                true => ResponseType::NotFound, // nobody waits for a result
                false => ResponseType::Changed,
            };
            return code.into();
        };
        if is_put(request) {
            self.take_result(&identity, &key, &letter, request, now)
        } else if request.payload().is_empty() {
            self.hand_out(letter, request, now)
        } else {
            self.take_ask(&identity, &key, &letter, request, now)
        }
    }

    /// The command, for a device that was challenged: others are challenged now,
    /// because a command is waiting.
    fn hand_out(&self, letter: Letter, request: &Request, now: Clock) -> Decision {
        if !self.is_proven(request, now) {
            return self.challenge(request, now).into();
        }
        match letter.command {
            Some(command) => {
                Answer::content(ResponseType::Content, format::COSE_SIGN1, command).into()
            }
            None => ResponseType::Changed.into(),
        }
    }

    fn take_ask(
        &mut self,
        identity: &Identity,
        key: &PublicKey,
        letter: &Letter,
        request: &Request,
        now: Clock,
    ) -> Decision {
        let echo = match self.nonce(request, now) {
            Ok(echo) => echo,
            Err(decision) => return decision,
        };
        if request.content_format() != Some(format::COSE_SIGN1.into()) {
            return self.refuse(Refusal::ContentFormat, request, now);
        }
        let asked = Sign1::parse(request.payload())
            .and_then(|object| commands::verify_ask(&object, identity, key, &echo))
            .and_then(|(nonce, number)| {
                self.is_next(identity, number)
                    .map(|()| Asked { nonce, number })
            });
        let asked = match asked {
            Ok(asked) => asked,
            Err(refusal) => return self.refuse(refusal, request, now),
        };
        let log = self.fleet.log();
        match log.keep_asked(identity, &letter.ticket, &asked) {
            Ok(true) => ResponseType::Changed.into(),
            // The command answers a challenge that the device has forgotten: it must not be signed again,
            // because it may have been carried out. Or an attacker saw an earlier
            // question, and asks with it.
            Ok(false) => ResponseType::Conflict.into(),
            Err(error) => unavailable(&error).into(),
        }
    }

    fn take_result(
        &mut self,
        identity: &Identity,
        key: &PublicKey,
        letter: &Letter,
        request: &Request,
        now: Clock,
    ) -> Decision {
        if request.content_format() != Some(format::COSE_SIGN1.into()) {
            return self.refuse(Refusal::ContentFormat, request, now);
        }
        let Some(command) = &letter.command else {
            return ResponseType::NotFound.into();
        };
        let verified = Sign1::parse(request.payload())
            .and_then(|object| commands::verify_result(&object, identity, key, command))
            .and_then(|outcome| self.is_next(identity, outcome.sequence));
        if let Err(refusal) = verified {
            return self.refuse(refusal, request, now);
        }
        let log = self.fleet.log();
        match log.keep_result(identity, &letter.ticket, request.payload()) {
            Ok(()) => ResponseType::Changed.into(),
            Err(error) => unavailable(&error).into(),
        }
    }

    /// That the number is above the highest accepted one.
    fn is_next(&self, identity: &Identity, number: u64) -> Result<(), Refusal> {
        let device = self.fleet.state().device(identity);
        match device {
            Some(device) if number > device.highest => Ok(()),
            _ => Err(Refusal::Replayed),
        }
    }
}

fn is_put(request: &Request) -> bool {
    request.method == RequestType::Put
}

pub(super) fn unavailable(error: &StoreError) -> Answer {
    eprintln!("corral-fleet: {error}");
    ResponseType::ServiceUnavailable.into()
}
