//! Reshapes that drop dimensions of extent 1 disappear into the indexing maps of their readers: a reshape fixes the
//! layout of its tensors, a map does not.

use super::operations::set_maps;
use super::roles::is_fixed;
use crate::Error;
use crate::structured::{Structured, static_shape};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{OperationRef, Value, attributes, operations_named};
use skriptnd_mlir::ops::{linalg, tensor};

/// Lets the structured operations of a function read what reshapes collapse. Returns how many operands changed. Filters
/// stay as they are: they get a layout of their own.
pub fn absorb_collapses<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut absorbed = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(structured) = Structured::read(operation) else { continue };
        let mut maps = structured.maps.clone();
        for (index, input) in structured.inputs.iter().enumerate() {
            if is_fixed(*input) {
                continue;
            }
            if let Some((source, map)) = expanded(*input, &maps[index]) {
                operation.set_operand(index, source)?;
                maps[index] = map;
                absorbed += 1;
            }
        }
        if maps != structured.maps {
            set_maps(operation, &maps);
        }
    }
    Ok(absorbed)
}

/// What a collapsed operand was before, with the map that reads it; none if more than dimensions of extent 1 went.
fn expanded<'c: 'a, 'a>(value: Value<'c, 'a>, map: &Map) -> Option<(Value<'c, 'a>, Map)> {
    let collapse = value.defining_operation().filter(|definition| definition.full_name() == tensor::COLLAPSE_SHAPE)?;
    let source = collapse.operand(0).ok()?;
    let shape = static_shape(source.r#type())?;
    let groups = attributes::as_array(collapse.get("reassociation")?)?;
    let mut results = vec![Expr::Const(0); shape.len()];
    for (group, expr) in groups.iter().zip(&map.results) {
        let places: Vec<usize> =
            attributes::as_integers(*group)?.into_iter().map(|dim| usize::try_from(dim).ok()).collect::<Option<_>>()?;
        let mut wide = places.iter().copied().filter(|&dim| shape.get(dim).is_none_or(|&extent| extent != 1));
        let place = wide.next().or(places.first().copied())?;
        if wide.next().is_some() {
            return None;
        }
        *results.get_mut(place)? = expr.clone();
    }
    Some((source, Map { dims: map.dims, results }))
}
