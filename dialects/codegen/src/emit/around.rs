//! Loops around several nests of a kernel, which are computed one behind the other in each of their iterations: for an index of a
//! dimension, or for a block of them, the last of which may be shorter.

use super::kernel::{Extent, Kernel};
use super::span::{Cut, Span};
use crate::Error;
use crate::nest::space::Block;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::scf;

/// The nests of a kernel with the loops around them, from some of these inwards.
#[derive(Clone, Copy)]
pub struct Around<'n, 'k, 'c, 'a> {
    /// The nests.
    pub kernels: &'n [Kernel<'k, 'c, 'a>],
    /// Where operations go.
    pub builder: Builder<'c, 'a>,
    /// The part of the parallel loops from here inwards that is done, where it is not all.
    pub span: Option<Span<'c, 'a>>,
}

impl<'c: 'a, 'a> Around<'_, '_, 'c, 'a> {
    /// Emits the loops within those that have these indices.
    pub fn emit(self, outer: &[Value<'c, 'a>]) -> Result<(), Error> {
        let Some(first) = self.kernels.first() else { return Ok(()) };
        let (dim, space, first) = (outer.len(), &first.nest.space, first.at(self.builder));
        if dim == space.shared() {
            return self.nests(outer, None);
        }
        let end = first.end(dim)?;
        let cut = first.cut_along(dim, self.span)?;
        let all = || Ok([self.builder.index(0)?, end]);
        let range = cut.as_ref().map_or_else(all, |cut| cut.elements(self.builder, end))?;
        match space.block.filter(|_| dim + 1 == space.shared()) {
            None => self.each((outer, cut), range, 1),
            Some(block) if block.within.is_none() => self.each((outer, cut), range, block.size),
            Some(block) => {
                let full = first.full(self.builder.index(0)?, end, block.size)?;
                let whole = arith::minsi(&self.builder, range[1], full)?;
                self.each((outer, cut), [range[0], whole], block.size)?;
                self.rest(outer, block, [full, range[1]])
            }
        }
    }

    /// A loop over indices that are a step apart.
    fn each(
        self,
        (outer, cut): (&[Value<'c, 'a>], Option<Cut<'c, 'a>>),
        range: [Value<'c, 'a>; 2],
        step: i64,
    ) -> Result<(), Error> {
        self.builder.count_between::<Error>(range, step, &[], |builder, index, _| {
            let span = cut.as_ref().map_or(Ok(self.span), |cut| cut.within(builder, index))?;
            Around { builder, span, ..self }.emit(&[outer, &[index]].concat())?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The last block, which is shorter, if the range goes as far.
    fn rest(self, outer: &[Value<'c, 'a>], block: Block, [start, end]: [Value<'c, 'a>; 2]) -> Result<(), Error> {
        let reaches = arith::cmpi(&self.builder, IntegerPredicate::Sgt, end, start)?;
        let branch = scf::r#if(&self.builder, reaches, &[])?;
        let dim = outer.len();
        let known = self.kernels.first().map(|first| first.nest.space.dims[dim]).filter(|known| !known.is_open);
        let count = match known {
            Some(known) => Extent::Known(known.extent % block.size),
            None => Extent::Open(arith::subi(&branch.then, end, start)?),
        };
        let around = Around { builder: branch.then, span: None, ..self };
        around.nests(&[outer, &[start]].concat(), Some(count))?;
        scf::r#yield(&branch.then, &[])?;
        Ok(scf::r#yield(&branch.otherwise, &[])?)
    }

    /// The nests, for so many indices of a block where it is not whole.
    fn nests(self, shared: &[Value<'c, 'a>], count: Option<Extent<'c, 'a>>) -> Result<(), Error> {
        self.kernels.iter().try_for_each(|kernel| kernel.at(self.builder).emit((shared, count), self.span))
    }
}
