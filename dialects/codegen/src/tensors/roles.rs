//! Roles of operands and dimensions in a contraction: which operand is the filter, and along which dimension of it
//! vectors run.

use super::pure::outside_operands;
use crate::generated::discardable::VariableAttribute;
use crate::nest::element::{Element, Number};
use crate::views::shapes::volume;
use crate::views::structured::{Contraction, Structured};
use skriptnd_mlir::ir::{Value, attributes};

/// A contraction `output += input * filter`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles {
    /// Operand number of the input.
    pub input: usize,
    /// Operand number of the filter: the factor that fewer of the output's dimensions need.
    pub filter: usize,
    /// The output's dimension that only the filter has, such as output channels; where there is none, one that all
    /// operands have, such as the channels of a depthwise convolution.
    pub channel: usize,
    /// Whether all operands have that dimension.
    pub depthwise: bool,
    /// How often each element of the filter is used.
    pub reuse: i64,
    /// What the elements of input and filter are.
    pub numbers: [Number; 2],
    /// The type of the sum.
    pub sum: Element,
}

impl Roles {
    /// The roles in a structured operation; none if it is no contraction in real numbers or integers of 32 bits.
    pub fn of(structured: &Structured<'_, '_>) -> Option<Roles> {
        let Contraction { factors: [(left, left_number), (right, right_number)], sum } = structured.contraction()?;
        if !sum.is_real() && sum != Element::Integer(32) {
            return None;
        }
        let output = structured.output_map()?.as_dims()?;
        let uses = |operand: usize, dim: usize| structured.maps[operand].results.iter().any(|expr| expr.uses(dim));
        let share = |operand: usize| {
            let extents: Vec<i64> =
                output.iter().filter(|&&dim| uses(operand, dim)).map(|&dim| structured.extents[dim]).collect();
            volume(&extents)
        };
        let plain = |operand: usize| structured.maps[operand].is_projected_permutation();
        let fixed = |operand: usize| is_fixed(structured.inputs[operand]);
        let is_own = |dim: usize| uses(left, dim) && !uses(right, dim) && structured.extents[dim] > 1;
        // What is known before the run is the filter, but for one vector with each of several matrices. Of two factors that could both be,
        // the second is: `input * filter`, as in a product of matrices.
        let swapped = if fixed(right) {
            false
        } else if fixed(left) {
            output.iter().any(|dim| is_own(*dim)) || !contracts(structured, right, left)
        } else {
            plain(left) && (!plain(right) || share(left) < share(right)) && !contracts(structured, right, left)
        };
        let (input, filter) = if swapped { (right, left) } else { (left, right) };
        let numbers = if swapped { [right_number, left_number] } else { [left_number, right_number] };
        if !structured.maps[filter].results.iter().all(|expr| expr.as_dim().is_some()) {
            return None;
        }
        let extent = |dim: usize| structured.extents[dim];
        let own = output.iter().copied().filter(|&dim| uses(filter, dim) && !uses(input, dim) && extent(dim) > 1);
        let common = output.iter().copied().filter(|&dim| uses(filter, dim) && uses(input, dim) && extent(dim) > 1);
        let own = own.max_by_key(|&dim| extent(dim));
        let channel = own.or_else(|| common.max_by_key(|&dim| extent(dim)))?;
        let others: Vec<i64> = output.iter().filter(|&&dim| !uses(filter, dim)).map(|&dim| extent(dim)).collect();
        Some(Roles { input, filter, channel, depthwise: own.is_none(), reuse: volume(&others), numbers, sum })
    }
}

/// Whether an operand is a matrix whose rows are all there are, as the second factor of a product of matrices, or of several ones that
/// dimensions of both factors count.
fn contracts(structured: &Structured<'_, '_>, operand: usize, other: usize) -> bool {
    let (Some(dims), Some(output)) =
        (structured.maps[operand].as_dims(), structured.output_map().and_then(|map| map.as_dims()))
    else {
        return false;
    };
    let counts = |dim: usize| structured.maps[other].results.iter().any(|expr| expr.uses(dim));
    let is_own = |dim: usize| output.contains(&dim) && !counts(dim) && structured.extents[dim] > 1;
    let mut own = dims.into_iter().filter(|dim| is_own(*dim));
    own.next().is_some_and(|dim| output.last() == Some(&dim)) && own.next().is_none()
}

/// Operations that are looked at to find out what a filter is made from; filters are made by few.
const MOST_STEPS: usize = 256;

/// Whether a value depends on variables and constants only.
pub fn is_fixed<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let mut pending = vec![value];
    for _ in 0..MOST_STEPS {
        let Some(value) = pending.pop() else { return true };
        match value.defining_operation() {
            Some(definition) => pending.extend(outside_operands(definition)),
            None if is_variable(value) => {}
            None => return false,
        }
    }
    pending.is_empty()
}

/// Whether a value is an argument of a function that is marked as a variable.
fn is_variable(value: Value<'_, '_>) -> bool {
    let marked = || {
        let (block, number) = value.as_argument()?;
        let function = block.parent_operation()?;
        let dictionaries = attributes::as_array(function.get("arg_attrs")?)?;
        let entries = attributes::as_dictionary(*dictionaries.get(number)?)?;
        entries.into_iter().find(|(name, _)| *name == VariableAttribute::NAME)
    };
    marked().is_some()
}
