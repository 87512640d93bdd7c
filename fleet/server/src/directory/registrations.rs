// SPDX-License-Identifier: Apache-2.0
//! Registrations: made, renewed, removed, expired.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::ops::Bound;
use std::time::{Duration, Instant};

use coap_lite::ResponseType;

use super::links::{self, Link};
use crate::server::limits::owner;
use crate::verify::digits::decimal;
use crate::verify::Identity;

/// Of RFC 9176, in seconds.
pub const LIFETIME_DEFAULT: u32 = 90_000;

const NAME_MAX: usize = 63;
const ENDPOINTS_MAX: usize = 200_000;
/// The default limit of devices that may be entered from one address.
pub const PER_ADDRESS_MAX: usize = 10_000;
/// Of those that no signature proves, so that they take no room from those that one does.
const PLAIN_MAX: usize = 20_000;
const PLAIN_PER_ADDRESS_MAX: usize = 2_000;
const PLAIN_SECONDS_MAX: u32 = 7 * 86_400;
/// Of the plain ones, those of peers that prove no address, and for how long: the others are left to peers that do.
const UNPROVEN_MAX: usize = PLAIN_MAX / 4;
const UNPROVEN_SECONDS_MAX: u32 = LIFETIME_DEFAULT;
const SIGNED_SECONDS_MAX: u32 = 30 * 86_400;
const ATTRIBUTES_MAX: usize = 16;
const LINKS_MAX: usize = 32;
/// Of all links together: an attribute of two bytes takes a hundred in memory.
const LINK_ATTRIBUTES_MAX: usize = 64;

/// An expired registration can be revived for that long.
const REVIVAL: Duration = Duration::from_secs(3600);

/// Looking at all registrations takes a while.
const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// Why the directory refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Not as the RFC says.
    Malformed,
    /// The name belongs to another endpoint.
    Forbidden,
    /// The entry is of a peer that proved its address, which the request does not.
    Unproven,
    /// There is no such registration.
    Unknown,
    /// The directory is full, or this address has too many.
    Full,
}

impl Refused {
    /// The code that says so.
    pub fn code(self) -> ResponseType {
        match self {
            Refused::Malformed => ResponseType::BadRequest,
            Refused::Forbidden => ResponseType::Forbidden,
            Refused::Unproven => ResponseType::Unauthorized,
            Refused::Unknown => ResponseType::NotFound,
            Refused::Full => ResponseType::ServiceUnavailable,
        }
    }
}

/// For how long, from when.
#[derive(Clone, Copy, Debug)]
pub struct Lifetime {
    pub until: Instant,
    pub seconds: u32,
}

/// The proof of a registration's sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rank {
    /// Nothing: any peer can send in the name of its address.
    Unproven,
    /// That it receives at its address.
    Proven,
    /// That the name is its own.
    Signed,
}

/// Whose room a registration takes, and of which rank.
type Account = (IpAddr, Rank);

/// A registered endpoint.
#[derive(Clone, Debug)]
pub struct Endpoint {
    pub name: String,
    pub sector: Option<String>,
    pub base: String,
    has_own_base: bool,
    /// The other attributes in the endpoint's registration.
    pub attributes: Vec<(String, String)>,
    pub links: Vec<Link>,
    /// Where this server holds what the endpoint publishes.
    pub topic: Option<Link>,
    pub lifetime: Lifetime,
    rank: Rank,
    /// Whose name it is, if a signature proves that.
    pub(super) signer: Option<Identity>,
    /// Its location, if that does not depend on who came first.
    place: Option<u64>,
    address: IpAddr,
}

/// Attributes that only a signature gives to an endpoint: its keys and its kind.
pub(super) const PROVEN: [&str; 3] = ["pk", "ak", "kd"];

/// The proven facts of an endpoint, by a signature.
pub struct Proven {
    pub identity: Identity,
    /// The how manyth device it is, in each run of the server.
    pub ordinal: usize,
    pub attributes: Vec<(String, String)>,
    pub topic: Link,
}

/// Set in the numbers of entries of devices. The rest is the device's ordinal, so that a restart leaves each
/// where it was, and none where another was.
const OF_DEVICE: u64 = 1 << 63;

/// The last segment of the path of a registration.
pub fn segment(location: u64) -> String {
    match location & OF_DEVICE {
        0 => format!("{location:x}"),
        _ => format!("s{:x}", location & !OF_DEVICE),
    }
}

/// The number of the registration whose path ends in this segment.
pub fn find(text: &str) -> Option<u64> {
    let (digits, bit) = match text.strip_prefix('s') {
        Some(digits) => (digits, OF_DEVICE),
        None => (text, 0),
    };
    let location = u64::from_str_radix(digits, 16).ok()? | bit;
    (segment(location) == text).then_some(location)
}

/// All registrations, by the number in their location.
#[derive(Default)]
pub struct Directory {
    endpoints: BTreeMap<u64, Endpoint>,
    by_name: HashMap<(String, Option<String>), u64>,
    by_account: HashMap<Account, BTreeSet<u64>>,
    by_end: BTreeSet<(Instant, u64)>,
    unproven: usize,
    proven: usize,
    /// The limit of devices that may be entered from one address, if it is set.
    per_address: Option<usize>,
    last: u64,
    swept: Option<Instant>,
    version: u64,
    /// Until when it was looked which entries expired.
    seen: Option<Instant>,
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
            "lt" => match decimal(value) {
                Some(seconds) if seconds > 0 => found.seconds.replace(seconds).is_some(),
                _ => true,
            },
            "ep" | "d" | "base" | "page" | "count" | "href" | "anchor" | "rt" => true,
            name if PROVEN.contains(&name) => true,
            // They become attributes of a link.
            name if links::is_name(name) && !value.chars().any(char::is_control) => {
                found.attributes.push((name.to_string(), value.to_string()));
                found.attributes.len() > ATTRIBUTES_MAX
            }
            _ => true,
        };
        if is_again {
            return Err(Refused::Malformed);
        }
    }
    Ok(found)
}

fn lifetime(seconds: u32, rank: Rank, now: Instant) -> Result<Lifetime, Refused> {
    let most = match rank {
        Rank::Signed => SIGNED_SECONDS_MAX,
        Rank::Proven => PLAIN_SECONDS_MAX,
        Rank::Unproven => UNPROVEN_SECONDS_MAX,
    };
    if seconds > most {
        return Err(Refused::Malformed);
    }
    let until = now
        .checked_add(Duration::from_secs(seconds.into()))
        .ok_or(Refused::Malformed)?;
    Ok(Lifetime { until, seconds })
}

fn base_of(peer: SocketAddr) -> String {
    let peer = SocketAddr::new(peer.ip().to_canonical(), peer.port());
    format!("coap://{peer}")
}

/// A registration that was read, and is in no directory yet.
pub struct Entry(Endpoint);

impl Entry {
    /// Reads one, which is bounded: without a signature its address is all that is known.
    pub fn read(
        query: &[(&str, &str)],
        links: Vec<Link>,
        rank: Rank,
        peer: SocketAddr,
        now: Instant,
    ) -> Result<Self, Refused> {
        let found = parameters(query)?;
        if !are_few(&links) {
            return Err(Refused::Malformed);
        }
        Ok(Entry(Endpoint {
            has_own_base: found.base.is_some(),
            base: found.base.unwrap_or_else(|| base_of(peer)),
            name: found.name.ok_or(Refused::Malformed)?,
            sector: found.sector,
            attributes: found.attributes,
            links,
            topic: None,
            lifetime: lifetime(found.seconds.unwrap_or(LIFETIME_DEFAULT), rank, now)?,
            rank,
            signer: None,
            place: None,
            address: peer.ip(),
        }))
    }

    /// Adds what the signature proves.
    pub fn prove(mut self, proven: Proven) -> Self {
        self.0.attributes.splice(0..0, proven.attributes);
        self.0.topic = Some(proven.topic);
        self.0.signer = Some(proven.identity);
        self.0.place = Some(OF_DEVICE | proven.ordinal as u64);
        self
    }

    /// As it is after it was in the directory for so long; nothing if it expired.
    pub fn older(mut self, age: Duration, now: Instant) -> Option<Self> {
        let left = self.0.lifetime.until.checked_sub(age)?;
        self.0.lifetime.until = left;
        (left > now).then_some(self)
    }
}

fn are_few(links: &[Link]) -> bool {
    let of_all: usize = links.iter().map(|link| link.attributes.len()).sum();
    let of_one = links.iter().map(|link| link.attributes.len()).max();
    links.len() <= LINKS_MAX
        && of_all <= LINK_ATTRIBUTES_MAX
        && of_one.unwrap_or(0) <= ATTRIBUTES_MAX
}

/// An update that was read.
#[derive(Default)]
pub struct Update {
    base: Option<String>,
    seconds: Option<u32>,
}

impl Update {
    /// Reads one: names and attributes stay what they are.
    pub fn read(query: &[(&str, &str)]) -> Result<Self, Refused> {
        let found = parameters(query)?;
        if found.name.is_some() || found.sector.is_some() || !found.attributes.is_empty() {
            return Err(Refused::Malformed);
        }
        Ok(Update {
            base: found.base,
            seconds: found.seconds,
        })
    }

    fn is_empty(&self) -> bool {
        self.base.is_none() && self.seconds.is_none()
    }
}

impl Endpoint {
    fn account(&self) -> Account {
        (owner(self.address), self.rank)
    }

    fn is_signed(&self) -> bool {
        self.rank == Rank::Signed
    }

    /// The key of an entry: a signer has one entry, in any sector.
    fn key(&self) -> (String, Option<String>) {
        let sector = self.sector.clone().filter(|_| !self.is_signed());
        (self.name.clone(), sector)
    }
}

/// Whether this may be forged, and would replace what a proof made.
fn is_forged(one: &Endpoint, new: &Endpoint, now: Instant) -> bool {
    let is_same = one.address == new.address && one.lifetime.until > now;
    is_same && one.rank == Rank::Proven && new.rank == Rank::Unproven
}

impl Directory {
    /// How many devices may be entered from one address.
    pub fn allow_per_address(&mut self, most: usize) {
        self.per_address = Some(most);
    }

    /// How many registrations there are.
    pub fn count(&self) -> usize {
        self.endpoints.len()
    }

    /// Differs when entries came, went, expired or say something else.
    pub fn version(&mut self, now: Instant) -> u64 {
        let seen = self.seen.replace(now).unwrap_or(now);
        let ended = (
            Bound::Excluded((seen, u64::MAX)),
            Bound::Included((now, u64::MAX)),
        );
        if seen < now && self.by_end.range(ended).next().is_some() {
            self.version += 1;
        }
        self.version
    }

    /// Those that did not expire, in the order of their locations.
    pub(super) fn alive(&self, now: Instant) -> impl Iterator<Item = (u64, &Endpoint)> {
        let alive = self
            .endpoints
            .iter()
            .filter(move |(_, one)| one.lifetime.until > now);
        alive.map(|(location, one)| (*location, one))
    }

    /// Enters an endpoint; an earlier one with the same names keeps its location. A
    /// name that a signature proves is the signer's, whichever device had it.
    pub fn enter(&mut self, entry: Entry, now: Instant) -> Result<u64, Refused> {
        let endpoint = entry.0;
        let key = endpoint.key();
        let location = match self.by_name.get(&key) {
            Some(location) => {
                self.check_owner(*location, &endpoint, now)?;
                *location
            }
            None => endpoint.place.unwrap_or(self.last + 1),
        };
        let before = self.endpoints.get(&location).map(|one| one.rank);
        if before != Some(endpoint.rank) && !self.has_room(endpoint.account(), now) {
            return Err(Refused::Full);
        }
        if location & OF_DEVICE == 0 {
            self.last = self.last.max(location);
        }
        self.take_out(location);
        self.by_name.insert(key, location);
        let of_account = self.by_account.entry(endpoint.account()).or_default();
        of_account.insert(location);
        if let Some(count) = self.count_of(endpoint.rank) {
            *count += 1;
        }
        self.by_end.insert((endpoint.lifetime.until, location));
        self.version += 1;
        self.endpoints.insert(location, endpoint);
        Ok(location)
    }

    /// Whether one more fits, after what expired made room.
    fn has_room(&mut self, account: Account, now: Instant) -> bool {
        let of_account_max = match account {
            (_, Rank::Signed) => self.per_address.unwrap_or(PER_ADDRESS_MAX),
            _ => PLAIN_PER_ADDRESS_MAX,
        };
        let of_account = |this: &Self| this.by_account.get(&account).map_or(0, BTreeSet::len);
        if of_account(self) >= of_account_max {
            let own = self.by_account.get(&account).into_iter().flatten().copied();
            self.forget(own.collect(), Duration::ZERO, now);
        }
        if self.is_full(account.1) {
            self.sweep(now);
        }
        of_account(self) < of_account_max && !self.is_full(account.1)
    }

    fn is_full(&self, rank: Rank) -> bool {
        let plain = self.unproven + self.proven;
        match rank {
            Rank::Signed => self.endpoints.len() - plain >= ENDPOINTS_MAX,
            Rank::Proven => plain >= PLAIN_MAX,
            Rank::Unproven => plain >= PLAIN_MAX || self.unproven >= UNPROVEN_MAX,
        }
    }

    /// How many plain entries there are of this rank.
    fn count_of(&mut self, rank: Rank) -> Option<&mut usize> {
        match rank {
            Rank::Signed => None,
            Rank::Proven => Some(&mut self.proven),
            Rank::Unproven => Some(&mut self.unproven),
        }
    }

    /// First come, first remembered: until it expires, a name belongs to the address that took it. A
    /// signature proves more than an address.
    fn check_owner(&self, location: u64, new: &Endpoint, now: Instant) -> Result<(), Refused> {
        match self.endpoints.get(&location) {
            Some(one) if is_forged(one, new, now) => Err(Refused::Unproven),
            Some(one) if new.is_signed() || one.address == new.address => Ok(()),
            Some(one) if one.lifetime.until <= now && !one.is_signed() => Ok(()),
            Some(_) => Err(Refused::Forbidden),
            None => Ok(()),
        }
    }

    /// Renews a registration, which revives it if it expired a short while ago. One that was signed stays as
    /// it is.
    pub fn update(
        &mut self,
        location: u64,
        update: Update,
        (peer, is_proven): (SocketAddr, bool),
        now: Instant,
    ) -> Result<(), Refused> {
        let endpoint = self.endpoints.get_mut(&location).ok_or(Refused::Unknown)?;
        if endpoint.address != peer.ip() || (endpoint.is_signed() && !update.is_empty()) {
            return Err(Refused::Forbidden);
        }
        if endpoint.rank > Rank::Unproven && !is_proven {
            return Err(Refused::Unproven);
        }
        let seconds = update.seconds.unwrap_or(endpoint.lifetime.seconds);
        let renewed = lifetime(seconds, endpoint.rank, now)?;
        self.by_end.remove(&(endpoint.lifetime.until, location));
        self.by_end.insert((renewed.until, location));
        self.version += 1;
        endpoint.lifetime = renewed;
        if let Some(base) = update.base {
            endpoint.base = base;
            endpoint.has_own_base = true;
        } else if !endpoint.has_own_base && !endpoint.is_signed() {
            endpoint.base = base_of(peer);
        }
        Ok(())
    }

    /// Removes a registration, if it was not signed.
    pub fn remove(
        &mut self,
        location: u64,
        (peer, is_proven): (SocketAddr, bool),
    ) -> Result<(), Refused> {
        let endpoint = self.endpoints.get(&location).ok_or(Refused::Unknown)?;
        if endpoint.address != peer.ip() || endpoint.is_signed() {
            return Err(Refused::Forbidden);
        }
        if endpoint.rank > Rank::Unproven && !is_proven {
            return Err(Refused::Unproven);
        }
        self.take_out(location);
        Ok(())
    }

    fn take_out(&mut self, location: u64) {
        let Some(endpoint) = self.endpoints.remove(&location) else {
            return;
        };
        self.by_end.remove(&(endpoint.lifetime.until, location));
        self.version += 1;
        let account = endpoint.account();
        if let Some(locations) = self.by_account.get_mut(&account) {
            locations.remove(&location);
            if locations.is_empty() {
                self.by_account.remove(&account);
            }
        }
        if let Some(count) = self.count_of(endpoint.rank) {
            *count -= 1;
        }
        self.by_name.remove(&endpoint.key());
    }

    /// Forgets those of `locations` that expired longer ago than this.
    fn forget(&mut self, locations: Vec<u64>, ago: Duration, now: Instant) {
        for location in locations {
            let endpoint = self.endpoints.get(&location);
            let until = endpoint.map(|one| one.lifetime.until);
            if until.is_some_and(|until| now.saturating_duration_since(until) > ago) {
                self.take_out(location);
            }
        }
    }

    fn sweep(&mut self, now: Instant) {
        let before = self.swept.map(|at| now.saturating_duration_since(at));
        if before.is_none_or(|passed| passed >= SWEEP_EVERY) {
            self.swept = Some(now);
            self.forget(self.endpoints.keys().copied().collect(), REVIVAL, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, last], 5683))
    }

    fn register(
        directory: &mut Directory,
        query: &[(&str, &str)],
        peer: SocketAddr,
        now: Instant,
    ) -> Result<u64, Refused> {
        directory.enter(
            Entry::read(query, Vec::new(), Rank::Proven, peer, now)?,
            now,
        )
    }

    #[test]
    fn what_expired_is_found_no_more_can_be_revived_and_its_name_be_taken() {
        let now = Instant::now();
        let later = now + Duration::from_secs(10);
        let query = [("ep", "a"), ("lt", "10")];
        let mut directory = Directory::default();
        let location = register(&mut directory, &query, peer(1), now).unwrap();
        assert_eq!(directory.alive(later - Duration::from_millis(1)).count(), 1);
        assert_eq!(directory.alive(later).count(), 0);
        let taken = register(&mut directory, &query, peer(2), now);
        assert_eq!(taken, Err(Refused::Forbidden));
        let revived = directory.update(location, Update::default(), (peer(1), true), later);
        assert_eq!(revived, Ok(()));
        assert_eq!(directory.alive(later).count(), 1);
        let much_later = later + Duration::from_secs(10);
        assert!(register(&mut directory, &query, peer(2), much_later).is_ok());
        assert_eq!(
            directory.remove(location, (peer(1), true)),
            Err(Refused::Forbidden)
        );
        assert_eq!(directory.remove(location, (peer(2), true)), Ok(()));
        assert!(directory.by_name.is_empty() && directory.by_account.is_empty());
    }

    #[test]
    fn one_address_cannot_fill_the_directory_and_what_expired_makes_room() {
        let now = Instant::now();
        let mut directory = Directory::default();
        // The owner of one address of an IPv6 network has all of them.
        let ours = |last| SocketAddr::from(([0x2001, 0xdb8, 0, 0, 0, 0, 0, last], 5683));
        for number in 0..PLAIN_PER_ADDRESS_MAX {
            let name = number.to_string();
            let query = [("ep", name.as_str()), ("lt", "10")];
            assert!(register(&mut directory, &query, ours(number as u16), now).is_ok());
        }
        let more = [("ep", "more")];
        let full = register(&mut directory, &more, ours(0), now);
        assert_eq!(full, Err(Refused::Full));
        assert!(register(&mut directory, &more, peer(2), now).is_ok());
        let later = now + Duration::from_secs(11);
        assert!(register(&mut directory, &[("ep", "new")], ours(0), later).is_ok());
        assert_eq!(directory.count(), 2);
    }

    #[test]
    fn plain_registrations_take_no_room_from_signed_ones() {
        let now = Instant::now();
        let mut directory = Directory::default();
        for number in 0..PLAIN_MAX as u32 {
            let name = number.to_string();
            let peer = SocketAddr::from(((0x0a00_0000 + number / 1000).to_be_bytes(), 5683));
            assert!(register(&mut directory, &[("ep", &name)], peer, now).is_ok());
        }
        let query = [("ep", "more")];
        let full = register(&mut directory, &query, peer(200), now);
        assert_eq!(full, Err(Refused::Full));
        let signed = Entry::read(&query, Vec::new(), Rank::Signed, peer(200), now).unwrap();
        assert!(directory.enter(signed, now).is_ok());
        // All expired long ago: there is room again.
        let later = now + Duration::from_secs(u64::from(LIFETIME_DEFAULT)) + 2 * REVIVAL;
        assert!(register(&mut directory, &[("ep", "new")], peer(200), later).is_ok());
        assert_eq!(directory.count(), 1);
    }

    #[test]
    fn a_registration_is_bounded() {
        let read = |query: &[(&str, &str)], links: &str, rank: Rank| {
            let links = links::parse(links).unwrap();
            Entry::read(query, links, rank, peer(1), Instant::now()).is_ok()
        };
        let links = |count: usize, attributes: usize| {
            vec![format!("</>{}", ";a".repeat(attributes)); count].join(",")
        };
        let query = [("ep", "a")];
        for (text, is_good) in [
            (links(32, 2), true),
            (links(33, 0), false),
            (links(4, 16), true),
            (links(1, 17), false),
            (links(22, 3), false),
        ] {
            for rank in [Rank::Unproven, Rank::Proven, Rank::Signed] {
                assert_eq!(read(&query, &text, rank), is_good, "{text}");
            }
        }
        for (rank, most) in [
            (Rank::Unproven, 90_000),
            (Rank::Proven, 604_800),
            (Rank::Signed, 2_592_000),
        ] {
            let is_good = |seconds: u32| {
                let seconds = seconds.to_string();
                read(&[("ep", "a"), ("lt", &seconds)], "", rank)
            };
            assert!(is_good(most) && !is_good(most + 1));
        }
    }

    #[test]
    fn a_location_is_written_in_one_way() {
        for location in [1, 0xabc, OF_DEVICE, OF_DEVICE | 0x1f] {
            assert_eq!(find(&segment(location)), Some(location));
        }
        for other in ["", "s", "01", "+1", "s00", "8000000000000000", "x"] {
            assert_eq!(find(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_entered_again_has_the_rest_of_its_time() {
        let now = Instant::now() + Duration::from_secs(3600);
        let entry = || {
            Entry::read(
                &[("ep", "a"), ("lt", "60")],
                Vec::new(),
                Rank::Signed,
                peer(1),
                now,
            )
        };
        let seconds = Duration::from_secs;
        let old = entry().unwrap().older(seconds(59), now).unwrap();
        assert_eq!(old.0.lifetime.until, now + seconds(1));
        assert!(entry().unwrap().older(seconds(60), now).is_none());
        assert!(entry().unwrap().older(seconds(u64::MAX), now).is_none());
    }

    #[test]
    fn a_signer_has_one_entry_whatever_its_sector() {
        let now = Instant::now();
        let mut directory = Directory::default();
        for (sector, address) in [("a", 1), ("b", 1), ("c", 2)] {
            let query = [("ep", "signer"), ("d", sector)];
            let signed = Entry::read(&query, Vec::new(), Rank::Signed, peer(address), now).unwrap();
            assert_eq!(directory.enter(signed, now), Ok(1));
        }
        assert_eq!((directory.count(), directory.by_name.len()), (1, 1));
        assert_eq!(directory.by_account.len(), 1);
    }
}
