//! Sums of products, as `Einsum`.

use super::{FormulaWriter, Nest};
use crate::export::attributes as attr;
use crate::export::scope::Why;
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_syntax::ast::BinaryOp;

impl FormulaWriter<'_, '_> {
    /// The sum over some loops of a product, with the loops that its dimensions belong to, which are in the order that is
    /// wanted; none where it is no such sum, or nothing is gained.
    pub(super) fn contraction(
        &mut self,
        nest: &mut Nest<'_>,
        value: &ScalarExpr,
        (order, others): (&[usize], &[usize]),
    ) -> Result<Option<(String, Vec<usize>)>, Why> {
        let mut factors = Vec::new();
        collect(value, &mut factors);
        if factors.len() < 2 || others.is_empty() || nest.depth() > 26 || value.dtype == ScalarType::Bool {
            return Ok(None);
        }
        let mut used = Vec::new();
        for factor in &factors {
            let mut own = Vec::new();
            nest.loops(factor, &mut own);
            used.push(own);
        }
        let is_used =
            |number: &usize| used.iter().flatten().any(|own| own == number) || nest.extent(*number) == Some(1);
        let is_large = |own: &Vec<usize>| used.iter().flatten().all(|number| own.contains(number));
        let is_read = |factor: &&&ScalarExpr| matches!(factor.kind, ScalarKind::Access { .. });
        let pays = factors.iter().all(|factor| is_read(&factor)) || !used.iter().any(is_large);
        if !others.iter().all(is_used) || !pays {
            return Ok(None);
        }
        let (mut terms, mut operands) = (Vec::new(), Vec::new());
        for factor in factors {
            let (name, loops) = match self.whole(nest, factor)? {
                Some(whole) => whole,
                None => {
                    let lane = self.scalar(nest, factor)?;
                    let lane = self.filled(&lane, BinaryOp::Add, value.dtype)?;
                    (lane.compact(&mut self.scope.nodes), lane.loops())
                }
            };
            operands.push(name);
            terms.push(letters(&loops));
        }
        let has = |number: &usize| terms.iter().any(|term| term.contains(letter(*number)));
        let kept: Vec<usize> = order.iter().copied().filter(has).collect();
        let equation = format!("{}->{}", terms.join(","), letters(&kept));
        let equation = vec![attr::text("equation", &equation)];
        let sum = self.scope.nodes.several(("", "Einsum"), operands, 1, equation).swap_remove(0);
        Ok(Some((sum, kept)))
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
