//! What the function that a graph becomes gives: outputs, new values of variables, and the shapes that a run has found where data
//! determine some.

use super::Converter;
use super::found::named;
use super::stored::Stored;
use crate::lowering::emit::extents::Extents;
use crate::lowering::limits::Limits;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::tensor::{self, Slice};
use skriptnd_mlir::ops::{Size, arith};

/// The values that the function returns.
pub(super) struct Results<'c, 'a> {
    /// Outputs and new values of variables.
    pub written: Vec<Value<'c, 'a>>,
    /// The extents of all of them, one behind the other, if data determine one.
    pub found: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Converter<'c, 'a> {
    /// The results of a graph; `told` are the extents that its inputs tell, `stored` says how the elements are given.
    pub(super) fn results(
        &self,
        builder: &Builder<'c, 'a>,
        told: &Extents<'c, 'a>,
        stored: &[Option<Stored<'c>>],
    ) -> Result<Results<'c, 'a>, Failure> {
        let mut results = Results { written: Vec::new(), found: None };
        let mut shapes = Vec::new();
        let states = self.states.iter().map(|(_, value)| (value.r#type(), *value));
        let outputs = self.output_types.iter().copied().zip(self.outputs.iter().copied());
        for ((r#type, value), stored) in outputs.chain(states).zip(stored) {
            let ty = named(r#type)?;
            let value = stored.as_ref().map_or(Ok(value), |stored| stored.narrowed(builder, value))?;
            let is_told = ty.shape.iter().all(|extent| told.knows(&extent.value));
            results.written.push(if is_told { value } else { self.flat(builder, value, &ty, told)? });
            shapes.push((ty, is_told));
        }
        if shapes.iter().any(|(_, is_told)| !is_told) {
            let extents = shapes.iter().flat_map(|(ty, _)| &ty.shape);
            let words =
                extents.map(|extent| self.extents.int(builder, &extent.value)).collect::<Result<Vec<_>, _>>()?;
            let kind = types::tensor(types::integer(builder.context(), 64), &[Some(words.len() as u64)]);
            results.found = Some(tensor::from_elements(builder, &words, kind.ok_or("no tensor of words")?)?);
        }
        Ok(results)
    }

    /// The elements one behind the other, at the begin of as many as there can be at most.
    fn flat(
        &self,
        builder: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        ty: &TensorType,
        told: &Extents<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let sizes = self.extents.sizes(builder, &shape_of(ty))?;
        let most: Vec<SymExpr> =
            ty.shape.iter().map(|extent| most(&extent.value, told, &self.limits)).collect::<Result<_, _>>()?;
        let (count, room) = (volume(builder, &sizes)?, volume(builder, &told.sizes(builder, &most)?)?);
        let scalar = types::element(value.r#type());
        let flat = |size: Size<'c, 'a>| -> Result<Type<'c>, Failure> {
            let known = if let Size::Known(known) = size { u64::try_from(known).ok() } else { None };
            types::tensor(scalar, &[known]).ok_or_else(|| "no such tensor type".into())
        };
        let open: Vec<_> = if let Size::Value(room) = room { vec![room] } else { Vec::new() };
        let target = tensor::empty(builder, flat(room)?, &open)?;
        if room == Size::Known(0) {
            return Ok(target);
        }
        let elements = match ty.shape.len() {
            1 => value,
            rank => tensor::collapse_shape(builder, value, &[(0..rank).collect()], flat(count)?)?,
        };
        let slice = Slice { offsets: vec![Size::Known(0)], sizes: vec![count], strides: vec![1] };
        tensor::insert_slice(builder, elements, target, &slice)
    }
}

/// An extent, or what it is at most where data determine it.
pub(super) fn most(extent: &SymExpr, told: &Extents<'_, '_>, limits: &Limits) -> Result<SymExpr, Failure> {
    if told.knows(extent) {
        return Ok(extent.clone());
    }
    let bound = || limits.upper_bound(extent).map(|bound| SymExpr::Const(bound.max(0)));
    limits
        .at_most(extent)
        .or_else(bound)
        .ok_or_else(|| format!("gives a tensor with the extent {extent}, which nothing bounds").into())
}

fn shape_of(ty: &TensorType) -> Vec<SymExpr> {
    ty.shape.iter().map(|extent| extent.value.clone()).collect()
}

/// The product of sizes.
fn volume<'c: 'a, 'a>(builder: &Builder<'c, 'a>, sizes: &[Size<'c, 'a>]) -> Result<Size<'c, 'a>, Failure> {
    let known = sizes.iter().try_fold(1i64, |product, size| match size {
        Size::Known(known) => product.checked_mul(*known),
        Size::Value(_) => None,
    });
    if let Some(known) = known {
        return Ok(Size::Known(known));
    }
    let first = builder.index(1)?;
    let product = sizes.iter().try_fold(first, |product, size| arith::muli(builder, product, size.value(builder)?))?;
    Ok(Size::Value(product))
}
