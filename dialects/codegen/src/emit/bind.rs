//! What the names in the nests of a kernel are within its function.

use super::read::Bound;
use super::values::{Values, flattened};
use crate::Error;
use crate::nest::Nest;
use crate::nest::space::Operand;
use crate::views::elements;
use skriptnd_mlir::ir::{Builder, Type, Value};
use skriptnd_mlir::ops::{arith, memref};
use std::collections::HashMap;

/// Takes the arguments of a function for the nests of its kernel, one nest after the other.
pub(super) struct Binding<'b, 'c, 'a> {
    builder: Builder<'c, 'a>,
    /// Those that no nest has taken.
    left: &'b [Value<'c, 'a>],
    /// The number of the range of a call.
    range: Value<'c, 'a>,
    /// How memory that the function makes is aligned.
    alignment: i64,
    /// Private memory that nests before have made, by its numbers.
    private: HashMap<usize, Value<'c, 'a>>,
}

/// An operand as one dimension, where it is memory, and as it is.
type Forms<'c, 'a> = (Option<Value<'c, 'a>>, Value<'c, 'a>);

impl<'b, 'c: 'a, 'a> Binding<'b, 'c, 'a> {
    /// For a function with these arguments, which does the range of a number, and whose own memory begins at multiples of so many bytes.
    pub fn new(
        builder: Builder<'c, 'a>,
        (arguments, range): (&'b [Value<'c, 'a>], Value<'c, 'a>),
        alignment: i64,
    ) -> Self {
        Binding { builder, left: arguments, range, alignment, private: HashMap::new() }
    }

    /// The arguments that no nest has taken.
    pub fn left(&self) -> &'b [Value<'c, 'a>] {
        self.left
    }

    /// What the names in the next nest are: it is given what is passed, and behind all that numbers.
    pub fn values(&mut self, nest: &Nest, bound: &Bound<'c, 'a>) -> Result<Values<'c, 'a>, Error> {
        let passed = bound.values.iter().filter(|operand| operand.passed.is_some()).count();
        let (passed, numbers) = self.left.split_at_checked(passed).ok_or_else(missing)?;
        let (mut passed, mut numbers) = (passed.iter().copied(), numbers.iter().copied());
        let mut values = Values::default();
        for (number, operand) in nest.space.operands.iter().enumerate() {
            let kind = bound.values[number].value.r#type();
            let (flat, plain) = match operand {
                Operand::Constant(constant) => (None, elements::value(&self.builder, *constant)?),
                Operand::Private { number, .. } => self.private(*number, kind)?,
                Operand::Parts { .. } => (None, passed.next().ok_or_else(missing)?),
                Operand::Passed { is_moved: true, count, .. } => {
                    let (argument, offset) = (passed.next().ok_or_else(missing)?, numbers.next().ok_or_else(missing)?);
                    (Some(memref::elements_at(&self.builder, argument, offset, *count)?), argument)
                }
                Operand::Passed { .. } => {
                    let argument = passed.next().ok_or_else(missing)?;
                    let is_flat = argument.r#type() != kind;
                    let flat = match nest.space.is_accessed(number) {
                        true if is_flat => Some(argument),
                        true => Some(flattened(self.builder, argument)?),
                        false => None,
                    };
                    (flat, argument)
                }
            };
            let stride = |known: Option<i64>| match known {
                Some(known) => Ok(self.builder.index(known)?),
                None => numbers.next().ok_or_else(missing),
            };
            let strides: Vec<_> = operand.strides().map(stride).collect::<Result<_, Error>>()?;
            let flat = match operand {
                Operand::Parts { count, .. } => Some(self.part((plain, *count), strides.first().copied())?),
                _ => flat,
            };
            values.strides.push(strides);
            values.flat.push(flat);
            values.plain.push(Some(plain));
        }
        for dim in &nest.space.dims {
            values.ends.push(if dim.is_open { numbers.next() } else { None });
        }
        self.left = &self.left[self.left.len() - numbers.len()..];
        Ok(values)
    }

    /// The part of a memory that the range of a call has, of so many elements; parts are as far apart, or so far.
    fn part(
        &self,
        (memory, count): (Value<'c, 'a>, i64),
        apart: Option<Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Error> {
        let apart = apart.map_or_else(|| self.builder.index(count), Ok)?;
        let begin = arith::muli(&self.builder, self.range, apart)?;
        Ok(memref::elements_at(&self.builder, memory, begin, count)?)
    }

    /// Memory of the function's own, which its nests share.
    fn private(&mut self, number: usize, kind: Type<'c>) -> Result<Forms<'c, 'a>, Error> {
        let memory = match self.private.get(&number) {
            Some(memory) => *memory,
            None => memref::alloca(&self.builder, kind, self.alignment)?,
        };
        self.private.insert(number, memory);
        Ok((Some(flattened(self.builder, memory)?), memory))
    }
}

fn missing() -> Error {
    Error::malformed("a kernel without an argument")
}
