// SPDX-License-Identifier: Apache-2.0
//! Devices that may send.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use super::{check_exists, open_to_write, Enrol, Failure};
use crate::fleet::{Enrolling, Fleet};
use crate::server::udp::clock;
use crate::store::sqlite::SqliteLog;
use crate::verify::Identity;

/// How often others may be faster.
const ATTEMPTS: usize = 20;

/// How long one is waited for that writes.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn enrol(store: &Path, arguments: &Enrol, json: bool) -> Result<ExitCode, Failure> {
    let mut rows: Vec<Enrolling> = arguments
        .identities
        .iter()
        .map(|identity| Enrolling {
            identity: *identity,
            place: arguments.place.clone(),
            purpose: arguments.purpose.clone(),
        })
        .collect();
    if let Some(file) = &arguments.from {
        rows.extend(read_list(file, arguments)?);
    }
    if rows.is_empty() {
        return Err(Failure(
            "name identities, or a file of them by --from".to_string(),
        ));
    }
    let mut revoked = Vec::new();
    change(store, |fleet, now| {
        revoked = fleet.enrol_all(&rows, arguments.again, now);
    })?;
    let enrolled = rows.len() - revoked.len();
    if json {
        let revoked: Vec<String> = revoked.iter().map(Identity::to_string).collect();
        println!("{}", json!({ "enrolled": enrolled, "revoked": revoked }));
    } else {
        println!("enrolled {enrolled}");
    }
    for identity in &revoked {
        eprintln!("corral-fleet: {identity} was revoked; --again enrols it again");
    }
    Ok(if revoked.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

pub fn revoke(
    store: &Path,
    identity: Identity,
    anyway: bool,
    json: bool,
) -> Result<ExitCode, Failure> {
    check_exists(store)?;
    let mut is_known = false;
    change(store, |fleet, now| {
        is_known = fleet.knows(&identity);
        if is_known || anyway {
            fleet.revoke(identity, now);
        }
    })?;
    if !is_known && !anyway {
        return Err(Failure(format!(
            "{identity} is not enrolled and never registered; --anyway revokes it"
        )));
    }
    if json {
        println!("{}", json!({ "revoked": identity.to_string() }));
    } else {
        println!("revoked {identity}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Appends to the log, also while a server does.
fn change(store: &Path, mut make: impl FnMut(&mut Fleet<SqliteLog>, u64)) -> Result<(), Failure> {
    let mut fleet = open_to_write(store, PATIENCE)?;
    Ok(fleet.change(ATTEMPTS, |fleet| make(fleet, clock().unix))?)
}

fn read_list(file: &Path, arguments: &Enrol) -> Result<Vec<Enrolling>, Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| Failure(format!("{}: {error}", file.display())))?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.splitn(3, ',').map(str::trim);
        let identity = fields
            .next()
            .unwrap_or_default()
            .parse::<Identity>()
            .map_err(|error| {
                Failure(format!("{}, line {}: {error}", file.display(), number + 1))
            })?;
        rows.push(Enrolling {
            identity,
            place: fields
                .next()
                .map(str::to_string)
                .or(arguments.place.clone()),
            purpose: fields
                .next()
                .map(str::to_string)
                .or(arguments.purpose.clone()),
        });
    }
    Ok(rows)
}
