//! Between which numbers values lie, and which are whole.

use crate::nest::element::Number;
use skriptnd_mlir::ir::{Type, Value, types};
use std::cmp::Ordering;
use std::collections::HashMap;

/// What all numbers of a value, or of the elements of a tensor, are, and whether all of these are numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least; for integers of more than 53 bits it may be less.
    pub least: f64,
    /// The greatest, or more.
    pub most: f64,
    /// Whether the numbers are whole.
    pub is_whole: bool,
    /// Whether nothing of it is not a number.
    pub is_number: bool,
}

impl Range {
    /// That of no values at all.
    pub const NOTHING: Range = Range { least: f64::INFINITY, most: f64::NEG_INFINITY, is_whole: true, is_number: true };

    /// All numbers of a type.
    pub fn of_type(r#type: Type<'_>) -> Range {
        match types::width(r#type).filter(|_| r#type.is_integer()) {
            Some(bits) => {
                let most = 2f64.powi(bits.saturating_sub(1).min(1023) as i32);
                Range { least: -most, most: most - 1.0, ..Range::NOTHING }
            }
            None => {
                let is_whole = r#type.is_index();
                Range { least: f64::NEG_INFINITY, most: f64::INFINITY, is_whole, is_number: is_whole }
            }
        }
    }

    /// One number.
    pub fn one(value: f64) -> Range {
        match value.is_nan() {
            true => Range { is_number: false, ..Range::NOTHING },
            false => Range { least: value, most: value, is_whole: value.fract() == 0.0, is_number: true },
        }
    }

    /// One integer; of more than 53 bits its neighbours that reals of 64 bits have.
    pub fn integer(number: i64) -> Range {
        let near = number as f64;
        // Not zero, where it is asked for.
        let neighbour = |above: bool| {
            let bits = near.to_bits();
            f64::from_bits(if above == (near > 0.0) { bits + 1 } else { bits - 1 })
        };
        let (least, most) = match (near as i128).cmp(&number.into()) {
            Ordering::Less => (near, neighbour(true)),
            Ordering::Equal => (near, near),
            Ordering::Greater => (neighbour(false), near),
        };
        Range { least, most, ..Range::NOTHING }
    }

    /// What is in one of two.
    pub fn hull(self, other: Range) -> Range {
        Range {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            is_whole: self.is_whole && other.is_whole,
            is_number: self.is_number && other.is_number,
        }
    }

    /// What is in both of two that say something of the same numbers.
    pub fn and(self, other: Range) -> Range {
        Range {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
            is_whole: self.is_whole || other.is_whole,
            is_number: self.is_number || other.is_number,
        }
    }

    /// Whether all lie in another.
    pub fn is_in(self, least: f64, most: f64) -> bool {
        self.least >= least && self.most <= most
    }

    /// Whether all are integers of so many bits.
    pub fn fits(self, number: Number) -> bool {
        let power = |bits: u32| 2f64.powi(bits as i32);
        match number {
            Number::Signed(bits @ 1..) => self.is_in(-power(bits - 1), power(bits - 1) - 1.0),
            Number::Unsigned(bits) => self.is_in(0.0, power(bits) - 1.0),
            _ => false,
        }
    }

    /// The numbers that integers of these bits are: elements without a sign are known as if they had one.
    pub fn stored_as(self, number: Number) -> Range {
        match number {
            Number::Unsigned(bits) if self.least < 0.0 => {
                Range { least: 0.0, most: 2f64.powi(bits as i32) - 1.0, ..self }
            }
            _ => self,
        }
    }

    /// Whether these are fewer of an integer type's numbers, or of those of a tensor of integers, than all; not of truth values, which
    /// are 1 or -1 by what extends them.
    pub fn is_of_integer(self, r#type: Type<'_>) -> bool {
        let element = types::element(r#type);
        let all = Range::of_type(element);
        let is_integer = element.is_integer() && !types::is_integer(element, 1);
        is_integer
            && self.least <= self.most
            && self.is_in(all.least, all.most)
            && (self.least, self.most) != (all.least, all.most)
    }

    /// Whether all are finite numbers.
    pub fn is_finite(self) -> bool {
        self.is_number && self.least > f64::NEG_INFINITY && self.most < f64::INFINITY
    }

    /// The greatest magnitude.
    pub fn magnitude(self) -> f64 {
        self.most.max(-self.least).max(0.0)
    }
}

/// The ranges of all values in a function as it was when they were asked for.
#[derive(Debug, Default)]
pub struct Ranges {
    /// By the keys of values; others have that of their type.
    known: HashMap<usize, Range>,
}

impl Ranges {
    /// That of a value.
    pub fn get(&self, value: Value<'_, '_>) -> Range {
        let known = self.known.get(&value.key()).copied();
        known.unwrap_or_else(|| Range::of_type(types::element(value.r#type())))
    }

    /// Notes that of a value.
    pub(super) fn set(&mut self, value: Value<'_, '_>, range: Range) {
        self.known.insert(value.key(), range);
    }
}
