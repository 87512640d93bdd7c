// SPDX-License-Identifier: Apache-2.0
//! Says what packs hold that come one a line, each as `cbor` or `json` and its bytes in hexadecimal.
//! A line of JSON answers each: its records, or null if the protocol forbids it.

use std::error::Error;
use std::io;

use corral_fleet_verify::digits::unhex;
use corral_fleet_verify::senml::{self, Record, Value};
use serde_json::json;

fn shown(record: &Record) -> serde_json::Value {
    let value = match &record.value {
        Value::Number(number) => json!({ "v": number }),
        Value::Text(text) => json!({ "vs": text }),
        Value::Bool(truth) => json!({ "vb": truth }),
        Value::Bytes(bytes) => json!({ "vd": bytes }),
        Value::None => json!({}),
    };
    let clock = record.clock.map(|one| (one.source.name(), one.seconds));
    json!([
        record.name,
        record.unit,
        value,
        record.sum,
        record.time,
        clock
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in io::stdin().lines() {
        let line = line?;
        let (form, hex) = line.split_once(' ').ok_or("no form of a pack")?;
        let parse = match form {
            "cbor" => senml::parse,
            "json" => senml::parse_json,
            _ => return Err("another form".into()),
        };
        let octets = unhex(hex).ok_or("a pack that is not digits")?;
        let records = parse(&octets).ok();
        let records: Option<Vec<_>> = records.map(|records| records.iter().map(shown).collect());
        println!("{}", json!(records));
    }
    Ok(())
}
