//! Which numbers a tensor has, where another operation comes to give it.

use crate::generated::discardable::EncodingAttribute;
use skriptnd_mlir::ir::{Attribute, OperationRef, Value};
use skriptnd_mlir::ops::linalg;

/// Lets what gives a value in place of an operation say which numbers these are.
pub(super) fn carry<'c: 'a, 'a>(from: OperationRef<'c, 'a>, to: Value<'c, 'a>) {
    if from.result_count() == 1 {
        note(to, EncodingAttribute::get(from));
    }
}

/// Says which numbers a value has at what gives it: an operator or a structured operation.
pub(super) fn note<'c: 'a, 'a>(value: Value<'c, 'a>, encoding: Option<Attribute<'c>>) {
    let is_computed = |made: &OperationRef<'c, 'a>| {
        made.full_name() == linalg::GENERIC || crate::call::operator_path(made.full_name()).is_some()
    };
    let made = value.defining_operation().filter(is_computed).filter(|made| made.result_count() == 1);
    if let Some((made, encoding)) = made.zip(encoding).filter(|(made, _)| !EncodingAttribute::is_present(*made)) {
        EncodingAttribute::set(made, encoding);
    }
}
