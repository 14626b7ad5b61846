//! Products of matrices, and normalisation by channels.

use super::call::is_empty;
use super::{Call, Results, integers};
use crate::export::attributes as attr;
use crate::export::scope::Scope;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::ScalarType;

/// `linalg.matmul`
pub fn matmul(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((a, a_type)), Some((b, b_type))) = (call.input(0), call.input(1)) else { return Ok(None) };
    if is_empty(a_type) || is_empty(b_type) {
        return Ok(None);
    }
    if let Some(sums) = integers::matmul(scope, call)? {
        return Ok(Some(sums));
    }
    let mut matrix = |name: &str, ty: &TensorType, is_transposed: bool| {
        let mut order: Vec<usize> = (0..ty.shape.len()).collect();
        if is_transposed {
            order.swap(ty.shape.len() - 2, ty.shape.len() - 1);
        }
        scope.nodes.transpose(name, &order)
    };
    let a = matrix(a, a_type, call.holds("transA"));
    let b = matrix(b, b_type, call.holds("transB"));
    let product = scope.nodes.add("MatMul", &[&a, &b], Vec::new());
    Ok(Some(vec![match call.input(2) {
        Some((c, _)) => scope.nodes.add("Add", &[&product, c], Vec::new()),
        None => product,
    }]))
}

/// `nn.linear`
pub fn linear(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((filter, _))) = (call.input(0), call.input(1)) else { return Ok(None) };
    if is_empty(ty) {
        return Ok(None);
    }
    let nodes = &mut scope.nodes;
    if ty.dtype == ScalarType::Real {
        let inputs: Vec<&str> = [x, filter].into_iter().chain(call.input(2).map(|(bias, _)| bias)).collect();
        return Ok(Some(vec![nodes.add("Gemm", &inputs, vec![attr::int("transB", 1)])]));
    }
    let filter = nodes.transpose(filter, &[1, 0]);
    let product = nodes.add("MatMul", &[x, &filter], Vec::new());
    Ok(Some(vec![match call.input(2) {
        Some((bias, _)) => nodes.add("Add", &[&product, bias], Vec::new()),
        None => product,
    }]))
}

/// `nn.batch_norm` of channels that are the second dimension.
pub fn batch_norm(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((mean, channels)), Some((variance, _))) = (call.input(0), call.input(1), call.input(2))
    else {
        return Ok(None);
    };
    let Some(epsilon) = call.real("epsilon") else { return Ok(None) };
    if call.axis("channel_axis", ty.shape.len()) != Some(1) || is_empty(ty) {
        return Ok(None);
    }
    let mut given = [String::new(), String::new()];
    for (operand, (at, missing)) in given.iter_mut().zip([(4, 1.0), (3, 0.0)]) {
        *operand = match call.input(at) {
            Some((name, _)) => name.to_owned(),
            None => {
                let value = scope.nodes.real(missing);
                let shape = scope.shape(&channels.shape)?;
                scope.nodes.add("Expand", &[&value, &shape], Vec::new())
            }
        };
    }
    let inputs = [x, &given[0], &given[1], mean, variance];
    let attributes = vec![attr::float("epsilon", epsilon)];
    Ok(Some(vec![scope.nodes.add("BatchNormalization", &inputs, attributes)]))
}
