// SPDX-License-Identifier: Apache-2.0
//! Readings of several devices, published again.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::{json, Value};

use super::{address_of, Failure};
use crate::aggregate::{self, Plan, Published, Refused};
use crate::broker::properties;
use crate::broker::topics::is_of_device;
use crate::verify::Identity;

#[derive(Args)]
#[command(
    after_help = "Example: corral-fleet aggregate --from site.example:5683 --every 300 ae31580c8def1fbf0dd5ed28b72fb79b"
)]
pub struct Aggregate {
    /// Labels of the devices, in any form
    #[arg(required = true)]
    identities: Vec<Identity>,
    /// Collect at this server: address or name, and port
    #[arg(long, default_value = "localhost:5683")]
    from: String,
    /// Publish at this server: address or name, and port
    #[arg(long, default_value = "localhost:5683")]
    to: String,
    /// Publish the newest reading of each device at a topic of this name, and create the topic [default: publish all, as
    /// readings of the devices]
    #[arg(long, value_parser = topic_name)]
    topic: Option<String>,
    /// Publish every this number of seconds
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    every: u32,
}

/// A name that a server gives to a topic.
fn topic_name(text: &str) -> Result<String, String> {
    if !properties::is_name(text) {
        return Err("a topic's name has 1 to 64 bytes, and no control characters".to_string());
    }
    if is_of_device(text) {
        return Err("a device could have this name".to_string());
    }
    Ok(text.to_string())
}

/// Goes on until it is ended.
pub fn aggregate(arguments: &Aggregate, json: bool) -> Result<ExitCode, Failure> {
    let from = address_of("--from", &arguments.from)?;
    let to = address_of("--to", &arguments.to)?;
    if from == to && arguments.topic.is_none() {
        let why = "has these readings already: name another server by --to, or a topic by --topic";
        return Err(Failure(format!("{to}: {why}")));
    }
    let plan = Plan {
        identities: arguments.identities.clone(),
        from,
        to,
        topic: arguments.topic.clone(),
        every: Duration::from_secs(arguments.every.into()),
    };
    aggregate::run(plan, |published| show(published, json))?;
    Ok(ExitCode::SUCCESS)
}

fn row(refused: &Refused) -> Value {
    let identity = refused.identity.to_string();
    json!({"identity": identity, "sequence": refused.sequence, "reason": refused.reason})
}

fn show(published: &Published, json: bool) -> io::Result<()> {
    let Published {
        readings,
        bytes,
        left,
        lost,
        refused,
    } = published;
    let mut out = io::stdout().lock();
    if json {
        let refused: Vec<_> = refused.iter().map(row).collect();
        let said = json!({
            "readings": readings, "bytes": bytes, "left": left, "lost": lost, "refused": refused
        });
        writeln!(out, "{said}")?;
    } else {
        writeln!(out, "{readings} readings in {bytes} bytes; {left} left")?;
        if *lost > 0 {
            writeln!(out, "  lost: {lost} readings, because no more can wait")?;
        }
        for one in refused {
            let (identity, sequence, reason) = (one.identity, one.sequence, &one.reason);
            writeln!(out, "  refused: {identity} {sequence}: {reason}")?;
        }
    }
    out.flush()
}
