// SPDX-License-Identifier: Apache-2.0
//! Confirmable messages of ours, which are sent again until the peer has them (RFC 7252, section 4.2).

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long the first acknowledgement is waited for; each time it is twice as long.
pub const ACK_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_RETRANSMIT: u32 = 4;

struct Waiting<T> {
    about: T,
    datagram: Vec<u8>,
    again_at: Instant,
    tries: u32,
}

/// The messages that no peer acknowledged yet, and the subject of each.
pub struct Unacknowledged<T>(HashMap<(SocketAddr, u16), Waiting<T>>);

impl<T> Default for Unacknowledged<T> {
    fn default() -> Self {
        Unacknowledged(HashMap::new())
    }
}

impl<T> Unacknowledged<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if no acknowledgement is pending.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the one with this ID is waited for.
    pub fn contains(&self, peer: SocketAddr, id: u16) -> bool {
        self.0.contains_key(&(peer, id))
    }

    /// Waits for the acknowledgement of this message.
    pub fn add(&mut self, (peer, id): (SocketAddr, u16), about: T, datagram: &[u8], now: Instant) {
        let waiting = Waiting {
            about,
            datagram: datagram.to_vec(),
            again_at: now + ACK_TIMEOUT,
            tries: 0,
        };
        self.0.insert((peer, id), waiting);
    }

    /// Waits for it no longer.
    pub fn remove(&mut self, peer: SocketAddr, id: u16) {
        self.0.remove(&(peer, id));
    }

    /// The messages to be sent again, and the subjects whose peer stayed silent.
    pub fn tick(&mut self, now: Instant) -> (Vec<(SocketAddr, Vec<u8>)>, Vec<T>) {
        let is_over = |one: &Waiting<T>| one.again_at <= now && one.tries == MAX_RETRANSMIT;
        let over = self.0.extract_if(|_, one| is_over(one));
        let silent = over.map(|(_, one)| one.about).collect();
        let mut again = Vec::new();
        for ((peer, _), one) in &mut self.0 {
            if one.again_at <= now {
                one.tries += 1;
                one.again_at = now + ACK_TIMEOUT * (1 << one.tries);
                again.push((*peer, one.datagram.clone()));
            }
        }
        (again, silent)
    }
}
