//! Sums of bytes by the atoms that multiply them: products of groups with ones.

use super::kernel::{Kernel, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::atom::{Atom, Factors, Form};
use crate::nest::computation::Combined;
use crate::nest::element::Element;
use crate::nest::rows_of_bytes::summed;
use crate::nest::space::Source;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::{llvm, vector};

/// How a kernel adds up the lanes of vectors of bytes.
#[derive(Clone, Copy)]
pub(super) struct ByteSums {
    atom: &'static Atom,
    /// Lanes of the sums, and the function that adds to them.
    call: (i64, &'static str),
    /// Whether bytes are the second factor.
    is_second: bool,
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The atom that adds up what the kernel does, if it is bytes in vectors of so many lanes along the reduced dimension.
    pub(super) fn byte_sums(self, lanes: i64, combined: Combined) -> Option<ByteSums> {
        let Combined::By(_) = combined else { return None };
        let (_, number) = summed(&self.nest.space)?;
        Atom::grouped_of(self.target).filter(|atom| atom.sum == Element::Integer(32)).find_map(|atom| {
            let vectors = atom.vectors().filter(|_| matches!(atom.form, Form::Accumulate(_)))?;
            let call = *vectors.intrinsics.iter().find(|(sums, _)| sums * atom.group == lanes)?;
            let is_second = match atom.factors {
                [first, _] if first == number => false,
                [_, second] if second == number && vectors.factors != Factors::VectorAndWord => true,
                _ => return None,
            };
            Some(ByteSums { atom, call, is_second })
        })
    }

    /// One iteration: sums with the bytes of all vectors of a tile added, four to each. Masked lanes are zeros.
    pub(super) fn add_all_bytes(
        self,
        sums: &ByteSums,
        tile: &Tile<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some(Source::Memory(operand, access)) = self.nest.space.main.sources.first() else {
            return Err(Error::malformed("sums of no bytes"));
        };
        let (mut loads, mut results) = (Loads::default(), Vec::new());
        for ((row, piece), sum) in self.rows_and_pieces(tile).zip(carried) {
            let bytes = self.load(&mut loads, *operand, access, tile, row, piece)?;
            results.push(self.add_bytes(sums, *sum, bytes)?);
        }
        Ok(results)
    }

    /// Sums with the bytes of a vector added, four to each.
    pub(super) fn add_bytes(
        self,
        sums: &ByteSums,
        sum: Value<'c, 'a>,
        bytes: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (builder, (lanes, name)) = (self.builder, sums.call);
        let (word, ones) = (types::integer(builder.context(), 32), 0x0101_0101);
        let words = types::lanes(word, lanes);
        let taken = sums.atom.vectors().map_or(Factors::Elements, |vectors| vectors.factors);
        let ones = builder.integer(word, ones)?;
        let mut factors = match taken {
            Factors::VectorAndWord => [vector::bitcast(&builder, bytes, words)?, ones],
            Factors::Words | Factors::Elements => {
                [vector::bitcast(&builder, bytes, words)?, builder.broadcast(ones, lanes)?]
            }
        };
        if taken == Factors::Elements {
            for factor in &mut factors {
                *factor = vector::bitcast(&builder, *factor, bytes.r#type())?;
            }
        }
        let [bytes, ones] = factors;
        let [first, second] = if sums.is_second { [ones, bytes] } else { [bytes, ones] };
        Ok(llvm::call_intrinsic(&builder, name, &[sum, first, second], sum.r#type())?)
    }
}

impl ByteSums {
    /// Lanes of the sums.
    pub(super) fn lanes(&self) -> i64 {
        self.call.0
    }
}
