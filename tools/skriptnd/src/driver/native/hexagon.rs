//! Models compiled for Hexagon, on an emulator.

use super::fault;
use super::session::{assigned, flat_inputs, stem};
use super::{Request, build};
use crate::driver::model::{Composed, Model};
use crate::driver::progress::Progress;
use crate::driver::run::{Finished, Options};
use crate::driver::variables;
use crate::failure::{Failure, print_message};
use serde_json::Value as Json;
use skriptnd_codegen::Target;
use skriptnd_hexagon::emulator;
use skriptnd_interpret::Variables;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::{Failed, Fault, Tensor, TensorData};
use std::time::Instant;

/// Compiles a model for Hexagon and runs it; the packets that the emulator counted are printed.
pub fn run_hexagon(
    options: &Options,
    model: &Model,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
    progress: &Progress,
) -> Result<Finished, Failure> {
    let started = Instant::now();
    skriptnd_interpret::check_inputs(&composed.graph, &inputs).map_err(|found| composed.fail(&found))?;
    let bound = model.bind_open_extents(&options.graph, composed, &inputs)?;
    let composed = bound.as_ref().unwrap_or(composed);
    let inputs = flat_inputs(&composed.graph, inputs)?;
    let folder = tempfile::tempdir().map_err(|error| Failure::input(format!("no temporary folder: {error}")))?;
    let executable = folder.path().join("model");
    let target = Target::named(Some(skriptnd_hexagon::target::TRIPLE), None);
    let request = Request::new(composed, target, skriptnd_codegen::Emit::Executable, &executable);
    let report = build(request, progress)?.report;
    let interface = Interface::read(&report.metadata)?;
    let input_bytes = checked(&interface.inputs, &inputs, "input")?;
    let variables = read_variables(options, model, composed, &interface.variables)?;
    let variable_bytes: Vec<Vec<u8>> = variables.iter().map(bytes).collect();
    let compile = started.elapsed();
    progress.step("running on the emulator");
    let started = Instant::now();
    let request = interface.request(&input_bytes, &variable_bytes);
    let answer = emulator::run(&executable, &request).map_err(Failure::input)?;
    let run = started.elapsed();
    if let Some(record) = &answer.fault {
        return Err(failed(&report.metadata, record, composed));
    }
    print_message(format_args!("{} packets, {} instructions\n", answer.packets, answer.instructions));
    let results = interface.written().zip(&answer.outputs).map(|(info, bytes)| info.tensor(bytes)).collect();
    let names = interface.states.iter().map(|info| info.name.as_str());
    let (outputs, variables) = assigned(&composed.graph, names, results);
    let peak_bytes = usize::try_from(report.peak_bytes).unwrap_or(0);
    Ok(Finished { outputs, variables, compile, run, peak_bytes })
}

/// What the record of a fault stands for.
fn failed(metadata: &Json, record: &[i64], composed: &Composed) -> Failure {
    let faults: Option<Vec<Fault>> =
        metadata["faults"].as_array().and_then(|list| list.iter().map(Fault::parse).collect());
    match Failed::of(&faults.unwrap_or_default(), record) {
        Some(failed) => fault::fault(&failed, composed),
        None => Failure::input(format!("the run failed with the unknown fault {record:?}")),
    }
}

fn read_variables(
    options: &Options,
    model: &Model,
    composed: &Composed,
    infos: &[Info],
) -> Result<Vec<Tensor>, Failure> {
    let graph = &composed.graph;
    let source = variables::Source::new(&options.variables, model, graph)?;
    let read = |info: &Info| {
        let declared =
            graph.variables.iter().map(|&id| graph.tensor(id)).find(|tensor| stem(tensor) == Some(&info.name));
        let declared =
            declared.ok_or_else(|| Failure::input(format!("variable `{}` is not in the model", info.name)))?;
        let tensor = source
            .read(&info.name, declared)
            .map_err(|reason| Failure::input(format!("variable `{}`: {reason}", declared.name)))?;
        info.check(&tensor, "variable").map(|()| tensor)
    };
    infos.iter().map(read).collect()
}

fn checked(infos: &[Info], tensors: &[Tensor], role: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let pairs = infos.iter().zip(tensors);
    pairs.map(|(info, tensor)| info.check(tensor, role).map(|()| bytes(tensor))).collect()
}

/// What a compiled model says of itself.
struct Interface {
    inputs: Vec<Info>,
    outputs: Vec<Info>,
    variables: Vec<Info>,
    /// Variables as the run leaves them.
    states: Vec<Info>,
    /// Bytes of what is made of the variables once, and of what a run needs besides.
    prepared: usize,
    workspace: usize,
}

impl Interface {
    fn read(metadata: &Json) -> Result<Self, Failure> {
        Ok(Interface {
            inputs: infos(metadata, "inputs")?,
            outputs: infos(metadata, "outputs")?,
            variables: infos(metadata, "variables")?,
            states: infos(metadata, "states")?,
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
struct Info {
    name: String,
    kind: String,
    shape: Vec<usize>,
}

fn infos(metadata: &Json, list: &str) -> Result<Vec<Info>, Failure> {
    let info = |json: &Json| {
        let extents = json["shape"].as_array()?.iter();
        let shape = extents.map(|extent| usize::try_from(extent.as_u64()?).ok()).collect::<Option<_>>()?;
        Some(Info { name: json["name"].as_str()?.into(), kind: json["type"].as_str()?.into(), shape })
    };
    let infos = metadata[list].as_array().and_then(|list| list.iter().map(info).collect::<Option<_>>());
    infos.ok_or_else(|| Failure::input(format!("the compiled model says nothing of its {list}")))
}

fn number(metadata: &Json, name: &str) -> Result<usize, Failure> {
    let number = metadata[name].as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| Failure::input(format!("the compiled model says nothing of its {name}")))
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

    fn check(&self, tensor: &Tensor, role: &str) -> Result<(), Failure> {
        let found = tensor.element_type().to_string();
        if found == self.kind && tensor.shape == self.shape {
            return Ok(());
        }
        let Info { name, kind, shape } = self;
        Err(Failure::input(format!("{role} `{name}`: expected {kind}{shape:?}, found {found}{:?}", tensor.shape)))
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
