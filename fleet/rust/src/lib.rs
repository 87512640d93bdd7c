// SPDX-License-Identifier: Apache-2.0
//! What docs/fleet/PROTOCOL.md says of objects: whether bytes are one, and whose it is. Nothing here trusts its
//! input.

pub mod cbor;
pub mod commands;
pub mod cose;
pub mod identity;
pub mod links;
pub mod objects;
pub mod refusal;
pub mod senml;
pub mod sequence;

pub use cose::Sign1;
pub use identity::{Identity, PublicKey};
pub use objects::{Challenge, Statement};
pub use refusal::Refusal;
