//! Interfaces are found through operations, whichever dialect implements them.

use skriptnd_generated::{
    Secret, first,
    interfaces::{Described, Named, NamedOf, Sized, SizedHooks},
    second,
};
use skriptnd_ods::mlir::{
    Failure, Registry,
    ir::{self, Context, Module, OperationRef},
};

struct FirstHooks;

impl SizedHooks for FirstHooks {
    type GetSecretResult = Secret;

    fn r#match<'c: 'a, 'a>(this: &(dyn Sized<'c, 'a, GetSecretResult = Secret> + 'a)) -> i64 {
        100 + this.get_count()
    }

    fn verify<'c: 'a, 'a>(this: &(dyn Sized<'c, 'a, GetSecretResult = Secret> + 'a)) -> Result<(), Failure> {
        if this.get_count() < 4 { Ok(()) } else { Err(Failure::new("holds too much")) }
    }
}

impl first::operations::BoxOpHooks for FirstHooks {
    fn get_name<'c: 'a, 'a>(op: first::operations::BoxOp<'c, 'a>) -> String {
        format!("box of {}", op.items().len())
    }

    fn get_kind<'c: 'a, 'a>() -> String {
        "boxes".into()
    }

    fn size<'c: 'a, 'a>(op: first::operations::BoxOp<'c, 'a>, from: i64) -> i64 {
        from + op.items().len() as i64
    }

    fn size_<'c: 'a, 'a>(_: first::operations::BoxOp<'c, 'a>, unit: &str) -> i64 {
        unit.len() as i64
    }

    fn get_twice<'c: 'a, 'a>(_: first::operations::BoxOp<'c, 'a>) -> i64 {
        -2
    }

    fn get_secret<'c: 'a, 'a>(op: first::operations::BoxOp<'c, 'a>) -> Secret {
        Secret(op.items().len() as i64)
    }

    fn get_weight<'c: 'a, 'a>(_: first::operations::BoxOp<'c, 'a>) -> f64 {
        2.5
    }
}

impl first::operations::TraitOpHooks for FirstHooks {
    fn verify_glorious(op: first::operations::TraitOp<'_, '_>) -> Result<(), Failure> {
        let is_glorious = op.operation().get("glory").is_some();
        if is_glorious { Ok(()) } else { Err(Failure::new("has no glory")) }
    }

    fn verify_at_most(op: first::operations::TraitOp<'_, '_>, parameters: &str) -> Result<(), Failure> {
        let most: usize = parameters.parse().unwrap();
        if op.items().len() <= most { Ok(()) } else { Err(Failure::new(format!("has more than {most}"))) }
    }
}

struct SecondHooks;

impl SizedHooks for SecondHooks {
    type GetSecretResult = Secret;

    fn r#match<'c: 'a, 'a>(_: &(dyn Sized<'c, 'a, GetSecretResult = Secret> + 'a)) -> i64 {
        200
    }

    fn verify<'c: 'a, 'a>(_: &(dyn Sized<'c, 'a, GetSecretResult = Secret> + 'a)) -> Result<(), Failure> {
        Ok(())
    }
}

impl second::operations::BagOpHooks for SecondHooks {
    fn get_name<'c: 'a, 'a>(_: second::operations::BagOp<'c, 'a>) -> String {
        "bag".into()
    }

    fn get_kind<'c: 'a, 'a>() -> String {
        "bags".into()
    }

    fn size<'c: 'a, 'a>(_: second::operations::BagOp<'c, 'a>, from: i64) -> i64 {
        from
    }

    fn size_<'c: 'a, 'a>(_: second::operations::BagOp<'c, 'a>, _: &str) -> i64 {
        0
    }

    fn get_secret<'c: 'a, 'a>(_: second::operations::BagOp<'c, 'a>) -> Secret {
        Secret(0)
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(first::dialect(FirstHooks)).unwrap();
    registry.add_dialect(second::dialect(SecondHooks)).unwrap();
    registry.context()
}

fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, String> {
    ir::parse_module(context, text, "test.mlir").map_err(|error| error.to_string())
}

/// Sums up what a pass would ask of operations that it does not know.
fn total(operation: OperationRef<'_, '_>) -> i64 {
    let operations = ir::block_operations(operation.region(0).unwrap().first_block().unwrap());
    operations.filter_map(<dyn Sized<GetSecretResult = Secret>>::of).map(|sized| sized.size(10)).sum()
}

#[test]
fn interfaces_are_found_in_both_dialects() {
    let context = context();
    let text = r#"
      %0 = "builtin.unrealized_conversion_cast"() : () -> i32
      "first.box"(%0, %0) : (i32, i32) -> ()
      "second.bag"(%0) : (i32) -> ()
      "first.plain"() : () -> ()
    "#;
    let module = parse(&context, text).unwrap();
    assert_eq!(total(module.as_operation()), 22);
    let block = module.as_operation().region(0).unwrap().first_block().unwrap();
    let operations: Vec<_> = ir::block_operations(block).skip(1).collect();
    let sized = <dyn Sized<GetSecretResult = Secret>>::of(operations[0]).unwrap();
    // A method of the interface that it extends, static ones, defaults in Rust and in C++, one that is overridden.
    let shown = (sized.get_name(), sized.get_kind(), sized.get_count(), sized.r#match(), sized.get_twice());
    assert_eq!(shown, ("box of 2".into(), "boxes".into(), 2, 102, -2));
    assert_eq!((sized.size_("cubits"), sized.get_most(), sized.get_secret()), (6, 64, Secret(2)));
    let bag = <dyn Sized<GetSecretResult = Secret>>::of(operations[1]).unwrap();
    assert_eq!((bag.get_twice(), bag.r#match(), bag.get_kind()), (2, 200, "bags".into()));
    assert_eq!(<dyn Named>::of(operations[1]).unwrap().get_name(), "bag");
    let described = <dyn Described>::of(operations[0]).unwrap();
    assert_eq!((described.get_weight(), described.get_rounded()), (2.5, 3));
    assert!(<dyn Described>::of(operations[1]).is_none() && <dyn Named>::of(operations[2]).is_none());
    assert!(operations[2].implementation::<NamedOf>().is_none());
}

#[test]
fn interfaces_verify_what_has_them() {
    let context = context();
    let text = r#"
      %0 = "builtin.unrealized_conversion_cast"() : () -> i32
      "first.box"(%0, %0, %0, %0) : (i32, i32, i32, i32) -> ()
    "#;
    assert!(parse(&context, text).err().unwrap().contains("'first.box' op holds too much"));
    assert!(parse(&context, &text.replace("first.box", "second.bag")).is_ok());
}

#[test]
fn traits_of_ones_own_verify() {
    let context = context();
    let text = |operands: &str, types: &str, glory: &str| {
        format!(
            "%0 = \"builtin.unrealized_conversion_cast\"() : () -> i32
             \"first.traits\"({operands}) {{{glory}}} : ({types}) -> ()"
        )
    };
    assert!(parse(&context, &text("%0", "i32", "glory")).is_ok());
    let broken = [
        (text("%0", "i32", ""), "has no glory"),
        (text("%0, %0", "i32, i32", "glory"), "has more than 1"),
        (text("%0, %0, %0", "i32, i32, i32", "glory"), "failed to verify that there are few operands"),
    ];
    for (text, message) in broken {
        let error = parse(&context, &text).err().unwrap_or_default();
        assert!(error.contains(message), "{error}");
    }
}
