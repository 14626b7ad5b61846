//! Products of quantized tensors are of whole numbers: what they are scaled by is multiplied behind the sum, once for each
//! result. The whole numbers are stored in as few bits as the target multiplies.

use super::encoded::Encoded;
use super::moves::Moved;
use super::narrow::{broadcast, filled};
use super::operations::{converted, open_extents};
use crate::Error;
use crate::nest::atom::Atom;
use crate::nest::element::{Element, Number};
use crate::target::Target;
use crate::values::range::Ranges;
use crate::values::{most_terms, ranges};
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Moves the scales of factors behind the products of a function. Returns how many products it are.
pub fn scale_products<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let ranges = ranges(function);
    let products = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let products: Vec<_> = products.filter_map(|structured| Product::of(&structured, &ranges, target)).collect();
    let mut parts: Vec<Part<'c, 'a>> = Vec::new();
    for (factor, number) in products.iter().flat_map(|product| product.factors.iter().zip(product.numbers)) {
        match parts.iter_mut().find(|part| part.operation().key() == factor.operation().key()) {
            Some(part) if part.number.widens_to(number) => part.number = number,
            Some(_) => {}
            None => parts.push(Part { encoded: factor.encoded.clone(), number, whole: None }),
        }
    }
    let mut scaled = Vec::new();
    for part in &mut parts {
        let whole = part.whole_numbers()?;
        scaled.push((part.operation(), part.scaled(whole)?));
        part.whole = Some(whole);
    }
    for product in &products {
        product.replace(&parts)?;
    }
    for (operation, again) in scaled {
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[again]))?;
    }
    Ok(products.len())
}

/// A tensor of scaled whole numbers, and in what form these are stored.
struct Part<'c, 'a> {
    encoded: Encoded<'c, 'a>,
    number: Number,
    whole: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Part<'c, 'a> {
    /// What scales them.
    fn operation(&self) -> OperationRef<'c, 'a> {
        self.encoded.structured.operation
    }

    /// The whole numbers as reals, which are extended from how they are stored.
    fn whole_numbers(&self) -> Result<Value<'c, 'a>, Error> {
        let stored = self.encoded.stored(self.number)?;
        let conversion = if matches!(self.number, Number::Unsigned(_)) { arith::UITOFP } else { arith::SITOFP };
        converted(&Builder::before(self.operation())?, stored, conversion, self.operation().result(0)?.r#type())
    }

    /// Whole numbers scaled again, for those that read the tensor as it was.
    fn scaled(&self, whole: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let Some((scale, map)) = &self.encoded.scale else { return Ok(whole) };
        let builder = Builder::before(self.operation())?;
        let identity = Map::identity(map.dims);
        let empty = self.encoded.empty(&builder, types::element(whole.r#type()))?;
        let maps = [identity.clone(), map.clone(), identity];
        let body = linalg::generic(&builder, &[whole, *scale], &[empty], &maps, &vec![false; map.dims])?;
        let product = arith::mulf(&body.builder, body.arguments[0], body.arguments[1])?;
        linalg::r#yield(&body.builder, &[product])?;
        Ok(body.operation.result(0)?)
    }
}

/// A factor of a product.
struct Factor<'c, 'a> {
    encoded: Encoded<'c, 'a>,
    moved: Moved<'c, 'a>,
}

impl<'c: 'a, 'a> Factor<'c, 'a> {
    fn of(value: Value<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let moved = Moved::of(value);
        let encoded = Encoded::of(moved.source.defining_operation()?, ranges)?;
        // What moves elements would have to move scales as well.
        let is_uniform = encoded.scale.as_ref().is_none_or(|(_, map)| map.results.is_empty());
        (is_uniform || moved.is_still()).then_some(Factor { encoded, moved })
    }

    /// What scales it.
    fn operation(&self) -> OperationRef<'c, 'a> {
        self.encoded.structured.operation
    }

    /// The whole numbers where the factor was.
    fn moved(&self, parts: &[Part<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let own = parts.iter().find(|part| part.operation().key() == self.operation().key());
        let whole = own.and_then(|part| part.whole).ok_or_else(|| Error::malformed("a factor without numbers"))?;
        self.moved.again(whole, 0)
    }
}

/// A sum of products of such factors.
struct Product<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    /// The operands that are multiplied, by number.
    places: [usize; 2],
    factors: [Factor<'c, 'a>; 2],
    /// How their elements are stored.
    numbers: [Number; 2],
    /// The scales, and where results have them.
    scales: Vec<(Value<'c, 'a>, Map)>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn of(structured: &Structured<'c, 'a>, ranges: &Ranges, target: &Target) -> Option<Self> {
        let contraction = structured.contraction().filter(|contraction| contraction.sum == Element::Real(32))?;
        let places = contraction.factors.map(|(place, _)| place);
        let alone = structured.inputs.len() == 2 && structured.operation.result_count() == 1 && places[0] != places[1];
        if !alone || !has_group(structured) {
            return None;
        }
        let factors =
            [Factor::of(structured.inputs[places[0]], ranges)?, Factor::of(structured.inputs[places[1]], ranges)?];
        let most: Vec<i64> = factors.iter().map(|factor| factor.encoded.range.magnitude() as i64).collect();
        let terms = most_terms(ranges, structured)?;
        let sum = most[0].checked_mul(most[1]).and_then(|most| most.checked_mul(terms));
        if sum.is_none_or(|sum| sum > i64::from(i32::MAX)) {
            return None;
        }
        let numbers = stored(&factors, target)?;
        let scales = factors.iter().zip(places).filter_map(|(factor, place)| {
            let (scale, map) = factor.encoded.scale.as_ref()?;
            Some(result_map(structured, place, map).map(|map| (*scale, map)))
        });
        let scales = scales.collect::<Option<Vec<_>>>()?;
        Some(Product { operation: structured.operation, places, factors, numbers, scales })
    }

    /// The sum of products of whole numbers, scaled.
    fn replace(&self, parts: &[Part<'c, 'a>]) -> Result<(), Error> {
        let builder = Builder::before(self.operation)?;
        let structured = Structured::read(self.operation).ok_or_else(|| Error::malformed("a product"))?;
        let mut inputs = structured.inputs.clone();
        for (factor, place) in self.factors.iter().zip(self.places) {
            inputs[place] = factor.moved(parts)?;
        }
        let start = structured.outputs[0];
        let element = types::element(start.r#type());
        let zeros = filled(&builder, (start.r#type(), start), builder.real(element, 0.0)?)?;
        let body = linalg::generic(&builder, &inputs, &[zeros], &structured.maps, &structured.reduced)?;
        let product = arith::mulf(&body.builder, body.arguments[self.places[0]], body.arguments[self.places[1]])?;
        let sum = arith::addf(&body.builder, body.arguments[2], product)?;
        linalg::r#yield(&body.builder, &[sum])?;
        let result = self.scaled(&builder, body.operation.result(0)?, start)?;
        Ok(with_rewriter(self.operation, |rewriter| rewriter.replace(self.operation, &[result]))?)
    }

    /// Sums times scales, and what they begin with.
    fn scaled(
        &self,
        builder: &Builder<'c, 'a>,
        sums: Value<'c, 'a>,
        start: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let rank = types::rank(start.r#type()).unwrap_or(0);
        let identity = Map::identity(rank);
        let (source, map) = broadcast(start).unwrap_or((start, identity.clone()));
        let (mut inputs, mut maps) = (vec![sums, source], vec![identity.clone(), map]);
        for (scale, map) in &self.scales {
            inputs.push(*scale);
            maps.push(map.clone());
        }
        maps.push(identity);
        let empty = tensor::empty(builder, start.r#type(), &open_extents(builder, start)?)?;
        let body = linalg::generic(builder, &inputs, &[empty], &maps, &vec![false; rank])?;
        let scales = body.arguments[2..inputs.len()].iter().copied().map(Ok);
        let scale = scales.reduce(|left, right| arith::mulf(&body.builder, left?, right?)).transpose()?;
        let scaled = match scale {
            Some(scale) => arith::mulf(&body.builder, body.arguments[0], scale)?,
            None => body.arguments[0],
        };
        let result = arith::addf(&body.builder, body.arguments[1], scaled)?;
        linalg::r#yield(&body.builder, &[result])?;
        Ok(body.operation.result(0)?)
    }
}

/// So many elements in a row are worth an instruction for groups of them.
const LEAST_GROUP: i64 = 4;

/// Whether elements that both factors have beside each other are multiplied and added: instructions do so with several at once.
fn has_group(structured: &Structured<'_, '_>) -> bool {
    let plain = |place: usize, dim: usize| structured.maps[place].results.iter().any(|expr| expr.as_dim() == Some(dim));
    (0..structured.extents.len())
        .any(|dim| structured.reduced[dim] && structured.extents[dim] >= LEAST_GROUP && plain(0, dim) && plain(1, dim))
}

/// How both factors are stored: in bytes where the target multiplies bytes, of whichever signs: `shifts` finds the offsets.
fn stored(factors: &[Factor<'_, '_>; 2], target: &Target) -> Option<[Number; 2]> {
    let [left, right] = [factors[0].encoded.numbers(), factors[1].encoded.numbers()];
    let mut pairs = left.iter().flat_map(|left| right.iter().map(|right| [*left, *right]));
    pairs.find(|pair| has_atom(*pair, target))
}

/// Whether a target multiplies numbers of so many bits as they are, with a sign or without.
pub(super) fn has_atom(pair: [Number; 2], target: &Target) -> bool {
    let bytes = |number: Number| number.element().bytes();
    let signs = |number: Number| match number {
        Number::Signed(8) | Number::Unsigned(8) => vec![Number::Signed(8), Number::Unsigned(8)],
        other => vec![other],
    };
    let [lefts, rights] = pair.map(signs);
    let pairs = lefts.iter().flat_map(|left| rights.iter().map(|right| [*left, *right]));
    let mut atoms = pairs.filter_map(|pair| Some((pair, Atom::best(target, pair, Element::Integer(32))?)));
    atoms.any(|(pair, atom)| pair.iter().zip(&atom.factors).all(|(own, taken)| bytes(*own) == bytes(*taken)))
}

/// The map of a scale of a factor's dimension, from the indices of the results; none where the sum runs over that dimension.
fn result_map(structured: &Structured<'_, '_>, place: usize, scale: &Map) -> Option<Map> {
    let output = structured.output_map()?.as_dims()?;
    let results = scale.results.iter().map(|expr| {
        let dim = structured.maps[place].results.get(expr.as_dim()?)?.as_dim()?;
        output.iter().position(|own| *own == dim).map(Expr::Dim)
    });
    Some(Map { dims: output.len(), results: results.collect::<Option<_>>()? })
}
