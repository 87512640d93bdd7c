// SPDX-License-Identifier: Apache-2.0
//! Settings: one table, which is the options that have an environment variable. In the file (TOML) such an option has
//! its own name, in the table of its command. The command line counts before the
//! environment, that before the file, and that before the default.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Arg, Command};
use serde_json::json;
use toml::{Table, Value};

use super::Failure;

/// The environment variable that names the file, and the option.
const FILE: &str = "CORRAL_FLEET_CONFIG";
const OPTION: &str = "--config";

/// A setting.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The command that it is of; none if it is of all.
    pub command: Option<String>,
    /// The option without its dashes, and the key in the file.
    pub key: String,
    pub environment: String,
    pub default: Option<String>,
    /// The value in the file.
    pub in_file: Option<String>,
    help: String,
}

impl Setting {
    fn of(command: Option<&str>, arg: &Arg) -> Option<Self> {
        let environment = arg.get_env()?.to_str()?.to_string();
        let default = arg.get_default_values().first();
        let is_flag = !arg.get_action().takes_values();
        Some(Setting {
            command: command.map(str::to_string),
            key: arg.get_long()?.to_string(),
            environment,
            default: default
                .map(|value| value.to_string_lossy().into_owned())
                .or(is_flag.then(|| "false".to_string())),
            in_file: None,
            help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        })
        .filter(|setting| setting.environment != FILE)
    }

    /// The value in force without the command line, and its source.
    pub fn in_force(&self) -> (Option<String>, &'static str) {
        if let Some(value) = env::var_os(&self.environment) {
            return (Some(value.to_string_lossy().into_owned()), "environment");
        }
        match &self.in_file {
            Some(value) => (Some(value.clone()), "file"),
            None => (self.default.clone(), "default"),
        }
    }
}

/// All settings of these commands, in the order of the help.
fn table(command: &Command) -> Vec<Setting> {
    let of_all = command.get_arguments().map(|arg| (None, arg));
    let of_each = command
        .get_subcommands()
        .flat_map(|one| one.get_arguments().map(|arg| (Some(one.get_name()), arg)));
    of_all
        .chain(of_each)
        .filter_map(|(command, arg)| Setting::of(command, arg))
        .collect()
}

/// The file that the command line or the environment names. The rest of the command line is read later, because
/// the file is part of its meaning.
fn file(words: &[OsString]) -> Option<PathBuf> {
    let mut words = words.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        if word == OPTION {
            return words.next().map(PathBuf::from);
        }
        let joined = word.to_str().and_then(|word| word.strip_prefix(OPTION));
        if let Some(file) = joined.and_then(|rest| rest.strip_prefix('=')) {
            return Some(file.into());
        }
    }
    env::var_os(FILE).map(PathBuf::from)
}

/// The commands with the file's values as defaults, and the table.
pub fn apply(mut command: Command, words: &[OsString]) -> Result<(Command, Vec<Setting>), Failure> {
    let mut settings = table(&command);
    let Some(file) = file(words) else {
        return Ok((command, settings));
    };
    let failed = |why: String| Failure(format!("{}: {why}", file.display()));
    let text = fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
    let content = text
        .parse::<Table>()
        .map_err(|error| failed(error.to_string().trim_end().to_string()))?;
    for (of, key, value) in flat(&content) {
        let found = settings
            .iter_mut()
            .find(|one| one.command.as_deref() == of && one.key == key);
        let setting = found.ok_or_else(|| failed(unknown(of, key)))?;
        let value = text_of(value).ok_or_else(|| {
            failed(format!(
                "{key}: is neither text, a whole number nor true or false"
            ))
        })?;
        check(&command, setting, &value).map_err(failed)?;
        setting.in_file = Some(value.clone());
        let change = |arg: Arg| arg.default_value(value);
        command = match of {
            None => command.mut_arg(id(key), change),
            Some(of) => command.mut_subcommand(of, |one| one.mut_arg(id(key), change)),
        };
    }
    Ok((command, settings))
}

/// The name of an option in clap.
fn id(key: &str) -> String {
    key.replace('-', "_")
}

fn flat(content: &Table) -> Vec<(Option<&str>, &str, &Value)> {
    let mut found = Vec::new();
    for (key, value) in content {
        match value {
            Value::Table(inner) => found.extend(
                inner
                    .iter()
                    .map(|(name, value)| (Some(key.as_str()), name.as_str(), value)),
            ),
            value => found.push((None, key.as_str(), value)),
        }
    }
    found
}

fn unknown(of: Option<&str>, key: &str) -> String {
    let of = of.map(|of| format!("[{of}] ")).unwrap_or_default();
    format!("{of}{key}: there is no such setting; corral-fleet settings shows all")
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// Whether the option would take this value: errors in the file are reported with its name.
fn check(command: &Command, setting: &Setting, value: &str) -> Result<(), String> {
    let of = setting.command.as_deref();
    let owner = of.map_or(Some(command), |of| command.find_subcommand(of));
    let mut arg = owner
        .and_then(|owner| {
            owner
                .get_arguments()
                .find(|arg| *arg.get_id() == *id(&setting.key))
        })
        .cloned()
        .ok_or_else(|| unknown(of, &setting.key))?;
    if !arg.get_action().takes_values() {
        let is_truth = matches!(value, "true" | "false");
        return match is_truth {
            true => Ok(()),
            false => Err(format!("{}: is neither true nor false", setting.key)),
        };
    }
    arg = arg.global(false);
    let word = format!("--{}={value}", setting.key);
    match Command::new("check")
        .arg(arg)
        .try_get_matches_from(["check", &word])
    {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::ValueValidation | ErrorKind::InvalidValue
            ) =>
        {
            let why = std::error::Error::source(&error).map(ToString::to_string);
            let why = why.unwrap_or_else(|| "it is not one that this setting takes".to_string());
            Err(format!("{}: {value:?}: {why}", setting.key))
        }
        _ => Ok(()),
    }
}

/// Shows all settings, with the values in force.
pub fn show(settings: &[Setting], json: bool) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let mut of = None;
    for setting in settings {
        let (value, from) = setting.in_force();
        if json {
            let row = json!({
                "command": setting.command, "key": setting.key, "environment": setting.environment,
                "default": setting.default, "value": value, "from": from, "help": setting.help,
            });
            writeln!(out, "{row}")?;
            continue;
        }
        // Text that is such a file.
        if of != setting.command {
            of.clone_from(&setting.command);
            writeln!(out, "\n[{}]", of.as_deref().unwrap_or_default())?;
        }
        writeln!(out, "# {} ({}; {from})", setting.help, setting.environment)?;
        let key = &setting.key;
        match value.map(|value| literal(&value)) {
            Some(value) if from == "default" => writeln!(out, "# {key} = {value}")?,
            Some(value) => writeln!(out, "{key} = {value}")?,
            None => writeln!(out, "# {key} =")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn literal(value: &str) -> String {
    match value.parse::<i64>() {
        Ok(number) => number.to_string(),
        Err(_) if matches!(value, "true" | "false") => value.to_string(),
        // Characters that JSON escapes are escaped in TOML, too.
        Err(_) => json!(value).to_string(),
    }
}

/// Where the pages of the manual are written.
pub fn man(command: Command, folder: &Path, json: bool) -> Result<ExitCode, Failure> {
    clap_mangen::generate_to(command, folder)
        .map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    let folder = folder.display().to_string();
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "written": folder }))?;
    } else {
        writeln!(out, "written to {folder}")?;
    }
    Ok(ExitCode::SUCCESS)
}
