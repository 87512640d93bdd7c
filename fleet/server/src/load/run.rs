// SPDX-License-Identifier: Apache-2.0
//! Devices that talk to a server: so many exchanges at a time, or so many requests a second. What is
//! confirmable is sent again without an answer, as devices do.

use std::collections::{HashMap, VecDeque};
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use coap_lite::{CoapOption, MessageClass, MessageType, Packet, RequestType, ResponseType};
use ring::rand::SystemRandom;

use super::device::{request, Device};
use crate::coap::message::{self, MESSAGE_MAX};

const ACK_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_RETRANSMIT: u32 = 4;
/// The longest that is waited for an answer at a time.
const GLANCE: Duration = Duration::from_millis(50);
/// The time in which a server receives all datagrams on their way.
const SETTLE: Duration = Duration::from_millis(500);

/// How requests are sent.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many confirmable requests wait for their answers at a time.
    pub window: usize,
    /// Requests a second; as many as are answered if none.
    pub rate: Option<f64>,
    /// Every how manyth reading is confirmable.
    pub confirm_every: usize,
}

/// The next step of a device.
enum Step {
    Ask,
    Register(Vec<u8>),
    Read { is_confirmable: bool },
}

struct Waiting {
    device: usize,
    step: Step,
    /// When it should have been sent, from which its time counts.
    due: Instant,
    datagram: Vec<u8>,
    again_at: Instant,
    tries: u32,
}

/// The results.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Requests that were sent, repetitions not counted.
    pub sent: usize,
    /// Confirmable ones that succeeded.
    pub confirmed: usize,
    pub refused: usize,
    pub silent: usize,
    pub seconds: f64,
    /// Milliseconds from a confirmable request to its answer, ascending.
    pub times: Vec<f64>,
}

impl Tally {
    /// The time that this share of the answers took at most.
    pub fn percentile(&self, share: f64) -> Option<f64> {
        let last = self.times.len().checked_sub(1)?;
        Some(self.times[(last as f64 * share).round() as usize])
    }
}

/// All devices, at a server.
pub struct Run {
    pub devices: Vec<Device>,
    socket: UdpSocket,
    random: SystemRandom,
    waiting: HashMap<u32, Waiting>,
    token: u32,
    tally: Tally,
}

impl Run {
    /// Devices that have a socket in common.
    pub fn new(devices: Vec<Device>, server: SocketAddr) -> io::Result<Self> {
        let socket = match server {
            SocketAddr::V4(_) => UdpSocket::bind("0.0.0.0:0"),
            SocketAddr::V6(_) => UdpSocket::bind("[::]:0"),
        }?;
        socket.connect(server)?;
        Ok(Run {
            devices,
            socket,
            random: SystemRandom::new(),
            waiting: HashMap::new(),
            token: 0,
            tally: Tally::default(),
        })
    }

    /// Registers all devices at the broker.
    pub fn register(&mut self, plan: Plan) -> io::Result<Tally> {
        let steps = (0..self.devices.len()).map(|device| (device, Step::Ask));
        self.carry_out(steps.collect(), plan)
    }

    /// Publishes so many readings, of one registered device after the other.
    pub fn publish(&mut self, readings: usize, plan: Plan) -> io::Result<Tally> {
        let registered: Vec<_> = (0..self.devices.len())
            .filter(|device| self.devices[*device].is_registered)
            .collect();
        let steps = registered.iter().cycle().take(readings).enumerate();
        let steps = steps.map(|(at, device)| {
            let is_confirmable = (at + 1) % plan.confirm_every == 0;
            (*device, Step::Read { is_confirmable })
        });
        self.carry_out(steps.collect(), plan)
    }

    fn carry_out(&mut self, mut steps: VecDeque<(usize, Step)>, plan: Plan) -> io::Result<Tally> {
        let start = Instant::now();
        let interval = plan.rate.map(|rate| Duration::from_secs_f64(1.0 / rate));
        let mut due = start;
        self.tally = Tally::default();
        while !steps.is_empty() || !self.waiting.is_empty() {
            let now = Instant::now();
            while self.waiting.len() < plan.window && (interval.is_none() || due <= now) {
                let Some((device, step)) = steps.pop_front() else {
                    break;
                };
                let from = interval.map_or_else(Instant::now, |_| due);
                self.send(device, step, from)?;
                due += interval.unwrap_or_default();
            }
            let patience = match interval {
                Some(_) if !steps.is_empty() => due.saturating_duration_since(Instant::now()),
                _ => GLANCE,
            };
            self.receive(patience.clamp(Duration::from_micros(1), GLANCE), &mut steps)?;
            self.send_again()?;
        }
        self.tally.seconds = start.elapsed().as_secs_f64();
        std::thread::sleep(SETTLE);
        self.tally.times.sort_by(f64::total_cmp);
        Ok(std::mem::take(&mut self.tally))
    }

    fn send(&mut self, device: usize, step: Step, due: Instant) -> io::Result<()> {
        let one = &mut self.devices[device];
        self.token = self.token.wrapping_add(1);
        let (token, random) = (self.token, &self.random);
        let registration = [b"reg".to_vec()];
        let (datagram, is_confirmable) = match &step {
            Step::Ask => {
                let post = RequestType::Post;
                (
                    request(post, &registration, token, true, None, Vec::new()),
                    true,
                )
            }
            Step::Register(nonce) => {
                let object = one.registration(nonce, random);
                let post = RequestType::Post;
                (
                    request(post, &registration, token, true, Some(nonce), object),
                    true,
                )
            }
            Step::Read { is_confirmable } => {
                let time = SystemTime::now().duration_since(UNIX_EPOCH);
                let seconds = time.unwrap_or_default().as_secs();
                let object = one.reading(*is_confirmable, seconds, random);
                let put = RequestType::Put;
                (
                    request(put, &one.topic, token, *is_confirmable, None, object),
                    *is_confirmable,
                )
            }
        };
        self.tally.sent += 1;
        self.transmit(&datagram)?;
        if is_confirmable {
            let again_at = Instant::now() + ACK_TIMEOUT;
            let waiting = Waiting {
                device,
                step,
                due,
                datagram,
                again_at,
                tries: 0,
            };
            self.waiting.insert(token, waiting);
        }
        Ok(())
    }

    fn transmit(&self, datagram: &[u8]) -> io::Result<()> {
        match self.socket.send(datagram) {
            // No receiver, or no buffer: as if it had been lost.
            Err(error) if error.kind() != ErrorKind::ConnectionRefused => Err(error),
            _ => Ok(()),
        }
    }

    fn receive(
        &mut self,
        patience: Duration,
        steps: &mut VecDeque<(usize, Step)>,
    ) -> io::Result<()> {
        let mut buffer = [0; MESSAGE_MAX];
        self.socket.set_read_timeout(Some(patience))?;
        let mut received = self.socket.recv(&mut buffer);
        self.socket.set_nonblocking(true)?;
        while let Ok(length) = received {
            self.take(&buffer[..length], steps);
            received = self.socket.recv(&mut buffer);
        }
        self.socket.set_nonblocking(false)
    }

    fn take(&mut self, datagram: &[u8], steps: &mut VecDeque<(usize, Step)>) {
        let Ok(packet) = Packet::from_bytes(datagram) else {
            return;
        };
        let MessageClass::Response(code) = packet.header.code else {
            return;
        };
        let Ok(token) = packet.get_token().try_into().map(u32::from_be_bytes) else {
            return;
        };
        let Some(waiting) = self.waiting.remove(&token) else {
            // A message that was not confirmable gets only errors as answers. A message
            // that was sent again may be acknowledged again.
            let is_again = packet.header.get_type() == MessageType::Acknowledgement;
            self.tally.refused += usize::from(!is_again);
            return;
        };
        let device = waiting.device;
        match (waiting.step, code) {
            (Step::Ask, ResponseType::Unauthorized) => {
                let echo = packet.get_first_option(message::ECHO).cloned();
                steps.push_front((device, Step::Register(echo.unwrap_or_default())));
                return;
            }
            (Step::Register(_), ResponseType::Created | ResponseType::Changed) => {
                let path = packet.get_option(CoapOption::LocationPath);
                self.devices[device].topic = path.into_iter().flatten().cloned().collect();
                self.devices[device].is_registered = true;
            }
            (Step::Read { .. }, ResponseType::Created | ResponseType::Changed) => {}
            _ => {
                self.tally.refused += 1;
                return;
            }
        }
        self.tally.confirmed += 1;
        let time = waiting.due.elapsed().as_secs_f64() * 1e3;
        self.tally.times.push(time);
    }

    fn send_again(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let late = |one: &Waiting| one.again_at <= now;
        let late: Vec<u32> = self
            .waiting
            .iter()
            .filter_map(|(token, one)| late(one).then_some(*token))
            .collect();
        for token in late {
            let Some(one) = self.waiting.get_mut(&token) else {
                continue;
            };
            if one.tries == MAX_RETRANSMIT {
                self.waiting.remove(&token);
                self.tally.silent += 1;
                continue;
            }
            one.tries += 1;
            one.again_at = now + ACK_TIMEOUT * (1 << one.tries);
            let datagram = one.datagram.clone();
            self.transmit(&datagram)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_came_twice_refuses_nothing() {
        let server = UdpSocket::bind("127.0.0.1:0").unwrap();
        let mut run = Run::new(Vec::new(), server.local_addr().unwrap()).unwrap();
        let mut steps = VecDeque::new();
        for (first, refused) in [(0x64, 0), (0x54, 1)] {
            run.take(&[first, 0x44, 0, 1, 0, 0, 0, 7], &mut steps);
            assert_eq!(run.tally.refused, refused);
        }
    }
}
