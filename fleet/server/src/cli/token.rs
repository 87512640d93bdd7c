// SPDX-License-Identifier: Apache-2.0
//! Clients that may ask over HTTP.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use serde_json::json;

use super::{check_exists, Failure};
use crate::server::udp::clock;
use crate::store::sqlite::SqliteLog;
use crate::store::tokens::Role;
use crate::view;

const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Subcommand)]
pub enum Tokens {
    /// Make a token, and print it once: the store keeps only its hash
    Add {
        /// A name for the person or program that uses it
        #[arg(value_parser = name)]
        name: String,
        /// Allow read, enrol or command; repeat the option for several
        #[arg(long, required = true)]
        role: Vec<Role>,
    },
    /// List the names and roles of all tokens
    List,
    /// Remove a token, with immediate effect
    Remove {
        /// The name of the token
        name: String,
    },
}

/// A name by which a token is recognised in a list, and can be removed.
fn name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || text.contains(view::is_wild) {
        return Err("is empty or has control characters".to_string());
    }
    Ok(text.to_string())
}

pub fn tokens(store: &Path, what: &Tokens, json: bool) -> Result<ExitCode, Failure> {
    match what {
        Tokens::Add { name, role } => add(store, name, role, json),
        Tokens::List => list(store, json),
        Tokens::Remove { name } => remove(store, name, json),
    }
}

fn add(store: &Path, name: &str, roles: &[Role], json: bool) -> Result<ExitCode, Failure> {
    let made = SqliteLog::open(store, PATIENCE)?.make_token(name, roles, clock().unix)?;
    let Some(token) = made else {
        return Err(Failure(format!("there is a token of the name {name}")));
    };
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "name": name, "token": token }))?;
    } else {
        writeln!(out, "{token}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(store: &Path, json: bool) -> Result<ExitCode, Failure> {
    check_exists(store)?;
    let mut out = io::stdout().lock();
    for token in SqliteLog::open_read_only(store)?.tokens()? {
        let roles: Vec<&str> = token.roles.iter().map(|role| role.name()).collect();
        if json {
            let row = json!({ "name": token.name, "roles": roles, "at": token.at });
            writeln!(out, "{row}")?;
        } else {
            writeln!(out, "{}  {}", view::plain(&token.name), roles.join(" "))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn remove(store: &Path, name: &str, json: bool) -> Result<ExitCode, Failure> {
    check_exists(store)?;
    if !SqliteLog::open(store, PATIENCE)?.remove_token(name)? {
        return Err(Failure(format!("there is no token of the name {name}")));
    }
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "removed": name }))?;
    } else {
        writeln!(out, "removed {name}")?;
    }
    Ok(ExitCode::SUCCESS)
}
