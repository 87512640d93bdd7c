// SPDX-License-Identifier: Apache-2.0
//! Publish and subscribe (draft-ietf-core-coap-pubsub): topics, what they hold, and who observes them.

pub mod observers;
pub mod topics;

pub use observers::Observers;
