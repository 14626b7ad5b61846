//! The `htp` dialect: graphs as the Hexagon tensor processor's framework has them.
//!
//! Its ops have no attributes but constants' elements: what parameterizes an op is an operand, so that rules can see
//! it. Ops of packages that nobody has declared are accepted, and free of side effects: rule files may name any op.

mod assembly;
pub mod encoding;

use crate::generated;
use crate::generated::operations::{ConstOp, ConstOpHooks, ShapeOp, ShapeOpHooks};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::dialect::{DialectSpec, Parse, Print, UnknownOperations};
use skriptnd_mlir::ir::{Attribute, OperationRef, attributes, types};

pub use crate::generated::NAMESPACE;

/// The attribute of a constant's elements: a dense array of 64-bit integers or floating-point numbers.
pub const ELEMENTS: &str = "elements";

/// The MLIR name of an op with package: `q::Relu` is `htp.q.Relu`, `$Shape` is `htp.$Shape`.
pub fn operation_name(qualified: &str) -> String {
    format!("{NAMESPACE}.{}", qualified.replace("::", "."))
}

/// The name with package of what MLIR calls so: `htp.q.Relu` is `q::Relu`. What is not of the dialect keeps its name.
pub fn qualified_name(operation: &str) -> String {
    match operation.strip_prefix(NAMESPACE).and_then(|rest| rest.strip_prefix('.')) {
        Some(bare) if bare.starts_with('$') => bare.to_owned(),
        Some(packaged) => packaged.replacen('.', "::", 1),
        None => operation.to_owned(),
    }
}

/// The dialect, to be added to a registry: the declared ops, and any other.
pub fn dialect() -> DialectSpec {
    with_undeclared(generated::dialect(Hooks))
}

/// The dialect without declared ops, in which an op may have any operands, as in the graphs on which rules are tried.
pub fn undeclared() -> DialectSpec {
    with_undeclared(DialectSpec::new(NAMESPACE))
}

fn with_undeclared(dialect: DialectSpec) -> DialectSpec {
    let assembly: (Box<Parse>, Box<Print>) = (Box::new(assembly::parse), Box::new(assembly::print));
    dialect.allow_unknown_operations(UnknownOperations { pure: true, assembly: Some(assembly) })
}

/// What the declarations leave to Rust.
struct Hooks;

impl ShapeOpHooks for Hooks {
    fn verify(op: ShapeOp<'_, '_>) -> Result<(), Failure> {
        single_tensor(op.operation()).map(drop)
    }
}

impl ConstOpHooks for Hooks {
    fn verify(op: ConstOp<'_, '_>) -> Result<(), Failure> {
        let expected = single_tensor(op.operation())?;
        let elements = op.elements()?;
        let count = |attribute: Attribute<'_>| {
            let integers = attributes::as_integers(attribute).map(|values| values.len());
            integers.or_else(|| attributes::as_reals(attribute).map(|values| values.len()))
        };
        match count(elements) {
            None => Err(Failure::new("expected attribute 'elements' to be an array of i64 or f64")),
            Some(found) if found as u64 != expected => {
                Err(Failure::new(format!("expected {expected} elements, found {found}")))
            }
            Some(_) => Ok(()),
        }
    }
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
