// SPDX-License-Identifier: Apache-2.0
//! Requests that are larger than a message, put together from their blocks (RFC 7959, section 2.5).
//! The kept part meanwhile is bounded. A peer that has not proved its address has no room
//! here, unless a setting accepts it; then all such peers share a part of the room.

use std::collections::hash_map::Entry;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, ResponseType};

use super::{block, echo, Answer, Request};
use crate::server::limits::owner;

/// The most that a request adds up to.
pub const WHOLE_MAX: usize = 4096;
/// How many are put together at a time.
const AT_ONCE_MAX: usize = 256;
/// How many of these for peers that a setting accepts without a proof: the others are left to peers with one.
const UNPROVEN_MAX: usize = AT_ONCE_MAX / 4;
/// How many of these for one owner of addresses.
const PER_OWNER_MAX: usize = 8;
/// As long as the proof of the address is good that came with the first block.
const LIFETIME: Duration = echo::LIFETIME;

/// The peer, and the common part of its blocks. A peer with two such requests at a time
/// distinguishes them by Request-Tag (RFC 9175, section 3).
type Key = (SocketAddr, Vec<u8>);

/// How far a request shows that it comes from its source address.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Source {
    /// It shows nothing.
    Unproven,
    /// It shows nothing, but a setting accepts it.
    Accepted,
    /// It shows a proof.
    Proven,
}

struct Part {
    payload: Vec<u8>,
    begun: Instant,
    source: Source,
    /// The proof that came with the first block.
    echo: Option<Vec<u8>>,
}

/// The next step for a request.
pub enum Step {
    /// All of it is here.
    Whole(Request),
    /// It is a block, about which something is to be said.
    Say(Request, Answer),
    /// It is a block, of a peer that is to prove its address first.
    Prove(Request),
}

/// The kind of a block.
enum Block {
    Only,
    Last(Part),
    Answered(Answer),
    Unproven,
}

/// The requests of which not all is here.
#[derive(Default)]
pub struct Assembly(HashMap<Key, Part>);

fn too_large() -> Block {
    let answer = Answer::from(ResponseType::RequestEntityTooLarge);
    Block::Answered(answer.with_number(CoapOption::Size1, WHOLE_MAX as u32))
}

fn say(code: ResponseType) -> Block {
    Block::Answered(code.into())
}

impl Assembly {
    /// Takes a request that may be a block. A block that is here already is not taken twice. The proof of the first
    /// block is good for the others. A block removes blocks that are here only if its source is as good as theirs.
    ///   4.00  it has not the size that it names
    ///   4.08  one before it is missing, or it is not what is here in its place: all has to begin anew
    ///   4.13  the whole would be larger than [`WHOLE_MAX`]
    ///   5.03  there are too many, here or of this peer
    pub fn take(&mut self, request: Request, source: Source, now: Instant) -> Step {
        let Some(option) = request.number(CoapOption::Block1) else {
            return Step::Whole(request);
        };
        match self.take_block(&request, option, source, now) {
            Block::Only => Step::Whole(request),
            Block::Last(part) => Step::Whole(request.with_whole(part.payload, part.echo)),
            Block::Answered(answer) => Step::Say(request, answer),
            Block::Unproven => Step::Prove(request),
        }
    }

    fn take_block(
        &mut self,
        request: &Request,
        option: u32,
        source: Source,
        now: Instant,
    ) -> Block {
        let (number, is_last) = (option >> 4, option & 8 == 0);
        if !block::is_sound(Some(option)) {
            return say(ResponseType::BadRequest);
        }
        let key = (request.peer, request.in_common());
        if number == 0 {
            // A forged request must not remove blocks of the peer in whose name it comes.
            let may_begin = match self.0.get(&key) {
                Some(part) if !is_over(part, now) => may_remove(source, part),
                _ => source != Source::Unproven,
            };
            if may_begin {
                self.0.remove(&key);
            }
            if is_last {
                return Block::Only;
            }
            if !may_begin {
                return Block::Unproven;
            }
            if let Some(refused) = self.begin(key.clone(), request, source, now) {
                return refused;
            }
        }
        self.add(key, request, option, source, now)
    }

    /// Makes a place for one that begins, or says why there is none.
    fn begin(
        &mut self,
        key: Key,
        request: &Request,
        source: Source,
        now: Instant,
    ) -> Option<Block> {
        let said = request.number(CoapOption::Size1);
        if said.is_some_and(|size| size as usize > WHOLE_MAX) {
            return Some(too_large());
        }
        self.0.retain(|_, one| !is_over(one, now));
        // Requests without a proof leave the room of those with one, all together and in the name of one owner.
        let alike = self.0.iter().filter(|(_, part)| part.source == source);
        let (mut of_source, mut of_owner) = (0, 0);
        for ((peer, _), _) in alike {
            of_source += 1;
            of_owner += usize::from(owner(peer.ip()) == owner(request.peer.ip()));
        }
        let is_full = match source {
            Source::Proven => self.0.len() >= AT_ONCE_MAX,
            _ => self.0.len() >= AT_ONCE_MAX || of_source >= UNPROVEN_MAX,
        };
        if is_full || of_owner >= PER_OWNER_MAX {
            return Some(say(ResponseType::ServiceUnavailable));
        }
        let part = Part {
            payload: Vec::new(),
            begun: now,
            source,
            echo: request.echo().map(<[u8]>::to_vec),
        };
        self.0.insert(key, part);
        None
    }

    fn add(
        &mut self,
        key: Key,
        request: &Request,
        option: u32,
        source: Source,
        now: Instant,
    ) -> Block {
        let (number, szx, is_last) = ((option >> 4) as usize, option & 7, option & 8 == 0);
        let (size, payload) = (16usize << szx, request.payload());
        let (start, end) = (number * size, number * size + payload.len());
        let incomplete = || say(ResponseType::RequestEntityIncomplete);
        let Entry::Occupied(mut entry) = self.0.entry(key) else {
            return incomplete();
        };
        let part = entry.get_mut();
        if is_over(part, now) {
            return incomplete();
        }
        let is_here = !is_last && end <= part.payload.len();
        let fits = match is_here {
            true => part.payload[start..end] == *payload,
            false => part.payload.len() == start,
        };
        let refused = if payload.len() > size || (!is_last && payload.len() != size) {
            Some(say(ResponseType::BadRequest))
        } else if !fits {
            Some(incomplete())
        } else if end > WHOLE_MAX {
            Some(too_large())
        } else {
            None
        };
        if let Some(refused) = refused {
            if may_remove(source, part) {
                entry.remove();
            }
            return refused;
        }
        if !is_here {
            part.payload.extend_from_slice(payload);
        }
        if is_last {
            return Block::Last(entry.remove());
        }
        let answer = Answer::from(ResponseType::Continue);
        Block::Answered(answer.with_number(CoapOption::Block1, option))
    }
}

/// Whether a block from this source may remove the blocks that are here.
fn may_remove(source: Source, part: &Part) -> bool {
    source != Source::Unproven && source >= part.source
}

fn is_over(part: &Part, now: Instant) -> bool {
    now.saturating_duration_since(part.begun) > LIFETIME
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coap::message::{read, Message};
    use coap_lite::{MessageClass, Packet, RequestType};

    fn block(
        last: u8,
        path: &str,
        (number, more, szx): (u32, bool, u32),
        length: usize,
    ) -> Request {
        let mut packet = Packet::new();
        packet.header.code = MessageClass::Request(RequestType::Post);
        packet.add_option(CoapOption::UriPath, path.as_bytes().to_vec());
        let option = number << 4 | u32::from(more) << 3 | szx;
        packet.add_option(CoapOption::Block1, option.to_be_bytes().to_vec());
        packet.payload = vec![number as u8 + 1; length];
        let peer = SocketAddr::from(([10, 0, 0, last], 5));
        match read(&packet.to_bytes().unwrap(), peer) {
            Message::Request(request) => request,
            other => panic!("{other:?}"),
        }
    }

    fn step(
        assembly: &mut Assembly,
        request: Request,
        now: Instant,
    ) -> Result<Vec<u8>, ResponseType> {
        take(assembly, request, Source::Proven, now)
    }

    fn take(
        assembly: &mut Assembly,
        request: Request,
        source: Source,
        now: Instant,
    ) -> Result<Vec<u8>, ResponseType> {
        match assembly.take(request, source, now) {
            Step::Whole(request) => Ok(request.payload().to_vec()),
            Step::Say(_, answer) => Err(answer.code),
            Step::Prove(_) => Err(ResponseType::Unauthorized),
        }
    }

    #[test]
    fn blocks_make_the_whole_each_of_them_taken_once() {
        let now = Instant::now();
        let mut assembly = Assembly::default();
        let mut take = |number, more, length| {
            let of = block(1, "a", (number, more, 0), length);
            step(&mut assembly, of, now)
        };
        assert_eq!(take(0, true, 16), Err(ResponseType::Continue));
        assert_eq!(take(1, true, 16), Err(ResponseType::Continue));
        assert_eq!(take(1, true, 16), Err(ResponseType::Continue));
        let whole = [[1; 16], [2; 16]].concat();
        assert_eq!(take(2, false, 3), Ok([&whole[..], &[3; 3]].concat()));
        assert_eq!(
            take(2, false, 3),
            Err(ResponseType::RequestEntityIncomplete)
        );
        assert_eq!(take(0, false, 3), Ok(vec![1; 3]));
        assert!(assembly.0.is_empty());
    }

    #[test]
    fn what_does_not_fit_is_refused_and_forgotten() {
        for (option, length, code) in [
            ((1, true, 0), 15, ResponseType::BadRequest),
            ((1, false, 0), 17, ResponseType::BadRequest),
            ((1, true, 7), 16, ResponseType::BadRequest),
            ((2, true, 0), 16, ResponseType::RequestEntityIncomplete),
            ((2, false, 0), 1, ResponseType::RequestEntityIncomplete),
            (
                (1 << 19, false, 6),
                1,
                ResponseType::RequestEntityIncomplete,
            ),
        ] {
            let now = Instant::now();
            let mut assembly = Assembly::default();
            let first = block(1, "a", (0, true, 0), 16);
            assert_eq!(step(&mut assembly, first, now), Err(ResponseType::Continue));
            let wrong = block(1, "a", option, length);
            assert_eq!(step(&mut assembly, wrong, now), Err(code), "{option:?}");
        }
    }

    #[test]
    fn a_whole_has_so_many_bytes_and_a_minute() {
        let now = Instant::now();
        let mut assembly = Assembly::default();
        for number in 0..4 {
            let of = block(1, "a", (number, true, 6), 1024);
            assert_eq!(step(&mut assembly, of, now), Err(ResponseType::Continue));
        }
        let more = block(1, "a", (4, false, 6), 1);
        let large = ResponseType::RequestEntityTooLarge;
        assert_eq!(step(&mut assembly, more, now), Err(large));
        assert!(assembly.0.is_empty());
        let first = block(1, "a", (0, true, 0), 16);
        assert_eq!(step(&mut assembly, first, now), Err(ResponseType::Continue));
        let late = block(1, "a", (1, false, 0), 1);
        let later = now + LIFETIME + Duration::from_millis(1);
        let code = ResponseType::RequestEntityIncomplete;
        assert_eq!(step(&mut assembly, late, later), Err(code));
    }

    #[test]
    fn one_owner_and_all_together_have_so_many_at_a_time() {
        let now = Instant::now();
        let mut assembly = Assembly::default();
        for last in 0..=(AT_ONCE_MAX / PER_OWNER_MAX) as u8 {
            for number in 0..=PER_OWNER_MAX {
                let of = block(last, &number.to_string(), (0, true, 0), 16);
                let is_full = number == PER_OWNER_MAX || assembly.0.len() == AT_ONCE_MAX;
                let code = match is_full {
                    true => ResponseType::ServiceUnavailable,
                    false => ResponseType::Continue,
                };
                assert_eq!(step(&mut assembly, of, now), Err(code));
            }
        }
        assert_eq!(assembly.0.len(), AT_ONCE_MAX);
        let later = now + LIFETIME + Duration::from_millis(1);
        let of = block(1, "new", (0, true, 0), 16);
        assert_eq!(step(&mut assembly, of, later), Err(ResponseType::Continue));
        assert_eq!(assembly.0.len(), 1);
    }

    #[test]
    fn nothing_is_kept_for_whom_did_not_prove_an_address() {
        let mut assembly = Assembly::default();
        let first = block(1, "a", (0, true, 0), 16);
        let taken = take(&mut assembly, first, Source::Unproven, Instant::now());
        assert_eq!(taken, Err(ResponseType::Unauthorized));
        assert!(assembly.0.is_empty());
    }

    /// Another sender, in the name of the peer.
    #[test]
    fn who_proves_nothing_takes_nothing_away() {
        let incomplete = Err(ResponseType::RequestEntityIncomplete);
        for (option, length, said) in [
            ((0, true, 0), 16, Err(ResponseType::Unauthorized)),
            ((0, false, 0), 16, Ok(vec![1; 16])),
            ((1, true, 0), 15, Err(ResponseType::BadRequest)),
            ((2, true, 0), 16, incomplete.clone()),
            ((3, false, 0), 1, incomplete),
        ] {
            let now = Instant::now();
            let mut assembly = Assembly::default();
            let first = block(1, "a", (0, true, 0), 16);
            assert_eq!(step(&mut assembly, first, now), Err(ResponseType::Continue));
            let foreign = block(1, "a", option, length);
            let taken = take(&mut assembly, foreign, Source::Unproven, now);
            assert_eq!(taken, said);
            // Also where a setting accepts requests without a proof.
            let foreign = block(1, "a", option, length);
            let taken = take(&mut assembly, foreign, Source::Accepted, now);
            assert_eq!(taken, said);
            let last = block(1, "a", (1, false, 0), 1);
            let whole = take(&mut assembly, last, Source::Unproven, now);
            assert_eq!(whole.unwrap().len(), 17);
        }
    }

    #[test]
    fn requests_without_a_proof_have_a_quarter_of_the_room() {
        let now = Instant::now();
        let mut assembly = Assembly::default();
        let mut begin = |last: usize, path: usize, source| {
            let of = block(last as u8, &path.to_string(), (0, true, 0), 16);
            take(&mut assembly, of, source, now)
        };
        let full = Err(ResponseType::ServiceUnavailable);
        let begun = Err(ResponseType::Continue);
        for number in 0..UNPROVEN_MAX {
            let (last, path) = (number / PER_OWNER_MAX, number % PER_OWNER_MAX);
            assert_eq!(begin(last, path, Source::Accepted), begun);
        }
        assert_eq!(begin(99, 0, Source::Accepted), full);
        // The owner in whose name eight came still has its own eight.
        for number in UNPROVEN_MAX..AT_ONCE_MAX {
            let last = (number - UNPROVEN_MAX) / PER_OWNER_MAX;
            assert_eq!(begin(last, number, Source::Proven), begun);
        }
        assert_eq!(begin(99, 1, Source::Proven), full);
        // A peer that begins anew, now with a proof, begins only one.
        let mut assembly = Assembly::default();
        for source in [Source::Accepted, Source::Proven, Source::Proven] {
            let first = block(1, "a", (0, true, 0), 16);
            assert_eq!(take(&mut assembly, first, source, now), begun);
            assert_eq!(assembly.0.len(), 1);
        }
        // A proof is good for a minute, also against requests without one.
        let later = now + LIFETIME + Duration::from_millis(1);
        let first = block(1, "a", (0, true, 0), 16);
        assert_eq!(take(&mut assembly, first, Source::Accepted, later), begun);
    }

    #[test]
    fn another_block_in_the_place_of_one_is_said_and_taken_from_nobody() {
        let now = Instant::now();
        let mut assembly = Assembly::default();
        for number in 0..2 {
            let of = block(1, "a", (number, true, 0), 16);
            assert_eq!(step(&mut assembly, of, now), Err(ResponseType::Continue));
        }
        // Which of both is the peer's own is not known.
        for (source, left) in [(Source::Unproven, 1), (Source::Proven, 0)] {
            let mut other = block(1, "a", (1, true, 0), 16);
            other = other.with_whole(vec![9; 16], None);
            let said = take(&mut assembly, other, source, now);
            assert_eq!(said, Err(ResponseType::RequestEntityIncomplete));
            assert_eq!(assembly.0.len(), left);
        }
    }
}
