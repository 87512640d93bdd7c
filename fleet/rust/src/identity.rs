// SPDX-License-Identifier: Apache-2.0
//! Public keys, the identities that are hashes of them, and their labels (section 1 of the protocol).

use std::fmt;
use std::str::FromStr;

use ring::digest;

use crate::cbor::{self, Value};
use crate::Refusal;

/// How many identities a group has at most.
pub const GROUP_MAX: usize = 32;

/// The 128 bits that name a device or a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity(pub [u8; 16]);

impl Identity {
    /// The identity of a device.
    pub fn of_device(signing: &PublicKey, kind: &str, agreement: Option<&PublicKey>) -> Self {
        let agreement = agreement.map_or(Value::Null, PublicKey::to_value);
        Self::hash(&cbor::array([
            "cf1-id".into(),
            signing.to_value(),
            kind.into(),
            agreement,
        ]))
    }

    /// The identity of a group whose members are ascending, none twice.
    pub fn of_group(members: &[Identity]) -> Self {
        let members = members.iter().map(Value::from).collect();
        Self::hash(&cbor::array(["cf1-group".into(), Value::Array(members)]))
    }

    fn hash(input: &[u8]) -> Self {
        let mut first = [0; 16];
        first.copy_from_slice(&digest::digest(&digest::SHA256, input).as_ref()[..16]);
        Identity(first)
    }

    /// The text for people: groups of four digits, and a check digit.
    pub fn label(&self) -> String {
        let digits = self.to_string();
        let groups: Vec<&str> = (0..8)
            .map(|group| &digits[group * 4..group * 4 + 4])
            .collect();
        format!("{};{}", groups.join("-"), check_digit(&digits))
    }

    /// The content of the QR code.
    pub fn scan_text(&self) -> String {
        format!("CF1:{}", self.to_string().to_uppercase())
    }

    /// The last eight digits: to tell devices apart, never to trust one.
    pub fn short(&self) -> String {
        self.to_string()[24..].to_string()
    }
}

/// Luhn's check digit modulo 16, as RFC 6920 section 7 appends it.
fn check_digit(digits: &str) -> char {
    let values = digits
        .chars()
        .rev()
        .map(|digit| digit.to_digit(16).unwrap_or(0));
    let total: u32 = values
        .enumerate()
        .map(|(place, digit)| if place % 2 == 0 { digit * 2 } else { digit })
        .map(|digit| digit / 16 + digit % 16)
        .sum();
    char::from_digit((16 - total % 16) % 16, 16).unwrap_or('0')
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: String = self
            .0
            .iter()
            .flat_map(|byte| [byte >> 4, byte & 15])
            .filter_map(|digit| char::from_digit(digit.into(), 16))
            .collect();
        formatter.write_str(&digits)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Why text is no identity.
#[derive(Debug, PartialEq, Eq)]
pub enum BadLabel {
    /// Not 32 hexadecimal digits.
    Digits,
    /// The check digit is another one: there is a slip of the pen.
    CheckDigit,
}

impl fmt::Display for BadLabel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            BadLabel::Digits => "an identity has 32 hexadecimal digits",
            BadLabel::CheckDigit => "the check digit does not fit: one of the digits is wrong",
        })
    }
}

impl std::error::Error for BadLabel {}

impl FromStr for Identity {
    type Err = BadLabel;

    /// Reads digits, the text of a label with or without its check digit, and the
    /// content of a QR code.
    fn from_str(text: &str) -> Result<Self, BadLabel> {
        let text = text.trim();
        let text = text
            .strip_prefix("CF1:")
            .or(text.strip_prefix("cf1:"))
            .unwrap_or(text);
        let (digits, check) = match text.split_once(';') {
            Some((digits, check)) => (digits, Some(check)),
            None => (text, None),
        };
        let digits: String = digits
            .chars()
            .filter(|c| *c != '-')
            .map(|c| c.to_ascii_lowercase())
            .collect();
        if digits.len() != 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(BadLabel::Digits);
        }
        if check.is_some_and(|check| !check.eq_ignore_ascii_case(&check_digit(&digits).to_string()))
        {
            return Err(BadLabel::CheckDigit);
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| BadLabel::Digits)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| BadLabel::Digits)?;
        }
        Ok(Identity(bytes))
    }
}

/// A public key of the kinds that the protocol knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicKey {
    /// `04`, x and y.
    P256([u8; 65]),
    /// For signatures.
    Ed25519([u8; 32]),
    /// Only for agreement.
    X25519([u8; 32]),
}

/// Labels of a COSE_Key, ascending in their encoding.
const KTY: i64 = 1;
const CRV: i64 = -1;
const X: i64 = -2;
const Y: i64 = -3;

const KTY_OKP: i64 = 1;
const KTY_EC2: i64 = 2;
const CRV_P256: i64 = 1;
const CRV_X25519: i64 = 4;
const CRV_ED25519: i64 = 6;

impl PublicKey {
    /// Reads a COSE_Key with just the members that RFC 9679 hashes.
    pub fn read(value: &Value) -> Result<Self, Refusal> {
        let members = value.as_map().ok_or(Refusal::Malformed)?;
        let member = |label: i64| {
            let found = members.iter().find(|(key, _)| *key == label.into());
            found.map(|(_, value)| value).ok_or(Refusal::Malformed)
        };
        let x = cbor::bytes_of(member(X)?)?;
        let key = match (cbor::int(member(KTY)?)?, cbor::int(member(CRV)?)?) {
            (KTY_EC2, CRV_P256) => {
                let y: [u8; 32] = cbor::bytes_of(member(Y)?)?;
                let mut point = [4; 65];
                point[1..33].copy_from_slice(&x);
                point[33..].copy_from_slice(&y);
                PublicKey::P256(point)
            }
            (KTY_OKP, CRV_ED25519) => PublicKey::Ed25519(x),
            (KTY_OKP, CRV_X25519) => PublicKey::X25519(x),
            _ => return Err(Refusal::Malformed),
        };
        if key.to_value() == *value {
            Ok(key)
        } else {
            Err(Refusal::Malformed)
        }
    }

    /// The COSE_Key, as it is hashed.
    pub fn to_value(&self) -> Value {
        let (kty, curve, coordinates) = match self {
            PublicKey::P256(point) => (KTY_EC2, CRV_P256, point[1..].chunks(32)),
            PublicKey::Ed25519(x) => (KTY_OKP, CRV_ED25519, x.chunks(32)),
            PublicKey::X25519(x) => (KTY_OKP, CRV_X25519, x.chunks(32)),
        };
        let mut members = vec![(KTY.into(), kty.into()), (CRV.into(), curve.into())];
        for (label, coordinate) in [X, Y].into_iter().zip(coordinates) {
            members.push((label.into(), coordinate.into()));
        }
        Value::Map(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6920, section 8.2: the check digit of the 120 bits is f, that of the 32 bits b.
    #[test]
    fn check_digits_are_those_of_the_rfc() {
        assert_eq!(check_digit("53269057e12fe2b74ba07c892560a2"), 'f');
        assert_eq!(check_digit("53269057"), 'b');
    }

    #[test]
    fn labels_are_read_in_all_their_forms() {
        let digits = "ae31580c8def1fbf0dd5ed28b72fb79b";
        let identity: Identity = digits.parse().unwrap();
        assert_eq!(
            identity.label(),
            "ae31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;a"
        );
        for text in [
            digits,
            &identity.label(),
            &identity.scan_text(),
            &digits.to_uppercase(),
        ] {
            assert_eq!(text.parse(), Ok(identity), "{text}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_noticed() {
        let swapped = "ea31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;a";
        assert_eq!(swapped.parse::<Identity>(), Err(BadLabel::CheckDigit));
        assert_eq!("ae31".parse::<Identity>(), Err(BadLabel::Digits));
        assert_eq!(
            "\u{fc}".repeat(16).parse::<Identity>(),
            Err(BadLabel::Digits)
        );
    }

    #[test]
    fn a_key_has_the_members_that_are_hashed_and_no_other() {
        let (x, y) = (Value::from(vec![1u8; 32]), Value::from(vec![2u8; 32]));
        let of = |members: &[(i64, Value)]| {
            let members = members.iter();
            let members = members.map(|(label, value)| ((*label).into(), value.clone()));
            PublicKey::read(&Value::Map(members.collect()))
        };
        let mut point = [4; 65];
        point[1..33].fill(1);
        point[33..].fill(2);
        let p256 = [
            (1, 2.into()),
            (-1, 1.into()),
            (-2, x.clone()),
            (-3, y.clone()),
        ];
        let ed25519 = [(1, 1.into()), (-1, 6.into()), (-2, x.clone())];
        let x25519 = [(1, 1.into()), (-1, 4.into()), (-2, x.clone())];
        assert_eq!(of(&p256), Ok(PublicKey::P256(point)));
        assert_eq!(of(&ed25519), Ok(PublicKey::Ed25519([1; 32])));
        assert_eq!(of(&x25519), Ok(PublicKey::X25519([1; 32])));
        for whole in [&p256[..], &ed25519, &x25519] {
            for left_out in 0..whole.len() {
                let members = [&whole[..left_out], &whole[left_out + 1..]].concat();
                assert_eq!(of(&members), Err(Refusal::Malformed), "{members:?}");
            }
            let mut turned = whole.to_vec();
            turned.swap(0, 1);
            assert_eq!(of(&turned), Err(Refusal::Malformed));
            // The identifier of the key, its algorithm, its operations, y of Ed25519, the secret half.
            for label in [2, 3, 4, -3, -4] {
                let extra = [whole, &[(label, y.clone())]].concat();
                assert_eq!(of(&extra), Err(Refusal::Malformed), "{extra:?}");
            }
            for (place, value) in [
                (0, Value::from(3)),
                (0, Value::from(if whole.len() == 4 { 1 } else { 2 })),
                (1, Value::from(2)),
                (1, Value::from("P-256")),
                (2, Value::from(vec![1u8; 31])),
                (2, Value::from(vec![1u8; 33])),
                (2, Value::Null),
            ] {
                let mut changed = whole.to_vec();
                changed[place].1 = value;
                assert_eq!(of(&changed), Err(Refusal::Malformed), "{changed:?}");
            }
        }
        // The sign of y in its place, as in a compressed point.
        let compressed = [&p256[..3], &[(-3, Value::from(true))]].concat();
        assert_eq!(of(&compressed), Err(Refusal::Malformed));
    }

    #[test]
    fn texts_for_people_name_the_device_and_the_slip() {
        let identity: Identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
        assert_eq!(identity.short(), "b72fb79b");
        assert_eq!(format!("{identity:?}"), identity.to_string());
        assert!(BadLabel::Digits.to_string().contains("32 hexadecimal"));
        assert!(BadLabel::CheckDigit.to_string().contains("check digit"));
    }
}
