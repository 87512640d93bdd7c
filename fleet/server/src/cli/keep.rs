// SPDX-License-Identifier: Apache-2.0
//! Keeping a store in order.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::{existing, Failure};
use crate::history;
use crate::store::sqlite::SqliteLog;

const REPORT_EVERY: u64 = 65_536;

pub fn verify(file: &Path, json: bool) -> Result<ExitCode, Failure> {
    let mut log = SqliteLog::open_read_only(file)?;
    let mut reported = 0;
    let report = history::verify(&mut log, |done| {
        if done >= reported + REPORT_EVERY {
            reported = done;
            eprintln!("{done} entries");
        }
    })?;
    if json {
        let faults: Vec<_> = report
            .faults
            .iter()
            .map(|fault| {
                json!({
                    "position": fault.position,
                    "identity": fault.identity.map(|identity| identity.to_string()),
                    "what": fault.what,
                })
            })
            .collect();
        let whole = json!({
            "registrations": report.registrations,
            "readings": report.readings,
            "handovers": report.handovers,
            "faults": faults,
        });
        println!("{whole}");
    } else {
        for fault in &report.faults {
            let of = fault.identity.map(|identity| format!(" of {identity}"));
            println!(
                "entry {}{}: {}",
                fault.position,
                of.unwrap_or_default(),
                fault.what
            );
        }
        println!(
            "{} readings, {} registrations, {} hand-overs; {} do not hold",
            report.readings,
            report.registrations,
            report.handovers,
            report.faults.len()
        );
    }
    Ok(if report.faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

pub fn backup(store: &Path, to: &Path, json: bool) -> Result<ExitCode, Failure> {
    if to.exists() {
        return Err(Failure(format!("{} is there already", to.display())));
    }
    existing(store)?;
    SqliteLog::open_read_only(store)?.backup(to)?;
    if json {
        println!("{}", json!({ "copied": to.display().to_string() }));
    } else {
        println!("copied to {}", to.display());
    }
    Ok(ExitCode::SUCCESS)
}
