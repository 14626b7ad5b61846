//! Activations that the language writes as compositions.

use super::{Made, scalar};
use crate::generated::operations::HardSwishOp;
use skriptnd_dialect::generated::math::{AddOpBuilder, ClampOpBuilder, DivOpBuilder, MulOpBuilder};
use skriptnd_mlir::ir::{Builder, Type};

/// `x * clamp(x + 3, 0, 6) / 6`.
pub fn hard_swish<'c: 'a, 'a>(op: HardSwishOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let (input, number) = (op.input()?, |value| scalar(value, to, ty));
    let shifted = AddOpBuilder::new(to).x(input).y(number(3.0)?).z_type(ty).build()?.z()?;
    let limited = ClampOpBuilder::new(to).x(shifted).a(number(0.0)?).b(number(6.0)?).y_type(ty).build()?.y()?;
    let product = MulOpBuilder::new(to).x(input).y(limited).z_type(ty).build()?.z()?;
    DivOpBuilder::new(to).x(product).y(number(6.0)?).z_type(ty).build()?.z()
}
