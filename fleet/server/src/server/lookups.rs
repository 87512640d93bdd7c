// SPDX-License-Identifier: Apache-2.0
//! Lookups, and their observers. Results are kept for a while for requests of further
//! blocks, so these are of one state and are found once. Observers are notified when
//! the result changes; the search for it is charged to the observers.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, ResponseType};

use super::engine::{Clock, Decision, Engine};
use super::limits::owner;
use super::resources::LOOKS_PER_REQUEST;
use super::topics::{observe_option, IGNORE, OBSERVE};
use super::volatile::Volatile;
use crate::broker::observers::CONFIRM_AFTER;
use crate::broker::Subject;
use crate::coap::block::{self, Tag};
use crate::coap::{format, Answer, Request};
use crate::directory::{Found, Refused};
use crate::store::Log;
use crate::verify::Identity;

/// How many lookups are observed at a time.
const WATCHED_MAX: usize = 1000;
/// How many of these by one owner of addresses.
const WATCHED_PER_OWNER_MAX: usize = 100;
/// How often one is repeated at most.
const WATCH_EVERY: Duration = Duration::from_secs(1);
/// How much is looked at for observers in one turn, which is a few milliseconds: the others wait for the next.
const LOOKS_PER_TURN: usize = 65_536;
const TURN_EVERY: Duration = Duration::from_millis(100);

/// How many results are kept, how much of them, and for how long. Peers that prove their address share one such store,
/// all others another one.
const KEPT_MAX: usize = 64;
const KEPT_BYTES_MAX: usize = 1 << 22;
const KEPT_FOR: Duration = Duration::from_secs(60);

/// Which of both lookups.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Endpoints,
    Resources,
}

/// An observed lookup.
struct Lookup {
    kind: Kind,
    query: Vec<(String, String)>,
    /// The key of requests for further blocks of it.
    of: Vec<u8>,
    block2: Option<u32>,
    /// Of the latest result that was sent, and of its state.
    tag: Tag,
    state: u64,
}

/// A lookup that is observed.
struct Watched {
    number: u64,
    peer: SocketAddr,
    lookup: Lookup,
    again_at: Instant,
}

/// All observed lookups; the one that waits the longest is in front.
#[derive(Default)]
pub(super) struct Watches {
    all: VecDeque<Watched>,
    last: u64,
    turn_at: Option<Instant>,
}

struct Kept {
    peer: SocketAddr,
    of: Vec<u8>,
    links: Arc<[u8]>,
    tag: Tag,
    at: Instant,
}

/// Results of lookups that are larger than a block. A forged request removes none of a peer that proves its address.
#[derive(Default)]
pub(super) struct Results {
    proven: Store,
    strangers: Store,
}

#[derive(Default)]
struct Store {
    kept: VecDeque<Kept>,
    bytes: usize,
}

impl Results {
    /// A later block of the result whose first block this peer got.
    pub fn block(&self, request: &Request, is_proven: bool, now: Instant) -> Option<Answer> {
        let block2 = request.number(CoapOption::Block2);
        if !block::is_later(block2) {
            return None;
        }
        let of = what(request);
        let proven = self.proven.newest(request.peer, &of, now);
        let strangers = self.strangers.newest(request.peer, &of, now);
        let found = match (proven, strangers) {
            // The peer may have begun anew without its proof.
            (Some(proven), Some(other)) if !is_proven && other.at > proven.at => other,
            (Some(found), _) | (None, Some(found)) => found,
            (None, None) => return None,
        };
        let links = &[&found.links[..]];
        Some(block::content(format::LINKS, links, found.tag, block2))
    }

    /// Keeps what was found if the answer is cut, and gives the answer.
    pub fn keep(
        &mut self,
        request: &Request,
        is_proven: bool,
        links: Vec<u8>,
        now: Instant,
    ) -> Answer {
        let block2 = request.number(CoapOption::Block2);
        let store = match is_proven {
            true => &mut self.proven,
            false => &mut self.strangers,
        };
        store.keep_for(request.peer, what(request), block2, links, now)
    }
}

impl Store {
    fn newest(&self, peer: SocketAddr, of: &[u8], now: Instant) -> Option<&Kept> {
        let mut newest = self.kept.iter().rev();
        let found = newest.find(|one| one.peer == peer && one.of == of)?;
        let is_over = now.saturating_duration_since(found.at) > KEPT_FOR;
        (!is_over).then_some(found)
    }

    fn keep_for(
        &mut self,
        peer: SocketAddr,
        of: Vec<u8>,
        block2: Option<u32>,
        links: Vec<u8>,
        now: Instant,
    ) -> Answer {
        if links.len() <= block::size(block2) || links.len() > KEPT_BYTES_MAX {
            return Answer::content(ResponseType::Content, format::LINKS, links);
        }
        let tag = block::tag(&[&links]);
        let answer = block::content(format::LINKS, &[&links], tag, block2);
        let mut dropped = 0;
        self.kept.retain(|one| {
            let is_kept = (one.peer != peer || one.of != of)
                && now.saturating_duration_since(one.at) <= KEPT_FOR;
            dropped += if is_kept { 0 } else { one.links.len() };
            is_kept
        });
        self.bytes -= dropped;
        self.bytes += links.len();
        self.kept.push_back(Kept {
            peer,
            of,
            links: links.into(),
            tag,
            at: now,
        });
        while self.kept.len() > KEPT_MAX || self.bytes > KEPT_BYTES_MAX {
            let at = match self.kept.len() > KEPT_MAX {
                true => self.of_who_has_most(|_| 1),
                false => self.of_who_has_most(|one| one.links.len()),
            };
            let gone = self.kept.remove(at);
            self.bytes -= gone.map_or(0, |one| one.links.len());
        }
        answer
    }

    /// The oldest of the owner of addresses that has the most: many lookups of one, or large ones, take no room
    /// from others.
    fn of_who_has_most(&self, size: impl Fn(&Kept) -> usize) -> usize {
        let kept = self.kept.iter();
        let sizes: Vec<(IpAddr, usize)> =
            kept.map(|one| (owner(one.peer.ip()), size(one))).collect();
        let of_owner = |at: &usize| {
            let own = sizes.iter().filter(|(of, _)| *of == sizes[*at].0);
            own.map(|(_, size)| size).sum::<usize>()
        };
        (0..sizes.len()).rev().max_by_key(of_owner).unwrap_or(0)
    }
}

/// The subject of the request, for all blocks of it.
fn what(request: &Request) -> Vec<u8> {
    [&request.in_common(), request.payload()].concat()
}

impl Watches {
    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Makes room for one more of this peer's. The owner of addresses that has the most gives up its newest one for an
    /// owner with fewer, which is to be ended. Nothing if there is no room.
    fn make_room_for(&mut self, peer: SocketAddr) -> Option<Vec<Subject>> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for one in &self.all {
            *counts.entry(owner(one.peer.ip())).or_default() += 1;
        }
        let of_owner = counts.get(&owner(peer.ip())).copied().unwrap_or(0);
        if of_owner >= WATCHED_PER_OWNER_MAX {
            return None;
        }
        if self.all.len() < WATCHED_MAX {
            return Some(Vec::new());
        }
        let most = counts.iter().max_by_key(|(_, count)| **count);
        let (largest, _) = most.filter(|(_, count)| **count > of_owner + 1)?;
        let own = self.all.iter().enumerate();
        let own = own.filter(|(_, one)| owner(one.peer.ip()) == *largest);
        let (at, _) = own.max_by_key(|(_, one)| one.number)?;
        let gone = self.all.remove(at)?;
        Some(vec![Subject::Lookup(gone.number)])
    }

    /// Removes lookups without observers.
    fn sweep(&mut self, is_observed: impl Fn(Subject) -> bool) {
        self.all
            .retain(|one| is_observed(Subject::Lookup(one.number)));
    }
}

/// Begins to observe, or renews it, if there is room; the answer says whether.
fn watch(
    volatile: &mut Volatile,
    lookup: Lookup,
    (peer, token): (SocketAddr, &[u8]),
    content: Answer,
    now: Instant,
) -> Answer {
    let (watches, observers) = (&mut volatile.watches, &mut volatile.observers);
    let before = observers.subject_of(peer, token);
    let mut all = watches.all.iter_mut();
    let same = all.find(|one| {
        let is_before = before == Some(Subject::Lookup(one.number));
        is_before && one.lookup.kind == lookup.kind && one.lookup.query == lookup.query
    });
    let number = match (same, before) {
        (Some(one), _) => {
            one.lookup = lookup;
            one.number
        }
        (None, before) => {
            // Another question by the same token takes the place of the one before.
            if let Some(before) = before {
                observers.remove(before, peer, token);
            }
            watches.sweep(|subject| observers.of(subject) > 0);
            let Some(displaced) = watches.make_room_for(peer) else {
                return content;
            };
            for gone in displaced {
                observers.displace_all(gone);
            }
            watches.last += 1;
            watches.all.push_back(Watched {
                number: watches.last,
                peer,
                lookup,
                again_at: now + WATCH_EVERY,
            });
            watches.last
        }
    };
    match observers.add(Subject::Lookup(number), usize::MAX, peer, token, now) {
        true => content.with_number(CoapOption::Observe, observers.next_number()),
        false => content,
    }
}

impl<L: Log> Engine<L> {
    fn found(&self, kind: Kind, query: &[(&str, &str)], now: Instant) -> Result<Found, Refused> {
        let is_in = |identity: &Identity| self.fleet.state().lets_in(identity);
        match kind {
            Kind::Endpoints => self.volatile.directory.endpoints(query, now, is_in),
            Kind::Resources => self.volatile.directory.resources(query, now, is_in),
        }
    }

    /// Differs when lookups may find something else.
    fn state_of_lookups(&mut self, now: Instant) -> u64 {
        let entries = self.volatile.directory.version(now);
        entries.wrapping_add(self.fleet.state().revision())
    }

    /// A later block of the result for this peer, if that is kept.
    pub(super) fn later_block(&self, request: &Request, now: Clock) -> Option<Answer> {
        let is_proven = self.is_proven(request, now);
        self.results.block(request, is_proven, now.instant)
    }

    /// Keeps what was found if the answer is cut, and gives the answer.
    pub(super) fn keep_result(&mut self, request: &Request, links: Vec<u8>, now: Clock) -> Answer {
        let is_proven = self.is_proven(request, now);
        self.results.keep(request, is_proven, links, now.instant)
    }

    /// Looks something up, which takes as long as there is much to look at.
    pub(super) fn look_up(
        &mut self,
        kind: Kind,
        query: &[(&str, &str)],
        request: &Request,
        now: Clock,
    ) -> Decision {
        if let Some(answer) = self.later_block(request, now) {
            return answer.into();
        }
        // Notifications are answers, too: an address that is not proven gets none.
        let observes = observe_option(request) == Some(OBSERVE);
        if observes && !self.is_proven(request, now) {
            return self.challenge(request, now).into();
        }
        if let Err(answer) = self.check_may_look(request, now) {
            return answer.into();
        }
        let state = self.state_of_lookups(now.instant);
        let Ok(found) = self.found(kind, query, now.instant) else {
            return ResponseType::BadRequest.into();
        };
        self.charge_looks(request, found.looked_at, now);
        let links = found.links.into_bytes();
        let tag = block::tag(&[&links]);
        let block2 = request.number(CoapOption::Block2);
        let answer = self.keep_result(request, links, now);
        let (peer, token) = (request.peer, request.token().to_vec());
        let is_wanted = request.accepts(Some(format::LINKS));
        match observe_option(request) {
            Some(OBSERVE) if is_wanted && answer.code == ResponseType::Content => {
                let pairs = query.iter();
                let lookup = Lookup {
                    kind,
                    query: pairs
                        .map(|(name, value)| (name.to_string(), value.to_string()))
                        .collect(),
                    of: what(request),
                    block2,
                    tag,
                    state,
                };
                let until = now.instant;
                Decision::later(move |volatile| {
                    watch(volatile, lookup, (peer, &token), answer, until)
                })
            }
            Some(IGNORE) => Decision::later(move |volatile| {
                let subject = volatile.observers.subject_of(peer, &token);
                if let Some(subject @ Subject::Lookup(_)) = subject {
                    volatile.observers.remove(subject, peer, &token);
                }
                answer
            }),
            _ => answer.into(),
        }
    }

    /// Tells who observes a lookup of which the result is another. Observers with a
    /// debt for earlier searches wait.
    pub(super) fn watch(&mut self, now: Instant) {
        let before = self.volatile.watches.turn_at;
        let is_early = before.is_some_and(|at| now.saturating_duration_since(at) < TURN_EVERY);
        if self.volatile.watches.is_empty() || is_early {
            return;
        }
        let observers = &self.volatile.observers;
        let watches = &mut self.volatile.watches;
        watches.sweep(|subject| observers.of(subject) > 0);
        let state = self.state_of_lookups(now);
        let mut left = LOOKS_PER_TURN;
        let mut had_their_turn = Vec::new();
        for _ in 0..self.volatile.watches.all.len() {
            let Some(mut one) = self.volatile.watches.all.pop_front() else {
                break;
            };
            let is_changed = one.lookup.state != state || self.is_unconfirmed(&one, now);
            let is_due = is_changed && one.again_at <= now && left > 0;
            if is_due && !self.limits.owes(one.peer, now) {
                self.volatile.watches.turn_at = Some(now);
                left = left.saturating_sub(self.watch_one(&mut one, now));
                one.lookup.state = state;
                one.again_at = now + WATCH_EVERY;
                had_their_turn.push(one);
            } else {
                self.volatile.watches.all.push_back(one);
            }
        }
        self.volatile.watches.all.extend(had_their_turn);
    }

    /// Whether who observes this is to show that it is still there, even if nothing changes.
    fn is_unconfirmed(&self, one: &Watched, now: Instant) -> bool {
        let (observers, subject) = (&self.volatile.observers, Subject::Lookup(one.number));
        observers.is_check_due(subject, CONFIRM_AFTER, now)
    }

    /// Looks up what is observed once more; says how much that looked at.
    fn watch_one(&mut self, one: &mut Watched, now: Instant) -> usize {
        let pairs = one.lookup.query.iter();
        let query: Vec<(&str, &str)> = pairs
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let Ok(found) = self.found(one.lookup.kind, &query, now) else {
            return 0; // it was well when it began
        };
        let requests = found.looked_at as f64 / LOOKS_PER_REQUEST;
        self.limits.charge(one.peer, requests);
        let links = found.links.into_bytes();
        let tag = block::tag(&[&links]);
        if tag != one.lookup.tag || self.is_unconfirmed(one, now) {
            one.lookup.tag = tag;
            let of = one.lookup.of.clone();
            // Only a peer that proved its address observes.
            let answer = self
                .results
                .proven
                .keep_for(one.peer, of, one.lookup.block2, links, now);
            let answer = block::cut(answer, one.lookup.block2);
            self.volatile
                .notify_of_lookup(Subject::Lookup(one.number), &answer, now);
        }
        found.looked_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_are_shared_between_owners() {
        let mut watches = Watches::default();
        let peer = |owner: usize, port: usize| {
            SocketAddr::from(([10, 0, (owner >> 8) as u8, owner as u8], port as u16))
        };
        let mut watch = |peer: SocketAddr| {
            let room = watches.make_room_for(peer)?;
            watches.last += 1;
            watches.all.push_back(Watched {
                number: watches.last,
                peer,
                lookup: Lookup {
                    kind: Kind::Endpoints,
                    query: Vec::new(),
                    of: Vec::new(),
                    block2: None,
                    tag: block::Tag::default(),
                    state: 0,
                },
                again_at: Instant::now(),
            });
            assert!(watches.all.len() <= WATCHED_MAX);
            Some(room)
        };
        let takers = WATCHED_MAX / WATCHED_PER_OWNER_MAX;
        for taker in 0..takers {
            for port in 0..WATCHED_PER_OWNER_MAX {
                assert_eq!(watch(peer(taker, port)), Some(Vec::new()));
            }
            assert_eq!(watch(peer(taker, 0)), None);
        }
        // No peer takes more than a fair part from the existing ones.
        let taken = (0..WATCHED_PER_OWNER_MAX).map_while(|port| watch(peer(999, port)));
        let taken: Vec<_> = taken.collect();
        assert!(taken.iter().all(|displaced| displaced.len() == 1));
        assert_eq!(taken.len(), WATCHED_MAX / (takers + 1));
    }

    #[test]
    fn large_results_of_one_owner_take_no_room_from_others() {
        let now = Instant::now();
        let mut results = Store::default();
        let [taker, other] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
        let mut keep = |peer, of: u8, length| {
            let links = vec![b'x'; length];
            let answer = results.keep_for(peer, vec![of], None, links, now);
            assert_eq!(answer.payload.len(), block::size(None));
            let bytes: usize = results.kept.iter().map(|one| one.links.len()).sum();
            assert_eq!(results.bytes, bytes);
            assert!(bytes <= KEPT_BYTES_MAX);
            results.kept.iter().filter(|one| one.peer == other).count()
        };
        keep(other, 0, 2000);
        for (of, length) in [(0, 1 << 21), (1, 1 << 21), (2, KEPT_BYTES_MAX)] {
            assert_eq!(keep(taker, of, length), 1);
        }
        // Of its own the oldest goes.
        assert_eq!(keep(other, 1, KEPT_BYTES_MAX), 1);
    }
}
