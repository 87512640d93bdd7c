// SPDX-License-Identifier: Apache-2.0
//! What broker and clients of topics have in common (draft-ietf-core-coap-pubsub): numbers and names.

/// The Content-Format of properties: a placeholder of the draft (TBD606).
pub const FORMAT: u16 = 606;

/// The resource type of what is published.
pub const DATA: &str = "core.ps.data";

/// The most that a topic that anybody made holds, and that a request of one message brings.
pub const CONTENT_MAX: usize = 1024;

/// The name of a topic.
pub const TOPIC_NAME: u8 = 0;
/// The path of what is published.
pub const TOPIC_DATA: u8 = 1;
/// The resource type of that.
pub const RESOURCE_TYPE: u8 = 2;
/// The Content-Format of that.
pub const TOPIC_CONTENT_FORMAT: u8 = 3;
/// What sort of topic it is, in words of whoever made it.
pub const TOPIC_TYPE: u8 = 4;
/// When the topic ends.
pub const EXPIRATION_DATE: u8 = 5;
/// How many may observe it.
pub const MAX_SUBSCRIBERS: u8 = 6;
/// How often an observer is asked whether it is still there.
pub const OBSERVER_CHECK: u8 = 7;
/// What the topic holds at first.
pub const INITIALIZE: u8 = 8;
