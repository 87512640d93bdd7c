// SPDX-License-Identifier: Apache-2.0
//! CoAP over UDP (RFC 7252): messages, the proof of an address, and state for repetitions.

pub mod assembly;
pub mod block;
pub mod dedup;
pub mod echo;
pub mod message;
pub mod repeat;

pub use assembly::Assembly;
pub use echo::Echo;
pub use message::{Answer, Request, Response};
pub use repeat::Unacknowledged;

/// Content-Formats by their numbers.
pub mod format {
    pub use crate::verify::bundle::FORMAT as BUNDLE;
    pub use crate::verify::pubsub::FORMAT as PUBSUB;
    pub use crate::verify::signed::{COSE_SIGN1, JWS};

    pub const LINKS: u16 = 40;
    pub const CBOR: u16 = 60;
    pub const PROBLEM: u16 = 257;
}
