// SPDX-License-Identifier: Apache-2.0
//! Entries of the log, and how they are written as bytes.

use super::StoreError;
use crate::verify::cbor::{Reader, Writer};
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
        let mut body = Writer::new();
        match self {
            Act::Enrolled { place, purpose } => body.array(2).text(place).text(purpose).done(),
            Act::Revoked => Vec::new(),
            Act::Registered {
                challenge, object, ..
            } => {
                let query = challenge.query.as_ref();
                body.array(2 + usize::from(query.is_some()))
                    .bytes(&challenge.nonce)
                    .bytes(object);
                if let Some(query) = query {
                    body.array(query.len());
                    for argument in query {
                        body.text(argument);
                    }
                }
                body.done()
            }
            Act::Read { object, .. } => object.clone(),
            Act::HandedOver {
                successor, object, ..
            } => body.array(2).bytes(&successor.0).bytes(object).done(),
        }
    }

    /// What [`Act::kind`], [`Act::sequence`] and [`Act::body`] came from.
    pub fn from_parts(kind: u8, sequence: u64, body: &[u8]) -> Result<Self, StoreError> {
        parse(kind, sequence, body).map_err(|_| {
            StoreError(format!(
                "the store holds an entry of kind {kind} that is damaged"
            ))
        })
    }
}

fn parse(kind: u8, sequence: u64, body: &[u8]) -> Result<Act, Refusal> {
    let mut reader = Reader::new(body);
    match kind {
        2 => return Ok(Act::Revoked),
        4 => {
            return Ok(Act::Read {
                sequence,
                object: body.to_vec(),
            })
        }
        _ => {}
    }
    let count = reader.array()?;
    if count != 2 && (kind, count) != (3, 3) {
        return Err(Refusal::Malformed);
    }
    let act = match kind {
        1 => Act::Enrolled {
            place: reader.text()?.to_string(),
            purpose: reader.text()?.to_string(),
        },
        3 => {
            let (nonce, object) = (reader.bytes()?.to_vec(), reader.bytes()?.to_vec());
            let query = (count == 3).then(|| read_query(&mut reader)).transpose()?;
            Act::Registered {
                sequence,
                challenge: Challenge { nonce, query },
                object,
            }
        }
        5 => Act::HandedOver {
            sequence,
            successor: Identity(reader.bytes_of()?),
            object: reader.bytes()?.to_vec(),
        },
        _ => return Err(Refusal::Malformed),
    };
    reader.end()?;
    Ok(act)
}

fn read_query(reader: &mut Reader<'_>) -> Result<Vec<String>, Refusal> {
    (0..reader.array()?)
        .map(|_| reader.text().map(str::to_string))
        .collect()
}
