//! One program for vectors of any length: the emulators run it with several.

use crate::support::{assert_close, bytes, floats, numbers, program};
use skriptnd_codegen::Target;
use skriptnd_hexagon::emulator::{self, Request};

/// Processors with SVE of several lengths.
pub const SVE: [&[&str]; 4] = [
    &["-cpu", "max,sve128=on,sve256=off"],
    &["-cpu", "max,sve256=on"],
    &["-cpu", "max,sve512=on"],
    &["-cpu", "max,sve1024=on,sve-default-vector-length=128"],
];
/// Processors with the vectors of RISC-V of several lengths.
pub const RVV: [&[&str]; 4] = [
    &["-cpu", "rv64,v=true,vlen=128,vext_spec=v1.0"],
    &["-cpu", "rv64,v=true,vlen=256,vext_spec=v1.0"],
    &["-cpu", "rv64,v=true,vlen=512,vext_spec=v1.0"],
    &["-cpu", "rv64,v=true,vlen=1024,vext_spec=v1.0"],
];

const ROWS: usize = 5;

/// Of rows of `n` numbers a function of each, their sums and the largest; and their products with the columns of a matrix.
fn module(n: usize, columns: usize) -> String {
    let (x, w, y, r) = (
        format!("tensor<{ROWS}x{n}xf32>"),
        format!("tensor<{n}x{columns}xf32>"),
        format!("tensor<{ROWS}x{columns}xf32>"),
        format!("tensor<{ROWS}xf32>"),
    );
    format!(
        r#"#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @Net(%x: {x} {{skriptnd.input = "x"}}, %w: {w} {{skriptnd.input = "w"}})
    -> ({x} {{skriptnd.output = "f"}}, {r} {{skriptnd.output = "s"}}, {r} {{skriptnd.output = "m"}}, {y} {{skriptnd.output = "y"}}) {{
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %ex = tensor.empty() : {x}
  %f = linalg.generic {{indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%x : {x}) outs(%ex : {x}) {{
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    %d = arith.divf %a, %e : f32
    %v = arith.addf %d, %a : f32
    linalg.yield %v : f32
  }} -> {x}
  %er = tensor.empty() : {r}
  %fr = linalg.fill ins(%zero : f32) outs(%er : {r}) -> {r}
  %s = linalg.generic {{indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}}
      ins(%x : {x}) outs(%fr : {r}) {{
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %o, %a : f32
    linalg.yield %v : f32
  }} -> {r}
  %em = tensor.empty() : {r}
  %fm = linalg.fill ins(%low : f32) outs(%em : {r}) -> {r}
  %m = linalg.generic {{indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}}
      ins(%x : {x}) outs(%fm : {r}) {{
  ^bb0(%a: f32, %o: f32):
    %v = arith.maximumf %o, %a : f32
    linalg.yield %v : f32
  }} -> {r}
  %ey = tensor.empty() : {y}
  %fy = linalg.fill ins(%zero : f32) outs(%ey : {y}) -> {y}
  %y = linalg.matmul ins(%x, %w : {x}, {w}) outs(%fy : {y}) -> {y}
  return %f, %s, %m, %y : {x}, {r}, {r}, {y}
}}"#
    )
}

fn expected(x: &[f32], w: &[f32], n: usize, columns: usize) -> [Vec<f32>; 4] {
    let rows = || x.chunks(n);
    let product = |row: &[f32], column: usize| (0..n).map(|k| row[k] * w[k * columns + column]).sum::<f32>();
    [
        x.iter().map(|x| x / x.exp() + x).collect(),
        rows().map(|row| row.iter().sum()).collect(),
        rows().map(|row| row.iter().copied().fold(f32::NEG_INFINITY, f32::max)).collect(),
        rows().flat_map(|row| (0..columns).map(move |column| product(row, column))).collect(),
    ]
}

fn check(triple: &str, features: &str, processors: &[&[&str]]) {
    for (n, columns) in [(1, 3), (7, 16), (33, 70), (100, 129)] {
        let folder = tempfile::tempdir().unwrap();
        let program = program(&module(n, columns), Target::described(triple, "", features), folder.path());
        let (x, w) = (numbers(1, ROWS * n), numbers(2, n * columns));
        let expected = expected(&x, &w, n, columns);
        let inputs = [bytes(&x), bytes(&w)];
        let request = Request {
            inputs: inputs.iter().map(Vec::as_slice).collect(),
            outputs: expected.iter().map(|items| 4 * items.len()).collect(),
            workspace: 1 << 20,
            shape_words: 6,
            ..Request::default()
        };
        for processor in processors {
            let answer = emulator::run_on(&program, processor, &request).unwrap();
            for (found, expected) in answer.outputs.iter().zip(&expected) {
                assert_close(&floats(found), expected);
            }
        }
    }
}

#[test]
fn one_program_for_sve_of_any_length() {
    check("aarch64-unknown-linux-gnu", "+sve", &SVE);
}

#[test]
fn one_program_for_the_vectors_of_risc_v_of_any_length() {
    check("riscv64-unknown-linux-gnu", "+m,+a,+f,+d,+c,+v", &RVV);
}
