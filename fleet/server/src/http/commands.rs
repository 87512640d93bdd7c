// SPDX-License-Identifier: Apache-2.0
//! Commands of a commander elsewhere. A token of the role takes the lease of a device,
//! learns the challenge that the device tells, and leaves what was signed for it; the
//! result is given back as the device signed it. Nothing of it is trusted here: the
//! device verifies the command, and the commander verifies the result.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State as Extract};
use axum::http::{header, HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use ring::rand::{SecureRandom, SystemRandom};
use serde::Deserialize;
use serde_json::{json, Value};
use tokio::time::{sleep, Instant};

use super::access::{Bearer, Named};
use super::answers::{identity, is_json};
use super::problem::Problem;
use super::{Shared, State};
use crate::server::udp::clock;
use crate::store::mailbox::{Letter, Mailbox, Ticket, LEASE};
use crate::store::sqlite::SqliteLog;
use crate::store::StoreError;
use crate::verify::cose::OBJECT_MAX;
use crate::verify::{cbor, Identity, PublicKey, Sign1};
use crate::view::{hex, unhex};

/// How long who looks is kept waiting for something new: shorter than a lease (store/mailbox.rs).
const WAIT: Duration = Duration::from_secs(4);
const LOOK_EVERY: Duration = Duration::from_millis(50);

type LeasePath = Result<Path<(String, String)>, PathRejection>;

/// The state that the client has seen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    nonce: Option<String>,
}

/// A command, and the challenge that it was signed for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed {
    nonce: String,
    command: String,
}

fn lease(path: LeasePath) -> Result<(Identity, Ticket), Problem> {
    let Path((device, ticket)) = path?;
    let ticket = unhex(&ticket).and_then(|ticket| ticket.try_into().ok());
    let ticket = ticket.ok_or_else(|| Problem::bad("the ticket is not 32 digits"))?;
    Ok((identity(&device)?, ticket))
}

fn lost() -> Problem {
    Problem::missing("this lease is over: it was given up, or nobody looked for too long")
}

fn failed(error: StoreError) -> Problem {
    eprintln!("corral-fleet: http: {error}");
    Problem::ailing()
}

impl Shared {
    /// Writes beside the log, where the engine does.
    async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&mut SqliteLog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let written = self.ask(|engine| write(engine.log()));
        written.await?.map_err(failed)
    }

    /// Renews the lease. Extends the lease only after half of its time, so frequent
    /// looks write nothing.
    async fn hold(self: &Arc<Self>, device: Identity, ticket: Ticket) -> Result<(), Problem> {
        let left = self.read(move |log| log.left(&device, &ticket, clock().unix));
        if left.await?.ok_or_else(lost)? > LEASE / 2 {
            return Ok(());
        }
        let held = self.write(move |log| log.want_still(&device, &ticket, clock().unix));
        held.await?.then_some(()).ok_or_else(lost)
    }

    /// The content of the place; nothing if the lease is another client's by now.
    async fn letter(
        self: &Arc<Self>,
        device: Identity,
        ticket: Ticket,
    ) -> Result<Option<Letter>, Problem> {
        let letter = self.read(move |log| log.letter(&device, clock().unix));
        Ok(letter.await?.filter(|letter| letter.ticket == ticket))
    }
}

fn key(key: &PublicKey) -> Value {
    hex(&cbor::encode(&key.to_value())).into()
}

/// Takes the lease of a device, if it is free. The keys are those of its registration,
/// from which, with its kind, the client computes its identity again.
pub async fn take(
    Extract(shared): State,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let device = identity(&path?.0)?;
    let known = shared.ask_state(move |state| {
        let known = state.device(&device).filter(|_| state.lets_in(&device));
        known.cloned()
    });
    let missing = || Problem::missing("it is not enrolled, or did not register");
    let known = known.await?.ok_or_else(missing)?;
    let mut ticket = Ticket::default();
    let drawn = SystemRandom::new().fill(&mut ticket);
    drawn.map_err(|_| Problem::internal())?;
    let taken = shared.write(move |log| log.want(&device, &ticket, clock().unix));
    if !taken.await? {
        return Err(Problem::conflict("it is being commanded by another"));
    }
    let ticket = hex(&ticket);
    let location = format!("/v1/commands/{device}/{ticket}");
    let answer = json!({
        "identity": device.to_string(),
        "ticket": ticket,
        "kind": &*known.kind,
        "signing": key(&known.signing),
        "agreement": known.agreement.as_deref().map(key),
    });
    let headers = [(header::LOCATION, location)];
    Ok((StatusCode::CREATED, headers, Json(answer)).into_response())
}

/// Renews the lease, and says what the device told: a challenge other than the one that was seen, or its result, as
/// soon as it is there; or after some seconds that there is nothing new.
pub async fn look(
    Extract(shared): State,
    Extension(Bearer(token)): Extension<Bearer>,
    path: LeasePath,
    seen: Result<Query<Seen>, QueryRejection>,
) -> Result<Json<Value>, Problem> {
    let ((device, ticket), Query(seen)) = (lease(path)?, seen?);
    let unreadable = || Problem::bad("nonce: is not digits of bytes");
    let seen = seen.nonce.map(|nonce| unhex(&nonce).ok_or_else(unreadable));
    let seen = seen.transpose()?;
    // First: if too many wait, a client that may not wait looks again later, and keeps
    // its lease until then.
    shared.hold(device, ticket).await?;
    let _counted = shared.lookers.enter(token)?;
    let end = Instant::now() + WAIT;
    loop {
        let letter = shared.letter(device, ticket).await?.ok_or_else(lost)?;
        if letter.result.is_some() || letter.nonce != seen || Instant::now() >= end {
            shared.hold(device, ticket).await?;
            return Ok(Json(json!({
                "nonce": letter.nonce.map(|nonce| hex(&nonce)),
                "result": letter.result.map(|result| hex(&result)),
            })));
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Leaves the command that was signed for the device's challenge, to be handed out. The same one again is no error.
pub async fn leave(
    Extract(shared): State,
    Extension(Named(by)): Extension<Named>,
    path: LeasePath,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, Problem> {
    let (device, ticket) = lease(path)?;
    if !is_json(&headers) {
        return Err(Problem::media_type());
    }
    let signed: Signed =
        serde_json::from_slice(&body?).map_err(|error| Problem::bad(error.to_string()))?;
    let (Some(nonce), Some(command)) = (unhex(&signed.nonce), unhex(&signed.command)) else {
        return Err(Problem::bad("nonce or command: is not digits of bytes"));
    };
    // Bare, as the device takes it and hashes it for its result.
    let command = match Sign1::parse(&command) {
        Ok(object) => object.bare.to_vec(),
        Err(_) => {
            let detail = format!("command: is no COSE_Sign1 of at most {OBJECT_MAX} bytes");
            return Err(Problem::bad(detail));
        }
    };
    shared.letter(device, ticket).await?.ok_or_else(lost)?;
    let keep = move |log: &mut SqliteLog| {
        if log.keep_command(&device, &ticket, &nonce, &command)? {
            // Logged here: the client may be gone before it gets an answer, and the
            // code below is then skipped.
            eprintln!("corral-fleet: http: token {by:?} left a command for {device}");
            return Ok(true);
        }
        let same = Letter {
            ticket,
            nonce: Some(nonce),
            command: Some(command),
            result: None,
        };
        let there = log.letter(&device, clock().unix)?;
        Ok(there.is_some_and(|letter| {
            Letter {
                result: None,
                ..letter
            } == same
        }))
    };
    if !shared.write(keep).await? {
        let detail = "the device told another challenge, or another command was left for it";
        return Err(Problem::conflict(detail));
    }
    Ok(Json(json!({ "left": device.to_string() })))
}

/// Gives up the lease.
pub async fn give_up(Extract(shared): State, path: LeasePath) -> Result<StatusCode, Problem> {
    let (device, ticket) = lease(path)?;
    let forgotten = shared.write(move |log| log.forget_command(&device, &ticket));
    forgotten.await.map(|()| StatusCode::NO_CONTENT)
}
