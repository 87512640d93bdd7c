// SPDX-License-Identifier: Apache-2.0
//! CoAP messages on a serial line, beside what a person reads there: slipmux (draft-bormann-t2trg-slipmux-03). SLIP
//! (RFC 1055) frames them; the first byte of a frame says what it holds, and one with a CoAP message ends with the
//! check sequence of PPP (RFC 1662, C.2).

use crate::coap::message::MESSAGE_MAX;

const END: u8 = 0xc0;
const ESCAPE: u8 = 0xdb;
const ESCAPED_END: u8 = 0xdc;
const ESCAPED_ESCAPE: u8 = 0xdd;
/// The begin of a frame with a CoAP message.
const COAP: u8 = 0xa9;

const FCS_INITIAL: u16 = 0xffff;
/// The check sequence after a frame that is whole.
const FCS_GOOD: u16 = 0xf0b8;
const FCS_SIZE: usize = 2;

const HEADER_SIZE: usize = 4;

fn fcs(before: u16, byte: u8) -> u16 {
    (0..8).fold(before ^ u16::from(byte), |fcs, _| {
        fcs >> 1 ^ if fcs & 1 == 1 { 0x8408 } else { 0 }
    })
}

/// A message as it goes over the line.
pub fn frame(message: &[u8]) -> Vec<u8> {
    let sum = message
        .iter()
        .fold(fcs(FCS_INITIAL, COAP), |sum, byte| fcs(sum, *byte));
    let mut framed = vec![END, COAP];
    for byte in message.iter().chain(&(!sum).to_le_bytes()) {
        match *byte {
            END => framed.extend([ESCAPE, ESCAPED_END]),
            ESCAPE => framed.extend([ESCAPE, ESCAPED_ESCAPE]),
            byte => framed.push(byte),
        }
    }
    framed.push(END);
    framed
}

/// The result of received bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken<'a> {
    /// A CoAP message, by its check sequence and its version.
    Message(&'a [u8]),
    /// A line of text, between frames or in one of diagnostics.
    Text(&'a str),
    /// A frame with a message that is damaged, too long or none.
    Malformed,
    /// A frame of another kind.
    Other,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// The first byte of a frame comes next.
    Start,
    Message,
    Escaped,
    /// Until the end of the frame, of which nothing can become any more.
    Malformed,
    /// Neither in a frame, nor in one with a message.
    Text,
}

/// Takes the bytes of a line, and keeps those of one frame.
pub struct Decoder {
    kept: Vec<u8>,
    fcs: u16,
    state: State,
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder {
            kept: Vec::with_capacity(MESSAGE_MAX + FCS_SIZE),
            fcs: FCS_INITIAL,
            state: State::Start,
        }
    }
}

impl Decoder {
    /// Takes a byte; `then` gets the completed item.
    pub fn take(&mut self, byte: u8, then: impl FnOnce(Taken<'_>)) {
        match (self.state, byte) {
            (_, END) => self.end(then),
            (State::Start, COAP) => {
                self.fcs = fcs(FCS_INITIAL, byte);
                self.state = State::Message;
            }
            (State::Start | State::Text, b'\n') => {
                self.state = State::Text;
                self.say(then);
            }
            (State::Start | State::Text, byte) => {
                self.state = State::Text;
                if self.kept.len() == MESSAGE_MAX {
                    self.say(then);
                }
                self.kept.push(byte);
            }
            (State::Message, ESCAPE) => self.state = State::Escaped,
            (State::Message, byte) => self.keep(byte),
            (State::Escaped, ESCAPED_END) => self.keep(END),
            (State::Escaped, ESCAPED_ESCAPE) => self.keep(ESCAPE),
            (State::Escaped, _) => self.state = State::Malformed,
            (State::Malformed, _) => {}
        }
    }

    /// How many bytes it has room for.
    pub fn room(&self) -> usize {
        self.kept.capacity()
    }

    fn keep(&mut self, byte: u8) {
        if self.kept.len() == MESSAGE_MAX + FCS_SIZE {
            self.state = State::Malformed;
            return;
        }
        self.state = State::Message;
        self.fcs = fcs(self.fcs, byte);
        self.kept.push(byte);
    }

    fn end(&mut self, then: impl FnOnce(Taken<'_>)) {
        match self.state {
            State::Start => {}
            State::Text => self.say(then),
            _ => then(self.message().map_or(Taken::Malformed, Taken::Message)),
        }
        self.kept.clear();
        self.state = State::Start;
    }

    fn message(&self) -> Option<&[u8]> {
        let length = self.kept.len().checked_sub(FCS_SIZE)?;
        let is_whole = self.state == State::Message && self.fcs == FCS_GOOD;
        let message = &self.kept[..length];
        (is_whole && length >= HEADER_SIZE && message[0] >> 6 == 1).then_some(message)
    }

    /// Tells what was kept as a line, if there is anything. No control characters reach a terminal.
    fn say(&mut self, then: impl FnOnce(Taken<'_>)) {
        let line = std::str::from_utf8(&self.kept).map(|line| line.trim_matches(['\r', '\n']));
        match line {
            Ok("") => {}
            Ok(line) if !line.contains(char::is_control) => then(Taken::Text(line)),
            _ => then(Taken::Other),
        }
        self.kept.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text on a line, in words.
    fn read(decoder: &mut Decoder, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        for byte in bytes {
            decoder.take(*byte, |taken| found.push(format!("{taken:?}")));
        }
        found
    }

    fn message(bytes: &[u8]) -> String {
        format!("{:?}", Taken::Message(bytes))
    }

    #[test]
    fn frame_of_an_empty_message_is_as_published() {
        let framed = [0xc0, 0xa9, 0x40, 0x00, 0x12, 0x34, 0xe6, 0xb3, 0xc0];
        assert_eq!(frame(&[0x40, 0x00, 0x12, 0x34]), framed);
        let sum = b"123456789".iter().fold(FCS_INITIAL, |sum, b| fcs(sum, *b));
        assert_eq!(!sum, 0x906e); // the check value of CRC-16/X-25
    }

    #[test]
    fn every_length_and_every_byte_comes_back() {
        let mut decoder = Decoder::default();
        for length in HEADER_SIZE..=MESSAGE_MAX {
            let mut sent: Vec<u8> = (0..length).map(|at| (at + length) as u8).collect();
            sent[0] = 0x40;
            let framed = frame(&sent);
            assert!(!framed[1..framed.len() - 1].contains(&END));
            assert_eq!(read(&mut decoder, &framed), [message(&sent)]);
        }
        let ends = [[0x40].as_slice(), &[END; MESSAGE_MAX - 1]].concat();
        assert_eq!(read(&mut decoder, &frame(&ends)), [message(&ends)]);
    }

    #[test]
    fn damage_anywhere_loses_the_frame_alone() {
        let mut decoder = Decoder::default();
        let sent = [0x40, 0x01, END, ESCAPE, b'o', b'k'];
        let framed = frame(&sent);
        for at in 1..framed.len() - 1 {
            for bit in 0..8 {
                let mut damaged = framed.clone();
                damaged[at] ^= 1 << bit;
                let found = read(&mut decoder, &damaged);
                assert!(
                    found.iter().all(|one| !one.starts_with("Message")),
                    "{found:?}"
                );
                assert_eq!(found.is_empty(), damaged == [END, END]);
                assert_eq!(read(&mut decoder, &framed), [message(&sent)]);
            }
        }
    }

    #[test]
    fn frames_that_hold_no_message_are_malformed() {
        let mut decoder = Decoder::default();
        let long = [0x40; MESSAGE_MAX + 1];
        let foreign = [0x80, 0x01, 0x00, 0x01]; // a version that is not CoAP's
        for framed in [
            frame(&long),
            frame(&foreign),
            frame(b""),
            frame(&[0x40, 0, 0]),
        ] {
            assert_eq!(read(&mut decoder, &framed), ["Malformed"]);
        }
        for bytes in [
            &[COAP, END][..],
            &[COAP, ESCAPE, END],
            &[COAP, ESCAPE, 1, END],
        ] {
            assert_eq!(read(&mut decoder, bytes), ["Malformed"]);
        }
    }

    #[test]
    fn text_comes_by_lines_and_other_frames_are_counted() {
        let mut decoder = Decoder::default();
        let found = read(
            &mut decoder,
            b"boot\r\nidentity: 1\n\nrest\xc0\nin a frame\xc0\xc0",
        );
        let wanted = ["boot", "identity: 1", "rest", "in a frame"];
        assert_eq!(found, wanted.map(|line| format!("{:?}", Taken::Text(line))));
        let found = read(&mut decoder, b"\x45\x00\xff\xc0\x1b[2J\n\xc0");
        assert_eq!(found, ["Other", "Other"]);
    }

    #[test]
    fn nothing_on_the_line_takes_more_memory() {
        let mut decoder = Decoder::default();
        let room = decoder.room();
        let (mut state, mut messages) = (1u32, 0);
        let sound = frame(&[0x40, 0x01, 0x00, 0x01]);
        for round in 0..200_000u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let byte = [(state >> 24) as u8, END, COAP, b'a', ESCAPE][(state >> 8) as usize % 5];
            decoder.take(byte, |_| {});
            if round % 1000 == 0 {
                messages +=
                    usize::from(read(&mut decoder, &sound).contains(&message(&sound[2..6])));
            }
            assert!(decoder.room() == room);
        }
        assert_eq!(messages, 200);
        read(&mut decoder, &[&[END, b'a'][..], &[b'a'; 100_000]].concat());
        read(&mut decoder, &[&[END, COAP][..], &[b'a'; 100_000]].concat());
        assert!(decoder.room() == room);
    }
}
