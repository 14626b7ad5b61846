//! Runs of operations that one operator of ONNX computes: what they compute on the way is written, too, and left out again
//! where nothing else needs it.

use super::attributes as attr;
use super::graph::GraphWriter;
use super::producers::name_of;
use super::scope::{Why, may_be_zero};
use crate::element::ElementType;
use skriptnd_language::compose::graph::{Argument, Operation, Origin, TensorId};
use skriptnd_language::compose::value::Value;

/// An operand that is there.
fn operand(operation: &Operation, at: usize) -> Option<TensorId> {
    match operation.inputs.get(at)? {
        Argument::Single(id) => Some(*id),
        _ => None,
    }
}

/// The operands of an operation whose dimensions are aligned at the end, in both orders.
fn pairs(operation: &Operation) -> Option<[(TensorId, TensorId); 2]> {
    let is_given = |name: &str| attribute(operation, name).is_some_and(|value| *value != Value::Null);
    if is_given("lhs_align") || is_given("rhs_align") {
        return None;
    }
    let (a, b) = (operand(operation, 0)?, operand(operation, 1)?);
    Some([(a, b), (b, a)])
}

fn attribute<'o>(operation: &'o Operation, name: &str) -> Option<&'o Value> {
    operation.instance.as_ref()?.call.attributes.get(name)
}

/// What is normalized along its last dimensions.
struct Normalized {
    x: TensorId,
    first: usize,
    epsilon: f64,
}

impl GraphWriter<'_, '_> {
    /// Writes an operation as the last one of a run that has an operator; whether it is one.
    pub fn fused(&mut self, operation: &Operation) -> Result<bool, Why> {
        match name_of(operation) {
            Some("math.mul" | "math.add") => self.layer_norm(operation),
            Some("math.sub") => self.log_softmax(operation),
            Some("math.select") => self.prelu(operation),
            Some("onnx.quantize") => self.dynamic_quantize(operation),
            _ => Ok(false),
        }
    }

    /// `LayerNormalization` with a scale, and perhaps a bias.
    fn layer_norm(&mut self, operation: &Operation) -> Result<bool, Why> {
        let found = match name_of(operation) {
            Some("math.add") => self.shifted(operation),
            _ => self.scaled(operation).map(|(norm, scale)| (norm, scale, None)),
        };
        let Some((norm, scale, bias)) = found else { return Ok(false) };
        let mut inputs = Vec::new();
        for id in [norm.x, scale].into_iter().chain(bias) {
            inputs.push(self.value(id)?);
        }
        let attributes = vec![attr::int("axis", norm.first as i64), attr::float("epsilon", norm.epsilon)];
        let result = self.scope.nodes.several(("", "LayerNormalization"), inputs, 1, attributes).swap_remove(0);
        operation.outputs.iter().flat_map(Argument::items).for_each(|id| self.name(*id, &result));
        Ok(true)
    }

    fn shifted(&self, operation: &Operation) -> Option<(Normalized, TensorId, Option<TensorId>)> {
        pairs(operation)?.into_iter().find_map(|(scaled, bias)| {
            let (norm, scale) = self.scaled(self.producers.given_by(scaled, "math.mul")?)?;
            self.fits(&norm, bias).then_some((norm, scale, Some(bias)))
        })
    }

    fn scaled(&self, operation: &Operation) -> Option<(Normalized, TensorId)> {
        pairs(operation)?.into_iter().find_map(|(normalized, scale)| {
            let norm = self.normalized(self.producers.given_by(normalized, "math.mul")?)?;
            self.fits(&norm, scale).then_some((norm, scale))
        })
    }

    /// `(x - mean) * (1 / sqrt(variance + epsilon))`
    fn normalized(&self, operation: &Operation) -> Option<Normalized> {
        pairs(operation)?.into_iter().find_map(|(centered, inverse)| {
            let centered = self.producers.given_by(centered, "math.sub")?;
            let [(x, mean), _] = pairs(centered)?;
            let moments = self.producers.given_by(mean, "math.moments")?;
            let shifted = operand(self.producers.given_by(inverse, "math.rsqrt")?, 0)?;
            let [(variance, epsilon), _] = pairs(self.producers.given_by(shifted, "math.add")?)?;
            let results: Vec<TensorId> = moments.outputs.iter().flat_map(Argument::items).copied().collect();
            let is_one = results == [mean, variance] && operand(moments, 0) == Some(x);
            let first = self.first_axis(moments, x)?;
            let Origin::Constant(Value::Real(epsilon)) = &self.graph.tensor(epsilon).origin else { return None };
            is_one.then_some(Normalized { x, first, epsilon: *epsilon })
        })
    }

    /// The first of the dimensions over which moments are taken, which are the last ones and have elements.
    fn first_axis(&self, moments: &Operation, x: TensorId) -> Option<usize> {
        if attribute(moments, "squeeze") == Some(&Value::Bool(true)) {
            return None;
        }
        let shape = &self.graph.tensor(x).ty.shape;
        let Some(Value::Pack(axes)) = attribute(moments, "axes") else { return None };
        let rank = shape.len() as i64;
        let mut axes = axes
            .iter()
            .map(|axis| match axis {
                Value::Int(axis) => Some(if *axis < 0 { axis + rank } else { *axis }),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()?;
        axes.sort_unstable();
        let first = usize::try_from(*axes.first()?).ok()?;
        let are_last = axes.iter().copied().eq(first as i64..rank);
        let have_elements = shape[first..].iter().all(|extent| !may_be_zero(&extent.value));
        (are_last && have_elements).then_some(first)
    }

    /// Whether a scale or bias has the shape of what is normalized together.
    fn fits(&self, norm: &Normalized, operand: TensorId) -> bool {
        let shape = &self.graph.tensor(norm.x).ty.shape;
        self.graph.tensor(operand).ty.shape[..] == shape[norm.first..]
    }

    /// `LogSoftmax`: what is less than the greatest, less the logarithm of the sum of its exponentials.
    fn log_softmax(&mut self, operation: &Operation) -> Result<bool, Why> {
        let Some((x, axis)) = self.logarithms(operation) else { return Ok(false) };
        let x = self.value(x)?;
        let result = self.scope.nodes.add("LogSoftmax", &[&x], vec![attr::int("axis", axis)]);
        operation.outputs.iter().flat_map(Argument::items).for_each(|id| self.name(*id, &result));
        Ok(true)
    }

    fn logarithms(&self, operation: &Operation) -> Option<(TensorId, i64)> {
        let [(shifted, logarithm), _] = pairs(operation)?;
        let sum = operand(self.producers.given_by(logarithm, "math.log")?, 0)?;
        let sum = self.producers.given_by(sum, "math.sum_reduce")?;
        let exponentials = self.producers.given_by(operand(sum, 0)?, "math.exp")?;
        let [(x, most), _] = pairs(self.producers.given_by(shifted, "math.sub")?)?;
        let most = self.producers.given_by(most, "math.max_reduce")?;
        let keeps = |reduced: &Operation| attribute(reduced, "squeeze") != Some(&Value::Bool(true));
        let axes = attribute(sum, "axes").filter(|axes| Some(*axes) == attribute(most, "axes"))?;
        let Value::Pack(axes) = axes else { return None };
        let [Value::Int(axis)] = axes[..] else { return None };
        let is_one = operand(exponentials, 0) == Some(shifted) && operand(most, 0) == Some(x);
        (is_one && keeps(sum) && keeps(most)).then_some((x, axis))
    }

    /// `PRelu`: what is negative times a slope.
    fn prelu(&mut self, operation: &Operation) -> Result<bool, Why> {
        let Some((x, slope)) = self.sloped(operation) else { return Ok(false) };
        let (x, slope) = (self.value(x)?, self.value(slope)?);
        let result = self.scope.nodes.add("PRelu", &[&x, &slope], Vec::new());
        operation.outputs.iter().flat_map(Argument::items).for_each(|id| self.name(*id, &result));
        Ok(true)
    }

    fn sloped(&self, operation: &Operation) -> Option<(TensorId, TensorId)> {
        let is_given = |name: &&str| attribute(operation, name).is_some_and(|value| *value != Value::Null);
        if ["cond_align", "lhs_align", "rhs_align"].iter().any(is_given) {
            return None;
        }
        let x = operand(operation, 2)?;
        let [(compared, zero), _] = pairs(self.producers.given_by(operand(operation, 0)?, "math.lt")?)?;
        let sides = pairs(self.producers.given_by(operand(operation, 1)?, "math.mul")?)?;
        let (_, slope) = sides.into_iter().find(|(own, _)| *own == x)?;
        let is_zero = matches!(&self.graph.tensor(zero).origin, Origin::Constant(Value::Real(zero)) if *zero == 0.0);
        let shape = |id: TensorId| &self.graph.tensor(id).ty.shape;
        let result = *operation.outputs.first()?.items().first()?;
        (compared == x && is_zero && shape(result) == shape(x)).then_some((x, slope))
    }

    /// `DynamicQuantizeLinear`, as the importer writes it.
    fn dynamic_quantize(&mut self, operation: &Operation) -> Result<bool, Why> {
        let Some((x, scale, zero)) = self.dynamic_range(operation) else { return Ok(false) };
        let Some(y) = operation.outputs.first().and_then(|output| output.items().first()).copied() else {
            return Ok(false);
        };
        let x = self.value(x)?;
        let found = self.scope.nodes.several(("", "DynamicQuantizeLinear"), vec![x], 3, Vec::new());
        for (id, few) in [(y, &found[0]), (zero, &found[2])] {
            let wide = self.scope.widened(few, ElementType::Uint8);
            self.set(id, &wide);
        }
        // What was written for these before is left out where only this one needs it.
        self.set(scale, &found[1]);
        Ok(true)
    }

    /// What is quantized by the range that it has itself, with the scale and the zero.
    fn dynamic_range(&self, operation: &Operation) -> Option<(TensorId, TensorId, TensorId)> {
        let bytes = |operation: &Operation| {
            let is = |name: &str, value: i64| attribute(operation, name) == Some(&Value::Int(value));
            is("least", 0) && is("most", 255)
        };
        let (x, scale, zero) = (operand(operation, 0)?, operand(operation, 1)?, operand(operation, 2)?);
        let distance = self.producers.given_by(zero, "onnx.quantize")?;
        let is_own = bytes(operation) && bytes(distance) && operand(distance, 1) == Some(scale);
        let least = operand(self.producers.given_by(operand(distance, 0)?, "math.neg")?, 0)?;
        let chosen = self.producers.given_by(scale, "math.select")?;
        let by = operand(chosen, 2)?;
        let is_zero = operand(self.producers.given_by(operand(chosen, 0)?, "math.eq")?, 0)? == by;
        let range = operand(self.producers.given_by(by, "math.div")?, 0)?;
        let range = self.producers.given_by(range, "math.sub")?;
        let most = operand(range, 0)?;
        let end = |id: TensorId, limit: &str, reduction: &str| {
            let limited = operand(self.producers.given_by(id, limit)?, 0)?;
            operand(self.producers.given_by(limited, reduction)?, 0)
        };
        let ends = [end(least, "math.min", "math.min_reduce")?, end(most, "math.max", "math.max_reduce")?];
        (is_own && is_zero && operand(range, 1) == Some(least) && ends == [x, x]).then_some((x, scale, zero))
    }
}
