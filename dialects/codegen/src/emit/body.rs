//! Scalar computations, computed on scalars or on vectors.

use super::quotient::quotient;
use super::values::Values;
use crate::Error;
use crate::nest::atom::Fused;
use crate::nest::computation::{Combiner, Computation, Element, Instruction, Neutral, Ref};
use skriptnd_mlir::ir::types::Width;
use skriptnd_mlir::ir::{Attribute, Builder, Context, Type, Value, attributes, types};
use skriptnd_mlir::ops::{arith, linalg, math, memref};
use std::cell::RefCell;
use std::collections::HashMap;

/// Types and attributes of a context by their text.
pub struct Texts<'c> {
    context: &'c Context,
    types: RefCell<HashMap<String, Type<'c>>>,
    attributes: RefCell<HashMap<String, Attribute<'c>>>,
}

impl<'c> Texts<'c> {
    /// Nothing is read yet.
    pub fn new(context: &'c Context) -> Self {
        Texts { context, types: RefCell::default(), attributes: RefCell::default() }
    }

    /// The type that the text is.
    pub fn r#type(&self, text: &str) -> Result<Type<'c>, Error> {
        let mut known = self.types.borrow_mut();
        if let Some(found) = known.get(text) {
            return Ok(*found);
        }
        let found = types::parse(self.context, text).ok_or_else(|| Error::malformed(format!("a type `{text}`")))?;
        known.insert(text.to_string(), found);
        Ok(found)
    }

    /// The attribute that the text is.
    pub fn attribute(&self, text: &str) -> Result<Attribute<'c>, Error> {
        let mut known = self.attributes.borrow_mut();
        if let Some(found) = known.get(text) {
            return Ok(*found);
        }
        let found = attributes::parse(self.context, text);
        let found = found.ok_or_else(|| Error::malformed(format!("an attribute `{text}`")))?;
        known.insert(text.to_string(), found);
        Ok(found)
    }
}

/// The neutral element of a combiner.
pub fn neutral<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    combiner: &Combiner,
    element: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    Ok(match combiner.neutral {
        Neutral::Real(value) => builder.real(element, value)?,
        Neutral::Integer(value) => builder.integer(element, value)?,
    })
}

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
    /// Types and attributes.
    pub texts: &'k Texts<'c>,
}

/// Appends the operations of a computation at some points, and gives its results at each, step by step at all of them: so a processor has several to begin
/// with. An argument that is a scalar stays one until it meets a vector.
pub fn evaluate<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    computation: &Computation,
    points: &[Point<'_, 'c, 'a>],
) -> Result<Vec<Vec<Value<'c, 'a>>>, Error> {
    let mut bodies: Vec<_> =
        points.iter().map(|point| Body { builder, computation, point, results: Vec::new() }).collect();
    for number in 0..computation.instructions.len() {
        for body in &mut bodies {
            let results = if body.is_fused(number) { Vec::new() } else { body.append(number)? };
            body.results.push(results);
        }
    }
    let given = || [computation.result].into_iter().chain(computation.further.iter().copied());
    let results = |body: Body<'_, 'c, 'a>| {
        given().map(|given| Ok(builder.broadcast(body.lookup(given)?, body.point.lanes)?)).collect()
    };
    bodies.into_iter().map(results).collect()
}

/// The attribute for what may be computed in another way.
const FAST_MATH: &str = "fastmath";
/// Zeros of both signs are the same.
const ANY_ZERO: &str = "#arith.fastmath<nsz>";

/// Whether an operation gives one of two zeros: the language does not say which one is larger, and to find out takes most
/// of the time.
fn takes_any_zero(name: &str) -> bool {
    matches!(name, arith::MAXIMUMF | arith::MINIMUMF)
}

/// Two values combined.
pub fn combined<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    combiner: &Combiner,
    operands: [Value<'c, 'a>; 2],
    texts: &Texts<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let any_zero = [(FAST_MATH, texts.attribute(ANY_ZERO)?)];
    let attributes = if takes_any_zero(combiner.operation) { any_zero.as_slice() } else { &[] };
    Ok(builder.value(combiner.operation, &operands, attributes, operands[0].r#type())?)
}

pub(super) struct Body<'k, 'c, 'a> {
    pub(super) builder: Builder<'c, 'a>,
    pub(super) computation: &'k Computation,
    pub(super) point: &'k Point<'k, 'c, 'a>,
    /// What was built for the instructions so far.
    results: Vec<Vec<Value<'c, 'a>>>,
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    pub(super) fn lookup(&self, value: Ref) -> Result<Value<'c, 'a>, Error> {
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
        if instruction.name == linalg::INDEX {
            return self.index(instruction);
        }
        if instruction.name == memref::LOAD {
            return Ok(vec![self.fetch(instruction)?]);
        }
        if instruction.name == arith::ADDF {
            if let Some(result) = self.append_fused(instruction)? {
                return Ok(vec![result]);
            }
        }
        let operands = instruction.operands.iter().map(|operand| self.lookup(*operand));
        let operands = operands.collect::<Result<Vec<_>, Error>>()?;
        let fused = self.point.fused.has(Element::Real(32));
        if fused && self.point.is_long && instruction.name == arith::DIVF {
            if let Some(quotient) = quotient(&self.builder, &operands, self.point.lanes)? {
                return Ok(vec![quotient]);
            }
        }
        let wide = operands.iter().any(|operand| operand.r#type().is_vector());
        let lanes = if wide { self.point.lanes } else { Width::ONE };
        let operands = operands.into_iter().map(|operand| self.builder.broadcast(operand, lanes));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let texts = self.point.texts;
        let mut results = Vec::new();
        for result in &instruction.results {
            results.push(types::lanes(texts.r#type(&result.to_string())?, lanes));
        }
        let mut attributes = Vec::new();
        for (name, value) in &instruction.attributes {
            attributes.push((name.as_str(), texts.attribute(value)?));
        }
        if takes_any_zero(&instruction.name) {
            attributes.retain(|(name, _)| *name != FAST_MATH);
            attributes.push((FAST_MATH, texts.attribute(ANY_ZERO)?));
        }
        Ok(self.builder.operation(&instruction.name, &operands, &attributes, &results)?.result_values())
    }

    fn index(&self, instruction: &Instruction) -> Result<Vec<Value<'c, 'a>>, Error> {
        let dim = instruction.integer("dim").and_then(|dim| usize::try_from(dim).ok());
        let index = dim.and_then(|dim| self.point.indices.get(dim)).copied();
        index.map(|index| vec![index]).ok_or_else(|| Error::malformed("an index of no dimension"))
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
