//! Transform sequences applied to a module, and upstream rewrites that no pass offers.

use mlir_sys::{mlirTransformApplyNamedSequence, mlirTransformOptionsCreate, mlirTransformOptionsDestroy};

use crate::diagnostics::Diagnostic;
use crate::ir::{self, OperationRef, Root, capture};
use crate::{Error, ffi};

/// Applies the named sequence `entry` of a transform module, given as text, to all that a root contains, such as a module. Returns what was
/// reported meanwhile.
pub fn apply(
    payload: &mut Root<'_, '_>,
    sequence: &str,
    file_name: &str,
    entry: &str,
) -> Result<Vec<Diagnostic>, Error> {
    let context = payload.context();
    let transform = ir::parse_module(context, sequence, file_name)?;
    let module = transform.as_operation();
    if module.get("transform.with_named_sequence").is_none() {
        return Err(Error::Invalid(format!("{file_name}: the module lacks `transform.with_named_sequence`")));
    }
    let root = ir::symbol_lookup(module, entry)
        .filter(|root| root.full_name() == "transform.named_sequence")
        .ok_or_else(|| Error::Invalid(format!("{file_name}: there is no named sequence @{entry}")))?;
    if argument_count(root) != Some(1) {
        return Err(Error::Invalid(format!("{file_name}: @{entry} must have a body that takes the payload")));
    }
    let (applied, diagnostics) = capture(context, || {
        // SAFETY: the operations are valid, and the options live during the call.
        unsafe {
            let options = mlirTransformOptionsCreate();
            let payload = payload.operation().to_raw();
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
    let body = sequence.region(0).ok()?.first_block()?;
    Some(body.argument_count())
}

/// Replaces the functions of the math dialect inside an operation by polynomials and other approximations that vectorize.
/// The operation must be isolated from above.
pub fn approximate_math(root: &mut Root<'_, '_>) -> Result<(), Error> {
    // SAFETY: the operation is valid, and isolated from above as the driver requires.
    let done = unsafe {
        let raw = root.operation().to_raw();
        ffi::skndIsIsolatedFromAbove(raw) && ffi::skndApproximateMath(raw)
    };
    if done { Ok(()) } else { Err(Error::Invalid("math functions could not be approximated".into())) }
}
