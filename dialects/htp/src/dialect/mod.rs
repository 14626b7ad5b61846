//! The `htp` dialect: graphs as the Hexagon tensor processor's framework has them.
//!
//! Its ops have no attributes but constants' elements: what parameterizes an op is an operand, so that rules can see
//! it. Ops of packages that nobody has declared are accepted, and free of side effects: rule files may name any op.

mod assembly;
pub mod encoding;

use crate::generated::definitions;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::dialect::{DialectSpec, Parse, Print, UnknownOperations};
use skriptnd_mlir::ir::{OperationRef, types};
use skriptnd_ods::specification;

/// The name before the dot in the names of its operations.
pub const NAMESPACE: &str = "htp";
/// The op of shapes: the shape of its result is its value.
pub const SHAPE: &str = "htp.$Shape";
/// The op of constants, with an attribute `elements`.
pub const CONST: &str = "htp.$Const";
/// The attribute of a constant's elements: a dense array of 64-bit integers or floating-point numbers.
pub const ELEMENTS: &str = "elements";

/// The MLIR name of an op with package: `q::Relu` is `htp.q.Relu`, `$Shape` is `htp.$Shape`.
pub fn operation_name(qualified: &str) -> String {
    format!("{NAMESPACE}.{}", qualified.replace("::", "."))
}

/// The dialect, to be added to a registry: the declared ops, and any other.
pub fn dialect() -> DialectSpec {
    undeclared().with_operations(definitions::ALL.iter().map(|definition| match definition.name {
        SHAPE => specification(definition, Some(Box::new(|op: OperationRef<'_, '_>| single_tensor(op).map(drop)))),
        CONST => specification(definition, Some(Box::new(|op: OperationRef<'_, '_>| verify_constant(op)))),
        _ => specification(definition, None),
    }))
}

/// The dialect without declared ops, in which an op may have any operands, as in the graphs on which rules are tried.
pub fn undeclared() -> DialectSpec {
    let assembly: (Box<Parse>, Box<Print>) = (Box::new(assembly::parse), Box::new(assembly::print));
    DialectSpec::new(NAMESPACE).allow_unknown_operations(UnknownOperations { pure: true, assembly: Some(assembly) })
}

/// The number of elements of the only result.
fn single_tensor(op: OperationRef) -> Result<u64, Failure> {
    let shape = op.result(0).ok().and_then(|result| types::shape(result.r#type()));
    let extents = shape.and_then(|shape| shape.into_iter().collect::<Option<Vec<_>>>());
    let extents = extents.ok_or_else(|| Failure::new("expected a result of static shape"))?;
    extents
        .iter()
        .try_fold(1u64, |count, extent| count.checked_mul(*extent))
        .ok_or_else(|| Failure::new("has a result that is too large"))
}

fn verify_constant(op: OperationRef) -> Result<(), Failure> {
    let expected = single_tensor(op)?;
    let found = op.get_integers(ELEMENTS).map(|v| v.len()).or_else(|| op.get_reals(ELEMENTS).map(|v| v.len()));
    match found {
        None => Err(Failure::new("expected attribute 'elements' to be an array of i64 or f64")),
        Some(found) if found as u64 != expected => {
            Err(Failure::new(format!("expected {expected} elements, found {found}")))
        }
        Some(_) => Ok(()),
    }
}
