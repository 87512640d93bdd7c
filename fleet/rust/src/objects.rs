// SPDX-License-Identifier: Apache-2.0
//! Each kind of signed object: the context of its signature, and the meaning of its payload.

use std::iter;

use crate::cbor::{self, Value};
use crate::cose::Number;
use crate::identity::GROUP_MAX;
use crate::senml::Record;
use crate::{Identity, PublicKey, Refusal, Sign1, SignedReading};

const KIND_MAX: usize = 32;
const LINKS_MAX: usize = 256;

/// The statement of a device about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The key that verifies its signatures.
    pub signing: PublicKey,
    /// The kind of device.
    pub kind: String,
    /// A key for agreement, if it has one.
    pub agreement: Option<PublicKey>,
    /// The members of its group, ascending; empty if it is in none.
    pub group: Vec<Identity>,
    /// Its links beside its topic, in link-format.
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

/// The context of a reading's signature beside the pack.
pub fn reading_context(identity: &Identity, topic: &str, sequence: u64) -> Vec<u8> {
    cbor::array([
        "cf1-reading".into(),
        identity.into(),
        topic.into(),
        sequence.into(),
    ])
}

/// The challenge that a registration answers. At the directory its signature covers the
/// query, too: an endpoint is entered as its device asked, and a registration for the
/// one is none for the other.
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

    /// The context of a registration's signature beside the statement.
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

/// Verifies a registration: returns its identity, and its number.
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

/// Verifies a reading of the named signer, with the number that it has to have: returns
/// the measurements.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made::{self, Made};

    const NONCE: &[u8] = b"of the server";

    /// The parts of a statement; absent ones are omitted.
    fn stated(parts: &[(i64, Value)]) -> Vec<u8> {
        let parts = parts.iter();
        let parts = parts.map(|(key, value)| ((*key).into(), value.clone()));
        cbor::encode(&Value::Map(parts.collect()))
    }

    fn parts() -> Vec<(i64, Value)> {
        vec![
            (1, made::key().to_value()),
            (2, "valve".into()),
            (3, Value::Null),
        ]
    }

    fn with(key: i64, value: Value) -> Result<Statement, Refusal> {
        let mut parts = parts();
        parts.retain(|(one, _)| *one != key);
        parts.push((key, value));
        parts.sort_by_key(|(key, _)| *key);
        Statement::parse(&stated(&parts))
    }

    #[test]
    fn a_statement_has_each_part_that_it_has_to_have_and_no_other() {
        assert!(Statement::parse(&stated(&parts())).is_ok());
        for at in 0..3 {
            let mut parts = parts();
            parts.remove(at);
            assert_eq!(
                Statement::parse(&stated(&parts)),
                Err(Refusal::Malformed),
                "{at}"
            );
        }
        for key in [0, 6, 7, 8] {
            assert_eq!(with(key, Value::Null), Err(Refusal::Malformed), "{key}");
        }
        assert!(Statement::parse(b"\x80").is_err() && Statement::parse(b"").is_err());
    }

    #[test]
    fn keys_are_for_what_they_are_stated() {
        let keys = [
            (made::key(), true, false),
            (PublicKey::X25519([9; 32]), false, true),
            (PublicKey::P256([4; 65]), true, true),
        ];
        for (key, signs, agrees) in keys {
            assert_eq!(with(1, key.to_value()).is_ok(), signs, "{key:?}");
            assert_eq!(with(3, key.to_value()).is_ok(), agrees, "{key:?}");
        }
        assert_eq!(with(1, Value::Null), Err(Refusal::Malformed));
    }

    #[test]
    fn a_kind_has_few_characters_and_links_have_256_bytes() {
        for (kind, is_right) in [
            ("a", true),
            ("az09.-", true),
            (&"x".repeat(32), true),
            ("", false),
            (&"x".repeat(33), false),
            ("A", false),
            ("a b", false),
            ("a_b", false),
            ("\u{fc}", false),
        ] {
            assert_eq!(with(2, kind.into()).is_ok(), is_right, "{kind}");
        }
        for (length, is_right) in [(0, true), (256, true), (257, false)] {
            assert_eq!(
                with(5, "x".repeat(length).into()).is_ok(),
                is_right,
                "{length}"
            );
        }
    }

    #[test]
    fn a_group_has_2_to_32_members_that_ascend() {
        let group = |members: &[u8]| {
            let members = members.iter().map(|byte| Value::from(vec![*byte; 16]));
            with(4, Value::Array(members.collect()))
        };
        let many: Vec<u8> = (1..=33).collect();
        for (members, is_right) in [
            (&[][..], false),
            (&[1], false),
            (&[1, 2], true),
            (&many[..32], true),
            (&many, false),
            (&[2, 1], false),
            (&[1, 1], false),
        ] {
            assert_eq!(group(members).is_ok(), is_right, "{members:?}");
        }
        let short = Value::Array(vec![vec![1u8; 15].into(), vec![2u8; 16].into()]);
        assert_eq!(with(4, short), Err(Refusal::Malformed));
        // An identity that is no member is not let in.
        assert_eq!(group(&[1, 2]).unwrap().group_identity(), None);
        let mut members = [made::identity(), Identity([1; 16])];
        members.sort();
        let own = with(4, Value::Array(members.iter().map(Value::from).collect())).unwrap();
        assert_eq!(own.group_identity(), Some(Identity::of_group(&members)));
    }

    #[test]
    fn registrations_and_hand_overs_are_refused_clause_by_clause() {
        let challenge = Challenge::of_broker(NONCE);
        let registered = |made: Made| {
            let object = made.signed(&challenge.context(&made::identity(), 9));
            let object = Sign1::parse(&object)?;
            verify_registration(&object, &challenge).map(|(_, _, sequence)| sequence)
        };
        let old = Identity([1; 16]);
        let handed_over = |made: Made| {
            let object = made.signed(&handover_context(&old, &made::identity(), 9));
            let object = Sign1::parse(&object)?;
            verify_handover(&object, &old, &made::key()).map(|(_, sequence)| sequence)
        };
        let sound = || Made::of(&stated(&parts()));
        assert_eq!((registered(sound()), handed_over(sound())), (Ok(9), Ok(9)));
        let own = made::identity().0.to_vec();
        assert_eq!(registered(sound().unprotected(4, own.clone())), Ok(9));
        assert_eq!(
            registered(sound().unprotected(4, old.0.to_vec())),
            Err(Refusal::ForeignKey)
        );
        assert_eq!(handed_over(sound().unprotected(4, old.0.to_vec())), Ok(9));
        assert_eq!(
            handed_over(sound().unprotected(4, own)),
            Err(Refusal::ForeignKey)
        );
        for (made, refusal) in [
            (sound().protected(3, 112), Refusal::Malformed),
            (sound().changed(6, vec![0u8, 9]), Refusal::Malformed),
            (sound().changed(6, vec![0u8; 8]), Refusal::BadSignature), // of another number
        ] {
            assert_eq!(registered(made.clone()), Err(refusal));
            assert_eq!(handed_over(made), Err(refusal));
        }
        // A registration for one challenge is none for another, nor at the directory.
        let object = sound().signed(&challenge.context(&made::identity(), 9));
        let object = Sign1::parse(&object).unwrap();
        for other in [
            Challenge::of_broker(b"another"),
            Challenge::of_directory(NONCE, &[]),
        ] {
            let verified = verify_registration(&object, &other);
            assert_eq!(verified.map(drop), Err(Refusal::BadSignature));
        }
    }
}
