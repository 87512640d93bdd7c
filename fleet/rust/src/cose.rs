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

/// The order of P-256 (SP 800-186, section 3.2.1.3), the most significant byte first.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];

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
    /// The object without its tag: the stored and hashed form.
    pub bare: &'a [u8],
    object: CoseSign1,
    /// Header 4.
    pub signer: Option<Identity>,
    /// Header 6.
    pub number: Number,
}

/// Input that the library rejects is no COSE.
impl From<CoseError> for Refusal {
    fn from(_: CoseError) -> Self {
        Refusal::Malformed
    }
}

/// An object without its optional tag, which no signature or hash covers.
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

    /// The signed payload, without its context.
    pub fn payload(&self) -> &[u8] {
        self.object.payload.as_deref().unwrap_or_default()
    }

    fn algorithm(&self) -> Option<Algorithm> {
        match self.object.protected.header.alg {
            Some(RegisteredLabelWithPrivate::Assigned(algorithm)) => Some(algorithm),
            _ => None,
        }
    }

    /// Whether `key` signed this for the purpose that `context`, encoded, says.
    pub fn is_signed_by(&self, key: &PublicKey, context: &[u8]) -> bool {
        let Some(algorithm) = self.algorithm() else {
            return false;
        };
        let verified = self.object.verify_signature(context, |signature, message| {
            verify(key, algorithm, message, signature)
        });
        verified.is_ok()
    }

    /// Whether both are the same, except the form of their numbers, the name of their
    /// signer, and which of two signatures they have that say the same (`are_same`).
    pub fn is_same_as(&self, other: &Sign1<'_>) -> bool {
        self.object.protected.original_data == other.object.protected.original_data
            && self.object.payload == other.object.payload
            && are_same(
                self.algorithm(),
                &self.object.signature,
                &other.object.signature,
            )
    }

    /// The object with its number in full, as it is served to those who do not know the highest one.
    pub fn with_full_number(&self, sequence: u64) -> Result<Vec<u8>, Refusal> {
        let mut object = self.object.clone();
        object.unprotected.partial_iv = sequence.to_be_bytes().to_vec();
        Ok(object.to_vec()?)
    }

    /// The object with its signer and its number: its signature covers neither in this place.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] if receivers would reject it, because it is then longer
    /// than [`OBJECT_MAX`].
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

/// Whether two signatures of one message say the same. From ECDSA's (r, s) any party
/// can make (r, n - s), which is valid, too. A signature of Ed25519 has no such twin:
/// its second half is below the order of its group.
pub(crate) fn are_same(algorithm: Option<Algorithm>, one: &[u8], other: &[u8]) -> bool {
    if !matches!(algorithm, Some(Algorithm::ES256 | Algorithm::ESP256)) {
        return one == other;
    }
    let halves = |signature: &[u8]| {
        let (r, s) = signature.split_at_checked(32)?;
        Some((r.to_vec(), <[u8; 32]>::try_from(s).ok()?))
    };
    match (halves(one), halves(other)) {
        (Some((r, s)), Some((other_r, other_s))) => {
            r == other_r && (s == other_s || Some(s) == less_than_order(&other_s))
        }
        _ => false,
    }
}

/// The order of P-256 less this number; nothing if the number is larger.
fn less_than_order(number: &[u8; 32]) -> Option<[u8; 32]> {
    let mut difference = [0; 32];
    let mut borrow = false;
    for at in (0..32).rev() {
        let (first, is_below) = ORDER[at].overflowing_sub(number[at]);
        let (second, is_below_again) = first.overflowing_sub(u8::from(borrow));
        difference[at] = second;
        borrow = is_below || is_below_again;
    }
    (!borrow).then_some(difference)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cbor::Value;
    use crate::digits::unhex;
    use crate::made::Made;

    /// Rejected public keys and signatures of small order, or in a second encoding.
    #[test]
    fn signatures_at_the_edges_of_ed25519_hold_as_published() {
        let read = include_str!("../../../tests/fleet/ed25519.json");
        let read: serde_json::Value = serde_json::from_str(read).unwrap();
        for case in read["cases"].as_array().unwrap() {
            let bytes = |name: &str| unhex(case[name].as_str().unwrap()).unwrap();
            let key = PublicKey::Ed25519(bytes("key").try_into().unwrap());
            for algorithm in [Algorithm::EdDSA, Algorithm::Ed25519] {
                let verified = verify(&key, algorithm, &bytes("message"), &bytes("signature"));
                assert_eq!(Some(verified.is_ok()), case["holds"].as_bool(), "{case}");
            }
        }
    }

    fn sound() -> Made {
        let signer = [5u8; 16];
        Made::of(b"payload")
            .protected(3, 112)
            .unprotected(4, signer.as_slice())
    }

    fn is_refused(object: &[u8]) -> bool {
        matches!(Sign1::parse(object), Err(Refusal::Malformed))
    }

    fn signature(length: usize) -> Value {
        vec![1u8; length].into()
    }

    #[test]
    fn each_header_that_does_not_belong_there_is_refused_alone() {
        assert!(Sign1::parse(&sound().with_signature(signature(64))).is_ok());
        let counter = Value::Array(vec![
            Value::from(b"".as_slice()),
            Value::Map(Vec::new()),
            vec![1u8].into(),
        ]);
        let bytes = || Value::from(vec![1u8; 8]);
        for (label, value) in [
            (2, Value::Array(vec![1.into()])), // crit
            (5, bytes()),                      // IV
            (7, counter),
            (15, Value::Map(Vec::new())),
            (99, 1.into()),
        ] {
            let made = sound().protected(label, value.clone());
            assert!(is_refused(&made.with_signature(signature(64))), "{label}");
            let made = sound().unprotected(label, value);
            assert!(is_refused(&made.with_signature(signature(64))), "{label}");
        }
        for made in [
            sound().protected(4, vec![5u8; 16]),
            sound().protected(6, bytes()),
            sound().unprotected(3, 112),
            sound().unprotected(1, -8),
        ] {
            assert!(is_refused(&made.with_signature(signature(64))));
        }
    }

    #[test]
    fn the_algorithm_is_under_the_signature() {
        for unprotected in [None, Some(-8), Some(-7)] {
            let mut made = sound();
            made.protected.retain(|(label, _)| *label != 1);
            if let Some(algorithm) = unprotected {
                made = made.unprotected(1, algorithm);
            }
            assert!(
                is_refused(&made.with_signature(signature(64))),
                "{unprotected:?}"
            );
        }
    }

    #[test]
    fn payload_signature_and_number_have_the_sizes_that_they_have_to_have() {
        let mut made = sound();
        made.payload = Value::Null;
        assert!(is_refused(&made.with_signature(signature(64))));
        for length in [0, 63, 65] {
            assert!(
                is_refused(&sound().with_signature(signature(length))),
                "{length}"
            );
        }
        for length in 0..12 {
            let made = sound().changed(6, vec![1u8; length]);
            let is_right = matches!(length, 2 | 8);
            assert_eq!(
                is_refused(&made.with_signature(signature(64))),
                !is_right,
                "{length}"
            );
        }
        let mut made = sound();
        made.unprotected.retain(|(label, _)| *label != 6);
        assert!(is_refused(&made.with_signature(signature(64))));
        for length in [1, 15, 17] {
            let made = sound().changed(4, vec![5u8; length]);
            assert!(is_refused(&made.with_signature(signature(64))), "{length}");
        }
    }

    #[test]
    fn an_object_fits_with_its_number_in_full() {
        for number in [vec![0u8, 1], vec![0; 8]] {
            let of_size = |size: usize| {
                let made = |length| {
                    let mut made = sound().changed(6, number.clone());
                    made.payload = vec![1u8; length].into();
                    made.with_signature(signature(64))
                };
                made(300 + size - made(300).len())
            };
            let most = OBJECT_MAX - (8 - number.len());
            assert_eq!(of_size(most).len(), most);
            assert!(!is_refused(&of_size(most)) && is_refused(&of_size(most + 1)));
        }
    }

    #[test]
    fn two_signatures_of_ecdsa_say_the_same_and_of_ed25519_do_not() {
        let ecdsa = Some(Algorithm::ES256);
        let with = |s: [u8; 32]| [vec![9; 32], s.to_vec()].concat();
        let one = with([0x11; 32]);
        let twin = with(less_than_order(&[0x11; 32]).unwrap());
        assert_ne!(one, twin);
        for algorithm in [ecdsa, Some(Algorithm::ESP256)] {
            for (first, second) in [(&one, &one), (&one, &twin), (&twin, &one)] {
                assert!(are_same(algorithm, first, second));
            }
        }
        assert!(!are_same(Some(Algorithm::EdDSA), &one, &twin));
        assert!(are_same(Some(Algorithm::EdDSA), &one, &one));
        let mut other = one.clone();
        other[0] ^= 1;
        assert!(!are_same(ecdsa, &one, &other) && !are_same(ecdsa, &other, &twin));
        assert!(!are_same(ecdsa, &one, &with([0x12; 32])));
        assert!(!are_same(ecdsa, &one, &one[..63]));
        let mut least = [0; 32];
        assert_eq!(less_than_order(&least), Some(ORDER));
        least[31] = 0x52; // one more than the last byte of the order, which borrows
        assert_eq!(
            less_than_order(&least).map(|less| less[30..] == [0x24, 0xff]),
            Some(true)
        );
        assert_eq!(less_than_order(&[0xff; 32]), None);
    }

    #[test]
    fn an_object_is_the_same_whatever_its_number_and_signer_look_like() {
        let same = |one: &Made, other: &Made| {
            let [one, other] = [one, other].map(|made| made.clone().with_signature(signature(64)));
            let [one, other] = [&one, &other].map(|object| Sign1::parse(object).unwrap());
            one.is_same_as(&other)
        };
        let short = sound().changed(6, vec![0u8, 9]);
        let named = sound().changed(4, vec![6u8; 16]);
        let mut paid = sound();
        paid.payload = b"another".as_slice().into();
        let mut labelled = sound();
        labelled.protected = vec![(1, (-8).into())];
        for (other, is_same) in [
            (short, true),
            (named, true),
            (paid, false),
            (labelled, false),
        ] {
            assert_eq!(same(&sound(), &other), is_same);
        }
        let [one, other] = [1u8, 2].map(|byte| sound().with_signature(vec![byte; 64].into()));
        let [one, other] = [&one, &other].map(|object| Sign1::parse(object).unwrap());
        assert!(!one.is_same_as(&other));
    }
}
