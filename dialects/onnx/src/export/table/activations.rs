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
