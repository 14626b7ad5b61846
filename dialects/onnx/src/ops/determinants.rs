//! Determinants: one row and column after the other is eliminated, the row of the greatest element first.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

/// Greater matrices would make too much text.
const GREATEST: i64 = 64;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Det" => one(determinant(t, node)),
        _ => None,
    }
}

fn determinant(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let mut matrix = node.input(0)?.clone();
    let rank = matrix.rank();
    if rank < 2 || matrix.shape[rank - 1].differs_from(&matrix.shape[rank - 2]) {
        return Err("its operand is expected to be of square matrices".into());
    }
    let extent = matrix.shape[rank - 1].known().filter(|extent| (1..=GREATEST).contains(extent));
    let extent =
        extent.ok_or_else(|| format!("the extent of its matrices is expected to be known, and {GREATEST} at most"))?;
    let outer = matrix.shape[..rank - 2].to_vec();
    let mut product: Option<Tensor> = None;
    for left in (1..=extent).rev() {
        let pivot = pivot(t, &matrix);
        let factor = t.call("onnx.pivot_factor").on(&matrix).on(&pivot).gives(matrix.element, outer.clone());
        product = Some(match product {
            Some(product) => t.binary("math.mul", &product, &factor)?,
            None => factor,
        });
        if left > 1 {
            let rest = [outer.clone(), vec![Extent::from(left - 1); 2]].concat();
            matrix = t.call("onnx.eliminate").on(&matrix).on(&pivot).gives(matrix.element, rest);
        }
    }
    product.ok_or_else(|| "its matrices are empty".into())
}

/// The row with the greatest element in the first column.
fn pivot(t: &mut Translator<'_>, matrix: &Tensor) -> Tensor {
    let rank = matrix.rank();
    let part = super::slices::Part { axis: rank - 1, begin: 0.into(), step: 1, extent: 1.into() };
    let column = t.sliced(matrix, &[part]);
    let size = t.unary("math.abs", &column);
    let outer = matrix.shape[..rank - 2].to_vec();
    let found = [outer.clone(), vec![Extent::from(1); 2]].concat();
    let index = t.call("math.argmax").int("axis", rank as i64 - 2).on(&size).gives(ElementType::Int64, found);
    let axes = [rank as i64 - 2, rank as i64 - 1];
    t.call("layout.squeeze").ints("axes", axes).on(&index).gives(ElementType::Int64, outer)
}
