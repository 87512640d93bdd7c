// SPDX-License-Identifier: Apache-2.0
//! Topics that any client may create, beside those of devices
//! (draft-ietf-core-coap-pubsub). They are kept in memory, and are bounded in number
//! and in size. Their content proves only that it is of the last publisher.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use super::properties::{self, BadProperties, Properties};
use super::topics::is_of_device;
use crate::server::limits::owner;
use crate::server::Clock;
use crate::verify::pubsub::CONTENT_MAX;

/// How many topics one owner of addresses may have.
pub const PER_OWNER_MAX: usize = 64;
/// A topic without a publication or change for so long makes room for another, if there is none.
const IDLE: Duration = Duration::from_secs(86_400);
/// Observers confirm at least that often by default.
const OBSERVER_CHECK: Duration = Duration::from_secs(86_400);

/// Why something is not done.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    Malformed,
    Forbidden,
    Unknown,
    Format,
    Full,
}

impl From<BadProperties> for Refused {
    fn from(_: BadProperties) -> Self {
        Refused::Malformed
    }
}

/// The latest publication.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub format: Option<u16>,
    pub payload: Vec<u8>,
}

/// A topic.
#[derive(Debug)]
pub struct Topic {
    pub properties: Properties,
    /// The address that may change it.
    address: IpAddr,
    /// By a clock that does not jump.
    ends_at: Option<Instant>,
    /// The time of the last publication or change.
    used_at: Instant,
    is_elsewhere: bool,
    content: Option<Content>,
}

impl Topic {
    /// Its content; nothing while it is half created, or if another publisher has it.
    pub fn content(&self) -> Option<&Content> {
        self.content.as_ref()
    }

    /// How many may observe it.
    pub fn subscribers_max(&self) -> usize {
        let said = self.properties.number(properties::MAX_SUBSCRIBERS);
        said.map_or(usize::MAX, |number| number as usize)
    }

    /// The longest time between two notifications that are confirmed.
    pub fn observer_check(&self) -> Duration {
        let said = self.properties.number(properties::OBSERVER_CHECK);
        said.map_or(OBSERVER_CHECK, |seconds| {
            Duration::from_secs(seconds.into())
        })
    }

    fn takes(&self, format: Option<u16>) -> bool {
        let said = self.properties.number(properties::TOPIC_CONTENT_FORMAT);
        said.is_none() || said == format.map(u32::from)
    }
}

/// The effect of a publication.
#[derive(Debug, PartialEq, Eq)]
pub enum Published {
    First,
    Another,
    /// Observers have so far got another format.
    AnotherFormat,
}

/// All of them, in the order in which they were created.
pub struct Open {
    most: usize,
    /// Part of each path, so that no path means another topic after a restart.
    start: u32,
    next: u64,
    topics: BTreeMap<u64, Topic>,
    by_name: HashMap<String, u64>,
    per_owner: HashMap<IpAddr, usize>,
    version: u64,
    /// Topics that had to go and whose observers do not know it yet.
    gone: Vec<u64>,
}

impl Open {
    /// No topic yet, and room for so many; `start` differs from that of the last run.
    pub fn new(most: usize, start: u32) -> Self {
        Open {
            most,
            start,
            next: 1,
            topics: BTreeMap::new(),
            by_name: HashMap::new(),
            per_owner: HashMap::new(),
            version: 0,
            gone: Vec::new(),
        }
    }

    /// Allows so many topics from now on.
    pub fn allow(&mut self, most: usize) {
        self.most = most;
    }

    pub fn count(&self) -> usize {
        self.topics.len()
    }

    /// Differs when topics came or went, or their links say something else.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// True for the last segment of the path of an open topic, which no device's topic has.
    pub fn is_segment(segment: &str) -> bool {
        segment.starts_with('t')
    }

    /// The last segment of a topic's path.
    pub fn segment(&self, number: u64) -> String {
        format!("t{number:x}-{:08x}", self.start)
    }

    /// The number of the topic whose path ends in this segment.
    pub fn find(&self, segment: &str) -> Result<u64, Refused> {
        let (digits, _) = segment
            .strip_prefix('t')
            .and_then(|rest| rest.split_once('-'))
            .ok_or(Refused::Unknown)?;
        let number = u64::from_str_radix(digits, 16).map_err(|_| Refused::Unknown)?;
        let is_there = self.topics.contains_key(&number) && self.segment(number) == segment;
        is_there.then_some(number).ok_or(Refused::Unknown)
    }

    pub fn get(&self, number: u64) -> Option<&Topic> {
        self.topics.get(&number)
    }

    /// All of them with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u64, &Topic)> {
        self.topics.iter().map(|(number, topic)| (*number, topic))
    }

    /// Creates a topic that belongs to this address.
    ///   Malformed  a property is missing or makes no sense, they are too long, or the name is taken
    ///   Forbidden  the name is one that a device could have, or the address has too many
    ///   Full       there are too many, and none of them is idle
    pub fn create(
        &mut self,
        properties: Properties,
        address: IpAddr,
        now: Clock,
    ) -> Result<u64, Refused> {
        let name = properties.text(properties::TOPIC_NAME);
        let name = name.ok_or(Refused::Malformed)?.to_string();
        if self.most == 0 || is_of_device(&name) {
            return Err(Refused::Forbidden);
        }
        if !properties.has(properties::RESOURCE_TYPE) || self.by_name.contains_key(&name) {
            return Err(Refused::Malformed);
        }
        let topic = self.made(properties, address, now)?;
        let of_owner = self.per_owner.get(&owner(address)).copied().unwrap_or(0);
        if of_owner >= PER_OWNER_MAX {
            return Err(Refused::Forbidden);
        }
        if self.topics.len() >= self.most && !self.make_room(now.instant) {
            return Err(Refused::Full);
        }
        *self.per_owner.entry(owner(address)).or_default() += 1;
        let number = self.next;
        self.next += 1;
        self.version += 1;
        self.by_name.insert(name, number);
        self.topics.insert(number, topic);
        Ok(number)
    }

    /// Removes the topic that is idle for the longest time, if that is long enough.
    fn make_room(&mut self, now: Instant) -> bool {
        let oldest = self.all().min_by_key(|(_, topic)| topic.used_at);
        let idle = oldest.filter(|(_, one)| now.saturating_duration_since(one.used_at) > IDLE);
        let Some(number) = idle.map(|(number, _)| number) else {
            return false;
        };
        self.remove(number);
        self.gone.push(number);
        true
    }

    /// The topics that had to make room since this was asked last.
    pub fn made_room(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.gone)
    }

    fn made(&self, given: Properties, address: IpAddr, now: Clock) -> Result<Topic, Refused> {
        let initialize = given.bytes(properties::INITIALIZE).map(<[u8]>::to_vec);
        let format = given.number(properties::TOPIC_CONTENT_FORMAT);
        let elsewhere = given.text(properties::TOPIC_DATA);
        let is_elsewhere = elsewhere.is_some();
        // A path of ours is ours to give: it may be a device's.
        let is_ours = elsewhere.is_some_and(|reference| reference.starts_with('/'));
        if is_ours || (initialize.is_some() && (format.is_none() || is_elsewhere)) {
            return Err(Refused::Malformed);
        }
        let ends_at = ends_at(&given, now)?;
        let properties = if is_elsewhere {
            given
        } else {
            let path = format!("/d/{}", self.segment(self.next));
            given.with(properties::TOPIC_DATA, path)
        };
        if !fit(&properties) {
            return Err(Refused::Malformed);
        }
        let content = initialize.map(|payload| Content {
            format: format.and_then(|number| number.try_into().ok()),
            payload,
        });
        Ok(Topic {
            properties,
            address: address.to_canonical(),
            ends_at,
            used_at: now.instant,
            is_elsewhere,
            content,
        })
    }

    /// A topic that its own address asks to change.
    fn owned(&mut self, number: u64, address: IpAddr) -> Result<&mut Topic, Refused> {
        let topic = self.topics.get_mut(&number).ok_or(Refused::Unknown)?;
        if topic.address != address.to_canonical() {
            return Err(Refused::Forbidden);
        }
        Ok(topic)
    }

    /// Changes the properties of a topic, all of them or those that are given. Says whether its content went,
    /// because it was of a format that it may not have any more.
    pub fn change(
        &mut self,
        number: u64,
        given: &Properties,
        is_replaced: bool,
        address: IpAddr,
        now: Clock,
    ) -> Result<bool, Refused> {
        let topic = self.owned(number, address)?;
        let changed = topic.properties.changed(given, is_replaced)?;
        if !fit(&changed) {
            return Err(Refused::Malformed);
        }
        if is_replaced || given.has(properties::EXPIRATION_DATE) {
            topic.ends_at = ends_at(&changed, now)?;
        }
        topic.properties = changed;
        topic.used_at = now.instant;
        let is_gone = topic
            .content
            .as_ref()
            .is_some_and(|content| !topic.takes(content.format));
        if is_gone {
            topic.content = None;
        }
        self.version += 1;
        Ok(is_gone)
    }

    /// Takes what is published.
    ///   Format  the topic has another format
    pub fn publish(
        &mut self,
        number: u64,
        content: Content,
        now: Instant,
    ) -> Result<Published, Refused> {
        let topic = self.topics.get_mut(&number).ok_or(Refused::Unknown)?;
        if topic.is_elsewhere {
            return Err(Refused::Unknown);
        }
        if !topic.takes(content.format) {
            return Err(Refused::Format);
        }
        topic.used_at = now;
        let format = content.format;
        Ok(match topic.content.replace(content) {
            None => Published::First,
            Some(before) if before.format == format => Published::Another,
            Some(_) => Published::AnotherFormat,
        })
    }

    /// Removes what was published: the topic is half created again.
    pub fn clear(&mut self, number: u64, address: IpAddr) -> Result<(), Refused> {
        let topic = self.owned(number, address)?;
        topic.content.take().map(|_| ()).ok_or(Refused::Unknown)
    }

    /// Deletes a topic.
    pub fn delete(&mut self, number: u64, address: IpAddr) -> Result<(), Refused> {
        self.owned(number, address)?;
        self.remove(number);
        Ok(())
    }

    fn remove(&mut self, number: u64) {
        let Some(topic) = self.topics.remove(&number) else {
            return;
        };
        self.version += 1;
        let name = topic.properties.text(properties::TOPIC_NAME);
        self.by_name.remove(name.unwrap_or_default());
        let of_owner = self.per_owner.entry(owner(topic.address)).or_default();
        *of_owner = of_owner.saturating_sub(1);
        if *of_owner == 0 {
            self.per_owner.remove(&owner(topic.address));
        }
    }

    /// Deletes the topics whose time has come, and says which.
    pub fn expire(&mut self, now: Instant) -> Vec<u64> {
        let is_over = |topic: &Topic| topic.ends_at.is_some_and(|end| end <= now);
        let over = self.all().filter(|(_, topic)| is_over(topic));
        let over: Vec<u64> = over.map(|(number, _)| number).collect();
        for number in &over {
            self.remove(*number);
        }
        over
    }
}

/// Whether an answer that is not cut into blocks has room for them.
fn fit(properties: &Properties) -> bool {
    properties.encode(None).len() <= CONTENT_MAX
}

fn ends_at(properties: &Properties, now: Clock) -> Result<Option<Instant>, BadProperties> {
    let lifetime = properties.lifetime(now.unix)?;
    Ok(lifetime.and_then(|lifetime| now.instant.checked_add(lifetime)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coset::cbor::Value;

    const NAME: u8 = properties::TOPIC_NAME;

    fn address(number: u32) -> IpAddr {
        IpAddr::from((0x0a00_0000 + number).to_be_bytes())
    }

    fn clock() -> Clock {
        let instant = Instant::now();
        let unix = 1_800_000_000_000;
        Clock { instant, unix }
    }

    fn named(name: &str) -> Properties {
        Properties::default()
            .with(NAME, name)
            .with(properties::RESOURCE_TYPE, properties::DATA)
    }

    fn until(seconds: u64) -> Properties {
        let date = Value::Tag(1, Box::new(seconds.into()));
        named("a").with(properties::EXPIRATION_DATE, date)
    }

    fn content(format: Option<u16>) -> Content {
        let payload = b"x".to_vec();
        Content { format, payload }
    }

    #[test]
    fn one_owner_and_all_together_have_so_many_and_leave_nothing() {
        let now = clock();
        let mut open = Open::new(PER_OWNER_MAX + 1, 7);
        let create = |open: &mut Open, number: usize, of| {
            open.create(named(&number.to_string()), address(of), now)
        };
        for number in 0..PER_OWNER_MAX {
            assert!(create(&mut open, number, 1).is_ok());
        }
        let more = PER_OWNER_MAX;
        assert_eq!(create(&mut open, more, 1), Err(Refused::Forbidden));
        let other = create(&mut open, more, 2).unwrap();
        assert_eq!(create(&mut open, more + 1, 3), Err(Refused::Full));
        assert_eq!(open.delete(other, address(2)), Ok(()));
        assert!(create(&mut open, more + 1, 3).is_ok());
        for number in open.all().map(|(number, _)| number).collect::<Vec<_>>() {
            assert_ne!(open.delete(number, address(9)), Ok(()));
            let _ = open.delete(number, address(1));
            let _ = open.delete(number, address(3));
        }
        assert!(open.topics.is_empty() && open.by_name.is_empty() && open.per_owner.is_empty());
        open.allow(0);
        assert_eq!(create(&mut open, 0, 1), Err(Refused::Forbidden));
    }

    #[test]
    fn who_is_idle_for_a_day_makes_room_and_nobody_else_does() {
        let now = clock();
        let later = |seconds| Clock {
            instant: now.instant + IDLE + Duration::from_secs(seconds),
            ..now
        };
        let mut open = Open::new(2, 7);
        let create = |open: &mut Open, name, now| open.create(named(name), address(1), now);
        let [first, second] = ["a", "b"].map(|name| create(&mut open, name, now).unwrap());
        let published = open.publish(first, content(None), later(0).instant);
        assert_eq!(published, Ok(Published::First));
        assert_eq!(create(&mut open, "c", later(0)), Err(Refused::Full));
        assert!(create(&mut open, "c", later(1)).is_ok());
        assert_eq!(open.made_room(), [second]);
        assert!(open.get(first).is_some() && open.get(second).is_none());
        assert_eq!(create(&mut open, "d", later(2)), Err(Refused::Full));
        assert!(open.made_room().is_empty());
    }

    #[test]
    fn an_address_that_is_mapped_is_the_same() {
        let now = clock();
        let mut open = Open::new(9, 7);
        let mapped = "::ffff:10.0.0.1".parse().unwrap();
        let number = open.create(named("a"), mapped, now).unwrap();
        assert_eq!(open.delete(number, address(1)), Ok(()));
        assert!(open.per_owner.is_empty());
    }

    #[test]
    fn a_path_is_that_of_one_topic_of_this_run() {
        let now = clock();
        let [mut open, mut restarted] = [7, 8].map(|start| Open::new(9, start));
        let number = open.create(named("a"), address(1), now).unwrap();
        assert_eq!(open.segment(number), "t1-00000007");
        restarted.create(named("b"), address(2), now).unwrap();
        let stale = restarted.find(&open.segment(number));
        assert_eq!(stale, Err(Refused::Unknown));
        for other in [
            "t1",
            "t01-00000007",
            "t+1-00000007",
            "t2-00000007",
            "1-0007",
            "t",
        ] {
            assert_eq!(open.find(other), Err(Refused::Unknown), "{other}");
        }
        open.delete(number, address(1)).unwrap();
        let next = open.create(named("a"), address(1), now).unwrap();
        assert_ne!(next, number);
    }

    #[test]
    fn no_topic_takes_a_devices_place() {
        let now = clock();
        let mut open = Open::new(99, 7);
        for name in [
            "ae31580c8def1fbf0dd5ed28b72fb79b",
            "AE31580C8DEF1FBF0DD5ED28B72FB79B",
            "CF1:AE31580C8DEF1FBF0DD5ED28B72FB79B",
            "ae31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;b",
        ] {
            let created = open.create(named(name), address(1), now);
            assert_eq!(created, Err(Refused::Forbidden), "{name}");
        }
        for path in ["/d/0-b79b", "/"] {
            let of = named("a").with(properties::TOPIC_DATA, path);
            assert_eq!(open.create(of, address(1), now), Err(Refused::Malformed));
        }
    }

    #[test]
    fn a_topic_ends_after_its_time_whatever_the_clock_says() {
        let now = clock();
        let mut open = Open::new(9, 7);
        let ends = now.unix / 1000 + 10;
        let number = open.create(until(ends), address(1), now).unwrap();
        let after = |seconds| now.instant + Duration::from_secs(seconds);
        let ten_years = 315_360_000_000;
        for unix in [now.unix + ten_years, now.unix - ten_years, 0] {
            let jumped = Clock { unix, ..now };
            let type_alone = Properties::default().with(properties::TOPIC_TYPE, "t");
            let changed = open.change(number, &type_alone, false, address(1), jumped);
            assert_eq!((changed, open.expire(after(9))), (Ok(false), vec![]));
        }
        assert_eq!(open.expire(after(10)), [number]);
        assert!(open.by_name.is_empty());
        let past = open.create(until(now.unix / 1000), address(1), now);
        assert_eq!(past, Err(Refused::Malformed));
    }

    #[test]
    fn what_is_published_is_of_the_format_that_was_said() {
        let now = clock();
        let mut open = Open::new(9, 7);
        let number = open.create(named("a"), address(1), now).unwrap();
        let mut publish = |format| open.publish(number, content(format), now.instant);
        assert_eq!(publish(None), Ok(Published::First));
        assert_eq!(publish(Some(0)), Ok(Published::AnotherFormat));
        assert_eq!(publish(Some(0)), Ok(Published::Another));
        let of_format = Properties::default().with(properties::TOPIC_CONTENT_FORMAT, 60);
        // The present content is not of that format, and is removed.
        let changed = open.change(number, &of_format, false, address(1), now);
        assert_eq!(changed, Ok(true));
        assert_eq!(open.get(number).unwrap().content(), None);
        assert_eq!(
            open.publish(number, content(Some(0)), now.instant),
            Err(Refused::Format)
        );
        assert_eq!(
            open.publish(number, content(None), now.instant),
            Err(Refused::Format)
        );
        let again = open.publish(number, content(Some(60)), now.instant);
        assert_eq!(again, Ok(Published::First));
        assert_eq!(open.clear(number, address(2)), Err(Refused::Forbidden));
        assert_eq!(open.clear(number, address(1)), Ok(()));
        assert_eq!(open.clear(number, address(1)), Err(Refused::Unknown));
    }

    #[test]
    fn properties_are_no_more_than_fit_a_message() {
        let now = clock();
        let mut open = Open::new(9, 7);
        let beginning_with = |length: usize| {
            named("a")
                .with(properties::TOPIC_CONTENT_FORMAT, 0)
                .with(properties::INITIALIZE, vec![0u8; length])
        };
        let longest = (0..=CONTENT_MAX).rev().find_map(|length| {
            let created = open.create(beginning_with(length), address(1), now);
            Some((length, created.ok()?))
        });
        let (length, number) = longest.unwrap();
        assert!(length > 900, "{length}");
        let whole = open.get(number).unwrap().properties.clone();
        assert_eq!(whole.encode(None).len(), CONTENT_MAX);
        let more = Properties::default().with(properties::TOPIC_TYPE, "t");
        for is_replaced in [false, true] {
            let changed = open.change(number, &more, is_replaced, address(1), now);
            assert_eq!(changed, Err(Refused::Malformed));
        }
        assert_eq!(open.get(number).unwrap().properties, whole);
    }

    #[test]
    fn a_topic_that_is_elsewhere_takes_nothing_here() {
        let now = clock();
        let mut open = Open::new(9, 7);
        let of = named("a").with(properties::TOPIC_DATA, "coap://other/x");
        let initialized = of
            .clone()
            .with(properties::TOPIC_CONTENT_FORMAT, 0)
            .with(properties::INITIALIZE, vec![1u8]);
        let created = open.create(initialized, address(1), now);
        assert_eq!(created, Err(Refused::Malformed));
        let number = open.create(of, address(1), now).unwrap();
        let published = open.publish(number, content(None), now.instant);
        assert_eq!(published, Err(Refused::Unknown));
    }
}
