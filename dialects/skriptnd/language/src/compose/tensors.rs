//! Tensors, their types, and what stands for the parameters of operators. In terms, names stand for tensors of the graph
//! while a definition is composed, and for those that the definition itself declares while an invocation of it is checked
//! or its formula is made.

use super::extent::{Extent, SymExpr};
use super::value::{ScalarType, Value};
use indexmap::IndexMap;
use std::ops::Index;
use std::sync::Arc;

/// Index into [`Graph::tensors`](super::graph::Graph::tensors).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorId(pub u32);

/// Element type and shape.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TensorType {
    /// Concrete: generics are resolved.
    pub dtype: ScalarType,
    /// Outermost dimension first.
    pub shape: Vec<Extent>,
}

/// What stands for one parameter of an operator.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Argument<T = TensorId> {
    /// An optional parameter that is absent.
    Null,
    /// One tensor.
    Single(T),
    /// A pack of tensors.
    Pack(Vec<T>),
}

impl<T> Argument<T> {
    /// The tensors in order.
    pub fn items(&self) -> &[T] {
        match self {
            Argument::Null => &[],
            Argument::Single(item) => std::slice::from_ref(item),
            Argument::Pack(items) => items,
        }
    }

    /// The same argument of other items.
    pub fn map<U>(&self, mut f: impl FnMut(&T) -> U) -> Argument<U> {
        match self {
            Argument::Null => Argument::Null,
            Argument::Single(item) => Argument::Single(f(item)),
            Argument::Pack(items) => Argument::Pack(items.iter().map(f).collect()),
        }
    }
}

/// An operator with everything that is fixed at compile time.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatorCall {
    /// Module path and operator: `nn.conv`, `main.my_op`.
    pub operator: Arc<str>,
    /// Generic types, all of them, in the order of `@dtype`.
    pub dtypes: IndexMap<String, ScalarType>,
    /// Attributes, all of them with defaults filled in, in the order of `@attrib`; an absent optional is
    /// [`Value::Null`].
    pub attributes: IndexMap<String, Value>,
}

/// A tensor that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TermTensor {
    /// One of the graph that is being composed.
    Graph(TensorId),
    /// One that an operator's definition declares.
    Formal(FormalId),
}

impl TermTensor {
    pub(crate) fn in_graph(self) -> Option<TensorId> {
        match self {
            TermTensor::Graph(id) => Some(id),
            TermTensor::Formal(_) => None,
        }
    }

    pub(crate) fn formal(self) -> Option<FormalId> {
        match self {
            TermTensor::Formal(id) => Some(id),
            TermTensor::Graph(_) => None,
        }
    }
}

impl From<TensorId> for TermTensor {
    fn from(id: TensorId) -> Self {
        TermTensor::Graph(id)
    }
}

impl From<FormalId> for TermTensor {
    fn from(id: FormalId) -> Self {
        TermTensor::Formal(id)
    }
}

/// What is known of the tensors that terms refer to.
pub(crate) trait TensorTypes {
    /// Element type and shape.
    fn tensor_type(&self, tensor: TermTensor) -> Option<&TensorType>;

    /// How many of these tensors there are, where only a run knows it: packs of open length, or parts of such, are among them.
    fn open_length(&self, _items: &[Option<TermTensor>]) -> Option<SymExpr> {
        None
    }

    /// Notes that these tensors are a part of a pack of open length, and how many of them there are; whether that may be: another
    /// part may have the same tensors, of which others are there.
    fn note_part(&self, _items: &[Option<TermTensor>], _length: &SymExpr) -> bool {
        false
    }
}

/// Index into [`FormalTensors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FormalId(u32);

impl FormalId {
    /// A tensor that an invocation gives, counted over its packs: these are declared first.
    pub(crate) fn given(number: usize) -> Self {
        FormalId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tensors that a definition declares, packs flattened: those of its inputs, and for its formula those of variables,
/// outputs and constants behind them.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormalTensors(Vec<TensorType>);

impl FormalTensors {
    pub(crate) fn declare(&mut self, types: &Argument<TensorType>) -> Argument<FormalId> {
        types.map(|ty| {
            self.0.push(ty.clone());
            FormalId::given(self.0.len() - 1)
        })
    }

    pub(crate) fn get(&self, id: FormalId) -> Option<&TensorType> {
        self.0.get(id.index())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &TensorType> {
        self.0.iter()
    }
}

impl Index<FormalId> for FormalTensors {
    type Output = TensorType;

    fn index(&self, id: FormalId) -> &TensorType {
        &self.0[id.index()]
    }
}

impl TensorTypes for FormalTensors {
    fn tensor_type(&self, tensor: TermTensor) -> Option<&TensorType> {
        self.get(tensor.formal()?)
    }
}
