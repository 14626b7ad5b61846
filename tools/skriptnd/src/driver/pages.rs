//! What pages write of the command line is what it takes.

use super::Cli;
use clap::CommandFactory;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages that people write.
fn pages() -> Vec<(String, String)> {
    let folders = [".", "docs", "docs/rationale"].map(|folder| root().join(folder));
    let entries =
        folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let pages = entries.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap())).collect()
}

/// The commands in a text: what follows `skriptnd` at the beginning of a line or of a quotation.
fn commands(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let in_line = |line| {
        let places = str::match_indices(line, "skriptnd ").map(|(at, word)| (&line[..at], &line[at + word.len()..]));
        let begins = |before: &str| before.trim_start().is_empty() || before.ends_with(['`', '/']);
        let commands = places.filter(move |(before, _)| begins(before)).map(|(_, rest)| rest);
        commands
            .map(|rest: &str| rest.split(['`', '#', ';', '|']).next().unwrap_or_default().split_whitespace().collect())
    };
    text.lines().flat_map(in_line)
}

#[test]
fn commands_in_pages_are_there_and_take_their_options() {
    let cli = Cli::command();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (page, text) in pages() {
        for words in commands(&text) {
            let Some((name, rest)) = words.split_first().filter(|(name, _)| name.starts_with(char::is_alphabetic))
            else {
                continue;
            };
            seen += 1;
            let Some(mut command) = cli.find_subcommand(name) else {
                if *name != "COMMAND" {
                    wrong.push(format!("{page}: no command `{name}`"));
                }
                continue;
            };
            if let Some(inner) = rest.first().and_then(|inner| command.find_subcommand(inner)) {
                command = inner;
            }
            let options = rest.iter().filter_map(|word| word.trim_start_matches('[').strip_prefix("--"));
            for option in options.map(|option| option.split(['=', ']', ',', '.']).next().unwrap_or_default()) {
                let is_known = command.get_arguments().any(|argument| argument.get_long() == Some(option));
                if !is_known && !["help", "version", ""].contains(&option) {
                    wrong.push(format!("{page}: `{name}` has no option `--{option}`"));
                }
            }
        }
    }
    assert!(seen > 30, "only {seen} commands are found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
