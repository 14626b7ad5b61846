//! The tools, each run in a process of its own: this executable, started again.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use skriptnd_mlir::Failure;
use skriptnd_mlir::tools::{Translation, language_server_main, opt_main, translate_main};

use crate::toy;

const TOOL: &str = "SKRIPTND_TEST_TOOL";
const ARGUMENTS: &str = "SKRIPTND_TEST_ARGUMENTS";

/// Not a test: what the other tests run.
#[test]
#[ignore = "the entry point of the tools under test"]
fn entry() {
    let Ok(tool) = std::env::var(TOOL) else { return };
    let arguments = std::env::var(ARGUMENTS).unwrap_or_default();
    let arguments: Vec<String> = std::iter::once(tool.as_str()).chain(arguments.lines()).map(String::from).collect();
    crate::passes::register();
    std::process::exit(match tool.as_str() {
        "opt" => opt_main(&arguments, "Toy optimizer\n", &toy::registry(), &|_| None),
        "lsp" => language_server_main(&arguments, &toy::registry()),
        _ => translate_main(&arguments, "Toy translator\n", vec![shout()]),
    })
}

fn shout() -> Translation {
    Translation::new("shout", "Makes text loud", |source| match source.text.trim() {
        "" => Err(Failure::new(format!("{}: nothing to shout", source.name))),
        text => Ok(text.to_uppercase()),
    })
}

fn run(tool: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["tools::entry", "--exact", "--ignored", "--nocapture", "--quiet"])
        .env(TOOL, tool)
        .env(ARGUMENTS, arguments.join("\n"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn texts(output: &Output) -> (String, String) {
    (String::from_utf8_lossy(&output.stdout).into(), String::from_utf8_lossy(&output.stderr).into())
}

const MODULE: &str = "toy.func @f(%a: f64) -> f64 {
  %0 = toy.negate %a : f64
  %1 = toy.negate %0 : f64
  toy.return %1 : f64
}";

#[test]
fn opt_runs_upstream_and_rust_passes_and_round_trips() {
    let output = run("opt", &["--verify-roundtrip", "--canonicalize", "--test-mark=value=5 only=toy.return"], MODULE);
    let (stdout, stderr) = texts(&output);
    assert!(output.status.success(), "{stderr}");
    assert!(stdout.contains("toy.return %arg0 : f64") && !stdout.contains("toy.negate"), "{stdout}");
    let output =
        run("opt", &["--pass-pipeline=builtin.module(test-mark{name=toy.here})", "--mlir-print-op-generic"], MODULE);
    assert!(texts(&output).0.contains("{toy.here = 7 : i64}"), "{output:?}");
}

#[test]
fn opt_lists_rust_passes_with_their_options() {
    let (help, _) = texts(&run("opt", &["--help"], ""));
    for line in ["--test-mark", "--only=<string>", "Marks operations", "--test-pipeline", "--show-dialects"] {
        assert!(help.contains(line), "{line} is not in the help");
    }
}

#[test]
fn opt_fails_with_the_place() {
    let output = run("opt", &[], "\"toy.checked\"() {limit = -1} : () -> ()");
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("<stdin>:1:1: error: 'toy.checked' op limit -1 is negative"), "{stderr}");
    let output = run("opt", &["--no-such-flag"], MODULE);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn translate_has_our_translations_and_the_stock_ones() {
    let (stdout, _) = texts(&run("translate", &["--shout"], "hello"));
    assert!(stdout.contains("HELLO"), "{stdout}");
    let output = run("translate", &["--shout"], "");
    assert_eq!((output.status.code(), texts(&output).1.contains("nothing to shout")), (Some(1), true));
    let (stdout, stderr) = texts(&run("translate", &["--mlir-to-llvmir"], "llvm.func @f() { llvm.return }"));
    assert!(stdout.contains("define void @f()"), "{stdout}{stderr}");
}

#[test]
fn language_server_reports_what_the_verifier_says() {
    let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let document = r#"{"uri":"file:///x.mlir","languageId":"mlir","version":1,"text":"\"toy.checked\"() {limit = -5} : () -> ()"}"#;
    let input = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}"#,
        &format!(r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{document}}}}}"#),
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ];
    let input: String = input.into_iter().map(message).collect();
    let (stdout, stderr) = texts(&run("lsp", &[], &input));
    assert!(stdout.contains("'toy.checked' op limit -5 is negative"), "{stdout}\n{stderr}");
}
