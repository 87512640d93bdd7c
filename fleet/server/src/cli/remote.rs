// SPDX-License-Identifier: Apache-2.0
//! Which service commands are passed on by, over HTTP, in place of the store.

use std::fs;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use hyper::Uri;

use super::Failure;
use crate::verify::service::{Error, Service};

#[derive(Args)]
pub struct RemoteOptions {
    /// Send through this service, such as https://fleet.example:8443, instead of the store
    #[arg(long, value_name = "URL", env = "CORRAL_FLEET_HTTP_URL")]
    http: Option<Uri>,
    /// Read the token for --http from this file; it needs the role command
    #[arg(long, value_name = "FILE", env = "CORRAL_FLEET_TOKEN_FILE")]
    token_file: Option<PathBuf>,
    /// Trust the certificate authorities in this file (PEM)
    #[arg(
        long,
        value_name = "FILE",
        env = "CORRAL_FLEET_HTTP_CA",
        default_value = "/etc/ssl/certs/ca-certificates.crt"
    )]
    http_ca: PathBuf,
}

/// That a store is not named beside a service, and nothing said of a service that is not named.
/// Only of options that were typed: an environment or a file of settings holds for the
/// other commands, too.
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
    /// The service, if one is named. The error of its URL does not show it: it may have a password.
    pub async fn service(&self) -> Result<Option<Service>, Failure> {
        let Some(url) = &self.http else {
            return Ok(None);
        };
        let file = self.http_ca.display();
        let authorities = match url.scheme_str() {
            Some("https") => {
                fs::read(&self.http_ca).map_err(|error| Failure(format!("{file}: {error}")))?
            }
            _ => Vec::new(),
        };
        let service = Service::at(&url.to_string(), &self.token()?, &authorities).await;
        service.map(Some).map_err(|error| match error {
            Error::Setting(why) => Failure(format!("--http: {why}")),
            error => Failure(error.to_string()),
        })
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
}
