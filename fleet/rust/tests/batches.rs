// SPDX-License-Identifier: Apache-2.0
//! Why signatures of Ed25519 are verified one by one. Verifying many at once checks a
//! sum; a part of small order vanishes for some of the factors that a batch draws, so a
//! batch accepts objects that are rejected one by one.

use corral_fleet_verify::digits::unhex;
use ed25519_dalek::{verify_batch, Signature, Signer, SigningKey, VerifyingKey};

/// Messages, keys and signatures at the edges of Ed25519, and whether a strict verifier takes them.
fn cases() -> Vec<serde_json::Value> {
    let read = include_str!("../../../tests/fleet/ed25519.json");
    let mut read: serde_json::Value = serde_json::from_str(read).unwrap();
    serde_json::from_value(read["cases"].take()).unwrap()
}

fn case(one: &serde_json::Value) -> (Vec<u8>, VerifyingKey, Signature) {
    let bytes = |name: &str| unhex(one[name].as_str().unwrap()).unwrap();
    let key = VerifyingKey::from_bytes(bytes("key").as_slice().try_into().unwrap());
    let signature = Signature::from_slice(&bytes("signature"));
    (bytes("message"), key.unwrap(), signature.unwrap())
}

#[test]
fn one_by_one_nothing_of_small_order_or_of_a_second_encoding_is_taken() {
    for one in cases() {
        let (message, key, signature) = case(&one);
        let taken = key.verify_strict(&message, &signature).is_ok();
        assert_eq!(Some(taken), one["holds"].as_bool(), "{one}");
    }
}

/// An object that is rejected by itself, beside a valid one: in a batch in a row with
/// other messages some pass. An enrolled device could look for such a batch, and the
/// server would store what no application accepts.
#[test]
fn a_batch_takes_what_one_by_one_is_refused() {
    let (message, key, signature) = case(&cases()[4]);
    assert!(key.verify_strict(&message, &signature).is_err());
    let sound = SigningKey::from_bytes(&[7; 32]);
    let taken = (0u8..=255).filter(|at| {
        let other = sound.sign(&[*at]);
        let messages = [message.as_slice(), &[*at]];
        let keys = [key, sound.verifying_key()];
        verify_batch(&messages, &[signature, other], &keys).is_ok()
    });
    assert!(taken.count() > 0);
}
