// SPDX-License-Identifier: Apache-2.0
//! Broker, resource directory and verifier of a fleet of devices that make their own identity (RFC 8387).
//! docs/fleet/PROTOCOL.md says what goes over the air, docs/fleet/OPERATING.md how to run this.

#[cfg(feature = "aggregate")]
pub mod aggregate;
pub mod broker;
pub mod cli;
pub mod coap;
pub mod commander;
pub mod directory;
pub mod fleet;
pub mod gateway;
pub mod history;
#[cfg(feature = "http")]
pub mod http;
pub mod load;
pub mod pairing;
pub mod server;
pub mod store;
pub mod view;

pub use corral_fleet_verify as verify;
