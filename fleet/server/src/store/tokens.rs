// SPDX-License-Identifier: Apache-2.0
//! Tokens of who asks over HTTP. A token is 32 random bytes, of which the store has the hash alone: whoever has the
//! file, or a backup, cannot ask with it.

use std::fmt;
use std::str::FromStr;

use ring::digest::{digest, SHA256};
use ring::rand::{SecureRandom, SystemRandom};
use rusqlite::{params, ErrorCode, OptionalExtension, Row};

use super::sqlite::{failed, SqliteLog};
use super::StoreError;
use crate::view::hex;

/// By which a token is recognised, by people and by programs that look for secrets in files.
const PREFIX: &str = "cft_";

/// The schema that brought tokens.
const SCHEMA: u32 = 2;

/// What a token lets do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// See devices, readings, refusals and metrics.
    Read,
    /// Enrol and revoke.
    Enrol,
    /// Send commands to devices.
    Command,
}

impl Role {
    /// All roles, in the order in which they are written.
    pub const ALL: [Role; 3] = [Role::Read, Role::Enrol, Role::Command];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Role::Read => "read",
            Role::Enrol => "enrol",
            Role::Command => "command",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Role::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| "is none of read, enrol, command".to_string())
    }
}

/// What is known of a token.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub name: String,
    pub roles: Vec<Role>,
    /// When it was made, in milliseconds of Unix time.
    pub at: u64,
}

fn hash(token: &str) -> Vec<u8> {
    digest(&SHA256, token.as_bytes()).as_ref().to_vec()
}

fn token_of(row: &Row<'_>) -> rusqlite::Result<Token> {
    let (name, roles, at): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    // A role of a newer program lets nobody do anything here.
    let roles = roles.split(' ').filter_map(|role| role.parse().ok());
    Ok(Token {
        name,
        roles: roles.collect(),
        at: at as u64,
    })
}

impl SqliteLog {
    /// Makes a token; nobody can show it again. `None` if there is one of that name.
    pub fn make_token(
        &mut self,
        name: &str,
        roles: &[Role],
        at: u64,
    ) -> Result<Option<String>, StoreError> {
        let mut secret = [0; 32];
        SystemRandom::new()
            .fill(&mut secret)
            .map_err(|_| StoreError("the system gives no random numbers".to_string()))?;
        let token = format!("{PREFIX}{}", hex(&secret));
        let wanted = Role::ALL.into_iter().filter(|role| roles.contains(role));
        let roles: Vec<&str> = wanted.map(Role::name).collect();
        let made = self.connection.execute(
            "INSERT INTO tokens (hash, name, roles, at) VALUES (?1, ?2, ?3, ?4)",
            params![hash(&token), name, roles.join(" "), at as i64],
        );
        match made {
            Ok(_) => Ok(Some(token)),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                Ok(None)
            }
            Err(error) => Err(failed("making a token")(error)),
        }
    }

    /// Lets nobody ask by this token any more, from the next request on. Whether there was one.
    pub fn remove_token(&mut self, name: &str) -> Result<bool, StoreError> {
        let removed = self
            .connection
            .execute("DELETE FROM tokens WHERE name = ?1", [name]);
        Ok(removed.map_err(failed("removing a token"))? > 0)
    }

    /// All tokens by name.
    pub fn tokens(&mut self) -> Result<Vec<Token>, StoreError> {
        let doing = "reading the tokens";
        if self.schema().map_err(failed(doing))? < SCHEMA {
            return Ok(Vec::new());
        }
        let mut statement = self
            .connection
            .prepare("SELECT name, roles, at FROM tokens ORDER BY name")
            .map_err(failed(doing))?;
        let rows = statement.query_map([], token_of).map_err(failed(doing))?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed(doing))
    }

    /// What this token lets do. It is looked up by its hash, so that the time tells nothing of others.
    pub fn token(&mut self, token: &str) -> Result<Option<Token>, StoreError> {
        let doing = "looking for a token";
        let sql = "SELECT name, roles, at FROM tokens WHERE hash = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed(doing))?;
        let found = statement.query_row([hash(token)], token_of).optional();
        found.map_err(failed(doing))
    }
}
