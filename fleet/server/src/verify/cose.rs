// SPDX-License-Identifier: Apache-2.0
//! Signed objects: COSE_Sign1 with the headers that section 2 of the protocol allows.

use ed25519_dalek::{Signature, VerifyingKey};
use ring::signature::{UnparsedPublicKey, ECDSA_P256_SHA256_FIXED};

use super::cbor::{Reader, Writer};
use super::{Identity, PublicKey, Refusal};

/// The largest object.
pub const OBJECT_MAX: usize = 1024;

/// The content type of a reading.
pub const SENML_CBOR: u16 = 112;

const COSE_SIGN1_TAG: u8 = 0xd2;

/// The sequence number as it travelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Full(u64),
    Low(u16),
}

/// A signed object that was taken apart, and not verified.
#[derive(Clone, Debug)]
pub struct Sign1<'a> {
    /// The object without its tag: what is stored and hashed.
    pub bare: &'a [u8],
    protected: &'a [u8],
    algorithm: i64,
    /// Header 3.
    pub content_type: Option<u16>,
    /// Header 4.
    pub signer: Option<Identity>,
    /// Header 6.
    pub number: Number,
    pub payload: &'a [u8],
    signature: [u8; 64],
}

impl<'a> Sign1<'a> {
    /// Takes an object apart.
    pub fn parse(object: &'a [u8]) -> Result<Self, Refusal> {
        if object.len() > OBJECT_MAX {
            return Err(Refusal::Malformed);
        }
        let bare = match object {
            [COSE_SIGN1_TAG, rest @ ..] => rest,
            _ => object,
        };
        let mut reader = Reader::new(bare);
        if reader.array()? != 4 {
            return Err(Refusal::Malformed);
        }
        let protected = reader.bytes()?;
        let (algorithm, content_type) = read_protected(protected)?;
        let (signer, number) = read_unprotected(&mut reader)?;
        let payload = reader.bytes()?;
        let signature = reader.bytes_of()?;
        reader.end()?;
        Ok(Sign1 {
            bare,
            protected,
            algorithm,
            content_type,
            signer,
            number,
            payload,
            signature,
        })
    }

    /// Whether `key` signed this for the purpose that `context`, encoded, says.
    pub fn is_signed_by(&self, key: &PublicKey, context: &[u8]) -> bool {
        let mut message = Writer::new();
        message.array(4).text("Signature1").bytes(self.protected);
        let message = message.bytes(context).bytes(self.payload).done();
        match (key, self.algorithm) {
            (PublicKey::P256(point), -7 | -9) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
                    .verify(&message, &self.signature)
                    .is_ok()
            }
            // Strict, so that verifying in batches and one by one cannot come to different results.
            (PublicKey::Ed25519(x), -8 | -19) => VerifyingKey::from_bytes(x).is_ok_and(|key| {
                key.verify_strict(&message, &Signature::from_bytes(&self.signature))
                    .is_ok()
            }),
            _ => false,
        }
    }

    /// Whether both are the same but for the form of their numbers and whether they name their signer.
    pub fn is_same_as(&self, other: &Sign1<'_>) -> bool {
        self.protected == other.protected
            && self.payload == other.payload
            && self.signature == other.signature
    }

    /// The object with its number in full, as it is served to those who do not know the highest one.
    pub fn with_full_number(&self, sequence: u64) -> Vec<u8> {
        let mut object = Writer::new();
        object.array(4).bytes(self.protected);
        match self.signer {
            Some(signer) => object.map(2).int(4).bytes(&signer.0),
            None => object.map(1),
        };
        object.int(6).bytes(&sequence.to_be_bytes());
        object.bytes(self.payload).bytes(&self.signature).done()
    }
}

fn read_protected(protected: &[u8]) -> Result<(i64, Option<u16>), Refusal> {
    let mut reader = Reader::new(protected);
    let (mut algorithm, mut content_type) = (None, None);
    for _ in 0..reader.map()? {
        match reader.int::<i64>()? {
            1 if algorithm.is_none() => algorithm = Some(reader.int()?),
            3 if content_type.is_none() => content_type = Some(reader.int()?),
            _ => return Err(Refusal::Malformed),
        }
    }
    reader.end()?;
    Ok((algorithm.ok_or(Refusal::Malformed)?, content_type))
}

fn read_unprotected(reader: &mut Reader<'_>) -> Result<(Option<Identity>, Number), Refusal> {
    let (mut signer, mut number) = (None, None);
    for _ in 0..reader.map()? {
        match reader.int::<i64>()? {
            4 if signer.is_none() => signer = Some(Identity(reader.bytes_of()?)),
            6 if number.is_none() => number = Some(read_number(reader.bytes()?)?),
            _ => return Err(Refusal::Malformed),
        }
    }
    Ok((signer, number.ok_or(Refusal::Malformed)?))
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
