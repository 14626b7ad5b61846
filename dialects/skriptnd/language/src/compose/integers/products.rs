//! Operators that sum products, and sums and products of elements.

use super::constants::Of;
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::extent::Extent;
use crate::compose::graph::{Argument, Operation, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// Where channels with scales of their own are.
struct Channels {
    /// In the filter.
    filter: usize,
    /// In the result.
    result: usize,
}

impl Channels {
    fn of(call: &OperatorCall, ranks: [usize; 2]) -> Option<Channels> {
        let text = |name: &str| match call.attributes.get(name) {
            Some(Value::Str(text)) => Some(text.clone()),
            _ => None,
        };
        let [rank, filter] = ranks;
        let result = || match &*text("data_format")? {
            "NCX" => Some(1),
            "NXC" => Some(rank.checked_sub(1)?),
            _ => Some(rank.checked_sub(2)?),
        };
        Some(match &*call.operator {
            "nn.conv" => {
                let is_last = matches!(&*text("filter_format")?, "XCN" | "CXN");
                Channels { filter: if is_last { filter.checked_sub(1)? } else { 0 }, result: result()? }
            }
            "nn.deconv" => {
                let is_one = call.attributes.get("groups") == Some(&Value::Int(1));
                let at = match &*text("filter_format")? {
                    "NCX" => 1,
                    "NXC" => filter.checked_sub(1)?,
                    "XCN" => filter.checked_sub(2)?,
                    _ => 0,
                };
                // The channels of a group are those of all others as well.
                Channels { filter: if is_one { at } else { usize::MAX }, result: result()? }
            }
            "nn.linear" => Channels { filter: 0, result: 1 },
            _ => {
                let is_turned = call.attributes.get("transB") == Some(&Value::Bool(true));
                let at = filter.checked_sub(if is_turned { 2 } else { 1 })?;
                Channels { filter: at, result: rank.max(filter).checked_sub(1)? }
            }
        })
    }
}

impl Rules<'_, '_> {
    /// A convolution, or a product of matrices.
    pub(super) fn product(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [Argument::Single(left), Argument::Single(right), rest @ ..] = operation.inputs.as_slice() else {
            return None;
        };
        let (left, right) = (self.scaled(*left)?, self.scaled(*right)?);
        let bias = match rest {
            [] | [Argument::Null] => None,
            [Argument::Single(bias)] if *call.operator != *"linalg.matmul" => Some(*bias),
            _ => return None,
        };
        let ranks = [left.whole, right.whole].map(|id| self.editor.rank(id));
        let channels = Channels::of(call, ranks)?;
        if left.axis.is_some() || right.axis.is_some_and(|axis| axis != channels.filter) {
            return None;
        }
        let outputs = self.editor.ty(right.whole).shape.get(channels.filter).map_or(Some(1), Extent::as_known)?;
        let terms = self.editor.volume(right.whole)? / outputs.max(1);
        let sum = self.sum_of_products([&left, &right], terms);
        (sum.is_some() || self.is_everywhere()).then_some(())?;
        let [a, b] = [self.centered(&left)?, self.centered(&right)?];
        let steps = [self.editor.vector(left.scale)?, self.editor.vector(right.scale)?];
        let step = self.editor.scales(Of::Product, steps)?;
        // What sums leave of 32 bits.
        let most = i64::from(i32::MAX) - sum.unwrap_or(1 << 30);
        bias.is_none_or(|bias| self.fits_bias(bias, (step, most), to)).then_some(())?;
        let factor = self.by_scale(step, to)?;
        let mut inputs = vec![Argument::Single(a), Argument::Single(b)];
        inputs.push(match bias {
            None => Argument::Null,
            Some(bias) => {
                let attributes = vec![("most", Value::Int(most))];
                Argument::Single(self.editor.call("quantized.steps", attributes, &[bias, step])?)
            }
        });
        let sums = self.again(call, inputs)?;
        self.requantized(sums, factor, channels.result, to)
    }

    /// The sum of two tensors.
    pub(super) fn sum(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [left, right] = self.pair(operation)?;
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

    /// The product of two tensors, element by element.
    pub(super) fn elements(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [left, right] = self.pair(operation)?;
        (self.is_everywhere() || self.sum_of_products([&left, &right], 1).is_some()).then_some(())?;
        let [a, b] = [self.centered(&left)?, self.centered(&right)?];
        let product = self.again(call, vec![Argument::Single(a), Argument::Single(b)])?;
        let scales = [self.editor.vector(left.scale)?, self.editor.vector(right.scale)?];
        let step = self.editor.scales(Of::Product, scales)?;
        let factor = self.by_scale(step, to)?;
        self.requantized(product, factor, 0, to)
    }

    /// Two operands with one scale each.
    fn pair(&mut self, operation: &Operation) -> Option<[Scaled; 2]> {
        let [Argument::Single(left), Argument::Single(right)] = operation.inputs[..] else { return None };
        let pair = [self.scaled(left)?, self.scaled(right)?];
        pair.iter().all(|operand| operand.axis.is_none()).then_some(pair)
    }

    /// The mean of windows, or along dimensions.
    pub(super) fn mean(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [Argument::Single(x)] = operation.inputs[..] else { return None };
        let x = self.scaled(x).filter(|x| x.axis.is_none())?;
        let (operator, count) = match &*call.operator {
            "nn.avg_pool" => ("nn.sum_pool", window(call)?),
            _ => ("math.sum_reduce", self.reduced(call, x.whole)?),
        };
        self.fits(&x, count).then_some(())?;
        let centered = self.centered(&x)?;
        let attributes = call.attributes.iter().filter(|(name, _)| *name != "ignore_border");
        let attributes = attributes.map(|(name, value)| (name.as_str(), value.clone())).collect();
        let sums = self.editor.call(operator, attributes, &[centered])?;
        let scale = self.editor.vector(x.scale)?;
        let count = self.editor.known(ScalarType::Real, &[1], Value::Real(count as f64))?;
        let step = self.editor.scales(Of::Quotient, [scale, count])?;
        let factor = self.by_scale(step, to)?;
        self.requantized(sums, factor, 0, to)
    }

    /// How many elements an operator reduces to one.
    fn reduced(&self, call: &OperatorCall, x: TensorId) -> Option<i64> {
        let rank = self.editor.rank(x) as i64;
        let axes = integers(call.attributes.get("axes")?)?;
        let extents = axes.into_iter().map(|axis| {
            let axis = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok()?;
            self.editor.ty(x).shape.get(axis)?.as_known()
        });
        extents.collect::<Option<Vec<_>>>()?.into_iter().try_fold(1, i64::checked_mul).filter(|count| *count > 0)
    }
}

/// How many elements a window has, where all have as many.
fn window(call: &OperatorCall) -> Option<i64> {
    let is = |name: &str, value: bool| call.attributes.get(name) == Some(&Value::Bool(value));
    let unpadded = || integers(call.attributes.get("padding")?)?.iter().all(|count| *count == 0).then_some(());
    if !is("ignore_border", false) {
        unpadded().filter(|()| is("ceil_mode", false))?;
    }
    integers(call.attributes.get("size")?)?.into_iter().try_fold(1, i64::checked_mul)
}

/// The items of a pack of known integers.
fn integers(value: &Value) -> Option<Vec<i64>> {
    let item = |value: &Value| if let Value::Int(value) = value { Some(*value) } else { None };
    match value {
        Value::Pack(items) => items.iter().map(item).collect(),
        Value::Repeat(value, count) => Some(vec![item(value)?; usize::try_from(*count).ok()?]),
        _ => None,
    }
}
