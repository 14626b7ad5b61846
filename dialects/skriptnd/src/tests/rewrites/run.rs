//! Graphs before and after, in the interpreter.

use skriptnd_interpret::{Limits, Variables};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::graph::{self, Argument};
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::FileProvider;

struct Text<'t>(&'t str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_string(), self.0.to_string())))
    }
}

/// There are none.
struct NoVariables;

impl Variables for NoVariables {
    fn read(&self, file: &str, _: &graph::Tensor) -> Result<Tensor, String> {
        Err(format!("no variable {file}"))
    }
}

/// How much the results of a graph may change.
#[derive(Clone, Copy, PartialEq)]
pub enum Exactness {
    /// Not by a bit, whatever the operands.
    Bits,
    /// By the rounding of ordinary numbers.
    Rounded,
}

/// Computes both graphs for the same random operands; why they differ.
pub fn compare(before: &str, after: &str, exactness: Exactness) -> Result<(), String> {
    for seed in 1..=6 {
        let (before, after) = (compute(before, seed, exactness)?, compute(after, seed, exactness)?);
        if before.shape != after.shape || !equal(&before.data, &after.data, exactness) {
            return Err(format!("{before:?} is not {after:?}"));
        }
    }
    Ok(())
}

/// Bit by bit; but what is no number is equal.
fn equal(left: &TensorData, right: &TensorData, exactness: Exactness) -> bool {
    match (left, right) {
        (TensorData::F32(left), TensorData::F32(right)) if exactness == Exactness::Rounded => {
            left.iter().zip(right).all(|(left, right)| (left - right).abs() <= 1e-4 * left.abs().max(1.0))
        }
        (TensorData::F32(left), TensorData::F32(right)) => left
            .iter()
            .zip(right)
            .all(|(left, right)| left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()),
        (left, right) => left == right,
    }
}

fn compute(text: &str, seed: u64, exactness: Exactness) -> Result<Tensor, String> {
    let model = CheckedModel::load(&Text(text));
    let (graph, diagnostics) = model.compose(&ComposeOptions::default());
    let graph = graph.ok_or_else(|| format!("{:?} {diagnostics:?}", model.diagnostics))?;
    let mut state = seed;
    let mut inputs = Vec::new();
    for port in &graph.inputs {
        for id in port.tensors.items() {
            let tensor = graph.tensor(*id);
            let shape: Vec<usize> = tensor.ty.shape.iter().map(|extent| extent.as_known().unwrap() as usize).collect();
            let count = shape.iter().product();
            let numbers = (0..count).map(|_| random(&mut state));
            let data = match tensor.ty.dtype.keyword() {
                "bool" => TensorData::Bool(numbers.map(|number| number & 1 == 0).collect()),
                "int" => TensorData::I64(numbers.map(integer).collect()),
                _ if exactness == Exactness::Rounded => TensorData::F32(numbers.map(ordinary).collect()),
                _ => TensorData::F32(numbers.map(real).collect()),
            };
            inputs.push(Some(Argument::Single(Tensor { shape, data })));
        }
    }
    let outcome = skriptnd_interpret::run(&model.definitions, &graph, inputs, &NoVariables, &Limits::default());
    let outcome = outcome.map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let output = outcome.outputs.first().and_then(|(_, output)| output.items().first().cloned());
    output.map(|tensor| (*tensor).clone()).ok_or_else(|| "no output".into())
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Every fourth number is one of those at which laws of arithmetic end, every fourth an integer; the others are between -4
/// and 4.
fn real(random: u64) -> f32 {
    let number = (random / 4 % 8001) as f32 / 1000.0 - 4.0;
    match random % 4 {
        0 => [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, 1e-40][(random / 4 % 7) as usize],
        1 => number.round(),
        _ => number,
    }
}

/// Numbers between 0.25 and 2.25.
fn ordinary(random: u64) -> f32 {
    (random % 2001) as f32 / 1000.0 + 0.25
}

/// Every fourth number is one at which integers overflow; the others are between -4 and 4, without zero, by which nothing
/// is divided.
fn integer(random: u64) -> i64 {
    match random % 4 {
        0 => [i64::MIN, i64::MIN + 1, i64::MAX, 3_037_000_500, -1][(random / 4 % 5) as usize],
        _ => [-4, -3, -2, -1, 1, 2, 3, 4][(random / 4 % 8) as usize],
    }
}
