//! Expanded shapes with several extents of one group that only a run knows: upstream's lowering finds only one of a group from what
//! it expands, so they are stated as what they are, other shapes of the same memory.

use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::{Size, memref};
use skriptnd_mlir::rewrite::with_rewriter;

/// Replaces them in a module.
pub fn state_shapes<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    for expansion in operations_named(module, memref::EXPAND_SHAPE) {
        if has_open_groups(expansion) {
            state(expansion)?;
        }
    }
    Ok(())
}

/// Whether a group of dimensions has several open extents.
fn has_open_groups(expansion: OperationRef<'_, '_>) -> bool {
    let shape = expansion.result(0).ok().and_then(|result| types::shape(result.r#type())).unwrap_or_default();
    let groups = expansion.get("reassociation").and_then(attributes::as_array).unwrap_or_default();
    groups.into_iter().filter_map(attributes::as_integers).any(|group| {
        let open = |&at: &i64| usize::try_from(at).is_ok_and(|at| shape.get(at).is_some_and(Option::is_none));
        group.iter().filter(|at| open(at)).count() > 1
    })
}

fn state<'c: 'a, 'a>(expansion: OperationRef<'c, 'a>) -> Result<(), Error> {
    let (source, kind) = (expansion.operand(0)?, expansion.result(0)?.r#type());
    let begin = types::open_strides(source.r#type()).map(|(_, begin)| begin);
    if begin != Some(0) {
        return Err(Error::Unsupported(format!("expanding memory of type {}", source.r#type())));
    }
    let mut sizes = expansion.operands().collect::<Vec<Value<'c, 'a>>>().into_iter().skip(1);
    let mut shape = Vec::new();
    for extent in types::shape(kind).unwrap_or_default() {
        shape.push(match extent {
            Some(known) => Size::Known(known as i64),
            None => Size::Value(sizes.next().ok_or_else(|| Error::malformed("an expansion without its sizes"))?),
        });
    }
    let builder = Builder::before(expansion)?;
    let plain = types::memref(types::element(kind), &types::shape(source.r#type()).unwrap_or_default());
    let shaped = match plain == Some(source.r#type()) {
        true => memref::shaped(&builder, source, &shape, kind)?,
        false => {
            let strides = strides(&builder, expansion, source, &shape)?;
            memref::laid_out(&builder, source, (&shape, &strides), kind)?
        }
    };
    with_rewriter(expansion, |rewriter| rewriter.replace(expansion, &[shaped]))?;
    Ok(())
}

/// The distances of neighbours: within a group there are no gaps.
fn strides<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    expansion: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    shape: &[Size<'c, 'a>],
) -> Result<Vec<Size<'c, 'a>>, Error> {
    let known = types::open_strides(source.r#type()).map(|(strides, _)| strides).unwrap_or_default();
    let is_open = known.contains(&types::OPEN);
    let found = if is_open { memref::strides(builder, source)? } else { Vec::new() };
    let groups = expansion.get("reassociation").and_then(attributes::as_array).unwrap_or_default();
    let mut strides = Vec::new();
    for (at, group) in groups.into_iter().filter_map(attributes::as_integers).enumerate() {
        let innermost = match known.get(at) {
            Some(&types::OPEN) => {
                Size::Value(*found.get(at).ok_or_else(|| Error::malformed("memory without strides"))?)
            }
            stride => Size::Known(stride.copied().unwrap_or(1)),
        };
        let within: Vec<_> = group.iter().filter_map(|&at| shape.get(usize::try_from(at).ok()?).copied()).collect();
        strides.extend(memref::strides_within(builder, &within, innermost)?);
    }
    Ok(strides)
}
