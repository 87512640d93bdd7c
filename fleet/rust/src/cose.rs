// SPDX-License-Identifier: Apache-2.0
//! Signed objects: COSE_Sign1 by coset, with the headers that section 2 of the protocol allows.

use coset::iana::{Algorithm, CoapContentFormat};
use coset::{
    AsCborValue, CborSerializable, ContentType, CoseError, CoseSign1, Header,
    RegisteredLabelWithPrivate,
};
use ed25519_dalek::{Signature, VerifyingKey};
use ring::signature::{UnparsedPublicKey, ECDSA_P256_SHA256_FIXED};

use crate::{cbor, Identity, PublicKey, Refusal};

/// The largest object, with its number in full.
pub const OBJECT_MAX: usize = 1024;

/// How much longer an object is with its number in full than with the low bits of it.
const REST_OF_NUMBER: usize = 6;

/// The content type of a reading.
pub const SENML_CBOR: ContentType = ContentType::Assigned(CoapContentFormat::SenmlCbor);

const COSE_SIGN1_TAG: u8 = 0xd2;

/// The sequence number as it travelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// All of it.
    Full(u64),
    /// Its low 16 bits.
    Low(u16),
}

/// A signed object that was taken apart, and not verified.
#[derive(Clone, Debug)]
pub struct Sign1<'a> {
    /// The object without its tag: what is stored and hashed.
    pub bare: &'a [u8],
    object: CoseSign1,
    /// Header 4.
    pub signer: Option<Identity>,
    /// Header 6.
    pub number: Number,
}

/// What the library does not read is no COSE.
impl From<CoseError> for Refusal {
    fn from(_: CoseError) -> Self {
        Refusal::Malformed
    }
}

/// An object without the tag that it may have, which nobody signs or hashes.
pub(crate) fn untagged(object: &[u8]) -> &[u8] {
    match object {
        [COSE_SIGN1_TAG, rest @ ..] => rest,
        _ => object,
    }
}

impl<'a> Sign1<'a> {
    /// Takes an object apart.
    pub fn parse(object: &'a [u8]) -> Result<Self, Refusal> {
        if object.len() > OBJECT_MAX {
            return Err(Refusal::Malformed);
        }
        let bare = untagged(object);
        let object = CoseSign1::from_cbor_value(cbor::parse(bare)?)?;
        // The protected header is a string to the library, whose content can have any encoding.
        let protected = object.protected.original_data.as_deref();
        cbor::parse(protected.unwrap_or_default())?;
        check_headers(&object)?;
        let number = read_number(&object.unprotected.partial_iv)?;
        // It is served with its number in full, which others are to be able to read.
        if matches!(number, Number::Low(_)) && bare.len() + REST_OF_NUMBER > OBJECT_MAX {
            return Err(Refusal::Malformed);
        }
        Ok(Sign1 {
            bare,
            signer: read_signer(&object.unprotected.key_id)?,
            number,
            object,
        })
    }

    /// Header 3.
    pub fn content_type(&self) -> Option<&ContentType> {
        self.object.protected.header.content_type.as_ref()
    }

    /// What was signed, without its context.
    pub fn payload(&self) -> &[u8] {
        self.object.payload.as_deref().unwrap_or_default()
    }

    /// Whether `key` signed this for the purpose that `context`, encoded, says.
    pub fn is_signed_by(&self, key: &PublicKey, context: &[u8]) -> bool {
        let Some(RegisteredLabelWithPrivate::Assigned(algorithm)) =
            self.object.protected.header.alg
        else {
            return false;
        };
        let verified = self.object.verify_signature(context, |signature, message| {
            verify(key, algorithm, message, signature)
        });
        verified.is_ok()
    }

    /// Whether both are the same but for the form of their numbers and whether they name their signer.
    pub fn is_same_as(&self, other: &Sign1<'_>) -> bool {
        self.object.protected.original_data == other.object.protected.original_data
            && self.object.payload == other.object.payload
            && self.object.signature == other.object.signature
    }

    /// The object with its number in full, as it is served to those who do not know the highest one.
    pub fn with_full_number(&self, sequence: u64) -> Result<Vec<u8>, Refusal> {
        let mut object = self.object.clone();
        object.unprotected.partial_iv = sequence.to_be_bytes().to_vec();
        Ok(object.to_vec()?)
    }

    /// The object with all that tells whose it is and which: neither is under its signature as it stands there.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] if nobody would read it, because it is then longer than [`OBJECT_MAX`].
    pub fn with_signer(&self, signer: &Identity, sequence: u64) -> Result<Vec<u8>, Refusal> {
        let mut object = self.object.clone();
        object.unprotected.key_id = signer.0.to_vec();
        object.unprotected.partial_iv = sequence.to_be_bytes().to_vec();
        let whole = object.to_vec()?;
        let is_short = whole.len() <= OBJECT_MAX;
        is_short.then_some(whole).ok_or(Refusal::Malformed)
    }
}

/// Whether a signature of this algorithm holds, if the key is one for it.
pub(crate) fn verify(
    key: &PublicKey,
    algorithm: Algorithm,
    message: &[u8],
    signature: &[u8],
) -> Result<(), ()> {
    match (key, algorithm) {
        (PublicKey::P256(point), Algorithm::ES256 | Algorithm::ESP256) => {
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
                .verify(message, signature)
                .map_err(drop)
        }
        // Strict, and one by one: a batch takes what this refuses (tests/batches.rs).
        (PublicKey::Ed25519(x), Algorithm::EdDSA | Algorithm::Ed25519) => {
            let signature = Signature::from_slice(signature).map_err(drop)?;
            let key = VerifyingKey::from_bytes(x).map_err(drop)?;
            key.verify_strict(message, &signature).map_err(drop)
        }
        _ => Err(()),
    }
}

/// That there is everything that has to be there, and nothing else that COSE knows.
fn check_headers(object: &CoseSign1) -> Result<(), Refusal> {
    let (protected, unprotected) = (&object.protected.header, &object.unprotected);
    let has_others = |header: &Header| {
        !header.crit.is_empty()
            || !header.iv.is_empty()
            || !header.counter_signatures.is_empty()
            || !header.rest.is_empty()
    };
    let is_sound = protected.alg.is_some()
        && protected.key_id.is_empty()
        && protected.partial_iv.is_empty()
        && unprotected.alg.is_none()
        && unprotected.content_type.is_none()
        && !has_others(protected)
        && !has_others(unprotected)
        && object.payload.is_some()
        && object.signature.len() == 64;
    is_sound.then_some(()).ok_or(Refusal::Malformed)
}

fn read_signer(key_id: &[u8]) -> Result<Option<Identity>, Refusal> {
    if key_id.is_empty() {
        return Ok(None);
    }
    let signer = key_id.try_into().map_err(|_| Refusal::Malformed)?;
    Ok(Some(Identity(signer)))
}

fn read_number(bytes: &[u8]) -> Result<Number, Refusal> {
    if let Ok(full) = bytes.try_into() {
        Ok(Number::Full(u64::from_be_bytes(full)))
    } else if let Ok(low) = bytes.try_into() {
        Ok(Number::Low(u16::from_be_bytes(low)))
    } else {
        Err(Refusal::Malformed)
    }
}
