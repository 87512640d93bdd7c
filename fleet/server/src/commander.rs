// SPDX-License-Identifier: Apache-2.0
//! Who commands: a key of its own, in a file that the service neither has nor needs, and the commands that it signs.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use coset::{iana, CborSerializable, CoseSign1Builder, HeaderBuilder};
use ring::rand::SystemRandom;
use ring::signature::{EcdsaKeyPair, Ed25519KeyPair, KeyPair, ECDSA_P256_SHA256_FIXED_SIGNING};

use crate::verify::cbor::{self, Value};
use crate::verify::{commands, Identity, PublicKey};

const KIND: &str = "server";

/// The longest name of a command.
pub const NAME_MAX: usize = 32;

/// What commands are signed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Algorithm {
    Es256,
    Ed25519,
}

enum Key {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

/// Who has the key.
pub struct Commander {
    key: Key,
    public: PublicKey,
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

/// A file that is to get a secret, which nobody else can read: where it will be is free, and can be written. What
/// bears the name is whole, and is nobody's whom another process made it for.
pub struct SecretFile {
    file: PathBuf,
    part: PathBuf,
    opened: File,
}

impl SecretFile {
    /// Makes sure of the place.
    pub fn prepare(file: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(file).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let mut part = OsString::from(file);
        part.push(".part");
        let part = PathBuf::from(part);
        let mut options = OpenOptions::new();
        let opened = options.write(true).create_new(true).mode(0o600).open(&part);
        let opened = opened.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => io::Error::other(format!(
                "{} is there, which another makes, or one that was killed: remove it then",
                part.display()
            )),
            _ => error,
        })?;
        Ok(SecretFile {
            file: file.to_path_buf(),
            part,
            opened,
        })
    }

    /// Writes the secret, so that it outlasts a loss of power.
    pub fn keep(mut self, secret: &[u8]) -> io::Result<()> {
        self.opened.write_all(secret)?;
        self.opened.sync_all()?;
        fs::hard_link(&self.part, &self.file)?;
        let folder = self.file.parent();
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.part);
    }
}

impl Commander {
    /// Takes the key of a file (PKCS #8, DER).
    pub fn open(file: &Path) -> io::Result<Self> {
        let content = fs::read(file)?;
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &content, &random)
            .map(Key::P256)
            .or_else(|_| Ed25519KeyPair::from_pkcs8(&content).map(Key::Ed25519))
            .map_err(|_| invalid("is no key on P-256 or of Ed25519 (PKCS #8, DER)"))?;
        let too_long = |_| invalid("has a public key of another length");
        let public = match &key {
            Key::P256(key) => {
                PublicKey::P256(key.public_key().as_ref().try_into().map_err(too_long)?)
            }
            Key::Ed25519(key) => {
                PublicKey::Ed25519(key.public_key().as_ref().try_into().map_err(too_long)?)
            }
        };
        Ok(Commander { key, public })
    }

    /// Makes a key, in a file that was not there and that nobody else can read.
    pub fn make(file: &Path, algorithm: Algorithm) -> io::Result<()> {
        let random = SystemRandom::new();
        let made = match algorithm {
            Algorithm::Es256 => {
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            }
            Algorithm::Ed25519 => Ed25519KeyPair::generate_pkcs8(&random),
        };
        let made = made.map_err(|_| io::Error::other("the system gives no random numbers"))?;
        SecretFile::prepare(file)?.keep(made.as_ref())
    }

    /// What devices are told to obey.
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

    /// A command to a device that answers its challenge. Nothing if the system gives no random numbers.
    pub fn command(
        &self,
        device: &Identity,
        nonce: &[u8],
        name: &str,
        argument: &Value,
    ) -> Option<Vec<u8>> {
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
        let context = commands::command_context(device, &self.identity(), nonce);
        let number = HeaderBuilder::new().partial_iv(0u64.to_be_bytes().to_vec());
        let object = CoseSign1Builder::new()
            .protected(HeaderBuilder::new().algorithm(algorithm).build())
            .unprotected(number.build())
            .payload(statement)
            .try_create_signature(&context, |message| self.sign(message))
            .ok()?
            .build();
        object.to_vec().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::{env, process};

    use super::*;
    use crate::verify::{Refusal, Sign1};

    fn made(algorithm: Algorithm) -> Commander {
        let file = env::temp_dir().join(format!("corral-key-{}-{algorithm:?}", process::id()));
        Commander::make(&file, algorithm).unwrap();
        let again = Commander::make(&file, algorithm).map_err(|error| error.kind());
        assert_eq!(again, Err(ErrorKind::AlreadyExists));
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let commander = Commander::open(&file).unwrap();
        fs::write(&file, b"not a key").unwrap();
        assert!(Commander::open(&file).is_err());
        fs::remove_file(&file).unwrap();
        commander
    }

    #[test]
    fn a_command_is_for_its_device_and_its_challenge_alone() {
        let (device, other) = (Identity([1; 16]), Identity([2; 16]));
        for algorithm in [Algorithm::Es256, Algorithm::Ed25519] {
            let commander = made(algorithm);
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

    /// The worked example of the protocol.
    #[test]
    fn results_hold_for_their_command_alone() {
        let vectors = include_str!("../../../tests/fleet/vectors.json");
        let vectors: serde_json::Value = serde_json::from_str(vectors).unwrap();
        let bytes = |name: &str| -> Vec<u8> {
            let digits = vectors[name].as_str().unwrap().as_bytes();
            let pairs = digits.chunks(2);
            let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
            pairs.map(byte).collect()
        };
        let device = Identity(bytes("p256_identity").try_into().unwrap());
        let key = PublicKey::read(&cbor::parse(&bytes("p256_cose_key")).unwrap()).unwrap();
        let (command, result) = (bytes("command"), bytes("result"));
        let object = Sign1::parse(&result).unwrap();
        let outcome = commands::verify_result(&object, &device, &key, &command).unwrap();
        assert_eq!((outcome.status, outcome.sequence), (0, 65539));
        let tagged = [&[0xd2], &command[..]].concat();
        let same = commands::verify_result(&object, &device, &key, &tagged);
        assert_eq!(same, Ok(outcome));
        let other = commands::verify_result(&object, &device, &key, &result);
        assert_eq!(other, Err(Refusal::BadSignature));
        let foreign = PublicKey::Ed25519([7; 32]);
        let foreign = commands::verify_result(&object, &device, &foreign, &command);
        assert_eq!(foreign, Err(Refusal::BadSignature));
        let asked = bytes("ask");
        let object = Sign1::parse(&asked).unwrap();
        let echo = bytes("registration_nonce");
        let (nonce, number) = commands::verify_ask(&object, &device, &key, &echo).unwrap();
        assert_eq!((nonce, number), (bytes("command_nonce"), 65542));
        let stale = commands::verify_ask(&object, &device, &key, b"another one");
        assert_eq!(stale, Err(Refusal::BadSignature));
    }
}
