// SPDX-License-Identifier: Apache-2.0
//! Clients that look for a server ask a group (RFC 7252, section 8; RFC 9176, section
//! 4.1). All of it hear the request, so only those answer that have the resource, none
//! reports an error, and each waits for a while of its own.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, MessageType, RequestType, ResponseType};
use ring::rand::{SecureRandom, SystemRandom};

use super::engine::{Clock, Datagram, Engine};
use super::limits::Verdict;
use super::resources::well_known;
use crate::coap::message::{self, Message};
use crate::coap::{block, format, Answer, Request};
use crate::store::Log;

/// For how long an answer waits at most (DEFAULT_LEISURE).
const LEISURE: Duration = Duration::from_secs(5);

/// How many answers wait, and how many of them for one address. To any client, and in
/// the name of any peer, no more than about a hundred answers a second are sent.
const WAITING_MAX: usize = 256;
const WAITING_PER_ADDRESS_MAX: usize = 8;

/// Answers that wait.
#[derive(Default)]
pub(super) struct Waiting {
    all: Vec<(Instant, Datagram)>,
}

impl Waiting {
    /// Whether there is room for an answer to this peer, and none waits: a client that
    /// asks several groups gets one answer.
    fn has_room_for(&self, peer: SocketAddr) -> bool {
        let peers = self.all.iter().map(|(_, (peer, _))| *peer);
        let of_address = |ip: IpAddr| peers.clone().filter(|one| one.ip() == ip).count();
        self.all.len() < WAITING_MAX
            && of_address(peer.ip()) < WAITING_PER_ADDRESS_MAX
            && !peers.clone().any(|one| one == peer)
    }

    /// Lets an answer wait for a part of the leisure, out of 65,536.
    fn add(&mut self, answer: Datagram, part: u16, now: Instant) {
        self.all
            .push((now + LEISURE * part.into() / 65_536, answer));
    }

    /// The answers that have waited long enough.
    pub fn due(&mut self, now: Instant) -> Vec<Datagram> {
        let (due, waiting) = std::mem::take(&mut self.all)
            .into_iter()
            .partition(|(at, _)| *at <= now);
        self.all = waiting;
        let due: Vec<(Instant, Datagram)> = due;
        due.into_iter().map(|(_, answer)| answer).collect()
    }
}

impl<L: Log> Engine<L> {
    /// Takes what was sent to a group. The answer comes with the tick.
    pub fn hear(&mut self, datagrams: &[Datagram], now: Clock) {
        for (peer, datagram) in datagrams {
            if self.limits.take(*peer, now.instant) != Verdict::Serve {
                continue;
            }
            let Message::Request(request) = message::read(datagram, *peer) else {
                continue;
            };
            let Some(answer) = answer(&request).filter(|_| self.waiting.has_room_for(*peer)) else {
                continue;
            };
            let id = self.volatile.next_id();
            let answer = answer.message(MessageType::NonConfirmable, id, request.token());
            let mut part = [0; 2];
            let is_drawn = SystemRandom::new().fill(&mut part).is_ok();
            if is_drawn && answer.len() <= Self::room(&request) {
                let part = u16::from_be_bytes(part);
                self.waiting.add((*peer, answer), part, now.instant);
            }
        }
    }
}

/// The answer of a member of a group: nothing if the request is not for resources of a
/// type, or there are none is of that type. If all matched, the answer would be too
/// long for a peer without proof.
fn answer(request: &Request) -> Option<Answer> {
    let block2 = request.number(CoapOption::Block2);
    let is_question = request.method == RequestType::Get
        && request.path()? == [".well-known", "core"]
        && !request.is_confirmable()
        && request.bad_option().is_none()
        && block::is_sound(block2)
        && !block::is_later(block2);
    let query = request.query()?;
    let answer = match query.as_slice() {
        [("rt", _)] if is_question => block::cut(well_known(&query), block2),
        _ => return None,
    };
    let is_wanted = answer.code == ResponseType::Content
        && !answer.payload.is_empty()
        && request.accepts(Some(format::LINKS))
        && !request.unwanted().has(answer.code);
    is_wanted.then_some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: [(u16, &[u8]); 2] = [(11, b".well-known"), (11, b"core")];

    /// A request with these options behind those of the path.
    fn request(first: u8, code: u8, options: &[(u16, &[u8])]) -> Request {
        let mut datagram = vec![first, code, 0, 1];
        let mut last = 0;
        for (number, value) in PATH.iter().chain(options) {
            datagram.push(((number - last) << 4) as u8 | value.len().min(13) as u8);
            datagram.extend((value.len() >= 13).then(|| value.len() as u8 - 13));
            datagram.extend(*value);
            last = *number;
        }
        match message::read(&datagram, ([192, 0, 2, 1], 5683).into()) {
            Message::Request(request) => request,
            other => panic!("{other:?}"),
        }
    }

    fn said(first: u8, code: u8, options: &[(u16, &[u8])]) -> Option<String> {
        let answer = answer(&request(first, code, options))?;
        String::from_utf8(answer.payload).ok()
    }

    #[test]
    fn who_looks_for_a_directory_is_told_where_it_is() {
        let rd = "</rd>;rt=\"core.rd\";ct=\"40 18\"";
        assert_eq!(said(0x50, 1, &[(15, b"rt=core.rd")]).unwrap(), rd);
        let all = said(0x50, 1, &[(15, b"rt=core.rd*")]).unwrap();
        assert!(all.starts_with(rd) && all.matches("core.rd-lookup-").count() == 2);
    }

    #[test]
    fn everything_else_is_answered_by_silence() {
        let rd: (u16, &[u8]) = (15, b"rt=core.rd");
        assert!(said(0x50, 1, &[rd]).is_some());
        assert!(said(0x40, 1, &[rd]).is_none()); // to be confirmed: nobody may ask a group that way
        assert!(said(0x50, 2, &[rd]).is_none());
        for options in [
            vec![],
            vec![(11, b"rd".as_slice()), rd],
            vec![(15, b"rt=core.nobody")],
            vec![(15, b"rt=core.ps.data")],
            vec![(15, b"if=core.rd")],
            vec![rd, (15, b"ep=a")],
            vec![rd, (17, &[60])],   // Accept
            vec![rd, (23, &[0x16])], // a later block
            vec![rd, (23, &[7])],
        ] {
            assert!(said(0x50, 1, &options).is_none(), "{options:?}");
        }
    }

    #[test]
    fn answers_wait_for_the_leisure_at_most_and_are_given_once() {
        let mut waiting = Waiting::default();
        let now = Instant::now();
        let peer = |port| SocketAddr::from(([192, 0, 2, 1], port));
        waiting.add((peer(1), vec![1]), 0, now);
        waiting.add((peer(2), vec![2]), 32_768, now);
        waiting.add((peer(3), vec![3]), 65_535, now);
        let half = LEISURE / 2;
        assert_eq!(waiting.due(now), [(peer(1), vec![1])]);
        assert!(waiting
            .due(now + half - Duration::from_millis(1))
            .is_empty());
        assert_eq!(waiting.due(now + half), [(peer(2), vec![2])]);
        assert_eq!(waiting.due(now + LEISURE), [(peer(3), vec![3])]);
        assert!(waiting.due(now + 2 * LEISURE).is_empty());
    }

    #[test]
    fn a_peer_waits_once_and_neither_an_address_nor_all_take_all_room() {
        let mut waiting = Waiting::default();
        let now = Instant::now();
        let mut count = |peer: SocketAddr| {
            let has_room = waiting.has_room_for(peer);
            if has_room {
                waiting.add((peer, vec![]), 0, now);
            }
            usize::from(has_room)
        };
        let of_one: usize = (0..100)
            .map(|port| count(([192, 0, 2, 1], port).into()))
            .sum();
        assert_eq!(of_one, WAITING_PER_ADDRESS_MAX);
        assert_eq!(
            count(([192, 0, 2, 2], 1).into()) + count(([192, 0, 2, 2], 1).into()),
            1
        );
        let of_all: usize = (0..10_000u32)
            .map(|number| count(((0x0a00_0000 + number).to_be_bytes(), 1).into()))
            .sum();
        assert_eq!(of_one + 1 + of_all, WAITING_MAX);
    }
}
