// SPDX-License-Identifier: Apache-2.0
//! Requests that are larger than a message, put together from their blocks (RFC 7959, section 2.5). What is kept
//! meanwhile is bounded, and kept for nobody who did not prove an address.

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
/// How many of these for one owner of addresses.
const PER_OWNER_MAX: usize = 8;
/// As long as the proof of the address is good that came with the first block.
const LIFETIME: Duration = echo::LIFETIME;

/// The peer, and what its blocks have in common. Who has two such requests at a time tells them apart by
/// Request-Tag (RFC 9175, section 3).
type Key = (SocketAddr, Vec<u8>);

struct Part {
    payload: Vec<u8>,
    begun: Instant,
    /// The proof that came with the first block.
    echo: Option<Vec<u8>>,
}

/// What to do with a block.
pub enum Step {
    /// It was the last one: this is the request.
    Whole(Request),
    /// Something is to be said about it.
    Say(Answer),
}

/// The requests of which not all is here.
#[derive(Default)]
pub struct Assembly(HashMap<Key, Part>);

fn too_large() -> Step {
    let answer = Answer::from(ResponseType::RequestEntityTooLarge);
    Step::Say(answer.with_number(CoapOption::Size1, WHOLE_MAX as u32))
}

fn say(code: ResponseType) -> Step {
    Step::Say(code.into())
}

impl Assembly {
    /// Takes a request that may be a block; `is_proven` says whether it came from where it says. A block that is
    /// here already is not taken twice.
    ///   4.00  it has not the size that it names
    ///   4.08  one before it is missing: it has to begin anew
    ///   4.13  the whole would be larger than [`WHOLE_MAX`]
    ///   5.03  there are too many, here or of this peer
    pub fn take(
        &mut self,
        request: Request,
        is_proven: bool,
        challenge: impl FnOnce() -> Answer,
        now: Instant,
    ) -> Step {
        let Some(option) = request.number(CoapOption::Block1) else {
            return Step::Whole(request);
        };
        let (number, is_last) = ((option >> 4) as usize, option & 8 == 0);
        if !block::is_sound(Some(option)) {
            return say(ResponseType::BadRequest);
        }
        let key = (request.peer, request.in_common());
        if number == 0 {
            // Anybody may send in the name of a peer: what is here goes if the peer itself begins anew.
            if is_proven {
                self.0.remove(&key);
            }
            if is_last {
                return Step::Whole(request);
            }
            if !is_proven {
                return Step::Say(challenge());
            }
            if let Some(refused) = self.begin(key.clone(), &request, now) {
                return refused;
            }
        }
        self.add(key, request, option, now)
    }

    /// Makes a place for one that begins, or says why there is none.
    fn begin(&mut self, key: Key, request: &Request, now: Instant) -> Option<Step> {
        let said = request.number(CoapOption::Size1);
        if said.is_some_and(|size| size as usize > WHOLE_MAX) {
            return Some(too_large());
        }
        self.0.retain(|_, one| !is_over(one, now));
        let is_own = |key: &&Key| owner(key.0.ip()) == owner(request.peer.ip());
        let of_owner = self.0.keys().filter(is_own).count();
        if self.0.len() >= AT_ONCE_MAX || of_owner >= PER_OWNER_MAX {
            return Some(say(ResponseType::ServiceUnavailable));
        }
        let part = Part {
            payload: Vec::new(),
            begun: now,
            echo: request.echo().map(<[u8]>::to_vec),
        };
        self.0.insert(key, part);
        None
    }

    fn add(&mut self, key: Key, request: Request, option: u32, now: Instant) -> Step {
        let (number, szx, is_last) = ((option >> 4) as usize, option & 7, option & 8 == 0);
        let size = 16usize << szx;
        let (start, length) = (number * size, request.payload().len());
        let Some(part) = self.0.get_mut(&key).filter(|one| !is_over(one, now)) else {
            return say(ResponseType::RequestEntityIncomplete);
        };
        let is_here = !is_last && start + length <= part.payload.len();
        let refused = if length > size || (!is_last && length != size) {
            Some(say(ResponseType::BadRequest))
        } else if !is_here && start != part.payload.len() {
            Some(say(ResponseType::RequestEntityIncomplete))
        } else if start + length > WHOLE_MAX {
            Some(too_large())
        } else {
            None
        };
        if let Some(refused) = refused {
            self.0.remove(&key);
            return refused;
        }
        if !is_here {
            part.payload.extend_from_slice(request.payload());
        }
        match is_last {
            false => {
                let answer = Answer::from(ResponseType::Continue);
                Step::Say(answer.with_number(CoapOption::Block1, option))
            }
            true => {
                let part = self.0.remove(&key);
                Step::Whole(part.map_or(request.clone(), |part| {
                    request.with_whole(part.payload, part.echo)
                }))
            }
        }
    }
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
        match assembly.take(request, true, || panic!(), now) {
            Step::Whole(request) => Ok(request.payload().to_vec()),
            Step::Say(answer) => Err(answer.code),
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
        let challenge = || ResponseType::Unauthorized.into();
        let step = assembly.take(first, false, challenge, Instant::now());
        assert!(matches!(step, Step::Say(answer) if answer.code == ResponseType::Unauthorized));
        assert!(assembly.0.is_empty());
    }
    #[test]
    fn who_proves_nothing_takes_nothing_away() {
        for more in [true, false] {
            let now = Instant::now();
            let mut assembly = Assembly::default();
            let first = block(1, "a", (0, true, 0), 16);
            assert_eq!(step(&mut assembly, first, now), Err(ResponseType::Continue));
            // Somebody else, in the name of the peer.
            let foreign = block(1, "a", (0, more, 0), 16);
            assembly.take(foreign, false, || ResponseType::Unauthorized.into(), now);
            let last = block(1, "a", (1, false, 0), 1);
            assert_eq!(step(&mut assembly, last, now).unwrap().len(), 17);
        }
    }
}
