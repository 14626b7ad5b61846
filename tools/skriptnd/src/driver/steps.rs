//! Steps of quantized weights, which are variables of a model that `quantize` has written: types of the tensor processor have them as constants.

use super::inputs::{known_shape, read_in_form};
use super::variables::Source;
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, Origin, Region, TensorId};
use skriptnd_language::compose::value::Value;
use skriptnd_runtime::TensorData;
use std::collections::BTreeSet;

/// The operator that makes reals of whole numbers, steps and zero points.
const DEQUANTIZE: &str = "onnx.dequantize";
/// More steps than these are no channels'.
const MOST_STEPS: usize = 1 << 16;

/// Makes constants of variables that are steps or zero points and that no run changes: their values are those of their files. What has no file, as in a
/// template, stays a variable.
pub fn fix(graph: &mut Graph, source: &Source<'_>) {
    let mut found = BTreeSet::new();
    collect(&graph.body, &mut found);
    for id in found {
        let is_fixed = graph.variables.contains(&id) && !graph.updates.iter().any(|(updated, _)| *updated == id);
        if let Some(value) = is_fixed.then(|| value(graph, id, source)).flatten() {
            graph.tensors[id.0 as usize].origin = Origin::Constant(value);
            graph.variables.retain(|variable| *variable != id);
            graph.storage.remove(&id);
            graph.encodings.remove(&id);
        }
    }
}

fn collect(region: &Region, found: &mut BTreeSet<TensorId>) {
    for Operation { kind, inputs, .. } in &region.operations {
        match kind {
            OperationKind::Operator(call) if &*call.operator == DEQUANTIZE => {
                found.extend(inputs.iter().skip(1).flat_map(Argument::items));
            }
            OperationKind::Operator(_) => {}
            OperationKind::If { arms, otherwise } => {
                let regions = arms.iter().flat_map(|(condition, then)| [condition, then]);
                regions.chain([otherwise]).for_each(|region| collect(region, found));
            }
            OperationKind::Loop(parts) => {
                parts.condition.iter().chain([&parts.body]).for_each(|region| collect(region, found));
            }
        }
    }
}

fn value(graph: &Graph, id: TensorId, source: &Source<'_>) -> Option<Value> {
    let declared = graph.tensor(id);
    let file = source.open(declared).ok()??;
    let tensor = read_in_form(&file, source.form(declared)).ok()?;
    if known_shape(&declared.ty).ok()? != tensor.shape {
        return None;
    }
    match tensor.data {
        TensorData::F32(items) if items.len() <= MOST_STEPS => {
            Some(Value::Pack(items.into_iter().map(|item| Value::Real(item.into())).collect()))
        }
        TensorData::I64(items) if items.len() <= MOST_STEPS => {
            Some(Value::Pack(items.into_iter().map(Value::Int).collect()))
        }
        _ => None,
    }
}
