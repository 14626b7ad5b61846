//! Reshapes of tensors whose dimensions change their order.

use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, types};
use skriptnd_mlir::ops::{Size, tensor};

/// New order of dimensions: position `i` holds what was dimension `order[i]`.
pub type Order = Vec<usize>;

/// Whether all dimensions stay where they are.
pub fn is_identity(order: &[usize]) -> bool {
    order.iter().enumerate().all(|(place, &dim)| place == dim)
}

/// A reshape between a tensor and one with some of its dimensions split.
pub struct Reshape<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// Has the dimensions that are split.
    pub coarse: Value<'c, 'a>,
    /// Has the parts.
    pub fine: Value<'c, 'a>,
    /// For each dimension of the coarse one those of the fine one.
    pub groups: Vec<Vec<usize>>,
}

impl<'c: 'a, 'a> Reshape<'c, 'a> {
    /// Of an operation; none if it is no reshape.
    pub fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let (source, result) = (operation.operand(0).ok()?, *operation.result_values().first()?);
        let (coarse, fine) = match operation.full_name() {
            tensor::EXPAND_SHAPE => (source, result),
            tensor::COLLAPSE_SHAPE => (result, source),
            _ => return None,
        };
        let group = |group| attributes::as_integers(group)?.into_iter().map(|dim| usize::try_from(dim).ok()).collect();
        let groups = attributes::as_array(operation.get("reassociation")?)?.into_iter().map(group);
        Some(Reshape { operation, coarse, fine, groups: groups.collect::<Option<_>>()? })
    }

    /// Whether a dimension of the fine tensor and the next are of one of the coarse.
    pub fn joins(&self, dim: usize) -> bool {
        self.groups.iter().any(|group| group.contains(&dim) && group.contains(&(dim + 1)))
    }

    /// The order of the coarse tensor that is this one of the fine; none where dimensions of one are torn apart.
    pub fn merged(&self, fine: &[usize]) -> Option<Order> {
        let (mut order, mut left) = (Order::new(), fine);
        while let Some(first) = left.first() {
            let number = self.groups.iter().position(|group| group.first() == Some(first))?;
            left = left.strip_prefix(self.groups[number].as_slice())?;
            order.push(number);
        }
        (order.len() == self.groups.len()).then_some(order)
    }

    /// The order of the fine tensor that is this one of the coarse.
    pub fn split(&self, coarse: &[usize]) -> Option<Order> {
        let parts = coarse.iter().map(|&number| self.groups.get(number));
        Some(parts.collect::<Option<Vec<_>>>()?.into_iter().flatten().copied().collect())
    }

    /// The reshape back to such extents, of a tensor like the result.
    ///
    /// # Errors
    /// Where the reshape can't be built.
    pub fn inverted(
        &self,
        builder: &Builder<'c, 'a>,
        result: Value<'c, 'a>,
        shape: &[Size<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        Ok(match self.operation.full_name() == tensor::EXPAND_SHAPE {
            true => tensor::collapse_shape(builder, result, &self.groups, self.coarse.r#type())?,
            false => tensor::expand_shape(builder, result, &self.groups, shape, self.fine.r#type())?,
        })
    }

    /// States the groups, and the extents that the fine tensor is made with, in a new order.
    pub fn reorder(&self, coarse: &[usize], fine: &[usize]) -> Result<(), Error> {
        let mut next = 0;
        let groups = coarse.iter().map(|&number| {
            let group: Vec<_> = (next..next + self.groups[number].len()).collect();
            next += group.len();
            let dims = group.into_iter().map(|dim| attributes::integer(self.operation.context(), dim as i64));
            attributes::array(self.operation.context(), &dims.collect::<Vec<_>>())
        });
        let groups: Vec<_> = groups.collect();
        self.operation.set("reassociation", attributes::array(self.operation.context(), &groups));
        reorder_lists(self.operation, fine)?;
        Ok(())
    }
}

/// The operands from the first of them on stand for the open dimensions.
pub fn reorder_operands<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    first: usize,
    order: &[usize],
    is_open: impl Fn(usize) -> bool,
) -> Result<(), Error> {
    let extents: Vec<Value<'c, 'a>> = operation.operands().skip(first).collect();
    let number = |dim: usize| (0..dim).filter(|&dim| is_open(dim)).count();
    for (at, &dim) in order.iter().filter(|&&dim| is_open(dim)).enumerate() {
        let extent = extents.get(number(dim)).ok_or_else(|| Error::malformed("a shape without one of its extents"))?;
        operation.set_operand(first + at, *extent)?;
    }
    Ok(())
}

/// Lists with one entry for each dimension, known ones in attributes and open ones among the operands behind the tensors.
///
/// # Errors
/// Where an operation has fewer operands than its lists need.
pub fn reorder_lists<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, order: &[usize]) -> Result<(), Error> {
    let mut first = operation.operand_types().into_iter().take_while(|kind| types::rank(*kind).is_some()).count();
    for name in ["static_low", "static_high", "static_offsets", "static_sizes", "static_strides", "static_output_shape"]
    {
        let Some(values) = operation.get_integers(name).filter(|values| values.len() == order.len()) else { continue };
        let is_open = |dim: usize| values[dim] == i64::MIN;
        reorder_operands(operation, first, order, is_open)?;
        first += (0..order.len()).filter(|&dim| is_open(dim)).count();
        let new: Vec<i64> = order.iter().map(|&dim| values[dim]).collect();
        operation.set(name, attributes::integers(operation.context(), &new));
    }
    Ok(())
}
