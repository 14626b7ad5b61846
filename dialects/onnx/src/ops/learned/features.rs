//! Operators that prepare features.

use super::{ints, reals, rows};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::ops::reductions::Along;
use crate::ops::{Results, one};
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "Scaler" => scaler(t, node),
        "Normalizer" => normalizer(t, node),
        "Imputer" => imputer(t, node),
        "Binarizer" => binarizer(t, node),
        "OneHotEncoder" => one_hot(t, node),
        "ArrayFeatureExtractor" => extract(t, node),
        "FeatureVectorizer" => vectorize(t, node),
        "LabelEncoder" => encode(t, node),
        _ => return None,
    };
    one(result)
}

/// Reals as an operand: one, or one for each feature.
fn row(values: &[f64]) -> Tensor {
    match values {
        [only] => Tensor::real(*only),
        values => reals(values, vec![values.len()]),
    }
}

fn scaler(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let mut result = Tensor { element: ElementType::Float, ..t.as_real(&tensor) };
    if let Some(offset) = node.floats("offset")?.filter(|offset| !offset.is_empty()) {
        result = t.binary("math.sub", &result, &row(&offset))?;
    }
    match node.floats("scale")?.filter(|scale| !scale.is_empty()) {
        Some(scale) => t.binary("math.mul", &result, &row(&scale)),
        None => Ok(result),
    }
}

fn normalizer(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let rows = rows(t, node)?;
    let along = Along { axes: vec![1], are_kept: true };
    let length = match node.string_or("norm", "MAX")?.as_str() {
        "MAX" => t.reduced("math.max_reduce", &rows, &along),
        "L1" => {
            let absolute = t.unary("math.abs", &rows);
            t.reduced("math.sum_reduce", &absolute, &along)
        }
        "L2" => {
            let squares = t.unary("math.sqr", &rows);
            let sum = t.reduced("math.sum_reduce", &squares, &along);
            t.unary("math.sqrt", &sum)
        }
        other => return Err(format!("its `norm` is `{other}`, where `MAX`, `L1` or `L2` is expected")),
    };
    let is_zero = t.compared("math.eq", &length, &Tensor::real(0.0))?;
    let divisor = t.select(&is_zero, &Tensor::real(1.0), &length)?;
    t.binary("math.div", &rows, &Tensor { element: ElementType::Float, ..divisor })
}

fn imputer(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (missing, given) = match tensor.element.is_real() {
        true => {
            let replaced = node.float_or("replaced_value_float", 0.0)?;
            let missing = match replaced.is_nan() {
                true => t.compared("math.ne", &tensor, &tensor)?,
                false => t.compared("math.eq", &tensor, &Tensor::real(replaced))?,
            };
            (missing, row(&node.floats("imputed_value_floats")?.unwrap_or_default()))
        }
        false => {
            let replaced = Tensor::int(node.int_or("replaced_value_int64", 0)?);
            let given = node.ints("imputed_value_int64s")?.unwrap_or_default();
            let given = if let [only] = given[..] { Tensor::int(only) } else { ints(&given) };
            (t.compared("math.eq", &tensor, &replaced)?, given)
        }
    };
    if given.volume().known() == Some(0) {
        return Err("the values that it puts in place of missing ones are missing".into());
    }
    let result = t.select(&missing, &given, &tensor)?;
    Ok(Tensor { element: tensor.element, ..result })
}

fn binarizer(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let real = t.as_real(&tensor);
    let is_above = t.compared("math.gt", &real, &Tensor::real(node.float_or("threshold", 0.0)?))?;
    t.cast(&is_above, tensor.element)
}

fn lifted(t: &mut Translator<'_>, tensor: &Tensor) -> Tensor {
    let shape = [&tensor.shape[..], &[Extent::from(1)]].concat();
    t.unsqueezed(tensor, &[tensor.rank()], shape)
}

fn one_hot(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let categories = node.ints("cats_int64s")?.filter(|categories| !categories.is_empty());
    let categories = categories.ok_or("its categories are no whole numbers")?;
    let tensor = node.input(0)?.clone();
    let whole = t.as_int(&tensor);
    let lifted = lifted(t, &whole);
    let is_same = t.compared("math.eq", &lifted, &ints(&categories))?;
    t.cast(&is_same, ElementType::Float)
}

fn extract(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, index) = (node.input(0)?.clone(), node.input(1)?.clone());
    let count = index.volume();
    let index = t.reshaped(&index, vec![count.clone()])?;
    let axis = tensor.rank().checked_sub(1).ok_or("its operand has no dimensions")?;
    let mut shape = tensor.shape.clone();
    shape[axis] = count.clone();
    let call = t.call("layout.gather").int("axis", axis as i64).on(&tensor).on(&index);
    let taken = call.gives(tensor.element, shape);
    if tensor.rank() == 1 { t.reshaped(&taken, vec![1.into(), count]) } else { Ok(taken) }
}

fn vectorize(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let mut parts = Vec::new();
    for tensor in node.tensors()? {
        let real = Tensor { element: ElementType::Float, ..t.as_real(tensor) };
        let rows = real.shape.first().cloned().ok_or("one of its operands has no dimensions")?;
        let columns = crate::extent::volume(&real.shape[1..]);
        let shape = if real.rank() == 1 { vec![1.into(), rows] } else { vec![rows, columns] };
        parts.push(t.reshaped(&real, shape)?);
    }
    t.concatenated(&parts.iter().collect::<Vec<_>>(), 1)
}

/// Numbers of attributes of one kind: a list of a type, or a tensor.
fn numbers(node: &Node<'_>, name: &str) -> Result<Option<(Vec<f64>, ElementType)>, String> {
    if let Some(values) = node.ints(&format!("{name}_int64s"))?.filter(|values| !values.is_empty()) {
        return Ok(Some((values.into_iter().map(|value| value as f64).collect(), ElementType::Int64)));
    }
    if let Some(values) = node.floats(&format!("{name}_floats"))?.filter(|values| !values.is_empty()) {
        return Ok(Some((values, ElementType::Float)));
    }
    Ok(node.tensor(&format!("{name}_tensor"))?.map(|tensor| (tensor.reals().collect(), tensor.element)))
}

/// What stands for what is no key.
fn default(node: &Node<'_>, element: ElementType) -> Result<f64, String> {
    if let Some(value) = node.tensor("default_tensor")? {
        return Ok(value.reals().next().unwrap_or(0.0));
    }
    match element.is_real() {
        true => node.float_or("default_float", 0.0),
        false => Ok(node.int_or("default_int64", -1)? as f64),
    }
}

fn column(values: &[f64], element: ElementType) -> Tensor {
    match element.is_real() {
        true => reals(values, vec![values.len()]),
        false => ints(&values.iter().map(|value| *value as i64).collect::<Vec<_>>()),
    }
}

fn encode(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let strings = "its keys or values are strings, where numbers are expected";
    let (keys, _) = numbers(node, "keys")?.ok_or(strings)?;
    let (values, element) = numbers(node, "values")?.ok_or(strings)?;
    if keys.len() != values.len() {
        return Err(format!("it has {} keys and {} values", keys.len(), values.len()));
    }
    let kind = if tensor.element.is_real() { ElementType::Float } else { ElementType::Int64 };
    let lifted = lifted(t, &tensor);
    let mut is_same = t.compared("math.eq", &lifted, &column(&keys, kind))?;
    if keys.iter().any(|key| key.is_nan()) {
        // What is no number is the same as such a key.
        let is_none = t.compared("math.ne", &lifted, &lifted)?;
        let are_none = Tensor::known(
            ElementType::Bool,
            vec![keys.len()],
            crate::value::Known::Bools(keys.iter().map(|key| key.is_nan()).collect()),
        );
        let both = t.compared("math.and", &is_none, &are_none)?;
        is_same = t.compared("math.or", &is_same, &both)?;
    }
    // The first of the keys that are the same; behind all values stands that of no key.
    let count = keys.len() as i64;
    let order = t.select(&is_same, &ints(&(0..count).collect::<Vec<_>>()), &Tensor::int(count))?;
    let order = Tensor { element: ElementType::Int64, ..order };
    let along = Along { axes: vec![tensor.rank()], are_kept: false };
    let first = t.reduced("math.min_reduce", &order, &along);
    let table = column(&[&values[..], &[default(node, element)?]].concat(), element);
    let call = t.call("layout.gather").int("axis", 0).on(&table).on(&first);
    Ok(call.gives(element, tensor.shape.clone()))
}
