//! What a module's interface says of extents that only a run knows: how they are called, of which arguments they are. A run is refused
//! where two of one name differ.

use super::functions::{RUN, function_around};
use crate::generated::dialect_attributes::ExtentAttr;
use crate::generated::discardable::{BoundAttribute, ExtentAttribute, FromAttribute, InputAttribute, ShapeAttribute};
use crate::notes;
use skriptnd_mlir::ir::{Attribute, OperationRef, Value, attributes, block_arguments};
use skriptnd_mlir::ops::arith;

/// What is said of an argument of a function.
pub struct Marks<'c> {
    entries: Vec<(&'c str, Attribute<'c>)>,
    /// Whether a note of the module says it, as [`crate::interface`] writes it, and not an attribute of the function.
    is_noted: bool,
}

/// Where an extent that is an argument is found.
pub struct Source {
    /// The number of an input,
    pub input: usize,
    /// and its dimension.
    pub dimension: i64,
    /// By what it is multiplied there,
    pub factor: i64,
    /// and what is added.
    pub offset: i64,
}

impl<'c> Marks<'c> {
    /// Of a value; none if it is no argument of a function that says so.
    pub fn of<'a>(value: Value<'c, 'a>) -> Option<Self>
    where
        'c: 'a,
    {
        let (block, number) = value.as_argument()?;
        let function = function_around(block.parent_operation()?)?;
        (function.region(0).ok()?.first_block() == Some(block)).then(|| of_arguments(function, number))?
    }

    fn entry(&self, attribute: &str, note: &str) -> Option<Attribute<'c>> {
        entry(&self.entries, if self.is_noted { note } else { attribute })
    }

    /// The name of an extent that is an argument.
    fn name(&self) -> Option<&'c str> {
        // Others are not found in inputs.
        self.source()?;
        attributes::as_string(self.entry(ExtentAttribute::NAME, "name")?)
    }

    /// Where it is found.
    pub fn source(&self) -> Option<Source> {
        let from = attributes::as_integers(self.entry(FromAttribute::NAME, "from")?)?;
        let &[input, dimension, factor, offset] = from.as_slice() else { return None };
        Some(Source { input: usize::try_from(input).ok()?, dimension, factor, offset })
    }

    /// The most that it may be.
    pub fn bound(&self) -> Option<i64> {
        self.entry(BoundAttribute::NAME, "bound").and_then(attributes::as_integer)
    }

    /// Whether it is an input.
    fn is_input(&self) -> bool {
        let role = self.entry("", "role").and_then(attributes::as_string);
        if self.is_noted { role == Some("input") } else { self.entry(InputAttribute::NAME, "").is_some() }
    }

    /// The extents of a tensor, where one of them is open.
    pub fn shape(&self) -> Option<Vec<Attribute<'c>>> {
        attributes::as_array(self.entry(ShapeAttribute::NAME, "shape")?)
    }

    /// What an open extent of a tensor is, in symbols, and the most that it may be.
    pub fn extent(&self, dimension: usize) -> Option<(&'c str, Option<i64>)> {
        let extent = ExtentAttr::new(*self.shape()?.get(dimension)?)?;
        let bound = extent.bound().ok()?.and_then(attributes::as_integer);
        Some((attributes::as_string(extent.expression().ok()?)?, bound))
    }
}

fn of_arguments<'c: 'a, 'a>(function: OperationRef<'c, 'a>, number: usize) -> Option<Marks<'c>> {
    let is_noted = function.get_string("sym_name") == Some(RUN);
    let arguments = match is_noted {
        true => entry(&attributes::as_dictionary(function.parent_operation()?.get(notes::INTERFACE)?)?, "arguments"),
        false => function.get("arg_attrs"),
    };
    let entries = attributes::as_dictionary(*attributes::as_array(arguments?)?.get(number)?)?;
    Some(Marks { entries, is_noted })
}

fn entry<'c>(dictionary: &[(&str, Attribute<'c>)], name: &str) -> Option<Attribute<'c>> {
    dictionary.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
}

/// The argument that is the extent of this name, in the function that a tensor is an argument of.
pub fn named<'c: 'a, 'a>(tensor: Value<'c, 'a>, name: &str) -> Option<Value<'c, 'a>> {
    let (block, _) = tensor.as_argument()?;
    block_arguments(block).find(|argument| Marks::of(*argument).and_then(|marks| marks.name()) == Some(name))
}

/// The input of this number, in the function that a value is an argument of.
pub fn input<'c: 'a, 'a>(value: Value<'c, 'a>, number: usize) -> Option<Marks<'c>> {
    let (block, _) = value.as_argument()?;
    block_arguments(block).filter_map(Marks::of).filter(Marks::is_input).nth(number)
}

/// The name of a number that is such an argument.
pub fn name<'c: 'a, 'a>(number: Value<'c, 'a>) -> Option<&'c str> {
    let cast = number.defining_operation().filter(|made| made.full_name() == arith::INDEX_CAST);
    Marks::of(cast.map_or(Some(number), |cast| cast.operand(0).ok())?)?.name()
}
