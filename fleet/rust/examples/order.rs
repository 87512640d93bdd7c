// SPDX-License-Identifier: Apache-2.0
//! Commands a device past a service that need not be trusted, and shows what it says:
//! `order URL TOKEN-FILE KEY-FILE LABEL NAME [NUMBER]`. `SSL_CERT_FILE` names a file of
//! certificate authorities for the service.

use std::env;
use std::error::Error;
use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use corral_fleet_verify::cbor::Value;
use corral_fleet_verify::sending::send;
use corral_fleet_verify::service::Service;
use corral_fleet_verify::Commander;

const WAIT: Duration = Duration::from_secs(60);

async fn order(words: &[String]) -> Result<(), Box<dyn Error>> {
    let [url, token, key, label, name, rest @ ..] = words else {
        return Err("order URL TOKEN-FILE KEY-FILE LABEL NAME [NUMBER]".into());
    };
    let argument = match rest.first() {
        Some(number) => number.parse::<i64>()?.into(),
        None => Value::Null,
    };
    let authorities = env::var("SSL_CERT_FILE").map_or(Ok(Vec::new()), fs::read)?;
    let token = fs::read_to_string(token)?;
    let commander = Commander::from_pkcs8(&fs::read(key)?).ok_or("there is no key")?;
    let mut service = Service::at(url, token.trim(), &authorities).await?;
    let device = label.parse()?;
    let answered = send(&mut service, &commander, &device, name, argument, WAIT).await?;
    let outcome = answered.outcome;
    println!(
        "{}  {} {:?}",
        outcome.sequence, outcome.status, outcome.value
    );
    Ok(())
}

fn run() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(order(&words))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("order: {error}");
            ExitCode::FAILURE
        }
    }
}
