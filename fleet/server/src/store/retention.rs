// SPDX-License-Identifier: Apache-2.0
//! Removing old readings. What decides what is accepted stays: every enrolment and registration, and of each device
//! its newest reading, which bears the highest number. So a store that forgot readings refuses what it refused before.
//! Of a device's readings those go first that came first, so that the others still lead to each other.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use rusqlite::{params, OptionalExtension, Transaction, TransactionBehavior};

use super::sqlite::{column, failed, SqliteLog};
use super::StoreError;
use crate::verify::Identity;

/// How many entries are looked at in one transaction, so that readings that come are not kept waiting.
const AT_ONCE: i64 = 4096;

/// The schema that notes what was removed.
const SCHEMA: u32 = 3;

/// Where the newest reading of each device was, when the log ended somewhere.
pub struct Newest {
    through: u64,
    positions: Vec<u64>,
}

impl Newest {
    /// Of a log that ends at `through`.
    pub fn new(through: u64, positions: impl Iterator<Item = NonZeroU64>) -> Self {
        let mut positions: Vec<u64> = positions.map(NonZeroU64::get).collect();
        positions.sort_unstable();
        Newest { through, positions }
    }

    /// Whether there was a newer one than the reading that is there.
    fn is_behind(&self, position: u64) -> bool {
        position <= self.through && self.positions.binary_search(&position).is_err()
    }
}

/// What one step did.
pub struct Step {
    /// Where the next begins; none if all the old ones are gone.
    pub next: Option<u64>,
    /// How many readings of which device were removed.
    pub removed: BTreeMap<Identity, u64>,
}

impl SqliteLog {
    /// Removes readings of before `at` (milliseconds of Unix time) behind `position`: those of some thousand entries.
    /// The last step is one in which nothing is old; what came since `newest` was asked for is not looked at, because
    /// that might have no end. What is of after `now`, when a clock was wrong, says nothing of what follows it, and goes
    /// before that.
    pub fn forget(
        &mut self,
        newest: &Newest,
        position: u64,
        at: u64,
        now: u64,
    ) -> Result<Step, StoreError> {
        self.try_forget(newest, position, at, now)
            .map_err(failed("removing old readings"))
    }

    fn try_forget(
        &mut self,
        newest: &Newest,
        position: u64,
        at: u64,
        now: u64,
    ) -> rusqlite::Result<Step> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (last, old): (Option<i64>, i64) = transaction.query_row(
            "SELECT max(position), coalesce(sum(at < ?2 OR at > ?4), 0) FROM
             (SELECT position, at FROM log WHERE position > ?1 AND position <= ?5 ORDER BY position LIMIT ?3)",
            params![position as i64, at as i64, AT_ONCE, now as i64, column(newest.through)],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let mut removed = BTreeMap::new();
        let Some(last) = last.filter(|_| old > 0) else {
            let next = None;
            return Ok(Step { next, removed });
        };
        let mut through = 0;
        for one in old_readings(&transaction, position as i64, last, at as i64)? {
            if newest.is_behind(one.position) {
                let count = remove(&transaction, &one, now as i64)?;
                if count > 0 {
                    through = one.position as i64;
                    *removed.entry(one.device).or_default() += count;
                }
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
    pub fn silence(&mut self, newest: &Newest, at: u64, now: u64) -> Result<u64, StoreError> {
        self.try_silence(newest, at, now)
            .map_err(failed("looking for old readings"))
    }

    fn try_silence(&mut self, newest: &Newest, at: u64, now: u64) -> rusqlite::Result<u64> {
        let mut statement = self.connection.prepare(
            "SELECT max(position), coalesce(sum(at < ?2 OR at > ?4), 0), max(at) FILTER (WHERE at < ?2),
                    min(at) FILTER (WHERE at BETWEEN ?2 AND ?4)
             FROM (SELECT position, at FROM log WHERE position > ?1 ORDER BY position LIMIT ?3)",
        )?;
        let (mut position, mut before, mut since) = (0, None::<i64>, now as i64);
        let mut is_due = false;
        loop {
            let parameters = params![position, at as i64, AT_ONCE, now as i64];
            let mut rows = statement.query(parameters)?;
            let Some(row) = rows.next()? else { break };
            before = before.max(row.get(2)?);
            since = since.min(row.get::<_, Option<i64>>(3)?.unwrap_or(since));
            match row.get::<_, Option<i64>>(0)? {
                Some(last) if row.get::<_, i64>(1)? > 0 => {
                    is_due = is_due || {
                        let old = old_readings(&self.connection, position, last, at as i64)?;
                        old.iter().any(|one| newest.is_behind(one.position))
                    };
                    position = last;
                }
                _ => break,
            }
        }
        let before = before.filter(|_| is_due);
        Ok(before.map_or(0, |before| since.abs_diff(before)))
    }

    /// Up to which position readings may have been removed.
    pub fn forgotten_through(&self) -> Result<u64, StoreError> {
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

struct Old {
    position: u64,
    device: Identity,
    before: u64,
}

/// The readings of before `at` behind `position`, up to `last`, oldest first.
fn old_readings(
    connection: &rusqlite::Connection,
    position: i64,
    last: i64,
    at: i64,
) -> rusqlite::Result<Vec<Old>> {
    let mut statement = connection.prepare_cached(
        "SELECT position, identity, before FROM log
         WHERE position > ?1 AND position <= ?2 AND at < ?3 AND kind = 4 ORDER BY position",
    )?;
    let rows = statement.query_map([position, last, at], |row| {
        Ok(Old {
            position: row.get::<_, i64>(0)? as u64,
            device: Identity(row.get(1)?),
            before: row.get::<_, i64>(2)?.unsigned_abs(),
        })
    })?;
    rows.collect()
}

/// Removes this reading, with those before it that are of after `now`; gives how many. None goes if there is one before
/// it that stays.
fn remove(transaction: &Transaction<'_>, old: &Old, now: i64) -> rusqlite::Result<u64> {
    let mut look = transaction
        .prepare_cached("SELECT at, before FROM log WHERE position = ?1 AND kind = 4")?;
    let mut gone = vec![old.position];
    let mut next = old.before;
    loop {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        match look.query_row([column(next)], read).optional()? {
            None => break,
            Some((at, before)) if at > now && before.unsigned_abs() < next => {
                gone.push(next);
                next = before.unsigned_abs();
            }
            Some(_) => return Ok(0),
        }
    }
    let mut delete = transaction.prepare_cached("DELETE FROM log WHERE position = ?1")?;
    for position in &gone {
        delete.execute([column(*position)])?;
    }
    Ok(gone.len() as u64)
}
