// SPDX-License-Identifier: Apache-2.0
//! Verifies a whole log without trusting who wrote it: each object against the key that its identity is the
//! hash of, and each number against those before it.

use std::collections::{BTreeMap, HashMap};

use crate::store::{Act, Entry, Log, StoreError};
use crate::verify::cose::Number;
use crate::verify::{objects, Identity, PublicKey, Refusal, Sign1, SignedReading};

const PAGE: usize = 4096;

/// An entry that does not hold.
#[derive(Debug)]
pub struct Fault {
    pub position: u64,
    /// Unless it cannot be read.
    pub identity: Option<Identity>,
    pub what: String,
}

/// The entries of a log, and its faults.
#[derive(Debug, Default)]
pub struct Report {
    pub registrations: u64,
    pub readings: u64,
    pub handovers: u64,
    /// How many readings say where their time comes from, by that.
    pub clocks: BTreeMap<&'static str, u64>,
    /// Entries that were removed because they were old, as recorded by the writer of the log.
    pub forgotten: u64,
    pub faults: Vec<Fault>,
}

struct Known {
    key: PublicKey,
    highest: u64,
}

/// Reads and verifies all of it; `progress` gets the progress. Missing entries up to
/// `forgotten_through` were removed because it was old.
pub fn verify(
    log: &mut impl Log,
    forgotten_through: u64,
    mut progress: impl FnMut(u64),
) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut known = HashMap::new();
    let mut last = 0;
    loop {
        let page = log.read(last, PAGE)?;
        for (position, entry) in &page {
            let fault = |what| Fault {
                position: *position,
                identity: entry.as_ref().ok().map(|entry| entry.identity),
                what,
            };
            let missing = (last + 1).max(forgotten_through.saturating_add(1));
            let missing = missing.min(*position);
            report.forgotten += missing - last - 1;
            if missing != *position {
                let what = format!("entries {missing} to {} are missing", position - 1);
                report.faults.push(fault(what));
            }
            last = *position;
            let checked = match entry {
                Ok(entry) => check(entry, &mut known, &mut report).map_err(|why| why.to_string()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(what) = checked {
                report.faults.push(fault(what));
            }
        }
        progress(last);
        if page.len() < PAGE {
            return Ok(report);
        }
    }
}

fn check(
    entry: &Entry,
    known: &mut HashMap<Identity, Known>,
    report: &mut Report,
) -> Result<(), Refusal> {
    match &entry.act {
        Act::Enrolled { .. } | Act::Revoked => Ok(()),
        Act::Registered {
            sequence,
            challenge,
            object,
            ..
        } => {
            report.registrations += 1;
            let object = Sign1::parse(object)?;
            let (identity, statement, signed) = objects::verify_registration(&object, challenge)?;
            if identity != entry.identity {
                return Err(Refusal::ForeignKey);
            }
            let highest = known.get(&identity).map_or(0, |known| known.highest);
            check_order(*sequence, signed, highest)?;
            known.insert(
                identity,
                Known {
                    key: statement.signing,
                    highest: signed,
                },
            );
            Ok(())
        }
        Act::Read { sequence, object } => {
            report.readings += 1;
            let device = known.get_mut(&entry.identity).ok_or(Refusal::NotEnrolled)?;
            let object = SignedReading::parse(object)?;
            object.check_signer(&entry.identity)?;
            if !object.is_signed(&entry.identity, &device.key, *sequence) {
                return Err(Refusal::BadSignature);
            }
            let signed = match object.number() {
                Number::Full(signed) => signed,
                Number::Low(_) => *sequence,
            };
            check_order(*sequence, signed, device.highest)?;
            let records = object.records()?;
            if let Some(clock) = records.last().and_then(|record| record.clock) {
                *report.clocks.entry(clock.source.name()).or_default() += 1;
            }
            device.highest = *sequence;
            Ok(())
        }
        Act::HandedOver {
            sequence,
            successor,
            object,
        } => {
            report.handovers += 1;
            let device = known.get_mut(&entry.identity).ok_or(Refusal::NotEnrolled)?;
            let object = Sign1::parse(object)?;
            let (statement, signed) =
                objects::verify_handover(&object, &entry.identity, &device.key)?;
            if statement.identity() != *successor {
                return Err(Refusal::ForeignKey);
            }
            check_order(*sequence, signed, device.highest)?;
            device.highest = signed;
            Ok(())
        }
    }
}

fn check_order(stored: u64, signed: u64, highest: u64) -> Result<(), Refusal> {
    if stored != signed {
        return Err(Refusal::BadSignature);
    }
    if signed <= highest {
        return Err(Refusal::Replayed);
    }
    Ok(())
}
