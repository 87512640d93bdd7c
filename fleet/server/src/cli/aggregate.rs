// SPDX-License-Identifier: Apache-2.0
//! Readings of several devices, published again.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::{address_of, Failure};
use crate::aggregate::{self, Plan, Published};
use crate::verify::Identity;

#[derive(Args)]
pub struct Aggregate {
    /// Whose readings: labels in any form
    #[arg(required = true)]
    identities: Vec<Identity>,
    /// Address or name, and port, of the server that has them
    #[arg(long, default_value = "localhost:5683")]
    from: String,
    /// Address or name, and port, of the server that gets them
    #[arg(long, default_value = "localhost:5683")]
    to: String,
    /// Publish at the topic of this name, which is created; else the server takes them as readings of the devices
    #[arg(long)]
    topic: Option<String>,
    /// Gather for so many seconds
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    every: u32,
}

/// Goes on until it is ended.
pub fn aggregate(arguments: &Aggregate, json: bool) -> Result<ExitCode, Failure> {
    let plan = Plan {
        identities: arguments.identities.clone(),
        from: address_of(&arguments.from)?,
        to: address_of(&arguments.to)?,
        topic: arguments.topic.clone(),
        every: Duration::from_secs(arguments.every.into()),
    };
    aggregate::run(plan, |published| show(published, json))?;
    Ok(ExitCode::SUCCESS)
}

fn show(published: &Published, json: bool) -> io::Result<()> {
    let Published {
        readings,
        bytes,
        refused,
    } = published;
    let mut out = io::stdout().lock();
    if json {
        let said = json!({"readings": readings, "bytes": bytes, "refused": refused});
        writeln!(out, "{said}")?;
    } else {
        writeln!(out, "{readings} readings in {bytes} bytes")?;
        for reason in refused {
            writeln!(out, "  refused: {reason}")?;
        }
    }
    out.flush()
}
