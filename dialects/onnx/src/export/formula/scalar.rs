//! Scalar expressions of formulas.

use super::lane::{Lane, both};
use super::{FormulaWriter, Nest, power};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::export::arithmetic::{BEYOND, binary, builtin, cast, nearest_integer, not_zero, quotient, unary};
use crate::export::attributes as attr;
use crate::export::scope::Why;
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::BinaryOp;

/// Integers up to here are reals of 64 bits.
const EXACT: i128 = 1 << 53;

/// Whether a real is limited to what integers of 64 bits are, by a minimum and a maximum of it.
fn is_limited(expression: &ScalarExpr) -> bool {
    let known = |side: &ScalarExpr| match &side.kind {
        ScalarKind::Const(Value::Real(value)) => value.abs() < BEYOND,
        _ => false,
    };
    let within = |op: BinaryOp, expression: &ScalarExpr| match &expression.kind {
        ScalarKind::Binary(found, a, b) if *found == op && (known(a) || known(b)) => {
            Some(if known(b) { a } else { b }.clone())
        }
        _ => None,
    };
    let both = |first, second| within(first, expression).is_some_and(|inner| within(second, &inner).is_some());
    both(BinaryOp::Min, BinaryOp::Max) || both(BinaryOp::Max, BinaryOp::Min)
}

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
                let name = match (inner.dtype, expression.dtype) {
                    (ScalarType::Real, ScalarType::Int) => {
                        nearest_integer(&mut self.scope.nodes, &a.name, ElementType::Float, is_limited(inner))
                    }
                    (from, to) => cast(&mut self.scope.nodes, &a.name, from, to),
                };
                Ok(Lane { name, ..a })
            }
            ScalarKind::Binary(op, a, b) => self.binary(nest, *op, (a, b), expression),
            ScalarKind::Select(condition, a, b) => self.chosen(nest, condition, [a, b]),
        }
    }

    fn binary(
        &mut self,
        nest: &mut Nest<'_>,
        op: BinaryOp,
        (left, right): (&ScalarExpr, &ScalarExpr),
        whole: &ScalarExpr,
    ) -> Result<Lane, Why> {
        let dtype = left.dtype;
        let (a, mut b) = (self.scalar(nest, left)?, self.scalar(nest, right)?);
        let is_division = matches!(op, BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod);
        // A division by zero ends a run, also where nothing is divided.
        let may_be_dropped = nest.is_tentative || nest.is_open();
        if is_division && dtype == ScalarType::Int && may_be_dropped && !is_known(right) {
            b.name = not_zero(&mut self.scope.nodes, &b.name);
        }
        let ranges = [left, right].map(|side| nest.range(self.given.formula, side));
        let may_wrap = ranges[0].is_none() && ranges[1].is_none_or(|range| range.low <= -1 && range.high >= -1);
        let name = match (op, dtype) {
            (_, ScalarType::Int) if is_division && may_wrap => quotient(&mut self.scope.nodes, op, &a.name, &b.name),
            (BinaryOp::Pow, ScalarType::Int) => {
                let is_exact =
                    nest.range(self.given.formula, whole).is_some_and(|it| -EXACT <= it.low && it.high <= EXACT);
                self.power(&a.name, (&b.name, &right.kind), is_exact)?
            }
            _ => binary(&mut self.scope.nodes, op, dtype, &a.name, &b.name),
        };
        let mask = both(&mut self.scope.nodes, a.mask.as_deref(), b.mask.as_deref());
        let lane = Lane::of(name, &[&a, &b], mask);
        if lane.along != a.along && lane.along != b.along {
            self.check_size(nest, &lane.loops())?;
        }
        Ok(lane)
    }

    /// A power of integers. That of ONNX Runtime has 53 bits.
    fn power(&mut self, base: &str, (exponent, kind): (&str, &ScalarKind), is_exact: bool) -> Result<String, Why> {
        match kind {
            _ if is_exact => Ok(self.scope.nodes.add("Pow", &[base, exponent], Vec::new())),
            ScalarKind::Const(Value::Int(known @ 1..)) => Ok(power::known(&mut self.scope.nodes, base, *known)),
            _ => Ok(power::of(&mut self.scope.nodes, base, exponent)),
        }
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
        let lane = Lane::of(name, &[&condition, &a, &b], mask);
        self.check_size(nest, &lane.loops())?;
        Ok(lane)
    }
}
