//! Custom and generic assembly round trip, and locations are kept.

use skriptnd_mlir::ir::{self, PrintForm};

use crate::toy::{context, operand_types, parse};

const MODULE: &str = r#"module {
  toy.func @main(%arg0: f64, %arg1: f64) -> f64 attributes {note = "x"} {
    %0 = toy.constant 2.500000e+00 : f64
    %1 = toy.add %arg0, %0 {fast} : f64
    %2 = toy.call @helper(%1, %arg1) : (f64, f64) -> f64
    %3:2 = toy.main.custom(%2) {alpha = 1 : i64} : (f64) -> (f64, i32)
    toy.wrap {
      "toy.print"(%3#1) : (i32) -> ()
    }
    toy.return %3#0 : f64
  }
  toy.func private @helper(%arg0: f64, %arg1: f64) -> f64 {
    toy.return %arg1 : f64
  }
}
"#;

#[test]
fn custom_assembly_prints_as_it_was_written() {
    let context = context();
    let module = parse(&context, MODULE);
    assert_eq!(module.as_operation().to_string(), MODULE);
}

#[test]
fn generic_form_parses_to_the_same() {
    let context = context();
    let generic = ir::print(parse(&context, MODULE).as_operation(), PrintForm { generic: true, ..Default::default() });
    assert!(generic.contains("\"toy.add\"(%arg2, %0) {fast} : (f64, f64) -> f64"), "{generic}");
    assert!(generic.contains("\"toy.end\"() : () -> ()"), "{generic}");
    assert_eq!(parse(&context, &generic).as_operation().to_string(), MODULE);
}

#[test]
fn inherent_attributes_are_properties() {
    let context = context();
    let generic = |text: &str| {
        let module = ir::parse_module(&context, text, "toy.mlir").unwrap_or_else(|error| panic!("{text}: {error}"));
        ir::print(module.as_operation(), PrintForm { generic: true, ..Default::default() })
    };
    for text in [
        "%0 = \"toy.constant\"() <{value = 1.0 : f64}> {note} : () -> f64",
        "%0 = \"toy.constant\"() {note, value = 1.0 : f64} : () -> f64",
    ] {
        let printed = generic(text);
        assert!(printed.contains("() <{value = 1.000000e+00 : f64}> {note} : () -> f64"), "{printed}");
        assert_eq!(generic(&printed), printed);
    }
    let module = parse(&context, "%0 = \"toy.constant\"() <{value = 1.0 : f64}> {note} : () -> f64");
    let constant = ir::operations_named(module.as_operation(), "toy.constant")[0];
    let names = || constant.attributes().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names(), ["note", "value"]);
    constant.unset("value");
    assert_eq!((names(), constant.get("value")), (vec!["note"], None));
    let error = ir::parse_module(&context, "\"toy.constant\"() <{value = 1.0 : f64> : () -> f64", "bad.mlir");
    assert!(error.is_err());
    let error = ir::parse_module(&context, "\"toy.end\"() <{value = 1}> : () -> ()", "bad.mlir").unwrap_err();
    assert!(error.to_string().contains("does not support properties"), "{error}");
}

#[test]
fn locations_have_the_file_name() {
    let context = context();
    let module = parse(&context, MODULE);
    let text = ir::print(module.as_operation(), PrintForm { locations: true, ..Default::default() });
    assert!(text.contains("loc(\"toy.mlir\":4:10)"), "{text}");
    assert_eq!(parse(&context, &text).as_operation().to_string(), MODULE);
}

#[test]
fn segments_round_trip_and_verify() {
    let context = context();
    let text = |sizes: &str| {
        format!(
            "%0 = toy.constant 1.0 : f64\n\
             %1:2 = \"toy.segments\"(%0, %0) {{operandSegmentSizes = array<i32: {sizes}>, \
             resultSegmentSizes = array<i32: 2>}} : (f64, f64) -> (f64, i32)"
        )
    };
    let module = parse(&context, &text("0, 2"));
    let operation = ir::operations_named(module.as_operation(), "toy.segments")[0];
    assert_eq!(operation.get_integers("operandSegmentSizes"), Some(vec![0, 2]));
    assert_eq!(operand_types(operation), ["f64", "f64"]);
    assert_eq!(parse(&context, &module.as_operation().to_string()).as_operation().to_string(), {
        module.as_operation().to_string()
    });
    let error = ir::parse_module(&context, &text("1, 2"), "bad.mlir").unwrap_err();
    assert!(error.to_string().contains("operandSegmentSizes"), "{error}");
}

#[test]
fn syntax_errors_have_their_place() {
    let context = context();
    for (text, place, message) in [
        ("toy.func main() {}", "bad.mlir:1:10", "expected valid '@'-identifier for symbol name"),
        ("%0 = toy.constant 1.0 : f64\n%1 = toy.add %0 %0 : f64", "bad.mlir:2:16", "expected ':'"),
        ("%0 = toy.constant 1.0 : f64\ntoy.return %0 : f64, f64\n", "bad.mlir:3:1", "found 1 operands but 2"),
        ("toy.add", "bad.mlir:1:7", "expected ':'"),
    ] {
        let error = ir::parse_module(&context, text, "bad.mlir").unwrap_err().to_string();
        assert!(error.contains(&format!("{place}: error")) && error.contains(message), "{text}\n{error}");
    }
}

#[test]
fn walking_visits_operations_in_order() {
    let context = context();
    let module = parse(&context, MODULE);
    let names: Vec<_> = ir::walk(module.as_operation()).into_iter().map(|operation| operation.full_name()).collect();
    assert_eq!(names[..5], ["builtin.module", "toy.func", "toy.constant", "toy.add", "toy.call"]);
    let call = ir::operations_named(module.as_operation(), "toy.call")[0];
    assert_eq!(call.previous().map(|operation| operation.full_name()), Some("toy.add"));
    let helper = ir::symbol_lookup(module.as_operation(), "helper").map(|operation| operation.region_count());
    assert_eq!(helper, Some(1));
}
