//! What LLVM's code generator for Hexagon gets wrong and options don't mend.

use inkwell::attributes::AttributeLoc;
use inkwell::builder::BuilderError;
use inkwell::module::Module;
use inkwell::values::{
    BasicValue, BasicValueEnum, CallSiteValue, FloatValue, FunctionValue, InstructionOpcode, InstructionValue,
};

/// Selects between the bits of reals rather than between the reals. LLVM 22 takes `x < y ? x : y` for `sfmin` or
/// `dfmin`, and likewise for maxima, which give the other operand where one is not a number, and order zeros.
pub(super) fn select_bits(module: &Module<'_>) -> Result<(), BuilderError> {
    let context = module.get_context();
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let instructions: Vec<_> = blocks.flat_map(|block| block.get_instructions()).collect();
    for selection in instructions {
        if let Some((condition, yes, no)) = selection_of_reals(selection) {
            let reals = yes.get_type();
            let bits = if reals == context.f64_type() { context.i64_type() } else { context.i32_type() };
            let builder = context.create_builder();
            builder.position_before(&selection);
            let [yes, no] = [yes, no].map(|real| builder.build_bit_cast(real, bits, "bits"));
            let selected = builder.build_select(condition.into_int_value(), yes?, no?, "selected")?;
            let real = builder.build_bit_cast(selected, reals, "real")?;
            if let Some(real) = real.as_instruction_value() {
                selection.replace_all_uses_with(&real);
                selection.erase_from_basic_block();
            }
        }
    }
    Ok(())
}

/// The condition and the choices of a selection of an f32 or f64.
fn selection_of_reals<'c>(
    instruction: InstructionValue<'c>,
) -> Option<(BasicValueEnum<'c>, FloatValue<'c>, FloatValue<'c>)> {
    if instruction.get_opcode() != InstructionOpcode::Select {
        return None;
    }
    let operand = |number| instruction.get_operand(number)?.value();
    match (operand(0)?, operand(1)?, operand(2)?) {
        (condition, BasicValueEnum::FloatValue(yes), BasicValueEnum::FloatValue(no))
            if [32, 64].contains(&yes.get_type().get_bit_width()) =>
        {
            Some((condition, yes, no))
        }
        _ => None,
    }
}

/// Takes stores of values that the same packet computes from functions that call others. For them LLVM 22 looks for a register
/// among the results of an instruction that has only a pair with it, as the arguments of calls do, and reads behind an array.
pub(super) fn leave_out_new_values(module: &Module<'_>, features: &str) {
    let features: Vec<&str> = features.split(',').filter(|feature| !feature.is_empty()).chain(["-nvs"]).collect();
    let attribute = module.get_context().create_string_attribute("target-features", &features.join(","));
    for function in module.get_functions().filter(|function| calls_others(*function)) {
        function.add_attribute(AttributeLoc::Function, attribute);
    }
}

/// Whether there are calls in a function that the code generator does not expand.
fn calls_others(function: FunctionValue<'_>) -> bool {
    function.get_basic_block_iter().flat_map(|block| block.get_instructions()).any(|instruction| {
        let call = CallSiteValue::try_from(instruction).ok().and_then(|call| call.get_called_fn_value());
        call.is_some_and(|called| !called.get_name().to_bytes().starts_with(b"llvm."))
    })
}
