//! `cargo xtask`: sets the machine up, builds, tests and demonstrates the project.

mod bench;
mod build;
mod demo;
mod docs;
mod executables;
mod fuzz;
mod lit;
mod packages;
mod python;
mod steps;
mod test;

use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
Sets up, builds, tests and demonstrates skriptnd.

Usage: cargo xtask COMMAND

Commands:
  demo             install what is missing, build, compile the digits model and classify its held-out images
  test [FILTER]    install what is missing, then formatting, lints, unit, doc and lit tests, and those of the package for
                   Python, all with one debug build; FILTER picks lit tests
  build [--debug]  build the executable and its links in target/release (or target/debug)
  lit [FILTER]     build, then only the lit tests
  bench [MODEL,..] build, then measure networks beside ONNX Runtime and OpenVINO from PyPI (some minutes), and write the table
                   of the README and docs/performance.svg; of some models only target/bench/results.json; names may
                   have `*`
  bench --operators [MODEL,..]  the same of 200 single operators (an hour): prints our times over the fastest peer's
  bench --quantized [MODEL,..]  the same of int8 networks, products and convolutions
  wheel            build, then write the package for Python to target/wheels
  docs             write anew what is generated and checked in: td/skriptnd/<module>.td from the standard library, the
                   pages in docs/ from it, from td/ and from the tests
  fuzz TARGET [SECONDS]  fuzz parse, compose, run, format, query or tensor_file (60 seconds), with cargo-fuzz
                   and a nightly compiler
  fuzz TARGET keep put what fuzzing came to and no file of the project reaches into test/fuzz/corpus
  setup            install what is missing
  doctor           say what is installed, what is missing, and how to get it

Examples:
  cargo xtask demo
  cargo xtask lit Conversion
  cargo xtask bench matmul-512,softmax
  cargo xtask bench --operators 'conv*,softmax*'
  cargo xtask fuzz compose 1200
";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Carries out the command; false if it ran and what it checks is not as it should be.
fn run() -> Result<bool> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| matches!(argument.as_str(), "help" | "--help" | "-h")) {
        print!("{HELP}");
        return Ok(true);
    }
    let rest: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    match (arguments.first().map(String::as_str), rest.as_slice()) {
        (Some("demo"), []) => packages::install().and_then(|()| demo::run()),
        (Some("test"), filter @ ([] | [_])) => packages::install().and_then(|()| test::run(filter.first().copied())),
        (Some("build"), []) => build::run(build::Profile::Release).map(|_| true),
        (Some("build"), ["--debug"]) => build::run(build::Profile::Debug).map(|_| true),
        (Some("lit"), filter @ ([] | [_])) => {
            let binaries = build::run(build::Profile::Release)?;
            Ok(lit::run(&binaries, filter.first().copied())?.report())
        }
        (Some("bench"), ["--operators", models @ ..]) if models.len() < 2 => {
            bench::run(bench::Subject::Operators, models.first().copied()).map(|()| true)
        }
        (Some("bench"), ["--quantized", models @ ..]) if models.len() < 2 => {
            bench::run(bench::Subject::Quantized, models.first().copied()).map(|()| true)
        }
        (Some("bench"), models @ ([] | [_])) => {
            bench::run(bench::Subject::Networks, models.first().copied()).map(|()| true)
        }
        (Some("wheel"), []) => {
            let folder = build::target_folder().join("wheels");
            let wheel = python::wheel(&build::run(build::Profile::Release)?, &folder)?;
            println!("{}", wheel.display());
            Ok(true)
        }
        (Some("docs"), []) => docs::run(),
        (Some("fuzz"), [target]) => fuzz::run(target, "60"),
        (Some("fuzz"), [target, "keep"]) => fuzz::keep(target),
        (Some("fuzz"), [target, seconds]) => fuzz::run(target, seconds),
        (Some("setup"), []) => packages::install().map(|()| true),
        (Some("doctor"), []) => Ok(packages::doctor()),
        (None, _) => bail!("no command given\n\n{HELP}"),
        (Some(other), _) => bail!("`{}` is not a command of xtask\n\n{HELP}", [&[other][..], &rest].concat().join(" ")),
    }
}

/// The project's root folder.
fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path.pop();
    path
}
