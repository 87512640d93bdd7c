// SPDX-License-Identifier: Apache-2.0
//! Bundles (section 10 of the protocol): readings of several devices in one object, each as its device signed it. Who
//! put them together signs nothing and is believed nothing.

use crate::cbor::{self, Value};
use crate::cose::Number;
use crate::{signed, Device, Identity, Reading, Refusal, SignedReading};

/// The largest bundle.
pub const BUNDLE_MAX: usize = 4096;

/// The most objects of a bundle: the results for all have to fit one message, and fewer
/// readings fit a bundle.
pub const OBJECTS_MAX: usize = 48;

/// The Content-Format of a bundle, that of sequences of CBOR (RFC 8742).
pub const FORMAT: u16 = 63;

/// The result for one object of a bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct Original {
    /// Whose it says that it is, if that can be read.
    pub signer: Option<Identity>,
    /// What [`Device::accept`] says of it: nothing, if it is the newest one once more. [`Refusal::NotEnrolled`] is
    /// the result if it is of none of the devices.
    pub outcome: Result<Option<Reading>, Refusal>,
}

/// The objects of a bundle, in their order, not verified.
///
/// # Errors
/// [`Refusal::Malformed`] if it is too long, has more than [`OBJECTS_MAX`], or anything but arrays and texts that begin
/// as a JWS does.
pub fn split(bundle: &[u8]) -> Result<Vec<Vec<u8>>, Refusal> {
    if bundle.len() > BUNDLE_MAX {
        return Err(Refusal::Malformed);
    }
    let items = cbor::sequence(bundle, OBJECTS_MAX)?;
    let objects = items.into_iter().map(|(value, bytes)| match value {
        Value::Array(_) => Ok(bytes.to_vec()),
        Value::Text(text) if signed::content_format(text.as_bytes()) == signed::JWS => {
            Ok(text.into_bytes())
        }
        _ => Err(Refusal::Malformed),
    });
    objects.collect()
}

/// A verified reading in the form of a bundle, which is a sequence of these.
///
/// # Errors
/// [`Refusal::Malformed`] if `object` is none, or would be longer than an object may be with its signer and full number.
pub fn item(object: &[u8], identity: &Identity, sequence: u64) -> Result<Vec<u8>, Refusal> {
    match SignedReading::parse(object)? {
        SignedReading::Cose(object) => object.with_signer(identity, sequence),
        SignedReading::Jws(object) => Ok(cbor::encode(&object.text.into())),
    }
}

/// Whose an object of a bundle says that it is: what [`split`] gives has to say so, and its number in full.
///
/// # Errors
/// [`Refusal::Malformed`] if it does not, or is no reading.
pub fn signer_of(object: &[u8]) -> Result<Identity, Refusal> {
    let object = SignedReading::parse(object)?;
    match (object.signer(), object.number()) {
        (Some(signer), Number::Full(_)) => Ok(signer),
        _ => Err(Refusal::Malformed),
    }
}

/// Opens a bundle: the result for each of its objects, by the devices that are known here,
/// which go on as by [`Device::accept`]. One that is refused keeps no other from being read.
///
/// # Errors
/// As [`split`]; the devices are then as they were.
pub fn open(bundle: &[u8], devices: &mut [Device]) -> Result<Vec<Original>, Refusal> {
    let objects = split(bundle)?;
    Ok(objects.iter().map(|one| judge(one, devices)).collect())
}

fn judge(object: &[u8], devices: &mut [Device]) -> Original {
    let signer = signer_of(object);
    let outcome = signer.and_then(|signer| {
        let mut all = devices.iter_mut();
        let device = all.find(|device| device.identity() == signer);
        device.ok_or(Refusal::NotEnrolled)?.accept(object)
    });
    Original {
        signer: signer.ok(),
        outcome,
    }
}

/// The devices of which nothing genuine stood in a bundle. It proves nothing: they may have been silent, or left out.
pub fn missing(originals: &[Original], devices: &[Device]) -> Vec<Identity> {
    let is_there = |identity: &Identity| {
        let mut theirs = originals.iter().filter(|one| one.signer == Some(*identity));
        theirs.any(|one| one.outcome.is_ok())
    };
    let all = devices.iter().map(Device::identity);
    all.filter(|identity| !is_there(identity)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object that could be a reading, of so many bytes, with its number in full.
    fn object(length: usize) -> Vec<u8> {
        let header = Value::Map(vec![(6.into(), vec![0; 8].into())]);
        let protected = b"\xa2\x01\x26\x03\x18\x70".to_vec();
        let of = |payload: usize| {
            let parts = [vec![0; payload], vec![0; 64]].map(Value::from);
            let [payload, signature] = parts;
            cbor::array([protected.clone().into(), header.clone(), payload, signature])
        };
        of(300 + length - of(300).len())
    }

    #[test]
    fn an_item_is_never_longer_than_what_is_read_again() {
        let identity = Identity([7; 16]);
        for length in [1006, 1007, 1024] {
            assert_eq!(object(length).len(), length);
            let item = item(&object(length), &identity, 1);
            match length {
                1006 => assert_eq!(signer_of(&item.unwrap()), Ok(identity)),
                _ => assert_eq!(item, Err(Refusal::Malformed)),
            }
        }
    }

    #[test]
    fn a_bundle_is_split_into_arrays_and_texts_that_begin_as_a_jws() {
        let array = cbor::array([1.into()]);
        let text = cbor::encode(&"eyJ".into());
        let whole = [&array[..], &text, &array].concat();
        let objects = vec![array.clone(), b"eyJ".to_vec(), array.clone()];
        assert_eq!(split(&whole), Ok(objects));
        assert_eq!(split(b""), Ok(Vec::new()));
        for other in [
            cbor::encode(&"xyJ".into()),
            cbor::encode(&"".into()),
            cbor::encode(&1.into()),
            cbor::map([(1, 1.into())]),
            b"\x81".to_vec(),
        ] {
            assert_eq!(
                split(&[&array[..], &other].concat()),
                Err(Refusal::Malformed)
            );
        }
        for (count, is_right) in [(OBJECTS_MAX, true), (OBJECTS_MAX + 1, false)] {
            assert_eq!(split(&array.repeat(count)).is_ok(), is_right, "{count}");
        }
        for (length, is_right) in [(BUNDLE_MAX, true), (BUNDLE_MAX + 1, false)] {
            let bundle = cbor::array([vec![0u8; length - 4].into()]);
            assert_eq!(bundle.len(), length);
            assert_eq!(split(&bundle).is_ok(), is_right, "{length}");
        }
    }
}
