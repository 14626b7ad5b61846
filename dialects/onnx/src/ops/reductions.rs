//! Operators that put the elements along dimensions together.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "ReduceSum" => reduce(t, node, "math.sum_reduce"),
        "ReduceMean" => mean(t, node),
        "ReduceMax" => extreme(t, node, "math.max_reduce", "math.any_reduce"),
        "ReduceMin" => extreme(t, node, "math.min_reduce", "math.all_reduce"),
        "ReduceProd" => reduce(t, node, "math.prod_reduce"),
        "ReduceL1" => of_mapped(t, node, "math.abs", None),
        "ReduceL2" => of_mapped(t, node, "math.sqr", Some("math.sqrt")),
        "ReduceSumSquare" => of_mapped(t, node, "math.sqr", None),
        "ReduceLogSum" => reduce(t, node, "math.sum_reduce").map(|sum| t.unary("math.log", &sum)),
        "ReduceLogSumExp" => log_sum_exp(t, node),
        "ArgMax" => search(t, node, "math.argmax"),
        "ArgMin" => search(t, node, "math.argmin"),
        "CumSum" => cumulated(t, node),
        _ => return None,
    };
    one(result)
}

/// What a reduction is along.
pub(super) struct Along {
    /// The dimensions.
    pub axes: Vec<usize>,
    /// Whether they stay, with extent 1.
    pub are_kept: bool,
}

/// The dimensions: an attribute, or an operand since version 13 or 18; none are all, or with `noop_with_empty_axes` none.
fn along(node: &Node<'_>, tensor: &Tensor) -> Result<Along, String> {
    let given = match node.optional(1) {
        Some(_) => Some(node.fixed_ints(1)?),
        None => node.ints("axes")?,
    };
    let are_kept = node.flag("keepdims", true)?;
    let axes = match given.filter(|axes| !axes.is_empty()) {
        Some(axes) => axes.into_iter().map(|axis| tensor.axis(axis)).collect::<Result<_, _>>()?,
        None if node.flag("noop_with_empty_axes", false)? => Vec::new(),
        None => (0..tensor.rank()).collect(),
    };
    Ok(Along { axes, are_kept })
}

impl Translator<'_> {
    /// A reduction by an operator of the standard library.
    pub(super) fn reduced(&mut self, name: &str, tensor: &Tensor, along: &Along) -> Tensor {
        if along.axes.is_empty() {
            return tensor.clone();
        }
        let is_reduced = |at: &usize| along.axes.contains(at);
        let shape = match along.are_kept {
            true => (0..tensor.rank())
                .map(|at| if is_reduced(&at) { Extent::from(1) } else { tensor.shape[at].clone() })
                .collect(),
            false => (0..tensor.rank()).filter(|at| !is_reduced(at)).map(|at| tensor.shape[at].clone()).collect(),
        };
        let call = self.call(name).ints("axes", along.axes.iter().map(|axis| *axis as i64));
        let call = if along.are_kept { call } else { call.flag("squeeze", true) };
        call.on(tensor).gives(tensor.element, shape)
    }
}

fn reduce(t: &mut Translator<'_>, node: &Node<'_>, name: &str) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let result = t.reduced(name, &tensor, &along(node, &tensor)?);
    Ok(t.wrapped(result))
}

fn mean(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let along = along(node, &tensor)?;
    if tensor.element.is_real() {
        return Ok(t.reduced("math.mean_reduce", &tensor, &along));
    }
    let count = along.axes.iter().fold(Extent::from(1), |count, axis| count.mul(&tensor.shape[*axis]));
    let sum = t.reduced("math.sum_reduce", &tensor, &along);
    t.binary("onnx.div_trunc", &sum, &Tensor::int(count))
}

fn extreme(t: &mut Translator<'_>, node: &Node<'_>, name: &str, of_bools: &str) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let name = if tensor.element == ElementType::Bool { of_bools } else { name };
    Ok(t.reduced(name, &tensor, &along(node, &tensor)?))
}

/// A sum of what each element is made to, which is made to something else.
fn of_mapped(t: &mut Translator<'_>, node: &Node<'_>, before: &str, after: Option<&str>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let along = along(node, &tensor)?;
    let mapped = t.unary(before, &tensor);
    let sum = t.reduced("math.sum_reduce", &mapped, &along);
    let result = match after {
        // Whole numbers go through reals.
        Some(name) if !tensor.element.is_real() => {
            let real = t.as_real(&sum);
            let result = t.unary(name, &real);
            t.cast(&result, tensor.element)?
        }
        Some(name) => t.unary(name, &sum),
        None => sum,
    };
    Ok(t.wrapped(result))
}

fn log_sum_exp(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let along = along(node, &tensor)?;
    let kept = Along { axes: along.axes.clone(), are_kept: true };
    let most = t.reduced("math.max_reduce", &tensor, &kept);
    let less = t.binary("math.sub", &tensor, &most)?;
    let powers = t.unary("math.exp", &less);
    let sum = t.reduced("math.sum_reduce", &powers, &kept);
    let logarithm = t.unary("math.log", &sum);
    let result = t.binary("math.add", &logarithm, &most)?;
    if along.are_kept || along.axes.is_empty() {
        return Ok(result);
    }
    let shape = (0..result.rank()).filter(|at| !along.axes.contains(at)).map(|at| result.shape[at].clone()).collect();
    let axes = along.axes.iter().map(|axis| *axis as i64);
    Ok(t.call("layout.squeeze").ints("axes", axes).on(&result).gives(result.element, shape))
}

fn search(t: &mut Translator<'_>, node: &Node<'_>, name: &str) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axis = tensor.axis(node.int_or("axis", 0)?)?;
    let is_kept = node.flag("keepdims", true)?;
    let is_last = node.flag("select_last_index", false)?;
    let mut shape = tensor.shape.clone();
    let extent = std::mem::replace(&mut shape[axis], Extent::from(1));
    if !is_kept {
        shape.remove(axis);
    }
    let searched = match is_last {
        true => {
            let part = super::slices::Part { axis, begin: extent.sub(&1.into()), step: -1, extent: extent.clone() };
            t.sliced(&tensor, &[part])
        }
        false => tensor,
    };
    let call = t.call(name).int("axis", axis as i64);
    let call = if is_kept { call } else { call.flag("squeeze", true) };
    let found = call.on(&searched).gives(ElementType::Int64, shape);
    if is_last { t.binary("math.sub", &Tensor::int(extent.sub(&1.into())), &found) } else { Ok(found) }
}

fn cumulated(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axis = node.fixed_ints(1)?;
    let axis = tensor.axis(*axis.first().ok_or("its axis is missing")?)?;
    let call = t.call("math.cumsum").int("axis", axis as i64);
    let call = if node.flag("exclusive", false)? { call.flag("exclusive", true) } else { call };
    let call = if node.flag("reverse", false)? { call.flag("reverse", true) } else { call };
    let result = call.on(&tensor).gives(tensor.element, tensor.shape.clone());
    Ok(t.wrapped(result))
}
