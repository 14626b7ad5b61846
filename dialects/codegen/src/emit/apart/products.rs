//! Products of bytes with bytes that are known.

use super::{Apart, Lanes};
use crate::Error;
use crate::nest::computation::{Instruction, Ref};
use crate::nest::element::Element;
use crate::nest::op::Op;
use skriptnd_mlir::ir::Value;

/// A byte without a sign, and by what it is multiplied.
type Product = (Ref, i64);

/// A sum of the upper byte of a number, of products, and of a known byte.
struct Carried {
    from: Ref,
    products: (Product, Option<Product>),
    known: i64,
}

impl<'c: 'a, 'a> Apart<'_, 'c, 'a> {
    /// A sum in 16 bits of products of one or two bytes with known ones, and of another value.
    pub(super) fn sum_of_products(&self, sum: &Instruction) -> Result<Option<Lanes<'c, 'a>>, Error> {
        if sum.results != [Element::Integer(16)] || self.form.count(16) != 2 {
            return Ok(None);
        }
        let (left, right) = (sum.operands[0], sum.operands[1]);
        if let Some(carried) = self.carried(sum) {
            return self.added_carry(carried).map(Some);
        }
        if let (Some(first), Some(second)) = (self.product(left), self.product(right)) {
            return self.added(None, first, Some(second)).map(Some);
        }
        for (products, other) in [(right, left), (left, right)] {
            if let Some((first, second)) = self.products(products) {
                return self.added(Some(other), first, second).map(Some);
            }
        }
        Ok(None)
    }

    /// The upper byte of a number, products, and a known byte that are added.
    fn carried(&self, sum: &Instruction) -> Option<Carried> {
        let known = |value: Ref| self.known.whole(value).filter(|known| u8::try_from(*known).is_ok());
        let [left, right] = [sum.operands[0], sum.operands[1]];
        let (inner, known) = match (known(left), known(right)) {
            (_, Some(known)) => (self.made(left).filter(|made| made.op == Op::AddI)?, known),
            (Some(known), _) => (self.made(right).filter(|made| made.op == Op::AddI)?, known),
            _ => (sum, 0),
        };
        let of = |upper: Ref, products: Ref| {
            let upper = self.made(upper).filter(|made| made.op == Op::ShRUI)?;
            let is_byte = self.known.whole(upper.operands[1]) == Some(8);
            is_byte.then_some(Carried { from: upper.operands[0], products: self.products(products)?, known })
        };
        of(inner.operands[0], inner.operands[1]).or_else(|| of(inner.operands[1], inner.operands[0]))
    }

    /// Upper bytes are vectors of bytes again, which are added to numbers of 16 bits two at a time.
    fn added_carry(&self, carried: Carried) -> Result<Lanes<'c, 'a>, Error> {
        let from = self.parts(carried.from, 2)?;
        let upper = self.call("vshuffob", &[from[1], from[0]], 1)?;
        let known = self.number(carried.known * 0x0101_0101)?;
        let known = self.builder.broadcast(known, super::WORDS)?;
        let (first, second) = carried.products;
        let products = self.added_pair(None, first, second)?;
        let sum = self.call("vaddubh.acc", &[products, upper, known], 2)?;
        Ok(Lanes::Parts(self.pair(sum, 16)?.to_vec()))
    }

    /// One or two products of which a value is the sum.
    fn products(&self, value: Ref) -> Option<(Product, Option<Product>)> {
        let sum = self.made(value).filter(|made| made.op == Op::AddI && self.computation.uses(value) == 1);
        let both = sum.and_then(|sum| Some((self.product(sum.operands[0])?, self.product(sum.operands[1])?)));
        both.map(|(first, second)| (first, Some(second))).or_else(|| Some((self.product(value)?, None)))
    }

    fn product(&self, value: Ref) -> Option<Product> {
        let product = self.made(value).filter(|made| made.op == Op::MulI)?;
        let of = |factor: Ref, known: Ref| {
            let known = self.known.whole(known).filter(|known| i8::try_from(*known).is_ok())?;
            let extension = self.made(factor).filter(|made| made.op == Op::ExtUI)?;
            let byte = *extension.operands.first()?;
            let is_byte = self.computation.type_of(byte) == Some(Element::Integer(8));
            is_byte.then_some((byte, known))
        };
        of(product.operands[0], product.operands[1]).or_else(|| of(product.operands[1], product.operands[0]))
    }

    fn added(&self, other: Option<Ref>, first: Product, second: Option<Product>) -> Result<Lanes<'c, 'a>, Error> {
        Ok(Lanes::Parts(self.pair(self.added_pair(other, first, second)?, 16)?.to_vec()))
    }

    fn added_pair(&self, other: Option<Ref>, first: Product, second: Option<Product>) -> Result<Value<'c, 'a>, Error> {
        let byte = |product: Product| Ok::<_, Error>(self.parts(product.0, 1)?[0]);
        let bytes = |numbers: [i64; 4]| self.number(i64::from(i32::from_le_bytes(numbers.map(|number| number as u8))));
        let (name, factor, known) = match second {
            Some(second) => {
                let pair = self.paired([byte(first)?, byte(second)?])?;
                ("vmpabus", pair, bytes([first.1, second.1, first.1, second.1])?)
            }
            None => ("vmpybus", byte(first)?, bytes([first.1; 4])?),
        };
        match other {
            Some(other) => {
                let other = self.parts(other, 2)?;
                self.call(&format!("{name}.acc"), &[self.paired([other[0], other[1]])?, factor, known], 2)
            }
            None => self.call(name, &[factor, known], 2),
        }
    }
}
