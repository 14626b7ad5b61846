//! What the patterns of `td/skriptnd/Rewrites.td` cannot say by themselves.
//!
//! Constraints are pure and total: PDL may ask them of candidates that match no further than their arguments.

use crate::generated::operations::{ConstantOp, VariableOp};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Value, attributes, types};
use skriptnd_mlir::rewrite::{Editor, PdlValue};
use std::collections::HashSet;

/// Operations before a value beyond which it is not looked at.
const PREPARATION_LIMIT: usize = 256;

/// What a native rewrite returns.
type Rewritten<'c, 'a> = Result<Vec<PdlValue<'c, 'a>>, Failure>;

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

/// The permutation of one transposition, from axis 0 on, that does what two do.
pub fn compose_permutations<'c, 'a>(editor: &Editor<'c, 'a>, arguments: &[PdlValue<'c, 'a>]) -> Rewritten<'c, 'a> {
    let [
        PdlValue::Attribute(first_axis),
        PdlValue::Attribute(first),
        PdlValue::Attribute(second_axis),
        PdlValue::Attribute(second),
        PdlValue::Value(operand),
    ] = arguments
    else {
        return Err("two transpositions and their operand are needed".into());
    };
    let (first, second) = both(*first_axis, *first, *second_axis, *second, *operand).ok_or("no permutation")?;
    let composed: Vec<i64> = second.iter().map(|source| first[*source] as i64).collect();
    Ok(vec![PdlValue::Attribute(attributes::integers(editor.context(), &composed))])
}

fn value<'c, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Result<Value<'c, 'a>, Failure> {
    match arguments {
        [PdlValue::Value(value)] => Ok(*value),
        _ => Err("a value is needed".into()),
    }
}

/// The rank of a tensor.
pub fn rank_of<'c, 'a>(editor: &Editor<'c, 'a>, arguments: &[PdlValue<'c, 'a>]) -> Rewritten<'c, 'a> {
    let rank = types::rank(value(arguments)?.r#type()).ok_or("a ranked tensor is needed")?;
    Ok(vec![PdlValue::Attribute(attributes::integer(editor.context(), rank as i64))])
}

/// The extents of a tensor of static shape.
pub fn shape_of<'c, 'a>(editor: &Editor<'c, 'a>, arguments: &[PdlValue<'c, 'a>]) -> Rewritten<'c, 'a> {
    let extent = |extent: types::Extent| extent.and_then(|extent| i64::try_from(extent).ok());
    let shape = types::shape(value(arguments)?.r#type())
        .and_then(|shape| shape.into_iter().map(extent).collect::<Option<Vec<i64>>>());
    let shape = shape.ok_or("a tensor of static shape is needed")?;
    Ok(vec![PdlValue::Attribute(attributes::integers(editor.context(), &shape))])
}

/// The type of a tensor of rank 0 with the elements of the given one.
pub fn scalar_type<'c, 'a>(_: &Editor<'c, 'a>, arguments: &[PdlValue<'c, 'a>]) -> Rewritten<'c, 'a> {
    let scalar = types::tensor(types::element(value(arguments)?.r#type()), &[]).ok_or("a tensor is needed")?;
    Ok(vec![PdlValue::Type(scalar)])
}

/// A real number as a tensor of rank 0.
pub fn scalar_of<'c, 'a>(editor: &Editor<'c, 'a>, arguments: &[PdlValue<'c, 'a>]) -> Rewritten<'c, 'a> {
    let context = editor.context();
    let number = match arguments {
        [PdlValue::Attribute(attribute)] => attributes::as_real(*attribute),
        _ => None,
    };
    let element = types::f32(context);
    let splat =
        types::tensor(element, &[]).zip(number.and_then(|number| attributes::typed_real(context, element, number)));
    let splat =
        splat.and_then(|(r#type, number)| attributes::splat(r#type, number)).ok_or("a real number is needed")?;
    Ok(vec![PdlValue::Attribute(splat)])
}
