// SPDX-License-Identifier: Apache-2.0
//! Finding devices in the directory, and reading and observing their topics at the broker, over CoAP. Neither is
//! trusted: its data becomes a [`Device`] or a [`Reading`] only once it was verified.

mod exchange;
mod publish;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, Packet, ResponseType};
use tokio::net::{lookup_host, ToSocketAddrs};

use crate::links::{self, Link};
use crate::{base64url, cbor, pubsub, signed, text, Device, Identity, PublicKey, Reading, Refusal};
use exchange::{code_of, number, Get, Socket};
pub use publish::Topic;

/// The port of CoAP without DTLS.
pub const PORT: u16 = 5683;

/// Values of Observe in a request.
const REGISTER: u32 = 0;
const DEREGISTER: u32 = 1;

/// For how long the places of two notifications tell which is newer (RFC 7641, section 3.4).
const ORDERED: Duration = Duration::from_secs(128);

/// How long a representation is fresh if nothing is said (RFC 7252, section 5.10.5), and the longest that is
/// believed.
const MAX_AGE: u32 = 60;
const MAX_AGE_LIMIT: u32 = 3600;

/// Why there is no answer that could be used.
#[derive(Debug)]
pub enum Error {
    /// The socket failed.
    Io(io::Error),
    /// No answer, after all retries of RFC 7252.
    Silent,
    /// The server does not know what it was asked (a reset).
    Reset,
    /// The answer is this code, such as `4.04` of a topic that holds nothing yet.
    Code(String),
    /// The answer is no link-format, has another Content-Format, is too long, or its blocks do not fit together.
    Malformed,
    /// The directory has no lookup, or no entry of this device.
    NotFound,
    /// The content to send does not fit one message. Nothing was sent.
    TooLong,
    /// The topic is at another server, which is named: connect to it, if you want to.
    Elsewhere(String),
    /// The answer is not of the device, or is old: this directory or broker lies, or was lied to.
    Refused(Refusal),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => error.fmt(formatter),
            Error::Silent => formatter.write_str("the server does not answer"),
            Error::Reset => formatter.write_str("the server does not understand"),
            Error::Code(code) => write!(formatter, "the server answers {code}"),
            Error::Malformed => formatter.write_str("the answer cannot be read"),
            Error::NotFound => formatter.write_str("the directory does not have it"),
            Error::TooLong => formatter.write_str("it does not fit one message"),
            Error::Elsewhere(server) => write!(formatter, "it is at {}", text::reason(server)),
            Error::Refused(refusal) => write!(formatter, "refused: {refusal}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(refusal)
    }
}

/// A directory, a broker, or both at one address. One request at a time.
pub struct Client {
    server: SocketAddr,
    socket: Socket,
    lookups: Option<[String; 2]>,
}

impl Client {
    /// At the first address of the server, such as `("fleet.example", PORT)` or `"[::1]:5683"`. Nothing is sent.
    ///
    /// # Errors
    /// [`Error::Io`] if the name has no address or there is no socket.
    pub async fn connect(server: impl ToSocketAddrs) -> Result<Self, Error> {
        let server = lookup_host(server).await?.next();
        let server = server.ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        Ok(Client {
            server,
            socket: Socket::open(server).await?,
            lookups: None,
        })
    }

    /// The address that is asked.
    pub fn server(&self) -> SocketAddr {
        self.server
    }

    /// Looks for a device in the directory, and computes its identity again from the keys that it finds there.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not entered, [`Error::Refused`] if what is entered has other keys, and what
    /// goes wrong on the way.
    pub async fn find(&mut self, identity: Identity) -> Result<Device, Error> {
        let links = self.look_up(0, &[format!("ep={identity}")]).await?;
        let name = identity.to_string();
        let mut found = Err(Error::NotFound);
        // One entry that is none of the device's must not hide another that is.
        for link in links.iter().filter(|link| value(link, "ep") == Some(&name)) {
            found = read_device(identity, link).map_err(Error::from);
            if found.is_ok() {
                break;
            }
        }
        found
    }

    /// Devices of a kind that are entered in the directory, by keys that make their identities; other entries
    /// are passed over. That they are what they say is proven, and that they are yours is not: compare their
    /// identities with those that you know.
    ///
    /// # Errors
    /// Errors on the way.
    pub async fn search(&mut self, kind: &str) -> Result<Vec<Device>, Error> {
        let links = self.look_up(0, &[format!("kd={kind}")]).await?;
        let devices = links.iter().filter_map(|link| {
            let identity = value(link, "ep")?.parse().ok()?;
            read_device(identity, link).ok()
        });
        Ok(devices.filter(|device| device.kind() == kind).collect())
    }

    /// The topics that the directory has of a device, as paths of this server or URIs of others. They are
    /// proven by nothing, and need no proof: readings there have one.
    ///
    /// # Errors
    /// Errors on the way.
    pub async fn topics(&mut self, identity: &Identity) -> Result<Vec<String>, Error> {
        let query = [format!("ep={identity}"), format!("rt={}", pubsub::DATA)];
        let links = self.look_up(1, &query).await?;
        Ok(links.into_iter().map(|link| link.target).collect())
    }

    /// The content of the topic: a reading, or nothing if it is the one that was accepted last.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is not of the device, or older than the accepted one; `4.04` if
    /// the topic holds nothing; [`Error::Elsewhere`]; and errors on the way.
    pub async fn read(
        &mut self,
        device: &mut Device,
        topic: &str,
    ) -> Result<Option<Reading>, Error> {
        let get = Get::new(&self.path(topic)?, &[]);
        let answer = self.socket.get(&get).await?;
        accept(device, &answer)
    }

    /// Observes the topic, by a socket of its own. Nothing is sent before the first [`Observation::next`].
    ///
    /// # Errors
    /// [`Error::Elsewhere`], and [`Error::Io`] if there is no socket.
    pub async fn observe(&self, topic: &str) -> Result<Observation, Error> {
        let get = Get::new(&self.path(topic)?, &[]).observe(REGISTER);
        Ok(Observation {
            socket: Socket::open(self.server).await?,
            get,
            fresh_for: None,
            newest: None,
        })
    }

    async fn look_up(&mut self, which: usize, query: &[String]) -> Result<Vec<Link>, Error> {
        if self.lookups.is_none() {
            let path = [".well-known".to_string(), "core".to_string()];
            let links = self
                .links(&path, &["rt=core.rd-lookup*".to_string()])
                .await?;
            let of_type = |wanted: &str| {
                let mut found = links.iter();
                let link = found.find(|link| link.values("rt").any(|one| one == wanted));
                link.map(|link| link.target.clone()).ok_or(Error::NotFound)
            };
            self.lookups = Some([
                of_type("core.rd-lookup-ep")?,
                of_type("core.rd-lookup-res")?,
            ]);
        }
        let lookups = self.lookups.as_ref().ok_or(Error::NotFound)?;
        let path = self.path(&lookups[which])?;
        self.links(&path, query).await
    }

    async fn links(&mut self, path: &[String], query: &[String]) -> Result<Vec<Link>, Error> {
        let whole = self.socket.get_whole(&Get::new(path, query)).await?;
        let text = String::from_utf8(whole).map_err(|_| Error::Malformed)?;
        links::parse(&text).map_err(|_| Error::Malformed)
    }

    /// The segments of a path at this server. Segments with `%` are not split.
    fn path(&self, topic: &str) -> Result<Vec<String>, Error> {
        let path = match topic.strip_prefix("coap://") {
            None => topic,
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                let (authority, path) = rest.split_at(end);
                let is_here = [authority.to_string(), format!("{authority}:{PORT}")]
                    .iter()
                    .any(|one| one.parse() == Ok(self.server));
                if !is_here {
                    return Err(Error::Elsewhere(authority.to_string()));
                }
                path
            }
        };
        match path.strip_prefix('/') {
            Some(path) if !path.contains(['%', '?', '#']) => {
                Ok(path.split('/').map(str::to_string).collect())
            }
            _ => Err(Error::Malformed),
        }
    }
}

/// A topic that is observed.
pub struct Observation {
    socket: Socket,
    get: Get,
    /// How long after the last answer the next is waited for; nothing before it was asked.
    fresh_for: Option<Duration>,
    /// The place of the newest answer among all, and when it came.
    newest: Option<(u32, Instant)>,
}

impl Observation {
    /// The next reading that is newer than the accepted one. It waits for as long as it takes;
    /// when nothing comes for as long as the last answer was fresh (a minute, unless the broker
    /// says otherwise), it asks again, so that a broker that was started anew is noticed. It may be
    /// cancelled meanwhile: a notification of that moment comes again with the next question.
    ///
    /// # Errors
    /// As [`Client::read`]. The observation goes on: the next call asks again if it has to. A broker that
    /// withholds everything is no error, because a device may be silent, too.
    pub async fn next(&mut self, device: &mut Device) -> Result<Reading, Error> {
        loop {
            let notified = match self.fresh_for {
                Some(time) => self.socket.notified(self.get.token(), time).await?,
                None => None,
            };
            let answer = match notified {
                // The network changed the order, or duplicated it: that is no lie.
                Some(answer) if self.is_overtaken(&answer) => continue,
                Some(answer) => answer,
                None => {
                    self.fresh_for = None;
                    self.socket.get(&self.get).await?
                }
            };
            self.fresh_for = Some(fresh_for(&answer));
            let place = number(&answer, CoapOption::Observe);
            self.newest = place.map(|place| (place, Instant::now()));
            let accepted = accept(device, &answer);
            if matches!(accepted, Err(Error::Code(_))) {
                self.fresh_for = None; // which ends an observation
            }
            if let Some(reading) = accepted? {
                return Ok(reading);
            }
        }
    }

    /// Whether a notification was sent before the newest one that came (RFC 7641, section 3.4).
    fn is_overtaken(&self, notification: &Packet) -> bool {
        let place = number(notification, CoapOption::Observe);
        let (Some(place), Some((newest, at))) = (place, self.newest) else {
            return false;
        };
        let ahead = place.wrapping_sub(newest) & 0xff_ffff;
        !(1..1 << 23).contains(&ahead) && at.elapsed() <= ORDERED
    }

    /// Tells the broker that the observation ends. Without it the broker notices by itself, later.
    ///
    /// # Errors
    /// Errors on the way.
    pub async fn end(mut self) -> Result<(), Error> {
        let get = self.get.observe(DEREGISTER);
        self.socket.get(&get).await.map(drop)
    }
}

fn fresh_for(answer: &Packet) -> Duration {
    let seconds = number(answer, CoapOption::MaxAge).unwrap_or(MAX_AGE);
    Duration::from_secs(seconds.clamp(1, MAX_AGE_LIMIT).into())
}

fn accept(device: &mut Device, answer: &Packet) -> Result<Option<Reading>, Error> {
    code_of(answer, ResponseType::Content)?;
    let format = number(answer, CoapOption::ContentFormat);
    if format != Some(signed::content_format(&answer.payload).into()) {
        return Err(Error::Malformed);
    }
    Ok(device.accept(&answer.payload)?)
}

fn value<'a>(link: &'a Link, name: &'a str) -> Option<&'a str> {
    link.values(name).next()
}

/// The description of a device in an entry of the directory (section 4 of the protocol).
fn read_device(identity: Identity, link: &Link) -> Result<Device, Refusal> {
    let key = |name| {
        let key = value(link, name).map(|text| {
            let bytes = base64url::decode(text).ok_or(Refusal::Malformed)?;
            PublicKey::read(&cbor::parse(&bytes)?)
        });
        key.transpose()
    };
    let signing = key("pk")?.ok_or(Refusal::Malformed)?;
    let kind = value(link, "kd").ok_or(Refusal::Malformed)?;
    Device::new(identity, signing, kind, key("ak")?.as_ref())
}

#[cfg(test)]
mod tests {
    use coap_lite::{MessageClass, MessageType};

    use super::*;

    #[test]
    fn an_error_says_what_the_server_did() {
        for (error, text) in [
            (Error::Io(io::Error::other("no network")), "no network"),
            (Error::Silent, "does not answer"),
            (Error::Reset, "does not understand"),
            (Error::Code("4.04".into()), "answers 4.04"),
            (Error::Malformed, "cannot be read"),
            (Error::NotFound, "does not have it"),
            (Error::TooLong, "one message"),
            (Error::Elsewhere("a\u{202e}b".into()), "it is at a\u{fffd}b"),
            (Error::Refused(Refusal::Replayed), "refused: replayed"),
        ] {
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn a_broker_is_told_that_an_observation_ends() {
        let broker = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = broker.local_addr().unwrap();
        let asked = std::thread::spawn(move || {
            let mut buffer = [0; 1024];
            let (length, peer) = broker.recv_from(&mut buffer).unwrap();
            let request = Packet::from_bytes(&buffer[..length]).unwrap();
            let mut answer = Packet::new();
            answer.header.set_type(MessageType::Acknowledgement);
            answer.header.code = MessageClass::Response(ResponseType::Content);
            answer.header.message_id = request.header.message_id;
            answer.set_token(request.get_token().to_vec());
            broker.send_to(&answer.to_bytes().unwrap(), peer).unwrap();
            request
        });
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        runtime.block_on(async {
            let client = Client::connect(address).await.unwrap();
            let observation = client.observe("/d/1").await.unwrap();
            observation.end().await.unwrap();
        });
        let request = asked.join().unwrap();
        assert_eq!(number(&request, CoapOption::Observe), Some(DEREGISTER));
    }
}
