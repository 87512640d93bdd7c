// SPDX-License-Identifier: Apache-2.0
//! Of two who write one store, each knows what the other wrote before it writes.

use std::time::Duration;
use std::{env, fs, process};

use corral_fleet::fleet::{Accepted, Fleet};
use corral_fleet::load::{Algorithm, Device};
use corral_fleet::store::sqlite::SqliteLog;
use corral_fleet::store::{AppendError, Chain, Log, Removal, Stored};
use corral_fleet::verify::Challenge;
use ring::rand::SystemRandom;

const PATIENCE: Duration = Duration::from_secs(10);

fn positions(found: Vec<Stored>) -> Vec<u64> {
    found.into_iter().map(|(position, _)| position).collect()
}

#[test]
fn readings_that_two_take_of_one_device_lead_to_each_other() {
    let random = SystemRandom::new();
    let folder = env::temp_dir().join(format!("corral-fleet-two-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("store");
    let mut device = Device::new(Algorithm::Ed25519, &random).ok().unwrap();
    let identity = device.identity;
    let open = || Fleet::open(SqliteLog::open(&file, PATIENCE).unwrap()).unwrap();
    let mut one = open();
    one.enrol(identity, "", "", 1);
    let registration = device.registration(b"nonce", &random);
    let challenge = Challenge::of_broker(b"nonce");
    one.register(&registration, challenge, 1).unwrap();
    one.commit().unwrap();
    let mut other = open();
    let mut read = |fleet: &mut Fleet<SqliteLog>| {
        let object = device.reading(true, 1_800_000_000, &random);
        let taken = fleet.read(&identity, &object, 1).unwrap();
        assert_ne!(taken, Accepted::Repeated);
        object
    };
    // Two in one batch, and one that comes too late to be the third.
    read(&mut one);
    read(&mut one);
    let late = read(&mut other);
    one.commit().unwrap();
    assert!(matches!(other.commit(), Err(AppendError::Moved)));
    other.catch_up().unwrap();
    other.read(&identity, &late, 2).unwrap();
    other.commit().unwrap();
    // The newest entry of now may not be removed by a process that learns of it only now.
    let newest = one.newest();
    one.catch_up().unwrap();
    read(&mut one);
    one.commit().unwrap();
    let removed = other.log().forget(&mut Removal::new(&newest, 9, 9));
    assert_eq!(removed.unwrap().unwrap()[&identity], 1);
    let chain: Chain = one.state().chain(&identity);
    assert_eq!(chain.newest, 6);
    for log in [one.log(), other.log()] {
        let found = log.readings(Some(&chain), 0, 9).unwrap();
        assert_eq!(positions(found), [4, 5, 6]);
        let found = log.readings_behind(Some(&chain), 4, 9).unwrap();
        assert_eq!(positions(found), [5, 6]);
        assert!(log.faults().unwrap().is_empty());
        assert_eq!(log.read(0, 9).unwrap().len(), 5);
    }
    drop((one, other));
    fs::remove_dir_all(&folder).unwrap();
}
