//! From definitions to a graph (specification, chapter 3), and from one operation to its formula or its parts.

pub mod extent;
pub mod formula;
pub mod graph;
pub mod value;

use crate::diagnostics::Diagnostics;
use crate::library::Library;
use formula::Formula;
use graph::{Argument, Graph, OperatorCall, TensorType};
use value::Value;

/// What the user fixes from outside.
#[derive(Debug, Clone, Default)]
pub struct ComposeOptions {
    /// Which graph of `main`; the first one by default.
    pub graph: Option<String>,
    /// Graph attributes.
    pub attributes: Vec<(String, Value)>,
    /// Values for dynamic extents, by symbol.
    pub bindings: Vec<(String, i64)>,
}

/// Composes a graph of `main`. Operators stay whole, except those that contain variables or updates (directly or
/// further inside): they are replaced by their composition, so that the graph knows all its variables.
pub fn compose(_library: &Library, _options: &ComposeOptions) -> (Option<Graph>, Diagnostics) {
    (None, Diagnostics::default())
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

/// Checks one invocation against its operator's definition and gives result types and computation. Attributes and
/// types that `call` leaves out are filled in or deduced. Result packs need their length only where it can't be
/// derived.
pub fn instantiate(
    _library: &Library,
    _call: &OperatorCall,
    _operands: &[Argument<TensorType>],
) -> Result<Instance, Diagnostics> {
    Err(Diagnostics::default())
}
