//! Layer normalization, which the language writes as a composition.

use super::{Made, scalar};
use crate::apply::{Elements, Graph};
use crate::convert::builder::{static_dims, tensor};
use crate::convert::reshaped::of_rank;
use crate::engine::IrGraph;
use crate::generated::operations::LayerNormOp;
use skriptnd_dialect::generated::math::{
    AddOpBuilder, DivOpBuilder, MomentsOpBuilder, MulOpBuilder, SqrtOpBuilder, SubOpBuilder,
};
use skriptnd_mlir::ir::{Builder, Type, types};

/// `(input - mean) / sqrt(variance + epsilon) * scale + bias`.
pub fn layer_norm<'c: 'a, 'a>(op: LayerNormOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let axes = super::integers(op.axes()?).ok_or("expected constant integers as the parameter 'axes'")?;
    let mut dims = static_dims(ty).ok_or("expected a result of static shape")?;
    let rank = dims.len();
    if !axes.iter().copied().eq((rank.saturating_sub(axes.len()) as i64)..rank as i64) {
        return Err("expected the last dimensions as the parameter 'axes'".into());
    }
    dims[rank - axes.len()..].fill(1);
    let kept = tensor(types::element(ty), &dims)?;
    let moments = MomentsOpBuilder::new(to).input(op.input()?).axes(&axes).squeeze(false);
    let moments = moments.mean_type(kept).variance_type(kept).build()?;
    let centered = SubOpBuilder::new(to).x(op.input()?).y(moments.mean()?).z_type(ty).build()?.z()?;
    let stabilized = AddOpBuilder::new(to).x(moments.variance()?).y(epsilon(op, to, ty)?).z_type(kept).build()?.z()?;
    let deviation = SqrtOpBuilder::new(to).x(stabilized).y_type(kept).build()?.y()?;
    let normalized = DivOpBuilder::new(to).x(centered).y(deviation).z_type(ty).build()?.z()?;
    let scaled = MulOpBuilder::new(to).x(normalized).y(of_rank(op.scale()?, rank, to)?).z_type(ty).build()?.z()?;
    AddOpBuilder::new(to).x(scaled).y(of_rank(op.bias()?, rank, to)?).z_type(ty).build()?.z()
}

/// What is added to the variance, as a scalar.
fn epsilon<'c: 'a, 'a>(op: LayerNormOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    match IrGraph::default().constant(op.epsilon()?) {
        Some(Elements::Reals(values)) if !values.is_empty() => scalar(values[0], to, ty),
        _ => Err("expected a constant real number as the parameter 'epsilon'".into()),
    }
}
