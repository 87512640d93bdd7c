// SPDX-License-Identifier: Apache-2.0
//! Lines of devices that are not on the network.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::{address_of, Failure};
use crate::gateway::{self, Counts};

/// The longest time until an end of the lines, or a signal, is noticed.
const TICK: Duration = Duration::from_millis(50);

#[derive(Args)]
#[command(after_help = "Example: corral-fleet gateway /dev/ttyUSB0 --server fleet.example:5683")]
pub struct Gateway {
    /// Serial devices, pseudo-terminals, or sockets of emulators, each with one device behind it
    #[arg(required = true)]
    lines: Vec<PathBuf>,
    /// Forward to this server: address or name, and port
    #[arg(long, env = "CORRAL_FLEET_SERVER", default_value = "localhost:5683")]
    server: String,
    /// Set serial devices to this rate, in bits a second
    #[arg(long, default_value_t = 115_200)]
    baud: u32,
}

/// Joins all lines until they end, or until a signal; prints the counts of each in both cases.
pub fn gateway(arguments: &Gateway, json: bool) -> Result<ExitCode, Failure> {
    let server = address_of("--server", &arguments.server)?;
    let is_over = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, is_over.clone())?;
    }
    let joined: Vec<_> = arguments
        .lines
        .iter()
        .map(|line| {
            let counts = Arc::new(Counts::default());
            let (line, baud, counted) = (line.clone(), arguments.baud, counts.clone());
            let name = line.display().to_string();
            let thread = thread::spawn(move || {
                let joined = one(&line, server, baud, &counted, json);
                // At once: the other lines may be joined for ever.
                if let Err(error) = &joined {
                    eprintln!("corral-fleet: {}: {error}", line.display());
                }
                joined.is_ok()
            });
            (name, counts, thread)
        })
        .collect();
    while !is_over.load(Ordering::Relaxed)
        && joined.iter().any(|(_, _, thread)| !thread.is_finished())
    {
        thread::sleep(TICK);
    }
    let mut is_well = true;
    for (name, counts, thread) in joined {
        if thread.is_finished() {
            is_well &= thread.join().unwrap_or(false);
        } else {
            // It waits for its line, and ends with the process.
            report(&name, &counts, json);
        }
    }
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn one(line: &Path, server: SocketAddr, baud: u32, counts: &Counts, json: bool) -> io::Result<()> {
    let name = line.display().to_string();
    let socket = gateway::connect(server)?;
    let from = gateway::open(line, baud)?;
    let say = |text: &str| {
        let said = if json {
            json!({ "line": name, "text": text }).to_string()
        } else {
            format!("{name}: {text}")
        };
        // The reader may have closed the output; the line is joined all the same.
        let _ = writeln!(io::stdout(), "{said}");
    };
    let fail = |error: &io::Error| eprintln!("corral-fleet: {name}: {error}");
    let joined = gateway::join(from.try_clone()?, from, &socket, counts, say, fail);
    report(&name, counts, json);
    joined
}

fn report(name: &str, counts: &Counts, json: bool) {
    let value = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    let (up, down, lost) = (value(&counts.up), value(&counts.down), value(&counts.lost));
    let (malformed, other) = (value(&counts.malformed), value(&counts.other));
    let said = if json {
        json!({
            "line": name, "up": up, "down": down,
            "malformed": malformed, "other": other, "lost": lost,
        })
        .to_string()
    } else {
        format!(
            "{name}: {up} messages to the server, {down} to the device, {lost} lost; \
             {malformed} frames malformed, {other} of other kinds"
        )
    };
    let _ = writeln!(io::stdout(), "{said}");
}
