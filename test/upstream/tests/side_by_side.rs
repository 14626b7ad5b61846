//! Operations as MLIR's own dialects and the generated ones take, refuse and print them.
//!
//! `cases/<dialect>.mlir` has texts divided by `// -----`, each with a name behind `//`; that of one which is compared in the
//! generic form, as C++ prints its operations otherwise, begins with `generic`. `disagreements.txt` lists those on which
//! the two do not agree yet; a line may only go. `SKRIPTND_SIDE_BY_SIDE=1` shows both sides of each.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use skriptnd_ods::mlir::Registry;
use skriptnd_ods::mlir::ir::{PrintForm, parse_module, print, verify};

const DIALECTS: [&str; 12] =
    ["arith", "func", "scf", "cf", "tensor", "linalg", "memref", "vector", "tosa", "shape", "pdl", "transform"];

struct Case {
    dialect: &'static str,
    name: String,
    text: String,
}

impl Case {
    fn is_generic(&self) -> bool {
        self.name.starts_with("generic")
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn cases(dialect: &'static str) -> Vec<Case> {
    let file = folder().join(format!("cases/{dialect}.mlir"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let each = text.split("// -----").map(|text| {
        let name = text.trim_start().lines().next().unwrap_or_default().trim_start_matches('/').trim().to_string();
        Case { dialect, name, text: text.to_string() }
    });
    each.collect()
}

/// What MLIR's tool prints of it; none if it refuses it.
fn upstream(case: &Case) -> Option<String> {
    let prefix = std::env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let mut command = Command::new(prefix.join("bin/mlir-opt"));
    if case.is_generic() {
        command.arg("--mlir-print-op-generic");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("mlir-opt is installed");
    child.stdin.take().expect("it is a pipe").write_all(case.text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    output.status.success().then(|| neutral(&String::from_utf8_lossy(&output.stdout)))
}

/// What the generated dialect prints of it, under the names of upstream; none if it refuses it.
fn generated(case: &Case) -> Option<String> {
    let mut registry = Registry::new();
    registry.add_everything();
    for dialect in skriptnd_upstream::all() {
        registry.add_dialect(dialect).expect("it can be registered");
    }
    let context = registry.context();
    let text = renamed(&case.text, case.dialect, &format!("x{}", case.dialect));
    let module = parse_module(&context, &text, "case.mlir");
    if let Err(error) = &module {
        shown(&format!("{error}"));
    }
    let module = module.ok()?;
    if let Err(error) = verify(module.as_operation()) {
        shown(&format!("{error}"));
        return None;
    }
    let printed = print(module.as_operation(), PrintForm { generic: case.is_generic(), ..PrintForm::default() });
    Some(neutral(&renamed(&printed, &format!("x{}", case.dialect), case.dialect)))
}

/// Without what the two may say in other words: names that C++ gives values.
fn neutral(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut result = String::new();
    for (index, part) in text.trim().split('%').enumerate() {
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(if index == 0 { 0 } else { end });
        if index > 0 {
            let number = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            result.push_str(&format!("%{number}"));
        }
        result.push_str(rest);
    }
    result
}

/// With one dialect in place of another, where a name begins with it.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let pattern = format!("{from}.");
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(&pattern) {
        let before = rest[..at].chars().next_back();
        let begins = before.is_none_or(|before| !before.is_alphanumeric() && !"_.$".contains(before));
        result.push_str(&rest[..at]);
        result.push_str(if begins { to } else { from });
        result.push('.');
        rest = &rest[at + pattern.len()..];
    }
    result + rest
}

fn shown(text: &str) {
    if std::env::var_os("SKRIPTND_SIDE_BY_SIDE").is_some() {
        println!("{text}");
    }
}

#[test]
fn both_take_refuse_and_print_the_same() {
    let listed = std::fs::read_to_string(folder().join("disagreements.txt")).expect("the list is there");
    let listed: BTreeSet<&str> = listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let mut found = BTreeSet::new();
    let (mut agreed, mut all, mut taken) = (0, 0, 0);
    for case in DIALECTS.into_iter().flat_map(cases) {
        let (theirs, ours) = (upstream(&case), generated(&case));
        all += 1;
        taken += usize::from(theirs.is_some());
        if theirs == ours {
            agreed += 1;
            continue;
        }
        let show = |side: &Option<String>| side.clone().unwrap_or_else(|| "refused".into());
        shown(&format!("== {}: {}\n-- theirs\n{}\n-- ours\n{}", case.dialect, case.name, show(&theirs), show(&ours)));
        found.insert(format!("{}: {}", case.dialect, case.name));
    }
    println!("{agreed} of {all} agree, of which upstream takes {taken}");
    let new: Vec<&String> = found.iter().filter(|line| !listed.contains(line.as_str())).collect();
    let gone: Vec<&&str> = listed.iter().filter(|line| !found.contains(**line)).collect();
    assert!(new.is_empty() && gone.is_empty(), "new disagreements: {new:#?}\nno disagreements any more: {gone:#?}");
}
