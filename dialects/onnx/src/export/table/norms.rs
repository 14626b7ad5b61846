//! Moments and normalization by them.

use super::call::is_empty;
use super::{Call, Results};
use crate::export::attributes as attr;
use crate::export::scope::{Scope, may_be_zero};
use skriptnd_language::compose::graph::TensorType;

/// `math.moments`
pub fn moments(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axes) = call.axes("axes", ty.shape.len()).filter(|axes| !axes.is_empty()) else { return Ok(None) };
    if is_empty(ty) || axes.iter().any(|axis| may_be_zero(&ty.shape[*axis as usize].value)) {
        return Ok(None);
    }
    let nodes = &mut scope.nodes;
    let along = nodes.ints(&axes);
    let keeps = |keeps: bool| vec![attr::int("keepdims", i64::from(keeps))];
    let kept = nodes.add("ReduceMean", &[x, &along], keeps(true));
    let centered = nodes.add("Sub", &[x, &kept], Vec::new());
    let square = nodes.add("Mul", &[&centered, &centered], Vec::new());
    let is_squeezed = call.holds("squeeze");
    let variance = nodes.add("ReduceMean", &[&square, &along], keeps(!is_squeezed));
    let mean = if is_squeezed { nodes.squeeze(&kept, &axes) } else { kept };
    Ok(Some(vec![mean, variance]))
}

/// `nn.mean_variance_norm` of each channel of each batch item.
pub fn mean_variance_norm(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some(epsilon)) = (call.input(0), call.real("epsilon")) else { return Ok(None) };
    let rank = ty.shape.len();
    let axes = call.axes("axes", rank).map(|mut axes| {
        axes.sort_unstable();
        axes
    });
    let is_each = axes.is_some_and(|axes| axes.into_iter().eq(2..rank as i64));
    if !is_each || rank < 3 || is_empty(ty) {
        return Ok(None);
    }
    let scale = given(scope, call, (2, 1.0), ty)?;
    let bias = given(scope, call, (1, 0.0), ty)?;
    let attributes = vec![attr::float("epsilon", epsilon)];
    Ok(Some(vec![scope.nodes.add("InstanceNormalization", &[x, &scale, &bias], attributes)]))
}

/// An operand for each channel, or a number for all.
fn given(
    scope: &mut Scope,
    call: &Call<'_>,
    (at, missing): (usize, f64),
    ty: &TensorType,
) -> Result<String, crate::export::scope::Why> {
    if let Some((name, _)) = call.input(at) {
        return Ok(name.to_owned());
    }
    let value = scope.nodes.real(missing);
    let shape = scope.shape(&ty.shape[1..2])?;
    Ok(scope.nodes.add("Expand", &[&value, &shape], Vec::new()))
}
