// SPDX-License-Identifier: Apache-2.0
//! Commanding a device: signed here, passed on by the service, carried out once or not at all.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::json;

use super::{check_exists, existing, Failure};
use crate::commander::{Algorithm, Commander, NAME_MAX};
use crate::server::udp::clock;
use crate::store::mailbox::{Letter, Mailbox, Ticket};
use crate::store::sqlite::SqliteLog;
use crate::verify::cbor::Value;
use crate::verify::commands::{self, Outcome};
use crate::verify::{Identity, PublicKey, Sign1};
use crate::view;

/// How long one is waited for that writes.
const PATIENCE: Duration = Duration::from_secs(10);

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How often a lease is renewed: several times before it ends.
const HOLD_EVERY: Duration = Duration::from_secs(2);

/// What a text may have, so that a device has room for it.
const TEXT_MAX: usize = 256;

#[derive(Args)]
pub struct Key {
    /// The file of the key that signs commands; made if it is not there
    #[arg(long, env = "CORRAL_FLEET_KEY", default_value = "fleet.key")]
    key: PathBuf,
    /// Of what kind a key is that is made
    #[arg(long, default_value = "es256")]
    algorithm: Algorithm,
}

#[derive(Args)]
pub struct Command {
    /// Who is to do it
    device: Identity,
    /// What to do
    name: String,
    /// With what: true, false, null, an integer, or else a text
    #[arg(allow_hyphen_values = true)]
    value: Option<String>,
    /// The value is a text, whatever it looks like
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    way: Way,
}

/// Who commands, and past whom.
#[derive(Args)]
pub struct Way {
    /// Seconds to wait for the device to ask, and for its result
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    wait: u32,
    /// The file of the key that signs
    #[arg(long, env = "CORRAL_FLEET_KEY", default_value = "fleet.key")]
    key: PathBuf,
    #[cfg(feature = "http")]
    #[command(flatten)]
    remote: super::remote::RemoteOptions,
}

impl Way {
    #[cfg(feature = "http")]
    fn lease<'a>(&self, store: &'a Path) -> Result<Box<dyn Lease + 'a>, Failure> {
        match self.remote.lease()? {
            Some(remote) => Ok(Box::new(remote)),
            None => Ok(Box::new(LocalStore::of(store)?)),
        }
    }

    #[cfg(not(feature = "http"))]
    fn lease<'a>(&self, store: &'a Path) -> Result<Box<dyn Lease + 'a>, Failure> {
        Ok(Box::new(LocalStore::of(store)?))
    }
}

fn open(file: &Path) -> Result<Commander, Failure> {
    Commander::open(file).map_err(|error| Failure(format!("{}: {error}", file.display())))
}

/// Shows whom devices are to obey, and makes the key if there is none.
pub fn key(arguments: &Key, json: bool) -> Result<ExitCode, Failure> {
    let file = &arguments.key;
    match Commander::make(file, arguments.algorithm) {
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
        (false, number) if number.parse::<i64>().is_ok() => {
            number.parse::<i64>().unwrap_or_default().into()
        }
        (_, text) => text.into(),
    })
}

/// The keys of a device, which its identity is the hash of.
pub struct Keys {
    pub signing: PublicKey,
    pub agreement: Option<PublicKey>,
}

/// The keys of a device that registered. They are checked here: whoever wrote the store is not trusted.
fn keys_of(store: &Path, device: &Identity) -> Result<Keys, Failure> {
    let fleet = existing(store)?;
    if !fleet.state().lets_in(device) {
        return Err(Failure(format!(
            "{device} is not enrolled, or did not register"
        )));
    }
    let known = fleet.state().device(device);
    let known = known.filter(|known| known.statement.identity() == *device);
    let known = known.ok_or_else(|| Failure(format!("{device} did not register")))?;
    Ok(Keys {
        signing: known.statement.signing.clone(),
        agreement: known.statement.agreement.clone(),
    })
}

/// The right to command a device, which one has at a time: where a command is left, and what became of it lies. The
/// store gives it, or a service elsewhere.
pub trait Lease {
    /// Takes the lease. The device's keys, which were compared with its identity; nothing if another has it.
    fn take(&mut self, device: &Identity) -> Result<Option<Keys>, Failure>;

    /// Renews it, from time to time. What lies there; nothing if it is another's by now. `seen` is the
    /// challenge that is known, and what lies there where nobody could say it.
    fn look(&mut self, device: &Identity, seen: Option<&[u8]>) -> Result<Option<Letter>, Failure>;

    /// Leaves the command that was signed for this challenge. Not, if it is sure that nobody gets it: it was not the
    /// device's latest. A failure where it may have been handed out, and no result would be told.
    fn leave(&mut self, device: &Identity, nonce: &[u8], command: &[u8]) -> Result<bool, Failure>;

    /// Why the last of these could not be said, though the next may be.
    fn trouble(&mut self) -> Option<Failure> {
        None
    }

    /// Gives it up. Where this fails, it is free a little later.
    fn give_up(&mut self, device: &Identity);
}

/// A lease of the store, beside the service.
struct LocalStore<'a> {
    store: &'a Path,
    log: SqliteLog,
    ticket: Ticket,
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
            held: Instant::now(),
        })
    }
}

impl Lease for LocalStore<'_> {
    fn take(&mut self, device: &Identity) -> Result<Option<Keys>, Failure> {
        let keys = keys_of(self.store, device)?;
        let is_taken = self.log.want(device, &self.ticket, clock().unix)?;
        Ok(is_taken.then_some(keys))
    }

    fn look(&mut self, device: &Identity, _seen: Option<&[u8]>) -> Result<Option<Letter>, Failure> {
        let now = clock().unix;
        if self.held.elapsed() >= HOLD_EVERY {
            self.held = Instant::now();
            if !self.log.want_still(device, &self.ticket, now)? {
                return Ok(None);
            }
        }
        let letter = self.log.letter(device, now)?;
        let letter = letter.filter(|letter| letter.ticket == self.ticket);
        // Whoever looks at a moment in which it ran out asks for it once more.
        match letter {
            None if self.log.want_still(device, &self.ticket, now)? => Ok(Some(Letter::default())),
            letter => Ok(letter),
        }
    }

    fn leave(&mut self, device: &Identity, nonce: &[u8], command: &[u8]) -> Result<bool, Failure> {
        Ok(self
            .log
            .keep_command(device, &self.ticket, nonce, command)?)
    }

    fn give_up(&mut self, device: &Identity) {
        let _ = self.log.forget_command(device, &self.ticket);
    }
}

/// A command on its way.
struct Sending<'a> {
    lease: Box<dyn Lease + 'a>,
    commander: Commander,
    device: &'a Identity,
    name: &'a str,
    argument: Value,
    /// The command, once it may have been handed out.
    signed: Option<Vec<u8>>,
}

impl Sending<'_> {
    fn taken(&self) -> Failure {
        Failure(format!("{} is being commanded by another", self.device))
    }

    /// Signs the command for the challenge that the device told, and never again once it was left to be handed
    /// out: it may have been carried out; nor from `end` on. The result, if it is there.
    fn step(
        &mut self,
        seen: &mut Option<Vec<u8>>,
        end: Instant,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let device = self.device;
        let Some(letter) = self.lease.look(device, seen.as_deref())? else {
            return Err(self.taken());
        };
        let is_late = Instant::now() >= end;
        if let (Some(nonce), None, false) = (&letter.nonce, &self.signed, is_late) {
            let (name, argument) = (self.name, &self.argument);
            let made = self.commander.command(device, nonce, name, argument);
            let made =
                made.ok_or_else(|| Failure("the command could not be signed".to_string()))?;
            // If keeping it fails, it may be there all the same.
            let made = self.signed.insert(made);
            if !self.lease.leave(device, nonce, made)? {
                // Nobody got it: the device told another challenge meanwhile, or the lease is another's, which the
                // next look says.
                self.signed = None;
                return Ok(None);
            }
        }
        seen.clone_from(&letter.nonce);
        Ok(letter.result.filter(|_| self.signed.is_some()))
    }

    /// What the device says. Nothing if nobody asked, or told, for that long.
    fn wait(&mut self, key: &PublicKey, wait: Duration) -> Result<Option<Outcome>, Failure> {
        let end = Instant::now() + wait;
        let mut seen = None;
        loop {
            if let (Some(result), Some(signed)) = (self.step(&mut seen, end)?, &self.signed) {
                return Ok(verified(&result, self.device, key, signed));
            }
            if Instant::now() >= end {
                return self.lease.trouble().map_or(Ok(None), Err);
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

/// What became of a command, and the command as it was sent.
pub struct Answered {
    pub outcome: Outcome,
    pub command: Vec<u8>,
}

/// Commands a device, and waits for what it says. What it is commanded with may depend on its keys.
pub fn send(
    store: &Path,
    way: &Way,
    device: &Identity,
    name: &str,
    argue: impl FnOnce(&Keys) -> Result<Value, Failure>,
) -> Result<Answered, Failure> {
    let mut sending = Sending {
        commander: open(&way.key)?,
        argument: Value::Null,
        lease: way.lease(store)?,
        device,
        name,
        signed: None,
    };
    let Some(keys) = sending.lease.take(device)? else {
        return Err(sending.taken());
    };
    let outcome = argue(&keys).and_then(|argument| {
        sending.argument = argument;
        sending.wait(&keys.signing, Duration::from_secs(way.wait.into()))
    });
    sending.lease.give_up(device);
    let unknown = "it is not known whether it carried the command out";
    match (outcome, sending.signed) {
        (Ok(Some(outcome)), Some(command)) => Ok(Answered { outcome, command }),
        (Ok(_), Some(_)) => Err(Failure(format!("{device} told no result: {unknown}"))),
        (Ok(_), None) => Err(Failure(format!(
            "{device} did not ask for commands: none was signed"
        ))),
        (Err(Failure(why)), Some(_)) => Err(Failure(format!("{why}; {device}: {unknown}"))),
        (Err(failure), None) => Err(failure),
    }
}

pub fn command(store: &Path, arguments: &Command, json: bool) -> Result<ExitCode, Failure> {
    let name = &arguments.name;
    if !(1..=NAME_MAX).contains(&name.len()) || name.contains('\0') {
        return Err(Failure(format!(
            "a command's name has 1 to {NAME_MAX} bytes"
        )));
    }
    let (device, argument) = (&arguments.device, argument(arguments)?);
    let answered = send(store, &arguments.way, device, name, |_| Ok(argument))?;
    say(device, &answered.outcome, json)
}

/// What the device says, if it does. The service verified it before, and is not trusted with it.
fn verified(result: &[u8], device: &Identity, key: &PublicKey, signed: &[u8]) -> Option<Outcome> {
    let object = Sign1::parse(result).ok()?;
    commands::verify_result(&object, device, key, signed).ok()
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

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    const DEVICE: Identity = Identity([7; 16]);

    /// Where the device told another challenge whenever somebody looks.
    struct Restless {
        told: u8,
        left: Vec<Vec<u8>>,
        /// What is said of the first commands that are left here, in turn; nothing is a failure.
        answers: Vec<Option<bool>>,
    }

    impl Lease for &mut Restless {
        fn take(&mut self, _device: &Identity) -> Result<Option<Keys>, Failure> {
            unreachable!("it is taken")
        }

        fn look(
            &mut self,
            _device: &Identity,
            _seen: Option<&[u8]>,
        ) -> Result<Option<Letter>, Failure> {
            self.told += 1;
            Ok(Some(Letter {
                nonce: Some(vec![self.told; 16]),
                ..Letter::default()
            }))
        }

        fn leave(
            &mut self,
            _device: &Identity,
            nonce: &[u8],
            _command: &[u8],
        ) -> Result<bool, Failure> {
            self.left.push(nonce.to_vec());
            match self.answers.get(self.left.len() - 1) {
                Some(None) => Err(Failure("refused".to_string())),
                answer => Ok(answer.copied().flatten().unwrap_or(true)),
            }
        }

        fn give_up(&mut self, _device: &Identity) {}
    }

    /// The challenges that were signed for in so many steps of a wait that ends then, and whether one may have been
    /// handed out.
    fn steps(name: &str, answers: &[Option<bool>], end: Instant) -> (Vec<Vec<u8>>, bool) {
        let key = env::temp_dir().join(format!("corral-command-{name}-{}", process::id()));
        Commander::make(&key, Algorithm::Es256).unwrap();
        let mut lease = Restless {
            told: 0,
            left: Vec::new(),
            answers: answers.to_vec(),
        };
        let mut sending = Sending {
            lease: Box::new(&mut lease),
            commander: open(&key).unwrap(),
            device: &DEVICE,
            name: "heat",
            argument: Value::Null,
            signed: None,
        };
        let mut seen = None;
        for _ in 0..4 {
            let _ = sending.step(&mut seen, end);
        }
        let is_signed = sending.signed.is_some();
        drop(sending);
        fs::remove_file(key).unwrap();
        (lease.left, is_signed)
    }

    #[test]
    fn a_command_is_signed_anew_only_where_it_is_sure_that_nobody_got_it() {
        let end = Instant::now() + PATIENCE;
        let told = |told: u8| vec![told; 16];
        let once = (vec![told(1)], true);
        assert_eq!(steps("left", &[Some(true)], end), once);
        assert_eq!(steps("unknown", &[None], end), once);
        let twice = (vec![told(1), told(2)], true);
        assert_eq!(steps("late", &[Some(false), Some(true)], end), twice);
        assert_eq!(steps("again", &[Some(false), None], end), twice);
    }

    #[test]
    fn no_command_is_signed_once_the_wait_is_over() {
        assert_eq!(steps("over", &[], Instant::now()), (Vec::new(), false));
    }
}
