//! Tensors that are computed with while translating.

use crate::element::ElementType;
use crate::extent::{Extent, known_shape};
use crate::value::{Known, MOST_KNOWN, Tensor};

/// Elements that are computed with, in row-major order.
#[derive(Debug, Clone)]
pub(super) struct Array {
    pub(super) element: ElementType,
    pub(super) shape: Vec<usize>,
    pub(super) items: Items,
}

#[derive(Debug, Clone)]
pub(super) enum Items {
    Ints(Vec<Extent>),
    Reals(Vec<f64>),
    Bools(Vec<bool>),
}

impl Array {
    pub(super) fn of(tensor: &Tensor) -> Option<Array> {
        let shape = known_shape(&tensor.shape)?.into_iter().map(|extent| extent as usize).collect();
        let items = match tensor.element {
            ElementType::Bool => Items::Bools(tensor.bools()?),
            element if element.integers().is_some() => Items::Ints(tensor.ints()?),
            element if element.is_real() => Items::Reals(tensor.reals()?),
            _ => return None,
        };
        Some(Array { element: tensor.element, shape, items })
    }

    pub(super) fn tensor(self) -> Tensor {
        let known = match self.items {
            Items::Ints(values) => Known::Ints(values),
            Items::Reals(values) => Known::Reals(values.into_iter().map(|real| self.element.nearest(real)).collect()),
            Items::Bools(values) => Known::Bools(values),
        };
        Tensor::known(self.element, self.shape, known)
    }

    /// The elements at places, in a new shape.
    pub(super) fn pick(&self, shape: Vec<usize>, places: &[usize]) -> Option<Array> {
        fn at<T: Clone>(items: &[T], places: &[usize]) -> Option<Vec<T>> {
            places.iter().map(|place| items.get(*place).cloned()).collect()
        }
        let items = match &self.items {
            Items::Ints(values) => Items::Ints(at(values, places)?),
            Items::Reals(values) => Items::Reals(at(values, places)?),
            Items::Bools(values) => Items::Bools(at(values, places)?),
        };
        Some(Array { element: self.element, shape, items })
    }

    pub(super) fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The indices of a shape, in row-major order.
pub(super) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    (0..shape.iter().product::<usize>()).map(|mut place| {
        let mut index = vec![0; shape.len()];
        for (at, extent) in shape.iter().enumerate().rev() {
            index[at] = place % extent;
            place /= extent;
        }
        index
    })
}

pub(super) fn place(shape: &[usize], index: &[usize]) -> usize {
    shape.iter().zip(index).fold(0, |place, (extent, at)| place * extent + at)
}

/// The common shape of two.
pub(super) fn broadcast(left: &[usize], right: &[usize]) -> Option<Vec<usize>> {
    let rank = left.len().max(right.len());
    let extent = |shape: &[usize], at: usize| (at + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    (0..rank)
        .map(|at| match (extent(left, at), extent(right, at)) {
            (left, right) if left == right || right == 1 => Some(left),
            (1, right) => Some(right),
            _ => None,
        })
        .collect()
}

/// An array repeated along dimensions of extent 1.
pub(super) fn spread(array: &Array, shape: &[usize]) -> Option<Array> {
    if shape.iter().try_fold(1usize, |count, extent| count.checked_mul(*extent))? > MOST_KNOWN {
        return None;
    }
    let lead = shape.len().checked_sub(array.shape.len())?;
    let places: Vec<usize> = indices(shape)
        .map(|index| {
            let source: Vec<usize> =
                index[lead..].iter().zip(&array.shape).map(|(at, extent)| if *extent == 1 { 0 } else { *at }).collect();
            place(&array.shape, &source)
        })
        .collect();
    array.pick(shape.to_vec(), &places)
}
