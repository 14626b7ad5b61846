//! What is said in the IR of the elements of tensors, as `#skriptnd.encoding`: of arguments what import knew of variables and preparation of what
//! it makes of them, which who calls the function keeps to; of results of operations what they compute; of outputs what the interface tells.

use super::range::{Range, Ranges};
use crate::generated::dialect_attributes::{EncodingAttr, ExtentAttr};
use crate::generated::discardable::{BoundAttribute, EncodingAttribute, ShapeAttribute, StateAttribute};
use skriptnd_mlir::ir::{Attribute, OperationRef, Type, Value, attributes, block_arguments, types};

/// Whole numbers of more bits are not exact as bounds.
const EXACT: f64 = (1u64 << 53) as f64;

/// Which numbers the elements of a tensor are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encoding<'c> {
    /// The least and the greatest: whole numbers, but of reals without a scale.
    pub limits: (i64, i64),
    /// What whole numbers are multiplied by, where they are reals or stand for them: a number, one for each index along a dimension, or
    /// what only a run knows.
    pub scale: Option<Attribute<'c>>,
    /// What is taken from them before.
    pub zero: Option<Attribute<'c>>,
    /// The dimension along which scales and zeros differ.
    pub along: Option<i64>,
}

impl<'c> Encoding<'c> {
    /// What an attribute says.
    pub fn read(attribute: Attribute<'c>) -> Option<Self> {
        let own = EncodingAttr::new(attribute)?;
        let limits = (own.least().ok()?, own.most().ok()?);
        Some(Encoding { limits, scale: own.scale().ok()?, zero: own.zero().ok()?, along: own.along().ok()? })
    }

    /// Of elements of a type of which nothing but their range is known; none where the type says as much.
    pub fn of(range: Range, element: Type<'c>) -> Option<Self> {
        let is_whole = range.is_whole && range.is_finite();
        let is_told = match element.is_integer() {
            true => range.is_of_integer(element),
            false => range.is_finite() && range.is_in(-EXACT, EXACT) && range.least <= range.most && element.is_float(),
        };
        let scale = (is_whole && element.is_float()).then(|| attributes::typed_real(element.context(), element, 1.0));
        is_told.then_some(Encoding {
            limits: (range.least.floor() as i64, range.most.ceil() as i64),
            scale: scale.flatten(),
            zero: None,
            along: None,
        })
    }

    /// It as an attribute; none where the dialect that declares it is not there.
    pub fn attribute(&self, element: Type<'c>) -> Option<Attribute<'c>> {
        let Encoding { limits: (least, most), scale, zero, along } = *self;
        EncodingAttr::get(element.context(), least, most, scale, zero, along).ok().map(Attribute::from)
    }

    /// Between which numbers elements of a type lie; none where only a run knows their scale.
    pub fn range(&self, element: Type<'_>) -> Option<Range> {
        let whole = Range::integer(self.limits.0).hull(Range::integer(self.limits.1));
        if element.is_integer() {
            return Some(whole);
        }
        let Some(scale) = self.scale else { return Some(Range { is_whole: false, ..whole }) };
        let (scale, zero) = (attributes::as_real(scale)?, self.zero.map_or(Some(0), attributes::as_integer)? as f64);
        // Rounding is monotone.
        let real = |whole: f64| Range::one(f64::from((whole - zero) as f32 * scale as f32));
        let is_single = element == types::f32(element.context());
        match (scale, zero) {
            (1.0, 0.0) => Some(whole),
            _ if is_single => Some(Range { is_whole: false, ..real(whole.least).hull(real(whole.most)) }),
            _ => None,
        }
    }
}

/// What is said of the only result of an operation.
pub fn noted<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Encoding<'c>> {
    EncodingAttribute::get(operation).and_then(Encoding::read).filter(|_| operation.result_count() == 1)
}

/// Says which numbers the only result of an operation has, or nothing.
pub fn note<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, encoding: Option<Encoding<'c>>) {
    EncodingAttribute::remove(operation);
    let Some(result) = operation.result(0).ok().filter(|_| operation.result_count() == 1) else { return };
    if let Some(attribute) = encoding.and_then(|encoding| encoding.attribute(types::element(result.r#type()))) {
        EncodingAttribute::set(operation, attribute);
    }
}

/// The arguments of a function of which something is said, and what that is.
pub(super) fn arguments<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, Range)> {
    let marks = function.get("arg_attrs").and_then(attributes::as_array).unwrap_or_default();
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let arguments = body.into_iter().flat_map(block_arguments).zip(marks);
    let of = |(argument, mark): (Value<'c, 'a>, _)| Some((argument, marked(mark, types::element(argument.r#type()))?));
    arguments.filter_map(of).collect()
}

fn marked(mark: Attribute<'_>, element: Type<'_>) -> Option<Range> {
    if let Some(bound) = entry(mark, BoundAttribute::NAME).and_then(attributes::as_integer) {
        return Some(Range { least: 0.0, most: bound as f64, ..Range::NOTHING });
    }
    let range = Encoding::read(entry(mark, EncodingAttribute::NAME)?)?.range(element)?;
    // Numbers without a sign are others with one.
    let all = Range::of_type(element);
    range.is_in(all.least, all.most).then_some(range)
}

/// The greatest extent that an argument of a function may have along a dimension, if there is one.
pub(super) fn bound(argument: Value<'_, '_>, dim: usize) -> Option<i64> {
    let (block, number) = argument.as_argument()?;
    let marks = attributes::as_array(block.parent_operation()?.get("arg_attrs")?)?;
    let shape = attributes::as_array(entry(*marks.get(number)?, ShapeAttribute::NAME)?)?;
    attributes::as_integer(ExtentAttr::new(*shape.get(dim)?)?.bound().ok()??)
}

fn entry<'c>(mark: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    attributes::as_dictionary(mark)?.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value)
}

/// Says which numbers the arguments of a function are, in order, where that is more than their types do.
pub fn carry(function: OperationRef<'_, '_>, ranges: &[Range]) {
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let mut marks = Vec::new();
    for (argument, range) in body.into_iter().flat_map(block_arguments).zip(ranges) {
        let entries = mark(*range, argument);
        marks.push(attributes::dictionary(function.context(), entries.as_slice()));
    }
    function.set("arg_attrs", attributes::array(function.context(), &marks));
}

/// Says which numbers the outputs of a function are, in order, beside what is said of them already.
pub fn carry_results(function: OperationRef<'_, '_>, ranges: &Ranges) {
    let context = function.context();
    let said = function.get("res_attrs").and_then(attributes::as_array).unwrap_or_default();
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let Some(terminator) = body.and_then(|body| body.terminator()) else { return };
    let mut marks = Vec::new();
    for (number, result) in terminator.operands().enumerate() {
        let mut entries = said.get(number).copied().and_then(attributes::as_dictionary).unwrap_or_default();
        // A variable may begin with other values than runs give it.
        if entries.iter().all(|(name, _)| *name != StateAttribute::NAME) {
            entries.extend(mark(ranges.get(result), result));
        }
        marks.push(attributes::dictionary(context, &entries));
    }
    function.set("res_attrs", attributes::array(context, &marks));
}

fn mark<'c>(range: Range, value: Value<'c, '_>) -> Option<(&'static str, Attribute<'c>)> {
    let element = types::element(value.r#type());
    Some((EncodingAttribute::NAME, Encoding::of(range, element)?.attribute(element)?))
}
