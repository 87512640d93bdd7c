// SPDX-License-Identifier: Apache-2.0
//! Commanding a device: signed here, passed on by the service, carried out once or not at all.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;

use super::{existing, Failure};
use crate::commander::{Algorithm, Commander, NAME_MAX};
use crate::server::udp::clock;
use crate::store::mailbox::{Letter, Mailbox};
use crate::store::sqlite::SqliteLog;
use crate::verify::cbor::Value;
use crate::verify::commands::{self, Outcome};
use crate::verify::{Identity, PublicKey, Sign1};
use crate::view;

/// How long one is waited for that writes.
const PATIENCE: Duration = Duration::from_secs(10);

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What a text may have, so that a device has room for it.
const TEXT_MAX: usize = 256;

#[derive(Args)]
pub struct Key {
    /// The file of the key that signs commands; made if it is not there
    #[arg(long, env = "CORRAL_FLEET_KEY", default_value = "fleet.key")]
    key: PathBuf,
    /// Of what kind a key is that is made
    #[arg(long, default_value = "es256")]
    algorithm: Algorithm,
}

#[derive(Args)]
pub struct Command {
    /// Who is to do it
    device: Identity,
    /// What to do
    name: String,
    /// With what: true, false, null, an integer, or else a text
    #[arg(allow_hyphen_values = true)]
    value: Option<String>,
    /// The value is a text, whatever it looks like
    #[arg(long)]
    text: bool,
    /// Seconds to wait for the device to ask, and for its result
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    wait: u32,
    /// The file of the key that signs
    #[arg(long, env = "CORRAL_FLEET_KEY", default_value = "fleet.key")]
    key: PathBuf,
}

fn open(file: &Path) -> Result<Commander, Failure> {
    Commander::open(file).map_err(|error| Failure(format!("{}: {error}", file.display())))
}

/// Shows whom devices are to obey, and makes the key if there is none.
pub fn key(arguments: &Key, json: bool) -> Result<ExitCode, Failure> {
    let file = &arguments.key;
    match Commander::make(file, arguments.algorithm) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(Failure(format!("{}: {error}", file.display())));
        }
        _ => {}
    }
    let identity = open(file)?.identity();
    let mut out = io::stdout().lock();
    if json {
        let row = json!({ "identity": identity.to_string(), "label": identity.label() });
        writeln!(out, "{row}")?;
    } else {
        writeln!(out, "{}", identity.label())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn argument(arguments: &Command) -> Result<Value, Failure> {
    let Some(text) = arguments.value.as_deref() else {
        return Ok(Value::Null);
    };
    if text.len() > TEXT_MAX {
        return Err(Failure(format!("the value is longer than {TEXT_MAX}")));
    }
    Ok(match (arguments.text, text) {
        (false, "null") => Value::Null,
        (false, "true") => true.into(),
        (false, "false") => false.into(),
        (false, number) if number.parse::<i64>().is_ok() => {
            number.parse::<i64>().unwrap_or_default().into()
        }
        (_, text) => text.into(),
    })
}

/// The key of a device that registered. It is checked here: whoever wrote the store is not trusted.
fn key_of(store: &Path, device: &Identity) -> Result<PublicKey, Failure> {
    let fleet = existing(store)?;
    if !fleet.state().lets_in(device) {
        return Err(Failure(format!(
            "{device} is not enrolled, or did not register"
        )));
    }
    let known = fleet.state().device(device);
    let known = known.filter(|known| known.statement.identity() == *device);
    let known = known.ok_or_else(|| Failure(format!("{device} did not register")))?;
    Ok(known.statement.signing.clone())
}

/// Signs the command for the challenge that the device told, once and never again: it may have been carried out.
fn step(
    log: &mut SqliteLog,
    commander: &Commander,
    arguments: &Command,
    argument: &Value,
    signed: &mut Option<Vec<u8>>,
) -> Result<Option<Letter>, Failure> {
    let device = &arguments.device;
    let letter = log.letter(device, clock().unix)?;
    if let (Some(nonce), None) = (letter.as_ref().and_then(|one| one.nonce.as_ref()), &signed) {
        let made = commander.command(device, nonce, &arguments.name, argument);
        let made = made.ok_or_else(|| Failure("the command could not be signed".to_string()))?;
        *signed = Some(made.clone());
        log.keep_command(device, &made)?;
    }
    Ok(letter)
}

pub fn command(store: &Path, arguments: &Command, json: bool) -> Result<ExitCode, Failure> {
    if !(1..=NAME_MAX).contains(&arguments.name.len()) {
        return Err(Failure(format!(
            "a command's name has 1 to {NAME_MAX} bytes"
        )));
    }
    let (device, argument) = (&arguments.device, argument(arguments)?);
    let key = key_of(store, device)?;
    let commander = open(&arguments.key)?;
    let mut log = SqliteLog::open(store, PATIENCE)?;
    let wait = Duration::from_secs(arguments.wait.into());
    let (end, now) = (Instant::now() + wait, clock().unix);
    if !log.want(device, now, now + wait.as_millis() as u64)? {
        return Err(Failure(format!("{device} is being commanded by another")));
    }
    let mut signed = None;
    let outcome = loop {
        let letter = step(&mut log, &commander, arguments, &argument, &mut signed);
        match (letter, &signed) {
            (Err(failure), _) => break Err(failure),
            (
                Ok(Some(Letter {
                    result: Some(result),
                    ..
                })),
                Some(signed),
            ) => {
                break Ok(verified(&result, device, &key, signed));
            }
            _ if Instant::now() >= end => break Ok(None),
            _ => thread::sleep(LOOK_EVERY),
        }
    };
    log.forget_command(device)?;
    match outcome? {
        Some(outcome) => say(device, &outcome, json),
        None if signed.is_some() => Err(Failure(format!(
            "{device} told no result: it is not known whether it carried the command out"
        ))),
        None => Err(Failure(format!(
            "{device} did not ask for commands: none was signed"
        ))),
    }
}

/// What the device says, if it does. The service verified it before, and is not trusted with it.
fn verified(result: &[u8], device: &Identity, key: &PublicKey, signed: &[u8]) -> Option<Outcome> {
    let object = Sign1::parse(result).ok()?;
    commands::verify_result(&object, device, key, signed).ok()
}

fn say(device: &Identity, outcome: &Outcome, json: bool) -> Result<ExitCode, Failure> {
    let meaning = match outcome.status {
        0 => "done".to_string(),
        1 => "unknown command".to_string(),
        2 => "wrong argument".to_string(),
        3 => "failed".to_string(),
        other => format!("status {other}"),
    };
    let value = match &outcome.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Integer(number) => {
            i64::try_from(*number).map_or(serde_json::Value::Null, Into::into)
        }
        Value::Text(text) => view::plain(text).into(),
        Value::Bytes(data) => view::hex(data).into(),
        _ => serde_json::Value::Null,
    };
    let mut out = io::stdout().lock();
    if json {
        let row = json!({
            "identity": device.to_string(), "status": outcome.status, "meaning": meaning,
            "value": value, "sequence": outcome.sequence,
        });
        writeln!(out, "{row}")?;
    } else if value.is_null() {
        writeln!(out, "{meaning}")?;
    } else {
        writeln!(out, "{meaning}: {value}")?;
    }
    Ok(match outcome.status {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}
