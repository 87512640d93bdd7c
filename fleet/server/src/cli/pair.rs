// SPDX-License-Identifier: Apache-2.0
//! Pairing with a device, by two commands: the shared secret is stored in a file here, too.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::command::{send, Way};
use super::Failure;
use crate::commander::SecretFile;
use crate::pairing::{Offer, Pairing, CONFIRMATION, OFFER};
use crate::verify::cbor::Value;
use crate::verify::commands::Outcome;
use crate::verify::sending::Keys;
use crate::verify::Identity;

#[derive(Args)]
pub struct Pair {
    /// The device, which must obey the key that signs
    device: Identity,
    /// The file for the secret of 32 bytes, which must not exist
    file: PathBuf,
    #[command(flatten)]
    way: Way,
}

/// The device's answer to a command that it carried out.
fn done(device: &Identity, outcome: Outcome) -> Result<Value, Failure> {
    match outcome.status {
        0 => Ok(outcome.value),
        1 => Err(Failure(format!("{device} does not pair"))),
        status => Err(Failure(format!("{device} did not pair (status {status})"))),
    }
}

/// Offers a key, and agrees with the device's, which its identity is the hash of.
fn agree(store: &Path, way: &Way, device: &Identity) -> Result<Pairing, Failure> {
    let mut offer = None;
    let answered = send(store, way, device, OFFER, |keys: &Keys| {
        let agreement = keys.agreement.as_ref();
        let why = || format!("{device} has no second key to agree with");
        let made = offer.insert(Offer::make(agreement.ok_or_else(why)?).ok_or_else(why)?);
        Ok(made.public.as_slice().into())
    })?;
    let said = done(device, answered.outcome)?.into_bytes().ok();
    let pairing = offer.and_then(|offer| offer.agree(device, &answered.command));
    pairing
        .filter(|pairing| said.is_some_and(|said| pairing.is_confirmed_by(&said)))
        .ok_or_else(|| Failure(format!("{device} came to another secret")))
}

pub fn pair(store: &Path, arguments: &Pair, json: bool) -> Result<ExitCode, Failure> {
    let Pair { device, file, way } = arguments;
    let failed = |why: String| Failure(format!("{}: {why}", file.display()));
    // Before the device gives up what it has: the secret is lost if it cannot be written.
    let secret = SecretFile::prepare(file).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => failed("is there already".to_string()),
        _ => failed(error.to_string()),
    })?;
    let pairing = agree(store, way, device)?;
    let confirmation = Value::from(pairing.confirmation.as_slice());
    let confirmed = send(store, way, device, CONFIRMATION, |_| Ok(confirmation));
    let confirmed = confirmed.and_then(|answered| done(device, answered.outcome));
    confirmed.map_err(|Failure(why)| Failure(format!("{why}: pair again")))?;
    let kept = secret.keep(&pairing.key);
    kept.map_err(|error| failed(format!("{error}: pair again")))?;
    let mut out = io::stdout().lock();
    if json {
        let row = json!({ "identity": device.to_string(), "file": file.to_string_lossy() });
        writeln!(out, "{row}")?;
    } else {
        writeln!(out, "paired with {device}")?;
    }
    Ok(ExitCode::SUCCESS)
}
