// SPDX-License-Identifier: Apache-2.0
//! The socket: waits for a datagram, takes what else is there by then, and hands all of it to the engine. So the
//! more there is to do, the more is committed at once.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::{recvfrom, RecvFlags};

use super::engine::{Clock, Datagram, Engine};
use super::groups;
use super::questions::Questions;
use crate::coap::message::MESSAGE_MAX;
use crate::store::Log;

const BATCH_MAX: usize = 512;
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};

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

/// Serves until `is_over`, or until a socket fails: the server's own, or one of a group's.
pub fn serve<L: Log>(
    socket: &UdpSocket,
    groups: &[UdpSocket],
    engine: &mut Engine<L>,
    questions: &Questions<L>,
    is_over: &AtomicBool,
) -> io::Result<()> {
    let local = socket.local_addr()?;
    while !is_over.load(Ordering::Relaxed) {
        wait(socket, groups, questions)?;
        let batch = receive(socket)?;
        let now = clock();
        let mut answers = if batch.is_empty() {
            Vec::new()
        } else {
            engine.batch(&batch, now)
        };
        for group in groups {
            engine.hear(&receive_as(local, group)?, now);
        }
        answers.extend(engine.tick(now));
        for (peer, datagram) in answers {
            // An address that cannot be reached is its owner's trouble.
            let _ = socket.send_to(&datagram, peer);
        }
        questions.answer(engine);
    }
    engine.keep_refused();
    Ok(())
}

/// Until there is a datagram, a question, a signal, or something is due.
fn wait<L: Log>(
    socket: &UdpSocket,
    groups: &[UdpSocket],
    questions: &Questions<L>,
) -> io::Result<()> {
    let bell = questions.bell();
    let sockets = groups.iter().chain([socket]);
    let mut readable: Vec<PollFd<'_>> = sockets
        .map(|one| PollFd::new(one, PollFlags::IN))
        .chain([PollFd::new(&bell, PollFlags::IN)])
        .collect();
    match poll(&mut readable, Some(&TICK)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Messages to a group, from peers as the server's own socket knows them.
fn receive_as(server: SocketAddr, group: &UdpSocket) -> io::Result<Vec<Datagram>> {
    let mut batch = receive(group)?;
    for (peer, _) in &mut batch {
        *peer = groups::as_known(server, *peer);
    }
    Ok(batch)
}

/// All that is there by now.
fn receive(socket: &UdpSocket) -> io::Result<Vec<Datagram>> {
    let mut buffer = [0; MESSAGE_MAX + 1];
    let mut batch = Vec::new();
    while batch.len() < BATCH_MAX {
        match recvfrom(socket, &mut buffer, RecvFlags::DONTWAIT) {
            Ok((length, _, peer)) => {
                let peer = peer.and_then(|peer| SocketAddr::try_from(peer).ok());
                batch.extend(peer.map(|peer| (peer, buffer[..length].to_vec())));
            }
            Err(Errno::AGAIN) => break,
            // A peer to which we sent is gone.
            Err(Errno::INTR | Errno::CONNREFUSED) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(batch)
}
