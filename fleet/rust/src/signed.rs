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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made::{self, Made};
    use crate::{base64url, cbor, jws};

    const NUMBER: u64 = 9;

    fn pack(value: i64) -> Vec<u8> {
        let record = [(0.into(), "t".into()), (2.into(), value.into())];
        cbor::encode(&cbor::Value::Array(vec![cbor::Value::Map(record.into())]))
    }

    fn context() -> Vec<u8> {
        reading_context(&made::identity(), &made::identity().to_string(), NUMBER)
    }

    fn cose(value: i64) -> Made {
        Made::of(&pack(value)).protected(3, 112)
    }

    fn of_jws(value: i64, signer: &Identity) -> Vec<u8> {
        let parts = [
            jws::header("EdDSA", signer, NUMBER),
            format!("[{{\"n\":\"t\",\"v\":{value}}}]"),
        ];
        let signed = parts.map(|part| base64url::encode(part.as_bytes()));
        let signed = signed.join(".");
        let signature = base64url::encode(&made::sign(signed.as_bytes()));
        format!("{signed}.{signature}").into_bytes()
    }

    #[test]
    fn both_forms_are_read_alike() {
        for (object, format, signer) in [
            (cose(5).signed(&context()), COSE_SIGN1, None),
            (of_jws(5, &made::identity()), JWS, Some(made::identity())),
        ] {
            assert_eq!(content_format(&object), format);
            let reading = SignedReading::parse(&object).unwrap();
            assert_eq!(reading.bare(), object);
            assert_eq!(reading.number(), Number::Full(NUMBER));
            assert_eq!(reading.signer(), signer);
            assert_eq!(reading.check_signer(&made::identity()), Ok(()));
            let records = reading.records().unwrap();
            assert_eq!(records[0].value, senml::Value::Number(5.0));
            assert_eq!(reading.with_full_number(NUMBER), Ok(object.clone()));
            let (other, foreign) = (Identity([1; 16]), PublicKey::Ed25519([7; 32]));
            for (identity, key, sequence, is_signed) in [
                (made::identity(), made::key(), NUMBER, true),
                (other, made::key(), NUMBER, false),
                (made::identity(), made::key(), NUMBER + 1, false),
                (made::identity(), foreign, NUMBER, false),
            ] {
                assert_eq!(reading.is_signed(&identity, &key, sequence), is_signed);
            }
        }
        assert_eq!(content_format(b""), COSE_SIGN1);
    }

    #[test]
    fn a_reading_names_its_own_signer_and_its_content() {
        let other = Identity([1; 16]);
        let named = cose(5).unprotected(4, other.0.to_vec()).signed(&context());
        for object in [named, of_jws(5, &other)] {
            let reading = SignedReading::parse(&object).unwrap();
            assert_eq!(reading.signer(), Some(other));
            assert_eq!(reading.check_signer(&other), Ok(()));
            let refused = reading.check_signer(&made::identity());
            assert_eq!(refused, Err(Refusal::ForeignKey));
        }
        // The header of a JWS is under the signature, and names another device.
        let object = of_jws(5, &other);
        let reading = SignedReading::parse(&object).unwrap();
        assert!(!reading.is_signed(&made::identity(), &made::key(), NUMBER));
        for made in [
            Made::of(&pack(5)),
            Made::of(&pack(5)).protected(3, 110),
            Made::of(&pack(5)).protected(3, "application/senml+cbor"),
        ] {
            let object = made.signed(&context());
            let refused = SignedReading::parse(&object).map(drop);
            assert_eq!(refused, Err(Refusal::Malformed));
        }
    }

    #[test]
    fn readings_are_the_same_in_one_form_only() {
        let [one, other] = [5, 6].map(|value| cose(value).signed(&context()));
        let [text, other_text] = [5, 6].map(|value| of_jws(value, &made::identity()));
        let all = [one, other, text, other_text];
        for (at, first) in all.iter().enumerate() {
            for (place, second) in all.iter().enumerate() {
                let [first, second] = [first, second].map(|one| SignedReading::parse(one).unwrap());
                assert_eq!(first.is_same_as(&second), at == place);
            }
        }
    }
}
