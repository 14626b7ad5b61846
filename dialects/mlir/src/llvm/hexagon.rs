//! What LLVM's code generator for Hexagon gets wrong and options don't mend.

use inkwell::builder::BuilderError;
use inkwell::module::Module;
use inkwell::values::{BasicValue, BasicValueEnum, FloatValue, InstructionOpcode, InstructionValue};

/// Selects between the bits of reals rather than between the reals. LLVM 22 takes `x < y ? x : y` for `sfmin`, and likewise
/// for `sfmax`, which give the other operand where one is not a number, and order zeros.
pub(super) fn select_bits(module: &Module<'_>) -> Result<(), BuilderError> {
    let context = module.get_context();
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let instructions: Vec<_> = blocks.flat_map(|block| block.get_instructions()).collect();
    for selection in instructions {
        if let Some((condition, yes, no)) = selection_of_reals(selection) {
            let bits = context.i32_type();
            let builder = context.create_builder();
            builder.position_before(&selection);
            let [yes, no] = [yes, no].map(|real| builder.build_bit_cast(real, bits, "bits"));
            let selected = builder.build_select(condition.into_int_value(), yes?, no?, "selected")?;
            let real = builder.build_bit_cast(selected, context.f32_type(), "real")?;
            if let Some(real) = real.as_instruction_value() {
                selection.replace_all_uses_with(&real);
                selection.erase_from_basic_block();
            }
        }
    }
    Ok(())
}

/// The condition and the choices of a selection of an f32.
fn selection_of_reals<'c>(
    instruction: InstructionValue<'c>,
) -> Option<(BasicValueEnum<'c>, FloatValue<'c>, FloatValue<'c>)> {
    if instruction.get_opcode() != InstructionOpcode::Select {
        return None;
    }
    let operand = |number| instruction.get_operand(number)?.value();
    match (operand(0)?, operand(1)?, operand(2)?) {
        (condition, BasicValueEnum::FloatValue(yes), BasicValueEnum::FloatValue(no))
            if yes.get_type().get_bit_width() == 32 =>
        {
            Some((condition, yes, no))
        }
        _ => None,
    }
}
