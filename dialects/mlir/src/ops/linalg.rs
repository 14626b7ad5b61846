//! The linalg dialect.

use super::segments;
use crate::Failure;
use crate::ir::affine::Map;
use crate::ir::{Body, Builder, Type, Value, attributes, types};

/// The name of structured operations.
pub const GENERIC: &str = "linalg.generic";
/// The name of [`index`].
pub const INDEX: &str = "linalg.index";
/// The name of `yield`.
pub const YIELD: &str = "linalg.yield";

/// `linalg.generic`, whose body is to be filled. There is a map for each input, then for each output, and for each
/// dimension whether it is reduced. On tensors the results have the types of the outputs.
pub fn generic<'c, 'a>(
    builder: &Builder<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    outputs: &[Value<'c, 'a>],
    maps: &[Map],
    reduced: &[bool],
) -> Result<Body<'c, 'a>, Failure> {
    let context = builder.context();
    let maps: Vec<_> = maps.iter().map(|map| map.attribute(context)).collect();
    let attributes = [
        ("indexing_maps", attributes::array(context, &maps)),
        ("iterator_types", attributes::iterator_types(context, reduced)),
        segments(context, &[inputs.len(), outputs.len()]),
    ];
    let operands = [inputs, outputs].concat();
    let elements: Vec<_> = operands.iter().map(|operand| types::element(operand.r#type())).collect();
    builder.with_body(GENERIC, &operands, &attributes, &tensors(outputs), &elements)
}

/// The types of those that are tensors: these are results.
fn tensors<'c>(outputs: &[Value<'c, '_>]) -> Vec<Type<'c>> {
    outputs.iter().map(|output| output.r#type()).filter(|r#type| types::is_ranked_tensor(*r#type)).collect()
}

/// The name of [`fill`].
pub const FILL: &str = "linalg.fill";

/// `linalg.fill` of a tensor.
pub fn fill<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scalar: Value<'c, 'a>,
    tensor: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let element = scalar.r#type();
    let sizes = segments(builder.context(), &[1, 1]);
    let fill = builder.with_body(FILL, &[scalar, tensor], &[sizes], &[tensor.r#type()], &[element, element])?;
    r#yield(&fill.builder, &fill.arguments[..1])?;
    fill.operation.result(0)
}

/// `linalg.index`: the index of a dimension, inside of a structured operation.
pub fn index<'c, 'a>(builder: &Builder<'c, 'a>, dimension: usize) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let dimension = ("dim", attributes::integer(context, i64::try_from(dimension).unwrap_or(i64::MAX)));
    builder.value(INDEX, &[], &[dimension], types::index(context))
}

terminator! {
    r#yield = "linalg.yield";
}
