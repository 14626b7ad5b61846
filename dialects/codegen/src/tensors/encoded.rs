//! Tensors of whole numbers, less a zero and times a scale, as a structured operation computes them one by one: what its encoding says, and
//! the numbers as they can be stored.

use super::extended::Extended;
use super::operations::{copy_values, open_extents};
use crate::Error;
use crate::nest::element::Number;
use crate::values::encoding::{self, Encoding};
use crate::values::range::{Range, Ranges};
use crate::values::ranges;
use crate::views::constants::constant;
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{
    Attribute, Builder, OperationRef, Type, Value, attributes, block_arguments, operations_named, types,
};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use std::cmp::Ordering;

/// Reals of 32 bits have all whole numbers up to this magnitude.
const EXACT: f64 = (1u64 << 24) as f64;

/// Notes at a function's structured operations which numbers they give, where that is more than their types say. Returns at how many.
pub fn note_encodings<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let operations = operations_named(function, linalg::GENERIC);
    // Which reals integers stand for is what import knew; all else is found out again.
    let is_integer = |result: Value<'c, 'a>| types::element(result.r#type()).is_integer();
    let told = |operation: OperationRef<'c, 'a>| {
        let told = encoding::noted(operation).filter(|own| own.scale.is_some());
        told.filter(|_| operation.result(0).is_ok_and(is_integer))
    };
    operations.iter().for_each(|operation| encoding::note(*operation, told(*operation)));
    let (ranges, mut count) = (ranges(function), 0);
    for operation in operations.into_iter().filter(|operation| operation.result_count() == 1) {
        let result = operation.result(0)?;
        let scaled = Encoded::of(operation, &ranges).and_then(|encoded| encoded.encoding(&ranges));
        let known = scaled.or_else(|| Encoding::of(ranges.get(result), types::element(result.r#type())));
        let noted = match encoding::noted(operation) {
            Some(told) => Some(Encoding { limits: known.unwrap_or(told).limits, ..told }),
            None => known,
        };
        count += usize::from(noted.is_some());
        encoding::note(operation, noted);
    }
    Ok(count)
}

/// A structured operation whose results are whole numbers, or such numbers times a scale.
#[derive(Clone)]
pub struct Encoded<'c, 'a> {
    /// What it is.
    pub structured: Structured<'c, 'a>,
    /// The number in its body: an integer, or a real that is whole.
    whole: Value<'c, 'a>,
    /// What it is multiplied by, and where that has it.
    pub scale: Option<(Value<'c, 'a>, Map)>,
    /// Between which the numbers are.
    pub range: Range,
}

impl<'c: 'a, 'a> Encoded<'c, 'a> {
    /// What an operation computes, if it is such.
    pub fn of(operation: OperationRef<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let structured = Structured::read(operation)?;
        let identity = *structured.output_map()? == Map::identity(structured.extents.len());
        if !identity || !structured.is_parallel() || structured.reads(structured.inputs.len()) {
            return None;
        }
        let given = structured.body.terminator()?.operand(0).ok()?;
        let is_single = given.r#type() == types::f32(operation.context());
        let (whole, scale) = match is_whole(given, ranges) {
            true if is_single || given.r#type().is_integer() => (given, None),
            _ if is_single => scaled_by(&structured, given, ranges)?,
            _ => return None,
        };
        Some(Encoded { range: ranges.get(whole), structured, whole, scale })
    }

    /// What computes the elements of a tensor, behind copies of it.
    pub fn behind(mut tensor: Value<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        loop {
            let encoded = Encoded::of(tensor.defining_operation()?, ranges)?;
            let structured = &encoded.structured;
            let result = resized(encoded.whole, ranges).key();
            let Some(place) = block_arguments(structured.body).position(|argument| argument.key() == result) else {
                return Some(encoded);
            };
            let is_same = structured.maps[place] == Map::identity(structured.extents.len());
            tensor = *structured.inputs.get(place).filter(|_| is_same)?;
        }
    }

    /// The number from which another one is taken to give this one, and the other one.
    pub fn difference(&self, ranges: &Ranges) -> Option<[Value<'c, 'a>; 2]> {
        let converted = self.whole.defining_operation().filter(|made| made.full_name() == arith::SITOFP);
        let whole = converted.map_or(Some(self.whole), |made| made.operand(0).ok())?;
        let made = resized(whole, ranges).defining_operation()?;
        let of = |number: usize| Some(resized(made.operand(number).ok()?, ranges));
        [arith::SUBI, arith::SUBF].contains(&made.full_name()).then(|| Some([of(0)?, of(1)?]))?
    }

    /// What an input is of which the body takes a value, and where it has it; a constant is the same for all elements.
    pub fn place(&self, value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Map)> {
        place(&self.structured, value)
    }

    /// What is said of it in the IR, of reals with a scale.
    fn encoding(&self, ranges: &Ranges) -> Option<Encoding<'c>> {
        let (scale, map) = self.scale.as_ref()?;
        let along = map.as_dims().filter(|dims| dims.len() <= 1)?.first().map(|dim| *dim as i64);
        let zero = || {
            let [whole, zero] = self.difference(ranges)?;
            let (range, (_, places)) = (ranges.get(zero), self.place(zero)?);
            let known = (range.least == range.most).then(|| attributes::integer(scale.context(), range.least as i64));
            let is_same = places.results.is_empty() || places == *map;
            (is_same && is_whole(whole, ranges)).then(|| (ranges.get(whole), known.unwrap_or_else(|| unknown(scale))))
        };
        let (range, zero) = zero().map_or((self.range, None), |(range, zero)| (range, Some(zero)));
        let is_exact = [range, self.range].iter().all(|range| range.is_in(-EXACT, EXACT));
        let limits = is_exact.then_some((range.least as i64, range.most as i64))?;
        let numbers = constant(*scale).map(|known| attributes::as_splat(known).unwrap_or(known));
        Some(Encoding { limits, scale: Some(numbers.unwrap_or_else(|| unknown(scale))), zero, along })
    }

    /// How its numbers can be stored, in few bits first.
    pub fn numbers(&self) -> Vec<Number> {
        let few = [Number::Signed(8), Number::Unsigned(8), Number::Signed(16)];
        few.into_iter().filter(|number| self.range.fits(*number)).collect()
    }

    /// The numbers as they are stored.
    pub fn stored(&self, number: Number) -> Result<Value<'c, 'a>, Error> {
        self.stored_of(self.whole, number)
    }

    /// Numbers of the body as they are stored.
    pub fn stored_of(&self, whole: Value<'c, 'a>, number: Number) -> Result<Value<'c, 'a>, Error> {
        if let Some(source) = self.given(whole, number) {
            return Ok(source);
        }
        let Structured { operation, inputs, maps, reduced, body, .. } = &self.structured;
        let builder = Builder::before(*operation)?;
        let element = elements::r#type(builder.context(), number.element())?;
        let made = linalg::generic(&builder, inputs, &[self.empty(&builder, element)?], maps, reduced)?;
        let known = block_arguments(*body).map(|argument| argument.key()).zip(made.arguments.clone());
        let (integer, resize) = integer(whole, element);
        let copied = copy_values(*body, &made.builder, known.collect(), &[integer])?[0];
        let stored = match resize {
            None if copied.r#type().is_float() => {
                let word = types::integer(builder.context(), 32);
                arith::trunci(&made.builder, arith::fptosi(&made.builder, copied, word)?, element)?
            }
            None => copied,
            Some(name) => made.builder.value(name, &[copied], &[], element)?,
        };
        linalg::r#yield(&made.builder, &[stored])?;
        Ok(made.operation.result(0)?)
    }

    /// The tensor that has numbers of the body stored so, where they are what was given.
    fn given(&self, whole: Value<'c, 'a>, number: Number) -> Option<Value<'c, 'a>> {
        let keeps = |made: &OperationRef<'c, 'a>| {
            let is_wide =
                made.result_types().into_iter().all(|kind| types::width(kind).is_some_and(|width| width >= 32));
            is_wide && [arith::TRUNCI, arith::EXTSI, arith::SITOFP].contains(&made.full_name())
        };
        let mut value = whole;
        while let Some(made) = value.defining_operation().filter(keeps) {
            value = made.operand(0).ok()?;
        }
        let (input, map) = self.place(value).filter(|(input, _)| input.r#type().is_ranked_tensor())?;
        let (source, own) = match Extended::of(input) {
            Some(extended) => (extended.source, extended.number),
            None => (input, Number::of(elements::of(types::element(input.r#type()))?, false)?),
        };
        (map == Map::identity(map.dims) && own == number).then_some(source)
    }

    /// A tensor of its extents.
    pub fn empty(&self, builder: &Builder<'c, 'a>, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let output = self.structured.outputs[0];
        let kind = types::tensor(element, &types::shape(output.r#type()).unwrap_or_default());
        let kind = kind.ok_or_else(|| Error::malformed("no tensor of whole numbers"))?;
        Ok(tensor::empty(builder, kind, &open_extents(builder, output)?)?)
    }
}

/// What only a run knows.
fn unknown<'c>(value: &Value<'c, '_>) -> Attribute<'c> {
    attributes::unit(value.context())
}

/// Whether an integer, or a real, is a whole number.
fn is_whole<'c: 'a, 'a>(value: Value<'c, 'a>, ranges: &Ranges) -> bool {
    let range = ranges.get(value);
    range.is_whole && range.is_finite()
}

/// The integer that a whole number is, and what gives it the width of another; the real itself where it is none.
fn integer<'c: 'a, 'a>(whole: Value<'c, 'a>, element: Type<'c>) -> (Value<'c, 'a>, Option<&'static str>) {
    let conversion = whole.defining_operation();
    let source = |name| conversion.filter(|made| made.full_name() == name)?.operand(0).ok();
    let (integer, extend) = match (source(arith::SITOFP), source(arith::UITOFP)) {
        (Some(integer), _) => (integer, arith::EXTSI),
        (_, Some(integer)) => (integer, arith::EXTUI),
        _ if whole.r#type().is_float() => return (whole, None),
        _ => (whole, arith::EXTSI),
    };
    match types::width(integer.r#type()).cmp(&types::width(element)) {
        Ordering::Less => (integer, Some(extend)),
        Ordering::Equal => (integer, None),
        Ordering::Greater => (integer, Some(arith::TRUNCI)),
    }
}

/// An integer before it got other bits, none of which was lost.
fn resized<'c: 'a, 'a>(mut value: Value<'c, 'a>, ranges: &Ranges) -> Value<'c, 'a> {
    while let Some(made) = value.defining_operation() {
        let Ok(before) = made.operand(0) else { break };
        let is_kept = match made.full_name() {
            arith::EXTSI => true,
            arith::TRUNCI => ranges.get(before) == ranges.get(value),
            _ => false,
        };
        if !is_kept {
            break;
        }
        value = before;
    }
    value
}

/// What a whole number is, and what that is multiplied by: a number, or one for each index of some dimensions.
type Scaled<'c, 'a> = (Value<'c, 'a>, Option<(Value<'c, 'a>, Map)>);

fn scaled_by<'c: 'a, 'a>(
    structured: &Structured<'c, 'a>,
    value: Value<'c, 'a>,
    ranges: &Ranges,
) -> Option<Scaled<'c, 'a>> {
    let product = value.defining_operation().filter(|product| product.full_name() == arith::MULF)?;
    let [left, right] = [product.operand(0).ok()?, product.operand(1).ok()?];
    match (is_whole(left, ranges), is_whole(right, ranges)) {
        (true, false) => Some((left, Some(place(structured, right)?))),
        (false, true) => Some((right, Some(place(structured, left)?))),
        _ => None,
    }
}

/// What an input is of which the body takes a value, and where it has it; a constant is the same for all elements.
fn place<'c: 'a, 'a>(structured: &Structured<'c, 'a>, value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Map)> {
    let place = block_arguments(structured.body).position(|argument| argument.key() == value.key());
    let of_input = |place: usize| Some((*structured.inputs.get(place)?, structured.maps[place].clone()));
    let alone = || constant(value).map(|_| (value, Map { dims: structured.extents.len(), results: Vec::new() }));
    place.map_or_else(alone, of_input).filter(|(_, map)| map.as_dims().is_some())
}
