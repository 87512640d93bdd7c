// SPDX-License-Identifier: Apache-2.0
//! What is permanent: a log of everything that was accepted, and the state that is a fold of it.
//!
//! A log serves one shard of devices. Its append is the compare-and-set: it succeeds only where the
//! writer thinks that the log ends, so that of two writers one notices the other. Whoever implements [`Log`]
//! for another engine has a store.

mod chain;
mod entry;
mod kept;
pub mod mailbox;
mod retention;
mod salvage;
pub mod sqlite;
mod state;
mod strangers;
pub mod tokens;

use std::fmt;

pub use entry::{Act, Entry};
pub use kept::{encode, Found, Kept, Listed, OF_ANOTHER_VERSION};
use mailbox::Mailbox;
pub use retention::{Newest, Removal};
pub use salvage::{revoked_only_by, Repaired, Salvaged, SetAside};
pub use state::{Device, Enrolment, State};
pub use strangers::{strangers, strangers_in, Stranger};

use crate::verify::Identity;

/// Why entries were not appended; none of them was.
#[derive(Debug)]
pub enum AppendError {
    /// Somebody else appended since: read, decide again, append again.
    Moved,
    /// The medium failed or is full.
    Failed(StoreError),
}

/// What the medium said, with what was being done.
#[derive(Debug)]
pub struct StoreError(pub String);

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for StoreError {}

/// An entry with its position, or why it cannot be read.
pub type Stored = (u64, Result<Entry, StoreError>);

/// An entry on its way into the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    pub entry: Entry,
    /// Of a reading: the position of its device's reading before it, or 0.
    pub before: Option<u64>,
}

/// Where the readings of a device are: the newest leads to the others.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    pub device: Identity,
    /// Its position, 0 if there is none.
    pub newest: u64,
}

/// The log of one shard. Positions count from 1; an empty log ends at 0.
pub trait Log: Mailbox {
    /// Appends all entries behind position `expected`, which has to be the last, and gives the new last
    /// one. Their positions follow each other. When this returns, they survive a loss of power.
    fn append(&mut self, expected: u64, entries: &[Linked]) -> Result<u64, AppendError>;

    /// At most `limit` entries behind `position`, with their positions.
    fn read(&mut self, position: u64, limit: usize) -> Result<Vec<Stored>, StoreError>;

    /// The state that is stored beside the log. Without one it is the fold of all entries.
    fn kept(&mut self) -> Result<Found, StoreError> {
        Ok(Found::Nothing)
    }

    /// Keeps an object that was refused, for inspection; the oldest make room.
    fn keep_refused(&mut self, refused: &[Refused]) -> Result<(), StoreError>;
}

/// An object that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    pub at: u64,
    /// Which topic, path or address it was for.
    pub about: String,
    pub peer: String,
    pub reason: String,
    pub object: Vec<u8>,
}
