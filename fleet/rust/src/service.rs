// SPDX-License-Identifier: Apache-2.0
//! A service that passes commands on, over HTTP. It is trusted with nothing ([`crate::sending`]), but sees the
//! token of the client.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use corral_fleet_verify::sending::send;
//! use corral_fleet_verify::service::Service;
//! use corral_fleet_verify::Commander;
//!
//! # async fn example(token: &str, key: &[u8], authorities: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
//! let device = "ae31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;a".parse()?;
//! let commander = Commander::from_pkcs8(key).ok_or("no key")?;
//! let mut service = Service::at("https://fleet.example:8443", token, authorities).await?;
//! let wait = Duration::from_secs(60);
//! let answered = send(&mut service, &commander, &device, "interval", 500.into(), wait).await?;
//! println!("{:?}", answered.outcome);
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::handshake;
use hyper::header::{HeaderValue, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::http::uri::Authority;
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use serde_json::{json, Value as Json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{lookup_host, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use crate::digits::{hex, unhex};
use crate::sending::{Keys, Lease, Told};
use crate::{cbor, text, Identity, PublicKey};

/// How long a service takes to answer: longer than it keeps who looks waiting.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long an answer is.
const ANSWER_MAX: usize = 64 << 10;

/// How often requests without a further retry are repeated if the service is busy, and
/// after how long.
const TRIES: usize = 4;
const TRY_EVERY: Duration = Duration::from_millis(500);

/// The longest time for returning a lease: it ends by itself a little later, and the
/// commander waits for its result.
const GIVING_UP: Duration = Duration::from_secs(2);

/// How long between two looks, so that a service which answers at once is not asked without end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long a ticket is.
const TICKET: usize = 16;

/// Why a service was of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The address, the token or the certificates cannot be used; the address is not shown.
    Setting(String),
    /// The service, by its host and port, does not answer.
    Unreachable(String, String),
    /// The service answers with this status, and says why.
    Declined(String, u16, String),
    /// The service answers what it should not.
    Nonsense(String),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Setting(why) => formatter.write_str(why),
            Error::Unreachable(service, why) => write!(formatter, "{service}: {why}"),
            Error::Declined(service, status, detail) => match StatusCode::from_u16(*status) {
                Ok(status) => write!(formatter, "{service}: {status}: {detail}"),
                Err(_) => write!(formatter, "{service}: {status}: {detail}"),
            },
            Error::Nonsense(service) => write!(formatter, "{service}: answers what it should not"),
        }
    }
}

impl std::error::Error for Error {}

/// A service, and the lease that it gave.
pub struct Service {
    host: String,
    authority: String,
    addresses: Vec<SocketAddr>,
    tls: Option<TlsConnector>,
    token: HeaderValue,
    ticket: Vec<u8>,
    /// Why the service did not answer the last time, though it may the next.
    trouble: Option<Error>,
    /// The command to leave, which may not have arrived.
    leaving: Option<Json>,
}

fn unsuitable(why: impl fmt::Display) -> Error {
    Error::Setting(why.to_string())
}

/// Host and port, and whether it is asked with TLS.
fn place(url: &Uri) -> Result<(&Authority, bool), Error> {
    let authority = url.authority();
    // It would be sent and shown.
    if authority.is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(unsuitable(
            "has a name or a password, which belong in no URL",
        ));
    }
    let is_tls = match url.scheme_str() {
        Some("https") => true,
        Some("http") => false,
        _ => return Err(unsuitable("begins with neither https:// nor http://")),
    };
    if !matches!(
        url.path_and_query().map(|path| path.as_str()),
        None | Some("/")
    ) {
        return Err(unsuitable("has a path"));
    }
    let authority = authority.ok_or_else(|| unsuitable("has no host"))?;
    Ok((authority, is_tls))
}

fn connector(authorities: &[u8]) -> Result<TlsConnector, Error> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(authorities) {
        // One that is not of use here does not keep others from being it.
        let _ = roots.add(certificate.map_err(unsuitable)?);
    }
    if roots.is_empty() {
        return Err(unsuitable("there is no certificate to know the service by"));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unsuitable)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Whether a service that answers so may answer another way a little later.
fn passes(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

/// One request over a connection of its own.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    request: Request<Full<Bytes>>,
) -> Result<(StatusCode, Bytes), String> {
    let (mut sender, connection) = handshake(TokioIo::new(stream))
        .await
        .map_err(|error| error.to_string())?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await;
    let response = response.map_err(|error| error.to_string())?;
    let status = response.status();
    let body = Limited::new(response.into_body(), ANSWER_MAX)
        .collect()
        .await;
    Ok((status, body.map_err(|error| error.to_string())?.to_bytes()))
}

impl Service {
    /// At a URL, such as `https://fleet.example:8443`, with a token of the role command.
    /// The certificate authorities for the service is `authorities` (PEM). `http://` is
    /// for a service on this computer, because whoever sees the token can keep devices
    /// from being commanded. The name is looked up, and nothing is sent.
    ///
    /// # Errors
    /// [`Error::Setting`] for a URL, a token or certificates that cannot be used.
    pub async fn at(url: &str, token: &str, authorities: &[u8]) -> Result<Self, Error> {
        let url: Uri = url.parse().map_err(|_| unsuitable("is no URL"))?;
        let (authority, is_tls) = place(&url)?;
        let host = authority.host().trim_matches(['[', ']']).to_string();
        let port = authority
            .port_u16()
            .unwrap_or(if is_tls { 443 } else { 80 });
        let found = lookup_host((host.as_str(), port)).await;
        let addresses: Vec<SocketAddr> = found.map_err(unsuitable)?.collect();
        if !is_tls && !addresses.iter().all(|address| address.ip().is_loopback()) {
            return Err(unsuitable("would show the token: use https"));
        }
        let mut bearer = HeaderValue::from_str(&format!("Bearer {token}"))
            .map_err(|_| unsuitable("the token has characters that none has"))?;
        bearer.set_sensitive(true);
        Ok(Service {
            host,
            authority: authority.to_string(),
            addresses,
            tls: is_tls.then(|| connector(authorities)).transpose()?,
            token: bearer,
            ticket: Vec::new(),
            trouble: None,
            leaving: None,
        })
    }

    /// A service that begins anew refuses for a moment, and was asked nothing yet.
    async fn connect(&self) -> io::Result<TcpStream> {
        for _ in 1..TRIES {
            match TcpStream::connect(&self.addresses[..]).await {
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    sleep(TRY_EVERY).await;
                }
                done => return done,
            }
        }
        TcpStream::connect(&self.addresses[..]).await
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Result<(StatusCode, Bytes), String> {
        let stream = self.connect().await;
        let stream = stream.map_err(|error| error.to_string())?;
        let Some(connector) = &self.tls else {
            return exchange(stream, request).await;
        };
        let name = ServerName::try_from(self.host.clone()).map_err(|error| error.to_string())?;
        let stream = connector.connect(name, stream).await;
        exchange(stream.map_err(|error| error.to_string())?, request).await
    }

    /// The answer of the service, in JSON; nothing if it has none.
    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Json>,
    ) -> Result<(StatusCode, Json), Error> {
        let failed = |why: String| Error::Unreachable(self.authority.clone(), text::reason(&why));
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.authority)
            .header(AUTHORIZATION, &self.token)
            .header(CONTENT_TYPE, "application/json")
            .body(Full::from(
                body.map(|body| body.to_string()).unwrap_or_default(),
            ))
            .map_err(|error| failed(error.to_string()))?;
        let answer = timeout(PATIENCE, self.send(request)).await;
        let answer = answer.unwrap_or_else(|_| Err("does not answer".to_string()));
        let (status, body) = answer.map_err(failed)?;
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }

    /// The answer of the service; nothing while it cannot answer, which is kept as trouble.
    async fn patiently(
        &mut self,
        method: Method,
        path: &str,
        body: Option<Json>,
    ) -> Option<(StatusCode, Json)> {
        self.trouble = None;
        match self.ask(method, path, body).await {
            Ok((status, said)) if passes(status) => {
                self.trouble = Some(self.refused(status, &said))
            }
            Ok(answer) => return Some(answer),
            Err(failure) => self.trouble = Some(failure),
        }
        None
    }

    /// The same several times, for requests without a further retry.
    async fn insistently(&self, method: &Method, path: &str) -> Result<(StatusCode, Json), Error> {
        for _ in 1..TRIES {
            match self.ask(method.clone(), path, None).await {
                Ok((status, _)) if passes(status) => sleep(TRY_EVERY).await,
                // Done twice it is as done once, whether its answer was lost or it was.
                Err(_) if *method == Method::DELETE => sleep(TRY_EVERY).await,
                answer => return answer,
            }
        }
        self.ask(method.clone(), path, None).await
    }

    /// Leaves what may not have been left: the same once more is no error to the service.
    async fn leave_again(&mut self, device: &Identity) -> Result<(), Error> {
        let Some(body) = self.leaving.clone() else {
            return Ok(());
        };
        let path = self.path(device);
        let answer = self.patiently(Method::PUT, &path, Some(body)).await;
        match answer {
            // Its arrival is unknown: the device's message will show it.
            None => Ok(()),
            Some((StatusCode::OK, _)) => {
                self.leaving = None;
                Ok(())
            }
            // Whatever it says instead, the device may have got it.
            Some((status, said)) => Err(self.refused(status, &said)),
        }
    }

    fn path(&self, device: &Identity) -> String {
        format!("/v1/commands/{device}/{}", hex(&self.ticket))
    }

    /// The service's error in place of an answer.
    fn refused(&self, status: StatusCode, said: &Json) -> Error {
        let detail = said["detail"].as_str().unwrap_or_default();
        let detail = text::reason(detail);
        Error::Declined(self.authority.clone(), status.as_u16(), detail)
    }

    fn bytes(&self, said: &Json) -> Result<Option<Vec<u8>>, Error> {
        match said {
            Json::Null => Ok(None),
            said => match said.as_str().and_then(unhex) {
                Some(bytes) => Ok(Some(bytes)),
                None => Err(self.nonsense()),
            },
        }
    }

    fn nonsense(&self) -> Error {
        Error::Nonsense(self.authority.clone())
    }

    fn key(&self, said: &Json) -> Result<Option<PublicKey>, Error> {
        let Some(bytes) = self.bytes(said)? else {
            return Ok(None);
        };
        let key = cbor::parse(&bytes).and_then(|value| PublicKey::read(&value));
        key.map(Some).map_err(|_| self.nonsense())
    }
}

impl Lease for Service {
    type Error = Error;

    async fn take(&mut self, device: &Identity) -> Result<Option<Keys>, Error> {
        // A command that was dropped before this one did not return its lease.
        self.leaving = None;
        self.trouble = None;
        self.ticket.clear();
        let path = format!("/v1/commands/{device}");
        let (status, said) = self.insistently(&Method::POST, &path).await?;
        match status {
            StatusCode::CREATED => {}
            StatusCode::CONFLICT => return Ok(None),
            status => return Err(self.refused(status, &said)),
        }
        let ticket = self.bytes(&said["ticket"])?;
        let ticket = ticket.filter(|ticket| ticket.len() == TICKET);
        self.ticket = ticket.ok_or_else(|| self.nonsense())?;
        Ok(Some(Keys {
            signing: self.key(&said["signing"])?.ok_or_else(|| self.nonsense())?,
            kind: said["kind"].as_str().unwrap_or_default().to_string(),
            agreement: self.key(&said["agreement"])?,
        }))
    }

    async fn look(
        &mut self,
        device: &Identity,
        seen: Option<&[u8]>,
    ) -> Result<Option<Told>, Error> {
        self.leave_again(device).await?;
        let query = seen.map(|nonce| format!("?nonce={}", hex(nonce)));
        let path = self.path(device) + &query.unwrap_or_default();
        let Some((status, said)) = self.patiently(Method::GET, &path, None).await else {
            return Ok(Some(Told {
                nonce: seen.map(<[u8]>::to_vec),
                result: None,
            }));
        };
        match status {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(self.refused(status, &said)),
        }
        Ok(Some(Told {
            nonce: self.bytes(&said["nonce"])?,
            result: self.bytes(&said["result"])?,
        }))
    }

    async fn leave(
        &mut self,
        device: &Identity,
        nonce: &[u8],
        command: &[u8],
    ) -> Result<bool, Error> {
        self.leaving = Some(json!({ "nonce": hex(nonce), "command": hex(command) }));
        self.leave_again(device).await.map(|()| true)
    }

    async fn pause(&mut self) {
        let is_in_trouble = self.trouble.is_some() || self.leaving.is_some();
        sleep(if is_in_trouble { TRY_EVERY } else { LOOK_EVERY }).await;
    }

    fn trouble(&mut self) -> Option<Error> {
        self.trouble.take()
    }

    async fn give_up(&mut self, device: &Identity) {
        self.leaving = None;
        if self.ticket.is_empty() {
            return;
        }
        let path = self.path(device);
        let _ = timeout(GIVING_UP, self.insistently(&Method::DELETE, &path)).await;
    }
}
