//! What the bridge calls of operations that branch, cast and name symbols; the remarks on safety of `callbacks.rs` hold here,
//! too.

use std::ffi::c_void;

use mlir_sys::*;

use super::OperationSpec;
use super::uses::{SymbolTables, Uses};
use crate::ffi;
use crate::ir::{Attribute, OperationRef, Type};
use crate::ir::{guard, report};

unsafe fn uses<'s>(spec: *const c_void) -> &'s Uses {
    unsafe { &(*spec.cast::<OperationSpec>()).uses }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustSuccessorOperands(
    spec: *const c_void,
    operation: MlirOperation,
    successor: usize,
) -> ffi::SuccessorOperands {
    let (uses, operation) = unsafe { (uses(spec), OperationRef::from_raw(operation)) };
    let operands = guard(|| Ok(uses.successor_operands.as_ref().map(|operands| operands(operation, successor))));
    operands.ok().flatten().map_or(ffi::SuccessorOperands::default(), |operands| ffi::SuccessorOperands {
        produced: operands.produced,
        first_operand: operands.forwarded.start,
        operand_count: operands.forwarded.len(),
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustChosenSuccessor(
    spec: *const c_void,
    operation: MlirOperation,
    operands: *const MlirAttribute,
    count: usize,
) -> isize {
    let (uses, operation) = unsafe { (uses(spec), OperationRef::from_raw(operation)) };
    let raw = unsafe { ffi::slice_from(operands, count) };
    let constants: Vec<_> = raw.iter().map(|&constant| unsafe { Attribute::from_option_raw(constant) }).collect();
    let chosen = guard(|| Ok(uses.chosen_successor.as_ref().and_then(|chosen| chosen(operation, &constants))));
    chosen.ok().flatten().and_then(|chosen| isize::try_from(chosen).ok()).unwrap_or(-1)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustAreCastCompatible(
    spec: *const c_void,
    inputs: *const MlirType,
    input_count: usize,
    outputs: *const MlirType,
    output_count: usize,
) -> bool {
    let uses = unsafe { uses(spec) };
    let (inputs, outputs) = unsafe { (ffi::slice_from(inputs, input_count), ffi::slice_from(outputs, output_count)) };
    let types = |raw: &[MlirType]| raw.iter().map(|&r#type| unsafe { Type::from_raw(r#type) }).collect::<Vec<_>>();
    let (inputs, outputs) = (types(inputs), types(outputs));
    let compatible = guard(|| Ok(uses.are_cast_compatible.as_ref().is_some_and(|cast| cast(&inputs, &outputs))));
    compatible.unwrap_or(false)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustVerifySymbolUses(
    spec: *const c_void,
    operation: MlirOperation,
    symbols: *mut c_void,
) -> bool {
    let (uses, operation) = unsafe { (uses(spec), OperationRef::from_raw(operation)) };
    let mut symbols = unsafe { SymbolTables::from_raw(symbols) };
    let verified = guard(|| uses.verify_symbols.as_ref().map_or(Ok(()), |verify| verify(operation, &mut symbols)));
    verified.map_err(|failure| report(operation, &failure)).is_ok()
}
