// SPDX-License-Identifier: Apache-2.0
//! Lines of devices that are not on the network.

use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;

use clap::Args;
use serde_json::json;

use super::Failure;
use crate::gateway::{self, Counts};

#[derive(Args)]
pub struct Gateway {
    /// Serial devices, pseudo-terminals, or sockets of emulators, each with one device behind it
    #[arg(required = true)]
    lines: Vec<PathBuf>,
    /// Address or name, and port, of the server
    #[arg(long, env = "CORRAL_FLEET_SERVER", default_value = "localhost:5683")]
    server: String,
    /// Bits a second of serial devices
    #[arg(long, default_value_t = 115_200)]
    baud: u32,
}

pub fn gateway(arguments: &Gateway, json: bool) -> Result<ExitCode, Failure> {
    let server = &arguments.server;
    let found = server
        .to_socket_addrs()
        .map_err(|error| Failure(format!("--server {server}: {error}")))?;
    let found: Vec<SocketAddr> = found.collect();
    let Some(server) = found.first() else {
        return Err(Failure(format!("--server {server}: has no address")));
    };
    thread::scope(|scope| {
        let joined: Vec<_> = arguments
            .lines
            .iter()
            .map(|line| {
                scope.spawn(move || {
                    let joined = one(line, *server, arguments.baud, json);
                    // At once: the other lines may be joined for ever.
                    if let Err(error) = &joined {
                        eprintln!("corral-fleet: {}: {error}", line.display());
                    }
                    joined.is_ok()
                })
            })
            .collect();
        let ends: Vec<bool> = joined
            .into_iter()
            .map(|thread| thread.join().unwrap_or(false))
            .collect();
        Ok(if ends.into_iter().all(|is_well| is_well) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    })
}

fn one(line: &Path, server: SocketAddr, baud: u32, json: bool) -> io::Result<()> {
    let name = line.display().to_string();
    let (counts, socket) = (Counts::default(), gateway::connect(server)?);
    let from = gateway::open(line, baud)?;
    let say = |text: &str| {
        let said = if json {
            json!({ "line": name, "text": text }).to_string()
        } else {
            format!("{name}: {text}")
        };
        // Whoever reads this may have enough; the line is joined all the same.
        let _ = writeln!(io::stdout(), "{said}");
    };
    let fail = |error: &io::Error| eprintln!("corral-fleet: {name}: {error}");
    let joined = gateway::join(from.try_clone()?, from, &socket, &counts, say, fail);
    report(&name, &counts, json);
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
