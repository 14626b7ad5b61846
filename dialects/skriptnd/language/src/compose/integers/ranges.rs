//! Between which numbers integers lie that operations give: of those, too, that took the place of others within operators of the model.

use super::known::is_moving;
use super::rules::Rules;
use crate::compose::graph::{Argument, Operation, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

impl Rules<'_, '_> {
    /// Notes what is known of the integers that an operation gives.
    pub(super) fn note_limits(&mut self, operation: &Operation, call: &OperatorCall) {
        if let Some(limits) = self.limits_of_results(operation, call) {
            let results = operation.outputs.iter().flat_map(Argument::items);
            let whole = results.filter(|id| self.editor.ty(**id).dtype == ScalarType::Int).copied();
            let whole: Vec<TensorId> = whole.collect();
            self.limits.extend(whole.into_iter().map(|id| (id, limits)));
        }
    }

    fn limits_of_results(&self, operation: &Operation, call: &OperatorCall) -> Option<(i64, i64)> {
        let number = |name: &str| match call.attributes.get(name) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let inputs: Vec<TensorId> = operation.inputs.iter().flat_map(Argument::items).copied().collect();
        let range = |id: &TensorId| {
            let id = self.replaced.get(id).unwrap_or(id);
            self.limits.get(id).copied().or_else(|| self.range(*id))
        };
        let both = |of: fn(i64, i64) -> i64| {
            let (left, right) = (range(inputs.first()?)?, range(inputs.get(1)?)?);
            Some((of(left.0, right.0), of(left.1, right.1)))
        };
        match &*call.operator {
            path if path.starts_with("quantized.") || path == "onnx.quantize" || path == "onnx.requantize" => {
                let values = || range(inputs.get(1)?).filter(|_| path == "quantized.lookup");
                number("least").zip(number("most")).or_else(values)
            }
            // Nothing has a greatest one, which is less than all others.
            "nn.max_pool" | "math.max_reduce" => Some((i64::MIN, range(inputs.first()?)?.1)),
            "math.min_reduce" => Some((range(inputs.first()?)?.0, i64::MAX)),
            "math.max" => both(i64::max),
            "math.min" => both(i64::min),
            "layout.concat" | "layout.stack" => {
                let mut ranges = inputs.iter().map(range);
                let first = ranges.next()??;
                ranges.try_fold(first, |all, own| own.map(|own| (all.0.min(own.0), all.1.max(own.1))))
            }
            "layout.pad" => {
                let filling = inputs.get(1).map_or(Some((0, 0)), range)?;
                range(inputs.first()?).map(|own| (own.0.min(filling.0), own.1.max(filling.1)))
            }
            path if path != "math.select" && !path.starts_with("layout.scatter") && is_moving(path) => {
                range(inputs.first()?)
            }
            _ => None,
        }
    }
}
