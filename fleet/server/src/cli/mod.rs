// SPDX-License-Identifier: Apache-2.0
//! `corral-fleet`: one subcommand for each thing that an operator does.

#[cfg(feature = "aggregate")]
mod aggregate;
mod command;
mod doctor;
mod enrol;
mod export;
mod gateway;
mod keep;
mod label;
mod load;
mod pair;
#[cfg(feature = "http")]
mod remote;
mod serve;
mod settings;
mod show;
mod token;

use std::any::TypeId;
use std::env;
use std::fmt;
use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::fleet::Fleet;
use crate::store::sqlite::SqliteLog;
use crate::store::{AppendError, StoreError};
use crate::verify::digits::decimal;
use crate::verify::identity::BadLabel;
use crate::verify::Identity;

/// Serve a fleet: broker, resource directory and verifier of devices that make their own identity
#[derive(Parser)]
#[command(
    version,
    after_help = "Example:
  corral-fleet enrol CF1:AE31580C8DEF1FBF0DD5ED28B72FB79B --place attic
  corral-fleet serve"
)]
struct Arguments {
    /// Use this store, a file of SQLite
    #[arg(
        long,
        global = true,
        env = "CORRAL_FLEET_STORE",
        default_value = "fleet.sqlite"
    )]
    store: PathBuf,
    /// Print JSON, one object a line
    #[arg(long, global = true)]
    json: bool,
    /// Read settings from this file (TOML)
    #[arg(long, global = true, env = "CORRAL_FLEET_CONFIG")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve devices and applications over CoAP, and other programs over HTTP
    Serve(serve::Serve),
    /// Manage tokens for HTTP
    #[command(subcommand)]
    Token(token::Tokens),
    /// Join devices on serial lines (slipmux) to a server
    Gateway(gateway::Gateway),
    /// Collect readings of devices at a broker, and publish several in one object
    #[cfg(feature = "aggregate")]
    Aggregate(aggregate::Aggregate),
    /// Enrol devices or groups by their labels
    Enrol(Enrol),
    /// Revoke a device or a group
    Revoke {
        /// The label of the device or group
        identity: Identity,
        /// Revoke an identity even if it is not enrolled and never registered
        #[arg(long)]
        anyway: bool,
    },
    /// List enrolled devices with their last readings and registrations
    Devices,
    /// Print labels of identities: for people, for scanners, abbreviated
    Labels(label::Labels),
    /// Print accepted readings, newest last
    Readings {
        /// Print only readings of this device
        #[arg(long)]
        device: Option<Identity>,
        /// Begin with this number of readings
        #[arg(long, default_value_t = 100)]
        last: usize,
        /// Continue with new readings until stopped
        #[arg(long)]
        follow: bool,
    },
    /// Print objects that were refused lately, with the reasons
    Refused {
        /// Print this number of objects
        #[arg(long, default_value_t = 100)]
        last: usize,
    },
    /// Verify all objects in a store, without a network and without trust in its author
    Verify {
        /// The store
        file: PathBuf,
    },
    /// Show the identity of the key that signs commands; make the key if there is none
    Key(command::Key),
    /// Send a command to a device, and print its result
    Command(command::Command),
    /// Agree with a device on a secret, and write that to a file
    Pair(pair::Pair),
    /// Copy the store, also while a server uses it
    Backup {
        /// The copy, which must not exist
        to: PathBuf,
    },
    /// Remove old readings, except the newest of each device
    Forget {
        /// Remove readings older than this number of days
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..))]
        older_than: u32,
        /// Remove them even if the clock may be ahead, because no reading arrived for that long
        #[arg(long)]
        anyway: bool,
    },
    /// Write readings as CSV (RFC 4180), one line a record
    Export(export::Export),
    /// Check the store, the settings and the files that they name
    Doctor {
        /// Copy the store to STORE.before-salvage, repair damaged entries, and set aside those that cannot be read.
        /// Stop the server first
        #[arg(long)]
        salvage: bool,
    },
    /// Print the settings of file and environment, and the values in force
    Settings,
    /// Write manual pages to a folder
    Man {
        /// The folder
        folder: PathBuf,
    },
    /// Load a server with simulated devices that sign their readings
    Load(load::Load),
    /// Print the script that completes these commands in a shell
    Completion {
        /// The shell
        shell: Shell,
    },
}

#[derive(Args)]
#[command(
    after_help = "Example: corral-fleet enrol CF1:AE31580C8DEF1FBF0DD5ED28B72FB79B --place attic"
)]
struct Enrol {
    /// Labels of devices or groups: 32 digits, with dashes and check digit, or as scanned
    identities: Vec<Identity>,
    /// Enrol from a file with lines of identity, place, purpose, separated by commas
    #[arg(long)]
    from: Option<PathBuf>,
    /// Enrol identities that were revoked, too
    #[arg(long)]
    again: bool,
    /// Set the place [default: unchanged, empty for a new identity]
    #[arg(long)]
    place: Option<String>,
    /// Set the purpose [default: unchanged, empty for a new identity]
    #[arg(long)]
    purpose: Option<String>,
}

/// Why a command failed, for people.
#[derive(Debug)]
struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure(error.to_string())
    }
}

impl From<BadLabel> for Failure {
    fn from(error: BadLabel) -> Self {
        Failure(error.to_string())
    }
}

impl From<AppendError> for Failure {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Moved => Failure("the store is busy: try again".to_string()),
            AppendError::Failed(error) => error.into(),
        }
    }
}

/// Reads the command line and does what it says. Whether all is well; failures have
/// printed their reason.
pub fn run() -> ExitCode {
    let words: Vec<_> = env::args_os().collect();
    let done = settings::apply(Arguments::command(), &words).and_then(|(command, settings)| {
        let matches = command.clone().get_matches_from(words);
        check_numbers(&command, &matches);
        #[cfg(feature = "http")]
        if let Some(("command" | "pair", given)) = matches.subcommand() {
            remote::check_typed(given)?;
        }
        let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        carry_out(arguments, command, &settings)
    });
    match done {
        Ok(code) => code,
        // The reader of our output has closed it, for example `head`.
        Err(Failure(why)) if why.contains("Broken pipe") => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("corral-fleet: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Ends the program if a number has a plus sign, which the parsers of the standard library accept.
fn check_numbers(command: &clap::Command, matches: &ArgMatches) {
    let numbers = [
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
        TypeId::of::<f64>(),
    ];
    for arg in command.get_arguments() {
        let kind = arg.get_value_parser().type_id();
        if !numbers.iter().any(|number| kind == *number) {
            continue;
        }
        let given = matches.get_raw(arg.get_id().as_str());
        for value in given.into_iter().flatten() {
            if value.as_encoded_bytes().starts_with(b"+") {
                let name = arg.get_long().unwrap_or(arg.get_id().as_str());
                let why = format!("--{name} {}: write it without +\n", value.display());
                command.clone().error(ErrorKind::InvalidValue, why).exit();
            }
        }
    }
    if let Some((name, given)) = matches.subcommand() {
        if let Some(command) = command.find_subcommand(name) {
            check_numbers(command, given);
        }
    }
}

/// `commands` as they are with the settings of the file.
fn carry_out(
    arguments: Arguments,
    commands: clap::Command,
    settings: &[settings::Setting],
) -> Result<ExitCode, Failure> {
    let Arguments {
        store,
        json,
        command,
        config: _,
    } = arguments;
    match command {
        Command::Serve(arguments) => serve::serve(&store, &arguments, json),
        Command::Token(what) => token::tokens(&store, &what, json),
        Command::Gateway(gateway) => gateway::gateway(&gateway, json),
        #[cfg(feature = "aggregate")]
        Command::Aggregate(arguments) => aggregate::aggregate(&arguments, json),
        Command::Enrol(enrol) => enrol::enrol(&store, &enrol, json),
        Command::Revoke { identity, anyway } => enrol::revoke(&store, identity, anyway, json),
        Command::Devices => show::devices(&store, json),
        Command::Labels(labels) => label::labels(&store, labels, json),
        Command::Readings {
            device,
            last,
            follow,
        } => show::readings(&store, device.as_ref(), last, follow, json),
        Command::Refused { last } => show::refused(&store, last, json),
        Command::Verify { file } => keep::verify(&file, json),
        Command::Forget { older_than, anyway } => keep::forget(&store, older_than, anyway, json),
        Command::Export(what) => export::export(&store, &what, json),
        Command::Key(arguments) => command::key(&arguments, json),
        Command::Command(arguments) => command::command(&store, &arguments, json),
        Command::Pair(arguments) => pair::pair(&store, &arguments, json),
        Command::Backup { to } => keep::backup(&store, &to, json),
        Command::Doctor { salvage: true } => doctor::salvage(&store, json),
        Command::Doctor { salvage: false } => doctor::doctor(&store, &commands, settings, json),
        Command::Settings => settings::show(settings, json),
        Command::Man { folder } => settings::man(commands, &folder, json),
        Command::Load(load) => load::load(&store, &load, json),
        Command::Completion { shell } => {
            let mut commands = commands;
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut commands, "corral-fleet", &mut script);
            let written = io::stdout().write_all(&script);
            written.map(|()| ExitCode::SUCCESS).map_err(Failure::from)
        }
    }
}

/// The first address of a server that is named by address or name, and port, by this option.
fn address_of(option: &str, server: &str) -> Result<SocketAddr, Failure> {
    let failed = |why: String| Failure(format!("{option} {server}: {why}"));
    let port = server.rsplit_once(':').map(|(_, port)| port);
    if port.is_none_or(|port| decimal::<u16>(port).is_none()) {
        return Err(failed("has no port of digits behind a colon".to_string()));
    }
    let mut found = server
        .to_socket_addrs()
        .map_err(|error| failed(error.to_string()))?;
    found
        .next()
        .ok_or_else(|| failed("has no address".to_string()))
}

/// For commands that need an existing store, so none is created without a server.
fn check_exists(store: &Path) -> Result<(), Failure> {
    if !store.exists() {
        let store = store.display();
        return Err(Failure(format!(
            "there is no store at {store}: enrol a device, or name it by --store"
        )));
    }
    Ok(())
}

/// The store as it is; it has to be there.
fn existing(store: &Path) -> Result<Fleet<SqliteLog>, Failure> {
    check_exists(store)?;
    Ok(Fleet::open(SqliteLog::open_read_only(store)?)?)
}

/// The store to append to. Prints which revocations the log has lost.
fn open_to_write(store: &Path, patience: Duration) -> Result<Fleet<SqliteLog>, Failure> {
    let fleet = Fleet::open_to_write(SqliteLog::open(store, patience)?)?;
    if let Some(doubt) = fleet.doubt() {
        eprintln!("corral-fleet: {doubt}");
    }
    Ok(fleet)
}

/// From now on log and state are those of now, until the log is released.
fn hold(fleet: &mut Fleet<SqliteLog>) -> Result<(), StoreError> {
    fleet.log().hold()?;
    fleet.catch_up()
}
