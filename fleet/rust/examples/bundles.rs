// SPDX-License-Identifier: Apache-2.0
//! Says what bundles hold that come one a line, in hexadecimal. The first lines are the devices that are known: identity,
//! signing key and kind, with spaces between. A line of JSON answers each bundle: null if it is none, else of each
//! object its number, "again", or why it is refused. To each bundle the devices are new.

use std::error::Error;
use std::io;

use corral_fleet_verify::bundle::{self, Original};
use corral_fleet_verify::digits::unhex;
use corral_fleet_verify::{cbor, Device, PublicKey};
use serde_json::{json, Value};

fn device(line: &str) -> Result<Device, Box<dyn Error>> {
    let [identity, key, kind] = line.split(' ').collect::<Vec<_>>()[..] else {
        return Err("no device".into());
    };
    let key = unhex(key).ok_or("a key that is not digits")?;
    let key = PublicKey::read(&cbor::parse(&key)?)?;
    Ok(Device::new(identity.parse()?, key, kind, None)?)
}

fn shown(original: &Original) -> Value {
    match &original.outcome {
        Ok(Some(reading)) => json!(reading.sequence),
        Ok(None) => json!("again"),
        Err(refusal) => json!(refusal.name()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut devices = Vec::new();
    for line in io::stdin().lines() {
        let line = line?;
        if line.contains(' ') {
            devices.push(device(&line)?);
            continue;
        }
        let octets = unhex(&line).ok_or("a bundle that is not digits")?;
        let opened = bundle::open(&octets, &mut devices.clone()).ok();
        let said: Option<Vec<_>> = opened.map(|all| all.iter().map(shown).collect());
        println!("{}", json!(said));
    }
    Ok(())
}
