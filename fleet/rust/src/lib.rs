// SPDX-License-Identifier: Apache-2.0
//! Readings of a fleet's devices, verified end to end: an application knows identities, which are on the devices'
//! labels, and nothing else. Directory, broker and whatever is between are trusted with nothing; what
//! they can do is withhold, delay, or tell who comes first time an older reading.
//!
//! ```no_run
//! use corral_fleet_verify::client::{Client, PORT};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let identity = "ae31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;a".parse()?;
//! let mut client = Client::connect(("fleet.example", PORT)).await?;
//! let mut device = client.find(identity).await?;
//! for topic in client.topics(&identity).await? {
//!     println!("{:?}", client.read(&mut device, &topic).await?);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`Device`] verifies, and does no input or output: an application that has objects
//! from elsewhere, such as a store or a proxy, gives them to [`Device::accept`]. The
//! feature `client`, which is on unless it is left out, adds [`client`]. [`sending`]
//! commands devices, past a service over HTTP with the feature `http`, which adds
//! `service`. The other modules are what docs/fleet/PROTOCOL.md says of objects; the
//! server is made of the same. Nothing here trusts its input.

#![warn(missing_docs)]

pub mod base64url;
pub mod bundle;
pub mod cbor;
#[cfg(feature = "client")]
pub mod client;
pub mod commander;
pub mod commands;
pub mod cose;
mod device;
pub mod digits;
pub mod identity;
pub mod jws;
pub mod links;
#[cfg(test)]
mod made;
pub mod objects;
pub mod pubsub;
pub mod refusal;
pub mod sending;
pub mod senml;
pub mod sequence;
#[cfg(feature = "http")]
pub mod service;
pub mod signed;
pub mod text;

pub use commander::Commander;
pub use cose::Sign1;
pub use device::{Device, Reading};
pub use identity::{Identity, PublicKey};
pub use objects::{Challenge, Statement};
pub use refusal::Refusal;
pub use signed::SignedReading;
