//! Functions of single elements that ONNX has in one operator.

use super::{Call, Results};
use crate::export::attributes as attr;
use crate::export::scope::Scope;

/// `nn.relu` and what is like it.
pub fn activation(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, _)) = call.input(0) else { return Ok(None) };
    let real = |name: &str| call.real(name).unwrap_or(0.0);
    let alpha = || vec![attr::float("alpha", real("alpha"))];
    let (operator, attributes) = match &*call.call.operator {
        "nn.relu" if call.value("max").is_none() => match call.value("alpha") {
            None => ("Relu", Vec::new()),
            Some(_) => ("LeakyRelu", alpha()),
        },
        "nn.sigmoid" => ("Sigmoid", Vec::new()),
        "nn.softplus" => ("Softplus", Vec::new()),
        "onnx.round" => ("Round", Vec::new()),
        "onnx.softsign" => ("Softsign", Vec::new()),
        "nn.elu" => ("Elu", alpha()),
        "nn.selu" => ("Selu", vec![attr::float("alpha", real("alpha")), attr::float("gamma", real("lambda"))]),
        "nn.hard_sigmoid" => {
            ("HardSigmoid", vec![attr::float("alpha", real("alpha")), attr::float("beta", real("beta"))])
        }
        "nn.gelu" => match call.text("approximate") {
            None => ("Gelu", Vec::new()),
            Some("TANH") => ("Gelu", vec![attr::text("approximate", "tanh")]),
            Some(_) => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(vec![scope.nodes.add(operator, &[x], attributes)]))
}

/// `nn.silu`
pub fn silu(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, _)) = call.input(0) else { return Ok(None) };
    let part = scope.nodes.add("Sigmoid", &[x], Vec::new());
    Ok(Some(vec![scope.nodes.add("Mul", &[x, &part], Vec::new())]))
}

/// `nn.prelu`
pub fn prelu(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((slope, _))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let rank = ty.shape.len();
    let Some(axis) = call.axis("axis", rank) else { return Ok(None) };
    let behind: Vec<i64> = (1..rank as i64 - axis).collect();
    let slope = scope.nodes.unsqueeze(slope, &behind);
    Ok(Some(vec![scope.nodes.add("PRelu", &[x, &slope], Vec::new())]))
}
