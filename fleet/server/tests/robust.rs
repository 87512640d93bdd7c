// SPDX-License-Identifier: Apache-2.0
//! Whatever arrives, the engine answers or is silent, and its state stays what was verified. The datagrams are
//! sound ones with a few changes, so that all depths of the parsers are reached; they are the same in each run.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use corral_fleet::broker::topics;
use corral_fleet::fleet::{Accepted, Fleet};
use corral_fleet::server::{questions, udp, Clock, Engine};
use corral_fleet::store::mailbox::{Asked, Letter, Mailbox, Ticket};
use corral_fleet::store::{Act, AppendError, Entry, Linked, Log, Refused, StoreError, Stored};
use corral_fleet::verify::digits::unhex;
use corral_fleet::verify::{bundle, senml, Challenge, Identity, Sign1, Statement};

const VECTORS: &str = include_str!("../../../tests/fleet/vectors.json");
const ROUNDS: usize = 200_000;

/// Faults of a log in memory.
#[derive(Clone, Copy, Default, PartialEq)]
enum Fault {
    #[default]
    None,
    Full,
    /// Another process is faster: always, or once.
    Others,
    OthersOnce,
    /// An entry that was read before cannot be read again.
    Unreadable,
}

/// A log in memory, that can fail.
#[derive(Default)]
struct Memory(Vec<Entry>, Rc<Cell<Fault>>);

impl Log for Memory {
    fn append(&mut self, expected: u64, entries: &[Linked]) -> Result<u64, AppendError> {
        match self.1.get() {
            Fault::None | Fault::Unreadable => {}
            Fault::Full => return Err(AppendError::Failed(StoreError("full".to_string()))),
            Fault::Others => return Err(AppendError::Moved),
            Fault::OthersOnce => {
                self.1.set(Fault::None);
                return Err(AppendError::Moved);
            }
        }
        if expected != self.0.len() as u64 {
            return Err(AppendError::Moved);
        }
        self.0.extend(entries.iter().map(|one| one.entry.clone()));
        Ok(self.0.len() as u64)
    }

    fn read(&mut self, position: u64, limit: usize) -> Result<Vec<Stored>, StoreError> {
        if self.1.get() == Fault::Unreadable && position < self.0.len() as u64 {
            return Err(StoreError("unreadable".to_string()));
        }
        let behind = self
            .0
            .iter()
            .enumerate()
            .skip(position as usize)
            .take(limit);
        Ok(behind
            .map(|(at, entry)| (at as u64 + 1, Ok(entry.clone())))
            .collect())
    }

    fn keep_refused(&mut self, _: &[Refused]) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The published command waits for its result, and nothing else is ever kept.
impl Mailbox for Memory {
    fn letter(&mut self, _: &Identity, _: u64) -> Result<Option<Letter>, StoreError> {
        Ok(Some(Letter {
            command: Some(vector("command")),
            ..Letter::default()
        }))
    }

    fn keep_asked(&mut self, _: &Identity, _: &Ticket, it: &Asked) -> Result<bool, StoreError> {
        panic!("{it:?} answers another challenge");
    }

    fn keep_result(
        &mut self,
        device: &Identity,
        _: &Ticket,
        result: &[u8],
    ) -> Result<(), StoreError> {
        assert_eq!(device.0.to_vec(), vector("p256_identity"));
        let (sound, kept) = (vector("result"), Sign1::parse(result).unwrap());
        assert!(kept.is_same_as(&Sign1::parse(&sound).unwrap()));
        Ok(())
    }
}

/// Numbers that repeat in each run (xorshift).
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.next(3) {
            let at = self.next(bytes.len().max(1));
            match self.next(5) {
                0 => bytes.truncate(at),
                1 if at < bytes.len() => bytes[at] ^= 1 << self.next(8),
                2 if at < bytes.len() => bytes[at] = [0, 0xff, 0x1b, 0x7f, 0x80][self.next(5)],
                3 => bytes.insert(at.min(bytes.len()), self.next(256) as u8),
                _ if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => {}
            }
        }
    }
}

fn vector(name: &str) -> Vec<u8> {
    let (_, rest) = VECTORS.split_once(&format!("\"{name}\": \"")).unwrap();
    let (digits, _) = rest.split_once('"').unwrap();
    unhex(digits).unwrap()
}

/// The challenge of the vectors, at the broker.
fn answered() -> Challenge {
    Challenge::of_broker(&vector("registration_nonce"))
}

/// At the directory.
fn entered() -> Challenge {
    let query = ["ep=ae31580c8def1fbf0dd5ed28b72fb79b"];
    Challenge::of_directory(&vector("registration_nonce"), &query)
}

fn registered() -> (Fleet<Memory>, Identity) {
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let mut fleet = Fleet::open(Memory::default()).unwrap();
    fleet.enrol(identity, "", "", 1);
    assert!(
        fleet
            .register(&vector("registration"), answered(), 2)
            .unwrap()
            .is_new
    );
    fleet.commit().unwrap();
    (fleet, identity)
}

/// A device that registered so long ago that the readings of the vectors are new.
fn expected() -> Fleet<Memory> {
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let (place, purpose) = (String::new(), String::new());
    let registered = Act::Registered {
        sequence: 65_536,
        challenge: answered(),
        object: vector("registration"),
        address: None,
    };
    let entry = |act| Entry {
        identity,
        at: 1,
        act,
    };
    let entries = [Act::Enrolled { place, purpose }, registered].map(entry);
    Fleet::open(Memory(entries.to_vec(), Rc::default())).unwrap()
}

/// A request with an ID, options (number and value, ascending) and a payload.
fn request(code: u8, id: u8, options: &[(u16, &[u8])], payload: &[u8]) -> Vec<u8> {
    let mut datagram = vec![0x44, code, 0, id, 1, 2, 3, 4];
    let mut last = 0;
    let extended = |value: u16| match value {
        0..13 => (value as u8, None),
        _ => (13, Some((value - 13) as u8)),
    };
    for (number, value) in options {
        let (delta, more) = extended(number - last);
        let (length, longer) = extended(value.len() as u16);
        datagram.push(delta << 4 | length);
        datagram.extend(more.into_iter().chain(longer));
        datagram.extend_from_slice(value);
        last = *number;
    }
    if !payload.is_empty() {
        datagram.push(0xff);
        datagram.extend_from_slice(payload);
    }
    datagram
}

const GET: u8 = 1;
const POST: u8 = 2;
const PUT: u8 = 3;
const DELETE: u8 = 4;
const FETCH: u8 = 5;
const IPATCH: u8 = 7;
const OBSERVE: u16 = 6;
const PATH: u16 = 11;
const FORMAT: u16 = 12;
const QUERY: u16 = 15;
const BLOCK2: u16 = 23;
const ECHO: u16 = 252;
const NO_RESPONSE: u16 = 258;

/// A challenge for the peer.
fn challenge(engine: &mut Engine<Memory>, peer: SocketAddr) -> Vec<u8> {
    challenge_at(engine, peer, udp::clock())
}

/// One of that time, to which its request is counted, too.
fn challenge_at(engine: &mut Engine<Memory>, peer: SocketAddr, now: Clock) -> Vec<u8> {
    let ask = request(POST, 0, &[(PATH, b"reg")], b"");
    let answers = engine.batch(&[(peer, ask)], now);
    let answer = &answers[0].1;
    answer[answer.len() - 12..].to_vec()
}

fn codes(answers: &[(SocketAddr, Vec<u8>)]) -> Vec<u8> {
    answers.iter().map(|(_, answer)| answer[1]).collect()
}

#[test]
fn a_batch_that_is_not_permanent_says_so_to_all_of_it() {
    let mut fleet = expected();
    let fault = fleet.log().1.clone();
    let mut engine = Engine::new(fleet, 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), (FORMAT, &[18])];
    let reading = vector("reading_full");
    let batch = [
        (peer, request(PUT, 1, &topic, &reading)),
        (peer, request(PUT, 2, &topic, &reading)),
        (peer, request(GET, 3, &topic[..2], b"")),
    ];
    for wrong in [Fault::Full, Fault::Others] {
        fault.set(wrong);
        let answers = engine.batch(&batch, udp::clock());
        assert_eq!(codes(&answers), [0xa3, 0xa3, 0xa3]);
        fault.set(Fault::None);
        engine.batch(&batch[2..], udp::clock());
        assert!(!engine.is_well());
    }
    assert_eq!(engine.counts().requests, 8);
    assert_eq!(engine.counts().readings, 0);
    fault.set(Fault::OthersOnce);
    let answers = engine.batch(&batch, udp::clock());
    assert_eq!(codes(&answers), [0x41, 0x44, 0x45]);
    assert_eq!(engine.counts().readings, 1);
    assert!(engine.is_well());
}

#[test]
fn who_is_told_that_nothing_is_permanent_observes_nothing() {
    let mut fleet = expected();
    let fault = fleet.log().1.clone();
    let mut engine = Engine::new(fleet, 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let proof = challenge(&mut engine, peer);
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), (FORMAT, &[18])];
    let observe = [(OBSERVE, &b""[..]), topic[0], topic[1], (ECHO, &proof)];
    let batch = [
        (peer, request(PUT, 1, &topic, &vector("reading_full"))),
        (peer, request(GET, 2, &observe, b"")),
    ];
    fault.set(Fault::Full);
    assert_eq!(codes(&engine.batch(&batch, udp::clock())), [0xa3, 0xa3]);
    assert_eq!(engine.sizes().observations, 0);
    fault.set(Fault::None);
    let answers = engine.batch(&batch, udp::clock());
    assert_eq!(codes(&answers), [0x41, 0x45, 0x45]);
    assert_eq!(engine.sizes().observations, 1);
}

#[test]
fn who_comes_while_the_log_cannot_be_read_is_neither_refused_nor_kept_observing() {
    let mut fleet = expected();
    let fault = fleet.log().1.clone();
    let mut engine = Engine::new(fleet, 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let echo = challenge(&mut engine, peer);
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), (FORMAT, &[18])];
    let observe = [(OBSERVE, &b""[..]), topic[0], topic[1], (ECHO, &echo)];
    let ignore = [(OBSERVE, &[1][..]), topic[0], topic[1]];
    let bundle: [(u16, &[u8]); 3] = [(PATH, b"bundle"), (FORMAT, &[63]), (ECHO, &echo)];
    let reading = vector("reading_full");
    let mut said = |id, code, options: &[(u16, &[u8])], payload: &[u8]| {
        let request = (peer, request(code, id, options, payload));
        let codes = codes(&engine.batch(&[request], udp::clock()));
        let refused = engine.counts().refused.len();
        (codes, refused, engine.sizes().observations)
    };
    assert_eq!(said(1, PUT, &topic, &reading), (vec![0x41], 0, 0));
    assert_eq!(said(2, GET, &observe, b""), (vec![0x45], 0, 1));
    fault.set(Fault::Unreadable);
    // The newest reading comes once more, directly and by others.
    assert_eq!(said(3, PUT, &topic, &reading), (vec![0xa3], 0, 1));
    assert_eq!(said(4, POST, &bundle, &bundled()), (vec![0xa3], 0, 1));
    // The token is that of the observer (RFC 7641, section 3.6).
    assert_eq!(said(5, GET, &ignore, b""), (vec![0xa3], 0, 0));
    fault.set(Fault::None);
    assert_eq!(said(6, PUT, &topic, &reading), (vec![0x44], 0, 0));
    assert_eq!(said(7, POST, &bundle, &bundled()), (vec![0x44], 0, 0));
}

#[test]
fn questions_that_take_long_wait_for_one_another_and_not_a_batch_for_all() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let (asker, questions) = questions::channel().unwrap();
    let (done, answered) = mpsc::channel();
    for number in 0..3 {
        let done = done.clone();
        let question = move |_: &mut Engine<Memory>| {
            thread::sleep(Duration::from_millis(100));
            done.send(number).unwrap();
        };
        asker.put(Box::new(question)).unwrap();
    }
    for turn in 0..3 {
        questions.answer(&mut engine);
        assert_eq!(answered.try_iter().collect::<Vec<_>>(), [turn]);
    }
}

#[test]
fn what_came_twice_is_done_once() {
    let mut fleet = expected();
    let fault = fleet.log().1.clone();
    let mut engine = Engine::new(fleet, 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let echo = challenge(&mut engine, peer);
    let options = [(PATH, &b"rd"[..]), (QUERY, b"ep=a"), (ECHO, &echo)];
    let register = (peer, request(POST, 1, &options, b"</x>"));
    let answers = engine.batch(&[register.clone(), register.clone()], udp::clock());
    assert_eq!(codes(&answers), [0x41]);
    assert_eq!(engine.batch(&[register], udp::clock()), answers);
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), (FORMAT, &[18])];
    let options = [(PATH, &b"rd"[..]), (PATH, b"1"), (ECHO, &echo)];
    let remove = (peer, request(DELETE, 2, &options, b""));
    let read = (peer, request(PUT, 3, &topic, &vector("reading_low")));
    // Others appended, so that all is decided anew.
    fault.set(Fault::OthersOnce);
    let answers = engine.batch(&[remove.clone(), remove.clone(), read], udp::clock());
    assert_eq!(codes(&answers), [0x42, 0x41]);
    // The same number with another token is another request.
    let mut other = remove.1;
    other[4] ^= 1;
    let answers = engine.batch(&[(peer, other)], udp::clock());
    assert_eq!(codes(&answers), [0x84]);
}

#[test]
fn what_is_answered_by_no_word_is_done_once_too() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let proof = challenge(&mut engine, peer);
    // {0: "a", 2: "core.ps.data"}
    let properties = b"\xa2\x00\x61a\x02\x6ccore.ps.data";
    let proven = [(PATH, &b"ps"[..]), (FORMAT, &[2, 94]), (ECHO, &proof)];
    let options = [&proven[..], &[(NO_RESPONSE, &[2])]].concat();
    let mut create = request(POST, 1, &options, properties);
    create[0] |= 0x10; // not confirmable
    for _ in 0..2 {
        assert_eq!(engine.batch(&[(peer, create.clone())], udp::clock()), []);
        assert_eq!(engine.sizes().topics, 1);
    }
    create[3] += 1;
    let another = engine.batch(&[(peer, create)], udp::clock());
    assert_eq!(codes(&another), [0x80]);
}

/// Searches are charged: one address cannot keep the others waiting.
#[test]
fn a_lookup_compares_little_and_is_charged_for_what_it_looks_at() {
    let mut engine = Engine::new(expected(), 10, udp::clock().instant).unwrap();
    let now = udp::clock();
    let [owner, other] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
    let [proof, proof_of_other] = [owner, other].map(|peer| challenge_at(&mut engine, peer, now));
    let links = vec!["</>;a;b"; 32].join(",");
    for id in 1..=8 {
        let name = format!("ep={id}");
        let options = [(PATH, &b"rd"[..]), (QUERY, name.as_bytes()), (ECHO, &proof)];
        let register = (owner, request(POST, id, &options, links.as_bytes()));
        assert_eq!(codes(&engine.batch(&[register], now)), [0x41]);
    }
    let mut ask = |peer: SocketAddr, proof: &[u8], criteria: &[&[u8]], times: usize| {
        let mut options = vec![(PATH, &b"rd-lookup"[..]), (PATH, b"ep")];
        options.extend(criteria.iter().map(|one| (QUERY, *one)));
        options.push((ECHO, proof));
        let asked = (peer, request(GET, 9, &options, b""));
        codes(&engine.batch(&vec![asked; times], now))
    };
    assert_eq!(ask(owner, &proof, &[&b"a"[..]; 9], 1), [0x80]);
    // Each of these takes as much as nine requests, of which 30 are left.
    let answers: Vec<_> = (0..6)
        .map(|_| ask(owner, &proof, &[&b"a"[..]; 8], 1))
        .collect();
    assert_eq!(answers.concat(), [0x45, 0x45, 0x45, 0x45, 0x9d]);
    // Of those that came at once the first ones are answered.
    let answers = ask(other, &proof_of_other, &[&b"a"[..]; 8], 20);
    assert_eq!(answers[..3], [0x45; 3]);
    assert_eq!(answers[3..], [0x9d; 17]);
}

#[test]
fn a_lookup_that_is_decided_anew_is_charged_for_once() {
    let mut fleet = expected();
    let fault = fleet.log().1.clone();
    let mut engine = Engine::new(fleet, 10, udp::clock().instant).unwrap();
    let now = after(udp::clock(), 20); // no challenge is of later
    for number in 1..=8 {
        enter(&mut engine, number, &vec!["</>;a;b"; 32].join(","), now);
    }
    let peer = SocketAddr::from(([10, 0, 0, 1], 5));
    let proof = challenge_at(&mut engine, peer, now);
    // Each of these takes as much as eight more requests, of which 35 are left.
    let asked = |id| look_up((peer, &proof), id, "ep", &[&b"a"[..]; 8], &[]);
    let mut batch = [1, 2, 3].map(asked).to_vec();
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), (FORMAT, &[18])];
    batch.push((peer, request(PUT, 4, &topic, &vector("reading_full"))));
    fault.set(Fault::OthersOnce);
    let answers = engine.batch(&batch, now);
    assert_eq!(codes(&answers), [0x45, 0x45, 0x45, 0x41]);
    let more = engine.batch(&[5, 6, 7, 8].map(asked), now);
    assert_eq!(codes(&more), [0x45, 0x9d, 0x9d, 0x9d]);
}

/// All peers without a proof share 100 lookups a second, and 400 at once.
#[test]
fn lookups_without_a_proof_that_are_decided_anew_are_charged_for_once() {
    let mut fleet = expected();
    let fault = fleet.log().1.clone();
    let now = after(udp::clock(), 20); // no challenge is of later
    let mut engine = Engine::new(fleet, 0, now.instant).unwrap();
    for number in 1..=8 {
        enter(&mut engine, number, &vec!["</>;a;b"; 32].join(","), now);
    }
    let publisher = SocketAddr::from(([10, 0, 0, 1], 5));
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), (FORMAT, &[18])];
    let asked = |port| {
        let options = [(PATH, &b"rd-lookup"[..]), (PATH, b"ep"), (QUERY, b"a")];
        let peer = SocketAddr::from(([10, 0, 0, 2], port));
        (peer, request(GET, 9, &options, b""))
    };
    let served = |engine: &mut Engine<Memory>, ports: std::ops::Range<u16>| {
        let answers = ports.map(|port| codes(&engine.batch(&[asked(port)], now))[0]);
        answers.filter(|code| *code == 0x45).count()
    };
    let mut control = Engine::new(expected(), 0, now.instant).unwrap();
    for number in 1..=8 {
        enter(&mut control, number, &vec!["</>;a;b"; 32].join(","), now);
    }
    let whole = served(&mut control, 0..500);
    assert!((50..400).contains(&whole), "{whole}");
    let mut batch: Vec<_> = (0..30).map(asked).collect();
    batch.push((publisher, request(PUT, 4, &topic, &vector("reading_full"))));
    fault.set(Fault::OthersOnce);
    let answers = engine.batch(&batch, now);
    assert_eq!(codes(&answers), [vec![0x45; 30], vec![0x41]].concat());
    assert_eq!(served(&mut engine, 30..500), whole - 30);
}

/// A publisher is charged for its observers, and pays nothing for a rejected publication.
#[test]
fn a_publication_is_charged_for_who_observes_if_it_is_taken() {
    let mut engine = Engine::new(expected(), 10, udp::clock().instant).unwrap();
    let now = udp::clock();
    let [owner, other] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
    let [proof, proof_of_other] = [owner, other].map(|peer| challenge_at(&mut engine, peer, now));
    // {0: "a", 2: "core.ps.data", 3: 0}
    let properties = b"\xa3\x00\x61a\x02\x6ccore.ps.data\x03\x00";
    let options = [(PATH, &b"ps"[..]), (FORMAT, &[2, 94]), (ECHO, &proof)];
    let made = engine.batch(&[(owner, request(POST, 1, &options, properties))], now);
    assert_eq!(codes(&made), [0x41]);
    let text = String::from_utf8_lossy(&made[0].1).into_owned();
    let segment = &text[text.find("t1-").unwrap()..][..11];
    let data = [(PATH, &b"d"[..]), (PATH, segment.as_bytes())];
    let publish = |id: u8, format: u8, times: usize| {
        let format = [format];
        let options = [&data[..], &[(FORMAT, &format), (ECHO, &proof)]].concat();
        vec![(owner, request(PUT, id, &options, b"x")); times]
    };
    assert_eq!(codes(&engine.batch(&publish(2, 0, 1), now)), [0x41]);
    for port in 0..8 {
        // Eight sockets of each of eight addresses: four requests' worth of notifications.
        for last in 10..18 {
            let peer = SocketAddr::from(([10, 0, 0, last], port));
            let proof = challenge_at(&mut engine, peer, now);
            let options = [&[(OBSERVE, &b""[..])], &data[..], &[(ECHO, &proof)]].concat();
            let answers = engine.batch(&[(peer, request(GET, 3, &options, b""))], now);
            assert_eq!(codes(&answers), [0x45]);
        }
    }
    assert_eq!(engine.sizes().observations, 64);
    let asked = |engine: &mut Engine<Memory>, peer, proof: &[u8], left: usize| {
        let options = [(PATH, &b"ps"[..]), (ECHO, proof)];
        let answers = engine.batch(&vec![(peer, request(GET, 4, &options, b"")); left + 1], now);
        let codes = codes(&answers);
        codes.iter().filter(|code| **code == 0x45).count()
    };
    // Of 40 requests the other one made one.
    assert_eq!(asked(&mut engine, other, &proof_of_other, 39), 39);
    // The owner made three and six; one publication that is taken costs five, and one that is refused one.
    assert_eq!(engine.batch(&publish(5, 0, 1), now).len(), 65);
    assert_eq!(codes(&engine.batch(&publish(6, 60, 5), now)), [0x8f; 5]);
    assert_eq!(asked(&mut engine, owner, &proof, 40), 27);
}

/// The clock, so many seconds later.
fn after(now: Clock, seconds: u64) -> Clock {
    Clock {
        instant: now.instant + Duration::from_secs(seconds),
        unix: now.unix + 1000 * seconds,
    }
}

#[test]
fn who_observes_a_lookup_is_told_what_expired_once() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let [owner, watcher] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
    let [proof, proof_of_watcher] = [owner, watcher].map(|peer| challenge(&mut engine, peer));
    let now = udp::clock();
    let options = [
        (PATH, &b"rd"[..]),
        (QUERY, b"ep=a"),
        (QUERY, b"lt=30"),
        (ECHO, &proof),
    ];
    let entered = engine.batch(&[(owner, request(POST, 1, &options, b"</x>"))], now);
    assert_eq!(codes(&entered), [0x41]);
    let options = [
        (OBSERVE, &b""[..]),
        (PATH, b"rd-lookup"),
        (PATH, b"ep"),
        (ECHO, &proof_of_watcher),
    ];
    let observed = request(GET, 2, &options, b"");
    let first = engine.batch(&[(watcher, observed.clone())], now);
    assert_eq!(codes(&first), [0x45]);
    assert!(String::from_utf8_lossy(&first[0].1).contains("ep=\"a\""));
    // A repeated observation brings no further notifications.
    engine.batch(&[(watcher, observed)], now);
    for seconds in 1..30 {
        assert_eq!(engine.tick(after(now, seconds)), []);
    }
    let told = engine.tick(after(now, 30));
    assert_eq!((codes(&told), told[0].0), (vec![0x45], watcher));
    assert!(!String::from_utf8_lossy(&told[0].1).contains("ep="));
    for seconds in 31..4000 {
        assert_eq!(engine.tick(after(now, seconds)), []);
    }
}

/// RFC 7641, section 4.5: else who is gone holds its place for as long as nothing changes.
#[test]
fn who_observes_what_does_not_change_shows_once_a_day_that_it_is_there() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let now = after(udp::clock(), 20); // no challenge is of later
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), (FORMAT, &[18])];
    let [there, gone] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
    let read = (there, request(PUT, 1, &topic, &vector("reading_full")));
    engine.batch(&[read], now);
    for peer in [there, gone] {
        let proof = challenge(&mut engine, peer);
        let observe = [(OBSERVE, &b""[..])];
        let data = [&observe[..], &topic[..2], &[(ECHO, &proof)]].concat();
        let mut data = request(GET, 2, &data, b"");
        data[4] = 9; // another token
        let lookup = look_up((peer, &proof), 3, "ep", &[], &observe);
        let answers = engine.batch(&[(peer, data), lookup], now);
        assert_eq!(codes(&answers), [0x45; 2]);
    }
    assert_eq!(engine.tick(after(now, 86_400)), []);
    let mut asked = 0;
    for seconds in 86_401..86_500 {
        for (peer, datagram) in engine.tick(after(now, seconds)) {
            assert_eq!((datagram[0], datagram[1]), (0x44, 0x45), "confirmable");
            if peer == there {
                asked += 1;
                let acknowledgement = vec![0x60, 0, datagram[2], datagram[3]];
                engine.batch(&[(peer, acknowledgement)], after(now, seconds));
            }
        }
    }
    assert_eq!((asked, engine.sizes().observations), (2, 2));
}

/// RFC 7967: the answer is sent only to peers that want it.
#[test]
fn a_simple_registration_is_answered_unless_that_is_not_wanted() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([10, 0, 0, 1], 5));
    let proof = challenge(&mut engine, peer);
    let cases = [
        (&[0], "</x>", &[0x44][..]),
        (&[2], "</x>", &[]),
        (&[2], "nonsense", &[0xa2]),
    ];
    for (id, (unwanted, links, told)) in (1..).zip(cases) {
        let well_known = [(PATH, &b".well-known"[..]), (PATH, b"rd")];
        let proven = [(QUERY, &b"ep=a"[..]), (ECHO, &proof)];
        let options = [&well_known[..], &proven, &[(NO_RESPONSE, unwanted)]].concat();
        let asked = engine.batch(&[(peer, request(POST, id, &options, b""))], udp::clock());
        assert_eq!(codes(&asked), [0, GET]);
        let token = &asked[1].1[4..12];
        let answer = [b"\x58\x45\0\x09", token, b"\xc1\x28\xff", links.as_bytes()].concat();
        let answers = engine.batch(&[(peer, answer)], udp::clock());
        assert_eq!(codes(&answers), told);
    }
    assert_eq!(engine.sizes().endpoints, 1);
}

/// A request for the endpoints, or for links, with these arguments besides.
fn look_up(
    (peer, proof): (SocketAddr, &[u8]),
    id: u8,
    what: &'static str,
    arguments: &[&[u8]],
    more: &[(u16, &[u8])],
) -> (SocketAddr, Vec<u8>) {
    let mut options = vec![(PATH, &b"rd-lookup"[..]), (PATH, what.as_bytes())];
    options.extend(arguments.iter().map(|one| (QUERY, *one)));
    options.extend(more);
    options.push((ECHO, proof));
    options.sort_by_key(|(number, _)| *number);
    (peer, request(GET, id, &options, b""))
}

/// Enters an endpoint of that number with these links; gives what that makes the server send to others.
fn enter(
    engine: &mut Engine<Memory>,
    number: u8,
    links: &str,
    now: Clock,
) -> Vec<(SocketAddr, Vec<u8>)> {
    let peer = SocketAddr::from(([10, 0, 9, 1], 5));
    let proof = challenge(engine, peer);
    let name = format!("ep=e{number}");
    let options = [(PATH, &b"rd"[..]), (QUERY, name.as_bytes()), (ECHO, &proof)];
    let entered = request(POST, number, &options, links.as_bytes());
    let mut answers = engine.batch(&[(peer, entered)], now);
    assert_eq!(answers.remove(0).1[1], 0x41);
    answers
}

#[test]
fn who_observes_a_lookup_that_takes_long_has_its_turn_after_the_others() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let now = after(udp::clock(), 20); // no challenge is of later
    let links = vec!["</>;a;b"; 32].join(",");
    for number in 1..=32 {
        enter(&mut engine, number, &links, now);
    }
    // So many that one second, after which the first are due again, is too short for all.
    let watchers: Vec<_> = (0..15)
        .map(|last| SocketAddr::from(([10, 0, 1, last], 5)))
        .collect();
    for watcher in &watchers {
        let proof = challenge(&mut engine, *watcher);
        let observe = [(OBSERVE, &b""[..])];
        let asked = look_up((*watcher, &proof), 9, "ep", &[&b"a"[..]; 8], &observe);
        assert_eq!(codes(&engine.batch(&[asked], now)), [0x45]);
    }
    let mut told = BTreeMap::new();
    for turn in 0..30u8 {
        let at = Clock {
            instant: now.instant + Duration::from_millis(1000 + 100 * u64::from(turn)),
            ..now
        };
        let sent = enter(&mut engine, 100 + turn, &links, at);
        for (peer, _) in sent.into_iter().chain(engine.tick(at)) {
            *told.entry(peer).or_insert(0) += 1;
        }
    }
    let times: Vec<usize> = watchers
        .iter()
        .map(|watcher| told.get(watcher).copied().unwrap_or(0))
        .collect();
    assert!(times.iter().all(|times| *times > 0), "{times:?}");
}

#[test]
fn one_owner_leaves_lookups_to_observe_to_others() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let now = after(udp::clock(), 20); // no challenge is of later
    let is_observed = |answers: &[(SocketAddr, Vec<u8>)]| answers[0].1[8] >> 4 == 6;
    let mut observed = 0;
    let (taker, other) = ([10, 0, 0, 1], [10, 0, 0, 2]);
    for (address, ports) in [(taker, 0..500), (other, 0..1)] {
        for port in ports {
            let peer = SocketAddr::from((address, port));
            let proof = challenge(&mut engine, peer);
            let observe = [(OBSERVE, &b""[..])];
            let asked = look_up((peer, &proof), 1, "ep", &[], &observe);
            observed += usize::from(is_observed(&engine.batch(&[asked], now)));
        }
    }
    assert_eq!(observed, 101);
}

/// RFC 7641, section 4.1.
#[test]
fn another_lookup_by_the_same_token_is_observed_instead_even_if_no_more_may_be() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let now = after(udp::clock(), 20); // no challenge is of later
    let peers: Vec<_> = (0..100)
        .map(|port| SocketAddr::from(([10, 0, 0, 1], port)))
        .collect();
    let asked = |engine: &mut Engine<Memory>, peer, id, what| {
        let proof = challenge(engine, peer);
        let asked = look_up((peer, &proof), id, what, &[], &[(OBSERVE, b"")]);
        engine.batch(&[asked], now)
    };
    for peer in &peers {
        asked(&mut engine, *peer, 1, "ep");
    }
    assert_eq!(asked(&mut engine, peers[0], 2, "res")[0].1[8] >> 4, 6);
    assert_eq!(engine.sizes().observations, 100);
    let told = enter(&mut engine, 1, "</x>", after(now, 2));
    let told: Vec<_> = told.iter().filter(|(peer, _)| *peer == peers[0]).collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].1.ends_with(b"/x>"));
}

#[test]
fn what_was_found_is_kept_for_its_peer_whatever_another_looks_up() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let now = after(udp::clock(), 20); // no challenge is of later
    enter(&mut engine, 1, "</x>;rt=\"temperature\"", now);
    let [peer, other] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
    let [proof, proof_of_other] = [peer, other].map(|peer| challenge(&mut engine, peer));
    let mut block = |number: u8, id: u8| {
        let block2 = [number << 4];
        let block2 = [(BLOCK2, &block2[..])];
        let answers = engine.batch(&[look_up((peer, &proof), id, "ep", &[], &block2)], now);
        if number == 0 {
            for number in 1..=100u8 {
                let count = format!("count={number}");
                let asked = look_up(
                    (other, &proof_of_other),
                    number,
                    "ep",
                    &[b"page=0", count.as_bytes()],
                    &[(BLOCK2, b"")],
                );
                assert_eq!(codes(&engine.batch(&[asked], now)), [0x45]);
            }
            enter(&mut engine, 2, "</y>", now);
        }
        assert_eq!((answers[0].1[1], answers[0].1[8]), (0x45, 0x44));
        answers[0].1[9..13].to_vec()
    };
    let first = block(0, 1);
    assert_eq!(block(1, 2), first);
}

/// An attacker can send in the name of many addresses, and in the name of the peer itself.
#[test]
fn results_of_a_peer_with_a_proof_outlast_lookups_without_one() {
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let now = after(udp::clock(), 20); // no challenge is of later
    enter(&mut engine, 1, "</x>;rt=\"temperature\"", now);
    let peer = SocketAddr::from(([10, 0, 0, 1], 5));
    let proof = challenge(&mut engine, peer);
    let of_block = |engine: &mut Engine<Memory>, number: u8| {
        let block2 = [number << 4];
        let block2 = [(BLOCK2, &block2[..])];
        let asked = look_up((peer, &proof), number, "ep", &[], &block2);
        let answer = engine.batch(&[asked], now).remove(0).1;
        assert_eq!((answer[1], answer[8]), (0x45, 0x44));
        answer[9..13].to_vec()
    };
    let first = of_block(&mut engine, 0);
    enter(&mut engine, 2, "</y>", now);
    let block2 = [(PATH, &b"rd-lookup"[..]), (PATH, b"ep"), (BLOCK2, b"")];
    let forged = request(GET, 9, &block2, b"");
    let others = (0..200).map(|last| SocketAddr::from(([10, 0, 1, last], 5)));
    for source in others.chain([peer]) {
        let answers = engine.batch(&[(source, forged.clone())], now);
        assert_eq!(codes(&answers), [0x45]);
    }
    assert_eq!(of_block(&mut engine, 1), first);
    // A peer without a proof gets later blocks of one state, too.
    let stranger = SocketAddr::from(([10, 0, 2, 1], 5));
    let ask = |engine: &mut Engine<Memory>, number: u8| {
        let block2 = [number << 4];
        let block2 = [(PATH, &b"rd-lookup"[..]), (PATH, b"ep"), (BLOCK2, &block2)];
        let asked = request(GET, number, &block2, b"");
        let answer = engine.batch(&[(stranger, asked)], now).remove(0).1;
        assert_eq!((answer[1], answer[8]), (0x45, 0x44));
        answer[9..13].to_vec()
    };
    let first = ask(&mut engine, 0);
    enter(&mut engine, 3, "</z>", now);
    assert_eq!(ask(&mut engine, 1), first);
}

/// `serve --without-echo` is only for plain registrations at the directory.
#[test]
fn without_echo_only_plain_registrations_need_no_proof() {
    const BLOCK1: u16 = 27;
    let peer = SocketAddr::from(([10, 0, 0, 1], 5));
    let signed = vector("registration");
    let rd = |more: &[(u16, &'static [u8])]| {
        let options = [(PATH, &b"rd"[..]), (QUERY, b"ep=plain")];
        let mut options = [&options[..], more].concat();
        options.sort_by_key(|(number, _)| *number);
        options
    };
    let at = |path: &[&'static str], more: &[(u16, &'static [u8])]| {
        let mut options: Vec<_> = path.iter().map(|one| (PATH, one.as_bytes())).collect();
        options.extend(more);
        options.sort_by_key(|(number, _)| *number);
        options
    };
    let block = (BLOCK1, &[0x08][..]);
    let cose = (FORMAT, &[18][..]);
    let (created, more, proof) = (0x41, 0x5f, 0x81);
    let plain: &[u8] = b"</>;if=mine12345";
    for (method, options, payload, code) in [
        (POST, rd(&[]), plain, created),
        (POST, rd(&[(FORMAT, &[40])]), plain, created),
        (POST, rd(&[block]), &plain[..16], more),
        // A device proves its address, whole or in blocks.
        (POST, rd(&[cose]), &signed, proof),
        (POST, rd(&[cose]), b"", proof),
        (POST, rd(&[cose, block]), &signed[..16], proof),
        (POST, at(&["reg"], &[cose]), b"", proof),
        (POST, at(&["reg"], &[cose, block]), &signed[..16], proof),
        (POST, at(&["bundle"], &[block]), &signed[..16], proof),
        (POST, at(&["bundle"], &[]), &signed, proof),
        // The server would ask this address for its links.
        (
            POST,
            at(&[".well-known", "rd"], &[(QUERY, b"ep=a")]),
            b"",
            proof,
        ),
        (POST, at(&["ps"], &[]), b"\xa0", proof),
        (GET, at(&["rd-lookup", "ep"], &[(OBSERVE, b"")]), b"", proof),
    ] {
        let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
        engine.take_unproven();
        let asked = request(method, 1, &options, payload);
        let answers = engine.batch(&[(peer, asked.clone())], udp::clock());
        assert_eq!(codes(&answers), [code], "{options:?}");
        // Without the setting each of these needs a proof.
        let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
        let answers = engine.batch(&[(peer, asked)], udp::clock());
        assert_eq!(codes(&answers), [proof], "{options:?}");
    }
}

#[test]
fn a_flood_of_pings_is_answered_a_little() {
    let mut engine = Engine::new(expected(), 10, udp::clock().instant).unwrap();
    let ping = (SocketAddr::from(([10, 0, 0, 1], 5)), b"\x40\0\0\0".to_vec());
    assert_eq!(engine.batch(&vec![ping; 1000], udp::clock()).len(), 40);
}

#[test]
fn vectors_of_the_reference_are_what_they_should_be() {
    let (fleet, identity) = registered();
    let device = fleet.state().device(&identity).unwrap();
    assert_eq!((device.highest, &*device.kind), (65_538, "thermometer"));
    assert_eq!(topics::find(fleet.state(), "0-b79b"), Some(identity));
    let registration = vector("registration_of_member");
    let statement = Statement::parse(Sign1::parse(&registration).unwrap().payload()).unwrap();
    assert_eq!(statement.identity().0.to_vec(), vector("ed25519_identity"));
    assert_eq!(
        statement.group_identity().unwrap().0.to_vec(),
        vector("group_identity")
    );
    assert_eq!(statement.links, "</t>;rt=\"temperature\"");
}

#[test]
fn the_newest_reading_is_there_before_it_is_permanent_and_after_and_not_if_it_failed() {
    let mut fleet = expected();
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let sound = vector("reading_full");
    assert!(fleet.latest(&identity).unwrap().is_none());
    let fault = fleet.log().1.clone();
    fault.set(Fault::Full);
    fleet.read(&identity, &sound, 2).unwrap();
    let newest = Some((65_537, Sign1::parse(&sound).unwrap().bare.to_vec()));
    assert_eq!(fleet.latest(&identity).unwrap(), newest);
    assert!(fleet.commit().is_err());
    assert!(fleet.latest(&identity).unwrap().is_none());
    fault.set(Fault::None);
    // Others come before it in the log, and in the same batch.
    fleet.enrol(Identity([1; 16]), "here", "for this", 2);
    fleet.commit().unwrap();
    fleet.enrol(Identity([2; 16]), "", "", 2);
    fleet.read(&identity, &sound, 2).unwrap();
    assert_eq!(fleet.latest(&identity).unwrap(), newest);
    fleet.commit().unwrap();
    fleet.enrol(Identity([3; 16]), "", "", 2);
    assert_eq!(fleet.latest(&identity).unwrap(), newest);
    let again = fleet.read(&identity, &sound, 3).unwrap();
    assert_eq!(again, Accepted::Repeated);
    let enrolled = fleet.state().enrolment(&Identity([1; 16])).unwrap();
    assert_eq!((enrolled.place(), enrolled.purpose()), ("here", "for this"));
    let entries = std::mem::take(&mut fleet.log().0);
    // A log with another entry in that place reports an error.
    assert!(fleet.latest(&identity).is_err());
    let mut again = Fleet::open(Memory(entries, Rc::default())).unwrap();
    assert_eq!(again.latest(&identity).unwrap(), newest);
}

#[test]
fn a_failed_append_takes_everything_back() {
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let mut fleet = Fleet::open(Memory::default()).unwrap();
    fleet.enrol(identity, "", "", 1);
    fleet
        .register(&vector("registration"), answered(), 2)
        .unwrap();
    // Another process appends meanwhile.
    let other = Entry {
        at: 3,
        identity,
        act: Act::Revoked,
    };
    fleet.log().0.push(other);
    assert!(matches!(fleet.commit(), Err(AppendError::Moved)));
    assert!(fleet.state().device(&identity).is_none());
    assert!(fleet.state().enrolment(&identity).is_none());
    assert!(fleet.state().identity_of(0).is_none());
    fleet.catch_up().unwrap();
    assert!(fleet.state().is_revoked(&identity));
}

#[test]
fn damaged_objects_are_refused_and_never_change_the_state() {
    let mut draw = Draw(0x2545_f491_4f6c_dd1d);
    let objects = [
        "reading_low",
        "reading_full",
        "jws",
        "registration",
        "directory",
        "handover",
        "command",
        "senml",
    ]
    .map(vector);
    let mut fleet = expected();
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    for _ in 0..ROUNDS {
        let mut object = objects[draw.next(objects.len())].clone();
        draw.change(&mut object);
        // With its tag it is the same object.
        let bare = object.strip_prefix(&[0xd2]).unwrap_or(&object);
        if objects.iter().any(|sound| sound == bare) {
            continue;
        }
        let _ = fleet.read(&identity, &object, 3);
        let _ = fleet.register(&object, answered(), 3);
        let _ = fleet.register(&object, entered(), 3);
        let _ = senml::parse(&object);
        if let Ok(parsed) = Sign1::parse(&object) {
            let _ = Statement::parse(parsed.payload());
        }
    }
    assert!(fleet.accepted().is_empty());
}

#[test]
fn damaged_datagrams_are_answered_or_not_but_never_believed() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let identity: Identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let readings = ["reading_low", "reading_full"].map(vector);
    let mut accepted = 0;
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let mut echo = challenge(&mut engine, peer);
    for _ in 0..ROUNDS / 10 {
        let sound = sound(&echo);
        let mut datagram = sound[draw.next(sound.len())].clone();
        draw.change(&mut datagram);
        let sent = datagram.len();
        let is_proven = datagram.windows(echo.len()).any(|part| part == echo);
        let answers = engine.batch(&[(peer, datagram)], udp::clock());
        assert!(answers.len() <= 1);
        assert!(answers
            .iter()
            .all(|(_, answer)| is_proven || answer.len() + 42 <= 3 * (sent + 42)));
        if let Some((_, latest)) = engine.latest(&identity).unwrap() {
            // The change was not in the object; the next one finds the device unchanged.
            assert!(readings.iter().any(|sound| sound[..] == latest[..]));
            accepted += 1;
            engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
            echo = challenge(&mut engine, peer);
        } else {
            let device = engine.state().device(&identity).unwrap();
            assert_eq!(device.highest, 65_536);
        }
    }
    assert!(accepted > 0);
}

/// Requests that are sound, with a challenge that is good.
fn sound(echo: &[u8]) -> Vec<Vec<u8>> {
    let name = b"ep=ae31580c8def1fbf0dd5ed28b72fb79b";
    let proof = (ECHO, echo);
    let format = (FORMAT, &[18][..]);
    let [pubsub, cbor] = [&[2, 94][..], &[60]].map(|format| (FORMAT, format));
    let topic: [(u16, &[u8]); 3] = [(PATH, b"d"), (PATH, b"0-b79b"), format];
    let plain: [(u16, &[u8]); 4] = [(PATH, b"rd"), (FORMAT, &[40]), (QUERY, b"ep=a"), proof];
    let command: [(u16, &[u8]); 3] = [(PATH, b"cmd"), (PATH, &name[3..]), format];
    let lookup = |what| [(PATH, &b"rd-lookup"[..]), (PATH, what), proof];
    vec![
        request(PUT, 0, &topic, &vector("reading_low")),
        request(PUT, 0, &topic, &vector("reading_full")),
        request(
            POST,
            0,
            &[(PATH, b"reg"), format, proof],
            &vector("registration"),
        ),
        request(
            POST,
            0,
            &[(PATH, b"rd"), format, (QUERY, name), proof],
            &vector("directory"),
        ),
        request(POST, 0, &plain, b"</t>;rt=\"x y\";if=s"),
        request(GET, 0, &[(PATH, b"ps")], b""),
        request(GET, 0, &[(PATH, b"ps"), proof], b""),
        request(GET, 0, &[(PATH, b"ps"), (PATH, b"0-b79b")], b""),
        request(GET, 0, &topic[..2], b""),
        request(GET, 0, &lookup(b"ep"), b""),
        request(GET, 0, &lookup(b"res"), b""),
        request(POST, 0, &[command[0], command[1]], b""),
        request(POST, 0, &[command[0], command[1], proof], b""),
        request(
            POST,
            0,
            &[command[0], command[1], format, proof],
            &vector("ask"),
        ),
        request(PUT, 0, &command, &vector("result")),
        request(POST, 0, &[(PATH, b"ps"), pubsub, proof], OPEN),
        request(FETCH, 0, &[(PATH, b"ps"), pubsub, proof], OPEN),
        request(
            FETCH,
            0,
            &[(PATH, b"ps"), topic[1], cbor, proof],
            b"\x81\x04",
        ),
    ]
}

/// The properties of a client's topic: its name is `a`, and its content `x`, of format
/// 0, until 2096.
const OPEN: &[u8] =
    b"\xa5\x00\x61a\x02\x6ccore.ps.data\x03\x00\x05\xc1\x1a\xee\x6b\x28\x00\x08\x41x";

/// Requests to a client's topic, at the path that it was given.
fn sound_at(open: &[u8], echo: &[u8]) -> Vec<Vec<u8>> {
    let proof = (ECHO, echo);
    let at = |first| [(PATH, first), (PATH, open)];
    let [configuration, data] = [at(&b"ps"[..]), at(&b"d"[..])];
    let with = |path: [(u16, &[u8]); 2], code, format: &[u8], payload: &[u8]| {
        request(
            code,
            0,
            &[path[0], path[1], (FORMAT, format), proof],
            payload,
        )
    };
    let observe = [(6, &b""[..]), data[0], data[1], proof];
    vec![
        with(configuration, POST, &[2, 94], OPEN),
        with(configuration, IPATCH, &[2, 94], b"\xa2\x06\x01\x07\x0a"),
        with(configuration, FETCH, &[60], b"\x82\x00\x05"),
        with(data, PUT, &[0], b"y"),
        request(GET, 0, &observe, b""),
        request(DELETE, 0, &[data[0], data[1], proof], b""),
        request(DELETE, 0, &[configuration[0], configuration[1], proof], b""),
    ]
}

/// The last segment of the path of the new resource: the bytes before the next option.
fn segment_of(answer: &[u8]) -> Option<Vec<u8>> {
    let is_path = |at: &usize| answer[*at..].starts_with(b"\x82ps");
    let at = (0..answer.len()).find(is_path)? + 3;
    let length = usize::from(*answer.get(at)?);
    Some(answer.get(at + 1..at + 1 + length)?.to_vec())
}

#[test]
fn damaged_requests_to_open_topics_leave_devices_topics_alone() {
    let mut draw = Draw(0x1234_5678_9abc_def1);
    let peer = SocketAddr::from(([127, 0, 0, 1], 5683));
    let device = expected()
        .state()
        .devices()
        .next()
        .map(|(_, one)| one.highest);
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let echo = challenge(&mut engine, peer);
    let create = request(
        POST,
        0,
        &[(PATH, b"ps"), (FORMAT, &[2, 94]), (ECHO, &echo)],
        OPEN,
    );
    let mut made = 0;
    let mut deleted = 0;
    let mut open = b"t1-00000000".to_vec();
    for round in 0..20_000u16 {
        let mut all = sound_at(&open, &echo);
        all.push(create.clone());
        let mut datagram = all.swap_remove(draw.next(all.len()));
        datagram[2..4].copy_from_slice(&round.to_be_bytes());
        if draw.next(2) == 0 {
            draw.change(&mut datagram);
        }
        for (_, answer) in engine.batch(&[(peer, datagram)], udp::clock()) {
            deleted += usize::from(answer[1] == 0x42);
            if answer[1] == 0x41 {
                if let Some(segment) = segment_of(&answer) {
                    made += 1;
                    open = segment;
                }
            }
        }
        assert!(engine.sizes().topics <= 64);
        assert!(engine.sizes().observations <= 8 * 64);
    }
    assert!(made > 20 && deleted > 20, "{made} {deleted}");
    assert_eq!(
        engine.state().devices().next().map(|(_, one)| one.highest),
        device
    );
}

#[test]
fn a_flood_is_answered_a_little_and_others_are_served() {
    let (fleet, _) = registered();
    let mut engine = Engine::new(fleet, 10, udp::clock().instant).unwrap();
    let [flood, honest] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
    let request = b"\x40\x01\x00\x00\xb2ps\x060-b79b".to_vec();
    let datagrams: Vec<_> = (0..1000)
        .map(|at| (if at % 100 == 0 { honest } else { flood }, request.clone()))
        .collect();
    let answers = engine.batch(&datagrams, udp::clock());
    let codes = |of: SocketAddr, code: u8| {
        answers
            .iter()
            .filter(|(peer, answer)| *peer == of && answer[1] == code)
            .count()
    };
    assert_eq!(
        (codes(flood, 0x45), codes(flood, 0x9d), codes(honest, 0x45)),
        (40, 1, 10)
    );
    assert_eq!(answers.len(), 51);
}

#[test]
fn what_a_full_disk_did_not_take_never_came() {
    let identity = "2e32a15822179160634782442676d65d".parse().unwrap();
    let mut fleet = Fleet::open(Memory::default()).unwrap();
    fleet.enrol(identity, "", "", 1);
    fleet.commit().unwrap();
    fleet.log().1.set(Fault::Full);
    assert!(fleet
        .register(&vector("registration_of_member"), answered(), 2)
        .is_ok());
    assert!(matches!(fleet.commit(), Err(AppendError::Failed(_))));
    assert!(fleet.state().device(&identity).is_none());
    fleet.log().1.set(Fault::None);
    assert!(
        fleet
            .register(&vector("registration_of_member"), answered(), 2)
            .unwrap()
            .is_new
    );
    fleet.commit().unwrap();
}

/// A reading of the vectors in the form of a bundle.
fn bundled() -> Vec<u8> {
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    bundle::item(&vector("reading_full"), &identity, 65_537).unwrap()
}

fn bring(engine: &mut Engine<Memory>, id: u8, peer: SocketAddr, content: &[u8]) -> Vec<u8> {
    let echo = challenge(engine, peer);
    let options: [(u16, &[u8]); 3] = [(PATH, b"bundle"), (FORMAT, &[63]), (ECHO, &echo)];
    codes(&engine.batch(
        &[(peer, request(POST, id, &options, content))],
        udp::clock(),
    ))
}

#[test]
fn a_bundle_that_is_not_permanent_was_never_here_and_one_that_is_counts_once() {
    let mut fleet = expected();
    let fault = fleet.log().1.clone();
    let mut engine = Engine::new(fleet, 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let twice = bundled().repeat(2);
    let echo = challenge(&mut engine, peer);
    fault.set(Fault::Full);
    let options: [(u16, &[u8]); 3] = [(PATH, b"bundle"), (FORMAT, &[63]), (ECHO, &echo)];
    let answers = engine.batch(&[(peer, request(POST, 1, &options, &twice))], udp::clock());
    assert_eq!((codes(&answers), engine.counts().readings), (vec![0xa3], 0));
    fault.set(Fault::OthersOnce);
    let answers = engine.batch(&[(peer, request(POST, 2, &options, &twice))], udp::clock());
    assert_eq!((codes(&answers), engine.counts().readings), (vec![0x44], 1));
    assert_eq!(bring(&mut engine, 3, peer, &twice), [0x44]);
    assert_eq!(engine.counts().readings, 1);
}

#[test]
fn a_bundle_is_charged_for_each_object_and_who_owes_brings_none() {
    let mut engine = Engine::new(expected(), 10, udp::clock().instant).unwrap();
    let (now, peer) = (udp::clock(), SocketAddr::from(([10, 0, 0, 1], 5)));
    let echo = challenge_at(&mut engine, peer, now);
    let options: [(u16, &[u8]); 3] = [(PATH, b"bundle"), (FORMAT, &[63]), (ECHO, &echo)];
    // Of 40 requests these leave 36, 6, and 24 that are owed.
    let contents = [vec![0x80; 30], vec![0x80; 30], bundled()];
    let batch = [1, 2, 3].map(|id| {
        let content = &contents[usize::from(id) - 1];
        (peer, request(POST, id, &options, content))
    });
    let answers = engine.batch(&batch, now);
    assert_eq!(codes(&answers), [0x44, 0x44, 0x9d]);
    assert_eq!(engine.counts().readings, 0);
    // A peer that comes again later is heard, with the same message.
    let answers = engine.batch(&batch[2..], after(now, 4));
    assert_eq!((codes(&answers), engine.counts().readings), (vec![0x44], 1));
}

#[test]
fn damaged_bundles_are_never_believed() {
    let mut draw = Draw(0x1234_5678_9abc_def1);
    let identity: Identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let mut engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
    let (sound, mut accepted) = (bundled(), 0);
    for round in 0..ROUNDS / 20 {
        let mut content = sound.repeat(1 + draw.next(2));
        draw.change(&mut content);
        let peer = SocketAddr::from(([127, 0, 0, 1], 1 + round as u16));
        assert_eq!(bring(&mut engine, 1, peer, &content).len(), 1);
        if let Some((sequence, latest)) = engine.latest(&identity).unwrap() {
            assert_eq!((sequence, &latest[..]), (65_537, &sound[..]));
            accepted += 1;
            engine = Engine::new(expected(), 0, udp::clock().instant).unwrap();
        } else {
            let device = engine.state().device(&identity).unwrap();
            assert_eq!(device.highest, 65_536);
        }
    }
    assert!(accepted > 0);
}
