//! Sums of products, as `Einsum`.

use super::{FormulaWriter, Nest};
use crate::export::attributes as attr;
use crate::export::scope::Why;
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_syntax::ast::BinaryOp;

impl FormulaWriter<'_, '_> {
    /// The sum over some loops of a product of elements, as the result has it; none where it is no such sum.
    pub(super) fn contraction(
        &mut self,
        nest: &mut Nest<'_>,
        value: &ScalarExpr,
        (places, others): (&[Option<usize>], &[usize]),
        at: usize,
    ) -> Result<Option<String>, Why> {
        let mut factors = Vec::new();
        collect(value, &mut factors);
        let is_product =
            factors.len() > 1 && factors.iter().all(|factor| matches!(factor.kind, ScalarKind::Access { .. }));
        if !is_product || others.is_empty() || nest.depth() > 26 || value.dtype == ScalarType::Bool {
            return Ok(None);
        }
        let mut used = Vec::new();
        factors.iter().for_each(|factor| nest.loops(factor, &mut used));
        let is_used = |number: &usize| used.contains(number) || nest.extent(*number) == Some(1);
        if !others.iter().all(is_used) {
            return Ok(None);
        }
        let mut terms = Vec::new();
        let mut operands = Vec::new();
        for factor in factors {
            if let Some((name, order)) = self.whole(nest, factor)? {
                operands.push(name);
                terms.push(letters(&order));
                continue;
            }
            let lane = self.scalar(nest, factor)?;
            let lane = self.filled(&lane, BinaryOp::Add, value.dtype)?;
            operands.push(lane.compact(&mut self.scope.nodes));
            terms.push(letters(&lane.loops()));
        }
        let has = |number: &usize| terms.iter().any(|term| term.contains(letter(*number)));
        let kept: Vec<usize> = places.iter().flatten().copied().filter(|number| has(number)).collect();
        let equation = format!("{}->{}", terms.join(","), letters(&kept));
        let nodes = &mut self.scope.nodes;
        let sum = nodes.several(("", "Einsum"), operands, 1, vec![attr::text("equation", &equation)]).swap_remove(0);
        if kept.len() == places.len() {
            return Ok(Some(sum));
        }
        let order: Vec<Option<usize>> = kept.iter().copied().map(Some).collect();
        let lane = self.in_order(nest, sum, &order);
        Ok(Some(self.as_result(nest, &lane, places, at)?))
    }

    /// A tensor of which each dimension is read whole, by another loop.
    fn whole(&mut self, nest: &Nest<'_>, factor: &ScalarExpr) -> Result<Option<(String, Vec<usize>)>, Why> {
        let ScalarKind::Access { tensor, indices } = &factor.kind else { return Ok(None) };
        let (name, ty) = self.tensor(*tensor)?;
        let mut order = Vec::new();
        for (access, extent) in indices.iter().zip(&ty.shape) {
            match access.index.kind {
                ScalarKind::Index(number) if nest.covers(number, extent) && !order.contains(&number) => {
                    order.push(number);
                }
                _ => return Ok(None),
            }
        }
        Ok(Some((name, order)))
    }
}

fn collect<'e>(value: &'e ScalarExpr, factors: &mut Vec<&'e ScalarExpr>) {
    match &value.kind {
        ScalarKind::Binary(BinaryOp::Mul, a, b) => {
            collect(a, factors);
            collect(b, factors);
        }
        _ => factors.push(value),
    }
}

fn letter(number: usize) -> char {
    char::from(b'a' + u8::try_from(number).unwrap_or(25).min(25))
}

fn letters(numbers: &[usize]) -> String {
    numbers.iter().map(|number| letter(*number)).collect()
}
