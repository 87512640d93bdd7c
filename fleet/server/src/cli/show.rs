// SPDX-License-Identifier: Apache-2.0
//! The content of the store, as text or JSON. Text of others reaches a terminal here,
//! so that nothing is printed that a terminal would obey.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use super::{check_exists, existing, hold, Failure};
use crate::store::sqlite::SqliteLog;
use crate::store::{Act, Enrolment, Entry, State};
use crate::verify::senml::{Record, Value};
use crate::verify::{Identity, SignedReading};
use crate::view;

const FOLLOW_EVERY: Duration = Duration::from_millis(250);

/// The first millisecond of the year 10000.
const YEAR_10000: u64 = 253_402_300_800_000;

pub fn devices(store: &Path, json: bool) -> Result<ExitCode, Failure> {
    let fleet = existing(store)?;
    let state = fleet.state();
    let mut out = io::stdout().lock();
    let mut rows: Vec<_> = state.enrolments().collect();
    rows.sort_by_key(|(identity, _)| **identity);
    for (identity, enrolment) in rows {
        let heard = state.device(identity);
        if json {
            writeln!(out, "{}", view::enrolment(identity, enrolment, heard))?;
            continue;
        }
        let what = match (enrolment.is_revoked, heard) {
            (true, _) => "revoked".to_string(),
            (_, Some(device)) => format!("{} readings", device.readings),
            (_, None) => "not heard of".to_string(),
        };
        let (place, purpose) = (
            view::plain(enrolment.place()),
            view::plain(enrolment.purpose()),
        );
        writeln!(out, "{}  {what:16}  {place}  {purpose}", identity.label())?;
    }
    for (identity, device) in state.devices() {
        if device.enrolled_as != *identity && state.enrolment(identity).is_none() {
            let group = device.enrolled_as.short();
            if json {
                writeln!(out, "{}", view::device(identity, device))?;
            } else {
                let what = format!("{} readings", device.readings);
                writeln!(out, "{}  {what:16}  of group {group}", identity.label())?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub fn readings(
    store: &Path,
    device: Option<&Identity>,
    last: usize,
    follow: bool,
    json: bool,
) -> Result<ExitCode, Failure> {
    let mut fleet = existing(store)?;
    let mut position = 0;
    let mut limit = last;
    loop {
        // The newest reading of a device leads to the others, so it is not to be removed in between.
        hold(&mut fleet)?;
        let chain = device.map(|device| fleet.state().chain(device));
        let found = fleet.log().readings(chain.as_ref(), position, limit)?;
        position = fleet.log().newest()?;
        fleet.log().release()?;
        for (at, entry) in found {
            let entry = entry.map_err(|error| Failure(format!("entry {at} is {error}")))?;
            print_reading(&entry, fleet.state(), json)?;
        }
        if !follow {
            return Ok(ExitCode::SUCCESS);
        }
        io::stdout().flush()?;
        limit = usize::MAX >> 1;
        thread::sleep(FOLLOW_EVERY);
    }
}

/// A line for each record: its time of arrival, its device and place, and its measurements.
fn print_reading(entry: &Entry, state: &State, json: bool) -> Result<(), Failure> {
    let Act::Read { sequence, object } = &entry.act else {
        return Ok(());
    };
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", view::reading(entry)?)?;
        return Ok(());
    }
    let records = SignedReading::parse(object).and_then(|object| object.records());
    let records = records.map_err(|error| Failure(format!("a stored reading is {error}")))?;
    let (received, label) = (moment(entry.at), entry.identity.label());
    let place = state.enrolment(&entry.identity).map(Enrolment::place);
    let place = view::plain(place.filter(|place| !place.is_empty()).unwrap_or("-"));
    for record in &records {
        let (name, value) = (view::plain(&record.name), value_of(record));
        let time = time_of(record);
        writeln!(
            out,
            "{received}  {label}  {place}  {sequence}  {name} {value}{time}"
        )?;
    }
    Ok(())
}

fn value_of(record: &Record) -> String {
    let unit = view::plain(record.unit.as_deref().unwrap_or_default());
    let value = match &record.value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => view::plain(text),
        Value::Bool(truth) => truth.to_string(),
        Value::Bytes(data) => format!("{} bytes", data.len()),
        Value::None => format!("sum {}", record.sum.unwrap_or_default()),
    };
    match unit.as_str() {
        "" => value,
        unit => format!("{value} {unit}"),
    }
}

/// When the device measured, if it says so, and by which clock.
fn time_of(record: &Record) -> String {
    let measured = record.time.map_or_else(String::new, |time| {
        format!("  measured {}", moment((time * 1000.0) as u64))
    });
    let clock = record.clock.map_or_else(String::new, |clock| {
        format!("  clock {} {} s", clock.source.name(), clock.seconds)
    });
    measured + &clock
}

/// Milliseconds of Unix time, as RFC 3339 writes them. Beyond the year 9999 there are only digits.
fn moment(milliseconds: u64) -> String {
    match milliseconds < YEAR_10000 {
        true => {
            let at = UNIX_EPOCH + Duration::from_millis(milliseconds);
            humantime::format_rfc3339_seconds(at).to_string()
        }
        false => format!("{} s", milliseconds / 1000),
    }
}

pub fn refused(store: &Path, last: usize, json: bool) -> Result<ExitCode, Failure> {
    check_exists(store)?;
    let mut log = SqliteLog::open_read_only(store)?;
    let mut out = io::stdout().lock();
    for one in log.refused(last)? {
        if json {
            writeln!(out, "{}", view::refused(&one))?;
        } else {
            let about = view::plain(&one.about);
            let length = one.object.len();
            writeln!(
                out,
                "{}  {}  {}  {about}  {length} bytes",
                one.at, one.reason, one.peer
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
