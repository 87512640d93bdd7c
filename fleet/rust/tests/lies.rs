// SPDX-License-Identifier: Apache-2.0
//! Messages of a directory and a broker, and their effects. Both are a thread here with scripted
//! answers; the objects are the protocol's worked examples.

use std::future::Future;
use std::net::{SocketAddr, UdpSocket};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use coap_lite::{CoapOption, MessageClass, MessageType, Packet, RequestType, ResponseType};
use corral_fleet_verify::client::{Client, Error};
use corral_fleet_verify::digits::unhex;
use corral_fleet_verify::pubsub::CONTENT_MAX;
use corral_fleet_verify::senml::Value;
use corral_fleet_verify::{base64url, bundle, cbor, Device, Identity, PublicKey, Refusal, Sign1};

const VECTORS: &str = include_str!("../../../tests/fleet/vectors.json");
const ECHO: CoapOption = CoapOption::Unknown(252);
const SEQUENCE: u64 = 65_537;
const LOOKUPS: &str = "</e>;rt=\"core.rd-lookup-ep\",</r>;rt=\"core.rd-lookup-res\"";

fn text(name: &str) -> String {
    let vectors: serde_json::Value = serde_json::from_str(VECTORS).unwrap();
    vectors[name].as_str().unwrap().to_string()
}

fn vector(name: &str) -> Vec<u8> {
    unhex(&text(name)).unwrap()
}

fn thermometer() -> Identity {
    text("p256_identity").parse().unwrap()
}

/// The device as one knows it who read its key in its own hand.
fn device() -> Device {
    let key = PublicKey::read(&cbor::parse(&vector("p256_cose_key")).unwrap()).unwrap();
    Device::new(thermometer(), key, "thermometer", None).unwrap()
}

fn entry(key: &[u8]) -> String {
    let (name, key) = (thermometer(), base64url::encode(key));
    format!("</rd/1>;ep=\"{name}\";pk=\"{key}\";kd=\"thermometer\"")
}

/// The answers of the servers at each path.
#[derive(Clone)]
struct Says {
    endpoint: String,
    objects: Vec<Vec<u8>>,
    /// The places of these among all notifications.
    places: Vec<u8>,
    block: usize,
}

impl Says {
    fn the_truth() -> Self {
        Says {
            endpoint: entry(&vector("p256_cose_key")),
            objects: vec![vector("reading_full")],
            places: Vec::new(),
            block: 16,
        }
    }

    fn reading(object: Vec<u8>) -> Self {
        Says {
            objects: vec![object],
            ..Says::the_truth()
        }
    }

    /// Answers until the test is over.
    fn serve(self) -> SocketAddr {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        thread::spawn(move || self.answer_all(&socket));
        address
    }

    fn answer_all(mut self, socket: &UdpSocket) {
        let mut buffer = [0; 2048];
        loop {
            let (length, peer) = socket.recv_from(&mut buffer).unwrap();
            let request = Packet::from_bytes(&buffer[..length]).unwrap();
            let is_request = request.header.code == MessageClass::Request(RequestType::Get);
            if is_request {
                // Datagrams that are no CoAP, answer no request, or are incomplete come first.
                for junk in [
                    &b"\x41"[..],
                    b"\x80\x45\x00\x00",
                    b"\x51\x45\x00\x00\x07",
                    b"\x4f\x45\x00\x00",
                ] {
                    socket.send_to(junk, peer).unwrap();
                }
                for answer in self.answers(&request) {
                    socket.send_to(&answer.to_bytes().unwrap(), peer).unwrap();
                }
            }
        }
    }

    fn answers(&mut self, request: &Packet) -> Vec<Packet> {
        let mut answer = Packet::new();
        answer.header.set_type(MessageType::Acknowledgement);
        answer.header.message_id = request.header.message_id;
        answer.set_token(request.get_token().to_vec());
        let mut code = ResponseType::Content;
        let path = request.get_option(CoapOption::UriPath).unwrap();
        let links = match path.front().unwrap().as_slice() {
            _ if request.get_first_option(ECHO).is_none() => {
                code = ResponseType::Unauthorized;
                answer.add_option(ECHO, b"challenge".to_vec());
                String::new()
            }
            b".well-known" => LOOKUPS.to_string(),
            b"e" => self.endpoint.clone(),
            b"r" => "</d/0-b79b>;rt=\"core.ps.data\"".to_string(),
            _ => {
                return self.readings(&answer, request);
            }
        };
        answer.header.code = MessageClass::Response(code);
        self.cut(&mut answer, links.as_bytes(), request);
        vec![answer]
    }

    /// A block of it; of all but the last the size is 16.
    fn cut(&self, answer: &mut Packet, whole: &[u8], request: &Packet) {
        let block = request
            .get_first_option(CoapOption::Block2)
            .map_or(0, |value| {
                value
                    .iter()
                    .fold(0, |sum, byte| sum << 8 | usize::from(*byte))
            });
        // A server that sends nothing is always at the beginning.
        let number = if self.block == 0 { 0 } else { block >> 4 };
        let start = number * self.block;
        let end = whole.len().min(start + self.block);
        answer.payload = whole[start.min(end)..end].to_vec();
        if whole.len() > self.block {
            let more = usize::from(end < whole.len());
            let value = number << 4 | more << 3;
            answer.add_option(CoapOption::Block2, (value as u16).to_be_bytes().to_vec());
        }
    }

    /// The first as a separate answer, as if the broker had had to look for it; then each as a notification.
    fn readings(&mut self, answer: &Packet, request: &Packet) -> Vec<Packet> {
        let mut empty = Packet::new();
        empty.header.set_type(MessageType::Acknowledgement);
        empty.header.message_id = request.header.message_id;
        empty.header.code = MessageClass::Empty;
        let mut answers = vec![empty];
        for (at, object) in self.objects.iter().enumerate() {
            let mut one = answer.clone();
            one.header.set_type(MessageType::Confirmable);
            one.header.message_id = at as u16;
            one.header.code = MessageClass::Response(ResponseType::Content);
            one.add_option(CoapOption::ContentFormat, vec![18]);
            if let Some(place) = self.places.get(at) {
                one.add_option(CoapOption::Observe, vec![*place]);
            }
            one.payload.clone_from(object);
            answers.push(one);
        }
        answers
    }
}

fn run<T>(what: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let limited = async { tokio::time::timeout(Duration::from_secs(60), what).await };
    runtime.unwrap().block_on(limited).expect("it ends")
}

/// The result of finding the device and reading its topic once.
async fn look(server: SocketAddr, since: u64) -> Result<Option<u64>, Error> {
    let mut client = Client::connect(server).await?;
    let mut device = client.find(thermometer()).await?.since(since);
    let topics = client.topics(&thermometer()).await?;
    let reading = client.read(&mut device, &topics[0]).await?;
    Ok(reading.map(|reading| reading.sequence))
}

fn refusal(says: Says, since: u64) -> Refusal {
    match run(look(says.serve(), since)) {
        Err(Error::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_true_is_read_in_blocks_and_after_a_proof_of_the_address() {
    assert_eq!(
        run(look(Says::the_truth().serve(), 0)).unwrap(),
        Some(SEQUENCE)
    );
    let mut device = device();
    let reading = device.accept(&vector("reading_full")).unwrap().unwrap();
    assert_eq!(reading.records[0].value, Value::Number(23.5));
    assert_eq!(reading.object, vector("reading_full"));
    assert_eq!(device.highest(), SEQUENCE);
}

#[test]
fn a_jws_is_read_as_a_cose_is() {
    let jws = vector("jws");
    let mut device = device();
    let reading = device.accept(&jws).unwrap().unwrap();
    assert_eq!((reading.sequence, device.highest()), (65_544, 65_544));
    assert_eq!(reading.records[1].value, Value::Number(23.4));
    assert_eq!(reading.object, jws);
    assert!(device.accept(&jws).unwrap().is_none());
    let older = device.accept(&vector("reading_full"));
    assert_eq!(older, Err(Refusal::Replayed));
    let foreign = device.accept(&vector("jws_ed25519"));
    assert_eq!(foreign, Err(Refusal::ForeignKey));
    // Content of the other format is not taken for it.
    let mut says = Says::the_truth();
    says.objects = vec![jws];
    let mistaken = run(look(says.serve(), 0));
    assert!(matches!(mistaken, Err(Error::Malformed)), "{mistaken:?}");
}

#[test]
fn a_directory_with_another_key_is_refused() {
    let key = cbor::parse(&vector("ed25519_identity_input")).unwrap();
    let key = cbor::encode(&key.as_array().unwrap()[1]);
    for (endpoint, why) in [
        (entry(&key), Refusal::ForeignKey),
        (entry(b"key"), Refusal::Malformed),
        (entry(b""), Refusal::Malformed),
        (
            entry(&vector("p256_cose_key")).replace("thermometer", "valve"),
            Refusal::ForeignKey,
        ),
    ] {
        let says = Says {
            endpoint,
            ..Says::the_truth()
        };
        assert_eq!(refusal(says, 0), why);
    }
}

#[test]
fn a_directory_that_names_somebody_else_has_not_found_it() {
    let endpoint = entry(&vector("p256_cose_key")).replace("ae31", "ae32");
    let says = Says {
        endpoint,
        ..Says::the_truth()
    };
    assert!(matches!(run(look(says.serve(), 0)), Err(Error::NotFound)));
}

#[test]
fn an_entry_with_another_key_does_not_hide_the_right_one() {
    let other = cbor::parse(&vector("ed25519_identity_input")).unwrap();
    let wrong = cbor::encode(&other.as_array().unwrap()[1]);
    let right = vector("p256_cose_key");
    for keys in [[&wrong, &right], [&right, &wrong]] {
        let says = Says {
            endpoint: keys.map(|key| entry(key)).join(","),
            ..Says::the_truth()
        };
        assert_eq!(run(look(says.serve(), 0)).unwrap(), Some(SEQUENCE));
    }
}

#[test]
fn what_is_found_by_kind_is_proven_or_passed_over() {
    let (own, foreign) = (entry(&vector("p256_cose_key")), entry(b"key"));
    let endpoint = [
        foreign,
        "</rd/2>;ep=\"kitchen\";kd=\"thermometer\"".to_string(),
        own,
    ]
    .join(",");
    let server = Says {
        endpoint,
        ..Says::the_truth()
    }
    .serve();
    let found = run(async {
        let mut client = Client::connect(server).await.unwrap();
        client.search("thermometer").await.unwrap()
    });
    let names: Vec<Identity> = found.iter().map(Device::identity).collect();
    assert_eq!(names, [thermometer()]);
}

#[test]
fn a_broker_that_changes_something_is_refused() {
    let object = vector("reading_full");
    let sound = Sign1::parse(&object).unwrap();
    let mut warmer = object.clone();
    let at = warmer.windows(3).position(|bytes| bytes == b"\xf9\x4d\xe0");
    warmer[at.unwrap() + 2] = 0xe1;
    let mut named = vec![
        0x84, 0x46, 0xa2, 0x01, 0x26, 0x03, 0x18, 0x70, 0xa2, 0x04, 0x50,
    ];
    named.extend(vector("ed25519_identity"));
    named.extend(&object[9..]);
    for (object, why) in [
        (warmer, Refusal::BadSignature),
        (
            sound.with_full_number(SEQUENCE + 1).unwrap(),
            Refusal::BadSignature,
        ),
        (vector("reading_ed25519"), Refusal::BadSignature),
        (named, Refusal::ForeignKey),
        (vector("registration"), Refusal::Malformed),
        (object[1..].to_vec(), Refusal::Malformed),
        (Vec::new(), Refusal::Malformed),
    ] {
        assert_eq!(refusal(Says::reading(object), 0), why);
    }
}

#[test]
fn a_broker_with_an_older_reading_is_refused_and_with_the_newest_has_nothing_new() {
    let truth = Says::the_truth();
    assert_eq!(refusal(truth.clone(), SEQUENCE + 1), Refusal::Replayed);
    assert_eq!(run(look(truth.serve(), SEQUENCE)).unwrap(), None);
    let mut device = device().since(SEQUENCE);
    assert_eq!(device.accept(&vector("reading_low")), Ok(None));
    let mut forged = vector("reading_low");
    *forged.last_mut().unwrap() ^= 1;
    assert_eq!(device.accept(&forged), Err(Refusal::BeyondThreshold));
    assert_eq!(device.highest(), SEQUENCE);
}

#[test]
fn an_observation_shows_what_is_new_and_goes_on_after_a_lie() {
    let mut forged = vector("reading_full");
    *forged.last_mut().unwrap() ^= 1;
    let objects = vec![
        forged,
        vector("reading_full"),
        vector("reading_full"),
        Vec::new(),
    ];
    let server = Says {
        objects,
        ..Says::the_truth()
    }
    .serve();
    run(async {
        let client = Client::connect(server).await.unwrap();
        let mut observation = client.observe("/d/0-b79b").await.unwrap();
        let mut device = device();
        let next = observation.next(&mut device).await;
        assert!(matches!(next, Err(Error::Refused(Refusal::BadSignature))));
        let next = observation.next(&mut device).await;
        assert_eq!(next.unwrap().sequence, SEQUENCE);
        // The same once more is skipped; a malformed object is an error.
        let next = observation.next(&mut device).await;
        assert!(matches!(next, Err(Error::Refused(Refusal::Malformed))));
    });
}

#[test]
fn a_notification_that_was_overtaken_is_passed_over() {
    let mut other = vector("reading_full");
    *other.last_mut().unwrap() ^= 1;
    let server = Says {
        objects: vec![vector("reading_full"), other, Vec::new()],
        places: vec![7, 6, 8],
        ..Says::the_truth()
    }
    .serve();
    run(async {
        let client = Client::connect(server).await.unwrap();
        let mut observation = client.observe("/d/0-b79b").await.unwrap();
        let mut device = device();
        let next = observation.next(&mut device).await;
        assert_eq!(next.unwrap().sequence, SEQUENCE);
        let next = observation.next(&mut device).await;
        assert!(matches!(next, Err(Error::Refused(Refusal::Malformed))));
    });
}

#[test]
fn a_topic_elsewhere_is_not_followed_and_one_here_is() {
    let server = Says::the_truth().serve();
    run(async {
        let mut client = Client::connect(server).await.unwrap();
        let mut device = device();
        let elsewhere = client.read(&mut device, "coap://192.0.2.1/d/0").await;
        assert!(matches!(elsewhere, Err(Error::Elsewhere(name)) if name == "192.0.2.1"));
        for topic in ["d/0", "/d/%30", "/d?x"] {
            let read = client.read(&mut device, topic).await;
            assert!(matches!(read, Err(Error::Malformed)), "{topic}");
        }
        let here = format!("coap://{server}/d/0");
        assert!(client.read(&mut device, &here).await.unwrap().is_some());
    });
}

#[test]
fn a_directory_that_never_ends_is_given_up() {
    // Blocks that say of themselves that they are of 16 bytes, and are not.
    for block in [0, 15, 17] {
        let says = Says {
            block,
            ..Says::the_truth()
        };
        assert!(
            matches!(run(look(says.serve(), 0)), Err(Error::Malformed)),
            "{block}"
        );
    }
}

/// A server that says this of a bundle, and of how many bytes each datagram is that came.
fn judging(verdicts: &'static [u8]) -> (SocketAddr, Receiver<usize>) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let (sender, came) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((length, peer)) = socket.recv_from(&mut buffer) {
            sender.send(length).unwrap();
            let request = Packet::from_bytes(&buffer[..length]).unwrap();
            let mut answer = Packet::new();
            answer.header.set_type(MessageType::Acknowledgement);
            answer.header.code = MessageClass::Response(ResponseType::Changed);
            answer.header.message_id = request.header.message_id;
            answer.set_token(request.get_token().to_vec());
            answer.payload = verdicts.to_vec();
            socket.send_to(&answer.to_bytes().unwrap(), peer).unwrap();
        }
    });
    (address, came)
}

fn tell(server: SocketAddr, content: &[u8]) -> Result<Vec<Option<String>>, Error> {
    run(async { Client::connect(server).await?.tell(content).await })
}

#[test]
fn a_server_that_judges_other_than_it_was_told_is_not_believed() {
    let reading = bundle::item(&vector("reading_full"), &thermometer(), SEQUENCE).unwrap();
    let two = reading.repeat(2);
    // [null, "a"]
    let said = tell(judging(b"\x82\xf6\x61a").0, &two).unwrap();
    assert_eq!(said, [None, Some("a".to_string())]);
    for verdicts in [&b"\x81\xf6"[..], b"\x83\xf6\xf6\xf6", b"\x80", b"\xf6"] {
        let said = tell(judging(verdicts).0, &two);
        assert!(matches!(said, Err(Error::Malformed)), "{verdicts:x?}");
    }
}

#[test]
fn what_is_no_bundle_or_fits_no_message_is_not_sent() {
    let (server, came) = judging(b"\x80");
    let none = tell(server, &[0x80; bundle::OBJECTS_MAX + 1]);
    assert!(matches!(none, Err(Error::Refused(Refusal::Malformed))));
    let reading = bundle::item(&vector("reading_full"), &thermometer(), SEQUENCE).unwrap();
    let many = reading.repeat(CONTENT_MAX / reading.len() + 1);
    assert!(matches!(tell(server, &many), Err(Error::TooLong)));
    let published = run(async {
        let mut client = Client::connect(server).await?;
        client.publish("/d/t0-0", bundle::FORMAT, &many).await
    });
    assert!(matches!(published, Err(Error::TooLong)));
    assert_eq!(tell(server, b"").unwrap(), []);
    assert_eq!(came.try_iter().count(), 1);
}
