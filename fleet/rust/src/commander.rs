// SPDX-License-Identifier: Apache-2.0
//! The commander: a key, and the commands that it signs (section 6 of the protocol).

use std::fmt;

use coset::{iana, CborSerializable, CoseSign1, CoseSign1Builder, HeaderBuilder};
use ring::rand::SystemRandom;
use ring::signature::{EcdsaKeyPair, Ed25519KeyPair, KeyPair, ECDSA_P256_SHA256_FIXED_SIGNING};

use crate::cbor::{self, Value};
use crate::cose::OBJECT_MAX;
use crate::{commands, Identity, PublicKey};

const KIND: &str = "server";

/// The longest name of a command, in bytes.
pub const NAME_MAX: usize = 32;

/// How long a signature is, by either kind of key.
const SIGNATURE: usize = 64;

/// Why no command was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// The name is empty, too long, or has a zero in it.
    Name,
    /// The argument is neither null, a truth value, an integer, a text nor bytes, or is too long.
    Argument,
    /// No device tells a challenge of that length.
    Challenge,
    /// The system gives no random numbers.
    Random,
}

impl fmt::Display for Unsigned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsigned::Name => write!(formatter, "a command's name has 1 to {NAME_MAX} bytes"),
            Unsigned::Argument => formatter.write_str("a command cannot have this value"),
            Unsigned::Challenge => formatter.write_str("no device tells such a challenge"),
            Unsigned::Random => formatter.write_str("the command could not be signed"),
        }
    }
}

impl std::error::Error for Unsigned {}

enum Key {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

/// The owner of the key.
pub struct Commander {
    key: Key,
    public: PublicKey,
}

impl Commander {
    /// Takes a key on P-256 or of Ed25519 (PKCS #8, DER), such as `corral-fleet key` or OpenSSL makes. Nothing if it is
    /// none.
    pub fn from_pkcs8(document: &[u8]) -> Option<Self> {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document, &random)
            .map(Key::P256)
            .or_else(|_| Ed25519KeyPair::from_pkcs8_maybe_unchecked(document).map(Key::Ed25519))
            .ok()?;
        let public = match &key {
            Key::P256(key) => PublicKey::P256(key.public_key().as_ref().try_into().ok()?),
            Key::Ed25519(key) => PublicKey::Ed25519(key.public_key().as_ref().try_into().ok()?),
        };
        Some(Commander { key, public })
    }

    /// The identity that devices are configured to obey.
    pub fn identity(&self) -> Identity {
        Identity::of_device(&self.public, KIND, None)
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, ()> {
        match &self.key {
            Key::P256(key) => {
                let signature = key.sign(&SystemRandom::new(), message);
                signature.map(|made| made.as_ref().to_vec()).map_err(drop)
            }
            Key::Ed25519(key) => Ok(key.sign(message).as_ref().to_vec()),
        }
    }

    /// That a device takes this, if it is signed: what `command` says of it for whatever challenge.
    ///
    /// # Errors
    /// Why there would be no command.
    pub fn check(&self, name: &str, argument: &Value) -> Result<(), Unsigned> {
        self.unsigned(name, argument).map(drop)
    }

    /// A command to a device that answers its challenge. Sign one for a challenge, and hand it out once: a second one
    /// could be carried out a second time. [`crate::sending`] sees to that.
    ///
    /// # Errors
    /// Why there is none.
    pub fn command(
        &self,
        device: &Identity,
        nonce: &[u8],
        name: &str,
        argument: &Value,
    ) -> Result<Vec<u8>, Unsigned> {
        let mut object = self.unsigned(name, argument)?;
        if !commands::is_nonce(nonce) {
            return Err(Unsigned::Challenge);
        }
        let context = commands::command_context(device, &self.identity(), nonce);
        let signature = self.sign(&object.tbs_data(&context));
        object.signature = signature.map_err(|()| Unsigned::Random)?;
        object.to_vec().map_err(|_| Unsigned::Argument)
    }

    /// A command with room for its signature.
    fn unsigned(&self, name: &str, argument: &Value) -> Result<CoseSign1, Unsigned> {
        check_name(name)?;
        if !commands::is_plain(argument) {
            return Err(Unsigned::Argument);
        }
        let statement = cbor::map([
            (1, self.public.to_value()),
            (2, KIND.into()),
            (3, Value::Null),
            (6, name.into()),
            (7, argument.clone()),
        ]);
        let algorithm = match self.key {
            Key::P256(_) => iana::Algorithm::ES256,
            Key::Ed25519(_) => iana::Algorithm::EdDSA,
        };
        let number = HeaderBuilder::new().partial_iv(0u64.to_be_bytes().to_vec());
        let object = CoseSign1Builder::new()
            .protected(HeaderBuilder::new().algorithm(algorithm).build())
            .unprotected(number.build())
            .payload(statement)
            .signature(vec![0; SIGNATURE])
            .build();
        let whole = object.clone().to_vec().map_err(|_| Unsigned::Argument)?;
        let is_short = whole.len() <= OBJECT_MAX;
        is_short.then_some(object).ok_or(Unsigned::Argument)
    }
}

/// Whether a command may have this name.
fn check_name(name: &str) -> Result<(), Unsigned> {
    let is_sound = (1..=NAME_MAX).contains(&name.len()) && !name.contains('\0');
    is_sound.then_some(()).ok_or(Unsigned::Name)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Sign1;

    /// One with a key of each kind.
    pub(crate) fn made() -> [Commander; 2] {
        let random = SystemRandom::new();
        let p256 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let ed25519 = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
        [p256, ed25519].map(|document| Commander::from_pkcs8(document.as_ref()).unwrap())
    }

    #[test]
    fn a_command_is_for_its_device_and_its_challenge_alone() {
        let (device, other) = (Identity([1; 16]), Identity([2; 16]));
        for commander in made() {
            let object = commander
                .command(&device, b"challenge", "heat", &3.into())
                .unwrap();
            let object = Sign1::parse(&object).unwrap();
            let sender = commander.identity();
            let holds = |device, sender, nonce: &[u8]| {
                let context = commands::command_context(device, sender, nonce);
                object.is_signed_by(&commander.public, &context)
            };
            assert!(holds(&device, &sender, b"challenge"));
            assert!(!holds(&other, &sender, b"challenge"));
            assert!(!holds(&device, &other, b"challenge"));
            assert!(!holds(&device, &sender, b"another one"));
        }
    }

    #[test]
    fn what_no_device_takes_is_not_signed() {
        let [commander, _] = made();
        let device = Identity([1; 16]);
        let why = |nonce: &[u8], name: &str, argument: Value| {
            let made = commander.command(&device, nonce, name, &argument);
            made.map(drop).unwrap_err()
        };
        let heat = |argument| why(&[1; 16], "heat", argument);
        for name in ["", "a\0", &"x".repeat(33)] {
            assert_eq!(why(&[1; 16], name, Value::Null), Unsigned::Name);
        }
        for length in [0, 7, 41, 2000] {
            let nonce = vec![1; length];
            assert_eq!(why(&nonce, "heat", Value::Null), Unsigned::Challenge);
        }
        assert_eq!(heat(Value::Array(Vec::new())), Unsigned::Argument);
        assert_eq!(heat(1.5.into()), Unsigned::Argument);
        assert_eq!(heat("x".repeat(1024).into()), Unsigned::Argument);
    }

    #[test]
    fn what_is_checked_is_signed_and_the_longest_command_is_as_long_as_an_object() {
        let device = Identity([1; 16]);
        for commander in made() {
            let longest = (0..OBJECT_MAX)
                .rev()
                .map(|length| Value::from("x".repeat(length)))
                .find(|argument| commander.check("heat", argument).is_ok());
            let made = commander.command(&device, &[1; 16], "heat", &longest.unwrap());
            assert_eq!(made.unwrap().len(), OBJECT_MAX);
        }
    }

    #[test]
    fn a_key_of_ed25519_is_taken_with_its_public_key_beside_it_and_without() {
        // RFC 8410, section 10.3: the first key, in its first form.
        let seed = crate::digits::unhex(
            "d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842",
        );
        let head = crate::digits::unhex("302e020100300506032b657004220420");
        let document = [head.unwrap(), seed.unwrap()].concat();
        let commander = Commander::from_pkcs8(&document).unwrap();
        let public = "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1";
        let public = crate::digits::unhex(public).unwrap().try_into().unwrap();
        assert_eq!(commander.public, PublicKey::Ed25519(public));
    }

    #[test]
    fn what_is_no_key_commands_nobody() {
        assert!(Commander::from_pkcs8(b"not a key").is_none());
    }

    #[test]
    fn each_reason_says_why_nothing_was_signed() {
        for (why, text) in [
            (Unsigned::Name, "1 to 32 bytes"),
            (Unsigned::Argument, "this value"),
            (Unsigned::Challenge, "such a challenge"),
            (Unsigned::Random, "could not be signed"),
        ] {
            assert!(why.to_string().contains(text), "{why}");
        }
    }
}
