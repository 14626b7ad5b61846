//! Compiling a module to a library, running it, and numbers to run it on.

use skriptnd_codegen::{CompileOptions, CompileReport, Compiled, Emit, Target, compile};
use skriptnd_mlir::{Registry, parse_module};
use skriptnd_runtime::metadata::TensorInfo;
use skriptnd_runtime::{Library, Model, Session, Tensor, TensorData, Variable};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Compiles for the host and loads.
pub fn load(text: &str) -> (Library, CompileReport) {
    load_for(text, Target::host())
}

/// Compiles for a target that this machine can run, and loads.
pub fn load_for(text: &str, target: Target) -> (Library, CompileReport) {
    load_with(text, &CompileOptions::new(target, Emit::SharedLibrary))
}

/// Compiles and loads.
pub fn load_with(text: &str, options: &CompileOptions) -> (Library, CompileReport) {
    let context = Registry::new().context();
    let module = parse_module(&context, text, "test.mlir").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("model.so");
    let Compiled { code, report, .. } = compile(module, options).unwrap();
    std::fs::write(&output, code).unwrap();
    (Library::load(&output).unwrap(), report)
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

/// A session of a model; it sees whether runs touch other memory than theirs.
pub fn session(library: Library, variables: &[Tensor]) -> Session {
    let variables = variables.iter().cloned().map(Variable::Owned).collect();
    Model::new(library, variables).unwrap().session_builder().guarded(true).build().unwrap()
}

/// Runs a model on random inputs and variables; gives inputs, variables, outputs. A second run gives the same.
pub fn run(library: Library) -> (Vec<Tensor>, Vec<Tensor>, Vec<Tensor>) {
    let of_infos = |infos: &[TensorInfo], seed| -> Vec<Tensor> {
        (seed..).zip(infos).map(|(seed, info)| random(seed, &info.shape().unwrap_or_default())).collect()
    };
    let metadata = library.metadata();
    let (inputs, variables) = (of_infos(&metadata.inputs, 1), of_infos(&metadata.variables, 100));
    let mut session = session(library, &variables);
    let outputs = session.run(&inputs).unwrap();
    assert_eq!(session.run(&inputs).unwrap(), outputs);
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

/// The program of a module for an emulator, in a file of a folder.
pub fn program(text: &str, target: Target, folder: &Path) -> PathBuf {
    let context = Registry::new().context();
    let module = parse_module(&context, text, "scalable.mlir").unwrap();
    let Compiled { code, .. } = compile(module, &CompileOptions::new(target, Emit::Runner)).unwrap();
    let path = folder.join("program");
    std::fs::write(&path, code).unwrap();
    std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

/// Reals as they are given to an emulator.
pub fn bytes(items: &[f32]) -> Vec<u8> {
    items.iter().flat_map(|item| item.to_le_bytes()).collect()
}

/// The same back.
pub fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}
