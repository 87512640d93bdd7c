// SPDX-License-Identifier: Apache-2.0
//! The service.

use std::env;
use std::io::{self, Write};
use std::net::{SocketAddr, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr as UnixAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::{keep, open_to_write, Failure};
use crate::directory::PER_ADDRESS_MAX;
use crate::server::questions::{self, Asker};
use crate::server::Engine;
use crate::server::{groups, udp};
use crate::store::sqlite::SqliteLog;
use crate::store::{strangers, State};

/// How long another process is waited for that writes. Meanwhile no peer is answered,
/// so it is less than the time after which devices ask again.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Args)]
#[command(after_help = "Example: corral-fleet serve --http 127.0.0.1:8080 --keep 90")]
pub struct Serve {
    /// Listen for CoAP at this address and port
    #[arg(long, env = "CORRAL_FLEET_LISTEN", default_value = "[::]:5683")]
    listen: SocketAddr,
    /// Answer searches by multicast for a directory at these interfaces, such as eth0,eth1 [default: none]
    #[arg(long, env = "CORRAL_FLEET_MULTICAST")]
    multicast: Option<String>,
    /// Accept this number of requests a second from one address over CoAP; 0 sets no limit
    #[arg(long, env = "CORRAL_FLEET_RATE", default_value_t = 2000)]
    rate: u32,
    /// Keep this number of topics beside those of devices; 0 allows none
    #[arg(long, env = "CORRAL_FLEET_TOPICS", default_value_t = 2000)]
    topics: usize,
    /// Register this number of devices from one address at the directory, such as those behind a gateway
    #[arg(long, env = "CORRAL_FLEET_PER_ADDRESS", default_value_t = PER_ADDRESS_MAX)]
    per_address: usize,
    /// Register plain endpoints that do not repeat an Echo. An attacker can then enter, change and remove entries in the
    /// name of another address
    #[arg(long, env = "CORRAL_FLEET_WITHOUT_ECHO")]
    without_echo: bool,
    /// Remove readings after this number of days, except the newest of each device; 0 keeps all
    #[arg(long, env = "CORRAL_FLEET_KEEP", default_value_t = 0)]
    keep: u32,
    /// Listen for HTTP at this address and port [default: no HTTP]
    #[arg(long, env = "CORRAL_FLEET_HTTP")]
    http: Option<SocketAddr>,
    /// Present these certificates over HTTP, the server's first (PEM)
    #[arg(long, env = "CORRAL_FLEET_HTTP_CERTIFICATE")]
    http_certificate: Option<PathBuf>,
    /// Use this private key of the first certificate (PEM)
    #[arg(long, env = "CORRAL_FLEET_HTTP_KEY")]
    http_key: Option<PathBuf>,
    /// Serve HTTP without TLS at addresses that other computers reach; tokens can then be read on the way
    #[arg(long, env = "CORRAL_FLEET_HTTP_PLAIN")]
    http_plain: bool,
    /// Accept this number of requests a second from one address over HTTP; 0 sets no limit
    #[arg(long, env = "CORRAL_FLEET_HTTP_RATE", default_value_t = 50)]
    http_rate: u32,
}

/// Certificates and key.
type Files = (PathBuf, PathBuf);

impl Serve {
    /// The address of HTTP, and its files.
    pub fn http(&self) -> Result<Option<(SocketAddr, Option<Files>)>, Failure> {
        let tls = match (&self.http_certificate, &self.http_key) {
            (Some(certificate), Some(key)) => Some((certificate.clone(), key.clone())),
            (None, None) => None,
            _ => {
                let why = "--http-certificate and --http-key go together";
                return Err(Failure(why.to_string()));
            }
        };
        let Some(listen) = self.http else {
            return Ok(None);
        };
        if tls.is_none() && !listen.ip().to_canonical().is_loopback() && !self.http_plain {
            return Err(Failure(format!(
                "--http {listen}: tokens could be read on the way: name --http-certificate and \
                 --http-key, or an address of this computer alone, or say --http-plain"
            )));
        }
        Ok(Some((listen, tls)))
    }

    /// Joins the groups in which the server at this socket is asked for.
    pub fn join(&self, socket: &UdpSocket) -> Result<Vec<UdpSocket>, Failure> {
        let Some(interfaces) = &self.multicast else {
            return Ok(Vec::new());
        };
        let joined = groups::join(socket, interfaces.split(','));
        joined.map_err(|why| Failure(format!("--multicast {interfaces}: {why}")))
    }

    /// Checks that there are groups to join, though at another port: the server's own
    /// may be in use.
    pub fn try_join(&self) -> Result<(), Failure> {
        let socket = UdpSocket::bind((self.listen.ip(), 0))?;
        self.join(&socket).map(drop)
    }
}

pub fn serve(store: &Path, arguments: &Serve, json: bool) -> Result<ExitCode, Failure> {
    let is_over = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, is_over.clone())?;
    }
    let http = arguments.http()?;
    let listen = arguments.listen;
    let socket = UdpSocket::bind(listen)
        .map_err(|error| Failure(format!("cannot listen at {listen}: {error}")))?;
    groups::close_to_others(&socket);
    let groups = arguments.join(&socket)?;
    let fleet = open_to_write(store, PATIENCE)?;
    if let Some(why) = fleet.built() {
        eprintln!("corral-fleet: the state {why}: it was built from the whole log");
    }
    let doubt = fleet.doubt().unwrap_or_default();
    warn_of_strangers(fleet.state());
    let mut engine = Engine::new(fleet, arguments.rate, udp::clock().instant)?;
    engine.allow_topics(arguments.topics);
    engine.allow_per_address(arguments.per_address);
    if arguments.without_echo {
        engine.take_unproven();
    }
    engine.restore_directory(udp::clock())?;
    keep::store_state_for_ever(store, doubt);
    let (asker, questions) = questions::channel()?;
    if arguments.keep > 0 {
        keep::forget_for_ever(store, arguments.keep, asker.clone());
    }
    let mut said = json!({ "listening": format!("coap://{}", socket.local_addr()?) });
    if let Some((listen, tls)) = http {
        let scheme = if tls.is_some() { "https" } else { "http" };
        let address = start_http(store, listen, tls, arguments.http_rate, asker)?;
        said["http"] = format!("{scheme}://{address}").into();
    }
    if !groups.is_empty() {
        let addresses = groups.iter().map(UdpSocket::local_addr);
        let addresses = addresses.collect::<io::Result<Vec<_>>>()?;
        let addresses = addresses.iter().map(|one| format!("coap://{one}"));
        said["groups"] = addresses.collect::<Vec<_>>().into();
    }
    say_listening(&said, json)?;
    say_ready();
    udp::serve(&socket, &groups, &mut engine, &questions, &is_over)?;
    Ok(ExitCode::SUCCESS)
}

/// A damaged revocation lets a device in, and keeps nothing from working.
fn warn_of_strangers(state: &State) {
    let strangers = strangers(state).into_values();
    let doubtful = strangers.filter(|near| near.iter().all(|one| !state.is_revoked(one)));
    match doubtful.count() {
        0 => {}
        count => eprintln!(
            "corral-fleet: {count} revoked identities are named by nothing else: corral-fleet doctor lists them"
        ),
    }
}

#[cfg(feature = "http")]
fn start_http(
    store: &Path,
    listen: SocketAddr,
    tls: Option<Files>,
    rate: u32,
    asker: Asker<SqliteLog>,
) -> Result<SocketAddr, Failure> {
    let settings = crate::http::Settings { listen, tls, rate };
    crate::http::start(&settings, store, asker).map_err(Failure)
}

#[cfg(not(feature = "http"))]
fn start_http(
    _store: &Path,
    _listen: SocketAddr,
    _tls: Option<Files>,
    _rate: u32,
    _asker: Asker<SqliteLog>,
) -> Result<SocketAddr, Failure> {
    let why = "--http: this program was built without the feature http";
    Err(Failure(why.to_string()))
}

fn say_listening(said: &serde_json::Value, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{said}")?;
    } else {
        for address in [&said["listening"], &said["http"]] {
            if let Some(address) = address.as_str() {
                writeln!(out, "listening at {address}")?;
            }
        }
        for address in said["groups"].as_array().into_iter().flatten() {
            writeln!(out, "found at {}", address.as_str().unwrap_or_default())?;
        }
    }
    out.flush()
}

/// Tells systemd that the service can be used (sd_notify), if it asked for that.
fn say_ready() {
    let Some(path) = env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    let address = match path.as_encoded_bytes() {
        [b'@', name @ ..] => UnixAddr::from_abstract_name(name),
        _ => UnixAddr::from_pathname(&path),
    };
    let sent =
        UnixDatagram::unbound().and_then(|socket| socket.send_to_addr(b"READY=1", &address?));
    if let Err(error) = sent {
        eprintln!("corral-fleet: NOTIFY_SOCKET: {error}");
    }
}
