//! What a run requires: `skriptnd.require` operations, which stay until code is generated.

use crate::generated::operations::{HoldsOpBuilder, RequireOp, RequireOpBuilder};
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, block_operations, region_blocks, types, walk};
use skriptnd_mlir::ops::arith;

/// Requires a condition at the builder's place and location; `values` are those of the fault's message.
pub fn require<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    fault: &Fault,
    values: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    let optional =
        |text: &str| Some(text).filter(|text| !text.is_empty()).map(|text| attributes::string(builder.context(), text));
    let requirement = RequireOpBuilder::new(builder)
        .condition(condition)
        .message(&fault.message)
        .values(values.iter().copied())
        .code(fault.code.name())
        .label_attribute(optional(fault.label))
        .help_attribute(optional(fault.help));
    requirement.build().map(drop)
}

/// Lets a `scf.while` end where something required inside of it did not hold: what goes on with other values than the
/// formulas say might not end by itself.
pub fn end_where_violated<'c: 'a, 'a>(repetition: OperationRef<'c, 'a>) -> Result<(), Failure> {
    if !walk(repetition).into_iter().any(|operation| operation.full_name() == RequireOp::NAME) {
        return Ok(());
    }
    let block = region_blocks(repetition.region(0)?).next().ok_or("a loop without a condition")?;
    let terminator = block_operations(block).last().ok_or("a loop without a condition")?;
    let context = repetition.context();
    let builder = Builder::before(terminator)?;
    let i1 = types::integer(context, 1);
    let holds = HoldsOpBuilder::new(&builder).output_type(i1).build()?.output()?;
    let goes_on = arith::andi(&builder, terminator.operand(0)?, holds)?;
    terminator.set_operand(0, goes_on)
}
