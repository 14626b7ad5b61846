//! Arithmetic, order and logic.

use super::array::{Array, Items, broadcast, spread};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;

pub(super) fn cast(array: &Array, element: ElementType) -> Option<Array> {
    let items = match (&array.items, element) {
        (Items::Bools(values), ElementType::Bool) => Items::Bools(values.clone()),
        (Items::Ints(values), ElementType::Bool) => {
            Items::Bools(values.iter().map(|value| value.known().map(|value| value != 0)).collect::<Option<_>>()?)
        }
        (Items::Reals(values), ElementType::Bool) => Items::Bools(values.iter().map(|value| *value != 0.0).collect()),
        (Items::Ints(values), element) if element.integers().is_some() => {
            Items::Ints(values.iter().map(|value| wrapped(value, element)).collect::<Option<_>>()?)
        }
        (Items::Bools(values), element) if element.integers().is_some() => {
            Items::Ints(values.iter().map(|value| i64::from(*value).into()).collect())
        }
        (Items::Reals(values), element) if element.integers().is_some() => {
            let whole = |value: &f64| (value.abs() < 9e15).then(|| Extent::from(*value as i64));
            let values: Option<Vec<Extent>> = values.iter().map(whole).collect();
            Items::Ints(values?.iter().map(|value| wrapped(value, element)).collect::<Option<_>>()?)
        }
        (Items::Reals(values), element) if is_plain(element) => {
            let narrow = |value: &f64| crate::node::shortest(*value as f32);
            Items::Reals(values.iter().map(narrow).collect())
        }
        (Items::Ints(values), element) if is_plain(element) => {
            Items::Reals(values.iter().map(|value| value.known().map(|value| value as f64)).collect::<Option<_>>()?)
        }
        (Items::Bools(values), element) if is_plain(element) => {
            Items::Reals(values.iter().map(|value| f64::from(u8::from(*value))).collect())
        }
        _ => return None,
    };
    Some(Array { element, shape: array.shape.clone(), items })
}

/// Whether a type has reals as a constant of the text holds them, whatever attributes say of rounding.
fn is_plain(element: ElementType) -> bool {
    element.is_real() && element.bits() >= 16
}

/// A whole number in so many bits; those of a run are taken to fit, as extents do.
pub(super) fn wrapped(value: &Extent, element: ElementType) -> Option<Extent> {
    let (bits, is_signed) = element.integers()?;
    match value.known() {
        Some(known) if bits < 64 => {
            let unused = 64 - bits;
            let shifted = known << unused;
            Some(Extent::from(if is_signed { shifted >> unused } else { (shifted as u64 >> unused) as i64 }))
        }
        _ => Some(value.clone()),
    }
}

pub(super) fn reduce(node: &Node<'_>, array: &Array) -> Option<Array> {
    // All elements, or those of a vector: what shapes' arithmetic needs.
    let axes = match node.optional(1) {
        Some(axes) => axes.ints()?.iter().map(Extent::known).collect::<Option<Vec<_>>>()?,
        None => node.ints("axes").ok()?.unwrap_or_default(),
    };
    if array.shape.len() > 1 && !axes.is_empty() && axes.len() != array.shape.len() {
        return None;
    }
    let items = match &array.items {
        Items::Ints(values) => Items::Ints(vec![reduced_ints(&node.proto.op_type, values)?]),
        Items::Reals(values) => Items::Reals(vec![reduced_reals(&node.proto.op_type, values)?]),
        Items::Bools(_) => return None,
    };
    let shape = if node.flag("keepdims", true).ok()? { vec![1; array.shape.len()] } else { Vec::new() };
    Some(Array { element: array.element, shape, items })
}

fn reduced_ints(operation: &str, values: &[Extent]) -> Option<Extent> {
    let combine = |left: Extent, right: &Extent| match operation {
        "ReduceProd" => left.mul(right),
        "ReduceSum" => left.add(right),
        "ReduceMax" => left.greater(right),
        _ => left.lesser(right),
    };
    let start = match operation {
        "ReduceProd" => Extent::from(1),
        "ReduceSum" => Extent::from(0),
        _ => values.first()?.clone(),
    };
    Some(values.iter().fold(start, combine))
}

/// Of several reals, sums and products depend on the order, which is the runtime's.
fn reduced_reals(operation: &str, values: &[f64]) -> Option<f64> {
    let (first, others) = values.split_first()?;
    match operation {
        "ReduceMax" => others.iter().try_fold(*first, |left, right| real("Max", left, *right)),
        "ReduceMin" => others.iter().try_fold(*first, |left, right| real("Min", left, *right)),
        _ => others.is_empty().then_some(*first),
    }
}

pub(super) fn select(condition: &Array, left: &Array, right: &Array) -> Option<Array> {
    let shape = broadcast(&broadcast(&condition.shape, &left.shape)?, &right.shape)?;
    let (condition, left, right) = (spread(condition, &shape)?, spread(left, &shape)?, spread(right, &shape)?);
    let Items::Bools(chosen) = &condition.items else { return None };
    let items = match (left.items, right.items) {
        (Items::Ints(left), Items::Ints(right)) => Items::Ints(choose(chosen, left, right)),
        (Items::Reals(left), Items::Reals(right)) => Items::Reals(choose(chosen, left, right)),
        (Items::Bools(left), Items::Bools(right)) => Items::Bools(choose(chosen, left, right)),
        _ => return None,
    };
    Some(Array { element: left.element, shape, items })
}

pub(super) fn choose<T>(chosen: &[bool], left: Vec<T>, right: Vec<T>) -> Vec<T> {
    chosen
        .iter()
        .zip(left.into_iter().zip(right))
        .map(|(first, (left, right))| if *first { left } else { right })
        .collect()
}

pub(super) fn map_bools(array: &Array, compute: impl Fn(bool) -> bool) -> Option<Array> {
    let Items::Bools(values) = &array.items else { return None };
    let items = Items::Bools(values.iter().map(|value| compute(*value)).collect());
    Some(Array { element: ElementType::Bool, shape: array.shape.clone(), items })
}

pub(super) fn unary(operation: &str, array: &Array) -> Option<Array> {
    let items = match &array.items {
        Items::Ints(values) => {
            let compute = |value: &Extent| match operation {
                "Neg" => Some(value.mul(&Extent::from(-1))),
                "Abs" => value.known().map(|value| Extent::from(value.wrapping_abs())),
                _ => None,
            };
            Items::Ints(values.iter().map(compute).collect::<Option<_>>()?)
        }
        Items::Reals(values) => {
            let compute = |value: &f64| match operation {
                "Neg" => -value,
                "Abs" => value.abs(),
                "Floor" => value.floor(),
                "Ceil" => value.ceil(),
                "Round" => value.round_ties_even(),
                "Reciprocal" => crate::node::shortest(1.0 / *value as f32),
                _ => crate::node::shortest(value.sqrt() as f32),
            };
            Items::Reals(values.iter().map(compute).collect())
        }
        Items::Bools(_) => return None,
    };
    Some(Array { element: array.element, shape: array.shape.clone(), items })
}

pub(super) fn arithmetic(node: &Node<'_>, left: &Array, right: &Array) -> Option<Array> {
    let shape = broadcast(&left.shape, &right.shape)?;
    let (left, right) = (spread(left, &shape)?, spread(right, &shape)?);
    let element = left.element;
    let operation = node.proto.op_type.as_str();
    let items = match (&left.items, &right.items) {
        (Items::Ints(left), Items::Ints(right)) => {
            let is_remainder = node.flag("fmod", false).ok()?;
            let compute = |(left, right): (&Extent, &Extent)| {
                let result = integer(operation, is_remainder, left, right)?;
                wrapped(&result, element)
            };
            Items::Ints(left.iter().zip(right).map(compute).collect::<Option<_>>()?)
        }
        (Items::Reals(left), Items::Reals(right)) => {
            let compute = |(left, right): (&f64, &f64)| real(operation, *left, *right);
            Items::Reals(left.iter().zip(right).map(compute).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(Array { element, shape, items })
}

pub(super) fn integer(operation: &str, is_remainder: bool, left: &Extent, right: &Extent) -> Option<Extent> {
    let both = left.known().zip(right.known());
    match operation {
        "Add" => Some(left.add(right)),
        "Sub" => Some(left.sub(right)),
        "Mul" => Some(left.mul(right)),
        // ONNX rounds towards 0; extents are not negative, where both round alike.
        "Div" => match both {
            Some((left, right)) => left.checked_div(right).map(Extent::from),
            None => left.div(right),
        },
        "Mod" => match both {
            Some((left, right)) if is_remainder => left.checked_rem(right).map(Extent::from),
            _ => left.modulo(right),
        },
        "Min" => Some(left.lesser(right)),
        "Max" => Some(left.greater(right)),
        _ => None,
    }
}

pub(super) fn real(operation: &str, left: f64, right: f64) -> Option<f64> {
    let (left, right) = (left as f32, right as f32);
    let value = match operation {
        "Add" => left + right,
        "Sub" => left - right,
        "Mul" => left * right,
        "Div" => left / right,
        "Min" if !left.is_nan() && !right.is_nan() => left.min(right),
        "Max" if !left.is_nan() && !right.is_nan() => left.max(right),
        "Pow" => left.powf(right),
        _ => return None,
    };
    Some(crate::node::shortest(value))
}

pub(super) fn compare(operation: &str, left: &Array, right: &Array) -> Option<Array> {
    let shape = broadcast(&left.shape, &right.shape)?;
    let (left, right) = (spread(left, &shape)?, spread(right, &shape)?);
    let holds = |order: std::cmp::Ordering| match operation {
        "Equal" => order.is_eq(),
        "Less" => order.is_lt(),
        "LessOrEqual" => order.is_le(),
        "Greater" => order.is_gt(),
        _ => order.is_ge(),
    };
    let values: Option<Vec<bool>> = match (&left.items, &right.items) {
        (Items::Ints(left), Items::Ints(right)) => {
            left.iter().zip(right).map(|(left, right)| order(operation, left, right).map(holds)).collect()
        }
        (Items::Reals(left), Items::Reals(right)) => {
            left.iter().zip(right).map(|(left, right)| Some(left.partial_cmp(right).is_some_and(holds))).collect()
        }
        (Items::Bools(left), Items::Bools(right)) => {
            left.iter().zip(right).map(|(left, right)| Some(holds(left.cmp(right)))).collect()
        }
        _ => None,
    };
    Some(Array { element: ElementType::Bool, shape, items: Items::Bools(values?) })
}

/// How two whole numbers compare, where their difference does not depend on the run.
pub(super) fn order(operation: &str, left: &Extent, right: &Extent) -> Option<std::cmp::Ordering> {
    if let Some(difference) = left.sub(right).known() {
        return Some(difference.cmp(&0));
    }
    // An extent is no negative number: exporters ask whether one is the -1 that stands for what is left.
    let negative = |value: &Extent| value.known().is_some_and(|value| value < 0);
    match operation {
        "Equal" if negative(right) && left.is_extent() => Some(std::cmp::Ordering::Greater),
        "Equal" if negative(left) && right.is_extent() => Some(std::cmp::Ordering::Less),
        _ => None,
    }
}

pub(super) fn logic(operation: &str, left: &Array, right: &Array) -> Option<Array> {
    let shape = broadcast(&left.shape, &right.shape)?;
    let (left, right) = (spread(left, &shape)?, spread(right, &shape)?);
    let (Items::Bools(left), Items::Bools(right)) = (&left.items, &right.items) else { return None };
    let compute = |(left, right): (&bool, &bool)| match operation {
        "And" => left & right,
        "Or" => left | right,
        _ => left ^ right,
    };
    let items = Items::Bools(left.iter().zip(right).map(compute).collect());
    Some(Array { element: ElementType::Bool, shape, items })
}
