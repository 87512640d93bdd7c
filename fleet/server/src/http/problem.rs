// SPDX-License-Identifier: Apache-2.0
//! Errors: problem details in JSON (RFC 9457), always.

use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::http::{header, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request has no other answer.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    detail: String,
}

impl Problem {
    fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Problem { status, detail }
    }

    /// The request is not as it has to be.
    pub fn bad(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// The subject of the request is not here.
    pub fn missing(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// The state forbids it.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::CONFLICT, detail)
    }

    /// The body is not JSON by its name.
    pub fn media_type() -> Self {
        let detail = "the body has to be application/json";
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
    }

    /// There is no token, or an unknown one.
    pub fn unauthorized() -> Self {
        let detail = "a token is needed: Authorization: Bearer cft_...";
        Problem::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// The token does not let do this.
    pub fn forbidden(role: &str) -> Self {
        let detail = format!("the token has not the role {role}");
        Problem::new(StatusCode::FORBIDDEN, detail)
    }

    /// The address asks too often.
    pub fn too_many() -> Self {
        let detail = "too many requests from this address";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
    }

    /// Enough are kept waiting by the token.
    pub fn too_many_waiting() -> Self {
        let detail = "too many wait by this token";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
    }

    /// The body did not come in time.
    pub fn timeout() -> Self {
        Problem::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
    }

    /// The server has too much to do.
    pub fn busy() -> Self {
        let detail = "the server is busy: try again";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    }

    /// Nothing can be made permanent.
    pub fn ailing() -> Self {
        let detail = "the store takes nothing at the moment";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    }

    /// The operator finds more in the server's log.
    pub fn internal() -> Self {
        let detail = "the server could not do it, and its log says why";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Problem::new(rejection.status(), rejection.body_text())
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        Problem::new(rejection.status(), rejection.body_text())
    }
}

impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        Problem::new(rejection.status(), rejection.body_text())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({
            "title": self.status.canonical_reason().unwrap_or_default(),
            "status": self.status.as_u16(),
            "detail": self.detail,
        });
        let mut response = (self.status, format!("{body}\n")).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, json);
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"corral-fleet\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if matches!(
            self.status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

pub async fn not_found() -> Problem {
    Problem::missing("there is nothing of this name")
}

pub async fn method_not_allowed() -> Problem {
    let detail = "this cannot be done with it: the header Allow says what can";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
}
