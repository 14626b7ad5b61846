//! Predicates compute with numbers as C++ does. `td/integers.td` has them, and what a C++ compiler made of each.

use skriptnd_generated::integers;
use skriptnd_ods::mlir::{Registry, ir};

/// What each predicate is asked of.
const ATTRIBUTES: [&str; 10] = [
    "0 : i64",
    "5 : i64",
    "6 : i64",
    "-1 : i64",
    "-7 : i64",
    "2147483648 : i64",
    "-9223372036854775808 : i64",
    "9223372036854775807 : i64",
    "-1 : i32",
    "-128 : i8",
];

/// The cases: mnemonic, condition, and of which attributes it holds.
fn cases() -> Vec<(&'static str, &'static str, &'static str)> {
    let read = |line: &'static str| {
        let rest = line.split_once(": Case<\"")?.1.strip_suffix("\">;")?;
        let (mnemonic, rest) = rest.split_once("\", \"")?;
        let (condition, digits) = rest.rsplit_once("\", \"")?;
        Some((mnemonic, condition, digits))
    };
    include_str!("../td/integers.td").lines().filter_map(read).collect()
}

#[test]
fn predicates_compute_as_cpp_does() {
    let mut registry = Registry::new();
    registry.add_dialect(integers::dialect()).unwrap();
    let context = registry.context();
    let holds = |mnemonic: &str, attribute: &str| {
        let text = format!("\"integers.{mnemonic}\"() {{x = {attribute}}} : () -> ()");
        ir::parse_module(&context, &text, "test").is_ok()
    };
    let cases = cases();
    assert!(cases.len() > 150, "{}", cases.len());
    let mut wrong = Vec::new();
    for (mnemonic, condition, expected) in cases {
        let found: String =
            ATTRIBUTES.iter().map(|attribute| if holds(mnemonic, attribute) { '1' } else { '0' }).collect();
        if found != expected {
            wrong.push(format!("{condition}: expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "of {ATTRIBUTES:?}\n{}", wrong.join("\n"));
}
