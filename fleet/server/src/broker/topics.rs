// SPDX-License-Identifier: Apache-2.0
//! Topics of devices: their paths, their configuration, and what they answer. A topic exists from the device's
//! registration on, and holds something from its first reading on.

use crate::coap::block::{self, Tag};
use crate::coap::{format, Answer};
use crate::store::{Device, State};
use crate::verify::{cbor, Identity, Sign1};
use coap_lite::ResponseType;

/// Keys of a topic's configuration.
const TOPIC_NAME: i64 = 0;
const TOPIC_DATA: i64 = 1;
const RESOURCE_TYPE: i64 = 2;
const TOPIC_CONTENT_FORMAT: i64 = 3;
const TOPIC_TYPE: i64 = 4;

/// The last segment of the path of a device's topic. After the store was restored from a backup an
/// ordinal may be another device's; the digits of the identity tell who meant whom.
pub fn segment(ordinal: usize, identity: &Identity) -> String {
    format!("{ordinal:x}-{}", &identity.short()[4..])
}

/// The device whose topic has this last segment.
pub fn find(state: &State, segment: &str) -> Option<Identity> {
    // One form for each number: `0f` and `+f` are other names.
    let (ordinal, _) = segment.split_once('-')?;
    let ordinal = usize::from_str_radix(ordinal, 16).ok()?;
    state
        .identity_of(ordinal)
        .filter(|identity| self::segment(ordinal, identity) == segment)
}

/// The newest reading, with its number in full.
pub fn content(device: &Device) -> Answer {
    let Some((sequence, object)) = &device.latest else {
        return ResponseType::NotFound.into(); // half created
    };
    match Sign1::parse(object).and_then(|object| object.with_full_number(*sequence)) {
        Ok(object) => Answer::content(ResponseType::Content, format::COSE_SIGN1, object),
        Err(_) => ResponseType::InternalServerError.into(),
    }
}

/// The configuration of a topic.
pub fn configuration(identity: &Identity, device: &Device) -> Answer {
    let configuration = cbor::map([
        (TOPIC_NAME, identity.to_string().into()),
        (
            TOPIC_DATA,
            format!("/d/{}", segment(device.ordinal, identity)).into(),
        ),
        (RESOURCE_TYPE, "core.ps.data".into()),
        (TOPIC_CONTENT_FORMAT, format::COSE_SIGN1.into()),
        (TOPIC_TYPE, device.statement.kind.as_str().into()),
    ]);
    Answer::content(ResponseType::Content, format::PUBSUB, configuration)
}

/// Links to all topics, written once for each device that comes.
#[derive(Default)]
pub struct Collection {
    /// How many devices there were, and the last of them.
    of: Option<(usize, Identity)>,
    configurations: (String, Tag),
    data: (String, Tag),
}

impl Collection {
    /// Links to the configurations of all topics, or to their data.
    pub fn links(&mut self, state: &State, resource_type: Option<&str>) -> (&str, Tag) {
        let newest = state.newest();
        if self.of != newest {
            self.of = newest;
            let links = |link: fn(&str) -> String| {
                let all = state
                    .devices()
                    .map(|(identity, device)| link(&segment(device.ordinal, identity)));
                let text = all.collect::<Vec<_>>().join(",");
                let tag = block::tag(text.as_bytes());
                (text, tag)
            };
            self.configurations =
                links(|segment| format!("</ps/{segment}>;rt=\"core.ps.conf\";ct=606"));
            self.data = links(|segment| format!("</d/{segment}>;rt=\"core.ps.data\";ct=18"));
        }
        let (text, tag) = match resource_type {
            None | Some("core.ps.conf") => &self.configurations,
            Some("core.ps.data") => &self.data,
            Some(_) => return ("", block::tag(b"")),
        };
        (text, *tag)
    }
}
