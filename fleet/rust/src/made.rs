// SPDX-License-Identifier: Apache-2.0
//! Signed objects for tests, right in all but what a test changes.

use ed25519_dalek::{Signer, SigningKey};

use crate::cbor::{encode, Value};
use crate::{Identity, PublicKey};

/// A COSE_Sign1 that is not signed yet.
#[derive(Clone)]
pub struct Made {
    pub protected: Vec<(i64, Value)>,
    pub unprotected: Vec<(i64, Value)>,
    pub payload: Value,
}

fn map(pairs: &[(i64, Value)]) -> Value {
    let pairs = pairs.iter();
    Value::Map(
        pairs
            .map(|(key, value)| ((*key).into(), value.clone()))
            .collect(),
    )
}

fn signer() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

/// The key by which all of it is signed.
pub fn key() -> PublicKey {
    PublicKey::Ed25519(signer().verifying_key().to_bytes())
}

/// The identity of that key.
pub fn identity() -> Identity {
    Identity::of_device(&key(), "valve", None)
}

/// A signature by that key.
pub fn sign(message: &[u8]) -> [u8; 64] {
    signer().sign(message).to_bytes()
}

impl Made {
    /// With the algorithm, the number in full and this payload.
    pub fn of(payload: &[u8]) -> Self {
        Made {
            protected: vec![(1, (-8).into())],
            unprotected: vec![(6, 9u64.to_be_bytes().as_slice().into())],
            payload: payload.into(),
        }
    }

    pub fn protected(mut self, label: i64, value: impl Into<Value>) -> Self {
        self.protected.push((label, value.into()));
        self.protected
            .sort_by_key(|(label, _)| encode(&(*label).into()));
        self
    }

    pub fn unprotected(mut self, label: i64, value: impl Into<Value>) -> Self {
        self.unprotected.push((label, value.into()));
        self.unprotected
            .sort_by_key(|(label, _)| encode(&(*label).into()));
        self
    }

    /// Replaces the value of the label.
    pub fn changed(mut self, label: i64, value: impl Into<Value>) -> Self {
        self.unprotected.retain(|(one, _)| *one != label);
        self.unprotected(label, value)
    }

    /// Signed for this context.
    pub fn signed(self, context: &[u8]) -> Vec<u8> {
        let protected = Value::from(encode(&map(&self.protected)));
        let signed = encode(&Value::Array(vec![
            "Signature1".into(),
            protected.clone(),
            context.into(),
            self.payload.clone(),
        ]));
        self.with_signature(sign(&signed).as_slice().into())
    }

    /// With this in the place of a signature.
    pub fn with_signature(self, signature: Value) -> Vec<u8> {
        encode(&Value::Array(vec![
            encode(&map(&self.protected)).into(),
            map(&self.unprotected),
            self.payload,
            signature,
        ]))
    }
}
