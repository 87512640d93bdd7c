// SPDX-License-Identifier: Apache-2.0
//! Commanding a device: signed here, passed on by the service, carried out once or not at all.

use std::fmt;
#[cfg(not(feature = "http"))]
use std::future::Future;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::json;

use super::{check_exists, existing, Failure};
use crate::commander::{self, Algorithm};
use crate::server::udp::clock;
use crate::store::mailbox::{Letter, Mailbox, Ticket};
use crate::store::sqlite::SqliteLog;
use crate::verify::cbor::Value;
use crate::verify::commands::Outcome;
use crate::verify::sending::{send_by, Answered, Keys, Lease, Told};
use crate::verify::{Commander, Identity};
use crate::view;

/// How long one is waited for that writes.
const PATIENCE: Duration = Duration::from_secs(10);

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How often a lease is renewed: several times before it ends.
const HOLD_EVERY: Duration = Duration::from_secs(2);

/// The longest text for which a device has room.
const TEXT_MAX: usize = 256;

#[derive(Args)]
pub struct Key {
    /// Use the key in this file, which is made if it does not exist
    #[arg(long, env = "CORRAL_FLEET_KEY", default_value = "fleet.key")]
    key: PathBuf,
    /// Make a key for this algorithm
    #[arg(long, default_value = "es256")]
    algorithm: Algorithm,
}

#[derive(Args)]
#[command(
    after_help = "Example: corral-fleet command ae31580c8def1fbf0dd5ed28b72fb79b interval 60"
)]
pub struct Command {
    /// The device
    device: Identity,
    /// The name of the command
    name: String,
    /// The argument: true, false, null, an integer, or else a text [default: null]
    #[arg(allow_hyphen_values = true)]
    value: Option<String>,
    /// Send the argument as a text, even if it looks like a number
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    way: Way,
}

/// The commander, and the way.
#[derive(Args)]
pub struct Way {
    /// Wait this number of seconds for the device to ask, and for its result
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    wait: u32,
    /// Sign with the key in this file
    #[arg(long, env = "CORRAL_FLEET_KEY", default_value = "fleet.key")]
    key: PathBuf,
    #[cfg(feature = "http")]
    #[command(flatten)]
    remote: super::remote::RemoteOptions,
}

/// A command to be sent, and its content, given the device's keys.
struct Order<'a, F> {
    commander: Commander,
    device: &'a Identity,
    name: &'a str,
    wait: Duration,
    argue: F,
}

impl<F: FnOnce(&Keys) -> Result<Value, String>> Order<'_, F> {
    async fn send<L: Lease<Error: fmt::Display>>(self, mut lease: L) -> Result<Answered, Failure> {
        let Order {
            commander,
            device,
            name,
            wait,
            argue,
        } = self;
        let sent = send_by(&mut lease, &commander, device, name, wait, argue).await;
        // Text of a service may contain anything.
        sent.map_err(|failed| Failure(view::plain(&failed.to_string())))
    }

    /// Past a service elsewhere if one is named, or the store.
    #[cfg(feature = "http")]
    fn go(self, way: &Way, store: &Path) -> Result<Answered, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build()?;
        runtime.block_on(async {
            match way.remote.service().await? {
                Some(service) => self.send(service).await,
                None => self.send(LocalStore::of(store)?).await,
            }
        })
    }

    /// Past the store, which blocks no other work.
    #[cfg(not(feature = "http"))]
    fn go(self, _way: &Way, store: &Path) -> Result<Answered, Failure> {
        use std::task::{Context, Poll, Waker};
        let mut sent = std::pin::pin!(self.send(LocalStore::of(store)?));
        loop {
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(answered) = Future::poll(sent.as_mut(), &mut context) {
                return answered;
            }
        }
    }
}

fn open(file: &Path) -> Result<Commander, Failure> {
    commander::open(file).map_err(|error| Failure(format!("{}: {error}", file.display())))
}

/// Shows whom devices are to obey, and makes the key if there is none.
pub fn key(arguments: &Key, json: bool) -> Result<ExitCode, Failure> {
    let file = &arguments.key;
    match commander::make(file, arguments.algorithm) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(Failure(format!("{}: {error}", file.display())));
        }
        _ => {}
    }
    let identity = open(file)?.identity();
    let mut out = io::stdout().lock();
    if json {
        let row = json!({ "identity": identity.to_string(), "label": identity.label() });
        writeln!(out, "{row}")?;
    } else {
        writeln!(out, "{}", identity.label())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn argument(arguments: &Command) -> Result<Value, Failure> {
    let Some(text) = arguments.value.as_deref() else {
        return Ok(Value::Null);
    };
    if text.len() > TEXT_MAX {
        return Err(Failure(format!("the value is longer than {TEXT_MAX}")));
    }
    Ok(match (arguments.text, text) {
        (false, "null") => Value::Null,
        (false, "true") => true.into(),
        (false, "false") => false.into(),
        (false, number) if number.starts_with('+') && number.parse::<i64>().is_ok() => {
            return Err(Failure(format!(
                "{number}: an integer is written without +; --text makes it a text"
            )));
        }
        (false, number) if number.parse::<i64>().is_ok() => {
            number.parse::<i64>().unwrap_or_default().into()
        }
        (_, text) => text.into(),
    })
}

/// The keys of a device that registered.
fn keys_of(store: &Path, device: &Identity) -> Result<Keys, Failure> {
    let fleet = existing(store)?;
    if !fleet.state().lets_in(device) {
        return Err(Failure(format!(
            "{device} is not enrolled, or did not register"
        )));
    }
    let known = fleet.state().device(device);
    let known = known.ok_or_else(|| Failure(format!("{device} did not register")))?;
    Ok(Keys {
        signing: known.signing.clone(),
        kind: known.kind.to_string(),
        agreement: known.agreement.as_deref().cloned(),
    })
}

/// A lease of the store, beside the service.
struct LocalStore<'a> {
    store: &'a Path,
    log: SqliteLog,
    ticket: Ticket,
    is_taken: bool,
    /// When it was last renewed.
    held: Instant,
}

impl<'a> LocalStore<'a> {
    fn of(store: &'a Path) -> Result<Self, Failure> {
        check_exists(store)?;
        let mut ticket = Ticket::default();
        SystemRandom::new()
            .fill(&mut ticket)
            .map_err(|_| Failure("the system gives no random numbers".to_string()))?;
        Ok(LocalStore {
            store,
            log: SqliteLog::open(store, PATIENCE)?,
            ticket,
            is_taken: false,
            held: Instant::now(),
        })
    }
}

impl Lease for LocalStore<'_> {
    type Error = Failure;

    async fn take(&mut self, device: &Identity) -> Result<Option<Keys>, Failure> {
        let keys = keys_of(self.store, device)?;
        self.is_taken = self.log.want(device, &self.ticket, clock().unix)?;
        Ok(self.is_taken.then_some(keys))
    }

    async fn look(
        &mut self,
        device: &Identity,
        _seen: Option<&[u8]>,
    ) -> Result<Option<Told>, Failure> {
        let now = clock().unix;
        if self.held.elapsed() >= HOLD_EVERY {
            self.held = Instant::now();
            if !self.log.want_still(device, &self.ticket, now)? {
                return Ok(None);
            }
        }
        let letter = self.log.letter(device, now)?;
        let letter = letter.filter(|letter| letter.ticket == self.ticket);
        // A look at the moment when it ran out asks for it once more.
        match letter {
            None if self.log.want_still(device, &self.ticket, now)? => Ok(Some(Told::default())),
            letter => Ok(letter.map(|Letter { nonce, result, .. }| Told { nonce, result })),
        }
    }

    async fn leave(
        &mut self,
        device: &Identity,
        nonce: &[u8],
        command: &[u8],
    ) -> Result<bool, Failure> {
        let kept = self.log.keep_command(device, &self.ticket, nonce, command);
        Ok(kept?)
    }

    async fn pause(&mut self) {
        thread::sleep(LOOK_EVERY);
    }

    async fn give_up(&mut self, device: &Identity) {
        if self.is_taken {
            let _ = self.log.forget_command(device, &self.ticket);
        }
    }
}

/// Commands a device, and waits for its answer. The command may depend on its keys.
pub fn send(
    store: &Path,
    way: &Way,
    device: &Identity,
    name: &str,
    argue: impl FnOnce(&Keys) -> Result<Value, String>,
) -> Result<Answered, Failure> {
    let order = Order {
        commander: open(&way.key)?,
        device,
        name,
        wait: Duration::from_secs(way.wait.into()),
        argue,
    };
    order.go(way, store)
}

pub fn command(store: &Path, arguments: &Command, json: bool) -> Result<ExitCode, Failure> {
    let name = &arguments.name;
    let (device, argument) = (&arguments.device, argument(arguments)?);
    let answered = send(store, &arguments.way, device, name, |_| Ok(argument))?;
    say(device, &answered.outcome, json)
}

fn say(device: &Identity, outcome: &Outcome, json: bool) -> Result<ExitCode, Failure> {
    let meaning = match outcome.status {
        0 => "done".to_string(),
        1 => "unknown command".to_string(),
        2 => "wrong argument".to_string(),
        3 => "failed".to_string(),
        other => format!("status {other}"),
    };
    let value = match &outcome.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Integer(number) => match i64::try_from(*number) {
            Ok(number) => number.into(),
            // JSON has these, but not everybody who reads it.
            Err(_) => i128::from(*number).to_string().into(),
        },
        Value::Text(text) => view::plain(text).into(),
        Value::Bytes(data) => view::hex(data).into(),
        _ => serde_json::Value::Null,
    };
    let mut out = io::stdout().lock();
    if json {
        let row = json!({
            "identity": device.to_string(), "status": outcome.status, "meaning": meaning,
            "value": value, "sequence": outcome.sequence,
        });
        writeln!(out, "{row}")?;
    } else if value.is_null() {
        writeln!(out, "{meaning}")?;
    } else {
        writeln!(out, "{meaning}: {value}")?;
    }
    Ok(match outcome.status {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}
