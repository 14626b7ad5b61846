//! Building operations in place.

use crate::toy::context;
use skriptnd_mlir::dialect::{Arity, DialectSpec, OperationSpec};
use skriptnd_mlir::ir::{Builder, Location, Module, Value, attributes, operations_named, types, verify};
use skriptnd_mlir::ops::arith;
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_mlir::{Failure, Registry, parse_module};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn refuse<T>() -> Result<T, Failure> {
    Err(Failure::new("given up"))
}

#[test]
fn what_is_given_up_halfway_stays_valid_memory() {
    let context = Registry::new().context();
    let module = parse_module(&context, "", "empty.mlir").unwrap();
    let builder = Builder::at_end(module.body(), Location::unknown(&context));
    let mut kept: Option<Value<'_, '_>> = None;
    let failed = builder.count::<Failure>(4, 1, &[], |builder, outer, _| {
        builder.count::<Failure>(8, 1, &[], |builder, inner, _| {
            kept = Some(builder.value("arith.addi", &[outer, inner], &[], types::index(&context))?);
            refuse()
        })
    });
    assert!(failed.is_err());
    // Values of the blocks that were left open are as good as others, and the module can go as a whole.
    let sum = kept.and_then(|kept| kept.defining_operation()).unwrap();
    assert_eq!((sum.full_name(), sum.operand_types()), ("arith.addi", vec![types::index(&context); 2]));
    assert_eq!(operations_named(module.as_operation(), "scf.for").len(), 2);
}

#[test]
fn loops_carry_values() {
    let context = Registry::new().context();
    let module = parse_module(&context, "", "empty.mlir").unwrap();
    let builder = Builder::at_end(module.body(), Location::unknown(&context));
    let start = builder.integer(types::integer(&context, 64), 7).unwrap();
    let results = builder
        .count::<Failure>(3, 1, &[start], |builder, _, carried| {
            let sum = builder.value("arith.addi", &[carried[0], carried[0]], &[], types::integer(&context, 64))?;
            Ok(vec![sum])
        })
        .unwrap();
    assert_eq!(results.len(), 1);
    verify(module.as_operation()).unwrap();
}

#[test]
fn bodies_are_compared_without_places_and_names() {
    let context = Registry::new().context();
    let text = "func.func @a(%x: i64) -> i64 {\n %1 = arith.addi %x, %x : i64\n return %1 : i64\n}\n\
                func.func @b(%y: i64) -> i64 {\n\n %2 = arith.addi %y, %y : i64\n return %2 : i64\n}\n\
                func.func @c(%x: i64) -> i64 {\n %1 = arith.muli %x, %x : i64\n return %1 : i64\n}";
    let module = parse_module(&context, text, "three.mlir").unwrap();
    let functions = operations_named(module.as_operation(), "func.func");
    let [a, b, c] = functions[..] else { panic!("three functions") };
    assert_eq!(skriptnd_mlir::ir::hash_bodies(a), skriptnd_mlir::ir::hash_bodies(b));
    assert!(skriptnd_mlir::ir::equal_bodies(a, b) && !skriptnd_mlir::ir::equal_bodies(a, c));
}

#[test]
fn kinds_of_iterators_are_read_as_they_were_made() {
    let context = Registry::new().context();
    let kinds = attributes::iterator_types(&context, &[false, true]);
    assert_eq!(attributes::as_reduced(kinds), Some(vec![false, true]));
    let parsed = "[#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>]";
    assert_eq!(attributes::parse(&context, parsed), Some(kinds));
}

#[test]
fn a_copy_needs_as_many_operands() {
    let context = Registry::new().context();
    let module =
        parse_module(&context, "%0 = arith.constant 1 : i64\n%1 = arith.addi %0, %0 : i64", "two.mlir").unwrap();
    let sum = operations_named(module.as_operation(), "arith.addi")[0];
    let builder = Builder::before(sum).unwrap();
    let one = operations_named(module.as_operation(), "arith.constant")[0].result_values()[0];
    assert!(builder.copy(sum, &[one]).is_err());
    assert_eq!(builder.copy(sum, &[one, one]).unwrap().full_name(), "arith.addi");
}

#[test]
fn values_stay_in_their_module() {
    let context = Registry::new().context();
    let [one, other] = ["", ""].map(|text| parse_module(&context, text, "empty.mlir").unwrap());
    let builder = |module| Builder::at_end(Module::body(module), Location::unknown(&context));
    let foreign = builder(&one).index(1).unwrap();
    let sum = arith::addi(&builder(&other), foreign, foreign);
    assert!(sum.unwrap_err().to_string().contains("a value of one module can't be used in another one"));
    let own = builder(&other).index(1).unwrap();
    let sum = arith::addi(&builder(&other), own, own).unwrap().defining_operation().unwrap();
    assert!(sum.set_operand(0, foreign).is_err());
    assert!(with_rewriter(sum, |rewriter| rewriter.replace(sum, &[foreign])).is_err());
    verify(other.as_operation()).unwrap();
}

#[test]
fn operations_move_within_their_module_but_not_into_themselves() {
    let context = Registry::new().context();
    let [one, other] = ["", ""].map(|text| parse_module(&context, text, "empty.mlir").unwrap());
    let builder = |module| Builder::at_end(Module::body(module), Location::unknown(&context));
    let index = |module, value| builder(module).index(value).unwrap().defining_operation().unwrap();
    let (first, second, foreign) = (index(&one, 1), index(&one, 2), index(&other, 3));
    with_rewriter(second, |rewriter| rewriter.move_before(second, first)).unwrap();
    assert_eq!((second.next(), first.next()), (Some(first), None));
    for (operation, place) in [(first, first), (first, foreign), (one.as_operation(), first)] {
        assert!(with_rewriter(first, |rewriter| rewriter.move_before(operation, place)).is_err());
    }
    verify(one.as_operation()).unwrap();
}

/// Printing a value numbers all values of its module, so a question that prints is answered in time that grows with the module.
#[test]
fn asking_for_what_is_not_there_prints_nothing() {
    let printed = Arc::new(AtomicUsize::new(0));
    let count = printed.clone();
    let counting = OperationSpec::new("counting.op").operands(Arity::exactly(1)).assembly(
        |_| Err(Failure::new("is not parsed")),
        move |_, printer| {
            count.fetch_add(1, Ordering::Relaxed);
            printer.text(" counted");
        },
    );
    let mut registry = Registry::new();
    registry.add_dialect(DialectSpec::new("counting").with_operations([counting])).unwrap();
    let context = registry.context();
    let text = "func.func @f(%x: index) { \"counting.op\"(%x) : (index) -> () return }";
    let module = parse_module(&context, text, "counting.mlir").unwrap();
    let operation = operations_named(module.as_operation(), "counting.op")[0];
    let argument = operation.operand(0).unwrap();
    let block = operation.block().unwrap();

    assert!(argument.defining_operation().is_none() && argument.as_argument().is_some());
    assert!(operation.operand(1).is_err() && operation.result(0).is_err() && operation.region(0).is_err());
    assert!(operation.successor(0).is_err() && block.argument(1).is_none());
    assert_eq!(printed.load(Ordering::Relaxed), 0);

    assert!(module.as_operation().to_string().contains("counting.op counted"));
    assert!(printed.load(Ordering::Relaxed) > 0);
}

#[test]
fn integers_fit_their_types() {
    let context = context();
    let cases = [
        ("i8", [-128, 255].as_slice(), [-129, 256].as_slice()),
        ("si8", &[-128, 127], &[-129, 128]),
        ("ui8", &[0, 255], &[-1, 256]),
        ("i1", &[-1, 0, 1], &[-2, 2]),
        ("i63", &[i64::MIN / 2, i64::MAX], &[i64::MIN]),
        ("i64", &[i64::MIN, i64::MAX], &[]),
        ("ui64", &[-1], &[]),
        ("i128", &[i64::MIN], &[]),
        ("index", &[i64::MIN, i64::MAX], &[]),
    ];
    for (name, held, beyond) in cases {
        let r#type = types::parse(&context, name).unwrap();
        for value in held {
            assert!(attributes::typed_integer(r#type, *value).is_some(), "{value} : {name}");
        }
        for value in beyond {
            assert_eq!(attributes::typed_integer(r#type, *value), None, "{value} : {name}");
        }
    }
    assert_eq!(attributes::typed_integer(types::parse(&context, "f32").unwrap(), 1), None);
}
