// SPDX-License-Identifier: Apache-2.0
//! What the entries of a log add up to. Nothing else decides what is accepted, so whoever reads the same
//! log decides the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroU64;
use std::ops::Bound;
use std::sync::Arc;

use super::{Act, Chain, Entry, StoreError};
use crate::verify::{signed, Identity, PublicKey, Sign1, Statement};

/// Who may send, by the operator's word. There is one for each device, so both texts are one piece of memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enrolment {
    pub(super) texts: Box<str>,
    pub(super) place_length: u32,
    pub is_revoked: bool,
    /// Whether an entry names it that is no revocation.
    pub(super) is_named: bool,
}

impl Enrolment {
    pub(super) fn new(place: &str, purpose: &str) -> Self {
        Enrolment {
            texts: [place, purpose].concat().into(),
            // No store takes a text as long as this counts.
            place_length: place.len() as u32,
            is_revoked: false,
            is_named: true,
        }
    }

    /// Where it is.
    pub fn place(&self) -> &str {
        &self.texts[..self.place_length as usize]
    }

    /// What it is for.
    pub fn purpose(&self) -> &str {
        &self.texts[self.place_length as usize..]
    }
}

/// A device that registered. There are many, so of its objects here is only what each reading is compared with; the
/// log has the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    pub identity: Identity,
    /// The enrolment that lets it in: its own, or its group's.
    pub enrolled_as: Identity,
    /// What its signatures are verified by.
    pub signing: PublicKey,
    /// The Content-Format of its newest reading.
    pub format: u16,
    /// What sort of device it is; those of a sort have this text in common.
    pub kind: Arc<str>,
    /// A key for agreement, if it has one.
    pub agreement: Option<Box<PublicKey>>,
    /// The highest number accepted.
    pub highest: u64,
    /// The position in the log of the newest reading.
    pub latest: Option<NonZeroU64>,
    /// The how manyth device that registered; its topic's path is made of it.
    pub ordinal: usize,
    /// How many readings of it the log holds.
    pub readings: u64,
    pub heard_at: u64,
}

/// What was there before a change, to take it back.
enum Undo {
    Device(Box<Device>),
    NewDevice,
    Enrolment(Identity, Option<Enrolment>),
}

/// The fold of a log.
#[derive(Default)]
pub struct State {
    /// By their ordinals.
    pub(super) devices: Vec<Device>,
    pub(super) ordinals: HashMap<Identity, u32>,
    pub(super) kinds: BTreeSet<Arc<str>>,
    pub(super) enrolments: BTreeMap<Identity, Enrolment>,
    undo: Vec<Undo>,
    revision: u64,
}

impl State {
    /// Differs when who is let in may.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The device of that identity, if it registered.
    pub fn device(&self, identity: &Identity) -> Option<&Device> {
        self.devices.get(*self.ordinals.get(identity)? as usize)
    }

    /// Where the log has the readings of this device.
    pub fn chain(&self, identity: &Identity) -> Chain {
        let latest = self.device(identity).and_then(|device| device.latest);
        Chain {
            device: *identity,
            newest: latest.map_or(0, NonZeroU64::get),
        }
    }

    /// All devices, in the order of their registration.
    pub fn devices(&self) -> impl Iterator<Item = (&Identity, &Device)> {
        self.devices_from(0)
    }

    /// Those from this ordinal on, in the order of their registration.
    pub fn devices_from(&self, ordinal: usize) -> impl Iterator<Item = (&Identity, &Device)> {
        let from = self.devices.get(ordinal..).unwrap_or_default();
        from.iter().map(|device| (&device.identity, device))
    }

    /// How many devices there are, and the one that registered last.
    pub fn newest(&self) -> Option<(usize, Identity)> {
        let last = self.devices.last()?;
        Some((self.devices.len(), last.identity))
    }

    /// The identity of a topic's path.
    pub fn identity_of(&self, ordinal: usize) -> Option<Identity> {
        self.devices.get(ordinal).map(|device| device.identity)
    }

    /// How many are enrolled and not revoked.
    pub fn enrolled(&self) -> usize {
        self.enrolments.len() - self.revoked()
    }

    /// How many are revoked.
    pub fn revoked(&self) -> usize {
        self.enrolments
            .values()
            .filter(|enrolment| enrolment.is_revoked)
            .count()
    }

    /// What is enrolled and was revoked behind this identity, in the order of the identities.
    pub fn enrolments_after(
        &self,
        after: Option<&Identity>,
    ) -> impl Iterator<Item = (&Identity, &Enrolment)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.enrolments.range((from, Bound::Unbounded))
    }

    /// All that is enrolled, and what was and is revoked.
    pub fn enrolments(&self) -> impl Iterator<Item = (&Identity, &Enrolment)> {
        self.enrolments.iter()
    }

    /// The enrolment of an identity, if it has one of its own.
    pub fn enrolment(&self, identity: &Identity) -> Option<&Enrolment> {
        self.enrolments.get(identity)
    }

    /// Whether the operator revoked it.
    pub fn is_revoked(&self, identity: &Identity) -> bool {
        self.enrolments
            .get(identity)
            .is_some_and(|enrolment| enrolment.is_revoked)
    }

    /// Identities that are revoked, and that no other entry names: the operator never saw them, or they are damaged.
    pub fn strangers(&self) -> impl Iterator<Item = &Identity> {
        let all = self.enrolments.iter();
        let unnamed = all.filter(|(_, enrolment)| enrolment.is_revoked && !enrolment.is_named);
        unnamed
            .map(|(identity, _)| identity)
            .filter(|identity| self.device(identity).is_none())
    }

    /// All identities that an entry names that is no revocation.
    pub fn named(&self) -> BTreeSet<Identity> {
        let enrolled = self.enrolments.iter().filter(|(_, one)| one.is_named);
        let enrolled = enrolled.map(|(identity, _)| *identity);
        let registered = self.devices.iter().map(|device| device.identity);
        enrolled.chain(registered).collect()
    }

    /// Whether it is a device that registered and is not out again, by itself or with its group.
    pub fn lets_in(&self, identity: &Identity) -> bool {
        let device = self.device(identity);
        device.is_some_and(|one| !self.is_revoked(identity) && !self.is_revoked(&one.enrolled_as))
    }

    /// The enrolment that would let in this device now: it may have one of its own by now.
    pub fn admits_again(&self, device: &Device) -> Option<Identity> {
        let either = [device.identity, device.enrolled_as];
        let mut enrolled = either.into_iter();
        enrolled.find(|one| self.enrolments.contains_key(one))
    }

    /// The enrolment that lets in a device with this statement.
    pub fn admits(&self, identity: &Identity, statement: &Statement) -> Option<Identity> {
        if self.enrolments.contains_key(identity) {
            return Some(*identity);
        }
        statement
            .group_identity()
            .filter(|group| self.enrolments.contains_key(group))
    }

    /// Counts no longer what was removed from the log.
    pub fn forget(&mut self, removed: &BTreeMap<Identity, u64>) {
        for (identity, readings) in removed {
            let ordinal = self.ordinals.get(identity);
            let device = ordinal.and_then(|ordinal| self.devices.get_mut(*ordinal as usize));
            if let Some(device) = device {
                device.readings = device.readings.saturating_sub(*readings);
            }
        }
    }

    /// Takes these as revoked, though no entry revokes them. An entry that enrols one lifts that.
    pub fn revoke_beside_log<'a>(&mut self, identities: impl Iterator<Item = &'a Identity>) {
        self.revision += 1;
        for identity in identities {
            let enrolment = self.enrolments.entry(*identity).or_default();
            // The stored state names it.
            (enrolment.is_revoked, enrolment.is_named) = (true, true);
        }
    }

    /// Forgets how to take back what was applied until now.
    pub fn commit(&mut self) {
        self.undo.clear();
    }

    /// Takes back what was applied since the last commit.
    pub fn rollback(&mut self) {
        self.revision += 1;
        while let Some(step) = self.undo.pop() {
            match step {
                Undo::Device(device) => {
                    let ordinal = device.ordinal;
                    self.devices[ordinal] = *device;
                }
                Undo::NewDevice => {
                    let device = self.devices.pop();
                    device.map(|device| self.ordinals.remove(&device.identity));
                }
                Undo::Enrolment(identity, Some(enrolment)) => {
                    self.enrolments.insert(identity, enrolment);
                }
                Undo::Enrolment(identity, None) => {
                    self.enrolments.remove(&identity);
                }
            }
        }
    }

    /// Adds the entry that is at this position. What the log holds was verified before it was appended, so this looks
    /// only at whether it can be read.
    pub fn apply(&mut self, position: u64, entry: &Entry) -> Result<(), StoreError> {
        let identity = entry.identity;
        match &entry.act {
            Act::Enrolled { place, purpose } => {
                self.set_enrolment(identity, Enrolment::new(place, purpose));
            }
            Act::Revoked => self.revoke(identity),
            Act::Registered {
                sequence, object, ..
            } => {
                self.register(identity, *sequence, object, entry.at)?;
            }
            Act::Read { sequence, object } => {
                let device = self.device_mut(identity)?;
                device.highest = *sequence;
                device.latest = NonZeroU64::new(position);
                device.format = signed::content_format(object);
                device.readings += 1;
                device.heard_at = entry.at;
            }
            Act::HandedOver {
                sequence,
                successor,
                ..
            } => {
                let device = self.device_mut(identity)?;
                device.highest = *sequence;
                let enrolled_as = device.enrolled_as;
                let inherited = self
                    .enrolments
                    .get(&enrolled_as)
                    .cloned()
                    .unwrap_or_default();
                self.revoke(identity);
                self.set_enrolment(
                    *successor,
                    Enrolment {
                        is_revoked: false,
                        is_named: true,
                        ..inherited
                    },
                );
            }
        }
        Ok(())
    }

    fn set_enrolment(&mut self, identity: Identity, enrolment: Enrolment) {
        self.revision += 1;
        let before = self.enrolments.insert(identity, enrolment);
        self.undo.push(Undo::Enrolment(identity, before));
    }

    fn revoke(&mut self, identity: Identity) {
        let before = self.enrolments.get(&identity).cloned().unwrap_or_default();
        self.set_enrolment(
            identity,
            Enrolment {
                is_revoked: true,
                ..before
            },
        );
    }

    fn device_mut(&mut self, identity: Identity) -> Result<&mut Device, StoreError> {
        let ordinal = self.ordinals.get(&identity);
        let device = ordinal.and_then(|ordinal| self.devices.get_mut(*ordinal as usize));
        let device = device.ok_or_else(|| {
            StoreError(format!(
                "the store holds an object of {identity}, which never registered"
            ))
        })?;
        self.undo.push(Undo::Device(Box::new(device.clone())));
        Ok(device)
    }

    fn register(
        &mut self,
        identity: Identity,
        sequence: u64,
        object: &[u8],
        at: u64,
    ) -> Result<(), StoreError> {
        let statement = Sign1::parse(object)
            .and_then(|object| Statement::parse(object.payload()))
            .map_err(|_| {
                StoreError(format!(
                    "the store holds a damaged registration of {identity}"
                ))
            })?;
        self.revision += 1;
        let enrolled_as = self.admits(&identity, &statement).unwrap_or(identity);
        if self.ordinals.contains_key(&identity) {
            // An identity is made of keys and kind, so that those are what they were.
            let device = self.device_mut(identity)?;
            device.enrolled_as = enrolled_as;
            device.highest = sequence;
            device.heard_at = at;
            return Ok(());
        }
        let ordinal = self.devices.len();
        let place = u32::try_from(ordinal)
            .map_err(|_| StoreError("there are too many devices".to_string()))?;
        let kind = self.kind(&statement.kind);
        self.devices.push(Device {
            identity,
            enrolled_as,
            signing: statement.signing,
            format: signed::COSE_SIGN1,
            kind,
            agreement: statement.agreement.map(Box::new),
            highest: sequence,
            latest: None,
            ordinal,
            readings: 0,
            heard_at: at,
        });
        self.ordinals.insert(identity, place);
        self.undo.push(Undo::NewDevice);
        Ok(())
    }

    /// The text that all devices of this kind have.
    fn kind(&mut self, kind: &str) -> Arc<str> {
        if let Some(known) = self.kinds.get(kind) {
            return known.clone();
        }
        let new: Arc<str> = kind.into();
        self.kinds.insert(new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_small_because_there_are_many() {
        assert!(size_of::<Device>() <= 168);
        assert!(size_of::<Enrolment>() <= 24);
        // Devices of a kind have its text in common.
        let mut state = State::default();
        let [one, same, other] = ["a", "a", "b"].map(|kind| state.kind(kind));
        assert!(Arc::ptr_eq(&one, &same) && !Arc::ptr_eq(&one, &other));
    }
}
