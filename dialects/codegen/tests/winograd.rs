//! Convolutions in Winograd's form against plain loops in double precision.

use crate::support::{load_with, random, reals, session};
use skriptnd_codegen::{CompileOptions, Emit, Target};
use skriptnd_runtime::{Tensor, TensorData};

/// A convolution with a bias, a rectifier and perhaps another tensor added behind it.
#[derive(Clone, Copy)]
struct Case {
    batch: usize,
    inputs: usize,
    outputs: usize,
    area: [usize; 2],
    /// Zeros before and behind rows and columns.
    low: [usize; 2],
    high: [usize; 2],
    stride: usize,
    dilation: usize,
    has_residual: bool,
    /// Whether the filter is an input.
    is_given: bool,
}

/// 64 channels to 64, with as much padding as keeps the area.
const SAME: Case = Case {
    batch: 1,
    inputs: 64,
    outputs: 64,
    area: [16, 16],
    low: [1, 1],
    high: [1, 1],
    stride: 1,
    dilation: 1,
    has_residual: false,
    is_given: false,
};

impl Case {
    fn result(&self) -> [usize; 2] {
        let along = |side: usize| {
            let padded = self.area[side] + self.low[side] + self.high[side];
            (padded - 2 * self.dilation - 1) / self.stride + 1
        };
        [along(0), along(1)]
    }

    fn module(&self) -> String {
        let Case { inputs, outputs, area: [h, w], low, high, stride: s, dilation: d, .. } = *self;
        let [y, x] = self.result();
        let n = self.batch;
        let (ph, pw) = (h + low[0] + high[0], w + low[1] + high[1]);
        let (image, padded) =
            (format!("tensor<{n}x{inputs}x{h}x{w}xf32>"), format!("tensor<{n}x{inputs}x{ph}x{pw}xf32>"));
        let (filter, result) =
            (format!("tensor<{outputs}x{inputs}x3x3xf32>"), format!("tensor<{n}x{outputs}x{y}x{x}xf32>"));
        let role = if self.is_given { "skriptnd.input" } else { "skriptnd.variable" };
        let (more, arguments) = match self.has_residual {
            true => (format!(", %more: {result} {{skriptnd.input = \"more\"}}"), "%sum = arith.addf %v, %m : f32"),
            false => (String::new(), "%sum = arith.addf %v, %zero : f32"),
        };
        let (read, read_map, read_type, argument) = match self.has_residual {
            true => (", %more", "#all, ", format!(", {result}"), "%m: f32, "),
            false => ("", "", String::new(), ""),
        };
        format!(
            r#"#all = affine_map<(n, m, y, x) -> (n, m, y, x)>
#in = affine_map<(n, m, y, x, c, i, j) -> (n, c, y * {s} + i * {d}, x * {s} + j * {d})>
#filter = affine_map<(n, m, y, x, c, i, j) -> (m, c, i, j)>
#out = affine_map<(n, m, y, x, c, i, j) -> (n, m, y, x)>
func.func @Net(%x: {image} {{skriptnd.input = "x"}}{more}, %w: {filter} {{{role} = "w"}},
    %bias: tensor<{outputs}xf32> {{skriptnd.variable = "b"}}) -> ({result} {{skriptnd.output = "y"}}) {{
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, {}, {}] high[0, 0, {}, {}] {{
  ^bb0(%0: index, %1: index, %2: index, %3: index):
    tensor.yield %zero : f32
  }} : {image} to {padded}
  %e = tensor.empty() : {result}
  %i = linalg.generic {{indexing_maps = [affine_map<(n, m, y, x) -> (m)>, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%bias : tensor<{outputs}xf32>) outs(%e : {result}) {{
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }} -> {result}
  %c = linalg.generic {{indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel",
      "reduction", "reduction", "reduction"]}} ins(%p, %w : {padded}, {filter}) outs(%i : {result}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %o, %product : f32
    linalg.yield %sum : f32
  }} -> {result}
  %r = linalg.generic {{indexing_maps = [#all, {read_map}#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%c{read} : {result}{read_type}) outs(%e : {result}) {{
  ^bb0(%v: f32, {argument}%o: f32):
    {arguments}
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  }} -> {result}
  return %r : {result}
}}"#,
            low[0], low[1], high[0], high[1]
        )
    }

    /// Image, what is added, filter and bias.
    fn tensors(&self) -> [Tensor; 4] {
        let [y, x] = self.result();
        let image = [self.batch, self.inputs, self.area[0], self.area[1]];
        [
            random(1, &image),
            random(2, &[self.batch, self.outputs, y, x]),
            random(3, &[self.outputs, self.inputs, 3, 3]),
            random(4, &[self.outputs]),
        ]
    }

    /// What comes out, by loops.
    fn expected(&self, [image, more, filter, bias]: &[Tensor; 4]) -> Vec<f64> {
        let ([h, w], [rows, columns]) = (self.area, self.result());
        let (image, more, filter, bias) = (reals(image), reals(more), reals(filter), reals(bias));
        let mut result = Vec::new();
        for at in 0..self.batch * self.outputs * rows * columns {
            let (x, y, m) = (at % columns, at / columns % rows, at / columns / rows % self.outputs);
            let n = at / columns / rows / self.outputs;
            let mut sum = f64::from(bias[m]);
            for tap in 0..9 {
                let place = |at: usize, tap: usize, side: usize| {
                    let place = (at * self.stride + tap * self.dilation).checked_sub(self.low[side]);
                    place.filter(|place| *place < self.area[side])
                };
                let Some((row, column)) = place(y, tap / 3, 0).zip(place(x, tap % 3, 1)) else { continue };
                for c in 0..self.inputs {
                    let value = f64::from(image[((n * self.inputs + c) * h + row) * w + column]);
                    sum += value * f64::from(filter[(m * self.inputs + c) * 9 + tap]);
                }
            }
            let more = if self.has_residual { f64::from(more[at]) } else { 0.0 };
            result.push((sum + more).max(0.0));
        }
        result
    }

    /// Compiles and runs; how many bytes are prepared, and the result.
    fn run(&self, exact: bool, tensors: &[Tensor; 4]) -> (i64, Vec<f32>) {
        let options = CompileOptions { exact, ..CompileOptions::new(target(), Emit::SharedLibrary) };
        let (library, report) = load_with(&self.module(), &options);
        let [image, more, filter, bias] = tensors.clone();
        let mut inputs = vec![image];
        inputs.extend(self.has_residual.then_some(more));
        inputs.extend(self.is_given.then(|| filter.clone()));
        let variables = if self.is_given { vec![bias] } else { vec![filter, bias] };
        let outputs = session(library, &variables).run(&inputs).unwrap();
        (report.prepared_bytes, reals(&outputs[0]).to_vec())
    }

    /// Runs; how many products each of the filter's elements is prepared for, 9 where they are those of the formula.
    #[track_caller]
    fn check(&self) -> i64 {
        let tensors = self.tensors();
        let (prepared, found) = self.run(false, &tensors);
        let expected = self.expected(&tensors);
        let largest = expected.iter().copied().fold(0.0, f64::max);
        assert_eq!(found.len(), expected.len());
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let error = (f64::from(*found) - expected).abs() / largest;
            assert!(error <= 1e-5, "at {at}: found {found}, expected {expected}: {error} of the largest, {largest}");
        }
        prepared / (self.outputs * self.inputs * 4) as i64
    }
}

/// The same on every x86-64 machine: which form is faster differs from one to the other.
fn target() -> Target {
    let cpu = (Target::host().architecture() == "x86_64").then_some("x86-64-v3");
    Target::named(None, cpu)
}

/// Products of tiles of 4 by 4, of 2 by 2, and of the direct form.
const FOUR: i64 = 36;
const TWO: i64 = 16;
const DIRECT: i64 = 9;

#[test]
fn areas_that_are_no_multiple_of_a_tile() {
    assert_eq!(SAME.check(), FOUR);
    for area in [[13, 18], [15, 17], [28, 7], [9, 30]] {
        let found = Case { area, ..SAME }.check();
        assert!([FOUR, TWO].contains(&found), "{area:?}: {found} products");
    }
    for area in [[1, 1], [2, 3], [3, 2], [5, 5], [7, 7], [1, 40]] {
        Case { area, ..SAME }.check();
    }
}

#[test]
fn padding_on_any_side_or_none() {
    for (low, high) in [([0, 0], [0, 0]), ([2, 0], [0, 1]), ([0, 1], [2, 2])] {
        assert_eq!(Case { area: [19, 22], low, high, ..SAME }.check(), FOUR);
    }
}

#[test]
fn channels_that_are_no_multiple_of_a_vector() {
    for (inputs, outputs) in [(33, 64), (64, 50), (37, 41)] {
        assert!(Case { inputs, outputs, ..SAME }.check() >= FOUR);
    }
    assert_eq!(Case { inputs: 5, ..SAME }.check(), DIRECT);
}

#[test]
fn what_is_added_behind_and_several_images() {
    assert_eq!(Case { has_residual: true, area: [14, 15], ..SAME }.check(), FOUR);
    assert_eq!(Case { batch: 3, has_residual: true, ..SAME }.check(), FOUR);
}

#[test]
fn other_convolutions_keep_their_form() {
    assert_eq!(Case { stride: 2, ..SAME }.check(), DIRECT);
    assert_eq!(Case { dilation: 2, low: [2, 2], high: [2, 2], ..SAME }.check(), DIRECT);
    assert_eq!(Case { is_given: true, ..SAME }.check(), 0);
}

#[test]
fn an_image_does_not_depend_on_those_beside_it() {
    let one = Case { batch: 1, ..SAME };
    let several = Case { batch: 3, ..SAME };
    let (all, [_, more, filter, bias]) = (several.tensors(), one.tensors());
    let (_, together) = several.run(false, &all);
    let count = reals(&all[0]).len() / 3;
    for (number, expected) in together.chunks(together.len() / 3).enumerate() {
        let image = reals(&all[0])[number * count..][..count].to_vec();
        let image = Tensor { shape: vec![1, 64, 16, 16], data: TensorData::F32(image) };
        let (_, alone) = one.run(false, &[image, more.clone(), filter.clone(), bias.clone()]);
        assert_eq!(alone, expected);
    }
}

#[test]
fn exact_sums_are_those_of_the_formula() {
    let tensors = SAME.tensors();
    let ((prepared, exact), (_, other)) = (SAME.run(true, &tensors), SAME.run(false, &tensors));
    // The filter is read as it is.
    assert_eq!(prepared, 0);
    assert_ne!(exact, other);
}

/// What is not finite spreads to the outputs of the tiles that read it, and no farther.
#[test]
fn what_is_not_a_number_stays_in_its_tiles() {
    let mut tensors = SAME.tensors();
    if let TensorData::F32(items) = &mut tensors[0].data {
        items[5 * 16 + 6] = f32::INFINITY;
    }
    let (_, found) = SAME.run(false, &tensors);
    let (_, finite) = SAME.run(false, &SAME.tensors());
    for (at, (found, finite)) in found.iter().zip(finite).enumerate() {
        let (x, y) = (at % 16, at / 16 % 16);
        // The element stands in the row and the column 1 of the second tile; the last two of a tile stand in the next one, too.
        if !((4..8).contains(&y) && (4..8).contains(&x)) {
            assert_eq!(*found, finite, "{y}, {x}");
        }
    }
}
