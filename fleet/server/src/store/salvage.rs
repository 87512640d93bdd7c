// SPDX-License-Identifier: Apache-2.0
//! Makes a damaged log one that can be read again. The body of an entry tells its kind, by a signature or by its form,
//! even if the other columns of its row are damaged. Every other entry that cannot be read is moved to a table beside
//! the log. No revocation must get lost: an entry that may have been one leaves one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::types::ValueRef;
use rusqlite::{params, Row as Columns};

use super::sqlite::{column, failed, read_entry, SqliteLog};
use super::strangers::{is_near, strangers_in};
use super::{Act, Entry, Found, Kept, Log, State, StoreError};
use crate::verify::{objects, sequence, Identity, Refusal, Sign1, SignedReading};

const PAGE: i64 = 4096;

/// The kinds that are tried for a damaged entry, in this order.
const KINDS: [u8; 5] = [2, 3, 5, 4, 1];

const DOING: &str = "salvaging";

/// The entries that could not be read, by their positions.
#[derive(Debug, Default)]
pub struct Salvaged {
    pub repaired: Vec<Repaired>,
    /// Identities that are revoked now, because the entry at that position may have revoked them.
    pub revoked: Vec<(u64, Identity)>,
    pub set_aside: Vec<SetAside>,
    /// Revocations of identities that no other entry names: they may be damaged.
    pub unknown: Vec<(u64, Identity)>,
}

/// An entry that is whole again.
#[derive(Debug)]
pub struct Repaired {
    pub position: u64,
    pub kind: &'static str,
    pub identity: Identity,
}

/// An entry that is not in the log any more, as far as it can be read.
#[derive(Debug)]
pub struct SetAside {
    pub position: u64,
    /// The word for its kind.
    pub kind: String,
    /// The rest of the identity, in digits.
    pub identity: String,
    pub why: String,
    /// Whether it may have revoked a device that is let in now, because nothing tells which.
    pub may_be_missed: bool,
}

/// A row of the log, in which anything may stand.
struct Row {
    position: u64,
    kind: Option<i64>,
    identity: Vec<u8>,
    sequence: Option<u64>,
    at: Option<u64>,
    /// Nothing if it is a number or nothing itself.
    body: Option<Vec<u8>>,
    /// The entry that it is if nothing is damaged.
    entry: Result<Entry, StoreError>,
}

impl SqliteLog {
    /// Repairs or sets aside what keeps the log from being read; all of it or nothing.
    pub fn salvage(&mut self) -> Result<Salvaged, StoreError> {
        // Also one that is not of this log, as if its last entry is the damaged one: it only adds
        // revocations.
        let stored = match self.stored_state() {
            Ok(Found::Whole(kept)) => Some(kept),
            Ok(Found::Unusable(_, kept)) => kept,
            _ => None,
        };
        // Its tables may be damaged, and SQLite commits nothing of a transaction that met a damaged
        // page.
        self.unguard()?;
        let begin = "
            BEGIN IMMEDIATE;
            REINDEX log;
            REINDEX tokens;
            REINDEX commands;
            CREATE TABLE IF NOT EXISTS salvaged (
                position INTEGER NOT NULL,
                kind, identity, sequence, at, body,
                why TEXT NOT NULL
            );";
        let begun = self.connection.execute_batch(begin).map_err(failed(DOING));
        let done = begun
            .and_then(|()| self.salvage_all(stored))
            .and_then(|found| {
                let committed = self.connection.execute_batch("COMMIT");
                committed.map_err(failed(DOING)).map(|()| found)
            });
        if done.is_err() {
            let _ = self.connection.execute_batch("ROLLBACK");
        } else {
            // Without the triggers the next program that writes does it.
            let _ = self.renew_state();
        }
        done
    }

    fn salvage_all(&mut self, mut stored: Option<Box<Kept>>) -> Result<Salvaged, StoreError> {
        let mut found = Salvaged::default();
        let mut lost = BTreeMap::new();
        let mut state = State::default();
        let mut missed = Vec::new();
        let (mut position, mut time) = (0, 0);
        loop {
            let page = self.rows(position)?;
            let Some(last) = page.last() else { break };
            position = last.position;
            for row in page {
                let at = row.position;
                if let Some(kept) = stored.take_if(|kept| kept.position < at) {
                    lost = revoked_before(&kept, &state);
                }
                let read = row.read(&state, time).and_then(|entry| {
                    state.apply(at, &entry)?;
                    Ok(entry)
                });
                let entry = match read {
                    Ok(entry) => {
                        if row.entry.as_ref().ok() != Some(&entry) {
                            self.write(at, &entry)?;
                            let (kind, identity) = (Act::word(entry.act.kind()), entry.identity);
                            found.repaired.push(Repaired {
                                position: at,
                                kind,
                                identity,
                            });
                        }
                        Some(entry)
                    }
                    Err(why) => {
                        let revocation = row.revocation(time).filter(|_| row.may_revoke());
                        self.set_aside(&row, &why, revocation.is_none())?;
                        if let Some(entry) = &revocation {
                            self.write(at, entry)?;
                            state.apply(at, entry)?;
                            found.revoked.push((at, entry.identity));
                        }
                        let mut aside = row.aside(&why);
                        aside.may_be_missed &= revocation.is_none();
                        if aside.may_be_missed {
                            missed.push((found.set_aside.len(), at, row.identity));
                        }
                        found.set_aside.push(aside);
                        revocation
                    }
                };
                state.commit();
                match entry.as_ref().map(|entry| (entry.identity, &entry.act)) {
                    Some((identity, Act::Enrolled { .. })) => drop(lost.remove(&identity)),
                    Some((_, Act::HandedOver { successor, .. })) => drop(lost.remove(successor)),
                    _ => {}
                }
                time = entry.map_or(time, |entry| entry.at);
            }
        }
        // Which identities there are is known only now.
        for (nth, at, damaged) in missed {
            let known = state.named().into_iter();
            for identity in known.filter(|one| is_near(one, &damaged)) {
                found.set_aside[nth].may_be_missed = false;
                if !state.is_revoked(&identity) {
                    self.revoke(&identity)?;
                    found.revoked.push((at, identity));
                }
            }
        }
        for one in strangers_in(self, &state)? {
            if one.near.is_empty() && !one.is_explained {
                found.unknown.push((one.position, one.identity));
            }
            for identity in one.near {
                self.revoke(&identity)?;
                found.revoked.push((one.position, identity));
            }
        }
        if let Some(kept) = stored {
            lost = revoked_before(&kept, &state);
        }
        for (identity, position) in lost {
            let is_done = found.revoked.iter().any(|(_, one)| *one == identity);
            if !is_done && !state.is_revoked(&identity) {
                self.revoke(&identity)?;
                found.revoked.push((position, identity));
            }
        }
        self.link_anew()?;
        Ok(found)
    }

    /// The next rows behind `position`.
    fn rows(&mut self, position: u64) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT position, kind, identity, sequence, at, body FROM log
             WHERE position > ?1 ORDER BY position LIMIT ?2";
        let statement = self.connection.prepare_cached(sql);
        let mut statement = statement.map_err(failed(DOING))?;
        let rows = statement
            .query_map([column(position), PAGE], Row::new)
            .map_err(failed(DOING))?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed(DOING))
    }

    fn revoke(&mut self, identity: &Identity) -> Result<(), StoreError> {
        let sql = "INSERT INTO log (position, kind, identity, sequence, at, body)
            SELECT coalesce(max(position), 0) + 1, 2, ?1, 0, coalesce(max(at), 0), x'' FROM log";
        let added = self.connection.execute(sql, params![identity.0]);
        added.map(drop).map_err(failed(DOING))
    }

    /// Puts this entry where another is.
    fn write(&mut self, position: u64, entry: &Entry) -> Result<(), StoreError> {
        let sql = "UPDATE log SET kind = ?2, identity = ?3, sequence = ?4, at = ?5, body = ?6,
            before = CASE WHEN ?2 = 4 THEN iif(typeof(before) = 'integer', before, 0) END
            WHERE position = ?1";
        let written = self.connection.execute(
            sql,
            params![
                column(position),
                entry.act.kind(),
                entry.identity.0,
                entry.act.sequence().unwrap_or(0) as i64,
                entry.at as i64,
                entry.act.body(),
            ],
        );
        written.map(drop).map_err(failed(DOING))
    }

    fn set_aside(&mut self, row: &Row, why: &StoreError, is_gone: bool) -> Result<(), StoreError> {
        let position = column(row.position);
        let copy = "INSERT INTO salvaged SELECT position, kind, identity, sequence, at, body, ?2
            FROM log WHERE position = ?1";
        let copied = self
            .connection
            .execute(copy, params![position, why.to_string()]);
        copied.map_err(failed(DOING))?;
        if is_gone {
            let sql = "DELETE FROM log WHERE position = ?1";
            let removed = self.connection.execute(sql, [position]);
            removed.map_err(failed(DOING))?;
        }
        Ok(())
    }

    /// Lets each reading name the one of its device before it, as far as that is there.
    fn link_anew(&mut self) -> Result<(), StoreError> {
        let forgotten = self.forgotten_through()?;
        let sql = "SELECT position, identity, before FROM log WHERE kind = 4 ORDER BY position";
        let mut wrong = Vec::new();
        {
            let mut statement = self.connection.prepare(sql).map_err(failed(DOING))?;
            let mut rows = statement.query([]).map_err(failed(DOING))?;
            let mut newest = HashMap::new();
            while let Some(row) = rows.next().map_err(failed(DOING))? {
                let columns = || {
                    let before = number(row.get_ref(2)?);
                    Ok((row.get(0)?, row.get::<_, [u8; 16]>(1)?, before))
                };
                let (position, device, before): (i64, _, Option<i64>) =
                    columns().map_err(failed("damaged"))?;
                let known: i64 = newest.insert(device, position).unwrap_or(0);
                let is_right = before.is_some_and(|before| match known {
                    0 => before.unsigned_abs() <= forgotten,
                    known => before.unsigned_abs() == known as u64,
                });
                if !is_right {
                    let is_marked = before.is_some_and(|before| before < 0);
                    wrong.push((position, if is_marked { -known } else { known }));
                }
            }
        }
        let sql = "UPDATE log SET before = ?2 WHERE position = ?1";
        for (position, before) in wrong {
            let linked = self.connection.execute(sql, [position, before]);
            linked.map_err(failed(DOING))?;
        }
        Ok(())
    }
}

/// The identities that the stored state has revoked and the log has not, without those enrolled after that state.
pub fn revoked_only_by(
    kept: &Kept,
    log: &mut impl Log,
    state: &State,
) -> Result<BTreeSet<Identity>, StoreError> {
    let mut lost = revoked_before(kept, state);
    let mut position = kept.position;
    while !lost.is_empty() {
        let page = log.read(position, PAGE as usize)?;
        let Some((last, _)) = page.last() else { break };
        position = *last;
        for (_, entry) in page {
            let entry = entry?;
            match &entry.act {
                Act::Enrolled { .. } => drop(lost.remove(&entry.identity)),
                Act::HandedOver { successor, .. } => drop(lost.remove(successor)),
                _ => {}
            }
        }
    }
    Ok(lost.into_keys().collect())
}

/// The identities that the stored state has revoked, and the entries up to its position have not.
fn revoked_before(kept: &Kept, state: &State) -> BTreeMap<Identity, u64> {
    let revoked = kept.state.enrolments().filter(|(_, one)| one.is_revoked);
    let lost = revoked.filter(|(identity, _)| !state.is_revoked(identity));
    lost.map(|(identity, _)| (*identity, kept.position))
        .collect()
}

/// A number, if it is one.
pub(super) fn number(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        _ => None,
    }
}

/// Bytes, whether they are called a text or not.
fn bytes(value: ValueRef<'_>) -> Option<Vec<u8>> {
    value.as_bytes().map(<[u8]>::to_vec).ok()
}

impl Row {
    fn new(columns: &Columns<'_>) -> rusqlite::Result<Self> {
        Ok(Row {
            position: columns.get::<_, i64>(0)? as u64,
            kind: number(columns.get_ref(1)?),
            identity: bytes(columns.get_ref(2)?).unwrap_or_default(),
            sequence: number(columns.get_ref(3)?).map(|number| number as u64),
            at: number(columns.get_ref(4)?).map(|number| number as u64),
            body: bytes(columns.get_ref(5)?),
            entry: read_entry(columns),
        })
    }

    /// The entry that it is. `time` is that of the entry before, for one that has lost its own.
    fn read(&self, state: &State, time: u64) -> Result<Entry, StoreError> {
        let own = self.kind.and_then(|kind| u8::try_from(kind).ok());
        let kinds = own.into_iter().chain(KINDS);
        let mut proven = kinds.filter_map(|kind| self.proven(kind, state).ok());
        if let Some((identity, act)) = proven.next() {
            let at = self.at.unwrap_or(time);
            return Ok(Entry { identity, at, act });
        }
        let why = match &self.entry {
            // What it did is known, though its signature is damaged.
            Ok(entry) if matches!(entry.act, Act::HandedOver { .. }) => {
                if state.device(&entry.identity).is_some() {
                    return Ok(entry.clone());
                }
                format!("of {}, which never registered", entry.identity)
            }
            Ok(entry) => format!("nothing that {} signed", entry.identity),
            Err(why) => why.to_string(),
        };
        Err(StoreError(why))
    }

    fn named(&self) -> Result<Identity, Refusal> {
        let bytes = self.identity.as_slice().try_into();
        bytes.map(Identity).map_err(|_| Refusal::Malformed)
    }

    /// The entry of this kind, if signature or form prove that it is one.
    fn proven(&self, kind: u8, state: &State) -> Result<(Identity, Act), Refusal> {
        let is_own = self.kind == Some(kind.into());
        let sequence = match kind {
            2 => 0,
            _ => self.sequence.unwrap_or(0),
        };
        let body = match &self.body {
            Some(body) => body.as_slice(),
            None if is_own && kind == 2 => &[],
            None => return Err(Refusal::Malformed),
        };
        let act = Act::from_parts(kind, sequence, body).map_err(|_| Refusal::Malformed)?;
        Ok(match act {
            Act::Enrolled { .. } | Act::Revoked => (self.named()?, act),
            Act::Registered {
                challenge,
                object,
                address,
                ..
            } => {
                let signed = Sign1::parse(&object)?;
                let (identity, _, sequence) = objects::verify_registration(&signed, &challenge)?;
                let act = Act::Registered {
                    sequence,
                    challenge,
                    object,
                    address,
                };
                (identity, act)
            }
            Act::Read { object, .. } => {
                let signed = SignedReading::parse(&object)?;
                signed.records()?;
                let known = self.named().ok().filter(|one| state.device(one).is_some());
                let (identity, sequence) = match (known, self.sequence) {
                    // Signatures of readings, of which there are most, are verified by `verify`.
                    (Some(identity), Some(sequence)) if is_own => (identity, sequence),
                    _ => self.signer(state, &signed).ok_or(Refusal::BadSignature)?,
                };
                (identity, Act::Read { sequence, object })
            }
            Act::HandedOver { object, .. } => {
                let signed = Sign1::parse(&object)?;
                let identity = signed.signer.ok_or(Refusal::Malformed)?;
                let device = state.device(&identity).ok_or(Refusal::NotEnrolled)?;
                let (statement, sequence) =
                    objects::verify_handover(&signed, &identity, &device.signing)?;
                let act = Act::HandedOver {
                    sequence,
                    successor: statement.identity(),
                    object,
                };
                (identity, act)
            }
        })
    }

    /// The device that signed this reading, among those with nearly this identity, and by which number.
    fn signer(&self, state: &State, object: &SignedReading<'_>) -> Option<(Identity, u64)> {
        let devices = state.devices();
        let near = devices.filter(|(identity, _)| is_near(identity, &self.identity));
        let mut signers = near.filter_map(|(identity, device)| {
            let next = || sequence::candidate(object.number(), device.highest).ok();
            let sequence = self.sequence.or_else(next)?;
            let is_signed = object.check_signer(identity).is_ok()
                && object.is_signed(identity, &device.signing, sequence);
            is_signed.then_some((*identity, sequence))
        });
        signers.next()
    }

    /// Whether it may have been a revocation or a hand-over. Of the other kinds more than a bit of it is damaged then.
    fn may_revoke(&self) -> bool {
        !matches!(self.kind, Some(1 | 3 | 4))
    }

    /// The revocation that it leaves.
    fn revocation(&self, time: u64) -> Option<Entry> {
        Some(Entry {
            identity: self.named().ok()?,
            at: self.at.unwrap_or(time),
            act: Act::Revoked,
        })
    }

    fn aside(&self, why: &StoreError) -> SetAside {
        let kind = match self.kind.map(|kind| (kind, u8::try_from(kind))) {
            Some((_, Ok(kind @ 1..=5))) => Act::word(kind).to_string(),
            Some((other, _)) => format!("kind {other}"),
            None => "no kind".to_string(),
        };
        SetAside {
            position: self.position,
            kind,
            identity: self
                .identity
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
            why: why.to_string(),
            may_be_missed: self.may_revoke(),
        }
    }
}
