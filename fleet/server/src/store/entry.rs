// SPDX-License-Identifier: Apache-2.0
//! Entries of the log, and how they are written as bytes.

use std::net::SocketAddr;

use super::StoreError;
use crate::verify::cbor::{self, Value};
use crate::verify::{Challenge, Identity, Refusal};

/// What happened to an identity, and when (milliseconds of Unix time).
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub identity: Identity,
    pub at: u64,
    pub act: Act,
}

/// What happened. Objects are as they were received, so that anybody can verify them again.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// The identity, of a device or a group, may send from now on.
    Enrolled { place: String, purpose: String },
    /// It may not any more.
    Revoked,
    /// A device stated its key, fresh by the challenge that it answered.
    Registered {
        sequence: u64,
        challenge: Challenge,
        object: Vec<u8>,
        /// From where, if it was at the directory: that is its base unless it names another.
        address: Option<SocketAddr>,
    },
    /// A device sent a reading.
    Read { sequence: u64, object: Vec<u8> },
    /// A device named its successor.
    HandedOver {
        sequence: u64,
        successor: Identity,
        object: Vec<u8>,
    },
}

impl Act {
    /// The number of its kind in the store.
    pub fn kind(&self) -> u8 {
        match self {
            Act::Enrolled { .. } => 1,
            Act::Revoked => 2,
            Act::Registered { .. } => 3,
            Act::Read { .. } => 4,
            Act::HandedOver { .. } => 5,
        }
    }

    /// The word for a kind.
    pub fn word(kind: u8) -> &'static str {
        match kind {
            1 => "enrolment",
            2 => "revocation",
            3 => "registration",
            4 => "reading",
            5 => "hand-over",
            _ => "unknown",
        }
    }

    /// The sequence number that it used up.
    pub fn sequence(&self) -> Option<u64> {
        match self {
            Act::Registered { sequence, .. }
            | Act::Read { sequence, .. }
            | Act::HandedOver { sequence, .. } => Some(*sequence),
            _ => None,
        }
    }

    /// All but kind and sequence. A reading, of which there are most, is just its object.
    pub fn body(&self) -> Vec<u8> {
        match self {
            Act::Enrolled { place, purpose } => {
                cbor::array([place.as_str().into(), purpose.as_str().into()])
            }
            Act::Revoked => Vec::new(),
            Act::Registered {
                challenge,
                object,
                address,
                ..
            } => {
                let nonce = challenge.nonce.as_slice().into();
                let object = object.as_slice().into();
                match &challenge.query {
                    None => cbor::array([nonce, object]),
                    Some(query) => {
                        let query = query.iter().map(|argument| argument.as_str().into());
                        let query = Value::Array(query.collect());
                        match address {
                            None => cbor::array([nonce, object, query]),
                            Some(address) => {
                                let address = address.to_string().into();
                                cbor::array([nonce, object, query, address])
                            }
                        }
                    }
                }
            }
            Act::Read { object, .. } => object.clone(),
            Act::HandedOver {
                successor, object, ..
            } => cbor::array([successor.into(), object.as_slice().into()]),
        }
    }

    /// What [`Act::kind`], [`Act::sequence`] and [`Act::body`] came from.
    pub fn from_parts(kind: u8, sequence: u64, body: &[u8]) -> Result<Self, StoreError> {
        parse(kind, sequence, body).map_err(|_| StoreError(format!("damaged, of kind {kind}")))
    }
}

/// By which the body of a hand-over begins.
const HANDED_OVER: u8 = 0x82;

fn parse(kind: u8, sequence: u64, body: &[u8]) -> Result<Act, Refusal> {
    match kind {
        1 => {
            let [place, purpose] = cbor::items(cbor::parse(body)?)?;
            Ok(Act::Enrolled {
                place: place.into_text()?,
                purpose: purpose.into_text()?,
            })
        }
        // Any other kind of which bits are damaged has more than that.
        2 if sequence == 0 && body.is_empty() => Ok(Act::Revoked),
        3 => {
            let mut parts = cbor::parse(body)?.into_array()?.into_iter();
            let mut bytes = || {
                parts
                    .next()
                    .ok_or(Refusal::Malformed)?
                    .into_bytes()
                    .map_err(Refusal::from)
            };
            let (nonce, object) = (bytes()?, bytes()?);
            let query = parts.next().map(read_query).transpose()?;
            let address = parts.next().map(Value::into_text).transpose()?;
            let address = address.map(|text| text.parse().map_err(|_| Refusal::Malformed));
            Ok(Act::Registered {
                sequence,
                challenge: Challenge { nonce, query },
                object,
                address: address.transpose()?,
            })
        }
        // An array of two is a hand-over of which the kind is damaged: no reading begins so.
        4 if body.first() != Some(&HANDED_OVER) => Ok(Act::Read {
            sequence,
            object: body.to_vec(),
        }),
        5 => {
            let [successor, object] = cbor::items(cbor::parse(body)?)?;
            Ok(Act::HandedOver {
                sequence,
                successor: Identity(cbor::bytes_of(&successor)?),
                object: object.into_bytes()?,
            })
        }
        _ => Err(Refusal::Malformed),
    }
}

fn read_query(query: Value) -> Result<Vec<String>, Refusal> {
    let arguments = query.into_array()?.into_iter();
    Ok(arguments.map(Value::into_text).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_is_read_as_it_was_written_with_its_address_or_without() {
        let written = |challenge, address| {
            let object = b"object".to_vec();
            Act::Registered {
                sequence: 7,
                challenge,
                object,
                address,
            }
        };
        let addresses = ["10.0.0.1:5", "[2001:db8::1]:5683", "[fe80::1%3]:5683"];
        let [one, other, local] = addresses.map(|text| text.parse().ok());
        assert!(local.is_some());
        let entered = || Challenge::of_directory(b"nonce", &["ep=a", "lt=60"]);
        for act in [
            written(Challenge::of_broker(b"nonce"), None),
            written(entered(), None),
            written(entered(), one),
            written(entered(), other),
            written(entered(), local),
        ] {
            assert_eq!(Act::from_parts(3, 7, &act.body()).unwrap(), act);
        }
        let damaged = cbor::array([
            b"nonce".as_slice().into(),
            b"object".as_slice().into(),
            Value::Array(Vec::new()),
            "nowhere".into(),
        ]);
        assert!(Act::from_parts(3, 7, &damaged).is_err());
    }

    #[test]
    fn an_entry_whose_kind_has_a_flipped_bit_is_no_other_entry() {
        let object = vec![0x84];
        let successor = Identity([7; 16]);
        let (place, purpose) = ("attic".to_string(), String::new());
        let challenge = Challenge::of_broker(b"nonce");
        for act in [
            Act::Enrolled { place, purpose },
            Act::Revoked,
            Act::Registered {
                sequence: 7,
                challenge,
                object: object.clone(),
                address: None,
            },
            Act::Read {
                sequence: 8,
                object: object.clone(),
            },
            Act::HandedOver {
                sequence: 9,
                successor,
                object,
            },
        ] {
            let (sequence, body) = (act.sequence().unwrap_or(0), act.body());
            assert_eq!(Act::from_parts(act.kind(), sequence, &body).unwrap(), act);
            for bit in 0..8 {
                let kind = act.kind() ^ 1 << bit;
                let read = Act::from_parts(kind, sequence, &body);
                assert!(read.is_err(), "{act:?} as {kind}");
            }
        }
        assert!(Act::from_parts(2, 1, &[]).is_err());
    }
}
