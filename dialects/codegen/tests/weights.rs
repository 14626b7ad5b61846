//! Products of reals with weights that are scaled whole numbers, against plain loops: they stay bytes, or halves of them.

use crate::scalable::{RVV, SVE};
use crate::support::{bytes, floats, load_for, numbers, program, reals, session};
use skriptnd_codegen::Target;
use skriptnd_hexagon::emulator::{self, Request};
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

    /// What makes numbers of the elements `%e` of the variable `w`, bytes or reals; the result is `%number`.
    fn numbers(&self, is_bytes: bool) -> String {
        let most = self.most;
        match is_bytes {
            true => format!(
                "    %least = arith.constant -{most} : i8
    %most = arith.constant {most} : i8
    %low = arith.maxsi %e, %least : i8
    %limited = arith.minsi %low, %most : i8
    %number = arith.sitofp %limited : i8 to f32"
            ),
            false => format!(
                "    %least = arith.constant -{most}.0 : f32
    %most = arith.constant {most}.0 : f32
    %none = arith.constant 0.0 : f32
    %round = arith.constant 12582912.0 : f32
    %low = arith.maximumf %e, %least : f32
    %limited = arith.minimumf %low, %most : f32
    %up = arith.addf %limited, %round : f32
    %whole = arith.subf %up, %round : f32
    %is = arith.cmpf ord, %whole, %whole : f32
    %number = arith.select %is, %whole, %none : f32"
            ),
        }
    }

    fn module(&self, shape: Shape, is_bytes: bool) -> String {
        let Shape { rows, depth, columns } = shape;
        let [weight, groups, scales, scaled_by, merged] = self.types(shape);
        let (x, y) = (format!("tensor<{rows}x{depth}xf32>"), format!("tensor<{rows}x{columns}xf32>"));
        let filter = if self.by_rows { "(n, k)" } else { "(k, n)" };
        let (element, marks) = match is_bytes {
            true => ("i8", ", skriptnd.of = i64, skriptnd.storage = \"i8\""),
            false => ("f32", ""),
        };
        let given = groups.replace("f32", element);
        format!(
            "#id3 = affine_map<(a, b, c) -> (a, b, c)>
func.func @Net(%x: {x} {{skriptnd.input = \"x\"}}, %w: {given} {{skriptnd.variable = \"w\"{marks}}},
    %s: {scales} {{skriptnd.variable = \"s\"}}, %b: tensor<{columns}xf32> {{skriptnd.variable = \"b\"}})
    -> ({y} {{skriptnd.output = \"y\"}}) {{
  %we = tensor.empty() : {groups}
  %wq = linalg.generic {{indexing_maps = [#id3, affine_map<(a, b, c) -> {scaled_by}>, #id3], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}}
      ins(%w, %s : {given}, {scales}) outs(%we : {groups}) {{
  ^bb0(%e: {element}, %by: f32, %o: f32):
{}
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
",
            self.numbers(is_bytes)
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

    /// Input, weights, scales and what sums begin with.
    fn data(&self, Shape { rows, depth, columns }: Shape) -> [Vec<f32>; 4] {
        let whole = |value: &f32| (value * (self.most as f32 + 0.49)).round();
        let w = numbers(2, depth * columns).iter().map(whole).collect();
        let s = numbers(3, depth / self.group(depth) * columns).iter().map(|value| value * 0.01).collect();
        [numbers(1, rows * depth), w, s, numbers(4, columns)]
    }

    fn assert_near(&self, shape: Shape, found: &[f32], [x, w, s, b]: [&[f32]; 4], target: &Target) {
        let Shape { rows, depth, columns } = shape;
        assert_eq!(found.len(), rows * columns);
        let bound = (16 + depth.min(256) * if depth > 256 { 2 } else { 1 }) as f64 * 2f64.powi(-24);
        for (at, found) in found.iter().enumerate() {
            let (expected, magnitude) = self.expected(shape, (at / columns, at % columns), [x, w, s, b]);
            let error = (f64::from(*found) - expected).abs();
            assert!(error <= bound * magnitude, "{self:?} {shape:?} {target} at {at}: {found}, expected {expected}");
        }
    }

    /// Gives the bytes of what is prepared.
    fn check(&self, shape: Shape, target: &Target) -> usize {
        let (library, _) = load_for(&self.module(shape, false), target.clone());
        let metadata = library.metadata().clone();
        let [x, w, s, b] = self.data(shape);
        let tensor =
            |shape: &[usize], items: &[f32]| Tensor { shape: shape.to_vec(), data: TensorData::F32(items.into()) };
        let shapes = metadata.variables.iter().map(|known| known.shape().unwrap());
        let variables: Vec<_> = shapes.zip([&w, &s, &b]).map(|(shape, items)| tensor(&shape, items)).collect();
        let outputs = session(library, &variables).run(&[tensor(&[shape.rows, shape.depth], &x)]).unwrap();
        self.assert_near(shape, reals(&outputs[0]), [&x, &w, &s, &b], target);
        metadata.prepared_bytes
    }

    /// The same on an emulator.
    fn emulate(&self, shape: Shape, target: &Target, processor: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let program = program(&self.module(shape, true), target.clone(), folder.path());
        let [x, w, s, b] = self.data(shape);
        let [given, scales, begin] = [&x, &s, &b].map(|items| bytes(items));
        let stored: Vec<u8> = w.iter().map(|whole| (*whole as i8).to_le_bytes()[0]).collect();
        let request = Request {
            inputs: vec![&given],
            variables: vec![&stored, &scales, &begin],
            outputs: vec![4 * shape.rows * shape.columns],
            prepared: 1 << 20,
            workspace: 1 << 20,
            ..Request::default()
        };
        let answer = emulator::run_on(&program, processor, &request).unwrap();
        self.assert_near(shape, &floats(&answer.outputs[0]), [&x, &w, &s, &b], target);
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
            for (most, by_rows) in [(7, number % 2 == 0), (127, number % 2 == 1), (255, true)] {
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

#[test]
fn other_instruction_sets_read_them_so_as_well() {
    let none: &[&str] = &[];
    for (triple, features, processors) in [
        ("aarch64-unknown-linux-gnu", "+neon", &[none][..]),
        ("aarch64-unknown-linux-gnu", "+sve", &SVE[..2]),
        ("riscv64-unknown-linux-gnu", "+m,+a,+f,+d,+c,+v", &RVV[..2]),
    ] {
        let target = Target::described(triple, "", features);
        for (most, group, rows) in [(7, Some(32), 1), (127, Some(64), 3), (7, None, 40)] {
            for processor in processors {
                Form { group, most, by_rows: true }.emulate(shape(rows, 256, 67), &target, processor);
            }
        }
    }
}
