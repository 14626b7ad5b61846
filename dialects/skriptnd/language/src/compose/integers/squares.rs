//! Squares of sums and differences, as a variance has them: these are quantized to 16 bits first, where the squares don't tell.

use super::rules::{Rounding, Rules, Scaled};
use crate::compose::edit::single;
use crate::compose::graph::{Operation, OperationKind, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// The greatest magnitude of a sum that is squared: squares have 31 bits.
const MOST: i64 = 32_767;
/// By how many steps of results a square may depart for that.
const MOST_DEPARTURE: f64 = 0.25;

impl Rules<'_, '_> {
    /// The square of integers, or of what is computed of them and not quantized.
    pub(super) fn square(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let x = single(operation.inputs.get(..1)?)?;
        let x = match self.scaled(x) {
            // Bytes have tables.
            Some(scaled) => Some(scaled).filter(|x| x.axis.is_none() && !self.has_table(x))?,
            None => self.finely_rounded(x, to)?,
        };
        self.product_of([x, x], call, to)
    }

    /// A sum or a difference in so many steps that the squares differ by less than those of results.
    fn finely_rounded(&mut self, x: TensorId, to: &Rounding) -> Option<Scaled> {
        let operation = self.made.get(&x)?.clone();
        let OperationKind::Operator(call) = &operation.kind else { return None };
        let greatest = self.pair(&operation)?.iter().map(|operand| self.greatest(operand)).sum::<Option<f64>>()?;
        let scale = (greatest / MOST as f64) as f32;
        let departure = greatest * f64::from(scale) / self.editor.number(to.scale)?;
        (scale > 0.0 && departure <= MOST_DEPARTURE).then_some(())?;
        let scale = self.editor.known(ScalarType::Real, &[1], Value::Real(scale.into()))?;
        let fine = Rounding { scale, zero: None, limits: (-MOST, MOST), ..*to };
        let whole = match &*call.operator {
            "math.add" => self.sum(&operation, call, &fine),
            "math.sub" => self.difference(&operation, call, &fine),
            _ => None,
        }?;
        self.limits.insert(whole, fine.limits);
        Some(Scaled { whole, scale, zero: None, axis: None })
    }

    /// The greatest magnitude of reals that integers stand for.
    fn greatest(&self, x: &Scaled) -> Option<f64> {
        let (least, most) = self.range(x.whole)?;
        let zero = x.zero.map_or(Some(0.0), |zero| self.editor.number(zero))?;
        Some((least as f64 - zero).abs().max((most as f64 - zero).abs()) * self.editor.number(x.scale)?)
    }
}
