//! Sums that are quantized again, against arithmetic of 128 bits: each result is exact, whatever multipliers and shift are.

use crate::support::{load, numbers, session};
use skriptnd_runtime::{Tensor, TensorData};

const ROWS: usize = 19;
const CHANNELS: usize = 37;

/// What results are limited to, and what is added before.
#[derive(Clone, Copy, Debug)]
struct Limits {
    least: i64,
    most: i64,
    zero: i64,
}

impl Limits {
    /// From a product in a body on, shifted by a number, to the end of the module.
    fn text(self, product: &str, by: &str) -> String {
        let Limits { least, most, zero } = self;
        format!(
            "    %zero = arith.constant {zero} : i64
    %least = arith.constant {least} : i64
    %most = arith.constant {most} : i64
    %more = arith.addi {product}, %half : i64
    %shifted = arith.shrsi %more, {by} : i64
    %moved = arith.addi %shifted, %zero : i64
    %up = arith.maxsi %moved, %least : i64
    %given = arith.minsi %up, %most : i64
    linalg.yield %given : i64
  }} -> tensor<{ROWS}x{CHANNELS}xi64>
  return %y : tensor<{ROWS}x{CHANNELS}xi64>
}}
"
        )
    }
}

const LIMITS: [Limits; 3] = [
    Limits { least: 0, most: 255, zero: 117 },
    Limits { least: -128, most: 127, zero: 0 },
    Limits { least: -32768, most: 32767, zero: -5 },
];

fn exact(product: i128, shift: i64, limits: Limits) -> i64 {
    let rounded = (product + (1 << (shift - 1))) >> shift;
    (rounded + i128::from(limits.zero)).clamp(limits.least.into(), limits.most.into()) as i64
}

/// `clamp(((x * m + 2^(s-1)) >> s) + zero)` of words, with a multiplier for each channel and one shift, both variables.
fn with_variables(limits: Limits) -> String {
    let x = format!("tensor<{ROWS}x{CHANNELS}xi64>");
    format!(
        "#id = affine_map<(a, b) -> (a, b)>
func.func @Net(%x: {x} {{skriptnd.input = \"x\"}}, %m: tensor<{CHANNELS}xi64> {{skriptnd.variable = \"m\"}},
    %s: tensor<i64> {{skriptnd.variable = \"s\"}}) -> ({x} {{skriptnd.output = \"y\"}}) {{
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %none = arith.constant 0 : i64
  %last = arith.constant 61 : i64
  %first = arith.constant -2147483648 : i64
  %word = arith.constant 2147483647 : i64
  %ce = tensor.empty() : tensor<{CHANNELS}xi64>
  %mw = linalg.generic {{indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = [\"parallel\"]}}
      ins(%m : tensor<{CHANNELS}xi64>) outs(%ce : tensor<{CHANNELS}xi64>) {{
  ^bb0(%e: i64, %o: i64):
    %a = arith.maxsi %e, %none : i64
    %b = arith.minsi %a, %word : i64
    linalg.yield %b : i64
  }} -> tensor<{CHANNELS}xi64>
  %xe = tensor.empty() : {x}
  %y = linalg.generic {{indexing_maps = [#id, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> ()>, #id],
      iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%x, %mw, %s : {x}, tensor<{CHANNELS}xi64>, tensor<i64>) outs(%xe : {x}) {{
  ^bb0(%e: i64, %f: i64, %t: i64, %o: i64):
    %low = arith.maxsi %t, %one : i64
    %r = arith.minsi %low, %last : i64
    %above = arith.maxsi %e, %first : i64
    %sum = arith.minsi %above, %word : i64
    %product = arith.muli %sum, %f : i64
    %before = arith.addi %r, %minus : i64
    %half = arith.shli %one, %before : i64
{}",
        limits.text("%product", "%r")
    )
}

/// The sum of two such products of numbers of 10 bits with multipliers that are known.
fn with_constants(multipliers: [i64; 2], shift: i64, limits: Limits) -> String {
    let x = format!("tensor<{ROWS}x{CHANNELS}xi64>");
    let ([left, right], half) = (multipliers, 1i64 << (shift - 1));
    format!(
        "#id = affine_map<(a, b) -> (a, b)>
#one = affine_map<(a, b) -> ()>
func.func @Net(%x: {x} {{skriptnd.input = \"x\"}}, %z: {x} {{skriptnd.input = \"z\"}})
    -> ({x} {{skriptnd.output = \"y\"}}) {{
  %half = arith.constant {half} : i64
  %s = arith.constant {shift} : i64
  %few = arith.constant -512 : i64
  %many = arith.constant 511 : i64
  %both = arith.constant dense<[{left}, {right}]> : tensor<2xi64>
  %first = tensor.extract_slice %both[0] [1] [1] : tensor<2xi64> to tensor<1xi64>
  %l = tensor.collapse_shape %first [] : tensor<1xi64> into tensor<i64>
  %second = tensor.extract_slice %both[1] [1] [1] : tensor<2xi64> to tensor<1xi64>
  %r = tensor.collapse_shape %second [] : tensor<1xi64> into tensor<i64>
  %xe = tensor.empty() : {x}
  %y = linalg.generic {{indexing_maps = [#id, #id, #one, #one, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%x, %z, %l, %r : {x}, {x}, tensor<i64>, tensor<i64>) outs(%xe : {x}) {{
  ^bb0(%e: i64, %f: i64, %m: i64, %n: i64, %o: i64):
    %e0 = arith.maxsi %e, %few : i64
    %e1 = arith.minsi %e0, %many : i64
    %f0 = arith.maxsi %f, %few : i64
    %f1 = arith.minsi %f0, %many : i64
    %p = arith.muli %e1, %m : i64
    %q = arith.muli %f1, %n : i64
    %sum = arith.addi %p, %q : i64
{}",
        limits.text("%sum", "%s")
    )
}

fn whole(shape: &[usize], items: Vec<i64>) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::I64(items) }
}

fn words(tensor: &Tensor) -> &[i64] {
    match &tensor.data {
        TensorData::I64(items) => items,
        other => panic!("expected integers, found {:?}", other.element_type()),
    }
}

/// Sums of up to so many bits, and those that are the first to be limited by a multiplier and a shift.
fn sums(seed: u64, bits: i32, multipliers: &[i64], (shift, limits): (i64, Limits)) -> Vec<i64> {
    let scale = f64::from(bits).exp2();
    let random = numbers(seed, ROWS * CHANNELS).into_iter().map(|number| (f64::from(number) * scale) as i64);
    let special = |at: usize, sum: i64| match (at / CHANNELS, multipliers[at % CHANNELS]) {
        (0, _) => i64::from(i32::MIN),
        (1, _) => i64::from(i32::MAX),
        (2, multiplier @ 1..) => {
            let edge = (i128::from(limits.most - limits.zero) << shift) / i128::from(multiplier);
            edge.min(i128::from(i32::MAX)) as i64 + at as i64 % 3 - 1
        }
        (3, _) => at as i64 % 3 - 1,
        _ => sum,
    };
    let limited = |(at, sum)| special(at, sum).clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    random.enumerate().map(limited).collect()
}

fn multipliers(seed: u64) -> Vec<i64> {
    let special = [0, 1, 2, 3, (1 << 30) - 1, 1 << 30, (1 << 30) + 1, i64::from(i32::MAX)];
    let random = numbers(seed, CHANNELS).into_iter().enumerate();
    let random = random.map(|(at, number)| (f64::from(number.abs()) * (at as f64 % 31.0).exp2()) as i64);
    special.into_iter().chain(random).take(CHANNELS).collect()
}

#[test]
fn prepared_multipliers_and_shifts_give_exact_results() {
    for limits in LIMITS {
        let text = with_variables(limits);
        for shift in [1, 2, 9, 20, 29, 31, 32, 33, 34, 47, 61] {
            let (library, _) = load(&text);
            let m = multipliers(shift as u64);
            let x = sums(shift as u64, (shift % 31) as i32, &m, (shift, limits));
            let variables = [whole(&[CHANNELS], m.clone()), whole(&[], vec![shift])];
            let outputs = session(library, &variables).run(&[whole(&[ROWS, CHANNELS], x.clone())]).unwrap();
            for (at, found) in words(&outputs[0]).iter().enumerate() {
                let expected = exact(i128::from(x[at]) * i128::from(m[at % CHANNELS]), shift, limits);
                assert_eq!(*found, expected, "{} * {} >> {shift}, {limits:?}", x[at], m[at % CHANNELS]);
            }
        }
    }
}

#[test]
fn known_multipliers_give_exact_results() {
    let pairs = [[1 << 30, 805_306_369], [i64::from(i32::MAX), 1], [1_342_177_281, i64::from(i32::MAX)], [0, 65_537]];
    for (number, shift) in [17, 18, 24, 30, 31, 32, 33, 40, 47, 48, 61].into_iter().enumerate() {
        let (limits, multipliers) = (LIMITS[number % LIMITS.len()], pairs[number % pairs.len()]);
        let (library, _) = load(&with_constants(multipliers, shift, limits));
        let tensor = |seed| -> Vec<i64> {
            let items = numbers(seed, ROWS * CHANNELS).into_iter().enumerate();
            items.map(|(at, it)| if at < 4 { [-512, 511, 0, -1][at] } else { (it * 511.0) as i64 }).collect()
        };
        let (x, z) = (tensor(shift as u64), tensor(shift as u64 + 100));
        let inputs = [whole(&[ROWS, CHANNELS], x.clone()), whole(&[ROWS, CHANNELS], z.clone())];
        let outputs = session(library, &[]).run(&inputs).unwrap();
        for (at, found) in words(&outputs[0]).iter().enumerate() {
            let product =
                i128::from(x[at]) * i128::from(multipliers[0]) + i128::from(z[at]) * i128::from(multipliers[1]);
            assert_eq!(*found, exact(product, shift, limits), "{} and {} by {multipliers:?} >> {shift}", x[at], z[at]);
        }
    }
}
