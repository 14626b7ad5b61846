//! The symbols of a graph that is imported: which are known at a place, and what they are called in the IR. A composition that
//! takes the place of an operation gets new names for those that are its own: an operator may be invoked twice.

use crate::generated::operations::GraphOp;
use crate::lowering::limits::Limits;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::{Graph, Instance, OperatorCall, TensorType};
use skriptnd_language::compose::value::Value;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::OperationRef;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What is known of symbols at a place of a graph.
pub(super) struct Symbols {
    known: HashSet<Arc<str>>,
    /// In the order in which they became known.
    order: Vec<Arc<str>>,
    /// Those that are called otherwise in the IR.
    names: HashMap<Arc<str>, SymExpr>,
}

impl Symbols {
    /// Those that the inputs of a graph tell.
    pub fn told(graph: &Graph) -> Self {
        let mut symbols = Symbols { known: HashSet::new(), order: Vec::new(), names: HashMap::new() };
        for port in &graph.inputs {
            let items = port.tensors.items();
            let length = graph.pack_length(items);
            length.into_iter().for_each(|length| symbols.learn_extent(&length.value));
            items.iter().for_each(|id| symbols.learn(&graph.tensor(*id).ty));
        }
        symbols
    }

    /// Those of a composition in place of an operation: the graph around declares the bounds of the new ones.
    pub fn inside<'c: 'a, 'a>(
        instance: &Instance,
        composition: &Graph,
        place: OperationRef<'c, 'a>,
    ) -> Result<Self, Failure> {
        let mut symbols = Symbols::told(composition);
        instance.symbols.iter().for_each(|symbol| symbols.add(symbol));
        let own = Limits::of(composition).without(&symbols.known);
        if own.is_empty() {
            return Ok(symbols);
        }
        let graph = around(place).ok_or("stands in no graph, so its extents that data determine have no bounds")?;
        let mut declared = Limits::declared(graph);
        for (symbol, bound) in own {
            let name = declared.declare_new(&symbol, bound);
            symbols.names.insert(symbol, SymExpr::Symbol(name));
        }
        if let Some(attribute) = declared.attribute(place.context()) {
            Limits::set(graph, attribute);
        }
        Ok(symbols)
    }

    fn add(&mut self, symbol: &Arc<str>) {
        if self.known.insert(symbol.clone()) {
            self.order.push(symbol.clone());
        }
    }

    /// Notes that the extents of a type are known.
    pub fn learn(&mut self, ty: &TensorType) {
        ty.shape.iter().for_each(|extent| self.learn_extent(&extent.value));
    }

    /// Notes that an extent is known.
    pub fn learn_extent(&mut self, extent: &SymExpr) {
        extent.symbols(&mut |symbol| self.add(symbol));
    }

    /// How many are known.
    pub fn known(&self) -> usize {
        self.order.len()
    }

    /// Forgets those that became known last.
    pub fn forget(&mut self, known: usize) {
        for symbol in self.order.drain(known.min(self.order.len())..) {
            self.known.remove(&symbol);
        }
    }

    /// Whether all symbols of an expression are known.
    pub fn knows(&self, expr: &SymExpr) -> bool {
        let mut known = true;
        expr.symbols(&mut |symbol| known &= self.known.contains(symbol));
        known
    }

    /// Whether all extents of a type are known.
    pub fn knows_all(&self, ty: &TensorType) -> bool {
        ty.shape.iter().all(|extent| self.knows(&extent.value))
    }

    fn lookup(&self, symbol: &str) -> Option<SymExpr> {
        self.names.get(symbol).cloned()
    }

    /// The expression as the IR has it.
    pub fn of(&self, expr: &SymExpr) -> Result<SymExpr, Failure> {
        if self.names.is_empty() {
            return Ok(expr.clone());
        }
        let renamed = expr.substitute(&|symbol| self.lookup(symbol));
        renamed.ok_or_else(|| format!("has an extent without a value: {expr}").into())
    }

    /// The type as the IR has it.
    pub fn of_type(&self, ty: &TensorType) -> Result<TensorType, Failure> {
        let extent = |extent: &Extent| Ok(Extent { value: self.of(&extent.value)?, bound: extent.bound });
        Ok(TensorType { dtype: ty.dtype, shape: ty.shape.iter().map(extent).collect::<Result<_, Failure>>()? })
    }

    /// The value as the IR has it.
    pub fn of_value(&self, value: &Value) -> Result<Value, Failure> {
        if self.names.is_empty() {
            return Ok(value.clone());
        }
        value
            .substitute(&|symbol| self.lookup(symbol))
            .ok_or_else(|| "has a value that depends on extents that have none".into())
    }

    /// The call as the IR has it.
    pub fn of_call(&self, call: &OperatorCall) -> Result<OperatorCall, Failure> {
        let mut call = call.clone();
        for value in call.attributes.values_mut() {
            *value = self.of_value(value)?;
        }
        Ok(call)
    }
}

/// The graph around an operation.
fn around<'c: 'a, 'a>(place: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut current = Some(place);
    while let Some(candidate) = current.filter(|candidate| candidate.full_name() != GraphOp::NAME) {
        current = candidate.parent_operation();
    }
    current
}
