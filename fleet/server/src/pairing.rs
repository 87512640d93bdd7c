// SPDX-License-Identifier: Apache-2.0
//! Pairing, on the commander's side (section 6 of the protocol): a secret that only it
//! and a device have.

use ring::agreement::{self, agree_ephemeral, EphemeralPrivateKey, UnparsedPublicKey};
use ring::rand::SystemRandom;
use ring::{digest, hkdf};

use crate::verify::cbor;
use crate::verify::{Identity, PublicKey};

/// The commands that pair.
pub const OFFER: &str = "cf1-pair";
pub const CONFIRMATION: &str = "cf1-paired";

const PART: usize = 32;

/// A key that is offered to one device, once.
pub struct Offer {
    private: EphemeralPrivateKey,
    /// The device's public key of the agreement.
    pub public: Vec<u8>,
    agreement: PublicKey,
}

/// The derived values of both sides.
pub struct Pairing {
    of_device: [u8; PART],
    /// How the device knows that the other side has it.
    pub confirmation: [u8; PART],
    /// The stored key: for HMAC with SHA-256.
    pub key: [u8; PART],
}

/// As many bytes as are derived.
struct All;

impl hkdf::KeyType for All {
    fn len(&self) -> usize {
        3 * PART
    }
}

fn algorithm(agreement: &PublicKey) -> Option<(&'static agreement::Algorithm, &[u8])> {
    match agreement {
        PublicKey::P256(point) => Some((&agreement::ECDH_P256, point)),
        PublicKey::X25519(point) => Some((&agreement::X25519, point)),
        PublicKey::Ed25519(_) => None,
    }
}

impl Offer {
    /// To a device with this key for agreement. Nothing if it is none, or the system gives no random numbers.
    pub fn make(agreement: &PublicKey) -> Option<Self> {
        let (algorithm, _) = algorithm(agreement)?;
        let private = EphemeralPrivateKey::generate(algorithm, &SystemRandom::new()).ok()?;
        let public = private.compute_public_key().ok()?.as_ref().to_vec();
        Some(Offer {
            private,
            public,
            agreement: agreement.clone(),
        })
    }

    /// The secret agreed by this command, which offered the key. Nothing if the
    /// device's key is no point, or of small order.
    pub fn agree(self, device: &Identity, command: &[u8]) -> Option<Pairing> {
        let (algorithm, point) = algorithm(&self.agreement)?;
        let peer = UnparsedPublicKey::new(algorithm, point);
        agree_ephemeral(self.private, &peer, |secret| {
            derive(secret, device, command)
        })
        .ok()?
    }
}

fn derive(secret: &[u8], device: &Identity, command: &[u8]) -> Option<Pairing> {
    let salt = digest::digest(&digest::SHA256, command);
    let info = cbor::array([OFFER.into(), device.into()]);
    let mut made = [0; 3 * PART];
    hkdf::Salt::new(hkdf::HKDF_SHA256, salt.as_ref())
        .extract(secret)
        .expand(&[&info], All)
        .and_then(|output| output.fill(&mut made))
        .ok()?;
    let part = |number: usize| made[number * PART..(number + 1) * PART].try_into().ok();
    Some(Pairing {
        of_device: part(0)?,
        confirmation: part(1)?,
        key: part(2)?,
    })
}

impl Pairing {
    /// True if this is the device's confirmation.
    pub fn is_confirmed_by(&self, said: &[u8]) -> bool {
        // The time of this reveals nothing useful: there is one answer to an offer.
        self.of_device == said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICE: Identity = Identity([7; 16]);

    #[test]
    fn nothing_is_agreed_on_with_a_point_of_small_order_or_off_the_curve() {
        for agreement in [PublicKey::X25519([0; 32]), PublicKey::P256([4; 65])] {
            let offer = Offer::make(&agreement).unwrap();
            assert!(offer.agree(&DEVICE, b"command").is_none());
        }
        assert!(Offer::make(&PublicKey::Ed25519([9; 32])).is_none());
    }

    #[test]
    fn a_secret_is_of_one_device_and_one_command() {
        let made = |device, command: &[u8]| derive(&[1; 32], device, command).unwrap();
        let pairing = made(&DEVICE, b"command");
        assert!(pairing.is_confirmed_by(&made(&DEVICE, b"command").of_device));
        for other in [
            made(&Identity([8; 16]), b"command"),
            made(&DEVICE, b"commands"),
        ] {
            assert_ne!(pairing.key, other.key);
            assert!(!pairing.is_confirmed_by(&other.of_device));
        }
        assert!(!pairing.is_confirmed_by(&pairing.confirmation));
        assert!(!pairing.is_confirmed_by(&[]));
    }
}
