//! Operators as MLIR operations: verification and type inference from their SkriptND definitions.

use crate::call::{self, OPERAND_SEGMENTS, RESULT_SEGMENTS};
use crate::definitions::Definitions;
use skriptnd_language::compose::Instance;
use skriptnd_language::compose::graph::{Argument, TensorType};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::InferenceInput;
use skriptnd_mlir::ir::{Attribute, OperationExt, OperationRef, Type, attributes};
use skriptnd_syntax::ast::Operator;
use std::sync::Arc;

/// The checked invocation that an operation stands for; none if its operands have dynamic extents, so that it can be
/// checked only when the model runs.
pub fn instance<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Option<Arc<Instance>>, Failure> {
    let definitions = Definitions::of(operation);
    let sizes = operation.get_integers(OPERAND_SEGMENTS);
    instantiate(
        &definitions,
        operation.full_name(),
        &call::attributes_of(operation),
        &OperationExt::operand_types(&operation),
        sizes,
    )
}

fn instantiate(
    definitions: &Definitions,
    name: &str,
    attributes: &[(impl AsRef<str>, Attribute<'_>)],
    operand_types: &[Type<'_>],
    sizes: Option<Vec<i64>>,
) -> Result<Option<Arc<Instance>>, Failure> {
    let call = call::read_call(name, attributes)?;
    let definition = definition(definitions, &call.operator)?;
    for r#type in operand_types {
        call::read_type(*r#type).ok_or_else(|| format!("operand type {} is no tensor of the language", r#type))?;
    }
    let types: Option<Vec<TensorType>> = operand_types.iter().map(|r#type| call::read_static_type(*r#type)).collect();
    let Some(types) = types else { return Ok(None) };
    if call::has_segments(Some(definition.operands()), &[]) && sizes.is_none() {
        return Err(format!("needs the attribute '{OPERAND_SEGMENTS}'").into());
    }
    let operands = call::group(&types, sizes, definition.operands())?;
    let expected = definition.operands().count();
    if operands.len() != expected {
        let found = operands.len();
        return Err(format!("operator '{}' has {expected} inputs, found {found}", call.operator).into());
    }
    definitions.instance(&call, operands).map(Some)
}

fn definition<'d>(definitions: &'d Definitions, path: &str) -> Result<&'d Operator, Failure> {
    definitions.operator(path).ok_or_else(|| unknown_operator(definitions, path))
}

fn unknown_operator(definitions: &Definitions, path: &str) -> Failure {
    let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
    let modules = &definitions.library().modules;
    let names = modules.get(module).into_iter().flat_map(|module| module.operators.names());
    let nearest = skriptnd_source::diagnostics::nearest(name, names);
    let advice = nearest.map(|nearest| format!("; did you mean '{module}.{nearest}'?")).unwrap_or_default();
    Failure::new(format!("operator '{path}' is not defined{advice}"))
}

/// Verifies an operation from its operator's definition.
pub fn verify<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let Some(instance) = instance(operation)? else { return Ok(()) };
    let definitions = Definitions::of(operation);
    let definition = definition(&definitions, &instance.call.operator)?;
    let found = OperationExt::result_types(&operation);
    let sizes = operation.get_integers(RESULT_SEGMENTS);
    let grouped = call::group(&found, sizes, &definition.outputs)?;
    if grouped.len() != instance.outputs.len() {
        return Err(format!("has {} results where {} are expected", grouped.len(), instance.outputs.len()).into());
    }
    for ((expected, found), param) in instance.outputs.iter().zip(&grouped).zip(&definition.outputs) {
        check_output(&param.name.text, expected, found)?;
    }
    Ok(())
}

fn check_output(name: &str, expected: &Argument<TensorType>, found: &Argument<Type<'_>>) -> Result<(), Failure> {
    if expected.items().len() != found.items().len() {
        let (expected, found) = (expected.items().len(), found.items().len());
        return Err(format!("output '{name}' consists of {expected} tensors, found {found}").into());
    }
    for (expected, found) in expected.items().iter().zip(found.items()) {
        if !agrees(expected, *found) {
            return Err(format!("output '{name}' is {}, found {found}", describe(expected)).into());
        }
    }
    Ok(())
}

/// Whether a type is the expected one as far as extents are known.
fn agrees(expected: &TensorType, found: Type<'_>) -> bool {
    let Some((dtype, shape)) = call::read_type(found) else { return false };
    let extents = || expected.shape.iter().zip(&shape);
    dtype == expected.dtype
        && shape.len() == expected.shape.len()
        && extents().all(|(expected, found)| match (expected.as_known(), found) {
            (Some(expected), Some(found)) => expected == *found,
            _ => true,
        })
}

fn describe(ty: &TensorType) -> String {
    let extents: Vec<String> = ty.shape.iter().map(ToString::to_string).collect();
    format!("{}[{}]", ty.dtype.keyword(), extents.join(", "))
}

/// The types of the results, from the definitions of the standard library.
pub fn infer<'c: 'a, 'a>(name: &str, input: &InferenceInput<'c, 'a>) -> Result<Vec<Type<'c>>, Failure> {
    let sizes = input.attribute(OPERAND_SEGMENTS).and_then(attributes::as_integers);
    let instance = instantiate(&Definitions::standard(), name, &input.attributes, &input.operand_types(), sizes)?;
    let instance = instance.ok_or("the results' types can't be inferred from dynamic extents")?;
    let outputs = instance.outputs.iter().flat_map(Argument::items);
    outputs.map(|ty| call::write_type(input.context, ty)).collect()
}
