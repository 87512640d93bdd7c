// SPDX-License-Identifier: Apache-2.0
//! The command.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    corral_fleet::cli::run(corral_fleet::cli::Arguments::parse())
}
