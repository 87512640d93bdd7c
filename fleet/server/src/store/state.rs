// SPDX-License-Identifier: Apache-2.0
//! What the entries of a log add up to. Nothing else decides what is accepted, so whoever reads the same
//! log decides the same.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::{Act, Entry, StoreError};
use crate::verify::{Identity, Sign1, Statement};

/// Who may send, by the operator's word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enrolment {
    pub place: String,
    pub purpose: String,
    pub is_revoked: bool,
}

/// A device that registered.
#[derive(Clone, Debug)]
pub struct Device {
    pub statement: Arc<Statement>,
    /// The enrolment that lets it in: its own, or its group's.
    pub enrolled_as: Identity,
    /// The highest number accepted.
    pub highest: u64,
    /// The newest reading, as received, with its number.
    pub latest: Option<(u64, Arc<[u8]>)>,
    /// The how manyth device that registered; its topic's path is made of it.
    pub ordinal: usize,
    /// How many readings of it the log holds.
    pub readings: u64,
    pub heard_at: u64,
}

/// What was there before a change, to take it back.
enum Undo {
    Device(Identity, Option<Box<Device>>),
    Enrolment(Identity, Option<Enrolment>),
    Ordinal,
}

/// The fold of a log.
#[derive(Default)]
pub struct State {
    devices: HashMap<Identity, Device>,
    enrolments: BTreeMap<Identity, Enrolment>,
    by_ordinal: Vec<Identity>,
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
        self.devices.get(identity)
    }

    /// All devices, in the order of their registration.
    pub fn devices(&self) -> impl Iterator<Item = (&Identity, &Device)> {
        self.devices_from(0)
    }

    /// Those from this ordinal on, in the order of their registration.
    pub fn devices_from(&self, ordinal: usize) -> impl Iterator<Item = (&Identity, &Device)> {
        self.by_ordinal
            .iter()
            .skip(ordinal)
            .filter_map(|identity| self.devices.get_key_value(identity))
    }

    /// How many devices there are, and the one that registered last.
    pub fn newest(&self) -> Option<(usize, Identity)> {
        let last = self.by_ordinal.last()?;
        Some((self.by_ordinal.len(), *last))
    }

    /// The identity of a topic's path.
    pub fn identity_of(&self, ordinal: usize) -> Option<Identity> {
        self.by_ordinal.get(ordinal).copied()
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

    /// Whether it is a device that registered and is not out again, by itself or with its group.
    pub fn lets_in(&self, identity: &Identity) -> bool {
        let device = self.devices.get(identity);
        device.is_some_and(|one| !self.is_revoked(identity) && !self.is_revoked(&one.enrolled_as))
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
            if let Some(device) = self.devices.get_mut(identity) {
                device.readings = device.readings.saturating_sub(*readings);
            }
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
                Undo::Device(identity, Some(device)) => {
                    self.devices.insert(identity, *device);
                }
                Undo::Device(identity, None) => {
                    self.devices.remove(&identity);
                }
                Undo::Enrolment(identity, Some(enrolment)) => {
                    self.enrolments.insert(identity, enrolment);
                }
                Undo::Enrolment(identity, None) => {
                    self.enrolments.remove(&identity);
                }
                Undo::Ordinal => {
                    self.by_ordinal.pop();
                }
            }
        }
    }

    /// Adds an entry. What the log holds was verified before it was appended, so this looks only at
    /// whether it can be read.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let identity = entry.identity;
        match &entry.act {
            Act::Enrolled { place, purpose } => {
                let (place, purpose) = (place.clone(), purpose.clone());
                self.set_enrolment(
                    identity,
                    Enrolment {
                        place,
                        purpose,
                        is_revoked: false,
                    },
                );
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
                device.latest = Some((*sequence, object.as_slice().into()));
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
        let device = self.devices.get_mut(&identity).ok_or_else(|| {
            StoreError(format!(
                "the store holds an object of {identity}, which never registered"
            ))
        })?;
        self.undo
            .push(Undo::Device(identity, Some(Box::new(device.clone()))));
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
        let statement = Arc::new(statement);
        if self.devices.contains_key(&identity) {
            let device = self.device_mut(identity)?;
            device.statement = statement;
            device.enrolled_as = enrolled_as;
            device.highest = sequence;
            device.heard_at = at;
            return Ok(());
        }
        let device = Device {
            statement,
            enrolled_as,
            highest: sequence,
            latest: None,
            ordinal: self.by_ordinal.len(),
            readings: 0,
            heard_at: at,
        };
        self.devices.insert(identity, device);
        self.undo.push(Undo::Device(identity, None));
        self.by_ordinal.push(identity);
        self.undo.push(Undo::Ordinal);
        Ok(())
    }
}
