//! The C interface of a compiled model (`runtime/include/skriptnd.h`): what the graph takes and gives, the memory that a
//! caller provides, the metadata that say both, and the functions that are exported.

mod checks;
pub mod export;
pub mod memory;

use crate::functions::{self, RUN};
use crate::structured::static_shape;
use crate::{Error, faults, notes};
use memory::Memory;
use serde_json::{Value as Json, json};
use skriptnd_mlir::ir::{Attribute, OperationRef, Type, attributes, types};
use skriptnd_mlir::ops::func;

/// Version of the interface; the loader refuses others.
pub const ABI_VERSION: i64 = 2;

/// A tensor of the interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Name of an input or output; for variables the stem of the file.
    pub name: String,
    /// `real`, `int` or `bool`.
    pub kind: &'static str,
    /// Extents.
    pub shape: Vec<i64>,
}

/// What a graph takes and gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interface {
    /// Name of the graph.
    pub graph: String,
    /// Inputs in order.
    pub inputs: Vec<TensorInfo>,
    /// Variables in order.
    pub variables: Vec<TensorInfo>,
    /// Outputs in order.
    pub outputs: Vec<TensorInfo>,
    /// New values of variables, in order; they are written behind the outputs.
    pub states: Vec<TensorInfo>,
    /// For each argument of the function, whether it is a variable.
    pub is_variable: Vec<bool>,
}

/// What an argument or a result of the graph's function is; in the IR, attributes by these names mark it, and the note has
/// them as its `role`.
const ROLES: [(&str, &str); 4] =
    [(notes::INPUT, "input"), (notes::VARIABLE, "variable"), (notes::OUTPUT, "output"), (notes::STATE, "state")];

/// Notes what the graph, a module's only public function, takes and gives, and calls the function [`RUN`].
///
/// # Errors
/// Where there is no such function, or a tensor has a type that the C interface has not.
pub fn describe(module: OperationRef<'_, '_>) -> Result<(), Error> {
    let function = graph(module)?;
    let context = function.context();
    let (inputs, results) = functions::signature(function)?;
    let name = function.get_string("sym_name").unwrap_or_default();
    let described = attributes::dictionary(
        context,
        &[
            ("graph", attributes::string(context, name)),
            ("arguments", tensors(function, "arg_attrs", &inputs, "input")?),
            ("results", tensors(function, "res_attrs", &results, "output")?),
        ],
    );
    module.set(notes::INTERFACE, described);
    function.set("sym_name", attributes::string(context, RUN));
    Ok(())
}

/// The only function that others may call.
fn graph<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, Error> {
    let functions: Vec<_> = functions::all(module)
        .filter(|function| function.full_name() == func::FUNC)
        .filter(|function| function.get_string("sym_visibility") != Some("private"))
        .collect();
    match functions.as_slice() {
        [only] => Ok(*only),
        others => Err(Error::malformed(format!("{} public functions; there must be one", others.len()))),
    }
}

/// The note about arguments or results; `usual` is the role of those that have no attribute.
fn tensors<'c>(
    function: OperationRef<'c, '_>,
    list: &str,
    kinds: &[Type<'c>],
    usual: &str,
) -> Result<Attribute<'c>, Error> {
    let context = function.context();
    let marks = function.get(list).and_then(attributes::as_array).unwrap_or_default();
    let mut tensors = Vec::new();
    for (index, kind) in kinds.iter().enumerate() {
        let entries = marks.get(index).copied().and_then(attributes::as_dictionary).unwrap_or_default();
        let mark = entries.iter().find_map(|(name, value)| {
            let (_, role) = ROLES.iter().find(|(mark, _)| mark == name)?;
            Some((*role, attributes::as_string(*value)?.to_string()))
        });
        let (role, name) = mark.unwrap_or_else(|| (usual, format!("{usual}{index}")));
        let info = tensor_info(name, *kind)?;
        let entry = [
            ("name", attributes::string(context, &info.name)),
            ("role", attributes::string(context, role)),
            ("type", attributes::r#type(*kind)),
        ];
        tensors.push(attributes::dictionary(context, &entry));
    }
    Ok(attributes::array(context, &tensors))
}

fn tensor_info(name: String, kind: Type<'_>) -> Result<TensorInfo, Error> {
    if !types::is_ranked_tensor(kind) {
        return Err(Error::Unsupported(format!(
            "`{name}` is of type {kind}; the interface is described while a graph takes and gives tensors"
        )));
    }
    let shape = static_shape(kind).ok_or_else(|| {
        Error::Unsupported(format!("`{name}` has extents that are not known: {kind}; give them values with --bind"))
    })?;
    let element = types::element(kind);
    let known = [(types::f32(kind.context()), "real"), (types::integer(kind.context(), 64), "int")];
    let boolean = types::is_integer(element, 1).then_some("bool");
    let kind = known.into_iter().find(|(r#type, _)| *r#type == element).map(|(_, name)| name).or(boolean);
    let kind = kind.ok_or_else(|| Error::Unsupported(format!("`{name}` has elements of type {element}")))?;
    Ok(TensorInfo { name, kind, shape })
}

impl Interface {
    /// What [`describe`] noted.
    ///
    /// # Errors
    /// Where it has not run.
    pub fn noted(module: OperationRef<'_, '_>) -> Result<Interface, Error> {
        let note = notes::read(module, notes::INTERFACE, "codegen-describe-interface")?;
        let mut interface = Interface::default();
        let malformed =
            || Error::malformed(format!("`{}` does not say what a graph takes and gives", notes::INTERFACE));
        let entry = |name| entry(note, name).ok_or_else(malformed);
        interface.graph = attributes::as_string(entry("graph")?).ok_or_else(malformed)?.to_string();
        for list in ["arguments", "results"] {
            for tensor in attributes::as_array(entry(list)?).ok_or_else(malformed)? {
                interface.add(tensor).ok_or_else(malformed)??;
            }
        }
        Ok(interface)
    }

    /// Adds a tensor from its entry in the note; none if the entry is none.
    fn add(&mut self, tensor: Attribute<'_>) -> Option<Result<(), Error>> {
        let text = |name| entry(tensor, name).and_then(attributes::as_string);
        let kind = entry(tensor, "type").and_then(attributes::as_type)?;
        let info = match tensor_info(text("name")?.to_string(), kind) {
            Ok(info) => info,
            Err(error) => return Some(Err(error)),
        };
        let role = text("role")?;
        if matches!(role, "input" | "variable") {
            self.is_variable.push(role == "variable");
        }
        match role {
            "input" => self.inputs.push(info),
            "variable" => self.variables.push(info),
            "output" => self.outputs.push(info),
            "state" => self.states.push(info),
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Number of tensors that a run writes.
    pub fn written(&self) -> usize {
        self.outputs.len() + self.states.len()
    }

    /// Numbers of the arguments that are variables.
    pub fn variable_arguments(&self) -> Vec<usize> {
        (0..self.is_variable.len()).filter(|&index| self.is_variable[index]).collect()
    }
}

fn entry<'c>(dictionary: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    attributes::as_dictionary(dictionary)?.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// All that earlier passes noted of a module whose memory is planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// What the graph takes and gives.
    pub interface: Interface,
    /// The memory of a run.
    pub memory: Memory,
    /// What is said of the faults that a run may report, in the order of their numbers.
    pub faults: Vec<Json>,
    /// Triple of the target.
    pub triple: String,
}

impl Planned {
    /// Reads the notes.
    ///
    /// # Errors
    /// Where one is missing.
    pub fn noted(module: OperationRef<'_, '_>) -> Result<Planned, Error> {
        Ok(Planned {
            interface: Interface::noted(module)?,
            memory: Memory::noted(module)?,
            faults: faults::noted(module)?,
            triple: crate::Target::noted(module).spec.triple,
        })
    }

    /// The metadata.
    pub fn metadata(&self) -> Json {
        let Planned { interface, memory, faults, triple } = self;
        let tensors = |list: &[TensorInfo]| -> Json {
            list.iter().map(|tensor| json!({"name": tensor.name, "type": tensor.kind, "shape": tensor.shape})).collect()
        };
        json!({
            "abi": ABI_VERSION,
            "graph": interface.graph,
            "target": triple,
            "inputs": tensors(&interface.inputs),
            "variables": tensors(&interface.variables),
            "outputs": tensors(&interface.outputs),
            "states": tensors(&interface.states),
            "faults": faults,
            "prepared_bytes": memory.prepared_bytes,
            "workspace_bytes": memory.workspace_bytes(),
            "peak_bytes": memory.run_bytes,
        })
    }
}
