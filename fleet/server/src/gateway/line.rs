// SPDX-License-Identifier: Apache-2.0
//! Serial lines: a device of the system, of which a pseudo-terminal is one, or the socket of an emulator.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::fs::{fcntl_getfl, fcntl_setfl, OFlags};
use rustix::termios::{self, ControlModes, InputModes, OptionalActions};

/// How often an emulator is asked that has made its socket and does not listen yet.
const ATTEMPTS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(50);

fn connect(path: &Path) -> io::Result<UnixStream> {
    for _ in 1..ATTEMPTS {
        match UnixStream::connect(path) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => thread::sleep(BETWEEN),
            connected => return connected,
        }
    }
    UnixStream::connect(path)
}

/// Opens a line. Bytes pass as they are, at this many bits a second where that means something.
pub fn open(path: &Path, baud: u32) -> io::Result<File> {
    if fs::metadata(path)?.file_type().is_socket() {
        return Ok(File::from(OwnedFd::from(connect(path)?)));
    }
    let line = OpenOptions::new()
        .read(true)
        .write(true)
        // A terminal that hangs up is not this process's.
        // A carrier is not required either, because a line of three wires has none.
        .custom_flags((OFlags::NOCTTY | OFlags::NONBLOCK).bits().cast_signed())
        .open(path)?;
    fcntl_setfl(&line, fcntl_getfl(&line)? - OFlags::NONBLOCK)?;
    if line.is_terminal() {
        let mut settings = termios::tcgetattr(&line)?;
        settings.make_raw();
        settings.control_modes |= ControlModes::CLOCAL | ControlModes::CREAD;
        // Resets settings of earlier programs: a line of three wires has no signal to continue.
        settings.control_modes -= ControlModes::CRTSCTS | ControlModes::CSTOPB;
        settings.input_modes -= InputModes::IXOFF | InputModes::IXANY;
        settings.set_speed(baud)?;
        termios::tcsetattr(&line, OptionalActions::Now, &settings)?;
    }
    Ok(line)
}
