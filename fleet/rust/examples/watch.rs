// SPDX-License-Identifier: Apache-2.0
//! Shows what a device measures, from a server that need not be trusted:
//! `watch HOST:PORT LABEL [COUNT]`. It ends after so many readings, or when it is lied to.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use corral_fleet_verify::client::Client;
use corral_fleet_verify::{Identity, Reading};

fn show(reading: &Reading) {
    for record in &reading.records {
        let unit = record.unit.as_deref().unwrap_or_default();
        let (name, value) = (&record.name, &record.value);
        println!("{}  {name:?} {value:?} {unit:?}", reading.sequence);
    }
}

async fn watch(server: &str, identity: Identity, count: usize) -> Result<(), Box<dyn Error>> {
    let mut client = Client::connect(server).await?;
    let mut device = client.find(identity).await?;
    let topics = client.topics(&identity).await?;
    let topic = topics.first().ok_or("it has no topic")?;
    let mut observation = client.observe(topic).await?;
    for _ in 0..count {
        show(&observation.next(&mut device).await?);
    }
    observation.end().await?;
    Ok(())
}

fn run() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [server, label, rest @ ..] = words.as_slice() else {
        return Err("watch HOST:PORT LABEL [COUNT]".into());
    };
    let count = rest.first().map_or(Ok(usize::MAX), |count| count.parse())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(watch(server, label.parse()?, count))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("watch: {error}");
            ExitCode::FAILURE
        }
    }
}
