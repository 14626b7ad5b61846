//! The generated types of operations make what they read.

use skriptnd_dialect::generated::{
    definitions,
    nn::{ConvOp, ConvOpBuilder, ReluOp},
    operations::{LoopOpBuilder, YieldOpBuilder},
};
use skriptnd_mlir::{
    Registry,
    ir::{Body, Builder, Context, Location, Module, Type, types, verify},
    ops::func,
};

fn context() -> Context {
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry).unwrap();
    registry.context()
}

fn tensor<'c>(context: &'c Context, shape: &[u64]) -> Type<'c> {
    types::tensor(types::f32(context), &shape.iter().map(|extent| Some(*extent)).collect::<Vec<_>>()).unwrap()
}

/// A function of these arguments that is being filled.
fn function<'c, 'a>(module: &'a Module<'c>, arguments: &[Type<'c>]) -> Body<'c, 'a> {
    let top = Builder::at_end(module.body(), Location::unknown(module.context()));
    func::func(&top, "f", arguments, &[], &[]).unwrap()
}

#[test]
fn a_convolution_is_made_and_read() {
    let context = context();
    let shapes: [&[u64]; 3] = [&[1, 3, 8, 8], &[4, 3, 3, 3], &[4]];
    let output = tensor(&context, &[1, 4, 8, 8]);
    let module = Module::new(Location::unknown(&context));
    let Body { builder, arguments, .. } = function(&module, &shapes.map(|shape| tensor(&context, shape)));
    let conv = ConvOpBuilder::new(&builder)
        .input(arguments[0])
        .filter(arguments[1])
        .bias(Some(arguments[2]))
        .stride(&[1, 1])
        .groups(1)
        .data_format("NCX")
        .output_type(output)
        .build()
        .unwrap();
    verify(conv.operation()).unwrap();
    assert_eq!(ConvOp::new(conv.operation()).unwrap().input().unwrap(), arguments[0]);
    assert_eq!(conv.bias(), Some(arguments[2]));
    assert_eq!((conv.stride(), conv.groups().ok(), conv.data_format().ok()), (Some(vec![1, 1]), Some(1), Some("NCX")));
    assert_eq!(conv.padding(), None);
    assert_eq!(conv.operation().get_integers("operandSegmentSizes"), Some(vec![1, 1, 1]));
    assert!(ReluOp::new(conv.operation()).is_none());

    let conv =
        ConvOpBuilder::new(&builder).input(arguments[0]).filter(arguments[1]).output_type(output).build().unwrap();
    assert_eq!(conv.bias(), None);
    assert_eq!(conv.operation().get_integers("operandSegmentSizes"), Some(vec![1, 1, 0]));
}

#[test]
fn packs_and_regions_are_made_and_read() {
    let context = context();
    let part = tensor(&context, &[1, 2]);
    let module = Module::new(Location::unknown(&context));
    let Body { builder, arguments, .. } = function(&module, &[part; 3]);
    let repetition = LoopOpBuilder::new(&builder)
        .carried([arguments[0]])
        .scanned(arguments[1..].to_vec())
        .scan_lengths(&[2])
        .finals_type([part])
        .collected_type([])
        .body_arguments(&[part, part])
        .build()
        .unwrap();
    let (inner, carried) = repetition.inside_body(&builder).unwrap();
    YieldOpBuilder::new(&inner).values(carried[..1].to_vec()).build().unwrap();
    verify(repetition.operation()).unwrap();
    assert_eq!((repetition.carried(), repetition.scanned()), (arguments[..1].to_vec(), arguments[1..].to_vec()));
    assert_eq!((repetition.count(), repetition.finals().len(), repetition.collected().len()), (None, 1, 0));
    assert_eq!((repetition.scan_lengths(), repetition.bound(), repetition.test_last()), (Some(vec![2]), None, false));
    assert!(repetition.condition().unwrap().first_block().is_none());
    assert!(repetition.body().unwrap().first_block().is_some());
}

#[test]
fn every_declared_name_is_in_the_dialect() {
    let mut names: Vec<&str> = definitions::ALL.iter().map(|definition| definition.name).collect();
    assert!(names.iter().all(|name| name.starts_with("skriptnd.")));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), definitions::ALL.len());
}
