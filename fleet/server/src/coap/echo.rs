// SPDX-License-Identifier: Apache-2.0
//! Values of Echo (RFC 9175): each proves that its holder receives at its address, and how long ago it
//! was given out. Nothing is kept per peer, so a flood fills nothing.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use ring::hmac;
use ring::rand::SystemRandom;

/// For how long a value is good.
pub const LIFETIME: Duration = Duration::from_secs(60);

const TIME: usize = 4;
const MAC: usize = 8;

/// The length of a value.
pub const LENGTH: usize = TIME + MAC;

/// Gives out values and knows them again. The key lives as long as the process, so that a restart voids
/// all of them.
pub struct Echo {
    key: hmac::Key,
    start: Instant,
}

impl Echo {
    /// With a new key.
    pub fn new(now: Instant) -> Result<Self, ring::error::Unspecified> {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new())?;
        Ok(Echo { key, start: now })
    }

    fn mac(&self, time: &[u8], peer: SocketAddr) -> hmac::Tag {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(time);
        match peer.ip() {
            IpAddr::V4(address) => context.update(&address.octets()),
            IpAddr::V6(address) => context.update(&address.octets()),
        }
        context.update(&peer.port().to_be_bytes());
        context.sign()
    }

    fn milliseconds(&self, now: Instant) -> u32 {
        now.saturating_duration_since(self.start).as_millis() as u32
    }

    /// A value for this peer.
    pub fn value(&self, peer: SocketAddr, now: Instant) -> [u8; LENGTH] {
        let mut value = [0; LENGTH];
        value[..TIME].copy_from_slice(&self.milliseconds(now).to_be_bytes());
        let mac = self.mac(&value[..TIME], peer);
        value[TIME..].copy_from_slice(&mac.as_ref()[..MAC]);
        value
    }

    /// True if this was given to the peer, not longer ago than [`LIFETIME`].
    pub fn is_fresh(&self, value: &[u8], peer: SocketAddr, now: Instant) -> bool {
        let Ok(value) = <&[u8; LENGTH]>::try_from(value) else {
            return false;
        };
        let (time, mac) = value.split_at(TIME);
        let expected = self.mac(time, peer);
        let difference = mac
            .iter()
            .zip(expected.as_ref())
            .fold(0, |all, (one, other)| all | (one ^ other));
        let given = time
            .iter()
            .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
        let age = self.milliseconds(now).wrapping_sub(given);
        difference == 0 && u128::from(age) <= LIFETIME.as_millis()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_good_for_its_peer_and_for_a_while() {
        let start = Instant::now();
        let echo = Echo::new(start).unwrap();
        let peer = SocketAddr::from(([10, 0, 0, 1], 5683));
        let value = echo.value(peer, start);
        assert!(echo.is_fresh(&value, peer, start + LIFETIME));
        assert!(!echo.is_fresh(&value, peer, start + LIFETIME + Duration::from_millis(1)));
        for other in [([10, 0, 0, 1], 5684), ([10, 0, 0, 2], 5683)] {
            assert!(!echo.is_fresh(&value, SocketAddr::from(other), start));
        }
        for at in 0..LENGTH {
            let mut changed = value;
            changed[at] ^= 1;
            assert!(!echo.is_fresh(&changed, peer, start));
        }
        assert!(!echo.is_fresh(&value[..11], peer, start));
        assert!(!Echo::new(start).unwrap().is_fresh(&value, peer, start));
    }
}
