// SPDX-License-Identifier: Apache-2.0
//! SenML in CBOR (RFC 8428): that a pack is one as the protocol has it, and its records resolved.

use super::cbor::{Item, Reader};
use super::Refusal;

const RECORDS_MAX: usize = 64;
const NAME_MAX: usize = 64;
const VERSION_MAX: i64 = 10;
/// Below this, time is relative to now (RFC 8428, section 4.5.3).
const ABSOLUTE: f64 = 268_435_456.0;

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Text(String),
    Bool(bool),
    Bytes(Vec<u8>),
    /// Only a sum is given.
    None,
}

/// A record without need of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub name: String,
    pub unit: Option<String>,
    pub value: Value,
    pub sum: Option<f64>,
    /// Unix time; the device has no clock if absent.
    pub time: Option<f64>,
}

/// What applies from one record to those after it.
#[derive(Default)]
struct Base {
    name: String,
    unit: Option<String>,
    time: f64,
    value: f64,
    sum: f64,
}

/// One record as it stands in the pack.
#[derive(Default)]
struct Fields<'a> {
    name: &'a str,
    unit: Option<&'a str>,
    value: Option<f64>,
    text: Option<&'a str>,
    truth: Option<bool>,
    data: Option<&'a [u8]>,
    sum: Option<f64>,
    time: f64,
}

/// Reads and resolves a pack.
pub fn parse(pack: &[u8]) -> Result<Vec<Record>, Refusal> {
    let mut reader = Reader::new(pack);
    let count = reader.array()?;
    if !(1..=RECORDS_MAX).contains(&count) {
        return Err(Refusal::Malformed);
    }
    let mut base = Base::default();
    let mut records = Vec::with_capacity(count);
    for _ in 0..count {
        let fields = read_fields(&mut reader, &mut base)?;
        records.push(resolve(fields, &base)?);
    }
    reader.end()?;
    Ok(records)
}

fn read_fields<'a>(reader: &mut Reader<'a>, base: &mut Base) -> Result<Fields<'a>, Refusal> {
    let start = reader.clone();
    start.clone().skip()?; // refuses keys that repeat
    let mut fields = Fields::default();
    for _ in 0..reader.map()? {
        match reader.item()? {
            Item::Int(label) => read_field(reader, label, base, &mut fields)?,
            // Who writes an underscore at the end wants to be refused by those who do not know it.
            Item::Text(label) if label.ends_with('_') => return Err(Refusal::Malformed),
            Item::Text(_) => {
                reader.skip()?;
            }
            _ => return Err(Refusal::Malformed),
        }
    }
    Ok(fields)
}

fn read_field<'a>(
    reader: &mut Reader<'a>,
    label: i128,
    base: &mut Base,
    fields: &mut Fields<'a>,
) -> Result<(), Refusal> {
    match label {
        -1 if reader.int::<i64>()? <= VERSION_MAX => {}
        -2 => base.name = reader.text()?.to_string(),
        -3 => base.time = number(reader)?,
        -4 => base.unit = Some(reader.text()?.to_string()),
        -5 => base.value = number(reader)?,
        -6 => base.sum = number(reader)?,
        0 => fields.name = reader.text()?,
        1 => fields.unit = Some(reader.text()?),
        2 => fields.value = Some(number(reader)?),
        3 => fields.text = Some(reader.text()?),
        4 => match reader.item()? {
            Item::Bool(truth) => fields.truth = Some(truth),
            _ => return Err(Refusal::Malformed),
        },
        5 => fields.sum = Some(number(reader)?),
        6 => fields.time = number(reader)?,
        7 => drop(number(reader)?), // when the next one is expected
        8 => fields.data = Some(reader.bytes()?),
        _ => return Err(Refusal::Malformed),
    }
    Ok(())
}

/// An integer, a float or a decimal fraction; finite.
fn number(reader: &mut Reader<'_>) -> Result<f64, Refusal> {
    let value = match reader.item()? {
        Item::Int(value) => value as f64,
        Item::Float(value) => value,
        Item::Tag(4) if reader.array()? == 2 => {
            let exponent: i8 = reader.int()?;
            let mantissa: i64 = reader.int()?;
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

fn resolve(fields: Fields<'_>, base: &Base) -> Result<Record, Refusal> {
    let name = format!("{}{}", base.name, fields.name);
    if !is_name(&name) {
        return Err(Refusal::Malformed);
    }
    let time = finite(base.time + fields.time)?;
    if time != 0.0 && time < ABSOLUTE {
        return Err(Refusal::Malformed);
    }
    Ok(Record {
        name,
        unit: fields
            .unit
            .map(str::to_string)
            .or_else(|| base.unit.clone()),
        sum: fields.sum.map(|sum| finite(sum + base.sum)).transpose()?,
        time: (time != 0.0).then_some(time),
        value: value_of(&fields, base)?,
    })
}

fn value_of(fields: &Fields<'_>, base: &Base) -> Result<Value, Refusal> {
    Ok(
        match (fields.value, fields.text, fields.truth, fields.data) {
            (Some(value), None, None, None) => Value::Number(finite(value + base.value)?),
            (None, Some(text), None, None) => Value::Text(text.to_string()),
            (None, None, Some(truth), None) => Value::Bool(truth),
            (None, None, None, Some(data)) => Value::Bytes(data.to_vec()),
            (None, None, None, None) if fields.sum.is_some() => Value::None,
            _ => return Err(Refusal::Malformed),
        },
    )
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
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
            .collect()
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
        };
        assert_eq!(records, [expected]);
    }

    #[test]
    fn base_fields_apply_until_the_next() {
        // [{bn "a", bt 1795000000, v 1}, {n ":b", t -60, v decimal 23.47}]
        let pack = hex("82a3216161221a6afd86c00201a300623a6206383b02c4822119092b");
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
            ("version 11", "81a3200b0061740201"),
            ("an unknown label", "81a3006174020109f6"),
            (
                "an unknown label that has to be known",
                "81a300617402016178f6".replace("6178", "62785f").as_str(),
            ),
            ("not a number", "81a200617402f97e00"),
            (
                "an infinite sum",
                "81a324fb7fefffffffffffff00617402fb7fefffffffffffff",
            ),
            ("a key twice", "81a300617402010201"),
            ("bytes after the end", "81a2006174020100"),
        ] {
            assert_eq!(parse(&hex(pack)), Err(Refusal::Malformed), "{what}");
        }
    }

    #[test]
    fn an_unknown_text_label_is_passed_over() {
        assert_eq!(parse(&hex("81a300617402016178f6")).unwrap().len(), 1);
    }
}
