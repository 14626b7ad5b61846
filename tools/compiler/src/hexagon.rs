//! Models compiled for Hexagon, on an emulator.

use crate::Error;
use crate::tensors::{extents_of, written_shapes};
use skriptnd_hexagon::emulator::{self, Answer};
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::metadata::{Metadata, TensorInfo};
use skriptnd_runtime::{ElementType, Failed, ModelError, Tensor, TensorData};
use std::path::Path;

/// Runs an executable that was compiled from a graph; all tensors are in the order of its interface. `seeds` gives the word that
/// random numbers without a seed are drawn from. The results are those
/// of the outputs and, behind them, of the states.
///
/// # Errors
/// Where a tensor is not what the model takes, the run fails, or the program stops early.
pub fn run(
    executable: &Path,
    interface: &Metadata,
    inputs: &[Tensor],
    variables: &[Tensor],
    seeds: &mut Generator,
) -> Result<(Vec<Tensor>, Answer), Error> {
    let extents = extents_of(interface, inputs)?;
    let shapes = written_shapes(interface, &extents)?;
    let inputs = checked(&interface.inputs, inputs, "input")?;
    let variables = checked(&interface.variables, variables, "variable")?;
    let seed = interface.takes_seed.then(|| seeds.bits() as i64);
    let answer = emulator::run(
        executable,
        &emulator::Request {
            inputs: inputs.iter().map(Vec::as_slice).collect(),
            variables: variables.iter().map(Vec::as_slice).collect(),
            outputs: interface.written().zip(&shapes).map(|(info, shape)| size(info, shape)).collect(),
            prepared: interface.prepared_bytes,
            workspace: interface.workspace_bytes,
            extents: extents.into_iter().map(|(_, value)| value).chain(seed).collect(),
            shape_words: shapes.iter().map(Vec::len).sum(),
        },
    )?;
    if let Some(record) = &answer.fault {
        let failed = Failed::of(&interface.faults, record);
        return Err(failed.map_or(Error::UnknownFault(record.clone()), |failed| Error::Failed(Box::new(failed))));
    }
    let found = interface.found_shapes(&answer.shapes, &shapes);
    let found = found.map_err(|error| Error::Tensor(error.to_string()))?;
    let results = interface.written().zip(found).zip(&answer.outputs);
    let results = results.map(|((info, shape), bytes)| tensor(info, shape, bytes)).collect();
    Ok((results, answer))
}

fn checked(infos: &[TensorInfo], tensors: &[Tensor], role: &'static str) -> Result<Vec<Vec<u8>>, Error> {
    let wrong = |error: ModelError| Error::Tensor(error.to_string());
    if infos.len() != tensors.len() {
        return Err(wrong(ModelError::Count { role, expected: infos.len(), found: tensors.len() }));
    }
    let pairs = infos.iter().zip(tensors);
    pairs
        .map(|(info, tensor)| {
            info.check(role, tensor.element_type(), &tensor.shape).map_err(wrong)?;
            let stored = info.stored(role, &tensor.into()).map_err(wrong)?;
            Ok(stored.map_or_else(|| bytes(tensor), |stored| stored.bytes()))
        })
        .collect()
}

/// Bytes of a tensor.
fn size(info: &TensorInfo, shape: &[usize]) -> usize {
    shape.iter().product::<usize>() * info.element_type.size()
}

/// A tensor of what the program wrote; Hexagon is little endian.
fn tensor(info: &TensorInfo, shape: Vec<usize>, bytes: &[u8]) -> Tensor {
    // There is room for the largest shape; the elements stand at its begin.
    let bytes = &bytes[..size(info, &shape).min(bytes.len())];
    let data = match info.element_type {
        ElementType::F32 => {
            let words = bytes.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            TensorData::F32(words.collect())
        }
        ElementType::I64 => TensorData::I64(bytes.chunks_exact(8).map(int).collect()),
        ElementType::Bool => TensorData::Bool(bytes.iter().map(|&byte| byte != 0).collect()),
    };
    Tensor { shape, data }
}

fn int(word: &[u8]) -> i64 {
    word.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte)) as i64
}

fn bytes(tensor: &Tensor) -> Vec<u8> {
    match &tensor.data {
        TensorData::F32(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        TensorData::I64(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        TensorData::Bool(items) => items.iter().map(|&item| u8::from(item)).collect(),
    }
}
