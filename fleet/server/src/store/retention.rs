// SPDX-License-Identifier: Apache-2.0
//! Removing old readings. What decides what is accepted stays: every enrolment and registration, and of each device
//! its newest reading, which bears the highest number. So a store that forgot readings refuses what it refused before.

use std::collections::BTreeMap;

use rusqlite::{params, TransactionBehavior};

use super::sqlite::{failed, SqliteLog};
use super::StoreError;
use crate::verify::Identity;

/// How many entries are looked at in one transaction, so that readings that come are not kept waiting.
const AT_ONCE: i64 = 4096;

/// The schema that notes what was removed.
const SCHEMA: u32 = 3;

/// Which entries are removed: readings of before ?2 that are not their device's newest.
const REMOVABLE: &str = "log.at < ?2 AND log.kind = 4 AND EXISTS (SELECT 1 FROM log AS newer
    WHERE newer.identity = log.identity AND newer.kind = 4 AND newer.position > log.position)";

/// What one step did.
pub struct Step {
    /// Where the next begins; none if all the old ones are gone.
    pub next: Option<u64>,
    /// How many readings of which device were removed.
    pub removed: BTreeMap<Identity, u64>,
}

impl SqliteLog {
    /// Removes readings of before `at` (milliseconds of Unix time) behind `position`: those of some thousand entries.
    /// The last step is one in which nothing is old. What is of after `now`, when a clock was wrong, says nothing of
    /// what follows it.
    pub fn forget(&mut self, position: u64, at: u64, now: u64) -> Result<Step, StoreError> {
        self.try_forget(position, at, now)
            .map_err(failed("removing old readings"))
    }

    fn try_forget(&mut self, position: u64, at: u64, now: u64) -> rusqlite::Result<Step> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (last, old): (Option<i64>, i64) = transaction.query_row(
            "SELECT max(position), coalesce(sum(at < ?2 OR at > ?4), 0) FROM
             (SELECT position, at FROM log WHERE position > ?1 ORDER BY position LIMIT ?3)",
            params![position as i64, at as i64, AT_ONCE, now as i64],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let mut removed = BTreeMap::new();
        let Some(last) = last.filter(|_| old > 0) else {
            let next = None;
            return Ok(Step { next, removed });
        };
        let mut through = 0;
        {
            let mut delete = transaction.prepare(&format!(
                "DELETE FROM log WHERE position > ?1 AND position <= ?3 AND {REMOVABLE}
                 RETURNING position, identity",
            ))?;
            let mut rows = delete.query(params![position as i64, at as i64, last])?;
            while let Some(row) = rows.next()? {
                through = through.max(row.get::<_, i64>(0)?);
                *removed.entry(Identity(row.get(1)?)).or_default() += 1;
            }
        }
        transaction.execute(
            "INSERT INTO retention (only, through) VALUES (1, ?1)
             ON CONFLICT (only) DO UPDATE SET through = max(through, ?1)",
            [through],
        )?;
        transaction.commit()?;
        let next = Some(last as u64);
        Ok(Step { next, removed })
    }

    /// How long nothing came between the newest entry that is of before `at` and the oldest that is not, or `now`: in
    /// milliseconds; 0 if no reading is to be removed. A clock that is far ahead makes such a time, and so does a fleet
    /// that rests.
    pub fn silence(&mut self, at: u64, now: u64) -> Result<u64, StoreError> {
        self.try_silence(at, now)
            .map_err(failed("looking for old readings"))
    }

    fn try_silence(&mut self, at: u64, now: u64) -> rusqlite::Result<u64> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT max(position), coalesce(sum(at < ?2 OR at > ?4), 0), max(at) FILTER (WHERE at < ?2),
                    min(at) FILTER (WHERE at BETWEEN ?2 AND ?4), coalesce(max({REMOVABLE}), FALSE)
             FROM (SELECT position, kind, identity, at FROM log WHERE position > ?1 ORDER BY position LIMIT ?3) AS log",
        ))?;
        let (mut position, mut before, mut since) = (0, None::<i64>, now as i64);
        let mut is_due = false;
        loop {
            let parameters = params![position, at as i64, AT_ONCE, now as i64];
            let mut rows = statement.query(parameters)?;
            let Some(row) = rows.next()? else { break };
            before = before.max(row.get(2)?);
            since = since.min(row.get::<_, Option<i64>>(3)?.unwrap_or(since));
            is_due |= row.get::<_, bool>(4)?;
            match row.get::<_, Option<i64>>(0)? {
                Some(last) if row.get::<_, i64>(1)? > 0 => position = last,
                _ => break,
            }
        }
        let before = before.filter(|_| is_due);
        Ok(before.map_or(0, |before| since.abs_diff(before)))
    }

    /// Up to which position readings may have been removed.
    pub fn forgotten_through(&mut self) -> Result<u64, StoreError> {
        let doing = "reading what was removed";
        if self.schema().map_err(failed(doing))? < SCHEMA {
            return Ok(0);
        }
        let sql = "SELECT coalesce(max(through), 0) FROM retention";
        let found: i64 = self
            .connection
            .query_row(sql, [], |row| row.get(0))
            .map_err(failed(doing))?;
        Ok(found as u64)
    }
}
