//! What is taken together along dimensions.

use super::call::is_empty;
use super::{Call, Results};
use crate::export::attributes as attr;
use crate::export::scope::{Scope, may_be_zero};
use crate::proto::AttributeProto;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::value::ScalarType;

/// `math.sum_reduce` and what is like it.
pub fn reduce(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axes) = call.axes("axes", ty.shape.len()).filter(|axes| !axes.is_empty()) else { return Ok(None) };
    let operator = match &*call.call.operator {
        "math.sum_reduce" => "ReduceSum",
        "math.prod_reduce" => "ReduceProd",
        "math.mean_reduce" => "ReduceMean",
        "math.min_reduce" | "math.all_reduce" => "ReduceMin",
        _ => "ReduceMax",
    };
    // What is smallest of nothing is another thing here, and open extents may be 0.
    if is_empty(ty) {
        return Ok(None);
    }
    let keeps = vec![attr::int("keepdims", i64::from(!call.holds("squeeze")))];
    let reduced = |axis: &i64| &ty.shape[*axis as usize];
    if operator == "ReduceMean" && axes.iter().any(|axis| may_be_zero(&reduced(axis).value)) {
        return mean(scope, x, (&axes, axes.iter().map(|axis| reduced(axis).value.clone()).collect()), keeps);
    }
    let nodes = &mut scope.nodes;
    if operator == "ReduceMean"
        && axes.len() > 1
        && !call.holds("squeeze")
        && axes.iter().copied().eq(2..ty.shape.len() as i64)
    {
        return Ok(Some(vec![nodes.add("GlobalAveragePool", &[x], Vec::new())]));
    }
    let axes = nodes.ints(&axes);
    if ty.dtype == ScalarType::Bool {
        let numbers = nodes.cast(x, attr::element_of(ScalarType::Int));
        let reduced = nodes.add(operator, &[&numbers, &axes], keeps);
        return Ok(Some(vec![nodes.is_positive(&reduced)]));
    }
    Ok(Some(vec![nodes.add(operator, &[x, &axes], keeps)]))
}

/// The mean of nothing is no number; that of ONNX Runtime is 0.
fn mean(scope: &mut Scope, x: &str, (axes, extents): (&[i64], Vec<SymExpr>), keeps: Vec<AttributeProto>) -> Results {
    let count = extents.iter().try_fold(SymExpr::Const(1), |product, extent| product.times(extent));
    let Some(count) = count else { return Ok(None) };
    let axes = scope.nodes.ints(axes);
    let sum = scope.nodes.add("ReduceSum", &[x, &axes], keeps);
    let count = scope.extent(&count)?;
    let count = scope.nodes.cast(&count, attr::element_of(ScalarType::Real));
    Ok(Some(vec![scope.nodes.add("Div", &[&sum, &count], Vec::new())]))
}

/// `math.argmin` and `math.argmax`
pub fn extreme(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axis) = call.axis("axis", ty.shape.len()).filter(|_| !is_empty(ty)) else { return Ok(None) };
    let operator = if &*call.call.operator == "math.argmin" { "ArgMin" } else { "ArgMax" };
    let attributes = vec![attr::int("axis", axis), attr::int("keepdims", i64::from(!call.holds("squeeze")))];
    Ok(Some(vec![scope.nodes.add(operator, &[x], attributes)]))
}

/// `math.cumsum`
pub fn cumsum(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axis) = call.axis("axis", ty.shape.len()).filter(|_| !is_empty(ty)) else { return Ok(None) };
    let axis = scope.nodes.int(axis);
    let flag = |name: &str| attr::int(name, i64::from(call.holds(name)));
    Ok(Some(vec![scope.nodes.add("CumSum", &[x, &axis], vec![flag("exclusive"), flag("reverse")])]))
}

/// `nn.softmax` along one dimension.
pub fn softmax(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    match call.axes("axes", ty.shape.len()).as_deref() {
        Some([axis]) => Ok(Some(vec![scope.nodes.add("Softmax", &[x], vec![attr::int("axis", *axis)])])),
        _ => Ok(None),
    }
}
