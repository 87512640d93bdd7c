// SPDX-License-Identifier: Apache-2.0
//! The socket: waits for a datagram, takes what else is there by then, and hands all of it to the engine. So the
//! more there is to do, the more is committed at once.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::engine::{Clock, Datagram, Engine};
use crate::coap::message::MESSAGE_MAX;
use crate::store::Log;

const BATCH_MAX: usize = 512;
const TICK: Duration = Duration::from_millis(200);

/// Now.
pub fn clock() -> Clock {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Clock {
        instant: Instant::now(),
        unix: since.as_millis() as u64,
    }
}

/// Serves until the socket fails, and calls `after` behind each batch.
pub fn serve<L: Log>(
    socket: &UdpSocket,
    engine: &mut Engine<L>,
    mut after: impl FnMut(&Engine<L>),
) -> io::Result<()> {
    socket.set_read_timeout(Some(TICK))?;
    loop {
        let batch = receive(socket)?;
        let now = clock();
        let mut answers = if batch.is_empty() {
            Vec::new()
        } else {
            engine.batch(&batch, now)
        };
        answers.extend(engine.tick(now));
        for (peer, datagram) in answers {
            // An address that cannot be reached is its owner's trouble.
            let _ = socket.send_to(&datagram, peer);
        }
        after(engine);
    }
}

fn receive(socket: &UdpSocket) -> io::Result<Vec<Datagram>> {
    let mut buffer = [0; MESSAGE_MAX + 1];
    let mut batch = Vec::new();
    match take(socket, &mut buffer)? {
        Some(datagram) => batch.push(datagram),
        None => return Ok(batch),
    }
    socket.set_nonblocking(true)?;
    while batch.len() < BATCH_MAX {
        match take(socket, &mut buffer)? {
            Some(datagram) => batch.push(datagram),
            None => break,
        }
    }
    socket.set_nonblocking(false)?;
    Ok(batch)
}

fn take(socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Option<(SocketAddr, Vec<u8>)>> {
    loop {
        match socket.recv_from(buffer) {
            Ok((length, peer)) => return Ok(Some((peer, buffer[..length].to_vec()))),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(None),
                // Somebody to whom we sent is not there any more.
                ErrorKind::Interrupted | ErrorKind::ConnectionRefused => {}
                _ => return Err(error),
            },
        }
    }
}
