// SPDX-License-Identifier: Apache-2.0
//! Bundles: readings that another peer brings, each judged as if its device had sent it.

use coap_lite::ResponseType;

use super::commands::unavailable;
use super::engine::{self, Clock, Decision, Engine};
use super::topics::end_format;
use crate::coap::{format, Answer, Request};
use crate::fleet::{Accepted, NotRead};
use crate::store::Log;
use crate::verify::cbor::{self, Value};
use crate::verify::{bundle, Refusal};

impl<L: Log> Engine<L> {
    /// Each of its objects costs what a request costs, because a peer that proved its address may bring forty.
    pub(super) fn bundle(&mut self, request: &Request, now: Clock) -> Decision {
        if !self.is_proven(request, now) {
            return self.challenge(request, now).into();
        }
        if self.limits.owes(request.peer, now.instant) {
            return engine::too_many().into();
        }
        if request.content_format() != Some(format::BUNDLE.into()) {
            return self.refuse(Refusal::ContentFormat, request, now);
        }
        let objects = match bundle::split(request.payload()) {
            Ok(objects) => objects,
            Err(refusal) => return self.refuse(refusal, request, now),
        };
        self.charge(request.peer, objects.len() as f64);
        let (mut verdicts, mut others, mut readings) = (Vec::new(), Vec::new(), 0);
        let mut failure = None;
        for object in &objects {
            let signer = bundle::signer_of(object).map_err(NotRead::from);
            let taken = signer.and_then(|signer| self.take_reading(&signer, object, now));
            verdicts.push(match taken {
                Ok((accepted, other)) => {
                    readings += u64::from(accepted != Accepted::Repeated);
                    others.extend(other);
                    Value::Null
                }
                Err(NotRead::Unavailable(error)) => {
                    failure = Some(error);
                    break;
                }
                Err(NotRead::Refused(refusal)) => {
                    match refusal {
                        // So are readings that also came directly: they would displace
                        // the records of an attack.
                        Refusal::Replayed => self.count_refused(refusal),
                        _ => self.keep(refusal, request, object, now),
                    }
                    refusal.name().into()
                }
            });
        }
        let said = cbor::encode(&Value::Array(verdicts));
        let answer = match failure {
            // The sender brings the bundle again; the accepted part stays accepted.
            Some(error) => unavailable(&error),
            None => Answer::content(ResponseType::Changed, format::CBOR, said),
        };
        let mut decision = Decision::later(move |volatile| {
            for ordinal in others {
                end_format(ordinal, volatile, now);
            }
            answer
        });
        decision.readings = readings;
        decision
    }
}
