//! The channels of products: of convolutions, linear layers and products of matrices.

use super::graph::{Argument, Graph, Operation, OperationKind, OperatorCall, TensorId};
use super::value::Value;

/// Where the channels are that a product gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    /// The dimension of the filter that has them; none where an index of it belongs to several.
    pub filter: Option<usize>,
    /// The dimension of the result.
    pub result: usize,
}

impl Channels {
    /// Those of a product of factors with these ranks; none if it is no product.
    pub fn of(call: &OperatorCall, [rank, filter]: [usize; 2]) -> Option<Channels> {
        let text = |name: &str| match call.attributes.get(name) {
            Some(Value::Str(text)) => Some(&**text),
            _ => None,
        };
        let result = || match text("data_format")? {
            "NCX" => Some(1),
            "NXC" => rank.checked_sub(1),
            _ => rank.checked_sub(2),
        };
        Some(match &*call.operator {
            "nn.conv" => {
                let is_last = matches!(text("filter_format")?, "XCN" | "CXN");
                Channels { filter: Some(if is_last { filter.checked_sub(1)? } else { 0 }), result: result()? }
            }
            "nn.deconv" => {
                let is_one = call.attributes.get("groups") == Some(&Value::Int(1));
                let at = match text("filter_format")? {
                    "NCX" => 1,
                    "NXC" => filter.checked_sub(1)?,
                    "XCN" => filter.checked_sub(2)?,
                    _ => 0,
                };
                // The channels of a group are those of all others as well.
                Channels { filter: Some(at).filter(|_| is_one), result: result()? }
            }
            "nn.linear" => Channels { filter: Some(0), result: 1 },
            "linalg.matmul" => {
                let is_turned = call.attributes.get("transB") == Some(&Value::Bool(true));
                let at = filter.checked_sub(if is_turned { 2 } else { 1 })?;
                Channels { filter: Some(at), result: rank.max(filter).checked_sub(1)? }
            }
            _ => return None,
        })
    }
}

/// What an operation adds to a tensor, if that is a number for each index of one of its dimensions.
pub fn added_by_channel(graph: &Graph, operation: &Operation, to: TensorId, dimension: usize) -> Option<TensorId> {
    let OperationKind::Operator(call) = &operation.kind else { return None };
    let [Argument::Single(left), Argument::Single(right)] = operation.inputs[..] else { return None };
    let shape = |id: TensorId| &graph.tensor(id).ty.shape;
    let rank = shape(to).len();
    let begin = |id: TensorId, name: &str| match call.attributes.get(name) {
        Some(Value::Int(behind @ ..0)) => {
            rank.checked_sub(shape(id).len())?.checked_sub(usize::try_from(-behind).ok()?)
        }
        Some(Value::Int(before)) => usize::try_from(*before).ok(),
        _ => rank.checked_sub(shape(id).len()),
    };
    let (left_begin, right_begin) = (begin(left, "lhs_align")?, begin(right, "rhs_align")?);
    let (own, added, begin) = match () {
        () if *call.operator != *"math.add" || left == right => return None,
        () if left == to => (left_begin, right, right_begin),
        () if right == to => (right_begin, left, left_begin),
        () => return None,
    };
    let channels = shape(to).get(dimension)?;
    let is_channel = |at: usize| begin + at == dimension;
    let mut extents = shape(added).iter().enumerate();
    let fits =
        extents.all(|(at, extent)| if is_channel(at) { extent == channels } else { extent.as_known() == Some(1) });
    (own == 0 && fits && (0..shape(added).len()).any(is_channel)).then_some(added)
}
