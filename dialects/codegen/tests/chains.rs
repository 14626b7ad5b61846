//! Sums of many terms are as exact as sums of a few hundred, however they are computed (docs/semantics.md).

use crate::support::{load_for, reals, session};
use skriptnd_codegen::Target;
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Tensor, TensorData};

/// What a sum of so many terms may be off, as a part of the sum of their magnitudes: chains of 256 terms, of these as many, and so
/// on, and what the lanes of vectors add to one number.
fn bound(count: usize) -> f64 {
    let (mut levels, mut left) = (1, count);
    while left > 256 {
        (levels, left) = (levels + 1, left.div_ceil(256));
    }
    ((256 * levels).min(count) + 16) as f64 * f64::from(f32::EPSILON) / 2.0
}

fn targets() -> Vec<Target> {
    let host = TargetSpec::host();
    let least = TargetSpec { triple: host.triple.clone(), cpu: "x86-64".into(), features: String::new() };
    let mut targets = vec![Target::host()];
    if host.triple.starts_with("x86_64") {
        targets.push(Target::of(least));
    }
    targets
}

/// The sums of the rows or the columns of a tensor.
fn sums(shape: [&str; 2], result: &str, map: &str, iterators: &str) -> String {
    let [rows, columns] = shape;
    let kind = format!("tensor<{rows}x{columns}xf32>");
    format!(
        "func.func @Net(%x: {kind} {{skriptnd.input = \"x\"}}) -> (tensor<{result}xf32> {{skriptnd.output = \"y\"}}) {{
           %zero = arith.constant 0.0 : f32
           %e = tensor.empty() : tensor<{result}xf32>
           %s = linalg.fill ins(%zero : f32) outs(%e : tensor<{result}xf32>) -> tensor<{result}xf32>
           %y = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a, b)>, {map}], iterator_types = [{iterators}]}}
               ins(%x : {kind}) outs(%s : tensor<{result}xf32>) {{
           ^bb0(%a: f32, %o: f32):
             %r = arith.addf %o, %a : f32
             linalg.yield %r : f32
           }} -> tensor<{result}xf32>
           return %y : tensor<{result}xf32>
         }}"
    )
}

fn check(module: &str, shape: &[usize], count: usize) {
    for target in targets() {
        let (library, _) = load_for(module, target.clone());
        let x = Tensor { shape: shape.to_vec(), data: TensorData::F32(vec![0.1; shape.iter().product()]) };
        let outputs = session(library, &[]).run(&[x]).unwrap();
        let expected = f64::from(0.1f32) * count as f64;
        for found in reals(&outputs[0]) {
            let off = (f64::from(*found) - expected).abs() / expected;
            assert!(
                off <= bound(count),
                "{target}: the sum of {count} terms is {found}, expected {expected}: off by {off}"
            );
        }
    }
}

#[test]
fn rows_and_columns_of_many_terms() {
    for count in [3, 256, 257, 1000, 65_537, 1 << 20] {
        let extent = count.to_string();
        let columns = sums([&extent, "5"], "5", "affine_map<(a, b) -> (b)>", "\"reduction\", \"parallel\"");
        check(&columns, &[count, 5], count);
        let rows = sums(["5", &extent], "5", "affine_map<(a, b) -> (a)>", "\"parallel\", \"reduction\"");
        check(&rows, &[5, count], count);
    }
}

#[test]
fn sums_along_several_dimensions() {
    let module = "func.func @Net(%x: tensor<300x7x500x3xf32> {skriptnd.input = \"x\"}) -> (tensor<3xf32> {skriptnd.output = \"y\"}) {
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<3xf32>
        %s = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
        %y = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>],
            iterator_types = [\"reduction\", \"reduction\", \"reduction\", \"parallel\"]}
            ins(%x : tensor<300x7x500x3xf32>) outs(%s : tensor<3xf32>) {
        ^bb0(%a: f32, %o: f32):
          %r = arith.addf %o, %a : f32
          linalg.yield %r : f32
        } -> tensor<3xf32>
        return %y : tensor<3xf32>
      }";
    check(module, &[300, 7, 500, 3], 300 * 7 * 500);
}

#[test]
fn products_of_long_rows() {
    const COUNT: usize = 1 << 18;
    let module = format!(
        "func.func @Net(%x: tensor<3x{COUNT}xf32> {{skriptnd.input = \"x\"}}) -> (tensor<3x3xf32> {{skriptnd.output = \"y\"}}) {{
           %zero = arith.constant 0.0 : f32
           %one = arith.constant dense<1.0> : tensor<{COUNT}x3xf32>
           %e = tensor.empty() : tensor<3x3xf32>
           %s = linalg.fill ins(%zero : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
           %y = linalg.matmul ins(%x, %one : tensor<3x{COUNT}xf32>, tensor<{COUNT}x3xf32>) outs(%s : tensor<3x3xf32>) -> tensor<3x3xf32>
           return %y : tensor<3x3xf32>
         }}"
    );
    check(&module, &[3, COUNT], COUNT);
}
