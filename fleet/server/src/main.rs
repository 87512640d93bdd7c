// SPDX-License-Identifier: Apache-2.0
//! The command.

use std::process::ExitCode;

fn main() -> ExitCode {
    corral_fleet::cli::run()
}
