// SPDX-License-Identifier: Apache-2.0
//! Publish and subscribe (draft-ietf-core-coap-pubsub): topics of devices and of
//! clients, their content, and their observes them.

pub mod collection;
pub mod observers;
pub mod open;
pub mod properties;
pub mod topics;

pub use collection::Collection;
pub use observers::{Observers, Subject};
pub use open::Open;
