//! What becomes of an operation that quantizes, and of those before it.

use super::Uses;
use super::constants::{Of, is_positive};
use super::is_pure;
use super::known::{DEQUANTIZING, is_moving, is_recurrent};
use crate::compose::definitions::Integers;
use crate::compose::edit::{Editor, Invocation, single, uniform};
use crate::compose::flat;
use crate::compose::graph::{Argument, Encoding, Operation, OperationKind, OperatorCall, Region, Steps, TensorId};
use crate::compose::quantized::regions;
use crate::compose::value::{ScalarType, Value};
use skriptnd_runtime::{Storage, Values};
use std::collections::{BTreeMap, HashMap};

/// Integers of more bits stay reals.
const MOST_BITS: i64 = 16;

/// Whether 32 bits have a number.
pub(super) fn is_word(number: i64) -> bool {
    i32::try_from(number).is_ok()
}

/// A tensor of reals `(whole - zero) * scale`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scaled {
    pub whole: TensorId,
    /// One, or one for each index of a dimension.
    pub scale: TensorId,
    /// 0, if none is given.
    pub zero: Option<TensorId>,
    /// That dimension.
    pub axis: Option<usize>,
}

/// How reals become integers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rounding {
    pub scale: TensorId,
    pub zero: Option<TensorId>,
    pub limits: (i64, i64),
    /// Whether halves go to the even integer, else away from zero.
    pub to_even: bool,
}

impl Rounding {
    pub fn limits_of_results(&self) -> Vec<(&'static str, Value)> {
        vec![("least", Value::Int(self.limits.0)), ("most", Value::Int(self.limits.1))]
    }
}

/// Goes through a graph, and adds integers.
pub(super) struct Rules<'g, 'u> {
    pub editor: Editor<'g>,
    uses: &'u Uses,
    pub(super) integers: Integers,
    /// What operations of the region and of those around it give.
    pub(super) made: HashMap<TensorId, Operation>,
    pub(super) scaled: HashMap<TensorId, Scaled>,
    /// Between which numbers integers lie.
    pub(super) limits: HashMap<TensorId, (i64, i64)>,
    /// Integers that stand for reals.
    encodings: BTreeMap<TensorId, Encoding>,
    pub(super) replaced: HashMap<TensorId, TensorId>,
}

impl<'g, 'u> Rules<'g, 'u> {
    pub fn new(editor: Editor<'g>, uses: &'u Uses, integers: Integers) -> Self {
        let (made, scaled, encodings, replaced) = Default::default();
        let range = |(id, storage): (&TensorId, &Storage)| {
            let is_whole = editor.ty(*id).dtype == ScalarType::Int;
            Some((*id, storage.range().filter(|_| is_whole && storage.size() <= 2)?))
        };
        let limits = editor.graph.storage.iter().filter_map(range).collect();
        Rules { editor, uses, integers, made, scaled, limits, encodings, replaced }
    }

    /// What takes the place of tensors, and what is known of integers.
    pub fn results(self) -> (HashMap<TensorId, TensorId>, BTreeMap<TensorId, Encoding>) {
        (self.replaced, self.encodings)
    }

    /// Rewrites the operations of a region. What it makes is not known behind it.
    pub fn region(&mut self, region: &mut Region) {
        let (made, scaled) = (self.made.clone(), self.scaled.clone());
        for mut operation in std::mem::take(&mut region.operations) {
            regions(&mut operation.kind).into_iter().for_each(|inner| self.region(inner));
            let count = self.editor.graph.tensors.len();
            self.editor.place = Some(operation.clone());
            let done = self.operation(&operation);
            if done.is_none() {
                // What was begun is left: nobody reads it.
                self.editor.operations.clear();
                self.forget(count);
            }
            region.operations.append(&mut self.editor.operations);
            if done != Some(true) {
                region.operations.push(operation.clone());
            }
            let known = self.seen_through(operation);
            for id in known.outputs.iter().flat_map(Argument::items) {
                self.made.insert(*id, known.clone());
            }
        }
        (self.made, self.scaled) = (made, scaled);
        self.editor.leave_region();
    }

    /// An operation, or the one that it is composed of where there are no rules for it itself.
    fn seen_through(&self, operation: Operation) -> Operation {
        match is_pure(&operation) {
            true => operation,
            false => flat::alone(&operation).unwrap_or(operation),
        }
    }

    /// Forgets tensors from a number on, which no operation makes.
    fn forget(&mut self, count: usize) {
        let is_kept = |id: &TensorId| (id.0 as usize) < count;
        self.scaled.retain(|_, scaled| {
            is_kept(&scaled.whole) && is_kept(&scaled.scale) && scaled.zero.as_ref().is_none_or(is_kept)
        });
        self.encodings.retain(|id, _| is_kept(id));
        self.editor.forget(count);
    }

    /// Whether an operation was replaced; none where what was added is of no use.
    fn operation(&mut self, operation: &Operation) -> Option<bool> {
        let OperationKind::Operator(call) = &operation.kind else { return Some(false) };
        self.note_limits(operation, call);
        let inputs: Vec<Option<TensorId>> = operation.inputs.iter().map(|input| self.current(input)).collect();
        match &*call.operator {
            path if DEQUANTIZING.contains(&path) => {
                self.note_scaled(operation, &inputs);
                Some(false)
            }
            "onnx.quantize" => {
                let to = self.rounding_of(call, &inputs)?;
                let whole = self.computed(inputs[0]?, &to)?;
                self.replace(operation, whole, to.limits)
            }
            "onnx.requantize" => {
                let to = self.rounding_of(call, &inputs)?;
                let axis = self.axis_of(inputs[1]?, self.editor.rank(inputs[0]?))?;
                let factor = self.editor.vector(inputs[1]?)?;
                let whole = self.requantized(inputs[0]?, factor, axis.unwrap_or(0), &to)?;
                self.replace(operation, whole, to.limits)
            }
            "quant.zero_point_linear_quantize" => self.simulated(operation, call, inputs[0]?),
            _ if is_recurrent(call) => self.recurrent(operation),
            "math.argmax" | "math.argmin" => self.searched(operation, call, inputs[0]?),
            _ => Some(false),
        }
    }

    fn current(&self, input: &Argument) -> Option<TensorId> {
        match input {
            Argument::Single(id) => Some(*self.replaced.get(id).unwrap_or(id)),
            _ => None,
        }
    }

    /// Lets a tensor be read in place of what an operation gives.
    fn replace(&mut self, operation: &Operation, by: TensorId, limits: (i64, i64)) -> Option<bool> {
        let result = single(&operation.outputs)?;
        (self.editor.ty(result) == self.editor.ty(by)).then_some(())?;
        self.replaced.insert(result, by);
        self.limits.insert(by, limits);
        Some(true)
    }

    /// A real that is the same everywhere, or for which an integer stands that is.
    pub(super) fn known_real(&self, id: TensorId) -> Option<f64> {
        let dequantized = || {
            let x = self.scaled.get(&id)?;
            let zero = x.zero.map_or(Some(0.0), |zero| self.editor.number(zero))?;
            let steps = (self.editor.number(x.whole)? - zero) as f32;
            Some(f64::from(steps * self.editor.number(x.scale)? as f32))
        };
        self.editor.number(id).or_else(dequantized)
    }

    /// The place of the greatest or the least integer, which stands for the greatest or the least real.
    fn searched(&mut self, operation: &Operation, call: &OperatorCall, x: TensorId) -> Option<bool> {
        let x = self.scaled(x).filter(|x| x.axis.is_none() && self.range(x.whole).is_some())?;
        is_positive(&(self.editor.number(x.scale)? as f32)).then_some(())?;
        let found = self.again(call, vec![Argument::Single(x.whole)])?;
        self.replaced.insert(single(&operation.outputs)?, found);
        Some(true)
    }

    /// The dimension that has several scales.
    fn axis_of(&self, scale: TensorId, rank: usize) -> Option<Option<usize>> {
        let shape = self.editor.shape(scale)?;
        let several: Vec<usize> = (0..shape.len()).filter(|dim| shape[*dim] != 1).collect();
        match several[..] {
            [] => Some(None),
            [dim] => Some(Some((dim + rank).checked_sub(shape.len())?)),
            _ => None,
        }
    }

    fn note_scaled(&mut self, operation: &Operation, inputs: &[Option<TensorId>]) -> Option<()> {
        let OperationKind::Operator(call) = &operation.kind else { return None };
        let (whole, scale) = (inputs[0]?, inputs[1]?);
        let zero = inputs.get(2).copied().flatten().filter(|zero| !self.is_zero(*zero));
        let axis = match call.attributes.get("axis") {
            Some(Value::Int(axis)) if self.editor.volume(scale)? != 1 => Some(usize::try_from(*axis).ok()?),
            Some(_) => None,
            None => self.axis_of(scale, self.editor.rank(whole))?,
        };
        self.note(single(&operation.outputs)?, Scaled { whole, scale, zero, axis });
        Some(())
    }

    /// Notes for which reals integers stand.
    fn note(&mut self, reals: TensorId, scaled: Scaled) {
        self.scaled.insert(reals, scaled);
        let Some((least, most)) = self.range(scaled.whole) else { return };
        let one = self.editor.number(scaled.scale).map(|scale| vec![scale as f32]);
        let axis = scaled.axis.filter(|_| one.is_none());
        let scales = one.or_else(|| self.editor.reals(scaled.scale).filter(|_| axis.is_some())).unwrap_or_default();
        let zero = scaled.zero.map_or(Some(0), |zero| self.editor.number(zero).map(|zero| zero as i64));
        let encoding = Encoding { values: Values { least, most }, steps: Some(Steps { scales, zero, axis }) };
        self.encodings.entry(scaled.whole).or_insert(encoding);
    }

    /// Whether all elements of a tensor are known to be 0, in whatever shape.
    fn is_zero(&self, id: TensorId) -> bool {
        if let Some(number) = self.editor.number(id) {
            return number == 0.0;
        }
        let reshaped = self.made.get(&id).and_then(|operation| match (&operation.kind, operation.inputs.as_slice()) {
            (OperationKind::Operator(call), [Argument::Single(source)]) if is_moving(&call.operator) => Some(*source),
            _ => None,
        });
        reshaped.is_some_and(|source| self.is_zero(source))
    }

    fn rounding_of(&self, call: &OperatorCall, inputs: &[Option<TensorId>]) -> Option<Rounding> {
        let number = |name: &str| match call.attributes.get(name) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let (scale, zero) = (inputs[1]?, inputs.get(2).copied().flatten());
        let limits = (number("least")?, number("most")?);
        let is_one = |id: TensorId| self.editor.volume(id) == Some(1);
        let has_one = *call.operator == *"onnx.requantize" || is_one(scale);
        let fits = has_one && zero.is_none_or(is_one) && [limits.0, limits.1].iter().all(|limit| is_word(*limit));
        fits.then_some(Rounding { scale, zero, limits, to_even: true })
    }

    /// What `quant.zero_point_linear_quantize` does: integers, and the reals that they stand for.
    fn simulated(&mut self, operation: &Operation, call: &OperatorCall, x: TensorId) -> Option<bool> {
        let attribute = |name: &str| call.attributes.get(name);
        let (least, most) = simulated_limits(call)?;
        let (scale, zero) = (attribute("scale")?.clone(), attribute("zero_point")?.clone());
        let rank = self.editor.rank(x) as i64;
        let one = uniform(&scale).zip(uniform(&zero));
        let (axis, count, scale, zero) = match (one, attribute("channel_axis")?) {
            (Some((scale, zero)), _) => (0, 1, Value::Real(scale), Value::Int(zero as i64)),
            (None, Value::Int(axis)) => {
                let axis = if *axis < 0 { axis + rank } else { *axis };
                let count = self.editor.ty(x).shape.get(usize::try_from(axis).ok()?)?.as_known()?;
                (axis, count, scale, zero)
            }
            _ => return None,
        };
        let scale = self.editor.known(ScalarType::Real, &[count], scale)?;
        let zero = self.editor.known(ScalarType::Int, &[count], zero)?;
        let to = Rounding { scale, zero: Some(zero), limits: (least, most), to_even: false };
        let computed = if count == 1 { self.attempt(|rules| rules.computed(x, &to)) } else { None };
        let whole = match computed {
            Some(whole) => whole,
            None => {
                let mut attributes = to.limits_of_results();
                attributes.push(("axis", Value::Int(axis)));
                self.editor.call("quantized.quantize", attributes, &[x, scale, zero])?
            }
        };
        self.limits.insert(whole, to.limits);
        let attributes = vec![("axis", Value::Int(axis))];
        let reals = self.editor.call("quantized.dequantize", attributes, &[whole, scale, zero])?;
        let axis = (count != 1).then_some(usize::try_from(axis).ok()?);
        self.note(reals, Scaled { whole, scale, zero: Some(zero), axis });
        let result = single(&operation.outputs)?;
        (self.editor.ty(result) == self.editor.ty(reals)).then_some(())?;
        self.scaled.insert(result, Scaled { whole, scale, zero: Some(zero), axis });
        self.replaced.insert(result, reals);
        Some(true)
    }

    /// The integers that reals become, where they are computed from integers.
    pub(super) fn computed(&mut self, x: TensorId, to: &Rounding) -> Option<TensorId> {
        if let Some(scaled) = self.scaled(x) {
            return self.rescaled(&scaled, to);
        }
        let summed = self.attempt(|rules| rules.summed(x, to));
        summed.or_else(|| self.attempt(|rules| rules.tabled(x, to)))
    }

    /// What is added for something; nothing where that can't be.
    pub(super) fn attempt<T>(&mut self, step: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (begun, tensors) = (self.editor.operations.len(), self.editor.graph.tensors.len());
        let made = step(self);
        if made.is_none() {
            self.editor.operations.truncate(begun);
            self.forget(tensors);
        }
        made
    }

    /// Sums and products of integers.
    pub(super) fn sum_or_product(&mut self, x: TensorId, to: &Rounding) -> Option<TensorId> {
        if let Some(normalized) = self.attempt(|rules| rules.normalized(x, to)) {
            return Some(normalized);
        }
        let operation = self.read_once(x)?.clone();
        let OperationKind::Operator(call) = &operation.kind else { return None };
        match &*call.operator {
            "nn.conv" | "nn.deconv" | "nn.linear" | "linalg.matmul" => self.product(&operation, call, to),
            "math.add" => {
                let sum = self.attempt(|rules| rules.sum(&operation, call, to));
                sum.or_else(|| self.biased(&operation, to))
            }
            "math.sub" => self.difference(&operation, call, to),
            "math.mul" | "math.div" => {
                let times = self.attempt(|rules| rules.times(&operation, call, to));
                times.or_else(|| self.elements(&operation, call, to))
            }
            "nn.avg_pool" | "nn.sum_pool" | "math.mean_reduce" | "math.sum_reduce" => self.mean(&operation, call, to),
            "nn.batch_norm" => self.scaled_by_channel(&operation, call, to),
            "math.sqr" => self.square(&operation, call, to),
            "nn.prelu" => self.rectified(&operation, call, to),
            "nn.softmax" => self.shares_of_powers(&operation, call, to),
            "image.linear_resize" | "onnx.linear_rescale" | "onnx.resample" => self.blended(&operation, to),
            _ => None,
        }
    }

    /// The operation that gives a tensor which is read once only.
    pub(super) fn read_once(&self, id: TensorId) -> Option<&Operation> {
        self.made.get(&id).filter(|_| self.uses.get(&id) == Some(&1))
    }

    /// Reals that are quantized as the operator says.
    pub(super) fn rounded(&mut self, x: TensorId, to: &Rounding) -> Option<TensorId> {
        let zero = self.zero_of_results(to)?;
        match to.to_even {
            true => {
                let scale = self.editor.scalar(to.scale)?;
                self.editor.call("onnx.quantize", to.limits_of_results(), &[x, scale, zero])
            }
            false => {
                let (scale, zero) = (self.editor.vector(to.scale)?, self.editor.vector(zero)?);
                self.editor.call("quantized.quantize", to.limits_of_results(), &[x, scale, zero])
            }
        }
    }

    /// Steps of sums, in steps of results.
    pub fn by_scale(&mut self, steps: TensorId, to: &Rounding) -> Option<TensorId> {
        let scale = self.editor.vector(to.scale)?;
        self.editor.scales(Of::Quotient, [steps, scale])
    }

    /// What sums are multiplied by, and the shift behind that.
    pub fn multipliers(&mut self, factor: TensorId) -> Option<(TensorId, TensorId)> {
        if let Some(known) = self.editor.multipliers_of(factor) {
            return Some(known);
        }
        // What is known and no positive number has no multipliers.
        if self.integers == Integers::Within && self.editor.reals(factor).is_some() {
            return None;
        }
        let inputs = vec![Argument::Single(factor)];
        let made = self.editor.invoke(Invocation { operator: "quantized.multiplier", attributes: vec![], inputs })?;
        match made[..] {
            [Argument::Single(multiplier), Argument::Single(shift)] => Some((multiplier, shift)),
            _ => None,
        }
    }

    /// Sums as quantized values.
    pub fn requantized(&mut self, sums: TensorId, factor: TensorId, axis: usize, to: &Rounding) -> Option<TensorId> {
        let zero = self.zero_of_results(to)?;
        self.requantized_from(sums, (factor, axis), zero, to)
    }

    /// The same, with one zero or one for each index of the dimension that factors belong to.
    pub fn requantized_from(
        &mut self,
        sums: TensorId,
        (factor, axis): (TensorId, usize),
        zero: TensorId,
        to: &Rounding,
    ) -> Option<TensorId> {
        let (multiplier, shift) = self.multipliers(factor)?;
        let mut attributes = to.limits_of_results();
        attributes.push(("axis", Value::Int(i64::try_from(axis).ok()?)));
        self.editor.call("quantized.requantize", attributes, &[sums, multiplier, shift, zero])
    }
}

/// The least and the greatest integer that `quant.zero_point_linear_quantize` has.
fn simulated_limits(call: &OperatorCall) -> Option<(i64, i64)> {
    let Some(Value::Int(bits @ 1..=MOST_BITS)) = call.attributes.get("bits") else { return None };
    let is = |name: &str| call.attributes.get(name) == Some(&Value::Bool(true));
    let half = 1 << (bits - 1);
    Some(match (is("signed"), is("symmetric")) {
        (false, _) => (0, 2 * half - 1),
        (true, true) => (1 - half, half - 1),
        (true, false) => (-half, half - 1),
    })
}
