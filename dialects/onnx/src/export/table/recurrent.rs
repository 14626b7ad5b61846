//! Recurrent networks of one direction.

use super::call::is_empty;
use super::{Call, Results};
use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::scope::Scope;
use crate::proto::AttributeProto;
use skriptnd_language::compose::value::Value;

/// What the operands of a network are, by number.
struct Kind {
    operator: &'static str,
    gates: usize,
    /// Of the weights as they are given, the gates in the order of ONNX.
    order: &'static [usize],
    /// The biases, the first states, the peepholes and the numbers of steps.
    biases: &'static [usize],
    states: &'static [usize],
    peepholes: Option<usize>,
    steps: usize,
}

const STANDARD: Kind =
    Kind { operator: "LSTM", gates: 4, order: &[0, 3, 1, 2], biases: &[3], states: &[4, 5], peepholes: None, steps: 6 };

const LSTM: Kind = Kind { order: &[0, 1, 2, 3], peepholes: Some(6), steps: 7, ..STANDARD };

const GRU: Kind =
    Kind { operator: "GRU", gates: 3, order: &[0, 1, 2], biases: &[3, 4], states: &[5], peepholes: None, steps: 6 };

const RNN: Kind =
    Kind { operator: "RNN", gates: 1, order: &[0], biases: &[3], states: &[4], peepholes: None, steps: 5 };

/// `nn.lstm` where all batch items have all steps.
pub fn standard(scope: &mut Scope, call: &Call<'_>) -> Results {
    if call.input(STANDARD.steps).is_some() { Ok(None) } else { network(scope, call, &STANDARD) }
}

/// `onnx.lstm`, `onnx.gru` and `onnx.rnn`
pub fn general(scope: &mut Scope, call: &Call<'_>) -> Results {
    match &*call.call.operator {
        _ if call.holds("quantized") => Ok(None),
        "onnx.lstm" => network(scope, call, &LSTM),
        "onnx.gru" => network(scope, call, &GRU),
        _ => network(scope, call, &RNN),
    }
}

fn network(scope: &mut Scope, call: &Call<'_>, kind: &Kind) -> Results {
    let (Some((x, x_type)), Some((weights, _)), Some((state, state_type))) =
        (call.input(0), call.input(1), call.input(2))
    else {
        return Ok(None);
    };
    let units = state_type.shape[1].as_known().and_then(|units| usize::try_from(units).ok()).filter(|units| *units > 0);
    let (Some(units), Some(mut attributes)) = (units.filter(|_| !is_empty(x_type)), attributes(call, kind)) else {
        return Ok(None);
    };
    attributes.push(attr::int("hidden_size", units as i64));
    let [weights, state] = [weights, state].map(|gates| {
        let ordered = ordered(scope, gates, units, kind);
        scope.nodes.unsqueeze(&ordered, &[0])
    });
    let bias = bias(scope, call, units, kind);
    let steps = call.input(kind.steps).map(|(steps, _)| scope.nodes.cast(steps, ElementType::Int32));
    let mut inputs = vec![x.to_owned(), weights, state, bias, steps.unwrap_or_default()];
    for at in kind.states.iter().copied().chain(kind.peepholes) {
        let given = call.input(at).filter(|_| !call.defaults.contains(&at));
        inputs.push(given.map(|(value, _)| scope.nodes.unsqueeze(value, &[0])).unwrap_or_default());
    }
    while inputs.last().is_some_and(String::is_empty) {
        inputs.pop();
    }
    let results = scope.nodes.several(("", kind.operator), inputs, 1 + kind.states.len(), attributes);
    let squeezed = |(at, result): (usize, &String)| scope.nodes.squeeze(result, &[i64::from(at == 0)]);
    Ok(Some(results.iter().enumerate().map(squeezed).collect()))
}

/// Rows of weights, gate by gate in the order of ONNX.
fn ordered(scope: &mut Scope, gates: &str, units: usize, kind: &Kind) -> String {
    if kind.order.is_sorted() {
        return gates.to_owned();
    }
    let rows: Vec<i64> =
        kind.order.iter().flat_map(|gate| gate * units..(gate + 1) * units).map(|row| row as i64).collect();
    let rows = scope.nodes.ints(&rows);
    scope.nodes.add("Gather", &[gates, &rows], vec![attr::int("axis", 0)])
}

/// The biases of the input and of the state; ONNX has both, or none.
fn bias(scope: &mut Scope, call: &Call<'_>, units: usize, kind: &Kind) -> String {
    let given = |at: &usize| call.input(*at).filter(|_| !call.defaults.contains(at)).map(|(name, _)| name.to_owned());
    let biases: Vec<Option<String>> = kind.biases.iter().map(given).collect();
    if biases.iter().all(Option::is_none) {
        return String::new();
    }
    let none = crate::constant::Constant::of_reals(vec![kind.gates * units], &vec![0.0; kind.gates * units]);
    let mut parts = Vec::new();
    for bias in biases.into_iter().chain([None]).take(2) {
        parts.push(match bias {
            Some(bias) => ordered(scope, &bias, units, kind),
            None => scope.nodes.constant(&none),
        });
    }
    let both = scope.nodes.several(("", "Concat"), parts, 1, vec![attr::int("axis", 0)]).swap_remove(0);
    scope.nodes.unsqueeze(&both, &[0])
}

/// What an attribute says of the network; none where ONNX has no such.
fn attributes(call: &Call<'_>, kind: &Kind) -> Option<Vec<AttributeProto>> {
    let mut attributes = Vec::new();
    if let Some(activations) = call.value("activations") {
        attributes.push(attr::texts("activations", &names(activations)?));
    }
    if let Some(clip) = call.real("clip").filter(|clip| clip.is_finite()) {
        attributes.push(attr::float("clip", clip));
    }
    let flag = match kind.operator {
        "GRU" => Some(("reset_after", "linear_before_reset")),
        "LSTM" => Some(("input_forget", "input_forget")),
        _ => None,
    };
    let flag = flag.filter(|(name, _)| call.holds(name));
    attributes.extend(flag.map(|(_, name)| attr::int(name, 1)));
    Some(attributes)
}

/// Activations without parameters, as ONNX calls them.
fn names(activations: &Value) -> Option<Vec<&'static str>> {
    let name = |value: &Value| match value {
        Value::Str(name) => Some(match &**name {
            "SIGMOID" => "Sigmoid",
            "TANH" => "Tanh",
            "RELU" => "Relu",
            "SOFTSIGN" => "Softsign",
            "SOFTPLUS" => "Softplus",
            _ => return None,
        }),
        _ => None,
    };
    match activations {
        Value::Pack(items) => items.iter().map(name).collect(),
        Value::Repeat(item, count) => Some(vec![name(item)?; usize::try_from(*count).ok()?]),
        _ => None,
    }
}
