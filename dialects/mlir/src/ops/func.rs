//! The func dialect.

use crate::Failure;
use crate::ir::{Body, Builder, NamedAttribute, OperationRef, Type, Value, attributes, types};

/// The name of functions.
pub const FUNC: &str = "func.func";
/// The name of [`call`].
pub const CALL: &str = "func.call";

/// `func.func` with a body of one block; other attributes can be given.
pub fn func<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
    others: &[NamedAttribute<'_, 'c>],
) -> Result<Body<'c, 'a>, Failure> {
    let context = builder.context();
    let mut attributes = vec![
        ("sym_name", attributes::string(context, name)),
        ("function_type", attributes::r#type(types::function(context, inputs, results))),
    ];
    attributes.extend(others);
    builder.with_body(FUNC, &[], &attributes, &[], inputs)
}

/// `func.call`
pub fn call<'c, 'a>(
    builder: &Builder<'c, 'a>,
    callee: &str,
    arguments: &[Value<'c, 'a>],
    results: &[Type<'c>],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let callee = ("callee", attributes::symbol(builder.context(), callee));
    builder.operation(CALL, arguments, &[callee], results)
}

terminator! {
    r#return RETURN = "func.return";
}
