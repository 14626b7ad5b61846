//! Operators that sum products, and sums and products of elements.

use super::constants::{Of, is_positive};
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::channels::{Channels, added_by_channel};
use crate::compose::edit::single;
use crate::compose::graph::{Argument, Operation, OperationKind, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// The product that takes no bias.
const MATMUL: &str = "linalg.matmul";

/// What a product multiplies.
struct Factors {
    /// One tensor, or the upper and the lower bytes of one.
    left: Vec<Scaled>,
    right: Scaled,
    channels: Channels,
    /// The greatest magnitude of sums, of lower bytes where there are others.
    sum: i64,
}

impl Rules<'_, '_> {
    /// A convolution, or a product of matrices.
    pub(super) fn product(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let bias = match &operation.inputs[2..] {
            [] | [Argument::Null] => None,
            [Argument::Single(bias)] if *call.operator != *MATMUL => Some(*bias),
            _ => return None,
        };
        self.product_with(operation, call, bias, to)
    }

    /// A product to which a number for each channel is added.
    pub(super) fn biased(&mut self, operation: &Operation, to: &Rounding) -> Option<TensorId> {
        let inputs: Vec<TensorId> = operation.inputs.iter().flat_map(Argument::items).copied().collect();
        inputs.into_iter().find_map(|result| {
            let product = self.read_once(result)?.clone();
            let OperationKind::Operator(call) = &product.kind else { return None };
            let [Argument::Single(left), Argument::Single(right), rest @ ..] = product.inputs.as_slice() else {
                return None;
            };
            let channels = Channels::of(call, [self.editor.rank(*left), self.editor.rank(*right)])?;
            let bias = added_by_channel(self.editor.graph, operation, result, channels.result)?;
            let bias = self.editor.vector(bias).filter(|_| matches!(rest, [] | [Argument::Null]))?;
            self.product_with(&product, call, Some(bias), to)
        })
    }

    fn product_with(
        &mut self,
        operation: &Operation,
        call: &OperatorCall,
        bias: Option<TensorId>,
        to: &Rounding,
    ) -> Option<TensorId> {
        let Factors { left, right, channels, sum } = self.factors(operation, call)?;
        let scales = [self.editor.vector(left.first()?.scale)?, self.editor.vector(right.scale)?];
        let step = self.editor.scales(Of::Product, scales)?;
        let factor = (self.by_scale(step, to)?, channels.result);
        let (steps, zero) = match bias {
            Some(bias) => {
                // What sums leave of 32 bits.
                let most = i64::from(i32::MAX) - sum;
                let steps = self.editor.call("quantized.steps", vec![("most", Value::Int(most))], &[bias, step])?;
                let zero = match self.has_room(bias, (step, most), to) {
                    true => self.zero_of_results(to)?,
                    false => self.begin(bias, [steps, step], to)?,
                };
                (Some(steps), zero)
            }
            None => (None, self.zero_of_results(to)?),
        };
        let filter = self.centered(&right)?;
        let mut sums = Vec::new();
        for (at, part) in left.iter().enumerate() {
            let steps = steps.filter(|_| at + 1 == left.len());
            let part = self.centered(part)?;
            sums.push(self.summed_products(call, [part, filter], steps, channels)?);
        }
        self.joined(&sums, factor, zero, to)
    }

    /// What a product multiplies.
    fn factors(&mut self, operation: &Operation, call: &OperatorCall) -> Option<Factors> {
        let [Argument::Single(left), Argument::Single(right), ..] = operation.inputs[..] else { return None };
        let (left, right) = (self.scaled(left)?, self.scaled(right)?);
        let channels = Channels::of(call, [left.whole, right.whole].map(|id| self.editor.rank(id)))?;
        if left.axis.is_some() || right.axis.is_some() && right.axis != channels.filter {
            return None;
        }
        let terms = self.terms(call, right.whole, channels);
        if let Some(sum) = terms.and_then(|terms| self.sum_of_products([&left, &right], terms)) {
            return Some(Factors { left: vec![left], right, channels, sum });
        }
        let halves = terms.and_then(|terms| self.attempt(|rules| rules.halves([&left, &right], terms)));
        match halves {
            Some((left, sum)) => Some(Factors { left, right, channels, sum }),
            None => self.is_everywhere().then_some(Factors { left: vec![left], right, channels, sum: 1 << 30 }),
        }
    }

    /// Sums of products of integers, to which steps are added.
    fn summed_products(
        &mut self,
        call: &OperatorCall,
        [left, right]: [TensorId; 2],
        steps: Option<TensorId>,
        channels: Channels,
    ) -> Option<TensorId> {
        let is_matmul = *call.operator == *MATMUL;
        let bias = steps.filter(|_| !is_matmul).map_or(Argument::Null, Argument::Single);
        let sums = self.again(call, vec![Argument::Single(left), Argument::Single(right), bias])?;
        match steps.filter(|_| is_matmul) {
            Some(steps) => {
                let align = vec![("rhs_align", Value::Int(i64::try_from(channels.result).ok()?))];
                self.editor.call("math.add", align, &[sums, steps])
            }
            None => Some(sums),
        }
    }

    /// How many products of a filter's elements are added up at most.
    fn terms(&self, call: &OperatorCall, filter: TensorId, channels: Channels) -> Option<i64> {
        let shape = &self.editor.ty(filter).shape;
        let most = |at: usize| shape[at].as_known().or(shape[at].bound);
        if *call.operator == *MATMUL {
            // The other one of the last two dimensions.
            let [before, last] = [shape.len().checked_sub(2)?, shape.len() - 1];
            return most(if channels.filter? == last { before } else { last });
        }
        let mut others = (0..shape.len()).filter(|at| Some(*at) != channels.filter);
        others.try_fold(1i64, |all, at| all.checked_mul(most(at)?))
    }

    /// The zeros of results, with what steps of sums leave of a bias.
    fn begin(&mut self, bias: TensorId, [steps, step]: [TensorId; 2], to: &Rounding) -> Option<TensorId> {
        let most = (to.limits.1 - to.limits.0).checked_mul(2)?;
        let (scale, zero) = (self.editor.vector(to.scale)?, self.zero_of_results(to)?);
        self.editor.call("quantized.begin", vec![("most", Value::Int(most))], &[bias, steps, step, scale, zero])
    }

    /// The sum of two tensors.
    pub(super) fn sum(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let pair = self.pair(operation)?;
        self.sum_of(pair, call, to)
    }

    /// The difference of two tensors: the sum of one and what the other is below 0.
    pub(super) fn difference(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [left, right] = self.pair(operation)?;
        let turned = self.negative(right.whole)?;
        let limits = self.range(right.whole).map(|(least, most)| (-most, -least));
        self.limits.extend(limits.map(|limits| (turned, limits)));
        let zero = match right.zero {
            Some(zero) => Some(self.negative(zero)?),
            None => None,
        };
        self.sum_of([left, Scaled { whole: turned, zero, ..right }], call, to)
    }

    /// Integers with the other sign.
    fn negative(&mut self, whole: TensorId) -> Option<TensorId> {
        match self.editor.number(whole) {
            Some(number) => {
                let shape = self.editor.shape(whole)?;
                self.editor.known(ScalarType::Int, &shape, Value::Int(-(number as i64)))
            }
            None => self.editor.call("math.neg", vec![], &[whole]),
        }
    }

    fn sum_of(&mut self, [left, right]: [Scaled; 2], call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        (self.fits(&left, 1) && self.fits(&right, 1)).then_some(())?;
        let scales = [self.editor.vector(left.scale)?, self.editor.vector(right.scale)?];
        let zeros = [self.zero(&left)?, self.zero(&right)?];
        let zeros = [self.editor.vector(zeros[0])?, self.editor.vector(zeros[1])?];
        let (scales, zeros) = (self.editor.both(scales)?, self.editor.both(zeros)?);
        let factors = self.by_scale(scales, to)?;
        let (multipliers, shift) = self.multipliers(factors)?;
        let mut attributes = to.limits_of_results();
        attributes.extend(call.attributes.iter().map(|(name, value)| (name.as_str(), value.clone())));
        let zero = self.zero_of_results(to)?;
        self.editor.call("quantized.add", attributes, &[left.whole, right.whole, zeros, multipliers, shift, zero])
    }

    /// Sums that are multiplied, or divided, by a number: their steps are as much larger, or smaller.
    pub(super) fn times(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [Argument::Single(left), Argument::Single(right)] = operation.inputs[..] else { return None };
        let is_quotient = *call.operator == *"math.div";
        let (sums, number) = match (self.editor.number(left), self.editor.number(right)) {
            (None, Some(number)) => (left, number),
            (Some(number), None) if !is_quotient => (right, number),
            _ => return None,
        };
        let fits = is_positive(&(number as f32)) && self.editor.ty(sums) == self.editor.ty(single(&operation.outputs)?);
        let number = self.editor.known(ScalarType::Real, &[1], Value::Real(number)).filter(|_| fits)?;
        let scale = self.editor.vector(to.scale)?;
        let of = if is_quotient { Of::Product } else { Of::Quotient };
        let scale = self.editor.scales(of, [scale, number])?;
        self.summed(sums, &Rounding { scale, ..*to })
    }

    /// The product of two tensors, element by element.
    pub(super) fn elements(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        (*call.operator == *"math.mul").then_some(())?;
        let [left, right] = operation.inputs.as_slice() else { return None };
        if left == right {
            return self.square(operation, call, to);
        }
        let pair = self.pair(operation)?;
        self.product_of(pair, call, to)
    }

    /// The product of integers, as an operator multiplies them.
    pub(super) fn product_of(
        &mut self,
        [left, right]: [Scaled; 2],
        call: &OperatorCall,
        to: &Rounding,
    ) -> Option<TensorId> {
        (self.is_everywhere() || self.sum_of_products([&left, &right], 1).is_some()).then_some(())?;
        let [a, b] = [self.centered(&left)?, self.centered(&right)?];
        let attributes = call.attributes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let product = self.editor.call("math.mul", attributes, &[a, b])?;
        let scales = [self.editor.vector(left.scale)?, self.editor.vector(right.scale)?];
        let step = self.editor.scales(Of::Product, scales)?;
        let factor = self.by_scale(step, to)?;
        self.requantized(product, factor, 0, to)
    }

    /// Two operands with one scale each.
    pub(super) fn pair(&mut self, operation: &Operation) -> Option<[Scaled; 2]> {
        let [Argument::Single(left), Argument::Single(right)] = operation.inputs[..] else { return None };
        let pair = [self.scaled(left)?, self.scaled(right)?];
        pair.iter().all(|operand| operand.axis.is_none()).then_some(pair)
    }
}
