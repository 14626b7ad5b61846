//! Elements of tables: an instruction finds those of 32 bytes. Longer ones are so many tables of bytes.

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
/// Bits of a byte.
const BYTE: u32 = 8;
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
        let bits = types::width(types::element(memory.r#type())).unwrap_or(BYTE);
        let of_plane = |plane: u32| self.found_bytes(places, (memory, plane * BYTE), count);
        let planes = (0..bits / BYTE).map(of_plane).collect::<Result<Vec<_>, Error>>()?;
        Ok(Lanes::Parts(self.joined_planes(planes)?))
    }

    /// The bytes of elements from a bit on.
    fn found_bytes(
        &self,
        places: Value<'c, 'a>,
        plane: (Value<'c, 'a>, u32),
        count: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let parts = (0..count).step_by(BYTES as usize).map(|first| self.table(plane, first, count - first));
        let parts = parts.collect::<Result<Vec<_>, Error>>()?;
        let mut found = None;
        for part in 0..(count + LOOKED_AT - 1) / LOOKED_AT {
            let (table, number) = (parts[(part * LOOKED_AT / BYTES) as usize], self.number(part)?);
            found = Some(match found {
                None => self.call("vlutvvbi", &[places, table, number], 1)?,
                Some(found) => self.call("vlutvvb.oracci", &[found, places, table, number], 1)?,
            });
        }
        self.of_bits(found.ok_or_else(|| Error::malformed("a fetch from no table"))?, BYTE.into())
    }

    /// The elements whose bytes these are, the lowest first. Of two values with half the bits, what has even numbers comes before what has odd ones.
    fn joined_planes(&self, planes: Vec<Value<'c, 'a>>) -> Result<Vec<Value<'c, 'a>>, Error> {
        let mut bits = BYTE;
        let mut values: Vec<Vec<_>> = planes.into_iter().map(|plane| vec![plane]).collect();
        while values.len() > 1 {
            bits *= 2;
            let names = if bits == 2 * BYTE { ["vshuffeb", "vshuffob"] } else { ["vshufeh", "vshufoh"] };
            let joined = |pair: &[Vec<Value<'c, 'a>>]| {
                let both = || pair[0].iter().zip(&pair[1]).map(|(low, high)| [*high, *low]);
                let named = names.into_iter().flat_map(|name| both().map(move |both| (name, both)));
                named.map(|(name, both)| self.of_bits(self.call(name, &both, 1)?, bits.into())).collect()
            };
            values = values.chunks(2).map(joined).collect::<Result<_, Error>>()?;
        }
        values.pop().ok_or_else(|| Error::malformed("elements without bytes"))
    }

    /// The bytes from a bit on of the elements of a table, as instructions take them: the second half of a vector between the first.
    fn table(&self, (memory, bit): (Value<'c, 'a>, u32), first: i64, count: i64) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let element = types::element(memory.r#type());
        let place = (memory, builder.index(first)?);
        let elements = match count >= BYTES {
            true => vector::load(builder, place, types::lanes(element, BYTES), None)?,
            false => {
                let mask = vector::create_mask(builder, builder.index(count)?, BYTES)?;
                let zeros = builder.broadcast(builder.integer(element, 0)?, BYTES)?;
                vector::masked_load(builder, place, (mask, zeros), None)?
            }
        };
        let elements = match types::width(element) {
            Some(BYTE) => elements,
            _ => {
                let by = builder.broadcast(builder.integer(element, bit.into())?, BYTES)?;
                let shifted = arith::shrui(builder, elements, by)?;
                arith::trunci(builder, shifted, types::lanes(types::integer(builder.context(), BYTE), BYTES))?
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
            Some((Op::MaxSI, [difference, limit])) if self.has_unsigned_difference(*difference, *limit) => {
                self.unsigned_difference(*difference)
            }
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

    /// Whether a value is the difference of two bytes, and the other one is 0.
    fn has_unsigned_difference(&self, difference: Ref, limit: Ref) -> bool {
        self.known.whole(limit) == Some(0) && self.subtracted(difference).is_some()
    }

    /// What two bytes are of which a value is the difference, and whether they have signs.
    fn subtracted(&self, difference: Ref) -> Option<([Ref; 2], bool)> {
        let made = self.made(difference).filter(|made| made.op == Op::SubI)?;
        let byte = |value: Ref| {
            let extension = self.made(value).filter(|made| matches!(made.op, Op::ExtSI | Op::ExtUI))?;
            let byte = *extension.operands.first()?;
            (self.computation.type_of(byte) == Some(Element::Integer(8))).then_some((byte, extension.op == Op::ExtSI))
        };
        let (left, right) = (byte(made.operands[0])?, byte(made.operands[1])?);
        (left.1 == right.1).then_some(([left.0, right.0], left.1))
    }

    /// By how much a byte is more than another one; 0 where it is less.
    fn unsigned_difference(&self, difference: Ref) -> Result<Lanes<'c, 'a>, Error> {
        let missing = || Error::malformed("a difference of no bytes");
        let (bytes, is_signed) = self.subtracted(difference).ok_or_else(missing)?;
        let byte = types::integer(self.builder.context(), BYTE);
        let unsigned = |value: Ref| {
            let value = self.parts(value, 1)?[0];
            let sign = self.builder.broadcast(self.builder.integer(byte, i8::MIN.into())?, BYTES)?;
            Ok::<_, Error>(if is_signed { arith::xori(&self.builder, value, sign)? } else { value })
        };
        let bytes = [unsigned(bytes[0])?, unsigned(bytes[1])?];
        Ok(Lanes::Parts(vec![self.of_bits(self.call("vsububsat", &bytes, 1)?, BYTE.into())?]))
    }
}
