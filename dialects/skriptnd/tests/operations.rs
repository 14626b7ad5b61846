//! The generated types of operations make what they read.

use skriptnd_dialect::generated::{
    definitions,
    nn::{ConvOp, ConvOpBuilder, ReluOp},
    operations::{LoopOp, LoopOpBuilder, YieldOpBuilder},
};
use skriptnd_mlir::{
    Registry,
    ir::{Block, BlockLike, Context, Location, OperationExt, OperationLike, Region, RegionLike, Type, Value, types},
};

fn context() -> Context {
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry).unwrap();
    registry.context()
}

fn tensor<'c>(context: &'c Context, shape: &[u64]) -> Type<'c> {
    types::tensor(types::f32(context), &shape.iter().map(|extent| Some(*extent)).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_convolution_is_made_and_read() {
    let context = context();
    let location = Location::unknown(&context);
    let shapes: [&[u64]; 3] = [&[1, 3, 8, 8], &[4, 3, 3, 3], &[4]];
    let output = tensor(&context, &[1, 4, 8, 8]);
    let block = Block::new(&shapes.map(|shape| (tensor(&context, shape), location)));
    let arguments: Vec<Value> =
        (0..block.argument_count()).map(|index| block.argument(index).unwrap().into()).collect();
    let with_bias = ConvOpBuilder::new(&context, location, arguments[0], arguments[1])
        .bias(Some(arguments[2]))
        .stride(&[1, 1])
        .groups(1)
        .data_format("NCX")
        .output_type(output)
        .build()
        .unwrap();
    let operation = block.append_operation(with_bias);
    assert!(operation.verify());
    let conv = ConvOp::new(operation).unwrap();
    assert_eq!(conv.input().unwrap(), arguments[0]);
    assert_eq!(conv.bias(), Some(arguments[2]));
    assert_eq!((conv.stride(), conv.groups(), conv.data_format()), (Some(vec![1, 1]), Some(1), Some("NCX")));
    assert_eq!(conv.padding(), None);
    assert_eq!(operation.get_integers("operandSegmentSizes"), Some(vec![1, 1, 1]));
    assert!(ReluOp::new(operation).is_none());

    let without =
        ConvOpBuilder::new(&context, location, arguments[0], arguments[1]).output_type(output).build().unwrap();
    let conv = ConvOp::new(block.append_operation(without)).unwrap();
    assert_eq!(conv.bias(), None);
    assert_eq!(conv.operation().get_integers("operandSegmentSizes"), Some(vec![1, 1, 0]));
}

#[test]
fn packs_and_regions_are_made_and_read() {
    let context = context();
    let location = Location::unknown(&context);
    let part = tensor(&context, &[1, 2]);
    let block = Block::new(&[(part, location), (part, location), (part, location)]);
    let arguments: Vec<Value> =
        (0..block.argument_count()).map(|index| block.argument(index).unwrap().into()).collect();
    let body = Region::new();
    let inner = body.append_block(Block::new(&[(part, location), (part, location)]));
    let carried: Value = inner.argument(0).unwrap().into();
    inner.append_operation(YieldOpBuilder::new(&context, location).values([carried]).build().unwrap());
    let repetition = LoopOpBuilder::new(&context, location)
        .carried([arguments[0]])
        .scanned(arguments[1..].to_vec())
        .scan_lengths(&[2])
        .finals_type([part])
        .condition_region(Region::new())
        .body_region(body)
        .build()
        .unwrap();
    let operation = block.append_operation(repetition);
    assert!(operation.verify());
    let repetition = LoopOp::new(operation).unwrap();
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
