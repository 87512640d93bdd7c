// SPDX-License-Identifier: Apache-2.0
//! The properties of a topic (draft-ietf-core-coap-pubsub, section 2.2.1): a map, read
//! strictly. How it is encoded is the sender's choice, because it is not signed.

use std::collections::BTreeMap;
use std::time::Duration;

use coset::cbor::{de, Value};

use crate::directory::links;
use crate::verify::cbor;

pub use crate::verify::pubsub::{
    DATA, EXPIRATION_DATE, INITIALIZE, MAX_SUBSCRIBERS, OBSERVER_CHECK, RESOURCE_TYPE,
    TOPIC_CONTENT_FORMAT, TOPIC_DATA, TOPIC_NAME, TOPIC_TYPE,
};

/// The permanent properties of a topic, set by its creation.
const FIXED: [u8; 4] = [TOPIC_NAME, TOPIC_DATA, RESOURCE_TYPE, INITIALIZE];

/// How many bytes a name or type may have, and a reference.
const TEXT_MAX: usize = 64;
const REFERENCE_MAX: usize = 255;

/// The tag of a date (RFC 8949, section 3.4.2).
const DATE: u64 = 1;

/// A later time never comes.
const AGES: f64 = 100.0 * 365.0 * 86_400.0;

/// How deep a value may be nested: a tag in a map.
const DEPTH: usize = 4;

/// That a map says nothing about a topic, or not in that way.
#[derive(Debug, PartialEq, Eq)]
pub struct BadProperties;

/// Properties, each of the right kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties(BTreeMap<u8, Value>);

fn parse(payload: &[u8]) -> Result<Value, BadProperties> {
    let mut rest = payload;
    let value = de::from_reader_with_recursion_limit(&mut rest, DEPTH);
    match (value, rest) {
        (Ok(value), []) => Ok(value),
        _ => Err(BadProperties),
    }
}

fn key(value: &Value) -> Result<u8, BadProperties> {
    let key = cbor::int(value).map_err(|_| BadProperties)?;
    (key <= INITIALIZE).then_some(key).ok_or(BadProperties)
}

/// The keys that a request names, as an array.
pub fn keys(payload: &[u8]) -> Result<Vec<u8>, BadProperties> {
    let items = parse(payload)?.into_array().map_err(|_| BadProperties)?;
    items.iter().map(key).collect()
}

fn is_plain(text: &str, longest: usize) -> bool {
    text.len() <= longest && !text.contains(char::is_control)
}

fn is_text(value: &Value, longest: usize) -> bool {
    value.as_text().is_some_and(|text| is_plain(text, longest))
}

/// Whether a topic can have this name, unless it is another's.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && is_plain(text, TEXT_MAX)
}

/// Our types are ours: a search for configurations finds no data.
fn is_resource_type(value: &Value) -> bool {
    let text = value.as_text().unwrap_or_default();
    let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    let is_ours = text.starts_with("core.") && text != DATA;
    is_word && !is_ours && !text.contains(['"', '\\']) && text.len() <= TEXT_MAX
}

fn is_number(value: &Value, least: u32, most: u32) -> bool {
    cbor::int::<u32>(value).is_ok_and(|number| (least..=most).contains(&number))
}

fn date(value: &Value) -> Option<f64> {
    let seconds = match value {
        Value::Tag(DATE, inner) => match inner.as_ref() {
            Value::Integer(number) => i64::try_from(*number).ok()? as f64,
            Value::Float(number) => *number,
            _ => return None,
        },
        _ => return None,
    };
    seconds.is_finite().then_some(seconds)
}

fn is_sound(key: u8, value: &Value) -> bool {
    match key {
        TOPIC_NAME => value.as_text().is_some_and(is_name),
        TOPIC_DATA => {
            is_text(value, REFERENCE_MAX) && value.as_text().is_some_and(links::is_reference)
        }
        RESOURCE_TYPE => is_resource_type(value),
        TOPIC_CONTENT_FORMAT => is_number(value, 0, u16::MAX.into()),
        TOPIC_TYPE => is_text(value, TEXT_MAX),
        EXPIRATION_DATE => date(value).is_some(),
        MAX_SUBSCRIBERS => is_number(value, 0, u32::MAX),
        OBSERVER_CHECK => is_number(value, 1, u32::MAX),
        _ => value.is_bytes(),
    }
}

impl Properties {
    /// Reads a map of known keys, none twice.
    pub fn parse(payload: &[u8]) -> Result<Self, BadProperties> {
        let mut properties = BTreeMap::new();
        for (name, value) in parse(payload)?.into_map().map_err(|_| BadProperties)? {
            let name = key(&name)?;
            if !is_sound(name, &value) || properties.insert(name, value).is_some() {
                return Err(BadProperties);
            }
        }
        Ok(Properties(properties))
    }

    /// With one more, which is known to be sound.
    pub fn with(mut self, key: u8, value: impl Into<Value>) -> Self {
        self.0.insert(key, value.into());
        self
    }

    pub fn has(&self, key: u8) -> bool {
        self.0.contains_key(&key)
    }

    pub fn keys(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.keys().copied()
    }

    pub fn text(&self, key: u8) -> Option<&str> {
        self.0.get(&key)?.as_text()
    }

    pub fn number(&self, key: u8) -> Option<u32> {
        cbor::int(self.0.get(&key)?).ok()
    }

    pub fn bytes(&self, key: u8) -> Option<&[u8]> {
        self.0.get(&key)?.as_bytes().map(Vec::as_slice)
    }

    /// Whether these contain all wanted properties, with the same values.
    pub fn hold(&self, wanted: &Properties) -> bool {
        let mut wanted = wanted.0.iter();
        wanted.all(|(key, value)| self.0.get(key) == Some(value))
    }

    /// The map of these, or of those among them that are named.
    pub fn encode(&self, named: Option<&[u8]>) -> Vec<u8> {
        let of_name = |key: &u8| named.is_none_or(|named| named.contains(key));
        let pairs = self.0.iter().filter(|(key, _)| of_name(key));
        let pairs = pairs.map(|(key, value)| (Value::from(*key), value.clone()));
        cbor::encode(&Value::Map(pairs.collect()))
    }

    /// These with others put in their place, all but the fixed ones (POST), or only those that are said (iPATCH).
    /// A fixed property may be repeated unchanged.
    pub fn changed(&self, new: &Properties, is_replaced: bool) -> Result<Self, BadProperties> {
        let is_fixed = |key: &u8| FIXED.contains(key);
        let mut fixed = new.0.iter().filter(|(key, _)| is_fixed(key));
        if fixed.any(|(key, value)| self.0.get(key) != Some(value)) {
            return Err(BadProperties);
        }
        let mut properties = self.0.clone();
        properties.retain(|key, _| !is_replaced || is_fixed(key));
        properties.extend(new.0.clone());
        Ok(Properties(properties))
    }

    /// How long it is to the expiration date, if that comes at all; an error if it is past.
    pub fn lifetime(&self, unix: u64) -> Result<Option<Duration>, BadProperties> {
        let Some(date) = self.0.get(&EXPIRATION_DATE).and_then(date) else {
            return Ok(None);
        };
        let left = date - unix as f64 / 1000.0;
        if left <= 0.0 {
            return Err(BadProperties);
        }
        Ok((left < AGES).then(|| Duration::from_secs_f64(left)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(key: u8, value: Value) -> Result<Properties, BadProperties> {
        Properties::parse(&cbor::map([(key.into(), value)]))
    }

    fn tagged(tag: u64, value: impl Into<Value>) -> Value {
        Value::Tag(tag, Box::new(value.into()))
    }

    #[test]
    fn what_is_read_is_written_again_in_the_order_of_its_keys() {
        // Keys that descend, a number in more bytes than it needs, a map without an end.
        let read = Properties::parse(b"\xbf\x03\x19\x00\x12\x00\x61a\xff").unwrap();
        assert_eq!(read.encode(None), b"\xa2\x00\x61a\x03\x12");
        assert_eq!(read.encode(Some(&[3, 4])), b"\xa1\x03\x12");
        assert_eq!(keys(b"\x82\x00\x03"), Ok(vec![0, 3]));
        assert_eq!(keys(b"\x81\x09"), Err(BadProperties));
        assert_eq!(keys(b"\xa0"), Err(BadProperties));
    }

    #[test]
    fn what_says_nothing_of_a_topic_is_refused() {
        for payload in [
            &b""[..],
            b"\x80",
            b"\xa1\x09\x00",             // an unknown key
            b"\xa1\x20\x00",             // a negative one
            b"\xa1\x61a\x00",            // one that is text
            b"\xa2\x03\x00\x03\x01",     // a key twice
            b"\xa0\x00",                 // something behind it
            b"\xa1\x03",                 // a value missing
            b"\xa1\x08\x81\x81\x81\x81", // nested
            b"\xa1\x00\x7b\x7f\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert_eq!(Properties::parse(payload), Err(BadProperties));
        }
    }

    #[test]
    fn each_value_is_of_its_kind() {
        let long = "n".repeat(TEXT_MAX);
        for (key, sound) in [
            (TOPIC_NAME, long.as_str().into()),
            (TOPIC_NAME, "<b>\"'; --".into()),
            (TOPIC_DATA, "coap://[2001:db8::1]/t".into()),
            (RESOURCE_TYPE, "core.ps.data".into()),
            (RESOURCE_TYPE, "oic.r.light".into()),
            (TOPIC_CONTENT_FORMAT, 65_535.into()),
            (EXPIRATION_DATE, tagged(1, 1_800_000_000)),
            (EXPIRATION_DATE, tagged(1, 1.5)),
            (MAX_SUBSCRIBERS, 0.into()),
            (OBSERVER_CHECK, 1.into()),
            (INITIALIZE, vec![1u8].into()),
        ] {
            assert!(value(key, sound).is_ok(), "{key}");
        }
        for (key, wrong) in [
            (TOPIC_NAME, "".into()),
            (TOPIC_NAME, (long.clone() + "n").into()),
            (TOPIC_NAME, "a\u{1b}[2J".into()),
            (TOPIC_NAME, 1.into()),
            (TOPIC_DATA, "//evil/x".into()),
            (TOPIC_DATA, "/x>;rt=\"y".into()),
            (RESOURCE_TYPE, "core.ps.conf".into()),
            (RESOURCE_TYPE, "core.ps.data x".into()),
            (RESOURCE_TYPE, "x\"".into()),
            (TOPIC_CONTENT_FORMAT, 65_536.into()),
            (TOPIC_CONTENT_FORMAT, (-1).into()),
            (TOPIC_TYPE, (long + "n").into()),
            (EXPIRATION_DATE, 1_800_000_000.into()),
            (EXPIRATION_DATE, tagged(0, "2026-11-24")),
            (EXPIRATION_DATE, tagged(1, f64::NAN)),
            (EXPIRATION_DATE, tagged(1, f64::INFINITY)),
            (OBSERVER_CHECK, 0.into()),
            (INITIALIZE, "text".into()),
            (INITIALIZE, Value::Null),
        ] {
            assert_eq!(value(key, wrong), Err(BadProperties), "{key}");
        }
    }

    #[test]
    fn what_is_fixed_is_not_changed_and_the_rest_is_replaced_or_merged() {
        let of = |pairs: &[(u8, i64)]| {
            let pairs = pairs.iter().map(|(key, value)| (*key, (*value).into()));
            Properties(pairs.collect())
        };
        let old = of(&[(0, 1), (2, 1), (4, 1), (6, 1)]);
        let new = of(&[(0, 1), (6, 2)]);
        let replaced = of(&[(0, 1), (2, 1), (6, 2)]);
        let merged = of(&[(0, 1), (2, 1), (4, 1), (6, 2)]);
        assert_eq!(old.changed(&new, true), Ok(replaced));
        assert_eq!(old.changed(&new, false), Ok(merged));
        for key in FIXED {
            assert_eq!(old.changed(&of(&[(key, 2)]), false), Err(BadProperties));
        }
    }

    #[test]
    fn a_date_is_a_time_from_now() {
        let until = |date: Value| value(EXPIRATION_DATE, date).unwrap().lifetime(10_500);
        let half = Duration::from_millis(500);
        assert_eq!(until(tagged(1, 11)), Ok(Some(half)));
        assert_eq!(until(tagged(1, 11.0)), Ok(Some(half)));
        for past in [tagged(1, 10), tagged(1, -1e300), tagged(1, i64::MIN)] {
            assert_eq!(until(past), Err(BadProperties));
        }
        for never in [tagged(1, 1e300), tagged(1, i64::MAX)] {
            assert_eq!(until(never), Ok(None));
        }
        assert_eq!(Properties::default().lifetime(0), Ok(None));
    }
}
