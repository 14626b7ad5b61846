//! Passes from Rust in pipelines.

use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{self, attributes, walk};
use skriptnd_mlir::pass::{self, Admitted, OptionValue, PassSpec, PipelineOptions};

use crate::toy::{context, optimized, parse};

/// Registers the passes of these tests, once or more often.
pub fn register() {
    let mark = PassSpec::new("test-mark", "Marks operations", |root, run| {
        let operation = root.operation();
        let context = operation.context();
        let only = run.texts("only");
        for inside in walk(operation) {
            if only.is_empty() || only.iter().any(|name| name == inside.full_name()) {
                inside.set(&run.text("name"), attributes::integer(context, run.integer("value")));
            }
        }
        if run.flag("list") {
            operation.set("toy.values", attributes::integers(context, &run.integers("values")));
        }
        Ok(())
    })
    .option("name", "The attribute", OptionValue::Text("toy.mark".into()))
    .option("value", "Its value", OptionValue::Integer(7))
    .option("only", "The operations", OptionValue::Texts(Vec::new()))
    .option("list", "Whether to set the list", OptionValue::Flag(false))
    .option("values", "The list", OptionValue::Integers(vec![1, 2]));
    pass::register(mark).unwrap();
    pass::register(
        PassSpec::new("test-fail", "Fails", |root, _| {
            Err(Failure::new(format!("contains {} operations", walk(root.operation()).len())).with_note("by design"))
        })
        .anchor("toy.func"),
    )
    .unwrap();
    pass::register(
        PassSpec::new("test-nested", "Runs a pipeline", |root, run| run.run_pipeline(root, &run.text("pipeline")))
            .option("pipeline", "The pipeline", OptionValue::Text("cse".into())),
    )
    .unwrap();
    let pipeline = pass::plain("cse,test-mark{value=9 only=toy.return}");
    pass::register_pipeline("test-pipeline", "Two passes", &[], pipeline).unwrap();
}

const MODULE: &str = "toy.func @f(%a: f64) {
  %0 = toy.negate %a : f64
  %1 = toy.negate %a : f64
  toy.return
}";

#[test]
fn options_have_defaults_and_are_parsed() {
    register();
    let result = optimized(MODULE, "builtin.module(test-mark)");
    assert_eq!(result.matches("toy.mark = 7").count(), 4, "{result}");
    let result = optimized(
        MODULE,
        "builtin.module(test-mark{name=toy.x value=-3 only=toy.negate,toy.func list=1 values=4,5,6})",
    );
    assert_eq!(result.matches("toy.x = -3").count(), 3, "{result}");
    assert!(result.contains("toy.values = array<i64: 4, 5, 6>"), "{result}");
    let result = optimized(MODULE, "builtin.module(test-mark{list})");
    assert!(result.contains("toy.values = array<i64: 1, 2>"), "{result}");
}

/// A pass that writes down its options, and counts its runs.
fn register_kinds() {
    let words = Admitted::Words(vec![("fast".into(), "at once".into()), ("slow".into(), String::new())]);
    let spec = PassSpec::new("test-kinds", "Shows options", |root, run| {
        let shown = format!(
            "{} {:?} {} {:?} {} {:?}",
            run.unsigned("big"),
            run.unsigneds("bigs"),
            run.real("ratio"),
            run.reals("ratios"),
            run.text("mode"),
            run.integer("small")
        );
        run.count("runs", 1);
        let operation = root.operation();
        operation.set("toy.shown", attributes::string(operation.context(), &shown));
        Ok(())
    })
    .option("big", "", OptionValue::Unsigned(u64::MAX))
    .option("bigs", "", OptionValue::Unsigneds(vec![1, u64::MAX]))
    .option("ratio", "", OptionValue::Real(0.3))
    .option("ratios", "", OptionValue::Reals(vec![0.5]))
    .option_of("mode", "How", OptionValue::Text("fast".into()), words)
    .option_of("small", "", OptionValue::Integer(-1), Admitted::Integers(-128, 127))
    .option_of("few", "", OptionValue::Unsigneds(Vec::new()), Admitted::Unsigneds(255))
    .statistic("runs", "How often it ran");
    pass::register(spec).unwrap();
}

#[test]
fn options_of_all_kinds_are_read_and_checked() {
    register_kinds();
    let counted = || pass::statistics().into_iter().find(|statistic| statistic.name == "runs").unwrap().value;
    let before = counted();
    let result = optimized(MODULE, "builtin.module(test-kinds)");
    assert!(result.contains("18446744073709551615 [1, 18446744073709551615] 0.3 [0.5] fast -1"), "{result}");
    let given = "big=3 bigs=4,5 ratio=1.5 ratios=2,3.5 mode=slow small=127 few=255,0";
    let result = optimized(MODULE, &format!("builtin.module(test-kinds{{{given}}})"));
    assert!(result.contains("3 [4, 5] 1.5 [2.0, 3.5] slow 127"), "{result}");
    assert!(counted() >= before + 2);
    let context = context();
    for (options, reason) in [
        ("mode=quick", "option 'mode': expected one of 'fast', 'slow', found 'quick'"),
        ("small=128", "option 'small': expected an integer from -128 to 127, found 128"),
        ("few=1,256", "option 'few': expected an integer from 0 to 255, found 256"),
        ("big=-1", "big"),
        ("ratio=much", "ratio"),
    ] {
        let pipeline = format!("builtin.module(test-kinds{{{options}}})");
        let error = pass::run(&mut parse(&context, MODULE), &pipeline, &PipelineOptions::default()).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn passes_run_on_the_operations_of_an_interface() {
    pass::register(
        PassSpec::new("test-functions", "Marks functions", |root, _| {
            let operation = root.operation();
            operation.set("toy.mark", attributes::unit(operation.context()));
            Ok(())
        })
        .interface("FunctionOpInterface"),
    )
    .unwrap();
    let result = optimized("func.func private @f()", "builtin.module(func.func(test-functions))");
    assert!(result.contains("toy.mark"), "{result}");
    let context = context();
    let mut module = parse(&context, MODULE);
    let error = pass::run(&mut module, "builtin.module(test-functions)", &PipelineOptions::default()).unwrap_err();
    assert!(error.to_string().contains("test-functions"), "{error}");
    let unknown = PassSpec::new("test-unknown", "", |_, _| Ok(())).interface("FlyingOpInterface");
    assert!(pass::register(unknown).unwrap_err().to_string().contains("'FlyingOpInterface'"));
}

#[test]
fn an_invariant_is_looked_at_behind_each_pass() {
    let context = context();
    let mut module = parse(&context, "func.func @bad() { return }");
    let refuse: pass::Invariant = |operation| match operation.full_name() {
        "func.func" => Err(Failure::new("a function is left")),
        _ => Ok(()),
    };
    let checked = PipelineOptions { invariant: Some(refuse), ..PipelineOptions::default() };
    let error = pass::run(&mut module, "builtin.module(symbol-dce,func.func(cse))", &checked).unwrap_err();
    assert!(error.to_string().contains("a function is left"), "{error}");
    pass::run(&mut module, "builtin.module(canonicalize)", &checked).unwrap();
}

#[test]
fn passes_nest_and_are_cloned_for_threads() {
    register();
    let functions: String = (0..64).map(|index| MODULE.replace("@f", &format!("@f{index}"))).collect();
    let result = optimized(&functions, "builtin.module(toy.func(test-mark{value=2 only=toy.negate}))");
    assert_eq!(result.matches("mark = 2").count(), 128);
}

#[test]
fn failures_are_reported_at_the_operation() {
    register();
    let context = context();
    let mut module = parse(&context, MODULE);
    let error = pass::run(&mut module, "builtin.module(toy.func(test-fail))", &Default::default()).unwrap_err();
    let [diagnostic] = error.diagnostics() else { panic!("{error}") };
    assert_eq!(
        diagnostic.to_string(),
        "toy.mlir:1:1: error: 'toy.func' op contains 4 operations\ntoy.mlir:1:1: note: by design"
    );
    assert!(error.to_string().starts_with("pass pipeline `builtin.module(toy.func(test-fail))` failed"), "{error}");
}

#[test]
fn failures_on_several_threads_are_reported_in_order() {
    register();
    let context = context();
    let functions: String = (0..32).map(|index| MODULE.replace("@f", &format!("@f{index}")) + "\n").collect();
    let mut module = parse(&context, &functions);
    let error = pass::run(&mut module, "builtin.module(toy.func(test-fail))", &Default::default()).unwrap_err();
    let lines = error.diagnostics().iter().filter_map(|report| report.position.as_ref()).map(|place| place.line);
    assert_eq!(lines.collect::<Vec<_>>(), (0..32).map(|index| 1 + 5 * index).collect::<Vec<_>>());
}

#[test]
fn bad_pipelines_are_refused_with_the_reason() {
    register();
    let context = context();
    for (pipeline, reason) in [
        ("builtin.module(no-such-pass)", "'no-such-pass' does not refer to a registered pass"),
        ("builtin.module(test-mark{nothing=1})", "no such option nothing"),
        ("builtin.module(test-mark{value=x})", "failed to add `test-mark` with options `value=x`"),
        ("builtin.module(cse", "expected pass pipeline to be wrapped with the anchor operation type"),
        ("builtin.module(test-fail)", "Can't add pass 'test-fail' restricted to 'toy.func'"),
        ("", "expected pass pipeline to be wrapped with the anchor operation type"),
        ("func.func(cse)", "can't run 'func.func' pass manager on 'builtin.module' op"),
    ] {
        let mut module = parse(&context, MODULE);
        let error = pass::run(&mut module, pipeline, &Default::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn passes_run_pipelines_on_what_they_work_on() {
    register();
    let result = optimized(MODULE, "builtin.module(toy.func(test-nested))");
    assert_eq!(result.matches("toy.negate").count(), 0, "{result}");
    let context = context();
    let mut module = parse(&context, MODULE);
    let error =
        pass::run(&mut module, "builtin.module(test-nested{pipeline=nonsense})", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("invalid pass pipeline `nonsense`"), "{error}");
}

#[test]
fn registration_refuses_what_mlir_would_abort_on() {
    register();
    let noop = |argument: &str| PassSpec::new(argument, "", |_, _| Ok(()));
    assert!(matches!(pass::register(noop("test-mark")), Ok(false)));
    for (pass, reason) in [
        (noop("cse"), "MLIR has a pass of that name"),
        (noop(""), "not a valid argument"),
        (noop("a b"), "not a valid argument"),
        (
            noop("test-twice").option("x", "", OptionValue::Flag(true)).option("x", "", OptionValue::Flag(true)),
            "not a valid name",
        ),
    ] {
        let error = pass::register(pass).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(pass::register_pipeline("test-broken", "", &[], pass::plain("no-such-pass")).is_err());
}

#[test]
fn named_pipelines_run() {
    register();
    let result = optimized(MODULE, "builtin.module(test-pipeline)");
    assert!(result.contains("toy.return") && !result.contains("toy.negate"), "{result}");
    let context = context();
    let mut module = parse(&context, MODULE);
    let reports = pass::run(&mut module, "builtin.module(test-pipeline)", &PipelineOptions::default()).unwrap();
    assert!(reports.is_empty());
    let ret = ir::operations_named(module.as_operation(), "toy.return")[0];
    assert_eq!(ret.get_integer("toy.mark"), Some(9));
    assert_eq!(ret.operand_count(), 0);
}
