//! Computations on narrow integers with HVX. A value of `n` times as many bits as the narrowest ones is `n` vectors, of which vector `v` has the
//! elements `n * i + v`: so instructions that widen or narrow vectors do it, and nothing is shuffled between.

mod form;
mod narrowing;
mod products;
mod tables;

pub(super) use form::Form;

use form::Known;

use super::body::{Body, Point};
use crate::Error;
use crate::nest::computation::{Computation, Instruction, Ref};
use crate::nest::element::Element;
use crate::nest::op::Op;
use crate::nest::space::Operand;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{arith, llvm, vector};

/// Bits of a vector.
const BITS: i64 = 1024;
/// Lanes of words of a vector, as instructions are given it.
const WORDS: i64 = 32;

/// A value at all points of a vector.
#[derive(Clone)]
pub(super) enum Lanes<'c, 'a> {
    /// The same at all of them.
    Same(Value<'c, 'a>),
    /// Vectors, as many as the value has times the bits of the narrowest ones.
    Parts(Vec<Value<'c, 'a>>),
}

/// Computes at the points of a vector.
pub(super) struct Apart<'k, 'c, 'a> {
    builder: Builder<'c, 'a>,
    computation: &'k Computation,
    point: &'k Point<'k, 'c, 'a>,
    known: Known<'k>,
    form: Form,
    results: Vec<Vec<Lanes<'c, 'a>>>,
}

/// The results of a computation at a point.
pub(super) fn evaluate<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    (computation, operands): (&Computation, &[Operand]),
    point: &Point<'_, 'c, 'a>,
    form: Form,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    let known = Known { computation, operands };
    let mut apart = Apart { builder, computation, point, known, form, results: Vec::new() };
    for instruction in &computation.instructions {
        let results = apart.results_of(instruction)?;
        apart.results.push(results);
    }
    Ok(vec![apart.given(computation.result)?])
}

impl<'c: 'a, 'a> Apart<'_, 'c, 'a> {
    fn results_of(&self, instruction: &Instruction) -> Result<Vec<Lanes<'c, 'a>>, Error> {
        Ok(vec![match instruction.op {
            Op::Constant(_) => Lanes::Same(self.scalar().computed(instruction, &[])?),
            Op::ExtSI | Op::ExtUI => self.extended(instruction)?,
            Op::TruncI => self.narrowed(instruction)?,
            // What reads tables looks at what their places are made of.
            Op::IndexCast => return Ok(Vec::new()),
            Op::Fetch => self.found(instruction)?,
            Op::MulSIExtended => return self.extended_product(instruction),
            Op::AddI => match self.sum_of_products(instruction)? {
                Some(sum) => sum,
                None => self.lanewise(instruction)?,
            },
            _ => self.lanewise(instruction)?,
        }])
    }

    /// The same computation at one point.
    fn scalar(&self) -> Body<'_, 'c, 'a> {
        Body::at(self.builder, self.computation, self.point)
    }

    fn lookup(&self, value: Ref) -> Result<Lanes<'c, 'a>, Error> {
        match value {
            Ref::Result(instruction, number) => Ok(self.results[instruction][number].clone()),
            Ref::Argument(_) | Ref::Operand(_) => {
                let given = self.scalar().lookup(value)?;
                if given.r#type().is_vector() { self.taken(given) } else { Ok(Lanes::Same(given)) }
            }
        }
    }

    /// A value as so many vectors.
    fn parts(&self, value: Ref, count: usize) -> Result<Vec<Value<'c, 'a>>, Error> {
        self.spread(self.lookup(value)?, count)
    }

    fn spread(&self, value: Lanes<'c, 'a>, count: usize) -> Result<Vec<Value<'c, 'a>>, Error> {
        match value {
            Lanes::Parts(parts) if parts.len() == count => Ok(parts),
            Lanes::Parts(_) => Err(Error::malformed("vectors of another width")),
            Lanes::Same(value) => {
                let lanes = self.form.lanes / count as i64;
                Ok(vec![self.builder.broadcast(value, lanes)?; count])
            }
        }
    }

    /// The vectors of elements that lie one behind the other.
    fn taken(&self, value: Value<'c, 'a>) -> Result<Lanes<'c, 'a>, Error> {
        let (builder, lanes) = (&self.builder, self.form.lanes);
        let count = self.form.count(types::width(types::element(value.r#type())).unwrap_or(0));
        if count == 1 {
            return Ok(Lanes::Parts(vec![value]));
        }
        let each = lanes / count;
        let part = |part: i64| match self.form.is_turned {
            // What no lane stands for may be anything: it is what is computed anyway.
            true => Ok(vector::slice(builder, value, part % self.form.filled * each, each)?),
            false => {
                let order: Vec<i64> = (0..each).map(|lane| lane * count + part).collect();
                Ok(vector::shuffle(builder, [value, value], &order)?)
            }
        };
        Ok(Lanes::Parts((0..count).map(part).collect::<Result<_, Error>>()?))
    }

    /// The elements of a result one behind the other.
    fn given(&self, value: Ref) -> Result<Value<'c, 'a>, Error> {
        let (builder, lanes) = (&self.builder, self.form.lanes);
        let mut parts = match self.lookup(value)? {
            Lanes::Same(value) => return Ok(builder.broadcast(value, lanes)?),
            Lanes::Parts(parts) => parts,
        };
        while parts.len() > 1 {
            let half = parts.len() / 2;
            let pairs = (0..half).map(|part| self.interleaved(parts[part], parts[part + half]));
            parts = pairs.collect::<Result<_, Error>>()?;
        }
        match (self.form.is_turned, self.form.turned) {
            (false, _) => Ok(parts[0]),
            (true, _) if self.form.is_half => self.of_bits(self.call("vdealb4w", &[parts[0]; 2], 1)?, 8),
            (true, 4) => self.of_bits(self.call("vdealb", &[self.call("vdealb", &[parts[0]], 1)?], 1)?, 8),
            (true, _) => {
                let (count, each) = (self.form.turned, lanes / self.form.turned);
                let order: Vec<i64> = (0..lanes).map(|lane| lane % each * count + lane / each).collect();
                Ok(vector::shuffle(builder, [parts[0], parts[0]], &order)?)
            }
        }
    }

    fn interleaved(&self, even: Value<'c, 'a>, odd: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let lanes = types::shape(even.r#type()).and_then(|shape| *shape.first()?).unwrap_or(0) as i64;
        let order: Vec<i64> = (0..2 * lanes).map(|lane| lane / 2 + lane % 2 * lanes).collect();
        Ok(vector::shuffle(&self.builder, [even, odd], &order)?)
    }

    /// An operation that does the same to all lanes.
    fn lanewise(&self, instruction: &Instruction) -> Result<Lanes<'c, 'a>, Error> {
        let operands = instruction.operands.iter().map(|operand| self.lookup(*operand));
        let operands = operands.collect::<Result<Vec<_>, Error>>()?;
        let count = operands.iter().filter_map(|operand| match operand {
            Lanes::Parts(parts) => Some(parts.len()),
            Lanes::Same(_) => None,
        });
        let Some(count) = count.max() else {
            let given: Vec<_> = operands.iter().filter_map(Lanes::same).collect();
            return Ok(Lanes::Same(self.scalar().computed(instruction, &given)?));
        };
        let operands = operands.into_iter().map(|operand| self.spread(operand, count));
        let operands = operands.collect::<Result<Vec<_>, Error>>()?;
        let part = |part: usize| {
            let given: Vec<_> = operands.iter().map(|parts| parts[part]).collect();
            self.scalar().computed(instruction, &given)
        };
        Ok(Lanes::Parts((0..count).map(part).collect::<Result<_, Error>>()?))
    }

    /// A value with twice the bits, and again, until it has those of the result.
    fn extended(&self, instruction: &Instruction) -> Result<Lanes<'c, 'a>, Error> {
        let (Some(&source), Some(&Element::Integer(bits))) =
            (instruction.operands.first(), instruction.results.first())
        else {
            return Err(Error::malformed("an extension of nothing"));
        };
        let mut parts = match self.lookup(source)? {
            Lanes::Same(value) => return Ok(Lanes::Same(self.scalar().computed(instruction, &[value])?)),
            Lanes::Parts(parts) => parts,
        };
        while (parts.len() as i64) < self.form.count(bits) {
            let width = BITS / self.form.lanes * parts.len() as i64;
            let name = match (width, instruction.op) {
                (8, Op::ExtUI) => "vzb",
                (8, _) => "vsb",
                (_, Op::ExtUI) => "vzh",
                _ => "vsh",
            };
            let pairs = parts.iter().map(|part| self.pair(self.call(name, &[*part], 2)?, 2 * width));
            let pairs = pairs.collect::<Result<Vec<_>, Error>>()?;
            parts = pairs.iter().map(|pair| pair[0]).chain(pairs.iter().map(|pair| pair[1])).collect();
        }
        Ok(Lanes::Parts(parts))
    }

    /// An instruction on whole vectors, which gives so many.
    fn call(&self, name: &str, operands: &[Value<'c, 'a>], vectors: i64) -> Result<Value<'c, 'a>, Error> {
        let word = self.word();
        let bits = |value: &Value<'c, 'a>| {
            let kind = value.r#type();
            let Some(width) = types::width(types::element(kind)).filter(|_| kind.is_vector()) else {
                return Ok(*value);
            };
            let lanes = types::shape(kind).and_then(|shape| *shape.first()?).unwrap_or(0) as i64;
            let words = types::lanes(word, lanes * i64::from(width) / 32);
            if words == kind { Ok(*value) } else { vector::bitcast(&self.builder, *value, words) }
        };
        let operands = operands.iter().map(bits).collect::<Result<Vec<_>, _>>()?;
        let name = format!("llvm.hexagon.V6.{name}.128B");
        Ok(llvm::call_intrinsic(&self.builder, &name, &operands, types::lanes(word, WORDS * vectors))?)
    }

    /// The two vectors of a pair, of elements of so many bits.
    fn pair(&self, pair: Value<'c, 'a>, bits: i64) -> Result<[Value<'c, 'a>; 2], Error> {
        let half = |name: &str| self.of_bits(self.call(name, &[pair], 1)?, bits);
        Ok([half("lo")?, half("hi")?])
    }

    fn paired(&self, [low, high]: [Value<'c, 'a>; 2]) -> Result<Value<'c, 'a>, Error> {
        self.call("vcombine", &[high, low], 2)
    }

    /// A vector, seen as elements of so many bits.
    fn of_bits(&self, value: Value<'c, 'a>, bits: i64) -> Result<Value<'c, 'a>, Error> {
        let kind = types::lanes(types::integer(self.builder.context(), bits.unsigned_abs() as u32), BITS / bits);
        Ok(if value.r#type() == kind { value } else { vector::bitcast(&self.builder, value, kind)? })
    }

    fn word(&self) -> Type<'c> {
        types::integer(self.builder.context(), 32)
    }

    fn number(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        Ok(self.builder.integer(self.word(), value)?)
    }

    /// The operation that gives a value.
    fn made(&self, value: Ref) -> Option<&Instruction> {
        self.computation.made(value)
    }

    /// The lower and the upper word of products of words.
    fn extended_product(&self, instruction: &Instruction) -> Result<Vec<Lanes<'c, 'a>>, Error> {
        let count = self.form.count(32) as usize;
        let [left, right] = [0, 1].map(|place| self.parts(instruction.operands[place], count));
        let (left, right) = (left?, right?);
        let is_doubled = self.known.is_doubled(instruction);
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for (a, b) in left.into_iter().zip(right) {
            upper.push(match is_doubled {
                true => {
                    let one = vector::broadcast(&self.builder, self.number(1)?, types::lanes(self.word(), WORDS))?;
                    arith::shrsi(&self.builder, self.doubled_upper(a, b)?, one)?
                }
                false => self.upper(a, b)?,
            });
            lower.push(arith::muli(&self.builder, a, b)?);
        }
        Ok(vec![Lanes::Parts(lower), Lanes::Parts(upper)])
    }

    /// Products of words without their lower 31 bits, where they are not those of the two least words.
    fn doubled_upper(&self, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let even = self.call("vmpyewuh", &[left, right], 1)?;
        self.call("vmpyowh.sacc", &[even, left, right], 1)
    }

    /// The upper words of any products of words.
    fn upper(&self, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let even = self.call("vmpyewuh.64", &[left, right], 2)?;
        let [_, upper] = self.pair(self.call("vmpyowh.64.acc", &[even, left, right], 2)?, 32)?;
        Ok(upper)
    }
}

impl<'c: 'a, 'a> Lanes<'c, 'a> {
    fn same(&self) -> Option<Value<'c, 'a>> {
        if let Lanes::Same(value) = self { Some(*value) } else { None }
    }
}
