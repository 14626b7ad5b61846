//! Elements between those of a tensor: integers are blended by whole parts.

use super::constants::Of;
use super::rules::{Rounding, Rules};
use crate::compose::extent::Extent;
use crate::compose::graph::{Argument, Operation, OperationKind, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// The parts that weights along a dimension are of.
const PARTS: f64 = 1024.0;
/// Dimensions that 32 bits have room for.
const MOST_DIMENSIONS: usize = 2;
/// Positions along a dimension, whose elements and weights become constants.
const MOST_POSITIONS: i64 = 1 << 16;

/// How positions along a dimension follow from those in the result, as the operators compute it.
struct Positions {
    axis: usize,
    size: i64,
    multiply: i64,
    divide: i64,
    center: f32,
}

/// What elements between others are made of along a dimension: for each position those that it lies between, and their parts.
struct Blend {
    axis: usize,
    index: TensorId,
    weight: TensorId,
}

impl Rules<'_, '_> {
    /// A tensor of bytes that is interpolated linearly, by one operation or by several in a row.
    pub(super) fn blended(&mut self, operation: &Operation, to: &Rounding) -> Option<TensorId> {
        let (mut along, mut operation) = (Vec::new(), operation.clone());
        let x = loop {
            let OperationKind::Operator(call) = &operation.kind else { return None };
            let [Argument::Single(x), tables @ ..] = operation.inputs.as_slice() else { return None };
            along.splice(0..0, self.blends(call, *x, tables)?);
            match self.scaled(*x) {
                Some(scaled) => break scaled,
                None => operation = self.read_once(*x)?.clone(),
            }
        };
        ((1..=MOST_DIMENSIONS).contains(&along.len()) && x.axis.is_none() && self.has_table(&x)).then_some(())?;
        let mut blended = self.centered(&x)?;
        for Blend { axis, index, weight } in &along {
            let axis = vec![("axis", Value::Int(i64::try_from(*axis).ok()?))];
            blended = self.editor.call("quantized.blend", axis, &[blended, *index, *weight])?;
        }
        let parts = self.editor.known(ScalarType::Real, &[1], Value::Real(PARTS.powi(along.len() as i32)))?;
        let scale = self.editor.vector(x.scale)?;
        let step = self.editor.scales(Of::Quotient, [scale, parts])?;
        let factor = self.by_scale(step, to)?;
        self.requantized(blended, factor, 0, to)
    }

    /// What an operation blends.
    fn blends(&mut self, call: &OperatorCall, x: TensorId, tables: &[Argument]) -> Option<Vec<Blend>> {
        let extents = &self.editor.ty(x).shape;
        let positions = match (&*call.operator, tables) {
            ("image.linear_resize", _) => resized(call, &self.editor.shape(x)?)?,
            ("onnx.linear_rescale", _) => vec![rescaled(call)?],
            ("onnx.resample", [Argument::Single(index), Argument::Single(weight)]) => {
                let Some(Value::Int(axis)) = call.attributes.get("axis") else { return None };
                let (axis, index) = (usize::try_from(*axis).ok()?, *index);
                return Some(vec![Blend { axis, index, weight: self.parts_of(*weight)? }]);
            }
            _ => return None,
        };
        let extents: Vec<Option<i64>> = extents.iter().map(Extent::as_known).collect();
        positions.iter().map(|own| self.known_blend(own, extents.get(own.axis).copied().flatten()?)).collect()
    }

    fn known_blend(&mut self, positions: &Positions, extent: i64) -> Option<Blend> {
        (extent > 0 && positions.size <= MOST_POSITIONS).then_some(())?;
        let (index, weight) = positions.weights(extent);
        let shape = [positions.size, 2];
        let index = self.editor.known(ScalarType::Int, &shape, Value::Pack(index))?;
        let weight = self.editor.known(ScalarType::Int, &shape, Value::Pack(weight))?;
        Some(Blend { axis: positions.axis, index, weight })
    }

    /// Weights of two elements, as whole parts.
    fn parts_of(&mut self, weight: TensorId) -> Option<TensorId> {
        (self.editor.shape(weight)?.last() == Some(&2)).then_some(())?;
        let step = self.editor.known(ScalarType::Real, &[1], Value::Real(1.0 / PARTS))?;
        let zero = self.editor.known(ScalarType::Int, &[1], Value::Int(0))?;
        let limits = vec![("least", Value::Int(0)), ("most", Value::Int(PARTS as i64))];
        self.editor.call("quantized.quantize", limits, &[weight, step, zero])
    }
}

impl Positions {
    /// For each position the two elements that it lies between, and their weights.
    fn weights(&self, extent: i64) -> (Vec<Value>, Vec<Value>) {
        let between = (0..self.size).map(|at| {
            let place = (at as f32 + self.center) * self.multiply as f32 / self.divide as f32 - self.center;
            let second = (f64::from(place - place.floor()) * PARTS).round();
            let element = |at: i64| Value::Int(at.clamp(0, extent - 1));
            let first = place.floor() as i64;
            ([element(first), element(first + 1)], [PARTS - second, second].map(|part| Value::Int(part as i64)))
        });
        let (index, weight): (Vec<_>, Vec<_>) = between.unzip();
        (index.concat(), weight.concat())
    }
}

/// The dimensions that `image.linear_resize` resizes.
fn resized(call: &OperatorCall, extents: &[i64]) -> Option<Vec<Positions>> {
    let integers = |name: &str| super::means::integers(call.attributes.get(name)?);
    let Some(Value::Str(transform)) = call.attributes.get("coordinate_transform") else { return None };
    let (is_aligned, is_symmetric) = (&**transform == "ALIGNED", &**transform == "SYMMETRIC");
    let along = integers("axes")?.into_iter().zip(integers("size")?).map(|(axis, size)| {
        let axis = usize::try_from(if axis < 0 { axis + extents.len() as i64 } else { axis }).ok()?;
        let extent = *extents.get(axis)?;
        let (multiply, divide) = match is_aligned {
            true => (if size == 1 { 0 } else { extent - 1 }, (size - 1).max(1)),
            false => (extent, size),
        };
        Some(Positions { axis, size, multiply, divide, center: if is_symmetric { 0.5 } else { 0.0 } })
    });
    along.collect()
}

/// The dimension that `onnx.linear_rescale` resizes.
fn rescaled(call: &OperatorCall) -> Option<Positions> {
    let integer = |name: &str| match call.attributes.get(name) {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    };
    let Some(Value::Real(center)) = call.attributes.get("center") else { return None };
    let axis = usize::try_from(integer("axis")?).ok()?;
    let [size, multiply, divide] = ["size", "multiply", "divide"].map(integer);
    Some(Positions { axis, size: size?, multiply: multiply?, divide: divide?, center: *center as f32 })
}

#[cfg(test)]
mod tests {
    use super::Positions;
    use crate::compose::value::Value;

    #[test]
    fn weights_of_two_elements_sum_to_one() {
        let twice = Positions { axis: 0, size: 4, multiply: 2, divide: 4, center: 0.5 };
        let (index, weight) = twice.weights(2);
        let numbers = |values: [i64; 8]| values.map(Value::Int).to_vec();
        assert_eq!(index, numbers([0, 0, 0, 1, 0, 1, 1, 1]));
        assert_eq!(weight, numbers([256, 768, 768, 256, 256, 768, 768, 256]));
    }
}
