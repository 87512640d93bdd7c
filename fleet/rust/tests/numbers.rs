// SPDX-License-Identifier: Apache-2.0
//! Two messages of a device under one number, as from a copy of it or a restored
//! backup, and messages that come too early.

use corral_fleet_verify::cbor::{self, Value};
use corral_fleet_verify::{bundle, objects, Device, Identity, PublicKey, Refusal};
use ed25519_dalek::{Signer, SigningKey};

const SEQUENCE: u64 = 70_000;

fn signing() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn public() -> PublicKey {
    let start = b"\xa3\x01\x01\x20\x06\x21\x58\x20".as_slice();
    let key = [start, signing().verifying_key().as_bytes()].concat();
    PublicKey::read(&cbor::parse(&key).unwrap()).unwrap()
}

fn identity() -> Identity {
    Identity::of_device(&public(), "valve", None)
}

fn device() -> Device {
    Device::new(identity(), public(), "valve", None).unwrap()
}

/// A reading, and the same one with only the low bits of its number.
fn reading(value: u8, sequence: u64) -> [Vec<u8>; 2] {
    let protected = b"\xa2\x01\x27\x03\x18\x70".to_vec();
    let record = vec![(0.into(), "t".into()), (2.into(), value.into())];
    let payload = cbor::encode(&Value::Array(vec![Value::Map(record)]));
    let context = objects::reading_context(&identity(), &identity().to_string(), sequence);
    let signed = [
        "Signature1".into(),
        protected.clone().into(),
        context.into(),
        payload.clone().into(),
    ];
    let signature = signing().sign(&cbor::array(signed)).to_bytes().to_vec();
    let numbers = [
        sequence.to_be_bytes().to_vec(),
        (sequence as u16).to_be_bytes().to_vec(),
    ];
    numbers.map(|number| {
        let header = Value::Map(vec![(6.into(), number.into())]);
        cbor::array([
            protected.clone().into(),
            header,
            payload.clone().into(),
            signature.clone().into(),
        ])
    })
}

fn number(device: &mut Device, object: &[u8]) -> Result<Option<u64>, Refusal> {
    let accepted = device.accept(object)?;
    Ok(accepted.map(|reading| reading.sequence))
}

#[test]
fn another_reading_with_the_newest_number_is_not_the_newest_once_more() {
    let [[one, one_low], [other, other_low]] = [20, 99].map(|value| reading(value, SEQUENCE));
    let mut device = device();
    assert_eq!(number(&mut device, &one), Ok(Some(SEQUENCE)));
    assert_eq!(number(&mut device, &other), Err(Refusal::Replayed));
    assert_eq!(
        number(&mut device, &other_low),
        Err(Refusal::BeyondThreshold)
    );
    assert_eq!(number(&mut device, &one_low), Ok(None));
    assert_eq!(number(&mut device, &one), Ok(None));
}

#[test]
fn the_first_reading_with_the_number_that_is_known_is_taken_for_the_newest() {
    let [[one, one_low], [other, _]] = [20, 99].map(|value| reading(value, SEQUENCE));
    let mut device = device().since(SEQUENCE);
    let mut forged = one.clone();
    *forged.last_mut().unwrap() ^= 1;
    assert_eq!(number(&mut device, &forged), Err(Refusal::Replayed));
    assert_eq!(number(&mut device, &one_low), Ok(None));
    assert_eq!(number(&mut device, &other), Err(Refusal::Replayed));
    assert_eq!(number(&mut device, &one), Ok(None));
}

#[test]
fn low_bits_of_an_older_number_are_refused_without_a_look_at_the_signature() {
    let mut device = device().since(SEQUENCE);
    let [_, low] = reading(5, SEQUENCE - 65_536);
    assert_eq!(number(&mut device, &low), Err(Refusal::BeyondThreshold));
}

#[test]
fn nothing_is_known_of_a_device_before_a_number_in_full() {
    let mut device = device();
    let [[zero, _], [five, five_low]] = [0, 5].map(|sequence| reading(1, sequence));
    assert_eq!(number(&mut device, &zero), Err(Refusal::Replayed));
    assert_eq!(number(&mut device, &five_low), Err(Refusal::Malformed));
    assert_eq!(number(&mut device, &five), Ok(Some(5)));
}

#[test]
fn a_bundle_with_another_reading_of_the_newest_number_has_nothing_of_the_device() {
    let mut devices = [device()];
    for (value, is_missing) in [(20, false), (99, true), (20, false)] {
        let item = bundle::item(&reading(value, SEQUENCE)[0], &identity(), SEQUENCE).unwrap();
        let opened = bundle::open(&item, &mut devices).unwrap();
        assert_eq!(opened[0].outcome.is_err(), is_missing);
        assert_eq!(bundle::missing(&opened, &devices).is_empty(), !is_missing);
    }
}

#[test]
fn a_device_tells_what_is_known_of_it() {
    let [[one, _], [other, _]] = [20, 99].map(|value| reading(value, SEQUENCE));
    let mut device = device();
    assert_eq!((device.kind(), device.highest()), ("valve", 0));
    assert_eq!((device.identity(), device.key()), (identity(), &public()));
    assert_eq!(number(&mut device, &one), Ok(Some(SEQUENCE)));
    assert_eq!(device.highest(), SEQUENCE);
    // Of a device that goes on from its number alone, the newest reading is not known.
    let mut device = device.since(SEQUENCE);
    assert_eq!(number(&mut device, &other), Ok(None));
    assert_eq!(number(&mut device, &one), Err(Refusal::Replayed));
    assert_eq!(device.since(7).highest(), 7);
}
