//! Does what `docs/tutorial.md` says, in an empty folder: its files are those of `test/tutorial`, its commands print what
//! stands below them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, mem};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// One step of the text.
enum Step {
    /// A file, named in the paragraph before its text.
    File { name: String, text: String },
    /// Commands of a shell.
    Commands(String),
    /// What the last command prints.
    Output(String),
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let (mut paragraph, mut is_over) = (String::new(), false);
    let mut rest = page.lines();
    while let Some(line) = rest.next() {
        let Some(language) = line.strip_prefix("```") else {
            if mem::replace(&mut is_over, line.is_empty()) && !line.is_empty() {
                paragraph.clear();
            }
            paragraph.push_str(line);
            continue;
        };
        let text: String = rest.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        steps.push(match language {
            "sh" => Step::Commands(text),
            "text" => Step::Output(text),
            _ => Step::File { name: paragraph.split('`').nth(1).expect("the file has a name").to_owned(), text },
        });
    }
    steps
}

/// Cargo as somebody else has it, but with the versions and the built dependencies of this project.
fn run(folder: &Path, commands: &str) -> String {
    let root = root();
    let inherited = std::env::vars_os().map(|(name, _)| name).filter(|name| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO_") && name != "CARGO_HOME" && !name.starts_with("CARGO_NET")
            || name.ends_with("_PREFIX")
    });
    let mut shell = Command::new("bash");
    inherited.for_each(|name| {
        shell.env_remove(name);
    });
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    shell.env("CARGO_TARGET_DIR", target).env("SKRIPTND", &root);
    let done = shell.current_dir(folder).args(["-c", &format!("set -e; exec 2>&1; {commands}")]).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}

/// The lines that are neither blank nor comments.
fn lines_of_code(text: &str) -> usize {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn the_tutorial_does_what_it_says() {
    let page = fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".cargo")).unwrap();
    // As the workspace builds its dependencies, so that they are not built once more.
    let profile = "[profile.dev]\ndebug = \"line-tables-only\"\n[profile.dev.package.\"*\"]\ndebug = false\n";
    fs::write(folder.path().join(".cargo/config.toml"), profile).unwrap();
    let toy = folder.path().join("toy");
    let (mut output, mut lines) = (String::new(), 0);
    for step in steps(&page) {
        match step {
            Step::File { name, text } => {
                assert_eq!(text, fs::read_to_string(root().join("test/tutorial").join(&name)).unwrap(), "{name}");
                lines += if name.ends_with(".td") || name.ends_with(".rs") { lines_of_code(&text) } else { 0 };
                fs::create_dir_all(toy.join(&name).parent().unwrap()).unwrap();
                fs::write(toy.join(&name), text).unwrap();
                fs::copy(root().join("Cargo.lock"), toy.join("Cargo.lock")).unwrap();
            }
            Step::Commands(commands) => {
                let here = if toy.exists() { &toy } else { folder.path() };
                output = run(here, &commands);
            }
            Step::Output(expected) => assert_eq!(mem::take(&mut output).trim(), expected.trim()),
        }
    }
    assert!((1..=80).contains(&lines), "the page promises 80 lines of TableGen and Rust, and has {lines}");
}
