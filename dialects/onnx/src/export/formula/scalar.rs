//! Scalar expressions of formulas.

use super::lane::{Lane, both};
use super::{FormulaWriter, Nest};
use crate::constant::Constant;
use crate::export::arithmetic::{binary, builtin, cast, unary};
use crate::export::attributes as attr;
use crate::export::scope::Why;
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::BinaryOp;

/// The largest real of 32 bits that is an integer of 64 bits.
const LARGEST: f64 = 9_223_371_487_098_961_920.0;

/// Whether an integer is known, and not 0.
fn is_known(expression: &ScalarExpr) -> bool {
    matches!(expression.kind, ScalarKind::Const(Value::Int(value)) if value != 0)
}

impl FormulaWriter<'_, '_> {
    /// What an expression has in all iterations.
    pub(super) fn scalar(&mut self, nest: &mut Nest<'_>, expression: &ScalarExpr) -> Result<Lane, Why> {
        match &expression.kind {
            ScalarKind::Const(value) => {
                let value = self.scope.scalar(value, expression.dtype)?;
                Ok(Lane::scalar(value, nest.depth()))
            }
            ScalarKind::Index(number) => self.index(nest, *number),
            ScalarKind::Local(number) => Ok(nest.locals[*number].clone()),
            ScalarKind::Access { tensor, indices } => self.access(nest, *tensor, indices),
            ScalarKind::Unary(op, a) => {
                let a = self.scalar(nest, a)?;
                let name = unary(&mut self.scope.nodes, *op, &a.name);
                Ok(Lane { name, ..a })
            }
            ScalarKind::Builtin(function, a) => {
                let a = self.scalar(nest, a)?;
                let name = builtin(&mut self.scope.nodes, *function, &a.name, attr::element_of(ScalarType::Real));
                Ok(Lane { name, ..a })
            }
            ScalarKind::Cast(inner) => {
                let a = self.scalar(nest, inner)?;
                let limited = match (inner.dtype, expression.dtype) {
                    (ScalarType::Real, ScalarType::Int) => self.within_integers(&a.name),
                    _ => a.name.clone(),
                };
                let name = cast(&mut self.scope.nodes, &limited, inner.dtype, expression.dtype);
                Ok(Lane { name, ..a })
            }
            ScalarKind::Binary(op, a, b) => {
                let divisor = b;
                let dtype = a.dtype;
                let (a, mut b) = (self.scalar(nest, a)?, self.scalar(nest, b)?);
                let is_division = matches!(op, BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod);
                if is_division && dtype == ScalarType::Int && nest.is_tentative && !is_known(divisor) {
                    b.name = self.not_zero(&b.name);
                }
                let name = binary(&mut self.scope.nodes, *op, dtype, &a.name, &b.name);
                let mask = both(&mut self.scope.nodes, a.mask.as_deref(), b.mask.as_deref());
                Ok(Lane::of(name, &[&a, &b], mask))
            }
            ScalarKind::Select(condition, a, b) => self.chosen(nest, condition, [a, b]),
        }
    }

    /// A divisor of what may be dropped afterwards: divisions by zero end a run.
    fn not_zero(&mut self, divisor: &str) -> String {
        let nodes = &mut self.scope.nodes;
        let (zero, one) = (nodes.int(0), nodes.int(1));
        let is_zero = nodes.add("Equal", &[divisor, &zero], Vec::new());
        nodes.add("Where", &[&is_zero, &one, divisor], Vec::new())
    }

    /// A real number that a conversion to an integer takes: what is none is 0, and what is too large the largest.
    fn within_integers(&mut self, value: &str) -> String {
        let nodes = &mut self.scope.nodes;
        let (least, most, zero) = (nodes.real(-LARGEST), nodes.real(LARGEST), nodes.real(0.0));
        let is_none = nodes.add("IsNaN", &[value], Vec::new());
        let number = nodes.add("Where", &[&is_none, &zero, value], Vec::new());
        let below = nodes.add("Min", &[&number, &most], Vec::new());
        nodes.add("Max", &[&below, &least], Vec::new())
    }

    /// The number of an iteration of a loop.
    fn index(&mut self, nest: &Nest<'_>, number: usize) -> Result<Lane, Why> {
        if let Some(name) = nest.fixed.get(&number) {
            return Ok(Lane::scalar(name.clone(), nest.depth()));
        }
        let (depth, rank) = (nest.depth(), nest.depth() - number);
        let nodes = &mut self.scope.nodes;
        let name = match nest.extent(number) {
            Some(extent) => {
                let values: Vec<i64> = (0..extent).collect();
                let mut shape = vec![1; rank];
                shape[0] = values.len();
                nodes.constant(&Constant { shape, ..Constant::of_ints(&values) })
            }
            None => {
                let (begin, step) = (nodes.int(0), nodes.int(1));
                let extent = self.scope.extent(&nest.extent_expression(number))?;
                let nodes = &mut self.scope.nodes;
                let range = nodes.add("Range", &[&begin, &extent, &step], Vec::new());
                nodes.unsqueeze(&range, &(1..rank as i64).collect::<Vec<_>>())
            }
        };
        let mut along = vec![false; depth];
        along[number] = true;
        Ok(Lane { name, rank, along, mask: None })
    }

    fn chosen(&mut self, nest: &mut Nest<'_>, condition: &ScalarExpr, ways: [&ScalarExpr; 2]) -> Result<Lane, Why> {
        let condition = self.scalar(nest, condition)?;
        let was_tentative = std::mem::replace(&mut nest.is_tentative, true);
        let [a, b] = ways.map(|way| self.scalar(nest, way));
        nest.is_tentative = was_tentative;
        let (a, b) = (a?, b?);
        let nodes = &mut self.scope.nodes;
        let name = nodes.select(&condition.name, [&a.name, &b.name], ways[0].dtype == ScalarType::Bool);
        let mask = match (&a.mask, &b.mask) {
            (None, None) => None,
            (a, b) => {
                let always = Lane::scalar(nodes.truth(true), nest.depth());
                let [a, b] = [a, b].map(|mask| mask.as_deref().unwrap_or(&always));
                let name = nodes.select(&condition.name, [&a.name, &b.name], true);
                Some(Box::new(Lane::of(name, &[&condition, a, b], None)))
            }
        };
        let mask = both(nodes, mask.as_deref(), condition.mask.as_deref());
        Ok(Lane::of(name, &[&condition, &a, &b], mask))
    }
}
