// SPDX-License-Identifier: Apache-2.0
//! The commander's key, in a file that the service neither has nor needs.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use ring::rand::SystemRandom;
use ring::signature::{EcdsaKeyPair, Ed25519KeyPair, ECDSA_P256_SHA256_FIXED_SIGNING};

use crate::verify::Commander;

/// The algorithm that signs commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Algorithm {
    Es256,
    Ed25519,
}

/// Takes the key of a file (PKCS #8, DER).
pub fn open(file: &Path) -> io::Result<Commander> {
    let why = "is no key on P-256 or of Ed25519 (PKCS #8, DER)";
    Commander::from_pkcs8(&fs::read(file)?)
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, why))
}

/// Makes a key, in a new file that only its owner can read.
pub fn make(file: &Path, algorithm: Algorithm) -> io::Result<()> {
    let random = SystemRandom::new();
    let made = match algorithm {
        Algorithm::Es256 => EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random),
        Algorithm::Ed25519 => Ed25519KeyPair::generate_pkcs8(&random),
    };
    let made = made.map_err(|_| io::Error::other("the system gives no random numbers"))?;
    SecretFile::prepare(file)?.keep(made.as_ref())
}

/// A file for a secret, which only its owner can read: its path is free, and can be
/// written. What with that name is complete, and never one that another process made for it.
pub struct SecretFile {
    file: PathBuf,
    part: PathBuf,
    opened: File,
}

impl SecretFile {
    /// Makes sure of the place.
    pub fn prepare(file: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(file).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let mut part = OsString::from(file);
        part.push(".part");
        let part = PathBuf::from(part);
        let mut options = OpenOptions::new();
        let opened = options.write(true).create_new(true).mode(0o600).open(&part);
        let opened = opened.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => io::Error::other(format!(
                "{} is there, which another makes, or one that was killed: remove it then",
                part.display()
            )),
            _ => error,
        })?;
        Ok(SecretFile {
            file: file.to_path_buf(),
            part,
            opened,
        })
    }

    /// Writes the secret, so that it outlasts a loss of power.
    pub fn keep(mut self, secret: &[u8]) -> io::Result<()> {
        self.opened.write_all(secret)?;
        self.opened.sync_all()?;
        fs::hard_link(&self.part, &self.file)?;
        let folder = self.file.parent();
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::{env, process};

    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_nobody_elses() {
        for algorithm in [Algorithm::Es256, Algorithm::Ed25519] {
            let file = env::temp_dir().join(format!("corral-key-{}-{algorithm:?}", process::id()));
            make(&file, algorithm).unwrap();
            let again = make(&file, algorithm).map_err(|error| error.kind());
            assert_eq!(again, Err(ErrorKind::AlreadyExists));
            let mode = fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            assert!(open(&file).is_ok());
            fs::write(&file, b"not a key").unwrap();
            assert!(open(&file).is_err());
            fs::remove_file(&file).unwrap();
        }
    }
}
