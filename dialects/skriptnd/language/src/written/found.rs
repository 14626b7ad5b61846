//! Extents that only data tell: in the text, they are members of the tensors that have them.

use super::{Unwritable, Writer};
use crate::compose::extent::{POSITION, SymExpr};
use crate::compose::graph::{Argument, Graph, Operation, OperationKind, OperatorCall, TensorId};
use std::collections::HashSet;
use std::sync::Arc;

impl Writer<'_> {
    /// Notes which extents the results of an operation tell.
    pub(super) fn learn(&mut self, operation: &Operation) {
        for id in operation.outputs.iter().flat_map(Argument::items) {
            for (at, extent) in self.graph.tensor(*id).ty.shape.iter().enumerate() {
                if let SymExpr::Symbol(symbol) = &extent.value
                    && !self.symbols.contains(symbol)
                {
                    self.found.entry(symbol.clone()).or_insert((*id, at));
                }
            }
        }
    }

    /// The call with what the text has for such extents.
    pub(super) fn told(&self, operation: &Operation, call: &OperatorCall) -> Result<OperatorCall, Unwritable> {
        let member = |symbol: &str| {
            let (id, at) = self.found.get(symbol)?;
            Some(SymExpr::Symbol(format!("{}.shape[{at}]", self.names.get(id)?).into()))
        };
        let mut call = call.clone();
        for (name, value) in &mut call.attributes {
            let refused = |what: &str| Unwritable {
                span: operation.span,
                what: format!("an invocation of `{}` whose attribute `{name}` {what}", operation_name(operation)),
            };
            let mut is_told = true;
            value.symbols(&mut |symbol| {
                is_told &= &**symbol == POSITION || self.symbols.contains(symbol) || member(symbol).is_some();
            });
            if !is_told {
                return Err(refused("depends on an extent that nothing in the text tells"));
            }
            let known = value.substitute(&member);
            *value = known.ok_or_else(|| refused("depends on extents without a value"))?;
        }
        Ok(call)
    }
}

fn operation_name(operation: &Operation) -> &str {
    match &operation.kind {
        OperationKind::Operator(call) => &call.operator,
        OperationKind::If { .. } => "if",
        OperationKind::Loop(_) => "do",
    }
}

/// Tensors that tell an extent on which an attribute depends: the text needs them for it.
pub fn tell_attributes(graph: &Graph) -> Vec<TensorId> {
    let mut symbols: HashSet<Arc<str>> = HashSet::new();
    graph.visit_operations(&mut |operation| {
        if let OperationKind::Operator(call) = &operation.kind {
            let call = operation.instance.as_ref().map_or(call, |instance| &instance.call);
            call.attributes.values().for_each(|value| value.symbols(&mut |symbol| _ = symbols.insert(symbol.clone())));
        }
    });
    let tells = |id: &TensorId| {
        let is_one = |expr: &SymExpr| matches!(expr, SymExpr::Symbol(symbol) if symbols.contains(symbol));
        graph.tensor(*id).ty.shape.iter().any(|extent| is_one(&extent.value))
    };
    (0..graph.tensors.len() as u32).map(TensorId).filter(tells).collect()
}
