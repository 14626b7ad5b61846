//! What rewrites in PDL do to operations, with the checks that MLIR leaves to whoever wrote them.
//!
//! MLIR takes results that are not there, erases what is used, and replaces operations by what uses them. `PdlPatterns` makes calls
//! of these functions of the operations that would.

use mlir_sys::mlirRewriterBaseReplaceAllUsesWith;

use super::Editor;
use super::rewriter::{Rewriter, note_retyped, with_rewriter_of_own};
use super::value::{Kind, PdlValue};
use crate::diagnostics::{Failure, Position};
use crate::ffi;
use crate::ir::changes::with_changes;
use crate::ir::{Builder, OperationRef, Value, attributes, types};

/// `pdl.erase`, of what is unused.
pub(super) const ERASE: &str = "skriptnd.erase";
/// `pdl.replace`, by as many values, none of which needs what is replaced.
pub(super) const REPLACE: &str = "skriptnd.replace";
/// `pdl.result`, of those that are there.
pub(super) const RESULT: &str = "skriptnd.result";
/// The results of `pdl.results`, if they are there.
const PRESENT_VALUE: &str = "skriptnd.present_value";
const PRESENT_VALUES: &str = "skriptnd.present_values";

/// The function that stands for an operation in a rewrite.
pub(super) fn function_of(operation: OperationRef<'_, '_>) -> Option<&'static str> {
    match operation.full_name() {
        "pdl.erase" => Some(ERASE),
        "pdl.replace" => Some(REPLACE),
        "pdl.result" => Some(RESULT),
        _ => None,
    }
}

/// Replaces an operation of a rewrite by a call of a function.
pub(super) fn call(operation: OperationRef<'_, '_>, function: &str) -> Result<(), Failure> {
    let context = operation.context();
    let builder = Builder::before(operation)?;
    let mut given: Vec<Value<'_, '_>> = operation.operands().collect();
    if let Some(index) = operation.get("index") {
        let r#type = types::parse(context, "!pdl.attribute").ok_or_else(|| Failure::new("the context has no PDL"))?;
        given.push(builder.value("pdl.attribute", &[], &[("value", index)], r#type)?);
    }
    let name = [("name", attributes::string(context, function))];
    let called = builder.operation("pdl.apply_native_rewrite", &given, &name, &operation.result_types())?;
    with_rewriter_of_own(operation, |rewriter: &Rewriter<'_, '_>| rewriter.replace(operation, &called.result_values()))
}

/// Lets what uses the results that `pdl.results` takes use those that are there; none of other operations.
pub(super) fn checked_results(operation: OperationRef<'_, '_>) -> Option<(&'static str, Kind)> {
    let kind = Kind::of(*operation.result_types().first()?).filter(|_| operation.full_name() == "pdl.results")?;
    Some((if kind == Kind::Value { PRESENT_VALUE } else { PRESENT_VALUES }, kind))
}

/// Calls one of the functions; none if it is another one.
pub(super) fn run<'c: 'a, 'a>(
    function: &str,
    editor: &Editor<'c, 'a>,
    values: &[PdlValue<'c, 'a>],
) -> Option<Result<Vec<PdlValue<'c, 'a>>, Failure>> {
    let done = match (function, values) {
        (ERASE, [PdlValue::Operation(operation)]) => erase(*operation).map(|()| Vec::new()),
        (REPLACE, [PdlValue::Operation(operation), by @ ..]) => replace(editor, *operation, by).map(|()| Vec::new()),
        (RESULT, [PdlValue::Operation(operation), PdlValue::Attribute(index)]) => {
            let index = attributes::as_integer(*index).and_then(|index| usize::try_from(index).ok());
            result(*operation, index.unwrap_or(usize::MAX)).map(|value| vec![PdlValue::Value(value)])
        }
        (PRESENT_VALUE | PRESENT_VALUES, [value @ (PdlValue::Value(_) | PdlValue::Values(_))]) => {
            Ok(vec![value.clone()])
        }
        (PRESENT_VALUE | PRESENT_VALUES, _) => Err(Failure::new("takes results that are not there")),
        (ERASE | REPLACE | RESULT, _) => Err(Failure::new("needs what is not there")),
        _ => return None,
    };
    Some(done)
}

fn result<'c, 'a>(operation: OperationRef<'c, 'a>, index: usize) -> Result<Value<'c, 'a>, Failure> {
    operation.results().nth(index).ok_or_else(|| {
        let (name, count) = (described(operation), operation.result_count());
        Failure::new(format!("takes result {index} of {name}, which has {count}"))
    })
}

/// Has an operation erased when the rule ends: until then the rule may name it again.
fn erase<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let erased = with_changes(|changes| {
        let mut users = operation.results().flat_map(|result| result.uses());
        let is_needed = users.any(|(user, _)| !changes.will_erase(user));
        if !is_needed && !changes.will_erase(operation) {
            changes.to_erase.push(operation.to_raw());
        }
        !is_needed
    });
    match erased {
        Some(false) => Err(Failure::new(format!("erases {}, which is used", described(operation)))),
        _ => Ok(()),
    }
}

fn replace<'c: 'a, 'a>(
    editor: &Editor<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    by: &[PdlValue<'c, 'a>],
) -> Result<(), Failure> {
    let values = flattened(by)?;
    let refuse = |reason: &str| Err(Failure::new(format!("replaces {}{reason}", described(operation))));
    if with_changes(|changes| changes.is_to_erase(operation)).unwrap_or(false) {
        return refuse(", which it has replaced or erased before");
    }
    if values.len() != operation.result_count() {
        return refuse(&format!(" of {} results by {} values", operation.result_count(), values.len()));
    }
    // SAFETY: the operation and the values are valid; uses of values are replaced by values that stand before them.
    unsafe {
        for value in &values {
            if !ffi::skndPrecedesUses(value.to_raw(), operation.to_raw()) {
                return refuse(" by what depends on it or comes after its uses");
            }
        }
        let Some(raw) = editor.raw() else { return Ok(()) };
        for (result, value) in operation.results().zip(&values) {
            note_retyped(result, *value);
            mlirRewriterBaseReplaceAllUsesWith(raw, result.to_raw(), value.to_raw());
        }
    }
    erase(operation)
}

/// How often this thread had MLIR number the operations of a block to compare a new one with others: each time takes as long
/// as the block has operations, so that it should not depend on how often rules are applied.
pub fn places_compared() -> u64 {
    // SAFETY: it reads a number.
    unsafe { ffi::skndPlacesCompared() }
}

fn flattened<'c, 'a>(values: &[PdlValue<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let mut flat = Vec::new();
    for value in values {
        match value {
            PdlValue::Value(value) => flat.push(*value),
            PdlValue::Values(values) => flat.extend(values),
            PdlValue::Operation(operation) => flat.extend(operation.results()),
            _ => return Err(Failure::new("replaces an operation by what is not there")),
        }
    }
    Ok(flat)
}

fn described(operation: OperationRef<'_, '_>) -> String {
    let place = Position::of(operation.location()).map(|place| format!(" at {place}")).unwrap_or_default();
    format!("`{}`{place}", operation.full_name())
}
