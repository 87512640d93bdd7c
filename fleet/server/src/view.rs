// SPDX-License-Identifier: Apache-2.0
//! JSON for commands and for HTTP.

use serde_json::{json, Map, Value as Json};

use crate::store::{Act, Device, Enrolment, Entry, Refused, StoreError};
pub use crate::verify::digits::{hex, unhex};
use crate::verify::senml::{Record, Value};
pub use crate::verify::text::{is_wild, plain};
use crate::verify::{Identity, SignedReading};

/// An enrolment, and the latest news of the device.
pub fn enrolment(identity: &Identity, enrolment: &Enrolment, heard: Option<&Device>) -> Json {
    json!({
        "identity": identity.to_string(),
        "place": enrolment.place(),
        "purpose": enrolment.purpose(),
        "revoked": enrolment.is_revoked,
        "kind": heard.map(|device| &*device.kind),
        "readings": heard.map(|device| device.readings),
        "highest": heard.map(|device| device.highest),
        "heard": heard.map(|device| device.heard_at),
    })
}

/// A device that registered, with the group that lets it in, if one does.
pub fn device(identity: &Identity, device: &Device) -> Json {
    let group = Some(device.enrolled_as).filter(|group| group != identity);
    json!({
        "identity": identity.to_string(),
        "group": group.map(|group| group.to_string()),
        "kind": &*device.kind,
        "readings": device.readings,
        "highest": device.highest,
        "heard": device.heard_at,
    })
}

/// A reading or a registration, with the object as it was received, for verification by others.
pub fn entry(entry: &Entry) -> Result<Json, StoreError> {
    match &entry.act {
        Act::Read { object, .. } => {
            let mut row = reading(entry)?;
            row["object"] = hex(object).into();
            Ok(row)
        }
        Act::Registered {
            sequence,
            challenge,
            object,
            ..
        } => Ok(json!({
            "identity": entry.identity.to_string(),
            "sequence": sequence,
            "received": entry.at,
            "nonce": hex(&challenge.nonce),
            "query": challenge.query,
            "object": hex(object),
        })),
        _ => Err(StoreError("an entry of another kind".to_string())),
    }
}

/// A reading that was accepted.
pub fn reading(entry: &Entry) -> Result<Json, StoreError> {
    let Act::Read { sequence, object } = &entry.act else {
        return Err(StoreError("an entry is no reading".to_string()));
    };
    let records = SignedReading::parse(object).and_then(|object| object.records());
    let records = records.map_err(|error| StoreError(format!("a stored reading is {error}")))?;
    let records: Vec<Json> = records.iter().map(record).collect();
    Ok(json!({
        "identity": entry.identity.to_string(),
        "sequence": sequence,
        "received": entry.at,
        "records": records,
    }))
}

fn record(record: &Record) -> Json {
    let mut row = Map::new();
    row.insert("n".into(), record.name.clone().into());
    if let Some(unit) = &record.unit {
        row.insert("u".into(), unit.clone().into());
    }
    match &record.value {
        Value::Number(number) => drop(row.insert("v".into(), (*number).into())),
        Value::Text(text) => drop(row.insert("vs".into(), text.clone().into())),
        Value::Bool(truth) => drop(row.insert("vb".into(), (*truth).into())),
        Value::Bytes(data) => drop(row.insert("vd".into(), hex(data).into())),
        Value::None => {}
    }
    if let Some(sum) = record.sum {
        row.insert("s".into(), sum.into());
    }
    if let Some(time) = record.time {
        row.insert("t".into(), time.into());
    }
    if let Some(clock) = record.clock {
        let said = json!({ "source": clock.source.name(), "seconds": clock.seconds });
        row.insert("clock".into(), said);
    }
    Json::Object(row)
}

/// An object that was refused.
pub fn refused(one: &Refused) -> Json {
    json!({
        "at": one.at, "about": one.about, "peer": one.peer, "reason": one.reason,
        "object": hex(&one.object),
    })
}
