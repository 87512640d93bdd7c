// SPDX-License-Identifier: Apache-2.0
//! Commands that are under way, one for a device: who commands leaves it here, and the server passes on what
//! lies here. Neither is trusted with it: the device verifies the command, and who commands the result.

use rusqlite::{params, OptionalExtension, Row};

use super::sqlite::{failed, SqliteLog};
use super::StoreError;
use crate::verify::Identity;

/// For how many milliseconds the lease of a device is its taker's, who asks for more in time. Who was killed
/// holds it no longer, whatever the clock did meanwhile.
pub const LEASE: u64 = 10_000;

/// How much later than by the clock of who looks a lease may end: it was read a while ago, before whoever wrote
/// was waited for, and the lease renewed meanwhile.
const LEASE_MAX: u64 = 2 * LEASE;

/// By which who commands finds what is its own, and nothing else.
pub type Ticket = [u8; 16];

/// A command on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letter {
    /// Of who commands.
    pub ticket: Ticket,
    /// The device's challenge, once it was told.
    pub nonce: Option<Vec<u8>>,
    /// The command, once it was signed.
    pub command: Option<Vec<u8>>,
    /// The device's result.
    pub result: Option<Vec<u8>>,
}

/// A question of a device, verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The device's challenge.
    pub nonce: Vec<u8>,
    /// The question's number.
    pub number: u64,
}

/// Where commands are left, and what became of them.
pub trait Mailbox {
    /// The command for this device that somebody waits for.
    fn letter(&mut self, device: &Identity, now: u64) -> Result<Option<Letter>, StoreError>;

    /// Keeps the challenge that this command is to answer, unless it answers another already, or the question is
    /// older than one that was kept. Whether it is kept, now or since it was asked before.
    fn keep_asked(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        asked: &Asked,
    ) -> Result<bool, StoreError>;

    /// Keeps the result of this command.
    fn keep_result(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        result: &[u8],
    ) -> Result<(), StoreError>;
}

const DOING: &str = "passing on a command";

fn read(row: &Row<'_>) -> rusqlite::Result<Letter> {
    Ok(Letter {
        ticket: row.get(0)?,
        nonce: row.get(1)?,
        command: row.get(2)?,
        result: row.get(3)?,
    })
}

/// A number of 64 bits without sign, as one with sign that compares alike.
fn column(number: u64) -> i64 {
    (number ^ 1 << 63) as i64
}

impl SqliteLog {
    /// Leaves word that somebody wants to command. Whether nobody else does.
    pub fn want(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        now: u64,
    ) -> Result<bool, StoreError> {
        // The number of the newest question stays: who saw one must not ask with it again.
        let sql = "INSERT INTO commands (device, ticket, until) VALUES (?1, ?2, ?3 + ?4)
                   ON CONFLICT (device) DO UPDATE SET ticket = excluded.ticket,
                   until = excluded.until, nonce = NULL, command = NULL, result = NULL
                   WHERE until NOT BETWEEN ?3 AND ?3 + ?5";
        let (now, lease, most) = (now as i64, LEASE as i64, LEASE_MAX as i64);
        self.changes(sql, params![device.0, ticket, now, lease, most])
    }

    /// Whoever commands is there still. Whether nobody else does.
    pub fn want_still(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        now: u64,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE commands SET until = ?3 + ?4 WHERE device = ?1 AND ticket = ?2";
        self.changes(sql, params![device.0, ticket, now as i64, LEASE as i64])
    }

    /// For how many milliseconds the lease is still this one, 0 if it ran out; nothing if it is another's.
    pub fn left(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        now: u64,
    ) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT until FROM commands WHERE device = ?1 AND ticket = ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed(DOING))?;
        let found = statement.query_row(params![device.0, ticket], |row| row.get::<_, i64>(0));
        let until = found.optional().map_err(failed(DOING))?;
        Ok(until.map(|until| match (until as u64).saturating_sub(now) {
            left @ ..=LEASE_MAX => left,
            _ => 0, // the clock went back
        }))
    }

    /// Leaves the command that was signed for this challenge. Whether nobody else does, it is the first, and the
    /// device told no other challenge meanwhile.
    pub fn keep_command(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        nonce: &[u8],
        command: &[u8],
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE commands SET command = ?4
                   WHERE device = ?1 AND ticket = ?2 AND nonce = ?3 AND command IS NULL";
        self.changes(sql, params![device.0, ticket, nonce, command])
    }

    /// Nobody waits any more, if nobody else does. The ticket is of use no more.
    pub fn forget_command(&mut self, device: &Identity, ticket: &Ticket) -> Result<(), StoreError> {
        let sql = "UPDATE commands SET ticket = x'', until = 0, nonce = NULL, command = NULL, result = NULL
                   WHERE device = ?1 AND ticket = ?2";
        self.changes(sql, params![device.0, ticket]).map(drop)
    }

    fn changes(&mut self, sql: &str, with: impl rusqlite::Params) -> Result<bool, StoreError> {
        let written = self.connection.execute(sql, with);
        Ok(written.map_err(failed(DOING))? == 1)
    }
}

impl Mailbox for SqliteLog {
    fn letter(&mut self, device: &Identity, now: u64) -> Result<Option<Letter>, StoreError> {
        let sql = "SELECT ticket, nonce, command, result FROM commands
                   WHERE device = ?1 AND until BETWEEN ?2 AND ?2 + ?3";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed(DOING))?;
        let found = statement.query_row(params![device.0, now as i64, LEASE_MAX as i64], read);
        found.optional().map_err(failed(DOING))
    }

    fn keep_asked(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        asked: &Asked,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE commands SET nonce = ?3, asked = ?4
                   WHERE device = ?1 AND ticket = ?2 AND (command IS NULL OR nonce = ?3)
                   AND (asked IS NULL OR asked < ?4)";
        let number = column(asked.number);
        if self.changes(sql, params![device.0, ticket, asked.nonce, number])? {
            return Ok(true);
        }
        let sql = "SELECT count(*) FROM commands
                   WHERE device = ?1 AND ticket = ?2 AND nonce = ?3 AND asked = ?4";
        let with = params![device.0, ticket, asked.nonce, number];
        let found = self
            .connection
            .query_row(sql, with, |row| row.get::<_, i64>(0));
        Ok(found.map_err(failed(DOING))? == 1)
    }

    fn keep_result(
        &mut self,
        device: &Identity,
        ticket: &Ticket,
        result: &[u8],
    ) -> Result<(), StoreError> {
        let sql = "UPDATE commands SET result = ?3
                   WHERE device = ?1 AND ticket = ?2 AND result IS NULL";
        self.changes(sql, params![device.0, ticket, result])
            .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use std::{env, fs, process};

    use super::*;

    const DEVICE: Identity = Identity([7; 16]);
    const HOUR: u64 = 3_600_000;

    fn with_store(name: &str, test: impl FnOnce(&mut SqliteLog)) {
        let folder = env::temp_dir().join(format!("corral-mailbox-{name}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        test(&mut SqliteLog::open(&folder.join("store"), Duration::ZERO).unwrap());
        fs::remove_dir_all(&folder).unwrap();
    }

    fn asked(nonce: &[u8], number: u64) -> Asked {
        let nonce = nonce.to_vec();
        Asked { nonce, number }
    }

    fn keep(log: &mut SqliteLog, ticket: &Ticket, asked: &Asked) -> bool {
        log.keep_asked(&DEVICE, ticket, asked).unwrap()
    }

    #[test]
    fn a_lease_is_its_takers_while_it_asks_for_it_whatever_the_clock_does() {
        with_store("lease", |log| {
            let (one, other) = ([1; 16], [2; 16]);
            assert!(log.want(&DEVICE, &one, 5 * HOUR).unwrap());
            assert!(!log.want(&DEVICE, &other, 5 * HOUR + LEASE).unwrap());
            // Who looked at the clock a moment before, and had to wait, finds it all the same.
            assert!(!log.want(&DEVICE, &other, 5 * HOUR - 1).unwrap());
            let letter = log.letter(&DEVICE, 5 * HOUR - 1).unwrap().unwrap();
            assert_eq!(letter.ticket, one);
            // The clock goes back: nobody is kept waiting for hours by who was killed.
            assert_eq!(log.letter(&DEVICE, HOUR).unwrap(), None);
            assert_eq!(log.left(&DEVICE, &one, HOUR).unwrap(), Some(0));
            assert_eq!(log.left(&DEVICE, &one, 6 * HOUR).unwrap(), Some(0));
            assert_eq!(log.left(&DEVICE, &other, HOUR).unwrap(), None);
            assert!(log.want_still(&DEVICE, &one, HOUR).unwrap());
            assert_eq!(log.letter(&DEVICE, HOUR).unwrap().unwrap().ticket, one);
            assert_eq!(log.left(&DEVICE, &one, HOUR + 1).unwrap(), Some(LEASE - 1));
            assert!(log.want(&DEVICE, &other, HOUR + LEASE + 1).unwrap());
            // Who lost the lease signs and removes nothing there, and no result of its command is the other's.
            assert!(!log.want_still(&DEVICE, &one, HOUR).unwrap());
            assert!(!log
                .keep_command(&DEVICE, &one, b"12345678", b"late")
                .unwrap());
            assert!(!log
                .keep_asked(&DEVICE, &one, &asked(b"12345678", 9))
                .unwrap());
            log.keep_result(&DEVICE, &one, b"late").unwrap();
            log.forget_command(&DEVICE, &one).unwrap();
            let letter = log.letter(&DEVICE, HOUR + LEASE + 1).unwrap().unwrap();
            let empty = Letter {
                ticket: other,
                ..Letter::default()
            };
            assert_eq!(letter, empty);
            // Who gave it up has no say either, whether or not another took it.
            log.forget_command(&DEVICE, &other).unwrap();
            assert!(!log.want_still(&DEVICE, &other, HOUR).unwrap());
            assert_eq!(log.left(&DEVICE, &other, HOUR).unwrap(), None);
            assert!(!keep(log, &other, &asked(b"12345678", 9)));
            assert!(log.want(&DEVICE, &one, HOUR).unwrap());
        });
    }

    #[test]
    fn a_question_that_was_seen_replaces_none_that_came_later() {
        with_store("asked", |log| {
            let (one, other) = ([1; 16], [2; 16]);
            let (old, new) = (
                asked(b"old-old-", u64::MAX >> 1),
                asked(b"new-new-", 1 << 63),
            );
            assert!(log.want(&DEVICE, &one, HOUR).unwrap());
            assert!(keep(log, &one, &old));
            assert!(keep(log, &one, &old)); // a batch that is decided anew
            assert!(keep(log, &one, &new));
            assert!(!keep(log, &one, &old));
            log.forget_command(&DEVICE, &one).unwrap();
            assert!(log.want(&DEVICE, &other, HOUR).unwrap());
            assert!(!keep(log, &other, &old));
            assert!(!keep(log, &other, &new));
            assert!(keep(log, &other, &asked(b"another-", u64::MAX - 1)));
            // The device asked anew while it was being signed for the challenge before.
            assert!(!log
                .keep_command(&DEVICE, &other, b"new-new-", b"vain")
                .unwrap());
            assert!(log
                .keep_command(&DEVICE, &other, b"another-", b"signed")
                .unwrap());
            assert!(!log
                .keep_command(&DEVICE, &other, b"another-", b"again")
                .unwrap());
            assert!(!keep(log, &other, &asked(b"one more", u64::MAX)));
            assert!(keep(log, &other, &asked(b"another-", u64::MAX)));
        });
    }
    #[test]
    fn a_result_is_kept_once_and_by_the_lease_of_its_command() {
        with_store("result", |log| {
            let (one, other) = ([1; 16], [2; 16]);
            assert!(log.want(&DEVICE, &one, HOUR).unwrap());
            assert!(keep(log, &one, &asked(b"12345678", 9)));
            assert!(log
                .keep_command(&DEVICE, &one, b"12345678", b"signed")
                .unwrap());
            let mut result_after = |ticket, result: &[u8]| {
                log.keep_result(&DEVICE, ticket, result).unwrap();
                log.letter(&DEVICE, HOUR).unwrap().unwrap().result
            };
            assert_eq!(result_after(&other, b"another's"), None);
            assert_eq!(result_after(&one, b"first"), Some(b"first".to_vec()));
            assert_eq!(result_after(&one, b"second"), Some(b"first".to_vec()));
        });
    }
}
