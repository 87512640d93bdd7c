// SPDX-License-Identifier: Apache-2.0
//! Connections: bounded in number, for each address and in all, and in the time that they take to ask.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::set_tcp_user_timeout;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{sleep, timeout};

use super::access::Peer;
use super::tls::Keys;
use crate::server::limits::{owner, Limits, Verdict};

/// Fewer than the default limit of a process's open files (1024): the store needs some.
const CONNECTIONS_MAX: usize = 896;
const CONNECTIONS_OF_ONE: usize = 128;

/// How long a peer takes for its part of TLS, and for the head of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest head of a request, which is kept until it is complete, for any client.
const HEAD_MAX: usize = 16 << 10;

/// The longest time for which a peer may accept no data, in milliseconds. Then its connection ends.
const STALLED_MAX: u32 = 30_000;

/// How long is waited when the system gives no more connections.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Default)]
struct Open {
    of_each: HashMap<IpAddr, usize>,
    all: usize,
}

/// A connection that is counted while it lives.
struct Counted {
    open: Arc<Mutex<Open>>,
    owner: IpAddr,
}

impl Counted {
    fn new(open: &Arc<Mutex<Open>>, peer: SocketAddr) -> Option<Self> {
        let owner = owner(peer.ip());
        let mut counts = open.lock().unwrap_or_else(PoisonError::into_inner);
        let of_this = counts.of_each.get(&owner).copied().unwrap_or(0);
        if counts.all >= CONNECTIONS_MAX || of_this >= CONNECTIONS_OF_ONE {
            return None;
        }
        counts.all += 1;
        counts.of_each.insert(owner, of_this + 1);
        let open = open.clone();
        Some(Counted { open, owner })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        counts.all -= 1;
        if let Some(of_this) = counts.of_each.get_mut(&self.owner) {
            *of_this -= 1;
            if *of_this == 0 {
                counts.of_each.remove(&self.owner);
            }
        }
    }
}

/// Accepts connections for ever. One that is too many is closed, and so is one of TLS, which costs a signature
/// before anything is asked, if its address begins more than `rate` a second.
pub async fn serve(listener: TcpListener, router: Router, mut keys: Option<Keys>, rate: u32) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return eprintln!("corral-fleet: http: {error}"),
    };
    let open = Arc::new(Mutex::new(Open::default()));
    let mut begun = Limits::new(rate);
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                sleep(PAUSE).await;
                continue;
            }
        };
        if keys.is_some() && begun.take(peer, Instant::now()) != Verdict::Serve {
            continue;
        }
        let Some(counted) = Counted::new(&open, peer) else {
            continue;
        };
        // A peer that reads no further would hold its answer, and its place among those who follow, for ever.
        let _ = set_tcp_user_timeout(&stream, STALLED_MAX);
        let acceptor = keys.as_mut().map(Keys::acceptor);
        let router = router.clone();
        tokio::spawn(async move {
            let _counted = counted;
            match acceptor {
                None => talk(stream, router, peer).await,
                Some(acceptor) => {
                    if let Ok(Ok(stream)) = timeout(PATIENCE, acceptor.accept(stream)).await {
                        talk(stream, router, peer).await;
                    }
                }
            }
        });
    }
}

async fn talk<S>(stream: S, router: Router, peer: SocketAddr)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = TowerToHyperService::new(router.layer(Extension(Peer(peer))));
    // How a connection ends is its peer's trouble.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEAD_MAX)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}
