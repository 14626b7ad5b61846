//! Products read a tensor once that is repeated along a dimension, as keys and values that several heads of attention share: what
//! repeats them becomes a dimension of the product.

use super::narrow::{broadcast, filled};
use super::operations::copy_body;
use super::reshapes::Reshape;
use super::transposed::{copy, is_rarely_used, read_through};
use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{Size, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Lets products read what is repeated before them. Returns how many operands changed.
pub fn absorb_repeats<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut absorbed = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(product) = Structured::read(operation).filter(|view| view.operation.result_count() == 1) else {
            continue;
        };
        let found = (0..product.inputs.len()).find_map(|operand| Repeated::of(&product, operand));
        if let Some(repeated) = found {
            repeated.absorb(&product)?;
            absorbed += 1;
        }
    }
    Ok(absorbed)
}

/// An operand of a product that repeats a tensor.
struct Repeated<'c, 'a> {
    operand: usize,
    /// What repeats it.
    copy: Structured<'c, 'a>,
    /// The dimension of the product that goes along the repeated tensor and all repetitions.
    dim: usize,
    /// Its two digits: how often something is, and how often it is repeated, or the other way round.
    digits: [i64; 2],
}

/// Of each dimension of a tensor those that it becomes, the extents of these, and the type.
type Split<'c, 'a> = (Vec<Vec<usize>>, Vec<Size<'c, 'a>>, Type<'c>);

impl<'c: 'a, 'a> Repeated<'c, 'a> {
    fn of(product: &Structured<'c, 'a>, operand: usize) -> Option<Self> {
        let collapse = product.inputs[operand].defining_operation()?;
        let reshape = Reshape::of(collapse).filter(|_| collapse.full_name() == tensor::COLLAPSE_SHAPE)?;
        let copy = copy(reshape.fine).filter(|_| is_rarely_used(product, operand))?;
        let mut merged = reshape.groups.iter().enumerate().filter(|(_, group)| group.len() > 1);
        let (place, group) = merged.next().filter(|_| merged.next().is_none())?;
        let shape = types::shape(reshape.fine.r#type())?;
        let digits = group.iter().map(|&dim| i64::try_from(shape[dim]?).ok()).collect::<Option<Vec<_>>>()?;
        let dim = product.maps[operand].results.get(place)?.as_dim()?;
        let digits = <[i64; 2]>::try_from(digits).ok().filter(|digits| digits.iter().all(|digit| *digit > 1))?;
        let places = copy.output_map()?.as_dims()?;
        let is_repeated = |fine: &usize| !copy.maps[0].results.iter().any(|expr| expr.uses(places[*fine]));
        let is_even =
            product.maps.iter().flat_map(|map| &map.results).all(|expr| expr.as_dim() == Some(dim) || !expr.uses(dim));
        (group.iter().any(is_repeated) && is_even).then_some(Repeated { operand, copy, dim, digits })
    }

    /// Builds the product with one more dimension.
    fn absorb(&self, product: &Structured<'c, 'a>) -> Result<(), Error> {
        let operation = product.operation;
        let builder = Builder::before(operation)?;
        let mut maps: Vec<Map> = product.maps.iter().map(|map| self.split_map(map)).collect();
        let mut inputs = Vec::new();
        for (number, input) in product.inputs.iter().enumerate() {
            inputs.push(match number == self.operand {
                true => self.copy.inputs[0],
                false => self.split(&builder, *input, &product.maps[number])?,
            });
        }
        let read = read_through(&self.copy, &maps[self.operand]);
        maps[self.operand] = read.ok_or_else(|| Error::malformed("a copy that can't be read through"))?;
        let (given, written) = (product.outputs[0], &product.maps[inputs.len()]);
        let begin = match broadcast(given).filter(|(source, _)| !source.r#type().is_ranked_tensor()) {
            Some((number, _)) => {
                let (_, sizes, kind) = self.split_shape(&builder, given, written)?;
                let open: Vec<_> = sizes.into_iter().filter_map(Size::computed).collect();
                filled(&builder, (kind, tensor::empty(&builder, kind, &open)?), number)?
            }
            None => self.split(&builder, given, written)?,
        };
        let mut reduced = product.reduced.clone();
        reduced.insert(self.dim, product.reduced[self.dim]);
        let made = linalg::generic(&builder, &inputs, &[begin], &maps, &reduced)?;
        let arguments = block_arguments(product.body).zip(&made.arguments);
        let known = arguments.map(|(own, new)| (own.key(), *new)).collect();
        let results = copy_body(product.body, &made.builder, known)?;
        linalg::r#yield(&made.builder, &results)?;
        let result = made.operation.result(0)?;
        let (groups, ..) = self.split_shape(&builder, given, written)?;
        let merged = tensor::collapse_shape(&builder, result, &groups, given.r#type())?;
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &[merged]))?)
    }

    /// A map of the product with both digits in the place of the dimension.
    fn split_map(&self, map: &Map) -> Map {
        let dims: Vec<Expr> = (0..map.dims).map(|dim| Expr::Dim(dim + usize::from(dim > self.dim))).collect();
        let of = |expr: &Expr| match expr.as_dim() == Some(self.dim) {
            true => vec![Expr::Dim(self.dim), Expr::Dim(self.dim + 1)],
            false => vec![expr.substitute(&dims).unwrap_or_else(|| expr.clone())],
        };
        Map { dims: map.dims + 1, results: map.results.iter().flat_map(of).collect() }
    }

    /// An operand with the dimension split.
    fn split(&self, builder: &Builder<'c, 'a>, value: Value<'c, 'a>, map: &Map) -> Result<Value<'c, 'a>, Error> {
        let (groups, sizes, kind) = self.split_shape(builder, value, map)?;
        match kind == value.r#type() {
            true => Ok(value),
            false => Ok(tensor::expand_shape(builder, value, &groups, &sizes, kind)?),
        }
    }

    /// The dimensions that those of an operand become, with their extents, and its type then.
    fn split_shape(&self, builder: &Builder<'c, 'a>, value: Value<'c, 'a>, map: &Map) -> Result<Split<'c, 'a>, Error> {
        let shape = types::shape(value.r#type()).unwrap_or_default();
        let (mut groups, mut sizes, mut extents) = (Vec::new(), Vec::new(), Vec::new());
        for (place, (expr, &extent)) in map.results.iter().zip(&shape).enumerate() {
            let first = extents.len();
            match extent {
                _ if expr.as_dim() == Some(self.dim) => extents.extend(self.digits.map(|digit| Some(digit as u64))),
                extent => extents.push(extent),
            }
            groups.push((first..extents.len()).collect());
            for extent in &extents[first..] {
                sizes.push(match extent {
                    Some(extent) => Size::Known(i64::try_from(*extent).unwrap_or(i64::MAX)),
                    None => Size::Value(tensor::dim(builder, value, place)?),
                });
            }
        }
        let element = types::element(value.r#type());
        let kind = types::tensor(element, &extents).ok_or_else(|| Error::malformed("no tensor of such elements"))?;
        Ok((groups, sizes, kind))
    }
}
