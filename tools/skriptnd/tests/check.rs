//! `skriptnd check`: what people read, and what tools do.

use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const INNER: &str = "\
operator scale {
    @attrib { k: int; }
    @input { x: real[n]; }
    @output { y: real[n]; }
    @assert { k > 0: \"`k` must be positive\", k; }
    @lower { y[i,] = x[i,] * real(k), i < n; }
}
operator twice {
    @attrib { k: int; }
    @input { x: real[n]; }
    @output { y: real[n]; }
    @compose { y = scale{k=k}(x); }
}
";
const MAIN: &str = "\
import inner;

graph G {
    @input { x: real[3]; }
    @output { y: real[3]; }
    @compose {
        y = inner.twice{k=0}(x);
    }
}
";

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skriptnd"));
    command.current_dir(folder).arg("check").args(arguments).output().unwrap()
}

fn model(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("m")).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join("m").join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_message_has_its_place_values_and_the_way_there() {
    let folder = model(&[("main.sknd", MAIN), ("inner.sknd", INNER)]);
    let output = check(folder.path(), &["m"]);
    let expected = "\
m/inner.sknd:12:20: error: invalid use of `inner.scale`: `k` must be positive
  --> m/inner.sknd:12:20
   |
 5 |     @assert { k > 0: \"`k` must be positive\", k; }
   |               -------------------------------- the assertion
...
12 |     @compose { y = scale{k=k}(x); }
   |                    ^^^^^^^^^^^^^
   |
   = note: k = 0
   = note: in inner.twice invoked at m/main.sknd:7:13
";
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn json_has_all_parts_of_a_message() {
    let folder = model(&[("main.sknd", MAIN), ("inner.sknd", INNER)]);
    let output = check(folder.path(), &["m", "--json"]);
    let place = |file: &str, line: usize, columns: [usize; 2]| json!({ "file": file, "line": line, "column": columns[0], "end_line": line, "end_column": columns[1] });
    let mut related = place("m/inner.sknd", 5, [15, 47]);
    related["label"] = json!("the assertion");
    let mut chain = place("m/main.sknd", 7, [13, 32]);
    chain["operator"] = json!("inner.twice");
    let mut expected = place("m/inner.sknd", 12, [20, 33]);
    let parts = json!({
        "severity": "error",
        "code": "assertion-failed",
        "message": "invalid use of `inner.scale`: `k` must be positive",
        "label": "",
        "related": [related],
        "notes": ["k = 0"],
        "chain": [chain],
        "help": null,
    });
    expected.as_object_mut().unwrap().extend(parts.as_object().cloned().unwrap());
    let found: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found, json!({ "valid": false, "diagnostics": [expected], "omitted": 0 }));
}

#[test]
fn help_says_what_to_write() {
    let text = MAIN.replace("inner.twice{k=0}(x)", "inner.twice(x, k=1)");
    let folder = model(&[("main.sknd", &text), ("inner.sknd", INNER)]);
    let expected = "\
m/main.sknd:7:29: error: expected `)`, `,` or an operator, found `=`
 --> m/main.sknd:7:29
  |
7 |         y = inner.twice(x, k=1);
  |                             ^ expected `)`, `,` or an operator here
  |
  = help: attributes stand in braces before the arguments: `operator{k=1}(x)`
";
    let output = check(folder.path(), &["m"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
}

#[test]
fn the_first_hundred_of_many_errors_are_shown() {
    let wrong: String = (0..1100).map(|at| format!("        a{at} = inner.twice{{k=1}}(b{at});\n")).collect();
    let text = MAIN.replace("        y =", &format!("{wrong}        y =")).replace("k=0", "k=1");
    let folder = model(&[("main.sknd", &text), ("inner.sknd", INNER)]);
    let output = check(folder.path(), &["m"]);
    let shown = String::from_utf8_lossy(&output.stderr);
    assert_eq!(shown.matches("is not declared").count(), 100);
    assert!(shown.ends_with("... and 1000 more, which `skriptnd check --json` lists\n1100 errors\n"), "{shown}");
    let listed: Json = serde_json::from_slice(&check(folder.path(), &["m", "--json"]).stdout).unwrap();
    assert_eq!(listed["diagnostics"].as_array().map(Vec::len), Some(1000));
    assert_eq!(listed["omitted"], 100);
}

#[test]
fn help_that_is_lost_is_a_failure() {
    let help = |out: fs::File| {
        let command = Command::new(env!("CARGO_BIN_EXE_skriptnd")).arg("--help").stdout(out).output();
        command.unwrap()
    };
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = help(full);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("skriptnd: error: standard output: "));
    assert_eq!(help(tempfile::tempfile().unwrap()).status.code(), Some(0));
}

#[test]
fn warnings_change_no_exit_code_and_can_be_left_out() {
    let text = MAIN.replace("k=0", "k=1").replace("    @input", "    @attrib { idle: int = 1; }\n    @input");
    let folder = model(&[("main.sknd", &text), ("inner.sknd", INNER)]);
    let output = check(folder.path(), &["m"]);
    assert_eq!(output.status.code(), Some(0));
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(shown.starts_with("m/main.sknd:4:15: warning: the attribute `idle` is never used\n"), "{shown}");
    let listed: Json = serde_json::from_slice(&check(folder.path(), &["m", "--json"]).stdout).unwrap();
    assert_eq!((&listed["valid"], &listed["diagnostics"][0]["code"]), (&json!(true), &json!("unused-attribute")));
    let silent = check(folder.path(), &["m", "--no-warnings"]);
    assert_eq!((silent.status.code(), silent.stderr.is_empty()), (Some(0), true));
}

/// What needs a value that is not given is checked as far as others invoke it, wherever it stands.
#[test]
fn the_order_of_graphs_makes_no_difference() {
    let graph = |name: &str, attributes: &str, body: &str| {
        format!(
            "graph {name} {{ {attributes} @input {{ x: real[4]; }} @output {{ y: real[4]; }} @compose {{ {body} }} }}\n"
        )
    };
    let needy = graph("B", "@attrib { n: int; }", "y = math.mul(x, real(n));");
    for (other, code) in [("y = x;", 0), ("y = B{n=2}(x);", 0), ("y = B{n=2}(x, x);", 1)] {
        let other = graph("A", "", other);
        for text in [["import math;\n", &needy, &other].concat(), ["import math;\n", &other, &needy].concat()] {
            let folder = model(&[("main.sknd", &text)]);
            let output = check(folder.path(), &["m"]);
            assert_eq!(output.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&output.stderr));
        }
    }
    let folder = model(&[("main.sknd", &["import math;\n", &needy, &graph("A", "", "y = x;")].concat())]);
    for (arguments, code) in [(["m", "--attr", "n=2"], 0), (["m", "--graph", "B"], 1), (["m", "--graph", "A"], 0)] {
        assert_eq!(check(folder.path(), &arguments).status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn codes_are_explained() {
    let folder = model(&[]);
    let output = check(folder.path(), &["--explain", "missing-argument"]);
    let expected = "\
missing-argument

An input that is neither optional nor has a default is not given.

    a = math.add(x);

error: `add` needs the input `y`

Mended:

    a = math.add(x, x);
";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert_eq!(check(folder.path(), &["--explain", "no-such-code"]).status.code(), Some(2));
}
