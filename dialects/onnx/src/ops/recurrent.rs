//! Recurrent networks: each direction is a loop over the steps, `nn.lstm` where that is what the model means.

use super::Results;
use super::quantized::Scale;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::ops::slices::Part;
use crate::translate::Translator;
use crate::value::{Known, Tensor, made};
use skriptnd_syntax::build::Expression;

mod activations;
mod weights;

use activations::Activation;

/// A network has so many steps at most, where only a run knows how many.
const MOST_STEPS: i64 = 16384;

/// Which network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rnn,
    Gru,
    Lstm,
}

impl Kind {
    /// How many parts the weights have.
    fn gates(self) -> usize {
        match self {
            Kind::Rnn => 1,
            Kind::Gru => 3,
            Kind::Lstm => 4,
        }
    }

    fn operator(self) -> &'static str {
        match self {
            Kind::Rnn => "onnx.rnn",
            Kind::Gru => "onnx.gru",
            Kind::Lstm => "onnx.lstm",
        }
    }
}

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let kind = match node.proto.op_type.as_str() {
        "RNN" => Kind::Rnn,
        "GRU" => Kind::Gru,
        "LSTM" => Kind::Lstm,
        _ => return None,
    };
    Some(network(t, node, kind, None))
}

/// The network whose operands are those of `LSTM`, whatever the node is called, but for weights that are whole numbers: for one scale, or
/// one for each of a gate's units, in each direction. What they are multiplied by has 8 bits.
pub(super) fn quantized_lstm(t: &mut Translator<'_>, node: &Node<'_>, scales: [Scale; 2]) -> Results {
    network(t, node, Kind::Lstm, Some(scales))
}

/// What all directions have in common.
struct Network<'n> {
    node: &'n Node<'n>,
    kind: Kind,
    /// Steps, batch items, features.
    input: Tensor,
    /// How many units there are.
    hidden: Extent,
    /// Whether the batch items come first.
    batch_first: bool,
    /// How many steps each batch item has.
    steps: Option<Tensor>,
    activations: Vec<Activation>,
    /// What the weights of the input and of the state stand for, where they are whole numbers.
    scales: Option<[Scale; 2]>,
}

fn network(t: &mut Translator<'_>, node: &Node<'_>, kind: Kind, scales: Option<[Scale; 2]>) -> Results {
    let batch_first = node.flag("layout", false)?;
    let input = node.input(0)?.clone();
    if input.rank() != 3 {
        return Err(format!("its input has {} dimensions, where 3 are expected", input.rank()));
    }
    let input = if batch_first { t.transposed(&input, &[1, 0, 2]) } else { input };
    t.bound_steps(node, &input.shape[0]);
    if t.greatest(&input.shape[0]).is_some_and(|most| most > MOST_STEPS) && input.shape[0].known().is_none() {
        return Err(format!("it may have more than {MOST_STEPS} steps: give another bound by `--bound`"));
    }
    let hidden = node.input(2)?.shape.get(2).cloned().ok_or("its weights of the state have not 3 dimensions")?;
    let reversed = directions(node)?;
    let activations = activations::of(node, kind, reversed.len())?;
    // Lengths that are known, and all that there is, say nothing new.
    let all = |steps: &Tensor| steps.ints().is_some_and(|steps| steps.iter().all(|steps| *steps == input.shape[0]));
    let steps = node.optional(4).filter(|steps| !all(steps)).cloned();
    let network = Network { node, kind, input, hidden, batch_first, steps, activations, scales };
    let mut results = Vec::new();
    for (at, is_reversed) in reversed.iter().enumerate() {
        results.push(network.direction(t, at, *is_reversed)?);
    }
    Ok(network.joined(t, &results))
}

/// Whether each direction goes backwards.
fn directions(node: &Node<'_>) -> Result<Vec<bool>, String> {
    match node.string_or("direction", "forward")?.as_str() {
        "forward" => Ok(vec![false]),
        "reverse" => Ok(vec![true]),
        "bidirectional" => Ok(vec![false, true]),
        other => {
            Err(format!("its `direction` is `{other}`, where `forward`, `reverse` or `bidirectional` is expected"))
        }
    }
}

impl Network<'_> {
    /// All outputs and the last states of a direction.
    fn direction(&self, t: &mut Translator<'_>, at: usize, is_reversed: bool) -> Results {
        let input = if is_reversed { self.reversed(t, &self.input) } else { self.input.clone() };
        let mut results = match self.kind {
            Kind::Lstm if self.is_standard(at)? => self.standard(t, at, &input)?,
            _ => self.general(t, at, &input)?,
        };
        if is_reversed && self.node.gives(0) {
            results[0] = self.reversed(t, &results[0]);
        }
        Ok(results)
    }

    /// The steps in the opposite order, those of each batch item on their own where they are not all.
    fn reversed(&self, t: &mut Translator<'_>, tensor: &Tensor) -> Tensor {
        let extent = tensor.shape[0].clone();
        match (&self.steps, extent.known()) {
            (None, Some(_)) => {
                let part = Part { axis: 0, begin: extent.sub(&Extent::from(1)), step: -1, extent };
                t.sliced(tensor, &[part])
            }
            (steps, _) => {
                let call = t.call("onnx.reverse_sequence").on(tensor).on_any(steps.as_ref());
                call.gives(tensor.element, tensor.shape.clone())
            }
        }
    }

    /// Whether `nn.lstm` is the same, and as good: its results may have fewer steps than it is given, so that they get room for all that
    /// there may be.
    fn is_standard(&self, at: usize) -> Result<bool, String> {
        let is_plain =
            self.scales.is_none() && self.node.optional(7).is_none() && !self.node.flag("input_forget", false)?;
        let is_plain = is_plain && self.input.shape[0].known().is_some();
        let own = &self.activations[at * 3..at * 3 + 3];
        let kinds = own.iter().map(|activation| activation.kind).eq(["SIGMOID", "TANH", "TANH"]);
        Ok(is_plain && kinds && self.steps.is_none() && self.node.float("clip")?.is_none())
    }

    fn standard(&self, t: &mut Translator<'_>, at: usize, input: &Tensor) -> Results {
        let order = [0, 2, 3, 1];
        let weights = t.gates(self.node.input(1)?, at, 4, &order)?;
        let state = t.gates(self.node.input(2)?, at, 4, &order)?;
        let bias = match self.node.optional(3) {
            Some(bias) => {
                let of_input = t.gates(bias, at, 8, &order)?;
                let of_state = t.gates(bias, at, 8, &order.map(|gate| gate + 4))?;
                t.bias_sum(&of_input, &of_state)?
            }
            None => {
                let units = self.hidden.known().ok_or("its number of units is not known")?;
                let count = made(&[4, units])?;
                Tensor::known(input.element, vec![count], Known::Reals(vec![0.0; count]))
            }
        };
        let (h0, c0) = (self.first(t, 5, at)?, self.first(t, 6, at)?);
        let call = t.call("nn.lstm").on(input).on(&weights).on(&state).on(&bias);
        let call = call.on_or_absent(h0.as_ref()).on_or_absent(c0.as_ref());
        Ok(call.gives_all(self.results(input)))
    }

    fn general(&self, t: &mut Translator<'_>, at: usize, input: &Tensor) -> Results {
        let gates = self.kind.gates();
        let order: Vec<usize> = (0..gates).collect();
        let mut operands = vec![Some(input.clone())];
        for weights in [1, 2] {
            let own = t.gates(self.node.input(weights)?, at, gates, &order)?;
            operands.push(Some(match &self.scales {
                Some(scales) => t.dequantized_gates(&own, &scales[weights - 1], at, &order)?,
                None => own,
            }));
        }
        operands.extend(self.biases(t, at, &order)?);
        operands.push(self.first(t, 5, at)?);
        if self.kind == Kind::Lstm {
            operands.push(self.first(t, 6, at)?);
            let peepholes = self.node.optional(7).map(|peepholes| t.gates(peepholes, at, 3, &[0, 1, 2]));
            operands.push(peepholes.transpose()?);
        }
        operands.push(self.steps.clone());
        while operands.last().is_some_and(Option::is_none) {
            operands.pop();
        }
        self.call(t, at, &operands, self.results(input))
    }

    fn call(
        &self,
        t: &mut Translator<'_>,
        at: usize,
        operands: &[Option<Tensor>],
        results: Vec<(ElementType, Vec<Extent>)>,
    ) -> Results {
        let each = activations::count(self.kind);
        let own = &self.activations[at * each..(at + 1) * each];
        let list = |value: &dyn Fn(&Activation) -> Expression| Expression::List(own.iter().map(value).collect());
        let mut call = t.call(self.kind.operator());
        if !activations::are_default(self.kind, own) {
            call = call.attribute("activations", list(&|activation| Expression::Text(activation.kind.into())));
            call = call.attribute("alpha", list(&|activation| Expression::Real(activation.alpha)));
            call = call.attribute("beta", list(&|activation| Expression::Real(activation.beta)));
        }
        if let Some(clip) = self.node.float("clip")? {
            call = call.real("clip", clip);
        }
        if let Some(name) = self.flag()? {
            call = call.flag(name, true);
        }
        if self.scales.is_some() {
            call = call.flag("quantized", true);
        }
        Ok(operands.iter().fold(call, |call, operand| call.on_or_absent(operand.as_ref())).gives_all(results))
    }

    /// What the node chooses of the operator's two ways.
    fn flag(&self) -> Result<Option<&'static str>, String> {
        let (name, attribute) = match self.kind {
            Kind::Rnn => return Ok(None),
            Kind::Gru => ("reset_after", "linear_before_reset"),
            Kind::Lstm => ("input_forget", "input_forget"),
        };
        Ok(self.node.flag(attribute, false)?.then_some(name))
    }

    /// One bias, or those of the input and of the state where they are added in different places.
    fn biases(&self, t: &mut Translator<'_>, at: usize, order: &[usize]) -> Result<Vec<Option<Tensor>>, String> {
        let is_gru = self.kind == Kind::Gru;
        let Some(bias) = self.node.optional(3) else { return Ok(vec![None; if is_gru { 2 } else { 1 }]) };
        let gates = order.len();
        let of_input = t.gates(bias, at, 2 * gates, order)?;
        let behind: Vec<usize> = order.iter().map(|gate| gate + gates).collect();
        let of_state = t.gates(bias, at, 2 * gates, &behind)?;
        match is_gru {
            true => Ok(vec![Some(of_input), Some(of_state)]),
            false => Ok(vec![Some(t.bias_sum(&of_input, &of_state)?)]),
        }
    }

    /// The first state of a direction, where it is given and not 0.
    fn first(&self, t: &mut Translator<'_>, operand: usize, at: usize) -> Result<Option<Tensor>, String> {
        let Some(state) = self.node.optional(operand).filter(|state| state.uniform() != Some(0.0)) else {
            return Ok(None);
        };
        if state.rank() != 3 {
            return Err(format!("its operand {operand} has {} dimensions, where 3 are expected", state.rank()));
        }
        let axis = usize::from(self.batch_first);
        let part = Part { axis, begin: Extent::from(at as i64), step: 1, extent: Extent::from(1) };
        let own = t.sliced(state, &[part]);
        let shape = vec![own.shape[1 - axis].clone(), own.shape[2].clone()];
        t.reshaped(&own, shape).map(Some)
    }

    /// The types of what a direction gives.
    fn results(&self, input: &Tensor) -> Vec<(ElementType, Vec<Extent>)> {
        let state = vec![input.shape[1].clone(), self.hidden.clone()];
        let outputs = [&input.shape[..1], &state].concat();
        let states = if self.kind == Kind::Lstm { 2 } else { 1 };
        let states = vec![(input.element, state); states];
        [vec![(input.element, outputs)], states].concat()
    }

    /// The results of all directions in one tensor each.
    fn joined(&self, t: &mut Translator<'_>, directions: &[Vec<Tensor>]) -> Vec<Tensor> {
        let joined = |result: usize| {
            let parts: Vec<&Tensor> = directions.iter().map(|direction| &direction[result]).collect();
            // Outputs have the steps before the batch items.
            let axis = match (result, self.batch_first) {
                (0, false) | (1.., true) => 1,
                (0, true) => 2,
                (1.., false) => 0,
            };
            let turned: Vec<Tensor> = match (result, self.batch_first) {
                (0, true) => parts.iter().map(|part| t.transposed(part, &[1, 0, 2])).collect(),
                _ => parts.into_iter().cloned().collect(),
            };
            t.stacked(&turned.iter().collect::<Vec<_>>(), axis)
        };
        (0..directions[0].len().min(self.node.result_count())).map(joined).collect()
    }
}

impl Translator<'_> {
    /// Tensors of one shape along a new dimension.
    pub fn stacked(&mut self, parts: &[&Tensor], axis: usize) -> Tensor {
        let mut shape = parts[0].shape.clone();
        shape.insert(axis, Extent::from(parts.len() as i64));
        match parts {
            [only] => self.unsqueezed(only, &[axis], shape),
            parts => self.call("layout.stack").int("axis", axis as i64).on_pack(parts).gives(parts[0].element, shape),
        }
    }
}
