// SPDX-License-Identifier: Apache-2.0
//! Commands that are under way, one for a device: who commands leaves it here, and the server passes on what
//! lies here. Neither is trusted with it: the device verifies the command, and who commands the result.

use rusqlite::{params, OptionalExtension, Row};

use super::sqlite::{failed, SqliteLog};
use super::StoreError;
use crate::verify::Identity;

/// A command on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letter {
    /// Milliseconds of Unix time up to which somebody waits for its result.
    pub until: u64,
    /// The device's challenge, once it was told.
    pub nonce: Option<Vec<u8>>,
    /// The command, once it was signed.
    pub command: Option<Vec<u8>>,
    /// The device's result.
    pub result: Option<Vec<u8>>,
}

/// Where commands are left, and what became of them.
pub trait Mailbox {
    /// The command for this device that somebody waits for.
    fn letter(&mut self, device: &Identity, now: u64) -> Result<Option<Letter>, StoreError>;

    /// Keeps the challenge that the command is to answer, unless it answers one already. Whether it was kept.
    fn keep_nonce(&mut self, device: &Identity, nonce: &[u8]) -> Result<bool, StoreError>;

    /// Keeps the result of the command.
    fn keep_result(&mut self, device: &Identity, result: &[u8]) -> Result<(), StoreError>;
}

const DOING: &str = "passing on a command";

fn read(row: &Row<'_>) -> rusqlite::Result<Letter> {
    let until: i64 = row.get(0)?;
    Ok(Letter {
        until: until as u64,
        nonce: row.get(1)?,
        command: row.get(2)?,
        result: row.get(3)?,
    })
}

impl SqliteLog {
    /// Leaves word that somebody wants to command. Whether nobody else does.
    pub fn want(&mut self, device: &Identity, now: u64, until: u64) -> Result<bool, StoreError> {
        let sql = "INSERT INTO commands (device, until) VALUES (?1, ?2)
                   ON CONFLICT (device) DO UPDATE
                   SET until = excluded.until, nonce = NULL, command = NULL, result = NULL
                   WHERE until < ?3";
        let written = self
            .connection
            .execute(sql, params![device.0, until as i64, now as i64]);
        Ok(written.map_err(failed(DOING))? == 1)
    }

    /// Leaves the signed command. Whether it is the first: another was not signed meanwhile.
    pub fn keep_command(&mut self, device: &Identity, command: &[u8]) -> Result<bool, StoreError> {
        let sql = "UPDATE commands SET command = ?2 WHERE device = ?1 AND command IS NULL";
        let written = self.connection.execute(sql, params![device.0, command]);
        Ok(written.map_err(failed(DOING))? == 1)
    }

    /// Nobody waits any more.
    pub fn forget_command(&mut self, device: &Identity) -> Result<(), StoreError> {
        let sql = "DELETE FROM commands WHERE device = ?1";
        let removed = self.connection.execute(sql, [device.0]);
        removed.map(drop).map_err(failed(DOING))
    }
}

impl Mailbox for SqliteLog {
    fn letter(&mut self, device: &Identity, now: u64) -> Result<Option<Letter>, StoreError> {
        let sql = "SELECT until, nonce, command, result FROM commands
                   WHERE device = ?1 AND until >= ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed(DOING))?;
        let found = statement.query_row(params![device.0, now as i64], read);
        found.optional().map_err(failed(DOING))
    }

    fn keep_nonce(&mut self, device: &Identity, nonce: &[u8]) -> Result<bool, StoreError> {
        let sql = "UPDATE commands SET nonce = ?2
                   WHERE device = ?1 AND (command IS NULL OR nonce = ?2)";
        let written = self.connection.execute(sql, params![device.0, nonce]);
        Ok(written.map_err(failed(DOING))? == 1)
    }

    fn keep_result(&mut self, device: &Identity, result: &[u8]) -> Result<(), StoreError> {
        let sql = "UPDATE commands SET result = ?2 WHERE device = ?1 AND result IS NULL";
        let written = self.connection.execute(sql, params![device.0, result]);
        written.map(drop).map_err(failed(DOING))
    }
}
