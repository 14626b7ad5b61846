//! Reshapes that drop dimensions of extent 1 disappear into the indexing maps of their readers: a reshape fixes the
//! layout of its tensors, a map does not.

use super::extended::Extended;
use super::operations::set_maps;
use super::reshapes::Reshape;
use super::roles::is_fixed;
use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::{linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Lets the structured operations of a function read what reshapes collapse. Returns how many operands changed. Filters
/// stay as they are: they get a layout of their own.
pub fn absorb_collapses<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    collapse_empty(function)?;
    separate_units(function)?;
    extend_before(function)?;
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

/// Divides reshapes that merge dimensions and drop others of extent 1: what drops them only can disappear.
fn separate_units<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    for collapse in operations_named(function, tensor::COLLAPSE_SHAPE) {
        let Some(Reshape { fine: source, groups, .. }) = Reshape::of(collapse) else { continue };
        let shape = types::shape(source.r#type()).unwrap_or_default();
        let is_unit = |place: &usize| shape.get(*place) == Some(&Some(1));
        let divided: Vec<Vec<Vec<usize>>> = groups.iter().map(|group| without_units(group, is_unit)).collect();
        let merges = divided.iter().flatten().any(|part| part.len() > 1);
        if !merges || divided.iter().all(|parts| parts.len() == 1) {
            continue;
        }
        let mut next = 0..;
        let rest: Vec<Vec<usize>> = divided.iter().map(|parts| next.by_ref().take(parts.len()).collect()).collect();
        let merged = divided.concat();
        let product = |part: &Vec<usize>| part.iter().try_fold(1u64, |product, &place| Some(product * shape[place]?));
        let extents: Vec<_> = merged.iter().map(product).collect();
        let element = types::element(source.r#type());
        let kind =
            types::tensor(element, &extents).ok_or_else(|| Error::malformed(format!("no tensor of {element}")))?;
        let builder = Builder::before(collapse)?;
        let merged = tensor::collapse_shape(&builder, source, &merged, kind)?;
        let dropped = tensor::collapse_shape(&builder, merged, &rest, collapse.result(0)?.r#type())?;
        with_rewriter(collapse, |rewriter| rewriter.replace(collapse, &[dropped]))?;
    }
    Ok(())
}

/// The dimensions of a group one by one as long as they are of extent 1, at both its ends, and the rest together.
fn without_units(group: &[usize], is_unit: impl Fn(&usize) -> bool) -> Vec<Vec<usize>> {
    let first = group.iter().take_while(|place| is_unit(place)).count().min(group.len().saturating_sub(1));
    let last = group[first + 1..].iter().rev().take_while(|place| is_unit(place)).count();
    let (begin, end) = (&group[..first], &group[group.len() - last..]);
    let single = |places: &[usize]| places.iter().map(|&place| vec![place]).collect::<Vec<_>>();
    [single(begin), vec![group[first..group.len() - last].to_vec()], single(end)].concat()
}

/// Extends what is stored in few bits before dimensions of extent 1 are dropped, rather than behind that: then readers absorb what drops them.
fn extend_before<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(&result) = operation.result_values().first() else { continue };
        let collapse = |extended: &Extended<'c, 'a>| {
            let made = extended.source.defining_operation();
            made.filter(|made| made.full_name() == tensor::COLLAPSE_SHAPE).and_then(Reshape::of)
        };
        let Some((extended, Reshape { fine, groups, .. })) =
            Extended::of(result).and_then(|extended| Some((extended, collapse(&extended)?)))
        else {
            continue;
        };
        let shape = types::shape(fine.r#type()).unwrap_or_default();
        let is_wide = |place: &&usize| shape.get(**place) != Some(&Some(1));
        let wide = types::tensor(types::element(result.r#type()), &shape);
        let Some(wide) = wide.filter(|_| groups.iter().all(|group| group.iter().filter(is_wide).count() <= 1)) else {
            continue;
        };
        let builder = Builder::before(operation)?;
        let before = extended.again(&builder, fine, wide)?;
        let dropped = tensor::collapse_shape(&builder, before, &groups, result.r#type())?;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[dropped]))?;
    }
    Ok(())
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
    for group in Reshape::of(collapse)?.groups {
        let wide: Vec<usize> = group.into_iter().filter(|&place| shape[place] != Some(1)).collect();
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
    let groups = Reshape::of(collapse)?.groups;
    let mut results = vec![Expr::Const(0); shape.len()];
    for (places, expr) in groups.iter().zip(&map.results) {
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
