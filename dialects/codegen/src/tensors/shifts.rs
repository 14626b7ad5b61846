//! Factors of products of integers as bytes that the target multiplies: numbers less an offset, which what the products are then
//! short of makes good. `sum (q + o) w` is `sum q w + o sum w`: the sums of a filter are known before the run, those of an input
//! are taken once for all filters.

use super::groups::group;
use super::moves::{Moved, padded_before_turns};
use super::open_sums;
use super::operations::{open_extents, padded};
use super::roles::{Roles, is_fixed};
use super::windows::{Term, Times, Windows, extended, with_terms, word};
use super::zeros;
use crate::Error;
use crate::nest::atom::Atom;
use crate::nest::element::{Element, Number};
use crate::target::Target;
use crate::values::range::{Range, Ranges};
use crate::values::ranges;
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{BlockRef, Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Results along the filter's own dimension from which on sums of the input cost less than they save.
const LEAST_CHANNELS: i64 = 16;
/// How often an element of a filter must be used for sums of a filter that only a run knows to be worth it.
const LEAST_REUSE: i64 = 16;

/// Instructions that extend what is the same in all lanes, for a vector of products: a tile has several vectors.
const EXTENSION: f64 = 1.0;
/// The numbers of factors in 16 bits.
const WORD: Number = Number::Signed(16);

/// Stores the factors of integer products of a function as the target's atoms take them. Returns how many products change.
pub fn shift_factors<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let taken_out = zeros::take_out(function, target)? + open_sums::cut(function, target)?;
    let ranges = ranges(function);
    let products = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let products: Vec<_> = products.filter_map(|structured| Product::of(structured, &ranges, target)).collect();
    let mut stored = Stored::default();
    for product in &products {
        product.replace(&mut stored)?;
    }
    Ok(taken_out + products.len())
}

/// How whole numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    number: Number,
    /// What is taken from them before.
    offset: i64,
}

impl Form {
    /// What has all numbers of a range: as they are stored already, and in bytes.
    fn all(range: Range, own: Number) -> Vec<Form> {
        let bytes = [(Number::Signed(8), -128), (Number::Unsigned(8), 0)];
        let (least, most) = (range.least as i64, range.most as i64);
        let plain = bytes.into_iter().filter(|(number, _)| range.fits(*number));
        let plain = plain.map(|(number, _)| Form { number, offset: 0 });
        // Bytes that have the other sign differ by one bit.
        let offset = if range.fits(Number::Signed(8)) { -128 } else { least };
        let shifted = bytes.into_iter().map(|(number, first)| Form { number, offset: offset - first });
        let shifted = shifted.filter(|form| form.offset != 0 && most - least <= 255);
        [Form { number: own, offset: 0 }].into_iter().chain(plain).chain(shifted).collect()
    }

    /// What has all numbers of a range in 16 bits.
    fn words(range: Range) -> Option<Form> {
        let (least, most) = (f64::from(i16::MIN), f64::from(i16::MAX));
        let offset = if range.fits(WORD) { 0.0 } else { range.least - least };
        (range.most - range.least <= most - least).then_some(Form { number: WORD, offset: offset as i64 })
    }

    /// What stands for 0, in the bits that there are.
    fn zero(self) -> i64 {
        let bits = match self.number {
            Number::Signed(16) => 16,
            // Bytes without a sign are stored as those with it that have the same bits.
            _ => 8,
        };
        let half = 1 << (bits - 1);
        (half - self.offset).rem_euclid(2 * half) - half
    }
}

/// Tensors in other forms than they had.
#[derive(Default)]
struct Stored<'c, 'a>(Vec<(usize, BlockRef<'c, 'a>, Form, Value<'c, 'a>)>);

impl<'c: 'a, 'a> Stored<'c, 'a> {
    /// A tensor of numbers in another form, before `place` or where it has been needed before.
    fn get(&mut self, place: OperationRef<'c, 'a>, factor: &Factor<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let (builder, source) = (Builder::before(place)?, factor.moved.source);
        let known = self
            .0
            .iter()
            .find(|(key, block, form, _)| (*key, *block, *form) == (source.key(), builder.block(), factor.form));
        if let Some((_, _, _, value)) = known {
            return Ok(*value);
        }
        let value = factor.converted(&builder)?;
        self.0.push((source.key(), builder.block(), factor.form, value));
        Ok(value)
    }
}

/// A factor of a product.
struct Factor<'c, 'a> {
    /// The number of the operand.
    place: usize,
    /// What it is now.
    own: Number,
    moved: Moved<'c, 'a>,
    /// What it becomes.
    form: Form,
}

impl<'c: 'a, 'a> Factor<'c, 'a> {
    /// The source of its elements in the new form.
    fn converted(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let source = self.moved.source;
        let shape = types::shape(source.r#type()).unwrap_or_default();
        let element = elements::r#type(builder.context(), self.form.number.element())?;
        let kind = types::tensor(element, &shape).ok_or_else(|| Error::malformed("no tensor of bytes"))?;
        let empty = tensor::empty(builder, kind, &open_extents(builder, source)?)?;
        let rank = shape.len();
        let body = linalg::generic(builder, &[source], &[empty], &vec![Map::identity(rank); 2], &vec![false; rank])?;
        let inside = &body.builder;
        let whole = extended(inside, body.arguments[0], self.own)?;
        let shifted = match self.form.offset {
            0 => whole,
            offset => arith::subi(inside, whole, inside.integer(word(inside), offset)?)?,
        };
        linalg::r#yield(inside, &[arith::trunci(inside, shifted, element)?])?;
        Ok(body.operation.result(0)?)
    }

    /// The factor in its new form.
    fn value(&self, product: &Structured<'c, 'a>, stored: &mut Stored<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        if self.form == (Form { number: self.own, offset: 0 }) {
            return Ok(product.inputs[self.place]);
        }
        let first = self.moved.first().unwrap_or(product.operation);
        let source = stored.get(first, self)?;
        self.moved.again(source, self.form.zero())
    }
}

/// A sum of products of integers, which others take the place of.
struct Product<'c, 'a> {
    structured: Structured<'c, 'a>,
    input: Factor<'c, 'a>,
    filter: Factor<'c, 'a>,
    /// The reduced dimension along which zeros are appended to have whole groups, and how many.
    missing: Option<(usize, i64)>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn of(structured: Structured<'c, 'a>, ranges: &Ranges, target: &Target) -> Option<Self> {
        let roles = Roles::of(&structured).filter(|roles| roles.sum == Element::Integer(32))?;
        let is_alone = structured.inputs.len() == 2 && structured.operation.result_count() == 1;
        if !is_alone || !sums_alike(&structured) {
            return None;
        }
        let filter = structured.inputs[roles.filter];
        let is_known = is_fixed(filter) || roles.reuse >= LEAST_REUSE;
        // To add up what each channel has in a window is as much as to multiply it.
        let has_filters = structured.extents[roles.channel] >= LEAST_CHANNELS && !roles.depthwise;
        let has_sums = has_filters && has_windows(&structured, roles.input);
        let forms = |place: usize, own: Number, has_words: bool, may_shift: bool| {
            let range = ranges.get(structured.inputs[place]).stored_as(own);
            let forms = Form::all(range, own).into_iter().chain(Form::words(range).filter(|_| has_words));
            forms.filter(move |form| form.offset == 0 || may_shift).collect::<Vec<_>>()
        };
        let inputs = forms(roles.input, roles.numbers[0], has_filters, is_known);
        let filters = forms(roles.filter, roles.numbers[1], false, has_sums);
        let cost = |input: Form, filter: Form| {
            let numbers = [input.number, filter.number];
            let grouped = group(&structured, &Roles { numbers, ..roles.clone() }, target)?;
            let atom = Atom::best_for(target, numbers, roles.sum, roles.depthwise)?;
            let operations = atom.operations() + if atom.extends(numbers, 0) { EXTENSION } else { 0.0 };
            let shifts = f64::from(u8::from(input.offset != 0) + 2 * u8::from(filter.offset != 0));
            Some(((operations / grouped.1 as f64, shifts), grouped))
        };
        let pairs = inputs.iter().flat_map(|input| filters.iter().map(move |filter| (*input, *filter)));
        let costs = pairs.filter_map(|(input, filter)| Some((cost(input, filter)?, (input, filter))));
        let best = costs.min_by(|((a, _), _), ((b, _), _)| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let ((_, grouped), (input_form, filter_form)) = best?;
        // Whole vectors are of neighbours: what is transposed is copied alone, and last.
        let moved = |place: usize| match target.isa.only_whole && place == roles.input {
            true => Moved::of_turned(structured.inputs[place]),
            false => Moved::of(structured.inputs[place]),
        };
        let factor = |place: usize, own: Number, form: Form| Factor { place, own, moved: moved(place), form };
        let input = factor(roles.input, roles.numbers[0], input_form);
        let filter = factor(roles.filter, roles.numbers[1], filter_form);
        let missing = missing(&structured, grouped).filter(|_| target.isa.only_whole && !roles.depthwise);
        let is_as_it_was = |factor: &Factor| factor.form == Form { number: factor.own, offset: 0 };
        let changes = !is_as_it_was(&input) || !is_as_it_was(&filter) || missing.is_some();
        changes.then_some(Product { structured, input, filter, missing })
    }

    fn replace(&self, stored: &mut Stored<'c, 'a>) -> Result<(), Error> {
        let structured = &self.structured;
        let operation = structured.operation;
        let input = self.whole(&self.input, self.input.value(structured, stored)?)?;
        let filter = self.whole(&self.filter, self.filter.value(structured, stored)?)?;
        let builder = Builder::before(operation)?;
        let mut inputs = structured.inputs.clone();
        (inputs[self.input.place], inputs[self.filter.place]) = (input, filter);
        let body = linalg::generic(&builder, &inputs, &structured.outputs, &structured.maps, &structured.reduced)?;
        let inside = &body.builder;
        let factor = |factor: &Factor<'c, 'a>| extended(inside, body.arguments[factor.place], factor.form.number);
        let product = arith::muli(inside, factor(&self.input)?, factor(&self.filter)?)?;
        linalg::r#yield(inside, &[arith::addi(inside, body.arguments[2], product)?])?;
        let sums = body.operation.result(0)?;
        let result = self.made_good(&builder, sums, input)?;
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?)
    }

    /// A factor with whole groups: to the filter zeros are appended, whatever is multiplied with them.
    fn whole(&self, factor: &Factor<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let Some((dim, missing)) = self.missing else { return Ok(value) };
        let along = |expr: &Expr| if expr.as_dim() == Some(dim) { missing } else { 0 };
        let high: Vec<i64> = self.structured.maps[factor.place].results.iter().map(along).collect();
        match factor.place == self.filter.place {
            true => padded(self.structured.operation, value, &high, factor.form.zero()),
            false => padded_before_turns(self.structured.operation, value, &high, 0),
        }
    }

    /// Sums with what offsets have taken from them.
    fn made_good(
        &self,
        builder: &Builder<'c, 'a>,
        sums: Value<'c, 'a>,
        input: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let mut terms: Vec<Term<'c, 'a>> = Vec::new();
        if self.input.form.offset != 0 {
            let place = self.filter.place;
            let windows = Windows::of(&self.structured, place);
            let (sums, map) = windows.sums(builder, self.structured.inputs[place], self.filter.own)?;
            terms.push(Term { sums, map, times: Times::Known(self.input.form.offset) });
        }
        if self.filter.form.offset != 0 {
            let windows = Windows::of(&self.structured, self.input.place);
            let (sums, map) = windows.sums(builder, input, self.input.form.number)?;
            terms.push(Term { sums, map, times: Times::Known(self.filter.form.offset) });
        }
        with_terms(builder, sums, &terms)
    }
}

/// Whether both factors have all dimensions along which products are added.
fn sums_alike(structured: &Structured<'_, '_>) -> bool {
    let uses = |place: usize, dim: usize| structured.maps[place].results.iter().any(|expr| expr.uses(dim));
    (0..structured.extents.len()).filter(|&dim| structured.reduced[dim]).all(|dim| uses(0, dim) && uses(1, dim))
}

/// What a dimension that has groups lacks to have whole ones, where its extent is known: elements that lie in no aligned word are
/// loaded one by one, in each row.
fn missing(structured: &Structured<'_, '_>, (dim, size): (usize, i64)) -> Option<(usize, i64)> {
    let missing = (size - structured.extents[dim] % size) % size;
    (missing > 0 && structured.open[dim].is_none()).then_some((dim, missing))
}

/// Whether windows of an input are told apart by sums of indices.
fn has_windows(structured: &Structured<'_, '_>, place: usize) -> bool {
    let is_known = |expr: &Expr| !matches!(expr, Expr::FloorDiv(..) | Expr::Mod(..));
    structured.maps[place].results.iter().all(is_known)
}
