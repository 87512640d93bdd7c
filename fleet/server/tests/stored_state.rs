// SPDX-License-Identifier: Apache-2.0
//! The state beside the log equals the fold of all entries, whatever happens to either.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, process};

use corral_fleet::fleet::Fleet;
use corral_fleet::load::{Algorithm, Device};
use corral_fleet::store::sqlite::SqliteLog;
use corral_fleet::store::{Found, Log, Removal};
use corral_fleet::verify::{Challenge, Identity};
use ring::rand::SystemRandom;
use rusqlite::Connection;

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

    fn fault(&self) -> Option<&'static str> {
        let log = SqliteLog::open_read_only(&self.file()).unwrap();
        Fleet::replay(log).unwrap().fault_of_stored().unwrap()
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
    let mut damages = vec![
        "form = form + 1".to_string(),
        "form = 'none'".to_string(),
        "position = position - 1".to_string(),
        "position = position + 1".to_string(),
        "entry = x''".to_string(),
        "seal = zeroblob(32)".to_string(),
        "body = x''".to_string(),
        "body = substr(body, 1, length(body) - 1)".to_string(),
    ];
    for at in (1..=length).step_by(7) {
        let first = "CAST(substr(body, 1, {at} - 1) AS BLOB)";
        let byte = "iif(substr(body, {at}, 1) = x'00', x'01', x'00')";
        let rest = "CAST(substr(body, {at} + 1) AS BLOB)";
        let damage = format!("body = CAST({first} || {byte} || {rest} AS BLOB)");
        damages.push(damage.replace("{at}", &at.to_string()));
    }
    for damage in damages {
        connection.execute_batch("SAVEPOINT whole").unwrap();
        let changed = connection.execute(&format!("UPDATE state SET {damage}"), []);
        assert_eq!(changed.unwrap(), 1);
        connection.execute_batch("RELEASE whole").unwrap();
        assert!(store.fault().is_some(), "{damage}");
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
        ("DELETE FROM log WHERE position = 3", true),
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
fn a_state_is_not_used_for_another_log() {
    let (store, identity) = revoked("other");
    // Nothing tells the file that its log is exchanged.
    store.alter(
        "CREATE TABLE other AS SELECT * FROM log;
         UPDATE other SET identity = zeroblob(16) WHERE position = 4;
         DROP TABLE log;
         ALTER TABLE other RENAME TO log;",
    );
    assert!(store.fault().is_some());
    assert!(!store.fleet().state().is_revoked(&identity));
    let (store, _) = revoked("shorter");
    store.alter("CREATE TABLE other AS SELECT * FROM log WHERE position < 4; DROP TABLE log; ALTER TABLE other RENAME TO log;");
    assert!(!store.is_stored());
    // Of a longer one, retention may have removed the last entry that it counts.
    let (store, _) = revoked("longer");
    store.alter("CREATE TABLE other AS SELECT * FROM log; DROP TABLE log; ALTER TABLE other RENAME TO log;
         INSERT INTO log VALUES (5, 2, zeroblob(16), 0, 1, NULL, x''); DELETE FROM log WHERE position = 4;");
    assert!(!store.is_stored());
    store.alter("INSERT INTO retention VALUES (1, 4)");
    assert!(store.is_stored());
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
        // As a damaged page is: the file itself knows nothing of it.
        let connection = Connection::open(store.file()).unwrap();
        let sql = "SELECT sql FROM sqlite_schema WHERE name = 'log_changed'";
        let trigger: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        let damage = "UPDATE log SET identity = zeroblob(16) WHERE position = 4";
        let all = format!("DROP TRIGGER log_changed; {damage}; {trigger};");
        connection.execute_batch(&all).unwrap();
        drop(connection);
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
