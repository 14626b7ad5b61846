//! What builders build most: constants, and loops that count.

use super::{arith, scf, vector};
use crate::Failure;
use crate::ir::types::Width;
use crate::ir::{Attribute, Builder, Type, Value, attributes, types};

impl<'c, 'a> Builder<'c, 'a> {
    /// `arith.constant`
    pub fn constant(&self, value: Attribute<'c>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
        arith::constant(self, value, r#type)
    }

    /// A constant of type `index`.
    pub fn index(&self, value: i64) -> Result<Value<'c, 'a>, Failure> {
        self.integer(types::index(self.context()), value)
    }

    /// A constant of an integer type or `index`.
    pub fn integer(&self, r#type: Type<'c>, value: i64) -> Result<Value<'c, 'a>, Failure> {
        let attribute = attributes::typed_integer(r#type, value);
        self.constant(attribute.ok_or_else(|| no_constant(r#type))?, r#type)
    }

    /// A constant of a floating-point type.
    pub fn real(&self, r#type: Type<'c>, value: f64) -> Result<Value<'c, 'a>, Failure> {
        let attribute = attributes::typed_real(self.context(), r#type, value);
        self.constant(attribute.ok_or_else(|| no_constant(r#type))?, r#type)
    }

    /// A constant of type `i1`.
    pub fn boolean(&self, value: bool) -> Result<Value<'c, 'a>, Failure> {
        self.constant(attributes::boolean(self.context(), value), types::integer(self.context(), 1))
    }

    /// The sum of an index and a constant.
    pub fn index_plus(&self, index: Value<'c, 'a>, offset: i64) -> Result<Value<'c, 'a>, Failure> {
        if offset == 0 {
            return Ok(index);
        }
        arith::addi(self, index, self.index(offset)?)
    }

    /// A vector that has the value in all lanes; for one lane, the value.
    pub fn broadcast(&self, value: Value<'c, 'a>, width: impl Into<Width>) -> Result<Value<'c, 'a>, Failure> {
        let width = width.into();
        if width == Width::ONE || value.r#type().is_vector() {
            return Ok(value);
        }
        vector::broadcast(self, value, types::lanes(value.r#type(), width))
    }

    /// `scf.for` from 0 up to `end`, with values carried from one iteration to the next. The body gets a builder, the index
    /// and the carried values, and gives the next ones; it may fail with an error of its own kind.
    pub fn count<E: From<Failure>>(
        &self,
        end: i64,
        step: i64,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(Self, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, E>,
    ) -> Result<Vec<Value<'c, 'a>>, E> {
        self.count_between([self.index(0)?, self.index(end)?], step, carried, body)
    }

    /// The same between two values.
    pub fn count_between<E: From<Failure>>(
        &self,
        range: [Value<'c, 'a>; 2],
        step: i64,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(Self, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, E>,
    ) -> Result<Vec<Value<'c, 'a>>, E> {
        self.count_by(range, self.index(step)?, carried, body)
    }

    /// The same by steps of a value.
    pub fn count_by<E: From<Failure>>(
        &self,
        [from, to]: [Value<'c, 'a>; 2],
        step: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(Self, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, E>,
    ) -> Result<Vec<Value<'c, 'a>>, E> {
        let built = scf::r#for(self, [from, to, step], carried)?;
        let next = body(built.body, built.index, &built.carried)?;
        scf::r#yield(&built.body, &next)?;
        Ok(built.operation.result_values())
    }
}

fn no_constant(r#type: Type<'_>) -> Failure {
    Failure::new(format!("there are no constants of type {type}"))
}
