//! Products of narrow numbers on every atom that this machine has, against plain loops.

use super::support::{load_with, reals, session};
use skriptnd_codegen::{CompileOptions, Emit, Target};
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Tensor, TensorData};

/// A factor: its type, and how it is made from the input's numbers and extended to the sum's.
#[derive(Clone, Copy)]
struct Factor {
    element: &'static str,
    make: &'static str,
    extend: &'static str,
}

const S8: Factor = Factor { element: "i8", make: "trunci", extend: "extsi" };
const U8: Factor = Factor { element: "i8", make: "trunci", extend: "extui" };
const S16: Factor = Factor { element: "i16", make: "trunci", extend: "extsi" };
const U16: Factor = Factor { element: "i16", make: "trunci", extend: "extui" };
const BF16: Factor = Factor { element: "bf16", make: "truncf", extend: "extf" };
const F16: Factor = Factor { element: "f16", make: "truncf", extend: "extf" };

/// The products of `rows` windows of an input with a filter of `columns`; windows of one element make it a product of
/// matrices.
#[derive(Clone, Copy)]
struct Product {
    rows: usize,
    columns: usize,
    depth: usize,
    window: usize,
    factors: [Factor; 2],
}

impl Product {
    fn is_real(&self) -> bool {
        self.factors[0].extend == "extf"
    }

    fn narrowed(&self, name: &str, shape: &str, factor: Factor) -> String {
        let (wide, Factor { element, make, .. }) = (if self.is_real() { "f32" } else { "i64" }, factor);
        format!(
            "%{name}e = tensor.empty() : tensor<{shape}x{element}>
  %{name}n = linalg.generic {{indexing_maps = [#id{name}, #id{name}], iterator_types = #parallel{name}}}
      ins(%{name} : tensor<{shape}x{wide}>) outs(%{name}e : tensor<{shape}x{element}>) {{
  ^bb0(%a: {wide}, %o: {element}):
    %n = arith.{make} %a : {wide} to {element}
    linalg.yield %n : {element}
  }} -> tensor<{shape}x{element}>"
        )
    }

    fn module(&self) -> String {
        let Product { rows, columns, depth, window, factors: [a, b] } = *self;
        let (wide, sum, zero) = if self.is_real() { ("f32", "f32", "0.0") } else { ("i64", "i32", "0") };
        let (multiply, add) = if self.is_real() { ("mulf", "addf") } else { ("muli", "addi") };
        let (x, w) = (format!("{}x{depth}", rows + window - 1), format!("{window}x{depth}x{columns}"));
        let (made_x, made_w) = (self.narrowed("x", &x, a), self.narrowed("w", &w, b));
        let back = if self.is_real() { "%c = arith.addf %a, %zero : f32" } else { "%c = arith.extsi %a : i32 to i64" };
        let kinds = |count| format!("[{}]", vec!["\"parallel\""; count].join(", "));
        format!(
            "#idx = affine_map<(a, b) -> (a, b)>
#idw = affine_map<(a, b, c) -> (a, b, c)>
func.func @Net(%x: tensor<{x}x{wide}> {{skriptnd.input = \"x\"}}, %w: tensor<{w}x{wide}> {{skriptnd.variable = \"w\"}})
    -> (tensor<{rows}x{columns}x{wide}> {{skriptnd.output = \"y\"}}) {{
  %zero = arith.constant {zero} : {sum}
  {made_x}
  {made_w}
  %e = tensor.empty() : tensor<{rows}x{columns}x{sum}>
  %f = linalg.fill ins(%zero : {sum}) outs(%e : tensor<{rows}x{columns}x{sum}>) -> tensor<{rows}x{columns}x{sum}>
  %p = linalg.generic {{indexing_maps = [affine_map<(m, n, i, k) -> (m + i, k)>, affine_map<(m, n, i, k) -> (i, k, n)>,
      affine_map<(m, n, i, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\", \"reduction\"]}}
      ins(%xn, %wn : tensor<{x}x{}>, tensor<{w}x{}>) outs(%f : tensor<{rows}x{columns}x{sum}>) {{
  ^bb0(%a: {}, %b: {}, %o: {sum}):
    %aw = arith.{} %a : {} to {sum}
    %bw = arith.{} %b : {} to {sum}
    %m = arith.{multiply} %aw, %bw : {sum}
    %s = arith.{add} %o, %m : {sum}
    linalg.yield %s : {sum}
  }} -> tensor<{rows}x{columns}x{sum}>
  %z = tensor.empty() : tensor<{rows}x{columns}x{wide}>
  %y = linalg.generic {{indexing_maps = [#idx, #idx], iterator_types = #parallelx}}
      ins(%p : tensor<{rows}x{columns}x{sum}>) outs(%z : tensor<{rows}x{columns}x{wide}>) {{
  ^bb0(%a: {sum}, %o: {wide}):
    {back}
    linalg.yield %c : {wide}
  }} -> tensor<{rows}x{columns}x{wide}>
  return %y : tensor<{rows}x{columns}x{wide}>
}}",
            a.element, b.element, a.element, b.element, a.extend, a.element, b.extend, b.element
        )
        .replace("#parallelx", &kinds(2))
        .replace("#parallelw", &kinds(3))
    }

    /// What the sums are, by plain loops over what the factors are after they were narrowed.
    fn expected(&self, x: &[i64], w: &[i64]) -> Vec<i64> {
        let Product { rows, columns, depth, window, .. } = *self;
        let mut sums = Vec::new();
        for (row, column) in (0..rows * columns).map(|at| (at / columns, at % columns)) {
            let reduced = (0..window * depth).map(|at| (at / depth, at % depth));
            let products = reduced.map(|(i, k)| x[(row + i) * depth + k] * w[(i * depth + k) * columns + column]);
            sums.push(i64::from(i32::try_from(products.sum::<i64>()).unwrap()));
        }
        sums
    }

    /// Compares on a target, with the schedule that is chosen or a random one.
    fn check(&self, (target, features): &(Target, &str), random: Option<u64>) {
        let Product { rows, columns, depth, window, factors: [a, b] } = *self;
        let x = wholes(1, (rows + window - 1) * depth, a);
        let w = wholes(2, window * depth * columns, b);
        let tensor = |shape: Vec<usize>, data: &[i64]| {
            let wide = || data.iter().map(|&value| value as f32).collect();
            let data = if self.is_real() { TensorData::F32(wide()) } else { TensorData::I64(data.to_vec()) };
            Tensor { shape, data }
        };
        let variables = [tensor(vec![window, depth, columns], &w)];
        let mut options = CompileOptions::new(target.clone(), Emit::SharedLibrary);
        options.schedules.random = random;
        let mut session = session(load_with(&self.module(), &options).0, &variables);
        let found = session.run(&[tensor(vec![rows + window - 1, depth], &x)]).unwrap();
        let expected = self.expected(&x, &w);
        let case = format!("{}*{} {rows}x{columns}x{depth}x{window} on {features}, {random:?}", a.element, b.element);
        match &found[0].data {
            TensorData::I64(found) => assert_eq!(found, &expected, "{case}"),
            // The sums have no digits to round.
            _ => assert!(reals(&found[0]).iter().zip(&expected).all(|(a, b)| *a as i64 == *b), "{case}"),
        }
    }
}

/// Whole numbers of a factor, its smallest and largest among them; of reals, those whose products can be added exactly.
fn wholes(seed: usize, count: usize, factor: Factor) -> Vec<i64> {
    let (low, high) = match (factor.element, factor.extend) {
        ("i8", "extui") => (0, 255),
        ("i8", _) => (-128, 127),
        ("i16", "extui") => (0, 255),
        // So many products fit into 32 bits.
        ("i16", _) => (-4096, 4095),
        _ => (-16, 15),
    };
    let number = |at: usize| ((at + 1) * (37 + seed) + at * at * (11 + seed)) as i64;
    (0..count)
        .map(|at| match at % 13 {
            3 => low,
            7 => high,
            _ => low + number(at) % (high - low + 1),
        })
        .collect()
}

/// Targets that this machine runs: itself, and with the features of others.
fn targets() -> Vec<(Target, &'static str)> {
    let host = Target::host();
    let sets = [
        "",
        "+avx2",
        "+avx512bw,+avx512vl",
        "+avxvnni",
        "+avx512bf16,+avx512vl",
        "+avx512vnni,+avx512vl,+avx512bw",
        "+avxvnniint8",
        "+dotprod",
        "+bf16",
    ];
    let names = |set: &'static str| set.split(',').filter_map(|feature| feature.strip_prefix('+'));
    let runs = sets.into_iter().filter(|&set| names(set).all(|feature| host.has(feature)));
    let target = |features: &str| {
        let cpu = if host.architecture() == "x86_64" { "x86-64" } else { "generic" };
        Target::of(TargetSpec { cpu: cpu.into(), features: features.into(), ..host.spec.clone() })
    };
    let others = runs.map(|features| (target(features), features)).collect::<Vec<_>>();
    [vec![(host.clone(), "the host")], others].concat()
}

#[test]
fn products_of_integers_are_exact_on_every_atom() {
    for target in &targets() {
        for factors in [[S8, S8], [U8, S8], [S8, U8], [U8, U8], [S16, S16], [U16, S8]] {
            Product { rows: 13, columns: 37, depth: 70, window: 1, factors }.check(target, None);
        }
        Product { rows: 26, columns: 100, depth: 5, window: 3, factors: [S8, S8] }.check(target, None);
    }
}

#[test]
fn products_of_any_extents_are_exact() {
    let shapes =
        [(9, 1, 8, 1), (9, 2, 1, 1), (17, 33, 2, 1), (8, 64, 4, 1), (1, 20, 9, 1), (9, 31, 7, 2), (40, 5, 6, 1)];
    for (rows, columns, depth, window) in shapes {
        let product = Product { rows, columns, depth, window, factors: [S8, S8] };
        product.check(&(Target::host(), "the host"), None);
    }
}

#[test]
fn every_schedule_gives_the_same_sums() {
    for target in &targets()[..2] {
        for seed in 1..12 {
            Product { rows: 9, columns: 37, depth: 11, window: 2, factors: [S8, S8] }.check(target, Some(seed));
            Product { rows: 10, columns: 21, depth: 6, window: 1, factors: [S16, S16] }.check(target, Some(seed));
        }
    }
}

#[test]
fn products_of_narrow_reals_are_those_of_wide_ones() {
    // Others convert by functions of a library that tests are not linked with.
    let converts = |target: &Target| ["avx512bf16", "bf16"].into_iter().any(|feature| target.has(feature));
    for target in targets().iter().filter(|(target, _)| converts(target)) {
        for factors in [[BF16, BF16], [F16, F16]] {
            Product { rows: 13, columns: 37, depth: 71, window: 1, factors }.check(target, None);
            Product { rows: 26, columns: 100, depth: 5, window: 3, factors }.check(target, None);
        }
    }
}
