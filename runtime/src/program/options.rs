//! The command line of executables.

use super::Failure;
use crate::pool::MOST_THREADS;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What the command line says.
#[derive(Debug, Default, PartialEq)]
pub struct Options {
    pub inputs: Vec<String>,
    pub variables: Vec<(String, PathBuf)>,
    pub folder: Option<PathBuf>,
    pub load_state: Option<PathBuf>,
    pub save_state: Option<PathBuf>,
    pub output_dir: Option<PathBuf>,
    pub seed: Option<u64>,
    pub threads: usize,
    pub help: bool,
}

/// Reads a command line.
pub fn parsed(mut arguments: impl Iterator<Item = String>) -> Result<Options, Failure> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next() {
        let (option, mut value) = match argument.split_once('=').filter(|(option, _)| option.starts_with("--")) {
            Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        if matches!(option.as_str(), "-h" | "--help") {
            options.help = true;
            continue;
        }
        if ![
            "--input",
            "--variable",
            "--variables",
            "--load-state",
            "--save-state",
            "--output-dir",
            "--seed",
            "--threads",
        ]
        .contains(&option.as_str())
        {
            return Err(Failure::Usage(format!("there is no option {option}")));
        }
        let value = value.take().or_else(|| arguments.next());
        let value = value.ok_or_else(|| Failure::Usage(format!("{option} wants a value")))?;
        match option.as_str() {
            "--input" => options.inputs.push(value),
            "--variables" => options.folder = Some(value.into()),
            "--load-state" => options.load_state = Some(value.into()),
            "--save-state" => options.save_state = Some(value.into()),
            "--output-dir" => options.output_dir = Some(value.into()),
            "--seed" => options.seed = Some(number(&option, &value, 0..=u64::MAX)?),
            "--threads" => options.threads = number(&option, &value, 1..=MOST_THREADS as u64)? as usize,
            _ => {
                let pair = value.split_once('=').filter(|(name, _)| !name.is_empty());
                let (name, file) = pair.ok_or_else(|| Failure::Usage("--variable wants NAME=FILE".into()))?;
                options.variables.push((name.to_owned(), file.into()));
            }
        }
    }
    Ok(options)
}

/// The value of an option that is a whole number.
fn number(option: &str, value: &str, range: RangeInclusive<u64>) -> Result<u64, Failure> {
    let (least, most) = (range.start(), range.end());
    let wanted = format!("{option} wants a whole number of at least {least} and at most {most}, not {value}");
    value.parse().ok().filter(|number| range.contains(number)).ok_or(Failure::Usage(wanted))
}
