// SPDX-License-Identifier: Apache-2.0
//! SenML in CBOR and in JSON (RFC 8428): that a pack is one as the protocol has it, and its records resolved.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::cbor::{self, Value as Cbor};
use crate::{base64url, Refusal};

const RECORDS_MAX: usize = 64;
const NAME_MAX: usize = 64;
/// RFC 8428, section 4.1: an integer above zero; -0 in JSON is one to some readers, and none to others.
const VERSIONS: RangeInclusive<i64> = 1..=10;
/// Below this, time is relative to now (RFC 8428, section 4.5.3).
const ABSOLUTE: f64 = 268_435_456.0;

/// The measurements.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, with the base's added.
    Number(f64),
    /// A text.
    Text(String),
    /// Yes or no.
    Bool(bool),
    /// Data.
    Bytes(Vec<u8>),
    /// Only a sum is given.
    None,
}

/// Where a device's time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From no source: the device only counts since it was started.
    Running,
    /// From the broker at a registration, unsigned: it is as good as broker and network.
    Set,
    /// From the service that keeps its clock right.
    Synchronised,
}

impl Source {
    /// All of them, each with its label in a pack.
    const LABELS: [(&'static str, Source); 3] = [
        ("btrun", Source::Running),
        ("btset", Source::Set),
        ("btsync", Source::Synchronised),
    ];

    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Source::Running => "running",
            Source::Set => "set",
            Source::Synchronised => "synchronised",
        }
    }
}

/// How good the clock was when the reading was signed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// The source of its time.
    pub source: Source,
    /// Seconds since then; since the start, if it was never set.
    pub seconds: f64,
}

/// A record without need of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The name of the measurement, with the base's name in front.
    pub name: String,
    /// In which unit of RFC 8428.
    pub unit: Option<String>,
    /// The value itself.
    pub value: Value,
    /// The integral of the value over time, with the base's added.
    pub sum: Option<f64>,
    /// Unix time; the device does not know it if absent.
    pub time: Option<f64>,
    /// The state of the device's clock, if it has one.
    pub clock: Option<Clock>,
}

/// Values that apply from one record to those after it.
#[derive(Default)]
struct Base {
    name: String,
    unit: Option<String>,
    time: f64,
    value: f64,
    sum: f64,
    clock: Option<Clock>,
}

/// The fields of one record in the pack.
#[derive(Default)]
struct Fields {
    name: String,
    unit: Option<String>,
    value: Option<f64>,
    text: Option<String>,
    truth: Option<bool>,
    data: Option<Vec<u8>>,
    sum: Option<f64>,
    time: f64,
}

/// Reads and resolves a pack.
pub fn parse(pack: &[u8]) -> Result<Vec<Record>, Refusal> {
    resolve_all(cbor::parse(pack)?)
}

/// Reads and resolves a pack in JSON.
pub fn parse_json(pack: &[u8]) -> Result<Vec<Record>, Refusal> {
    let pack: Cbor = serde_json::from_slice(pack).map_err(|_| Refusal::Malformed)?;
    if !is_sound(&pack, cbor::DEPTH) {
        return Err(Refusal::Malformed);
    }
    let records = pack.into_array()?.into_iter().map(from_json);
    resolve_all(Cbor::Array(records.collect::<Result<_, _>>()?))
}

/// Whether a JSON value is nested so deep at most, and no name comes twice in an
/// object: that has no meaning (RFC 8259, section 4).
fn is_sound(value: &Cbor, depth: usize) -> bool {
    match value {
        Cbor::Array(items) => depth > 0 && items.iter().all(|item| is_sound(item, depth - 1)),
        Cbor::Map(pairs) => {
            let names: BTreeSet<_> = pairs.iter().map(|(name, _)| name.as_text()).collect();
            depth > 0
                && names.len() == pairs.len()
                && pairs.iter().all(|(_, value)| is_sound(value, depth - 1))
        }
        _ => true,
    }
}

/// The labels of JSON and their numbers in CBOR (RFC 8428, section 6).
const LABELS: [(&str, i64); 14] = [
    ("bver", -1),
    ("bn", -2),
    ("bt", -3),
    ("bu", -4),
    ("bv", -5),
    ("bs", -6),
    ("n", 0),
    ("u", 1),
    ("v", 2),
    ("vs", 3),
    ("vb", 4),
    ("s", 5),
    ("t", 6),
    ("ut", 7),
];
const DATA: (&str, i64) = ("vd", 8);

/// A record in the form of CBOR.
fn from_json(record: Cbor) -> Result<Cbor, Refusal> {
    let mut pairs = Vec::new();
    for (label, value) in record.into_map()? {
        let label = label.into_text()?;
        pairs.push(if label == DATA.0 {
            let data = base64url::decode(&value.into_text()?).ok_or(Refusal::Malformed)?;
            (DATA.1.into(), data.into())
        } else {
            match LABELS.iter().find(|(one, _)| *one == label) {
                Some((_, number)) => ((*number).into(), value),
                None => (label.into(), value),
            }
        });
    }
    Ok(Cbor::Map(pairs))
}

fn resolve_all(pack: Cbor) -> Result<Vec<Record>, Refusal> {
    let pack = pack.into_array()?;
    if !(1..=RECORDS_MAX).contains(&pack.len()) {
        return Err(Refusal::Malformed);
    }
    let mut base = Base::default();
    let mut records = Vec::with_capacity(pack.len());
    for record in pack {
        let fields = read_fields(record, &mut base)?;
        records.push(resolve(fields, &base)?);
    }
    Ok(records)
}

fn read_fields(record: Cbor, base: &mut Base) -> Result<Fields, Refusal> {
    let mut fields = Fields::default();
    let mut clock = None;
    for (label, value) in record.into_map()? {
        match label {
            Cbor::Text(label) => {
                if let Some((_, source)) = Source::LABELS.iter().find(|(one, _)| *one == label) {
                    let read = read_clock(*source, value)?;
                    if clock.replace(read).is_some() {
                        return Err(Refusal::Malformed);
                    }
                }
                // An underscore at the end asks receivers that do not know the label to reject it.
                if label.ends_with('_') {
                    return Err(Refusal::Malformed);
                }
            }
            label => read_field(cbor::int(&label)?, value, base, &mut fields)?,
        }
    }
    base.clock = clock.or(base.clock);
    Ok(fields)
}

fn read_clock(source: Source, value: Cbor) -> Result<Clock, Refusal> {
    let seconds = number(value)?;
    if seconds < 0.0 {
        return Err(Refusal::Malformed);
    }
    Ok(Clock { source, seconds })
}

fn read_field(
    label: i64,
    value: Cbor,
    base: &mut Base,
    fields: &mut Fields,
) -> Result<(), Refusal> {
    match label {
        -1 if VERSIONS.contains(&cbor::int(&value)?) => {}
        -2 => base.name = value.into_text()?,
        -3 => base.time = number(value)?,
        -4 => base.unit = Some(value.into_text()?),
        -5 => base.value = number(value)?,
        -6 => base.sum = number(value)?,
        0 => fields.name = value.into_text()?,
        1 => fields.unit = Some(value.into_text()?),
        2 => fields.value = Some(number(value)?),
        3 => fields.text = Some(value.into_text()?),
        4 => fields.truth = Some(value.into_bool()?),
        5 => fields.sum = Some(number(value)?),
        6 => fields.time = number(value)?,
        7 => drop(number(value)?), // when the next one is expected
        8 => fields.data = Some(value.into_bytes()?),
        _ => return Err(Refusal::Malformed),
    }
    Ok(())
}

/// An integer, a float or a decimal fraction; finite.
fn number(value: Cbor) -> Result<f64, Refusal> {
    let value = match value {
        Cbor::Integer(value) => i128::from(value) as f64,
        Cbor::Float(value) => value,
        Cbor::Tag(4, parts) => {
            let [exponent, mantissa] = cbor::items(*parts)?;
            let exponent: i8 = cbor::int(&exponent)?;
            let mantissa: i64 = cbor::int(&mantissa)?;
            // Through text, so that 2347 and -2 give 23.47 and not its neighbour.
            format!("{mantissa}e{exponent}")
                .parse()
                .map_err(|_| Refusal::Malformed)?
        }
        _ => return Err(Refusal::Malformed),
    };
    finite(value)
}

fn finite(value: f64) -> Result<f64, Refusal> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Refusal::Malformed)
    }
}

fn resolve(fields: Fields, base: &Base) -> Result<Record, Refusal> {
    let name = format!("{}{}", base.name, fields.name);
    if !is_name(&name) {
        return Err(Refusal::Malformed);
    }
    let time = finite(base.time + fields.time)?;
    if time != 0.0 && time < ABSOLUTE {
        return Err(Refusal::Malformed);
    }
    let sum = fields.sum.map(|sum| finite(sum + base.sum)).transpose()?;
    let value = match (fields.value, fields.text, fields.truth, fields.data) {
        (Some(value), None, None, None) => Value::Number(finite(value + base.value)?),
        (None, Some(text), None, None) => Value::Text(text),
        (None, None, Some(truth), None) => Value::Bool(truth),
        (None, None, None, Some(data)) => Value::Bytes(data),
        (None, None, None, None) if sum.is_some() => Value::None,
        _ => return Err(Refusal::Malformed),
    };
    Ok(Record {
        name,
        unit: fields.unit.or_else(|| base.unit.clone()),
        value,
        sum,
        time: (time != 0.0).then_some(time),
        clock: base.clock,
    })
}

/// The characters of RFC 8428, section 4.5.1.
fn is_name(name: &str) -> bool {
    let is_inner = |c: u8| c.is_ascii_alphanumeric() || b"-:./_".contains(&c);
    name.len() <= NAME_MAX
        && name
            .bytes()
            .next()
            .is_some_and(|first| first.is_ascii_alphanumeric())
        && name.bytes().all(is_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::digits::unhex;

    fn hex(text: &str) -> Vec<u8> {
        unhex(text).unwrap()
    }

    #[test]
    fn a_record_is_read() {
        let records = parse(&hex("81a4006174016343656c02f94de0061a6afd86c0")).unwrap();
        let expected = Record {
            name: "t".into(),
            unit: Some("Cel".into()),
            value: Value::Number(23.5),
            sum: None,
            time: Some(1_795_000_000.0),
            clock: None,
        };
        assert_eq!(records, [expected]);
    }

    #[test]
    fn base_fields_apply_until_the_next() {
        // [{bn "a", bt 1795000000, v 1}, {n ":b", t -60, v decimal 23.47}]
        let pack = hex("82a30201216161221a6afd86c0a300623a6202c4822119092b06383b");
        let records = parse(&pack).unwrap();
        assert_eq!(records[0].name, "a");
        assert_eq!(records[1].name, "a:b");
        assert_eq!(records[1].time, Some(1_794_999_940.0));
        assert_eq!(records[1].value, Value::Number(23.47));
    }

    #[test]
    fn what_the_protocol_forbids_is_refused() {
        for (what, pack) in [
            ("no record", "80"),
            ("a map", "a1006174"),
            ("no value", "81a1006174"),
            ("two values", "81a30061740201036161"),
            ("relative time", "81a3006174020106383b"),
            ("no name", "81a10201"),
            ("a name that begins with a dot", "81a200612e0201"),
            ("version 11", "81a30061740201200b"),
            ("an unknown label", "81a3006174020109f6"),
            (
                "an unknown label that has to be known",
                "81a300617402016178f6".replace("6178", "62785f").as_str(),
            ),
            ("not a number", "81a200617402f97e00"),
            ("a clock of the future", "81a3006174020165627472756e20"),
            ("a clock that is text", "81a3006174020165627472756e6130"),
            (
                "two clocks",
                "81a4006174020165627472756e00656274736574 00"
                    .replace(' ', "")
                    .as_str(),
            ),
            (
                "an infinite sum",
                "81a300617402fb7fefffffffffffff24fb7fefffffffffffff",
            ),
            ("a key twice", "81a300617402010201"),
            ("keys that descend", "81a20201006174"),
            ("bytes after the end", "81a2006174020100"),
        ] {
            assert_eq!(parse(&hex(pack)), Err(Refusal::Malformed), "{what}");
        }
    }

    #[test]
    fn what_a_clock_is_worth_holds_until_it_is_said_anew() {
        // [{n "t", v 1, bt 1795000000, "btsync" 3600}, {n "t", v 1}, {n "t", v 1, "btset" 60}]
        let pack = "83a40061740201221a6afd86c066627473796e63190e10a20061740201\
                    a30061740201656274736574183c";
        let records = parse(&hex(pack)).unwrap();
        let clocks = records.iter().map(|record| record.clock.unwrap());
        let found: Vec<_> = clocks.map(|clock| (clock.source, clock.seconds)).collect();
        let first = (Source::Synchronised, 3600.0);
        assert_eq!(found, [first, first, (Source::Set, 60.0)]);
        assert_eq!(records[2].time, Some(1_795_000_000.0));
    }

    #[test]
    fn json_is_read_as_cbor_is() {
        let json = br#"[{"n":"t","u":"Cel","v":235e-1,"bt":1795000000,"btsync":3600,"x":[null,{}]},
            {"n":"t","v":23.47,"t":-60},{"n":"d","vd":"-_8"},{"n":"b","vb":true},{"n":"s","vs":"1"}]"#;
        let records = parse_json(json).unwrap();
        let values = [
            Value::Number(23.5),
            Value::Number(23.47),
            Value::Bytes(vec![0xfb, 0xff]),
            Value::Bool(true),
            Value::Text("1".into()),
        ];
        assert!(records.iter().map(|record| &record.value).eq(&values));
        assert_eq!(records[1].time, Some(1_794_999_940.0));
        let clock = records[4].clock.unwrap();
        assert_eq!(
            (clock.source, clock.seconds),
            (Source::Synchronised, 3600.0)
        );
    }

    /// The package reads the same packs (tests/fleet/test_packs.py).
    #[test]
    fn what_the_protocol_forbids_is_refused_and_other_taken_in_both_forms() {
        type Packs = BTreeMap<String, Vec<String>>;
        let packs = include_str!("../../../tests/fleet/packs.json");
        let packs: BTreeMap<String, Packs> = serde_json::from_str(packs).unwrap();
        for (form, packs) in packs {
            for (verdict, packs) in packs {
                for pack in packs {
                    let found = match form.as_str() {
                        "json" => parse_json(pack.as_bytes()),
                        _ => parse(&hex(&pack)),
                    };
                    let is_refused = found == Err(Refusal::Malformed);
                    assert_eq!(is_refused, verdict == "refused", "{pack}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_text_label_is_passed_over() {
        assert_eq!(parse(&hex("81a300617402016178f6")).unwrap().len(), 1);
    }

    #[test]
    fn a_pack_has_64_records_at_most() {
        for (count, is_right) in [(1, true), (64, true), (65, false)] {
            let record = Cbor::Map(vec![(0.into(), "t".into()), (2.into(), 1.into())]);
            let pack = cbor::encode(&Cbor::Array(vec![record; count]));
            assert_eq!(parse(&pack).is_ok(), is_right, "{count}");
            let json = format!("[{}]", vec![r#"{"n":"t","v":1}"#; count].join(","));
            assert_eq!(parse_json(json.as_bytes()).is_ok(), is_right, "{count}");
        }
    }

    #[test]
    fn base_values_are_added_and_units_replaced() {
        let json =
            br#"[{"bn":"a","bu":"Cel","bv":20,"bs":5,"v":3,"s":1,"ut":60},{"n":"b","u":"K","v":-1},
            {"n":"c","s":2}]"#;
        let records = parse_json(json).unwrap();
        let found: Vec<_> = records
            .iter()
            .map(|one| (one.name.as_str(), one.unit.as_deref(), &one.value, one.sum))
            .collect();
        let values = [Value::Number(23.0), Value::Number(19.0), Value::None];
        let expected = [
            ("a", Some("Cel"), &values[0], Some(6.0)),
            ("ab", Some("K"), &values[1], None),
            ("ac", Some("Cel"), &values[2], Some(7.0)),
        ];
        assert_eq!(found, expected);
        let pack = Cbor::Map(
            [
                (0, "t".into()),
                (2, 1.into()),
                (5, 4.into()),
                (7, 60.into()),
                (-4, "Cel".into()),
                (-5, 2.into()),
                (-6, 3.into()),
            ]
            .map(|(label, value): (i64, Cbor)| (label.into(), value))
            .into(),
        );
        let records = parse(&cbor::encode(&Cbor::Array(vec![pack]))).unwrap();
        assert_eq!(records[0].unit.as_deref(), Some("Cel"));
        assert_eq!(records[0].value, Value::Number(3.0));
        assert_eq!(records[0].sum, Some(7.0));
    }

    #[test]
    fn a_clock_may_have_been_set_just_now() {
        for (label, source) in Source::LABELS {
            let json = format!(r#"[{{"n":"t","v":1,"{label}":0}}]"#);
            let records = parse_json(json.as_bytes()).unwrap();
            let seconds = 0.0;
            assert_eq!(records[0].clock, Some(Clock { source, seconds }));
        }
        let names = Source::LABELS.map(|(_, source)| source.name());
        assert_eq!(names, ["running", "set", "synchronised"]);
    }

    #[test]
    fn json_is_nested_as_deep_as_cbor() {
        // The pack and its record are two levels.
        for (depth, is_right) in [(cbor::DEPTH - 2, true), (cbor::DEPTH - 1, false)] {
            for (open, close) in [("[", "]"), ("{\"x\":", "}")] {
                let nested = [open.repeat(depth), "0".into(), close.repeat(depth)].concat();
                let json = format!(r#"[{{"n":"t","v":1,"x":{nested}}}]"#);
                assert_eq!(parse_json(json.as_bytes()).is_ok(), is_right, "{json}");
            }
        }
    }
}
