// SPDX-License-Identifier: Apache-2.0
//! The log in one file, by SQLite: nothing to install, one machine. Other processes may read the file and
//! append to it (enrolling, revoking) while the server runs.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{params, Connection, ErrorCode, OpenFlags, Row, TransactionBehavior};

use super::chain::Marks;
use super::kept::SCHEMA;
use super::{Act, AppendError, Entry, Found, Linked, Log, Refused, StoreError, Stored};
use crate::verify::Identity;

/// How many refused objects are kept.
const REFUSED_MAX: u32 = 10_000;

/// Steps from an empty file to the newest schema; `user_version` says how many were done.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE log (
        position INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        identity BLOB NOT NULL,
        sequence INTEGER NOT NULL, -- 64 bits, without a sign
        at INTEGER NOT NULL,       -- milliseconds of Unix time
        body BLOB NOT NULL
    );
    CREATE INDEX log_identity ON log (identity, position);
    CREATE TABLE refused (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        about TEXT NOT NULL,
        peer TEXT NOT NULL,
        reason TEXT NOT NULL,
        object BLOB NOT NULL
    );
    ",
    "
    CREATE TABLE tokens (
        hash BLOB PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        roles TEXT NOT NULL, -- between spaces
        at INTEGER NOT NULL
    ) WITHOUT ROWID;
    ",
    "
    CREATE TABLE retention (
        only INTEGER PRIMARY KEY,
        through INTEGER NOT NULL -- up to here readings may have been removed
    );
    ",
    "
    CREATE TABLE commands (
        device BLOB PRIMARY KEY,
        until INTEGER NOT NULL, -- milliseconds of Unix time
        nonce BLOB,
        command BLOB,
        result BLOB
    ) WITHOUT ROWID;
    ",
    // Of registrations, which are few among readings.
    "
    CREATE INDEX log_registered ON log (position) WHERE kind = 3;
    CREATE INDEX log_registered_identity ON log (identity, position) WHERE kind = 3;
    ",
    // What is under way does not outlive who waits for it, so that nothing is lost.
    "
    DROP TABLE commands;
    CREATE TABLE commands (
        device BLOB PRIMARY KEY,
        ticket BLOB NOT NULL,   -- of who commands
        until INTEGER NOT NULL, -- milliseconds of Unix time
        asked INTEGER,          -- number of the newest question, less 2^63
        nonce BLOB,
        command BLOB,
        result BLOB
    ) WITHOUT ROWID;
    ",
    // Every index ends with the position, so that one which names it holds it twice. By identity nobody looks for
    // anything but readings and registrations.
    "
    DROP INDEX log_identity;
    DROP INDEX log_registered_identity;
    CREATE INDEX log_read_identity ON log (identity) WHERE kind = 4;
    CREATE INDEX log_registered_identity ON log (identity) WHERE kind = 3;
    ",
    // Who knows schema 7 alone and has the file open cannot add a reading that names none. The table is made anew for
    // that; what says which reading is before which, in the order of the devices, comes first.
    "
    CREATE TABLE links (position INTEGER PRIMARY KEY, before INTEGER NOT NULL);
    INSERT INTO links SELECT position, iif(nth % 128 = 0, -before, before) FROM (
        SELECT position, lag(position, 1, 0) OVER device AS before, row_number() OVER device AS nth
        FROM log WHERE kind = 4 WINDOW device AS (PARTITION BY identity ORDER BY position)
    ) ORDER BY position;
    ALTER TABLE log RENAME TO unlinked;
    CREATE TABLE log (
        position INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        identity BLOB NOT NULL,
        sequence INTEGER NOT NULL, -- 64 bits, without a sign
        at INTEGER NOT NULL,       -- milliseconds of Unix time
        before INTEGER,            -- of a reading: where its device's one before it is, or 0; negative if it is marked
        body BLOB NOT NULL,
        CHECK (kind <> 4 OR before IS NOT NULL)
    );
    INSERT INTO log SELECT position, kind, identity, sequence, at, before, body
        FROM unlinked LEFT JOIN links USING (position) ORDER BY position;
    DROP TABLE unlinked;
    DROP TABLE links;
    CREATE INDEX log_registered ON log (position) WHERE kind = 3;
    CREATE INDEX log_registered_identity ON log (identity) WHERE kind = 3;
    CREATE INDEX log_marked ON log (identity) WHERE before < 0;
    ",
    // Builds that were never released made a state at the first three of these, with other columns,
    // digests or triggers. `migrate` replaces its tables, and loses what only that state knew.
    "",
    "",
    "",
    "",
];

/// Removes the triggers of `STATE`. Without them no state is used.
const UNGUARD: &str = "
    DROP TRIGGER IF EXISTS log_added;
    DROP TRIGGER IF EXISTS log_removed;
    DROP TRIGGER IF EXISTS log_changed;
";

/// Makes the tables of the state of the entries up to a position, and the triggers that remove it
/// as soon as one of these changes, whichever program changes it. A reading that retention removes
/// counts less, and changes nothing else. An append at the end of the log makes no trigger read
/// these tables, which may be damaged. The number of changes begins at a random value. So a program
/// that read an older table finds that it has changed.
const STATE: &str = "
    DROP TABLE IF EXISTS state;
    DROP TABLE IF EXISTS log_changes;
    DROP TABLE IF EXISTS forgotten;
    CREATE TABLE state (
        only INTEGER PRIMARY KEY,
        form INTEGER NOT NULL,
        position INTEGER NOT NULL,
        entry BLOB NOT NULL,   -- digest of the entry at that position
        seal BLOB NOT NULL,    -- digest of these and the body
        body BLOB NOT NULL,
        parted INTEGER         -- where the first entry is that was appended in the place of a lost one
    );
    CREATE TABLE log_changes (
        only INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        by_retention INTEGER NOT NULL -- whether the transaction under way removes old readings
    );
    INSERT INTO log_changes VALUES (1, random() / 2, 0);
    CREATE TABLE forgotten (device BLOB PRIMARY KEY, readings INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER log_added BEFORE INSERT ON log WHEN NEW.position <= (SELECT max(position) FROM log) BEGIN
        UPDATE log_changes SET count = count + 1;
        DELETE FROM state WHERE position >= NEW.position;
    END;
    CREATE TRIGGER log_removed AFTER DELETE ON log BEGIN
        UPDATE log_changes SET count = count + 1;
        DELETE FROM state WHERE position >= OLD.position
            AND (OLD.kind IS NOT 4 OR NOT EXISTS (SELECT 1 FROM log_changes WHERE by_retention));
        INSERT INTO forgotten SELECT OLD.identity, 1 FROM state WHERE position >= OLD.position
        ON CONFLICT (device) DO UPDATE SET readings = readings + 1;
    END;
    CREATE TRIGGER log_changed AFTER UPDATE ON log BEGIN
        UPDATE log_changes SET count = count + 1;
        DELETE FROM state WHERE position >= min(OLD.position, NEW.position);
    END;
";

/// A log in a file.
pub struct SqliteLog {
    pub(super) connection: Connection,
    marks: Marks,
    /// How often entries had been removed or changed when the stored state was read.
    pub(super) changes: Option<i64>,
}

impl From<Connection> for SqliteLog {
    fn from(connection: Connection) -> Self {
        let marks = Marks::default();
        SqliteLog {
            connection,
            marks,
            changes: None,
        }
    }
}

pub(super) fn failed(doing: &str) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
    move |error| {
        let remedy = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => ": restore a backup",
            _ => "",
        };
        StoreError(format!("{doing}: {error}{remedy}"))
    }
}

/// A position as SQLite compares it. No entry has the highest one.
pub(super) fn column(position: u64) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

/// Entries of a kind, of device ?1 or all, after ?2, at most ?3. The text contains the kind, because
/// SQLite uses a partial index only for a condition that the text has.
fn behind(kind: u8, of_one: bool) -> String {
    let condition = match of_one {
        true => "identity = ?1",
        false => "?1 IS NULL",
    };
    format!(
        "SELECT position, kind, identity, sequence, at, body FROM log
         WHERE {condition} AND kind = {kind} AND position > ?2 ORDER BY position LIMIT ?3"
    )
}

/// Reads columns 1 to 5. They may have any content if another program wrote them.
pub(super) fn read_entry(row: &Row<'_>) -> Result<Entry, StoreError> {
    let columns = || {
        let (kind, identity): (u8, [u8; 16]) = (row.get(1)?, row.get(2)?);
        let (sequence, at): (i64, i64) = (row.get(3)?, row.get(4)?);
        let body = row.get_ref(5)?.as_bytes()?;
        rusqlite::Result::Ok((kind, identity, sequence, at, body))
    };
    let (kind, identity, sequence, at, body) = columns().map_err(failed("damaged"))?;
    Ok(Entry {
        identity: Identity(identity),
        at: at as u64,
        act: Act::from_parts(kind, sequence as u64, body)?,
    })
}

impl SqliteLog {
    /// Opens the file, makes it if it is not there, and brings its schema up to date. Waits for
    /// another process that writes, at most for `patience`.
    pub fn open(file: &Path, patience: Duration) -> Result<Self, StoreError> {
        let doing = format!("opening {}", file.display());
        let connection = Connection::open(file).map_err(failed(&doing))?;
        let mut log = SqliteLog::from(connection);
        log.prepare(patience).map_err(failed(&doing))?;
        log.migrate()?;
        // The table may be damaged. Then the state is not used.
        let _ = log.part();
        Ok(log)
    }

    /// Opens a file that has to be there, only for reading.
    pub fn open_read_only(file: &Path) -> Result<Self, StoreError> {
        let doing = format!("opening {}", file.display());
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags).map_err(failed(&doing))?;
        connection
            .busy_timeout(Duration::from_secs(10))
            .map_err(failed(&doing))?;
        Ok(connection.into())
    }

    fn prepare(&mut self, patience: Duration) -> rusqlite::Result<()> {
        self.connection.busy_timeout(patience)?;
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "FULL")
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        let doing = "bringing the schema up to date";
        let newest = MIGRATIONS.len() as u32;
        if self.schema().map_err(failed(doing))? == newest {
            return Ok(());
        }
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed(doing))?;
        let done: u32 = transaction
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(failed(doing))?;
        if done > newest {
            return Err(StoreError(format!(
                "the file has schema {done}, and this program knows {newest}: use a newer one"
            )));
        }
        for migration in &MIGRATIONS[done as usize..] {
            transaction
                .execute_batch(migration)
                .map_err(failed(doing))?;
        }
        transaction
            .pragma_update(None, "user_version", newest)
            .map_err(failed(doing))?;
        transaction.commit().map_err(failed(doing))?;
        if done < SCHEMA {
            self.renew_state().map_err(failed(doing))?;
        }
        if done < newest {
            self.shorten();
        }
        Ok(())
    }

    /// Makes the tables and triggers of the state anew, without a state. Only removes the triggers if
    /// SQLite cannot do that, because a table is damaged or foreign. Entries are appended then, and
    /// no state is used.
    pub(super) fn renew_state(&mut self) -> rusqlite::Result<()> {
        // SQLite commits nothing of a transaction that met a damaged page.
        let renewed = self.execute_whole(&[UNGUARD, STATE].concat());
        renewed.or_else(|_| self.execute_whole(UNGUARD))
    }

    /// Lets no change of the log remove the state, and no damage of its tables stop an append.
    pub fn unguard(&mut self) -> Result<(), StoreError> {
        let removed = self.execute_whole(UNGUARD);
        removed.map_err(failed("removing the triggers of the state"))
    }

    /// Executes all of these, or none.
    fn execute_whole(&mut self, sql: &str) -> rusqlite::Result<()> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        transaction.execute_batch(sql)?;
        transaction.commit()
    }

    /// If the log lost its end, notes that its next entries come after the state.
    fn part(&mut self) -> rusqlite::Result<()> {
        let behind = "position > (SELECT coalesce(max(position), 0) FROM log)";
        let sql = format!("SELECT EXISTS (SELECT 1 FROM state WHERE {behind})");
        if self.connection.query_row(&sql, [], |row| row.get(0))? {
            let next = "(SELECT coalesce(max(position), 0) + 1 FROM log)";
            let sql = format!(
                "UPDATE state SET parted = {next} WHERE {behind} AND (parted IS NULL OR parted > {next})"
            );
            self.connection.execute(&sql, [])?;
        }
        Ok(())
    }

    /// Empties the WAL after a migration wrote a whole table into it. Without this the WAL keeps that
    /// size while the file is open. Another process that reads it may prevent that.
    fn shorten(&mut self) {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let _ = self.connection.query_row(sql, [], |_| Ok(()));
    }

    /// Entries of this kind behind `position`, of one device or all, oldest first.
    pub fn entries_behind(
        &mut self,
        kind: u8,
        identity: Option<&Identity>,
        position: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, StoreError> {
        let sql = behind(kind, identity.is_some());
        let identity = identity.map(|identity| identity.0.to_vec());
        self.entries(&sql, params![identity, column(position), limit as i64])
    }

    /// The position of the newest entry, 0 if there is none.
    pub fn newest(&mut self) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(max(position), 0) FROM log";
        let read = |row: &Row<'_>| row.get::<_, i64>(0);
        let found = self.connection.query_row(sql, [], read);
        Ok(found.map_err(failed("reading the log"))? as u64)
    }

    /// From now on this log shows the file as it is now, whatever others append or remove.
    pub fn hold(&mut self) -> Result<(), StoreError> {
        let begun = self.connection.execute_batch("BEGIN");
        begun.map_err(failed("reading the log"))?;
        // What is seen is fixed by the first that is read.
        self.newest().map(drop)
    }

    /// Shows again what others append.
    pub fn release(&mut self) -> Result<(), StoreError> {
        let ended = self.connection.execute_batch("COMMIT");
        ended.map_err(failed("reading the log"))
    }

    /// Of which schema the file is.
    pub(super) fn schema(&self) -> rusqlite::Result<u32> {
        self.connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
    }

    /// The newest objects that were refused, oldest first.
    pub fn refused(&mut self, limit: usize) -> Result<Vec<Refused>, StoreError> {
        let doing = "reading what was refused";
        let mut statement = self
            .connection
            .prepare(
                "SELECT at, about, peer, reason, object FROM
                 (SELECT * FROM refused ORDER BY number DESC LIMIT ?1) ORDER BY number",
            )
            .map_err(failed(doing))?;
        let rows = statement
            .query_map([limit as i64], |row| {
                let at: i64 = row.get(0)?;
                let (about, peer, reason) = (row.get(1)?, row.get(2)?, row.get(3)?);
                Ok(Refused {
                    at: at as u64,
                    about,
                    peer,
                    reason,
                    object: row.get(4)?,
                })
            })
            .map_err(failed(doing))?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed(doing))
    }

    /// The faults of the file: those that SQLite finds, and broken links between readings.
    pub fn faults(&mut self) -> Result<Vec<String>, StoreError> {
        let doing = "checking the file";
        let mut statement = self
            .connection
            .prepare("PRAGMA integrity_check")
            .map_err(failed(doing))?;
        let rows = statement
            .query_map([], |row| row.get::<_, String>(0))
            .map_err(failed(doing))?;
        let found: Vec<String> = rows
            .collect::<rusqlite::Result<_>>()
            .map_err(failed(doing))?;
        drop(statement);
        let mut found: Vec<_> = found.into_iter().filter(|line| line != "ok").collect();
        found.extend(self.broken_links()?);
        Ok(found)
    }

    /// Copies the file while other processes use it. It does so in one step, because a copy in many
    /// steps begins anew after each write. A file with the name `to` is always whole.
    pub fn backup(&mut self, to: &Path) -> Result<(), StoreError> {
        let doing = format!("copying to {}", to.display());
        let mut name = to.as_os_str().to_owned();
        name.push(".part");
        let part = Path::new(&name);
        let copied = self.copy(part).map_err(failed(&doing)).and_then(|done| {
            if done != StepResult::Done {
                return Err(StoreError(format!("{doing}: the store is busy: try again")));
            }
            fs::rename(part, to).map_err(|error| StoreError(format!("{doing}: {error}")))
        });
        if copied.is_err() {
            let _ = fs::remove_file(part);
        }
        copied
    }

    fn copy(&mut self, to: &Path) -> rusqlite::Result<StepResult> {
        let mut copy = Connection::open(to)?;
        let done = Backup::new(&self.connection, &mut copy)?.step(-1)?;
        if done == StepResult::Done {
            // One file alone, which can be read where nothing can be written.
            copy.pragma_update(None, "journal_mode", "DELETE")?;
        }
        Ok(done)
    }

    pub(super) fn entries(
        &mut self,
        sql: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Vec<Stored>, StoreError> {
        let doing = "reading the log";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed(doing))?;
        let rows = statement
            .query_map(parameters, |row| {
                let position: i64 = row.get(0)?;
                Ok((position as u64, read_entry(row)))
            })
            .map_err(failed(doing))?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed(doing))
    }

    fn try_append(&mut self, expected: u64, entries: &[Linked]) -> rusqlite::Result<Option<u64>> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let last: i64 =
            transaction.query_row("SELECT coalesce(max(position), 0) FROM log", [], |row| {
                row.get(0)
            })?;
        if last as u64 != expected {
            return Ok(None);
        }
        let mut position = last;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO log (position, kind, identity, sequence, at, before, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            for Linked { entry, before } in entries {
                position += 1;
                let before = before.map(|before| self.marks.link(position as u64, before));
                insert.execute(params![
                    position,
                    entry.act.kind(),
                    entry.identity.0,
                    entry.act.sequence().unwrap_or(0) as i64,
                    entry.at as i64,
                    before,
                    entry.act.body(),
                ])?;
            }
        }
        transaction.commit()?;
        Ok(Some(position as u64))
    }
}

impl Log for SqliteLog {
    fn append(&mut self, expected: u64, entries: &[Linked]) -> Result<u64, AppendError> {
        match self.try_append(expected, entries) {
            Ok(Some(last)) => Ok(last),
            Ok(None) => Err(AppendError::Moved),
            Err(error) => Err(AppendError::Failed(failed("appending to the log")(error))),
        }
    }

    fn read(&mut self, position: u64, limit: usize) -> Result<Vec<Stored>, StoreError> {
        self.entries(
            "SELECT position, kind, identity, sequence, at, body FROM log
             WHERE position > ?1 ORDER BY position LIMIT ?2",
            params![column(position), limit as i64],
        )
    }

    fn kept(&mut self) -> Result<Found, StoreError> {
        self.stored_state()
    }

    fn keep_refused(&mut self, refused: &[Refused]) -> Result<(), StoreError> {
        let doing = "keeping what was refused";
        let transaction = self.connection.transaction().map_err(failed(doing))?;
        for one in refused {
            transaction
                .prepare_cached(
                    "INSERT INTO refused (at, about, peer, reason, object) VALUES (?1, ?2, ?3, ?4, ?5)",
                )
                .and_then(|mut insert| {
                    let at = one.at as i64;
                    insert.execute(params![at, one.about, one.peer, one.reason, one.object])
                })
                .map_err(failed(doing))?;
        }
        transaction
            .execute(
                "DELETE FROM refused WHERE number <= (SELECT max(number) FROM refused) - ?1",
                [REFUSED_MAX],
            )
            .map_err(failed(doing))?;
        transaction.commit().map_err(failed(doing))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::{env, process, thread};

    use super::super::{Chain, Newest, Removal};
    use super::*;

    fn entry() -> Entry {
        Entry {
            identity: Identity([7; 16]),
            at: 1,
            act: Act::Revoked,
        }
    }

    fn alone(entry: Entry) -> Linked {
        let before = None;
        Linked { entry, before }
    }

    /// A reading of the only device, with nothing in it.
    fn reading(sequence: u64, before: u64) -> Linked {
        let object = Vec::new();
        Linked {
            entry: Entry {
                act: Act::Read { sequence, object },
                ..entry()
            },
            before: Some(before),
        }
    }

    fn newest(through: u64, position: u64) -> Newest {
        Newest::new(through, NonZeroU64::new(position).into_iter())
    }

    #[test]
    fn a_log_that_is_held_stays_as_it_was() {
        let folder = env::temp_dir().join(format!("corral-fleet-held-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("store");
        let mut log = SqliteLog::open(&file, Duration::from_secs(10)).unwrap();
        log.append(0, &[reading(1, 0), reading(2, 1)]).unwrap();
        let mut held = SqliteLog::open_read_only(&file).unwrap();
        held.hold().unwrap();
        log.append(2, &[reading(3, 2)]).unwrap();
        let newest = newest(3, 3);
        let removed = log.forget(&mut Removal::new(&newest, 2, 2)).unwrap();
        assert_eq!(removed.unwrap()[&entry().identity], 2);
        assert_eq!(log.read(0, 9).unwrap().len(), 1);
        assert_eq!(held.read(0, 9).unwrap().len(), 2);
        assert_eq!(held.forgotten_through().unwrap(), 0);
        drop((log, held));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn entries_of_the_future_do_not_keep_old_readings() {
        let folder = env::temp_dir().join(format!("corral-fleet-future-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let patience = Duration::from_secs(10);
        let mut log = SqliteLog::open(&folder.join("store"), patience).unwrap();
        let ahead = Entry {
            at: 1_000,
            ..entry()
        };
        log.append(0, &vec![alone(ahead); 10_000]).unwrap();
        let readings = [reading(1, 0), reading(2, 10_001)];
        log.append(10_000, &readings).unwrap();
        let newest = newest(10_002, 10_002);
        let mut removal = Removal::new(&newest, 2, 9);
        let mut removed = 0;
        while let Some(step) = log.forget(&mut removal).unwrap() {
            removed += step.values().sum::<u64>();
        }
        assert_eq!(removed, 1);
        drop(log);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn nothing_is_behind_the_last_number_that_there_is() {
        let folder = env::temp_dir().join(format!("corral-fleet-behind-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let patience = Duration::from_secs(10);
        let mut log = SqliteLog::open(&folder.join("store"), patience).unwrap();
        log.append(0, &[alone(entry())]).unwrap();
        for position in [1, 1 << 63, u64::MAX] {
            assert!(log.entries_behind(2, None, position, 9).unwrap().is_empty());
            assert!(log.readings(None, position, 9).unwrap().is_empty());
            assert!(log.readings_behind(None, position, 9).unwrap().is_empty());
            assert!(log.read(position, 9).unwrap().is_empty());
        }
        drop(log);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn registrations_are_found_without_looking_at_readings() {
        let folder = env::temp_dir().join(format!("corral-fleet-found-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let patience = Duration::from_secs(10);
        let log = SqliteLog::open(&folder.join("store"), patience).unwrap();
        for (kind, of_one, search) in [
            (3, false, "INDEX log_registered (position>?)"),
            (
                3,
                true,
                "INDEX log_registered_identity (identity=? AND rowid>?)",
            ),
        ] {
            let sql = format!("EXPLAIN QUERY PLAN {}", behind(kind, of_one));
            let device = of_one.then(|| entry().identity.0.to_vec());
            let read = |row: &Row<'_>| row.get::<_, String>(3);
            let plan = log.connection.query_row(&sql, params![device, 0, 9], read);
            let plan = plan.unwrap();
            assert!(plan.ends_with(search), "{plan}");
        }
        drop(log);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// The statement by which older programs added a reading.
    const READ: &str = "INSERT INTO log (position, kind, identity, sequence, at, body)
                        VALUES (?1, 4, ?2, ?1, ?1, x'01')";

    fn older(file: &Path, schema: usize) -> Connection {
        let connection = Connection::open(file).unwrap();
        for migration in &MIGRATIONS[..schema] {
            connection.execute_batch(migration).unwrap();
        }
        let version = schema as u32;
        connection
            .pragma_update(None, "user_version", version)
            .unwrap();
        connection
    }

    #[test]
    fn a_file_of_an_older_schema_is_brought_up_to_date_and_keeps_what_it_holds() {
        let folder = env::temp_dir().join(format!("corral-fleet-older-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, patience) = (folder.join("store"), Duration::from_secs(10));
        let schema = |log: &SqliteLog| {
            let sql = "SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)";
            let read = |row: &Row<'_>| row.get::<_, String>(0);
            log.connection.query_row(sql, [], read).unwrap()
        };
        let newest = schema(&SqliteLog::open(&folder.join("new"), patience).unwrap());
        for done in 1..8 {
            let connection = older(&file, done);
            let devices = [entry().identity, Identity([8; 16])];
            connection.execute_batch("BEGIN").unwrap();
            for position in 1..=1000 {
                let device = devices[usize::from(position % 3 == 0)].0;
                connection.execute(READ, params![position, device]).unwrap();
            }
            connection.execute_batch("COMMIT").unwrap();
            let read = |log: &mut SqliteLog| {
                devices.map(|device| {
                    let newest = if device == devices[0] { 1000 } else { 999 };
                    let chain = Chain { device, newest };
                    let after = log.readings_behind(Some(&chain), 500, 9).unwrap();
                    let newest = log.readings(Some(&chain), 1, 1000).unwrap();
                    let found = after.into_iter().chain(newest);
                    let found = found.map(|(position, entry)| (position, entry.unwrap()));
                    found.collect::<Vec<_>>()
                })
            };
            // Also by who only reads, which changes nothing.
            let before = read(&mut SqliteLog::open_read_only(&file).unwrap());
            let mut log = SqliteLog::open(&file, patience).unwrap();
            assert_eq!(schema(&log), newest);
            let beside = fs::metadata(folder.join("store-wal"));
            assert_eq!(beside.unwrap().len(), 0);
            assert_eq!(read(&mut log), before);
            let positions = |of: usize| {
                let all = before[of].iter().map(|(position, _)| *position);
                all.collect::<Vec<_>>()
            };
            let is_first = |position: &u64| !position.is_multiple_of(3);
            let expected = (501..)
                .filter(is_first)
                .take(9)
                .chain((2..=1000).filter(is_first));
            assert_eq!(positions(0), expected.collect::<Vec<_>>());
            let expected = (501..).step_by(3).take(9).chain((3..=999).step_by(3));
            assert_eq!(positions(1), expected.collect::<Vec<_>>());
            assert!(log.faults().unwrap().is_empty());
            let marked = "SELECT count(*) FROM log WHERE before < 0";
            let marked = log.connection.query_row(marked, [], |row| row.get(0));
            assert_eq!(marked, Ok(667 / 128 + 333 / 128));
            // Who began with the older schema adds no reading that names none.
            let refused = connection.execute(READ, params![1001, devices[0].0]);
            assert!(refused.unwrap_err().to_string().contains("CHECK"));
            drop((log, connection));
            fs::remove_file(&file).unwrap();
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_of_a_newer_schema_is_refused_and_stays_as_it_is() {
        let folder = env::temp_dir().join(format!("corral-fleet-newer-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("store");
        drop(SqliteLog::open(&file, Duration::ZERO).unwrap());
        let connection = Connection::open(&file).unwrap();
        for version in [MIGRATIONS.len() as u32 + 1, u32::MAX >> 1] {
            let set = connection.pragma_update(None, "user_version", version);
            set.unwrap();
            let refused = SqliteLog::open(&file, Duration::ZERO).err().unwrap();
            let said = format!("the file has schema {version}");
            assert!(refused.to_string().contains(&said), "{refused}");
            let kept = connection.pragma_query_value(None, "user_version", |row| row.get(0));
            assert_eq!(kept, Ok(version));
        }
        drop(connection);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_copy_ends_while_others_write_and_what_is_committed_is_on_the_disk() {
        let folder = env::temp_dir().join(format!("corral-fleet-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, copy) = (folder.join("store"), folder.join("copy"));
        let mut log = SqliteLog::open(&file, Duration::from_secs(10)).unwrap();
        let setting = |name| {
            let read = |row: &rusqlite::Row<'_>| row.get::<_, rusqlite::types::Value>(0);
            log.connection.pragma_query_value(None, name, read).unwrap()
        };
        assert_eq!(setting("synchronous"), 2.into()); // FULL
        assert_eq!(setting("journal_mode"), "wal".to_string().into());
        log.append(0, &vec![alone(entry()); 50_000]).unwrap();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for last in 50_000.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    log.append(last, &[alone(entry())]).unwrap();
                }
            });
            let copied = SqliteLog::open_read_only(&file).unwrap().backup(&copy);
            is_over.store(true, Ordering::Relaxed);
            copied.unwrap();
        });
        let mut copied = SqliteLog::open_read_only(&copy).unwrap();
        assert!(copied.faults().unwrap().is_empty());
        assert_eq!(copied.read(49_999, 1).unwrap().len(), 1);
        let read = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let mode = copied
            .connection
            .pragma_query_value(None, "journal_mode", read);
        assert_eq!(mode.unwrap(), "delete");
        drop((log, copied));
        let left = fs::read_dir(&folder)
            .unwrap()
            .map(|one| one.unwrap().file_name());
        let mut left: Vec<_> = left.collect();
        left.sort();
        assert_eq!(left, ["copy", "store"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
