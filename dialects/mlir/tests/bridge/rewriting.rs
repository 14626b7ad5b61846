//! PDL and Rust patterns, and what the drivers report.

use skriptnd_mlir::ir::{self, Module, Value, attributes, types};
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_mlir::rewrite::{
    FrozenPatterns, GreedyOptions, Natives, OperationPattern, PatternSet, PdlPatterns, PdlValue, Report, with_rewriter,
};
use skriptnd_mlir::{Error, Failure, Registry};

use crate::toy::{self, INVERSE_OF_INVERSE, context, double_negation, parse};

/// `add(x, x)` becomes `scaled(x) {by = f(by)}` if a native constraint holds for x; `f` computes the attribute.
const DOUBLING: &str = r#"
pdl.pattern @doubling : benefit(2) {
  %type = pdl.type
  %x = pdl.operand : %type
  %add = pdl.operation "toy.add"(%x, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  %factor = pdl.apply_native_constraint "accept"(%x : !pdl.value) : !pdl.attribute
  pdl.rewrite %add {
    %by = pdl.apply_native_rewrite "increment"(%factor : !pdl.attribute) : !pdl.attribute
    %new = pdl.operation "toy.negate"(%x : !pdl.value) {"by" = %by} -> (%type : !pdl.type)
    pdl.replace %add with %new
  }
}
"#;

const MODULE: &str = "toy.func @f(%a: f64, %b: f64) -> f64 {
  %0 = toy.add %a, %a : f64
  %1 = toy.add %b, %b : f64
  %2 = toy.add %0, %1 : f64
  toy.return %2 : f64
}";

fn doubling() -> Natives {
    Natives::new()
        .constraint("accept", |context, values| {
            let [PdlValue::Value(value)] = values else { return None };
            let index = value.as_argument()?.1;
            (index == 0).then(|| vec![PdlValue::Attribute(attributes::integer(context, 41))])
        })
        .rewrite("increment", |rewriter, values| {
            let [PdlValue::Attribute(value)] = values else { return Err(Failure::new("expected an attribute")) };
            let value = attributes::as_integer(*value).ok_or("expected an integer")?;
            Ok(vec![PdlValue::Attribute(attributes::integer(rewriter.context(), value + 1))])
        })
}

fn frozen<'c>(context: &'c ir::Context, text: &str, natives: Natives) -> Result<FrozenPatterns<'c>, Error> {
    let mut patterns = PatternSet::new(context);
    patterns.add_pdl(PdlPatterns::new(text, "rules.pdl", natives))?;
    patterns.freeze()
}

fn apply<'c>(module: &mut Module<'c>, patterns: &FrozenPatterns<'c>) -> Report {
    patterns.apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn native_functions_decide_and_compute() {
    let context = context();
    let mut module = parse(&context, MODULE);
    let report = apply(&mut module, &frozen(&context, DOUBLING, doubling()).unwrap());
    assert!(report.converged && report.changed);
    assert_eq!(report.counts().into_iter().collect::<Vec<_>>(), [("doubling", 1)]);
    let application = &report.applications[0];
    assert_eq!(application.operation, "toy.add");
    assert_eq!(application.position.as_ref().map(ToString::to_string).as_deref(), Some("toy.mlir:2:8"));
    ir::verify(module.as_operation()).unwrap();
    let text = module.as_operation().to_string();
    assert!(text.contains("toy.negate %arg0 {by = 42 : i64} : f64"), "{text}");
    assert_eq!(text.matches("toy.add").count(), 2, "{text}");
}

#[test]
fn frozen_patterns_apply_again() {
    let context = context();
    let patterns = frozen(&context, DOUBLING, doubling()).unwrap();
    for _ in 0..3 {
        assert_eq!(apply(&mut parse(&context, MODULE), &patterns).applications.len(), 1);
    }
}

#[test]
fn unknown_native_names_are_refused() {
    let context = context();
    let only = Natives::new().rewrite("increment", |_, _| Ok(Vec::new())).constraint("other", |_, _| Some(Vec::new()));
    let Err(error) = frozen(&context, DOUBLING, only) else { panic!("accepted") };
    assert_eq!(
        error.to_string(),
        "rules.pdl:6:13: native function `accept`: there is no native constraint of that name; what patterns ask of Rust is compiled with them, by -gen-rewriters"
    );
    let only = Natives::new().constraint("accept", |_, _| None).constraint("increment", |_, _| None);
    let Err(error) = frozen(&context, DOUBLING, only) else { panic!("accepted") };
    assert!(error.to_string().contains("there is no native rewrite of that name"), "{error}");
}

#[test]
fn wrong_results_and_failures_stop_the_driver() {
    let context = context();
    for (natives, reason) in [
        (doubling().rewrite("increment", |_, _| Ok(Vec::new())), "native function `increment` returned []"),
        (doubling().rewrite("increment", |_, _| Err("no number".into())), "no number"),
        (doubling().rewrite("increment", |_, _| panic!("oops")), "internal error: oops"),
        (doubling().constraint("accept", |_, _| Some(Vec::new())), "native function `accept` returned []"),
    ] {
        let patterns = frozen(&context, DOUBLING, natives).unwrap();
        let mut module = parse(&context, MODULE);
        let error = patterns.apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn native_rewrites_that_fail_for_values_and_operations_do_not_abort() {
    let text = r#"
    pdl.pattern @make : benefit(1) {
      %type = pdl.type
      %x = pdl.operand : %type
      %root = pdl.operation "toy.negate"(%x : !pdl.value) -> (%type : !pdl.type)
      pdl.rewrite %root {
        %value = pdl.apply_native_rewrite "value"(%x : !pdl.value) : !pdl.value
        pdl.replace %root with (%value : !pdl.value)
      }
    }"#;
    let context = context();
    let natives = Natives::new().rewrite("value", |_, _| Err("not today".into()));
    let patterns = frozen(&context, text, natives).unwrap();
    let mut module = parse(&context, "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 toy.return %0 : f64 }");
    let error = patterns.apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap_err();
    assert!(error.to_string().contains("not today"), "{error}");
}

#[test]
fn inference_that_fails_in_a_rewrite_does_not_abort() {
    let text = r#"
    pdl.pattern @narrow : benefit(1) {
      %x = pdl.operand
      %types = pdl.types
      %root = pdl.operation "toy.print"(%x : !pdl.value) -> (%types : !pdl.range<type>)
      pdl.rewrite %root {
        %new = pdl.operation "toy.float_only"(%x : !pdl.value)
        pdl.erase %root
      }
    }"#;
    let context = context();
    let patterns = frozen(&context, text, Natives::new()).unwrap();
    let mut module = parse(&context, "toy.func @f(%a: i32) { \"toy.print\"(%a) : (i32) -> () toy.return }");
    let error = patterns.apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("pattern `narrow` at rules.pdl:2:5 creates an invalid `toy.float_only`: needs a float, not i32"),
        "{error}"
    );
}

#[test]
fn what_patterns_in_rust_make_and_change_is_verified() {
    let context = context();
    let graph =
        "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 %1 = toy.add %0, %a : f64 toy.return %1 : f64 }";
    let apply = |pattern: OperationPattern| {
        let mut patterns = PatternSet::new(&context);
        patterns.add(pattern);
        let mut module = parse(&context, graph);
        let applied = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &GreedyOptions::default());
        applied.unwrap_err().to_string()
    };
    let made = apply(OperationPattern::new("wrong", "toy.negate", |operation, rewriter| {
        let (operand, result) = (operation.operand(0)?, operation.result(0)?.r#type());
        let made = rewriter.before(operation)?.operation("arith.addf", &[operand], &[], &[result])?;
        rewriter.replace(operation, &made.result_values()).map(|()| true)
    }));
    assert!(
        made.contains("pattern `wrong` creates an invalid `arith.addf`: expected 2 operands, but found 1"),
        "{made}"
    );
    let retyped = apply(OperationPattern::new("wrong", "toy.negate", |operation, rewriter| {
        let r#type = types::f32(rewriter.context());
        let made = rewriter.before(operation)?.value("arith.truncf", &[operation.operand(0)?], &[], r#type)?;
        rewriter.replace(operation, &[made]).map(|()| true)
    }));
    assert!(retyped.contains("pattern `wrong` leaves an invalid `toy.add`"), "{retyped}");
}

#[test]
fn what_is_built_inside_of_a_region_leaves_the_place_of_a_rule_alone() {
    let text = r#"
    pdl.pattern @nested : benefit(1) {
      %type = pdl.type
      %x = pdl.operand : %type
      %root = pdl.operation "toy.negate"(%x : !pdl.value) -> (%type : !pdl.type)
      pdl.rewrite %root {
        pdl.apply_native_rewrite "nest"(%x : !pdl.value)
        %new = pdl.operation "toy.add"(%x, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
        pdl.replace %root with %new
      }
    }"#;
    let context = context();
    let natives = Natives::new().rewrite("nest", |editor, arguments| {
        let [PdlValue::Value(value)] = arguments else { return Err("is given something else".into()) };
        let body = editor.here()?.with_body("scf.execute_region", &[], &[], &[], &[])?;
        body.builder.value("toy.add", &[*value, *value], &[], value.r#type())?;
        body.builder.operation("scf.yield", &[], &[], &[]).map(|_| Vec::new())
    });
    let patterns = frozen(&context, text, natives).unwrap();
    let mut module = parse(&context, "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 toy.return %0 : f64 }");
    patterns.apply_greedily(&mut module.root(), &GreedyOptions { fold: false, ..Default::default() }).unwrap();
    ir::verify(module.as_operation()).unwrap();
}

#[test]
fn rewrites_without_a_body_are_refused() {
    let text = r#"
    pdl.pattern @external : benefit(1) {
      %root = pdl.operation "toy.print"
      pdl.rewrite %root with "first"
    }"#;
    let natives = Natives::new().rewrite("first", |_, _| Ok(Vec::new()));
    let Err(error) = frozen(&context(), text, natives).map(drop) else { panic!("accepted") };
    assert!(error.to_string().contains("a body that calls it"), "{error}");
}

#[test]
fn endless_rules_end_at_the_limit_and_are_named() {
    let context = context();
    let mut patterns = PatternSet::new(&context);
    patterns.add(OperationPattern::new("forever", "toy.negate", |operation, rewriter| {
        let context = rewriter.context();
        let count = operation.get_integer("count").unwrap_or(0) + 1;
        rewriter.set_attribute(operation, "count", attributes::integer(context, count));
        Ok(true)
    }));
    let mut module = parse(&context, "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 toy.return %0 : f64 }");
    let options = GreedyOptions { max_rewrites: Some(100), ..Default::default() };
    let report = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &options).unwrap();
    assert!(!report.converged && report.changed);
    assert_eq!(report.counts().get("forever"), Some(&100));
}

#[test]
fn patterns_of_several_sources_work_together_in_order_of_benefit() {
    let context = context();
    let mut patterns = PatternSet::new(&context);
    patterns.add(double_negation());
    patterns.add_pdl(PdlPatterns::new(INVERSE_OF_INVERSE, "a.pdl", Natives::new())).unwrap();
    patterns.add_pdl(PdlPatterns::new(DOUBLING, "b.pdl", doubling())).unwrap();
    // The same names with other functions are other functions.
    let never = Natives::new().constraint("accept", |_, _| None).rewrite("increment", |_, _| Ok(Vec::new()));
    let renamed = DOUBLING.replace("@doubling : benefit(2)", "@never : benefit(9)");
    patterns.add_pdl(PdlPatterns::new(renamed, "c.pdl", never)).unwrap();
    let text = "toy.func @f(%a: f64) -> f64 {
      %0 = toy.negate %a : f64
      %1 = toy.negate %0 : f64
      %2 = toy.inverse %1 : f64
      %3 = toy.inverse %2 : f64
      %4 = toy.add %3, %3 : f64
      toy.return %4 : f64
    }";
    let mut module = parse(&context, text);
    let report = apply(&mut module, &patterns.freeze().unwrap());
    let counts: Vec<_> = report.counts().into_iter().collect();
    assert_eq!(counts, [("double-negation", 1), ("doubling", 1), ("inverse_of_inverse", 1)]);
}

#[test]
fn rewriters_refuse_what_mlir_would_assert() {
    let context = context();
    let mut patterns = PatternSet::new(&context);
    patterns.add(OperationPattern::new("careless", "toy.add", |operation, rewriter| {
        let Err(error) = rewriter.replace(operation, &[]) else { panic!("accepted") };
        assert!(error.to_string().contains("`toy.add` has 1 results, but is to be replaced by 0 values"), "{error}");
        let Err(error) = rewriter.erase(operation) else { panic!("accepted") };
        assert!(error.to_string().contains("it is used"), "{error}");
        Ok(false)
    }));
    let mut module = parse(&context, MODULE);
    let patterns = patterns.freeze().unwrap();
    let report = patterns.walk_and_apply(&mut module.root()).unwrap();
    assert!(!report.changed && report.diagnostics.is_empty(), "{report:?}");
}

#[test]
fn rewriters_build_and_replace() {
    let context = context();
    let module = parse(&context, MODULE);
    let add = ir::operations_named(module.as_operation(), "toy.add")[2];
    with_rewriter(add, |rewriter| {
        let operands: Vec<Value> = add.operands().collect();
        let builder = rewriter.before(add)?;
        let marked = [("k", attributes::unit(&context))];
        let negate = builder.value("toy.negate", &operands[..1], &marked, operands[0].r#type())?;
        let copy = builder.copy(add, &[negate, operands[1]])?;
        rewriter.replace(add, &copy.result_values())
    })
    .unwrap();
    ir::verify(module.as_operation()).unwrap();
    let text = module.as_operation().to_string();
    assert!(text.contains("%2 = toy.negate %0 {k} : f64\n    %3 = toy.add %2, %1 : f64"), "{text}");
}

#[test]
fn what_is_erased_is_valid_memory_as_long_as_the_root() {
    let context = context();
    let mut module = parse(&context, MODULE);
    let root = module.root();
    let adds = ir::operations_named(root.operation(), "toy.add");
    let [inner, outer] = [adds[1], adds[2]];
    with_rewriter(outer, |rewriter| {
        rewriter.replace(outer, &[inner.operand(0)?])?;
        rewriter.erase(inner)?;
        assert!(rewriter.erase(inner).is_err());
        Ok(())
    })
    .unwrap();
    for gone in [inner, outer] {
        assert_eq!((gone.full_name(), gone.block(), gone.is_used()), ("toy.add", None, false));
        assert!(gone.operand(0).is_err() && gone.operands().next().is_none());
    }
    drop(root);
    ir::verify(module.as_operation()).unwrap();
    assert_eq!(ir::operations_named(module.as_operation(), "toy.add").len(), 1);
}

#[test]
fn what_a_pattern_erased_and_uses_again_stays_and_is_told() {
    let context = context();
    let mut patterns = PatternSet::new(&context);
    patterns.add(OperationPattern::new("careless", "toy.negate", |operation, rewriter| {
        let (result, next) = (operation.result(0)?, operation.next().ok_or("no terminator")?);
        rewriter.replace(operation, &[operation.operand(0)?])?;
        rewriter.before(next)?.operation("toy.print", &[result], &[], &[])?;
        Ok(true)
    }));
    let mut module = parse(&context, "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 toy.return %0 : f64 }");
    let error = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap_err();
    assert!(error.to_string().contains("`toy.negate` is used after it was erased"), "{error}");
    ir::verify(module.as_operation()).unwrap();
}

#[test]
fn patterns_do_not_erase_behind_the_drivers_back() {
    let context = context();
    let mut patterns = PatternSet::new(&context);
    patterns.add(OperationPattern::new("hidden", "toy.print", |operation, _| {
        with_rewriter(operation, |rewriter| rewriter.erase(operation)).map(|()| true)
    }));
    let mut module = parse(&context, "toy.func @f(%a: f64) { \"toy.print\"(%a) : (f64) -> () toy.return }");
    let error = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap_err();
    assert!(error.to_string().contains("behind its driver's back"), "{error}");
}

#[test]
fn what_is_used_inside_of_other_operations_is_not_erased() {
    let context = context();
    let text = "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 toy.return %0 : f64 }";
    let module = parse(&context, text);
    let negate = ir::operations_named(module.as_operation(), "toy.negate")[0];
    assert!(with_rewriter(negate, |rewriter| rewriter.erase(negate)).is_err());
    assert!(with_rewriter(negate, |rewriter| rewriter.erase(negate.root())).is_err());
    ir::verify(module.as_operation()).unwrap();
}

#[test]
fn invalid_pdl_is_refused_with_its_place() {
    let context = context();
    for text in ["pdl.pattern @x : benefit(1) {\n  %0 = pdl.nothing\n}", "pdl.pattern @x : benefit(1) {\n}"] {
        let Err(error) = frozen(&context, text, Natives::new()) else { panic!("accepted") };
        assert!(error.to_string().contains("rules.pdl:"), "{error}");
    }
}

#[test]
fn rewrites_that_would_break_graphs_are_refused() {
    let context = context();
    let graph = "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 toy.return %0 : f64 }";
    for (body, message) in [
        ("pdl.erase %o", "erases `toy.negate` at toy.mlir:1:36, which is used"),
        ("pdl.replace %o with %o", "replaces `toy.negate` at toy.mlir:1:36 by what depends on it"),
        (
            "%r = pdl.result 0 of %o %n = pdl.operation \"toy.negate\"(%r : !pdl.value) -> (%t : !pdl.type) pdl.replace %o with %n",
            "by what depends on it",
        ),
        (
            "%r = pdl.result 3 of %o pdl.replace %o with (%r : !pdl.value)",
            "takes result 3 of `toy.negate` at toy.mlir:1:36, which has 1",
        ),
        ("pdl.replace %o with (%x, %x : !pdl.value, !pdl.value)", "of 1 results by 2 values"),
        (
            "%n = pdl.operation \"toy.negate\"(%x : !pdl.value) -> (%t : !pdl.type) pdl.erase %n %r = pdl.result 0 of %n pdl.replace %o with (%r : !pdl.value)",
            "pattern `p` at rules.pdl:1:1 uses `toy.negate`, which it erases",
        ),
        (
            "%r = pdl.results 3 of %o -> !pdl.range<value> %n = pdl.operation \"toy.negate\"(%r : !pdl.range<value>) -> (%t : !pdl.type) pdl.replace %o with %n",
            "pattern `p` at rules.pdl:1:1 takes results that are not there",
        ),
        (
            "pdl.replace %o with (%x : !pdl.value) pdl.replace %o with (%x : !pdl.value)",
            "toy.mlir:1:36: rewriting failed: pattern `p` at rules.pdl:1:1 replaces `toy.negate` at toy.mlir:1:36, which it has replaced or erased before",
        ),
    ] {
        let text = format!(
            "pdl.pattern @p : benefit(1) {{ %t = pdl.type %x = pdl.operand
            %o = pdl.operation \"toy.negate\"(%x : !pdl.value) -> (%t : !pdl.type) pdl.rewrite %o {{ {body} }} }}"
        );
        let mut module = parse(&context, graph);
        let patterns = frozen(&context, &text, Natives::new()).unwrap();
        let error = patterns.apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// Operands change places for ever.
const SWAPPED: &str = r#"
pdl.pattern @swapped : benefit(1) {
  %x = pdl.operand
  %y = pdl.operand
  %type = pdl.type
  %add = pdl.operation "toy.add"(%x, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %add {
    %new = pdl.operation "toy.add"(%y, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    pdl.replace %add with %new
  }
}"#;

#[test]
fn endless_pdl_ends_and_is_named() {
    let context = context();
    let patterns = frozen(&context, SWAPPED, Natives::new()).unwrap();
    let options = GreedyOptions { max_rewrites: Some(50), ..Default::default() };
    let report = patterns.apply_greedily(&mut parse(&context, MODULE).root(), &options).unwrap();
    assert!(!report.converged);
    assert_eq!(report.unending(), "rewriting does not end: after 50 rewrites these rules still apply: 'swapped'");
}

#[test]
fn pdl_that_makes_what_it_matches_again_ends_by_itself() {
    let context = context();
    let made = "%made = pdl.operation \"toy.add\"(%y, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %y2 = pdl.result 0 of %made
    %new = ";
    let growing = SWAPPED.replace("%new = ", made).replace(
        "(%y, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)\n    pdl.replace",
        "(%y2, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)\n    pdl.replace",
    );
    let patterns = frozen(&context, &growing, Natives::new()).unwrap();
    let mut module = parse(&context, MODULE);
    let operations = ir::walk(module.as_operation()).len();
    let report = patterns.apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap();
    assert!(!report.converged);
    assert_eq!(report.applications.len(), 10_000 + 20 * operations);
}

#[test]
fn attributes_of_the_wrong_kind_are_refused_in_what_rules_make() {
    let context = context();
    let graph = "toy.func @f(%a: i32) -> i32 { %0 = toy.negate %a : i32 toy.return %0 : i32 }";
    let apply = |attribute: &str, made: &str| {
        let text = format!(
            "pdl.pattern @p : benefit(1) {{ %t = pdl.type %x = pdl.operand
            %o = pdl.operation \"toy.negate\"(%x : !pdl.value) -> (%t : !pdl.type) pdl.rewrite %o {{
              %a = pdl.attribute = {attribute} %n = pdl.operation {made} pdl.replace %o with %n }} }}"
        );
        let patterns = frozen(&context, &text, Natives::new()).unwrap();
        let mut module = parse(&context, graph);
        let applied = patterns.apply_greedily(&mut module.root(), &GreedyOptions::default());
        applied.map(|_| ir::print(module.as_operation(), ir::PrintForm::default())).map_err(|error| error.to_string())
    };
    let two = "(%x, %x : !pdl.value, !pdl.value)";
    for typed in [" -> (%t : !pdl.type)", ""] {
        for (attribute, name, operation, wrong) in [
            (
                "99 : i32",
                "overflowFlags",
                "arith.addi",
                "expected one such as `#arith.overflow<none>`, found `99 : i32`",
            ),
            ("3 : i32", "isExact", "arith.divsi", "expected unit, found `3 : i32`"),
            ("\"slt\"", "predicate", "arith.cmpi", "expected an integer, of type i64, found `\"slt\"`"),
        ] {
            let error = apply(attribute, &format!("\"{operation}\"{two} {{\"{name}\" = %a}}{typed}")).unwrap_err();
            let expected = format!(
                "toy.mlir:1:36: rewriting failed: pattern `p` at rules.pdl:1:1 creates an invalid `{operation}`: attribute `{name}` has the wrong kind: {wrong}"
            );
            assert_eq!(error, expected);
        }
        let made = format!("\"arith.addi\"{two} {{\"overflowFlags\" = %a}}{typed}");
        let printed = apply("#arith.overflow<nsw>", &made).unwrap();
        assert!(printed.contains("arith.addi %arg0, %arg0 overflow<nsw>"), "{printed}");
        let printed = apply("unit", &format!("\"arith.addi\"{two} {{\"mine\" = %a}}{typed}")).unwrap();
        assert!(printed.contains("{mine}"), "{printed}");
    }
}

#[test]
fn endless_rules_end_in_drivers_of_mlir() {
    let mut registry = Registry::new();
    registry
        .add_dialect(toy::dialect().canonicalization_pdl(PdlPatterns::new(SWAPPED, "s.pdl", Natives::new())))
        .unwrap();
    let context = registry.context();
    let mut module = parse(&context, MODULE);
    let error = pass::run(&mut module, "builtin.module(canonicalize)", &PipelineOptions::default()).unwrap_err();
    let Error::Reported { diagnostics, .. } = error else { panic!("{error}") };
    assert!(diagnostics[0].message.contains("these rules still apply: 'swapped'"), "{diagnostics:?}");
    // What runs next is another run.
    let text = "toy.func @f(%a: f64) -> f64 { %0 = toy.negate %a : f64 toy.return %0 : f64 }";
    pass::run(&mut parse(&context, text), "builtin.module(canonicalize)", &PipelineOptions::default()).unwrap();
}

#[test]
fn equal_benefits_keep_their_order_and_greater_ones_of_other_files_come_first() {
    let context = context();
    let renamed = |name: &str, benefit: u16| {
        let head = format!("@{name} : benefit({benefit})");
        let text = SWAPPED
            .replace("@swapped : benefit(1)", &head)
            .replace("(%y, %x : !pdl.value, !pdl.value) ->", "(%x, %x : !pdl.value, !pdl.value) ->");
        PdlPatterns::new(text, "order.pdl", Natives::new())
    };
    let first = |set: &[(&str, u16)]| {
        let mut patterns = PatternSet::new(&context);
        for (name, benefit) in set {
            patterns.add_pdl(renamed(name, *benefit)).unwrap();
        }
        let options = GreedyOptions { max_rewrites: Some(1), ..Default::default() };
        let mut module = parse(&context, MODULE);
        let report = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &options).unwrap();
        report.applications[0].pattern.clone()
    };
    assert_eq!(first(&[("a", 1), ("b", 1), ("c", 1)]), "a");
    assert_eq!(first(&[("c", 1), ("b", 1), ("a", 1)]), "c");
    assert_eq!(first(&[("a", 1), ("b", 3), ("c", 2)]), "b");
}

#[test]
fn what_rules_did_is_counted() {
    let context = context();
    let mut patterns = PatternSet::new(&context);
    patterns.add_pdl(PdlPatterns::new(DOUBLING, "rules.pdl", doubling())).unwrap().add(double_negation()).count();
    let report = apply(&mut parse(&context, MODULE), &patterns.freeze().unwrap());
    let counts: Vec<_> =
        report.statistics.iter().map(|rule| (rule.rule.as_str(), rule.matched, rule.applied)).collect();
    assert_eq!(counts, [("doubling", 3, 1), ("double-negation", 0, 0)]);
    let doubling = &report.statistics[0];
    assert_eq!(doubling.place, "rules.pdl:2:1");
    assert!(doubling.tried >= 3, "{doubling:?}");
}

/// Negations by 1 are marked; `picky` goes first, and asks whether it may.
const COUNTED: &str = r#"
pdl.pattern @picky : benefit(2) {
  %type = pdl.type
  %x = pdl.operand : %type
  %by = pdl.attribute = 1 : i64
  %old = pdl.operation "toy.negate"(%x : !pdl.value) {"by" = %by} -> (%type : !pdl.type)
  pdl.apply_native_constraint "is_argument"(%x : !pdl.value)
  pdl.rewrite %old {
    %new = pdl.operation "toy.negate"(%x : !pdl.value) -> (%type : !pdl.type)
    pdl.replace %old with %new
  }
}
pdl.pattern @any : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %by = pdl.attribute = 1 : i64
  %old = pdl.operation "toy.negate"(%x : !pdl.value) {"by" = %by} -> (%type : !pdl.type)
  pdl.rewrite %old {
    %new = pdl.operation "toy.negate"(%x : !pdl.value) -> (%type : !pdl.type)
    pdl.replace %old with %new
  }
}
"#;

#[test]
fn what_a_constraint_refuses_is_matched_and_not_applied() {
    let context = context();
    let natives = Natives::new().constraint("is_argument", |_, values| match values {
        [PdlValue::Value(value)] => value.defining_operation().is_none().then(Vec::new),
        _ => None,
    });
    let mut patterns = PatternSet::new(&context);
    patterns.add_pdl(PdlPatterns::new(COUNTED, "rules.pdl", natives)).unwrap().count();
    let text = "toy.func @f(%a: f64) -> f64 {
  %0 = toy.negate %a {by = 2 : i64} : f64
  %1 = toy.negate %a {by = 1 : i64} : f64
  %2 = toy.add %0, %1 : f64
  %3 = toy.negate %2 {by = 1 : i64} : f64
  toy.return %3 : f64
}";
    let mut module = parse(&context, text);
    let options = GreedyOptions { fold: false, ..GreedyOptions::default() };
    let report = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &options).unwrap();
    let counts: Vec<_> =
        report.statistics.iter().map(|rule| (rule.rule.as_str(), rule.matched, rule.applied)).collect();
    assert_eq!(counts, [("picky", 2, 1), ("any", 2, 1)]);
    assert!(report.statistics.iter().all(|rule| rule.tried > 2), "{:?}", report.statistics);
}
