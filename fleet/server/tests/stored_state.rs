// SPDX-License-Identifier: Apache-2.0
//! The state beside the log equals the fold of all entries, whatever happens to either.

use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, process};

use corral_fleet::fleet::{Enrolling, Fleet};
use corral_fleet::load::{Algorithm, Device};
use corral_fleet::store::sqlite::SqliteLog;
use corral_fleet::store::{Found, Log, Removal};
use corral_fleet::verify::{Challenge, Identity};
use ring::rand::SystemRandom;
use rusqlite::{Connection, Row};

const PATIENCE: Duration = Duration::from_secs(10);

/// A store of a test, which ends with it.
struct Store(PathBuf);

impl Store {
    fn new(name: &str) -> Self {
        let folder = format!("corral-fleet-state-{name}-{}", process::id());
        let folder = env::temp_dir().join(folder);
        fs::create_dir_all(&folder).unwrap();
        Store(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("store")
    }

    fn log(&self) -> SqliteLog {
        SqliteLog::open(&self.file(), PATIENCE).unwrap()
    }

    fn fleet(&self) -> Fleet<SqliteLog> {
        Fleet::open(self.log()).unwrap()
    }

    /// Changes the file behind everybody's back.
    fn alter(&self, sql: &str) {
        alter(&self.file(), sql);
    }

    /// Damages the log as a page is damaged on a disk: no trigger notices.
    fn damage(&self, sql: &str) {
        let connection = Connection::open(self.file()).unwrap();
        let find = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";
        let mut found = connection.prepare(find).unwrap();
        let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let triggers = found.query_map([], read).unwrap();
        let triggers: Vec<_> = triggers.map(Result::unwrap).collect();
        assert!([0, 3].contains(&triggers.len()));
        for (name, _) in &triggers {
            let dropped = connection.execute_batch(&format!("DROP TRIGGER {name}"));
            dropped.unwrap();
        }
        connection.execute_batch(sql).unwrap();
        for (_, trigger) in &triggers {
            connection.execute_batch(trigger).unwrap();
        }
    }

    /// Damages the first page of a table, which then is none to SQLite. The file is closed.
    fn damage_root(&self, table: &str) {
        let connection = Connection::open(self.file()).unwrap();
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        connection.query_row(checkpoint, [], |_| Ok(())).unwrap();
        let find =
            "SELECT rootpage - 1, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?1";
        let read = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?));
        let (before, size) = connection.query_row(find, [table], read).unwrap();
        drop(connection);
        let file = fs::OpenOptions::new().write(true).open(self.file());
        file.unwrap()
            .write_at(&[0x55; 16], u64::from(before) * u64::from(size))
            .unwrap();
    }

    fn fault(&self) -> Option<&'static str> {
        let log = SqliteLog::open_read_only(&self.file()).unwrap();
        let mut whole = Fleet::replay(log).unwrap();
        // What is stored is compared as bytes there, and here as it is.
        let stored = self.fleet();
        let (one, other) = (stored.state(), whole.state());
        let is_same = one.devices().eq(other.devices()) && one.enrolments().eq(other.enrolments());
        let fault = whole.fault_of_stored().unwrap();
        assert!(is_same || fault.is_some());
        fault
    }

    fn is_due(&self) -> bool {
        self.log().is_state_due().unwrap()
    }

    fn is_stored(&self) -> bool {
        matches!(self.log().kept().unwrap(), Found::Whole(_))
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn alter(file: &Path, sql: &str) {
    let connection = Connection::open(file).unwrap();
    connection.busy_timeout(PATIENCE).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// Numbers that repeat in each run (xorshift).
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

struct Devices {
    random: SystemRandom,
    all: Vec<Device>,
    registered: Vec<bool>,
}

impl Devices {
    fn new(count: usize) -> Self {
        let random = SystemRandom::new();
        let algorithm = |nth| match nth % 2 {
            0 => Algorithm::Ed25519,
            _ => Algorithm::Es256,
        };
        let make = |nth| Device::new(algorithm(nth), &random).ok().unwrap();
        let all: Vec<Device> = (0..count).map(make).collect();
        Devices {
            registered: vec![false; all.len()],
            random,
            all,
        }
    }

    fn register(&mut self, fleet: &mut Fleet<SqliteLog>, nth: usize, at: u64) {
        let device = &mut self.all[nth];
        let object = device.registration(b"nonce", &self.random);
        let challenge = Challenge::of_broker(b"nonce");
        self.registered[nth] |= fleet.register(&object, challenge, at).is_ok();
    }

    fn read(&mut self, fleet: &mut Fleet<SqliteLog>, nth: usize, at: u64) {
        let device = &mut self.all[nth];
        let object = device.reading(true, 1_800_000_000, &self.random);
        let _ = fleet.read(&device.identity, &object, at);
    }
}

#[test]
fn a_stored_state_is_that_of_all_entries_after_any_acts_in_any_order() {
    let store = Store::new("any");
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let mut devices = Devices::new(6);
    let (mut used, mut stored, mut removed, mut refused) = (0, 0, 0, 0);
    for at in 1..400 {
        let mut fleet = store.fleet();
        let nth = draw.next(6) as usize;
        let identity = devices.all[nth].identity;
        match draw.next(10) {
            0 | 1 => fleet.enrol(identity, "attic", "climate", at),
            2 => fleet.revoke(identity, at),
            3 => devices.register(&mut fleet, nth, at),
            4 => {
                let newest = fleet.newest();
                let mut removal = Removal::new(&newest, at.saturating_sub(20), at);
                while let Some(step) = fleet.log().forget(&mut removal).unwrap() {
                    removed += step.values().sum::<u64>();
                }
                // It was read before something was removed.
                refused += u64::from(!fleet.store_state().unwrap());
            }
            5 => stored += u64::from(fleet.store_state().unwrap()),
            _ => {
                for _ in 0..draw.next(5) {
                    devices.read(&mut fleet, nth, at);
                }
            }
        }
        fleet.commit().unwrap();
        used += u64::from(store.is_stored());
        assert_eq!(store.fault(), None, "after {at}");
    }
    assert!(used > 200 && stored > 20 && removed > 20 && refused > 0);
}

/// A store of one device that is revoked, with its state.
fn revoked(name: &str) -> (Store, Identity) {
    let store = Store::new(name);
    let mut devices = Devices::new(1);
    let identity = devices.all[0].identity;
    let mut fleet = store.fleet();
    fleet.enrol(identity, "attic", "", 1);
    devices.register(&mut fleet, 0, 2);
    devices.read(&mut fleet, 0, 3);
    fleet.revoke(identity, 4);
    fleet.commit().unwrap();
    drop(fleet);
    assert!(store.fleet().store_state().unwrap());
    (store, identity)
}

#[test]
fn a_state_that_is_damaged_is_built_again_and_no_revocation_is_lost() {
    let (store, identity) = revoked("damaged");
    let connection = Connection::open(store.file()).unwrap();
    let length: i64 = connection
        .query_row("SELECT length(body) FROM state", [], |row| row.get(0))
        .unwrap();
    assert!(length > 60);
    let damaged = |change: &str| (change.to_string(), Some("is damaged"));
    let mut damages = vec![
        // As after a change of the program, which is nothing that doctor reports.
        ("form = form + 1, seal = zeroblob(32)".to_string(), None),
        damaged("form = form + 1"),
        damaged("form = 'none'"),
        damaged("parted = 'none'"),
        damaged("position = position - 1"),
        damaged("position = position + 1"),
        damaged("position = -position"),
        damaged("position = 1 << 62"),
        damaged("position = 9223372036854775807"),
        damaged("position = 1.5"),
        damaged("position = 'four'"),
        damaged("entry = x''"),
        damaged("seal = zeroblob(32)"),
        damaged("body = x''"),
        damaged("body = substr(body, 1, length(body) - 1)"),
        // The flag of the revocation.
        damaged("body = CAST(substr(body, 1, length(body) - 1) || x'02' AS BLOB)"),
    ];
    for at in (1..=length).step_by(7) {
        let first = "CAST(substr(body, 1, {at} - 1) AS BLOB)";
        let byte = "iif(substr(body, {at}, 1) = x'00', x'01', x'00')";
        let rest = "CAST(substr(body, {at} + 1) AS BLOB)";
        let damage = format!("body = CAST({first} || {byte} || {rest} AS BLOB)");
        damages.push(damaged(&damage.replace("{at}", &at.to_string())));
    }
    for (damage, fault) in damages {
        connection.execute_batch("SAVEPOINT whole").unwrap();
        let changed = connection.execute(&format!("UPDATE state SET {damage}"), []);
        assert_eq!(changed.unwrap(), 1);
        connection.execute_batch("RELEASE whole").unwrap();
        assert!(!store.is_stored(), "{damage}");
        assert_eq!(store.fault(), fault, "{damage}");
        let mut fleet = store.fleet();
        assert!(fleet.state().is_revoked(&identity), "{damage}");
        // Whoever may write makes it whole again.
        drop(fleet);
        fleet = Fleet::open_to_write(store.log()).unwrap();
        assert!(fleet.state().is_revoked(&identity), "{damage}");
        assert!(store.is_stored() && store.fault().is_none(), "{damage}");
    }
}

#[test]
fn a_state_is_due_by_its_size_or_if_it_is_at_no_position_of_the_log() {
    let store = Store::new("due");
    let mut fleet = store.fleet();
    for number in 0..10_000_u128 {
        fleet.enrol(Identity(number.to_be_bytes()), "attic", "", 1);
    }
    fleet.commit().unwrap();
    drop(fleet);
    assert!(store.is_due());
    assert!(store.fleet().store_state().unwrap());
    let read = "SELECT length(body) / 64 FROM state";
    let connection = Connection::open(store.file()).unwrap();
    let for_size: i64 = connection.query_row(read, [], |row| row.get(0)).unwrap();
    let for_size = for_size as u64;
    assert!(for_size > 3000);
    let mut fleet = store.fleet();
    for at in 1..4096 + for_size {
        fleet.revoke(Identity([7; 16]), at);
    }
    fleet.commit().unwrap();
    assert!(!store.is_due());
    fleet.revoke(Identity([7; 16]), 9);
    fleet.commit().unwrap();
    assert!(store.is_due());
    assert!(store.fleet().store_state().unwrap() && !store.is_due());
    for position in [
        "-1",
        "-9223372036854775808",
        "1 << 62",
        "position + 100",
        "0.5",
        "'x'",
        "x'01'",
    ] {
        store.alter(&format!("UPDATE state SET position = {position}"));
        assert!(store.is_due(), "{position}");
        let mut fleet = Fleet::open_to_write(store.log()).unwrap();
        fleet.revoke(Identity([8; 16]), 9);
        fleet.commit().unwrap();
        assert!(store.is_stored() && !store.is_due(), "{position}");
    }
}

/// Damages that stop each append, or each storing, until they are mended.
const BROKEN: [&str; 9] = [
    "DROP TABLE state",
    "DROP TABLE state; CREATE TABLE state (only)",
    "DROP TABLE state; CREATE VIEW state AS SELECT 1",
    "DROP TABLE log_changes",
    "DROP TABLE log_changes; CREATE TABLE log_changes (only)",
    "UPDATE log_changes SET count = 1e300",
    "UPDATE log_changes SET by_retention = 1",
    "DROP TABLE forgotten",
    "DROP TABLE forgotten; CREATE TABLE forgotten (only)",
];

/// Enrols, revokes, reads, and removes old readings.
fn write_all(store: &Store, devices: &mut Devices) {
    let mut fleet = Fleet::open_to_write(store.log()).unwrap();
    fleet.enrol(devices.all[0].identity, "attic", "", 20);
    devices.register(&mut fleet, 0, 21);
    for at in 22..24 {
        devices.read(&mut fleet, 0, at);
    }
    fleet.revoke(Identity([8; 16]), 24);
    assert_eq!(fleet.accepted().len(), 5);
    fleet.commit().unwrap();
    let newest = fleet.newest();
    let mut removal = Removal::new(&newest, 30, 30);
    let removed = fleet.log().forget(&mut removal).unwrap().unwrap();
    assert_eq!(removed.len(), 1);
}

#[test]
fn tables_of_a_state_that_are_damaged_or_foreign_stop_nothing() {
    for broken in BROKEN {
        let (store, identity) = revoked("broken");
        store.alter(broken);
        write_all(&store, &mut Devices::new(1));
        assert!(store.fleet().state().is_revoked(&identity));
        // No table can take the name of a view.
        let is_mended = !broken.contains("VIEW");
        assert_eq!(store.fleet().store_state().unwrap(), is_mended, "{broken}");
        assert_eq!(store.is_stored(), is_mended, "{broken}");
    }
    for table in ["state", "log_changes", "forgotten"] {
        let (store, identity) = revoked("root");
        store.damage_root(table);
        // Also before a start that may mend it, as in a service that runs.
        let mut fleet = store.fleet();
        fleet.revoke(Identity([7; 16]), 9);
        fleet.commit().unwrap();
        write_all(&store, &mut Devices::new(1));
        assert!(store.fleet().state().is_revoked(&identity));
    }
}

#[test]
fn tables_of_a_state_that_are_damaged_or_foreign_stop_no_salvage() {
    let damage = "UPDATE log SET kind = 7, body = x'80' WHERE position = 1";
    for broken in BROKEN {
        let (store, identity) = revoked("broken-salvage");
        store.damage(damage);
        store.alter(broken);
        assert_eq!(store.log().salvage().unwrap().set_aside.len(), 1);
        assert!(store.fleet().state().is_revoked(&identity), "{broken}");
        write_all(&store, &mut Devices::new(1));
    }
    for table in ["state", "log_changes", "forgotten"] {
        let (store, identity) = revoked("root-salvage");
        store.damage(damage);
        store.damage_root(table);
        assert_eq!(store.log().salvage().unwrap().set_aside.len(), 1);
        assert!(store.fleet().state().is_revoked(&identity), "{table}");
        write_all(&store, &mut Devices::new(1));
    }
}

#[test]
fn a_store_whose_state_cannot_be_made_gets_the_newest_schema_all_the_same() {
    let (store, identity) = revoked("old");
    store.alter("DROP TABLE state; CREATE VIEW state AS SELECT 1; PRAGMA user_version = 8");
    write_all(&store, &mut Devices::new(1));
    assert!(store.fleet().state().is_revoked(&identity));
    assert!(!store.is_stored());
}

#[test]
fn a_state_ends_with_an_entry_that_it_counts_whoever_changes_that() {
    for (change, is_left) in [
        ("UPDATE log SET at = at + 1 WHERE position = 1", false),
        (
            "UPDATE log SET kind = 1, body = x'826060' WHERE position = 4",
            false,
        ),
        ("UPDATE log SET position = 9 WHERE position = 4", false),
        ("DELETE FROM log WHERE position = 4", false),
        ("DELETE FROM log WHERE position = 1", false),
        ("DELETE FROM log WHERE position = 3", false),
        (
            "INSERT OR REPLACE INTO log
             SELECT position, 1, identity, 0, at, NULL, x'826060' FROM log WHERE position = 4",
            false,
        ),
        (
            "INSERT INTO log VALUES (0, 2, zeroblob(16), 0, 1, NULL, x'')",
            false,
        ),
        (
            "INSERT INTO log VALUES (5, 2, zeroblob(16), 0, 1, NULL, x'')",
            true,
        ),
    ] {
        let (store, _) = revoked("changed");
        store.alter(change);
        assert_eq!(store.is_stored(), is_left, "{change}");
    }
}

#[test]
fn a_state_is_not_stored_that_was_read_before_an_entry_came_below_the_end() {
    for (damage, change) in [
        (
            "UPDATE log SET position = 6 WHERE position = 5",
            "INSERT INTO log VALUES (5, 2, zeroblob(16), 0, 1, NULL, x'')",
        ),
        (
            "",
            "INSERT OR REPLACE INTO log VALUES (5, 2, zeroblob(16), 0, 1, NULL, x'')",
        ),
    ] {
        let (store, _) = revoked("below");
        let mut fleet = store.fleet();
        fleet.revoke(Identity([7; 16]), 5);
        fleet.commit().unwrap();
        store.damage(damage);
        let mut fleet = store.fleet();
        store.alter(change);
        assert!(!fleet.store_state().unwrap(), "{change}");
        assert!(store.fleet().store_state().unwrap());
        assert_eq!(store.fault(), None);
    }
}

#[test]
fn a_state_is_not_used_for_another_log() {
    let (store, identity) = revoked("other");
    store.damage("UPDATE log SET identity = zeroblob(16) WHERE position = 4");
    assert_eq!(store.fault(), Some("is not of this log"));
    assert!(!store.is_stored() && store.fleet().state().is_revoked(&identity));
    let (store, _) = revoked("text");
    store.damage("UPDATE log SET body = CAST(x'ff00' AS TEXT) WHERE position = 4");
    let Err(error) = Fleet::open(store.log()) else {
        panic!("it is read");
    };
    assert!(error.to_string().contains("--salvage"), "{error}");
    let (store, _) = revoked("shorter");
    store.damage("DELETE FROM log WHERE position = 4");
    assert_eq!(store.fault(), Some("is not of this log"));
    let longer = "INSERT INTO log VALUES (5, 2, zeroblob(16), 0, 1, NULL, x'');
                  DELETE FROM log WHERE position = 4;";
    let (store, _) = revoked("longer");
    store.damage(longer);
    assert_eq!(store.fault(), Some("is not of this log"));
}

#[test]
fn a_state_is_not_used_where_nothing_guards_it() {
    let (store, identity) = revoked("unguarded");
    for unguarded in [
        "CREATE TABLE other AS SELECT * FROM log; DROP TABLE log; ALTER TABLE other RENAME TO log;",
        "DROP TRIGGER log_added",
        "DROP TRIGGER log_removed",
        "DROP TRIGGER log_changed",
        "DELETE FROM log_changes",
    ] {
        store.alter(unguarded);
        assert_eq!(store.fault(), Some("has lost the triggers that guard it"));
        // The first that may write makes them, and the state that was read without them is not taken.
        let mut fleet = Fleet::open_to_write(store.log()).unwrap();
        assert!(fleet.state().is_revoked(&identity));
        assert!(!store.is_stored() && !fleet.store_state().unwrap());
        assert_eq!(store.fault(), None);
        assert!(store.fleet().store_state().unwrap() && store.is_stored());
        store.alter("UPDATE log SET at = at + 1 WHERE position = 1");
        assert!(!store.is_stored());
        assert!(store.fleet().store_state().unwrap() && store.is_stored());
    }
}

#[test]
fn a_state_stays_that_is_the_last_to_know_of_a_revocation() {
    for (damage, last) in [
        // The entry at which the state ends, and the end of the log.
        (
            "UPDATE log SET identity = zeroblob(16) WHERE position = 4",
            4,
        ),
        ("DELETE FROM log WHERE position = 4", 3),
    ] {
        for remedy in ["salvage", "revoke", "enrol"] {
            let (store, identity) = revoked("last");
            store.damage(damage);
            for _ in 0..2 {
                let mut fleet = Fleet::open_to_write(store.log()).unwrap();
                let doubt = fleet.doubt().unwrap();
                assert!(doubt.contains(&identity.to_string()), "{doubt}");
                assert!(fleet.store_state().is_err());
                assert_eq!(store.fault(), Some("is not of this log"));
            }
            let mut fleet = store.fleet();
            match remedy {
                "revoke" => fleet.revoke(identity, 9),
                "enrol" => fleet.enrol(identity, "", "", 9),
                _ => {
                    let salvaged = store.log().salvage().unwrap();
                    assert_eq!(salvaged.revoked, [(last, identity)]);
                }
            }
            fleet.commit().unwrap();
            drop(fleet);
            let fleet = Fleet::open_to_write(store.log()).unwrap();
            assert_eq!(fleet.doubt(), None);
            assert_eq!(fleet.state().is_revoked(&identity), remedy != "enrol");
            assert!(store.fault().is_none(), "{remedy}");
        }
    }
}

#[test]
fn a_state_without_triggers_stays_if_only_it_has_a_revocation() {
    let (store, identity) = revoked("unguarded-last");
    store.damage("UPDATE log SET identity = zeroblob(16) WHERE position = 4");
    store.alter("DROP TRIGGER log_added");
    for _ in 0..2 {
        let mut fleet = Fleet::open_to_write(store.log()).unwrap();
        assert!(fleet.doubt().is_some() && fleet.store_state().is_err());
        assert_eq!(store.fault(), Some("is not of this log"));
    }
    assert_eq!(store.log().salvage().unwrap().revoked, [(4, identity)]);
    let fleet = Fleet::open_to_write(store.log()).unwrap();
    assert!(fleet.doubt().is_none() && fleet.state().is_revoked(&identity));
    assert_eq!(store.fault(), None);
}

#[test]
fn appends_to_a_log_that_lost_its_end_leave_the_state_that_knows_of_its_revocations() {
    // The state ends at 5, and the log at 2.
    for count in 1..6 {
        for is_reading in [true, false] {
            let store = Store::new("behind");
            let mut devices = Devices::new(2);
            let identity = devices.all[1].identity;
            let mut fleet = store.fleet();
            fleet.enrol(devices.all[0].identity, "attic", "", 1);
            devices.register(&mut fleet, 0, 2);
            fleet.enrol(identity, "cellar", "", 3);
            fleet.revoke(identity, 4);
            fleet.revoke(Identity([9; 16]), 5);
            fleet.commit().unwrap();
            drop(fleet);
            assert!(store.fleet().store_state().unwrap());
            store.damage("DELETE FROM log WHERE position > 2");
            for at in 10..10 + count {
                let mut fleet = Fleet::open_to_write(store.log()).unwrap();
                let before = fleet.newest();
                match is_reading {
                    true => devices.read(&mut fleet, 0, at),
                    false => fleet.revoke(Identity([8; 16]), at),
                }
                assert_eq!(fleet.accepted().len(), 1);
                fleet.commit().unwrap();
                // Old readings are removed as the service removes them, also the one at which the state ends.
                let mut removal = Removal::new(&before, at + 1, at + 1);
                while fleet.log().forget(&mut removal).unwrap().is_some() {}
                drop(fleet);
                let mut fleet = Fleet::open_to_write(store.log()).unwrap();
                let doubt = fleet.doubt().expect("the revocations are known");
                for lost in [identity, Identity([9; 16])] {
                    assert!(doubt.contains(&lost.to_string()), "{doubt}");
                    assert!(fleet.state().is_revoked(&lost));
                }
                assert!(fleet.store_state().is_err());
                assert_eq!(store.fault(), Some("is not of this log"));
            }
            let mut fleet = store.fleet();
            // What was decided after the damage stays so.
            fleet.enrol(Identity([9; 16]), "", "", 30);
            fleet.commit().unwrap();
            drop(fleet);
            let fleet = store.fleet();
            let doubt = fleet.doubt().unwrap();
            assert!(doubt.contains(&identity.to_string()), "{doubt}");
            assert!(!fleet.state().is_revoked(&Identity([9; 16])));
            let salvaged = store.log().salvage().unwrap();
            assert_eq!(salvaged.revoked, [(2, identity)]);
            let fleet = Fleet::open_to_write(store.log()).unwrap();
            assert_eq!(fleet.doubt(), None);
            assert!(fleet.state().is_revoked(&identity));
            assert_eq!(fleet.state().is_revoked(&Identity([8; 16])), !is_reading);
            assert!(store.fault().is_none());
        }
    }
}

#[test]
fn a_revocation_that_only_the_state_has_is_in_force() {
    for damage in [
        "UPDATE log SET identity = zeroblob(16) WHERE position = 5",
        "DELETE FROM log WHERE position = 5",
        // Not even its enrolment is left.
        "DELETE FROM log WHERE position > 2",
    ] {
        let store = Store::new("force");
        let mut devices = Devices::new(2);
        let [other, identity] = [0, 1].map(|nth: usize| devices.all[nth].identity);
        let mut fleet = store.fleet();
        fleet.enrol(other, "attic", "", 1);
        devices.register(&mut fleet, 0, 2);
        fleet.enrol(identity, "cellar", "flood", 3);
        devices.register(&mut fleet, 1, 4);
        fleet.revoke(identity, 5);
        fleet.commit().unwrap();
        drop(fleet);
        assert!(store.fleet().store_state().unwrap());
        store.damage(damage);

        let mut fleet = Fleet::open_to_write(store.log()).unwrap();
        let row = Enrolling {
            identity,
            place: None,
            purpose: None,
        };
        assert!(fleet.knows(&identity) && fleet.state().is_revoked(&identity));
        assert_eq!(
            fleet.state().revoked(),
            1 + usize::from(damage.starts_with("UPDATE"))
        );
        devices.registered[1] = false;
        devices.register(&mut fleet, 1, 6);
        devices.read(&mut fleet, 1, 7);
        let rows = std::slice::from_ref(&row);
        assert_eq!(fleet.enrol_all(rows, false, 8), [identity]);
        assert!(!devices.registered[1] && fleet.accepted().is_empty());
        devices.read(&mut fleet, 0, 9);
        assert_eq!(fleet.accepted().len(), 1);
        fleet.commit().unwrap();

        // Another process lifts it, and this one learns of it from the log.
        let mut second = Fleet::open_to_write(store.log()).unwrap();
        assert!(second.state().is_revoked(&identity));
        assert!(second.enrol_all(rows, true, 10).is_empty());
        second.commit().unwrap();
        fleet.catch_up().unwrap();
        assert!(!fleet.state().is_revoked(&identity));
        drop((fleet, second));
        let fleet = Fleet::open_to_write(store.log()).unwrap();
        assert!(fleet.doubt().is_none() && !fleet.state().is_revoked(&identity));
        assert!(store.fleet().store_state().unwrap());
        assert_eq!(store.fault(), None);
    }
}

#[test]
fn a_revocation_that_only_the_state_has_is_known_though_the_rest_is_damaged() {
    let broken = BROKEN
        .into_iter()
        .filter(|sql| !sql.contains("TABLE state"));
    let more = [
        "UPDATE state SET form = form + 1",
        "UPDATE state SET form = 'none'",
        "UPDATE state SET parted = 'none'",
        "DROP TABLE retention; CREATE TABLE retention (only)",
    ];
    for broken in broken.chain(more) {
        let (store, identity) = revoked("doubtful");
        store.damage("DELETE FROM log WHERE position = 4");
        store.alter(broken);
        for _ in 0..2 {
            let mut fleet = Fleet::open_to_write(store.log()).unwrap();
            assert!(fleet.state().is_revoked(&identity), "{broken}");
            fleet.enrol(Identity([8; 16]), "", "", 9);
            fleet.commit().unwrap();
        }
        assert!(store.fault().is_some(), "{broken}");
    }
}

#[test]
fn a_log_that_lost_its_end_twice_parts_where_it_parted_first() {
    let (store, identity) = revoked("twice");
    for (through, again) in [(3, false), (2, true)] {
        store.damage(&format!("DELETE FROM log WHERE position > {through}"));
        let mut fleet = Fleet::open_to_write(store.log()).unwrap();
        assert!(fleet.doubt().is_some());
        match again {
            true => fleet.enrol(identity, "", "", 9),
            false => fleet.revoke(Identity([8; 16]), 9),
        }
        fleet.commit().unwrap();
    }
    assert_eq!(store.fleet().doubt(), None);
    assert!(!store.fleet().state().is_revoked(&identity));
}

#[test]
fn doctor_names_the_revocations_of_a_state_that_is_used_and_differs_from_the_log() {
    let (store, identity) = revoked("differs");
    let mut fleet = store.fleet();
    fleet.enrol(Identity([1; 16]), "", "", 5);
    fleet.commit().unwrap();
    assert!(store.fleet().store_state().unwrap());
    store.damage("UPDATE log SET identity = zeroblob(16) WHERE position = 4");
    let log = SqliteLog::open_read_only(&store.file()).unwrap();
    let mut whole = Fleet::replay(log).unwrap();
    assert_eq!(
        whole.fault_of_stored().unwrap(),
        Some("differs from the log")
    );
    assert!(whole.doubt().unwrap().contains(&identity.to_string()));
}

/// The form of the state in builds that were never released.
const NINTH: &str = "
    DROP TRIGGER log_added;
    DROP TABLE state;
    DROP TABLE log_changes;
    CREATE TABLE log_changes (only INTEGER PRIMARY KEY, count INTEGER NOT NULL);
    INSERT INTO log_changes VALUES (1, 0);
    CREATE TABLE state (
        only INTEGER PRIMARY KEY,
        form INTEGER NOT NULL,
        position INTEGER NOT NULL,
        entry BLOB NOT NULL,
        seal BLOB NOT NULL,
        COLUMN
        body BLOB NOT NULL
    );
    PRAGMA user_version = 9;
";

#[test]
fn a_store_of_a_build_between_two_versions_gets_a_state_and_is_not_called_damaged() {
    for column in ["", "next INTEGER NOT NULL,"] {
        let (store, identity) = revoked("between");
        store.alter(&NINTH.replace("COLUMN", column));
        let next = if column.is_empty() { "" } else { "9," };
        store.alter(&format!(
            "INSERT INTO state VALUES (1, 1, 4, zeroblob(32), zeroblob(32), {next} x'00')"
        ));
        let log = SqliteLog::open_read_only(&store.file()).unwrap();
        let mut whole = Fleet::replay(log).unwrap();
        assert_eq!(whole.fault_of_stored().unwrap(), None);
        let mut fleet = store.fleet();
        assert!(fleet.built().is_none() && fleet.state().is_revoked(&identity));
        assert!(fleet.store_state().unwrap() && store.is_stored());
        assert_eq!(store.fault(), None);
    }
}

#[test]
fn a_salvage_revokes_what_only_the_stored_state_has_as_revoked() {
    for is_enrolled_again in [false, true] {
        let (store, identity) = revoked("salvaged");
        let mut fleet = store.fleet();
        fleet.enrol(Identity([1; 16]), "", "", 5);
        fleet.commit().unwrap();
        assert!(store.fleet().store_state().unwrap());
        if is_enrolled_again {
            fleet.enrol(identity, "", "", 6);
            fleet.commit().unwrap();
        }
        drop(fleet);
        store.damage("UPDATE log SET identity = zeroblob(16) WHERE position = 4");
        assert_eq!(store.fault(), Some("differs from the log"));
        let is_revoked = |fleet: Fleet<SqliteLog>| fleet.state().is_revoked(&identity);
        assert_eq!(is_revoked(store.fleet()), !is_enrolled_again);
        let salvaged = store.log().salvage().unwrap();
        let expected = [(5, identity)];
        assert_eq!(
            salvaged.revoked,
            expected[..usize::from(!is_enrolled_again)]
        );
        assert!(!store.is_stored() && store.fault().is_none());
        assert_eq!(is_revoked(store.fleet()), !is_enrolled_again);
    }
}
