// SPDX-License-Identifier: Apache-2.0
//! Questions of other threads to the engine, which has its own and answers them between
//! two batches: so no thread needs a second copy of the state, nor a lock that a
//! reading would wait for.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{eventfd, EventfdFlags};

use super::Engine;
use crate::store::Log;

/// The limit of waiting questions; the next one is answered that the server is busy.
const WAITING_MAX: usize = 256;

/// How many are answered between two batches, and for how long: of those that take longer, one.
const AT_ONCE: usize = 16;
const TURN: Duration = Duration::from_millis(20);

/// The work on the engine.
pub type Question<L> = Box<dyn FnOnce(&mut Engine<L>) + Send>;

/// The engine has too many questions, or is gone.
#[derive(Debug)]
pub struct Busy;

/// The queue of questions.
pub struct Asker<L: Log> {
    sender: SyncSender<Question<L>>,
    bell: Arc<OwnedFd>,
}

/// Where the engine's thread takes them.
pub struct Questions<L: Log> {
    receiver: Receiver<Question<L>>,
    bell: Arc<OwnedFd>,
}

/// Both ends.
pub fn channel<L: Log>() -> io::Result<(Asker<L>, Questions<L>)> {
    let bell = Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?);
    let (sender, receiver) = mpsc::sync_channel(WAITING_MAX);
    let asker = Asker {
        sender,
        bell: bell.clone(),
    };
    Ok((asker, Questions { receiver, bell }))
}

impl<L: Log> Clone for Asker<L> {
    fn clone(&self) -> Self {
        Asker {
            sender: self.sender.clone(),
            bell: self.bell.clone(),
        }
    }
}

impl<L: Log> Asker<L> {
    /// Puts a question, and wakes the engine.
    pub fn put(&self, question: Question<L>) -> Result<(), Busy> {
        self.sender.try_send(question).map_err(|_| Busy)?;
        ring(&self.bell);
        Ok(())
    }
}

impl<L: Log> Questions<L> {
    /// The descriptor that becomes readable when there is a question.
    pub fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    /// Answers some of those that wait; the bell rings on if there may be more.
    pub fn answer(&self, engine: &mut Engine<L>) {
        // Silenced before looking: a thread that adds a question from now on rings again.
        let _ = rustix::io::read(&self.bell, &mut [0; 8]);
        let begun = Instant::now();
        for _ in 0..AT_ONCE {
            match self.receiver.try_recv() {
                Ok(question) => question(engine),
                Err(_) => return,
            }
            if begun.elapsed() >= TURN {
                break;
            }
        }
        ring(&self.bell);
    }
}

fn ring(bell: &OwnedFd) {
    // That it is full of rings already is as good.
    let _ = rustix::io::write(bell, &1u64.to_ne_bytes());
}
