// SPDX-License-Identifier: Apache-2.0
//! Removing old readings. What decides what is accepted stays: every enrolment and registration, and of each device
//! its newest reading, which bears the highest number. So a store that forgot readings refuses what it refused before.
//! Of a device's readings those go first that came first, so that the others still lead to each other.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;

use rusqlite::{params, OptionalExtension, TransactionBehavior};

use super::kept::changes;
use super::sqlite::{column, failed, SqliteLog};
use super::StoreError;
use crate::verify::Identity;

/// How many entries are looked at in one step, and removed in one transaction, so that readings that come are not kept
/// waiting.
const AT_ONCE: i64 = 4096;

/// So many that are to be removed are enough to begin with: those before one reading may be more.
const KNOWN_MAX: usize = 1 << 20;

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

/// A removal of what came before a time, as far as it has come.
pub struct Removal<'a> {
    newest: &'a Newest,
    at: u64,
    now: u64,
    /// Behind it nothing was looked at yet.
    position: u64,
    /// What is to be removed of what was looked at, the oldest last.
    due: Vec<(u64, Identity)>,
}

impl<'a> Removal<'a> {
    /// Of readings of before `at` (milliseconds of Unix time). What is of after `now`, when a clock was wrong, says
    /// nothing of what follows it, and goes before that.
    pub fn new(newest: &'a Newest, at: u64, now: u64) -> Self {
        Removal {
            newest,
            at,
            now,
            position: 0,
            due: Vec::new(),
        }
    }
}

impl SqliteLog {
    /// Removes at most some thousand readings, which keeps others who write waiting, and gives how many of which device;
    /// none if nothing is old any more. What came since the newest were asked for is not looked at, because that might
    /// have no end. Between two such steps the log is whole, and another removal can go on.
    pub fn forget(
        &mut self,
        removal: &mut Removal<'_>,
    ) -> Result<Option<BTreeMap<Identity, u64>>, StoreError> {
        self.try_forget(removal)
            .map_err(failed("removing old readings"))
    }

    fn try_forget(
        &mut self,
        removal: &mut Removal<'_>,
    ) -> rusqlite::Result<Option<BTreeMap<Identity, u64>>> {
        while removal.due.is_empty() {
            if !self.look(removal)? {
                return Ok(None);
            }
        }
        let kept = removal.due.len().saturating_sub(AT_ONCE as usize);
        let removed = self.remove(&removal.due[kept..])?;
        removal.due.truncate(kept);
        Ok(Some(removed))
    }

    /// Finds what is to be removed of the next entries: all of it before anything goes, and in the order of the
    /// positions, so that each page of the file is written once or twice. Others may write meanwhile: they append, and
    /// who else removes takes the oldest of a device first, too. Gives whether anything there was old.
    fn look(&mut self, removal: &mut Removal<'_>) -> rusqlite::Result<bool> {
        let (at, now) = (removal.at as i64, removal.now as i64);
        let transaction = self.connection.transaction()?;
        let (last, old): (Option<i64>, i64) = transaction.query_row(
            "SELECT max(position), coalesce(sum(at < ?2 OR at > ?4), 0) FROM
             (SELECT position, at FROM log WHERE position > ?1 AND position <= ?5 ORDER BY position LIMIT ?3)",
            params![removal.position as i64, at, AT_ONCE, now, column(removal.newest.through)],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let Some(last) = last.filter(|_| old > 0) else {
            return Ok(false);
        };
        let mut newest_due = HashMap::new();
        let mut position = last as u64;
        for one in old_readings(&transaction, removal.position as i64, last, at)? {
            if removal.newest.is_behind(one.position) {
                let known = newest_due.get(&one.device).copied();
                let with = with_those_before(&transaction, &one, known, now)?;
                if !with.is_empty() {
                    newest_due.insert(one.device, one.position);
                }
                removal
                    .due
                    .extend(with.into_iter().map(|it| (it, one.device)));
            }
            if removal.due.len() > KNOWN_MAX {
                position = one.position;
                break;
            }
        }
        removal.position = position;
        removal.due.sort_unstable_by(|one, other| other.cmp(one));
        Ok(true)
    }

    /// Removes these readings in one transaction; gives how many of which device there were.
    fn remove(&mut self, due: &[(u64, Identity)]) -> rusqlite::Result<BTreeMap<Identity, u64>> {
        let mut removed = BTreeMap::new();
        let Some((through, _)) = due.first() else {
            return Ok(removed);
        };
        // Without the triggers no state is used, and their table may be damaged.
        let is_guarded = changes(&self.connection).is_some();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Nothing else may remove a reading without a trace.
        let mark = "UPDATE log_changes SET by_retention = ?1";
        if is_guarded {
            transaction.execute(mark, [true])?;
        }
        let mut delete =
            transaction.prepare_cached("DELETE FROM log WHERE position = ?1 AND kind = 4")?;
        for (position, device) in due.iter().rev() {
            if delete.execute([column(*position)])? > 0 {
                *removed.entry(*device).or_default() += 1;
            }
        }
        drop(delete);
        if is_guarded {
            transaction.execute(mark, [false])?;
        }
        transaction.execute(
            "INSERT INTO retention (only, through) VALUES (1, ?1)
             ON CONFLICT (only) DO UPDATE SET through = max(through, ?1)",
            [column(*through)],
        )?;
        transaction.commit()?;
        Ok(removed)
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

/// This reading, with those before it that are of after `now`, up to the newest of the device that is known to go. None
/// if there is one before it that stays.
fn with_those_before(
    connection: &rusqlite::Connection,
    old: &Old,
    known: Option<u64>,
    now: i64,
) -> rusqlite::Result<Vec<u64>> {
    let mut look =
        connection.prepare_cached("SELECT at, before FROM log WHERE position = ?1 AND kind = 4")?;
    let mut with = vec![old.position];
    let mut next = old.before;
    while Some(next) != known {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        match look.query_row([column(next)], read).optional()? {
            None => break,
            Some((at, before)) if at > now && before.unsigned_abs() < next => {
                with.push(next);
                next = before.unsigned_abs();
            }
            Some(_) => return Ok(Vec::new()),
        }
    }
    Ok(with)
}
