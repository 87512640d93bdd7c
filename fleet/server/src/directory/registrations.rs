// SPDX-License-Identifier: Apache-2.0
//! Registrations: made, renewed, removed, expired.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use super::links::{self, Link};

/// Of RFC 9176, in seconds.
pub const LIFETIME_DEFAULT: u32 = 90_000;

const NAME_MAX: usize = 63;
const ENDPOINTS_MAX: usize = 200_000;
const PER_ADDRESS_MAX: usize = 10_000;
const ATTRIBUTES_MAX: usize = 16;

/// An expired registration can be revived for that long.
const REVIVAL: Duration = Duration::from_secs(3600);

/// Why the directory refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Not as the RFC says.
    Malformed,
    /// The name belongs to somebody else.
    Forbidden,
    /// There is no such registration.
    Unknown,
    /// The directory is full, or this address has too many.
    Full,
}

/// For how long, from when.
#[derive(Clone, Copy, Debug)]
pub struct Lifetime {
    pub until: Instant,
    pub seconds: u32,
}

/// Who is there.
#[derive(Clone, Debug)]
pub struct Endpoint {
    pub name: String,
    pub sector: Option<String>,
    pub base: String,
    has_own_base: bool,
    /// What else the registration said of the endpoint.
    pub attributes: Vec<(String, String)>,
    pub links: Vec<Link>,
    /// Where this server holds what the endpoint publishes.
    pub topic: Option<Link>,
    pub lifetime: Lifetime,
    /// Whether a signature proves that the name is its own.
    is_signed: bool,
    address: IpAddr,
}

/// What a signature proves of an endpoint.
pub struct Proven {
    pub attributes: Vec<(String, String)>,
    pub topic: Link,
}

/// All registrations, by the number in their location.
#[derive(Default)]
pub struct Directory {
    endpoints: BTreeMap<u64, Endpoint>,
    by_name: HashMap<(String, Option<String>), u64>,
    per_address: HashMap<IpAddr, usize>,
    last: u64,
}

/// The query of a registration or its update, sorted out.
#[derive(Default)]
struct Parameters {
    name: Option<String>,
    sector: Option<String>,
    base: Option<String>,
    seconds: Option<u32>,
    attributes: Vec<(String, String)>,
}

fn is_name(name: &str) -> bool {
    (1..=NAME_MAX).contains(&name.len()) && !name.chars().any(char::is_control)
}

fn parameters(query: &[(&str, &str)]) -> Result<Parameters, Refused> {
    let mut found = Parameters::default();
    for (name, value) in query {
        let is_again = match *name {
            "ep" if is_name(value) => found.name.replace(value.to_string()).is_some(),
            "d" if is_name(value) => found.sector.replace(value.to_string()).is_some(),
            "base" if links::is_reference(value) && !value.starts_with('/') => {
                found.base.replace(value.to_string()).is_some()
            }
            "lt" => match value.parse() {
                Ok(seconds) if seconds > 0 => found.seconds.replace(seconds).is_some(),
                _ => true,
            },
            "ep" | "d" | "base" | "page" | "count" | "href" | "anchor" | "rt" => true,
            // They become attributes of a link, so they have to look like some.
            name => match links::parse(&format!("</>;{name}")) {
                Ok(_) if !value.chars().any(char::is_control) => {
                    found.attributes.push((name.to_string(), value.to_string()));
                    found.attributes.len() > ATTRIBUTES_MAX
                }
                _ => true,
            },
        };
        if is_again {
            return Err(Refused::Malformed);
        }
    }
    Ok(found)
}

fn lifetime(seconds: u32, now: Instant) -> Result<Lifetime, Refused> {
    let until = now
        .checked_add(Duration::from_secs(seconds.into()))
        .ok_or(Refused::Malformed)?;
    Ok(Lifetime { until, seconds })
}

impl Directory {
    /// How many registrations there are.
    pub fn count(&self) -> usize {
        self.endpoints.len()
    }

    /// Those that did not expire, in the order of their locations.
    pub(super) fn alive(&self, now: Instant) -> impl Iterator<Item = (u64, &Endpoint)> {
        let alive = self
            .endpoints
            .iter()
            .filter(move |(_, one)| one.lifetime.until > now);
        alive.map(|(location, one)| (*location, one))
    }

    /// Registers an endpoint; who did before with the same names keeps its location. With
    /// `proven` the name is the signer's, whoever had it.
    pub fn register(
        &mut self,
        query: &[(&str, &str)],
        links: Vec<Link>,
        proven: Option<Proven>,
        peer: SocketAddr,
        now: Instant,
    ) -> Result<u64, Refused> {
        let found = parameters(query)?;
        let name = found.name.ok_or(Refused::Malformed)?;
        let is_signed = proven.is_some();
        let (mut attributes, topic) = match proven {
            Some(proven) => (proven.attributes, Some(proven.topic)),
            None => (Vec::new(), None),
        };
        let claimed = |one: &str| attributes.iter().any(|(name, _)| name == one);
        if found.attributes.iter().any(|(one, _)| claimed(one)) {
            return Err(Refused::Malformed);
        }
        attributes.extend(found.attributes);
        let endpoint = Endpoint {
            has_own_base: found.base.is_some(),
            base: found.base.unwrap_or_else(|| format!("coap://{peer}")),
            name: name.clone(),
            sector: found.sector.clone(),
            attributes,
            links,
            topic,
            lifetime: lifetime(found.seconds.unwrap_or(LIFETIME_DEFAULT), now)?,
            is_signed,
            address: peer.ip(),
        };
        let key = (name, found.sector);
        let location = match self.by_name.get(&key) {
            Some(location) => {
                self.check_owner(*location, peer.ip(), is_signed, now)?;
                *location
            }
            None => self.last + 1,
        };
        self.forget_expired(now);
        let of_address = self.per_address.get(&peer.ip()).copied().unwrap_or(0);
        let is_new = !self.endpoints.contains_key(&location);
        if is_new && (self.endpoints.len() >= ENDPOINTS_MAX || of_address >= PER_ADDRESS_MAX) {
            return Err(Refused::Full);
        }
        self.last = self.last.max(location);
        self.take_out(location);
        self.by_name.insert(key, location);
        *self.per_address.entry(peer.ip()).or_default() += 1;
        self.endpoints.insert(location, endpoint);
        Ok(location)
    }

    /// First come, first remembered: until it expires, a name belongs to the address that took it. A
    /// signature proves more than an address.
    fn check_owner(
        &self,
        location: u64,
        address: IpAddr,
        is_signed: bool,
        now: Instant,
    ) -> Result<(), Refused> {
        match self.endpoints.get(&location) {
            Some(one) if is_signed || one.address == address => Ok(()),
            Some(one) if one.lifetime.until <= now && !one.is_signed => Ok(()),
            Some(_) => Err(Refused::Forbidden),
            None => Ok(()),
        }
    }

    /// Renews a registration, which revives it if it expired a short while ago.
    pub fn update(
        &mut self,
        location: u64,
        query: &[(&str, &str)],
        peer: SocketAddr,
        now: Instant,
    ) -> Result<(), Refused> {
        let found = parameters(query)?;
        if found.name.is_some() || found.sector.is_some() || !found.attributes.is_empty() {
            return Err(Refused::Malformed);
        }
        let endpoint = self.endpoints.get_mut(&location).ok_or(Refused::Unknown)?;
        if endpoint.address != peer.ip() {
            return Err(Refused::Forbidden);
        }
        endpoint.lifetime = lifetime(found.seconds.unwrap_or(endpoint.lifetime.seconds), now)?;
        if let Some(base) = found.base {
            endpoint.base = base;
            endpoint.has_own_base = true;
        } else if !endpoint.has_own_base {
            endpoint.base = format!("coap://{peer}");
        }
        Ok(())
    }

    /// Removes a registration.
    pub fn remove(&mut self, location: u64, peer: SocketAddr) -> Result<(), Refused> {
        let endpoint = self.endpoints.get(&location).ok_or(Refused::Unknown)?;
        if endpoint.address != peer.ip() {
            return Err(Refused::Forbidden);
        }
        self.take_out(location);
        Ok(())
    }

    fn take_out(&mut self, location: u64) {
        let Some(endpoint) = self.endpoints.remove(&location) else {
            return;
        };
        if let Some(count) = self.per_address.get_mut(&endpoint.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.per_address.remove(&endpoint.address);
            }
        }
        self.by_name.remove(&(endpoint.name, endpoint.sector));
    }

    /// Looks at all only when the directory is full, because this takes a while then.
    fn forget_expired(&mut self, now: Instant) {
        if self.endpoints.len() < ENDPOINTS_MAX {
            return;
        }
        let is_over = |one: &Endpoint| now.saturating_duration_since(one.lifetime.until) > REVIVAL;
        let over = self
            .endpoints
            .iter()
            .filter(|(_, one)| is_over(one))
            .map(|(at, _)| *at);
        for location in over.collect::<Vec<_>>() {
            self.take_out(location);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, last], 5683))
    }

    #[test]
    fn what_expired_is_found_no_more_can_be_revived_and_its_name_be_taken() {
        let now = Instant::now();
        let later = now + Duration::from_secs(10);
        let query = [("ep", "a"), ("lt", "10")];
        let mut directory = Directory::default();
        let location = directory
            .register(&query, Vec::new(), None, peer(1), now)
            .unwrap();
        assert_eq!(directory.alive(later - Duration::from_millis(1)).count(), 1);
        assert_eq!(directory.alive(later).count(), 0);
        let taken = directory.register(&query, Vec::new(), None, peer(2), now);
        assert_eq!(taken, Err(Refused::Forbidden));
        assert_eq!(directory.update(location, &[], peer(1), later), Ok(()));
        assert_eq!(directory.alive(later).count(), 1);
        let much_later = later + Duration::from_secs(10);
        assert!(directory
            .register(&query, Vec::new(), None, peer(2), much_later)
            .is_ok());
        assert_eq!(directory.remove(location, peer(1)), Err(Refused::Forbidden));
        assert_eq!(directory.remove(location, peer(2)), Ok(()));
        assert!(directory.by_name.is_empty() && directory.per_address.is_empty());
    }

    #[test]
    fn one_address_cannot_fill_the_directory() {
        let now = Instant::now();
        let mut directory = Directory::default();
        for number in 0..PER_ADDRESS_MAX {
            let name = number.to_string();
            assert!(directory
                .register(&[("ep", &name)], Vec::new(), None, peer(1), now)
                .is_ok());
        }
        let more = directory.register(&[("ep", "more")], Vec::new(), None, peer(1), now);
        assert_eq!(more, Err(Refused::Full));
        assert!(directory
            .register(&[("ep", "more")], Vec::new(), None, peer(2), now)
            .is_ok());
    }
}
