// SPDX-License-Identifier: Apache-2.0
//! Simple registration (RFC 9176, section 5.1): the directory asks who registers for its links, and answers when it
//! has them. The number of requests at a time, their duration, and the size of answers are bounded.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use coap_lite::{CoapOption, MessageType, ResponseType};

use super::links::{self, Link};
use crate::coap::message::{self, Unwanted, ECHO};
use crate::coap::{format, Answer, Response, Unacknowledged};
use crate::server::limits::owner;

/// The usual path of links.
const PATH: [&str; 2] = [".well-known", "core"];

/// How many are asked at a time.
const AT_ONCE_MAX: usize = 64;
/// How many of these of one owner of addresses.
const PER_OWNER_MAX: usize = 4;
/// How much is taken of one.
const WHOLE_MAX: usize = 4096;
/// How long all of it may take (MAX_TRANSMIT_WAIT).
const PATIENCE: Duration = Duration::from_secs(93);

/// RFC 9175, section 2.2.1.
const ECHO_MAX: usize = 40;

/// The identifier of one of our questions; a peer that does not see it cannot guess it.
/// The last byte counts the questions of one registration, so that an answer that comes
/// again answers no later one.
pub type Token = [u8; 8];

const COUNT: usize = 7;

/// The common part of all questions of one registration.
fn of_all(mut token: Token) -> Token {
    token[COUNT] = 0;
    token
}

type Datagram = (SocketAddr, Vec<u8>);

/// The registering endpoint, and its request.
#[derive(Clone, Debug, PartialEq)]
pub struct Asker {
    pub peer: SocketAddr,
    pub token: Vec<u8>,
    /// Whether its request was confirmable: then the answer is, too.
    pub is_confirmable: bool,
    pub unwanted: Unwanted,
    pub query: Vec<(String, String)>,
}

/// The result of a question: the links, or the answer to the registering endpoint.
#[derive(Debug, PartialEq)]
pub struct Fetched {
    pub asker: Asker,
    pub links: Result<Vec<Link>, ResponseType>,
}

struct Fetch {
    asker: Asker,
    /// Of the last question.
    token: Token,
    whole: Vec<u8>,
    tag: Option<Vec<u8>>,
    echo: Option<Vec<u8>>,
    /// The message that was sent last.
    id: u16,
    until: Instant,
}

/// The questions that are not answered yet, and the answers that are not confirmed.
#[derive(Default)]
pub struct Fetches {
    /// By the common part of their tokens.
    by_token: HashMap<Token, Fetch>,
    waiting: Unacknowledged<()>,
}

/// The kind of a response.
pub enum Step {
    /// An answer to no question.
    Unknown,
    /// It answers what was answered before.
    Again,
    /// A question follows.
    Ask(Datagram),
    Done(Fetched),
}

/// The content of an answer.
enum Brought {
    /// The proof of our address that it wants.
    Challenge(Vec<u8>),
    /// A block, and the option by which the next is asked for, if there is one.
    Block(Option<u32>),
}

fn read(text: &[u8]) -> Result<Vec<Link>, ResponseType> {
    let text = std::str::from_utf8(text).map_err(|_| ResponseType::BadGateway)?;
    links::parse(text).map_err(|_| ResponseType::BadGateway)
}

impl Fetch {
    fn ask(&mut self, id: u16, block2: Option<u32>) -> Vec<u8> {
        self.id = id;
        self.token[COUNT] = self.token[COUNT].wrapping_add(1);
        message::get_links(&PATH, id, &self.token, block2, self.echo.as_deref())
    }

    /// Takes the next part of an answer, if it continues the earlier ones.
    fn take(&mut self, response: &Response) -> Option<Brought> {
        let echo = response.option(ECHO);
        match (response.code, echo) {
            (ResponseType::Unauthorized, Some(echo))
                if self.echo.is_none() && echo.len() <= ECHO_MAX =>
            {
                return Some(Brought::Challenge(echo.to_vec()));
            }
            (ResponseType::Content, _) => {}
            _ => return None,
        }
        let format = response.number(CoapOption::ContentFormat);
        let block = response.number(CoapOption::Block2).unwrap_or(0);
        let (start, is_last) = ((block >> 4 << 4) as usize, block & 8 == 0);
        let (start, size) = (start << (block & 7), 16usize << (block & 7));
        let tag = response.option(CoapOption::ETag).map(<[u8]>::to_vec);
        if start == 0 {
            self.tag = tag.clone();
            self.whole.clear();
        }
        let length = response.payload().len();
        let fits = block & 7 != 7
            && start == self.whole.len()
            && tag == self.tag
            && (is_last || length == size)
            && start + length <= WHOLE_MAX;
        if format.is_some_and(|number| number != u32::from(format::LINKS)) || !fits {
            return None;
        }
        self.whole.extend_from_slice(response.payload());
        let next = (!is_last).then_some(((block >> 4) + 1) << 4 | block & 7);
        Some(Brought::Block(next))
    }
}

impl Fetches {
    /// Asks who registers, whose address is proven; not if too many are asked.
    pub fn begin(
        &mut self,
        asker: Asker,
        token: Token,
        id: u16,
        now: Instant,
    ) -> Result<Datagram, ResponseType> {
        let peer = asker.peer;
        let is_own = |one: &&Fetch| owner(one.asker.peer.ip()) == owner(peer.ip());
        let of_owner = self.by_token.values().filter(is_own).count();
        if self.by_token.len() >= AT_ONCE_MAX || of_owner >= PER_OWNER_MAX {
            return Err(ResponseType::ServiceUnavailable);
        }
        let mut fetch = Fetch {
            asker,
            token,
            whole: Vec::new(),
            tag: None,
            echo: None,
            id,
            until: now + PATIENCE,
        };
        let datagram = fetch.ask(id, None);
        self.by_token.insert(of_all(token), fetch);
        self.waiting.add((peer, id), (), &datagram, now);
        Ok((peer, datagram))
    }

    /// Takes a message that may answer a question.
    pub fn take(
        &mut self,
        response: &Response,
        now: Instant,
        next_id: impl FnOnce() -> u16,
    ) -> Step {
        let Ok(answered) = Token::try_from(response.token()) else {
            return Step::Unknown;
        };
        let token = of_all(answered);
        let fetch = self.by_token.get_mut(&token);
        let Some(fetch) = fetch.filter(|one| one.asker.peer == response.peer) else {
            return Step::Unknown;
        };
        if answered != fetch.token {
            return Step::Again;
        }
        self.waiting.remove(response.peer, fetch.id);
        let (id, block) = match fetch.take(response) {
            Some(Brought::Challenge(echo)) => {
                fetch.echo = Some(echo);
                (next_id(), None)
            }
            Some(Brought::Block(Some(block))) => (next_id(), Some(block)),
            Some(Brought::Block(None)) => {
                let links = read(&fetch.whole);
                return self.done(token, links).map_or(Step::Unknown, Step::Done);
            }
            None => {
                let failed = self.done(token, Err(ResponseType::BadGateway));
                return failed.map_or(Step::Unknown, Step::Done);
            }
        };
        let datagram = fetch.ask(id, block);
        self.waiting.add((response.peer, id), (), &datagram, now);
        Step::Ask((response.peer, datagram))
    }

    fn done(&mut self, token: Token, links: Result<Vec<Link>, ResponseType>) -> Option<Fetched> {
        let fetch = self.by_token.remove(&token)?;
        self.waiting.remove(fetch.asker.peer, fetch.id);
        let asker = fetch.asker;
        Some(Fetched { asker, links })
    }

    /// The answer to the registering endpoint, if it wants one; a confirmable one is
    /// repeated until it is confirmed, unless too much waits.
    pub fn answer(
        &mut self,
        asker: &Asker,
        answer: &Answer,
        id: u16,
        now: Instant,
    ) -> Option<Datagram> {
        if asker.unwanted.has(answer.code) {
            return None;
        }
        let confirm = asker.is_confirmable && self.waiting.len() < 2 * AT_ONCE_MAX;
        let kind = match confirm {
            true => MessageType::Confirmable,
            false => MessageType::NonConfirmable,
        };
        let datagram = answer.message(kind, id, &asker.token);
        if confirm {
            self.waiting.add((asker.peer, id), (), &datagram, now);
        }
        Some((asker.peer, datagram))
    }

    /// The peer has the message with this ID: an answer to it may follow.
    pub fn acknowledge(&mut self, peer: SocketAddr, id: u16) {
        self.waiting.remove(peer, id);
    }

    /// The peer does not want to be asked.
    pub fn reset(&mut self, peer: SocketAddr, id: u16) -> Option<Fetched> {
        self.waiting.remove(peer, id);
        let mut asked = self.by_token.iter();
        let (token, _) = asked.find(|(_, one)| one.asker.peer == peer && one.id == id)?;
        self.done(*token, Err(ResponseType::BadGateway))
    }

    /// The messages to be sent again, and the endpoints that did not answer in time.
    pub fn tick(&mut self, now: Instant) -> (Vec<Datagram>, Vec<Fetched>) {
        let (again, _) = self.waiting.tick(now);
        let late = self.by_token.iter().filter(|(_, one)| one.until <= now);
        let late: Vec<Token> = late.map(|(token, _)| *token).collect();
        let silent = |token| self.done(token, Err(ResponseType::GatewayTimeout));
        let silent = late.into_iter().filter_map(silent).collect();
        (again, silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coap::message::{read, Message};
    use crate::coap::repeat::ACK_TIMEOUT;

    fn asker(last: u8) -> Asker {
        Asker {
            peer: SocketAddr::from(([10, 0, 0, last], 5)),
            token: b"t".to_vec(),
            is_confirmable: true,
            unwanted: Unwanted::default(),
            query: vec![("ep".to_string(), "a".to_string())],
        }
    }

    fn response(peer: SocketAddr, token: &Token, answer: Answer) -> Response {
        match read(&answer.message(MessageType::NonConfirmable, 9, token), peer) {
            Message::Response(response) => response,
            other => panic!("{other:?}"),
        }
    }

    /// The token of a question.
    fn token_of(question: &[u8]) -> Token {
        question[4..12].try_into().unwrap()
    }

    fn asked(step: Step) -> Vec<u8> {
        match step {
            Step::Ask((_, question)) => question,
            _ => panic!(),
        }
    }

    fn block(block: u32, payload: &[u8]) -> Answer {
        let answer = Answer::content(ResponseType::Content, format::LINKS, payload.to_vec());
        answer.with_number(CoapOption::Block2, block)
    }

    #[test]
    fn links_are_put_together_and_who_is_asked_is_no_other() {
        let (now, asker) = (Instant::now(), asker(1));
        let mut fetches = Fetches::default();
        let (peer, first) = fetches.begin(asker.clone(), [1; 8], 1, now).unwrap();
        assert_eq!((peer, first[1]), (asker.peer, 1));
        let other = SocketAddr::from(([10, 0, 0, 2], 5));
        let whole = b"</a>;rt=\"temperature\"";
        for (peer, token) in [(other, [1; 8]), (peer, [2; 8])] {
            let foreign = response(peer, &token, block(0, whole));
            assert!(matches!(fetches.take(&foreign, now, || 2), Step::Unknown));
        }
        let begun = response(peer, &token_of(&first), block(8, &whole[..16]));
        let second = asked(fetches.take(&begun, now, || 2));
        let ended = response(peer, &token_of(&second), block(1 << 4, &whole[16..]));
        let Step::Done(fetched) = fetches.take(&ended, now, || 3) else {
            panic!();
        };
        assert_eq!(fetched.links.unwrap()[0].target, "/a");
        assert_eq!(fetched.asker, asker);
        assert!(fetches.by_token.is_empty() && fetches.waiting.is_empty());
    }

    #[test]
    fn what_makes_no_links_is_told_to_who_registered() {
        let large = [b'x'; 1024];
        let tagged = |number| block(number, &large).with(CoapOption::ETag, b"t");
        for answers in [
            vec![block(0, b"nonsense")],
            vec![block(0, b"\xff")],
            vec![block(7, b"")],
            vec![block(1 << 4, b"")],
            vec![block(8, b"short")],
            vec![tagged(8 | 6), block(1 << 4 | 6, b"other tag")],
            vec![ResponseType::NotFound.into()],
            vec![Answer::content(ResponseType::Content, 60, b"".to_vec())],
            (0..5).map(|number| tagged(number << 4 | 8 | 6)).collect(),
        ] {
            let (now, asker) = (Instant::now(), asker(1));
            let mut fetches = Fetches::default();
            let (_, mut question) = fetches.begin(asker.clone(), [1; 8], 1, now).unwrap();
            let mut links = None;
            for answer in answers {
                let response = response(asker.peer, &token_of(&question), answer);
                match fetches.take(&response, now, || 2) {
                    Step::Ask((_, next)) => question = next,
                    Step::Done(fetched) => links = Some(fetched.links),
                    _ => panic!(),
                }
            }
            assert_eq!(links, Some(Err(ResponseType::BadGateway)));
            assert!(fetches.by_token.is_empty() && fetches.waiting.is_empty());
        }
    }

    #[test]
    fn who_is_silent_is_asked_five_times_and_given_up() {
        let mut now = Instant::now();
        let mut fetches = Fetches::default();
        let first = fetches.begin(asker(1), [1; 8], 1, now).unwrap();
        let (mut again, mut failed) = (Vec::new(), Vec::new());
        for _ in 0..PATIENCE.as_secs() {
            now += Duration::from_secs(1);
            let (datagrams, silent) = fetches.tick(now);
            again.extend(datagrams);
            failed.extend(silent);
        }
        assert_eq!(again, vec![first; 4]);
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].links, Err(ResponseType::GatewayTimeout));
        assert!(fetches.by_token.is_empty() && fetches.waiting.is_empty());
    }

    #[test]
    fn one_owner_and_all_together_are_so_many() {
        let now = Instant::now();
        let mut fetches = Fetches::default();
        for number in 0..=PER_OWNER_MAX as u8 {
            let begun = fetches.begin(asker(1), [number; 8], number.into(), now);
            assert_eq!(begun.is_ok(), usize::from(number) < PER_OWNER_MAX);
        }
        for number in 10..100 {
            let _ = fetches.begin(asker(number), [number; 8], number.into(), now);
        }
        assert_eq!(fetches.by_token.len(), AT_ONCE_MAX);
    }

    #[test]
    fn a_reset_ends_it_and_a_challenge_is_answered_once() {
        let (now, asker) = (Instant::now(), asker(1));
        let mut fetches = Fetches::default();
        let (_, first) = fetches.begin(asker.clone(), [1; 8], 1, now).unwrap();
        let challenge = |question: &[u8]| {
            let challenge = Answer::from(ResponseType::Unauthorized).with(ECHO, b"echo");
            response(asker.peer, &token_of(question), challenge)
        };
        let again = asked(fetches.take(&challenge(&first), now, || 2));
        assert!(again.ends_with(b"echo"));
        let another = challenge(&again);
        assert!(matches!(fetches.take(&another, now, || 3), Step::Done(_)));
        fetches.begin(asker.clone(), [1; 8], 1, now).unwrap();
        assert!(fetches.reset(asker.peer, 7).is_none());
        assert!(fetches.reset(asker.peer, 1).is_some());
        let answer = fetches.answer(&asker, &ResponseType::Changed.into(), 5, now);
        let datagram = answer.unwrap();
        assert_eq!(fetches.tick(now + ACK_TIMEOUT).0, [datagram]);
        fetches.acknowledge(asker.peer, 5);
        assert!(fetches.waiting.is_empty());
    }
    /// The network duplicates datagrams, and an endpoint sends its answer again if our
    /// acknowledgement is lost.
    #[test]
    fn an_answer_that_comes_again_answers_no_later_question() {
        let (now, asker) = (Instant::now(), asker(1));
        let mut fetches = Fetches::default();
        let (peer, first) = fetches.begin(asker.clone(), [1; 8], 1, now).unwrap();
        let challenge = Answer::from(ResponseType::Unauthorized).with(ECHO, b"echo");
        let challenge = response(peer, &token_of(&first), challenge);
        let mut question = asked(fetches.take(&challenge, now, || 2));
        let mut before = challenge;
        let whole = [b"</", &[b'a'; 45][..], b">"].concat();
        for (number, id) in (0..3).zip(3..) {
            assert!(matches!(fetches.take(&before, now, || 9), Step::Again));
            // The question is still asked.
            assert_eq!(fetches.waiting.len(), 1);
            let more = if number < 2 { 8 } else { 0 };
            let part = &whole[16 * number as usize..][..16];
            let answer = response(peer, &token_of(&question), block(number << 4 | more, part));
            match fetches.take(&answer, now, || id) {
                Step::Ask((_, next)) => question = next,
                Step::Done(fetched) => assert_eq!(fetched.links.unwrap().len(), 1),
                _ => panic!(),
            }
            before = answer;
        }
        assert!(fetches.by_token.is_empty() && fetches.waiting.is_empty());
    }
}
