// SPDX-License-Identifier: Apache-2.0
//! Why an object was not accepted: counted and kept by these names.

use std::fmt;

/// Every reason for which a server or an application refuses an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// Not CBOR, COSE or SenML as the protocol has it.
    Malformed,
    /// The identity is neither enrolled nor member of a group that is.
    NotEnrolled,
    /// The identity was revoked.
    Revoked,
    /// The statement's keys hash to another identity.
    ForeignKey,
    /// The signature does not hold.
    BadSignature,
    /// The signature does not hold under the number that the low bits suggest.
    BadSignatureOfLowBits,
    /// The number is not above the highest accepted one.
    Replayed,
    /// The low bits suggest a number too far above the highest accepted one.
    BeyondThreshold,
    /// The challenge is none of ours, of another address, or too old.
    Stale,
    /// The payload has another Content-Format.
    ContentFormat,
    /// The successor is known already, or the device has no place of its own to hand over.
    ForeignSuccessor,
}

impl Refusal {
    /// All of them, in the order of their numbers.
    pub const ALL: [Refusal; 11] = [
        Refusal::Malformed,
        Refusal::NotEnrolled,
        Refusal::Revoked,
        Refusal::ForeignKey,
        Refusal::BadSignature,
        Refusal::BadSignatureOfLowBits,
        Refusal::Replayed,
        Refusal::BeyondThreshold,
        Refusal::Stale,
        Refusal::ContentFormat,
        Refusal::ForeignSuccessor,
    ];

    /// The name under which it is counted.
    pub fn name(self) -> &'static str {
        match self {
            Refusal::Malformed => "malformed",
            Refusal::NotEnrolled => "not enrolled",
            Refusal::Revoked => "revoked",
            Refusal::ForeignKey => "foreign key",
            Refusal::BadSignature => "bad signature",
            Refusal::BadSignatureOfLowBits => "bad signature of low bits",
            Refusal::Replayed => "replayed",
            Refusal::BeyondThreshold => "beyond threshold",
            Refusal::Stale => "stale challenge",
            Refusal::ContentFormat => "content format",
            Refusal::ForeignSuccessor => "foreign successor",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_reason_has_a_name_of_its_own() {
        let names: BTreeSet<_> = Refusal::ALL.iter().map(|one| one.name()).collect();
        assert_eq!(names.len(), Refusal::ALL.len());
        assert_eq!(Refusal::Stale.to_string(), "stale challenge");
    }
}
