// SPDX-License-Identifier: Apache-2.0
//! The answers of each resource. Lists come in pages: `after` of one answer begins the
//! next, also of an empty one.

use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State as Extract};
use axum::http::{header, HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::Json;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{json, Value};

use super::problem::Problem;
use super::{Shared, State};
use crate::fleet::Enrolling;
use crate::server::udp::clock;
use crate::store::{AppendError, Chain, Stored};
use crate::verify::digits::decimal;
use crate::verify::Identity;
use crate::view;

/// How much a page holds, unless less is asked for.
const PAGE: usize = 100;
const PAGE_MAX: usize = 1000;

/// How many places and purposes are long.
const TEXT_MAX: usize = 256;

/// The kind of entries in the store.
const REGISTERED: u8 = 3;

type Answer = Result<Json<Value>, Problem>;
type Asked<T> = Result<Query<T>, QueryRejection>;

/// Which part of a list of devices.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page<T> {
    after: Option<T>,
    #[serde(default, deserialize_with = "digits")]
    limit: Option<usize>,
}

/// A place in the list of devices.
#[derive(Clone, Copy, Deserialize)]
pub struct Ordinal(#[serde(deserialize_with = "ordinal")] usize);

fn ordinal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let text = String::deserialize(deserializer)?;
    decimal(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no number of digits")))
}

/// A number of digits only: other forms of numbers, such as `+5`, are rejected.
pub fn digits<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
{
    let text = String::deserialize(deserializer)?;
    let number = decimal(&text);
    let bad = || D::Error::custom(format!("{text:?} is no number of digits"));
    number.map(Some).ok_or_else(bad)
}

/// Which entries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entries {
    device: Option<String>,
    #[serde(default, deserialize_with = "digits")]
    after: Option<u64>,
    #[serde(default, deserialize_with = "digits")]
    limit: Option<usize>,
}

/// How many of the newest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newest {
    #[serde(default, deserialize_with = "digits")]
    limit: Option<usize>,
}

/// A device to enrol.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enrolment {
    enrol: Vec<One>,
    /// Also those that were revoked.
    #[serde(default)]
    again: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    /// A label in any form.
    identity: String,
    place: Option<String>,
    purpose: Option<String>,
}

fn size(limit: Option<usize>) -> Result<usize, Problem> {
    match limit.unwrap_or(PAGE) {
        limit @ 1..=PAGE_MAX => Ok(limit),
        _ => Err(Problem::bad(format!("limit: is not 1 to {PAGE_MAX}"))),
    }
}

/// An identity in any form of its label.
pub fn identity(text: &str) -> Result<Identity, Problem> {
    let parsed = text.parse::<Identity>();
    parsed.map_err(|error| Problem::bad(format!("{:?}: {error}", view::plain(text))))
}

/// Devices that registered, in the order in which they did.
pub async fn devices(Extract(shared): State, page: Asked<Page<Ordinal>>) -> Answer {
    let Query(page) = page?;
    let limit = size(page.limit)?;
    let after = page.after.map(|Ordinal(after)| after);
    let from = after.map_or(0, |after| after.saturating_add(1));
    let answer = shared.ask_state(move |state| {
        let mut last = after;
        let mut rows = Vec::new();
        for (identity, device) in state.devices_from(from).take(limit) {
            last = Some(device.ordinal);
            rows.push(view::device(identity, device));
        }
        json!({ "devices": rows, "after": last })
    });
    Ok(Json(answer.await?))
}

/// One device, or what is enrolled and was not heard of.
pub async fn device(Extract(shared): State, path: Result<Path<String>, PathRejection>) -> Answer {
    let identity = identity(&path?.0)?;
    let found = shared.ask_state(move |state| {
        let heard = state.device(&identity);
        let mut row = match (state.enrolment(&identity), heard) {
            (Some(enrolment), heard) => view::enrolment(&identity, enrolment, heard),
            (None, Some(device)) => view::device(&identity, device),
            (None, None) => return None,
        };
        if heard.is_some() {
            row["admitted"] = state.lets_in(&identity).into();
        }
        Some(row)
    });
    let missing = || Problem::missing("nothing of this identity is known");
    Ok(Json(found.await?.ok_or_else(missing)?))
}

/// Enrolments and revocations, in the order of the identities.
pub async fn enrolments(Extract(shared): State, page: Asked<Page<String>>) -> Answer {
    let Query(page) = page?;
    let limit = size(page.limit)?;
    let after = page.after.as_deref().map(identity).transpose()?;
    let answer = shared.ask_state(move |state| {
        let mut last = after;
        let mut rows = Vec::new();
        for (identity, enrolment) in state.enrolments_after(after.as_ref()).take(limit) {
            last = Some(*identity);
            rows.push(view::enrolment(identity, enrolment, state.device(identity)));
        }
        json!({ "enrolments": rows, "after": last.map(|last| last.to_string()) })
    });
    Ok(Json(answer.await?))
}

/// The log's positions of the readings of this device, if the request is for one device.
pub async fn chain(shared: &Shared, device: Option<Identity>) -> Result<Option<Chain>, Problem> {
    match device {
        Some(device) => Ok(Some(
            shared.ask_state(move |state| state.chain(&device)).await?,
        )),
        None => Ok(None),
    }
}

/// Readings that were accepted: behind `after`, or the newest.
pub async fn readings(Extract(shared): State, asked: Asked<Entries>) -> Answer {
    let Query(asked) = asked?;
    let limit = size(asked.limit)?;
    let device = asked.device.as_deref().map(identity).transpose()?;
    let chain = chain(&shared, device).await?;
    let read = shared.read(move |log| match asked.after {
        Some(after) => log.readings_behind(chain.as_ref(), after, limit),
        None => log.readings(chain.as_ref(), 0, limit),
    });
    let found = read.await?;
    let rows: Vec<Value> = found.iter().map(row).collect();
    Ok(Json(
        json!({ "readings": rows, "after": last(&found, asked.after) }),
    ))
}

/// Accepted registrations, with their proofs.
pub async fn registrations(Extract(shared): State, asked: Asked<Entries>) -> Answer {
    let Query(asked) = asked?;
    let limit = size(asked.limit)?;
    let device = asked.device.as_deref().map(identity).transpose()?;
    let after = asked.after.unwrap_or(0);
    let read =
        shared.read(move |log| log.entries_behind(REGISTERED, device.as_ref(), after, limit));
    let found = read.await?;
    let rows: Vec<Value> = found.iter().map(row).collect();
    Ok(Json(
        json!({ "registrations": rows, "after": last(&found, asked.after) }),
    ))
}

/// Where the next page begins: behind the last of this one, or where this began if it is empty.
fn last(found: &[Stored], after: Option<u64>) -> u64 {
    let last = found.last().map(|(position, _)| *position);
    last.or(after).unwrap_or(0)
}

/// An entry with its position; one that cannot be read says so in its place.
pub fn row((position, entry): &Stored) -> Value {
    let shown = match entry {
        Ok(entry) => view::entry(entry).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let mut row = shown.unwrap_or_else(|error| json!({ "error": error }));
    row["position"] = (*position).into();
    row
}

/// The latest rejections.
pub async fn refused(Extract(shared): State, asked: Asked<Newest>) -> Answer {
    let limit = size(asked?.0.limit)?;
    let found = shared.read(move |log| log.refused(limit)).await?;
    let rows: Vec<Value> = found.iter().map(view::refused).collect();
    Ok(Json(json!({ "refused": rows })))
}

/// Whether the service works; no token is needed.
pub async fn health(Extract(shared): State) -> Answer {
    match shared.ask(|engine| engine.is_well()).await? {
        true => Ok(Json(json!({ "status": "ok" }))),
        false => Err(Problem::ailing()),
    }
}

/// Whether a body is JSON by its name.
pub fn is_json(headers: &HeaderMap) -> bool {
    let named = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = named.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn rows_of(enrolment: &Enrolment) -> Result<Vec<Enrolling>, Problem> {
    let mut rows = Vec::new();
    for one in &enrolment.enrol {
        for text in [&one.place, &one.purpose].into_iter().flatten() {
            if text.len() > TEXT_MAX || text.chars().any(char::is_control) {
                let detail = format!(
                    "a place or purpose has control characters or is longer than {TEXT_MAX}"
                );
                return Err(Problem::bad(detail));
            }
        }
        rows.push(Enrolling {
            identity: identity(&one.identity)?,
            place: one.place.clone(),
            purpose: one.purpose.clone(),
        });
    }
    match rows.is_empty() {
        true => Err(Problem::bad("enrol: is empty")),
        false => Ok(rows),
    }
}

/// Enrols devices and groups: all of them or, if one was revoked and is not to be enrolled again, none.
pub async fn enrol(
    Extract(shared): State,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    if !is_json(&headers) {
        return Err(Problem::media_type());
    }
    let enrolment: Enrolment =
        serde_json::from_slice(&body?).map_err(|error| Problem::bad(error.to_string()))?;
    let (rows, again) = (rows_of(&enrolment)?, enrolment.again);
    let count = rows.len();
    let (landed, revoked) = shared
        .ask(move |engine| {
            let mut revoked = Vec::new();
            let landed = engine.change(|fleet| {
                let is_out = |row: &&Enrolling| !again && fleet.state().is_revoked(&row.identity);
                revoked = rows.iter().filter(is_out).map(|row| row.identity).collect();
                if revoked.is_empty() {
                    fleet.enrol_all(&rows, again, clock().unix);
                }
            });
            (landed, revoked)
        })
        .await?;
    landed.map_err(not_written)?;
    if let Some(one) = revoked.first() {
        let detail =
            format!("{one} was revoked, so that none was enrolled: \"again\": true enrols it");
        return Err(Problem::conflict(detail));
    }
    Ok((StatusCode::CREATED, Json(json!({ "enrolled": count }))).into_response())
}

/// Lets a device or a group in no longer.
pub async fn revoke(Extract(shared): State, path: Result<Path<String>, PathRejection>) -> Answer {
    let identity = identity(&path?.0)?;
    let (landed, is_known) = shared
        .ask(move |engine| {
            let mut is_known = false;
            let landed = engine.change(|fleet| {
                is_known = fleet.knows(&identity);
                if is_known {
                    fleet.revoke(identity, clock().unix);
                }
            });
            (landed, is_known)
        })
        .await?;
    landed.map_err(not_written)?;
    match is_known {
        true => Ok(Json(json!({ "revoked": identity.to_string() }))),
        false => Err(Problem::missing("it is not enrolled and never registered")),
    }
}

fn not_written(error: AppendError) -> Problem {
    if let AppendError::Failed(error) = error {
        eprintln!("corral-fleet: http: {error}");
        return Problem::ailing();
    }
    Problem::busy()
}
