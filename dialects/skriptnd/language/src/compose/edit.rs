//! Adds operations and constants to a graph.

use super::binding::Operand;
use super::definitions::Definitions;
use super::extent::Extent;
use super::graph::{Argument, Graph, Operation, OperationKind, OperatorCall, Origin, Tensor, TensorId, TensorType};
use super::value::{ScalarType, Symbolic, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A graph to which operations are added.
pub struct Editor<'g> {
    /// The graph, which gets the tensors at once.
    pub graph: &'g mut Graph,
    definitions: &'g Definitions,
    /// What was added since the last of them were taken.
    pub operations: Vec<Operation>,
    /// What else has the place of the next operations: what they are made for.
    pub place: Option<Operation>,
    /// Those of the graph's symbols: extents that follow from them are bounded by them.
    bounds: Vec<(Arc<str>, i64)>,
    /// Tensors in other shapes, by rank.
    shaped: HashMap<(TensorId, usize), TensorId>,
}

/// How an operator is invoked.
pub struct Invocation<'i> {
    /// The operator.
    pub operator: &'i str,
    /// Attributes by name; others have their defaults.
    pub attributes: Vec<(&'i str, Value)>,
    /// What it is given, in order.
    pub inputs: Vec<Argument>,
}

impl<'g> Editor<'g> {
    /// Nothing is added yet.
    pub fn new(graph: &'g mut Graph, definitions: &'g Definitions) -> Self {
        let extents = graph.tensors.iter().flat_map(|tensor| &tensor.ty.shape);
        let bounds: BTreeMap<_, _> = extents.filter_map(Extent::symbol_bound).collect();
        let bounds = bounds.into_iter().collect();
        Editor { graph, definitions, operations: Vec::new(), place: None, bounds, shaped: HashMap::new() }
    }

    /// Forgets tensors from a number on.
    pub fn forget(&mut self, count: usize) {
        self.shaped.retain(|_, id| (id.0 as usize) < count);
    }

    /// Forgets what is known in a region only.
    pub fn leave_region(&mut self) {
        self.shaped.clear();
    }

    /// The type of a tensor.
    pub fn ty(&self, id: TensorId) -> &TensorType {
        &self.graph.tensor(id).ty
    }

    /// How many dimensions a tensor has.
    pub fn rank(&self, id: TensorId) -> usize {
        self.ty(id).shape.len()
    }

    /// The extents of a tensor, where all are known.
    pub fn shape(&self, id: TensorId) -> Option<Vec<i64>> {
        self.ty(id).shape.iter().map(Extent::as_known).collect()
    }

    /// How many elements a tensor has, where all extents are known.
    pub fn volume(&self, id: TensorId) -> Option<i64> {
        self.shape(id)?.into_iter().try_fold(1, i64::checked_mul)
    }

    /// The value of a constant.
    pub fn constant(&self, id: TensorId) -> Option<&Value> {
        match &self.graph.tensor(id).origin {
            Origin::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The number that all elements of a constant are.
    pub fn number(&self, id: TensorId) -> Option<f64> {
        uniform(self.constant(id)?)
    }

    /// A new constant.
    pub fn known(&mut self, dtype: ScalarType, shape: &[i64], value: Value) -> Option<TensorId> {
        let shape = shape.iter().map(|extent| Extent::known(*extent)).collect();
        Some(self.tensor(TensorType { dtype, shape }, Origin::Constant(value)))
    }

    fn tensor(&mut self, ty: TensorType, origin: Origin) -> TensorId {
        let id = TensorId(u32::try_from(self.graph.tensors.len()).unwrap_or(u32::MAX));
        let named = self.place.as_ref().and_then(|place| place.outputs.first()?.items().first().copied());
        let name = named.map_or_else(String::new, |id| self.graph.tensor(id).name.clone());
        let span = self.place.as_ref().map_or(self.graph.tensors[0].span, |place| place.span);
        self.graph.tensors.push(Tensor { name: format!("{name}.{}", id.0), ty, origin, span });
        id
    }

    /// Invokes an operator; none where it does not take what is given.
    pub fn invoke(&mut self, invocation: Invocation<'_>) -> Option<Vec<Argument>> {
        let Invocation { operator, attributes, inputs } = invocation;
        let place = self.place.clone()?;
        let is_open = |argument: &Argument| self.graph.leading_pack(argument.items()).is_some();
        if inputs.iter().any(is_open) {
            return None;
        }
        let operands: Vec<Operand> =
            inputs.iter().map(|input| Operand::of(input.map(|id| self.ty(*id).clone()))).collect();
        let attributes = attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let call = OperatorCall { operator: operator.into(), dtypes: Default::default(), attributes };
        let instance = self.definitions.instance_within(&call, &operands, &self.bounds).ok()?;
        let types = instance.outputs.clone();
        let outputs: Vec<Argument> =
            types.iter().map(|output| output.map(|ty| self.tensor(ty.clone(), Origin::Result))).collect();
        self.operations.push(Operation {
            kind: OperationKind::Operator(instance.call.clone()),
            inputs,
            outputs: outputs.clone(),
            instance: Some(instance),
            ..place
        });
        Some(outputs)
    }

    /// Invokes an operator of tensors that gives one.
    pub fn call(&mut self, operator: &str, attributes: Vec<(&str, Value)>, inputs: &[TensorId]) -> Option<TensorId> {
        let inputs = inputs.iter().map(|id| Argument::Single(*id)).collect();
        single(&self.invoke(Invocation { operator, attributes, inputs })?)
    }

    /// A tensor of which all dimensions but one have extent 1, as a vector.
    pub fn vector(&mut self, id: TensorId) -> Option<TensorId> {
        let count = self.volume(id)?;
        self.reshaped(id, &[count])
    }

    /// A tensor of one element, without dimensions.
    pub fn scalar(&mut self, id: TensorId) -> Option<TensorId> {
        (self.volume(id)? == 1).then_some(())?;
        self.reshaped(id, &[])
    }

    fn reshaped(&mut self, id: TensorId, shape: &[i64]) -> Option<TensorId> {
        if self.shape(id)? == shape {
            return Some(id);
        }
        if let Some(known) = self.shaped.get(&(id, shape.len())) {
            return Some(*known);
        }
        let again = match self.constant(id).cloned() {
            Some(value) => self.known(self.ty(id).dtype, shape, value)?,
            None => {
                let extents = Value::Pack(shape.iter().map(|extent| Value::Int(*extent)).collect());
                self.call("layout.reshape", vec![("shape", extents)], &[id])?
            }
        };
        self.shaped.insert((id, shape.len()), again);
        Some(again)
    }

    /// Whether two tensors are the same, or constants with the same elements.
    pub fn is_same(&self, left: TensorId, right: TensorId) -> bool {
        let same_number = || self.number(left).zip(self.number(right)).is_some_and(|(left, right)| left == right);
        left == right || same_number()
    }
}

/// The only result of an operator.
pub fn single(outputs: &[Argument]) -> Option<TensorId> {
    match outputs {
        [Argument::Single(id)] => Some(*id),
        _ => None,
    }
}

/// The number that all items of a value are.
pub fn uniform(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Real(value) => Some(*value),
        Value::Repeat(item, count) if *count > 0 => uniform(item),
        Value::Symbolic(Symbolic::Pack { item, .. }) => uniform(item),
        Value::Pack(items) => {
            let first = uniform(items.first()?)?;
            items.iter().all(|item| uniform(item) == Some(first)).then_some(first)
        }
        _ => None,
    }
}
