//! Sums of products: matrices and convolutions.

use super::{Results, one};
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::translate::call::Call;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "MatMul" => matmul(t, node),
        "Gemm" => gemm(t, node),
        "Conv" => conv(t, node),
        "ConvTranspose" => deconv(t, node),
        _ => return None,
    };
    one(result)
}

fn matmul(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    t.product(&left, &right)
}

impl Translator<'_> {
    /// The product of two tensors as NumPy's `matmul` has it: vectors are rows or columns.
    ///
    /// # Errors
    /// Where their shapes do not agree.
    pub fn product(&mut self, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        let one = Extent::from(1);
        let lifted = |t: &mut Self, tensor: &Tensor, axis: usize| match tensor.rank() {
            0 => Err("its operands have no dimensions".to_owned()),
            1 => {
                let mut shape = tensor.shape.clone();
                shape.insert(axis, one.clone());
                Ok(t.unsqueezed(tensor, &[axis], shape))
            }
            _ => Ok(tensor.clone()),
        };
        let (rows, columns) = (lifted(self, left, 0)?, lifted(self, right, 1)?);
        let (rank, other) = (rows.rank(), columns.rank());
        if rows.shape[rank - 1].differs_from(&columns.shape[other - 2]) {
            return Err("the extents that it sums over differ".into());
        }
        let batch = super::elementwise::broadcast(&rows.shape[..rank - 2], &columns.shape[..other - 2])?;
        let shape = [&batch[..], &[rows.shape[rank - 2].clone(), columns.shape[other - 1].clone()]].concat();
        let name = "linalg.matmul";
        let result = self.call(name).on(&rows).on(&columns).gives(left.element, shape.clone());
        let result = self.wrapped(result);
        let dropped: Vec<usize> = [(left.rank() == 1, shape.len() - 2), (right.rank() == 1, shape.len() - 1)]
            .into_iter()
            .filter_map(|(is_vector, axis)| is_vector.then_some(axis))
            .collect();
        if dropped.is_empty() {
            return Ok(result);
        }
        let kept = (0..shape.len()).filter(|at| !dropped.contains(at)).map(|at| shape[at].clone()).collect();
        let axes = dropped.iter().map(|axis| *axis as i64);
        Ok(self.call("layout.squeeze").ints("axes", axes).on(&result).gives(result.element, kept))
    }
}

pub(super) fn gemm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let added = node.optional(2).cloned();
    let (flips_left, flips_right) = (node.flag("transA", false)?, node.flag("transB", false)?);
    let (alpha, beta) = (node.float_or("alpha", 1.0)?, node.float_or("beta", 1.0)?);
    if left.rank() != 2 || right.rank() != 2 {
        return Err("its operands are no matrices".into());
    }
    let rows = left.shape[usize::from(flips_left)].clone();
    let columns = right.shape[usize::from(!flips_right)].clone();
    let shape = vec![rows, columns.clone()];
    let element = left.element;
    if !element.is_real() {
        return integer_gemm(t, node, &left, &right, added);
    }
    let is_plain = !flips_left && flips_right && alpha == 1.0 && beta == 1.0;
    let is_bias = added.as_ref().is_none_or(|added| added.rank() == 1 && added.shape[0] == columns);
    if is_plain && is_bias {
        return Ok(t.call("nn.linear").on(&left).on(&right).on_any(added.as_ref()).gives(element, shape));
    }
    let mut call = t.call("linalg.matmul");
    call = if flips_left { call.flag("transA", true) } else { call };
    call = if flips_right { call.flag("transB", true) } else { call };
    let mut result = call.on(&left).on(&right).gives(element, shape);
    if alpha != 1.0 {
        result = t.binary("math.mul", &result, &Tensor::real(alpha))?;
    }
    let Some(mut added) = added else { return Ok(result) };
    if beta != 1.0 {
        added = t.binary("math.mul", &added, &Tensor::real(beta))?;
    }
    t.binary("math.add", &result, &added)
}

fn integer_gemm(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    left: &Tensor,
    right: &Tensor,
    added: Option<Tensor>,
) -> Result<Tensor, String> {
    if node.float_or("alpha", 1.0)? != 1.0 || node.float_or("beta", 1.0)? != 1.0 {
        return Err("its factors are not 1, and its operands are whole numbers".into());
    }
    let flipped = |t: &mut Translator<'_>, tensor: &Tensor, flips: bool| {
        if flips { t.transposed(tensor, &[1, 0]) } else { tensor.clone() }
    };
    let left = flipped(t, left, node.flag("transA", false)?);
    let right = flipped(t, right, node.flag("transB", false)?);
    let product = t.product(&left, &right)?;
    let Some(added) = added else { return Ok(product) };
    let sum = t.binary("math.add", &product, &added)?;
    Ok(t.wrapped(sum))
}

/// How windows move over the last dimensions of a tensor.
#[derive(Debug, Clone)]
pub struct Window {
    /// From one window to the next.
    pub stride: Vec<i64>,
    /// From one element of a window to the next.
    pub dilation: Vec<i64>,
    /// What is added before each dimension, then what is added behind each.
    pub padding: Vec<Extent>,
    /// Whether a window that begins inside and ends outside counts.
    pub rounds_up: bool,
}

impl Window {
    /// Reads the attributes of a node over a tensor with windows of a size.
    ///
    /// # Errors
    /// Where they do not agree.
    pub fn of(node: &Node<'_>, tensor: &Tensor, size: &[Extent]) -> Result<Window, String> {
        let count = size.len();
        if tensor.rank() != count + 2 {
            return Err(format!(
                "its windows have {count} dimensions, its operand {}, where two more are expected",
                tensor.rank()
            ));
        }
        let ones = || vec![1; count];
        let stride = node.ints("strides")?.unwrap_or_else(ones);
        let dilation = node.ints("dilations")?.unwrap_or_else(ones);
        if stride.len() != count || dilation.len() != count || stride.iter().chain(&dilation).any(|step| *step < 1) {
            return Err("its strides and dilations must be positive, one for each dimension".into());
        }
        let rounds_up = node.flag("ceil_mode", false)?;
        let mut window = Window { stride, dilation, padding: Vec::new(), rounds_up };
        window.padding = match node.string_or("auto_pad", "NOTSET")?.as_str() {
            "NOTSET" => {
                node.ints("pads")?.unwrap_or_else(|| vec![0; 2 * count]).into_iter().map(Extent::from).collect()
            }
            "VALID" => vec![Extent::from(0); 2 * count],
            upper => window.same_padding(tensor, size, upper == "SAME_UPPER"),
        };
        if window.padding.len() != 2 * count {
            return Err(format!("its `pads` are {}, where {} are expected", window.padding.len(), 2 * count));
        }
        if window.rounds_up {
            window.round_up(tensor, size)?;
        }
        Ok(window)
    }

    /// What is padded so that there are as many windows as steps.
    fn same_padding(&self, tensor: &Tensor, size: &[Extent], is_upper: bool) -> Vec<Extent> {
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let (one, two, zero) = (Extent::from(1), Extent::from(2), Extent::from(0));
        for (at, size) in size.iter().enumerate() {
            let extent = &tensor.shape[at + 2];
            let stride = Extent::from(self.stride[at]);
            let reach = size.sub(&one).mul(&Extent::from(self.dilation[at])).add(&one);
            let count = extent.div_up(&stride).unwrap_or_default();
            let total = count.sub(&one).mul(&stride).add(&reach).sub(extent);
            let total = if total.is_extent() { total } else { total.greater(&zero) };
            let half = total.div(&two).unwrap_or_default();
            let rest = total.sub(&half);
            before.push(if is_upper { half.clone() } else { rest.clone() });
            behind.push(if is_upper { rest } else { half });
        }
        [before, behind].concat()
    }

    /// `ceil_mode`: more is padded at the end, if a window begins inside of the tensor or what is padded before it.
    fn round_up(&mut self, tensor: &Tensor, size: &[Extent]) -> Result<(), String> {
        let count = size.len();
        for at in 0..count {
            let known = |extent: &Extent| extent.known();
            let (Some(extent), Some(size), Some(before), Some(behind)) = (
                known(&tensor.shape[at + 2]),
                known(&size[at]),
                known(&self.padding[at]),
                known(&self.padding[at + count]),
            ) else {
                // The language rounds up as well; it differs where the last window would begin in what is padded.
                continue;
            };
            let reach = (size - 1) * self.dilation[at] + 1;
            let room = extent + before + behind - reach;
            let mut windows = room.div_euclid(self.stride[at]) + i64::from(room.rem_euclid(self.stride[at]) != 0) + 1;
            if (windows - 1) * self.stride[at] >= extent + before {
                windows -= 1;
            }
            let needed = (windows - 1) * self.stride[at] + reach - extent - before;
            self.padding[at + count] = Extent::from(needed.max(behind));
        }
        let is_known = tensor.shape[2..].iter().all(|extent| extent.known().is_some());
        self.rounds_up = !is_known;
        Ok(())
    }

    /// The extents of the windows' results.
    ///
    /// # Errors
    /// Where a stride is 0.
    pub fn results(&self, tensor: &Tensor, size: &[Extent]) -> Result<Vec<Extent>, String> {
        let count = size.len();
        let one = Extent::from(1);
        let result = |at: usize| {
            let reach = size[at].sub(&one).mul(&Extent::from(self.dilation[at])).add(&one);
            let room = tensor.shape[at + 2].add(&self.padding[at]).add(&self.padding[at + count]).sub(&reach);
            let stride = Extent::from(self.stride[at]);
            let steps = if self.rounds_up { room.div_up(&stride) } else { room.div(&stride) };
            steps.map(|steps| steps.add(&one)).ok_or_else(|| "one of its strides is 0".to_owned())
        };
        (0..count).map(result).collect()
    }

    /// Adds what is not the default.
    pub fn attributes<'t, 'm>(&self, mut call: Call<'t, 'm>) -> Call<'t, 'm> {
        if self.stride.iter().any(|step| *step != 1) {
            call = call.ints("stride", self.stride.iter().copied());
        }
        if self.dilation.iter().any(|step| *step != 1) {
            call = call.ints("dilation", self.dilation.iter().copied());
        }
        if self.rounds_up {
            call = call.flag("ceil_mode", true);
        }
        call.extents("padding", &self.padding)
    }
}

fn conv(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, filter) = (node.input(0)?.clone(), node.input(1)?.clone());
    let bias = node.optional(2).cloned();
    convolve(t, node, &tensor, &filter, bias.as_ref())
}

/// The convolution that a node's attributes describe, of reals or whole numbers.
pub(super) fn convolve(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    tensor: &Tensor,
    filter: &Tensor,
    bias: Option<&Tensor>,
) -> Result<Tensor, String> {
    if filter.rank() < 3 {
        return Err("its filter is expected to have 3 dimensions at least".into());
    }
    let size = filter.shape[2..].to_vec();
    let window = Window::of(node, tensor, &size)?;
    let shape = [&[tensor.shape[0].clone(), filter.shape[0].clone()], &window.results(tensor, &size)?[..]].concat();
    let groups = node.int_or("group", 1)?;
    let mut call = window.attributes(t.call("nn.conv"));
    if groups != 1 {
        call = call.int("groups", groups);
    }
    Ok(call.on(tensor).on(filter).on_any(bias).gives(tensor.element, shape))
}

/// A transposed convolution: what its windows reach before anything is cut off.
struct Spread<'n> {
    tensor: &'n Tensor,
    stride: Vec<i64>,
    dilation: Vec<i64>,
    /// Added at the ends of the results.
    extra: Vec<i64>,
    size: Vec<Extent>,
}

impl<'n> Spread<'n> {
    fn of(node: &Node<'_>, tensor: &'n Tensor, filter: &Tensor) -> Result<Spread<'n>, String> {
        let count = filter.rank().checked_sub(2).filter(|count| *count > 0).ok_or("its filter has no windows")?;
        if tensor.rank() != filter.rank() {
            return Err("its operand and its filter have different numbers of dimensions".into());
        }
        let list = |name: &str, default: i64| Ok::<_, String>(node.ints(name)?.unwrap_or_else(|| vec![default; count]));
        let (stride, dilation, extra) = (list("strides", 1)?, list("dilations", 1)?, list("output_padding", 0)?);
        if [&stride, &dilation, &extra].iter().any(|list| list.len() != count) {
            return Err("its strides, dilations and output_padding must be one for each dimension".into());
        }
        Ok(Spread { tensor, stride, dilation, extra, size: filter.shape[2..].to_vec() })
    }

    fn count(&self) -> usize {
        self.size.len()
    }

    fn reach(&self, at: usize) -> Extent {
        let one = Extent::from(1);
        let window = self.size[at].sub(&one).mul(&self.dilation[at].into()).add(&one);
        let steps = self.tensor.shape[at + 2].sub(&one).mul(&self.stride[at].into());
        steps.add(&window).add(&self.extra[at].into())
    }

    /// The extents that are asked for, by themselves or by `auto_pad`.
    fn wanted(&self, node: &Node<'_>, auto: &str) -> Result<Option<Vec<Extent>>, String> {
        if let Some(shape) = node.ints("output_shape")? {
            let behind = shape.len().checked_sub(self.count()).ok_or("its `output_shape` is too short")?;
            return Ok(Some(shape[behind..].iter().map(|extent| Extent::from(*extent)).collect()));
        }
        let scaled = |at: usize| self.tensor.shape[at + 2].mul(&self.stride[at].into());
        Ok(auto.starts_with("SAME").then(|| (0..self.count()).map(scaled).collect()))
    }

    /// What is cut off before each dimension, then behind each.
    fn padding(&self, node: &Node<'_>, wanted: Option<&[Extent]>, auto: &str) -> Result<Vec<Extent>, String> {
        let Some(wanted) = wanted else {
            let none = || vec![0; 2 * self.count()];
            let given = if auto == "VALID" { none() } else { node.ints("pads")?.unwrap_or_else(none) };
            if given.len() != 2 * self.count() {
                return Err(format!("its `pads` are {}, where {} are expected", given.len(), 2 * self.count()));
            }
            return Ok(given.into_iter().map(Extent::from).collect());
        };
        let total = |at: usize| self.reach(at).sub(&wanted[at]);
        let halves = |total: Extent| {
            let half = total.div(&2.into()).unwrap_or_default();
            (half.clone(), total.sub(&half))
        };
        let (low, high): (Vec<_>, Vec<_>) = (0..self.count()).map(|at| halves(total(at))).unzip();
        // The specification: SAME_UPPER puts the greater half at the end; otherwise it stands at the begin.
        Ok(if auto == "SAME_UPPER" { [low, high].concat() } else { [high, low].concat() })
    }
}

fn deconv(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, filter) = (node.input(0)?.clone(), node.input(1)?.clone());
    let spread = Spread::of(node, &tensor, &filter)?;
    let auto = node.string_or("auto_pad", "NOTSET")?;
    let wanted = spread.wanted(node, &auto)?;
    let padding = spread.padding(node, wanted.as_deref(), &auto)?;
    let count = spread.count();
    let cut = |at: usize| spread.reach(at).sub(&padding[at]).sub(&padding[at + count]);
    let results: Vec<Extent> = (0..count).map(cut).collect();
    let groups = node.int_or("group", 1)?;
    let shape = [&[tensor.shape[0].clone(), filter.shape[1].mul(&groups.into())], &results[..]].concat();
    let is_sized = wanted.is_some() || spread.extra.iter().any(|extra| *extra != 0);
    let (stride, dilation) = (spread.stride, spread.dilation);
    let window = Window { stride, dilation, padding, rounds_up: false };
    let mut call = window.attributes(t.call("nn.deconv"));
    call = if is_sized { call.extents("output_size", &results) } else { call };
    call = if groups != 1 { call.int("groups", groups) } else { call };
    Ok(call.on(&tensor).on(&filter).on_any(node.optional(2)).gives(tensor.element, shape))
}
