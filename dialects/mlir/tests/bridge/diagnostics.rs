//! Verifiers and what they report.

use skriptnd_mlir::dialect::{DialectSpec, OperationSpec};
use skriptnd_mlir::ir::{self, Location};
use skriptnd_mlir::{Diagnostic, Error, Failure, Position, Registry, Severity};

use crate::toy::context;

fn refused(text: &str) -> Vec<Diagnostic> {
    match ir::parse_module(&context(), text, "dir/bad.mlir") {
        Err(Error::Reported { diagnostics, .. }) => diagnostics,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted: {text}"),
    }
}

#[test]
fn verifiers_report_message_place_and_notes() {
    let [diagnostic] = &refused("module {\n  \"toy.checked\"() {limit = -4} : () -> ()\n}")[..] else { panic!() };
    assert_eq!(diagnostic.severity, Severity::Error);
    assert_eq!(diagnostic.message, "'toy.checked' op limit -4 is negative");
    let place = Position { file: "dir/bad.mlir".into(), origin: None, line: 2, column: 3 };
    assert_eq!(diagnostic.position, Some(place));
    assert_eq!(diagnostic.notes[0].message, "limits count elements");
    assert_eq!(diagnostic.notes[0].severity, Severity::Note);
}

#[test]
fn panics_become_errors() {
    let diagnostics = refused("\"toy.checked\"() {limit = 13} : () -> ()");
    assert_eq!(diagnostics[0].message, "'toy.checked' op internal error: unlucky");
}

#[test]
fn regions_are_verified_after_what_they_contain() {
    let three = "\"toy.end\"() : () -> ()".repeat(3);
    let wrong = refused(&format!("\"toy.checked\"() ({{ {three} }}) : () -> ()"));
    assert!(wrong[0].message.contains("must be the last operation"), "{}", wrong[0]);
    let many = "%0 = toy.constant 1.0 : f64 %1 = toy.constant 1.0 : f64";
    let wrong = refused(&format!("\"toy.checked\"() ({{ {many} \"toy.end\"() : () -> () }}) : () -> ()"));
    assert_eq!(wrong[0].message, "'toy.checked' op contains 3 operations");
}

#[test]
fn counts_traits_and_parents_are_verified() {
    for (text, message) in [
        ("\"toy.add\"() : () -> f64", "'toy.add' op requires 2 operands, but found 0"),
        ("\"toy.print\"() : () -> ()", "'toy.print' op requires at least 1 operand, but found 0"),
        ("\"toy.wrap\"() : () -> ()", "'toy.wrap' op requires 1 region, but found 0"),
        ("\"toy.checked\"() ({}, {}) : () -> ()", "'toy.checked' op requires between 0 and 1 regions, but found 2"),
        (
            "toy.wrap { \"toy.checked\"() : () -> () }",
            "'toy.checked' op expects parent op to be one of 'builtin.module', 'toy.func'",
        ),
        (
            "%0 = toy.constant 1.0 : f64\n%1 = \"toy.negate\"(%0) : (f64) -> f32",
            "'toy.negate' op requires the same type for all operands and results",
        ),
        ("toy.return toy.return", "'toy.return' op must be the last operation in the parent block"),
        ("\"toy.func\"() ({}) {sym_name = \"f\"} : () -> ()", "'toy.func' op requires a function type"),
        (
            "\"toy.func\"() ({}) {sym_name = \"f\", function_type = () -> (), arg_attrs = [{}]} : () -> ()",
            "'toy.func' op expects attribute 'arg_attrs' to hold 0 dictionaries",
        ),
        ("\"toy.call\"() : () -> ()", "'toy.call' op requires a symbol reference in attribute 'callee'"),
    ] {
        let found = refused(text);
        assert!(found[0].message.starts_with(message), "{text}\n{}", found[0]);
    }
}

#[test]
fn positions_are_found_in_nested_locations() {
    let context = context();
    let inner = Location::new(&context, "a.sknd", 3, 7);
    let unknown = Location::unknown(&context);
    let call = Location::call_site(Location::named(&context, "conv", inner), unknown);
    let fused = Location::fused(&context, &[unknown, call]);
    assert_eq!(Position::of(fused).map(|position| position.to_string()).as_deref(), Some("a.sknd:3:7"));
    assert_eq!(Position::of(unknown), None);
}

#[test]
fn reports_are_captured_with_their_severity() {
    let context = context();
    let location = Location::new(&context, "x", 1, 2);
    let ((), reports) = ir::capture(&context, || {
        ir::emit(location, Severity::Warning, "careful — ünicode");
        ir::emit(location, Severity::Remark, "");
    });
    let found: Vec<_> = reports.iter().map(|report| (report.severity, report.message.as_str())).collect();
    assert_eq!(found, [(Severity::Warning, "careful — ünicode"), (Severity::Remark, "")]);
}

#[test]
fn what_parallel_verification_finds_is_captured() {
    let bad = "toy.func @f() { \"toy.checked\"() {limit = -1} : () -> () toy.return }\n";
    let functions: String = (0..16).map(|index| bad.replace("@f", &format!("@f{index}"))).collect();
    let found = refused(&functions);
    assert!(!found.is_empty() && found.iter().all(|report| report.message.contains("is negative")), "{found:?}");
}

#[test]
fn bad_definitions_are_refused() {
    for (dialect, reason) in [
        (DialectSpec::new("has.dot"), "not a valid dialect namespace"),
        (DialectSpec::new(""), "not a valid dialect namespace"),
        (DialectSpec::new("arith"), "registered already"),
        (DialectSpec::new("a").operation(OperationSpec::new("b.c")), "not in the namespace `a`"),
        (DialectSpec::new("a").operation(OperationSpec::new("a.")), "not in the namespace `a`"),
        (DialectSpec::new("a").operation(OperationSpec::new("a.b")).operation(OperationSpec::new("a.b")), "twice"),
        (DialectSpec::new("a").dependent_dialect("nowhere"), "unknown dialect `nowhere`"),
    ] {
        let error = Registry::new().add_dialect(dialect).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn failures_print_with_their_notes() {
    assert_eq!(Failure::new("no").with_note("because").to_string(), "no\nnote: because");
}
