// SPDX-License-Identifier: Apache-2.0
//! A signed reading in either of its forms: COSE_Sign1 over SenML in CBOR, or JWS over SenML in JSON.

use crate::cose::{Number, SENML_CBOR};
use crate::jws::Jws;
use crate::objects::{check_signer, reading_context};
use crate::senml::{self, Record};
use crate::{Identity, PublicKey, Refusal, Sign1};

/// The Content-Formats of both; the second is of those for experiments, for none is registered.
pub const COSE_SIGN1: u16 = 18;
/// See [`COSE_SIGN1`].
pub const JWS: u16 = 65_000;

/// The begin of every JWS, and of no COSE_Sign1: `{"` in base64url.
const JWS_START: u8 = b'e';

/// A reading that was taken apart, and not verified.
#[derive(Clone, Debug)]
pub enum SignedReading<'a> {
    /// Smaller, and the default of devices.
    Cose(Box<Sign1<'a>>),
    /// The form that libraries of the web verify.
    Jws(Jws<'a>),
}

/// The Content-Format of a reading in one form or the other.
pub fn content_format(object: &[u8]) -> u16 {
    match object.first() {
        Some(&JWS_START) => JWS,
        _ => COSE_SIGN1,
    }
}

impl<'a> SignedReading<'a> {
    /// Takes an object apart, of which form it may be, that is a reading by its headers.
    pub fn parse(object: &'a [u8]) -> Result<Self, Refusal> {
        if content_format(object) == JWS {
            return Ok(SignedReading::Jws(Jws::parse(object)?));
        }
        let object = Sign1::parse(object)?;
        if object.content_type() != Some(&SENML_CBOR) {
            return Err(Refusal::Malformed);
        }
        Ok(SignedReading::Cose(Box::new(object)))
    }

    /// The object as it is stored: without a tag.
    pub fn bare(&self) -> &'a [u8] {
        match self {
            SignedReading::Cose(object) => object.bare,
            SignedReading::Jws(object) => object.text.as_bytes(),
        }
    }

    /// Its number as it travelled.
    pub fn number(&self) -> Number {
        match self {
            SignedReading::Cose(object) => object.number,
            SignedReading::Jws(object) => Number::Full(object.sequence),
        }
    }

    /// Whom it names as its signer.
    pub fn signer(&self) -> Option<Identity> {
        match self {
            SignedReading::Cose(object) => object.signer,
            SignedReading::Jws(object) => Some(object.signer),
        }
    }

    /// That it names no other signer, if it names one.
    pub fn check_signer(&self, identity: &Identity) -> Result<(), Refusal> {
        match self {
            SignedReading::Cose(object) => check_signer(object, identity),
            SignedReading::Jws(object) if object.signer == *identity => Ok(()),
            SignedReading::Jws(_) => Err(Refusal::ForeignKey),
        }
    }

    /// Whether the device signed it for its own topic, with this number.
    pub fn is_signed(&self, identity: &Identity, key: &PublicKey, sequence: u64) -> bool {
        match self {
            SignedReading::Cose(object) => {
                let context = reading_context(identity, &identity.to_string(), sequence);
                object.is_signed_by(key, &context)
            }
            SignedReading::Jws(object) => {
                object.signer == *identity
                    && object.sequence == sequence
                    && object.is_signed_by(key)
            }
        }
    }

    /// The measurements.
    pub fn records(&self) -> Result<Vec<Record>, Refusal> {
        match self {
            SignedReading::Cose(object) => senml::parse(object.payload()),
            SignedReading::Jws(object) => senml::parse_json(object.payload()),
        }
    }

    /// Whether both are the same reading, by [`Sign1::is_same_as`].
    pub fn is_same_as(&self, other: &SignedReading<'_>) -> bool {
        match (self, other) {
            (SignedReading::Cose(one), SignedReading::Cose(other)) => one.is_same_as(other),
            (SignedReading::Jws(one), SignedReading::Jws(other)) => one.is_same_as(other),
            _ => false,
        }
    }

    /// The object with its number in full, as it is served to those who do not know the highest one.
    pub fn with_full_number(&self, sequence: u64) -> Result<Vec<u8>, Refusal> {
        match self {
            SignedReading::Cose(object) => object.with_full_number(sequence),
            SignedReading::Jws(object) => Ok(object.text.as_bytes().to_vec()),
        }
    }
}
