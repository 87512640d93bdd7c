// SPDX-License-Identifier: Apache-2.0
//! The common part of broker and clients of topics (draft-ietf-core-coap-pubsub):
//! numbers and names.

/// The Content-Format of properties: a placeholder of the draft (TBD606).
pub const FORMAT: u16 = 606;

/// The resource type of published content.
pub const DATA: &str = "core.ps.data";

/// The largest content of an open topic, and of a request of one message.
pub const CONTENT_MAX: usize = 1024;

/// The name of a topic.
pub const TOPIC_NAME: u8 = 0;
/// The path of the published content.
pub const TOPIC_DATA: u8 = 1;
/// The resource type of that.
pub const RESOURCE_TYPE: u8 = 2;
/// The Content-Format of that.
pub const TOPIC_CONTENT_FORMAT: u8 = 3;
/// The type of the topic, in words of its creator.
pub const TOPIC_TYPE: u8 = 4;
/// When the topic ends.
pub const EXPIRATION_DATE: u8 = 5;
/// How many may observe it.
pub const MAX_SUBSCRIBERS: u8 = 6;
/// How often an observer is asked whether it is still there.
pub const OBSERVER_CHECK: u8 = 7;
/// The initial content of the topic.
pub const INITIALIZE: u8 = 8;
