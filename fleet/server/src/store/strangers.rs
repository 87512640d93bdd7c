// SPDX-License-Identifier: Apache-2.0
//! Revocations of identities that no other entry of the log names. Either the operator revoked an identity that was
//! never seen, or one of two identities is damaged, and the device that was revoked is let in again.

use std::collections::{BTreeMap, HashMap};

use super::{Act, Log, State, StoreError};
use crate::verify::Identity;

/// How many bytes of an identity may be damaged. Identities are hashes, so none is so near another by chance.
const WRONG_BYTES_MAX: usize = 4;

/// An identity has so many words of two bytes, of which more than half are whole.
const WORDS: usize = 8;

const PAGE: usize = 4096;

/// An identity that is revoked, and that no other entry names.
#[derive(Debug)]
pub struct Stranger {
    pub identity: Identity,
    /// Where it was revoked last.
    pub position: u64,
    /// Identities that are nearly the same, were enrolled before, and are not revoked.
    pub near: Vec<Identity>,
    /// Whether another identity is nearly the same, and is revoked or was enrolled since.
    pub is_explained: bool,
}

/// Whether these bytes may be what is left of an identity.
pub(super) fn is_near(one: &Identity, damaged: &[u8]) -> bool {
    let right = one.0.iter().zip(damaged).filter(|(a, b)| a == b).count();
    right + WRONG_BYTES_MAX >= one.0.len()
}

/// The revoked identities that no other entry names, each with those that are nearly the same.
pub fn strangers(state: &State) -> BTreeMap<Identity, Vec<Identity>> {
    let mut found: BTreeMap<Identity, Vec<Identity>> =
        state.strangers().map(|one| (*one, Vec::new())).collect();
    if found.is_empty() {
        return found;
    }
    // Of two that are near each other at least one word is the same, so that not each is compared with all.
    let word = |identity: &Identity, at: usize| (at, identity.0[2 * at], identity.0[2 * at + 1]);
    let mut by_word: HashMap<_, Vec<Identity>> = HashMap::new();
    for one in found.keys() {
        for at in 0..WORDS {
            by_word.entry(word(one, at)).or_default().push(*one);
        }
    }
    for known in state.named() {
        for at in 0..WORDS {
            for one in by_word.get(&word(&known, at)).into_iter().flatten() {
                let near = found.entry(*one).or_default();
                if is_near(&known, &one.0) && near.last() != Some(&known) {
                    near.push(known);
                }
            }
        }
    }
    found
}

/// Looks at the whole log, because the state does not tell whether an enrolment came after a revocation.
pub fn strangers_in(log: &mut impl Log, state: &State) -> Result<Vec<Stranger>, StoreError> {
    let strangers = strangers(state);
    if strangers.is_empty() {
        return Ok(Vec::new());
    }
    let mut revoked = HashMap::new();
    let mut enrolled: HashMap<Identity, u64> = HashMap::new();
    let all_near = strangers.values().flatten();
    enrolled.extend(all_near.map(|identity| (*identity, 0)));
    let mut last = 0;
    loop {
        let page = log.read(last, PAGE)?;
        let is_last = page.len() < PAGE;
        for (position, entry) in page {
            last = position;
            let entry = entry?;
            let let_in = match entry.act {
                Act::Revoked if strangers.contains_key(&entry.identity) => {
                    revoked.insert(entry.identity, position);
                    continue;
                }
                Act::Enrolled { .. } => entry.identity,
                Act::HandedOver { successor, .. } => successor,
                _ => continue,
            };
            if let Some(at) = enrolled.get_mut(&let_in) {
                *at = position;
            }
        }
        if is_last {
            break;
        }
    }
    let found = strangers.into_iter().map(|(identity, near)| {
        let position = revoked.get(&identity).copied().unwrap_or(0);
        let is_in = |one: &Identity| !state.is_revoked(one) && enrolled[one] < position;
        let (near, others): (Vec<_>, Vec<_>) = near.into_iter().partition(is_in);
        Stranger {
            identity,
            position,
            near,
            is_explained: !others.is_empty(),
        }
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use super::super::Entry;
    use super::*;

    #[test]
    fn what_is_nearly_the_same_is_found_whichever_bytes_are_damaged() {
        let mut state = State::default();
        let known = |number: u8| Identity([number; 16]);
        let mut apply = |identity, act| {
            state.apply(
                1,
                &Entry {
                    identity,
                    at: 1,
                    act,
                },
            )
        };
        for number in 1..100 {
            let (place, purpose) = (String::new(), String::new());
            apply(known(number), Act::Enrolled { place, purpose }).unwrap();
        }
        let damaged = |number: u8, bytes: &[usize]| {
            let mut damaged = known(number);
            for at in bytes {
                damaged.0[*at] ^= 0xa5;
            }
            damaged
        };
        let near = [
            damaged(1, &[0]),
            damaged(2, &[0, 2, 4, 6]),
            damaged(3, &[1, 7, 9, 15]),
            damaged(4, &[12, 13, 14, 15]),
        ];
        let far = damaged(5, &[0, 1, 2, 3, 4]);
        for one in near.into_iter().chain([far, known(6)]) {
            apply(one, Act::Revoked).unwrap();
        }
        let found = strangers(&state);
        assert_eq!(found.len(), 5);
        for (one, number) in near.iter().zip(1..) {
            assert_eq!(found[one], [known(number)]);
        }
        assert!(found[&far].is_empty());
        assert!(is_near(&known(1), &[1; 12]) && !is_near(&known(1), &[1; 11]));
    }
}
