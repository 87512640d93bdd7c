// SPDX-License-Identifier: Apache-2.0
//! A device as an application knows it: whose readings they are, and which came before.

use crate::cose::Number;
use crate::senml::Record;
use crate::{objects, sequence, Identity, PublicKey, Refusal, SignedReading};

/// A device whose key is known to be its own, and the highest number that was accepted of it.
#[derive(Clone, Debug)]
pub struct Device {
    identity: Identity,
    signing: PublicKey,
    kind: String,
    highest: u64,
    /// The newest reading without a tag, if it was seen: `since` sets only its number.
    newest: Option<Vec<u8>>,
}

/// A reading that was verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Whose it is.
    pub identity: Identity,
    /// Its number; a newer one is higher.
    pub sequence: u64,
    /// The measurements, without references to other records.
    pub records: Vec<Record>,
    /// The object as it was received, without a tag: with the device's key and `sequence` it can be
    /// verified again at any time.
    pub object: Vec<u8>,
}

impl Device {
    /// The device of this identity, by a peer's description of its keys: the peer is
    /// not trusted, because by the hash.
    ///
    /// # Errors
    /// [`Refusal::ForeignKey`] if the keys and the kind make another identity.
    pub fn new(
        identity: Identity,
        signing: PublicKey,
        kind: &str,
        agreement: Option<&PublicKey>,
    ) -> Result<Self, Refusal> {
        if Identity::of_device(&signing, kind, agreement) != identity {
            return Err(Refusal::ForeignKey);
        }
        Ok(Device {
            identity,
            signing,
            kind: kind.to_string(),
            highest: 0,
            newest: None,
        })
    }

    /// The same one, when readings up to this number were accepted before: an application that keeps
    /// [`Device::highest`] is not told old things after it starts again.
    #[must_use]
    pub fn since(self, highest: u64) -> Self {
        Device {
            highest,
            newest: None,
            ..self
        }
    }

    /// Its identity.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// The key by which its readings are verified.
    pub fn key(&self) -> &PublicKey {
        &self.signing
    }

    /// The kind of device.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The highest number that was accepted; 0 if none was.
    pub fn highest(&self) -> u64 {
        self.highest
    }

    /// A reading, if the device signed it and it is newer than every one before; nothing, if it is the
    /// newest one once more. The first reading is only known not to be older than its number.
    ///
    /// # Errors
    /// The reason for which it is none; the device is then as it was.
    /// [`Refusal::Replayed`] is the result for an older one gets, and another one with
    /// the number of the newest. [`Refusal::Malformed`] is also one that has only the
    /// low bits of its number while no number was accepted.
    pub fn accept(&mut self, object: &[u8]) -> Result<Option<Reading>, Refusal> {
        let object = SignedReading::parse(object)?;
        object.check_signer(&self.identity)?;
        let number = object.number();
        if self.highest == 0 && matches!(number, Number::Low(_)) {
            return Err(Refusal::Malformed);
        }
        let sequence = match sequence::candidate(number, self.highest) {
            Ok(sequence) => sequence,
            Err(_) if self.is_newest(&object) => return Ok(None),
            Err(refusal) => return Err(refusal),
        };
        let records = objects::verify_reading(&object, &self.identity, &self.signing, sequence)?;
        self.highest = sequence;
        self.newest = Some(object.bare().to_vec());
        Ok(Some(Reading {
            identity: self.identity,
            sequence,
            records,
            object: object.bare().to_vec(),
        }))
    }

    /// True if this is a repetition of the newest reading. If only its number is known,
    /// that is the first one that the device signed with this number.
    fn is_newest(&mut self, object: &SignedReading<'_>) -> bool {
        let is_highest = match object.number() {
            Number::Full(full) => full == self.highest,
            Number::Low(low) => low == self.highest as u16,
        };
        if self.highest == 0 || !is_highest {
            return false;
        }
        if let Some(newest) = &self.newest {
            return SignedReading::parse(newest).is_ok_and(|newest| newest.is_same_as(object));
        }
        let verified = objects::verify_reading(object, &self.identity, &self.signing, self.highest);
        if verified.is_ok() {
            self.newest = Some(object.bare().to_vec());
        }
        verified.is_ok()
    }
}
