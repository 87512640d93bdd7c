// SPDX-License-Identifier: Apache-2.0
//! Possible answers of a service, or none, and the result of a command past it. The service is
//! threads here, with scripted answers.

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use corral_fleet_verify::digits::hex;
use corral_fleet_verify::sending::{send, Lease};
use corral_fleet_verify::service::Service;
use corral_fleet_verify::{cbor, Commander, Identity, PublicKey};
use ring::rand::SystemRandom;
use ring::signature::Ed25519KeyPair;
use tokio::time::timeout;

const KEY: PublicKey = PublicKey::Ed25519([7; 32]);

/// How often a service in trouble is asked.
const TRY_EVERY: Duration = Duration::from_millis(500);

/// Status and body; nothing is no answer, as long as a client waits for it.
type Answer = Option<(u16, String)>;

/// A service that was asked this.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    fn count(&self, method: &str) -> usize {
        let asked = self.0.lock().unwrap();
        asked.iter().filter(|one| one.as_str() == method).count()
    }

    fn answer(
        &self,
        mut stream: TcpStream,
        say: impl Fn(&str) -> Answer,
    ) -> std::io::Result<usize> {
        let mut lines = BufReader::new(stream.try_clone()?).lines();
        let line = lines.next().unwrap_or_else(|| Ok(String::new()))?;
        let method = line.split(' ').next().unwrap_or_default().to_string();
        while !lines
            .next()
            .unwrap_or_else(|| Ok(String::new()))?
            .is_empty()
        {}
        self.0.lock().unwrap().push(method.clone());
        match say(&method) {
            Some((status, body)) => {
                let length = body.len();
                write!(
                    stream,
                    "HTTP/1.1 {status} -\r\ncontent-length: {length}\r\n\r\n{body}"
                )?;
                Ok(length)
            }
            None => stream.read(&mut [0; 1]),
        }
    }
}

fn serve(say: impl Fn(&str) -> Answer + Clone + Send + 'static) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Asked::default();
    let told = asked.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (asked, say) = (asked.clone(), say.clone());
            thread::spawn(move || asked.answer(stream, say));
        }
    });
    (url, told)
}

/// The answers of a normal service to a client that takes a lease, has nothing, and returns it.
fn calm(method: &str) -> (u16, String) {
    let signing = hex(&cbor::encode(&KEY.to_value()));
    let lease = format!(
        r#"{{"ticket":"{}","kind":"valve","signing":"{signing}"}}"#,
        "0".repeat(32)
    );
    match method {
        "POST" => (201, lease),
        "DELETE" => (204, String::new()),
        _ => (200, "{}".to_string()),
    }
}

fn device() -> Identity {
    Identity::of_device(&KEY, "valve", None)
}

fn commander() -> Commander {
    let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
    Commander::from_pkcs8(document.as_ref()).unwrap()
}

fn now<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(future)
}

async fn service(url: &str) -> Service {
    Service::at(url, "made-up", &[]).await.unwrap()
}

#[test]
fn a_command_that_was_dropped_while_it_was_left_is_not_left_at_the_next_device() {
    let (url, asked) = serve(|method| (method != "PUT").then(|| calm(method)));
    now(async {
        let mut service = service(&url).await;
        let (one, next) = (Identity([1; 16]), Identity([2; 16]));
        service.take(&one).await.unwrap();
        let mut leaving = Box::pin(service.leave(&one, &[1; 16], b"command"));
        while asked.count("PUT") == 0 {
            let _ = timeout(Duration::from_millis(10), &mut leaving).await;
        }
        drop(leaving);
        service.take(&next).await.unwrap();
        service.look(&next, None).await.unwrap();
    });
    assert_eq!((asked.count("PUT"), asked.count("GET")), (1, 1));
}

#[test]
fn a_service_in_trouble_is_asked_twice_a_second_and_no_more() {
    let busy = |method: &str, trouble: &str| match method == trouble {
        true => Some((503, "{}".to_string())),
        // The device told a challenge.
        false if method == "GET" => Some((200, format!(r#"{{"nonce":"{}"}}"#, "1".repeat(32)))),
        false => Some(calm(method)),
    };
    for trouble in ["GET", "PUT"] {
        // The next where the machine is too slow for these.
        let counts = [1, 8, 64].map(Duration::from_secs).into_iter().map(|wait| {
            let (url, asked) = serve(move |method| busy(method, trouble));
            let begun = Instant::now();
            now(async {
                let (mut service, commander) = (service(&url).await, commander());
                let sent = send(&mut service, &commander, &device(), "heat", 3.into(), wait).await;
                sent.unwrap_err();
            });
            let most = begun.elapsed().as_millis() / TRY_EVERY.as_millis() + 3;
            (asked.count(trouble) as u128, most)
        });
        let enough = { counts }.find(|(count, _)| *count >= 2);
        assert!(
            enough.is_some_and(|(count, most)| count <= most),
            "{trouble}: {enough:?}"
        );
    }
}

#[test]
fn what_a_service_gives_as_a_reason_is_short_and_steers_no_terminal() {
    let detail = "\\u001b[2J\\r\\n\\u202e".repeat(2000);
    let said = format!(r#"{{"detail":"{detail}"}}"#);
    let (url, _) = serve(move |_| Some((400, said.clone())));
    let shown = now(async {
        let refused = service(&url).await.take(&device()).await;
        refused.unwrap_err().to_string()
    });
    let where_to = url.trim_start_matches("http://");
    assert!(
        shown.starts_with(&format!("{where_to}: 400 Bad Request: \u{fffd}[2J")),
        "{shown:?}"
    );
    assert!(shown.chars().count() < 300, "{shown:?}");
    assert!(!shown.contains(|c: char| c.is_control() || c == '\u{202e}'));
}

#[test]
fn a_lease_is_given_up_whatever_keys_it_shows_and_none_that_was_not_given() {
    let (yes, no) = (true, false);
    for (status, keys, given_up) in [
        (201, "00", yes),
        (201, "", yes),
        (400, "00", no),
        (409, "00", no),
    ] {
        let said = calm("POST").1;
        let said = said.replace(&hex(&cbor::encode(&KEY.to_value())), keys);
        let (url, asked) = serve(move |method| match method {
            "POST" => Some((status, said.clone())),
            method => Some(calm(method)),
        });
        now(async {
            let (mut service, commander, wait) = (service(&url).await, commander(), TRY_EVERY);
            let sent = send(&mut service, &commander, &device(), "heat", 3.into(), wait).await;
            assert!(!sent.unwrap_err().may_be_done);
        });
        // The client may wait no longer, but its request counts: a busy machine reads it later.
        let end = Instant::now() + Duration::from_secs(300);
        while given_up && asked.count("DELETE") == 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(asked.count("DELETE") > 0, given_up, "{status} {keys}");
    }
}

#[test]
fn giving_up_a_lease_does_not_wait_for_a_service_that_does_not_answer() {
    let (url, asked) = serve(|method| (method != "DELETE").then(|| calm(method)));
    now(async {
        let mut service = service(&url).await;
        service.take(&device()).await.unwrap();
        service.give_up(&device()).await;
    });
    assert!(asked.count("DELETE") <= 1);
}
