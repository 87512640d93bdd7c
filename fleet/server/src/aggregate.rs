// SPDX-License-Identifier: Apache-2.0
//! An aggregator: it follows devices at a broker and publishes their readings again, several in one object, each as its
//! device signed it. It signs nothing, and who reads what it publishes trusts it with nothing.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout_at, Instant};

use crate::verify::client::{Client, Error};
use crate::verify::{bundle, Identity};

/// The most that a topic holds, and that goes into one message.
const MESSAGE_MAX: usize = 1024;

/// How many readings wait for a server that takes none. Then the oldest make room.
const WAITING_MAX: usize = 1000;

/// How long until a device is looked for again that could not be followed.
const AGAIN: Duration = Duration::from_secs(5);

/// What is to be done.
pub struct Plan {
    pub identities: Vec<Identity>,
    pub from: SocketAddr,
    pub to: SocketAddr,
    /// The name of the topic; without one the server takes the readings as their devices'.
    pub topic: Option<String>,
    pub every: Duration,
}

/// A bundle that arrived.
pub struct Published {
    pub readings: usize,
    pub bytes: usize,
    /// Why the server refused which of them.
    pub refused: Vec<String>,
}

/// Aggregates until `show` fails.
pub fn run(plan: Plan, show: impl FnMut(&Published) -> io::Result<()>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(gather(plan, show))
}

async fn gather(plan: Plan, mut show: impl FnMut(&Published) -> io::Result<()>) -> io::Result<()> {
    let (sender, mut coming) = mpsc::channel(64);
    for identity in &plan.identities {
        tokio::spawn(follow(plan.from, *identity, sender.clone()));
    }
    let mut waiting = VecDeque::new();
    let mut target = Target {
        server: plan.to,
        topic: plan.topic,
        path: None,
    };
    loop {
        let until = Instant::now() + plan.every;
        while let Ok(Some(item)) = timeout_at(until, coming.recv()).await {
            waiting.push_back(item);
            if waiting.len() > WAITING_MAX {
                waiting.pop_front();
            }
        }
        while !waiting.is_empty() {
            let (readings, content) = next_bundle(&waiting);
            match target.give(&content).await {
                Ok(refused) => show(&Published {
                    readings,
                    bytes: content.len(),
                    refused,
                })?,
                Err(error) => {
                    complain(&plan.to, &error);
                    break;
                }
            }
            waiting.drain(..readings);
        }
    }
}

/// As many of those that wait as fit, which is one at least.
fn next_bundle(waiting: &VecDeque<Vec<u8>>) -> (usize, Vec<u8>) {
    let mut content = Vec::new();
    let mut count = 0;
    for item in waiting {
        if count > 0 && content.len() + item.len() > MESSAGE_MAX {
            break;
        }
        content.extend_from_slice(item);
        count += 1;
    }
    (count, content)
}

struct Target {
    server: SocketAddr,
    topic: Option<String>,
    /// Where the topic is, once that is known.
    path: Option<String>,
}

impl Target {
    async fn give(&mut self, content: &[u8]) -> Result<Vec<String>, Error> {
        let mut client = Client::connect(self.server).await?;
        let Some(name) = &self.topic else {
            let said = client.tell(content).await?;
            return Ok(said.into_iter().flatten().collect());
        };
        let path = match self.path.take() {
            Some(path) => path,
            None => client.topic(name, bundle::FORMAT).await?,
        };
        // A topic that is gone is created anew the next time: its path is kept only while it serves.
        client.publish(&path, bundle::FORMAT, content).await?;
        self.path = Some(path);
        Ok(Vec::new())
    }
}

async fn follow(server: SocketAddr, identity: Identity, sender: mpsc::Sender<Vec<u8>>) {
    let mut highest = 0;
    loop {
        if let Err(error) = follow_once(server, identity, &mut highest, &sender).await {
            complain(&identity, &error);
        }
        sleep(AGAIN).await;
    }
}

async fn follow_once(
    server: SocketAddr,
    identity: Identity,
    highest: &mut u64,
    sender: &mpsc::Sender<Vec<u8>>,
) -> Result<(), Error> {
    let mut client = Client::connect(server).await?;
    let mut device = client.find(identity).await?.since(*highest);
    let topics = client.topics(&identity).await?;
    let topic = topics.first().ok_or(Error::NotFound)?;
    let mut observation = client.observe(topic).await?;
    loop {
        let reading = observation.next(&mut device).await?;
        let item = bundle::item(&reading.object, &identity, reading.sequence)?;
        if item.len() > MESSAGE_MAX {
            eprintln!("corral-fleet: {identity}: a reading is too long for a bundle");
        } else if sender.send(item).await.is_err() {
            return Ok(());
        }
        *highest = reading.sequence;
    }
}

fn complain(about: &dyn std::fmt::Display, error: &Error) {
    eprintln!("corral-fleet: {about}: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_has_as_many_as_fit_in_their_order() {
        let waiting: VecDeque<_> = [500, 524, 1, 1024].map(|size| vec![0; size]).into();
        assert_eq!(next_bundle(&waiting), (2, vec![0; 1024]));
        let waiting: VecDeque<_> = [1, 1024].map(|size| vec![0; size]).into();
        assert_eq!(next_bundle(&waiting), (1, vec![0]));
    }
}
