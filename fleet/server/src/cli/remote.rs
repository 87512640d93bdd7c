// SPDX-License-Identifier: Apache-2.0
//! Commanding over HTTP: the service passes on what was signed here. It is trusted with nothing: the device's key is
//! the one that its identity is the hash of, and its result is verified by that.

use std::fs;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::handshake;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::http::uri::Authority;
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use serde_json::{json, Value as Json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::command::{Keys, Lease};
use super::Failure;
use crate::store::mailbox::{Letter, Ticket};
use crate::verify::{cbor, Identity, PublicKey};
use crate::view::{hex, plain, unhex};

/// How long a service takes to answer: longer than it keeps who looks waiting.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long an answer is.
const ANSWER_MAX: usize = 64 << 10;

/// How often what nobody asks again is asked of a service that is busy, and after how long.
const TRIES: usize = 4;
const TRY_EVERY: Duration = Duration::from_millis(500);

#[derive(Args)]
pub struct RemoteOptions {
    /// The service that passes it on, such as https://fleet.example:8443, in place of the store
    #[arg(long, value_name = "URL", env = "CORRAL_FLEET_HTTP_URL")]
    http: Option<Uri>,
    /// The file of a token of the role command, for --http
    #[arg(long, value_name = "FILE", env = "CORRAL_FLEET_TOKEN_FILE")]
    token_file: Option<PathBuf>,
    /// Who is believed to know the service (PEM)
    #[arg(
        long,
        value_name = "FILE",
        env = "CORRAL_FLEET_HTTP_CA",
        default_value = "/etc/ssl/certs/ca-certificates.crt"
    )]
    http_ca: PathBuf,
}

/// A service elsewhere, and the lease that it gave.
pub struct Remote {
    runtime: Runtime,
    host: String,
    authority: String,
    addresses: Vec<SocketAddr>,
    tls: Option<TlsConnector>,
    token: String,
    ticket: Ticket,
    /// Why the service did not answer the last time, though it may the next.
    trouble: Option<Failure>,
    /// What is to be left and may not have been.
    leaving: Option<Json>,
}

fn unsuitable(url: &Uri, why: &str) -> Failure {
    Failure(format!("--http {url}: {why}"))
}

/// That a store is not named beside a service, and nothing said of a service that is not named. Only of what was
/// typed: an environment or a file of settings holds for the other commands, too.
pub fn check_typed(given: &ArgMatches) -> Result<(), Failure> {
    let is_typed = |id| given.value_source(id) == Some(ValueSource::CommandLine);
    let is_named = given.contains_id("http");
    if is_named && is_typed("store") {
        let why = "--store is not looked at where --http names a service";
        return Err(Failure(why.to_string()));
    }
    for (id, option) in [("token_file", "--token-file"), ("http_ca", "--http-ca")] {
        if !is_named && is_typed(id) {
            let why = format!("{option} is for a service that --http names");
            return Err(Failure(why));
        }
    }
    Ok(())
}

impl RemoteOptions {
    /// The service, if one is named.
    pub fn lease(&self) -> Result<Option<Remote>, Failure> {
        let Some(url) = &self.http else {
            return Ok(None);
        };
        // It would be sent and shown. This does not show the URL either.
        let authority = url.authority().map(Authority::as_str);
        if authority.is_some_and(|authority| authority.contains('@')) {
            let why = "--http: has a name or a password, which belong in no URL: see --token-file";
            return Err(Failure(why.to_string()));
        }
        let is_tls = match url.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(unsuitable(url, "begins with neither https:// nor http://")),
        };
        if !matches!(
            url.path_and_query().map(|path| path.as_str()),
            None | Some("/")
        ) {
            return Err(unsuitable(url, "has a path"));
        }
        let authority = url
            .authority()
            .ok_or_else(|| unsuitable(url, "has no host"))?;
        let host = authority.host().trim_matches(['[', ']']).to_string();
        let port = authority
            .port_u16()
            .unwrap_or(if is_tls { 443 } else { 80 });
        let found = (host.as_str(), port).to_socket_addrs();
        let found = found.map_err(|error| unsuitable(url, &error.to_string()))?;
        let addresses: Vec<SocketAddr> = found.collect();
        // Whoever sees the token can keep devices from being commanded.
        if !is_tls && !addresses.iter().all(|address| address.ip().is_loopback()) {
            return Err(unsuitable(url, "would show the token: use https"));
        }
        Ok(Some(Remote {
            runtime: Builder::new_current_thread().enable_all().build()?,
            host,
            authority: authority.to_string(),
            addresses,
            tls: is_tls.then(|| self.connector()).transpose()?,
            token: self.token()?,
            ticket: Ticket::default(),
            trouble: None,
            leaving: None,
        }))
    }

    /// Not of the command line nor of the environment, where others see it.
    fn token(&self) -> Result<String, Failure> {
        let needed = || Failure("--http needs --token-file".to_string());
        let file = self.token_file.as_ref().ok_or_else(needed)?;
        let failed = |why: String| Failure(format!("{}: {why}", file.display()));
        let token = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        let token = token.trim();
        match token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
            true => Err(failed("has no token".to_string())),
            false => Ok(token.to_string()),
        }
    }

    fn connector(&self) -> Result<TlsConnector, Failure> {
        let failed = |why: String| Failure(format!("{}: {why}", self.http_ca.display()));
        let mut roots = RootCertStore::empty();
        let read = CertificateDer::pem_file_iter(&self.http_ca);
        for certificate in read.map_err(|error| failed(error.to_string()))? {
            let certificate = certificate.map_err(|error| failed(error.to_string()))?;
            // One that is not of use here does not keep others from being it.
            let _ = roots.add(certificate);
        }
        if roots.is_empty() {
            return Err(failed("has no certificate".to_string()));
        }
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(TlsConnector::from(Arc::new(config)))
    }
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

impl Remote {
    /// A service that begins anew refuses for a moment, and was asked nothing yet.
    async fn connect(&self) -> io::Result<TcpStream> {
        for _ in 1..TRIES {
            match TcpStream::connect(&self.addresses[..]).await {
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                    tokio::time::sleep(TRY_EVERY).await;
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

    /// What the service answers, in JSON; nothing where it has none.
    fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Json>,
    ) -> Result<(StatusCode, Json), Failure> {
        let failed = |why: String| Failure(format!("{}: {why}", self.authority));
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.authority)
            .header(AUTHORIZATION, format!("Bearer {}", self.token))
            .header(CONTENT_TYPE, "application/json")
            .body(Full::from(
                body.map(|body| body.to_string()).unwrap_or_default(),
            ))
            .map_err(|error| failed(error.to_string()))?;
        let answer = self
            .runtime
            .block_on(async { tokio::time::timeout(PATIENCE, self.send(request)).await });
        let answer = answer.unwrap_or_else(|_| Err("does not answer".to_string()));
        let (status, body) = answer.map_err(failed)?;
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }

    /// What the service answers; nothing where it cannot just now, which is kept as trouble.
    fn patiently(
        &mut self,
        method: Method,
        path: &str,
        body: Option<Json>,
    ) -> Option<(StatusCode, Json)> {
        self.trouble = None;
        match self.ask(method, path, body) {
            Ok((status, said)) if passes(status) => {
                self.trouble = Some(self.refused(status, &said))
            }
            Ok(answer) => return Some(answer),
            Err(failure) => self.trouble = Some(failure),
        }
        None
    }

    /// The same some times over, for what nobody asks again.
    fn insistently(&self, method: &Method, path: &str) -> Result<(StatusCode, Json), Failure> {
        for _ in 1..TRIES {
            match self.ask(method.clone(), path, None) {
                Ok((status, _)) if passes(status) => thread::sleep(TRY_EVERY),
                // Done twice it is as done once, whether its answer was lost or it was.
                Err(_) if *method == Method::DELETE => thread::sleep(TRY_EVERY),
                answer => return answer,
            }
        }
        self.ask(method.clone(), path, None)
    }

    /// Leaves what may not have been left: the same once more is no error to the service.
    fn leave_again(&mut self, device: &Identity) -> Result<(), Failure> {
        let answer = match &self.leaving {
            None => return Ok(()),
            body => self.patiently(Method::PUT, &self.path(device), body.clone()),
        };
        match answer {
            // Whether it was left is not known: what the device tells will say.
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

    /// What the service says instead of what was asked.
    fn refused(&self, status: StatusCode, said: &Json) -> Failure {
        let detail = plain(said["detail"].as_str().unwrap_or_default());
        Failure(format!("{}: {status}: {detail}", self.authority))
    }

    fn bytes(&self, said: &Json) -> Result<Option<Vec<u8>>, Failure> {
        match said {
            Json::Null => Ok(None),
            said => match said.as_str().and_then(unhex) {
                Some(bytes) => Ok(Some(bytes)),
                None => Err(self.nonsense()),
            },
        }
    }

    fn nonsense(&self) -> Failure {
        Failure(format!("{}: answers what it should not", self.authority))
    }

    fn key(&self, said: &Json) -> Result<Option<PublicKey>, Failure> {
        let Some(bytes) = self.bytes(said)? else {
            return Ok(None);
        };
        let key = cbor::parse(&bytes).and_then(|value| PublicKey::read(&value));
        key.map(Some).map_err(|_| self.nonsense())
    }
}

impl Lease for Remote {
    fn take(&mut self, device: &Identity) -> Result<Option<Keys>, Failure> {
        let path = format!("/v1/commands/{device}");
        let (status, said) = self.insistently(&Method::POST, &path)?;
        match status {
            StatusCode::CREATED => {}
            StatusCode::CONFLICT => return Ok(None),
            status => return Err(self.refused(status, &said)),
        }
        let ticket = self.bytes(&said["ticket"])?;
        let ticket = ticket.and_then(|ticket| ticket.try_into().ok());
        self.ticket = ticket.ok_or_else(|| self.nonsense())?;
        let (signing, agreement) = (self.key(&said["signing"])?, self.key(&said["agreement"])?);
        let kind = said["kind"].as_str().unwrap_or_default();
        let is_it = |key: &PublicKey| Identity::of_device(key, kind, agreement.as_ref()) == *device;
        match signing.filter(is_it) {
            Some(signing) => Ok(Some(Keys { signing, agreement })),
            None => {
                self.give_up(device);
                Err(Failure(format!(
                    "{}: the keys that it shows are not those of {device}",
                    self.authority
                )))
            }
        }
    }

    fn look(&mut self, device: &Identity, seen: Option<&[u8]>) -> Result<Option<Letter>, Failure> {
        self.leave_again(device)?;
        let query = seen.map(|nonce| format!("?nonce={}", hex(nonce)));
        let path = self.path(device) + &query.unwrap_or_default();
        let Some((status, said)) = self.patiently(Method::GET, &path, None) else {
            return Ok(Some(Letter {
                ticket: self.ticket,
                nonce: seen.map(<[u8]>::to_vec),
                ..Letter::default()
            }));
        };
        match status {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(self.refused(status, &said)),
        }
        Ok(Some(Letter {
            ticket: self.ticket,
            nonce: self.bytes(&said["nonce"])?,
            command: None,
            result: self.bytes(&said["result"])?,
        }))
    }

    fn leave(&mut self, device: &Identity, nonce: &[u8], command: &[u8]) -> Result<bool, Failure> {
        self.leaving = Some(json!({ "nonce": hex(nonce), "command": hex(command) }));
        self.leave_again(device).map(|()| true)
    }

    fn trouble(&mut self) -> Option<Failure> {
        self.trouble.take()
    }

    fn give_up(&mut self, device: &Identity) {
        self.leaving = None;
        let _ = self.insistently(&Method::DELETE, &self.path(device));
    }
}
