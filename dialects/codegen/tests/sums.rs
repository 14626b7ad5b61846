//! Sums of many tensors: the work of compiling them grows with their number, not with a power of it.

use crate::support::{load, numbers, random, reals, session};
use skriptnd_mlir::ir::{OperationRef, operations_named};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_mlir::{Registry, parse_module};
use skriptnd_runtime::Tensor;
use std::collections::HashMap;
use std::fmt::Write;

/// The sum of so many tensors of four columns, element by element, or of all columns of each.
fn sum(count: usize, reduces: bool) -> String {
    let (result, map, iterators) = match reduces {
        true => ("tensor<3xf32>", "#row", r#""parallel", "reduction""#),
        false => ("tensor<3x4xf32>", "#id", r#""parallel", "parallel""#),
    };
    let inputs: Vec<_> =
        (0..count).map(|at| format!("%x{at}: tensor<3x4xf32> {{skriptnd.input = \"x{at}\"}}")).collect();
    let mut text = format!(
        "#id = affine_map<(a, b) -> (a, b)>\n#row = affine_map<(a, b) -> (a)>\n\
         func.func @Net({}) -> ({result} {{skriptnd.output = \"y\"}}) {{\n%zero = arith.constant 0.0 : f32\n\
         %e = tensor.empty() : {result}\n%s0 = linalg.fill ins(%zero : f32) outs(%e : {result}) -> {result}\n",
        inputs.join(", ")
    );
    for at in 0..count {
        let next = at + 1;
        write!(
            text,
            "%s{next} = linalg.generic {{indexing_maps = [#id, {map}], iterator_types = [{iterators}]}}\n\
             ins(%x{at} : tensor<3x4xf32>) outs(%s{at} : {result}) {{\n^bb0(%a: f32, %o: f32):\n\
             %r = arith.addf %o, %a : f32\nlinalg.yield %r : f32\n}} -> {result}\n"
        )
        .unwrap();
    }
    write!(text, "return %s{count} : {result}\n}}").unwrap();
    text
}

#[test]
fn element_by_element_they_take_few_kernels() {
    for count in [1, 23, 24, 100, 200] {
        let (library, report) = load(&sum(count, false));
        assert!(report.kernels <= count / 20 + 1, "{count} tensors take {} kernels", report.kernels);
        let inputs: Vec<Tensor> = (0..count).map(|at| random(at as u64, &[3, 4])).collect();
        let outputs = session(library, &[]).run(&inputs).unwrap();
        let mut expected = vec![0.0f32; 12];
        for at in 0..count {
            expected.iter_mut().zip(numbers(at as u64, 12)).for_each(|(sum, number)| *sum += number);
        }
        assert_eq!(reals(&outputs[0]), expected);
    }
}

/// How many operations go on with the same tensor, at most.
fn longest_row(module: OperationRef<'_, '_>) -> usize {
    let mut rows: HashMap<usize, usize> = HashMap::new();
    for operation in operations_named(module, linalg::GENERIC) {
        let begin = operation.operand(operation.operand_count() - 1).unwrap();
        let length = rows.get(&begin.key()).map_or(1, |before| before + 1);
        rows.insert(operation.result(0).unwrap().key(), length);
    }
    rows.into_values().max().unwrap_or(0)
}

#[test]
fn rows_of_reductions_are_cut() {
    skriptnd_codegen::register_passes().unwrap();
    let context = Registry::new().context();
    // A copy begins each row but the first.
    for (count, longest) in [(16, 16), (17, 16), (100, 17), (200, 17)] {
        let mut module = parse_module(&context, &sum(count, true), "test.mlir").unwrap();
        assert_eq!(longest_row(module.as_operation()), count);
        let pipeline = "builtin.module(func.func(codegen-separate-destinations))";
        pass::run(&mut module, pipeline, &PipelineOptions::default()).unwrap();
        assert_eq!(longest_row(module.as_operation()), longest);
        let copies = operations_named(module.as_operation(), linalg::GENERIC).len() - count;
        assert_eq!(copies, (count - 1) / 16);
    }
}
