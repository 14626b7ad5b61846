//! Why elements are computed one after the other: what the search of a schedule knows of it.

use super::access::Step;
use super::element::Element;
use super::legal::vectorized;
use super::schedule::{Tail, Vectors};
use super::search::no_word;
use super::space::Space;
use crate::target::{Isa, Target};
use std::fmt;

/// Why a space has no vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The code is for a processor without vectors.
    NoVectors,
    /// The instruction set has no vectors of such elements.
    Elements(Element, Isa),
    /// There is one element.
    Single,
    /// Data say where elements are read.
    Gathered,
    /// No form that is legal has them.
    Illegal(String),
    /// They are legal, and expected to take longer.
    Slower,
}

impl Reason {
    /// That of a space for which a schedule without vectors was chosen.
    pub fn of(space: &Space, target: &Target) -> Reason {
        let lanes = target.isa.lanes();
        if lanes < 2 {
            return Reason::NoVectors;
        }
        if let Some(element) = no_word(space).filter(|_| target.isa.only_words) {
            return Reason::Elements(element, target.isa);
        }
        let near = |dim: &usize| space.output.1.steps[*dim] == Step::Linear(1) && !space.dims[*dim].is_shared;
        let longest = || (0..space.dims.len()).max_by_key(|&dim| space.dims[dim].extent);
        let Some(dim) = (0..space.dims.len()).find(near).or_else(longest) else { return Reason::Single };
        let vectors = Vectors { dim, lanes, tile: lanes, is_scalable: false, tail: Tail::Split };
        match vectorized(space, vectors, None, None) {
            Err(_) if space.fetches() => Reason::Gathered,
            Err(illegal) => Reason::Illegal(illegal.reason),
            Ok(()) => Reason::Slower,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoVectors => f.write_str("the code is for a processor without vectors"),
            Reason::Elements(element, isa) if element.is_real() => {
                write!(f, "{element}: {}'s floats are not used", isa.name.to_uppercase())
            }
            Reason::Elements(element, isa) => {
                let bits = 8 * element.bytes();
                write!(f, "{bits}-bit integers: {}'s have at most 32 bits", isa.name.to_uppercase())
            }
            Reason::Single => f.write_str("it is one element"),
            Reason::Gathered => f.write_str("gathered: data say where elements are read"),
            Reason::Illegal(reason) => f.write_str(reason),
            Reason::Slower => f.write_str("vectors are not expected to take less time"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::plain;

    fn hexagon(cpu: &str) -> Target {
        Target::named(Some(skriptnd_hexagon::target::TRIPLE), Some(cpu))
    }

    #[test]
    fn reals_have_no_vectors_where_only_words_have() {
        let space = plain::product(4, 64, 64);
        let told = |cpu: &str| Reason::of(&space, &hexagon(cpu)).to_string();
        assert_eq!(told("hexagonv67+hvxv67+hvx-length128b"), "f32: HVX's floats are not used");
        assert_eq!(told("hexagonv67"), "the code is for a processor without vectors");
    }

    #[test]
    fn wide_integers_are_named_by_their_bits() {
        let isa = hexagon("hexagonv67+hvxv67+hvx-length128b").isa;
        let told = |element| Reason::Elements(element, isa).to_string();
        assert_eq!(told(Element::Integer(64)), "64-bit integers: HVX's have at most 32 bits");
        assert_eq!(told(Element::Real(16)), "f16: HVX's floats are not used");
    }
}
