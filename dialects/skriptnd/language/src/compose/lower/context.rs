//! What the evaluator needs to know of the formula that it makes expressions for.

use crate::compose::extent::SymExpr;
use crate::compose::formula::{FormulaConstant, TensorRef};
use crate::compose::graph::TensorId;
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use std::cell::RefCell;

/// The tensors of a formula.
#[derive(Debug, Default)]
pub(crate) struct FormulaContext {
    /// What the tensor ids of terms stand for.
    pub(crate) tensors: Vec<TensorRef>,
    constants: RefCell<Vec<FormulaConstant>>,
}

impl FormulaContext {
    pub(crate) fn new(tensors: Vec<TensorRef>, constants: Vec<FormulaConstant>) -> Self {
        FormulaContext { tensors, constants: RefCell::new(constants) }
    }

    pub(crate) fn tensor(&self, id: TensorId) -> Option<TensorRef> {
        self.tensors.get(id.0 as usize).copied()
    }

    /// A pack of known values as a tensor, so that loop indices can index it.
    pub(crate) fn table(&self, items: &[Term], dtype: ScalarType) -> Option<TensorRef> {
        let value = Value::Pack(items.iter().map(Term::to_value).collect::<Option<_>>()?);
        let mut constants = self.constants.borrow_mut();
        let known = constants.iter().position(|constant| constant.dtype == dtype && constant.value == value);
        let at = known.unwrap_or_else(|| {
            constants.push(FormulaConstant { dtype, shape: vec![items.len() as i64], value });
            constants.len() - 1
        });
        Some(TensorRef::Constant(at))
    }

    pub(crate) fn into_constants(self) -> Vec<FormulaConstant> {
        self.constants.into_inner()
    }
}

/// The extent of a loop: known, or its upper bound with the expression.
pub(crate) fn loop_extent(expr: &SymExpr, bound: Option<i64>) -> (i64, Option<SymExpr>) {
    match expr {
        SymExpr::Const(value) => (*value, None),
        expr => (bound.unwrap_or(i64::MAX), Some(expr.clone())),
    }
}
