// SPDX-License-Identifier: Apache-2.0
//! Faults of a store, each with its remedy.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Command, FromArgMatches};
use serde_json::json;

use super::settings::Setting;
use super::{check_exists, Arguments, Command as What, Failure};
use crate::fleet::Fleet;
use crate::server::udp::clock;
use crate::store::sqlite::SqliteLog;
use crate::store::{strangers_in, Log, Salvaged, State};
use crate::verify::Identity;

/// How long another process is waited for that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// How far the clock may be behind the newest entry.
const CLOCK_SLACK: u64 = 5 * 60 * 1000;

/// How much room the store should have, in bytes.
const ROOM_MIN: u64 = 64 << 20;

pub fn doctor(
    store: &Path,
    commands: &Command,
    settings: &[Setting],
    json: bool,
) -> Result<ExitCode, Failure> {
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    look_at_settings(commands, settings, store, &mut found);
    look_at_store(store, &mut found, &mut warnings)?;
    let mut out = io::stdout().lock();
    let findings = found.iter().map(|one| ("finding", one));
    for (what, one) in findings.chain(warnings.iter().map(|one| ("warning", one))) {
        if json {
            writeln!(out, "{}", json!({ what: one }))?;
        } else {
            writeln!(out, "{one}")?;
        }
    }
    if found.is_empty() && warnings.is_empty() && !json {
        writeln!(out, "nothing is wrong")?;
    }
    Ok(if found.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Makes a store that is damaged one that can be served again.
pub fn salvage(store: &Path, json: bool) -> Result<ExitCode, Failure> {
    check_exists(store)?;
    let mut name = store.as_os_str().to_owned();
    name.push(".before-salvage");
    let before = Path::new(&name);
    if before.exists() {
        let before = before.display();
        return Err(Failure(format!(
            "{before} is there already, from an earlier salvage: move it elsewhere"
        )));
    }
    // Before anything changes the store: opening it to write also brings it to this version's form.
    SqliteLog::open_read_only(store)?.backup(before)?;
    fs::set_permissions(before, fs::metadata(store)?.permissions())?;
    let found = SqliteLog::open(store, PATIENCE).and_then(|mut log| log.salvage());
    if found.is_err() {
        // The store is as it was, and the next attempt makes another copy.
        fs::remove_file(before)?;
    }
    let found = found?;
    let is_whole = !found.set_aside.iter().any(|one| one.may_be_missed);
    let before = before.display().to_string();
    match json {
        true => println!("{}", salvaged_json(&found, &before)),
        false => print_salvaged(&found, &before)?,
    }
    Ok(match is_whole {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn salvaged_json(found: &Salvaged, before: &str) -> serde_json::Value {
    let named = |found: &[(u64, Identity)]| {
        let rows = found.iter();
        rows.map(|(at, identity)| json!({ "entry": at, "identity": identity.to_string() }))
            .collect::<Vec<_>>()
    };
    let repaired = found.repaired.iter().map(|one| {
        json!({
            "entry": one.position,
            "kind": one.kind,
            "identity": one.identity.to_string(),
        })
    });
    let set_aside = found.set_aside.iter().map(|one| {
        json!({
            "entry": one.position,
            "kind": one.kind,
            "identity": one.identity,
            "why": one.why,
            "may_be_missed": one.may_be_missed,
        })
    });
    json!({
        "repaired": repaired.collect::<Vec<_>>(),
        "revoked": named(&found.revoked),
        "set_aside": set_aside.collect::<Vec<_>>(),
        "unknown": named(&found.unknown),
        "before": before,
    })
}

fn print_salvaged(found: &Salvaged, before: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for one in &found.repaired {
        let (position, kind, identity) = (one.position, one.kind, one.identity);
        writeln!(out, "entry {position} is a {kind} of {identity} again")?;
    }
    for one in &found.set_aside {
        let (position, kind, identity, why) = (one.position, &one.kind, &one.identity, &one.why);
        writeln!(
            out,
            "entry {position} is set aside, {kind} of {identity}: {why}"
        )?;
    }
    for (position, identity) in &found.revoked {
        writeln!(
            out,
            "{identity} is revoked, because entry {position} may have revoked it: if it did not, corral-fleet enrol \
             --again {identity}"
        )?;
    }
    for (position, identity) in &found.unknown {
        writeln!(out, "entry {position}: {}", of_stranger(identity))?;
    }
    for one in found.set_aside.iter().filter(|one| one.may_be_missed) {
        let (position, identity) = (one.position, &one.identity);
        writeln!(
            out,
            "entry {position} may have revoked a device, of whose identity \"{identity}\" is left: find out which, and \
             revoke it again"
        )?;
    }
    let (repaired, set_aside) = (found.repaired.len(), found.set_aside.len());
    writeln!(
        out,
        "{repaired} repaired, {set_aside} set aside; the store as it was: {before}"
    )
}

/// The message about a revoked identity that no other row names.
fn of_stranger(identity: &Identity) -> String {
    format!(
        "{identity} is revoked, and nothing else names it: unless it was revoked by --anyway, this is damaged, and \
         another device is to be revoked again"
    )
}

/// Revocations that may be damaged: it is a fault if they nearly name a device that is let in.
fn look_at_strangers(
    log: &mut SqliteLog,
    state: &State,
    found: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<(), Failure> {
    for one in strangers_in(log, state)? {
        let (identity, position) = (one.identity, one.position);
        for near in &one.near {
            found.push(format!(
                "entry {position} revokes {identity}, which nothing else names, but {near} is nearly the same and not \
                 revoked: corral-fleet revoke {near}"
            ));
        }
        if one.near.is_empty() && !one.is_explained {
            warnings.push(format!("entry {position}: {}", of_stranger(&identity)));
        }
    }
    Ok(())
}

fn look_at_store(
    store: &Path,
    found: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<(), Failure> {
    let name = store.display();
    check_exists(store)?;
    let mut log = SqliteLog::open_read_only(store)?;
    // Rows that a running server removes meanwhile do not count as missing.
    log.hold()?;
    let faults = log.faults()?;
    // By all entries, whatever state is stored.
    let mut fleet = Fleet::replay(log)?;
    found.extend(faults);
    if let Some(why) = fleet.fault_of_stored()? {
        found.push(format!(
            "the stored state {why}: corral-fleet doctor --salvage builds it again from the log"
        ));
    }
    found.extend(fleet.doubt());
    let (log, state) = fleet.parts();
    look_at_strangers(log, state, found, warnings)?;
    if state.enrolments().next().is_none() {
        found.push("nothing is enrolled, so every device is refused: corral-fleet enrol".into());
    }
    if mode(store)? & 0o022 != 0 {
        found.push(format!(
            "{name} can be written by others, who can enrol whom they like: chmod go-w {name}"
        ));
    }
    let newest = log.newest()?;
    let newest = log.read(newest.saturating_sub(1), 1)?;
    if let Some((_, Ok(entry))) = newest.first() {
        if entry.at > clock().unix + CLOCK_SLACK {
            found.push("the newest entry is of the future: set this computer's clock".into());
        }
    }
    let room = rustix::fs::statvfs(store).map_err(io::Error::from)?;
    let room = room.f_bavail.saturating_mul(room.f_frsize);
    if room < ROOM_MIN {
        found.push(format!(
            "{} MB are left for {name}, and without room no reading is taken: make some",
            room >> 20
        ));
    }
    Ok(())
}

fn mode(file: &Path) -> io::Result<u32> {
    Ok(fs::metadata(file)?.permissions().mode())
}

/// Whether `serve` would begin with the settings of file and environment.
fn look_at_settings(
    commands: &Command,
    settings: &[Setting],
    store: &Path,
    found: &mut Vec<String>,
) {
    let parsed = commands
        .clone()
        .try_get_matches_from(["corral-fleet", "serve"])
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let serve = match parsed.map(|arguments| arguments.command) {
        Ok(What::Serve(serve)) => serve,
        Ok(_) => return,
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let set: Vec<&str> = settings
                .iter()
                .filter(|one| one.in_force().1 == "environment")
                .map(|one| one.environment.as_str())
                .collect();
            return found.push(format!("{first}: look at {}", set.join(", ")));
        }
    };
    if let Err(Failure(why)) = serve.try_join() {
        found.push(why);
    }
    let (listen, tls) = match serve.http() {
        Ok(Some(http)) => http,
        Ok(None) => return,
        Err(Failure(why)) => return found.push(why),
    };
    if let Some((certificate, key)) = tls {
        if let Err(why) = check_tls(&certificate, &key) {
            found.push(format!("HTTP cannot be served at {listen}: {why}"));
        }
        if mode(&key).is_ok_and(|mode| mode & 0o077 != 0) {
            let key = key.display();
            found.push(format!("{key} can be read by others: chmod go= {key}"));
        }
    }
    let tokens = SqliteLog::open_read_only(store).and_then(|mut log| log.tokens());
    if tokens.is_ok_and(|tokens| tokens.is_empty()) {
        found.push("nobody has a token to ask over HTTP: corral-fleet token add".into());
    }
}

#[cfg(feature = "http")]
fn check_tls(certificate: &Path, key: &Path) -> Result<(), String> {
    crate::http::check_keys(certificate, key)
}

#[cfg(not(feature = "http"))]
fn check_tls(_certificate: &Path, _key: &Path) -> Result<(), String> {
    Err("this program was built without the feature http".to_string())
}
