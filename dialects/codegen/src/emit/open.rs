//! Loops over dimensions whose extents only a run knows.

use super::kernel::{Kernel, Tile};
use crate::Error;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The same where only the run knows the end: loops over parts that are half as long each time, one behind the other.
    pub(super) fn open_parts(
        &mut self,
        inner: &[usize],
        dim: usize,
        (end, length): (Value<'c, 'a>, i64),
        tile: &Tile<'c, 'a>,
        set: impl Fn(&mut Tile<'c, 'a>, i64),
    ) -> Result<(), Error> {
        let mut start = self.builder.index(0)?;
        for length in self.lengths(dim, length) {
            let full = self.full(start, end, length)?;
            let Kernel { group, schedule, values, ends, fused, .. } = *self;
            self.builder.count_between::<Error>([start, full], length, &[], |builder, index, _| {
                let mut part = tile.clone();
                set(&mut part, length);
                part.base[dim] = index;
                Kernel { group, schedule, builder, values, ends, fused }.loops(inner, part)?;
                Ok(Vec::new())
            })?;
            start = full;
        }
        Ok(())
    }

    /// How long the parts of a dimension are: the last ones are single elements.
    fn lengths(&self, dim: usize, length: i64) -> Vec<i64> {
        let mut lengths = vec![length];
        if Some(dim) == self.schedule.vector {
            // Vectors of a tile, one vector, elements: shorter vectors would not be worth their code.
            lengths.extend([self.schedule.lanes, 1].into_iter().filter(|&shorter| shorter < length));
            lengths.dedup();
            return lengths;
        }
        while let Some(&last) = lengths.last().filter(|&&last| last > 1) {
            lengths.push(last / 2);
        }
        lengths
    }

    /// The end of the last full part from `start` on.
    fn full(&self, start: Value<'c, 'a>, end: Value<'c, 'a>, length: i64) -> Result<Value<'c, 'a>, Error> {
        if length == 1 {
            return Ok(end);
        }
        let length = self.builder.index(length)?;
        let count = arith::divui(&self.builder, arith::subi(&self.builder, end, start)?, length)?;
        Ok(arith::addi(&self.builder, start, arith::muli(&self.builder, count, length)?)?)
    }

    /// A loop over a whole dimension.
    pub(super) fn over(
        &self,
        dim: usize,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(Builder<'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Error>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let end = match self.ends[dim] {
            Some(end) => end,
            None => self.builder.index(self.group.extents[dim])?,
        };
        self.builder.count_between([self.builder.index(0)?, end], 1, carried, body)
    }
}
