//! What is computed while translating: shapes and what is made of them, so that reshapes, slices and conditions are known.
//! Whole numbers may depend on extents of the run.

use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::{Extent, known_shape};
use crate::node::Node;
use crate::value::{Known, MOST_KNOWN, Tensor, Value, axis_of};
use std::sync::Arc;

/// The results of a node, where they are known without a run.
pub fn fold(node: &Node<'_>) -> Option<Vec<Value>> {
    if !matches!(node.proto.domain.as_str(), "" | "ai.onnx") {
        return None;
    }
    let folded = match node.proto.op_type.as_str() {
        "Constant" => constant(node)?,
        "Shape" => shape(node)?,
        "Split" => return split(node),
        "Size" => Tensor { shape: Vec::new(), ..Tensor::of_extents(vec![node.optional(0)?.volume()]) },
        _ => {
            let known = |value: &Option<Value>| match value {
                Some(Value::Tensor(tensor)) => tensor.known.is_some(),
                Some(_) => false,
                None => true,
            };
            let is_small = |value: &Option<Value>| match value {
                Some(Value::Tensor(tensor)) => tensor.volume().known().is_some_and(|count| count <= MOST_KNOWN as i64),
                _ => true,
            };
            if node.inputs.is_empty() || !node.inputs.iter().all(|input| known(input) && is_small(input)) {
                return None;
            }
            evaluate(node)?
        }
    };
    Some(vec![Value::Tensor(folded)])
}

fn constant(node: &Node<'_>) -> Option<Tensor> {
    if let Some(mut constant) = node.tensor("value").ok()? {
        if constant.name.is_empty() {
            node.proto.output.first()?.clone_into(&mut constant.name);
        }
        return Some(Tensor::stored(Arc::new(constant)));
    }
    if let Some(value) = node.int("value_int").ok()? {
        return Some(Tensor { shape: Vec::new(), ..Tensor::of_extents(vec![value.into()]) });
    }
    if let Some(values) = node.ints("value_ints").ok()? {
        return Some(Tensor::stored(Arc::new(Constant::of_ints(&values))));
    }
    if let Some(value) = node.float("value_float").ok()? {
        return Some(Tensor::known(ElementType::Float, Vec::new(), Known::Reals(vec![value])));
    }
    let values = node.floats("value_floats").ok()??;
    Some(Tensor::known(ElementType::Float, vec![values.len()], Known::Reals(values)))
}

fn shape(node: &Node<'_>) -> Option<Tensor> {
    let tensor = node.optional(0)?;
    let rank = tensor.rank() as i64;
    let place = |at: i64| (if at < 0 { at + rank } else { at }).clamp(0, rank) as usize;
    let start = place(node.int_or("start", 0).ok()?);
    let end = place(node.int_or("end", rank).ok()?);
    Some(Tensor::of_extents(tensor.shape.get(start..end).unwrap_or_default().to_vec()))
}

/// Elements that are computed with, in row-major order.
#[derive(Debug, Clone)]
struct Array {
    element: ElementType,
    shape: Vec<usize>,
    items: Items,
}

#[derive(Debug, Clone)]
enum Items {
    Ints(Vec<Extent>),
    Reals(Vec<f64>),
    Bools(Vec<bool>),
}

impl Array {
    fn of(tensor: &Tensor) -> Option<Array> {
        let shape = known_shape(&tensor.shape)?.into_iter().map(|extent| extent as usize).collect();
        let items = match tensor.element {
            ElementType::Bool => Items::Bools(tensor.bools()?),
            element if element.integers().is_some() => Items::Ints(tensor.ints()?),
            element if element.is_real() => Items::Reals(tensor.reals()?),
            _ => return None,
        };
        Some(Array { element: tensor.element, shape, items })
    }

    fn tensor(self) -> Tensor {
        let known = match self.items {
            Items::Ints(values) => Known::Ints(values),
            Items::Reals(values) => Known::Reals(values),
            Items::Bools(values) => Known::Bools(values),
        };
        Tensor::known(self.element, self.shape, known)
    }

    /// The elements at places, in a new shape.
    fn pick(&self, shape: Vec<usize>, places: &[usize]) -> Option<Array> {
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

    fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The indices of a shape, in row-major order.
fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    (0..shape.iter().product::<usize>()).map(|mut place| {
        let mut index = vec![0; shape.len()];
        for (at, extent) in shape.iter().enumerate().rev() {
            index[at] = place % extent;
            place /= extent;
        }
        index
    })
}

fn place(shape: &[usize], index: &[usize]) -> usize {
    shape.iter().zip(index).fold(0, |place, (extent, at)| place * extent + at)
}

fn evaluate(node: &Node<'_>) -> Option<Tensor> {
    let operand = |at: usize| node.optional(at).and_then(Array::of);
    let result = match node.proto.op_type.as_str() {
        "Identity" => operand(0)?,
        "Cast" => cast(&operand(0)?, node.element("to").ok()??)?,
        "CastLike" => cast(&operand(0)?, node.optional(1)?.element)?,
        "Reshape" | "Squeeze" | "Unsqueeze" | "Flatten" => reshaped(node, operand(0)?)?,
        "Gather" => gather(node, &operand(0)?, &operand(1)?)?,
        "Slice" => slice(node, &operand(0)?)?,
        "Concat" => concat(node)?,
        "Range" => range(&operand(0)?, &operand(1)?, &operand(2)?)?,
        "ConstantOfShape" => constant_of_shape(node)?,
        "Expand" => expand(&operand(0)?, &node.optional(1)?.ints()?)?,
        "Transpose" => transpose(node, &operand(0)?)?,
        "ReduceProd" | "ReduceSum" | "ReduceMax" | "ReduceMin" => reduce(node, &operand(0)?)?,
        "Where" => select(&operand(0)?, &operand(1)?, &operand(2)?)?,
        "Not" => map_bools(&operand(0)?, |value| !value)?,
        "Neg" | "Abs" | "Floor" | "Ceil" | "Sqrt" => unary(&node.proto.op_type, &operand(0)?)?,
        "Add" | "Sub" | "Mul" | "Div" | "Mod" | "Min" | "Max" | "Pow" => {
            let first = operand(0)?;
            (1..node.inputs.len()).try_fold(first, |result, at| arithmetic(node, &result, &operand(at)?))?
        }
        "Equal" | "Less" | "LessOrEqual" | "Greater" | "GreaterOrEqual" => {
            compare(&node.proto.op_type, &operand(0)?, &operand(1)?)?
        }
        "And" | "Or" | "Xor" => logic(&node.proto.op_type, &operand(0)?, &operand(1)?)?,
        _ => return None,
    };
    Some(result.tensor()).filter(|tensor| tensor.volume().known().is_some_and(|count| count <= MOST_KNOWN as i64))
}

fn cast(array: &Array, element: ElementType) -> Option<Array> {
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
        (Items::Reals(values), ElementType::Float | ElementType::Double) => {
            let narrow = |value: &f64| crate::node::shortest(*value as f32);
            Items::Reals(values.iter().map(narrow).collect())
        }
        (Items::Ints(values), ElementType::Float | ElementType::Double) => {
            Items::Reals(values.iter().map(|value| value.known().map(|value| value as f64)).collect::<Option<_>>()?)
        }
        (Items::Bools(values), ElementType::Float | ElementType::Double) => {
            Items::Reals(values.iter().map(|value| f64::from(u8::from(*value))).collect())
        }
        _ => return None,
    };
    Some(Array { element, shape: array.shape.clone(), items })
}

/// A whole number in so many bits; those of a run are taken to fit, as extents do.
fn wrapped(value: &Extent, element: ElementType) -> Option<Extent> {
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

/// Other extents for the same elements: the result's shape follows from the operator alone.
fn reshaped(node: &Node<'_>, array: Array) -> Option<Array> {
    let current: Vec<Extent> = array.shape.iter().map(|extent| Extent::from(*extent as i64)).collect();
    let shape = match node.proto.op_type.as_str() {
        "Reshape" => crate::targets::reshape_target(node, &current).ok()?,
        "Squeeze" => crate::targets::squeeze_target(node, &current).ok()?.1,
        "Unsqueeze" => crate::targets::unsqueeze_target(node, &current).ok()?.1,
        _ => crate::targets::flatten_target(node, &current).ok()?,
    };
    let shape: Vec<usize> = known_shape(&shape)?.into_iter().map(|extent| extent as usize).collect();
    (shape.iter().product::<usize>() == array.count()).then_some(Array { shape, ..array })
}

fn gather(node: &Node<'_>, data: &Array, index: &Array) -> Option<Array> {
    let axis = axis_of(node.int_or("axis", 0).ok()?, data.shape.len()).ok()?;
    let Items::Ints(wanted) = &index.items else { return None };
    let extent = data.shape[axis] as i64;
    let wanted: Vec<usize> = wanted
        .iter()
        .map(|at| at.known().map(|at| if at < 0 { at + extent } else { at }))
        .map(|at| at.filter(|at| (0..extent).contains(at)).map(|at| at as usize))
        .collect::<Option<_>>()?;
    let shape = [&data.shape[..axis], &index.shape, &data.shape[axis + 1..]].concat();
    let places: Vec<usize> = indices(&shape)
        .map(|at| {
            let inner = &at[axis..axis + index.shape.len()];
            let chosen = wanted[place(&index.shape, inner)];
            let source = [&at[..axis], &[chosen], &at[axis + index.shape.len()..]].concat();
            place(&data.shape, &source)
        })
        .collect();
    data.pick(shape, &places)
}

fn slice(node: &Node<'_>, data: &Array) -> Option<Array> {
    let current: Vec<Extent> = data.shape.iter().map(|extent| Extent::from(*extent as i64)).collect();
    let parts = crate::parts::parts(node, &current).ok()?;
    let mut shape = data.shape.clone();
    let mut starts = vec![(0i64, 1i64); shape.len()];
    for part in &parts {
        shape[part.axis] = part.extent.known()? as usize;
        starts[part.axis] = (part.begin.known()?, part.step);
    }
    let places: Vec<usize> = indices(&shape)
        .map(|index| {
            let source: Vec<usize> =
                index.iter().zip(&starts).map(|(at, (begin, step))| (begin + *at as i64 * step) as usize).collect();
            place(&data.shape, &source)
        })
        .collect();
    data.pick(shape, &places)
}

/// The parts of a vector of which all is known.
fn split(node: &Node<'_>) -> Option<Vec<Value>> {
    let data = Array::of(node.optional(0)?)?;
    let count = i64::try_from(node.result_count()).ok()?;
    let sizes: Vec<i64> = match (node.optional(1), node.ints("split").ok()?) {
        (Some(_), _) => node.fixed_ints(1).ok()?,
        (None, Some(sizes)) => sizes,
        (None, None) => {
            let parts = node.int_or("num_outputs", count).ok().filter(|parts| *parts > 0)?;
            let extent = data.count() as i64;
            let each = extent / parts + i64::from(extent % parts != 0);
            (0..parts).map(|at| each.min(extent - at * each)).collect()
        }
    };
    let are_parts = sizes.iter().all(|size| (0..=MOST_KNOWN as i64).contains(size));
    if data.shape.len() != 1 || !are_parts || sizes.iter().sum::<i64>() != data.count() as i64 {
        return None;
    }
    let mut begin = 0;
    let part = |size: i64| {
        let places: Vec<usize> = (begin..begin + size as usize).collect();
        begin += size as usize;
        data.pick(vec![places.len()], &places).map(|part| Value::Tensor(part.tensor()))
    };
    sizes.into_iter().map(part).collect()
}

fn concat(node: &Node<'_>) -> Option<Array> {
    let parts: Vec<Array> = node.tensors().ok()?.into_iter().map(Array::of).collect::<Option<_>>()?;
    let first = parts.first()?;
    // Anything else than vectors is none of shapes' arithmetic.
    if first.shape.len() != 1 || axis_of(node.int_or("axis", 0).ok()?, 1).is_err() {
        return None;
    }
    let shape = vec![parts.iter().map(Array::count).sum()];
    let items = match &first.items {
        Items::Ints(_) => {
            let mut all = Vec::new();
            for part in &parts {
                let Items::Ints(values) = &part.items else { return None };
                all.extend(values.iter().cloned());
            }
            Items::Ints(all)
        }
        Items::Reals(_) => {
            let mut all = Vec::new();
            for part in &parts {
                let Items::Reals(values) = &part.items else { return None };
                all.extend(values);
            }
            Items::Reals(all)
        }
        Items::Bools(_) => return None,
    };
    Some(Array { element: first.element, shape, items })
}

fn range(first: &Array, limit: &Array, step: &Array) -> Option<Array> {
    let (Items::Ints(first_), Items::Ints(limit), Items::Ints(step)) = (&first.items, &limit.items, &step.items) else {
        return None;
    };
    let known = |values: &[Extent]| values.first().and_then(Extent::known);
    let (begin, end, by) = (known(first_)?, known(limit)?, known(step)?);
    let count = if by > 0 {
        (end - begin + by - 1) / by
    } else if by < 0 {
        (begin - end - by - 1) / -by
    } else {
        return None;
    };
    let count = usize::try_from(count.max(0)).ok().filter(|count| *count <= MOST_KNOWN)?;
    let items = (0..count as i64).map(|at| Extent::from(begin + at * by)).collect();
    Some(Array { element: first.element, shape: vec![count], items: Items::Ints(items) })
}

fn constant_of_shape(node: &Node<'_>) -> Option<Array> {
    let shape = node.optional(0)?.ints()?.iter().map(Extent::known).collect::<Option<Vec<_>>>()?;
    let shape: Vec<usize> = shape.into_iter().map(|extent| usize::try_from(extent).ok()).collect::<Option<_>>()?;
    let count = shape.iter().try_fold(1usize, |count, extent| count.checked_mul(*extent))?;
    if count > MOST_KNOWN {
        return None;
    }
    let value = match node.tensor("value").ok()? {
        Some(value) => Array::of(&Tensor::stored(Arc::new(value)))?,
        None => Array { element: ElementType::Float, shape: vec![1], items: Items::Reals(vec![0.0]) },
    };
    value.pick(shape, &vec![0; count])
}

fn expand(array: &Array, target: &[Extent]) -> Option<Array> {
    let target: Vec<usize> =
        target.iter().map(|extent| extent.known().map(|extent| extent as usize)).collect::<Option<_>>()?;
    let shape = broadcast(&array.shape, &target)?;
    spread(array, &shape)
}

/// The common shape of two.
fn broadcast(left: &[usize], right: &[usize]) -> Option<Vec<usize>> {
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
fn spread(array: &Array, shape: &[usize]) -> Option<Array> {
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

fn transpose(node: &Node<'_>, array: &Array) -> Option<Array> {
    let rank = array.shape.len();
    let reversed = || (0..rank as i64).rev().collect();
    let perm: Vec<usize> = node.ints("perm").ok()?.unwrap_or_else(reversed).into_iter().map(|at| at as usize).collect();
    if perm.len() != rank || perm.iter().any(|at| *at >= rank) {
        return None;
    }
    let shape: Vec<usize> = perm.iter().map(|at| array.shape[*at]).collect();
    let places: Vec<usize> = indices(&shape)
        .map(|index| {
            let mut source = vec![0; rank];
            perm.iter().zip(&index).for_each(|(to, at)| source[*to] = *at);
            place(&array.shape, &source)
        })
        .collect();
    array.pick(shape, &places)
}

fn reduce(node: &Node<'_>, array: &Array) -> Option<Array> {
    // All elements, or those of a vector: what shapes' arithmetic needs.
    let axes = match node.optional(1) {
        Some(axes) => axes.ints()?.iter().map(Extent::known).collect::<Option<Vec<_>>>()?,
        None => node.ints("axes").ok()?.unwrap_or_default(),
    };
    if array.shape.len() > 1 && !axes.is_empty() && axes.len() != array.shape.len() {
        return None;
    }
    let Items::Ints(values) = &array.items else { return None };
    let combine = |left: Extent, right: &Extent| match node.proto.op_type.as_str() {
        "ReduceProd" => left.mul(right),
        "ReduceSum" => left.add(right),
        "ReduceMax" => left.greater(right),
        _ => left.lesser(right),
    };
    let start = match node.proto.op_type.as_str() {
        "ReduceProd" => Extent::from(1),
        "ReduceSum" => Extent::from(0),
        _ => values.first()?.clone(),
    };
    let result = values.iter().fold(start, combine);
    let shape = if node.flag("keepdims", true).ok()? { vec![1; array.shape.len()] } else { Vec::new() };
    Some(Array { element: array.element, shape, items: Items::Ints(vec![result]) })
}

fn select(condition: &Array, left: &Array, right: &Array) -> Option<Array> {
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

fn choose<T>(chosen: &[bool], left: Vec<T>, right: Vec<T>) -> Vec<T> {
    chosen
        .iter()
        .zip(left.into_iter().zip(right))
        .map(|(first, (left, right))| if *first { left } else { right })
        .collect()
}

fn map_bools(array: &Array, compute: impl Fn(bool) -> bool) -> Option<Array> {
    let Items::Bools(values) = &array.items else { return None };
    let items = Items::Bools(values.iter().map(|value| compute(*value)).collect());
    Some(Array { element: ElementType::Bool, shape: array.shape.clone(), items })
}

fn unary(operation: &str, array: &Array) -> Option<Array> {
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
                _ => crate::node::shortest(value.sqrt() as f32),
            };
            Items::Reals(values.iter().map(compute).collect())
        }
        Items::Bools(_) => return None,
    };
    Some(Array { element: array.element, shape: array.shape.clone(), items })
}

fn arithmetic(node: &Node<'_>, left: &Array, right: &Array) -> Option<Array> {
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

fn integer(operation: &str, is_remainder: bool, left: &Extent, right: &Extent) -> Option<Extent> {
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

fn real(operation: &str, left: f64, right: f64) -> Option<f64> {
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

fn compare(operation: &str, left: &Array, right: &Array) -> Option<Array> {
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
fn order(operation: &str, left: &Extent, right: &Extent) -> Option<std::cmp::Ordering> {
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

fn logic(operation: &str, left: &Array, right: &Array) -> Option<Array> {
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
