// SPDX-License-Identifier: Apache-2.0
//! TLS with the operator's certificates. They are read again when their files change, so that a renewal needs no
//! restart, in which the resource directory would forget its entries.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::TlsAcceptor;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

type Times = [Option<SystemTime>; 2];

/// Certificates and key, and the files that they are from.
pub struct Keys {
    files: (PathBuf, PathBuf),
    acceptor: TlsAcceptor,
    /// The times of the files in use, and of those that were reported as faulty.
    loaded: Times,
    said: Times,
    looked: Instant,
}

fn load(certificates: &Path, key: &Path) -> Result<TlsAcceptor, String> {
    let of = |file: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificates)
        .map_err(|error| of(certificates, &error))?
        .collect();
    let chain = chain.map_err(|error| of(certificates, &error))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| of(key, &error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(|error| of(certificates, &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|file| file.modified()).ok()
}

impl Keys {
    /// Reads them; an error says what is wrong with which file.
    pub fn open(files: (PathBuf, PathBuf)) -> Result<Self, String> {
        // The times first: a file that changes meanwhile is read again.
        let changed = [changed(&files.0), changed(&files.1)];
        let acceptor = load(&files.0, &files.1)?;
        Ok(Keys {
            files,
            acceptor,
            loaded: changed,
            said: changed,
            looked: Instant::now(),
        })
    }

    /// The acceptor of connections. If the new files are faulty, the old ones stay in use.
    pub fn acceptor(&mut self) -> TlsAcceptor {
        if self.looked.elapsed() >= LOOK_EVERY {
            self.looked = Instant::now();
            let changed = [changed(&self.files.0), changed(&self.files.1)];
            if changed != self.loaded {
                match load(&self.files.0, &self.files.1) {
                    Ok(acceptor) => (self.acceptor, self.loaded) = (acceptor, changed),
                    // Tried again, because who may read a file changes without its time; said once.
                    Err(error) if changed != self.said => {
                        self.said = changed;
                        eprintln!("corral-fleet: http: {error}");
                    }
                    Err(_) => {}
                }
            }
        }
        self.acceptor.clone()
    }
}
