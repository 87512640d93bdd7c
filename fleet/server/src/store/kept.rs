// SPDX-License-Identifier: Apache-2.0
//! The state beside the log, so that a start reads only the entries that came after it. It is stored
//! after some thousand entries. The same transaction checks that no process changed the log since it
//! was read. Only the log decides. Triggers remove the state as soon as an entry that it counts is
//! changed. A state that is damaged, or is not of this log, is built again from all entries.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::Arc;

use ring::digest::{digest, Context, SHA256};
use rusqlite::types::Value;
use rusqlite::{params, Connection, ErrorCode, OptionalExtension, Row, TransactionBehavior};

use super::salvage::number;
use super::sqlite::{column, failed, SqliteLog};
use super::state::{Device, Enrolment};
use super::{State, StoreError};
use crate::verify::{Identity, PublicKey};

/// Grows with each change of the form below, and of what `State` makes of entries. A state of another form is built again.
const FORM: i64 = 2;

/// The schema that has a state of this program.
pub(super) const SCHEMA: u32 = 12;

/// A state is due when that many entries came after the one before it, and one more for so many bytes of that. So reading
/// the rest takes a few milliseconds. An entry takes some 300 bytes, so states are less than a quarter of what is written.
const APART: i64 = 4096;
const BYTES_FOR_EACH: i64 = 64;

const DOING: &str = "reading the stored state";

const DAMAGED: &str = "is damaged";

/// The reason for a state that another version of the program stored. It is no damage.
pub const OF_ANOTHER_VERSION: &str = "is of another version";

/// By identity, the position of the last registration at the directory.
pub type Listed = BTreeMap<Identity, u64>;

/// The state of the entries up to a position.
#[derive(Default)]
pub struct Kept {
    pub position: u64,
    pub state: State,
    pub listed: Listed,
}

/// The state that is stored beside a log.
pub enum Found {
    Nothing,
    /// Why it is not used, and what it is if it is whole, though not of this log.
    Unusable(&'static str, Option<Box<Kept>>),
    Whole(Box<Kept>),
}

/// The whole content, which is equal if and only if the states are.
pub fn encode(state: &State, listed: &Listed) -> Vec<u8> {
    let mut out = Writer::default();
    let kinds: Vec<&Arc<str>> = state.kinds.iter().collect();
    out.number(kinds.len() as u64);
    for kind in &kinds {
        out.bytes(kind.as_bytes());
    }
    out.number(state.devices.len() as u64);
    for device in &state.devices {
        // A new field is named here, or the compiler reports it.
        let Device {
            identity,
            enrolled_as,
            signing,
            format,
            kind,
            agreement,
            highest,
            latest,
            ordinal: _,
            readings,
            heard_at,
        } = device;
        out.bytes(&identity.0);
        match enrolled_as == identity {
            true => out.bytes(&[]),
            false => out.bytes(&enrolled_as.0),
        }
        out.key(Some(signing));
        out.key(agreement.as_deref());
        let kind = kinds.binary_search(&kind);
        out.number(kind.map_or(u64::MAX, |kind| kind as u64));
        out.number((*format).into());
        out.number(*highest);
        out.number(latest.map_or(0, NonZeroU64::get));
        out.number(*readings);
        out.number(*heard_at);
        out.number(listed.get(identity).copied().unwrap_or(0));
    }
    out.number(state.enrolments.len() as u64);
    for (identity, enrolment) in &state.enrolments {
        let Enrolment {
            texts: _,
            place_length: _,
            is_revoked,
            is_named,
        } = enrolment;
        out.bytes(&identity.0);
        out.bytes(enrolment.place().as_bytes());
        out.bytes(enrolment.purpose().as_bytes());
        out.number(u64::from(*is_revoked) | u64::from(*is_named) << 1);
    }
    out.0
}

impl Kept {
    /// What was encoded.
    fn decode(position: u64, body: &[u8]) -> Option<Self> {
        let mut from = Reader(body);
        let kinds = from.many(|from| Some(Arc::from(from.text()?)))?;
        let mut listed = Listed::new();
        let mut ordinal = 0;
        let devices = from.many(|from| {
            let identity = from.identity()?;
            let device = Device {
                identity,
                enrolled_as: match from.bytes()? {
                    [] => identity,
                    other => Identity(other.try_into().ok()?),
                },
                signing: from.key()??,
                agreement: from.key()?.map(Box::new),
                kind: Arc::clone(kinds.get(usize::try_from(from.number()?).ok()?)?),
                format: from.number()?.try_into().ok()?,
                highest: from.number()?,
                latest: NonZeroU64::new(from.number()?),
                readings: from.number()?,
                heard_at: from.number()?,
                ordinal,
            };
            ordinal += 1;
            match from.number()? {
                0 => {}
                at => drop(listed.insert(identity, at)),
            }
            Some(device)
        })?;
        let enrolments = from.many(|from| {
            let identity = from.identity()?;
            let mut enrolment = Enrolment::new(from.text()?, from.text()?);
            let flags = from.number()?;
            enrolment.is_revoked = flags & 1 != 0;
            enrolment.is_named = flags & 2 != 0;
            Some((identity, enrolment))
        })?;
        let mut state = State::default();
        state.ordinals = (0..)
            .zip(&devices)
            .map(|(ordinal, device)| (device.identity, ordinal))
            .collect();
        state.devices = devices;
        state.kinds = kinds.into_iter().collect();
        state.enrolments = enrolments.into_iter().collect();
        from.0.is_empty().then_some(Kept {
            position,
            state,
            listed,
        })
    }
}

/// A number takes as many bytes as it needs, of seven bits each. A string of bytes follows its length.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn key(&mut self, key: Option<&PublicKey>) {
        let (kind, bytes): (u64, &[u8]) = match key {
            None => (0, &[]),
            Some(PublicKey::P256(point)) => (1, point),
            Some(PublicKey::Ed25519(x)) => (2, x),
            Some(PublicKey::X25519(x)) => (3, x),
        };
        self.number(kind);
        self.0.extend_from_slice(bytes);
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    fn identity(&mut self) -> Option<Identity> {
        self.bytes()?.try_into().ok().map(Identity)
    }

    fn key(&mut self) -> Option<Option<PublicKey>> {
        Some(match self.number()? {
            0 => None,
            1 => Some(PublicKey::P256(self.take(65)?.try_into().ok()?)),
            2 => Some(PublicKey::Ed25519(self.take(32)?.try_into().ok()?)),
            3 => Some(PublicKey::X25519(self.take(32)?.try_into().ok()?)),
            _ => return None,
        })
    }

    fn many<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }
}

fn sum(bytes: &[u8]) -> Vec<u8> {
    digest(&SHA256, bytes).as_ref().to_vec()
}

/// The digest of a state, of the position of its last entry, and of that entry.
fn seal(position: u64, entry: &[u8], body: &[u8]) -> Vec<u8> {
    let mut context = Context::new(&SHA256);
    context.update(&FORM.to_be_bytes());
    context.update(&position.to_be_bytes());
    context.update(&(entry.len() as u64).to_be_bytes());
    context.update(entry);
    context.update(body);
    context.finish().as_ref().to_vec()
}

impl SqliteLog {
    /// The state beside the log, if it is whole and of this log.
    pub(super) fn stored_state(&mut self) -> Result<Found, StoreError> {
        if self.schema().map_err(failed(DOING))? < SCHEMA {
            return Ok(Found::Nothing);
        }
        // All of it is of one moment.
        if !self.connection.is_autocommit() {
            return self.try_stored_state();
        }
        let begun = self.connection.execute_batch("BEGIN");
        begun.map_err(failed(DOING))?;
        let found = self.try_stored_state();
        // After a damaged page a commit fails.
        let ended = self.connection.execute_batch("ROLLBACK");
        ended.map_err(failed(DOING))?;
        found
    }

    fn try_stored_state(&mut self) -> Result<Found, StoreError> {
        self.changes = changes(&self.connection);
        let is_unguarded = self.changes.is_none();
        let unguarded = is_unguarded.then_some("has lost the triggers that guard it");
        let sql = "SELECT form, position, entry, seal, body, parted FROM state";
        let read = |row: &Row<'_>| {
            let (position, entry): (i64, Vec<u8>) = (row.get(1)?, row.get(2)?);
            let (sealed, body): (Vec<u8>, Vec<u8>) = (row.get(3)?, row.get(4)?);
            let is_whole = seal(position as u64, &entry, &sum(&body)) == sealed;
            let kept = is_whole.then(|| Kept::decode(position as u64, &body));
            let form = number(row.get_ref(0)?);
            Ok((kept.flatten(), entry, form, row.get::<_, Value>(5)?))
        };
        let Ok(found) = self.connection.query_row(sql, [], read).optional() else {
            return Ok(Found::Unusable(DAMAGED, None));
        };
        let Some((kept, entry, form, parted)) = found else {
            return Ok(unguarded.map_or(Found::Nothing, |why| Found::Unusable(why, None)));
        };
        let Some(mut kept) = kept else {
            let is_other = form.is_some_and(|form| form != FORM);
            let why = if is_other {
                OF_ANOTHER_VERSION
            } else {
                DAMAGED
            };
            return Ok(Found::Unusable(unguarded.unwrap_or(why), None));
        };
        // The seal proves what it covers, whatever else is damaged.
        let position = kept.position;
        if let Value::Integer(parted) = parted {
            // The entries from there on came after the state.
            kept.position = position.min(parted.saturating_sub(1).unsigned_abs());
        }
        // An entry that cannot be read is reported by whatever reads the log.
        let is_of_it = match entry_digest(&self.connection, position) {
            Ok(Some(there)) => there == entry,
            Ok(None) => {
                let forgotten = self.forgotten_through();
                forgotten.is_ok_and(|through| position <= through)
            }
            Err(_) => false,
        };
        let is_of_it = is_of_it && parted == Value::Null && position <= self.newest()?;
        let unused = match (form, parted, self.forgotten()) {
            (Some(FORM), Value::Null | Value::Integer(_), Ok(forgotten)) => {
                kept.state.forget(&forgotten);
                let foreign = (!is_of_it).then_some("is not of this log");
                foreign.or(unguarded)
            }
            _ => Some(DAMAGED),
        };
        let kept = Box::new(kept);
        Ok(match unused {
            Some(why) => Found::Unusable(why, Some(kept)),
            None => Found::Whole(kept),
        })
    }

    /// The number of readings that the state counts, and that were removed since it was stored.
    fn forgotten(&self) -> rusqlite::Result<BTreeMap<Identity, u64>> {
        let sql = "SELECT device, readings FROM forgotten";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            let readings: i64 = row.get(1)?;
            Ok((Identity(row.get(0)?), readings.unsigned_abs()))
        })?;
        rows.collect()
    }

    /// Whether a newer state should be stored by now. One that cannot be read, or that is of no place in the log, is
    /// replaced.
    pub fn is_state_due(&mut self) -> Result<bool, StoreError> {
        let newest = column(self.newest()?);
        let sql = "SELECT position, length(body) FROM state";
        let read = |row: &Row<'_>| Ok((number(row.get_ref(0)?), number(row.get_ref(1)?)));
        let (position, length) = match self.connection.query_row(sql, [], read).optional() {
            Ok(None) => (Some(0), Some(0)),
            Ok(Some(found)) => found,
            Err(_) => (None, None),
        };
        Ok(match (position, length) {
            (Some(position), Some(length)) if (0..=newest).contains(&position) => {
                newest - position >= APART + length / BYTES_FOR_EACH
            }
            _ => true,
        })
    }

    /// Stores this state in the place of the one before, unless an entry was removed or changed since that was read.
    pub fn store_state(&mut self, kept: &Kept) -> Result<bool, StoreError> {
        let stored = self.try_store_state(kept);
        stored.map_err(failed("storing the state"))
    }

    fn try_store_state(&mut self, kept: &Kept) -> rusqlite::Result<bool> {
        let body = encode(&kept.state, &kept.listed);
        let sum_of_body = sum(&body); // before others wait
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let changes = changes(&transaction);
        if changes.is_some() && changes != self.changes {
            return Ok(false);
        }
        let entry = entry_digest(&transaction, kept.position)?.unwrap_or_default();
        let sealed = seal(kept.position, &entry, &sum_of_body);
        let put = || {
            transaction.execute("DELETE FROM state", [])?;
            transaction.execute("DELETE FROM forgotten", [])?;
            transaction.execute(
                "INSERT INTO state (only, form, position, entry, seal, body)
                 VALUES (1, ?1, ?2, ?3, ?4, ?5)",
                params![FORM, column(kept.position), entry, sealed, body],
            )
        };
        match changes.map(|_| put()) {
            Some(Ok(_)) => transaction.commit().map(|()| true),
            Some(Err(error)) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => {
                Err(error)
            }
            // Without the triggers an entry may have changed after it was read.
            _ => {
                drop(transaction);
                self.renew_state().map(|()| false)
            }
        }
    }
}

/// How often entries were removed or changed. Nothing if that is not counted, because the triggers
/// or their tables are missing or damaged.
pub(super) fn changes(connection: &Connection) -> Option<i64> {
    let sql = "SELECT count FROM log_changes WHERE by_retention = 0 AND 3 = (SELECT count(*) FROM sqlite_schema
               WHERE tbl_name = 'log' AND name IN ('log_added', 'log_removed', 'log_changed'))
               AND NOT EXISTS (SELECT device, readings FROM forgotten LIMIT 0)";
    connection.query_row(sql, [], |row| row.get(0)).ok()
}

/// A digest of the entry at a position, or nothing if there is none.
fn entry_digest(connection: &Connection, position: u64) -> rusqlite::Result<Option<Vec<u8>>> {
    // As bytes, because a damaged column may be a text that is none.
    let sql = "SELECT CAST(quote(kind) || ',' || quote(identity) || ',' || quote(sequence) || ',' || quote(at) || ',' ||
               quote(body) AS BLOB) FROM log WHERE position = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: &Row<'_>| row.get::<_, Vec<u8>>(0);
    let text = statement.query_row([column(position)], read).optional()?;
    Ok(text.as_deref().map(sum))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::super::{Act, Entry};
    use super::*;

    fn device(number: u8, signing: PublicKey, agreement: Option<PublicKey>) -> Device {
        Device {
            identity: Identity([number; 16]),
            enrolled_as: Identity([number / 2 * 2; 16]), // of an odd one, a group
            signing,
            format: 19,
            kind: "".into(),
            agreement: agreement.map(Box::new),
            highest: 1 << 40,
            latest: None,
            ordinal: 0,
            readings: 0,
            heard_at: 1_800_000_000_000,
        }
    }

    /// A state of each sort of device and enrolment, by each kind of entry but registrations.
    fn whole() -> Kept {
        let mut state = State::default();
        for (mut device, kind) in [
            (device(2, PublicKey::Ed25519([7; 32]), None), "ether"),
            (
                device(
                    3,
                    PublicKey::P256([4; 65]),
                    Some(PublicKey::X25519([9; 32])),
                ),
                "\u{e4}ther",
            ),
            (
                device(4, PublicKey::P256([5; 65]), Some(PublicKey::P256([6; 65]))),
                "ether",
            ),
        ] {
            device.ordinal = state.devices.len();
            device.kind = kind.into();
            state.kinds.insert(device.kind.clone());
            let ordinal = device.ordinal as u32;
            state.ordinals.insert(device.identity, ordinal);
            state.devices.push(device);
        }
        let enrolled = |place: &str, purpose: &str| Act::Enrolled {
            place: place.to_string(),
            purpose: purpose.to_string(),
        };
        let read = |sequence| Act::Read {
            sequence,
            object: vec![0x84],
        };
        let handed_over = Act::HandedOver {
            sequence: u64::MAX,
            successor: Identity([5; 16]),
            object: Vec::new(),
        };
        let acts = [
            (2, enrolled("attic \u{1f426}", "")),
            (2, enrolled("", "climate")),
            (4, enrolled("cellar", "flood")),
            (9, Act::Revoked),
            (3, read(200)),
            (4, read(1)),
            (4, handed_over),
            (3, read(u64::MAX)),
        ];
        let mut position = 0;
        for (number, act) in acts {
            position += 1;
            let entry = Entry {
                identity: Identity([number; 16]),
                at: 1_800_000_000_000 + position,
                act,
            };
            state.apply(position, &entry).unwrap();
            state.commit();
        }
        Kept {
            position,
            state,
            listed: Listed::from([(Identity([2; 16]), 3), (Identity([4; 16]), 1 << 32)]),
        }
    }

    #[test]
    fn what_is_decoded_is_what_was_encoded() {
        let whole = whole();
        let body = encode(&whole.state, &whole.listed);
        let read = Kept::decode(whole.position, &body).unwrap();
        assert_eq!(read.state.devices, whole.state.devices);
        assert_eq!(read.state.ordinals, whole.state.ordinals);
        assert_eq!(read.state.kinds, whole.state.kinds);
        assert_eq!(read.state.enrolments, whole.state.enrolments);
        assert_eq!(read.listed, whole.listed);
        let strangers: Vec<_> = read.state.strangers().collect();
        assert_eq!(strangers, [&Identity([9; 16])]);
        for length in 0..body.len() {
            assert!(Kept::decode(1, &body[..length]).is_none(), "{length}");
        }
        assert!(Kept::decode(1, &[body, vec![0]].concat()).is_none());
    }

    #[test]
    fn a_number_takes_a_byte_for_each_seven_bits() {
        for (number, length) in [
            (0, 1),
            (0x7f, 1),
            (0x80, 2),
            (0x3fff, 2),
            (0x4000, 3),
            (u64::MAX >> 1, 9),
            (1 << 63, 10),
            (u64::MAX, 10),
        ] {
            let mut written = Writer::default();
            written.number(number);
            assert_eq!(written.0.len(), length, "{number}");
            let mut read = Reader(&written.0);
            assert_eq!((read.number(), read.0), (Some(number), &[][..]));
        }
    }

    #[test]
    fn the_form_has_another_number_if_a_log_makes_another_state() {
        let whole = whole();
        let digest = sum(&encode(&whole.state, &whole.listed));
        let digest = digest.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        // If the digest changes, FORM has to grow: a state of before is not that of its log any more.
        let known = (
            2,
            "7999e79676dee2e0f1068201e2a46e36376017698d0fe0adaaab2c9651acee24",
        );
        assert_eq!((FORM, digest.as_str()), known);
    }
}
