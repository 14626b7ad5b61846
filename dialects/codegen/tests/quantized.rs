//! Products of quantized tensors, against plain loops: sums of whole numbers are exact.

use crate::support::{load_for, numbers, reals, session};
use skriptnd_codegen::Target;
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Tensor, TensorData};

/// What the input is quantized by: steps, what stands for 0, the least and the greatest number.
#[derive(Clone, Copy)]
struct Steps {
    scale: f32,
    zero: f32,
    least: f32,
    most: f32,
}

const UNSIGNED: Steps = Steps { scale: 0.25, zero: 0.0, least: 0.0, most: 255.0 };
const SHIFTED: Steps = Steps { scale: 0.125, zero: 117.0, least: 0.0, most: 255.0 };
const SIGNED: Steps = Steps { scale: 0.5, zero: -3.0, least: -128.0, most: 127.0 };
const WEIGHTS: Steps = Steps { scale: 1.0, zero: 0.0, least: -127.0, most: 127.0 };

impl Steps {
    /// The steps that a number is from 0.
    fn of(self, value: f32) -> f32 {
        let limited = (value / self.scale).max(self.least - self.zero).min(self.most - self.zero);
        ((limited + 12_582_912.0) - 12_582_912.0 + self.zero) - self.zero
    }

    /// The same as operations on `%e`; the result is `%steps`.
    fn text(self) -> String {
        let Steps { scale, zero, least, most } = self;
        format!(
            "    %scale = arith.constant {scale:?} : f32
    %zero = arith.constant {zero:?} : f32
    %least = arith.constant {:?} : f32
    %most = arith.constant {:?} : f32
    %round = arith.constant 12582912.0 : f32
    %ratio = arith.divf %e, %scale : f32
    %low = arith.maximumf %ratio, %least : f32
    %limited = arith.minimumf %low, %most : f32
    %up = arith.addf %limited, %round : f32
    %whole = arith.subf %up, %round : f32
    %is = arith.cmpf ord, %whole, %whole : f32
    %no = arith.constant 0.0 : f32
    %number = arith.select %is, %whole, %no : f32
    %q = arith.addf %number, %zero : f32
    %steps = arith.subf %q, %zero : f32",
            least - zero,
            most - zero
        )
    }
}

/// Windows of `rows` of an input, padded, times a filter of `columns`.
#[derive(Clone, Copy, Debug)]
struct Shape {
    rows: usize,
    depth: usize,
    columns: usize,
    window: usize,
}

fn module(Shape { rows, depth, columns, window }: Shape, steps: Steps) -> String {
    let (x, w, y) = (format!("{rows}x{depth}"), format!("{window}x{depth}x{columns}"), format!("{rows}x{columns}"));
    let around = window / 2;
    let padded = format!("{}x{depth}", rows + 2 * around);
    format!(
        "#id = affine_map<(a, b) -> (a, b)>
#id3 = affine_map<(a, b, c) -> (a, b, c)>
#last = affine_map<(a, b, c) -> (c)>
func.func @Net(%x: tensor<{x}xf32> {{skriptnd.input = \"x\"}}, %w: tensor<{w}xf32> {{skriptnd.variable = \"w\"}},
    %s: tensor<{columns}xf32> {{skriptnd.variable = \"s\"}}, %b: tensor<{columns}xf32> {{skriptnd.variable = \"b\"}})
    -> (tensor<{y}xf32> {{skriptnd.output = \"y\"}}) {{
  %none = arith.constant 0.0 : f32
  %xe = tensor.empty() : tensor<{x}xf32>
  %xq = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%x : tensor<{x}xf32>) outs(%xe : tensor<{x}xf32>) {{
  ^bb0(%e: f32, %o: f32):
{}
    %scaled = arith.mulf %steps, %scale : f32
    linalg.yield %scaled : f32
  }} -> tensor<{x}xf32>
  %we = tensor.empty() : tensor<{w}xf32>
  %wq = linalg.generic {{indexing_maps = [#id3, #last, #id3], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}}
      ins(%w, %s : tensor<{w}xf32>, tensor<{columns}xf32>) outs(%we : tensor<{w}xf32>) {{
  ^bb0(%e: f32, %by: f32, %o: f32):
{}
    %scaled = arith.mulf %steps, %by : f32
    linalg.yield %scaled : f32
  }} -> tensor<{w}xf32>
  %xp = tensor.pad %xq low[{around}, 0] high[{around}, 0] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %none : f32
  }} : tensor<{x}xf32> to tensor<{padded}xf32>
  %ye = tensor.empty() : tensor<{y}xf32>
  %start = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (b)>, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%b : tensor<{columns}xf32>) outs(%ye : tensor<{y}xf32>) {{
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }} -> tensor<{y}xf32>
  %y = linalg.generic {{indexing_maps = [affine_map<(m, n, i, k) -> (m + i, k)>, affine_map<(m, n, i, k) -> (i, k, n)>,
      affine_map<(m, n, i, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\", \"reduction\"]}}
      ins(%xp, %wq : tensor<{padded}xf32>, tensor<{w}xf32>) outs(%start : tensor<{y}xf32>) {{
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %sum = arith.addf %o, %m : f32
    linalg.yield %sum : f32
  }} -> tensor<{y}xf32>
  return %y : tensor<{y}xf32>
}}
",
        steps.text(),
        WEIGHTS.text()
    )
}

/// The results, and what their differences are compared with.
fn expected(shape: Shape, steps: Steps, x: &[f32], [w, s, b]: [&[f32]; 3]) -> Vec<(f64, f64)> {
    let Shape { rows, depth, columns, window } = shape;
    let result = |(row, column): (usize, usize)| {
        let terms = (0..window).flat_map(|place| (0..depth).map(move |channel| (place, channel)));
        let terms = terms.filter_map(|(place, channel)| {
            let at = (row + place).checked_sub(window / 2).filter(|at| *at < rows)?;
            let factor = WEIGHTS.of(w[(place * depth + channel) * columns + column]);
            Some(f64::from(steps.of(x[at * depth + channel])) * f64::from(factor))
        });
        let terms: Vec<f64> = terms.collect();
        let scale = f64::from(steps.scale) * f64::from(s[column]);
        let (sum, bias) = (terms.iter().sum::<f64>(), f64::from(b[column]));
        // Few in a row are multiplied as reals.
        let most = if depth < 4 { terms.iter().map(|term| term.abs()).sum() } else { sum.abs() };
        (sum * scale + bias, most * scale.abs() + bias.abs())
    };
    (0..rows * columns).map(|at| result((at / columns, at % columns))).collect()
}

fn check(shape: Shape, steps: Steps, target: &Target) {
    let Shape { rows, depth, columns, window } = shape;
    let (library, _) = load_for(&module(shape, steps), target.clone());
    let scaled = |seed, count, by: f32| -> Vec<f32> { numbers(seed, count).iter().map(|value| value * by).collect() };
    let real = |shape: &[usize], items| Tensor { shape: shape.to_vec(), data: TensorData::F32(items) };
    let mut x = scaled(1, rows * depth, 150.0 * steps.scale);
    // What is too large becomes the largest, and what is not a number 0.
    x.iter_mut().zip([1e30, f32::NEG_INFINITY, f32::NAN]).for_each(|(item, special)| *item = special);
    let (w, s) = (scaled(2, window * depth * columns, 140.0), scaled(3, columns, 0.01));
    let b = scaled(4, columns, 3.0);
    let variables =
        [real(&[window, depth, columns], w.clone()), real(&[columns], s.clone()), real(&[columns], b.clone())];
    let outputs = session(library, &variables).run(&[real(&[rows, depth], x.clone())]).unwrap();
    x.iter_mut().filter(|item| item.is_nan()).for_each(|item| *item = 0.0);
    let expected = expected(shape, steps, &x, [&w, &s, &b]);
    for (at, (found, (expected, magnitude))) in reals(&outputs[0]).iter().zip(expected).enumerate() {
        // Two products and a sum are rounded, whatever is added up.
        let error = (f64::from(*found) - expected).abs();
        assert!(error <= 4e-7 * magnitude, "{shape:?} at {at}: found {found}, expected {expected}");
    }
}

/// Targets that every x86-64 machine of today runs, and this machine.
fn targets() -> Vec<Target> {
    let named = |cpu: &str| TargetSpec { cpu: cpu.into(), ..Target::host().spec };
    match Target::host().architecture() {
        "x86_64" => vec![Target::of(named("x86-64")), Target::of(named("x86-64-v3")), Target::host()],
        _ => vec![Target::host()],
    }
}

#[test]
fn sums_of_quantized_products_are_exact() {
    for target in targets() {
        for (depth, columns, window) in
            [(1, 3, 1), (2, 16, 3), (5, 1, 3), (7, 33, 1), (16, 17, 3), (64, 48, 3), (37, 8, 5)]
        {
            for steps in [UNSIGNED, SHIFTED, SIGNED] {
                check(Shape { rows: 9, depth, columns, window }, steps, &target);
            }
        }
        check(Shape { rows: 1, depth: 1024, columns: 9, window: 1 }, SHIFTED, &target);
    }
}
