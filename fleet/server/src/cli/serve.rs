// SPDX-License-Identifier: Apache-2.0
//! The service.

use std::io::Write;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::Failure;
use crate::fleet::Fleet;
use crate::server::udp;
use crate::server::Engine;
use crate::store::sqlite::SqliteLog;

/// How long another process is waited for that writes. Meanwhile nobody is answered, so that it is less than
/// the time after which devices ask again.
const PATIENCE: Duration = Duration::from_secs(1);

pub fn serve(store: &Path, listen: SocketAddr, rate: u32, json: bool) -> Result<ExitCode, Failure> {
    let socket = UdpSocket::bind(listen)
        .map_err(|error| Failure(format!("cannot listen at {listen}: {error}")))?;
    let fleet = Fleet::open(SqliteLog::open(store, PATIENCE)?)?;
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
    udp::serve(&socket, &mut engine, |_| {})?;
    Ok(ExitCode::SUCCESS)
}
