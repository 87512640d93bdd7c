// SPDX-License-Identifier: Apache-2.0
//! Makes a damaged log one that can be read again. A damaged identity is restored if a signature proves which it was. A
//! revocation of an identity that nothing else names stays, and what is nearly the same is revoked, too: either of the two
//! may be damaged. Every other entry that cannot be read is moved to a table beside the log.

use std::collections::{BTreeSet, HashMap};

use rusqlite::params;

use super::sqlite::{column, failed, SqliteLog};
use super::{Act, Entry, Log, State, StoreError};
use crate::verify::{objects, Identity, Sign1, SignedReading};

const PAGE: usize = 4096;

/// How many bits of an identity may be wrong.
const WRONG_BITS_MAX: u32 = 8;

const DOING: &str = "salvaging";

/// What became of the entries that could not be read, by their positions.
#[derive(Debug, Default)]
pub struct Salvaged {
    /// With the identities that they have again.
    pub repaired: Vec<(u64, Identity)>,
    /// What is revoked now because the revocation at that position nearly names it.
    pub revoked: Vec<(u64, Identity)>,
    pub set_aside: Vec<SetAside>,
}

/// An entry that is not in the log any more, as far as it can be read.
#[derive(Debug)]
pub struct SetAside {
    pub position: u64,
    /// The word for its kind: a revocation that is missing lets a device in again.
    pub kind: String,
    /// The identity in digits, which may be damaged.
    pub identity: String,
    pub why: String,
}

impl SqliteLog {
    /// Repairs or sets aside what keeps the log from being read; all of it or nothing.
    pub fn salvage(&mut self) -> Result<Salvaged, StoreError> {
        let begin = "
            BEGIN IMMEDIATE;
            REINDEX;
            CREATE TABLE IF NOT EXISTS salvaged (
                position INTEGER NOT NULL,
                kind, identity, sequence, at, body,
                why TEXT NOT NULL
            );";
        let begun = self.connection.execute_batch(begin).map_err(failed(DOING));
        let done = begun.and_then(|()| self.salvage_all()).and_then(|found| {
            let committed = self.connection.execute_batch("COMMIT");
            committed.map_err(failed(DOING)).map(|()| found)
        });
        if done.is_err() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }

    fn salvage_all(&mut self) -> Result<Salvaged, StoreError> {
        let mut found = Salvaged::default();
        let mut state = State::default();
        let mut unknown = Vec::new();
        let mut position = 0;
        loop {
            let page = self.read(position, PAGE)?;
            let is_last = page.len() < PAGE;
            for (at, entry) in page {
                position = at;
                let entry = entry.and_then(|entry| {
                    let before = entry.identity;
                    if matches!(entry.act, Act::Revoked) && !is_known(&state, &before) {
                        unknown.push((at, before));
                    }
                    let entry = restored(&state, entry)?;
                    state.apply(at, &entry)?;
                    state.commit();
                    Ok((before, entry.identity))
                });
                match entry {
                    Ok((before, now)) if before == now => {}
                    Ok((_, identity)) => {
                        self.rename(at, &identity)?;
                        found.repaired.push((at, identity));
                    }
                    Err(why) => {
                        found.set_aside.push(self.set_aside(at, &why)?);
                    }
                }
            }
            if is_last {
                for (at, damaged) in unknown {
                    for identity in near(&state, &damaged) {
                        self.revoke(&identity)?;
                        found.revoked.push((at, identity));
                    }
                }
                self.link_anew()?;
                return Ok(found);
            }
        }
    }

    fn revoke(&mut self, identity: &Identity) -> Result<(), StoreError> {
        let sql = "INSERT INTO log (position, kind, identity, sequence, at, body)
            SELECT max(position) + 1, 2, ?1, 0, max(at), x'' FROM log";
        let added = self.connection.execute(sql, params![identity.0]);
        added.map(drop).map_err(failed(DOING))
    }

    fn rename(&mut self, position: u64, identity: &Identity) -> Result<(), StoreError> {
        let sql = "UPDATE log SET identity = ?2 WHERE position = ?1";
        let renamed = self
            .connection
            .execute(sql, params![column(position), identity.0]);
        renamed.map(drop).map_err(failed(DOING))
    }

    fn set_aside(&mut self, position: u64, why: &StoreError) -> Result<SetAside, StoreError> {
        let sql = "SELECT CAST(kind AS INTEGER), hex(identity) FROM log WHERE position = ?1";
        let named = self.connection.query_row(sql, [column(position)], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        });
        let (kind, identity) = named.map_err(failed(DOING))?;
        let copy = "INSERT INTO salvaged SELECT position, kind, identity, sequence, at, body, ?2
            FROM log WHERE position = ?1";
        let copied = self
            .connection
            .execute(copy, params![column(position), why.to_string()]);
        copied.map_err(failed(DOING))?;
        let sql = "DELETE FROM log WHERE position = ?1";
        let removed = self.connection.execute(sql, [column(position)]);
        removed.map_err(failed(DOING))?;
        Ok(SetAside {
            position,
            kind: match kind {
                1 => "enrolment".to_string(),
                2 => "revocation".to_string(),
                3 => "registration".to_string(),
                4 => "reading".to_string(),
                5 => "hand-over".to_string(),
                other => format!("kind {other}"),
            },
            identity: identity.to_lowercase(),
            why: why.to_string(),
        })
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
                let columns = || Ok((row.get(0)?, row.get::<_, [u8; 16]>(1)?, row.get(2)?));
                let (position, device, before): (i64, _, i64) =
                    columns().map_err(failed("damaged"))?;
                let known: i64 = newest.insert(device, position).unwrap_or(0);
                let is_right = match known {
                    0 => before.unsigned_abs() <= forgotten,
                    known => before.unsigned_abs() == known as u64,
                };
                if !is_right {
                    let sign = if before < 0 { -1 } else { 1 };
                    wrong.push((position, sign * known));
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

/// The entry with the identity that its signature proves, if its own is none that it can be of.
fn restored(state: &State, entry: Entry) -> Result<Entry, StoreError> {
    if let Act::Read { object, .. } = &entry.act {
        let records = SignedReading::parse(object).and_then(|object| object.records());
        records.map_err(|error| StoreError(format!("a reading that is {error}")))?;
    }
    let is_known = state.device(&entry.identity).is_some();
    let identity = match &entry.act {
        Act::Enrolled { .. } => Some(entry.identity),
        Act::Revoked => Some(entry.identity),
        Act::Registered {
            challenge, object, ..
        } => {
            let object = Sign1::parse(object).ok();
            let verified =
                object.and_then(|object| objects::verify_registration(&object, challenge).ok());
            verified.map(|(identity, ..)| identity)
        }
        _ if is_known => Some(entry.identity),
        Act::Read { sequence, object } => signer_of(state, &entry.identity, *sequence, object),
        Act::HandedOver { object, .. } => {
            let signer = Sign1::parse(object).ok().and_then(|object| object.signer);
            signer.filter(|signer| state.device(signer).is_some())
        }
    };
    let why = || StoreError(format!("of {}, which never registered", entry.identity));
    let identity = identity.ok_or_else(why)?;
    Ok(Entry { identity, ..entry })
}

/// Whether an identity may be another one that was damaged. Identities are hashes, so none is near another by chance.
fn is_near(one: &Identity, damaged: &Identity) -> bool {
    let pairs = one.0.iter().zip(damaged.0);
    pairs.map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() <= WRONG_BITS_MAX
}

/// Whether it is enrolled, or a device that registered.
fn is_known(state: &State, identity: &Identity) -> bool {
    state.enrolment(identity).is_some() || state.device(identity).is_some()
}

/// What a revocation of a damaged identity may have been of, unless that is revoked.
fn near(state: &State, damaged: &Identity) -> BTreeSet<Identity> {
    let enrolled = state.enrolments().map(|(identity, _)| *identity);
    let registered = state.devices().map(|(identity, _)| *identity);
    let known = enrolled.chain(registered);
    known
        .filter(|one| is_near(one, damaged) && !state.is_revoked(one))
        .collect()
}

/// The device that signed a reading, among those with nearly this identity.
fn signer_of(state: &State, damaged: &Identity, sequence: u64, object: &[u8]) -> Option<Identity> {
    let object = SignedReading::parse(object).ok()?;
    let near = state
        .devices()
        .filter(|(identity, _)| is_near(identity, damaged));
    let mut signers = near.filter(|(identity, device)| {
        object.check_signer(identity).is_ok()
            && object.is_signed(identity, &device.signing, sequence)
    });
    signers.next().map(|(identity, _)| *identity)
}
