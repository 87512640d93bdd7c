// SPDX-License-Identifier: Apache-2.0
//! Resource directory (RFC 9176): endpoints, and their links. It is kept in memory. Of
//! devices, which sign, the log has what they said, so that a restart finds them there;
//! others register again.

mod lookup;
mod registrations;
pub mod simple;

pub use corral_fleet_verify::links;
pub use lookup::{Found, LOOKS_PER_LINK};
pub use registrations::{find, segment, PER_ADDRESS_MAX};
pub use registrations::{Directory, Endpoint, Entry, Lifetime, Proven, Rank, Refused, Update};
