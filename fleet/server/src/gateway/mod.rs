// SPDX-License-Identifier: Apache-2.0
//! Between a device's serial line and its server: messages pass unchanged, and neither
//! end can tell. A gateway is trusted with nothing, and has no key.

mod line;
pub mod slipmux;

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

pub use line::open;
use slipmux::{Decoder, Taken};

use crate::coap::message::MESSAGE_MAX;

/// The longest time until a wait for the server notices the end of the line.
const TICK: Duration = Duration::from_millis(100);

/// The counts of passed and dropped messages.
#[derive(Default, Debug)]
pub struct Counts {
    /// Messages that went to the server, and to the device.
    pub up: AtomicU64,
    pub down: AtomicU64,
    /// Frames with a message that is damaged, too long or none.
    pub malformed: AtomicU64,
    /// Frames of other kinds.
    pub other: AtomicU64,
    /// Messages that the network did not take, and answers that are no message.
    pub lost: AtomicU64,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A socket for one line: servers know devices by their addresses.
pub fn connect(server: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = if server.is_ipv4() {
        ([0, 0, 0, 0], 0).into()
    } else {
        ([0u16; 8], 0).into()
    };
    let socket = UdpSocket::bind(any)?;
    socket.connect(server)?;
    socket.set_read_timeout(Some(TICK))?;
    Ok(socket)
}

/// Passes messages until the line ends; `say` gets the text on it, and `fail` the reason why it
/// takes nothing any more: at once, because what comes from it may be waited for much longer.
pub fn join<L: Read + Send, W: Write + Send>(
    from: L,
    to: W,
    socket: &UdpSocket,
    counts: &Counts,
    say: impl FnMut(&str),
    fail: impl FnOnce(&io::Error) + Send,
) -> io::Result<()> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let down = scope.spawn(|| {
            let passed = pass_down(to, |buffer| socket.recv(buffer), counts, &is_over);
            if let Err(error) = &passed {
                is_over.store(true, Ordering::Relaxed);
                fail(error);
            }
            passed
        });
        let up = pass_up(from, socket, counts, &is_over, say);
        is_over.store(true, Ordering::Relaxed);
        let down = down.join().unwrap_or_else(|_| Err(ErrorKind::Other.into()));
        up.and(down)
    })
}

fn pass_up(
    mut line: impl Read,
    socket: &UdpSocket,
    counts: &Counts,
    is_over: &AtomicBool,
    mut say: impl FnMut(&str),
) -> io::Result<()> {
    let mut decoder = Decoder::default();
    let mut buffer = [0; 512];
    while !is_over.load(Ordering::Relaxed) {
        let length = match line.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if is_end(&error) => return Ok(()),
            Err(error) => return Err(error),
        };
        for byte in &buffer[..length] {
            decoder.take(*byte, |taken| match taken {
                Taken::Message(message) => send(socket, message, counts),
                Taken::Text(text) => say(text),
                Taken::Malformed => count(&counts.malformed),
                Taken::Other => count(&counts.other),
            });
        }
    }
    Ok(())
}

/// A terminal whose other side was closed says EIO, a socket that its connection was reset.
fn is_end(error: &io::Error) -> bool {
    const EIO: i32 = 5;
    error.kind() == ErrorKind::ConnectionReset || error.raw_os_error() == Some(EIO)
}

/// Nothing came, or the message had no receiver.
fn is_silence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock
            | ErrorKind::TimedOut
            | ErrorKind::Interrupted
            | ErrorKind::ConnectionRefused
    )
}

fn send(socket: &UdpSocket, message: &[u8], counts: &Counts) {
    // The kernel reports now that the message before had no receiver, which is no
    // failure of this one.
    let is_sent = (0..2).any(|_| socket.send(message).is_ok());
    count(if is_sent { &counts.up } else { &counts.lost });
}

fn pass_down(
    mut line: impl Write,
    mut receive: impl FnMut(&mut [u8]) -> io::Result<usize>,
    counts: &Counts,
    is_over: &AtomicBool,
) -> io::Result<()> {
    let mut buffer = [0; MESSAGE_MAX + 1];
    while !is_over.load(Ordering::Relaxed) {
        let length = match receive(&mut buffer) {
            Ok(length) => length,
            Err(error) => {
                // Firewalls, and forgers of their answers, send many errors: none ends a line.
                if !is_silence(&error) {
                    count(&counts.lost);
                    thread::sleep(TICK);
                }
                continue;
            }
        };
        if length > MESSAGE_MAX {
            count(&counts.lost);
            continue;
        }
        match line.write_all(&slipmux::frame(&buffer[..length])) {
            Ok(()) => count(&counts.down),
            // The line's end: the other thread notices it, too.
            Err(error) if error.kind() == ErrorKind::BrokenPipe || is_end(&error) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    fn value(counter: &AtomicU64) -> u64 {
        counter.load(Ordering::Relaxed)
    }

    #[test]
    fn messages_pass_both_ways_and_what_is_damaged_does_not() {
        let server = UdpSocket::bind("127.0.0.1:0").unwrap();
        server
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let socket = connect(server.local_addr().unwrap()).unwrap();
        let (mut device, line) = UnixStream::pair().unwrap();
        device
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let (counts, asked) = (Counts::default(), [0x40, 0x01, 0xc0, 0xdb]);
        let mut said = Vec::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                let (from, to) = (line.try_clone().unwrap(), &line);
                let say = |text: &str| said.push(text.to_string());
                join(from, to, &socket, &counts, say, |_| {}).unwrap();
            });
            let mut damaged = slipmux::frame(&asked);
            damaged[3] ^= 1;
            device.write_all(b"boot\n").unwrap();
            device.write_all(&damaged).unwrap();
            device.write_all(&slipmux::frame(&asked)).unwrap();
            let mut buffer = [0; 64];
            let (length, peer) = server.recv_from(&mut buffer).unwrap();
            assert_eq!(buffer[..length], asked);
            let answered = [0x60, 0x45, 0x00, 0x01];
            server.send_to(&[0; MESSAGE_MAX + 1], peer).unwrap();
            server.send_to(&answered, peer).unwrap();
            let framed = slipmux::frame(&answered);
            device.read_exact(&mut buffer[..framed.len()]).unwrap();
            assert_eq!(buffer[..framed.len()], framed);
            device.shutdown(std::net::Shutdown::Both).unwrap();
        });
        assert_eq!(said, ["boot"]);
        let all = [
            &counts.up,
            &counts.down,
            &counts.malformed,
            &counts.other,
            &counts.lost,
        ];
        assert_eq!(all.map(value), [1, 1, 1, 0, 1]);
    }

    #[test]
    fn what_the_network_says_ends_nothing() {
        const EHOSTUNREACH: i32 = 113;
        let (counts, is_over) = (Counts::default(), AtomicBool::new(false));
        let (mut line, answered) = (Vec::new(), [0x60, 0x45, 0x00, 0x01]);
        let mut calls = 0;
        let receive = |buffer: &mut [u8]| {
            calls += 1;
            match calls {
                1 => Err(io::Error::from_raw_os_error(EHOSTUNREACH)),
                2 => Err(ErrorKind::PermissionDenied.into()),
                3 => {
                    buffer[..answered.len()].copy_from_slice(&answered);
                    Ok(answered.len())
                }
                _ => {
                    is_over.store(true, Ordering::Relaxed);
                    Err(ErrorKind::WouldBlock.into())
                }
            }
        };
        pass_down(&mut line, receive, &counts, &is_over).unwrap();
        assert_eq!(line, slipmux::frame(&answered));
        assert_eq!([&counts.down, &counts.lost].map(value), [1, 2]);
    }

    #[test]
    fn server_that_is_not_there_ends_nothing() {
        let gone = UdpSocket::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let (mut device, line) = UnixStream::pair().unwrap();
        let counts = Counts::default();
        let socket = connect(gone).unwrap();
        for _ in 0..4 {
            device
                .write_all(&slipmux::frame(&[0x40, 0x01, 0, 1]))
                .unwrap();
        }
        drop(device);
        let from = line.try_clone().unwrap();
        join(from, &line, &socket, &counts, |_| {}, |_| {}).unwrap();
        assert_eq!(value(&counts.up) + value(&counts.lost), 4);
    }
}
