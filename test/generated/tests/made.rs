//! Rules that make operations without results, and natives that build operations, which are verified.

use skriptnd_generated::made::{self, rewrites};
use skriptnd_ods::mlir::{
    Failure, Registry,
    ir::{self, Context, Location, OperationRef, Value, attributes, types},
    pass,
    rewrite::{Editor, GreedyOptions, PatternSet},
};

struct Functions;

impl rewrites::Functions for Functions {
    fn copy_tag<'c, 'a>(&self, editor: &Editor<'c, 'a>, from: Value<'c, 'a>, to: Value<'c, 'a>) -> Result<(), Failure> {
        let (Some(from), Some(to)) = (from.defining_operation(), to.defining_operation()) else { return Ok(()) };
        if let Some(tag) = from.get("tag") {
            editor.set_attribute(to, "tag", tag);
        }
        Ok(())
    }

    fn halves<'c: 'a, 'a>(
        &self,
        editor: &Editor<'c, 'a>,
        location: Location<'c>,
        value: Value<'c, 'a>,
    ) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure> {
        let builder = editor.here()?.located(location);
        let half = || builder.value("made.plain", &[value], &[], value.r#type());
        Ok((half()?, half()?))
    }

    fn wrapped<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let builder = editor.here()?;
        let outer = builder.with_body("made.body", &[], &[], &[value.r#type()], &[])?;
        let inner = outer.builder.with_body("made.body", &[], &[], &[value.r#type()], &[])?;
        let plain = inner.builder.value("made.plain", &[value], &[], value.r#type())?;
        inner.builder.operation("made.yield", &[plain], &[], &[])?;
        outer.builder.operation("made.yield", &[inner.operation.result(0)?], &[], &[])?;
        outer.operation.result(0)
    }

    fn bad<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        editor.here()?.value("made.plain", &[value], &[], types::index(editor.context()))
    }

    fn spoil<'c, 'a>(&self, editor: &Editor<'c, 'a>, note: OperationRef<'c, 'a>) -> Result<(), Failure> {
        editor.set_attribute(note, "count", attributes::unit(editor.context()));
        Ok(())
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(made::dialect().canonicalization_pdl(rewrites::patterns(Functions))).unwrap();
    registry.context()
}

const SOURCE: &str = "%x = \"made.source\"() : () -> i32\n";

/// What the patterns make of operations behind `%x`, an `i32`, without that.
fn rewritten(text: &str) -> Result<Vec<String>, String> {
    let context = context();
    let mut module = ir::parse_module(&context, &format!("{SOURCE}{text}"), "test.mlir").unwrap();
    let mut patterns = PatternSet::new(&context);
    patterns.add_pdl(rewrites::patterns(Functions)).unwrap();
    let options = GreedyOptions::default();
    let applied = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &options);
    applied.map_err(|error| error.to_string())?;
    ir::verify(module.as_operation()).map_err(|error| error.to_string())?;
    let text = module.as_operation().to_string();
    Ok(text
        .lines()
        .map(str::trim)
        .filter(|line| line.contains("made.") && !line.contains("source"))
        .map(str::to_string)
        .collect())
}

#[test]
fn operations_without_results_are_made() {
    let cases: [(&str, &[&str]); 6] = [
        (
            "%y = \"made.beside\"(%x) {tag = 3 : i8} : (i32) -> i32 \"made.use\"(%y) : (i32) -> ()",
            &[
                "\"made.mark\"(%0) : (i32) -> ()",
                "%1 = \"made.plain\"(%0) {tag = 3 : i8} : (i32) -> i32",
                "\"made.use\"(%1) : (i32) -> ()",
            ],
        ),
        (
            "\"made.split\"(%x) : (i32) -> ()",
            &[
                "%1 = \"made.plain\"(%0) : (i32) -> i32",
                "\"made.mark\"(%1) : (i32) -> ()",
                "\"made.mark\"(%0) : (i32) -> ()",
            ],
        ),
        (
            "%y = \"made.plain\"(%x) : (i32) -> i32 \"made.drop\"(%y) : (i32) -> ()",
            &["%1 = \"made.plain\"(%0) : (i32) -> i32"],
        ),
        (
            "%y = \"made.plain\"(%x) : (i32) -> i32 \"made.pair\"(%y, %x) : (i32, i32) -> ()",
            &[
                "%1 = \"made.plain\"(%0) : (i32) -> i32",
                "\"made.mark\"(%0) : (i32) -> ()",
                "\"made.mark\"(%0) : (i32) -> ()",
            ],
        ),
        (
            "%y = \"made.count\"(%x) <{count = 4 : i32, text = \"t\"}> : (i32) -> i32 \"made.use\"(%y) : (i32) -> ()",
            &[
                "\"made.note\"(%0, %0) <{count = 4 : i32, text = \"t\"}> : (i32, i32) -> ()",
                "\"made.use\"(%0) : (i32) -> ()",
            ],
        ),
        (
            "%y = \"made.count\"(%x) <{count = 4 : i32}> : (i32) -> i32 \"made.use\"(%y) : (i32) -> ()",
            &["\"made.note\"(%0, %0) <{count = 4 : i32}> : (i32, i32) -> ()", "\"made.use\"(%0) : (i32) -> ()"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(rewritten(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn natives_build_operations() {
    let halves = "%y:2 = \"made.halves\"(%x) : (i32) -> (i32, i32) \"made.use\"(%y#1, %y#0) : (i32, i32) -> ()";
    let plain = |name: &str| format!("{name} = \"made.plain\"(%0) : (i32) -> i32");
    assert_eq!(
        rewritten(halves).unwrap(),
        [plain("%1"), plain("%2"), "\"made.use\"(%2, %1) : (i32, i32) -> ()".into()]
    );
    let wrap = "%y = \"made.wrap\"(%x) : (i32) -> i32 \"made.use\"(%y) : (i32) -> ()";
    let expected = [
        "%1 = \"made.body\"() ({",
        "%3 = \"made.body\"() ({",
        "%4 = \"made.plain\"(%0) : (i32) -> i32",
        "\"made.yield\"(%4) : (i32) -> ()",
        "\"made.yield\"(%3) : (i32) -> ()",
        "%2 = \"made.plain\"(%1) : (i32) -> i32",
        "\"made.use\"(%2) : (i32) -> ()",
    ];
    assert_eq!(rewritten(wrap).unwrap(), expected);
}

#[test]
fn what_natives_make_or_change_is_verified() {
    let use_of = |name: &str| format!("%y = \"made.{name}\"(%x) : (i32) -> i32 \"made.use\"(%y) : (i32) -> ()");
    for (name, message) in [
        ("bad", "creates an invalid `made.plain`: requires the same type for all operands and results"),
        ("spoil", "creates an invalid `made.note`: attribute 'count'"),
    ] {
        let error = rewritten(&use_of(name)).unwrap_err();
        assert!(error.contains("pattern `") && error.contains("made.td:") && error.contains(message), "{error}");
    }
}

#[test]
fn canonicalizing_takes_such_rules() {
    let context = context();
    let text = format!("{SOURCE}%y = \"made.beside\"(%x) : (i32) -> i32 \"made.use\"(%y) : (i32) -> ()");
    let mut module = ir::parse_module(&context, &text, "test.mlir").unwrap();
    pass::run(&mut module, "builtin.module(canonicalize)", &Default::default()).unwrap();
    assert!(module.as_operation().to_string().contains("made.mark"));
    let text = format!("{SOURCE}%y = \"made.bad\"(%x) : (i32) -> i32 \"made.use\"(%y) : (i32) -> ()");
    let mut module = ir::parse_module(&context, &text, "test.mlir").unwrap();
    let error = pass::run(&mut module, "builtin.module(canonicalize)", &Default::default()).unwrap_err().to_string();
    assert!(error.contains("creates an invalid `made.plain`"), "{error}");
}
