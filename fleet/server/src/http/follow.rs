// SPDX-License-Identifier: Apache-2.0
//! Readings as they come, as server-sent events. An event's id is the reading's
//! position, so a client that returns goes on behind the last that came
//! (`Last-Event-ID`). For a reader its position is kept, and the readings for it last.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State as Extract};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::IntoResponse;
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::watch::Receiver;
use tokio::time::{sleep, timeout};

use super::access::{self, Bearer};
use super::answers;
use super::kept::Waiting;
use super::problem::Problem;
use super::{Shared, State};
use crate::store::tokens::Role;
use crate::store::Stored;
use crate::verify::digits::decimal;
use crate::verify::Identity;

/// How many readings are read at a time.
const AT_ONCE: usize = 256;

/// How often the log is read while a client follows.
const TICK: Duration = Duration::from_millis(100);

/// How often a reader's token is looked at.
const CHECK: Duration = Duration::from_secs(5);

const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Which readings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    device: Option<String>,
    #[serde(default, deserialize_with = "answers::digits")]
    after: Option<u64>,
}

struct Reader {
    shared: Arc<Shared>,
    follower: Waiting,
    newest: Receiver<u64>,
    device: Option<Identity>,
    position: u64,
    waiting: VecDeque<Stored>,
}

/// Says that there is something new.
pub async fn watch(shared: Arc<Shared>) {
    loop {
        sleep(TICK).await;
        if shared.followers.count() == 0 {
            continue;
        }
        if let Ok(newest) = shared.read(|log| log.newest()).await {
            shared.newest.send_if_modified(|known| {
                let is_new = *known != newest;
                *known = newest;
                is_new
            });
        }
    }
}

fn last_event(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get("last-event-id") else {
        return Ok(None);
    };
    let number = value.to_str().ok().and_then(decimal);
    let bad = || Problem::bad("Last-Event-ID: is no position");
    number.map(Some).ok_or_else(bad)
}

/// Readings behind a position, or those that come from now on.
pub async fn follow(
    Extract(shared): State,
    Extension(Bearer(token)): Extension<Bearer>,
    headers: HeaderMap,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<impl IntoResponse, Problem> {
    let Query(asked) = asked?;
    let device = asked.device.as_deref().map(answers::identity).transpose()?;
    let follower = shared.followers.enter(token)?;
    let newest = shared.newest.subscribe();
    // Readings between the answer and the first look are included: the position is
    // determined before.
    let position = match last_event(&headers)?.or(asked.after) {
        Some(position) => position,
        None => shared.read(|log| log.newest()).await?,
    };
    let reader = Reader {
        shared,
        follower,
        newest,
        device,
        position,
        waiting: VecDeque::new(),
    };
    let events = stream::unfold(reader, |mut reader| async {
        let stored = reader.next().await?;
        let event = Event::default()
            .id(stored.0.to_string())
            .event("reading")
            .data(answers::row(&stored).to_string());
        Some((Ok::<_, Infallible>(event), reader))
    });
    let alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(events).keep_alive(alive))
}

impl Reader {
    /// The next reading; none when the token is no longer one.
    async fn next(&mut self) -> Option<Stored> {
        let shared = self.shared.clone();
        loop {
            if let Some(stored) = self.waiting.pop_front() {
                return Some(stored);
            }
            let seen = *self.newest.borrow_and_update();
            // A service that is busy is waited for.
            let turn = shared.asking.acquire().await.ok()?;
            let chain = answers::chain(&shared, self.device).await.ok();
            drop(turn);
            if let Some(chain) = chain {
                let position = self.position;
                let read = move |log: &mut crate::store::sqlite::SqliteLog| {
                    log.readings_behind(chain.as_ref(), position, AT_ONCE)
                };
                self.waiting = shared.read(read).await.ok()?.into();
            }
            // After it: readings that came after the removal of the token are not for its holder.
            access::has_role(&shared, self.follower.token(), Role::Read)
                .await
                .ok()?;
            if let Some((position, _)) = self.waiting.back() {
                self.position = *position;
                continue;
            }
            let patience = match chain {
                Some(_) => {
                    // Others' readings are not looked at again.
                    self.position = self.position.max(seen);
                    CHECK
                }
                None => TICK,
            };
            let _ = timeout(patience, self.newest.changed()).await;
        }
    }
}
