//! Convolutions, whose operands are brought to the order that ONNX has: batch, channels, spatial dimensions.

use super::call::is_empty;
use super::windows::{Windows, aligned, groups, span};
use super::{Call, Results, integers};
use crate::export::attributes as attr;
use crate::export::scope::{Scope, Why};
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::ScalarType;

/// Where each dimension of a tensor in ONNX's order comes from.
fn order(format: &str, rank: usize) -> Option<Vec<usize>> {
    Some(match format {
        "NCX" => (0..rank).collect(),
        "NXC" => [0, rank - 1].into_iter().chain(1..rank - 1).collect(),
        "XCN" => [rank - 1, rank - 2].into_iter().chain(0..rank - 2).collect(),
        "CXN" => [rank - 1, 0].into_iter().chain(1..rank - 1).collect(),
        _ => return None,
    })
}

/// The permutation that undoes another one.
fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, from)| inverse[*from] = at);
    inverse
}

/// Operands in ONNX's order.
struct Operands {
    x: String,
    filter: String,
    /// Types of both.
    shapes: [Vec<Extent>; 2],
    back: Vec<usize>,
}

fn operands(scope: &mut Scope, call: &Call<'_>) -> Option<Operands> {
    let ((x, x_type), (filter, filter_type)) = (call.input(0)?, call.input(1)?);
    let rank = x_type.shape.len();
    let is_possible = x_type.dtype == ScalarType::Real && rank > 2 && !is_empty(x_type) && !is_empty(filter_type);
    let orders =
        is_possible.then(|| Some((order(call.text("data_format")?, rank)?, order(call.text("filter_format")?, rank)?)));
    let (data, weights) = orders??;
    let shape = |ty: &TensorType, order: &[usize]| order.iter().map(|from| ty.shape[*from].clone()).collect();
    Some(Operands {
        x: scope.nodes.transpose(x, &data),
        filter: scope.nodes.transpose(filter, &weights),
        shapes: [shape(x_type, &data), shape(filter_type, &weights)],
        back: inverse(&data),
    })
}

fn inputs<'n>(call: &'n Call<'_>, x: &'n str, filter: &'n str) -> Vec<&'n str> {
    [x, filter].into_iter().chain(call.input(2).map(|(bias, _)| bias)).collect()
}

fn values(extents: &[Extent]) -> Vec<SymExpr> {
    extents.iter().map(|extent| extent.value.clone()).collect()
}

/// `nn.conv`
pub fn conv(scope: &mut Scope, call: &Call<'_>) -> Results {
    if call.outputs[0].dtype == ScalarType::Int {
        return integers::conv(scope, call);
    }
    let Some(Operands { x, filter, shapes: [data, weights], back }) = operands(scope, call) else { return Ok(None) };
    let extents: Vec<&Extent> = data[2..].iter().collect();
    let windows = Windows::of(call, values(&weights[2..]), &extents);
    let (Some(windows), Some(groups)) = (windows, groups(call, &data[1])) else { return Ok(None) };
    let padded = windows.padded(scope, &x, 0.0, &|_| true)?;
    let mut attributes = windows.attributes(&padded.padding);
    attributes.push(attr::int("group", groups));
    attributes.extend(windows.known_size().map(|size| attr::ints("kernel_shape", &size)));
    let result = scope.nodes.add("Conv", &inputs(call, &padded.name, &filter), attributes);
    Ok(Some(vec![scope.nodes.transpose(&result, &back)]))
}

/// `nn.deconv`
pub fn deconv(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some(Operands { x, filter, shapes: [data, weights], back }) = operands(scope, call) else { return Ok(None) };
    let spread = Spread::of(call, &data[2..], &weights[2..]);
    let (Some(spread), Some(groups)) = (spread, groups(call, &data[1])) else { return Ok(None) };
    let mut attributes = vec![
        attr::ints("strides", &spread.stride),
        attr::ints("dilations", &spread.dilation),
        attr::int("group", groups),
    ];
    attributes.extend(spread.known_size().map(|size| attr::ints("kernel_shape", &size)));
    let result = match spread.own() {
        Some((padding, more)) => {
            attributes.extend([attr::ints("pads", &padding), attr::ints("output_padding", &more)]);
            scope.nodes.add("ConvTranspose", &inputs(call, &x, &filter), attributes)
        }
        None => {
            let whole = scope.nodes.add("ConvTranspose", &[&x, &filter], attributes);
            spread.cut(scope, call, &whole)?
        }
    };
    Ok(Some(vec![scope.nodes.transpose(&result, &back)]))
}

/// A transposed convolution: what its windows reach, and what of that is the result.
struct Spread {
    size: Vec<SymExpr>,
    stride: Vec<i64>,
    dilation: Vec<i64>,
    /// What is left out before each dimension.
    before: Vec<SymExpr>,
    /// What is left out behind each dimension where windows reach further than the result, or what the result has more.
    behind: Vec<SymExpr>,
    /// What is left out behind by the rule; the rest is more.
    padding: Vec<SymExpr>,
}

impl Spread {
    fn of(call: &Call<'_>, data: &[Extent], filter: &[Extent]) -> Option<Spread> {
        let (size, stride, dilation) = (values(filter), call.ints("stride")?, call.ints("dilation")?);
        let count = size.len();
        let spans = (0..count).map(|at| span(&size[at], dilation[at])).collect::<Option<Vec<_>>>()?;
        let padding = match call.value("padding") {
            Some(_) => call.expressions("padding").filter(|padding| padding.len() == 2 * count)?,
            None => {
                let totals = (0..count).map(|at| spans[at].minus(&SymExpr::Const(stride[at])));
                aligned(call, &totals.collect::<Option<Vec<_>>>()?)?
            }
        };
        let (before, padding) = (padding[..count].to_vec(), padding[count..].to_vec());
        let behind = match call.value("output_size") {
            None => padding.clone(),
            Some(_) => {
                let wanted = call.expressions("output_size").filter(|wanted| wanted.len() == count)?;
                let behind = |at: usize| {
                    let steps = data[at].value.minus(&SymExpr::Const(1))?.times(&SymExpr::Const(stride[at]))?;
                    steps.plus(&spans[at])?.minus(&before[at])?.minus(&wanted[at])
                };
                (0..count).map(behind).collect::<Option<Vec<_>>>()?
            }
        };
        Some(Spread { size, stride, dilation, before, behind, padding })
    }

    fn known_size(&self) -> Option<Vec<i64>> {
        self.size.iter().map(SymExpr::as_known).collect()
    }

    /// What the node leaves out, and what it adds behind; none where it can't, or only a run knows.
    fn own(&self) -> Option<(Vec<i64>, Vec<i64>)> {
        let known = |values: &[SymExpr]| values.iter().map(SymExpr::as_known).collect::<Option<Vec<i64>>>();
        let (before, padding, behind) = (known(&self.before)?, known(&self.padding)?, known(&self.behind)?);
        let more: Vec<i64> = padding.iter().zip(&behind).map(|(padding, behind)| padding - behind).collect();
        let fits = |(at, more): (usize, &i64)| (0..self.stride[at].max(self.dilation[at])).contains(more);
        let padding = [before, padding].concat();
        let is_possible = padding.iter().all(|padding| *padding >= 0) && more.iter().enumerate().all(fits);
        is_possible.then_some((padding, more))
    }

    /// The part of all that windows reach that is the result, with the bias.
    fn cut(&self, scope: &mut Scope, call: &Call<'_>, whole: &str) -> Result<String, Why> {
        let less = |values: &[SymExpr]| {
            let negated = values.iter().map(|value| SymExpr::Const(0).minus(value)).collect::<Option<Vec<_>>>();
            negated.ok_or_else(|| "what its windows reach has no expression".to_owned())
        };
        let none = || vec![SymExpr::Const(0); 2];
        let padding = scope.vector(&[none(), less(&self.before)?, none(), less(&self.behind)?].concat())?;
        let cut = scope.nodes.add("Pad", &[whole, &padding], Vec::new());
        let Some((bias, _)) = call.input(2) else { return Ok(cut) };
        let behind: Vec<i64> = (1..=self.size.len() as i64).collect();
        let bias = scope.nodes.unsqueeze(bias, &behind);
        Ok(scope.nodes.add("Add", &[&cut, &bias], Vec::new()))
    }
}
