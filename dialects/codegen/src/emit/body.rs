//! Scalar computations, computed on scalars or on vectors.

use super::quotient::quotient;
use super::values::Values;
use crate::Error;
use crate::nest::atom::Fused;
use crate::nest::computation::{Computation, Instruction, Ref};
use crate::nest::decided::Decided;
use crate::nest::element::Element;
use crate::nest::op::Op;
use crate::target::lookup::Lookup;
use crate::views::elements;
use skriptnd_mlir::ir::types::Width;
use skriptnd_mlir::ir::{Attribute, Builder, Context, Value, attributes, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::{math, vector};
use std::collections::HashMap;

/// A point of the iteration space, or a row of points along the vectorized dimension.
pub struct Point<'k, 'c, 'a> {
    /// What is computed with.
    pub arguments: Vec<Option<Value<'c, 'a>>>,
    /// The width of its vectors.
    pub lanes: Width,
    /// Which lanes stand for elements; all, if there is none.
    pub mask: Option<Value<'c, 'a>>,
    /// What the operands are.
    pub values: &'k Values<'c, 'a>,
    /// The index of each dimension: a scalar, or a vector where the dimension is the vectorized one.
    pub indices: Vec<Value<'c, 'a>>,
    /// What products and sums are fused.
    pub fused: Fused,
    /// Whether what is the same for all lanes is so for many vectors.
    pub is_long: bool,
    /// Whether an instruction divides reals.
    pub has_division: bool,
    /// Whether products of bytes are better in 16 bits: the vectors are short for wider ones.
    pub are_bytes_narrow: bool,
    /// What the target has to look up bytes.
    pub lookup: Option<Lookup>,
    /// The attribute by which zeros of both signs are the same.
    pub any_zero: Attribute<'c>,
    /// Which values it takes, where its index tells that.
    pub decided: Option<Decided>,
}

/// What was computed for points whose indices decide which values they take: by instruction and what it uses. Each result has a
/// number.
#[derive(Default)]
pub struct Computed<'c, 'a>(HashMap<(usize, Vec<usize>), (usize, Vec<Value<'c, 'a>>)>);

/// Appends the operations of a computation at some points, and gives its results at each, step by step at all of them: so a processor has several to begin
/// with. An argument that is a scalar stays one until it meets a vector.
pub fn evaluate<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    computation: &Computation,
    points: &[Point<'_, 'c, 'a>],
    computed: &mut Computed<'c, 'a>,
) -> Result<Vec<Vec<Value<'c, 'a>>>, Error> {
    let mut bodies: Vec<_> = points.iter().map(|point| Body::at(builder, computation, point)).collect();
    for number in 0..computation.instructions.len() {
        if let Some(found) = Body::found(&bodies, number)? {
            bodies.iter_mut().zip(found).for_each(|(body, found)| body.results.push(vec![found]));
            continue;
        }
        for body in &mut bodies {
            body.go_on(number, computed)?;
        }
    }
    let given = || [computation.result].into_iter().chain(computation.further.iter().copied());
    let results = |body: Body<'_, 'c, 'a>| {
        given().map(|given| Ok(builder.broadcast(body.lookup(given)?, body.point.lanes)?)).collect()
    };
    bodies.into_iter().map(results).collect()
}

/// The attribute of an operation by which zeros of both signs are the same.
///
/// # Errors
/// Never, where the arith dialect is loaded.
pub fn any_zero(context: &Context) -> Result<Attribute<'_>, Error> {
    Ok(arith::fast_math(context, "nsz")?)
}

/// Whether an operation gives one of two zeros: the language does not say which one is larger, and to find out takes most
/// of the time.
fn takes_any_zero(op: Op) -> bool {
    matches!(op, Op::MaximumF | Op::MinimumF)
}

/// The attributes of the operation that one on scalars is.
fn attributes_of<'c>(context: &'c Context, op: Op, any_zero: Attribute<'c>) -> Vec<(&'static str, Attribute<'c>)> {
    match op {
        Op::CmpF(predicate) => vec![("predicate", attributes::integer(context, predicate as i64))],
        Op::CmpI(predicate) => vec![("predicate", attributes::integer(context, predicate as i64))],
        _ if takes_any_zero(op) => vec![(arith::FAST_MATH, any_zero)],
        _ => Vec::new(),
    }
}

/// Two values combined.
pub fn combined<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: Op,
    operands: [Value<'c, 'a>; 2],
    any_zero: Attribute<'c>,
) -> Result<Value<'c, 'a>, Error> {
    if let Some(relaxed) = relaxed(&builder, op, &operands)? {
        return Ok(relaxed);
    }
    let attributes = attributes_of(builder.context(), op, any_zero);
    Ok(builder.value(op.name(), &operands, &attributes, operands[0].r#type())?)
}

/// The result of an operation that MLIR has under no name of its own.
fn relaxed<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: Op,
    operands: &[Value<'c, 'a>],
) -> Result<Option<Value<'c, 'a>>, Error> {
    Ok(match (op, operands) {
        (Op::GreaterF, &[left, right]) => {
            let is_greater = arith::cmpf(builder, FloatPredicate::Ogt, left, right)?;
            Some(arith::select(builder, is_greater, left, right)?)
        }
        (Op::QuotientF, &[dividend, divisor]) => Some(arith::mulf(builder, dividend, reciprocal(builder, divisor)?)?),
        _ => None,
    })
}

/// `1 / x`, for a number or a vector of them.
fn reciprocal<'c: 'a, 'a>(builder: &Builder<'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let one = builder.real(types::element(x.r#type()), 1.0)?;
    let one = if x.r#type().is_vector() { vector::broadcast(builder, one, x.r#type())? } else { one };
    Ok(arith::divf(builder, one, x)?)
}

pub(super) struct Body<'k, 'c, 'a> {
    pub(super) builder: Builder<'c, 'a>,
    pub(super) computation: &'k Computation,
    pub(super) point: &'k Point<'k, 'c, 'a>,
    /// What was built for the instructions so far.
    results: Vec<Vec<Value<'c, 'a>>>,
    /// The numbers of these, where indices decide.
    numbers: Vec<usize>,
}

impl<'k, 'c: 'a, 'a> Body<'k, 'c, 'a> {
    /// A computation at a point, of which nothing is done.
    pub(super) fn at(builder: Builder<'c, 'a>, computation: &'k Computation, point: &'k Point<'k, 'c, 'a>) -> Self {
        Body { builder, computation, point, results: Vec::new(), numbers: Vec::new() }
    }

    /// The one result of an instruction on values that are given, as they or a vector of as many lanes.
    pub(super) fn computed(
        &self,
        instruction: &Instruction,
        operands: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let context = self.builder.context();
        let result = instruction.results.first().ok_or_else(|| Error::malformed("an operation that gives nothing"))?;
        let result = elements::r#type(context, *result)?;
        let vector = operands.iter().map(|operand| operand.r#type()).find(|kind| kind.is_vector());
        let lanes = vector.and_then(|kind| types::shape(kind)?.first().copied().flatten());
        let kind =
            lanes.and_then(|lanes| i64::try_from(lanes).ok()).map_or(result, |lanes| types::lanes(result, lanes));
        if let Some(relaxed) = relaxed(&self.builder, instruction.op, operands)? {
            return Ok(relaxed);
        }
        let attributes = attributes_of(context, instruction.op, self.point.any_zero);
        if let Op::Constant(constant) = instruction.op {
            return elements::value(&self.builder, constant).map_err(Error::from);
        }
        Ok(self.builder.value(instruction.op.name(), operands, &attributes, kind)?)
    }

    /// Goes on with an instruction, which may have been done for another point.
    fn go_on(&mut self, number: usize, computed: &mut Computed<'c, 'a>) -> Result<(), Error> {
        let Some(decided) = &self.point.decided else {
            let results = self.results_of(number)?;
            self.results.push(results);
            return Ok(());
        };
        let key = (number, self.used(number, decided));
        let known = computed.0.get(&key).cloned();
        let (own, results) = match known {
            Some(known) => known,
            None if decided.needs(number) => (computed.0.len(), self.results_of(number)?),
            None => (usize::MAX, Vec::new()),
        };
        if decided.needs(number) {
            computed.0.insert(key, (own, results.clone()));
        }
        self.results.push(results);
        self.numbers.push(own);
        Ok(())
    }

    /// What an instruction uses, by numbers: equal ones are the same.
    fn used(&self, number: usize, decided: &Decided) -> Vec<usize> {
        let instruction = &self.computation.instructions[number];
        let used = instruction.operands.iter().map(|operand| match decided.resolve(*operand) {
            Ref::Result(by, result) => self.numbers[by].wrapping_mul(2) + result,
            other => self.lookup(other).map_or(usize::MAX, |value| value.key()),
        });
        let index = match instruction.op {
            Op::Index(dim) => self.index(dim).ok().map(|index| index.key()),
            _ => None,
        };
        used.chain(index).collect()
    }

    fn results_of(&self, number: usize) -> Result<Vec<Value<'c, 'a>>, Error> {
        if self.is_fused(number) { Ok(Vec::new()) } else { self.append(number) }
    }

    pub(super) fn lookup(&self, value: Ref) -> Result<Value<'c, 'a>, Error> {
        let value = self.point.decided.as_ref().map_or(value, |decided| decided.resolve(value));
        let found = match value {
            Ref::Argument(number) => self.point.arguments.get(number).copied().flatten(),
            Ref::Operand(number) => self.point.values.plain.get(number).copied().flatten(),
            Ref::Result(instruction, number) => {
                self.results.get(instruction).and_then(|results| results.get(number)).copied()
            }
        };
        found.ok_or_else(|| Error::malformed(format!("a computation uses {value:?}, which it can't see")))
    }

    /// Appends one instruction; gives what stands for its results.
    fn append(&self, number: usize) -> Result<Vec<Value<'c, 'a>>, Error> {
        let instruction = &self.computation.instructions[number];
        match instruction.op {
            Op::Index(dim) => return Ok(vec![self.index(dim)?]),
            Op::Fetch => return Ok(vec![self.fetch(instruction)?]),
            Op::Constant(constant) => return Ok(vec![elements::value(&self.builder, constant)?]),
            Op::AddF => {
                if let Some(result) = self.append_fused(instruction)? {
                    return Ok(vec![result]);
                }
            }
            Op::MulI if self.point.are_bytes_narrow => {
                if let Some(result) = self.append_narrow(instruction)? {
                    return Ok(vec![result]);
                }
            }
            _ => {}
        }
        let operands = instruction.operands.iter().map(|operand| self.lookup(*operand));
        let operands = operands.collect::<Result<Vec<_>, Error>>()?;
        let fused = self.point.fused.has(Element::Real(32));
        let Point { is_long, has_division, lanes, .. } = *self.point;
        if fused && (is_long || !has_division) && instruction.op == Op::DivF {
            if let Some(quotient) = quotient(&self.builder, &operands, (lanes, has_division))? {
                return Ok(vec![quotient]);
            }
        }
        if let (Op::QuotientF, &[dividend, divisor]) = (instruction.op, operands.as_slice()) {
            let factors = [dividend, reciprocal(&self.builder, divisor)?];
            return Ok(vec![lanewise(self.builder, arith::MULF, &factors, self.point.lanes)?]);
        }
        let wide = operands.iter().any(|operand| operand.r#type().is_vector());
        let lanes = if wide { self.point.lanes } else { Width::ONE };
        let operands = operands.into_iter().map(|operand| self.builder.broadcast(operand, lanes));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        if let Some(relaxed) = relaxed(&self.builder, instruction.op, &operands)? {
            return Ok(vec![relaxed]);
        }
        let context = self.builder.context();
        let results =
            instruction.results.iter().map(|result| Ok(types::lanes(elements::r#type(context, *result)?, lanes)));
        let results = results.collect::<Result<Vec<_>, Error>>()?;
        let attributes = attributes_of(context, instruction.op, self.point.any_zero);
        Ok(self.builder.operation(instruction.op.name(), &operands, &attributes, &results)?.result_values())
    }

    fn index(&self, dim: usize) -> Result<Value<'c, 'a>, Error> {
        self.point.indices.get(dim).copied().ok_or_else(|| Error::malformed("an index of no dimension"))
    }

    /// A product of two bytes, which 16 bits have, extended to 32; none of other products.
    fn append_narrow(&self, product: &Instruction) -> Result<Option<Value<'c, 'a>>, Error> {
        let byte = |value: &Ref| {
            let Ref::Result(number, 0) = *value else { return None };
            let extension = self.computation.instructions.get(number)?;
            let is_extension = matches!(extension.op, Op::ExtSI | Op::ExtUI);
            let source = *extension.operands.first().filter(|_| is_extension)?;
            let is_byte = self.computation.type_of(source) == Some(Element::Integer(8));
            is_byte.then_some((source, extension.op))
        };
        let factors: Vec<_> = product.operands.iter().filter_map(byte).collect();
        let (&[left, right], [Element::Integer(32)]) = (factors.as_slice(), &product.results[..]) else {
            return Ok(None);
        };
        let (builder, lanes) = (&self.builder, self.point.lanes);
        let extended = |value: Value<'c, 'a>, op: Op, bits: u32| {
            let kind = types::lanes(types::integer(builder.context(), bits), lanes);
            if op == Op::ExtUI { arith::extui(builder, value, kind) } else { arith::extsi(builder, value, kind) }
        };
        let factor = |(source, op): (Ref, Op)| {
            Ok::<_, Error>(extended(builder.broadcast(self.lookup(source)?, lanes)?, op, 16)?)
        };
        let both = arith::muli(builder, factor(left)?, factor(right)?)?;
        // That of two bytes without a sign has none.
        let op = if left.1 == Op::ExtUI && right.1 == Op::ExtUI { Op::ExtUI } else { Op::ExtSI };
        Ok(Some(extended(both, op, 32)?))
    }

    /// A sum as a fused product and sum, if one of its operands is a product that is used nowhere else.
    fn append_fused(&self, sum: &Instruction) -> Result<Option<Value<'c, 'a>>, Error> {
        let (left, right) = match sum.operands.as_slice() {
            [left, right] => (*left, *right),
            _ => return Ok(None),
        };
        let Some((product, addend)) =
            self.product(left).map(|product| (product, right)).or_else(|| Some((self.product(right)?, left)))
        else {
            return Ok(None);
        };
        // Where both operands are products, the second was left out as well.
        let addend = match self.product(addend) {
            Some(other) => lanewise(self.builder, arith::MULF, &self.factors(other)?, self.point.lanes)?,
            None => self.lookup(addend)?,
        };
        let [a, b] = self.factors(product)?;
        lanewise(self.builder, math::FMA, &[a, b, addend], self.point.lanes).map(Some)
    }

    fn product(&self, value: Ref) -> Option<&Instruction> {
        let Ref::Result(number, 0) = value else { return None };
        self.is_fused(number).then(|| &self.computation.instructions[number])
    }

    /// Whether an instruction is a product that becomes part of a sum.
    fn is_fused(&self, number: usize) -> bool {
        self.computation.added_product(number).is_some_and(|product| self.point.fused.has(product))
    }

    fn factors(&self, product: &Instruction) -> Result<[Value<'c, 'a>; 2], Error> {
        match product.operands.as_slice() {
            [a, b] => Ok([self.lookup(*a)?, self.lookup(*b)?]),
            _ => Err(Error::malformed("a product without two factors")),
        }
    }
}

/// An operation whose result has the type of its operands; scalars meet vectors as vectors.
pub fn lanewise<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    lanes: Width,
) -> Result<Value<'c, 'a>, Error> {
    let wide = operands.iter().any(|operand| operand.r#type().is_vector());
    let lanes = if wide { lanes } else { Width::ONE };
    let operands: Vec<_> =
        operands.iter().map(|operand| builder.broadcast(*operand, lanes)).collect::<Result<_, _>>()?;
    Ok(builder.value(name, &operands, &[], operands[0].r#type())?)
}
