// SPDX-License-Identifier: Apache-2.0
//! Waiting clients, bounded for each token and in all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::problem::Problem;

const OF_ALL: usize = 256;
const OF_ONE: usize = 64;

/// How many are kept waiting by each token.
#[derive(Default)]
pub struct Kept {
    by_token: Mutex<HashMap<String, usize>>,
}

/// A waiting client, counted while this lives.
pub struct Waiting {
    kept: Arc<Kept>,
    token: String,
}

impl Kept {
    fn by_token(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.by_token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many wait.
    pub fn count(&self) -> usize {
        self.by_token().values().sum()
    }

    /// One more by this token, unless too many wait by it, or in all.
    pub fn enter(self: &Arc<Self>, token: String) -> Result<Waiting, Problem> {
        let mut by_token = self.by_token();
        let of_this = by_token.get(&token).copied().unwrap_or(0);
        if of_this >= OF_ONE {
            return Err(Problem::too_many_waiting());
        }
        if by_token.values().sum::<usize>() >= OF_ALL {
            return Err(Problem::busy());
        }
        by_token.insert(token.clone(), of_this + 1);
        let kept = self.clone();
        Ok(Waiting { kept, token })
    }
}

impl Waiting {
    /// By which it was let in.
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut by_token = self.kept.by_token();
        if let Some(of_this) = by_token.get_mut(&self.token) {
            *of_this -= 1;
            if *of_this == 0 {
                by_token.remove(&self.token);
            }
        }
    }
}
