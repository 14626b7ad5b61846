//! Elements of tables of bytes: an instruction finds those of 32 of them.

use super::{Apart, BITS, Lanes};
use crate::Error;
use crate::nest::computation::{Instruction, Ref};
use crate::nest::element::Element;
use crate::nest::op::Op;
use crate::nest::table::table;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::{arith, vector};

/// Bytes of a vector.
const BYTES: i64 = BITS / 8;
/// Elements that an instruction looks at.
const LOOKED_AT: i64 = 32;

impl<'c: 'a, 'a> Apart<'_, 'c, 'a> {
    /// The elements of a table in the places that bytes tell.
    pub(super) fn found(&self, fetch: &Instruction) -> Result<Lanes<'c, 'a>, Error> {
        let missing = || Error::malformed("a fetch from no table");
        let (operand, count) = table(self.known.operands, fetch).ok_or_else(missing)?;
        let memory = self.point.values.flat.get(operand).copied().flatten().ok_or_else(missing)?;
        let places = match self.bytes(fetch.operands[1])? {
            Lanes::Same(place) => self.builder.broadcast(place, BYTES)?,
            Lanes::Parts(parts) => parts[0],
        };
        let parts = (0..count).step_by(BYTES as usize).map(|first| self.table(memory, first, count - first));
        let parts = parts.collect::<Result<Vec<_>, Error>>()?;
        let mut found = None;
        for part in 0..(count + LOOKED_AT - 1) / LOOKED_AT {
            let (table, number) = (parts[(part * LOOKED_AT / BYTES) as usize], self.number(part)?);
            found = Some(match found {
                None => self.call("vlutvvbi", &[places, table, number], 1)?,
                Some(found) => self.call("vlutvvb.oracci", &[found, places, table, number], 1)?,
            });
        }
        let found = found.ok_or_else(missing)?;
        Ok(Lanes::Parts(vec![self.of_bits(found, 8)?]))
    }

    /// The elements of a table from one on, as instructions take them: the second half of a vector between the first.
    fn table(&self, memory: Value<'c, 'a>, first: i64, count: i64) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let byte = types::integer(builder.context(), 8);
        let place = (memory, builder.index(first)?);
        let elements = match count >= BYTES {
            true => vector::load(builder, place, types::lanes(byte, BYTES), None)?,
            false => {
                let mask = vector::create_mask(builder, builder.index(count)?, BYTES)?;
                let zeros = builder.broadcast(builder.integer(byte, 0)?, BYTES)?;
                vector::masked_load(builder, place, (mask, zeros), None)?
            }
        };
        self.of_bits(self.call("vshuffb", &[elements], 1)?, 8)
    }

    /// The lowest bytes of a value.
    fn bytes(&self, value: Ref) -> Result<Lanes<'c, 'a>, Error> {
        let byte = types::integer(self.builder.context(), 8);
        if let Some(number) = self.known.whole(value) {
            return Ok(Lanes::Same(self.builder.integer(byte, (number as i8).into())?));
        }
        let bits = match self.computation.type_of(value) {
            Some(Element::Integer(8)) => return self.lookup(value),
            Some(Element::Integer(bits)) => bits,
            _ => 0,
        };
        let made = self.made(value);
        match made.map(|made| (made.op, &made.operands[..])) {
            Some((Op::ExtSI | Op::ExtUI | Op::IndexCast | Op::TruncI, [source])) => self.bytes(*source),
            Some((op @ (Op::AddI | Op::SubI), [left, right])) => {
                let [left, right] = [self.bytes(*left)?, self.bytes(*right)?];
                let add = if op == Op::AddI { arith::addi } else { arith::subi };
                match (&left, &right) {
                    (Lanes::Same(left), Lanes::Same(right)) => Ok(Lanes::Same(add(&self.builder, *left, *right)?)),
                    _ => {
                        let sum = add(&self.builder, self.spread(left, 1)?[0], self.spread(right, 1)?[0])?;
                        Ok(Lanes::Parts(vec![sum]))
                    }
                }
            }
            _ => match self.lookup(value)? {
                Lanes::Same(value) => Ok(Lanes::Same(arith::trunci(&self.builder, value, byte)?)),
                Lanes::Parts(parts) => Ok(Lanes::Parts(self.shortened(parts, bits, 8)?)),
            },
        }
    }
}
