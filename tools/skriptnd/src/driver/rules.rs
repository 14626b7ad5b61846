//! `skriptnd rules`

use super::rule_options::RuleOptions;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use std::path::PathBuf;
#[cfg(feature = "mlir")]
use {
    super::output::{json_name, print_json, print_line},
    super::report::{self, List},
    crate::failure::print_message,
    serde_json::json,
    skriptnd_htp::commands::{Output, Settings, check_rules, explain_rules, test_rules},
};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reads rule files and says what is wrong with them
    Check(Check),
    /// Tells what each rule matches, when, and what takes its place
    Explain(Check),
    /// Applies each rule to random graphs in two ways, which must agree, and sees whether it ends
    Test(Check),
}

#[derive(Debug, Args)]
pub struct Check {
    /// Rule files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Print one JSON object: what is wrong, and what is said of each file
    #[arg(long)]
    pub json: bool,
}

impl Options {
    pub fn json(&self) -> bool {
        let (Command::Check(options) | Command::Explain(options) | Command::Test(options)) = &self.command;
        options.json
    }
}

const EXAMPLES: &str = "\
Examples:
  skriptnd rules check package.cc --mode sdk -I include
  skriptnd rules explain package.cc
  skriptnd rules test rules.htp --passes groups.txt --htp-option precise=true";

pub fn run(options: &Options) -> Result<(), Failure> {
    match &options.command {
        #[cfg(feature = "mlir")]
        Command::Check(check) => for_each_file(check, check_rules),
        #[cfg(feature = "mlir")]
        Command::Explain(check) => for_each_file(check, explain_rules),
        #[cfg(feature = "mlir")]
        Command::Test(check) => for_each_file(check, |file, settings| test_rules(file, settings, TRIALS)),
        #[cfg(not(feature = "mlir"))]
        _ => Err(Failure::usage("this executable was built without MLIR and knows no rules")),
    }
}

/// Graphs that `rules test` makes for each rule.
#[cfg(feature = "mlir")]
const TRIALS: usize = 200;

#[cfg(feature = "mlir")]
fn for_each_file(
    options: &Check,
    command: impl Fn(&std::path::Path, &Settings) -> Result<Output, String>,
) -> Result<(), Failure> {
    let settings = options.rules.settings()?;
    let (mut good, mut list, mut said) = (true, List::default(), Vec::new());
    for file in &options.files {
        let name = if options.json { json_name(file)?.to_owned() } else { String::new() };
        let output = command(file, &settings).map_err(Failure::input)?;
        good &= output.good;
        print_message(output.set.messages());
        if options.json {
            list.append(report::list(&output.set.found, &output.set.sources));
            said.push(json!({ "file": name, "rules": output.set.rules.len(), "text": output.text }));
        } else {
            output.text.lines().for_each(print_line);
        }
    }
    if options.json {
        print_json(&list.to_json_with(good, json!({ "files": said })));
    }
    if good { Ok(()) } else { Err(Failure::Reported) }
}
