//! Products of reals with weights that are scaled whole numbers, against plain loops: they stay bytes, or halves of them.

use crate::support::{load_for, numbers, reals, session};
use skriptnd_codegen::Target;
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Tensor, TensorData};

/// How the weights are stored and scaled.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// Elements of a row that have a scale; the whole row where there is none.
    group: Option<usize>,
    /// The greatest magnitude of a number.
    most: i32,
    /// Whether a row is that of a matrix with a row for each result, rather than a column.
    by_rows: bool,
}

/// A product of `rows` times `depth` and `depth` times `columns` elements.
#[derive(Clone, Copy, Debug)]
struct Shape {
    rows: usize,
    depth: usize,
    columns: usize,
}

fn shape(rows: usize, depth: usize, columns: usize) -> Shape {
    Shape { rows, depth, columns }
}

impl Form {
    fn group(&self, depth: usize) -> usize {
        self.group.unwrap_or(depth)
    }

    /// The types of the weight, its groups and its scales, and where those have an element of the groups.
    fn types(&self, Shape { depth, columns, .. }: Shape) -> [String; 5] {
        let group = self.group(depth);
        let groups = depth / group;
        match self.by_rows {
            true => [
                format!("tensor<{columns}x{depth}xf32>"),
                format!("tensor<{columns}x{groups}x{group}xf32>"),
                format!("tensor<{columns}x{groups}xf32>"),
                "(a, b)".into(),
                "[[0], [1, 2]]".into(),
            ],
            false => [
                format!("tensor<{depth}x{columns}xf32>"),
                format!("tensor<{groups}x{group}x{columns}xf32>"),
                format!("tensor<{groups}x{columns}xf32>"),
                "(a, c)".into(),
                "[[0, 1], [2]]".into(),
            ],
        }
    }

    fn module(&self, shape: Shape) -> String {
        let Shape { rows, depth, columns } = shape;
        let [weight, groups, scales, scaled_by, merged] = self.types(shape);
        let (x, y) = (format!("tensor<{rows}x{depth}xf32>"), format!("tensor<{rows}x{columns}xf32>"));
        let filter = if self.by_rows { "(n, k)" } else { "(k, n)" };
        let most = self.most;
        format!(
            "#id3 = affine_map<(a, b, c) -> (a, b, c)>
func.func @Net(%x: {x} {{skriptnd.input = \"x\"}}, %w: {groups} {{skriptnd.variable = \"w\"}},
    %s: {scales} {{skriptnd.variable = \"s\"}}, %b: tensor<{columns}xf32> {{skriptnd.variable = \"b\"}})
    -> ({y} {{skriptnd.output = \"y\"}}) {{
  %we = tensor.empty() : {groups}
  %wq = linalg.generic {{indexing_maps = [#id3, affine_map<(a, b, c) -> {scaled_by}>, #id3], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}}
      ins(%w, %s : {groups}, {scales}) outs(%we : {groups}) {{
  ^bb0(%e: f32, %by: f32, %o: f32):
    %least = arith.constant -{most}.0 : f32
    %most = arith.constant {most}.0 : f32
    %none = arith.constant 0.0 : f32
    %round = arith.constant 12582912.0 : f32
    %low = arith.maximumf %e, %least : f32
    %limited = arith.minimumf %low, %most : f32
    %up = arith.addf %limited, %round : f32
    %whole = arith.subf %up, %round : f32
    %is = arith.cmpf ord, %whole, %whole : f32
    %number = arith.select %is, %whole, %none : f32
    %scaled = arith.mulf %number, %by : f32
    linalg.yield %scaled : f32
  }} -> {groups}
  %wm = tensor.collapse_shape %wq {merged} : {groups} into {weight}
  %ye = tensor.empty() : {y}
  %start = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%b : tensor<{columns}xf32>) outs(%ye : {y}) {{
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }} -> {y}
  %y = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> {filter}>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}}
      ins(%x, %wm : {x}, {weight}) outs(%start : {y}) {{
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %sum = arith.addf %o, %m : f32
    linalg.yield %sum : f32
  }} -> {y}
  return %y : {y}
}}
"
        )
    }

    /// A result and the sum of the magnitudes of its terms.
    fn expected(&self, shape: Shape, (row, column): (usize, usize), [x, w, s, b]: [&[f32]; 4]) -> (f64, f64) {
        let Shape { depth, columns, .. } = shape;
        let group = self.group(depth);
        let terms = (0..depth).map(|at| {
            let (weight, scale) = match self.by_rows {
                true => (column * depth + at, column * (depth / group) + at / group),
                false => (at * columns + column, at / group * columns + column),
            };
            f64::from(x[row * depth + at]) * f64::from(w[weight]) * f64::from(s[scale])
        });
        let terms: Vec<f64> = terms.chain([f64::from(b[column])]).collect();
        (terms.iter().sum(), terms.iter().map(|term| term.abs()).sum())
    }

    /// Gives the bytes of what is prepared.
    fn check(&self, shape: Shape, target: &Target) -> usize {
        let Shape { rows, depth, columns } = shape;
        let (library, _) = load_for(&self.module(shape), target.clone());
        let metadata = library.metadata().clone();
        let bytes: Vec<Vec<usize>> = metadata.variables.iter().map(|known| known.shape().unwrap()).collect();
        let whole = |value: &f32| (value * (self.most as f32 + 0.49)).round();
        let w: Vec<f32> = numbers(2, depth * columns).iter().map(whole).collect();
        let s: Vec<f32> = numbers(3, bytes[1].iter().product()).iter().map(|value| value * 0.01).collect();
        let (x, b) = (numbers(1, rows * depth), numbers(4, columns));
        let tensor =
            |shape: &[usize], items: &[f32]| Tensor { shape: shape.to_vec(), data: TensorData::F32(items.into()) };
        let variables = [tensor(&bytes[0], &w), tensor(&bytes[1], &s), tensor(&bytes[2], &b)];
        let outputs = session(library, &variables).run(&[tensor(&[rows, depth], &x)]).unwrap();
        let bound = (16 + depth.min(256) * if depth > 256 { 2 } else { 1 }) as f64 * 2f64.powi(-24);
        for (at, found) in reals(&outputs[0]).iter().enumerate() {
            let (expected, magnitude) = self.expected(shape, (at / columns, at % columns), [&x, &w, &s, &b]);
            let error = (f64::from(*found) - expected).abs();
            assert!(error <= bound * magnitude, "{self:?} {shape:?} {target} at {at}: {found}, expected {expected}");
        }
        metadata.prepared_bytes
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

const GROUPS: [Option<usize>; 4] = [None, Some(32), Some(64), Some(128)];

#[test]
fn products_with_weights_of_few_bits_are_within_the_bounds() {
    for target in targets() {
        for (number, group) in GROUPS.into_iter().enumerate() {
            for (most, by_rows) in [(7, true), (7, false), (127, true), (127, false), (255, number % 2 == 0)] {
                let form = Form { group, most, by_rows };
                let (rows, columns) = [(1, 200), (3, 65), (8, 33)][number % 3];
                form.check(shape(rows, 256, columns), &target);
            }
        }
    }
}

#[test]
fn many_rows_and_long_sums_are_as_well() {
    for (most, group) in [(7, Some(32)), (127, Some(64)), (7, None)] {
        let form = Form { group, most, by_rows: true };
        for (rows, depth, columns) in [(128, 256, 96), (37, 1280, 70), (33, 256, 16)] {
            form.check(shape(rows, depth, columns), &Target::host());
        }
        form.check(shape(2, 10_240, 17), &Target::host());
    }
}

#[test]
fn odd_extents_have_no_pairs() {
    for (depth, columns) in [(129, 67), (4097, 1), (63, 100)] {
        Form { group: None, most: 7, by_rows: true }.check(shape(3, depth, columns), &Target::host());
        Form { group: None, most: 7, by_rows: false }.check(shape(1, depth, columns), &Target::host());
    }
    Form { group: Some(3), most: 7, by_rows: true }.check(shape(2, 129, 70), &Target::host());
}

#[test]
fn what_is_prepared_are_bytes_or_halves_of_them() {
    for (most, halves) in [(7, 1), (127, 2), (255, 4)] {
        for (rows, columns) in [(1, 256), (128, 256), (1, 1000)] {
            let form = Form { group: Some(32), most, by_rows: true };
            let prepared = form.check(shape(rows, 256, columns), &Target::host());
            let columns = columns.next_multiple_of(64);
            let (weights, others) = (256 * columns * halves / 2, (256 / 32 + 1) * columns * 4);
            assert!(prepared <= weights + others + 256, "{most} {rows}: {prepared} bytes for {weights} and {others}");
        }
    }
}
