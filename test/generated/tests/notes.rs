//! What a dialect asks for itself: attributes on operations of others, their verifiers, patterns, other dialects.

use skriptnd_generated::notes::{
    self, DialectHooks, Volume,
    discardable::{CountAttribute, LongSizesAttribute, SeenAttribute, SizesAttribute, TextAttribute, VolumeAttribute},
};
use skriptnd_ods::mlir::{
    Failure, Registry,
    dialect::RegionEntry,
    ir::{self, Attribute, Builder, Context, Module, OperationRef, Type, attributes},
    pass,
    rewrite::OperationPattern,
};

struct Hooks;

impl DialectHooks for Hooks {
    fn materialize_constant<'c, 'a>(
        _: &Builder<'c, 'a>,
        _: Attribute<'c>,
        _: Type<'c>,
    ) -> Option<OperationRef<'c, 'a>> {
        None
    }

    fn canonicalization_patterns() -> Vec<OperationPattern> {
        vec![OperationPattern::new("count", "arith.constant", |operation, rewriter| {
            let is_new = SeenAttribute::is_present(operation) && !CountAttribute::is_present(operation);
            if is_new {
                rewriter.set_attribute(operation, CountAttribute::NAME, attributes::integer(rewriter.context(), 1));
            }
            Ok(is_new)
        })]
    }

    fn verify_operation_attribute(
        operation: OperationRef<'_, '_>,
        name: &str,
        _: Attribute<'_>,
    ) -> Result<(), Failure> {
        match name {
            TextAttribute::NAME if TextAttribute::get(operation) == Some("") => Err("has an empty note".into()),
            "notes.other" => Err("has a note of no kind".into()),
            _ => Ok(()),
        }
    }

    fn verify_region_argument_attribute(
        _: OperationRef<'_, '_>,
        entry: RegionEntry,
        name: &str,
        attribute: Attribute<'_>,
    ) -> Result<(), Failure> {
        let message = format!("has {name} = {attribute} at argument {} of region {}", entry.index, entry.region);
        if name == CountAttribute::NAME { Err(message.into()) } else { Ok(()) }
    }

    fn verify_region_result_attribute(
        _: OperationRef<'_, '_>,
        entry: RegionEntry,
        name: &str,
        attribute: Attribute<'_>,
    ) -> Result<(), Failure> {
        let message = format!("has {name} = {attribute} at result {} of region {}", entry.index, entry.region);
        if name == CountAttribute::NAME { Err(message.into()) } else { Ok(()) }
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(notes::dialect(Hooks)).expect("the dialect is well defined");
    registry.context()
}

fn module<'c>(context: &'c Context, text: &str) -> Module<'c> {
    ir::parse_module(context, text, "notes.mlir").unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str) -> String {
    ir::parse_module(&context(), text, "notes.mlir").map(|_| ()).unwrap_err().to_string()
}

#[test]
fn attributes_of_any_operation_are_read_and_set() {
    let context = context();
    let module = module(
        &context,
        r#"module attributes {notes.text = "hello", notes.count = 3 : i32, notes.seen, notes.volume = 2 : i32,
             notes.sizes = array<i32: 1, 2>, notes.long_sizes = array<i64: 5>} {}"#,
    );
    let operation = module.as_operation();
    assert_eq!(TextAttribute::get(operation), Some("hello"));
    assert_eq!(CountAttribute::get(operation), Some(3));
    assert_eq!(VolumeAttribute::get(operation), Some(Volume::Loud));
    assert_eq!(LongSizesAttribute::get(operation), Some(vec![5]));
    assert_eq!(SizesAttribute::get(operation).map(|sizes| sizes.to_string()).as_deref(), Some("array<i32: 1, 2>"));
    assert!(SeenAttribute::is_present(operation));

    TextAttribute::set(operation, "bye").unwrap();
    CountAttribute::set(operation, -1).unwrap();
    VolumeAttribute::set(operation, Volume::Soft).unwrap();
    SeenAttribute::remove(operation);
    SizesAttribute::remove(operation);
    LongSizesAttribute::remove(operation);
    let text = operation.to_string();
    let expected = r#"{notes.count = -1 : i32, notes.text = "bye", notes.volume = 1 : i32}"#;
    assert!(text.contains(expected), "{text}");
    assert_eq!(SizesAttribute::get(operation), None);

    SeenAttribute::set(operation);
    assert_eq!(operation.get(SeenAttribute::NAME), Some(attributes::unit(&context)));
    assert!(CountAttribute::set(operation, i64::MAX).is_err());
    // An attribute of another class is no value.
    operation.set(CountAttribute::NAME, attributes::string(&context, "three"));
    assert_eq!(CountAttribute::get(operation), None);
}

#[test]
fn attributes_of_operations_are_verified() {
    let empty = refusal(r#"func.func private @f() attributes {notes.text = ""}"#);
    assert!(empty.contains("'func.func' op has an empty note"), "{empty}");
    let other = refusal(r#"func.func private @f() attributes {notes.other}"#);
    assert!(other.contains("'func.func' op has a note of no kind"), "{other}");
}

#[test]
fn attributes_of_arguments_and_results_are_verified() {
    let argument = refusal("func.func private @f(i32, i32 {notes.count = 1 : i32})");
    assert!(argument.contains("has notes.count = 1 : i32 at argument 1 of region 0"), "{argument}");
    let result = refusal("func.func private @f() -> (i32 {notes.count = 2 : i32})");
    assert!(result.contains("has notes.count = 2 : i32 at result 0 of region 0"), "{result}");
    module(&context(), r#"func.func private @f(i32 {notes.text = "a"}) -> (i32 {notes.text = "b"})"#);
}

#[test]
fn patterns_of_the_dialect_canonicalize() {
    let context = context();
    let text = r#"
        func.func @f() -> i32 {
          %kept = notes.keep
          %c = arith.constant {notes.seen} 1 : i32
          return %c : i32
        }"#;
    let mut module = module(&context, text);
    pass::run(&mut module, "builtin.module(canonicalize)", &Default::default()).unwrap();
    let text = module.as_operation().to_string();
    assert!(text.contains("arith.constant {notes.count = 1"), "{text}");
}
