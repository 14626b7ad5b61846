//! Convolutions of bytes channel by channel, against plain loops: taps are added in groups, each lane its own.

use crate::support::{load_for, numbers, session};
use skriptnd_codegen::Target;
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Tensor, TensorData};

/// An image and the window that goes over it, its strides and how far its taps are apart.
#[derive(Clone, Copy, Debug)]
struct Shape {
    image: [usize; 3],
    window: [usize; 2],
    stride: usize,
    apart: usize,
}

impl Shape {
    fn results(self) -> [usize; 3] {
        let Shape { image: [height, width, channels], window, stride, apart } = self;
        let along = |extent: usize, taps: usize| (extent - (taps - 1) * apart - 1) / stride + 1;
        [along(height, window[0]), along(width, window[1]), channels]
    }

    /// A module whose input and filter are bytes that are stored so, the input without a sign.
    fn module(self) -> String {
        let Shape { image: [h, w, c], window: [kh, kw], stride, apart } = self;
        let [oh, ow, _] = self.results();
        let (x, f, y) = (format!("{h}x{w}x{c}"), format!("{kh}x{kw}x{c}"), format!("{oh}x{ow}x{c}"));
        format!(
            r#"func.func @Net(%x: tensor<{x}xi64> {{skriptnd.input = "x"}}, %w: tensor<{f}xi64> {{skriptnd.variable = "w"}})
    -> (tensor<{y}xi64> {{skriptnd.output = "y"}}) {{
  %zero = arith.constant 0 : i32
{}{}
  %e = tensor.empty() : tensor<{y}xi32>
  %begin = linalg.fill ins(%zero : i32) outs(%e : tensor<{y}xi32>) -> tensor<{y}xi32>
  %sums = linalg.generic {{indexing_maps = [
      affine_map<(y, x, c, u, v) -> (y * {stride} + u * {apart}, x * {stride} + v * {apart}, c)>,
      affine_map<(y, x, c, u, v) -> (u, v, c)>, affine_map<(y, x, c, u, v) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}}
      ins(%xb, %wb : tensor<{x}xi8>, tensor<{f}xi8>) outs(%begin : tensor<{y}xi32>) {{
  ^bb0(%a: i8, %b: i8, %o: i32):
    %aw = arith.extui %a : i8 to i32
    %bw = arith.extsi %b : i8 to i32
    %p = arith.muli %aw, %bw : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  }} -> tensor<{y}xi32>
  %ye = tensor.empty() : tensor<{y}xi64>
  %yl = linalg.generic {{indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}} ins(%sums : tensor<{y}xi32>) outs(%ye : tensor<{y}xi64>) {{
  ^bb0(%a: i32, %o: i64):
    %n = arith.extsi %a : i32 to i64
    linalg.yield %n : i64
  }} -> tensor<{y}xi64>
  return %yl : tensor<{y}xi64>
}}"#,
            bytes("x", &x),
            bytes("w", &f)
        )
    }

    fn expected(self, x: &[i64], w: &[i64]) -> Vec<i64> {
        let Shape { image: [_, width, channels], window: [kh, kw], stride, apart } = self;
        let [oh, ow, _] = self.results();
        let mut sums = Vec::new();
        for (y, column, channel) in
            (0..oh).flat_map(|y| (0..ow).flat_map(move |x| (0..channels).map(move |c| (y, x, c))))
        {
            let taps = (0..kh).flat_map(|u| (0..kw).map(move |v| (u, v)));
            let product = |(u, v): (usize, usize)| {
                let pixel = (y * stride + u * apart) * width + column * stride + v * apart;
                x[pixel * channels + channel] * w[(u * kw + v) * channels + channel]
            };
            sums.push(taps.map(product).sum());
        }
        sums
    }
}

/// The lowest bytes of integers, as a tensor `%{name}b`.
fn bytes(name: &str, shape: &str) -> String {
    format!(
        r#"  %{name}e = tensor.empty() : tensor<{shape}xi8>
  %{name}b = linalg.generic {{indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}} ins(%{name} : tensor<{shape}xi64>) outs(%{name}e : tensor<{shape}xi8>) {{
  ^bb0(%a: i64, %o: i8):
    %n = arith.trunci %a : i64 to i8
    linalg.yield %n : i8
  }} -> tensor<{shape}xi8>
"#
    )
}

fn integers(seed: u64, shape: &[usize], (least, most): (i64, i64)) -> Vec<i64> {
    let middle = |item: &f32| f64::from(*item) * 0.5 + 0.5;
    let of = |item: &f32| least + (middle(item) * (most - least + 1) as f64).floor() as i64;
    numbers(seed, shape.iter().product()).iter().map(of).collect()
}

fn check(shape: Shape, target: &Target) {
    let (library, _) = load_for(&shape.module(), target.clone());
    let window = [shape.window[0], shape.window[1], shape.image[2]];
    let (x, w) = (integers(1, &shape.image, (0, 255)), integers(2, &window, (-128, 127)));
    let tensor =
        |shape: &[usize], items: &[i64]| Tensor { shape: shape.to_vec(), data: TensorData::I64(items.to_vec()) };
    let outputs = session(library, &[tensor(&window, &w)]).run(&[tensor(&shape.image, &x)]).unwrap();
    let TensorData::I64(found) = &outputs[0].data else { panic!("expected integers") };
    assert_eq!(*found, shape.expected(&x, &w), "{shape:?} on {}", target.spec.cpu);
}

/// Targets with groups of four and of two taps, of long and of short vectors, as far as this machine has them.
fn targets() -> Vec<Target> {
    let named = |cpu: &str| Target::of(TargetSpec { cpu: cpu.into(), ..Target::host().spec });
    match Target::host().architecture() {
        "x86_64" => vec![named("x86-64"), named("x86-64-v3"), Target::host()],
        _ => vec![Target::host()],
    }
}

#[test]
fn windows_of_bytes_are_added_exactly() {
    let shapes = [
        ([5, 6, 16], [3, 3], 1, 1),
        ([9, 9, 37], [3, 3], 2, 1),
        ([7, 8, 24], [5, 5], 1, 1),
        ([8, 11, 1], [3, 3], 1, 1),
        ([8, 11, 3], [4, 2], 1, 2),
        ([6, 30, 8], [1, 9], 3, 1),
        ([30, 6, 64], [7, 1], 1, 1),
        ([12, 12, 130], [2, 3], 1, 3),
        ([3, 3, 48], [3, 3], 1, 1),
        ([16, 17, 40], [6, 7], 2, 1),
    ];
    for target in targets() {
        for (image, window, stride, apart) in shapes {
            check(Shape { image, window, stride, apart }, &target);
        }
    }
}
