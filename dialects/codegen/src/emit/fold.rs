//! The lanes of vectors become one number.

use super::body::combined;
use super::kernel::Kernel;
use crate::Error;
use crate::nest::computation::Combiner;
use crate::nest::op::Op;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::vector::{self, CombiningKind};

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Combines a number with all lanes of some vectors, whose lengths are powers of two: vectors of one length in pairs, then
    /// the halves of what is left with each other and with shorter vectors, so that few steps wait for others.
    pub(super) fn fold(
        self,
        combiner: Combiner,
        start: Value<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let combine = |pair: &[Value<'c, 'a>]| match *pair {
            [left, right] => combined(self.builder, combiner.op, [left, right], self.any_zero),
            _ => pair.first().copied().ok_or_else(|| Error::malformed("a sum of nothing")),
        };
        let (scalable, mut values): (Vec<_>, Vec<_>) = values.iter().copied().partition(|value| is_scalable(*value));
        if let Some(sum) = in_pairs(scalable, combine)? {
            values.push(vector::reduction(&self.builder, kind(combiner.op)?, sum, start.r#type())?);
        }
        let mut width = values.iter().map(|value| lanes(*value)).max().unwrap_or(1);
        let mut wide = Vec::new();
        loop {
            wide.extend(values.iter().copied().filter(|value| lanes(*value) == width));
            let sum = in_pairs(wide, combine)?;
            if width <= 1 {
                return sum.map_or(Ok(start), |sum| combine(&[start, sum]));
            }
            width /= 2;
            if let Some(sum) =
                sum.filter(|_| self.target.isa.only_whole && values.iter().all(|own| lanes(*own) > width))
            {
                let all = lanes(sum);
                let turned = self.turned(sum, (all, all), combine)?;
                return combine(&[start, vector::extract(&self.builder, turned, 0)?]);
            }
            wide = sum.map_or(Ok(Vec::new()), |sum| self.halves(sum, width).map(Vec::from))?;
        }
    }

    /// The same for several rows at once where vectors stay whole, a power of 2 of them with as many lanes each: halves of two
    /// vectors lie in one then, so that each step combines half as many vectors as the one before. None for others.
    pub(super) fn fold_together(
        self,
        combiner: Combiner,
        starts: &[Value<'c, 'a>],
        rows: &[Vec<Value<'c, 'a>>],
    ) -> Result<Option<Vec<Value<'c, 'a>>>, Error> {
        let combine = |pair: &[Value<'c, 'a>]| match *pair {
            [left, right] => combined(self.builder, combiner.op, [left, right], self.any_zero),
            _ => pair.first().copied().ok_or_else(|| Error::malformed("a sum of nothing")),
        };
        let all = rows.iter().flatten().map(|value| lanes(*value)).max().unwrap_or(1);
        let is_even = rows.len() > 1 && rows.len().is_power_of_two() && all >= rows.len() as i64;
        if !self.target.isa.only_whole || !is_even || rows.iter().flatten().any(|value| lanes(*value) != all) {
            return Ok(None);
        }
        let vectors = rows.iter().map(|row| in_pairs(row.clone(), combine));
        let Some(mut vectors) = vectors.collect::<Result<Option<Vec<_>>, Error>>()? else { return Ok(None) };
        let mut width = all;
        while vectors.len() > 1 {
            // Lanes of a row lie in blocks of `width`, those of the rows that share a vector one behind the other.
            width /= 2;
            let half = |first: i64| -> Vec<i64> {
                let of = |base: i64| (0..all / 2).map(move |lane| base + lane / width * 2 * width + lane % width);
                of(first).chain(of(all + first)).collect()
            };
            let pairs = vectors.chunks(2).map(|pair| {
                let [lower, upper] =
                    [half(0), half(width)].map(|order| vector::shuffle(&self.builder, [pair[0], pair[1]], &order));
                combine(&[lower?, upper?])
            });
            vectors = pairs.collect::<Result<_, Error>>()?;
        }
        let Some(&sum) = vectors.first() else { return Ok(None) };
        let sum = self.turned(sum, (all, width), combine)?;
        let of_rows = starts.iter().enumerate().map(|(row, start)| {
            let own = vector::extract(&self.builder, sum, row as i64 * width)?;
            combine(&[*start, own])
        });
        Ok(Some(of_rows.collect::<Result<_, Error>>()?))
    }

    /// The lanes of each block of `width` lanes combined in the block's first one, by turning the vector by half of what is left each
    /// time: it stays whole.
    fn turned(
        self,
        mut value: Value<'c, 'a>,
        (all, width): (i64, i64),
        combine: impl Fn(&[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error>,
    ) -> Result<Value<'c, 'a>, Error> {
        let mut turn = width / 2;
        while turn > 0 {
            let order: Vec<i64> = (0..all).map(|lane| (lane + turn) % all).collect();
            value = combine(&[value, vector::shuffle(&self.builder, [value, value], &order)?])?;
            turn /= 2;
        }
        Ok(value)
    }

    fn halves(self, value: Value<'c, 'a>, width: i64) -> Result<[Value<'c, 'a>; 2], Error> {
        let builder = &self.builder;
        Ok(match width {
            1 => [vector::extract(builder, value, 0)?, vector::extract(builder, value, 1)?],
            _ => [vector::slice(builder, value, 0, width)?, vector::slice(builder, value, width, width)?],
        })
    }
}

/// How `vector.reduction` combines lanes by an operation.
fn kind(op: Op) -> Result<CombiningKind, Error> {
    Ok(match op {
        Op::AddF | Op::AddI => CombiningKind::Add,
        Op::MulF | Op::MulI => CombiningKind::Mul,
        Op::MaximumF => CombiningKind::Maximumf,
        Op::MinimumF => CombiningKind::Minimumf,
        Op::MaxNumF | Op::GreaterF => CombiningKind::Maxnumf,
        Op::MinNumF => CombiningKind::Minnumf,
        Op::MaxSI => CombiningKind::Maxsi,
        Op::MinSI => CombiningKind::Minsi,
        Op::MaxUI => CombiningKind::Maxui,
        Op::MinUI => CombiningKind::Minui,
        Op::AndI => CombiningKind::And,
        Op::OrI => CombiningKind::Or,
        Op::XOrI => CombiningKind::Xor,
        other => return Err(Error::malformed(format!("lanes combined by `{other}`"))),
    })
}

/// All values combined, two and two.
fn in_pairs<'c, 'a>(
    mut values: Vec<Value<'c, 'a>>,
    combine: impl Fn(&[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error>,
) -> Result<Option<Value<'c, 'a>>, Error> {
    while values.len() > 1 {
        values = values.chunks(2).map(&combine).collect::<Result<_, _>>()?;
    }
    Ok(values.pop())
}

/// Whether only the processor knows how many lanes there are: such vectors have no halves.
fn is_scalable(value: Value<'_, '_>) -> bool {
    let kind = value.r#type();
    kind.is_vector() && types::lanes(types::element(kind), lanes(value)) != kind
}

fn lanes(value: Value<'_, '_>) -> i64 {
    let extent = types::shape(value.r#type()).and_then(|shape| shape.first().copied().flatten());
    extent.filter(|_| value.r#type().is_vector()).and_then(|extent| i64::try_from(extent).ok()).unwrap_or(1)
}
