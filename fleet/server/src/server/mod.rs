// SPDX-License-Identifier: Apache-2.0
//! All roles behind one port. [`Engine`] turns datagrams into datagrams, a batch at a time, and sends nothing
//! before the batch is permanent; [`udp`] is the socket around it.

mod bundles;
mod commands;
mod directory;
mod discovery;
mod engine;
pub mod groups;
pub mod limits;
mod lookups;
pub mod questions;
mod resources;
mod topics;
pub mod udp;
mod volatile;

pub use engine::{Clock, Counts, Engine, Sizes};
