//! What the bridge calls (declared in `bridge/Bridge.h`).
//!
//! SAFETY, for all functions here: the bridge passes the specifications that it was given at registration, which are never
//! freed, and IR that is valid during the call; the lifetimes of the IR end with the call, since callbacks take them by
//! reference or are generic over them.

use std::ffi::{c_int, c_void};

use melior::ir::Block;
use mlir_sys::*;

use super::effects::{EffectTarget, Effects};
use super::operation::{Fold, FoldResult, OperationSpec};
use super::{DialectSpec, InferenceInput, Parser, Printer, RegionEntry, RegionPoint};
use crate::diagnostics::{Failure, Severity};
use crate::ffi;
use crate::ir::context::context_from_raw;
use crate::ir::{Attribute, BlockRef, Builder, Location, OperationRef, RegionRef, Type, Value};
use crate::ir::{attributes, emit_with, guard, report};
use crate::rewrite;

unsafe fn operation_spec<'s>(spec: *const c_void) -> &'s OperationSpec {
    unsafe { &*spec.cast() }
}

unsafe fn dialect_spec<'s>(spec: *const c_void) -> &'s DialectSpec {
    unsafe { &*spec.cast() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustVerify(spec: *const c_void, operation: MlirOperation) -> bool {
    let (spec, operation) = unsafe { (operation_spec(spec), OperationRef::from_raw(operation)) };
    check(operation, || spec.verify.as_ref().map_or(Ok(()), |verify| verify(operation)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustVerifyRegions(spec: *const c_void, operation: MlirOperation) -> bool {
    let (spec, operation) = unsafe { (operation_spec(spec), OperationRef::from_raw(operation)) };
    check(operation, || spec.verify_regions.as_ref().map_or(Ok(()), |verify| verify(operation)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustVerifyAttribute(
    dialect: *const c_void,
    operation: MlirOperation,
    name: MlirStringRef,
    attribute: MlirAttribute,
) -> bool {
    let (dialect, operation) = unsafe { (dialect_spec(dialect), OperationRef::from_raw(operation)) };
    let (name, attribute) = unsafe { (ffi::str_from(name), Attribute::from_raw(attribute)) };
    let verify = dialect.attribute_verifiers.of_operations.as_ref();
    check(operation, || verify.map_or(Ok(()), |verify| verify(operation, name, attribute)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustVerifyRegionAttribute(
    dialect: *const c_void,
    operation: MlirOperation,
    of_result: bool,
    region: usize,
    index: usize,
    name: MlirStringRef,
    attribute: MlirAttribute,
) -> bool {
    let (dialect, operation) = unsafe { (dialect_spec(dialect), OperationRef::from_raw(operation)) };
    let (name, attribute) = unsafe { (ffi::str_from(name), Attribute::from_raw(attribute)) };
    let verifiers = &dialect.attribute_verifiers;
    let verify = if of_result { &verifiers.of_region_results } else { &verifiers.of_region_arguments };
    let entry = RegionEntry { region, index };
    check(operation, || verify.as_ref().map_or(Ok(()), |verify| verify(operation, entry, name, attribute)))
}

fn check(operation: OperationRef<'_, '_>, callback: impl FnOnce() -> Result<(), Failure>) -> bool {
    guard(callback).map_err(|failure| report(operation, &failure)).is_ok()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustFold(
    spec: *const c_void,
    operation: MlirOperation,
    operands: *const MlirAttribute,
    count: usize,
    results: *mut c_void,
) -> c_int {
    let (spec, operation) = unsafe { (operation_spec(spec), OperationRef::from_raw(operation)) };
    let raw = unsafe { ffi::slice_from(operands, count) };
    let operands: Vec<_> = raw.iter().map(|&operand| unsafe { Attribute::from_option_raw(operand) }).collect();
    let folded = guard(|| Ok(spec.fold.as_ref().map_or(Fold::Unchanged, |fold| fold(operation, &operands))));
    match folded {
        Ok(Fold::Results(folded)) => {
            let folded: Vec<_> = folded.iter().map(raw_fold_result).collect();
            unsafe { ffi::skndPushFoldResults(results, folded.as_ptr(), folded.len()) };
            2
        }
        Ok(Fold::InPlace) => 1,
        Ok(Fold::Unchanged) => 0,
        Err(failure) => {
            report(operation, &failure);
            0
        }
    }
}

fn raw_fold_result(result: &FoldResult<'_, '_>) -> ffi::FoldResult {
    let null = std::ptr::null();
    match result {
        FoldResult::Value(value) => ffi::FoldResult { value: value.to_raw(), constant: MlirAttribute { ptr: null } },
        FoldResult::Constant(constant) => {
            ffi::FoldResult { value: MlirValue { ptr: null }, constant: constant.to_raw() }
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustParse(spec: *const c_void, parser: *mut c_void, state: *mut c_void) -> bool {
    let spec = unsafe { operation_spec(spec) };
    let mut parser = unsafe { Parser::new(parser, state, spec.implicit_terminator.as_deref()) };
    parse(&mut parser, spec.parse.as_deref())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustParseUnknown(dialect: *const c_void, parser: *mut c_void, state: *mut c_void) -> bool {
    let mut parser = unsafe { Parser::new(parser, state, None) };
    let unknown = unsafe { dialect_spec(dialect) }.unknown_operations.as_ref();
    let assembly = unknown.and_then(|unknown| unknown.assembly.as_ref());
    parse(&mut parser, assembly.map(|(parse, _)| parse.as_ref()))
}

fn parse(parser: &mut Parser<'_, '_>, parse: Option<&super::Parse>) -> bool {
    let Some(parse) = parse else { return false };
    let parsed = guard(|| parse(parser));
    parsed.map_err(|failure| failure.message().map(|message| parser.error(message))).is_ok()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustPrint(spec: *const c_void, operation: MlirOperation, printer: *mut c_void) {
    let (spec, operation) = unsafe { (operation_spec(spec), OperationRef::from_raw(operation)) };
    let mut printer = unsafe { Printer::new(printer) };
    print(operation, &mut printer, spec.print.as_deref());
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustPrintUnknown(dialect: *const c_void, operation: MlirOperation, printer: *mut c_void) {
    let (dialect, operation) = unsafe { (dialect_spec(dialect), OperationRef::from_raw(operation)) };
    let mut printer = unsafe { Printer::new(printer) };
    let assembly = dialect.unknown_operations.as_ref().and_then(|unknown| unknown.assembly.as_ref());
    print(operation, &mut printer, assembly.map(|(_, print)| print.as_ref()));
}

fn print(operation: OperationRef<'_, '_>, printer: &mut Printer<'_>, print: Option<&super::Print>) {
    let Some(print) = print else { return };
    if let Err(failure) = guard(|| {
        print(operation, printer);
        Ok(())
    }) {
        printer.text(&format!(" /* {failure} */"));
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the interface's own")]
unsafe extern "C" fn skndRustInferTypes(
    spec: *const c_void,
    context: MlirContext,
    location: MlirLocation,
    operands: *const MlirValue,
    operand_count: usize,
    attributes: MlirAttribute,
    regions: *const MlirRegion,
    region_count: usize,
    types: *mut c_void,
) -> bool {
    let spec = unsafe { operation_spec(spec) };
    let context = unsafe { context_from_raw(context) };
    let location = (!location.ptr.is_null()).then(|| unsafe { Location::from_raw(location) });
    let operands = unsafe { ffi::slice_from(operands, operand_count) };
    let regions = unsafe { ffi::slice_from(regions, region_count) };
    let attributes = unsafe { Attribute::from_raw(attributes) };
    let input = InferenceInput {
        context,
        location,
        operands: operands.iter().map(|&operand| unsafe { Value::from_raw(operand) }).collect(),
        attributes: attributes::as_dictionary(attributes).unwrap_or_default(),
        regions: regions.iter().map(|&region| unsafe { RegionRef::from_raw(region) }).collect(),
    };
    let inferred = guard(|| {
        let infer = spec.infer_types.as_ref().ok_or_else(|| Failure::new("has no type inference"))?;
        infer(&input)
    });
    match inferred {
        Ok(inferred) => {
            inferred.iter().for_each(|r#type| unsafe { ffi::skndPushType(types, r#type.to_raw()) });
            true
        }
        Err(failure) => {
            report_inference(&spec.name, location, &failure);
            false
        }
    }
}

fn report_inference(name: &str, location: Option<Location<'_>>, failure: &Failure) {
    if let (Some(location), Some(message)) = (location, failure.message()) {
        let message = format!("'{name}' op {message}");
        emit_with(location, Severity::Error, &message, failure.notes());
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustEffects(spec: *const c_void, operation: MlirOperation, sink: *mut c_void) {
    let (spec, operation) = unsafe { (operation_spec(spec), OperationRef::from_raw(operation)) };
    let effects = match &spec.effects {
        Effects::Unknown | Effects::None => Vec::new(),
        Effects::Fixed(effects) => effects.clone(),
        Effects::Computed(compute) => guard(|| Ok(compute(operation))).unwrap_or_default(),
    };
    for effect in effects {
        let (target, index) = match effect.target {
            EffectTarget::Anything => (0, 0),
            EffectTarget::Operand(index) => (1, index),
            EffectTarget::Result(index) => (2, index),
        };
        let effect = ffi::Effect { kind: effect.kind as u32, target, index };
        unsafe { ffi::skndPushEffect(sink, &effect) };
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustRegionSuccessors(
    spec: *const c_void,
    operation: MlirOperation,
    from: isize,
    sink: *mut c_void,
) {
    let (spec, operation) = unsafe { (operation_spec(spec), OperationRef::from_raw(operation)) };
    let from = usize::try_from(from).map_or(RegionPoint::Parent, RegionPoint::Region);
    let successors = guard(|| Ok(spec.region_successors.as_ref().map(|successors| successors(operation, from))));
    for successor in successors.ok().flatten().unwrap_or_default() {
        let point = match successor.point {
            RegionPoint::Parent => -1,
            RegionPoint::Region(index) => index as isize,
        };
        let (first_operand, operand_count) = (successor.operands.start, successor.operands.len());
        let successor = ffi::RegionSuccessor { point, first_operand, operand_count };
        unsafe { ffi::skndPushRegionSuccessor(sink, &successor) };
    }
}

fn push_names(names: super::ValueNames<'_, '_>, sink: *mut c_void) {
    names.iter().for_each(|(value, name)| unsafe { ffi::skndPushValueName(sink, value.to_raw(), ffi::text(name)) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustNameResults(spec: *const c_void, operation: MlirOperation, sink: *mut c_void) {
    let (names, operation) = unsafe { (&operation_spec(spec).names, OperationRef::from_raw(operation)) };
    let Some(results) = &names.results else { return };
    push_names(guard(|| Ok(results(operation))).unwrap_or_default(), sink);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustNameArguments(
    spec: *const c_void,
    operation: MlirOperation,
    region: MlirRegion,
    sink: *mut c_void,
) {
    let names = unsafe { &operation_spec(spec).names };
    let (operation, region) = unsafe { (OperationRef::from_raw(operation), RegionRef::from_raw(region)) };
    let Some(arguments) = &names.arguments else { return };
    push_names(guard(|| Ok(arguments(operation, region))).unwrap_or_default(), sink);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustNameBlocks(spec: *const c_void, operation: MlirOperation, sink: *mut c_void) {
    let (names, operation) = unsafe { (&operation_spec(spec).names, OperationRef::from_raw(operation)) };
    let Some(blocks) = &names.blocks else { return };
    for (block, name) in guard(|| Ok(blocks(operation))).unwrap_or_default() {
        unsafe { ffi::skndPushBlockName(sink, block.to_raw(), ffi::text(&name)) };
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustMaterializeConstant(
    dialect: *const c_void,
    value: MlirAttribute,
    r#type: MlirType,
    location: MlirLocation,
) -> MlirOperation {
    let dialect = unsafe { dialect_spec(dialect) };
    let (value, r#type, location) =
        unsafe { (Attribute::from_raw(value), Type::from_raw(r#type), Location::from_raw(location)) };
    // MLIR takes the operation on its own; until then it stands in a block that nobody else knows.
    let block = Block::new(&[]);
    let builder = Builder::at_end(BlockRef(unsafe { melior::ir::BlockRef::from_raw(block.to_raw()) }), location);
    let built = guard(|| {
        let materialize = dialect.materialize_constant.as_ref();
        Ok(materialize.and_then(|materialize| materialize(&builder, value, r#type)))
    });
    let built = built.ok().flatten().filter(|operation| {
        let alone = operation.previous().is_none() && operation.next().is_none();
        operation.block() == Some(builder.block()) && alone && operation.operand_count() == 0
    });
    match built {
        Some(operation) => {
            unsafe { mlirOperationRemoveFromParent(operation.to_raw()) };
            operation.to_raw()
        }
        None => MlirOperation { ptr: std::ptr::null_mut() },
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustAddPatterns(dialect: *const c_void, set: MlirRewritePatternSet) {
    let dialect = unsafe { dialect_spec(dialect) };
    let context = unsafe { context_from_raw(ffi::skndPatternSetContext(set)) };
    let added = guard(|| {
        // SAFETY: the set is valid, and the patterns stand in the specification, which is never freed.
        Ok(unsafe { rewrite::add_to_raw_set(context, set, &dialect.patterns, &dialect.pdl_patterns) }?)
    });
    if let Err(failure) = added {
        let message = format!("canonicalization patterns of dialect '{}': {failure}", dialect.namespace);
        rewrite::report_outside(Location::unknown(context), &message);
    }
}
