// SPDX-License-Identifier: Apache-2.0
//! Requests as the server looks at them, and answers. Parsing messages is coap-lite's
//! work; it lets pass and the RFC does not is refused here.

use std::net::SocketAddr;
use std::ops::RangeInclusive;

use coap_lite::{CoapOption, MessageClass, MessageType, Packet, RequestType, ResponseType};

/// The largest message (RFC 7252, section 4.6).
pub const MESSAGE_MAX: usize = 1152;

/// RFC 9175.
pub const ECHO: CoapOption = CoapOption::Unknown(252);

/// Critical options that are known, how many bytes each may have, and whether there may be several.
const KNOWN_CRITICAL: [(u16, RangeInclusive<usize>, bool); 7] = [
    (3, 1..=255, false),
    (7, 0..=2, false),
    (11, 0..=255, true),
    (15, 0..=255, true),
    (17, 0..=2, false),
    (23, 0..=3, false),
    (27, 0..=3, false),
];
/// The codes of requests, whatever method they ask for.
const REQUESTS: RangeInclusive<u8> = 1..=31;

const PROXY_URI: u16 = 35;
const PROXY_SCHEME: u16 = 39;

/// A message that is a request, from whom.
#[derive(Clone, Debug)]
pub struct Request {
    pub peer: SocketAddr,
    /// How many bytes it had.
    pub size: usize,
    pub method: RequestType,
    packet: Packet,
}

/// A message that answers a request of ours.
#[derive(Clone, Debug)]
pub struct Response {
    pub peer: SocketAddr,
    pub code: ResponseType,
    packet: Packet,
}

/// The kind of a datagram.
#[derive(Debug)]
pub enum Message {
    Request(Request),
    Response(Response),
    /// A peer does not want what had this message ID.
    Reset(u16),
    Acknowledged(u16),
    /// Answer with a reset: a ping, or what could not be read.
    ToBeReset(u16),
    Nothing,
}

/// Reads a datagram.
pub fn read(datagram: &[u8], peer: SocketAddr) -> Message {
    let [first, code, high, low, ..] = *datagram else {
        return Message::Nothing;
    };
    if first >> 6 != 1 {
        return Message::Nothing; // another version is dropped silently
    }
    let id = u16::from_be_bytes([high, low]);
    let is_confirmable = first & 0x30 == 0;
    let unreadable = if is_confirmable {
        Message::ToBeReset(id)
    } else {
        Message::Nothing
    };
    let Some(packet) = parse(datagram) else {
        return unreadable;
    };
    match (packet.header.get_type(), packet.header.code) {
        (MessageType::Reset, MessageClass::Empty) => Message::Reset(id),
        (MessageType::Reset, _) => Message::Nothing,
        (_, MessageClass::Response(code)) => Message::Response(Response { peer, code, packet }),
        (MessageType::Acknowledgement, _) => Message::Acknowledged(id),
        (MessageType::Confirmable | MessageType::NonConfirmable, class)
            if REQUESTS.contains(&code) =>
        {
            let method = match class {
                MessageClass::Request(method) => method,
                _ => RequestType::UnKnown, // which is answered by 4.05 (RFC 7252, section 5.8)
            };
            Message::Request(Request {
                peer,
                size: datagram.len(),
                method,
                packet,
            })
        }
        _ => unreadable,
    }
}

fn parse(datagram: &[u8]) -> Option<Packet> {
    let packet = Packet::from_bytes(datagram).ok()?;
    if datagram.len() > MESSAGE_MAX || (datagram[1] == 0 && datagram.len() > 4) {
        return None;
    }
    // coap-lite accepts a payload marker that nothing follows.
    if packet.payload.is_empty() && datagram.last() == Some(&0xff) {
        let again = packet.to_bytes().ok()?;
        if again.len() < datagram.len() {
            return None;
        }
    }
    Some(packet)
}

/// The value of an option that holds a number.
fn number(packet: &Packet, option: CoapOption) -> Option<u32> {
    let value = packet.get_first_option(option)?;
    if value.len() > 8 {
        return None;
    }
    let number = value
        .iter()
        .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    u32::try_from(number).ok()
}

/// Options in which requests for the blocks of one body may differ: Observe, Echo, No-Response, and those of blocks and
/// sizes.
const OF_A_BLOCK: [u16; 7] = [6, 23, 27, 28, 60, 252, 258];

impl Response {
    /// Its message ID.
    pub fn id(&self) -> u16 {
        self.packet.header.message_id
    }

    pub fn kind(&self) -> MessageType {
        self.packet.header.get_type()
    }

    pub fn token(&self) -> &[u8] {
        self.packet.get_token()
    }

    pub fn payload(&self) -> &[u8] {
        &self.packet.payload
    }

    /// The value of an option that holds a number.
    pub fn number(&self, option: CoapOption) -> Option<u32> {
        number(&self.packet, option)
    }

    /// The first value of an option.
    pub fn option(&self, option: CoapOption) -> Option<&[u8]> {
        self.packet.get_first_option(option).map(Vec::as_slice)
    }
}

impl Request {
    /// Its message ID.
    pub fn id(&self) -> u16 {
        self.packet.header.message_id
    }

    /// The common part of all its blocks.
    pub fn in_common(&self) -> Vec<u8> {
        let mut common = vec![u8::from(self.packet.header.code)];
        for (option, values) in self.packet.options() {
            for value in values.iter().filter(|_| !OF_A_BLOCK.contains(option)) {
                common.extend(option.to_be_bytes());
                common.extend((value.len() as u16).to_be_bytes());
                common.extend(value);
            }
        }
        common
    }

    /// The same request with all of its payload, and with the proof of its address if it has none itself.
    pub fn with_whole(mut self, payload: Vec<u8>, echo: Option<Vec<u8>>) -> Self {
        self.packet.payload = payload;
        if let (None, Some(echo)) = (self.echo(), echo) {
            self.packet.add_option(ECHO, echo);
        }
        self
    }

    /// Whether it asks to be acknowledged.
    pub fn is_confirmable(&self) -> bool {
        self.packet.header.get_type() == MessageType::Confirmable
    }

    pub fn token(&self) -> &[u8] {
        self.packet.get_token()
    }

    pub fn payload(&self) -> &[u8] {
        &self.packet.payload
    }

    /// The path's segments; nothing if one of them is no text.
    pub fn path(&self) -> Option<Vec<&str>> {
        self.texts(CoapOption::UriPath)
    }

    /// The query as names and values; nothing if one of them is no text.
    pub fn query(&self) -> Option<Vec<(&str, &str)>> {
        let arguments = self.arguments()?;
        Some(
            arguments
                .iter()
                .map(|one| one.split_once('=').unwrap_or((one, "")))
                .collect(),
        )
    }

    /// The query as it came; nothing if a part of it is no text.
    pub fn arguments(&self) -> Option<Vec<&str>> {
        self.texts(CoapOption::UriQuery)
    }

    fn texts(&self, option: CoapOption) -> Option<Vec<&str>> {
        match self.packet.get_option(option) {
            Some(values) => values
                .iter()
                .map(|value| std::str::from_utf8(value).ok())
                .collect(),
            None => Some(Vec::new()),
        }
    }

    /// The value of an option that holds a number.
    pub fn number(&self, option: CoapOption) -> Option<u32> {
        number(&self.packet, option)
    }

    /// The payload's format.
    pub fn content_format(&self) -> Option<u32> {
        self.number(CoapOption::ContentFormat)
    }

    /// Whether the request accepts this format; without a format it accepts all.
    pub fn accepts(&self, format: Option<u16>) -> bool {
        let wanted = self.number(CoapOption::Accept);
        wanted.is_none() || wanted == format.map(u32::from)
    }

    /// The value of Echo.
    pub fn echo(&self) -> Option<&[u8]> {
        self.packet.get_first_option(ECHO).map(Vec::as_slice)
    }

    /// The first critical option that is unknown here, and the code for it. One of a
    /// wrong length, or one too many, is such (RFC 7252, sections 5.4.3 and 5.4.5).
    pub fn bad_option(&self) -> Option<(u16, ResponseType)> {
        let mut critical = self.packet.options().filter(|(number, _)| *number % 2 == 1);
        let is_known = |number: u16, lengths: &[usize]| {
            let mut known = KNOWN_CRITICAL.iter().filter(|(one, ..)| *one == number);
            known.any(|(_, sizes, may_repeat)| {
                (*may_repeat || lengths.len() == 1) && lengths.iter().all(|one| sizes.contains(one))
            })
        };
        let bad = critical.find_map(|(number, values)| {
            let lengths: Vec<usize> = values.iter().map(Vec::len).collect();
            (!is_known(*number, &lengths)).then_some(*number)
        })?;
        let code = match bad {
            PROXY_URI | PROXY_SCHEME => ResponseType::ProxyingNotSupported,
            _ => ResponseType::BadOption,
        };
        Some((bad, code))
    }

    /// The classes of answers that the peer does not want.
    pub fn unwanted(&self) -> Unwanted {
        Unwanted(self.number(CoapOption::NoResponse).unwrap_or(0))
    }
}

/// Classes of answers, as No-Response names them (RFC 7967).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unwanted(u32);

impl Unwanted {
    /// Whether an answer of this code is one of them.
    pub fn has(self, code: ResponseType) -> bool {
        let class = u8::from(MessageClass::Response(code)) >> 5;
        class > 0 && self.0 & (1 << (class - 1)) != 0
    }
}

/// An answer of the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub code: ResponseType,
    options: Vec<(CoapOption, Vec<u8>)>,
    pub payload: Vec<u8>,
}

impl From<ResponseType> for Answer {
    fn from(code: ResponseType) -> Self {
        Answer {
            code,
            options: Vec::new(),
            payload: Vec::new(),
        }
    }
}

impl Answer {
    /// With a payload of this format.
    pub fn content(code: ResponseType, format: u16, payload: Vec<u8>) -> Self {
        let answer = Answer {
            code,
            options: Vec::new(),
            payload,
        };
        answer.with_number(CoapOption::ContentFormat, format.into())
    }

    /// The answer itself, if its format is accepted.
    pub fn accepted_by(self, request: &Request) -> Self {
        let format = self.option(CoapOption::ContentFormat).next();
        let format = format.map(|value| {
            value
                .iter()
                .fold(0, |sum, byte| sum << 8 | u16::from(*byte))
        });
        match self.code {
            ResponseType::Content if !request.accepts(format) => ResponseType::NotAcceptable.into(),
            _ => self,
        }
    }

    /// With the block that the request was or ended by, unless it says so already.
    pub fn of_block(self, request: &Request) -> Self {
        let block = request.number(CoapOption::Block1);
        match block.filter(|_| self.option(CoapOption::Block1).next().is_none()) {
            Some(block) => self.with_number(CoapOption::Block1, block),
            None => self,
        }
    }

    /// With one more option.
    pub fn with(mut self, option: CoapOption, value: &[u8]) -> Self {
        self.options.push((option, value.to_vec()));
        self
    }

    /// With one more option that holds a number.
    pub fn with_number(self, option: CoapOption, number: u32) -> Self {
        let bytes = number.to_be_bytes();
        let zeros = (number.leading_zeros() / 8) as usize;
        self.with(option, &bytes[zeros..])
    }

    /// With this number in place of the option's former value.
    pub fn set_number(mut self, option: CoapOption, number: u32) -> Self {
        self.options.retain(|(one, _)| *one != option);
        self.with_number(option, number)
    }

    /// With the path of the new resource.
    pub fn at(self, path: &[&str]) -> Self {
        path.iter().fold(self, |answer, segment| {
            answer.with(CoapOption::LocationPath, segment.as_bytes())
        })
    }

    /// The options of that number.
    pub fn option(&self, option: CoapOption) -> impl Iterator<Item = &[u8]> {
        self.options
            .iter()
            .filter(move |(one, _)| *one == option)
            .map(|(_, value)| value.as_slice())
    }

    /// The message with this type, ID and token.
    pub fn message(&self, kind: MessageType, id: u16, token: &[u8]) -> Vec<u8> {
        let mut packet = Packet::new();
        packet.header.set_type(kind);
        packet.header.code = MessageClass::Response(self.code);
        packet.header.message_id = id;
        packet.set_token(token.to_vec());
        for (option, value) in &self.options {
            packet.add_option(*option, value.clone());
        }
        packet.payload.clone_from(&self.payload);
        // Nothing that is answered comes near the limit of coap-lite.
        packet.to_bytes().unwrap_or_default()
    }
}

/// A request of ours for links, with the block of the answer and the proof of our address if they are known.
pub fn get_links(
    path: &[&str],
    id: u16,
    token: &[u8],
    block2: Option<u32>,
    echo: Option<&[u8]>,
) -> Vec<u8> {
    let mut packet = Packet::new();
    packet.header.set_type(MessageType::Confirmable);
    packet.header.code = MessageClass::Request(RequestType::Get);
    packet.header.message_id = id;
    packet.set_token(token.to_vec());
    for segment in path {
        packet.add_option(CoapOption::UriPath, segment.as_bytes().to_vec());
    }
    packet.add_option(CoapOption::Accept, vec![super::format::LINKS as u8]);
    if let Some(block) = block2 {
        let zeros = (block.leading_zeros() / 8) as usize;
        packet.add_option(CoapOption::Block2, block.to_be_bytes()[zeros..].to_vec());
    }
    if let Some(echo) = echo {
        packet.add_option(ECHO, echo.to_vec());
    }
    packet.to_bytes().unwrap_or_default()
}

/// An empty message: a reset, or an acknowledgement.
pub fn empty(kind: MessageType, id: u16) -> Vec<u8> {
    let mut packet = Packet::new();
    packet.header.set_type(kind);
    packet.header.code = MessageClass::Empty;
    packet.header.message_id = id;
    packet.to_bytes().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 1))
    }

    #[test]
    fn what_cannot_be_read_is_reset_if_it_was_confirmable() {
        for datagram in [
            &b"\x49\x01\x12\x34"[..], // token of 9 bytes
            b"\x41\x01\x12\x34",      // token missing
            b"\x40\x01\x12\x34\xff",  // marker, and nothing follows
            b"\x40\x01\x12\x34\xf0",  // reserved delta
            b"\x40\x01\x12\x34\x0f",  // reserved length
            b"\x40\x01\x12\x34\x05a", // option longer than the message
            b"\x40\x00\x12\x34\x00",  // empty, and not empty
            b"\x40\x00\x12\x34",      // ping
        ] {
            assert!(
                matches!(read(datagram, peer()), Message::ToBeReset(0x1234)),
                "{datagram:02x?}"
            );
            let mut other = datagram.to_vec();
            other[0] |= 0x10;
            assert!(
                matches!(read(&other, peer()), Message::Nothing),
                "{other:02x?}"
            );
        }
    }

    #[test]
    fn another_version_and_fragments_of_a_header_are_dropped() {
        for first in [b"\x00", b"\x80", b"\xc0"] {
            let datagram = [first.as_slice(), b"\x01\x12\x34"].concat();
            assert!(
                matches!(read(&datagram, peer()), Message::Nothing),
                "{first:02x?}"
            );
        }
        assert!(matches!(read(b"\x40\x01\x12", peer()), Message::Nothing));
    }

    #[test]
    fn what_should_be_empty_and_is_not_neither_resets_nor_acknowledges() {
        for first in [0x60, 0x70] {
            let empty = [first, 0, 0x12, 0x34];
            assert!(!matches!(read(&empty, peer()), Message::Nothing));
            for rest in [&b"\x00"[..], b"\xffa", b"\x00\x00"] {
                let datagram = [&empty, rest].concat();
                assert!(
                    matches!(read(&datagram, peer()), Message::Nothing),
                    "{datagram:02x?}"
                );
            }
        }
    }

    #[test]
    fn every_method_is_a_request_and_nothing_else_is() {
        for code in 0..=255 {
            let is_request = matches!(read(&[0x40, code, 0x12, 0x34], peer()), Message::Request(_));
            assert_eq!(is_request, (1..=31).contains(&code), "{code}");
        }
    }

    #[test]
    fn an_option_that_ends_in_ff_is_no_marker() {
        assert!(matches!(
            read(b"\x40\x01\x12\x34\xd1\xef\xff", peer()),
            Message::Request(_)
        ));
    }

    #[test]
    fn critical_options_have_to_be_known() {
        for (option, bad) in [
            (b"\x50", Some(5)),
            (b"\x60", None),
            (b"\xb0", None),
            (b"\x10", Some(1)),
        ] {
            let datagram = [&b"\x40\x01\x12\x34"[..], option].concat();
            let Message::Request(request) = read(&datagram, peer()) else {
                panic!("{datagram:02x?}");
            };
            assert_eq!(request.bad_option().map(|(number, _)| number), bad);
        }
    }
    /// RFC 7252, sections 5.4.3 and 5.4.5.
    #[test]
    fn a_critical_option_of_a_wrong_length_or_too_many_is_unknown() {
        for (options, bad) in [
            (&b"\xd3\x0e\0\0\0"[..], None), // Block1
            (b"\xd4\x0e\0\0\0\0", Some(27)),
            (b"\xd1\x0e\x08\x01\x18", Some(27)),
            (b"\xd4\x0a\0\0\0\0", Some(23)), // Block2
            (b"\xd2\x04\0\x28", None),       // Accept
            (b"\xd3\x04\0\0\x28", Some(17)),
            (b"\xd1\x04\x28\x01\x28", Some(17)),
            (b"\x30", Some(3)),       // Uri-Host
            (b"\x73\0\0\0", Some(7)), // Uri-Port
            (b"\xb1a\x01b", None),    // Uri-Path
            (b"\x64\0\0\0\0", None),  // Observe is elective
        ] {
            let datagram = [&b"\x40\x01\x12\x34"[..], options].concat();
            let Message::Request(request) = read(&datagram, peer()) else {
                panic!("{datagram:02x?}");
            };
            let found = request.bad_option();
            assert_eq!(found.map(|(number, _)| number), bad, "{options:02x?}");
        }
    }
}
