//! Models compiled for Hexagon, on an emulator.

use crate::Error;
use serde_json::Value as Json;
use skriptnd_hexagon::emulator::{self, Answer};
use skriptnd_runtime::{Failed, Fault, Tensor, TensorData};
use std::path::Path;

/// Runs an executable that was compiled from a graph; all tensors are in the order of its interface. The results are those
/// of the outputs and, behind them, of the states.
///
/// # Errors
/// Where a tensor is not what the model takes, the run fails, or the program stops early.
pub fn run(
    executable: &Path,
    interface: &Interface,
    inputs: &[Tensor],
    variables: &[Tensor],
) -> Result<(Vec<Tensor>, Answer), Error> {
    let inputs = checked(&interface.inputs, inputs, "input")?;
    let variables = checked(&interface.variables, variables, "variable")?;
    let answer = emulator::run(executable, &interface.request(&inputs, &variables))?;
    if let Some(record) = &answer.fault {
        let failed = Failed::of(&interface.faults, record);
        return Err(failed.map_or(Error::UnknownFault(record.clone()), |failed| Error::Failed(Box::new(failed))));
    }
    let results = interface.written().zip(&answer.outputs).map(|(info, bytes)| info.tensor(bytes)).collect();
    Ok((results, answer))
}

fn checked(infos: &[Info], tensors: &[Tensor], role: &str) -> Result<Vec<Vec<u8>>, Error> {
    if infos.len() != tensors.len() {
        return Err(Error::Tensor(format!("the model has {} {role}s; {} were given", infos.len(), tensors.len())));
    }
    let pairs = infos.iter().zip(tensors);
    pairs.map(|(info, tensor)| info.check(tensor, role).map(|()| bytes(tensor))).collect()
}

/// What a compiled model says of itself.
pub struct Interface {
    inputs: Vec<Info>,
    outputs: Vec<Info>,
    /// Variables in order, named by their files.
    pub variables: Vec<Info>,
    /// Variables as the run leaves them.
    pub states: Vec<Info>,
    faults: Vec<Fault>,
    /// Bytes of what is made of the variables once, and of what a run needs besides.
    prepared: usize,
    workspace: usize,
}

impl Interface {
    /// Reads what compilation reports.
    ///
    /// # Errors
    /// Where something is missing.
    pub fn read(metadata: &Json) -> Result<Self, Error> {
        let faults = metadata["faults"].as_array().map(|list| list.iter().map(Fault::parse).collect::<Option<_>>());
        Ok(Interface {
            inputs: infos(metadata, "inputs")?,
            outputs: infos(metadata, "outputs")?,
            variables: infos(metadata, "variables")?,
            states: infos(metadata, "states")?,
            faults: faults.flatten().ok_or(Error::Interface("faults"))?,
            prepared: number(metadata, "prepared_bytes")?,
            workspace: number(metadata, "workspace_bytes")?,
        })
    }

    fn written(&self) -> impl Iterator<Item = &Info> {
        self.outputs.iter().chain(&self.states)
    }

    fn request<'a>(&self, inputs: &'a [Vec<u8>], variables: &'a [Vec<u8>]) -> emulator::Request<'a> {
        emulator::Request {
            inputs: inputs.iter().map(Vec::as_slice).collect(),
            variables: variables.iter().map(Vec::as_slice).collect(),
            outputs: self.written().map(Info::size).collect(),
            prepared: self.prepared,
            workspace: self.workspace,
        }
    }
}

/// A tensor of the compiled model's interface.
pub struct Info {
    /// Name; of a variable the stem of its file.
    pub name: String,
    kind: String,
    shape: Vec<usize>,
}

fn infos(metadata: &Json, list: &'static str) -> Result<Vec<Info>, Error> {
    let info = |json: &Json| {
        let extents = json["shape"].as_array()?.iter();
        let shape = extents.map(|extent| usize::try_from(extent.as_u64()?).ok()).collect::<Option<_>>()?;
        Some(Info { name: json["name"].as_str()?.into(), kind: json["type"].as_str()?.into(), shape })
    };
    let infos = metadata[list].as_array().and_then(|list| list.iter().map(info).collect::<Option<_>>());
    infos.ok_or(Error::Interface(list))
}

fn number(metadata: &Json, name: &'static str) -> Result<usize, Error> {
    let number = metadata[name].as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or(Error::Interface(name))
}

impl Info {
    fn count(&self) -> usize {
        self.shape.iter().product()
    }

    fn size(&self) -> usize {
        let item = match self.kind.as_str() {
            "real" => 4,
            "int" => 8,
            _ => 1,
        };
        self.count() * item
    }

    fn check(&self, tensor: &Tensor, role: &str) -> Result<(), Error> {
        let found = tensor.element_type().to_string();
        if found == self.kind && tensor.shape == self.shape {
            return Ok(());
        }
        let Info { name, kind, shape } = self;
        Err(Error::Tensor(format!("{role} `{name}`: expected {kind}{shape:?}, found {found}{:?}", tensor.shape)))
    }

    /// Hexagon is little endian.
    fn tensor(&self, bytes: &[u8]) -> Tensor {
        let data = match self.kind.as_str() {
            "real" => {
                let words = bytes.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                TensorData::F32(words.collect())
            }
            "int" => TensorData::I64(bytes.chunks_exact(8).map(int).collect()),
            _ => TensorData::Bool(bytes.iter().map(|&byte| byte != 0).collect()),
        };
        Tensor { shape: self.shape.clone(), data }
    }
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
