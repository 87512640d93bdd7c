// SPDX-License-Identifier: Apache-2.0
//! Each kind of signed object: what its signature covers beside the payload, and what its payload says.

use super::cbor::{Reader, Writer};
use super::cose::{Number, SENML_CBOR};
use super::identity::GROUP_MAX;
use super::{Identity, PublicKey, Refusal, Sign1};

const KIND_MAX: usize = 32;
const LINKS_MAX: usize = 256;

/// What a device says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub signing: PublicKey,
    pub kind: String,
    pub agreement: Option<PublicKey>,
    /// The members of its group, ascending; empty if it is in none.
    pub group: Vec<Identity>,
    pub links: String,
}

impl Statement {
    /// Reads the payload of a registration or hand-over.
    pub fn parse(payload: &[u8]) -> Result<Self, Refusal> {
        let mut reader = Reader::new(payload);
        let pairs = reader.map()?;
        expect_key(&mut reader, 1)?;
        let signing = PublicKey::read(&mut reader)?;
        expect_key(&mut reader, 2)?;
        let kind = reader.text()?;
        expect_key(&mut reader, 3)?;
        let agreement = read_agreement(&mut reader)?;
        if matches!(signing, PublicKey::X25519(_)) || !is_kind(kind) {
            return Err(Refusal::Malformed);
        }
        let mut statement = Statement {
            signing,
            kind: kind.to_string(),
            agreement,
            group: Vec::new(),
            links: String::new(),
        };
        let mut last = 3;
        for _ in 3..pairs {
            let key: u8 = reader.int()?;
            match key {
                4 if last < 4 => statement.group = read_group(&mut reader)?,
                5 if last < 5 => statement.links = read_links(&mut reader)?,
                _ => return Err(Refusal::Malformed),
            }
            last = key;
        }
        reader.end()?;
        Ok(statement)
    }

    /// The identity that these keys and this kind make.
    pub fn identity(&self) -> Identity {
        let agreement = self.agreement.as_ref().map(PublicKey::encode);
        Identity::of_device(&self.signing.encode(), &self.kind, agreement.as_deref())
    }

    /// The identity of the group that it reveals, if it is a member.
    pub fn group_identity(&self) -> Option<Identity> {
        self.group
            .contains(&self.identity())
            .then(|| Identity::of_group(&self.group))
    }
}

fn expect_key(reader: &mut Reader<'_>, key: u8) -> Result<(), Refusal> {
    if reader.int::<u8>()? == key {
        Ok(())
    } else {
        Err(Refusal::Malformed)
    }
}

fn is_kind(kind: &str) -> bool {
    (1..=KIND_MAX).contains(&kind.len())
        && kind
            .bytes()
            .all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
}

fn read_agreement(reader: &mut Reader<'_>) -> Result<Option<PublicKey>, Refusal> {
    if reader.peek() == Some(0xf6) {
        reader.skip()?;
        return Ok(None);
    }
    match PublicKey::read(reader)? {
        PublicKey::Ed25519(_) => Err(Refusal::Malformed),
        key => Ok(Some(key)),
    }
}

fn read_group(reader: &mut Reader<'_>) -> Result<Vec<Identity>, Refusal> {
    let count = reader.array()?;
    if !(2..=GROUP_MAX).contains(&count) {
        return Err(Refusal::Malformed);
    }
    let members: Vec<Identity> = (0..count)
        .map(|_| reader.bytes_of().map(Identity))
        .collect::<Result<_, _>>()?;
    if members.windows(2).all(|pair| pair[0] < pair[1]) {
        Ok(members)
    } else {
        Err(Refusal::Malformed)
    }
}

fn read_links(reader: &mut Reader<'_>) -> Result<String, Refusal> {
    let links = reader.text()?;
    if links.len() > LINKS_MAX {
        return Err(Refusal::Malformed);
    }
    Ok(links.to_string())
}

/// What the signature of a reading covers beside the pack.
pub fn reading_context(identity: &Identity, topic: &str, sequence: u64) -> Vec<u8> {
    let mut context = Writer::new();
    context
        .array(4)
        .text("cf1-reading")
        .bytes(&identity.0)
        .text(topic)
        .uint(sequence)
        .done()
}

/// What a registration answers. At the directory its signature covers the query, too: an endpoint is
/// entered as its device asked, and a registration for the one is none for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
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

    fn context(&self, identity: &Identity, sequence: u64) -> Vec<u8> {
        let mut context = Writer::new();
        context.array(4);
        match &self.query {
            None => {
                context.text("cf1-registration").bytes(&identity.0);
                context.bytes(&self.nonce);
            }
            Some(query) => {
                context.text("cf1-directory").bytes(&identity.0);
                context.array(1 + query.len()).bytes(&self.nonce);
                for argument in query {
                    context.text(argument);
                }
            }
        }
        context.uint(sequence).done()
    }
}

fn handover_context(old: &Identity, new: &Identity, sequence: u64) -> Vec<u8> {
    let mut context = Writer::new();
    context
        .array(4)
        .text("cf1-handover")
        .bytes(&old.0)
        .bytes(&new.0)
        .uint(sequence)
        .done()
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
    if object.content_type.is_some() {
        return Err(Refusal::Malformed);
    }
    let statement = Statement::parse(object.payload)?;
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
    if object.content_type.is_some() {
        return Err(Refusal::Malformed);
    }
    let statement = Statement::parse(object.payload)?;
    let sequence = full_number(object)?;
    check_signer(object, old)?;
    let context = handover_context(old, &statement.identity(), sequence);
    if !object.is_signed_by(key, &context) {
        return Err(Refusal::BadSignature);
    }
    Ok((statement, sequence))
}

/// That an object is a reading by its headers.
pub fn check_reading(object: &Sign1<'_>, identity: &Identity) -> Result<(), Refusal> {
    if object.content_type != Some(SENML_CBOR) {
        return Err(Refusal::Malformed);
    }
    check_signer(object, identity)
}
