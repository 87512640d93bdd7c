// SPDX-License-Identifier: Apache-2.0
//! Each kind of signed object: what its signature covers beside the payload, and what its payload says.

use std::iter;

use crate::cbor::{self, Value};
use crate::cose::Number;
use crate::identity::GROUP_MAX;
use crate::senml::Record;
use crate::{Identity, PublicKey, Refusal, Sign1, SignedReading};

const KIND_MAX: usize = 32;
const LINKS_MAX: usize = 256;

/// What a device says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What its signatures are verified by.
    pub signing: PublicKey,
    /// What sort of device it is.
    pub kind: String,
    /// A key for agreement, if it has one.
    pub agreement: Option<PublicKey>,
    /// The members of its group, ascending; empty if it is in none.
    pub group: Vec<Identity>,
    /// What it offers beside its topic, in link-format.
    pub links: String,
}

impl Statement {
    /// Reads the payload of a registration or hand-over.
    pub fn parse(payload: &[u8]) -> Result<Self, Refusal> {
        let (mut signing, mut kind, mut agreement) = (None, None, None);
        let (mut group, mut links) = (Vec::new(), String::new());
        for (key, value) in cbor::parse(payload)?.into_map()? {
            match cbor::int(&key)? {
                1 => signing = Some(PublicKey::read(&value)?),
                2 => kind = Some(value.into_text()?),
                3 => agreement = Some(read_agreement(&value)?),
                4 => group = read_group(value)?,
                5 => links = value.into_text()?,
                _ => return Err(Refusal::Malformed),
            }
        }
        match (signing, kind, agreement) {
            (Some(PublicKey::X25519(_)), ..) => Err(Refusal::Malformed),
            (Some(signing), Some(kind), Some(agreement))
                if is_kind(&kind) && links.len() <= LINKS_MAX =>
            {
                Ok(Statement {
                    signing,
                    kind,
                    agreement,
                    group,
                    links,
                })
            }
            _ => Err(Refusal::Malformed),
        }
    }

    /// The identity that these keys and this kind make.
    pub fn identity(&self) -> Identity {
        Identity::of_device(&self.signing, &self.kind, self.agreement.as_ref())
    }

    /// The identity of the group that it reveals, if it is a member.
    pub fn group_identity(&self) -> Option<Identity> {
        self.group
            .contains(&self.identity())
            .then(|| Identity::of_group(&self.group))
    }
}

fn is_kind(kind: &str) -> bool {
    (1..=KIND_MAX).contains(&kind.len())
        && kind
            .bytes()
            .all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
}

fn read_agreement(value: &Value) -> Result<Option<PublicKey>, Refusal> {
    if value.is_null() {
        return Ok(None);
    }
    match PublicKey::read(value)? {
        PublicKey::Ed25519(_) => Err(Refusal::Malformed),
        key => Ok(Some(key)),
    }
}

fn read_group(value: Value) -> Result<Vec<Identity>, Refusal> {
    let members = value.into_array()?;
    let members: Vec<Identity> = members
        .iter()
        .map(|member| cbor::bytes_of(member).map(Identity))
        .collect::<Result<_, _>>()?;
    let is_sound =
        (2..=GROUP_MAX).contains(&members.len()) && members.is_sorted_by(|one, next| one < next);
    is_sound.then_some(members).ok_or(Refusal::Malformed)
}

/// What the signature of a reading covers beside the pack.
pub fn reading_context(identity: &Identity, topic: &str, sequence: u64) -> Vec<u8> {
    cbor::array([
        "cf1-reading".into(),
        identity.into(),
        topic.into(),
        sequence.into(),
    ])
}

/// What a registration answers. At the directory its signature covers the query, too: an endpoint is
/// entered as its device asked, and a registration for the one is none for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The value of Echo.
    pub nonce: Vec<u8>,
    /// The arguments of the query, as they came; nothing at the broker.
    pub query: Option<Vec<String>>,
}

impl Challenge {
    /// One of the broker.
    pub fn of_broker(nonce: &[u8]) -> Self {
        let nonce = nonce.to_vec();
        Challenge { nonce, query: None }
    }

    /// One of the directory.
    pub fn of_directory(nonce: &[u8], query: &[&str]) -> Self {
        Challenge {
            nonce: nonce.to_vec(),
            query: Some(query.iter().map(ToString::to_string).collect()),
        }
    }

    /// What the signature of a registration covers beside the statement.
    pub fn context(&self, identity: &Identity, sequence: u64) -> Vec<u8> {
        let nonce = Value::from(&self.nonce[..]);
        let (purpose, bound) = match &self.query {
            None => ("cf1-registration", nonce),
            Some(query) => {
                let query = query.iter().map(|argument| argument.as_str().into());
                let bound = iter::once(nonce).chain(query).collect();
                ("cf1-directory", Value::Array(bound))
            }
        };
        cbor::array([purpose.into(), identity.into(), bound, sequence.into()])
    }
}

fn handover_context(old: &Identity, new: &Identity, sequence: u64) -> Vec<u8> {
    cbor::array([
        "cf1-handover".into(),
        old.into(),
        new.into(),
        sequence.into(),
    ])
}

/// The number of an object that has to carry it in full.
pub fn full_number(object: &Sign1<'_>) -> Result<u64, Refusal> {
    match object.number {
        Number::Full(sequence) => Ok(sequence),
        Number::Low(_) => Err(Refusal::Malformed),
    }
}

/// That an object which names its signer names this one.
pub fn check_signer(object: &Sign1<'_>, identity: &Identity) -> Result<(), Refusal> {
    match object.signer {
        Some(signer) if signer != *identity => Err(Refusal::ForeignKey),
        _ => Ok(()),
    }
}

/// Verifies a registration: who it is, and its number.
pub fn verify_registration(
    object: &Sign1<'_>,
    challenge: &Challenge,
) -> Result<(Identity, Statement, u64), Refusal> {
    if object.content_type().is_some() {
        return Err(Refusal::Malformed);
    }
    let statement = Statement::parse(object.payload())?;
    let identity = statement.identity();
    let sequence = full_number(object)?;
    check_signer(object, &identity)?;
    let context = challenge.context(&identity, sequence);
    if !object.is_signed_by(&statement.signing, &context) {
        return Err(Refusal::BadSignature);
    }
    Ok((identity, statement, sequence))
}

/// Verifies a hand-over by `old`, whose key is known: the successor's statement, and the number.
pub fn verify_handover(
    object: &Sign1<'_>,
    old: &Identity,
    key: &PublicKey,
) -> Result<(Statement, u64), Refusal> {
    if object.content_type().is_some() {
        return Err(Refusal::Malformed);
    }
    let statement = Statement::parse(object.payload())?;
    let sequence = full_number(object)?;
    check_signer(object, old)?;
    let context = handover_context(old, &statement.identity(), sequence);
    if !object.is_signed_by(key, &context) {
        return Err(Refusal::BadSignature);
    }
    Ok((statement, sequence))
}

/// Verifies a reading of who it says, with the number that it has to have: what was measured.
pub fn verify_reading(
    object: &SignedReading<'_>,
    identity: &Identity,
    key: &PublicKey,
    sequence: u64,
) -> Result<Vec<Record>, Refusal> {
    if !object.is_signed(identity, key, sequence) {
        return Err(match object.number() {
            Number::Full(_) => Refusal::BadSignature,
            Number::Low(_) => Refusal::BadSignatureOfLowBits,
        });
    }
    object.records()
}
