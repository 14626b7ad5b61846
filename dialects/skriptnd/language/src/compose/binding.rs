//! What is known of the operands of an invocation, and what the invocation determines by that.

use super::env::{Env, Names};
use super::extent::SymExpr;
use super::formula::{FormulaConstant, TensorRef};
use super::tensors::{Argument, FormalTensors, OperatorCall, TensorType};
use super::value::Value;
use super::violation::RuntimeAssert;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// Upper bounds of the symbols of extents.
pub(crate) type Bounds = HashMap<Arc<str>, i64>;

/// What is known of what stands for one input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The types of its tensors.
    pub argument: Argument<TensorType>,
    /// The length of the pack, where only the run knows it.
    pub length: Option<SymExpr>,
    /// Upper bounds of symbols in the length that nothing else tells.
    pub bounds: Vec<(Arc<str>, i64)>,
    /// For each of its tensors the first one of the invocation, counted from 0, that is the same; nothing where all
    /// tensors differ.
    pub same: Vec<usize>,
}

impl Operand {
    /// Of which nothing more is known.
    pub fn of(argument: Argument<TensorType>) -> Self {
        Operand { argument, length: None, bounds: Vec::new(), same: Vec::new() }
    }

    /// A pack without tensors, of which the type that they would have is known.
    pub fn empty(ty: TensorType) -> Self {
        Operand { length: Some(SymExpr::Const(0)), ..Operand::of(Argument::Pack(vec![ty])) }
    }

    /// Whether it is such a pack.
    pub fn is_empty(&self) -> bool {
        self.length == Some(SymExpr::Const(0))
    }

    /// Calls `visit` with every symbol of its types and its length.
    pub(crate) fn symbols(&self, visit: &mut dyn FnMut(&Arc<str>)) {
        let extents = self.argument.items().iter().flat_map(|ty| &ty.shape).map(|extent| &extent.value);
        extents.chain(&self.length).for_each(|extent| extent.symbols(visit));
    }

    /// The types of its tensors.
    pub fn items(&self) -> &[TensorType] {
        if self.is_empty() { &[] } else { self.argument.items() }
    }
}

/// Notes which tensors of an invocation are the same: for each of them the first one, counted from 0, that is.
pub fn note_identity(operands: &mut [Operand], first: &[usize]) {
    let mut rest = first;
    if first.iter().enumerate().all(|(at, first)| at == *first) {
        return drop_identity(operands);
    }
    for operand in operands {
        let (own, others) = rest.split_at(operand.items().len().min(rest.len()));
        (operand.same, rest) = (own.to_vec(), others);
    }
}

/// Takes all tensors of an invocation as different.
pub(crate) fn drop_identity(operands: &mut [Operand]) {
    operands.iter_mut().for_each(|operand| operand.same.clear());
}

/// For each of some tensors the first one, counted from 0, that is the same.
pub fn first_of_same<T: Eq + Hash>(tensors: impl IntoIterator<Item = T>) -> Vec<usize> {
    let mut first = HashMap::new();
    tensors.into_iter().enumerate().map(|(at, tensor)| *first.entry(tensor).or_insert(at)).collect()
}

/// An input that is absent and has a default.
#[derive(Debug, Clone)]
pub(crate) struct DefaultInput {
    /// Which input.
    pub(crate) input: usize,
    /// Types and values of its tensors.
    pub(crate) tensors: Argument<(TensorType, Value)>,
}

/// Everything that an invocation determines.
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    /// Generic types, attributes, extents, helper symbols, and inputs as tensors of `types`.
    pub(crate) env: Env,
    /// Types of the inputs' tensors, packs flattened.
    pub(crate) types: FormalTensors,
    /// What formulas call them.
    pub(crate) formula_inputs: Vec<TensorRef>,
    /// Values of those that are constants.
    pub(crate) default_constants: Vec<FormulaConstant>,
    /// Inputs that take their defaults.
    pub(crate) defaults: Vec<DefaultInput>,
    /// The call with everything filled in.
    pub(crate) call: OperatorCall,
    /// Types of the results; none for a graph, whose results are what its composition gives.
    pub(crate) outputs: Option<Vec<Argument<TensorType>>>,
    /// The lengths of the packs among them, where only the run knows them.
    pub(crate) output_lengths: Vec<Option<SymExpr>>,
    /// The same for the operands.
    pub(crate) input_lengths: Vec<Option<SymExpr>>,
    /// What has to be checked when the extents are known.
    pub(crate) runtime_asserts: Vec<RuntimeAssert>,
    /// Upper bounds of the symbols in the operands' shapes.
    pub(crate) bounds: Bounds,
    /// Whether one tensor stands for several inputs or items of packs.
    pub(crate) repeats_tensors: bool,
    /// Whether assertions are left to be checked when the run makes the operator again, for the items that there are.
    pub(crate) defers_assertions: bool,
}

impl Binding {
    /// The names as the invocation was composed.
    pub(crate) fn names(&self) -> Names {
        Names { env: self.env.clone(), types: self.types.clone() }
    }

    /// The symbols of operands and attributes, in order.
    pub(crate) fn symbols(&self) -> Vec<Arc<str>> {
        let mut symbols = BTreeSet::new();
        let mut add = |symbol: &Arc<str>| {
            symbols.insert(symbol.clone());
        };
        self.types.iter().flat_map(|ty| &ty.shape).for_each(|extent| extent.value.symbols(&mut add));
        self.input_lengths.iter().flatten().for_each(|length| length.symbols(&mut add));
        self.call.attributes.values().for_each(|value| value.symbols(&mut add));
        symbols.into_iter().collect()
    }
}
