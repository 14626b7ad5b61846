//! Which convolutions of integers may have Winograd's form: at the points there are 16 bits, and 32 in sums, so that nothing is rounded
//! and nothing is lost.

use super::convolution::Convolution;
use crate::nest::atom::Atom;
use crate::nest::element::{Element, Number};
use crate::target::Target;
use crate::values::range::Ranges;

/// How many numbers of an image are added up at a point: two along rows and two along columns.
const OF_IMAGE: f64 = 4.0;
/// How many numbers of a filter, which is taken twice along rows and along columns.
const OF_FILTER: f64 = 9.0;
/// As what numbers at the points are multiplied.
pub const WORD: Number = Number::Signed(16);

/// Whether all numbers of a convolution have their bits in the form, and a target multiplies words as fast as bytes.
pub fn fit(of: &Convolution<'_, '_>, ranges: &Ranges, target: &Target) -> bool {
    let most = |number: usize, value, count: f64| count * ranges.get(value).stored_as(of.numbers[number]).magnitude();
    let (image, filter) = (most(0, of.image, OF_IMAGE), most(1, of.filter, OF_FILTER));
    let sums = image * filter * of.inputs as f64;
    let atom = |numbers| Atom::best(target, numbers, Element::Integer(32)).map(|atom| atom.group);
    let [words, bytes] = [[WORD; 2], [Number::Unsigned(8), Number::Signed(8)]].map(atom);
    image.max(filter) <= f64::from(i16::MAX) && sums <= f64::from(i32::MAX) && words.is_some() && bytes <= words
}
