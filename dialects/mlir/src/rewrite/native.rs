//! Native functions that PDL patterns call.

use std::collections::BTreeMap;

use crate::diagnostics::Failure;
use crate::ir::{Attribute, OperationRef, Type, Value};

use super::Rewriter;

/// An argument or a result of a native function.
#[derive(Clone, Debug)]
pub enum PdlValue<'c, 'a> {
    /// `!pdl.operation`
    Operation(OperationRef<'c, 'a>),
    /// `!pdl.value`
    Value(Value<'c, 'a>),
    /// `!pdl.type`
    Type(Type<'c>),
    /// `!pdl.attribute`
    Attribute(Attribute<'c>),
    /// `!pdl.range<value>`
    Values(Vec<Value<'c, 'a>>),
    /// `!pdl.range<type>`
    Types(Vec<Type<'c>>),
    /// An optional operation, value, type or attribute that is not there.
    Absent,
}

/// Whether a constraint holds: its results if it does. It must be pure and total: it may run in any order, for
/// candidates that match no further than its arguments.
pub type Constraint =
    dyn for<'c, 'a> Fn(&Rewriter<'c, 'a>, &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> + Send + Sync;

/// Part of a rewrite. A failure does not undo the rewrite: the driver stops and reports it, and the module is to be
/// thrown away. What can fail belongs into a constraint.
pub type Rewrite =
    dyn for<'c, 'a> Fn(&Rewriter<'c, 'a>, &[PdlValue<'c, 'a>]) -> Result<Vec<PdlValue<'c, 'a>>, Failure> + Send + Sync;

/// The native functions that a set of PDL patterns may call, by name.
#[derive(Default)]
pub struct Natives {
    pub(crate) constraints: BTreeMap<String, Box<Constraint>>,
    pub(crate) rewrites: BTreeMap<String, Box<Rewrite>>,
}

impl Natives {
    /// No functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a constraint.
    pub fn constraint(
        mut self,
        name: impl Into<String>,
        function: impl for<'c, 'a> Fn(&Rewriter<'c, 'a>, &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.constraints.insert(name.into(), Box::new(function));
        self
    }

    /// Adds a rewrite.
    pub fn rewrite(
        mut self,
        name: impl Into<String>,
        function: impl for<'c, 'a> Fn(&Rewriter<'c, 'a>, &[PdlValue<'c, 'a>]) -> Result<Vec<PdlValue<'c, 'a>>, Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.rewrites.insert(name.into(), Box::new(function));
        self
    }
}
