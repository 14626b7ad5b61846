//! What is known of a value while a graph is translated.

use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::{Extent, volume};
use skriptnd_syntax::build::Expression;
use std::sync::Arc;

/// So many elements are computed with while translating, at most: shapes, axes, limits.
pub const MOST_KNOWN: usize = 4096;

/// Tables that are made while translating have so many elements at most.
pub const MOST_MADE: i64 = 1 << 25;

/// How many elements a table with these extents has.
///
/// # Errors
/// Where they are too many, or an extent is negative.
pub fn made(extents: &[i64]) -> Result<usize, String> {
    let volume = extents.iter().try_fold(1i64, |volume, extent| volume.checked_mul((*extent).max(-1)));
    let is_fine = extents.iter().all(|extent| *extent >= 0);
    let volume = volume.filter(|volume| is_fine && *volume <= MOST_MADE);
    volume.map(|volume| volume as usize).ok_or_else(|| {
        format!("it needs a table with the extents {extents:?}, where {MOST_MADE} elements are the most")
    })
}

/// A value of a graph.
#[derive(Debug, Clone)]
pub enum Value {
    /// A tensor.
    Tensor(Tensor),
    /// A sequence, of which the length is known.
    Sequence(Vec<Tensor>),
    /// An optional that holds nothing.
    Nothing,
}

/// A tensor of a graph.
#[derive(Debug, Clone)]
pub struct Tensor {
    /// Type of the elements in the model.
    pub element: ElementType,
    /// Extents.
    pub shape: Vec<Extent>,
    /// The elements, where no run is needed for them.
    pub known: Option<Known>,
    /// What the text calls it, once it does.
    pub text: Option<Expression>,
}

/// Elements that are known while translating.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// As the model holds them.
    Stored(Arc<Constant>),
    /// Whole numbers, which may depend on extents of the run.
    Ints(Vec<Extent>),
    /// Real numbers.
    Reals(Vec<f64>),
    /// Truth values.
    Bools(Vec<bool>),
}

impl Value {
    /// The tensors that it is made of.
    pub fn tensors(&self) -> &[Tensor] {
        match self {
            Value::Tensor(tensor) => std::slice::from_ref(tensor),
            Value::Sequence(items) => items,
            Value::Nothing => &[],
        }
    }

    /// Other names for tensors that it is made of, and in its extents; `None` where a name stays.
    pub fn rename(&mut self, renamed: &impl Fn(&str) -> Option<String>) {
        match self {
            Value::Tensor(tensor) => tensor.rename(renamed),
            Value::Sequence(items) => items.iter_mut().for_each(|item| item.rename(renamed)),
            Value::Nothing => {}
        }
    }
}

impl Tensor {
    fn rename(&mut self, renamed: &impl Fn(&str) -> Option<String>) {
        self.shape.iter_mut().for_each(|extent| *extent = extent.renamed(renamed));
        if let Some(Known::Ints(values)) = &mut self.known {
            values.iter_mut().for_each(|value| *value = value.renamed(renamed));
        }
        if let Some(Expression::Name(text)) = &mut self.text {
            if let Some(name) = renamed(text) {
                *text = name;
            }
        }
    }

    /// One that the text computes.
    pub fn computed(element: ElementType, shape: Vec<Extent>, text: Expression) -> Tensor {
        Tensor { element, shape, known: None, text: Some(text) }
    }

    /// One whose elements are known.
    pub fn known(element: ElementType, shape: Vec<usize>, known: Known) -> Tensor {
        let shape = shape.into_iter().map(|extent| Extent::from(extent as i64)).collect();
        Tensor { element, shape, known: Some(known), text: None }
    }

    /// Integers along one dimension.
    pub fn of_extents(values: Vec<Extent>) -> Tensor {
        Tensor::known(ElementType::Int64, vec![values.len()], Known::Ints(values))
    }

    /// One that a model holds.
    pub fn stored(constant: Arc<Constant>) -> Tensor {
        Tensor::known(constant.element, constant.shape.clone(), Known::Stored(constant))
    }

    /// How many dimensions it has.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// How many elements it has.
    pub fn volume(&self) -> Extent {
        volume(&self.shape)
    }

    /// A dimension that is counted from the end where it is negative.
    ///
    /// # Errors
    /// Where there is none.
    pub fn axis(&self, axis: i64) -> Result<usize, String> {
        axis_of(axis, self.rank())
    }

    /// The whole numbers, where they are known and few.
    pub fn ints(&self) -> Option<Vec<Extent>> {
        match self.known.as_ref()? {
            Known::Ints(values) => Some(values.clone()),
            Known::Bools(values) => Some(values.iter().map(|value| Extent::from(i64::from(*value))).collect()),
            Known::Stored(stored) if !stored.element.is_real() && stored.count() <= MOST_KNOWN => {
                Some(stored.ints().map(Extent::from).collect())
            }
            Known::Stored(_) | Known::Reals(_) => None,
        }
    }

    /// The elements as reals, where they are known and few.
    pub fn reals(&self) -> Option<Vec<f64>> {
        match self.known.as_ref()? {
            Known::Reals(values) => Some(values.clone()),
            Known::Bools(values) => Some(values.iter().map(|value| f64::from(u8::from(*value))).collect()),
            Known::Ints(values) => values.iter().map(|value| value.known().map(|value| value as f64)).collect(),
            Known::Stored(stored) if stored.count() <= MOST_KNOWN => Some(stored.reals().collect()),
            Known::Stored(_) => None,
        }
    }

    /// The truth values, where they are known and few.
    pub fn bools(&self) -> Option<Vec<bool>> {
        match self.known.as_ref()? {
            Known::Bools(values) => Some(values.clone()),
            _ => Some(self.reals()?.iter().map(|value| *value != 0.0).collect()),
        }
    }

    /// The only element as a real, where it is known.
    pub fn scalar(&self) -> Option<f64> {
        self.reals().filter(|values| values.len() == 1).map(|values| values[0])
    }

    /// The real number that all elements are, where they are known.
    pub fn uniform(&self) -> Option<f64> {
        let values = self.reals()?;
        let first = *values.first()?;
        values.iter().all(|value| value.to_bits() == first.to_bits()).then_some(first)
    }
}

/// A dimension of so many, counted from the end where it is negative.
///
/// # Errors
/// Where there is none.
pub fn axis_of(axis: i64, rank: usize) -> Result<usize, String> {
    let counted = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(counted)
        .ok()
        .filter(|counted| *counted < rank)
        .ok_or_else(|| format!("axis {axis} is not one of a tensor with {rank} dimensions"))
}

/// Whether a limit is known not to be above another one.
pub fn in_order(least: &Tensor, most: &Tensor) -> bool {
    matches!((least.scalar(), most.scalar()), (Some(least), Some(most)) if least <= most)
}
