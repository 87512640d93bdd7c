// SPDX-License-Identifier: Apache-2.0
//! An aggregator: it follows devices at a broker and publishes their readings again, several in one object, each as its
//! device signed it. It signs nothing, and readers of its bundles need not trust it.

use std::collections::{HashMap, VecDeque};
use std::future::{poll_fn, Future};
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout, timeout_at, Instant};

use crate::verify::client::{Client, Error, Topic};
use crate::verify::pubsub::CONTENT_MAX;
use crate::verify::text::reason;
use crate::verify::{bundle, Identity};

/// How many readings wait for a server that takes none; then the oldest of the device that has most make room. For a topic
/// one of each device waits.
const WAITING_MAX: usize = 1000;

/// When so many wait, a turn begins before its time, so that none is lost at a server that takes them.
const WAITING_ENOUGH: usize = WAITING_MAX / 2;

/// How long until a device is looked for again that could not be followed.
const AGAIN: Duration = Duration::from_secs(5);

/// How long a server may take for an answer in pieces, each of which comes in time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The settings of the work.
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
    /// How many readings wait for the next one.
    pub left: usize,
    /// How many made room since the last one, because no more can wait.
    pub lost: usize,
    pub refused: Vec<Refused>,
}

/// A reading that the server refused.
pub struct Refused {
    pub identity: Identity,
    pub sequence: u64,
    /// In the server's words, short and plain.
    pub reason: String,
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
    let mut waiting = Waiting::of(plan.topic.is_some());
    let mut target = Target {
        server: plan.to,
        topic: plan.topic,
        path: None,
    };
    let mut is_well = true;
    loop {
        hear(plan.every, &mut coming, &mut waiting, is_well).await;
        is_well = true;
        waiting.begin_turn();
        while let Some(content) = waiting.next_bundle() {
            let mut later = Waiting::of(waiting.is_state);
            let given = within(PATIENCE, target.give(&content));
            let given = meanwhile(given, &mut coming, &mut later).await;
            let published = given.map(|said| (waiting.refused(said), waiting.published()));
            waiting.append(later);
            match published {
                Ok((refused, readings)) => show(&Published {
                    readings,
                    bytes: content.len(),
                    left: waiting.items.len(),
                    lost: std::mem::take(&mut waiting.lost),
                    refused,
                })?,
                Err(error) => {
                    complain(&plan.to, &error);
                    is_well = false;
                    break;
                }
            }
        }
    }
}

/// Takes what comes until the next turn. No requests go to a failing server for the whole time.
async fn hear(
    time: Duration,
    coming: &mut mpsc::Receiver<Item>,
    waiting: &mut Waiting,
    is_well: bool,
) {
    let until = Instant::now() + time;
    while !(is_well && waiting.has_enough()) {
        let Ok(Some(item)) = timeout_at(until, coming.recv()).await else {
            return;
        };
        waiting.take(item);
    }
}

/// Does this, unless it takes longer.
async fn within<T>(
    time: Duration,
    doing: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let late = |_| Error::Io(io::ErrorKind::TimedOut.into());
    timeout(time, doing).await.map_err(late)?
}

/// Does this, and keeps readings that arrive meanwhile: a follower that waits for its
/// output would miss them.
async fn meanwhile<T>(
    doing: impl Future<Output = T>,
    coming: &mut mpsc::Receiver<Item>,
    later: &mut Waiting,
) -> T {
    let mut doing = pin!(doing);
    poll_fn(|context| {
        if let Poll::Ready(done) = doing.as_mut().poll(context) {
            return Poll::Ready(done);
        }
        while let Poll::Ready(Some(item)) = coming.poll_recv(context) {
            later.take(item);
        }
        Poll::Pending
    })
    .await
}

struct Item {
    identity: Identity,
    sequence: u64,
    /// The reading in the form of a bundle.
    original: Vec<u8>,
}

impl Item {
    fn is_of_other(&self, other: &Item) -> bool {
        self.identity != other.identity
    }
}

/// The next publication: each reading in its turn, or only the newest of each device,
/// because a topic has one content.
#[derive(Default)]
struct Waiting {
    is_state: bool,
    /// The number still to be published in this turn: later readings wait for the next
    /// one. Of a state nothing is once it was published, because clients would miss it
    /// if another followed at once.
    due: usize,
    items: VecDeque<Item>,
    /// How many made room since that was told.
    lost: usize,
    /// Of a state what was published before, the newest first: it goes on to be published where there is room.
    before: VecDeque<Item>,
}

impl Waiting {
    fn of(is_state: bool) -> Self {
        Waiting {
            is_state,
            ..Waiting::default()
        }
    }

    fn take(&mut self, item: Item) {
        let of_same = |one: &&mut Item| one.identity == item.identity;
        let mut same = self.items.iter_mut().filter(of_same);
        match same.next() {
            // It keeps its turn, so that each device has one however often others are heard.
            Some(older) if self.is_state => *older = item,
            _ => self.items.push_back(item),
        }
        // Of a state no more wait than there are devices, and the oldest is whose turn is next.
        if self.items.len() > WAITING_MAX && !self.is_state {
            self.make_room();
        }
    }

    /// Drops the oldest of the device with the most: no device takes the space of
    /// another by sending more.
    fn make_room(&mut self) {
        let mut counts = HashMap::new();
        for item in &self.items {
            *counts.entry(item.identity).or_insert(0) += 1;
        }
        let most = counts.values().max();
        let is_of_loudest = |item: &Item| counts.get(&item.identity) == most;
        if let Some(at) = self.items.iter().position(is_of_loudest) {
            self.items.remove(at);
            self.due -= usize::from(at < self.due);
            self.lost += 1;
        }
    }

    fn has_enough(&self) -> bool {
        !self.is_state && self.items.len() >= WAITING_ENOUGH
    }

    /// Takes what came later.
    fn append(&mut self, later: Waiting) {
        self.lost += later.lost;
        for item in later.items {
            self.take(item);
        }
    }

    /// All that a bundle has room for: one that waits at least, if there is any.
    fn next_items(&self) -> impl Iterator<Item = &Item> {
        let is_over = |one: &&Item| self.items.iter().all(|other| other.is_of_other(one));
        let mut bytes = 0;
        let all = self.items.iter().chain(self.before.iter().filter(is_over));
        all.take_while(move |item| {
            bytes += item.original.len();
            bytes <= CONTENT_MAX
        })
    }

    fn begin_turn(&mut self) {
        self.due = self.items.len();
    }

    /// The next bundle of this turn, if anything waits.
    fn next_bundle(&self) -> Option<Vec<u8>> {
        if self.due == 0 {
            return None;
        }
        let items = self.next_items();
        let content = items.flat_map(|item| item.original.iter().copied());
        Some(content.collect())
    }

    /// The rejected readings of the next bundle, from the server's answers: for each
    /// reading nothing, or the reason.
    fn refused(&self, said: Vec<Option<String>>) -> Vec<Refused> {
        let said = self.next_items().zip(said);
        let refused = said.filter_map(|(item, why)| {
            Some(Refused {
                identity: item.identity,
                sequence: item.sequence,
                reason: reason(&why?),
            })
        });
        refused.collect()
    }

    /// The next bundle was published: how many readings were in it.
    fn published(&mut self) -> usize {
        let count = self.next_items().count();
        let new = count.min(self.items.len());
        self.due = self.due.saturating_sub(new);
        let mut published: VecDeque<_> = self.items.drain(..new).collect();
        if self.is_state {
            self.before
                .retain(|one| published.iter().all(|other| other.is_of_other(one)));
            published.append(&mut self.before);
            self.before = published;
            self.due = 0;
        }
        count
    }
}

struct Target {
    server: SocketAddr,
    topic: Option<String>,
    /// Where the topic is, once that is known.
    path: Option<String>,
}

impl Target {
    /// Of each reading nothing, or why the server refuses it.
    async fn give(&mut self, content: &[u8]) -> Result<Vec<Option<String>>, Error> {
        let mut client = Client::connect(self.server).await?;
        let Some(name) = &self.topic else {
            return client.tell(content).await;
        };
        let path = match &self.path {
            Some(path) => path,
            None => {
                let topic = client.topic(name, bundle::FORMAT).await?;
                self.path.insert(told(name, topic))
            }
        };
        let published = client.publish(path, bundle::FORMAT, content).await;
        // A topic that is gone, or has another owner meanwhile, is looked up anew the next time.
        if matches!(&published, Err(Error::Elsewhere(_) | Error::Malformed))
            || matches!(&published, Err(Error::Code(code)) if code == "4.04")
        {
            self.path = None;
        }
        published.map(|()| Vec::new())
    }
}

/// The path of a topic, after a message to the operator if it may have another owner.
fn told(name: &str, topic: Topic) -> String {
    if !topic.is_new {
        eprintln!(
            "corral-fleet: the topic {name} was there already: who made it can end it, and may publish there, too"
        );
    }
    topic.path
}

async fn follow(server: SocketAddr, identity: Identity, sender: mpsc::Sender<Item>) {
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
    sender: &mpsc::Sender<Item>,
) -> Result<(), Error> {
    let mut client = Client::connect(server).await?;
    let found = within(PATIENCE, async {
        Ok((
            client.find(identity).await?,
            client.topics(&identity).await?,
        ))
    });
    let (device, topics) = found.await?;
    let mut device = device.since(*highest);
    let topic = topics.first().ok_or(Error::NotFound)?;
    let mut observation = client.observe(topic).await?;
    loop {
        let reading = observation.next(&mut device).await?;
        *highest = reading.sequence;
        let item = bundle::item(&reading.object, &identity, reading.sequence);
        let Some(item) = item.ok().filter(|item| item.len() <= CONTENT_MAX) else {
            eprintln!(
                "corral-fleet: {identity}: reading {highest} is too long for a bundle, and left out"
            );
            continue;
        };
        let item = Item {
            identity,
            sequence: reading.sequence,
            original: item,
        };
        if sender.send(item).await.is_err() {
            return Ok(());
        }
    }
}

fn complain(about: &dyn std::fmt::Display, error: &Error) {
    eprintln!("corral-fleet: {about}: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(device: u8, original: Vec<u8>) -> Item {
        Item {
            identity: Identity([device; 16]),
            sequence: 1,
            original,
        }
    }

    fn waiting(is_state: bool, items: &[(u8, usize)]) -> Waiting {
        let mut waiting = Waiting::of(is_state);
        for (at, (device, size)) in items.iter().enumerate() {
            waiting.take(item(*device, vec![at as u8; *size]));
        }
        waiting
    }

    /// Of each bundle the numbers of its readings, and how many are left.
    fn published(waiting: &mut Waiting) -> Option<(Vec<u8>, usize)> {
        let mut content = waiting.next_bundle()?;
        assert!(content.len() <= CONTENT_MAX);
        content.dedup();
        assert_eq!(waiting.published(), content.len());
        Some((content, waiting.items.len()))
    }

    #[test]
    fn a_server_gets_each_reading_once_and_in_order() {
        let mut all = waiting(false, &[(1, 500), (1, 524), (2, 1), (1, 1024)]);
        all.begin_turn();
        assert_eq!(published(&mut all), Some((vec![0, 1], 2)));
        assert_eq!(published(&mut all), Some((vec![2], 1)));
        assert_eq!(published(&mut all), Some((vec![3], 0)));
        assert_eq!(published(&mut all), None);
    }

    #[test]
    fn what_comes_while_a_server_is_silent_waits_for_the_next_turn() {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.build().unwrap();
        let (sender, mut coming) = mpsc::channel(1);
        let mut all = waiting(false, &[(1, 500), (1, 500), (1, 500)]);
        let mut later = Waiting::default();
        all.begin_turn();
        // The server answers once all were heard, which never happens if none is accepted.
        let give = async {
            for number in 3..8 {
                sender.send(item(1, vec![number; 500])).await.unwrap();
            }
        };
        runtime.block_on(meanwhile(give, &mut coming, &mut later));
        assert_eq!((later.items.len(), coming.len()), (4, 1));
        assert_eq!(published(&mut all), Some((vec![0, 1], 1)));
        all.append(later);
        assert_eq!(published(&mut all), Some((vec![2, 3], 3)));
        assert_eq!(published(&mut all), None);
        all.begin_turn();
        assert_eq!(published(&mut all), Some((vec![4, 5], 1)));
    }

    /// How many a turn begins with, of more than enough that come at once, and whether that was before its time.
    fn heard(is_well: bool) -> (usize, bool) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let (sender, mut coming) = mpsc::channel(WAITING_MAX);
        for _ in 0..WAITING_ENOUGH + 10 {
            sender.try_send(item(1, vec![0])).unwrap();
        }
        let mut all = Waiting::default();
        let time = Duration::from_millis(if is_well { 60_000 } else { 50 });
        let begun = Instant::now();
        runtime.block_on(hear(time, &mut coming, &mut all, is_well));
        (all.items.len(), begun.elapsed() < time)
    }

    #[test]
    fn a_turn_begins_early_when_enough_wait_but_not_for_a_server_that_failed() {
        assert_eq!(heard(true), (WAITING_ENOUGH, true));
        assert_eq!(heard(false), (WAITING_ENOUGH + 10, false));
    }

    #[test]
    fn as_many_wait_as_is_said_and_then_the_loudest_loses_its_oldest() {
        let mut all = waiting(false, &[(1, 1), (2, 1), (2, 1)]);
        all.begin_turn();
        let mut later = Waiting::default();
        for _ in 0..WAITING_MAX {
            later.take(item(3, vec![0]));
        }
        assert!(all.lost == 0 && !all.has_enough() && later.has_enough());
        all.append(later);
        let devices: Vec<_> = all.items.iter().map(|one| one.identity.0[0]).collect();
        assert_eq!(
            (devices.len(), &devices[..4]),
            (WAITING_MAX, &[1, 2, 2, 3][..])
        );
        assert_eq!((all.lost, all.due), (3, 3));
        for _ in 0..WAITING_MAX {
            all.take(item(2, vec![0]));
        }
        let count = |device| {
            let of_device = |one: &&Item| one.identity == Identity([device; 16]);
            all.items.iter().filter(of_device).count()
        };
        // Neither of the loud ones has more than its half.
        assert_eq!((count(1), count(2) + count(3)), (1, WAITING_MAX - 1));
        assert!(count(2).abs_diff(count(3)) <= 1);
        assert_eq!(all.lost, 3 + WAITING_MAX);
    }

    /// The publication of a topic in a turn, which is one bundle at most.
    fn published_in_turn(waiting: &mut Waiting) -> Option<(Vec<u8>, usize)> {
        waiting.begin_turn();
        let first = published(waiting);
        assert_eq!(published(waiting), None);
        first
    }

    #[test]
    fn a_topic_gets_the_newest_of_each_device_and_each_has_its_turn() {
        let mut all = waiting(true, &[(1, 500), (2, 500), (3, 500), (1, 500), (1, 400)]);
        assert_eq!(published_in_turn(&mut all), Some((vec![4, 1], 1)));
        // One that is heard more often does not come before who waited for longer.
        all.take(item(1, vec![5; 600]));
        assert_eq!(published_in_turn(&mut all), Some((vec![2], 1)));
        assert_eq!(published_in_turn(&mut all), Some((vec![5], 0)));
        assert_eq!(published_in_turn(&mut all), None);
    }

    #[test]
    fn a_topic_gets_each_device_in_its_turn_however_many_there_are() {
        let mut all = Waiting::of(true);
        for device in 0..=WAITING_MAX {
            let identity = Identity(std::array::from_fn(|at| (device >> (8 * (at % 8))) as u8));
            let original = vec![device as u8; 600];
            all.take(Item {
                identity,
                ..item(0, original)
            });
        }
        assert_eq!(published_in_turn(&mut all), Some((vec![0], WAITING_MAX)));
        assert_eq!(
            published_in_turn(&mut all),
            Some((vec![1], WAITING_MAX - 1))
        );
    }

    #[test]
    fn a_topic_goes_on_to_hold_the_newest_of_who_is_silent() {
        let mut all = waiting(true, &[(1, 100), (2, 100), (3, 700)]);
        assert_eq!(published_in_turn(&mut all), Some((vec![0, 1, 2], 0)));
        assert_eq!(published_in_turn(&mut all), None);
        all.take(item(2, vec![3; 100]));
        assert_eq!(published_in_turn(&mut all), Some((vec![3, 0, 2], 0)));
        all.take(item(4, vec![4; 900]));
        assert_eq!(published_in_turn(&mut all), Some((vec![4, 3], 0)));
    }
}
