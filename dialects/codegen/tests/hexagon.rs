//! Code for Hexagon, run by the emulator.

use skriptnd_codegen::{CompileOptions, Compiled, Emit, Target, compile};
use skriptnd_hexagon::emulator::{self, Request};
use skriptnd_mlir::{Registry, parse_module};
use std::fmt::Write;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

type Shape = (usize, usize, usize);

/// A function of `a{i}` and `b{i}` that gives their products `c{i}`.
fn products(shapes: &[Shape]) -> String {
    let (mut inputs, mut results, mut names, mut types, mut body) = (vec![], vec![], vec![], vec![], String::new());
    for (i, (m, k, n)) in shapes.iter().enumerate() {
        let (a, b, c) =
            (format!("tensor<{m}x{k}xi64>"), format!("tensor<{k}x{n}xi64>"), format!("tensor<{m}x{n}xi64>"));
        inputs.push(format!("%a{i}: {a} {{skriptnd.input = \"a{i}\"}}, %b{i}: {b} {{skriptnd.input = \"b{i}\"}}"));
        results.push(format!("{c} {{skriptnd.output = \"c{i}\"}}"));
        writeln!(
            body,
            "%e{i} = tensor.empty() : {c}
             %f{i} = linalg.fill ins(%zero : i64) outs(%e{i} : {c}) -> {c}
             %c{i} = linalg.matmul ins(%a{i}, %b{i} : {a}, {b}) outs(%f{i} : {c}) -> {c}"
        )
        .unwrap();
        names.push(format!("%c{i}"));
        types.push(c);
    }
    format!(
        "func.func @Net({}) -> ({}) {{\n%zero = arith.constant 0 : i64\n{body}return {} : {}\n}}",
        inputs.join(", "),
        results.join(", "),
        names.join(", "),
        types.join(", ")
    )
}

fn multiply(a: &[i64], b: &[i64], (m, k, n): Shape) -> Vec<i64> {
    let element =
        |i: usize, j: usize| (0..k).fold(0i64, |sum, h| sum.wrapping_add(a[i * k + h].wrapping_mul(b[h * n + j])));
    (0..m).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| element(i, j)).collect()
}

/// Integers of all magnitudes without a pattern.
fn integers(seed: usize, count: usize) -> Vec<i64> {
    let item = |i: usize| (((seed << 16) + i + 1) as i64).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) >> (i % 3);
    (0..count).map(item).collect()
}

fn bytes(items: &[i64]) -> Vec<u8> {
    items.iter().flat_map(|item| item.to_le_bytes()).collect()
}

#[test]
fn integer_matrix_products_of_72_shapes() {
    let mut shapes: Vec<Shape> = Vec::new();
    for m in [1, 7, 25, 33] {
        for k in [31, 50, 70] {
            shapes.extend([5, 13, 19, 32, 33, 34].map(|n| (m, k, n)));
        }
    }
    let context = Registry::new().context();
    let module = parse_module(&context, &products(&shapes), "products.mlir").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("products");
    let target = Target::named(Some(skriptnd_hexagon::target::TRIPLE), None);
    let options = CompileOptions::new(target, Emit::Runner);
    let Compiled { code, report, .. } = compile(module, &options).unwrap();
    std::fs::write(&output, code).unwrap();
    std::fs::set_permissions(&output, Permissions::from_mode(0o755)).unwrap();

    let operands: Vec<_> =
        shapes.iter().enumerate().map(|(i, (m, k, n))| [integers(2 * i, m * k), integers(2 * i + 1, k * n)]).collect();
    let inputs: Vec<Vec<u8>> = operands.iter().flatten().map(|items| bytes(items)).collect();
    let request = Request {
        inputs: inputs.iter().map(Vec::as_slice).collect(),
        variables: Vec::new(),
        outputs: shapes.iter().map(|(m, _, n)| 8 * m * n).collect(),
        prepared: report.prepared_bytes.try_into().unwrap(),
        workspace: report.peak_bytes.try_into().unwrap(),
        extents: Vec::new(),
        shape_words: 2 * shapes.len(),
        ..Request::default()
    };
    let answer = emulator::run(&output, &request).unwrap();
    for ((shape, [a, b]), found) in shapes.iter().zip(&operands).zip(&answer.outputs) {
        assert!(*found == bytes(&multiply(a, b, *shape)), "the product of shape {shape:?} is wrong");
    }
}

/// Bytes `x` and `w` times each other, what the function is given being wider.
fn products_of_bytes((m, k, n): Shape) -> String {
    let narrow = |name: &str, wide: &str, bytes: &str| {
        format!(
            "%{name}e = tensor.empty() : {bytes}
             %{name}n = linalg.generic {{indexing_maps = [#all, #all], iterator_types = [\"parallel\", \"parallel\"]}}
                 ins(%{name} : {wide}) outs(%{name}e : {bytes}) {{
             ^bb0(%a: i64, %o: i8):
               %n = arith.trunci %a : i64 to i8
               linalg.yield %n : i8
             }} -> {bytes}"
        )
    };
    let tensor = |rows: usize, columns: usize, element: &str| format!("tensor<{rows}x{columns}x{element}>");
    let (x, w, y) = (tensor(m, k, "i64"), tensor(k, n, "i64"), tensor(m, n, "i64"));
    let (xb, wb, sum) = (tensor(m, k, "i8"), tensor(k, n, "i8"), tensor(m, n, "i32"));
    let (narrow_x, narrow_w) = (narrow("x", &x, &xb), narrow("w", &w, &wb));
    format!(
        r#"#all = affine_map<(i, j) -> (i, j)>
func.func @Net(%x: {x} {{skriptnd.input = "x"}}, %w: {w} {{skriptnd.input = "w"}}) -> ({y} {{skriptnd.output = "y"}}) {{
  %zero = arith.constant 0 : i32
  {narrow_x}
  {narrow_w}
  %e = tensor.empty() : {sum}
  %f = linalg.fill ins(%zero : i32) outs(%e : {sum}) -> {sum}
  %p = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%xn, %wn : {xb}, {wb}) outs(%f : {sum}) {{
  ^bb0(%a: i8, %b: i8, %o: i32):
    %aw = arith.extsi %a : i8 to i32
    %bw = arith.extsi %b : i8 to i32
    %m = arith.muli %aw, %bw : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  }} -> {sum}
  %ye = tensor.empty() : {y}
  %y = linalg.generic {{indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%p : {sum}) outs(%ye : {y}) {{
  ^bb0(%a: i32, %o: i64):
    %n = arith.extsi %a : i32 to i64
    linalg.yield %n : i64
  }} -> {y}
  return %y : {y}
}}"#
    )
}

#[test]
fn products_of_bytes_by_vectors() {
    for shape in [(9, 64, 32), (24, 30, 96), (10, 129, 131), (1, 40, 64), (8, 7, 5)] {
        let (m, k, n) = shape;
        let context = Registry::new().context();
        let module = parse_module(&context, &products_of_bytes(shape), "bytes.mlir").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("bytes");
        let cpu = "+hvxv67+hvx-length128b";
        let target = Target::named(Some(skriptnd_hexagon::target::TRIPLE), Some(cpu));
        let Compiled { code, report, .. } = compile(module, &CompileOptions::new(target, Emit::Runner)).unwrap();
        std::fs::write(&output, code).unwrap();
        std::fs::set_permissions(&output, Permissions::from_mode(0o755)).unwrap();
        let byte = |item: i64| i64::from(item as i8);
        let [x, w] = [(1, m * k), (2, k * n)].map(|(seed, count)| integers(seed, count));
        let inputs = [bytes(&x), bytes(&w)];
        let request = Request {
            inputs: inputs.iter().map(Vec::as_slice).collect(),
            outputs: vec![8 * m * n],
            workspace: report.peak_bytes.try_into().unwrap(),
            shape_words: 2,
            ..Request::default()
        };
        let answer = emulator::run(&output, &request).unwrap();
        let [x, w] = [x, w].map(|items| items.into_iter().map(byte).collect::<Vec<_>>());
        assert!(answer.outputs[0] == bytes(&multiply(&x, &w, shape)), "the product of shape {shape:?} is wrong");
        assert!(n < 32 || answer.counts.vector_instructions > 0, "the product of shape {shape:?} takes no vectors");
    }
}
