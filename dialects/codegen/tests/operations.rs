//! Reductions, elementwise operations, products, and types other than real, against plain loops.

use crate::support::{self, assert_close, load, load_for, reals, run, session};
use skriptnd_codegen::Target;
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Model, Tensor, TensorData, Variable};
use std::sync::Arc;

const SOFTMAX: &str = r#"
#map = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
func.func @Net(%x: tensor<3x77xf32> {skriptnd.input = "x"}) -> (tensor<3x77xf32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<3xf32>
  %w = tensor.empty() : tensor<3x77xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x77xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  %p = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x77xf32>, tensor<3xf32>) outs(%w : tensor<3x77xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x77xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %s = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<3x77xf32>) outs(%g : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<3x77xf32>, tensor<3xf32>) outs(%w : tensor<3x77xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<3x77xf32>
  return %y : tensor<3x77xf32>
}"#;

fn softmax(x: &[f32]) -> Vec<f32> {
    x.chunks(77)
        .flat_map(|row| {
            let powers: Vec<f64> = row.iter().map(|&value| f64::from(value).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(move |power| (power / sum) as f32)
        })
        .collect()
}

#[test]
fn softmax_on_every_kind_of_target() {
    let host = TargetSpec::host();
    let narrow = |cpu: &str| Target::named(None, Some(cpu));
    let mut targets = vec![Target::host()];
    if host.features.contains("+fma") {
        targets.push(narrow("x86-64-v3"));
    }
    for target in targets {
        let (model, _) = load_for(SOFTMAX, target);
        let (inputs, _, outputs) = run(model);
        assert_close(reals(&outputs[0]), &softmax(reals(&inputs[0])));
    }
}

/// An elementwise function of one input of 50 elements.
fn elementwise(body: &str, result: &str, element: &str) -> String {
    format!(
        r#"#map = affine_map<(a) -> (a)>
func.func @Net(%x: tensor<50xf32> {{skriptnd.input = "x"}}) -> (tensor<50x{element}> {{skriptnd.output = "y"}}) {{
  %e = tensor.empty() : tensor<50x{element}>
  %y = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}}
      ins(%x : tensor<50xf32>) outs(%e : tensor<50x{element}>) {{
  ^bb0(%a: f32, %o: {element}):
    {body}
    linalg.yield {result} : {element}
  }} -> tensor<50x{element}>
  return %y : tensor<50x{element}>
}}"#
    )
}

fn with_input(text: &str, x: Vec<f32>) -> Tensor {
    let (model, _) = load(text);
    let input = Tensor { shape: vec![50], data: TensorData::F32(x) };
    session(model, &[]).run(&[input]).unwrap().remove(0)
}

#[test]
fn integers_and_booleans() {
    let x: Vec<f32> = (0..50).map(|index| index as f32 - 20.5).collect();
    let body = "%1 = arith.fptosi %a : f32 to i64\n    %2 = arith.muli %1, %1 : i64";
    let y = with_input(&elementwise(body, "%2", "i64"), x.clone());
    assert_eq!(y.data, TensorData::I64(x.iter().map(|value| (*value as i64).pow(2)).collect()));
    let body = "%zero = arith.constant 0.0 : f32\n    %1 = arith.cmpf ogt, %a, %zero : f32";
    let y = with_input(&elementwise(body, "%1", "i1"), x.clone());
    assert_eq!(y.data, TensorData::Bool(x.iter().map(|value| *value > 0.0).collect()));
}

#[test]
fn a_body_that_asks_for_its_index() {
    let body = "%i = linalg.index 0 : index\n    %1 = arith.index_cast %i : index to i64\n    \
                %2 = arith.sitofp %1 : i64 to f32\n    %3 = arith.addf %a, %2 : f32";
    let y = with_input(&elementwise(body, "%3", "f32"), vec![0.25; 50]);
    let expected: Vec<f32> = (0..50).map(|index| index as f32 + 0.25).collect();
    assert_close(reals(&y), &expected);
}

/// A product of matrices with a constant second factor stored as rows of the result's columns, as `linear` has it.
fn linear(rows: usize, columns: usize, depth: usize) -> String {
    format!(
        r#"func.func @Net(%x: tensor<{rows}x{depth}xf32> {{skriptnd.input = "x"}},
    %w: tensor<{columns}x{depth}xf32> {{skriptnd.variable = "w"}})
    -> (tensor<{rows}x{columns}xf32> {{skriptnd.output = "y"}}) {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{rows}x{columns}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{rows}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
  %y = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %w : tensor<{rows}x{depth}xf32>, tensor<{columns}x{depth}xf32>)
      outs(%f : tensor<{rows}x{columns}xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{rows}x{columns}xf32>
  return %y : tensor<{rows}x{columns}xf32>
}}"#
    )
}

#[test]
fn products_of_matrices() {
    for (rows, columns, depth) in [(1, 10, 64), (1, 1000, 77), (3, 65, 40), (17, 31, 1), (40, 70, 129), (5, 1, 33)] {
        let (model, _) = load(&linear(rows, columns, depth));
        let (inputs, variables, outputs) = run(model);
        let (x, w) = (reals(&inputs[0]), reals(&variables[0]));
        let mut expected = Vec::new();
        for row in x.chunks(depth) {
            for column in w.chunks(depth) {
                expected.push(row.iter().zip(column).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>() as f32);
            }
        }
        assert_close(reals(&outputs[0]), &expected);
    }
}

#[test]
fn a_vector_needs_no_packed_copy_of_its_matrix() {
    let (_, report) = load(&linear(1, 64, 128));
    assert_eq!(report.prepared_bytes, 0);
    let (_, report) = load(&linear(16, 64, 128));
    assert_eq!(report.prepared_bytes, 64 * 128 * 4);
}

#[test]
fn a_graph_that_returns_its_input() {
    let text = r#"func.func @Net(%x: tensor<50xf32> {skriptnd.input = "x"}) -> (tensor<50xf32> {skriptnd.output = "y"}) {
  return %x : tensor<50xf32>
}"#;
    let x = support::numbers(7, 50);
    assert_eq!(reals(&with_input(text, x.clone())), x);
}

#[test]
fn tensors_without_elements() {
    let text = r#"func.func @Net(%x: tensor<2x0x4xf32> {skriptnd.input = "x"}) -> (tensor<2x0xf32> {skriptnd.output = "y"},
    tensor<2x4xf32> {skriptnd.output = "z"}) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x0xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<2x0xf32>) -> tensor<2x0xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x0x4xf32>) outs(%f : tensor<2x0xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x0xf32>
  %g = tensor.empty() : tensor<2x4xf32>
  %h = linalg.fill ins(%one : f32) outs(%g : tensor<2x4xf32>) -> tensor<2x4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, c, b)>, affine_map<(a, b, c) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x0x4xf32>) outs(%h : tensor<2x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x4xf32>
  return %y, %z : tensor<2x0xf32>, tensor<2x4xf32>
}"#;
    let (model, _) = load(text);
    let (_, _, outputs) = run(model);
    assert_eq!(reals(&outputs[0]), &[] as &[f32]);
    assert_eq!(reals(&outputs[1]), &[1.0; 8]);
}

#[test]
fn a_loop_over_tensors() {
    let text = r#"#map = affine_map<(a) -> (a)>
func.func @Net(%x: tensor<50xf32> {skriptnd.input = "x"}) -> (tensor<50xf32> {skriptnd.output = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %y = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %x) -> (tensor<50xf32>) {
    %e = tensor.empty() : tensor<50xf32>
    %n = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
        ins(%t, %x : tensor<50xf32>, tensor<50xf32>) outs(%e : tensor<50xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<50xf32>
    scf.yield %n : tensor<50xf32>
  }
  return %y : tensor<50xf32>
}"#;
    let x = support::numbers(7, 50);
    let expected: Vec<f32> = x.iter().map(|value| 6.0 * value).collect();
    assert_close(reals(&with_input(text, x)), &expected);
}

/// Elementwise operations one behind the other, `count` of them, that all name the same empty tensor.
fn chain(count: usize) -> String {
    let mut body = String::new();
    for index in 0..count {
        body += &format!(
            "  %t{} = linalg.generic {{indexing_maps = [#map, #map], iterator_types = [\"parallel\"]}}\n      \
             ins(%t{index} : tensor<50xf32>) outs(%e : tensor<50xf32>) {{\n  ^bb0(%a: f32, %o: f32):\n    \
             %1 = arith.negf %a : f32\n    linalg.yield %1 : f32\n  }} -> tensor<50xf32>\n",
            index + 1
        );
    }
    format!(
        "#map = affine_map<(a) -> (a)>\nfunc.func @Net(%t0: tensor<50xf32> {{skriptnd.input = \"x\"}}) -> \
         (tensor<50xf32> {{skriptnd.output = \"y\"}}) {{\n  %e = tensor.empty() : tensor<50xf32>\n{body}  \
         return %t{count} : tensor<50xf32>\n}}"
    )
}

#[test]
fn elementwise_operations_are_one_kernel_up_to_a_limit() {
    let (_, report) = load(&chain(5));
    assert_eq!((report.kernels, report.peak_bytes), (1, 0));
    // Two kernels of 128 operations and two of each 64; equal ones are one.
    let (model, report) = load(&chain(301));
    assert!(report.kernels <= 3, "{}", report.kernels);
    let (inputs, _, outputs) = run(model);
    assert_eq!(reals(&outputs[0]), reals(&inputs[0]).iter().map(|value| -value).collect::<Vec<_>>());
}

#[test]
fn a_loop_that_exchanges_what_it_carries() {
    let text = r#"#map = affine_map<(a) -> (a)>
func.func @Net(%x: tensor<50xf32> {skriptnd.input = "x"}) -> (tensor<50xf32> {skriptnd.output = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%p = %x, %q = %x) -> (tensor<50xf32>, tensor<50xf32>) {
    %e = tensor.empty() : tensor<50xf32>
    %n = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
        ins(%p, %q : tensor<50xf32>, tensor<50xf32>) outs(%e : tensor<50xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<50xf32>
    scf.yield %q, %n : tensor<50xf32>, tensor<50xf32>
  }
  return %r#0 : tensor<50xf32>
}"#;
    // 1, 1, 2, 3, 5, 8, 13
    let x = support::numbers(7, 50);
    let expected: Vec<f32> = x.iter().map(|value| 13.0 * value).collect();
    assert_close(reals(&with_input(text, x)), &expected);
}

#[test]
fn tensors_of_another_shape_are_refused() {
    let (model, _) = load(&linear(1, 10, 64));
    let library = Arc::new(model);
    let prepared = |rows| Model::new(library.clone(), vec![Variable::Owned(support::random(1, &[10, rows]))]);
    let wrong = prepared(63).unwrap_err();
    assert_eq!(wrong.to_string(), "variable `w` must have shape [10, 64], but [10, 63] is given");
    assert_eq!(
        Model::new(library.clone(), Vec::new()).unwrap_err().to_string(),
        "the model has 1 variables; 0 were given"
    );
    let wrong = prepared(64).unwrap().session().unwrap().run(&[]).unwrap_err();
    assert_eq!(wrong.to_string(), "the model has 1 inputs; 0 were given");
}
