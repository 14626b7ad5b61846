//! Values with half the bits: by what saturates, where they were limited, and shifts where they were shifted.

use super::{Apart, Lanes};
use crate::Error;
use crate::nest::computation::{Instruction, Ref};
use crate::nest::element::Element;
use crate::nest::op::Op;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith;

/// The greatest shifts of instructions that narrow words and halves.
const MOST_SHIFTS: [i64; 2] = [15, 7];

/// A value that is limited.
#[derive(Clone, Copy)]
struct Limited {
    inside: Ref,
    least: i64,
    most: i64,
}

/// A value that is shifted right: rounded, where half of a step is added before, or else rounded down.
#[derive(Clone, Copy)]
struct Shifted {
    inside: Ref,
    by: i64,
    rounds: bool,
}

impl<'c: 'a, 'a> Apart<'_, 'c, 'a> {
    /// A value in fewer bits, half as many each time.
    pub(super) fn narrowed(&self, instruction: &Instruction) -> Result<Lanes<'c, 'a>, Error> {
        let (Some(&source), Some(&Element::Integer(bits))) =
            (instruction.operands.first(), instruction.results.first())
        else {
            return Err(Error::malformed("a conversion of nothing"));
        };
        let from = match self.computation.type_of(source) {
            Some(Element::Integer(from)) => from,
            _ => return Err(Error::malformed("a conversion of no integer")),
        };
        if let Lanes::Same(value) = self.lookup(source)? {
            return Ok(Lanes::Same(self.scalar().computed(instruction, &[value])?));
        }
        if let Some(limited) = self.limited(source).filter(|it| from <= 32 && has_limits(it, bits)) {
            return Ok(Lanes::Parts(self.saturated(limited, from, bits)?));
        }
        let parts = self.parts(source, self.form.count(from) as usize)?;
        Ok(Lanes::Parts(self.shortened(parts, from, bits)?))
    }

    /// The lowest bits of values.
    pub(super) fn shortened(
        &self,
        mut parts: Vec<Value<'c, 'a>>,
        mut from: u32,
        bits: u32,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        while from > bits {
            let name = if from == 32 { "vshufeh" } else { "vshuffeb" };
            parts = self.halves(name, &parts, None, from)?;
            from /= 2;
        }
        Ok(parts)
    }

    /// Two vectors each become one of half the bits; one alone, what has each of its numbers twice.
    fn halves(
        &self,
        name: &str,
        parts: &[Value<'c, 'a>],
        shift: Option<i64>,
        width: u32,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (half, count) = (parts.len() / 2, parts.len().div_ceil(2));
        let one = |part: usize| {
            let mut operands = vec![parts[part + half], parts[part]];
            operands.extend(shift.map(|shift| self.number(shift)).transpose()?);
            self.of_bits(self.call(name, &operands, 1)?, i64::from(width / 2))
        };
        (0..count).map(one).collect()
    }

    /// A limited value in fewer bits, which have its limits.
    fn saturated(&self, limited: Limited, from: u32, bits: u32) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (inside, mut parts) = match from {
            32 => (None, self.as_halves(limited.inside)?),
            _ => (Some(limited.inside), Vec::new()),
        };
        if bits == 16 {
            return self.within(parts, limited, (i64::from(i16::MIN), i64::from(i16::MAX)), 16);
        }
        let shifted = inside.and_then(|inside| self.shifted(inside, 16));
        if let Some(inside) = inside {
            parts = self.parts(shifted.map_or(inside, |shifted| shifted.inside), self.form.count(16) as usize)?;
        }
        let (by, rounds) = shifted.map_or((0, false), |shifted| (shifted.by, shifted.rounds));
        let is_signed = limited.least < 0;
        let name = match (is_signed, rounds) {
            (false, _) if by == 0 => "vsathub",
            (false, true) => "vasrhubrndsat",
            (false, false) => "vasrhubsat",
            (true, true) => "vasrhbrndsat",
            (true, false) => "vasrhbsat",
        };
        let parts = self.halves(name, &parts, (is_signed || by > 0).then_some(by), 16)?;
        let all = if is_signed { (i64::from(i8::MIN), i64::from(i8::MAX)) } else { (0, i64::from(u8::MAX)) };
        self.within(parts, limited, all, 8)
    }

    /// Limits what is saturated already, where its limits are closer.
    fn within(
        &self,
        parts: Vec<Value<'c, 'a>>,
        limited: Limited,
        (least, most): (i64, i64),
        bits: i64,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let builder = &self.builder;
        let lanes = super::BITS / bits;
        let limit = |number: i64| {
            let kind = skriptnd_mlir::ir::types::integer(builder.context(), bits.unsigned_abs() as u32);
            builder.broadcast(builder.integer(kind, number)?, lanes)
        };
        let one = |mut value: Value<'c, 'a>| {
            if limited.least > least {
                let limit = limit(limited.least)?;
                value =
                    if least < 0 { arith::maxsi(builder, value, limit) } else { arith::maxui(builder, value, limit) }?;
            }
            if limited.most < most {
                let limit = limit(limited.most)?;
                value =
                    if least < 0 { arith::minsi(builder, value, limit) } else { arith::minui(builder, value, limit) }?;
            }
            Ok(value)
        };
        parts.into_iter().map(one).collect()
    }

    /// Words as saturated halves; what is added to them is added to these.
    fn as_halves(&self, value: Ref) -> Result<Vec<Value<'c, 'a>>, Error> {
        let sum = self.made(value).filter(|made| made.op == Op::AddI);
        let added = sum.and_then(|sum| {
            let number = self.known.whole(sum.operands[1]).filter(|number| i16::try_from(*number).is_ok())?;
            Some((self.shifted(sum.operands[0], 32)?, number))
        });
        let shifted = added.map(|(shifted, _)| shifted).or_else(|| self.shifted(value, 32));
        let Some(shifted) = shifted else {
            return self.halves("vsatwh", &self.parts(value, self.form.count(32) as usize)?, None, 32);
        };
        let (words, more) = self.words(shifted.inside)?;
        let name = if shifted.rounds { "vasrwhrndsat" } else { "vasrwhsat" };
        let parts = self.halves(name, &words, Some(shifted.by + more), 32)?;
        let Some((_, number)) = added.filter(|(_, number)| *number != 0) else { return Ok(parts) };
        let half = skriptnd_mlir::ir::types::integer(self.builder.context(), 16);
        let number = self.builder.broadcast(self.builder.integer(half, number)?, super::BITS / 16)?;
        parts.iter().map(|part| self.of_bits(self.call("vaddhsat", &[*part, number], 1)?, 16)).collect()
    }

    /// The vectors of words, and by how many bits more they are to be shifted: of upper words of products one bit is left.
    fn words(&self, value: Ref) -> Result<(Vec<Value<'c, 'a>>, i64), Error> {
        let count = self.form.count(32) as usize;
        let product = match value {
            Ref::Result(number, 1) => self.computation.instructions.get(number),
            _ => None,
        };
        let is_doubled = |product: &&Instruction| product.op == Op::MulSIExtended && self.known.is_doubled(product);
        let Some(product) = product.filter(is_doubled) else {
            return Ok((self.parts(value, count)?, 0));
        };
        let [left, right] = [0, 1].map(|place| self.parts(product.operands[place], count));
        let pairs = left?.into_iter().zip(right?);
        let words = pairs.map(|(left, right)| self.doubled_upper(left, right)).collect::<Result<_, Error>>()?;
        Ok((words, 1))
    }

    fn limited(&self, value: Ref) -> Option<Limited> {
        let limit = |value: Ref, op: Op| {
            let made = self.made(value).filter(|made| made.op == op)?;
            Some((made.operands[0], self.known.whole(made.operands[1])?))
        };
        let found = limit(value, Op::MinSI)
            .and_then(|(inner, most)| limit(inner, Op::MaxSI).map(|(inside, least)| Limited { inside, least, most }));
        let turned = || {
            limit(value, Op::MaxSI).and_then(|(inner, least)| {
                limit(inner, Op::MinSI).map(|(inside, most)| Limited { inside, least, most })
            })
        };
        found.or_else(turned).filter(|limited| limited.least <= limited.most)
    }

    /// What a value of so many bits is shifted from, where instructions shift so far.
    fn shifted(&self, value: Ref, bits: u32) -> Option<Shifted> {
        let made = self.made(value).filter(|made| made.op == Op::ShRSI)?;
        let by = self.known.whole(made.operands[1])?;
        let rounded = self
            .made(made.operands[0])
            .filter(|sum| sum.op == Op::AddI)
            .filter(|sum| by > 0 && self.known.whole(sum.operands[1]) == Some(1 << (by - 1)) && bits == 32);
        let (inside, rounds) = rounded.map_or((made.operands[0], false), |sum| (sum.operands[0], true));
        let most = MOST_SHIFTS[usize::from(bits == 16)];
        let more = i64::from(matches!(inside, Ref::Result(_, 1)));
        (0..=most - more).contains(&by).then_some(Shifted { inside, by, rounds })
    }
}

/// Whether so many bits have the limits of a value, with a sign or without.
fn has_limits(limited: &Limited, bits: u32) -> bool {
    let Limited { least, most, .. } = *limited;
    match bits {
        8 => least >= 0 && most <= u8::MAX.into() || least >= i8::MIN.into() && most <= i8::MAX.into(),
        16 => least >= i16::MIN.into() && most <= i16::MAX.into(),
        _ => false,
    }
}
