//! What the patterns of `td/skriptnd/Rewrites.td` cannot say by themselves.
//!
//! Constraints are pure and total: PDL may ask them of candidates that match no further than their arguments.

use crate::generated::discardable::ExactAttribute;
use crate::generated::operations::{ConstantOp, VariableOp};
use crate::generated::rewrites;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Type, Value, attributes, types};
use skriptnd_mlir::rewrite::Editor;
use std::collections::HashSet;

/// Operations before a value beyond which it is not looked at.
const PREPARATION_LIMIT: usize = 256;

/// Whether a value depends on variables and constants only, through element-wise arithmetic and rearrangement: then it
/// is computed once, before the model runs.
pub fn is_prepared(value: Value<'_, '_>) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !seen.insert(value.key()) {
            continue;
        }
        let Some(operation) = value.defining_operation() else { return false };
        let name = operation.full_name();
        let is_source = matches!(name, VariableOp::NAME | ConstantOp::NAME);
        let is_pure = name.starts_with("skriptnd.math.") || name.starts_with("skriptnd.layout.");
        if !(is_source || is_pure) || seen.len() > PREPARATION_LIMIT {
            return false;
        }
        open.extend(operation.operands());
    }
    true
}

/// Whether the module that an operation is in may be rounded in another way than the formulas.
pub fn may_regroup(value: Value<'_, '_>) -> bool {
    let mut around = value.defining_operation();
    while let Some(operation) = around {
        if ExactAttribute::is_present(operation) {
            return false;
        }
        around = operation.parent_operation();
    }
    true
}

/// Whether `axis` is the dimension of the channels of `value`, whose dimensions stand in the order `format`.
pub fn is_channel_axis(value: Value<'_, '_>, axis: Attribute<'_>, format: Attribute<'_>) -> bool {
    let Some(rank) = types::rank(value.r#type()).and_then(|rank| i64::try_from(rank).ok()) else { return false };
    let channels = match attributes::as_string(format) {
        Some("NCX") => 1,
        Some("NXC") => rank - 1,
        Some("XCN") => rank - 2,
        _ => return false,
    };
    attributes::as_integer(axis).is_some_and(|axis| axis == channels || axis == channels - rank)
}

/// The sources of all dimensions of a transposition: dimension `i` of the result is dimension `sources[i]` of the
/// operand. None if the attributes are no permutation of the dimensions from `axis` on.
fn sources(axis: Attribute<'_>, permutation: Attribute<'_>, rank: usize) -> Option<Vec<usize>> {
    let permutation = attributes::as_integers(permutation)?;
    let absolute = |index: i64| usize::try_from(if index < 0 { index.checked_add(rank as i64)? } else { index }).ok();
    let first = absolute(attributes::as_integer(axis)?)?;
    let moved: Vec<usize> = permutation.into_iter().map(absolute).collect::<Option<_>>()?;
    let sources: Vec<usize> = (0..first).chain(moved).collect();
    let distinct: HashSet<usize> = sources.iter().copied().collect();
    (sources.len() == rank && distinct.len() == rank && sources.iter().all(|source| *source < rank)).then_some(sources)
}

/// Whether a transposition leaves every dimension where it is.
pub fn is_identity_permutation(axis: Attribute<'_>, permutation: Attribute<'_>) -> bool {
    // The rank does not matter where nothing is negative.
    let (Some(axis), Some(permutation)) = (attributes::as_integer(axis), attributes::as_integers(permutation)) else {
        return false;
    };
    axis >= 0
        && permutation
            .iter()
            .enumerate()
            .all(|(index, source)| i64::try_from(index).is_ok_and(|index| axis.checked_add(index) == Some(*source)))
}

/// Both transpositions of a sequence, by their sources.
fn both(
    first_axis: Attribute<'_>,
    first: Attribute<'_>,
    second_axis: Attribute<'_>,
    second: Attribute<'_>,
    operand: Value<'_, '_>,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let rank = types::rank(operand.r#type())?;
    Some((sources(first_axis, first, rank)?, sources(second_axis, second, rank)?))
}

/// Whether a sequence of transpositions of `operand` can be said as one.
pub fn can_compose_permutations(
    first_axis: Attribute<'_>,
    first: Attribute<'_>,
    second_axis: Attribute<'_>,
    second: Attribute<'_>,
    operand: Value<'_, '_>,
) -> bool {
    both(first_axis, first, second_axis, second, operand).is_some()
}

/// Whether all elements of a constant are this number, a real one with this sign; truth counts as 1.
pub fn is_uniform(constant: Attribute<'_>, number: f64) -> bool {
    let Some(element) = attributes::as_splat(constant) else { return false };
    if let Some(integer) = attributes::as_integer(element) {
        return integer as f64 == number;
    }
    attributes::as_real(element).is_some_and(|real| real.to_bits() == number.to_bits())
}

/// Whether there are zeros only.
pub fn is_nothing(padding: Attribute<'_>) -> bool {
    attributes::as_integers(padding).is_some_and(|padding| padding.iter().all(|count| *count == 0))
}

/// Whether a slice of a concatenation begins with its first (0) or its second (1) operand; `first` is the first one.
pub fn is_slice_from(
    operand: usize,
    axis: Attribute<'_>,
    axes: Attribute<'_>,
    begin: Attribute<'_>,
    first: Value<'_, '_>,
) -> bool {
    let extents = types::shape(first.r#type());
    let begins = attributes::as_integer(axis).zip(attributes::as_integers(axes)).zip(attributes::as_integers(begin));
    let (Some(extents), Some(((axis, axes), begin))) = (extents, begins) else { return false };
    let absolute = |axis: i64| if axis < 0 { axis + extents.len() as i64 } else { axis };
    let ([sliced], [begin]) = (axes.as_slice(), begin.as_slice()) else { return false };
    let extent = usize::try_from(absolute(axis)).ok().and_then(|axis| extents.get(axis).copied().flatten());
    let expected = if operand == 0 { Some(0) } else { extent.and_then(|extent| i64::try_from(extent).ok()) };
    absolute(*sliced) == absolute(axis) && Some(*begin) == expected
}

/// Whether shuffling `first` groups and then `second` groups leaves everything where it was.
pub fn is_shuffle_back(
    operand: Value<'_, '_>,
    axis: Attribute<'_>,
    first: Attribute<'_>,
    second: Attribute<'_>,
) -> bool {
    let groups = attributes::as_integer(first).zip(attributes::as_integer(second));
    let (Some(extents), Some(axis), Some((first, second))) =
        (types::shape(operand.r#type()), attributes::as_integer(axis), groups)
    else {
        return false;
    };
    let axis = usize::try_from(if axis < 0 { axis + extents.len() as i64 } else { axis }).ok();
    let extent = axis.and_then(|axis| extents.get(axis).copied().flatten());
    first.checked_mul(second).and_then(|groups| u64::try_from(groups).ok()) == extent
}

/// What the patterns compute.
pub struct Functions;

impl rewrites::Functions for Functions {
    /// The permutation of one transposition, from axis 0 on, that does what two do.
    fn compose_permutations<'c, 'a>(
        &self,
        editor: &Editor<'c, 'a>,
        first_axis: Attribute<'c>,
        first: Attribute<'c>,
        second_axis: Attribute<'c>,
        second: Attribute<'c>,
        operand: Value<'c, 'a>,
    ) -> Result<Attribute<'c>, Failure> {
        let (first, second) = both(first_axis, first, second_axis, second, operand).ok_or("no permutation")?;
        let composed: Vec<i64> = second.iter().map(|source| first[*source] as i64).collect();
        Ok(attributes::integers(editor.context(), &composed))
    }

    /// The rank of a tensor.
    fn rank_of<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Attribute<'c>, Failure> {
        let rank = types::rank(value.r#type()).ok_or("a ranked tensor is needed")?;
        Ok(attributes::integer(editor.context(), rank as i64))
    }

    /// The extents of a tensor of static shape.
    fn shape_of<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Attribute<'c>, Failure> {
        let extent = |extent: types::Extent| extent.and_then(|extent| i64::try_from(extent).ok());
        let shape =
            types::shape(value.r#type()).and_then(|shape| shape.into_iter().map(extent).collect::<Option<Vec<i64>>>());
        let shape = shape.ok_or("a tensor of static shape is needed")?;
        Ok(attributes::integers(editor.context(), &shape))
    }

    /// The type of a tensor of rank 0 with the elements of the given one.
    fn scalar_type<'c, 'a>(&self, _: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Type<'c>, Failure> {
        Ok(types::tensor(types::element(value.r#type()), &[]).ok_or("a tensor is needed")?)
    }

    /// A real number as a tensor of rank 0.
    fn scalar_of<'c, 'a>(&self, editor: &Editor<'c, 'a>, number: Attribute<'c>) -> Result<Attribute<'c>, Failure> {
        let context = editor.context();
        let number = attributes::as_real(number);
        let element = types::f32(context);
        let splat =
            types::tensor(element, &[]).zip(number.and_then(|number| attributes::typed_real(context, element, number)));
        let splat =
            splat.and_then(|(r#type, number)| attributes::splat(r#type, number)).ok_or("a real number is needed")?;
        Ok(splat)
    }
}
