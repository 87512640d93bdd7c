// SPDX-License-Identifier: Apache-2.0
//! The verifier: accepts or rejects objects, by the state that results from the log. It
//! knows no network.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use crate::store::sqlite::SqliteLog;
use crate::store::{
    encode, revoked_only_by, Act, AppendError, Entry, Found, Kept, Linked, Log, Newest, State,
    StoreError, OF_ANOTHER_VERSION,
};
use crate::verify::{
    objects, sequence, Challenge, Identity, Refusal, Sign1, SignedReading, Statement,
};

/// The remedy for an entry that cannot be read.
const REMEDY: &str = "corral-fleet doctor --salvage repairs it or sets it aside";

/// How many entries are read from the log at a time.
const PAGE: usize = 4096;

/// Why a state is built that was never stored.
const NOT_STORED: &str = "was not stored yet";

/// Reading a shorter log is too fast to be noticed.
const WORTH_TELLING: u64 = 100_000;

/// The state, and the accepted objects that are not in the log yet.
pub struct Fleet<L: Log> {
    log: L,
    kept: Kept,
    accepted: Vec<Linked>,
    /// Why the state was built from the whole log.
    built: Option<&'static str>,
    /// Identities that only the stored state has revoked: the log has lost that.
    lost: BTreeSet<Identity>,
}

/// The statement of a device in its last registration at the directory, from the log.
pub struct Listed {
    /// Milliseconds of Unix time.
    pub at: u64,
    pub address: SocketAddr,
    /// The arguments of the query.
    pub query: Vec<String>,
    pub object: Vec<u8>,
}

impl Listed {
    /// Whether an entry has that content.
    fn is_in(entry: &Entry) -> bool {
        matches!(&entry.act, Act::Registered { challenge, address, .. } if address.is_some() && challenge.query.is_some())
    }

    /// The content of an entry, unless it has another kind, or is from a time when logs
    /// had no addresses.
    fn of(entry: &Entry) -> Option<Self> {
        let Act::Registered {
            challenge,
            object,
            address,
            ..
        } = &entry.act
        else {
            return None;
        };
        Some(Listed {
            at: entry.at,
            address: (*address)?,
            query: challenge.query.clone()?,
            object: object.clone(),
        })
    }
}

/// A device or a group that is to be enrolled. A text that is absent stays what it was.
#[derive(Clone, Debug)]
pub struct Enrolling {
    pub identity: Identity,
    pub place: Option<String>,
    pub purpose: Option<String>,
}

/// A registration that was accepted.
pub struct Registered {
    pub identity: Identity,
    pub statement: Statement,
    pub ordinal: usize,
    pub is_new: bool,
}

/// Why a reading is not taken.
#[derive(Debug)]
pub enum NotRead {
    Refused(Refusal),
    /// It may repeat the newest reading. The log cannot be read now to compare it.
    Unavailable(StoreError),
}

impl From<Refusal> for NotRead {
    fn from(refusal: Refusal) -> Self {
        NotRead::Refused(refusal)
    }
}

impl From<StoreError> for NotRead {
    fn from(error: StoreError) -> Self {
        NotRead::Unavailable(error)
    }
}

/// The result for a reading that was not rejected.
#[derive(Debug, PartialEq, Eq)]
pub enum Accepted {
    First,
    Another,
    /// It is the last one once more.
    Repeated,
}

fn unread(position: u64, why: &StoreError) -> StoreError {
    StoreError(format!("entry {position} of the store is {why}: {REMEDY}"))
}

/// Adds the entries that came after.
fn read_on(log: &mut impl Log, kept: &mut Kept) -> Result<(), StoreError> {
    loop {
        let page = log.read(kept.position, PAGE)?;
        let is_last = page.len() < PAGE;
        for (position, entry) in page {
            let entry = entry.map_err(|error| unread(position, &error))?;
            let applied = kept.state.apply(position, &entry);
            applied.map_err(|error| {
                StoreError(format!("entry {position} of the store: {error}: {REMEDY}"))
            })?;
            kept.state.commit();
            if Listed::is_in(&entry) {
                kept.listed.insert(entry.identity, position);
            }
            kept.position = position;
        }
        if is_last {
            return Ok(());
        }
    }
}

impl Fleet<SqliteLog> {
    /// The same as `open`. Stores the state if a newer one is due, so that the next start is fast; a full disk keeps
    /// nothing else from working.
    pub fn open_to_write(log: SqliteLog) -> Result<Self, StoreError> {
        let mut fleet = Self::open(log)?;
        if !fleet.lost.is_empty() {
            // If the store is busy or full, the next program that writes does it.
            let _ = fleet.log.unguard();
        } else if fleet.built.is_some_and(|why| why != NOT_STORED)
            || fleet.log.is_state_due().unwrap_or(true)
        {
            let _ = fleet.store_state();
        }
        Ok(fleet)
    }

    /// Stores the state as it was read, unless an entry was removed or changed since. Nothing was accepted yet. Fails
    /// if the stored state has a revocation that the log has lost.
    pub fn store_state(&mut self) -> Result<bool, StoreError> {
        match self.doubt() {
            Some(doubt) => Err(StoreError(doubt)),
            None => self.log.store_state(&self.kept),
        }
    }
}

impl<L: Log> Fleet<L> {
    /// Reads the stored state, and the log from there on. Revocations that only the stored state has
    /// stay in force.
    pub fn open(mut log: L) -> Result<Self, StoreError> {
        match log.kept()? {
            Found::Whole(kept) => Self::continued(log, *kept, None),
            Found::Unusable(why, other) => {
                let mut fleet = Self::continued(log, Kept::default(), Some(why))?;
                if let Some(other) = other {
                    let (log, state) = fleet.parts();
                    fleet.lost = revoked_only_by(&other, log, state)?;
                    fleet.kept.state.revoke_beside_log(fleet.lost.iter());
                }
                Ok(fleet)
            }
            Found::Nothing => Self::continued(log, Kept::default(), Some(NOT_STORED)),
        }
    }

    /// Reads the whole log.
    pub fn replay(log: L) -> Result<Self, StoreError> {
        Self::continued(log, Kept::default(), None)
    }

    fn continued(
        mut log: L,
        mut kept: Kept,
        built: Option<&'static str>,
    ) -> Result<Self, StoreError> {
        read_on(&mut log, &mut kept)?;
        Ok(Fleet {
            log,
            kept,
            accepted: Vec::new(),
            built,
            lost: BTreeSet::new(),
        })
    }

    /// Why the state was built from the whole log, if it was; unless it was so to be expected, and the log is short.
    pub fn built(&self) -> Option<&'static str> {
        let is_expected = |why| [NOT_STORED, OF_ANOTHER_VERSION].contains(&why);
        self.built
            .filter(|why| !is_expected(why) || self.kept.position >= WORTH_TELLING)
    }

    /// The message for the operator if the stored state has revocations that the log has lost. No
    /// state is stored then.
    pub fn doubt(&self) -> Option<String> {
        let lost: Vec<String> = self.lost.iter().map(Identity::to_string).collect();
        (!lost.is_empty()).then(|| {
            format!(
                "the log has lost revocations that the stored state has, and that stay in force: {}: corral-fleet \
                 doctor --salvage writes them into the log",
                lost.join(", ")
            )
        })
    }

    /// The fault of the stored state, if it differs from the state of the whole log, with which this
    /// fleet was opened. `doubt` then names the revocations that the log has lost. The caller holds
    /// the log. No object may be accepted and not committed.
    pub fn fault_of_stored(&mut self) -> Result<Option<&'static str>, StoreError> {
        let (why, kept) = match self.log.kept()? {
            Found::Nothing | Found::Unusable(OF_ANOTHER_VERSION, _) => return Ok(None),
            Found::Unusable(why, kept) => (Some(why), kept),
            Found::Whole(kept) => (None, Some(kept)),
        };
        let Some(mut kept) = kept else {
            return Ok(why);
        };
        self.lost = revoked_only_by(&kept, &mut self.log, &self.kept.state)?;
        if why.is_some() {
            return Ok(why);
        }
        read_on(&mut self.log, &mut kept)?;
        let whole = encode(&self.kept.state, &self.kept.listed);
        let is_same = encode(&kept.state, &kept.listed) == whole;
        Ok(Some("differs from the log").filter(|_| !is_same))
    }

    /// The devices in the directory by the log, in its state when it was opened. It is
    /// reported once.
    pub fn take_listed(&mut self) -> Result<BTreeMap<Identity, Listed>, StoreError> {
        let mut found = BTreeMap::new();
        let listed = std::mem::take(&mut self.kept.listed).into_iter();
        let mut listed: Vec<_> = listed.map(|(identity, at)| (at, identity)).collect();
        listed.sort_unstable(); // as they lie in the file
        for (position, identity) in listed {
            let missing = || StoreError(format!("entry {position} of the store is missing"));
            let (at, entry) = self.log.read(position - 1, 1)?.pop().ok_or_else(missing)?;
            let entry = entry.map_err(|error| unread(position, &error))?;
            if let Some(listed) = Listed::of(&entry).filter(|_| at == position) {
                found.insert(identity, listed);
            }
        }
        Ok(found)
    }

    /// The state, with accepted and not committed objects.
    pub fn state(&self) -> &State {
        &self.kept.state
    }

    /// The log, for data outside of the state.
    pub fn log(&mut self) -> &mut L {
        &mut self.log
    }

    /// The log and the state, both at once.
    pub fn parts(&mut self) -> (&mut L, &State) {
        (&mut self.log, &self.kept.state)
    }

    /// The objects accepted since the last commit.
    pub fn accepted(&self) -> &[Linked] {
        &self.accepted
    }

    /// Adds what others appended to the log. Nothing may be accepted and not committed.
    pub fn catch_up(&mut self) -> Result<(), StoreError> {
        read_on(&mut self.log, &mut self.kept)
    }

    /// Makes what was accepted permanent. On an error nothing of it is, and it is taken back.
    pub fn commit(&mut self) -> Result<(), AppendError> {
        if self.accepted.is_empty() {
            return Ok(());
        }
        let landed = self.log.append(self.kept.position, &self.accepted);
        self.accepted.clear();
        match landed {
            Ok(position) => {
                self.kept.position = position;
                self.kept.state.commit();
                Ok(())
            }
            Err(error) => {
                self.kept.state.rollback();
                Err(error)
            }
        }
    }

    /// The newest reading of each device. Nothing may be accepted and not committed.
    pub fn newest(&self) -> Newest {
        let devices = self.kept.state.devices();
        Newest::new(
            self.kept.position,
            devices.filter_map(|(_, device)| device.latest),
        )
    }

    /// Lowers the counts of readings by those that were removed from the log.
    pub fn forget(&mut self, removed: &BTreeMap<Identity, u64>) {
        self.kept.state.forget(removed);
    }

    /// Makes a change and commits it. Makes it again with the newer entries if another process was
    /// faster.
    pub fn change(
        &mut self,
        attempts: usize,
        mut make: impl FnMut(&mut Self),
    ) -> Result<(), AppendError> {
        for _ in 0..attempts {
            self.catch_up().map_err(AppendError::Failed)?;
            make(self);
            match self.commit() {
                Err(AppendError::Moved) => {}
                landed => return landed,
            }
        }
        Err(AppendError::Moved)
    }

    fn accept(&mut self, identity: Identity, at: u64, act: Act) -> Result<(), Refusal> {
        let is_reading = matches!(act, Act::Read { .. });
        let before = is_reading.then(|| self.kept.state.chain(&identity).newest);
        let entry = Entry { identity, at, act };
        let position = self.kept.position + self.accepted.len() as u64 + 1;
        let applied = self.kept.state.apply(position, &entry);
        applied.map_err(|_| Refusal::Malformed)?;
        self.accepted.push(Linked { entry, before });
        Ok(())
    }

    /// The newest reading of a device as it was received, with its number; nothing if there is none. It is read from
    /// the log, unless it is on its way there.
    pub fn latest(&mut self, identity: &Identity) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        let device = self.kept.state.device(identity);
        let Some(position) = device.and_then(|device| device.latest) else {
            return Ok(None);
        };
        let before = position.get() - 1;
        let entry = match before.checked_sub(self.kept.position) {
            Some(place) => self
                .accepted
                .get(place as usize)
                .map(|one| one.entry.clone()),
            None => match self.log.read(before, 1)?.pop() {
                Some((_, entry)) => Some(entry?),
                None => None,
            },
        };
        match entry {
            Some(Entry {
                identity: of,
                act: Act::Read { sequence, object },
                ..
            }) if of == *identity => Ok(Some((sequence, object))),
            // Another process removed it, because there is a newer one that was not read yet.
            _ => Err(StoreError(format!(
                "the newest reading of {identity} is not at {position}"
            ))),
        }
    }

    /// Enrols a device or a group.
    pub fn enrol(&mut self, identity: Identity, place: &str, purpose: &str, at: u64) {
        let (place, purpose) = (place.to_string(), purpose.to_string());
        // Enrolling reads no object, so there is nothing that could be malformed.
        let _ = self.accept(identity, at, Act::Enrolled { place, purpose });
    }

    /// Enrols all of these; gives those that were revoked, which are enrolled only if `again`.
    pub fn enrol_all(&mut self, rows: &[Enrolling], again: bool, at: u64) -> Vec<Identity> {
        let mut revoked = Vec::new();
        for row in rows {
            if self.kept.state.is_revoked(&row.identity) && !again {
                revoked.push(row.identity);
            } else {
                let before = self.kept.state.enrolment(&row.identity).cloned();
                let before = before.unwrap_or_default();
                let place = row.place.as_deref().unwrap_or(before.place());
                let purpose = row.purpose.as_deref().unwrap_or(before.purpose());
                self.enrol(row.identity, place, purpose, at);
            }
        }
        revoked
    }

    /// Whether the identity is enrolled, was, or registered.
    pub fn knows(&self, identity: &Identity) -> bool {
        self.kept.state.enrolment(identity).is_some() || self.kept.state.device(identity).is_some()
    }

    /// Revokes a device or a group.
    pub fn revoke(&mut self, identity: Identity, at: u64) {
        let _ = self.accept(identity, at, Act::Revoked);
    }

    fn check_admitted(&self, identity: &Identity, by: Option<Identity>) -> Result<(), Refusal> {
        let enrolled_as = by.ok_or(Refusal::NotEnrolled)?;
        if self.kept.state.is_revoked(identity) || self.kept.state.is_revoked(&enrolled_as) {
            return Err(Refusal::Revoked);
        }
        Ok(())
    }

    /// A registration at the directory, from this address, of the device with this
    /// identity, in digits.
    pub fn register_as(
        &mut self,
        name: &str,
        object: &[u8],
        (challenge, address): (Challenge, SocketAddr),
        at: u64,
    ) -> Result<Registered, Refusal> {
        let stated = Statement::parse(Sign1::parse(object)?.payload())?;
        if stated.identity().to_string() != name {
            return Err(Refusal::ForeignKey);
        }
        self.register_from(object, challenge, Some(address), at)
    }

    /// A registration that answers the challenge.
    pub fn register(
        &mut self,
        object: &[u8],
        challenge: Challenge,
        at: u64,
    ) -> Result<Registered, Refusal> {
        self.register_from(object, challenge, None, at)
    }

    fn register_from(
        &mut self,
        object: &[u8],
        challenge: Challenge,
        address: Option<SocketAddr>,
        at: u64,
    ) -> Result<Registered, Refusal> {
        let object = Sign1::parse(object)?;
        let stated = Statement::parse(object.payload())?;
        let identity = stated.identity();
        self.check_admitted(&identity, self.kept.state.admits(&identity, &stated))?;
        let known = self
            .kept
            .state
            .device(&identity)
            .map(|device| device.highest);
        let number = objects::full_number(&object)?;
        if known.is_some_and(|highest| number <= highest) {
            return Err(Refusal::Replayed);
        }
        let (identity, statement, sequence) = objects::verify_registration(&object, &challenge)?;
        let object = object.bare.to_vec();
        self.accept(
            identity,
            at,
            Act::Registered {
                sequence,
                challenge,
                object,
                address,
            },
        )?;
        let device = self
            .kept
            .state
            .device(&identity)
            .ok_or(Refusal::Malformed)?;
        Ok(Registered {
            identity,
            statement,
            ordinal: device.ordinal,
            is_new: known.is_none(),
        })
    }

    /// A reading for the topic of `identity`.
    pub fn read(
        &mut self,
        identity: &Identity,
        object: &[u8],
        at: u64,
    ) -> Result<Accepted, NotRead> {
        let object = SignedReading::parse(object)?;
        object.check_signer(identity)?;
        let device = self
            .kept
            .state
            .device(identity)
            .ok_or(Refusal::NotEnrolled)?;
        if self.kept.state.is_revoked(identity) || self.kept.state.is_revoked(&device.enrolled_as) {
            return Err(Refusal::Revoked.into());
        }
        let sequence = match sequence::candidate(object.number(), device.highest) {
            Ok(sequence) => sequence,
            Err(_) if self.is_latest(identity, &object)? => return Ok(Accepted::Repeated),
            Err(refusal) => return Err(refusal.into()),
        };
        objects::verify_reading(&object, identity, &device.signing, sequence)?;
        let is_first = device.latest.is_none();
        let object = object.bare().to_vec();
        self.accept(*identity, at, Act::Read { sequence, object })?;
        Ok(if is_first {
            Accepted::First
        } else {
            Accepted::Another
        })
    }

    /// A hand-over by a device that registered.
    pub fn hand_over(
        &mut self,
        old: &Identity,
        object: &[u8],
        at: u64,
    ) -> Result<Identity, Refusal> {
        let object = Sign1::parse(object)?;
        let device = self.kept.state.device(old).ok_or(Refusal::NotEnrolled)?;
        self.check_admitted(old, self.kept.state.admits_again(device))?;
        let enrolled_as = device.enrolled_as;
        if objects::full_number(&object)? <= device.highest {
            return Err(Refusal::Replayed);
        }
        let (statement, sequence) = objects::verify_handover(&object, old, &device.signing)?;
        let (successor, object) = (statement.identity(), object.bare.to_vec());
        // It admits a device without a decision so far, in the place of one: it undoes
        // no revocation, and a member of a group has no place of its own.
        let is_known = self.kept.state.enrolment(&successor).is_some()
            || self.kept.state.device(&successor).is_some();
        if is_known || enrolled_as != *old {
            return Err(Refusal::ForeignSuccessor);
        }
        self.accept(
            *old,
            at,
            Act::HandedOver {
                sequence,
                successor,
                object,
            },
        )?;
        Ok(successor)
    }

    /// Returns whether this repeats the newest reading, because its acknowledgement was lost.
    fn is_latest(
        &mut self,
        identity: &Identity,
        object: &SignedReading<'_>,
    ) -> Result<bool, StoreError> {
        let latest = self.latest(identity)?;
        Ok(latest.is_some_and(|(_, latest)| {
            SignedReading::parse(&latest).is_ok_and(|latest| latest.is_same_as(object))
        }))
    }
}
