// SPDX-License-Identifier: Apache-2.0
//! Whatever arrives, the engine answers or is silent, and its state stays what was verified. The datagrams are
//! sound ones with a few changes, so that all depths of the parsers are reached; they are the same in each run.

use std::net::SocketAddr;

use corral_fleet::broker::topics;
use corral_fleet::fleet::Fleet;
use corral_fleet::server::{udp, Engine};
use corral_fleet::store::{AppendError, Entry, Log, Refused, StoreError};
use corral_fleet::verify::{senml, Identity, Sign1, Statement};

const VECTORS: &str = include_str!("../../../tests/fleet/vectors.json");
const ROUNDS: usize = 200_000;

/// A log in memory, that can be full.
#[derive(Default)]
struct Memory(Vec<Entry>, bool);

impl Log for Memory {
    fn append(&mut self, expected: u64, entries: &[Entry]) -> Result<u64, AppendError> {
        if self.1 {
            return Err(AppendError::Failed(StoreError("full".to_string())));
        }
        if expected != self.0.len() as u64 {
            return Err(AppendError::Moved);
        }
        self.0.extend_from_slice(entries);
        Ok(self.0.len() as u64)
    }

    fn read(&mut self, position: u64, limit: usize) -> Result<Vec<(u64, Entry)>, StoreError> {
        let behind = self
            .0
            .iter()
            .enumerate()
            .skip(position as usize)
            .take(limit);
        Ok(behind
            .map(|(at, entry)| (at as u64 + 1, entry.clone()))
            .collect())
    }

    fn keep_refused(&mut self, _: &[Refused]) -> Result<(), StoreError> {
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
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn registered() -> (Fleet<Memory>, Identity) {
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let mut fleet = Fleet::open(Memory::default()).unwrap();
    fleet.enrol(identity, "", "", 1);
    let nonce = vector("registration_nonce");
    assert!(
        fleet
            .register(&vector("registration"), &nonce, 2)
            .unwrap()
            .is_new
    );
    fleet.commit().unwrap();
    (fleet, identity)
}

#[test]
fn vectors_of_the_reference_are_what_they_should_be() {
    let (fleet, identity) = registered();
    let device = fleet.state().device(&identity).unwrap();
    assert_eq!(
        (device.highest, device.statement.kind.as_str()),
        (65_538, "thermometer")
    );
    assert_eq!(topics::find(fleet.state(), "0"), Some(identity));
    let registration = vector("registration_of_member");
    let statement = Statement::parse(Sign1::parse(&registration).unwrap().payload).unwrap();
    assert_eq!(statement.identity().0.to_vec(), vector("ed25519_identity"));
    assert_eq!(
        statement.group_identity().unwrap().0.to_vec(),
        vector("group_identity")
    );
    assert_eq!(statement.links, "</t>;rt=\"temperature\"");
}

#[test]
fn a_failed_append_takes_everything_back() {
    let identity = "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap();
    let mut fleet = Fleet::open(Memory::default()).unwrap();
    fleet.enrol(identity, "", "", 1);
    fleet
        .register(&vector("registration"), &vector("registration_nonce"), 2)
        .unwrap();
    // Somebody else appends meanwhile.
    let other = Entry {
        at: 3,
        identity,
        act: corral_fleet::store::Act::Revoked,
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
        "registration",
        "handover",
        "command",
    ]
    .map(vector);
    let (mut fleet, identity) = registered();
    for _ in 0..ROUNDS {
        let mut object = objects[draw.next(objects.len())].clone();
        draw.change(&mut object);
        if objects.contains(&object) {
            continue;
        }
        let _ = fleet.read(&identity, &object, 3);
        let _ = fleet.register(&object, &vector("registration_nonce"), 3);
        let _ = senml::parse(&object);
        if let Ok(parsed) = Sign1::parse(&object) {
            let _ = Statement::parse(parsed.payload);
        }
    }
    assert!(fleet.accepted().is_empty());
}

#[test]
fn damaged_datagrams_are_answered_or_not_but_never_believed() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let (fleet, identity) = registered();
    let mut engine = Engine::new(fleet, 0, udp::clock().instant).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 9));
    let head = |code, path: &[&str]| {
        let mut datagram = vec![0x44, code, 0, 0, 1, 2, 3, 4];
        for (at, segment) in path.iter().enumerate() {
            datagram.push(if at == 0 { 0xb0 } else { 0 } | segment.len() as u8);
            datagram.extend_from_slice(segment.as_bytes());
        }
        datagram
    };
    let with = |mut datagram: Vec<u8>, payload: &str| {
        datagram.extend_from_slice(&[0x11, 18, 0xff]);
        datagram.extend(vector(payload));
        datagram
    };
    let sound = [
        with(head(3, &["d", "0"]), "reading_low"),
        with(head(3, &["d", "0"]), "reading_full"),
        with(head(2, &["reg"]), "registration"),
        with(head(2, &["rd"]), "registration"),
        head(1, &["ps"]),
        head(1, &["ps", "0"]),
        head(1, &["d", "0"]),
        head(1, &["rd-lookup", "ep"]),
        head(1, &["rd-lookup", "res"]),
    ];
    for _ in 0..ROUNDS / 10 {
        let mut datagram = sound[draw.next(sound.len())].clone();
        draw.change(&mut datagram);
        let sent = datagram.len();
        let answers = engine.batch(&[(peer, datagram)], udp::clock()).unwrap();
        assert!(answers.len() <= 1);
        assert!(answers
            .iter()
            .all(|(_, answer)| answer.len() + 42 <= 3 * (sent + 42)));
    }
    assert_eq!(engine.state().device(&identity).unwrap().highest, 65_538);
}

#[test]
fn a_flood_is_answered_a_little_and_others_are_served() {
    let (fleet, _) = registered();
    let mut engine = Engine::new(fleet, 10, udp::clock().instant).unwrap();
    let [flood, honest] = [1, 2].map(|last| SocketAddr::from(([10, 0, 0, last], 5)));
    let request = b"\x40\x01\x00\x00\xb2ps".to_vec();
    let datagrams: Vec<_> = (0..1000)
        .map(|at| (if at % 100 == 0 { honest } else { flood }, request.clone()))
        .collect();
    let answers = engine.batch(&datagrams, udp::clock()).unwrap();
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
    let nonce = vector("registration_nonce");
    fleet.log().1 = true;
    assert!(fleet
        .register(&vector("registration_of_member"), &nonce, 2)
        .is_ok());
    assert!(matches!(fleet.commit(), Err(AppendError::Failed(_))));
    assert!(fleet.state().device(&identity).is_none());
    fleet.log().1 = false;
    assert!(
        fleet
            .register(&vector("registration_of_member"), &nonce, 2)
            .unwrap()
            .is_new
    );
    fleet.commit().unwrap();
}
