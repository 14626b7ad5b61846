//! What products of integers are short of where numbers are taken from all elements of a factor: these times the sums of the other
//! factor that each result has.

use super::operations::{extent, open_extents};
use crate::Error;
use crate::nest::element::Number;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use std::cmp::Ordering;

/// What is added to sums of products.
pub struct Term<'c, 'a> {
    /// Sums of a factor.
    pub sums: Value<'c, 'a>,
    /// Where results have theirs.
    pub map: Map,
    pub times: Times<'c, 'a>,
}

/// How often sums are added.
pub enum Times<'c, 'a> {
    Known(i64),
    /// So often less, of an integer or of a tensor with one.
    Less(Value<'c, 'a>),
}

/// Sums, and what they are short of.
pub fn with_terms<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sums: Value<'c, 'a>,
    terms: &[Term<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    if terms.is_empty() {
        return Ok(sums);
    }
    let rank = types::rank(sums.r#type()).unwrap_or(0);
    let empty = tensor::empty(builder, sums.r#type(), &open_extents(builder, sums)?)?;
    let (mut values, mut maps) = (vec![sums], vec![Map::identity(rank)]);
    for term in terms {
        values.push(term.sums);
        maps.push(term.map.clone());
    }
    for term in terms {
        if let Times::Less(number) = term.times {
            values.push(number);
            maps.push(Map { dims: rank, results: Vec::new() });
        }
    }
    maps.push(Map::identity(rank));
    let body = linalg::generic(builder, &values, &[empty], &maps, &vec![false; rank])?;
    let inside = &body.builder;
    let (mut result, mut numbers) = (body.arguments[0], body.arguments[terms.len() + 1..].iter());
    for (term, sum) in terms.iter().zip(&body.arguments[1..]) {
        result = match (&term.times, numbers.as_slice()) {
            (Times::Known(times), _) => {
                let times = inside.integer(word(inside), *times)?;
                arith::addi(inside, result, arith::muli(inside, *sum, times)?)?
            }
            (Times::Less(_), [number, ..]) => {
                numbers.next();
                arith::subi(inside, result, arith::muli(inside, *sum, in_word(inside, *number)?)?)?
            }
            (Times::Less(_), []) => return Err(Error::malformed("a term without a number")),
        };
    }
    linalg::r#yield(inside, &[result])?;
    Ok(body.operation.result(0)?)
}

/// An integer in 32 bits, which has so few.
fn in_word<'c: 'a, 'a>(builder: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    match types::width(number.r#type()).unwrap_or(0).cmp(&32) {
        Ordering::Less => Ok(arith::extsi(builder, number, word(builder))?),
        Ordering::Equal => Ok(number),
        Ordering::Greater => Ok(arith::trunci(builder, number, word(builder))?),
    }
}

/// What a product adds up of one factor for each result: elements that lie along reduced dimensions only, then windows.
pub struct Windows<'p, 'c, 'a> {
    product: &'p Structured<'c, 'a>,
    map: &'p Map,
    /// For each dimension of the tensor, whether its elements are added up before the rest.
    first: Vec<bool>,
}

impl<'p, 'c: 'a, 'a> Windows<'p, 'c, 'a> {
    pub fn of(product: &'p Structured<'c, 'a>, place: usize) -> Self {
        let map = &product.maps[place];
        let is_own = |expr: &Expr| {
            expr.as_dim().is_some_and(|dim| {
                product.reduced[dim] && map.results.iter().filter(|other| other.uses(dim)).count() == 1
            })
        };
        Windows { product, map, first: map.results.iter().map(is_own).collect() }
    }

    /// Dimensions of the product along which windows are added up behind that.
    fn rest(&self) -> Vec<usize> {
        let left = || self.map.results.iter().zip(&self.first).filter(|(_, first)| !**first);
        let uses = |dim: &usize| left().any(|(expr, _)| expr.uses(*dim));
        (0..self.product.extents.len()).filter(|&dim| self.product.reduced[dim]).filter(uses).collect()
    }

    /// The sums, and their map from the indices of results.
    pub fn sums(
        &self,
        builder: &Builder<'c, 'a>,
        tensor: Value<'c, 'a>,
        number: Number,
    ) -> Result<(Value<'c, 'a>, Map), Error> {
        let output = self.product.output_map().and_then(Map::as_dims).unwrap_or_default();
        let lines = self.lines(builder, tensor, number)?;
        let left = self.kept().into_iter().map(|dim| &self.map.results[dim]);
        let rest = self.rest();
        // The indices of results, and behind them those along windows.
        let dims = output.iter().chain(&rest);
        let mut renumbered = vec![Expr::Const(0); self.product.extents.len()];
        dims.enumerate().for_each(|(number, &dim)| renumbered[dim] = Expr::Dim(number));
        let results = left.map(|expr| expr.substitute(&renumbered)).collect::<Option<Vec<_>>>();
        let results = results.ok_or_else(|| Error::malformed("an index that is no sum"))?;
        if rest.is_empty() {
            return Ok((lines, Map { dims: output.len(), results }));
        }
        self.windows(builder, lines, (results, &output, &rest))
    }

    /// The dimensions of the tensor that sums have, that along which results have neighbours last: so these have as well.
    fn kept(&self) -> Vec<usize> {
        let last = self.product.output_map().and_then(|map| map.results.last()?.as_dim());
        let mut kept: Vec<usize> = (0..self.first.len()).filter(|&dim| !self.first[dim]).collect();
        kept.sort_by_key(|&dim| last.is_some_and(|last| self.map.results[dim].uses(last)));
        kept
    }

    /// Sums along the dimensions of a tensor that only the reduction uses.
    fn lines(&self, builder: &Builder<'c, 'a>, tensor: Value<'c, 'a>, number: Number) -> Result<Value<'c, 'a>, Error> {
        let kept = self.kept();
        let zeros = zeros(builder, tensor, &kept)?;
        let rank = self.first.len();
        let maps = [Map::identity(rank), Map { dims: rank, results: kept.into_iter().map(Expr::Dim).collect() }];
        let body = linalg::generic(builder, &[tensor], &[zeros], &maps, &self.first)?;
        let element = extended(&body.builder, body.arguments[0], number)?;
        linalg::r#yield(&body.builder, &[arith::addi(&body.builder, body.arguments[1], element)?])?;
        Ok(body.operation.result(0)?)
    }

    /// Sums of windows of such sums.
    fn windows(
        &self,
        builder: &Builder<'c, 'a>,
        lines: Value<'c, 'a>,
        (results, output, rest): (Vec<Expr>, &[usize], &[usize]),
    ) -> Result<(Value<'c, 'a>, Map), Error> {
        let result = self.product.outputs[0];
        let kept: Vec<usize> = (0..output.len()).filter(|place| results.iter().any(|expr| expr.uses(*place))).collect();
        let zeros = zeros(builder, result, &kept)?;
        // Of the indices of results only those are left that tell windows apart.
        let dims = kept.len() + rest.len();
        let mut renumbered = vec![Expr::Const(0); output.len() + rest.len()];
        let places = kept.iter().copied().chain(output.len()..output.len() + rest.len());
        places.enumerate().for_each(|(number, place)| renumbered[place] = Expr::Dim(number));
        let results = results.iter().map(|expr| expr.substitute(&renumbered)).collect::<Option<Vec<_>>>();
        let results = results.ok_or_else(|| Error::malformed("an index that is no sum"))?;
        // What windows have for extents, no operand says.
        let window = rest.iter().map(|&dim| Some(self.product.extents[dim].unsigned_abs())).collect::<Vec<_>>();
        let window = types::tensor(word(builder), &window).ok_or_else(|| Error::malformed("no tensor of words"))?;
        let window = tensor::empty(builder, window, &[])?;
        let map = |range: std::ops::Range<usize>| Map { dims, results: range.map(Expr::Dim).collect() };
        let maps = [Map { dims, results }, map(kept.len()..dims), map(0..kept.len())];
        let reduced: Vec<bool> = (0..dims).map(|dim| dim >= kept.len()).collect();
        let body = linalg::generic(builder, &[lines, window], &[zeros], &maps, &reduced)?;
        let sum = arith::addi(&body.builder, body.arguments[2], body.arguments[0])?;
        linalg::r#yield(&body.builder, &[sum])?;
        let results = kept.into_iter().map(Expr::Dim).collect();
        Ok((body.operation.result(0)?, Map { dims: output.len(), results }))
    }
}

pub fn word<'c>(builder: &Builder<'c, '_>) -> Type<'c> {
    types::integer(builder.context(), 32)
}

/// A stored number in 32 bits.
pub fn extended<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    stored: Value<'c, 'a>,
    number: Number,
) -> Result<Value<'c, 'a>, Error> {
    Ok(match number {
        Number::Unsigned(_) => arith::extui(builder, stored, word(builder))?,
        _ => arith::extsi(builder, stored, word(builder))?,
    })
}

/// A tensor of words that are zero, with the extents that another one has in these dimensions.
fn zeros<'c: 'a, 'a>(builder: &Builder<'c, 'a>, like: Value<'c, 'a>, kept: &[usize]) -> Result<Value<'c, 'a>, Error> {
    let shape = types::shape(like.r#type()).unwrap_or_default();
    let shape: Vec<_> = kept.iter().map(|&dim| shape[dim]).collect();
    let open = kept.iter().zip(&shape).filter(|(_, extent)| extent.is_none());
    let open = open.map(|(&dim, _)| extent(builder, like, dim)).collect::<Result<Vec<_>, _>>()?;
    let kind = types::tensor(word(builder), &shape).ok_or_else(|| Error::malformed("no tensor of words"))?;
    let empty = tensor::empty(builder, kind, &open)?;
    let zero = builder.integer(word(builder), 0)?;
    let maps = [Map { dims: shape.len(), results: Vec::new() }, Map::identity(shape.len())];
    let body = linalg::generic(builder, &[zero], &[empty], &maps, &vec![false; shape.len()])?;
    linalg::r#yield(&body.builder, &body.arguments[..1])?;
    Ok(body.operation.result(0)?)
}
