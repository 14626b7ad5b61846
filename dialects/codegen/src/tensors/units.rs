//! Reshapes that drop dimensions of extent 1 disappear into the indexing maps of their readers: a reshape fixes the
//! layout of its tensors, a map does not.

use super::operations::set_maps;
use super::roles::is_fixed;
use crate::Error;
use crate::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::{linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Lets the structured operations of a function read what reshapes collapse. Returns how many operands changed. Filters
/// stay as they are: they get a layout of their own.
pub fn absorb_collapses<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    collapse_empty(function)?;
    let mut absorbed = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(structured) = Structured::read(operation) else { continue };
        let mut maps = structured.maps.clone();
        for (index, input) in structured.inputs.iter().enumerate() {
            if is_fixed(*input) {
                continue;
            }
            if let Some((source, map)) = expanded(*input, &maps[index], &structured) {
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

/// Makes empty tensors that are collapsed in the form that they are used in: behind a reshape, nothing is known of the
/// memory.
fn collapse_empty<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    for collapse in operations_named(function, tensor::COLLAPSE_SHAPE) {
        let Some(open) = collapsed_sizes(collapse) else { continue };
        let empty = tensor::empty(&Builder::before(collapse)?, collapse.result(0)?.r#type(), &open)?;
        with_rewriter(collapse, |rewriter| rewriter.replace(collapse, &[empty]))?;
    }
    Ok(())
}

/// The open extents of a collapsed empty tensor; none for other tensors, and where two of them are multiplied.
fn collapsed_sizes<'c: 'a, 'a>(collapse: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let source = collapse.operand(0).ok()?;
    let empty = source.defining_operation().filter(|definition| definition.full_name() == tensor::EMPTY)?;
    let shape = types::shape(source.r#type())?;
    let mut sizes = Vec::new();
    for group in attributes::as_array(collapse.get("reassociation")?)? {
        let places = attributes::as_integers(group)?.into_iter().map(|place| usize::try_from(place).ok());
        let wide = places.collect::<Option<Vec<_>>>()?.into_iter().filter(|&place| shape[place] != Some(1));
        let wide: Vec<usize> = wide.collect();
        if let Some(&open) = wide.iter().find(|&&place| shape[place].is_none()) {
            let before = shape[..open].iter().filter(|extent| extent.is_none()).count();
            sizes.push(empty.operand(before).ok().filter(|_| wide.len() == 1)?);
        }
    }
    Some(sizes)
}

/// What a collapsed operand was before, with the map that reads it; none if more than dimensions of extent 1 went.
fn expanded<'c: 'a, 'a>(value: Value<'c, 'a>, map: &Map, reader: &Structured<'c, 'a>) -> Option<(Value<'c, 'a>, Map)> {
    let collapse = value.defining_operation().filter(|definition| definition.full_name() == tensor::COLLAPSE_SHAPE)?;
    let source = collapse.operand(0).ok()?;
    let shape = types::shape(source.r#type())?;
    let groups = attributes::as_array(collapse.get("reassociation")?)?;
    let mut results = vec![Expr::Const(0); shape.len()];
    for (group, expr) in groups.iter().zip(&map.results) {
        let places: Vec<usize> =
            attributes::as_integers(*group)?.into_iter().map(|dim| usize::try_from(dim).ok()).collect::<Option<_>>()?;
        let mut wide = places.iter().copied().filter(|&dim| shape.get(dim).is_none_or(|&extent| extent != Some(1)));
        let place = wide.next().or(places.first().copied())?;
        if wide.next().is_some() {
            return None;
        }
        *results.get_mut(place)? = expr.clone();
    }
    Some((source, named(Map { dims: map.dims, results }, reader)))
}

/// The map with dimensions of extent 1 that it does not use in place of zeros, in their order: so reads of what another
/// operation wrote with these dimensions look like its writes.
fn named(map: Map, reader: &Structured<'_, '_>) -> Map {
    let is_unit = |dim: &usize| reader.open[*dim].is_none() && reader.extents[*dim] == 1;
    let is_free = |dim: &usize| !map.results.iter().any(|expr| expr.uses(*dim));
    let mut units: Vec<usize> = (0..map.dims).filter(is_unit).filter(is_free).rev().collect();
    let name = |expr: &Expr| match expr {
        Expr::Const(0) => units.pop().map_or(Expr::Const(0), Expr::Dim),
        other => other.clone(),
    };
    Map { dims: map.dims, results: map.results.iter().map(name).collect() }
}
