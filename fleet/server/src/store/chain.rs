// SPDX-License-Identifier: Apache-2.0
//! The readings of one device. Each names the position of the one before it, so that the newest, which the state knows,
//! leads to all of them. An index of all by device would write another page for nearly each reading that comes: here it
//! has one in some hundred, from which who begins in the middle goes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rusqlite::{params, OptionalExtension, Row};

use super::salvage::number;
use super::sqlite::{column, failed, read_entry, SqliteLog};
use super::{Act, Chain, StoreError, Stored};
use crate::verify::Identity;

/// The schema in which readings name each other. Those before it have an index of all.
const SCHEMA: u32 = 8;

/// One reading in how many the index has.
const MARKED: u64 = 128;

/// How many faults are named.
const FAULTS_MAX: usize = 100;

/// Of device ?1 behind ?2.
const NEXT_MARKED: &str = "
    SELECT position FROM log WHERE identity = ?1 AND before < 0 AND position > ?2
    ORDER BY position LIMIT 1";

/// Their kind of entries.
const READ: u8 = 4;

const DOING: &str = "reading the log";

/// Which readings the index has. They are drawn, and not counted: no turn in which devices send, and no removal of old
/// readings, leaves a device without. Nobody knows before, so that none sends what the index never has.
#[derive(Default)]
pub(super) struct Marks(RandomState);

impl Marks {
    /// What the column `before` of the reading at `position` has: where the one before it is, negative if it is marked.
    pub fn link(&self, position: u64, before: u64) -> i64 {
        let before = before as i64;
        match self.0.hash_one(position).is_multiple_of(MARKED) {
            true => -before,
            false => before,
        }
    }
}

impl SqliteLog {
    /// The newest readings of one device or all, oldest first, behind `position`.
    pub fn readings(
        &mut self,
        of: Option<&Chain>,
        position: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, StoreError> {
        if let Some(chain) = self.linked(of)? {
            return self.back(&chain.device, chain.newest, position, limit);
        }
        let condition = match of {
            Some(_) => "identity = ?1",
            None => "?1 IS NULL",
        };
        let sql = format!(
            "SELECT * FROM (SELECT position, kind, identity, sequence, at, body FROM log
             WHERE {condition} AND kind = 4 AND position > ?2 ORDER BY position DESC LIMIT ?3)
             ORDER BY position"
        );
        let identity = of.map(|chain| chain.device.0.to_vec());
        self.entries(&sql, params![identity, column(position), limit as i64])
    }

    /// The oldest readings of one device or all, oldest first, behind `position`.
    pub fn readings_behind(
        &mut self,
        of: Option<&Chain>,
        position: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, StoreError> {
        match self.linked(of)? {
            Some(chain) => self.forth(chain, position, limit),
            None => self.entries_behind(READ, of.map(|chain| &chain.device), position, limit),
        }
    }

    fn is_linked(&self) -> Result<bool, StoreError> {
        Ok(self.schema().map_err(failed(DOING))? >= SCHEMA)
    }

    fn linked<'a>(&self, of: Option<&'a Chain>) -> Result<Option<&'a Chain>, StoreError> {
        let is_linked = self.is_linked()?;
        Ok(of.filter(|_| is_linked))
    }

    fn forth(
        &mut self,
        chain: &Chain,
        position: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, StoreError> {
        let mut found = Vec::new();
        let mut behind = position;
        while found.len() < limit && behind < chain.newest {
            let next = self.next_marked(&chain.device, behind)?;
            let from = next.unwrap_or(chain.newest).min(chain.newest);
            found.extend(self.back(&chain.device, from, behind, usize::MAX)?);
            behind = from;
        }
        found.truncate(limit);
        Ok(found)
    }

    /// The first reading of this device behind `position` that the index has.
    fn next_marked(&mut self, device: &Identity, position: u64) -> Result<Option<u64>, StoreError> {
        let statement = self.connection.prepare_cached(NEXT_MARKED);
        let mut statement = statement.map_err(failed(DOING))?;
        let read = |row: &Row<'_>| row.get::<_, i64>(0);
        let found = statement.query_row(params![device.0, column(position)], read);
        let found = found.optional().map_err(failed(DOING))?;
        Ok(found.map(|position| position as u64))
    }

    /// The newest readings of this device behind `position`, oldest first, of which the last is that at `from`. Where
    /// one was removed, all before it were.
    fn back(
        &mut self,
        device: &Identity,
        from: u64,
        position: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, StoreError> {
        let sql = "SELECT position, kind, identity, sequence, at, body, before FROM log WHERE position = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed(DOING))?;
        let mut found = Vec::new();
        let mut next = from;
        while next > position && found.len() < limit {
            let read = |row: &Row<'_>| Ok((read_entry(row), row.get::<_, i64>(6)?));
            let one = statement.query_row([column(next)], read).optional();
            let Some((entry, before)) = one.map_err(failed(DOING))? else {
                if next > self.forgotten_through()? {
                    return Err(StoreError(format!("entry {next} is missing")));
                }
                break;
            };
            let is_of_it = entry.as_ref().map_or(true, |entry| {
                entry.identity == *device && matches!(entry.act, Act::Read { .. })
            });
            let before = before.unsigned_abs();
            if !is_of_it || before >= next {
                return Err(StoreError(format!("entry {next} is damaged")));
            }
            found.push((next, entry));
            next = before;
        }
        found.reverse();
        Ok(found)
    }

    /// Readings that do not name the one before them, of which the device's older ones are not found.
    pub(super) fn broken_links(&mut self) -> Result<Vec<String>, StoreError> {
        if !self.is_linked()? {
            return Ok(Vec::new());
        }
        let forgotten = self.forgotten_through()?;
        let sql = "SELECT position, identity, before FROM log WHERE kind = 4 ORDER BY position";
        let mut statement = self.connection.prepare(sql).map_err(failed(DOING))?;
        let mut rows = statement.query([]).map_err(failed(DOING))?;
        let mut newest = HashMap::new();
        let mut broken = Vec::new();
        while let Some(row) = rows.next().map_err(failed(DOING))? {
            let columns = || {
                let before = number(row.get_ref(2)?);
                Ok((row.get(0)?, Identity(row.get(1)?), before))
            };
            let (position, device, before): (i64, _, _) = columns().map_err(failed("damaged"))?;
            let before = before.map(i64::unsigned_abs);
            let is_right = match newest.insert(device, position as u64) {
                Some(known) => before == Some(known),
                None => before.is_some_and(|before| before <= forgotten),
            };
            if !is_right {
                broken.push(format!(
                    "entry {position} of {device} does not name the reading before it: corral-fleet doctor --salvage"
                ));
            }
            if broken.len() == FAULTS_MAX {
                break;
            }
        }
        Ok(broken)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZeroU64;
    use std::ops::RangeInclusive;
    use std::path::PathBuf;
    use std::time::Duration;
    use std::{env, fs, process};

    use super::super::{Entry, Linked, Log, Newest, Removal};
    use super::*;

    /// A store with readings, and what each entry should be found as.
    struct Readings {
        folder: PathBuf,
        log: SqliteLog,
        newest: HashMap<Identity, u64>,
        all: Vec<(u64, Identity)>,
    }

    impl Readings {
        fn new(name: &str) -> Self {
            let folder = format!("corral-fleet-chain-{name}-{}", process::id());
            let folder = env::temp_dir().join(folder);
            fs::create_dir_all(&folder).unwrap();
            let log = SqliteLog::open(&folder.join("store"), Duration::from_secs(10)).unwrap();
            Readings {
                folder,
                log,
                newest: HashMap::new(),
                all: Vec::new(),
            }
        }

        /// Of these devices, one after the other, with the times at which they came.
        fn add(&mut self, readings: impl IntoIterator<Item = (u8, u64)>) {
            let first = self.log.newest().unwrap();
            let mut entries = Vec::new();
            for (position, (device, at)) in (first + 1..).zip(readings) {
                let identity = Identity([device; 16]);
                let before = self.newest.insert(identity, position).unwrap_or(0);
                self.all.push((position, identity));
                let (sequence, object) = (position, Vec::new());
                entries.push(Linked {
                    entry: Entry {
                        identity,
                        at,
                        act: Act::Read { sequence, object },
                    },
                    before: Some(before),
                });
            }
            self.log.append(first, &entries).unwrap();
        }

        fn chain(&self, device: u8) -> Chain {
            let device = Identity([device; 16]);
            let newest = self.newest[&device];
            Chain { device, newest }
        }

        /// Where readings of this device should be found.
        fn expected(&self, device: u8, positions: RangeInclusive<u64>) -> Vec<u64> {
            let device = Identity([device; 16]);
            let of_it = |one: &&(u64, Identity)| one.1 == device && positions.contains(&one.0);
            self.all.iter().filter(of_it).map(|one| one.0).collect()
        }

        /// Removes what came before `at`, by a clock that shows `now`; gives where readings went.
        fn forget(&mut self, at: u64, now: u64) -> Vec<u64> {
            let newest = self.newest();
            let mut removal = Removal::new(&newest, at, now);
            let mut removed = 0;
            while let Some(step) = self.log.forget(&mut removal).unwrap() {
                removed += step.values().sum::<u64>();
            }
            let gone = self.gone();
            assert_eq!(gone.len() as u64, removed);
            gone
        }

        fn newest(&mut self) -> Newest {
            let through = self.log.newest().unwrap();
            let positions = self.newest.values().filter_map(|one| NonZeroU64::new(*one));
            Newest::new(through, positions)
        }

        /// Where readings went since this was asked.
        fn gone(&mut self) -> Vec<u64> {
            let left = positions_of(self.log.read(0, usize::MAX >> 1).unwrap());
            let is_left = |one: &(u64, Identity)| left.binary_search(&one.0).is_ok();
            let all = std::mem::take(&mut self.all);
            let (left, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(is_left);
            self.all = left;
            gone.into_iter().map(|one| one.0).collect()
        }

        /// The log is sound, and all readings of these devices are found.
        fn check_whole(&mut self, devices: impl IntoIterator<Item = u8>) {
            assert!(self.log.faults().unwrap().is_empty());
            for device in devices {
                let (chain, expected) = (self.chain(device), self.expected(device, 1..=u64::MAX));
                let found = self.log.readings(Some(&chain), 0, usize::MAX >> 1);
                assert_eq!(positions_of(found.unwrap()), expected);
                let found = self.log.readings_behind(Some(&chain), 0, usize::MAX >> 1);
                assert_eq!(positions_of(found.unwrap()), expected);
            }
        }

        fn check(&mut self, device: u8) {
            let (chain, last) = (self.chain(device), self.log.newest().unwrap());
            for position in (0..last + 2).step_by(37) {
                let expected = self.expected(device, position + 1..=last);
                for limit in [1, 2, 150, usize::MAX >> 1] {
                    let found = self.log.readings_behind(Some(&chain), position, limit);
                    let some = expected.len().min(limit);
                    assert_eq!(positions_of(found.unwrap()), expected[..some]);
                    let found = self.log.readings(Some(&chain), position, limit).unwrap();
                    assert_eq!(positions_of(found), expected[expected.len() - some..]);
                }
            }
        }

        fn alter(&self, sql: &str) {
            assert_eq!(self.log.connection.execute(sql, []).unwrap(), 1);
        }
    }

    impl Drop for Readings {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    fn positions_of(found: Vec<Stored>) -> Vec<u64> {
        found.into_iter().map(|(position, _)| position).collect()
    }

    #[test]
    fn readings_of_a_device_are_found_behind_each_position_in_whatever_turn_they_came() {
        let mut readings = Readings::new("turns");
        readings.add((0..1500).map(|turn| ((turn % 128) as u8, 1)));
        readings.add((0..500).map(|_| (5, 1)));
        readings.add((0..600).map(|turn: u64| ((turn * turn % 7) as u8, 1)));
        for device in [0, 1, 2, 5, 127] {
            readings.check(device);
        }
        assert!(readings.log.faults().unwrap().is_empty());
        let unknown = Chain {
            device: Identity([200; 16]),
            newest: 0,
        };
        let found = readings.log.readings_behind(Some(&unknown), 0, 9).unwrap();
        assert!(found.is_empty());
    }

    #[test]
    fn who_begins_in_the_middle_does_not_come_from_the_end() {
        let mut readings = Readings::new("middle");
        readings.add((0..20_000).map(|_| (1, 1)));
        // What nobody looks at may be damaged.
        readings.alter("UPDATE log SET before = 20000 WHERE position = 18000");
        let chain = readings.chain(1);
        for position in [0, 5000, 16_000] {
            let found = readings
                .log
                .readings_behind(Some(&chain), position, 100)
                .unwrap();
            let expected: Vec<u64> = (position + 1..=position + 100).collect();
            assert_eq!(positions_of(found), expected);
        }
        let all = readings.log.readings(Some(&chain), 0, 20_000);
        assert!(all.unwrap_err().to_string().contains("18000 is damaged"));
    }

    #[test]
    fn the_index_has_one_reading_in_some_hundred() {
        let mut readings = Readings::new("marked");
        readings.add((0..12_800).map(|turn| ((turn % 100) as u8, 1)));
        let sql = "SELECT count(*) FROM log WHERE before < 0";
        let count = readings.log.connection.query_row(sql, [], |row| row.get(0));
        let count: u32 = count.unwrap();
        assert!((50..200).contains(&count), "{count}");
        // And no other index has any.
        let sql =
            "SELECT group_concat(sql) FROM sqlite_schema WHERE tbl_name = 'log' AND type = 'index'
                   AND sql NOT LIKE '% WHERE kind = 3' AND sql NOT LIKE '% WHERE before < 0'";
        let others = readings.log.connection.query_row(sql, [], |row| row.get(0));
        assert_eq!(others, Ok(None::<String>));
    }

    #[test]
    fn which_readings_the_index_has_nobody_knows_before() {
        let [one, other] = [Marks::default(), Marks::default()];
        let marked = |marks: &Marks| -> Vec<u64> {
            let is_marked = |position: &u64| marks.link(*position, 1) < 0;
            (2..100_000).filter(is_marked).collect()
        };
        assert_ne!(marked(&one), marked(&other));
    }

    #[test]
    fn readings_are_found_when_older_ones_of_their_device_are_gone() {
        let mut readings = Readings::new("gone");
        readings.add((0..6000).map(|turn| ((turn % 3) as u8, 1 + turn / 1000)));
        // One that is silent since keeps its newest.
        readings.add([(9, 1), (9, 1)]);
        readings.add((0..500).map(|turn| ((turn % 2) as u8, 9)));
        let gone = readings.forget(4, 9);
        let expected: Vec<u64> = (1..=3000).chain([6001]).collect();
        assert_eq!(gone, expected);
        for device in [0, 1, 2, 9] {
            readings.check(device);
        }
        assert!(readings.log.faults().unwrap().is_empty());
        // Those that go later may be before one that is gone already.
        assert!(readings.forget(5, 9).into_iter().eq(3001..=4000));
        assert_eq!(readings.log.forgotten_through().unwrap(), 6001);
        for device in [0, 1, 2, 9] {
            readings.check(device);
        }
        assert!(readings.log.faults().unwrap().is_empty());
    }

    #[test]
    fn readings_of_a_device_go_in_the_order_in_which_they_came() {
        let mut readings = Readings::new("order");
        // The clock was ahead for a while, and set back a little later.
        readings.add([
            (1, 1),
            (1, 80),
            (1, 90),
            (1, 2),
            (1, 6),
            (1, 3),
            (1, 7),
            (1, 8),
        ]);
        readings.add([(2, 70), (2, 8)]);
        assert_eq!(readings.forget(5, 10), [1, 2, 3, 4]);
        readings.check(1);
        assert!(readings.log.faults().unwrap().is_empty());
        // What the one behind it was kept for is old now, too.
        assert_eq!(readings.forget(7, 10), [5, 6]);
        assert_eq!(readings.forget(9, 10), [7]);
        readings.check(1);
        readings.check(2);
        assert!(readings.log.faults().unwrap().is_empty());
    }

    #[test]
    fn what_goes_before_a_reading_goes_in_steps_between_which_the_log_is_whole() {
        let mut readings = Readings::new("steps");
        // The clock was ahead for long.
        readings.add((0..12_000).map(|turn| ((turn % 3) as u8, 90)));
        readings.add((0..6).map(|turn| ((turn % 3) as u8, 1 + turn)));
        let newest = readings.newest();
        let mut removal = Removal::new(&newest, 4, 10);
        for step in 0..2 {
            let removed = readings.log.forget(&mut removal).unwrap().unwrap();
            assert_eq!(removed.values().sum::<u64>(), 4096);
            let expected = (1..=4096).map(|position| position + 4096 * step);
            assert!(readings.gone().into_iter().eq(expected));
            // Others write meanwhile.
            readings.add([(1, 9)]);
            readings.check_whole(0..3);
        }
        // Who was stopped begins anew.
        assert!(readings.forget(4, 10).into_iter().eq(8193..=12_003));
        readings.check_whole(0..3);
    }

    #[test]
    fn two_who_remove_the_same_count_each_reading_once() {
        let mut readings = Readings::new("both");
        readings.add((0..9000).map(|_| (1, 90)));
        readings.add([(1, 1), (1, 9)]);
        let newest = readings.newest();
        let mut one = Removal::new(&newest, 4, 10);
        let mut other = Removal::new(&newest, 4, 10);
        let mut removed = 0;
        let mut are_at_work = true;
        while are_at_work {
            are_at_work = false;
            for removal in [&mut one, &mut other] {
                if let Some(step) = readings.log.forget(removal).unwrap() {
                    removed += step.values().sum::<u64>();
                    are_at_work = true;
                }
            }
        }
        assert_eq!(removed, 9001);
        assert!(readings.gone().into_iter().eq(1..=9001));
        readings.check_whole([1]);
    }

    #[test]
    fn where_to_begin_is_found_by_the_index_of_few() {
        let readings = Readings::new("plan");
        let sql = format!("EXPLAIN QUERY PLAN {NEXT_MARKED}");
        let read = |row: &Row<'_>| row.get::<_, String>(3);
        let connection = &readings.log.connection;
        let plan = connection.query_row(&sql, params![[7_u8; 16], 0], read);
        let plan = plan.unwrap();
        let search = "INDEX log_marked (identity=? AND rowid>?)";
        assert!(plan.ends_with(search), "{plan}");
    }

    #[test]
    fn a_link_to_a_reading_of_another_device_is_damage() {
        let mut readings = Readings::new("foreign");
        readings.add([(1, 1), (2, 1), (1, 1)]);
        readings.alter("UPDATE log SET before = 2 WHERE position = 3");
        let chain = readings.chain(1);
        let newest = readings.log.readings(Some(&chain), 0, 9);
        let oldest = readings.log.readings_behind(Some(&chain), 0, 9);
        for found in [newest, oldest] {
            let said = found.unwrap_err().to_string();
            assert!(said.contains("entry 2 is damaged"), "{said}");
        }
    }

    #[test]
    fn a_history_of_which_something_is_missing_is_not_shown_as_all_of_it() {
        let mut readings = Readings::new("missing");
        readings.add((0..4).map(|turn| (1, 1 + turn / 2)));
        assert_eq!(readings.forget(2, 9), [1, 2]);
        let chain = readings.chain(1);
        let found = readings.log.readings(Some(&chain), 0, 9).unwrap();
        assert_eq!(positions_of(found), [3, 4]);
        readings.alter("DELETE FROM log WHERE position = 3");
        let newest = readings.log.readings(Some(&chain), 0, 9);
        let oldest = readings.log.readings_behind(Some(&chain), 0, 9);
        for found in [newest, oldest] {
            assert!(found.unwrap_err().to_string().contains("3 is missing"));
        }
    }

    #[test]
    fn a_reading_that_came_since_the_newest_were_asked_for_is_not_removed() {
        let mut readings = Readings::new("since");
        readings.add([(1, 1), (1, 1)]);
        let newest = Newest::new(2, NonZeroU64::new(2).into_iter());
        // By a clock that was set back, they are as old.
        readings.add([(1, 1), (2, 1)]);
        let mut removal = Removal::new(&newest, 5, 9);
        let removed = readings.log.forget(&mut removal).unwrap().unwrap();
        assert_eq!(removed.values().sum::<u64>(), 1);
        assert_eq!(positions_of(readings.log.read(0, 9).unwrap()), [2, 3, 4]);
        // Nor is it looked at, so that there is an end while readings come.
        readings.add([(1, 10)]);
        assert!(readings.log.forget(&mut removal).unwrap().is_none());
    }

    #[test]
    fn a_reading_that_names_a_wrong_one_is_found_and_no_search_is_without_end() {
        for (wrong, by_position) in [
            (
                "UPDATE log SET before = 2 WHERE position = 7",
                "does not name",
            ),
            (
                "UPDATE log SET before = 0 WHERE position = 7",
                "does not name",
            ),
            (
                "UPDATE log SET before = 9 WHERE position = 7",
                "does not name",
            ),
            ("DELETE FROM log WHERE position = 1", "does not name"),
            ("DELETE FROM log WHERE position = 5", "does not name"),
            (
                "UPDATE log SET identity = x'00' WHERE position = 5",
                "damaged",
            ),
        ] {
            let mut readings = Readings::new("wrong");
            readings.add((0..10).map(|turn| ((turn % 2) as u8, 1)));
            readings.alter(wrong);
            let found = match readings.log.faults() {
                Ok(found) => found.join(";"),
                Err(error) => error.to_string(),
            };
            assert!(found.contains(by_position), "{wrong}: {found}");
            let chain = readings.chain(0);
            let found = readings.log.readings(Some(&chain), 0, 9);
            assert!(found.is_err() || found.unwrap().len() <= 5);
        }
    }
}
