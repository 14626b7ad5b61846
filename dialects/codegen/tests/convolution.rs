//! Convolutions of many forms against plain loops.

use crate::support::{assert_close, load, reals, run};
use std::fmt::Write;

/// A convolution in any number of dimensions, channels first, groups as a dimension of their own.
struct Convolution {
    batch: usize,
    groups: usize,
    outputs: usize,
    inputs: usize,
    spatial: Vec<usize>,
    kernel: Vec<usize>,
    stride: Vec<usize>,
    dilation: Vec<usize>,
    low: Vec<usize>,
    high: Vec<usize>,
}

fn tensor(shape: &[usize]) -> String {
    let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
    format!("tensor<{extents}f32>")
}

impl Convolution {
    fn plain(channels: (usize, usize), spatial: &[usize], kernel: &[usize]) -> Self {
        let dims = spatial.len();
        Convolution {
            batch: 1,
            groups: 1,
            outputs: channels.1,
            inputs: channels.0,
            spatial: spatial.to_vec(),
            kernel: kernel.to_vec(),
            stride: vec![1; dims],
            dilation: vec![1; dims],
            low: vec![0; dims],
            high: vec![0; dims],
        }
    }

    fn output(&self, dim: usize) -> usize {
        let padded = self.spatial[dim] + self.low[dim] + self.high[dim];
        (padded - (self.kernel[dim] - 1) * self.dilation[dim] - 1) / self.stride[dim] + 1
    }

    fn output_spatial(&self) -> Vec<usize> {
        (0..self.spatial.len()).map(|dim| self.output(dim)).collect()
    }

    /// The module: padding, a bias that is broadcast, the convolution, and a rectifier behind it.
    fn module(&self) -> String {
        let dims = self.spatial.len();
        let shape = |first: &[usize], rest: &[usize]| [first, rest].concat();
        let input = shape(&[self.batch, self.groups, self.inputs], &self.spatial);
        let filter = shape(&[self.groups, self.outputs, self.inputs], &self.kernel);
        let output = shape(&[self.batch, self.groups, self.outputs], &self.output_spatial());
        let padded: Vec<usize> = (0..dims).map(|dim| self.spatial[dim] + self.low[dim] + self.high[dim]).collect();
        let padded = shape(&[self.batch, self.groups, self.inputs], &padded);
        let list = |values: &[usize]| {
            let all: Vec<String> = [&[0, 0, 0], values].concat().iter().map(usize::to_string).collect();
            all.join(", ")
        };
        let names = |prefix: &str| (0..dims).map(|dim| format!(", {prefix}{dim}")).collect::<String>();
        let window: String =
            (0..dims).map(|dim| format!(", x{dim} * {} + k{dim} * {}", self.stride[dim], self.dilation[dim])).collect();
        let (x, k) = (names("x"), names("k"));
        let space = format!("(n, g, m{x}, c{k})");
        let parallel = vec!["\"parallel\""; 3 + dims].join(", ");
        let reduction = vec!["\"reduction\""; 1 + dims].join(", ");
        let indices: Vec<String> = (0..3 + dims).map(|dim| format!("%i{dim}: index")).collect();
        let (input, filter, output, padded) = (tensor(&input), tensor(&filter), tensor(&output), tensor(&padded));
        let bias = tensor(&[self.groups, self.outputs]);
        let mut text = String::new();
        write!(
            text,
            r#"func.func @Net(%x: {input} {{skriptnd.input = "x"}}, %w: {filter} {{skriptnd.variable = "w"}},
                %b: {bias} {{skriptnd.variable = "b"}}) -> ({output} {{skriptnd.output = "y"}}) {{
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[{}] high[{}] {{
  ^bb0({}):
    tensor.yield %zero : f32
  }} : {input} to {padded}
  %e = tensor.empty() : {output}
  %i = linalg.generic {{indexing_maps = [affine_map<(n, g, m{x}) -> (g, m)>, affine_map<(n, g, m{x}) -> (n, g, m{x})>],
      iterator_types = [{parallel}]}} ins(%b : {bias}) outs(%e : {output}) {{
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }} -> {output}
  %c = linalg.generic {{indexing_maps = [affine_map<{space} -> (n, g, c{window})>, affine_map<{space} -> (g, m, c{k})>,
      affine_map<{space} -> (n, g, m{x})>], iterator_types = [{parallel}, {reduction}]}}
      ins(%p, %w : {padded}, {filter}) outs(%i : {output}) {{
  ^bb0(%v: f32, %f: f32, %o: f32):
    %product = arith.mulf %v, %f : f32
    %sum = arith.addf %o, %product : f32
    linalg.yield %sum : f32
  }} -> {output}
  %r = linalg.generic {{indexing_maps = [affine_map<(n, g, m{x}) -> (n, g, m{x})>, affine_map<(n, g, m{x}) -> (n, g, m{x})>],
      iterator_types = [{parallel}]}} ins(%c : {output}) outs(%e : {output}) {{
  ^bb0(%v: f32, %o: f32):
    %relu = arith.maximumf %v, %zero : f32
    linalg.yield %relu : f32
  }} -> {output}
  return %r : {output}
}}"#,
            list(&self.low),
            list(&self.high),
            indices.join(", ")
        )
        .unwrap();
        text
    }

    /// The same by loops, in double precision.
    fn expected(&self, x: &[f32], w: &[f32], b: &[f32]) -> Vec<f32> {
        let outputs = self.output_spatial();
        let (points, taps) = (outputs.iter().product::<usize>(), self.kernel.iter().product::<usize>());
        let area: usize = self.spatial.iter().product();
        let mut result = Vec::new();
        for n in 0..self.batch {
            for gm in 0..self.groups * self.outputs {
                let group = gm / self.outputs;
                for point in 0..points {
                    let mut sum = f64::from(b[gm]);
                    for c in 0..self.inputs {
                        for tap in 0..taps {
                            let Some(place) = self.place(point, tap, &outputs) else { continue };
                            let channel = (n * self.groups + group) * self.inputs + c;
                            let value = x[channel * area + place];
                            sum += f64::from(value) * f64::from(w[(gm * self.inputs + c) * taps + tap]);
                        }
                    }
                    result.push(sum.max(0.0) as f32);
                }
            }
        }
        result
    }

    /// Where a tap of the kernel at a point of the output reads; none in the padding.
    fn place(&self, point: usize, tap: usize, outputs: &[usize]) -> Option<usize> {
        let (mut point, mut tap, mut place, mut step) = (point, tap, 0, 1);
        for dim in (0..self.spatial.len()).rev() {
            let at = (point % outputs[dim]) * self.stride[dim] + (tap % self.kernel[dim]) * self.dilation[dim];
            let at = at.checked_sub(self.low[dim]).filter(|&at| at < self.spatial[dim])?;
            (point, tap) = (point / outputs[dim], tap / self.kernel[dim]);
            place += at * step;
            step *= self.spatial[dim];
        }
        Some(place)
    }

    #[track_caller]
    fn check(&self) {
        let (model, _) = load(&self.module());
        let (inputs, variables, outputs) = run(model);
        let expected = self.expected(reals(&inputs[0]), reals(&variables[0]), reals(&variables[1]));
        assert_close(reals(&outputs[0]), &expected);
    }
}

#[test]
fn channels_that_are_no_multiple_of_a_vector() {
    for channels in [(3, 1), (3, 7), (5, 24), (16, 33), (2, 100)] {
        Convolution::plain(channels, &[9, 11], &[3, 3]).check();
    }
}

#[test]
fn widths_that_are_no_multiple_of_a_tile() {
    for width in [1, 2, 13, 15, 29] {
        Convolution::plain((4, 32), &[3, width], &[2, 1]).check();
    }
}

#[test]
fn strides_dilations_and_uneven_padding() {
    let plain = || Convolution::plain((3, 20), &[12, 17], &[3, 5]);
    Convolution { stride: vec![2, 3], low: vec![1, 0], high: vec![0, 4], ..plain() }.check();
    Convolution { dilation: vec![3, 2], low: vec![2, 3], high: vec![1, 0], ..plain() }.check();
    Convolution { stride: vec![3, 1], dilation: vec![2, 1], batch: 2, ..plain() }.check();
}

#[test]
fn one_and_three_dimensions() {
    Convolution { low: vec![2], ..Convolution::plain((6, 18), &[31], &[4]) }.check();
    let solid = Convolution::plain((3, 17), &[5, 4, 7], &[3, 2, 3]);
    Convolution { stride: vec![1, 2, 2], low: vec![1, 0, 1], high: vec![0, 1, 1], ..solid }.check();
}

#[test]
fn groups() {
    let grouped = |groups, inputs, outputs| Convolution {
        groups,
        low: vec![1, 1],
        high: vec![1, 1],
        ..Convolution::plain((inputs, outputs), &[10, 9], &[3, 3])
    };
    grouped(3, 4, 5).check();
    grouped(40, 1, 1).check();
    grouped(24, 1, 2).check();
    Convolution { stride: vec![2, 2], batch: 2, ..grouped(19, 1, 1) }.check();
}

#[test]
fn pointwise_and_whole_image() {
    Convolution { batch: 3, ..Convolution::plain((70, 50), &[6, 7], &[1, 1]) }.check();
    Convolution::plain((20, 45), &[5, 5], &[5, 5]).check();
}
