//! `skriptnd fmt`

use super::output;
use super::output::{is_standard_output, json_name, print_json};
use super::sources::read_source;
use crate::diagnostics::List;
use crate::failure::Failure;
use crate::report;
use clap::Args;
use serde_json::json;
use similar::TextDiff;
use skriptnd_runtime::atomic::Mode;
use skriptnd_source::SourceMap;
use skriptnd_syntax::format::format;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Files, folders (all .sknd files in them), or `-` for standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write nothing; list the files that would change and end with exit code 1 if there are any
    #[arg(long)]
    check: bool,
    /// Write nothing; print what would change
    #[arg(long)]
    diff: bool,
    /// Print one JSON object: which files change, and what is wrong
    #[arg(long, conflicts_with = "diff")]
    pub json: bool,
}

/// After this time a difference need not be the shortest one any more: that takes long where every line changes.
const DIFF_TIME: Duration = Duration::from_secs(1);

const EXAMPLES: &str = "\
Comments stay where they are. A file with syntax errors is left as it is.

Examples:
  skriptnd fmt model
  skriptnd fmt --check model/main.sknd lib
  skriptnd fmt --diff model
  skriptnd fmt - < draft.sknd";

/// Formats all files; what fails does not keep the others from being formatted.
pub fn run(options: &Options) -> Result<(), Failure> {
    if options.json && options.files.iter().any(|file| is_standard_output(file)) {
        return Err(Failure::usage("- and --json both want standard output"));
    }
    let (mut valid, mut failures, mut changed) = (true, List::default(), Vec::new());
    for given in &options.files {
        let files = if is_standard_output(given) { Ok(vec![given.clone()]) } else { sources(given) };
        let results = files.map(|files| files.iter().map(|file| source(options, file)).collect());
        for result in results.unwrap_or_else(|failure| vec![Err(failure)]) {
            match result {
                Ok(name) => changed.extend(name),
                Err(failure) => {
                    valid = false;
                    report::keep(failure).into_iter().for_each(|further| failures.append(further));
                }
            }
        }
    }
    let would_change = options.check && !changed.is_empty();
    if options.json {
        print_json(&failures.to_json_with(valid, json!({ "changed": changed })));
    } else if options.check && !options.diff {
        changed.iter().for_each(output::print_line);
    }
    if valid && !would_change { Ok(()) } else { Err(Failure::Reported) }
}

/// The file, or all sources in the folder, in order.
fn sources(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: io::Error| Failure::file(path, &error);
    if !fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries: Vec<_> = fs::read_dir(path).and_then(Iterator::collect::<io::Result<_>>).map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        let kind = entry.file_type().map_err(failed)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !hidden {
            found.extend(sources(&entry.path())?);
        } else if !kind.is_dir() && entry.path().extension().is_some_and(|extension| extension == "sknd") {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Formats one file; its name if that changes it.
fn source(options: &Options, path: &Path) -> Result<Option<String>, Failure> {
    let standard_input = is_standard_output(path);
    let name = match standard_input {
        true => "<stdin>".to_owned(),
        false if options.json => json_name(path)?.to_owned(),
        false => path.display().to_string(),
    };
    let text = if standard_input { read_standard_input()? } else { read_source(path)? };
    let mut map = SourceMap::default();
    let file = map.add(name.clone(), text.clone());
    let formatted = format(file, &text).map_err(|diagnostics| report::fail(&diagnostics, &map))?;
    let changed = formatted != text;
    if options.diff && changed {
        let difference = TextDiff::configure().timeout(DIFF_TIME).diff_lines(&text, &formatted);
        output::print(difference.unified_diff().header(&name, &name));
    }
    if !options.check && !options.diff && (standard_input || changed) {
        output::write(path, Mode::Plain, formatted)?;
    }
    Ok(changed.then_some(name))
}

fn read_standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(|error| Failure::input(format!("standard input: {error}")))?;
    Ok(text)
}
