// SPDX-License-Identifier: Apache-2.0
//! CBOR (RFC 8949) by ciborium, held to one encoding of each value: the deterministic one (section 4.2.1). The
//! library accepts others, which a signed object must not have.

pub use coset::cbor::Value;
use coset::cbor::{de, ser};

use crate::{Identity, Refusal};

/// The tags of integers that are written as strings of bytes (RFC 8949, section 3.4.3).
const BIG: [u64; 2] = [2, 3];

/// The NaN that is written as f9 7e 00.
const NAN: u64 = 0x7ff8 << 48;

/// How deep arrays, maps and tags may be nested; in JSON, too.
pub const DEPTH: usize = 8;

type Result<T> = std::result::Result<T, Refusal>;

/// Reads bytes that are one value.
pub fn parse(bytes: &[u8]) -> Result<Value> {
    let mut rest = bytes;
    let (value, _) = next(&mut rest)?;
    rest.is_empty().then_some(value).ok_or(Refusal::Malformed)
}

/// Reads bytes that are one value after the other (RFC 8742), and no more than so many: each, and its encoding.
pub fn sequence(bytes: &[u8], most: usize) -> Result<Vec<(Value, &[u8])>> {
    let mut rest = bytes;
    let mut values = Vec::new();
    while !rest.is_empty() {
        if values.len() == most {
            return Err(Refusal::Malformed);
        }
        values.push(next(&mut rest)?);
    }
    Ok(values)
}

/// Reads the value that bytes begin with, which are those behind it afterwards.
fn next<'a>(rest: &mut &'a [u8]) -> Result<(Value, &'a [u8])> {
    let whole = *rest;
    let value: Value =
        de::from_reader_with_recursion_limit(&mut *rest, DEPTH).map_err(|_| Refusal::Malformed)?;
    let bytes = &whole[..whole.len() - rest.len()];
    if is_sound(&value) && encode(&value) == bytes {
        Ok((value, bytes))
    } else {
        Err(Refusal::Malformed)
    }
}

/// Whether the keys of each map are integers and texts, and ascend, none twice, in their encoding; and nothing is written
/// in a second way that the library keeps apart from the first: a NaN with other bits, or an integer as a string, which
/// becomes a number only if it is short.
fn is_sound(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(is_sound),
        Value::Map(pairs) => {
            let keys: Vec<_> = pairs.iter().map(|(key, _)| encode(key)).collect();
            keys.is_sorted_by(|one, next| one < next)
                && pairs
                    .iter()
                    .all(|(key, value)| (key.is_integer() || key.is_text()) && is_sound(value))
        }
        Value::Tag(tag, inner) => !BIG.contains(tag) && is_sound(inner),
        Value::Float(number) => !number.is_nan() || number.to_bits() == NAN,
        _ => true,
    }
}

/// The encoding of a value, whose maps are as they are to be written.
pub fn encode(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(128);
    ser::into_writer(value, &mut bytes).expect("memory takes what is written");
    bytes
}

/// The encoding of an array.
pub fn array<const N: usize>(items: [Value; N]) -> Vec<u8> {
    encode(&Value::Array(items.into()))
}

/// The encoding of a map with keys that ascend.
pub fn map<const N: usize>(pairs: [(i64, Value); N]) -> Vec<u8> {
    let pairs = pairs.map(|(key, value)| (key.into(), value));
    encode(&Value::Map(pairs.into()))
}

/// An integer that fits.
pub fn int<T: TryFrom<i128>>(value: &Value) -> Result<T> {
    let integer = value.as_integer().ok_or(Refusal::Malformed)?;
    T::try_from(integer.into()).map_err(|_| Refusal::Malformed)
}

/// A byte string of that many bytes.
pub fn bytes_of<const N: usize>(value: &Value) -> Result<[u8; N]> {
    let bytes = value.as_bytes().ok_or(Refusal::Malformed)?;
    bytes.as_slice().try_into().map_err(|_| Refusal::Malformed)
}

/// An array of that many items.
pub fn items<const N: usize>(value: Value) -> Result<[Value; N]> {
    value
        .into_array()?
        .try_into()
        .map_err(|_| Refusal::Malformed)
}

/// A value is of another kind than it has to be.
impl From<Value> for Refusal {
    fn from(_: Value) -> Self {
        Refusal::Malformed
    }
}

impl From<&Identity> for Value {
    fn from(identity: &Identity) -> Self {
        Value::from(&identity.0[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8949, appendix A.
    #[test]
    fn items_of_the_rfc_are_read() {
        let rows: &[(&[u8], Value)] = &[
            (b"\x1b\xff\xff\xff\xff\xff\xff\xff\xff", u64::MAX.into()),
            (b"\x39\x03\xe7", (-1000).into()),
            (b"\xf9\x3e\x00", 1.5.into()),
            (b"\xf9\x00\x01", 5.960464477539063e-8.into()),
            (b"\xf9\xc4\x00", (-4.0).into()),
            (b"\xfa\x47\xc3\x50\x00", 100_000.0.into()),
            (b"\xf5", true.into()),
            (b"\xf6", Value::Null),
            (b"\x44\x01\x02\x03\x04", vec![1u8, 2, 3, 4].into()),
            (b"\x62\xc3\xbc", "\u{fc}".into()),
        ];
        for (bytes, value) in rows {
            assert_eq!(parse(bytes).as_ref(), Ok(value), "{bytes:02x?}");
            assert_eq!(encode(value), *bytes);
        }
    }

    #[test]
    fn a_second_encoding_of_a_value_is_refused() {
        for bytes in [
            &b"\x18\x17"[..],
            b"\x19\x00\xff",
            b"\x1a\x00\x00\xff\xff",
            b"\x1b\x00\x00\x00\x00\xff\xff\xff\xff",
            b"\x58\x01\x00",
            b"\x5f\x41\x00\xff",
            b"\x7f\x61\x61\xff",
            b"\x9f\xff",
            b"\xbf\xff",
            b"\xc2\x41\x01", // a number as a string
            b"\xc2\x49\x01\x00\x00\x00\x00\x00\x00\x00\x00",
            b"\xc3\x49\x01\x00\x00\x00\x00\x00\x00\x00\x00",
            b"\xfa\x3f\xc0\x00\x00",     // 1.5 in four bytes
            b"\xa2\x02\x00\x01\x00",     // keys that descend
            b"\xa2\x20\x00\x18\x18\x00", // shorter first, as in RFC 7049
            b"\xa2\x01\x00\x01\x00",     // a key twice
            b"\x81\xa2\x02\x00\x01\x00", // within
            b"\xc1\xa2\x02\x00\x01\x00",
            b"\xa1\xa2\x02\x00\x01\x00\x00",
            b"\xf8\x16",
            b"\x1c",
            b"\x01\x01",
            b"\x61\xff",
            b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x5b\x7f\xff\xff\xff\xff\xff\xff\xff",
            b"",
        ] {
            assert_eq!(parse(bytes), Err(Refusal::Malformed), "{bytes:02x?}");
        }
    }

    #[test]
    fn values_one_after_the_other_are_read_each_with_its_own_bytes() {
        let read = sequence(b"\x81\x00\x61e\xf6", 3).unwrap();
        let bytes: Vec<_> = read.iter().map(|(_, bytes)| *bytes).collect();
        assert_eq!(bytes, [&b"\x81\x00"[..], b"\x61e", b"\xf6"]);
        assert_eq!(sequence(b"", 0), Ok(Vec::new()));
        for spoilt in [&b"\x00\x18\x17"[..], b"\x00\x81", b"\xff", b"\x00\x00\x00"] {
            assert_eq!(
                sequence(spoilt, 2),
                Err(Refusal::Malformed),
                "{spoilt:02x?}"
            );
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        let nested = |depth| [vec![0x81; depth], vec![0]].concat();
        assert!(parse(&nested(DEPTH)).is_ok());
        assert_eq!(parse(&nested(DEPTH + 1)), Err(Refusal::Malformed));
        let tagged = |depth| [vec![0xc1; depth], vec![0]].concat();
        assert_eq!(parse(&tagged(1000)), Err(Refusal::Malformed));
    }

    #[test]
    fn keys_are_integers_and_texts_and_there_is_one_nan() {
        for bytes in [
            &b"\xa1\x00\x00"[..],
            b"\xa1\x20\x00",
            b"\xa1\x61a\x00",
            b"\xf9\x7e\x00",
            b"\xf9\x7c\x00",
        ] {
            assert!(parse(bytes).is_ok(), "{bytes:02x?}");
        }
        for bytes in [
            &b"\xa1\x41a\x00"[..],
            b"\xa1\xf5\x00",
            b"\xa1\xf6\x00",
            b"\xa1\x80\x00",
            b"\xa1\xf9\x3e\x00\x00",
            b"\xf9\x7e\x01",
            b"\xf9\xfe\x00",
            b"\xfb\x7f\xf8\x00\x00\x00\x00\x00\x01",
        ] {
            assert_eq!(parse(bytes), Err(Refusal::Malformed), "{bytes:02x?}");
        }
    }
}
