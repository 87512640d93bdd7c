// SPDX-License-Identifier: Apache-2.0
//! A simulated device: its key, its sequence, and the objects that it signs.

use coap_lite::{CoapOption, MessageType, Packet, RequestType};
use coset::iana::{self, CoapContentFormat};
use coset::{CborSerializable, CoseSign1Builder, HeaderBuilder};
use ed25519_dalek::{Signer, SigningKey};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{EcdsaKeyPair, KeyPair, ECDSA_P256_SHA256_FIXED_SIGNING};

use crate::coap::{format, message};
use crate::verify::cbor::{self, Value};
use crate::verify::{objects, Challenge, Identity, PublicKey};

const KIND: &str = "thermometer";

/// The algorithm of the devices' signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Algorithm {
    Es256,
    Ed25519,
}

enum Key {
    P256(Box<EcdsaKeyPair>),
    Ed25519(Box<SigningKey>),
}

/// The system gave no random numbers, or no key could be made of them.
#[derive(Debug)]
pub struct NoKey;

/// One device.
pub struct Device {
    key: Key,
    public: PublicKey,
    pub identity: Identity,
    name: String,
    sequence: u64,
    /// The path of its topic, once it is registered.
    pub topic: Vec<Vec<u8>>,
    pub is_registered: bool,
}

impl Device {
    /// With a new key.
    pub fn new(algorithm: Algorithm, random: &SystemRandom) -> Result<Self, NoKey> {
        let (key, public) = match algorithm {
            Algorithm::Es256 => {
                let kind = &ECDSA_P256_SHA256_FIXED_SIGNING;
                let made = EcdsaKeyPair::generate_pkcs8(kind, random).map_err(|_| NoKey)?;
                let key = EcdsaKeyPair::from_pkcs8(kind, made.as_ref(), random);
                let key = key.map_err(|_| NoKey)?;
                let point = key.public_key().as_ref().try_into().map_err(|_| NoKey)?;
                (Key::P256(Box::new(key)), PublicKey::P256(point))
            }
            Algorithm::Ed25519 => {
                let mut seed = [0; 32];
                random.fill(&mut seed).map_err(|_| NoKey)?;
                let key = SigningKey::from_bytes(&seed);
                let public = PublicKey::Ed25519(key.verifying_key().to_bytes());
                (Key::Ed25519(Box::new(key)), public)
            }
        };
        let identity = Identity::of_device(&public, KIND, None);
        Ok(Device {
            key,
            public,
            identity,
            name: identity.to_string(),
            sequence: 0,
            topic: Vec::new(),
            is_registered: false,
        })
    }

    /// The key that others verify with.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    fn sign(&self, message: &[u8], random: &SystemRandom) -> Vec<u8> {
        match &self.key {
            Key::P256(key) => {
                let signature = key.sign(random, message);
                signature.map_or_else(|_| Vec::new(), |made| made.as_ref().to_vec())
            }
            Key::Ed25519(key) => key.sign(message).to_bytes().to_vec(),
        }
    }

    fn object(
        &self,
        is_reading: bool,
        is_full: bool,
        payload: Vec<u8>,
        context: &[u8],
        random: &SystemRandom,
    ) -> Vec<u8> {
        let header = HeaderBuilder::new().algorithm(match self.key {
            Key::P256(_) => iana::Algorithm::ES256,
            Key::Ed25519(_) => iana::Algorithm::EdDSA,
        });
        let protected = match is_reading {
            true => header.content_format(CoapContentFormat::SenmlCbor),
            false => header,
        };
        let number = &self.sequence.to_be_bytes()[if is_full { 0 } else { 6 }..];
        let unprotected = HeaderBuilder::new().partial_iv(number.to_vec());
        CoseSign1Builder::new()
            .protected(protected.build())
            .unprotected(unprotected.build())
            .payload(payload)
            .create_signature(context, |message| self.sign(message, random))
            .build()
            .to_vec()
            .unwrap_or_default()
    }

    /// A registration at the broker, with the next number.
    pub fn registration(&mut self, nonce: &[u8], random: &SystemRandom) -> Vec<u8> {
        self.sequence += 1;
        let statement = cbor::map([
            (1, self.public.to_value()),
            (2, KIND.into()),
            (3, Value::Null),
        ]);
        let context = Challenge::of_broker(nonce).context(&self.identity, self.sequence);
        self.object(false, true, statement, &context, random)
    }

    /// A reading with the next number.
    pub fn reading(&mut self, is_full: bool, time: u64, random: &SystemRandom) -> Vec<u8> {
        self.sequence += 1;
        let record = [
            (0.into(), "t".into()),
            (1.into(), "Cel".into()),
            (2.into(), (self.sequence as f64 / 4.0).into()),
            (6.into(), time.into()),
        ];
        let pack = cbor::array([Value::Map(record.into())]);
        let context = self.context();
        self.object(true, is_full, pack, &context, random)
    }

    /// The context of the newest reading's signature beside the pack.
    pub fn context(&self) -> Vec<u8> {
        objects::reading_context(&self.identity, &self.name, self.sequence)
    }
}

/// A request to the path, with a signed object if there is one.
pub fn request(
    method: RequestType,
    path: &[Vec<u8>],
    token: u32,
    is_confirmable: bool,
    echo: Option<&[u8]>,
    object: Vec<u8>,
) -> Vec<u8> {
    let mut packet = Packet::new();
    packet.header.set_type(if is_confirmable {
        MessageType::Confirmable
    } else {
        MessageType::NonConfirmable
    });
    packet.header.code = coap_lite::MessageClass::Request(method);
    packet.header.message_id = token as u16;
    packet.set_token(token.to_be_bytes().to_vec());
    for segment in path {
        packet.add_option(CoapOption::UriPath, segment.clone());
    }
    packet.add_option(CoapOption::ContentFormat, vec![format::COSE_SIGN1 as u8]);
    if let Some(echo) = echo {
        packet.add_option(message::ECHO, echo.to_vec());
    }
    if !is_confirmable {
        packet.add_option(CoapOption::NoResponse, vec![2]);
    }
    packet.payload = object;
    packet.to_bytes().unwrap_or_default()
}
