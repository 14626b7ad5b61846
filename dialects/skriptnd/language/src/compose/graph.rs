//! The composed graph (specification, chapter 3): what the front end makes of a model, and what the interpreter and
//! the import to MLIR read. Operators stay whole in it: an [`Operation`] names its operator, and
//! [`Definitions::instance`](super::Definitions::instance) gives its formula or its composition.

use super::binding::Binding;
use super::extent::{Extent, SymExpr, SymOp};
use super::formula::Formula;
use super::value::{Symbolic, Value};
use skriptnd_runtime::{Storage, Values};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Frame;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use super::tensors::{Argument, OperatorCall, TensorId, TensorType};
pub use super::violation::RuntimeAssert;

/// Where a tensor's value comes from.
#[derive(Debug, Clone)]
pub enum Origin {
    /// An input of the graph or a parameter of a region.
    Input {
        /// Used where no value is given (section 2.6): a 0-rank default is broadcast.
        default: Option<Value>,
    },
    /// Read from a file (section 2.7).
    Variable {
        /// `main.<Graph>.<labels>.<variable>`: its file's name without extension.
        file: String,
    },
    /// Known when compiled: one scalar for all elements, or all of them in row-major order.
    Constant(Value),
    /// The result of an operation.
    Result,
}

/// A value of the graph: given, read from a file, known when compiled, or computed.
#[derive(Debug, Clone)]
pub struct Tensor {
    /// Scoped name, unique in the graph: `block1.conv.filter`.
    pub name: String,
    /// Type.
    pub ty: TensorType,
    /// Origin.
    pub origin: Origin,
    /// What it comes from: its declaration, an invocation, a control-flow construct or an expression.
    pub span: Span,
}

/// What an operation does.
#[derive(Debug, Clone)]
pub enum OperationKind {
    /// An operator.
    Operator(OperatorCall),
    /// A dynamic branch (section 2.10.1): conditions and consequents alternate, the last region is the alternative.
    If {
        /// Each condition yields one bool tensor of volume 1.
        arms: Vec<(Region, Region)>,
        /// The alternative.
        otherwise: Region,
    },
    /// A dynamic loop. The operation's inputs are: initial values of the carried tensors (singles), then the scan
    /// inputs (packs), then the count if it is a tensor (single or null). Its outputs are the final values of the
    /// carried tensors (singles), then the scan outputs (packs).
    Loop(Box<Loop>),
}

/// The parts of a dynamic loop.
#[derive(Debug, Clone)]
pub struct Loop {
    /// Parameters of `body` and `condition` in this order: carried, scan items, index if there is one.
    pub carried: usize,
    /// How many scan inputs.
    pub scans: usize,
    /// Whether the index is a parameter (an int tensor of rank 0).
    pub has_index: bool,
    /// Known count; with a count tensor or a condition it is an upper bound.
    pub count: Option<Extent>,
    /// Yields the new carried values, then one item of each scan output.
    pub body: Region,
    /// Yields one bool tensor of volume 1.
    pub condition: Option<Region>,
    /// Whether the condition is tested before the body rather than after it.
    pub tested_before: bool,
}

/// A sequence of operations that may use tensors from outside.
#[derive(Debug, Clone, Default)]
pub struct Region {
    /// Tensors that whoever runs the region gives values: carried tensors, items, the index of a loop.
    pub parameters: Vec<TensorId>,
    /// In an order in which they can run.
    pub operations: Vec<Operation>,
    /// What it yields.
    pub results: Vec<Argument>,
}

/// An operation of a graph.
#[derive(Debug, Clone)]
pub struct Operation {
    /// What it does.
    pub kind: OperationKind,
    /// One argument per parameter of the operator.
    pub inputs: Vec<Argument>,
    /// One argument per output of the operator; an output omitted by `~` has a tensor all the same.
    pub outputs: Vec<Argument>,
    /// Scope: labels from the graph to here, joined by `.`; may be empty.
    pub scope: String,
    /// Where it is invoked.
    pub span: Span,
    /// The invocations around it, innermost first; empty at graph level.
    pub chain: Vec<Frame>,
    /// What an operator was found to be; none for control flow.
    pub instance: Option<Arc<Instance>>,
}

/// An input or output of a graph.
#[derive(Debug, Clone)]
pub struct Port {
    /// The name in the declaration.
    pub name: String,
    /// The tensors that it consists of.
    pub tensors: Argument,
}

/// Which numbers the elements of a tensor of integers are.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoding {
    /// Between which they lie.
    pub values: Values,
    /// The reals that they stand for, if they do.
    pub steps: Option<Steps>,
}

/// How integers stand for reals: `(number - zero) * scale`.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// One, or one for each index along a dimension; none where only a run knows.
    pub scales: Vec<f32>,
    /// None where only a run knows, or where they differ along the dimension.
    pub zero: Option<i64>,
    /// That dimension.
    pub axis: Option<usize>,
}

/// How a tensor is quantized (section 2.14).
#[derive(Debug, Clone)]
pub struct Quantization {
    /// The tensor that is quantized.
    pub tensor: TensorId,
    /// The operator that simulates it, with its attributes.
    pub call: OperatorCall,
}

/// A composed graph, or the composition of one operator.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The definition's name, without that of the module.
    pub name: String,
    /// All tensors, those of inner regions too.
    pub tensors: Vec<Tensor>,
    /// Inputs in order of declaration.
    pub inputs: Vec<Port>,
    /// Outputs in order of declaration.
    pub outputs: Vec<Port>,
    /// Variables in order of declaration, outermost scope first.
    pub variables: Vec<TensorId>,
    /// What computes the outputs.
    pub body: Region,
    /// `@update`: operations that run after the body, and what each variable becomes.
    pub update: Region,
    /// Variable, new value.
    pub updates: Vec<(TensorId, TensorId)>,
    /// Quantization.
    pub quantizations: Vec<Quantization>,
    /// Asserts that depend on extents known only at run time: condition, message, place.
    pub runtime_asserts: Vec<RuntimeAssert>,
    /// Packs whose length only the run knows (inputs, results, scan outputs of dynamic loops), and parts of them: their first
    /// tensor, and the length. The graph has as many tensors as the length can be at most, which is the bound; a run gives
    /// values to the first ones. In the order of the tensors, the shorter ones of the same first tensor before the longer ones.
    pub pack_lengths: Vec<(TensorId, Extent)>,
    /// Inputs and variables whose elements are taken in another form than they are computed with.
    pub storage: BTreeMap<TensorId, Storage>,
    /// Tensors of integers of whose numbers something is known; who gives variables other values keeps to it.
    pub encodings: BTreeMap<TensorId, Encoding>,
    /// Outputs, by number, of whose form something was said.
    pub output_storage: BTreeMap<usize, Storage>,
    /// Inputs and outputs of a graph of the model that are packs without items, with the types that items would have.
    pub empty_packs: Vec<(String, TensorType)>,
}

/// An operator applied to operands of known type.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The call with every attribute and every generic type filled in.
    pub call: OperatorCall,
    /// Types of the results.
    pub outputs: Vec<Argument<TensorType>>,
    /// How they are computed.
    pub body: InstanceBody,
    /// What the invocation determines.
    pub(crate) binding: Arc<Binding>,
    /// The symbols of its operands and attributes: extents that only the run knows.
    pub symbols: Vec<Arc<str>>,
    /// Operations that it is composed of, all the way down.
    pub(crate) inner_operations: u64,
}

/// How an operator computes.
#[derive(Debug, Clone)]
pub enum InstanceBody {
    /// `@lower`
    Formula(Formula),
    /// `@compose`
    Composition(Box<Graph>),
    /// Neither: one of the operators that the language can't express, such as `layout.nonzero`.
    Intrinsic,
}

impl Instance {
    pub(crate) fn new(
        binding: Arc<Binding>,
        outputs: Vec<Argument<TensorType>>,
        body: InstanceBody,
        inner_operations: u64,
    ) -> Arc<Self> {
        let (call, symbols) = (binding.call.clone(), binding.symbols());
        Arc::new(Instance { call, outputs, body, binding, symbols, inner_operations })
    }

    /// Whether the types of its operands are not all that it depends on.
    pub fn knows_more(&self) -> bool {
        !self.symbols.is_empty() || self.binding.repeats_tensors
    }

    /// Whether a run that knows the extents can execute it as it was composed: of packs, it must be known how long they are.
    pub fn runs_as_composed(&self) -> bool {
        let binding = &self.binding;
        let mut lengths = binding.input_lengths.iter().chain(&binding.output_lengths);
        let mut attributes = binding.call.attributes.values();
        let open_pack = |value: &Value| matches!(value, Value::Symbolic(Symbolic::Pack { .. }));
        !binding.defers_assertions && lengths.all(Option::is_none) && !attributes.any(open_pack)
    }

    /// How many items an output has that is a pack, where only the run knows it and the operands tell it.
    pub fn output_length(&self, number: usize) -> Option<&SymExpr> {
        let length = self.binding.output_lengths.get(number)?.as_ref()?;
        let mut is_told = length.as_known().is_none();
        length.symbols(&mut |symbol| is_told &= self.symbols.contains(symbol));
        Some(length).filter(|_| is_told)
    }

    /// Numbers of the inputs that take their defaults, which its formula has as constants.
    pub fn default_inputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.binding.defaults.iter().map(|default| default.input)
    }

    /// The composition that a run executes for whatever extents it finds.
    pub fn open_composition(&self) -> Option<&Graph> {
        match &self.body {
            InstanceBody::Composition(graph) if !self.binding.defers_assertions => Some(graph),
            _ => None,
        }
    }
}

impl Graph {
    /// Symbols of extents that are the same number in all runs: others are refused.
    pub fn determined(&self) -> Vec<(String, i64)> {
        let number = |assertion: &RuntimeAssert| match &assertion.condition {
            SymExpr::Apply(SymOp::Eq, sides) => match sides.as_slice() {
                [SymExpr::Symbol(name), SymExpr::Const(value)] | [SymExpr::Const(value), SymExpr::Symbol(name)] => {
                    Some((name.to_string(), *value))
                }
                _ => None,
            },
            _ => None,
        };
        let numbers: BTreeSet<(String, i64)> = self.runtime_asserts.iter().filter_map(number).collect();
        numbers.into_iter().collect()
    }

    /// The tensor with this id.
    ///
    /// # Panics
    /// If the id is of another graph.
    pub fn tensor(&self, id: TensorId) -> &Tensor {
        &self.tensors[id.0 as usize]
    }

    /// The length of the pack of these tensors, if only the run knows it.
    pub fn pack_length(&self, items: &[TensorId]) -> Option<&Extent> {
        self.leading_pack(items).filter(|(count, _)| *count == items.len()).map(|(_, length)| length)
    }

    /// The longest pack of a length that only the run knows that some tensors begin with: how many of them are of it, and its
    /// length.
    pub fn leading_pack(&self, items: &[TensorId]) -> Option<(usize, &Extent)> {
        let first = *items.first()?;
        let begin = self.pack_lengths.partition_point(|(other, _)| *other < first);
        let packs = self.pack_lengths[begin..].iter().take_while(|(other, _)| *other == first);
        let counted = packs.filter_map(|(_, length)| Some((usize::try_from(length.bound?).ok()?, length)));
        let follow = |count: usize| (0..count).all(|at| items.get(at) == Some(&TensorId(first.0 + at as u32)));
        counted.filter(|(count, _)| *count > 0 && follow(*count)).last()
    }
}
