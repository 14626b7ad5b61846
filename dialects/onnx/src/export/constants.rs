//! Values that are known when a model is composed, as tensors.

use super::attributes as attr;
use super::scope::{Scope, Why};
use crate::constant::Constant;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value};

/// Elements that are all the same are written once, where there are more of them.
const WRITTEN_OUT: usize = 1024;

/// A constant: one scalar for all elements, or all of them.
///
/// # Errors
/// Where it depends on extents that nothing tells.
pub fn constant_tensor(scope: &mut Scope, value: &Value, ty: &TensorType) -> Result<String, Why> {
    if let Value::Pack(items) = value
        && items.len() != 1
    {
        return match known_constant(value, ty) {
            Some(constant) => Ok(scope.nodes.constant(&constant)),
            None => listed(scope, items, ty),
        };
    }
    let item = match value {
        // Of a length that only a run knows; all items are one.
        Value::Symbolic(Symbolic::Pack { item, .. }) => item,
        Value::Pack(items) => &items[0],
        Value::Repeat(item, _) => item,
        scalar => scalar,
    };
    let count = shape_of(ty).and_then(|shape| skriptnd_runtime::tensor::volume(&shape));
    if let (Some(constant), Some(0..=WRITTEN_OUT)) = (known_constant(value, ty), count) {
        return Ok(scope.nodes.constant(&constant));
    }
    let scalar = scope.scalar(item, ty.dtype)?;
    let shape = scope.shape(&ty.shape)?;
    Ok(scope.nodes.add("Expand", &[&scalar, &shape], Vec::new()))
}

fn shape_of(ty: &TensorType) -> Option<Vec<usize>> {
    ty.shape.iter().map(|extent| usize::try_from(extent.as_known()?).ok()).collect()
}

/// Most elements of a constant that are written out.
const MOST_ELEMENTS: usize = 1 << 28;

/// A constant that depends on nothing.
pub fn known_constant(value: &Value, ty: &TensorType) -> Option<Constant> {
    let shape = shape_of(ty)?;
    let count = skriptnd_runtime::tensor::volume(&shape).filter(|count| *count <= MOST_ELEMENTS)?;
    let item = |at: usize| match value {
        Value::Pack(items) if items.len() == 1 => items.first(),
        Value::Pack(items) => items.get(at),
        Value::Repeat(item, _) => Some(&**item),
        scalar => Some(scalar),
    };
    match ty.dtype {
        ScalarType::Real => {
            let all = (0..count).map(|at| real(item(at)?)).collect::<Option<Vec<_>>>()?;
            Some(Constant::of_reals(shape, &all))
        }
        ScalarType::Int => {
            let whole = |value: &Value| if let Value::Int(value) = value { Some(*value) } else { None };
            let all = (0..count).map(|at| whole(item(at)?)).collect::<Option<Vec<_>>>()?;
            Some(Constant { shape, ..Constant::of_ints(&all) })
        }
        _ => {
            let truth = |value: &Value| if let Value::Bool(value) = value { Some(*value) } else { None };
            let all = (0..count).map(|at| truth(item(at)?)).collect::<Option<Vec<_>>>()?;
            Some(Constant::of_bools(shape, &all))
        }
    }
}

fn real(value: &Value) -> Option<f32> {
    match value {
        Value::Real(value) => Some(*value as f32),
        Value::Int(value) => Some(*value as f32),
        _ => None,
    }
}

/// Elements of which some depend on extents.
fn listed(scope: &mut Scope, items: &[Value], ty: &TensorType) -> Result<String, Why> {
    let one = scope.nodes.ints(&[1]);
    let mut parts = Vec::new();
    for item in items {
        let value = scope.scalar(item, ty.dtype)?;
        parts.push(scope.nodes.add("Reshape", &[&value, &one], Vec::new()));
    }
    let all = scope.nodes.several(("", "Concat"), parts, 1, vec![attr::int("axis", 0)]).swap_remove(0);
    let shape = scope.shape(&ty.shape)?;
    Ok(scope.nodes.add("Reshape", &[&all, &shape], vec![attr::int("allowzero", 1)]))
}
