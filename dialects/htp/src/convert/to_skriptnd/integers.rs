//! Integers of 32 bits as those of 64 that the language has.

use super::Made;
use crate::convert::builder::tensor;
use skriptnd_dialect::generated::math::{AddOpBuilder, ClampOpBuilder, ModOp, SubOpBuilder};
use skriptnd_dialect::generated::operations::ConstantOpBuilder;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, types};

/// What 32 bits hold of what an op has computed with 64: what is beyond wraps around; where a real number was converted it becomes
/// the nearest integer, as beyond 64 bits.
pub fn narrowed<'c: 'a, 'a>(op: OperationRef<'c, 'a>, value: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    let (ty, number) = (value.r#type(), |value: i64| scalar(value, to));
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let integer = types::integer(to.context(), 64);
    let from = op.operand_types().first().map(|ty| types::element(super::of_language(*ty)));
    if super::is_cast(op) && from != Some(integer) {
        return ClampOpBuilder::new(to).x(value).a(number(least)?).b(number(most)?).y_type(ty).build()?.y();
    }
    // The remainder of a division that rounds down is not negative.
    let shifted = SubOpBuilder::new(to).x(value).y(number(least)?).z_type(ty).build()?.z()?;
    let rest = to.operation(ModOp::NAME, &[shifted, number(most - least + 1)?], &[], &[ty])?.result(0)?;
    AddOpBuilder::new(to).x(rest).y(number(least)?).z_type(ty).build()?.z()
}

fn scalar<'c: 'a, 'a>(value: i64, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    let integer = types::integer(to.context(), 64);
    let ty = tensor(integer, &[])?;
    let value = attributes::typed_integer(integer, value).and_then(|value| attributes::elements(ty, &[value]));
    let value = value.ok_or("expected an integer of 64 bits")?;
    ConstantOpBuilder::new(to).value(value).output_type(ty).build()?.output()
}
