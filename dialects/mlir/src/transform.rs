//! Transform sequences applied to a module, and upstream rewrites that no pass offers.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use mlir_sys::{mlirTransformApplyNamedSequence, mlirTransformOptionsCreate, mlirTransformOptionsDestroy};

use crate::diagnostics::{self, Diagnostic};
use crate::ir::{self, InContext, OperationExt};
use crate::{Error, ffi};

/// Applies the named sequence `entry` of a transform module, given as text, to a payload, such as a module. Returns what was
/// reported meanwhile.
pub fn apply(
    payload: OperationRef<'_, '_>,
    sequence: &str,
    file_name: &str,
    entry: &str,
) -> Result<Vec<Diagnostic>, Error> {
    let context = payload.in_context();
    let transform = ir::parse_module(context, sequence, file_name)?;
    let module = transform.as_operation();
    if !module.has_attribute("transform.with_named_sequence") {
        return Err(Error::Invalid(format!("{file_name}: the module lacks `transform.with_named_sequence`")));
    }
    let root = ir::symbol_lookup(module, entry)
        .filter(|root| root.full_name() == "transform.named_sequence")
        .ok_or_else(|| Error::Invalid(format!("{file_name}: there is no named sequence @{entry}")))?;
    if argument_count(root) != Some(1) {
        return Err(Error::Invalid(format!("{file_name}: @{entry} must have a body that takes the payload")));
    }
    let (applied, diagnostics) = diagnostics::capture(context, || {
        // SAFETY: the operations are valid, and the options live during the call.
        unsafe {
            let options = mlirTransformOptionsCreate();
            let payload = payload.to_raw();
            let result = mlirTransformApplyNamedSequence(payload, root.to_raw(), module.to_raw(), options);
            mlirTransformOptionsDestroy(options);
            result.value != 0
        }
    });
    if applied {
        return Ok(diagnostics);
    }
    Err(Error::Reported { what: format!("{file_name}: transform sequence @{entry} failed"), diagnostics })
}

fn argument_count(sequence: OperationRef<'_, '_>) -> Option<usize> {
    use melior::ir::{BlockLike, RegionLike};
    let body = OperationLike::region(&sequence, 0).ok()?.first_block()?;
    Some(body.argument_count())
}

/// Replaces the functions of the math dialect inside an operation by polynomials and other approximations that vectorize.
/// The operation must be isolated from above.
pub fn approximate_math(operation: OperationRef<'_, '_>) -> Result<(), Error> {
    // SAFETY: the operation is valid, and isolated from above as the driver requires.
    let done = unsafe {
        let raw = OperationLike::to_raw(&operation);
        ffi::skndIsIsolatedFromAbove(raw) && ffi::skndApproximateMath(raw)
    };
    if done { Ok(()) } else { Err(Error::Invalid("math functions could not be approximated".into())) }
}
