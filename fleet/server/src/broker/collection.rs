// SPDX-License-Identifier: Apache-2.0
//! Links to all topics, or to those that are asked for.

use super::properties::{self, Properties, DATA};
use super::topics;
use super::Open;
use crate::coap::block::{self, Tag};
use crate::coap::format;
use crate::directory::links::Link;
use crate::directory::LOOKS_PER_LINK;
use crate::store::{Device, State};
use crate::verify::Identity;

/// The resource type of configurations.
pub const CONFIGURATION: &str = "core.ps.conf";

/// The target of a link.
#[derive(Clone, Copy)]
pub enum Target {
    Configurations,
    Data,
}

#[derive(Default)]
struct Written {
    configurations: String,
    data: String,
}

/// Links, written once for each device that comes, and once for each open topic that comes or goes. They are kept
/// apart, so new topics do not cause those of all devices to be written anew.
#[derive(Default)]
pub struct Collection {
    /// How many devices there were, and the last of them.
    of: Option<(usize, Identity)>,
    version: u64,
    devices: Written,
    open: Written,
    /// Only of devices' links, so those are not hashed anew either.
    devices_tags: [Tag; 2],
    tags: [Tag; 2],
}

fn configuration(segment: &str) -> String {
    format!(
        "</ps/{segment}>;rt=\"{CONFIGURATION}\";ct={}",
        format::PUBSUB
    )
}

fn of_device(segment: &str) -> String {
    format!("</d/{segment}>;rt=\"{DATA}\";ct={}", format::COSE_SIGN1)
}

/// The link to the content of an open topic, at any path.
fn of_open(of: &Properties) -> String {
    let resource_type = of.text(properties::RESOURCE_TYPE).unwrap_or_default();
    let mut link = Link {
        target: of
            .text(properties::TOPIC_DATA)
            .unwrap_or_default()
            .to_string(),
        attributes: vec![("rt".to_string(), Some(resource_type.to_string()))],
    };
    let format = of.number(properties::TOPIC_CONTENT_FORMAT);
    let format = format.map(|number| ("ct".to_string(), Some(number.to_string())));
    link.attributes.extend(format);
    link.to_string()
}

fn joined(links: impl Iterator<Item = String>) -> String {
    links.collect::<Vec<_>>().join(",")
}

impl Collection {
    /// Links to all configurations or to all data of type core.ps.data: first devices', then others'. With them a
    /// tag that tells whether they are the same.
    pub fn links(&mut self, state: &State, open: &Open, target: Target) -> ([&str; 3], Tag) {
        let is_changed = self.of != state.newest() || self.version != open.version();
        if self.of != state.newest() {
            self.of = state.newest();
            let all = |link: fn(&str) -> String| {
                let segment = |(identity, device): (&Identity, &Device)| {
                    link(&topics::segment(device.ordinal, identity))
                };
                joined(state.devices().map(segment))
            };
            self.devices.configurations = all(configuration);
            self.devices.data = all(of_device);
            let written = [&self.devices.configurations, &self.devices.data];
            self.devices_tags = written.map(|links| block::tag(&[links.as_bytes()]));
        }
        if self.version != open.version() {
            self.version = open.version();
            let configurations = open
                .all()
                .map(|(number, _)| configuration(&open.segment(number)));
            self.open.configurations = joined(configurations);
            self.open.data = data_of_type(open, DATA).0;
        }
        if is_changed {
            let [configurations, data] = self.devices_tags;
            self.tags = [
                block::tag(&[&configurations, self.open.configurations.as_bytes()]),
                block::tag(&[&data, self.open.data.as_bytes()]),
            ];
        }
        (self.texts(target), self.tags[target as usize])
    }

    fn texts(&self, target: Target) -> [&str; 3] {
        let (devices, open) = match target {
            Target::Configurations => (&self.devices.configurations, &self.open.configurations),
            Target::Data => (&self.devices.data, &self.open.data),
        };
        let between = if devices.is_empty() || open.is_empty() {
            ""
        } else {
            ","
        };
        [devices, between, open]
    }
}

/// Links to the contents of open topics of this type, and the work of the search:
/// composed links count as more.
pub fn data_of_type(open: &Open, resource_type: &str) -> (String, usize) {
    let of_type = open
        .all()
        .map(|(_, topic)| &topic.properties)
        .filter(|one| one.text(properties::RESOURCE_TYPE) == Some(resource_type));
    let links: Vec<String> = of_type.map(of_open).collect();
    let looked_at = open.count() + LOOKS_PER_LINK * links.len();
    (links.join(","), looked_at)
}

/// Links to the configurations that hold what is wanted, and how much was looked at. A device's configuration is
/// put together to be looked at, as its link is.
pub fn matching(state: &State, open: &Open, wanted: &Properties) -> (String, usize) {
    let mut looked_at = open.count();
    let mut found = Vec::new();
    if !wanted.has(properties::TOPIC_NAME) {
        looked_at += state.newest().map_or(0, |(count, _)| count);
    }
    for (identity, device) in possible(state, wanted) {
        looked_at += LOOKS_PER_LINK;
        if topics::configuration(identity, device).hold(wanted) {
            found.push(configuration(&topics::segment(device.ordinal, identity)));
        }
    }
    let of_open = open
        .all()
        .filter(|(_, topic)| topic.properties.hold(wanted));
    let of_open = of_open.map(|(number, _)| configuration(&open.segment(number)));
    let of_devices = found.len();
    found.extend(of_open);
    looked_at += LOOKS_PER_LINK * (found.len() - of_devices);
    (found.join(","), looked_at)
}

/// The devices that may be wanted: most questions are about one, about a kind, or about none.
fn possible<'a>(
    state: &'a State,
    wanted: &'a Properties,
) -> Box<dyn Iterator<Item = (&'a Identity, &'a Device)> + 'a> {
    let no_device_has = |key| key > properties::TOPIC_TYPE;
    if wanted.keys().any(no_device_has) {
        return Box::new(std::iter::empty());
    }
    if let Some(name) = wanted.text(properties::TOPIC_NAME) {
        let identity = name.parse::<Identity>().ok();
        let device = identity.and_then(|identity| state.device(&identity));
        let one = device.map(|device| state.devices_from(device.ordinal).take(1));
        return Box::new(one.into_iter().flatten());
    }
    let kind = wanted.text(properties::TOPIC_TYPE);
    let is_of_kind = move |device: &Device| kind.is_none_or(|kind| *device.kind == *kind);
    let all = state.devices();
    Box::new(all.filter(move |(_, device)| is_of_kind(device)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Clock;
    use std::time::Instant;

    fn create(open: &mut Open, name: &str) {
        let now = Clock {
            instant: Instant::now(),
            unix: 0,
        };
        let named = Properties::default()
            .with(properties::TOPIC_NAME, name)
            .with(properties::RESOURCE_TYPE, DATA);
        let address = std::net::Ipv4Addr::LOCALHOST.into();
        assert!(open.create(named, address, now).is_ok());
    }

    #[test]
    fn what_is_put_together_costs_more_than_what_is_passed_over() {
        let (state, mut open) = (State::default(), Open::new(9, 7));
        for name in ["a", "b", "c"] {
            create(&mut open, name);
        }
        for (wanted, found) in [
            (Properties::default(), 3),
            (Properties::default().with(properties::TOPIC_NAME, "b"), 1),
            (Properties::default().with(properties::TOPIC_TYPE, "t"), 0),
        ] {
            let (links, looked_at) = matching(&state, &open, &wanted);
            assert_eq!(links.matches("</ps/").count(), found);
            assert_eq!(looked_at, 3 + LOOKS_PER_LINK * found);
        }
        for (wanted, found) in [(DATA, 3), ("x", 0)] {
            let (links, looked_at) = data_of_type(&open, wanted);
            assert_eq!(links.matches("</d/").count(), found);
            assert_eq!(looked_at, 3 + LOOKS_PER_LINK * found);
        }
    }

    #[test]
    fn a_tag_tells_which_open_topics_there_are() {
        let (state, mut open) = (State::default(), Open::new(9, 7));
        let mut collection = Collection::default();
        let mut seen = std::collections::BTreeSet::new();
        for name in ["a", "b", "c"] {
            create(&mut open, name);
            for target in [Target::Configurations, Target::Data] {
                let (links, tag) = collection.links(&state, &open, target);
                let links = links.concat();
                assert!(seen.insert(tag) && !links.is_empty());
                let again = collection.links(&state, &open, target);
                assert_eq!((again.0.concat(), again.1), (links, tag));
            }
        }
    }
}
