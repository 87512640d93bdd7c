// SPDX-License-Identifier: Apache-2.0
//! Requests of CoAP over UDP, one at a time: sent again until they are answered (RFC 7252, section 4.2), with the
//! address proven where that is asked (RFC 9175), and answers put together from their blocks (RFC 7959).

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use coap_lite::{CoapOption, MessageClass, MessageType, Packet, RequestType, ResponseType};
use ring::rand::{SecureRandom, SystemRandom};
use tokio::net::UdpSocket;
use tokio::time::{timeout_at, Instant};

use super::Error;

const ACK_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_RETRANSMIT: u32 = 4;
/// How long a separate answer is waited for, once it was promised (MAX_TRANSMIT_WAIT).
const SEPARATE: Duration = Duration::from_secs(93);

const MESSAGE_MAX: usize = 2048;
/// The most that an answer adds up to, whatever the server says.
const WHOLE_MAX: usize = 1 << 22;

const ECHO: CoapOption = CoapOption::Unknown(252);
/// How often an address is proven for one request: once, and once more if it took too long.
const PROOFS: usize = 2;

type Token = [u8; 8];

/// A request for content.
#[derive(Clone)]
pub(super) struct Get {
    path: Vec<String>,
    query: Vec<String>,
    observe: Option<u32>,
    /// The method of a request that is no GET, with its content and Content-Format.
    sends: Option<(RequestType, u16, Vec<u8>)>,
    /// All requests of an observation have one token; others have a new one each.
    token: Option<Token>,
}

impl Get {
    pub fn new(path: &[String], query: &[String]) -> Self {
        Get {
            path: path.to_vec(),
            query: query.to_vec(),
            observe: None,
            sends: None,
            token: None,
        }
    }

    /// By this method, with content of this Content-Format, which fits one message.
    pub fn sending(self, method: RequestType, format: u16, content: Vec<u8>) -> Self {
        Get {
            sends: Some((method, format, content)),
            ..self
        }
    }

    /// With this value of Observe, and a token that stays the same.
    pub fn observe(self, value: u32) -> Self {
        Get {
            observe: Some(value),
            token: self.token.or_else(|| random().ok()),
            ..self
        }
    }

    /// The token of an observation.
    pub fn token(&self) -> &[u8] {
        self.token.as_ref().map_or(&[], |token| token)
    }
}

fn random() -> Result<Token, Error> {
    let mut bytes = Token::default();
    let drawn = SystemRandom::new().fill(&mut bytes);
    drawn.map_err(|_| io::Error::other("no random numbers"))?;
    Ok(bytes)
}

/// The value of an option that holds a number of 32 bits.
pub(super) fn number(packet: &Packet, option: CoapOption) -> Option<u32> {
    let value = packet.get_first_option(option)?;
    let add = |sum: u32, byte: &u8| Some(sum.checked_mul(256)? + u32::from(*byte));
    value.iter().try_fold(0, add)
}

/// That the answer has this code.
pub(super) fn code_of(answer: &Packet, wanted: ResponseType) -> Result<(), Error> {
    match answer.header.code {
        MessageClass::Response(code) if code == wanted => Ok(()),
        code => {
            let code = u8::from(code);
            Err(Error::Code(format!("{}.{:02}", code >> 5, code & 31)))
        }
    }
}

/// First bytes of empty messages.
const ACKNOWLEDGEMENT: u8 = 0x60;
const RESET: u8 = 0x70;

fn empty(first: u8, id: u16) -> [u8; 4] {
    let [high, low] = id.to_be_bytes();
    [first, 0, high, low]
}

/// How long an answer is waited for. A promise counts once: a peer that repeats it does
/// not extend the wait.
struct Patience {
    until: Instant,
    is_promised: bool,
}

impl Patience {
    fn new(until: Instant) -> Self {
        Patience {
            until,
            is_promised: false,
        }
    }

    fn promised(&mut self, now: Instant) {
        if !self.is_promised {
            self.is_promised = true;
            self.until = now + SEPARATE;
        }
    }
}

/// A socket for one server, which receives no datagrams of others.
pub(super) struct Socket {
    socket: UdpSocket,
    next_id: u16,
    /// The proof of our address, as the server gave it last.
    echo: Option<Vec<u8>>,
}

impl Socket {
    pub async fn open(server: SocketAddr) -> Result<Self, Error> {
        let socket = match server {
            SocketAddr::V4(_) => UdpSocket::bind("0.0.0.0:0").await,
            SocketAddr::V6(_) => UdpSocket::bind("[::]:0").await,
        }?;
        socket.connect(server).await?;
        let [high, low, ..] = random()?;
        Ok(Socket {
            socket,
            next_id: u16::from_be_bytes([high, low]),
            echo: None,
        })
    }

    /// The answer, whatever its code. Content is whole: a server may send it in small
    /// blocks until the address is proven.
    pub async fn get(&mut self, get: &Get) -> Result<Packet, Error> {
        let mut answer = self.get_block(get, None).await?;
        if code_of(&answer, ResponseType::Content).is_ok() {
            answer.payload = self.whole(get, answer.clone()).await?;
        }
        Ok(answer)
    }

    /// The payload of an answer of any length, which is content.
    pub async fn get_whole(&mut self, get: &Get) -> Result<Vec<u8>, Error> {
        let answer = self.get(get).await?;
        code_of(&answer, ResponseType::Content)?;
        Ok(answer.payload)
    }

    /// The payload of which this answer has the first block.
    async fn whole(&mut self, get: &Get, mut answer: Packet) -> Result<Vec<u8>, Error> {
        let tag = answer.get_first_option(CoapOption::ETag).cloned();
        let mut whole = Vec::new();
        loop {
            let block = number(&answer, CoapOption::Block2).unwrap_or_default();
            let (at, szx) = ((block >> 4) as usize, block & 7);
            let is_last = block & 8 == 0;
            // A server that sends nothing, and announces more, would be asked for ever.
            let fits = at << (szx + 4) == whole.len()
                && (is_last || answer.payload.len() == 16 << szx)
                && answer.get_first_option(CoapOption::ETag) == tag.as_ref();
            whole.append(&mut answer.payload);
            if !fits || szx == 7 || whole.len() > WHOLE_MAX {
                return Err(Error::Malformed);
            }
            if is_last {
                return Ok(whole);
            }
            let next = (block >> 4) + 1;
            answer = self.get_block(get, Some(next << 4 | szx)).await?;
            code_of(&answer, ResponseType::Content)?;
        }
    }

    async fn get_block(&mut self, get: &Get, block: Option<u32>) -> Result<Packet, Error> {
        let mut proofs = 0;
        loop {
            let answer = self.exchange(get, block).await?;
            let is_asked = code_of(&answer, ResponseType::Unauthorized).is_ok();
            match answer.get_first_option(ECHO) {
                Some(echo) if is_asked && proofs < PROOFS => self.echo = Some(echo.clone()),
                _ => return Ok(answer),
            }
            proofs += 1;
        }
    }

    fn request(&mut self, get: &Get, token: Token, block: Option<u32>) -> Result<Vec<u8>, Error> {
        self.next_id = self.next_id.wrapping_add(1);
        let mut packet = Packet::new();
        packet.header.set_type(MessageType::Confirmable);
        packet.header.code = MessageClass::Request(RequestType::Get);
        packet.header.message_id = self.next_id;
        packet.set_token(token.to_vec());
        for segment in &get.path {
            packet.add_option(CoapOption::UriPath, segment.clone().into_bytes());
        }
        for argument in &get.query {
            packet.add_option(CoapOption::UriQuery, argument.clone().into_bytes());
        }
        let format = get.sends.as_ref().map(|(_, format, _)| u32::from(*format));
        let numbers = [
            (CoapOption::Observe, get.observe.filter(|_| block.is_none())),
            (CoapOption::Block2, block),
            (CoapOption::ContentFormat, format),
        ];
        for (option, value) in numbers {
            if let Some(value) = value {
                let zeros = (value.leading_zeros() / 8) as usize;
                packet.add_option(option, value.to_be_bytes()[zeros..].to_vec());
            }
        }
        if let Some(echo) = &self.echo {
            packet.add_option(ECHO, echo.clone());
        }
        if let Some((method, _, content)) = &get.sends {
            packet.header.code = MessageClass::Request(*method);
            packet.payload.clone_from(content);
        }
        packet.to_bytes().map_err(|_| Error::Malformed)
    }

    async fn exchange(&mut self, get: &Get, block: Option<u32>) -> Result<Packet, Error> {
        let token = match get.token {
            Some(token) => token,
            None => random()?,
        };
        let datagram = self.request(get, token, block)?;
        let id = self.next_id;
        // The first wait is 2 to 3 seconds, so that clients that began together do not go on together.
        let mut wait = ACK_TIMEOUT + Duration::from_millis(u64::from(random()?[0]) * 4);
        for _ in 0..=MAX_RETRANSMIT {
            self.send(&datagram).await?;
            let mut patience = Patience::new(Instant::now() + wait);
            wait *= 2;
            while let Some(packet) = self.receive(patience.until).await? {
                let is_ours = packet.header.message_id == id;
                match (packet.header.get_type(), packet.header.code) {
                    (MessageType::Reset, _) if is_ours => return Err(Error::Reset),
                    (MessageType::Acknowledgement, MessageClass::Empty) if is_ours => {
                        patience.promised(Instant::now());
                    }
                    (MessageType::Acknowledgement, _) if !is_ours => {}
                    (_, MessageClass::Response(_)) if packet.get_token() == token => {
                        self.acknowledge(&packet).await?;
                        return Ok(packet);
                    }
                    _ => self.reset(&packet).await?,
                }
            }
            // A server that has the request needs it no second time.
            if patience.is_promised {
                break;
            }
        }
        Err(Error::Silent)
    }

    /// The next answer with this token that comes within this time.
    pub async fn notified(&self, token: &[u8], time: Duration) -> Result<Option<Packet>, Error> {
        let until = Instant::now() + time;
        while let Some(packet) = self.receive(until).await? {
            match packet.header.code {
                MessageClass::Response(_) if packet.get_token() == token => {
                    self.acknowledge(&packet).await?;
                    return Ok(Some(packet));
                }
                _ => self.reset(&packet).await?,
            }
        }
        Ok(None)
    }

    async fn acknowledge(&self, packet: &Packet) -> Result<(), Error> {
        match packet.header.get_type() {
            MessageType::Confirmable => {
                let id = packet.header.message_id;
                self.send(&empty(ACKNOWLEDGEMENT, id)).await
            }
            _ => Ok(()),
        }
    }

    /// No caller waits for this any more, and the reset informs its sender.
    async fn reset(&self, packet: &Packet) -> Result<(), Error> {
        match packet.header.get_type() {
            MessageType::Confirmable | MessageType::NonConfirmable => {
                let id = packet.header.message_id;
                self.send(&empty(RESET, id)).await
            }
            _ => Ok(()),
        }
    }

    async fn send(&self, datagram: &[u8]) -> Result<(), Error> {
        match self.socket.send(datagram).await {
            // A datagram that is rejected now may be accepted when it is sent again.
            Err(error) if error.kind() != ErrorKind::ConnectionRefused => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// The next message that can be read, until then.
    async fn receive(&self, until: Instant) -> Result<Option<Packet>, Error> {
        let mut buffer = [0; MESSAGE_MAX];
        loop {
            // Datagrams that have arrived would be accepted after the end, too, and
            // there may always be more.
            if Instant::now() >= until {
                return Ok(None);
            }
            let Ok(received) = timeout_at(until, self.socket.recv(&mut buffer)).await else {
                return Ok(None);
            };
            match received {
                Ok(length) if length >= 4 && buffer[0] >> 6 == 1 => {
                    if let Ok(packet) = Packet::from_bytes(&buffer[..length]) {
                        return Ok(Some(packet));
                    }
                }
                Err(error) if error.kind() != ErrorKind::ConnectionRefused => {
                    return Err(error.into());
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_prolongs_the_wait_once() {
        let now = Instant::now();
        let mut patience = Patience::new(now + ACK_TIMEOUT);
        patience.promised(now);
        assert!(patience.is_promised);
        patience.promised(now + SEPARATE / 2);
        assert_eq!(patience.until, now + SEPARATE);
    }

    #[test]
    fn who_sends_without_end_is_waited_for_no_longer() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let server = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
            let socket = Socket::open(server.local_addr().unwrap()).await.unwrap();
            let client = socket.socket.local_addr().unwrap();
            server.send_to(&empty(ACKNOWLEDGEMENT, 1), client).unwrap();
            let over = socket.receive(Instant::now()).await.unwrap();
            assert!(over.is_none());
        });
    }
}
