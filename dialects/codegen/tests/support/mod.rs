//! Compiling a module to a library, running it, and numbers to run it on.

use skriptnd_codegen::{CompileOptions, CompileReport, Compiled, Emit, Target, compile};
use skriptnd_mlir::{Registry, parse_module};
use skriptnd_runtime::{Model, Tensor, TensorData, Variable};

/// Compiles for the host and loads.
pub fn load(text: &str) -> (Model, CompileReport) {
    load_for(text, Target::host())
}

/// Compiles for a target that this machine can run, and loads.
pub fn load_for(text: &str, target: Target) -> (Model, CompileReport) {
    let context = Registry::new().context();
    let module = parse_module(&context, text, "test.mlir").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("model.so");
    let options = CompileOptions::new(target, Emit::SharedLibrary);
    let Compiled { code, report, .. } = compile(module, &options).unwrap();
    std::fs::write(&output, code).unwrap();
    (Model::load(&output).unwrap(), report)
}

/// Numbers between -1 and 1 without a pattern.
pub fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// A tensor of such numbers.
pub fn random(seed: u64, shape: &[usize]) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::F32(numbers(seed, shape.iter().product())) }
}

/// Elements of a tensor of reals.
pub fn reals(tensor: &Tensor) -> &[f32] {
    match &tensor.data {
        TensorData::F32(items) => items,
        other => panic!("expected reals, found {:?}", other.element_type()),
    }
}

/// Runs a model on random inputs and variables; gives inputs, variables, outputs. A second run gives the same.
pub fn run(model: &mut Model) -> (Vec<Tensor>, Vec<Tensor>, Vec<Tensor>) {
    let inputs: Vec<Tensor> = model
        .inputs()
        .iter()
        .enumerate()
        .map(|(index, info)| random(1 + index as u64, &info.shape().unwrap_or_default()))
        .collect();
    let variables: Vec<Tensor> = model
        .variables()
        .iter()
        .enumerate()
        .map(|(index, info)| random(100 + index as u64, &info.shape().unwrap_or_default()))
        .collect();
    model.prepare(variables.iter().cloned().map(Variable::Owned).collect()).unwrap();
    let outputs = model.run(&inputs).unwrap();
    assert_eq!(model.run(&inputs).unwrap(), outputs);
    (inputs, variables, outputs)
}

/// Compares with a tolerance relative to the largest expected value.
#[track_caller]
pub fn assert_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1e-3f32, |largest, value| largest.max(value.abs()));
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 1e-4 * largest, "at {index}: found {found}, expected {expected}");
    }
}
