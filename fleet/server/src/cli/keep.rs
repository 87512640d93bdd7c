// SPDX-License-Identifier: Apache-2.0
//! Keeping a store in order.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::{check_exists, open_to_write, Failure};
use crate::fleet::Fleet;
use crate::history;
use crate::server::questions::Asker;
use crate::server::udp::clock;
use crate::server::Engine;
use crate::store::sqlite::SqliteLog;
use crate::store::{Newest, Removal, StoreError};
use crate::verify::Identity;

const REPORT_EVERY: u64 = 65_536;

/// How long one is waited for that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a server looks for old entries, and how long others may write in between.
const FORGET_EVERY: Duration = Duration::from_secs(3600);
const PAUSE: Duration = Duration::from_millis(100);

/// How often a server looks whether the state is to be stored, and how long it waits at most if that fails again and again.
const STORE_EVERY: Duration = Duration::from_secs(2);
const STORE_LATEST: Duration = Duration::from_secs(256);

const MILLISECONDS_OF_A_DAY: u64 = 24 * 3600 * 1000;

pub fn verify(file: &Path, json: bool) -> Result<ExitCode, Failure> {
    let mut log = SqliteLog::open_read_only(file)?;
    // Entries that a server removes meanwhile are not missing, and those it appends
    // would have no end.
    log.hold()?;
    let mut reported = 0;
    let forgotten = log.forgotten_through()?;
    let report = history::verify(&mut log, forgotten, |done| {
        if done >= reported + REPORT_EVERY {
            reported = done;
            eprintln!("{done} entries");
        }
    })?;
    if json {
        let faults: Vec<_> = report
            .faults
            .iter()
            .map(|fault| {
                json!({
                    "position": fault.position,
                    "identity": fault.identity.map(|identity| identity.to_string()),
                    "what": fault.what,
                })
            })
            .collect();
        let whole = json!({
            "registrations": report.registrations,
            "readings": report.readings,
            "handovers": report.handovers,
            "forgotten": report.forgotten,
            "clocks": report.clocks,
            "faults": faults,
        });
        println!("{whole}");
    } else {
        for fault in &report.faults {
            let of = fault.identity.map(|identity| format!(" of {identity}"));
            println!(
                "entry {}{}: {}",
                fault.position,
                of.unwrap_or_default(),
                fault.what
            );
        }
        if report.forgotten > 0 {
            println!(
                "{} old readings were removed, as the store has it",
                report.forgotten
            );
        }
        for (source, count) in &report.clocks {
            println!("{count} readings by a clock that was {source}");
        }
        println!(
            "{} readings, {} registrations, {} hand-overs; {} do not hold",
            report.readings,
            report.registrations,
            report.handovers,
            report.faults.len()
        );
    }
    Ok(if report.faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

pub fn backup(store: &Path, to: &Path, json: bool) -> Result<ExitCode, Failure> {
    if to.exists() {
        return Err(Failure(format!("{} is there already", to.display())));
    }
    check_exists(store)?;
    SqliteLog::open_read_only(store)?.backup(to)?;
    if json {
        println!("{}", json!({ "copied": to.display().to_string() }));
    } else {
        println!("copied to {}", to.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Removes readings that are older than so many days, and gives how many. None if nothing came for as long before those
/// that stay, because a clock that is far ahead makes all of them look old, unless this is to be done anyway.
fn forget_all(
    log: &mut SqliteLog,
    newest: &Newest,
    days: u32,
    anyway: bool,
    mut tell: impl FnMut(BTreeMap<Identity, u64>),
) -> Result<u64, Failure> {
    let age = u64::from(days) * MILLISECONDS_OF_A_DAY;
    let now = clock().unix;
    let before = now.saturating_sub(age);
    if !anyway && log.silence(newest, before, now)? > age {
        return Err(Failure(format!(
            "for more than {days} days nothing came, or the clock is ahead: no reading is removed; forget \
             --anyway removes the old ones"
        )));
    }
    let mut removal = Removal::new(newest, before, now);
    let mut count = 0;
    while let Some(removed) = log.forget(&mut removal)? {
        count += removed.values().sum::<u64>();
        tell(removed);
        thread::sleep(PAUSE);
    }
    Ok(count)
}

pub fn forget(store: &Path, days: u32, anyway: bool, json: bool) -> Result<ExitCode, Failure> {
    check_exists(store)?;
    let mut fleet = open_to_write(store, PATIENCE)?;
    let newest = fleet.newest();
    let removed = forget_all(fleet.log(), &newest, days, anyway, |_| {})?;
    if json {
        println!("{}", json!({ "removed": removed }));
    } else {
        println!("removed {removed} readings");
    }
    Ok(ExitCode::SUCCESS)
}

/// The newest numbers of the service's engine, which has the state already.
fn ask_newest(asker: &Asker<SqliteLog>) -> Result<Newest, Failure> {
    let (sender, receiver) = mpsc::channel();
    let question = Box::new(move |engine: &mut Engine<SqliteLog>| {
        let _ = sender.send(engine.newest());
    });
    let busy = || Failure("the service is busy: no reading is removed now".to_string());
    asker.put(question).map_err(|_| busy())?;
    Ok(receiver.recv().map_err(|_| busy())??)
}

/// Beside the service, for as long as it lives: removes readings that are older than so many days.
pub fn forget_for_ever(store: &Path, days: u32, asker: Asker<SqliteLog>) {
    let store = store.to_path_buf();
    thread::spawn(move || loop {
        let tell = |removed: BTreeMap<Identity, u64>| {
            if !removed.is_empty() {
                // A busy engine that misses this counts the entries a while longer.
                let _ = asker.put(Box::new(move |engine| engine.forget(&removed)));
            }
        };
        let done = ask_newest(&asker).and_then(|newest| {
            let mut log = SqliteLog::open(&store, PATIENCE)?;
            forget_all(&mut log, &newest, days, false, tell)
        });
        if let Err(error) = done {
            eprintln!("corral-fleet: {error}");
        }
        thread::sleep(FORGET_EVERY);
    });
}

/// Beside the service, for as long as it lives: stores the state whenever a newer one is due. It is
/// built here from the stored one and the log, and not taken from the engine, which neither waits nor
/// can make it wrong. `told` is a message that was printed already.
pub fn store_state_for_ever(store: &Path, mut told: String) {
    let store = store.to_path_buf();
    thread::spawn(move || {
        let mut pause = STORE_EVERY;
        loop {
            pause = match store_if_due(&store) {
                Ok(true) => {
                    told.clear();
                    STORE_EVERY
                }
                // While old readings are removed it may not succeed, and each time all is read again.
                Ok(false) => STORE_LATEST.min(2 * pause),
                Err(error) => {
                    if told != error.0 {
                        eprintln!("corral-fleet: {error}");
                        told = error.0;
                    }
                    STORE_LATEST.min(2 * pause)
                }
            };
            thread::sleep(pause);
        }
    });
}

/// Whether the stored state is new enough.
fn store_if_due(store: &Path) -> Result<bool, StoreError> {
    if !SqliteLog::open_read_only(store)?.is_state_due()? {
        return Ok(true);
    }
    Fleet::open(SqliteLog::open(store, PATIENCE)?)?.store_state()
}
