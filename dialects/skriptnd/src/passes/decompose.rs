//! `skriptnd-decompose`: operators replaced by their compositions (specification, section 2.10).

use super::encoded;
use crate::call::operator_path;
use crate::definitions;
use crate::generated::discardable::ResultsAttribute;
use crate::generated::operations::ShapedOpBuilder;
use crate::import::compose_at;
use crate::operator;
use crate::report::report;
use skriptnd_language::compose::{Instance, InstanceBody};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, attributes, walk};
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_syntax::ast::Operator;

/// Operators inside operators: composition refuses more.
const MAXIMUM_NESTING: usize = 256;

/// Replaces all operators that have a composition, again and again, but those named in `keep`.
pub fn run<'c: 'a, 'a>(root: OperationRef<'c, 'a>, keep: &[String]) -> Result<(), Failure> {
    replace(root, &|operation| {
        let kept = |path: &str| keep.iter().any(|name| name == path);
        if operator_path(operation.full_name()).is_some_and(|path| !kept(path)) {
            decompose(operation)
        } else {
            Ok(false)
        }
    })
}

/// Replaces the operators that say of a tensor inside how it is quantized. Where that is computed, the compositions do it.
///
/// # Errors
/// Where an operator has no composition for its operands, which is reported at its place.
pub fn decompose_quantized<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Result<(), Failure> {
    replace(root, &|operation| {
        if operator_path(operation.full_name()).is_none() {
            return Ok(false);
        }
        let instance = operator::instance(operation)?;
        if instance.is_some_and(|instance| quantizes(&instance)) { decompose(operation) } else { Ok(false) }
    })
}

fn quantizes(instance: &Instance) -> bool {
    let InstanceBody::Composition(composition) = &instance.body else { return false };
    let mut quantizes = !composition.quantizations.is_empty();
    composition.visit_operations(&mut |operation| {
        quantizes = quantizes || operation.instance.as_ref().is_some_and(|instance| self::quantizes(instance));
    });
    quantizes
}

/// Replaces operations as long as there are such.
fn replace<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    replace: &dyn Fn(OperationRef<'c, 'a>) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    for _ in 0..MAXIMUM_NESTING {
        let mut replaced = false;
        for operation in walk(root) {
            replaced |= report(operation, replace(operation))?;
        }
        if !replaced {
            return Ok(());
        }
    }
    Err(Failure::new(format!("operators are nested more than {MAXIMUM_NESTING} levels deep")))
}

/// Replaces one operation by the composition of its operator; false if it has none.
pub fn decompose<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<bool, Failure> {
    let Some(instance) = operator::instance(operation)? else { return Ok(false) };
    let InstanceBody::Composition(composition) = &instance.body else { return Ok(false) };
    let builder = Builder::before(operation)?;
    let operands: Vec<Value<'c, 'a>> = operation.operands().collect();
    let definitions = definitions::of(operation, &instance.call.operator);
    let results = compose_at(&builder, &definitions, (&instance, composition), &operands, operation)?;
    let names = result_names(operation, definitions.operator(&instance.call.operator));
    let mut replaced = Vec::with_capacity(results.len());
    for ((result, old), name) in results.iter().zip(operation.result_types()).zip(names) {
        encoded::carry(operation, *result);
        replaced.push(shaped(&builder, *result, old, &name)?);
    }
    with_rewriter(operation, |rewriter| rewriter.replace(operation, &replaced))?;
    Ok(true)
}

/// A tensor with the type that it had before its operation was taken apart.
fn shaped<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    old: Type<'c>,
    name: &str,
) -> Result<Value<'c, 'a>, Failure> {
    if value.r#type() == old {
        return Ok(value);
    }
    ShapedOpBuilder::new(builder).input(value).name(name).output_type(old).build()?.output()
}

/// What messages call the results: as the model does, or else the operator.
fn result_names(operation: OperationRef<'_, '_>, definition: Option<&Operator>) -> Vec<String> {
    let noted = operation.get(ResultsAttribute::NAME).and_then(attributes::as_strings).unwrap_or_default();
    let outputs = definition.map(|definition| definition.outputs.as_slice()).unwrap_or_default();
    let name = |number: usize| {
        let declared = || outputs.get(number).map(|output| output.name.text.to_string());
        noted.get(number).map(|name| name.to_string()).or_else(declared).unwrap_or_else(|| number.to_string())
    };
    (0..operation.result_count()).map(name).collect()
}
