// SPDX-License-Identifier: Apache-2.0
//! Readings as JWS (RFC 7515, compact): SenML in JSON, with the one header that section 5 of the protocol allows.

use coset::iana::Algorithm;

use crate::cose::{self, OBJECT_MAX};
use crate::{base64url, Identity, PublicKey, Refusal};

/// The name of each algorithm in a header (RFC 7518, RFC 8037, RFC 9864).
const ALGORITHMS: [(&str, Algorithm); 3] = [
    ("ES256", Algorithm::ES256),
    ("EdDSA", Algorithm::EdDSA),
    ("Ed25519", Algorithm::Ed25519),
];

/// A JWS that was taken apart, and not verified.
#[derive(Clone, Debug)]
struct Parts<'a> {
    /// The signed part: header and payload as they were sent.
    signed: &'a str,
    header: Vec<u8>,
    payload: Vec<u8>,
    signature: Vec<u8>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, payload) = signed.split_once('.')?;
        Some(Parts {
            signed,
            header: base64url::decode(header)?,
            payload: base64url::decode(payload)?,
            signature: base64url::decode(signature)?,
        })
    }

    fn is_signed_by(&self, key: &PublicKey, algorithm: Algorithm) -> bool {
        cose::verify(key, algorithm, self.signed.as_bytes(), &self.signature).is_ok()
    }
}

/// A reading that was taken apart, and not verified.
#[derive(Clone, Debug)]
pub struct Jws<'a> {
    /// The object as it was received.
    pub text: &'a str,
    parts: Parts<'a>,
    algorithm: Algorithm,
    /// The claimed signer.
    pub signer: Identity,
    /// Its number.
    pub sequence: u64,
}

impl<'a> Jws<'a> {
    /// Takes an object apart.
    pub fn parse(object: &'a [u8]) -> Result<Self, Refusal> {
        if object.len() > OBJECT_MAX {
            return Err(Refusal::Malformed);
        }
        let text = std::str::from_utf8(object).map_err(|_| Refusal::Malformed)?;
        let parts = Parts::of(text).ok_or(Refusal::Malformed)?;
        let (algorithm, signer, sequence) = read_header(&parts.header).ok_or(Refusal::Malformed)?;
        if parts.signature.len() != 64 {
            return Err(Refusal::Malformed);
        }
        Ok(Jws {
            text,
            parts,
            algorithm,
            signer,
            sequence,
        })
    }

    /// The pack.
    pub fn payload(&self) -> &[u8] {
        &self.parts.payload
    }

    /// Whether both are the same, except which of two equivalent signatures they have.
    pub fn is_same_as(&self, other: &Jws<'_>) -> bool {
        self.parts.signed == other.parts.signed
            && cose::are_same(
                Some(self.algorithm),
                &self.parts.signature,
                &other.parts.signature,
            )
    }

    /// Whether `key` signed this.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        self.parts.is_signed_by(key, self.algorithm)
    }
}

/// The header of a reading, in the only form that it may have.
pub fn header(algorithm: &str, signer: &Identity, sequence: u64) -> String {
    format!(
        "{{\"alg\":\"{algorithm}\",\"cty\":\"senml+json\",\"kid\":\"{signer}\",\
         \"sn\":\"{sequence:016x}\",\"typ\":\"cf1-reading\"}}"
    )
}

/// The content of a header, if it is one.
fn read_header(bytes: &[u8]) -> Option<(Algorithm, Identity, u64)> {
    let given = std::str::from_utf8(bytes).ok()?;
    let strings: Vec<&str> = given.split('"').collect();
    let [_, _, _, name, _, _, _, _, _, _, _, signer, _, _, _, sequence, ..] = strings[..] else {
        return None;
    };
    let (_, algorithm) = ALGORITHMS.iter().find(|(one, _)| *one == name)?;
    let signer = signer.parse().ok()?;
    let sequence = u64::from_str_radix(sequence, 16).ok()?;
    (header(name, &signer, sequence) == given).then_some((*algorithm, signer, sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: &str, y: &str) -> PublicKey {
        let [x, y] = [x, y].map(|text| base64url::decode(text).unwrap());
        PublicKey::P256([&[4], &x[..], &y[..]].concat().try_into().unwrap())
    }

    /// RFC 7515, appendix A.3.
    #[test]
    fn the_signature_of_rfc_7515_holds() {
        let text = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt\
                    cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxL\
                    a8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
        let key = point(
            "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        );
        let parts = Parts::of(text).unwrap();
        assert_eq!(parts.header, br#"{"alg":"ES256"}"#);
        assert!(parts.payload.starts_with(br#"{"iss":"joe","#));
        assert!(parts.is_signed_by(&key, Algorithm::ES256));
        assert!(!parts.is_signed_by(&key, Algorithm::EdDSA));
        let altered = text.replace(".eyJpc3MiOiJqb2Ui", ".eyJpc3MiOiJqb2Uj");
        assert!(!Parts::of(&altered)
            .unwrap()
            .is_signed_by(&key, Algorithm::ES256));
    }

    /// RFC 8037, appendix A.4.
    #[test]
    fn the_signature_of_rfc_8037_holds() {
        let text = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PG\
                    cvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
        let x = base64url::decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo").unwrap();
        let key = PublicKey::Ed25519(x.try_into().unwrap());
        let parts = Parts::of(text).unwrap();
        assert_eq!(parts.payload, b"Example of Ed25519 signing");
        assert!(parts.is_signed_by(&key, Algorithm::EdDSA));
        assert!(Jws::parse(text.as_bytes()).is_err());
    }

    #[test]
    fn a_header_of_another_form_is_refused() {
        let signer = Identity([0xab; 16]);
        let right = header("ES256", &signer, 65537);
        let read = (Algorithm::ES256, signer, 65537);
        assert_eq!(read_header(right.as_bytes()), Some(read));
        for (from, to) in [
            ("ES256", "none"),
            ("ES256", "HS256"),
            ("cf1-reading", "cf1-command"),
            ("senml+json", "json"),
            ("0000000000010001", "10001"),
            ("0000000000010001", "+000000000010001"),
            ("0000000000010001", "000000000001000G"),
            ("\"sn\"", "\"crit\":[\"sn\"],\"sn\""),
            ("abab", "ABAB"),
            (",\"kid\"", ", \"kid\""),
            ("}", ",\"alg\":\"ES256\"}"),
            ("}", "} "),
            ("{", ""),
        ] {
            let other = right.replacen(from, to, 1);
            assert_ne!(other, right);
            assert_eq!(read_header(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn an_object_has_the_sizes_that_it_has_to_have() {
        let header = base64url::encode(header("Ed25519", &Identity([1; 16]), 5).as_bytes());
        let of = |payload: &str, signature: usize| {
            let signature = base64url::encode(&vec![7; signature]);
            format!("{header}.{payload}.{signature}")
        };
        let sound = of("e30", 64);
        let object = Jws::parse(sound.as_bytes()).unwrap();
        assert_eq!((object.payload(), object.sequence), (&b"{}"[..], 5));
        for length in [0, 63, 65] {
            assert!(Jws::parse(of("e30", length).as_bytes()).is_err());
        }
        let rest = sound.len() - 3;
        for (length, is_right) in [(OBJECT_MAX - rest, true), (OBJECT_MAX - rest + 1, false)] {
            // The last character has bits that are zero, if its group is not whole.
            let object = of(&"A".repeat(length), 64);
            assert_ne!(length % 4, 1);
            assert_eq!(Jws::parse(object.as_bytes()).is_ok(), is_right, "{length}");
        }
        for spoilt in [
            sound.replace('.', ""),
            sound.replacen('.', "", 1),
            format!("{sound}."),
            sound.replace("e30", "e3 "),
            sound.replace("e30", "\u{fc}"),
            String::new(),
        ] {
            assert!(Jws::parse(spoilt.as_bytes()).is_err(), "{spoilt}");
        }
        assert!(Jws::parse(&[sound.as_bytes(), b"\xff"].concat()).is_err());
    }

    #[test]
    fn two_objects_are_the_same_but_for_the_twin_of_a_signature() {
        let of = |algorithm: &str, payload: &str, signature: [u8; 64]| {
            let header = header(algorithm, &Identity([1; 16]), 5);
            let header = base64url::encode(header.as_bytes());
            format!("{header}.{payload}.{}", base64url::encode(&signature))
        };
        let same = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|text| Jws::parse(text.as_bytes()).unwrap());
            one.is_same_as(&other)
        };
        let one = of("ES256", "e30", [7; 64]);
        assert!(same(&one, &one));
        assert!(!same(&one, &of("ES256", "e34", [7; 64])));
        assert!(!same(&one, &of("EdDSA", "e30", [7; 64])));
        assert!(!same(&one, &of("ES256", "e30", [8; 64])));
    }
}
