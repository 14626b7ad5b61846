//! The operations that rewrites in PDL make. MLIR asks for the types of their results before anybody has looked whether they
//! have operands and attributes, and does not expect that there are none; so natives tell the types here, and note what is
//! made for the verifier.

use std::ffi::c_void;

use mlir_sys::{
    MlirAttribute, MlirNamedAttribute, MlirType, mlirAttributeGetContext, mlirIdentifierGet, mlirNamedAttributeGet,
};

use super::Editor;
use super::rewriter::{Rewriter, with_rewriter_of_own};
use super::value::{Kind, PdlValue};
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::changes::note_change;
use crate::ir::{
    Attribute, Builder, Context, Location, OperationRef, Type, Value, attributes, block_operations, types,
};

/// What makes an operation in a rewrite.
pub(super) const OPERATION: &str = "pdl.operation";
/// What calls a native function there.
const CALL: &str = "pdl.apply_native_rewrite";
/// Notes an operation that was made.
const MADE: &str = "skriptnd.made";
/// The types of the results of an operation of a name, with these names of attributes, operands and attributes.
const INFER: &str = "skriptnd.infer";
/// The types of the results of what is replaced.
const REPLACED: &str = "skriptnd.replaced_types";

/// Lets a rewrite note an operation that it makes, and tell its types where they follow from something. `function` takes the
/// name and the results of a native function, and gives the name to call it by.
pub(super) fn announce(
    operation: OperationRef<'_, '_>,
    function: &mut dyn FnMut(&str, Vec<Kind>) -> String,
) -> Result<(), Failure> {
    let operation = typed(operation, function)?;
    let name = [("name", attributes::string(operation.context(), &function(MADE, Vec::new())))];
    let builder = behind(operation)?;
    let mut arguments = vec![operation.result(0)?];
    if let Some(names) = operation.get("attributeValueNames") {
        arguments.push(constant(&builder, names)?);
        arguments.extend(given_attributes(operation));
    }
    builder.operation(CALL, &arguments, &name, &[]).map(drop)
}

/// The attributes that an operation of a rewrite is made with, in the order of their names.
fn given_attributes<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let segments = operation.get("operandSegmentSizes").and_then(attributes::as_integers).unwrap_or_default();
    let size = |index: usize| segments.get(index).and_then(|size| usize::try_from(*size).ok()).unwrap_or(0);
    operation.operands().skip(size(0)).take(size(1)).collect()
}

/// An attribute as a value of a rewrite.
fn constant<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Attribute<'c>) -> Result<Value<'c, 'a>, Failure> {
    let r#type = pdl_type(builder.context(), "!pdl.attribute")?;
    builder.value("pdl.attribute", &[], &[("value", value)], r#type)
}

fn pdl_type<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, Failure> {
    types::parse(context, text).ok_or_else(|| Failure::new("the context has no PDL"))
}

/// Lets what uses the result of an operation of a rewrite use what a native function makes of it.
pub(super) fn check(operation: OperationRef<'_, '_>, function: &str) -> Result<(), Failure> {
    let (result, name) = (operation.result(0)?, [("name", attributes::string(operation.context(), function))]);
    let uses = result.uses();
    let checked = behind(operation)?.value(CALL, &[result], &name, result.r#type())?;
    uses.into_iter().try_for_each(|(user, index)| user.set_operand(index, checked))
}

/// A builder behind an operation.
fn behind<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Builder<'c, 'a>, Failure> {
    let block = operation.block().ok_or("stands nowhere")?;
    match block_operations(block).skip_while(|other| *other != operation).nth(1) {
        Some(next) => Ok(Builder::before(next)?.located(operation.location())),
        None => Ok(Builder::at_end(block, operation.location())),
    }
}

/// The operation with types, if it had none and they follow from what it is made of, or from what it replaces.
fn typed<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    function: &mut dyn FnMut(&str, Vec<Kind>) -> String,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let segments = operation.get("operandSegmentSizes").and_then(attributes::as_integers).unwrap_or_default();
    let (&[values, given, 0], Some(name)) = (segments.as_slice(), operation.get("opName")) else {
        return Ok(operation);
    };
    let context = operation.context();
    let builder = Builder::before(operation)?;
    let names = operation.get("attributeValueNames").unwrap_or_else(|| attributes::array(context, &[]));
    let mut operands: Vec<Value<'_, '_>> = operation.operands().collect();
    let made = attributes::as_string(name).unwrap_or_default();
    // SAFETY: the context is valid, and the name outlives the call.
    let (function, arguments) = if unsafe { ffi::skndInfersTypes(context.to_raw(), ffi::text(made)) } {
        let told = [constant(&builder, name)?, constant(&builder, names)?];
        let arguments = told.into_iter().chain(operands.iter().copied()).collect();
        (function(INFER, vec![Kind::Types]), arguments)
    } else if let Some(replaced) = replaced_by(operation) {
        (function(REPLACED, vec![Kind::Types]), vec![replaced])
    } else {
        return Ok(operation);
    };
    let called = [("name", attributes::string(context, &function))];
    operands.push(builder.value(CALL, &arguments, &called, pdl_type(context, "!pdl.range<type>")?)?);
    let sizes = [values, given, 1].map(|size| i32::try_from(size).unwrap_or_default());
    let parts = [
        ("opName", name),
        ("attributeValueNames", names),
        ("operandSegmentSizes", attributes::segment_sizes(context, &sizes)),
    ];
    let typed = builder.operation(OPERATION, &operands, &parts, &operation.result_types())?;
    with_rewriter_of_own(operation, |rewriter: &Rewriter<'_, '_>| rewriter.replace(operation, &typed.result_values()))?;
    Ok(typed)
}

/// What an operation of a rewrite replaces, if that was matched.
fn replaced_by<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let uses = operation.result(0).ok()?.uses();
    let mut replacing = uses.into_iter().filter(|(user, index)| user.full_name() == "pdl.replace" && *index > 0);
    let replaced = replacing.find_map(|(user, _)| user.operand(0).ok())?;
    let is_matched = replaced.defining_operation()?.block() != operation.block();
    is_matched.then_some(replaced)
}

/// Calls one of the functions; none if it is another one.
pub(super) fn run<'c: 'a, 'a>(
    function: &str,
    editor: &Editor<'c, 'a>,
    values: &[PdlValue<'c, 'a>],
) -> Option<Result<Vec<PdlValue<'c, 'a>>, Failure>> {
    Some(match (function, values) {
        (MADE, [PdlValue::Operation(operation), given @ ..]) => {
            note_change(*operation, true);
            check_taken(*operation, given).map(|()| Vec::new())
        }
        (REPLACED, [PdlValue::Operation(operation)]) => Ok(vec![PdlValue::Types(operation.result_types())]),
        (INFER, [PdlValue::Attribute(name), PdlValue::Attribute(names), given @ ..]) => {
            let name = attributes::as_string(*name).unwrap_or_default();
            let names = attributes::as_array(*names).unwrap_or_default();
            infer(editor, name, &names, given).map(|types| vec![PdlValue::Types(types)])
        }
        (MADE | REPLACED | INFER, _) => Err(Failure::new("creates an operation of what is not there")),
        _ => return None,
    })
}

/// Checks that an operation has taken the attributes that it was made with: `given` has their names, then the attributes.
fn check_taken<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, given: &[PdlValue<'c, 'a>]) -> Result<(), Failure> {
    let [PdlValue::Attribute(names), values @ ..] = given else { return Ok(()) };
    let names = attributes::as_array(*names).unwrap_or_default();
    let attribute = |value: &PdlValue<'c, 'a>| match value {
        PdlValue::Attribute(attribute) => Some(attribute.to_raw()),
        _ => None,
    };
    let named = names.iter().zip(values).filter_map(|(name, value)| Some((name, attribute(value)?)));
    let named: Vec<MlirNamedAttribute> = named.map(|(name, value)| named_attribute(*name, value)).collect();
    let mut reason = String::new();
    // SAFETY: the operation and the attributes are valid, and the sink is what the callback expects.
    let taken = unsafe {
        let (operation, sink) = (operation.to_raw(), (&raw mut reason).cast());
        ffi::skndCheckTaken(operation, named.as_ptr(), named.len(), ffi::append_text, sink)
    };
    let wrong = || Failure::new(format!("creates an invalid `{}`: {reason}", operation.full_name()));
    if taken { Ok(()) } else { Err(wrong()) }
}

/// An attribute with a name, which is a string.
fn named_attribute(name: Attribute<'_>, value: MlirAttribute) -> MlirNamedAttribute {
    // SAFETY: both are valid, and names are copied.
    unsafe {
        let identifier = ffi::text(attributes::as_string(name).unwrap_or_default());
        mlirNamedAttributeGet(mlirIdentifierGet(mlirAttributeGetContext(value), identifier), value)
    }
}

fn infer<'c: 'a, 'a>(
    editor: &Editor<'c, 'a>,
    name: &str,
    names: &[Attribute<'c>],
    given: &[PdlValue<'c, 'a>],
) -> Result<Vec<Type<'c>>, Failure> {
    let mut operands = Vec::new();
    let mut values = Vec::new();
    for value in given {
        match value {
            PdlValue::Value(value) => operands.push(value.to_raw()),
            PdlValue::Values(values) => operands.extend(values.iter().map(|value| value.to_raw())),
            PdlValue::Attribute(attribute) => values.push(attribute.to_raw()),
            _ => return Err(Failure::new(format!("creates an invalid `{name}` of what is not there"))),
        }
    }
    let context = editor.context();
    let named: Vec<MlirNamedAttribute> =
        names.iter().zip(values).map(|(name, value)| named_attribute(*name, value)).collect();
    let (mut inferred, mut reason) = (Vec::<MlirType>::new(), String::new());
    // SAFETY: all parts are valid, and the sinks are what the callbacks expect.
    let done = unsafe {
        let location = Location::unknown(context).to_raw();
        let (types, sink) = ((&raw mut inferred).cast(), (&raw mut reason).cast());
        let (operands, count) = (operands.as_ptr(), operands.len());
        let (named, named_count) = (named.as_ptr(), named.len());
        let name = ffi::text(name);
        ffi::skndInferTypes(
            location,
            name,
            operands,
            count,
            named,
            named_count,
            push_type,
            types,
            ffi::append_text,
            sink,
        )
    };
    match done {
        // SAFETY: types live as long as the context.
        true => Ok(inferred.into_iter().map(|raw| unsafe { Type::from_raw(raw) }).collect()),
        false => Err(Failure::new(format!("creates an invalid `{name}`: {reason}"))),
    }
}

unsafe extern "C" fn push_type(r#type: MlirType, sink: *mut c_void) {
    // SAFETY: the sink is the list that `infer` gives.
    unsafe { (*sink.cast::<Vec<MlirType>>()).push(r#type) }
}
