// SPDX-License-Identifier: Apache-2.0
//! Topics of devices: their paths, their configuration, and their answers. A topic exists
//! from the device's registration on, and holds something from its first reading on.

use super::properties::{self, Properties};
use crate::coap::Answer;
use crate::store::{Device, State};
use crate::verify::identity::BadLabel;
use crate::verify::{signed, Identity, SignedReading};
use coap_lite::ResponseType;

/// Whether the name is an identity's. A label with a slip of the pen is meant for one, too.
pub fn is_of_device(name: &str) -> bool {
    !matches!(name.parse::<Identity>(), Err(BadLabel::Digits))
}

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

/// The content of a topic with this newest reading: the reading, with its number in full.
pub fn content(latest: Option<(u64, Vec<u8>)>) -> Answer {
    let Some((sequence, object)) = latest else {
        return ResponseType::NotFound.into(); // half created
    };
    let format = signed::content_format(&object);
    let object = SignedReading::parse(&object);
    match object.and_then(|object| object.with_full_number(sequence)) {
        Ok(object) => Answer::content(ResponseType::Content, format, object),
        Err(_) => ResponseType::InternalServerError.into(),
    }
}

/// The configuration of a topic.
pub fn configuration(identity: &Identity, device: &Device) -> Properties {
    let path = format!("/d/{}", segment(device.ordinal, identity));
    Properties::default()
        .with(properties::TOPIC_NAME, identity.to_string())
        .with(properties::TOPIC_DATA, path)
        .with(properties::RESOURCE_TYPE, properties::DATA)
        .with(properties::TOPIC_CONTENT_FORMAT, device.format)
        .with(properties::TOPIC_TYPE, &*device.kind)
}
