//! Scalar expressions of formulas.

use super::lane::{Lane, both};
use super::{FormulaWriter, Nest};
use crate::constant::Constant;
use crate::export::arithmetic::{binary, builtin, cast, unary};
use crate::export::scope::Why;
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::ScalarType;

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
                let name = builtin(&mut self.scope.nodes, *function, &a.name);
                Ok(Lane { name, ..a })
            }
            ScalarKind::Cast(inner) => {
                let a = self.scalar(nest, inner)?;
                let name = cast(&mut self.scope.nodes, &a.name, inner.dtype, expression.dtype);
                Ok(Lane { name, ..a })
            }
            ScalarKind::Binary(op, a, b) => {
                let dtype = a.dtype;
                let (a, b) = (self.scalar(nest, a)?, self.scalar(nest, b)?);
                let name = binary(&mut self.scope.nodes, *op, dtype, &a.name, &b.name);
                let mask = both(&mut self.scope.nodes, a.mask.as_deref(), b.mask.as_deref());
                Ok(Lane::of(name, &[&a, &b], mask))
            }
            ScalarKind::Select(condition, a, b) => self.chosen(nest, condition, [a, b]),
        }
    }

    /// The number of an iteration of a loop.
    fn index(&mut self, nest: &Nest<'_>, number: usize) -> Result<Lane, Why> {
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
