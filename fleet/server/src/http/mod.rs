// SPDX-License-Identifier: Apache-2.0
//! HTTP and JSON beside CoAP: for people's programs, not for devices. It shows what the store holds, follows readings,
//! lets operators enrol and passes on commands; every client has a token. Data that needs
//! trust has to be verified from the objects, which are shown as they were received.

mod access;
mod answers;
mod commands;
mod connections;
mod follow;
mod kept;
mod metrics;
mod problem;
mod tls;

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post};
use axum::{middleware, Router};
use tokio::sync::{oneshot, watch, Semaphore};

use crate::server::limits::Limits;
use crate::server::questions::Asker;
use crate::server::Engine;
use crate::store::sqlite::SqliteLog;
use crate::store::tokens::Role;
use crate::store::StoreError;
use kept::Kept;
use problem::Problem;

/// How long the engine is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The limit of a request's time, with its body: longer than the wait for the engine,
/// so a busy server can answer so.
const REQUEST_MAX: Duration = Duration::from_secs(20);

/// How much a request may carry: lists of some thousand devices.
const BODY_MAX: usize = 1 << 20;

/// How many readers who follow a device ask the engine at once: all of them do when something new came, and others are
/// to find room among its questions.
const FOLLOWERS_ASKING: usize = 16;

/// Where it listens, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    /// Certificates and key, in files of the operator.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Requests a second that an address may send, and connections of TLS that it may begin, 0 for any number.
    pub rate: u32,
}

/// The common state of all requests.
struct Shared {
    asker: Asker<SqliteLog>,
    log: Mutex<SqliteLog>,
    limits: Mutex<Limits>,
    /// The newest position of the log, while clients follow.
    newest: watch::Sender<u64>,
    /// Clients that follow readings.
    followers: Arc<Kept>,
    asking: Semaphore,
    /// Clients that wait for the result of a command.
    lookers: Arc<Kept>,
    answered: metrics::Answered,
}

type State = axum::extract::State<Arc<Shared>>;

impl Shared {
    /// The answer of the engine, which takes questions between two batches.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Engine<SqliteLog>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (sender, receiver) = oneshot::channel();
        let question = Box::new(move |engine: &mut Engine<SqliteLog>| {
            // The requests of clients that are gone, or got the answer that the server
            // is busy, are not executed later.
            if !sender.is_closed() {
                let _ = sender.send(question(engine));
            }
        });
        self.asker.put(question).map_err(|_| Problem::busy())?;
        match tokio::time::timeout(PATIENCE, receiver).await {
            Ok(Ok(answer)) => Ok(answer),
            _ => Err(Problem::busy()),
        }
    }

    /// A value of the state, with the changes of other processes.
    async fn ask_state<T: Send + 'static>(
        &self,
        question: impl FnOnce(&crate::store::State) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let asked = self.ask(|engine| engine.catch_up().map(|()| question(engine.state())));
        asked.await?.map_err(|error| {
            eprintln!("corral-fleet: http: {error}");
            Problem::ailing()
        })
    }

    /// A value of the store, by a connection of its own.
    async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&mut SqliteLog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let shared = self.clone();
        let reading = tokio::task::spawn_blocking(move || {
            // A reader that panicked changed nothing.
            let mut log = shared.log.lock().unwrap_or_else(PoisonError::into_inner);
            read(&mut log)
        });
        match reading.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                eprintln!("corral-fleet: http: {error}");
                Err(Problem::internal())
            }
            Err(_) => Err(Problem::internal()),
        }
    }
}

fn routes(shared: &Arc<Shared>) -> Router {
    let only = |role| middleware::from_fn_with_state((shared.clone(), role), access::require);
    let reading = Router::new()
        .route("/v1/devices", get(answers::devices))
        .route("/v1/devices/{identity}", get(answers::device))
        .route("/v1/enrolments", get(answers::enrolments))
        .route("/v1/readings", get(answers::readings))
        .route("/v1/readings/follow", get(follow::follow))
        .route("/v1/registrations", get(answers::registrations))
        .route("/v1/refused", get(answers::refused))
        .route("/metrics", get(metrics::metrics))
        .route_layer(only(Role::Read));
    let enrolling = Router::new()
        .route("/v1/enrolments", post(answers::enrol))
        .route("/v1/enrolments/{identity}", delete(answers::revoke))
        .route_layer(only(Role::Enrol));
    let lease = get(commands::look)
        .put(commands::leave)
        .delete(commands::give_up);
    let commanding = Router::new()
        .route("/v1/commands/{identity}", post(commands::take))
        .route("/v1/commands/{identity}/{ticket}", lease)
        .route_layer(only(Role::Command));
    Router::new()
        .merge(reading)
        .merge(enrolling)
        .merge(commanding)
        .route("/health", get(answers::health))
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::method_not_allowed)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn_with_state(
            shared.clone(),
            access::limit,
        ))
        .with_state(shared.clone())
}

/// Whether HTTP could be served with these certificates and this key; an error says why not.
pub fn check_keys(certificates: &Path, key: &Path) -> Result<(), String> {
    tls::Keys::open((certificates.into(), key.into())).map(|_| ())
}

/// Listens and answers in a thread of its own; returns the address. An error says why not.
pub fn start(
    settings: &Settings,
    store: &Path,
    asker: Asker<SqliteLog>,
) -> Result<SocketAddr, String> {
    let (listen, rate) = (settings.listen, settings.rate);
    let refused = |error: std::io::Error| format!("cannot listen at {listen}: {error}");
    let keys = settings.tls.clone().map(tls::Keys::open).transpose()?;
    let listener = TcpListener::bind(listen).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let log = SqliteLog::open_read_only(store).map_err(|error| error.to_string())?;
    let shared = Arc::new(Shared {
        asker,
        log: Mutex::new(log),
        limits: Mutex::new(Limits::new(rate)),
        newest: watch::Sender::new(0),
        followers: Arc::default(),
        asking: Semaphore::new(FOLLOWERS_ASKING),
        lookers: Arc::default(),
        answered: metrics::Answered::default(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(4)
        .build()
        .map_err(|error| format!("cannot begin to serve HTTP: {error}"))?;
    thread::spawn(move || {
        runtime.block_on(async {
            tokio::spawn(follow::watch(shared.clone()));
            connections::serve(listener, routes(&shared), keys, rate).await;
        });
    });
    Ok(address)
}
