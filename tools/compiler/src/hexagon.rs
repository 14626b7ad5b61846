//! Models compiled for Hexagon, on an emulator.

use crate::Error;
use crate::tensors::{extents_of, written_shapes};
use skriptnd_hexagon::emulator::{self, Answer};
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::metadata::{Metadata, TensorInfo};
use skriptnd_runtime::stored::decoded;
use skriptnd_runtime::{Failed, ModelError, Stored, Tensor};
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
            outputs: interface.written().zip(&shapes).map(|(info, shape)| info.size(shape)).collect(),
            prepared: interface.prepared_bytes,
            workspace: interface.workspace_bytes,
            extents: extents.into_iter().map(|(_, value)| value).chain(seed).collect(),
            shape_words: shapes.iter().map(Vec::len).sum(),
            operations: interface.operations.len(),
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
            let failed = |message| wrong(ModelError::Tensor { role, name: info.name.clone(), message });
            Ok(Stored::of(info.storage, &tensor.into()).map_err(failed)?.view().bytes().to_vec())
        })
        .collect()
}

/// A tensor of what the program wrote; Hexagon is little endian.
fn tensor(info: &TensorInfo, shape: Vec<usize>, bytes: &[u8]) -> Tensor {
    // There is room for the largest shape; the elements stand at its begin.
    let bytes = &bytes[..info.size(&shape).min(bytes.len())];
    Tensor { data: decoded(info.storage, info.element_type, bytes), shape }
}
