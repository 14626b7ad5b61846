//! Loops that carry values.

use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::scf;

/// The first index of a loop and the one behind its last, of type `index`.
pub type Bounds<'c, 'a> = (Value<'c, 'a>, Value<'c, 'a>);

/// Carried values.
pub type Carried<'c, 'a> = Result<Vec<Value<'c, 'a>>, Failure>;

/// From 0 up to each of several ends.
pub fn up_to<'c: 'a, 'a>(builder: &Builder<'c, 'a>, ends: &[Value<'c, 'a>]) -> Result<Vec<Bounds<'c, 'a>>, Failure> {
    ends.iter().map(|end| Ok((builder.index(0)?, *end))).collect()
}

/// Loops in each other, the first one outside. The body gets a builder, the indices and the carried values, and gives the
/// next ones.
pub fn nest<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    bounds: &[Bounds<'c, 'a>],
    carried: &[Value<'c, 'a>],
    body: impl FnOnce(Builder<'c, 'a>, &[Value<'c, 'a>], &[Value<'c, 'a>]) -> Carried<'c, 'a>,
) -> Carried<'c, 'a> {
    open(builder, bounds, Vec::new(), carried, body)
}

fn open<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    bounds: &[Bounds<'c, 'a>],
    indices: Vec<Value<'c, 'a>>,
    carried: &[Value<'c, 'a>],
    body: impl FnOnce(Builder<'c, 'a>, &[Value<'c, 'a>], &[Value<'c, 'a>]) -> Carried<'c, 'a>,
) -> Carried<'c, 'a> {
    let Some(((from, to), inner)) = bounds.split_first() else { return body(builder, &indices, carried) };
    let repeated = scf::r#for(&builder, [*from, *to, builder.index(1)?], carried)?;
    let indices = [indices, vec![repeated.index]].concat();
    let next = open(repeated.body, inner, indices, &repeated.carried, body)?;
    scf::r#yield(&repeated.body, &next)?;
    Ok(repeated.operation.result_values())
}

/// One loop from 0 up to an end.
pub fn repeat<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    end: Value<'c, 'a>,
    carried: &[Value<'c, 'a>],
    body: impl FnOnce(Builder<'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]) -> Carried<'c, 'a>,
) -> Carried<'c, 'a> {
    let repeated = scf::r#for(&builder, [builder.index(0)?, end, builder.index(1)?], carried)?;
    let next = body(repeated.body, repeated.index, &repeated.carried)?;
    scf::r#yield(&repeated.body, &next)?;
    Ok(repeated.operation.result_values())
}
