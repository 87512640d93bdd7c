// SPDX-License-Identifier: Apache-2.0
//! Many devices in one process, with keys and signatures as real ones have them: to load a server, and to
//! measure it. [`device`] is one of them, [`run`] lets all of them talk.

pub mod device;
pub mod run;

pub use device::{Algorithm, Device};
pub use run::{Plan, Run, Tally};
