//! With which extents tensors were made, where only a run knows them.

use super::shapes::outputs;
use super::symbols::{self, Marks};
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::{linalg, tensor};

/// Where an extent comes from.
pub enum Origin<'c, 'a> {
    /// The value that a tensor was made with.
    Given(Value<'c, 'a>),
    /// A tensor that has it, of which nothing says more.
    Tensor(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Origin<'c, 'a> {
    /// That of a tensor's extent.
    pub fn of(value: Value<'c, 'a>, dim: usize) -> Self {
        let mut tensor = value;
        while let Some(like) = made_like(tensor, dim) {
            tensor = like;
        }
        let shape = types::shape(tensor.r#type()).unwrap_or_default();
        let number = shape.iter().take(dim).filter(|extent| extent.is_none()).count();
        let given = tensor.defining_operation().and_then(|made| match made.full_name() {
            tensor::EMPTY => made.operand(number).ok(),
            tensor::EXPAND_SHAPE => made.operand(1 + number).ok(),
            _ => None,
        });
        given.map_or(Origin::Tensor(tensor), Origin::Given)
    }

    /// What the interface calls it.
    pub fn symbols(&self, dim: usize) -> Option<&'c str> {
        match self {
            Origin::Given(given) => symbols::name(*given),
            Origin::Tensor(tensor) => Some(Marks::of(*tensor)?.extent(dim)?.0),
        }
    }
}

/// The tensor of the same extent along a dimension from which another one was made.
fn made_like<'c: 'a, 'a>(tensor: Value<'c, 'a>, dim: usize) -> Option<Value<'c, 'a>> {
    let made = tensor.defining_operation()?;
    match made.full_name() {
        linalg::GENERIC => {
            let number = made.result_values().iter().position(|result| result.key() == tensor.key())?;
            outputs(made)?.get(number).copied()
        }
        tensor::PAD => {
            let is_kept = |sides: &str| made.get_integers(sides).is_some_and(|sides| sides.get(dim) == Some(&0));
            made.operand(0).ok().filter(|_| is_kept("static_low") && is_kept("static_high"))
        }
        _ => None,
    }
}
