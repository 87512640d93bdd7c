// SPDX-License-Identifier: Apache-2.0
//! Permission of clients to ask, how often, and for how long.

use std::net::SocketAddr;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use super::{Shared, REQUEST_MAX};
use crate::server::limits::Verdict;
use crate::store::tokens::Role;

/// Where a request comes from.
#[derive(Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// The token by which a request was let in.
#[derive(Clone)]
pub struct Bearer(pub String);

/// The name of the token of the request.
#[derive(Clone)]
pub struct Named(pub String);

/// Nothing of this is to be kept, nor to be taken for something else than it is.
const HEADERS: [(&str, &str); 2] = [
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
];

/// For every request: the rate of its address, the time it takes, and counting how it ended.
pub async fn limit(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match is_in_time(&shared, &request) {
        true => match tokio::time::timeout(REQUEST_MAX, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Problem::timeout().into_response(),
        },
        false => Problem::too_many().into_response(),
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), value);
    }
    shared.answered.count(response.status());
    response
}

fn is_in_time(shared: &Shared, request: &Request) -> bool {
    let Some(Peer(peer)) = request.extensions().get() else {
        return false;
    };
    let mut limits = shared.limits.lock().unwrap_or_else(PoisonError::into_inner);
    limits.take(*peer, Instant::now()) == Verdict::Serve
}

/// Lets pass who has a token of this role.
pub async fn require(
    State((shared, role)): State<(Arc<Shared>, Role)>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(token) = bearer(request.headers()) else {
        return Problem::unauthorized().into_response();
    };
    match has_role(&shared, &token, role).await {
        Ok(name) => {
            request.extensions_mut().insert(Bearer(token));
            request.extensions_mut().insert(Named(name));
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

/// The name of this token, if it was made, not removed since, and has the role.
pub async fn has_role(shared: &Arc<Shared>, token: &str, role: Role) -> Result<String, Problem> {
    let token = token.to_string();
    let found = shared.read(move |log| log.token(&token)).await?;
    match found {
        None => Err(Problem::unauthorized()),
        Some(token) if !token.roles.contains(&role) => Err(Problem::forbidden(role.name())),
        Some(token) => Ok(token.name),
    }
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let is_bearer = scheme.eq_ignore_ascii_case("bearer");
    is_bearer.then(|| token.trim().to_string())
}
