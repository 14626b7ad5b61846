//! Products of quantized tensors are of whole numbers: what they are scaled by is multiplied behind the sum, once for each
//! result. The whole numbers are stored in as few bits as the target multiplies.

use super::extended::Extended;
use super::moves::Moved;
use super::narrow::{broadcast, filled};
use super::operations::{copy_values, open_extents};
use crate::Error;
use crate::nest::atom::Atom;
use crate::nest::element::{Element, Number};
use crate::target::Target;
use crate::values::range::{Range, Ranges};
use crate::values::{most_terms, ranges};
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;
use std::cmp::Ordering;

/// Moves the scales of factors behind the products of a function. Returns how many products it are.
pub fn scale_products<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let ranges = ranges(function);
    let products = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let products: Vec<_> = products.filter_map(|structured| Product::of(&structured, &ranges, target)).collect();
    let mut parts: Vec<Part<'c, 'a>> = Vec::new();
    for (factor, number) in products.iter().flat_map(|product| product.factors.iter().zip(product.numbers)) {
        match parts.iter_mut().find(|part| part.quantized.operation.key() == factor.quantized.operation.key()) {
            Some(part) if part.number.widens_to(number) => part.number = number,
            Some(_) => {}
            None => parts.push(Part { quantized: factor.quantized.clone(), number, whole: None }),
        }
    }
    let mut scaled = Vec::new();
    for part in &mut parts {
        let whole = part.quantized.whole_numbers(part.number)?;
        scaled.push((part.quantized.operation, part.quantized.scaled(whole)?));
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
    quantized: Quantized<'c, 'a>,
    number: Number,
    whole: Option<Value<'c, 'a>>,
}

/// A structured operation that converts whole numbers to reals and scales them.
#[derive(Clone)]
pub(super) struct Quantized<'c, 'a> {
    /// What scales them.
    pub operation: OperationRef<'c, 'a>,
    /// The real in its body that is whole.
    whole: Value<'c, 'a>,
    /// What it is multiplied by, and where that has it.
    scale: Option<(Value<'c, 'a>, Map)>,
    range: Range,
}

impl<'c: 'a, 'a> Quantized<'c, 'a> {
    /// What an operation computes, if it is such.
    pub fn of(operation: OperationRef<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let structured = Structured::read(operation)?;
        let identity = *structured.output_map()? == Map::identity(structured.extents.len());
        if !identity || !structured.is_parallel() || structured.reads(structured.inputs.len()) {
            return None;
        }
        let given = structured.body.terminator()?.operand(0).ok()?;
        let (whole, scale) = match is_whole(given, ranges) {
            true => (given, None),
            false => scaled_by(&structured, given, ranges)?,
        };
        let range = ranges.get(whole);
        let is_few = range.is_in(f64::from(i16::MIN), f64::from(i16::MAX));
        let is_single = types::element(operation.result(0).ok()?.r#type()) == types::f32(operation.context());
        (is_few && is_single).then_some(Quantized { operation, whole, scale, range })
    }

    /// What the whole numbers are multiplied by, and where that has it.
    pub fn scale(&self) -> Option<&(Value<'c, 'a>, Map)> {
        self.scale.as_ref()
    }

    /// Between which the whole numbers are.
    pub fn range(&self) -> Range {
        self.range
    }

    /// How its whole numbers can be stored, in few bits first.
    pub fn numbers(&self) -> Vec<Number> {
        let fits = |least: i32, most: i32| self.range.is_in(f64::from(least), f64::from(most));
        let bytes = [(Number::Signed(8), -128, 127), (Number::Unsigned(8), 0, 255)];
        let bytes = bytes.into_iter().filter(|(_, least, most)| fits(*least, *most)).map(|(number, ..)| number);
        bytes.chain([Number::Signed(16)]).collect()
    }

    /// The integer that becomes the real, and what gives it the width of another; the real itself where it is none.
    fn integer(&self, element: Type<'c>) -> (Value<'c, 'a>, Option<&'static str>) {
        let conversion = self.whole.defining_operation();
        let source = conversion.and_then(|conversion| Some((conversion.full_name(), conversion.operand(0).ok()?)));
        match source {
            Some((name @ (arith::SITOFP | arith::UITOFP), integer)) => {
                let extend = if name == arith::SITOFP { arith::EXTSI } else { arith::EXTUI };
                let resize = match types::width(integer.r#type()).cmp(&types::width(element)) {
                    Ordering::Less => Some(extend),
                    Ordering::Equal => None,
                    Ordering::Greater => Some(arith::TRUNCI),
                };
                (integer, resize)
            }
            _ => (self.whole, None),
        }
    }

    /// The whole numbers as they are stored.
    pub fn stored(&self, number: Number) -> Result<Value<'c, 'a>, Error> {
        let structured = Structured::read(self.operation).ok_or_else(|| Error::malformed("a conversion"))?;
        if let Some(source) = self.given(&structured, number) {
            return Ok(source);
        }
        let builder = Builder::before(self.operation)?;
        let element = elements::r#type(builder.context(), number.element())?;
        let Structured { inputs, maps, reduced, .. } = &structured;
        let empty = self.empty(&builder, element)?;
        let body = linalg::generic(&builder, inputs, &[empty], maps, reduced)?;
        let known = block_arguments(structured.body).map(|argument| argument.key()).zip(body.arguments.clone());
        let (integer, resize) = self.integer(element);
        let copied = copy_values(structured.body, &body.builder, known.collect(), &[integer])?[0];
        let word = types::integer(builder.context(), 32);
        let stored = match resize {
            None if copied.r#type().is_float() => {
                let whole = arith::fptosi(&body.builder, copied, word)?;
                arith::trunci(&body.builder, whole, element)?
            }
            None => copied,
            Some(name) => body.builder.value(name, &[copied], &[], element)?,
        };
        linalg::r#yield(&body.builder, &[stored])?;
        Ok(body.operation.result(0)?)
    }

    /// The tensor that has the whole numbers stored so, where they are what was given.
    fn given(&self, structured: &Structured<'c, 'a>, number: Number) -> Option<Value<'c, 'a>> {
        let keeps = |made: &OperationRef<'c, 'a>| {
            let is_wide =
                made.result_types().into_iter().all(|kind| types::width(kind).is_some_and(|width| width >= 32));
            is_wide && [arith::TRUNCI, arith::EXTSI, arith::SITOFP].contains(&made.full_name())
        };
        let mut value = self.whole;
        while let Some(made) = value.defining_operation().filter(keeps) {
            value = made.operand(0).ok()?;
        }
        let place = block_arguments(structured.body).position(|argument| argument.key() == value.key())?;
        let is_same = *structured.maps.get(place)? == Map::identity(structured.extents.len());
        let input = *structured.inputs.get(place)?;
        let (source, own) = match Extended::of(input) {
            Some(extended) => (extended.source, extended.number),
            None => (input, Number::of(elements::of(types::element(input.r#type()))?, false)?),
        };
        (is_same && own == number).then_some(source)
    }

    /// A tensor of its extents.
    fn empty(&self, builder: &Builder<'c, 'a>, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let result = self.operation.result(0)?;
        let structured = Structured::read(self.operation).ok_or_else(|| Error::malformed("a conversion"))?;
        let shape = types::shape(result.r#type()).unwrap_or_default();
        let kind = types::tensor(element, &shape).ok_or_else(|| Error::malformed("no tensor of whole numbers"))?;
        Ok(tensor::empty(builder, kind, &open_extents(builder, structured.outputs[0])?)?)
    }

    /// The whole numbers as reals, which are extended from how they are stored.
    fn whole_numbers(&self, number: Number) -> Result<Value<'c, 'a>, Error> {
        let stored = self.stored(number)?;
        let builder = Builder::before(self.operation)?;
        let real = types::element(self.operation.result(0)?.r#type());
        let rank = types::rank(stored.r#type()).unwrap_or(0);
        let identity = vec![Map::identity(rank); 2];
        let empty = self.empty(&builder, real)?;
        let body = linalg::generic(&builder, &[stored], &[empty], &identity, &vec![false; rank])?;
        let extended = match number {
            Number::Unsigned(_) => arith::uitofp(&body.builder, body.arguments[0], real)?,
            _ => arith::sitofp(&body.builder, body.arguments[0], real)?,
        };
        linalg::r#yield(&body.builder, &[extended])?;
        Ok(body.operation.result(0)?)
    }

    /// Whole numbers scaled again, for those that read the tensor as it was.
    fn scaled(&self, whole: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let Some((scale, map)) = &self.scale else { return Ok(whole) };
        let builder = Builder::before(self.operation)?;
        let identity = Map::identity(map.dims);
        let empty = tensor::empty(&builder, whole.r#type(), &open_extents(&builder, whole)?)?;
        let maps = [identity.clone(), map.clone(), identity];
        let body = linalg::generic(&builder, &[whole, *scale], &[empty], &maps, &vec![false; map.dims])?;
        let product = arith::mulf(&body.builder, body.arguments[0], body.arguments[1])?;
        linalg::r#yield(&body.builder, &[product])?;
        Ok(body.operation.result(0)?)
    }
}

/// Whether a real is a whole number.
fn is_whole<'c: 'a, 'a>(real: Value<'c, 'a>, ranges: &Ranges) -> bool {
    let range = ranges.get(real);
    range.is_whole && range.is_finite()
}

/// What whole numbers are multiplied by: a number, or one for each index of some dimensions.
type Scaled<'c, 'a> = (Value<'c, 'a>, Option<(Value<'c, 'a>, Map)>);

fn scaled_by<'c: 'a, 'a>(
    structured: &Structured<'c, 'a>,
    value: Value<'c, 'a>,
    ranges: &Ranges,
) -> Option<Scaled<'c, 'a>> {
    let product = value.defining_operation().filter(|product| product.full_name() == arith::MULF)?;
    let [left, right] = [product.operand(0).ok()?, product.operand(1).ok()?];
    let (whole, scale) = match (is_whole(left, ranges), is_whole(right, ranges)) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return None,
    };
    let dims = structured.extents.len();
    let of_argument = |place: usize| {
        let map = &structured.maps[place];
        let is_plain = map.results.iter().all(|expr| expr.as_dim().is_some());
        is_plain.then(|| (structured.inputs[place], map.clone()))
    };
    let is_constant = || {
        let definition = scale.defining_operation()?;
        (definition.full_name() == arith::CONSTANT).then_some((scale, Map { dims, results: Vec::new() }))
    };
    let place = block_arguments(structured.body).position(|argument| argument.key() == scale.key());
    let scale = place.filter(|place| *place < structured.inputs.len()).and_then(of_argument).or_else(is_constant)?;
    Some((whole, Some(scale)))
}

/// A factor of a product.
struct Factor<'c, 'a> {
    quantized: Quantized<'c, 'a>,
    moved: Moved<'c, 'a>,
}

impl<'c: 'a, 'a> Factor<'c, 'a> {
    fn of(value: Value<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let moved = Moved::of(value);
        let quantized = Quantized::of(moved.source.defining_operation()?, ranges)?;
        // What moves elements would have to move scales as well.
        let is_uniform = quantized.scale.as_ref().is_none_or(|(_, map)| map.results.is_empty());
        (is_uniform || moved.is_still()).then_some(Factor { quantized, moved })
    }

    /// The whole numbers where the factor was.
    fn moved(&self, parts: &[Part<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let own = parts.iter().find(|part| part.quantized.operation.key() == self.quantized.operation.key());
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
        let most: Vec<i64> = factors.iter().map(|factor| factor.quantized.range.magnitude() as i64).collect();
        let terms = most_terms(ranges, structured)?;
        let sum = most[0].checked_mul(most[1]).and_then(|most| most.checked_mul(terms));
        if sum.is_none_or(|sum| sum > i64::from(i32::MAX)) {
            return None;
        }
        let numbers = stored(&factors, target)?;
        let scales = factors.iter().zip(places).filter_map(|(factor, place)| {
            let (scale, map) = factor.quantized.scale.as_ref()?;
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
    let [left, right] = [factors[0].quantized.numbers(), factors[1].quantized.numbers()];
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
