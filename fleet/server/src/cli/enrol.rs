// SPDX-License-Identifier: Apache-2.0
//! Who may send.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::{check_exists, Enrol, Failure};
use crate::fleet::Fleet;
use crate::server::udp::clock;
use crate::store::sqlite::SqliteLog;
use crate::store::AppendError;
use crate::verify::Identity;

/// How often others may be faster.
const ATTEMPTS: usize = 20;

/// How long one is waited for that writes.
const PATIENCE: Duration = Duration::from_secs(10);

struct Row {
    identity: Identity,
    place: String,
    purpose: String,
}

pub fn enrol(store: &Path, arguments: &Enrol) -> Result<ExitCode, Failure> {
    let mut rows: Vec<Row> = arguments
        .identities
        .iter()
        .map(|identity| Row {
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
        revoked.clear();
        for row in &rows {
            if fleet.state().is_revoked(&row.identity) && !arguments.again {
                revoked.push(row.identity);
            } else {
                fleet.enrol(row.identity, &row.place, &row.purpose, now);
            }
        }
    })?;
    println!("enrolled {}", rows.len() - revoked.len());
    for identity in &revoked {
        eprintln!("corral-fleet: {identity} was revoked; --again enrols it again");
    }
    Ok(if revoked.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

pub fn revoke(store: &Path, identity: Identity, anyway: bool) -> Result<ExitCode, Failure> {
    check_exists(store)?;
    let mut is_known = false;
    change(store, |fleet, now| {
        let state = fleet.state();
        is_known = state.enrolment(&identity).is_some() || state.device(&identity).is_some();
        if is_known || anyway {
            fleet.revoke(identity, now);
        }
    })?;
    if !is_known && !anyway {
        return Err(Failure(format!(
            "{identity} is not enrolled and never registered; --anyway revokes it"
        )));
    }
    println!("revoked {identity}");
    Ok(ExitCode::SUCCESS)
}

/// Appends to the log, also while a server does.
fn change(store: &Path, mut make: impl FnMut(&mut Fleet<SqliteLog>, u64)) -> Result<(), Failure> {
    let mut fleet = Fleet::open(SqliteLog::open(store, PATIENCE)?)?;
    for _ in 0..ATTEMPTS {
        make(&mut fleet, clock().unix);
        match fleet.commit() {
            Ok(()) => return Ok(()),
            Err(AppendError::Moved) => fleet.catch_up()?,
            Err(error) => return Err(error.into()),
        }
    }
    Err(AppendError::Moved.into())
}

fn read_list(file: &Path, arguments: &Enrol) -> Result<Vec<Row>, Failure> {
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
        rows.push(Row {
            identity,
            place: fields.next().unwrap_or(&arguments.place).to_string(),
            purpose: fields.next().unwrap_or(&arguments.purpose).to_string(),
        });
    }
    Ok(rows)
}
