//! What is made of the cases of `test/TableGen/ods` and `test/TableGen/drr` compiles.

// Nothing is called; names and numbers of parameters are those of the declarations.
#![allow(dead_code, missing_docs, clippy::too_many_arguments, clippy::upper_case_acronyms)]

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::ir::{Attribute, OperationRef, Value};
use skriptnd_ods::mlir::rewrite::Editor;

include!(concat!(env!("OUT_DIR"), "/texts.rs"));

mod drr {
    include!(concat!(env!("OUT_DIR"), "/rules.rs"));
}

/// What some rules call.
fn keep<'c, 'a>(_: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    Ok(value)
}

/// What some rules ask of an operation.
fn told<'c>(operation: OperationRef<'c, '_>) -> Option<Attribute<'c>> {
    operation.get("told")
}
