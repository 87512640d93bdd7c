// SPDX-License-Identifier: Apache-2.0
//! The service.

use std::io::Write;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::ExitCode;

use super::Failure;
use crate::fleet::Fleet;
use crate::server::udp::{self, Ended};
use crate::server::Engine;
use crate::store::sqlite::SqliteLog;

pub fn serve(store: &Path, listen: SocketAddr, rate: u32, json: bool) -> Result<ExitCode, Failure> {
    let socket = UdpSocket::bind(listen)
        .map_err(|error| Failure(format!("cannot listen at {listen}: {error}")))?;
    let fleet = Fleet::open(SqliteLog::open(store)?)?;
    let mut engine = Engine::new(fleet, rate, udp::clock().instant)?;
    let address = socket.local_addr()?;
    if json {
        println!(
            "{}",
            serde_json::json!({ "listening": format!("coap://{address}") })
        );
    } else {
        println!("listening at coap://{address}");
    }
    std::io::stdout().flush()?;
    match udp::serve(&socket, &mut engine, |_| {}) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Ended::Socket(error)) => Err(error.into()),
        Err(Ended::Store(error)) => Err(error.into()),
    }
}
