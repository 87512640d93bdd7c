// SPDX-License-Identifier: Apache-2.0
//! Simulated devices: to see what a server bears, and to measure it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use ring::rand::SystemRandom;
use serde_json::{json, Value as Json};

use super::{address_of, check_exists, Failure};
use crate::fleet::Fleet;
use crate::load::{Algorithm, Device, Plan, Run, Tally};
use crate::server::udp;
use crate::store::sqlite::SqliteLog;
use crate::verify::Sign1;

const PATIENCE: Duration = Duration::from_secs(10);

/// Devices are enrolled in batches, so that the server is not kept from its store.
const ENROL_AT_ONCE: usize = 1000;

#[derive(Args)]
pub(super) struct Load {
    /// Load this server: address or name, and port
    #[arg(long, default_value = "[::1]:5683")]
    server: String,
    /// Simulate this number of devices, and enrol them in the store
    #[arg(long, default_value_t = 100)]
    devices: usize,
    /// Publish this number of readings, of all devices together
    #[arg(long, default_value_t = 10_000)]
    readings: usize,
    /// Sign with this algorithm
    #[arg(long, value_enum, default_value = "es256")]
    algorithm: Algorithm,
    /// Send every N-th reading confirmable
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    confirm_every: u32,
    /// Send this number of requests a second [default: as many as are answered]
    #[arg(long, value_parser = above_zero)]
    rate: Option<f64>,
    /// Let this number of confirmable requests wait for answers at a time
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,
    /// Verify this number of signatures and do nothing else, to compare the server's work with
    #[arg(long)]
    verify: Option<u32>,
}

fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse() {
        // One in a month; the time between two has to be one that can be waited for.
        Ok(rate) if rate >= 1e-6 && f64::is_finite(rate) => Ok(rate),
        _ => Err("a number from 0.000001".to_string()),
    }
}

pub fn load(store: &Path, load: &Load, json: bool) -> Result<ExitCode, Failure> {
    if let Some(count) = load.verify {
        say(json, &verify(load.algorithm, count)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    check_exists(store)?;
    let random = SystemRandom::new();
    let devices = (0..load.devices)
        .map(|_| Device::new(load.algorithm, &random).map_err(|_| no_key()))
        .collect::<Result<Vec<_>, _>>()?;
    enrol(store, &devices)?;
    say(
        json,
        &json!({ "phase": "enrolled", "devices": devices.len() }),
    )?;
    let plan = Plan {
        window: load.window as usize,
        rate: None,
        confirm_every: load.confirm_every as usize,
    };
    let mut run = Run::new(devices, address_of("--server", &load.server)?)?;
    let registered = run.register(plan)?;
    say(json, &row("registered", registered.confirmed, &registered))?;
    let rate = load.rate;
    let published = run.publish(load.readings, Plan { rate, ..plan })?;
    say(json, &row("published", published.sent, &published))?;
    let is_well = [&registered, &published]
        .iter()
        .all(|tally| tally.refused == 0 && tally.silent == 0);
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn no_key() -> Failure {
    Failure("the system gives no random numbers".to_string())
}

fn enrol(store: &Path, devices: &[Device]) -> Result<(), Failure> {
    let mut fleet = Fleet::open_to_write(SqliteLog::open(store, PATIENCE)?)?;
    for some in devices.chunks(ENROL_AT_ONCE) {
        loop {
            for device in some {
                fleet.enrol(device.identity, "nowhere", "load", udp::clock().unix);
            }
            match fleet.commit() {
                Err(crate::store::AppendError::Moved) => fleet.catch_up()?,
                done => break done?,
            }
        }
    }
    Ok(())
}

fn row(phase: &str, count: usize, tally: &Tally) -> Json {
    json!({
        "phase": phase,
        "count": count,
        "confirmed": tally.confirmed,
        "refused": tally.refused,
        "unanswered": tally.silent,
        "seconds": tally.seconds,
        "per_second": count as f64 / tally.seconds,
        "p50_ms": tally.percentile(0.5),
        "p99_ms": tally.percentile(0.99),
        "longest_ms": tally.percentile(1.0),
    })
}

fn say(json: bool, row: &Json) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{row}")?;
    } else {
        let parts = row.as_object().into_iter().flatten();
        let parts = parts.filter(|(name, _)| *name != "phase");
        let parts: Vec<_> = parts
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let phase = row["phase"].as_str().unwrap_or_default();
        writeln!(out, "{phase}: {}", parts.join(", "))?;
    }
    out.flush()?;
    Ok(())
}

/// One object's signature, again and again: only the signature, the object was taken apart before.
fn verify(algorithm: Algorithm, count: u32) -> Result<Json, Failure> {
    let random = SystemRandom::new();
    let mut device = Device::new(algorithm, &random).map_err(|_| no_key())?;
    let object = device.reading(true, 1_795_000_000, &random);
    let object = Sign1::parse(&object).map_err(|refusal| Failure(refusal.to_string()))?;
    let context = device.context();
    let (start, before) = (Instant::now(), processor_time());
    let mut held = 0;
    for _ in 0..count {
        held += u32::from(object.is_signed_by(device.public(), &context));
    }
    let used = match (processor_time(), before) {
        (Some(now), Some(before)) => now.saturating_sub(before),
        _ => start.elapsed(),
    };
    if held != count {
        return Err(Failure("a signature does not hold".to_string()));
    }
    let microseconds = used.as_secs_f64() * 1e6 / f64::from(count.max(1));
    Ok(json!({ "phase": "verified", "count": count, "microseconds": microseconds }))
}

/// The processor time of this thread, if the system reports it.
fn processor_time() -> Option<Duration> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
