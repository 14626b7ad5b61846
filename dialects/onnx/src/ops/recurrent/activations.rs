//! The functions that the gates of recurrent networks apply.

use super::Kind;
use crate::node::Node;

/// A function with its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Activation {
    /// What the operators of `onnx` call it.
    pub(super) kind: &'static str,
    /// The first number.
    pub(super) alpha: f64,
    /// The second one.
    pub(super) beta: f64,
}

/// A function: ONNX's name, the language's, and its numbers, where it has them.
type Function = (&'static str, &'static str, Option<f64>, Option<f64>);

const FUNCTIONS: [Function; 11] = [
    ("relu", "RELU", None, None),
    ("tanh", "TANH", None, None),
    ("sigmoid", "SIGMOID", None, None),
    ("affine", "AFFINE", Some(1.0), Some(0.0)),
    ("leakyrelu", "LEAKY_RELU", Some(0.01), None),
    ("thresholdedrelu", "THRESHOLDED_RELU", Some(1.0), None),
    ("scaledtanh", "SCALED_TANH", Some(1.0), Some(1.0)),
    ("hardsigmoid", "HARD_SIGMOID", Some(0.2), Some(0.5)),
    ("elu", "ELU", Some(1.0), None),
    ("softsign", "SOFTSIGN", None, None),
    ("softplus", "SOFTPLUS", None, None),
];

fn defaults(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Rnn => &["tanh"],
        Kind::Gru => &["sigmoid", "tanh"],
        Kind::Lstm => &["sigmoid", "tanh", "tanh"],
    }
}

/// How many functions a direction has.
pub(super) fn count(kind: Kind) -> usize {
    defaults(kind).len()
}

/// Whether they are those of a network that names none.
pub(super) fn are_default(kind: Kind, own: &[Activation]) -> bool {
    own.iter().zip(defaults(kind)).all(|(own, default)| own.kind.to_lowercase() == *default)
}

/// The functions of all directions, one behind the other.
pub(super) fn of(node: &Node<'_>, kind: Kind, directions: usize) -> Result<Vec<Activation>, String> {
    let named = match node.strings("activations")? {
        Some(named) => named,
        None => defaults(kind).repeat(directions).into_iter().map(str::to_owned).collect(),
    };
    let needed = directions * count(kind);
    if named.len() != needed {
        return Err(format!("it has {} activations, where {needed} are expected", named.len()));
    }
    // Numbers stand in a row for those functions only that have some.
    let mut alphas = node.floats("activation_alpha")?.unwrap_or_default().into_iter();
    let mut betas = node.floats("activation_beta")?.unwrap_or_default().into_iter();
    let function = |name: String| {
        let lower = name.to_lowercase();
        let (_, kind, alpha, beta) = FUNCTIONS
            .into_iter()
            .find(|(known, ..)| *known == lower)
            .ok_or_else(|| format!("its activation `{name}` is none that recurrent operators have"))?;
        let alpha = alpha.map_or(1.0, |default| alphas.next().unwrap_or(default));
        let beta = beta.map_or(0.0, |default| betas.next().unwrap_or(default));
        Ok(Activation { kind, alpha, beta })
    };
    named.into_iter().map(function).collect()
}
