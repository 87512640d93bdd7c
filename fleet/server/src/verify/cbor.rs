// SPDX-License-Identifier: Apache-2.0
//! CBOR (RFC 8949): a reader that accepts what the protocol allows and nothing else, and a writer whose
//! output is deterministic. Libraries for CBOR accept more than one encoding of a value, which is
//! what a signed object must not have.

use super::Refusal;

/// How deep arrays, maps and tags may be nested.
const DEPTH: usize = 8;

const UINT: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;
const TAG: u8 = 6;
const SIMPLE: u8 = 7;

type Result<T> = std::result::Result<T, Refusal>;

/// Reads one item after the other.
#[derive(Clone)]
pub struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

/// What an item turned out to be; arrays and maps are entered by their count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    Int(i128),
    Bytes(&'a [u8]),
    Text(&'a str),
    Array(usize),
    Map(usize),
    Tag(u64),
    Bool(bool),
    Null,
    Float(f64),
}

impl<'a> Reader<'a> {
    /// A reader at the first byte.
    pub fn new(data: &'a [u8]) -> Self {
        Reader { data, at: 0 }
    }

    /// Where the next item begins.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The first byte of the next item, if there is one.
    pub fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count).ok_or(Refusal::Malformed)?;
        let bytes = self.data.get(self.at..end).ok_or(Refusal::Malformed)?;
        self.at = end;
        Ok(bytes)
    }

    /// Major type, the five bits below it, and the argument.
    fn head(&mut self) -> Result<(u8, u8, u64)> {
        let first = self.take(1)?[0];
        let (major, info) = (first >> 5, first & 31);
        let length = match info {
            0..=23 => return Ok((major, info, u64::from(info))),
            24..=27 => 1usize << (info - 24),
            _ => return Err(Refusal::Malformed), // reserved, or of indefinite length
        };
        let argument = self
            .take(length)?
            .iter()
            .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
        let least = match length {
            1 => 24,
            2 => 1 << 8,
            4 => 1 << 16,
            _ => 1 << 32,
        };
        if major != SIMPLE && argument < least {
            return Err(Refusal::Malformed); // would have fitted a shorter head
        }
        Ok((major, info, argument))
    }

    fn count(&self, argument: u64, least_size: usize) -> Result<usize> {
        let count = usize::try_from(argument).map_err(|_| Refusal::Malformed)?;
        let room = (self.data.len() - self.at) / least_size;
        if count > room {
            return Err(Refusal::Malformed);
        }
        Ok(count)
    }

    /// The next item, whatever it is.
    pub fn item(&mut self) -> Result<Item<'a>> {
        let (major, info, argument) = self.head()?;
        Ok(match major {
            UINT => Item::Int(i128::from(argument)),
            NEGATIVE => Item::Int(-1 - i128::from(argument)),
            BYTES => {
                let count = self.count(argument, 1)?;
                Item::Bytes(self.take(count)?)
            }
            TEXT => {
                let count = self.count(argument, 1)?;
                let text = std::str::from_utf8(self.take(count)?);
                Item::Text(text.map_err(|_| Refusal::Malformed)?)
            }
            ARRAY => Item::Array(self.count(argument, 1)?),
            MAP => Item::Map(self.count(argument, 2)?),
            TAG => Item::Tag(argument),
            _ => simple(info, argument)?,
        })
    }

    /// An integer that fits.
    pub fn int<T: TryFrom<i128>>(&mut self) -> Result<T> {
        match self.item()? {
            Item::Int(value) => T::try_from(value).map_err(|_| Refusal::Malformed),
            _ => Err(Refusal::Malformed),
        }
    }

    /// A byte string.
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        match self.item()? {
            Item::Bytes(value) => Ok(value),
            _ => Err(Refusal::Malformed),
        }
    }

    /// A byte string of that many bytes.
    pub fn bytes_of<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.bytes()?.try_into().map_err(|_| Refusal::Malformed)
    }

    /// A text string.
    pub fn text(&mut self) -> Result<&'a str> {
        match self.item()? {
            Item::Text(value) => Ok(value),
            _ => Err(Refusal::Malformed),
        }
    }

    /// An array's count.
    pub fn array(&mut self) -> Result<usize> {
        match self.item()? {
            Item::Array(count) => Ok(count),
            _ => Err(Refusal::Malformed),
        }
    }

    /// A map's count of pairs.
    pub fn map(&mut self) -> Result<usize> {
        match self.item()? {
            Item::Map(count) => Ok(count),
            _ => Err(Refusal::Malformed),
        }
    }

    /// Passes over one item with what is in it, and gives its bytes.
    pub fn skip(&mut self) -> Result<&'a [u8]> {
        let start = self.at;
        self.skip_item(DEPTH)?;
        Ok(&self.data[start..self.at])
    }

    fn skip_item(&mut self, depth: usize) -> Result<()> {
        let inner = depth.checked_sub(1).ok_or(Refusal::Malformed)?;
        match self.item()? {
            Item::Array(count) => (0..count).try_for_each(|_| self.skip_item(inner)),
            Item::Map(count) => {
                let mut keys = Vec::new();
                for _ in 0..count {
                    let start = self.at;
                    self.skip_item(inner)?;
                    let key = &self.data[start..self.at];
                    if keys.contains(&key) {
                        return Err(Refusal::Malformed);
                    }
                    keys.push(key);
                    self.skip_item(inner)?;
                }
                Ok(())
            }
            Item::Tag(_) => self.skip_item(inner),
            _ => Ok(()),
        }
    }

    /// That nothing is left.
    pub fn end(&self) -> Result<()> {
        if self.at == self.data.len() {
            Ok(())
        } else {
            Err(Refusal::Malformed)
        }
    }
}

fn simple(info: u8, argument: u64) -> Result<Item<'static>> {
    Ok(match info {
        20 => Item::Bool(false),
        21 => Item::Bool(true),
        22 => Item::Null,
        25 => Item::Float(half(argument as u16)),
        26 => Item::Float(f64::from(f32::from_bits(argument as u32))),
        27 => Item::Float(f64::from_bits(argument)),
        _ => return Err(Refusal::Malformed),
    })
}

/// A float of 16 bits (RFC 8949, appendix D).
fn half(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023);
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (fraction + 1024.0) * 2f64.powi(exponent - 25),
    };
    if bits & 0x8000 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// Appends items to bytes.
#[derive(Default)]
pub struct Writer {
    data: Vec<u8>,
}

impl Writer {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn head(&mut self, major: u8, argument: u64) -> &mut Self {
        let bytes = argument.to_be_bytes();
        let (info, from) = match argument {
            0..=23 => (argument as u8, 8),
            24..=0xff => (24, 7),
            0x100..=0xffff => (25, 6),
            0x1_0000..=0xffff_ffff => (26, 4),
            _ => (27, 0),
        };
        self.data.push(major << 5 | info);
        self.data.extend_from_slice(&bytes[from..]);
        self
    }

    /// An integer of 64 bits and a sign.
    pub fn int(&mut self, value: i64) -> &mut Self {
        match u64::try_from(value) {
            Ok(positive) => self.head(UINT, positive),
            Err(_) => self.head(NEGATIVE, !value as u64),
        }
    }

    /// An unsigned integer.
    pub fn uint(&mut self, value: u64) -> &mut Self {
        self.head(UINT, value)
    }

    /// A byte string.
    pub fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.head(BYTES, value.len() as u64).raw(value)
    }

    /// A text string.
    pub fn text(&mut self, value: &str) -> &mut Self {
        self.head(TEXT, value.len() as u64).raw(value.as_bytes())
    }

    /// The head of an array.
    pub fn array(&mut self, count: usize) -> &mut Self {
        self.head(ARRAY, count as u64)
    }

    /// The head of a map.
    pub fn map(&mut self, pairs: usize) -> &mut Self {
        self.head(MAP, pairs as u64)
    }

    /// Null.
    pub fn null(&mut self) -> &mut Self {
        self.raw(&[SIMPLE << 5 | 22])
    }

    /// An item that is encoded already.
    pub fn raw(&mut self, encoded: &[u8]) -> &mut Self {
        self.data.extend_from_slice(encoded);
        self
    }

    /// What was written.
    pub fn done(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(bytes: &[u8]) -> Result<Item<'_>> {
        let mut reader = Reader::new(bytes);
        let item = reader.item()?;
        reader.end()?;
        Ok(item)
    }

    /// RFC 8949, appendix A.
    #[test]
    fn items_of_the_rfc_are_read() {
        let rows: &[(&[u8], Item)] = &[
            (
                b"\x1b\xff\xff\xff\xff\xff\xff\xff\xff",
                Item::Int(18_446_744_073_709_551_615),
            ),
            (
                b"\x3b\xff\xff\xff\xff\xff\xff\xff\xff",
                Item::Int(-18_446_744_073_709_551_616),
            ),
            (b"\x39\x03\xe7", Item::Int(-1000)),
            (b"\xf9\x3e\x00", Item::Float(1.5)),
            (b"\xf9\x00\x01", Item::Float(5.960464477539063e-8)),
            (b"\xf9\xc4\x00", Item::Float(-4.0)),
            (b"\xfa\x47\xc3\x50\x00", Item::Float(100_000.0)),
            (b"\xf5", Item::Bool(true)),
            (b"\xf6", Item::Null),
            (b"\x44\x01\x02\x03\x04", Item::Bytes(&[1, 2, 3, 4])),
            (b"\x62\xc3\xbc", Item::Text("\u{fc}")),
        ];
        for (bytes, item) in rows {
            assert_eq!(only(bytes), Ok(*item), "{bytes:02x?}");
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
            b"\x9f\xff",
            b"\xf8\x16",
            b"\x1c",
            b"\x01\x01",
            b"\x61\xff",
            b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
            b"",
        ] {
            assert_eq!(only(bytes), Err(Refusal::Malformed), "{bytes:02x?}");
        }
    }

    #[test]
    fn skipping_refuses_what_is_too_deep_and_keys_that_repeat() {
        let seven = [&[0x81; 7][..], &[0]].concat();
        let eight = [&[0x81; 8][..], &[0]].concat();
        assert!(Reader::new(&seven).skip().is_ok());
        assert_eq!(Reader::new(&eight).skip(), Err(Refusal::Malformed));
        assert!(Reader::new(b"\xa2\x01\x00\x02\x00").skip().is_ok());
        assert_eq!(
            Reader::new(b"\xa2\x01\x00\x01\x00").skip(),
            Err(Refusal::Malformed)
        );
    }

    #[test]
    fn what_is_written_is_read() {
        for value in [
            0,
            23,
            24,
            255,
            256,
            65_535,
            65_536,
            1 << 32,
            i64::MAX,
            -1,
            -25,
            i64::MIN,
        ] {
            let bytes = Writer::new().int(value).done();
            assert_eq!(only(&bytes), Ok(Item::Int(i128::from(value))));
        }
    }
}
