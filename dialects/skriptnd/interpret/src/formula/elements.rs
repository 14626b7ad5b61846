//! Reading and writing the elements that the lanes of a row have.

use super::rows::lane;
use skriptnd_language::arithmetic;
use skriptnd_syntax::ast::{AssignOp, BinaryOp};

/// Addresses of the lanes of a row; none in lanes that don't access.
pub(super) enum Addresses {
    Affine { first: i64, stride: i64 },
    List(Vec<Option<i64>>),
}

impl Addresses {
    pub(super) fn gather<T: Copy + Default, R: Default>(
        &self,
        items: &[T],
        lanes: usize,
        out: &mut Vec<R>,
        f: impl Fn(T) -> R,
    ) {
        out.clear();
        match self {
            Addresses::Affine { first, stride: 0 } => out.push(f(items[*first as usize])),
            Addresses::Affine { first, stride: 1 } => {
                let first = *first as usize;
                out.extend(items[first..first + lanes].iter().map(|&item| f(item)));
            }
            Addresses::Affine { first, stride } => {
                out.extend((0..lanes as i64).map(|at| f(items[(first + at * stride) as usize])));
            }
            Addresses::List(list) => {
                out.extend(list.iter().map(|address| address.map_or_else(R::default, |at| f(items[at as usize]))));
            }
        }
    }
}

/// How one target changes in a row.
pub(super) struct Update<'a, L: Fn(usize) -> bool> {
    pub(super) addresses: &'a Addresses,
    pub(super) lanes: usize,
    pub(super) all_live: bool,
    pub(super) live: &'a L,
}

impl<L: Fn(usize) -> bool> Update<'_, L> {
    fn each<T, V: Copy>(&self, items: &mut [T], values: &[V], f: impl Fn(&mut T, V)) {
        match self.addresses {
            Addresses::Affine { first, stride: 1 } if self.all_live => {
                let first = *first as usize;
                for (at, item) in items[first..first + self.lanes].iter_mut().enumerate() {
                    f(item, lane(values, at));
                }
            }
            Addresses::Affine { first, stride } => {
                for at in (0..self.lanes).filter(|&at| self.all_live || (self.live)(at)) {
                    f(&mut items[(first + at as i64 * stride) as usize], lane(values, at));
                }
            }
            Addresses::List(list) => {
                for (at, address) in list.iter().enumerate().filter(|&(at, _)| self.all_live || (self.live)(at)) {
                    if let Some(address) = address {
                        f(&mut items[*address as usize], lane(values, at));
                    }
                }
            }
        }
    }

    pub(super) fn reals(&self, op: AssignOp, items: &mut [f32], values: &[f32]) {
        self.combine(op, items, values, arithmetic::real);
    }

    pub(super) fn wide(&self, op: AssignOp, items: &mut [f64], values: &[f32]) {
        match (op, self.addresses) {
            (AssignOp::Add, Addresses::Affine { first, stride: 0 }) if self.all_live && values.len() > 1 => {
                items[*first as usize] += sum(values);
            }
            (AssignOp::Add, _) => self.each(items, values, |item, value| *item += f64::from(value)),
            _ => self.each(items, values, |item, value| *item *= f64::from(value)),
        }
    }

    pub(super) fn ints(&self, op: AssignOp, items: &mut [i64], values: &[i64]) {
        self.combine(op, items, values, |op, old, new| arithmetic::int(op, old, new)?.wrapped().ok());
    }

    pub(super) fn bools(&self, op: AssignOp, items: &mut [bool], values: &[bool]) {
        self.combine(op, items, values, arithmetic::logic);
    }

    /// What is there, combined with the new value as the assignment says.
    fn combine<T: Copy>(&self, op: AssignOp, items: &mut [T], values: &[T], f: impl Fn(BinaryOp, T, T) -> Option<T>) {
        match arithmetic::accumulator(op) {
            None => self.each(items, values, |item, value| *item = value),
            Some(op) => self.each(items, values, |item, value| *item = f(op, *item, value).unwrap_or(*item)),
        }
    }
}

/// Several sums at once, so that additions need not wait for each other.
pub(super) fn sum(values: &[f32]) -> f64 {
    let mut sums = [0.0f64; 8];
    let chunks = values.chunks_exact(8);
    let rest: f64 = chunks.remainder().iter().map(|&value| f64::from(value)).sum();
    for chunk in chunks {
        for (sum, &value) in sums.iter_mut().zip(chunk) {
            *sum += f64::from(value);
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// The lanes from which to which (exclusive) `first + coefficient * lane` is at least 0 and below `extent`.
pub(super) fn inside(first: i64, coefficient: i64, extent: i64) -> (i64, i64) {
    let last = extent - 1;
    // The coefficient is not 0 where these divide.
    let floor_div = |a, b| arithmetic::floor_div(a, b).wrapped();
    let ceil_div = |a, b| arithmetic::ceil_div(a, b).wrapped();
    match coefficient {
        0 if (0..extent).contains(&first) => (i64::MIN, i64::MAX),
        0 => (0, 0),
        1.. => {
            let from = ceil_div(first.saturating_neg(), coefficient).unwrap_or(0);
            (from, floor_div(last.saturating_sub(first), coefficient).map_or(0, |to| to + 1))
        }
        _ => {
            let from = ceil_div(last.saturating_sub(first), coefficient).unwrap_or(0);
            (from, floor_div(first.saturating_neg(), coefficient).map_or(0, |to| to + 1))
        }
    }
}
