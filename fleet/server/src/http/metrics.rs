// SPDX-License-Identifier: Apache-2.0
//! Numbers for Prometheus, in its text format.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use axum::extract::State as Extract;
use axum::http::{header, StatusCode};
use axum::response::IntoResponse;

use super::problem::Problem;
use super::State;
use crate::server::{Counts, Sizes};
use crate::verify::Refusal;

/// How requests over HTTP ended.
#[derive(Default)]
pub struct Answered(Mutex<BTreeMap<u16, u64>>);

impl Answered {
    /// Counts one.
    pub fn count(&self, status: StatusCode) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(status.as_u16()).or_default() += 1;
    }

    fn all(&self) -> BTreeMap<u16, u64> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// A family of samples. Labels are names of ours, so that nothing has to be escaped.
fn family(text: &mut String, name: &str, kind: &str, help: &str, samples: &[(String, u64)]) {
    let name = format!("corral_fleet_{name}");
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    for (labels, value) in samples {
        let _ = writeln!(text, "{name}{labels} {value}");
    }
}

fn one(value: u64) -> [(String, u64); 1] {
    [(String::new(), value)]
}

fn write(
    counts: &Counts,
    sizes: &Sizes,
    answered: &BTreeMap<u16, u64>,
    followers: usize,
) -> String {
    let text = &mut String::new();
    let mut counter = |name, help, value| family(text, name, "counter", help, &one(value));
    counter("requests_total", "Requests over CoAP.", counts.requests);
    counter("readings_total", "Readings accepted.", counts.readings);
    counter(
        "registrations_total",
        "Registrations, updates, removals and hand-overs accepted.",
        counts.registrations,
    );
    counter(
        "limited_total",
        "Requests over CoAP answered by 4.29.",
        counts.limited,
    );
    counter(
        "dropped_total",
        "Datagrams above the rate, not answered.",
        counts.dropped,
    );
    counter(
        "store_failures_total",
        "Batches that could not be made permanent.",
        counts.failures,
    );
    let refused: Vec<_> = Refusal::ALL
        .iter()
        .map(|refusal| {
            let count = counts.refused.get(refusal.name()).copied();
            (
                format!("{{reason=\"{}\"}}", refusal.name()),
                count.unwrap_or(0),
            )
        })
        .collect();
    family(
        text,
        "refused_total",
        "counter",
        "Objects refused, by reason.",
        &refused,
    );
    let answered: Vec<_> = answered
        .iter()
        .map(|(status, count)| (format!("{{status=\"{status}\"}}"), *count))
        .collect();
    family(
        text,
        "http_answers_total",
        "counter",
        "Answers over HTTP, by status.",
        &answered,
    );
    let mut gauge =
        |name, help, value: usize| family(text, name, "gauge", help, &one(value as u64));
    gauge("devices", "Devices that registered.", sizes.devices);
    gauge("enrolled", "Identities enrolled.", sizes.enrolled);
    gauge("revoked", "Identities revoked.", sizes.revoked);
    gauge(
        "directory_entries",
        "Entries of the resource directory.",
        sizes.endpoints,
    );
    gauge("topics", "Topics that are no device's.", sizes.topics);
    gauge(
        "observations",
        "Observations over CoAP.",
        sizes.observations,
    );
    gauge(
        "http_followers",
        "Readers that follow readings over HTTP.",
        followers,
    );
    std::mem::take(text)
}

/// All numbers.
pub async fn metrics(Extract(shared): State) -> Result<impl IntoResponse, Problem> {
    let (counts, sizes) = shared
        .ask(|engine| (engine.counts().clone(), engine.sizes()))
        .await?;
    let followers = shared.followers.count();
    let text = write(&counts, &sizes, &shared.answered.all(), followers);
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text))
}
