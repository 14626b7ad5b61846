//! The C interface of a compiled model (`runtime/include/skriptnd.h`): what the graph takes and gives, the memory that a
//! caller provides, the metadata that say both, and the functions that are exported.

mod checks;
pub mod export;
mod group;
pub mod header;
mod labels;
pub mod linkage;
mod mark;
pub mod memory;
mod parallel;
pub mod permission;
pub mod shapes;
mod vtcm;
mod words;

use crate::generated::dialect_attributes::ExtentAttr;
use crate::generated::discardable::{
    BoundAttribute, EncodingAttribute, ExtentAttribute, FoundAttribute, FromAttribute, InputAttribute, OfAttribute,
    OutputAttribute, PackAttribute, SeedAttribute, ShapeAttribute, StateAttribute, StorageAttribute, VariableAttribute,
};
use crate::target::needed;
use crate::values::encoding::{self, Encoding};
use crate::values::ranges;
use crate::views::functions::{self, RUN};
use crate::{Error, Target, faults, notes};
pub use labels::{Labels, label};
use memory::Memory;
use skriptnd_mlir::ir::{Attribute, OperationRef, Type, attributes, types};
use skriptnd_mlir::ops::func;
use skriptnd_runtime::metadata::{ABI_VERSION, Extent, Metadata, OpenExtent, RELEASE, Shard, TensorInfo};
use skriptnd_runtime::operation::Operation;
use skriptnd_runtime::{ElementType, Fault, Storage, Values};

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
    /// Whether a run finds extents of outputs, which data determine, and writes the shapes of all outputs and new values of
    /// variables. Such outputs have room for as many elements as they have at most.
    pub finds_shapes: bool,
    /// Extents that only a run knows, in order.
    pub extents: Vec<OpenExtent>,
    /// Whether a run is given a seed, behind its extents.
    pub takes_seed: bool,
    /// What each argument of the function is.
    pub arguments: Vec<Role>,
}

/// What an argument of a graph's function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An input.
    Input,
    /// A variable.
    Variable,
    /// An extent.
    Extent,
    /// What random numbers begin with that have no seed.
    Seed,
}

/// What an argument or a result of the graph's function is; in the IR, attributes by these names mark it, and the note has
/// them as its `role`.
const ROLES: [(&str, &str); 7] = [
    (InputAttribute::NAME, "input"),
    (VariableAttribute::NAME, "variable"),
    (OutputAttribute::NAME, "output"),
    (StateAttribute::NAME, "state"),
    (FoundAttribute::NAME, "found"),
    (ExtentAttribute::NAME, "extent"),
    (SeedAttribute::NAME, "seed"),
];
/// In the IR, what the extents of an argument or result are where only a run knows one; in the note, its `shape`: numbers, and
/// [`ExtentAttr`].
const SHAPE: (&str, &str) = (ShapeAttribute::NAME, "shape");
/// In the IR, marks a pack of which only a run knows the length; in the note likewise.
const PACK: (&str, &str) = (PackAttribute::NAME, "pack");
/// In the IR, what the elements of an argument are computed with, and the form in which they are stored, if that is
/// narrower; in the note likewise.
const STORED: [(&str, &str); 2] = [(OfAttribute::NAME, "of"), (StorageAttribute::NAME, "storage")];
/// In the IR, between which numbers those of a variable or an output lie, as [`Encoding`]; in the note, which is read where the dialect
/// is not there, as two integers.
const VALUES: (&str, &str) = (EncodingAttribute::NAME, "values");
/// In the IR, what else is said of an extent; in the note likewise.
const OF_EXTENTS: [(&str, &str); 2] = [(BoundAttribute::NAME, "bound"), (FromAttribute::NAME, "from")];

/// Notes what the graph, a module's only public function, takes and gives, and calls the function [`RUN`].
///
/// # Errors
/// Where there is no such function, or a tensor has a type that the C interface has not.
pub fn describe(module: OperationRef<'_, '_>) -> Result<(), Error> {
    let function = graph(module)?;
    let context = function.context();
    let (inputs, results) = functions::signature(function)?;
    encoding::carry_results(function, &ranges(function));
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
    let extents: Vec<i64> = Interface::noted(module)?.extent_arguments().into_iter().map(|at| at as i64).collect();
    module.set(notes::EXTENTS, attributes::integers(context, &extents));
    function.set("sym_name", attributes::string(context, RUN));
    Ok(())
}

/// The only function that others may call.
fn graph<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, Error> {
    let functions: Vec<_> = functions::all(module)
        .filter(|function| function.full_name() == func::FUNC)
        .filter(|function| function.get_string("sym_visibility") != Some("private"))
        .filter(|function| !functions::is_of_extents(*function))
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
        let mut entry = vec![
            ("name", attributes::string(context, &name)),
            ("role", attributes::string(context, role)),
            ("type", attributes::r#type(*kind)),
        ];
        for (mark, key) in [SHAPE, PACK].into_iter().chain(OF_EXTENTS).chain(STORED) {
            entry.extend(entries.iter().find(|(name, _)| *name == mark).map(|(_, value)| (key, *value)));
        }
        entry.extend(values(&entries, *kind).map(|values| (VALUES.1, values)));
        if !matches!(role, "extent" | "seed") {
            tensor_info(name, *kind, attributes::dictionary(context, &entry))?;
        }
        tensors.push(attributes::dictionary(context, &entry));
    }
    Ok(attributes::array(context, &tensors))
}

/// Between which numbers the integers of a tensor lie, where that is more than how they are stored says.
fn values<'c>(entries: &[(&str, Attribute<'c>)], kind: Type<'c>) -> Option<Attribute<'c>> {
    let entry = |name| entries.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    let encoding = entry(VALUES.0).and_then(Encoding::read).filter(|_| types::element(kind).is_integer())?;
    let storage = entry(STORED[1].0).and_then(attributes::as_string).and_then(|text| text.parse::<Storage>().ok());
    let (least, most) = encoding.limits;
    (storage.and_then(Storage::range) != Some((least, most)))
        .then(|| attributes::integers(kind.context(), &[least, most]))
}

/// `note` says what the extents are, where only a run knows one, and how elements are stored.
fn tensor_info(name: String, kind: Type<'_>, note: Attribute<'_>) -> Result<TensorInfo, Error> {
    let named = entry(note, SHAPE.1);
    let is_pack = entry(note, PACK.1).is_some();
    let [of, storage] = STORED.map(|(_, key)| entry(note, key));
    if !types::is_ranked_tensor(kind) {
        return Err(Error::Unsupported(format!(
            "`{name}` is of type {kind}; the interface is described while a graph takes and gives tensors"
        )));
    }
    let known = |extent: Option<u64>| Some(Extent::Known(usize::try_from(extent?).ok()?));
    // What data determine lies flat in memory.
    let extents: Option<Vec<Extent>> = match named.and_then(attributes::as_array) {
        Some(named) => named.into_iter().map(extent).collect(),
        None => types::shape(kind).and_then(|shape| shape.into_iter().map(known).collect()),
    };
    let extents = extents.ok_or_else(|| {
        Error::Unsupported(format!("`{name}` has extents that are not known: {kind}; give them values with --bind"))
    })?;
    let element = of.and_then(attributes::as_type).unwrap_or_else(|| types::element(kind));
    let known = [
        (types::f32(kind.context()), ElementType::F32),
        (types::integer(kind.context(), 64), ElementType::I64),
        (types::integer(kind.context(), 1), ElementType::Bool),
    ];
    let element_type = known.into_iter().find(|(r#type, _)| *r#type == element).map(|(_, known)| known);
    let unknown = || Error::Unsupported(format!("`{name}` has elements of type {element}"));
    let element_type = element_type.ok_or_else(unknown)?;
    let storage: Storage = match storage.and_then(attributes::as_string) {
        Some(text) => text.parse().map_err(|reason| Error::malformed(format!("storage of `{name}`: {reason}")))?,
        None => element_type.into(),
    };
    let values = entry(note, VALUES.1).and_then(attributes::as_integers);
    let values = values.and_then(|values| Some(Values { least: *values.first()?, most: *values.get(1)? }));
    Ok(TensorInfo { name, label: String::new(), element_type, storage, is_pack, extents, values })
}

/// An extent from the attribute that says it.
fn extent(named: Attribute<'_>) -> Option<Extent> {
    if let Some(known) = attributes::as_integer(named) {
        return usize::try_from(known).ok().map(Extent::Known);
    }
    let named = ExtentAttr::new(named)?;
    let bound = named.bound().ok()?.and_then(attributes::as_integer);
    let bound = bound.and_then(|bound| usize::try_from(bound).ok());
    let expression = attributes::as_string(named.expression().ok()?)?.to_string();
    Some(Extent::Open { expression, bound })
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
        labels::call(module, "inputs", &mut interface.inputs);
        labels::call(module, "outputs", &mut interface.outputs);
        Ok(interface)
    }

    /// Adds an argument or result from its entry in the note; none if the entry is none.
    fn add(&mut self, noted: Attribute<'_>) -> Option<Result<(), Error>> {
        let text = |name| entry(noted, name).and_then(attributes::as_string);
        let (name, role) = (text("name")?.to_string(), text("role")?);
        if role == "extent" {
            let from = entry(noted, "from").and_then(attributes::as_integers)?;
            let &[input, dimension, factor, offset] = from.as_slice() else { return None };
            let (input, dimension) = (usize::try_from(input).ok()?, usize::try_from(dimension).ok()?);
            let bound = entry(noted, "bound").and_then(attributes::as_integer);
            self.extents.push(OpenExtent { name, bound, input, dimension, factor, offset });
            self.arguments.push(Role::Extent);
            return Some(Ok(()));
        }
        if role == "seed" {
            self.takes_seed = true;
            self.arguments.push(Role::Seed);
            return Some(Ok(()));
        }
        let kind = entry(noted, "type").and_then(attributes::as_type)?;
        let info = match tensor_info(name, kind, noted) {
            Ok(info) => info,
            Err(error) => return Some(Err(error)),
        };
        match role {
            "input" => {
                self.inputs.push(info);
                self.arguments.push(Role::Input);
            }
            "variable" => {
                self.variables.push(info);
                self.arguments.push(Role::Variable);
            }
            "output" => self.outputs.push(info),
            "state" => self.states.push(info),
            "found" => self.finds_shapes = true,
            _ => return None,
        }
        Some(Ok(()))
    }

    /// The tensors whose shapes depend on a run: inputs, outputs, new values of variables.
    pub fn shaped(&self) -> impl Iterator<Item = &TensorInfo> {
        self.inputs.iter().chain(&self.outputs).chain(&self.states)
    }

    /// Number of extents of all of them.
    pub fn shape_words(&self) -> usize {
        self.shaped().map(|tensor| tensor.extents.len()).sum()
    }

    /// Number of tensors that a run writes.
    pub fn written(&self) -> usize {
        self.outputs.len() + self.states.len()
    }

    /// Numbers of the arguments that are extents.
    pub fn extent_arguments(&self) -> Vec<usize> {
        (0..self.arguments.len()).filter(|&index| self.arguments[index] == Role::Extent).collect()
    }

    /// Numbers of the arguments that are variables.
    pub fn variable_arguments(&self) -> Vec<usize> {
        (0..self.arguments.len()).filter(|&index| self.arguments[index] == Role::Variable).collect()
    }

    /// Of the arguments that are variables, the numbers of those which no run gives a new value.
    pub fn fixed_arguments(&self) -> Vec<usize> {
        let is_fixed = |variable: &TensorInfo| !self.states.iter().any(|state| state.name == variable.name);
        let arguments = self.variable_arguments().into_iter().zip(&self.variables);
        arguments.filter(|(_, variable)| is_fixed(variable)).map(|(argument, _)| argument).collect()
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
    pub faults: Vec<Fault>,
    /// For what the code is.
    pub target: Target,
    /// How many loops share their work among threads.
    pub parallel_loops: usize,
    /// The operations that are marked for a profile.
    pub operations: Vec<Operation>,
    /// How processes share the graph, if they do.
    pub shard: Option<Shard>,
    /// Bytes of VTCM that a run needs, if it may have some.
    pub vtcm_bytes: Option<i64>,
    /// Whether code has matrices in registers, for which Linux has to be asked.
    pub has_matrices: bool,
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
            target: Target::noted(module),
            parallel_loops: module
                .get_integer(notes::PARALLEL)
                .and_then(|count| usize::try_from(count).ok())
                .unwrap_or(0),
            operations: mark::noted(module)?,
            shard: group::noted(module)?,
            vtcm_bytes: module.get_integer(notes::VTCM),
            has_matrices: module.get(notes::MATRICES).is_some(),
        })
    }

    /// The numbers that a caller in C needs before it has read the metadata: name, value, bits.
    pub fn constants(&self) -> Vec<(&'static str, i64, u32)> {
        let Planned { interface, memory, .. } = self;
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let known = [
            ("abi", i64::try_from(ABI_VERSION).unwrap_or(i64::MAX), 32),
            ("input_count", count(interface.inputs.len()), 32),
            ("variable_count", count(interface.variables.len()), 32),
            ("output_count", count(interface.written()), 32),
            ("state_count", count(interface.states.len()), 32),
            ("extent_count", count(interface.extents.len()), 32),
            ("seed_count", i64::from(interface.takes_seed), 32),
            ("shape_words", count(interface.shape_words() + 1), 32),
            ("prepared_bytes", memory.prepared_bytes, 64),
            ("workspace_bytes", memory.workspace_bytes(), 64),
        ];
        known.into_iter().chain(self.vtcm_bytes.map(|bytes| ("vtcm_bytes", bytes, 64))).collect()
    }

    /// What the compiled model says about itself.
    pub fn metadata(&self) -> Metadata {
        let Planned { interface, memory, faults, target, parallel_loops, operations, shard, vtcm_bytes, has_matrices } =
            self.clone();
        let size = |bytes: i64| usize::try_from(bytes).unwrap_or(0);
        Metadata {
            abi: ABI_VERSION,
            release: RELEASE.to_string(),
            graph: interface.graph,
            target: target.spec.triple.to_string(),
            cpu: target.cpu().to_string(),
            features: needed::of_code(&target, has_matrices),
            versions: Vec::new(),
            inputs: interface.inputs,
            variables: interface.variables,
            outputs: interface.outputs,
            states: interface.states,
            extents: interface.extents,
            parallel_loops,
            takes_seed: interface.takes_seed,
            faults,
            operations,
            shard,
            vtcm_bytes: vtcm_bytes.map(size),
            prepared_bytes: size(memory.prepared_bytes),
            workspace_bytes: size(memory.workspace_bytes()),
            peak_bytes: size(memory.run_bytes),
        }
    }
}
