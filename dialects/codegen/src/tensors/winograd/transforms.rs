//! The transforms of Winograd's F(2, 3) and F(4, 3), of which those of images are made, one dimension after the other.
//!
//! A transform is short of operations where its points come in pairs of both signs: what both have in common is computed
//! once. Of integers, which only have F(2, 3), filters are taken twice along each dimension, so that none is rounded.
//!
//! The points of F(4, 3) are 0, 5/8, -5/8, 3/2, -3/2 and infinity: 1, 2 and their negatives would make the error four
//! times as large.

use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value};
use skriptnd_mlir::ops::arith;

/// How many outputs a tile has along a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tile {
    /// F(2, 3)
    Two,
    /// F(4, 3)
    Four,
}

/// The points of F(4, 3) that are neither 0 nor infinity.
const POINTS: [f64; 2] = [0.625, 1.5];

impl Tile {
    /// Outputs along a dimension.
    pub fn outputs(self) -> i64 {
        match self {
            Tile::Two => 2,
            Tile::Four => 4,
        }
    }

    /// Elements that these are computed from, and points.
    pub fn points(self) -> i64 {
        self.outputs() + 2
    }
}

/// Arithmetic on scalars of one type.
pub struct Arithmetic<'b, 'c, 'a> {
    /// Where operations go.
    pub builder: &'b Builder<'c, 'a>,
    /// What is computed with.
    pub r#type: Type<'c>,
}

type Scalar<'c, 'a> = Value<'c, 'a>;
type Scalars<'c, 'a> = Result<Vec<Scalar<'c, 'a>>, Failure>;

impl<'c: 'a, 'a> Arithmetic<'_, 'c, 'a> {
    /// The elements of a tile at the points.
    pub fn input(&self, tile: Tile, d: &[Scalar<'c, 'a>]) -> Scalars<'c, 'a> {
        match (tile, d) {
            (Tile::Two, &[d0, d1, d2, d3]) => {
                Ok(vec![self.minus(d0, d2)?, self.plus(d1, d2)?, self.minus(d2, d1)?, self.minus(d1, d3)?])
            }
            (Tile::Four, &[d0, d1, d2, d3, d4, d5]) => {
                let [a, b] = POINTS;
                let (product, sum) = (a * a * b * b, a * a + b * b);
                let zero = self.add(self.add(d4, d2, -sum)?, d0, product)?;
                let infinity = self.add(self.add(d5, d3, -sum)?, d1, product)?;
                let (even, odd) = (self.add(d4, d2, -b * b)?, self.times(self.add(d3, d1, -b * b)?, a)?);
                let (far, away) = (self.add(d4, d2, -a * a)?, self.times(self.add(d3, d1, -a * a)?, b)?);
                let near = [self.plus(even, odd)?, self.minus(even, odd)?];
                Ok(vec![zero, near[0], near[1], self.plus(far, away)?, self.minus(far, away)?, infinity])
            }
            _ => Err(Failure::new("a tile with another number of elements")),
        }
    }

    /// The three elements of a filter at the points.
    pub fn filter(&self, tile: Tile, g: &[Scalar<'c, 'a>]) -> Scalars<'c, 'a> {
        let &[g0, g1, g2] = g else { return Err(Failure::new("a filter without three elements")) };
        let pair = |point: f64, by: f64| -> Result<_, Failure> {
            let (even, odd) = (self.add(g0, g2, point * point)?, self.times(g1, point)?);
            Ok([self.times(self.plus(even, odd)?, by)?, self.times(self.minus(even, odd)?, by)?])
        };
        Ok(match tile {
            Tile::Two if !self.r#type.is_float() => {
                let even = self.plus(g0, g2)?;
                vec![self.plus(g0, g0)?, self.plus(even, g1)?, self.minus(even, g1)?, self.plus(g2, g2)?]
            }
            Tile::Two => {
                let [one, other] = pair(1.0, 0.5)?;
                vec![g0, one, other, g2]
            }
            Tile::Four => {
                let [a, b] = POINTS.map(|point| point * point);
                let [near, opposite] = pair(POINTS[0], 0.5 / (a * (a - b)))?;
                let [far, away] = pair(POINTS[1], 0.5 / (b * (b - a)))?;
                vec![self.times(g0, 1.0 / (a * b))?, near, opposite, far, away, g2]
            }
        })
    }

    /// The outputs of a tile from products at the points.
    pub fn output(&self, tile: Tile, m: &[Scalar<'c, 'a>]) -> Scalars<'c, 'a> {
        match (tile, m) {
            (Tile::Two, &[m0, m1, m2, m3]) => {
                let (sum, difference) = (self.plus(m1, m2)?, self.minus(m1, m2)?);
                Ok(vec![self.plus(m0, sum)?, self.minus(difference, m3)?])
            }
            (Tile::Four, &[m0, m1, m2, m3, m4, m5]) => {
                let [a, b] = POINTS;
                let (near, far) = (self.plus(m1, m2)?, self.plus(m3, m4)?);
                let (odd, away) = (self.minus(m1, m2)?, self.minus(m3, m4)?);
                let of = |one, other, power: i32| self.add(self.times(one, a.powi(power))?, other, b.powi(power));
                let last = self.plus(of(odd, away, 3)?, m5)?;
                Ok(vec![self.plus(self.plus(m0, near)?, far)?, of(odd, away, 1)?, of(near, far, 2)?, last])
            }
            _ => Err(Failure::new("a tile with another number of products")),
        }
    }

    /// `a + b`
    pub fn plus(&self, a: Scalar<'c, 'a>, b: Scalar<'c, 'a>) -> Result<Scalar<'c, 'a>, Failure> {
        let add = if self.r#type.is_float() { arith::addf } else { arith::addi };
        add(self.builder, a, b)
    }

    fn minus(&self, a: Scalar<'c, 'a>, b: Scalar<'c, 'a>) -> Result<Scalar<'c, 'a>, Failure> {
        let subtract = if self.r#type.is_float() { arith::subf } else { arith::subi };
        subtract(self.builder, a, b)
    }

    fn times(&self, a: Scalar<'c, 'a>, factor: f64) -> Result<Scalar<'c, 'a>, Failure> {
        arith::mulf(self.builder, a, self.builder.real(self.r#type, factor)?)
    }

    /// `a + b * factor`
    fn add(&self, a: Scalar<'c, 'a>, b: Scalar<'c, 'a>, factor: f64) -> Result<Scalar<'c, 'a>, Failure> {
        self.plus(a, self.times(b, factor)?)
    }
}

/// A transform along one dimension.
pub type Transform<'f, 'c, 'a> = &'f dyn Fn(&[Scalar<'c, 'a>]) -> Scalars<'c, 'a>;

/// A transform along both dimensions of a square, whose elements are given row by row; so are its results.
pub fn both<'c: 'a, 'a>(square: &[Scalar<'c, 'a>], transform: Transform<'_, 'c, 'a>) -> Scalars<'c, 'a> {
    let side = square.len().isqrt();
    let columns = (0..side).map(|column| {
        let column: Vec<_> = square.iter().skip(column).step_by(side.max(1)).copied().collect();
        transform(&column)
    });
    let columns = columns.collect::<Result<Vec<_>, Failure>>()?;
    let mut results = Vec::new();
    for row in 0..columns.first().map_or(0, Vec::len) {
        results.extend(transform(&columns.iter().map(|column| column[row]).collect::<Vec<_>>())?);
    }
    Ok(results)
}
