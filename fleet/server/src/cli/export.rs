// SPDX-License-Identifier: Apache-2.0
//! Readings as CSV, for spreadsheets and databases.

use std::char::REPLACEMENT_CHARACTER;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::{existing, hold, Failure};
use crate::fleet::Fleet;
use crate::store::sqlite::SqliteLog;
use crate::store::{Act, Entry};
use crate::verify::senml::{Record, Value};
use crate::verify::{Identity, SignedReading};
use crate::view::{hex, plain};

const PAGE: usize = 4096;

const COLUMNS: &str =
    "position,identity,place,sequence,received,name,time,unit,value,text,truth,data,sum,clock,clock_seconds";

#[derive(Args)]
#[command(after_help = "Example: corral-fleet export readings.csv --since 1800000000")]
pub struct Export {
    /// The file, which must not exist [default: standard output]
    to: Option<PathBuf>,
    /// Export only readings of this device
    #[arg(long)]
    device: Option<Identity>,
    /// Export only readings received from this time on, in seconds of Unix time
    #[arg(long)]
    since: Option<u64>,
    /// Export only readings received before this time, in seconds of Unix time
    #[arg(long)]
    until: Option<u64>,
}

impl Export {
    fn takes(&self, entry: &Entry) -> bool {
        let second = entry.at / 1000;
        self.since.is_none_or(|since| second >= since)
            && self.until.is_none_or(|until| second < until)
    }
}

pub fn export(store: &Path, arguments: &Export, json: bool) -> Result<ExitCode, Failure> {
    let mut fleet = existing(store)?;
    // Entries that a server appends or removes meanwhile are not seen.
    hold(&mut fleet)?;
    let Some(to) = &arguments.to else {
        let mut out = BufWriter::new(io::stdout().lock());
        write(&mut fleet, arguments, &mut out)?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    };
    let name = to.display().to_string();
    if to.exists() {
        return Err(Failure(format!("{name} is there already")));
    }
    let written = write_file(to, |out| write(&mut fleet, arguments, out));
    let records = written.map_err(|Failure(why)| Failure(format!("{name}: {why}")))?;
    if json {
        println!("{}", json!({ "exported": records, "file": name }));
    } else {
        println!("exported {records} records to {name}");
    }
    Ok(ExitCode::SUCCESS)
}

/// A file of that name is complete.
fn write_file(
    to: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<u64, Failure>,
) -> Result<u64, Failure> {
    let mut name = to.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut out = BufWriter::new(File::create(&part)?);
    let written = write(&mut out).and_then(|records| {
        out.into_inner().map_err(io::Error::from)?.sync_all()?;
        fs::rename(&part, to)?;
        Ok(records)
    });
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

fn write(
    fleet: &mut Fleet<SqliteLog>,
    arguments: &Export,
    out: &mut impl Write,
) -> Result<u64, Failure> {
    let chain = arguments.device.map(|device| fleet.state().chain(&device));
    let (mut position, mut records) = (0, 0);
    write!(out, "{COLUMNS}\r\n")?;
    loop {
        let page = fleet
            .log()
            .readings_behind(chain.as_ref(), position, PAGE)?;
        let is_last = page.len() < PAGE;
        for (at, entry) in page {
            position = at;
            let entry = entry.map_err(|error| Failure(format!("entry {at} is {error}")))?;
            if arguments.takes(&entry) {
                records += write_reading(at, &entry, fleet, out)?;
            }
        }
        if is_last {
            return Ok(records);
        }
    }
}

fn write_reading(
    position: u64,
    entry: &Entry,
    fleet: &Fleet<SqliteLog>,
    out: &mut impl Write,
) -> Result<u64, Failure> {
    let Act::Read { sequence, object } = &entry.act else {
        return Ok(0);
    };
    let records = SignedReading::parse(object).and_then(|object| object.records());
    let records = records.map_err(|error| Failure(format!("entry {position} is {error}")))?;
    let place = fleet.state().enrolment(&entry.identity);
    let place = field(place.map(|one| one.place()).unwrap_or_default());
    let received = format!("{}.{:03}", entry.at / 1000, entry.at % 1000);
    let identity = entry.identity;
    for record in &records {
        write!(out, "{position},{identity},{place},{sequence},{received},")?;
        write_record(record, out)?;
    }
    Ok(records.len() as u64)
}

fn write_record(record: &Record, out: &mut impl Write) -> io::Result<()> {
    let number = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    let unit = field(record.unit.as_deref().unwrap_or_default());
    let [mut value, mut text, mut truth, mut data] = [const { String::new() }; 4];
    match &record.value {
        Value::Number(measured) => value = measured.to_string(),
        Value::Text(said) => text = field(said),
        Value::Bool(is_true) => truth = is_true.to_string(),
        Value::Bytes(bytes) => data = hex(bytes),
        Value::None => {}
    }
    let clock = record.clock.map(|clock| clock.source.name());
    let (clock, seconds) = (
        clock.unwrap_or_default(),
        number(record.clock.map(|clock| clock.seconds)),
    );
    let (name, time, sum) = (field(&record.name), number(record.time), number(record.sum));
    write!(
        out,
        "{name},{time},{unit},{value},{text},{truth},{data},{sum},{clock},{seconds}\r\n"
    )
}

/// Text as a field. A text that a spreadsheet would take for a formula gets an
/// apostrophe before it: devices choose their texts. Characters that control a
/// terminal, or the direction of the text around them, are replaced.
fn field(text: &str) -> String {
    let text = &plain(text);
    // Some pass over spaces before a formula, and read the wide forms of its characters.
    let formulas = [
        '=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
    ];
    let is_passed_over = |c: char| c.is_whitespace() || c == REPLACEMENT_CHARACTER;
    let is_formula = text
        .trim_start_matches(is_passed_over)
        .starts_with(formulas);
    let text = if is_formula {
        format!("'{text}")
    } else {
        text.to_string()
    };
    if text.contains(['"', ',']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}
