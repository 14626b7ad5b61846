//! Elements of tables of bytes, by all instructions that find them: those that a plain loop finds.

use crate::support::{bytes, floats, load_for, program, reals, session};
use skriptnd_codegen::Target;
use skriptnd_hexagon::emulator::{self, Request};
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Tensor, TensorData};

const ROWS: usize = 3;

/// Elements of a table of `count` bytes in the places that `x` tells.
fn module(width: usize, count: usize) -> String {
    let (x, t) = (format!("tensor<{ROWS}x{width}xf32>"), format!("tensor<{count}x"));
    format!(
        r#"#id = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @Net(%x: {x} {{skriptnd.input = "x"}}, %t: {t}f32> {{skriptnd.input = "t"}}) -> ({x} {{skriptnd.output = "y"}}) {{
  %et = tensor.empty() : {t}i8>
  %table = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%t : {t}f32>) outs(%et : {t}i8>) {{
  ^bb0(%a: f32, %o: i8):
    %w = arith.fptoui %a : f32 to i32
    %n = arith.trunci %w : i32 to i8
    linalg.yield %n : i8
  }} -> {t}i8>
  %ex = tensor.empty() : {x}
  %y = linalg.generic {{indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%x : {x}) outs(%ex : {x}) {{
  ^bb0(%a: f32, %o: f32):
    %w = arith.fptoui %a : f32 to i32
    %n = arith.trunci %w : i32 to i8
    %e = arith.extui %n : i8 to i32
    %p = arith.index_cast %e : i32 to index
    %f = tensor.extract %table[%p] : {t}i8>
    %v = arith.uitofp %f : i8 to f32
    linalg.yield %v : f32
  }} -> {x}
  return %y : {x}
}}"#
    )
}

/// Places and a table.
fn given(width: usize, count: usize) -> [Vec<f32>; 2] {
    let places = (0..ROWS * width).map(|at| ((at * 37 + at / 11 + count - 1) % count) as f32);
    [places.collect(), (0..count).map(|at| ((at * 91 + 13) % 256) as f32).collect()]
}

fn expected([places, table]: &[Vec<f32>; 2]) -> Vec<f32> {
    places.iter().map(|place| table[*place as usize]).collect()
}

/// Rows that fill vectors and that do not, and tables that fill registers and that do not.
const CASES: [(usize, usize); 9] =
    [(1, 256), (5, 16), (64, 17), (67, 40), (256, 64), (100, 100), (33, 129), (130, 200), (300, 256)];

#[test]
fn processors_of_this_machine_find_elements_of_tables() {
    let host = Target::host();
    let sets = ["", "+avx2,+fma", "+avx512bw,+avx512vl,+fma", "+avx512vbmi,+avx512bw,+avx512vl,+fma", "the host"];
    let names = |set: &'static str| set.split(',').filter_map(|feature| feature.strip_prefix('+'));
    for set in sets.into_iter().filter(|set| names(set).all(|feature| host.has(feature))) {
        let cpu = if host.architecture() == "x86_64" { "x86-64" } else { "generic" };
        let bare = Target::of(TargetSpec { cpu: cpu.into(), features: set.into(), ..host.spec.clone() });
        for (width, count) in CASES {
            let given = given(width, count);
            let target = if set == "the host" { host.clone() } else { bare.clone() };
            let (library, _) = load_for(&module(width, count), target);
            let tensor = |shape: &[usize], items: &[f32]| Tensor {
                shape: shape.to_vec(),
                data: TensorData::F32(items.to_vec()),
            };
            let inputs = [tensor(&[ROWS, width], &given[0]), tensor(&[count], &given[1])];
            let outputs = session(library, &[]).run(&inputs).unwrap();
            assert_eq!(reals(&outputs[0]), expected(&given), "{set}: {width} places in {count}");
        }
    }
}

#[test]
fn neon_finds_elements_of_tables() {
    for (width, count) in CASES {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::described("aarch64-unknown-linux-gnu", "", "+neon");
        let program = program(&module(width, count), target, folder.path());
        let given = given(width, count);
        let inputs = [bytes(&given[0]), bytes(&given[1])];
        let request = Request {
            inputs: inputs.iter().map(Vec::as_slice).collect(),
            outputs: vec![4 * ROWS * width],
            workspace: 1 << 20,
            ..Request::default()
        };
        let answer = emulator::run_on::<&str>(&program, &[], &request).unwrap();
        assert_eq!(floats(&answer.outputs[0]), expected(&given), "{width} places in {count}");
    }
}
